//! What planning knows of a conversation: everything but its text.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::attachments::ResolvedAttachment;
use super::minhash::MinHash;
use super::plain_page::PlainPage;
use super::quotes::Quotes;
use super::reason::Reason;
use super::recording::Recording;
use super::references::Target;
use super::text_ref::TextRef;
use crate::hash::Hash;
use crate::model::{Filing, Kind, Section, Segment, Usage};
use crate::path::RelPath;
use crate::text::{InternedStr, interned_option};
use crate::time::Time;

/// The metadata of a conversation: everything that planning needs, without its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The file or folder by which people know it, where that is not to be told as it is.
    pub(super) told_label: Option<Box<str>>,
    /// What makes it a plain page of the site and no conversation, if it is one.
    pub page: Option<Box<PlainPage>>,
    /// References to its text: one, or several for a long conversation that is read in parts.
    pub parts: Vec<Arc<TextRef>>,
    /// Tells it from every other one, and stays when turns are added or its file is moved.
    pub id: Hash,
    /// The id that its source gives it.
    pub own_id: Option<String>,
    /// The [`Entry::own_id`] by which its vendor knows it among all conversations, so that two of
    /// one id are versions of one conversation.
    pub vendor_id: Option<Hash>,
    /// Whether `import` wrote it, so that it counts, and not what an export says of it.
    pub is_imported: bool,
    /// For one that may be in several logs, which of them it was read from.
    pub(super) segment: Option<Box<Segment>>,
    /// When its source says that it was changed.
    pub changed: Option<Time>,
    /// The [`Entry::own_id`] of the conversation that it goes on from, which is in the archive.
    pub parent: Option<String>,
    /// Its own title, else its first words, else the name of its file; of an undated one that
    /// has its file for itself the name of the file before its first words.
    pub title: String,
    /// Its nature, such as `dialog`.
    pub kind: Option<String>,
    /// The label by which readers are told where it comes from.
    #[serde(deserialize_with = "interned_option")]
    pub source_label: Option<InternedStr>,
    /// When it took place or was published.
    pub time: Option<Time>,
    /// The latest time in it.
    pub updated: Option<Time>,
    /// When its file was last changed, where the history of a repository tells that.
    pub revised: Option<Time>,
    /// The turn that opened it, where the site asks for that and every turn of the main path says
    /// when it was.
    pub opener: Option<Box<Opener>>,
    /// The id or the file of the conversation that says the same in another language.
    pub translation_of: Option<String>,
    /// Declared languages, the first one the main one.
    pub languages: Vec<String>,
    /// Words under which it is filed.
    pub tags: Vec<String>,
    /// Who speaks, in the order of the source.
    pub speakers: Vec<Speaker>,
    /// Number of turns on the main path.
    pub turns: u64,
    /// The smallest of the hashes of these turns, in order: of conversations that have turns in
    /// common the same ones.
    pub sample: Vec<u32>,
    /// Number of words on the main path, code aside.
    pub words: u64,
    /// The beginning of the summary, else of the first answer or the first turn, on one line.
    pub excerpt: Arc<str>,
    /// How often each tool was called.
    pub tools: BTreeMap<String, u64>,
    /// What its turns took, by model and by the year and month in which it was.
    pub usage: BTreeMap<UsageKey, UsageSum>,
    /// The name of the channel of which it is a part; empty where it is of none.
    pub channel: String,
    /// The messages that other pages quote, for one that has some or quotes some.
    pub quotes: Option<Box<Quotes>>,
    /// What its author says of the lists in which it stands, if anything.
    pub(super) filing: Option<Box<Filing>>,
    /// For the introduction of a folder, what it says of the folder.
    pub section: Option<Box<Section>>,
    /// Its recording.
    pub recording: Option<Box<Recording>>,
    /// Whether it says of a turn of the main path when in a recording that was said.
    pub is_recorded: bool,
    /// Whether it is an episode of the site's podcast.
    pub is_episode: bool,
    /// Addresses below the site's at which it stood before.
    pub aliases: Vec<String>,
    /// Whether its source gives it a title.
    pub is_titled: bool,
    /// Whether search engines should list it, where its author decided.
    pub index: Option<bool>,
    /// Whether somebody reviewed it, where its author says so.
    pub reviewed: Option<bool>,
    /// The MinHash of its text, where the site asks for that.
    pub minhash: Option<MinHash>,
    /// Whether search finds it.
    pub is_searchable: bool,
    /// The reason for which it is held back usually, for one that is here because that was asked for.
    pub withheld: Option<Reason>,
    /// Whether it has the one file of its source for itself, of which nothing was left out, and
    /// which its author wrote and no other program.
    pub is_alone: bool,
    /// Whether the path of its file tells what is to be on no page.
    pub is_telling: bool,
    /// The hash of its turns, by which versions that do not differ are known.
    pub content: Hash,
    /// The title of its oldest version, after which its address is named; `None` where that is its
    /// title.
    pub first_title: Option<String>,
    /// Number of fields that the source has and no page shows.
    pub unpublished_fields: u64,
    /// Number of calls of which pages show no more than the name, by the servers of their tools.
    pub withheld_servers: BTreeMap<String, u64>,
    /// Number of things that a placeholder stands for.
    pub placeholders: u64,
    /// The targets of its relative addresses, as far as they have any.
    pub references: BTreeMap<String, Target>,
    /// Its attachments, by the number of the part, the turn's id and the place
    /// among the turn's blocks.
    pub attachments: BTreeMap<(usize, String, usize), ResolvedAttachment>,
}

impl Entry {
    /// Returns what readers are told of why it is not public, where it was asked for all the same.
    pub fn mark(&self) -> Option<Reason> {
        self.withheld.filter(|reason| *reason != Reason::Private)
    }

    /// Returns what its author says of the lists in which it stands.
    pub fn filing(&self) -> &Filing {
        static EMPTY: Filing = Filing::EMPTY;
        self.filing.as_deref().unwrap_or(&EMPTY)
    }

    /// Returns the file by which other files refer to it.
    pub fn file(&self) -> &RelPath {
        self.parts[0].file()
    }

    /// Replaces the path of one of its files where that is not to be told as it is.
    pub fn clean_path(&self, path: &mut String) {
        if let Some(told) = &self.told_label {
            *path = told.to_string();
        }
    }

    /// Returns whether something in it, or in what was read with it, is redacted.
    pub fn is_redacted(&self) -> bool {
        self.parts.iter().any(|text_ref| text_ref.part.redacted.is_some())
    }

    /// Returns the file or folder by which people know it, without what is not to be told of it.
    pub fn label(&self) -> &str {
        self.told_label.as_deref().unwrap_or_else(|| self.parts[0].source.label())
    }
}

/// The model that made turns, and the year and month in which it did.
pub type UsageKey = (Option<String>, Option<(i16, i8)>);

/// The sums of what turns took.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct UsageSum {
    /// Tokens that models read and wrote.
    pub tokens: u64,
    /// The price, as far as it is known. Millionths of a US dollar.
    pub cost: u64,
}

impl UsageSum {
    /// Adds what one turn took.
    pub(super) fn count(&mut self, usage: &Usage) {
        let parts = [
            usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens,
            usage.output_tokens,
        ];
        let tokens = parts.into_iter().flatten().fold(0, u64::saturating_add);
        let cost = usage.cost_usd.map_or(0, |dollars| (dollars * 1e6).round() as u64);
        self.add(Self { tokens, cost });
    }

    /// Adds other sums.
    pub fn add(&mut self, other: Self) {
        self.tokens = self.tokens.saturating_add(other.tokens);
        self.cost = self.cost.saturating_add(other.cost);
    }
}

/// A participant as listings show one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Speaker {
    /// The name as written.
    pub name: String,
    /// The kind of participant.
    pub kind: Kind,
    /// The model's id.
    pub model: Option<String>,
    /// Number of its turns on the main path.
    pub turns: u64,
    /// Number of words in these, code aside.
    pub words: u64,
}

/// The first turn in which something is said.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opener {
    /// The place of who speaks among the conversation's speakers.
    pub speaker: usize,
    /// The turn's id.
    pub turn: String,
    /// The beginning of the turn, on one line.
    pub text: String,
}
