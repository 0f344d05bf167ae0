//! The metadata of a conversation, without its text, for planning.

pub(super) mod archive;
pub(super) mod beginning;
pub(super) mod contents;
pub(super) mod entry_builder;
pub(super) mod minhash;
pub(super) mod naming;
pub(super) mod outline;
pub(super) mod prompt;
pub(super) mod quotes;
pub(super) mod recording;
pub(super) mod report_filter;
pub(super) mod sentences;
pub(super) mod titles;
pub(super) mod tools;
pub(super) mod work_sums;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use self::minhash::MinHash;
use self::outline::PartOutline;
use self::quotes::Quotes;
use self::recording::Recording;
use self::work_sums::WorkSums;
use crate::hash::Hash;
use crate::model::{Filing, Kind, Section, Segment, Usage, are_prompts};
use crate::path::RelPath;
use crate::sources::find::plain_page::PlainPage;
use crate::sources::find::reason::Reason;
use crate::sources::refs::attachments::ResolvedAttachment;
use crate::sources::refs::references::Target;
use crate::sources::refs::text_ref::TextRef;
use crate::text::{InternedStr, interned_option};
use crate::time::Time;

/// The metadata of a conversation: everything that planning needs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The file or folder shown to people, if its real path must not be shown.
    pub(super) shown_label: Option<Box<str>>,
    /// What makes it a plain page of the site instead of a conversation.
    pub page: Option<Box<PlainPage>>,
    /// References to its text: several for a long conversation that is read in parts.
    pub parts: Vec<Arc<TextRef>>,
    /// What its parts are about; empty if there is only one.
    pub outline: Vec<PartOutline>,
    /// The id of this conversation. It does not change when turns are added or the file is moved.
    pub id: Hash,
    /// The id that its source gives it.
    pub own_id: Option<String>,
    /// The [`Entry::own_id`], if the vendor makes it globally unique. Conversations with the same
    /// one are versions of one conversation.
    pub vendor_id: Option<Hash>,
    /// Whether `import` wrote it; then it takes precedence over exports.
    pub is_imported: bool,
    /// For a conversation that may be spread over several logs, the log it was read from.
    pub(super) segment: Option<Box<Segment>>,
    /// When it was changed, according to its source.
    pub changed: Option<Time>,
    /// The [`Entry::own_id`] of the conversation that it continues, which is in the archive.
    pub parent: Option<String>,
    /// Its own title, else one of its `names`, else its file name. For an undated
    /// conversation alone in its file, the file name comes before the names.
    pub title: String,
    /// What it may be called according to its beginning, best first. Empty if it has another title.
    pub(super) names: Box<[Box<str>]>,
    /// Its kind, such as `dialog`.
    pub kind: Option<String>,
    /// The label that shows readers where it comes from.
    #[serde(deserialize_with = "interned_option")]
    pub source_label: Option<InternedStr>,
    /// Whether its prompts are as somebody typed them into a program.
    pub has_typed_prompts: bool,
    /// When it took place or was published.
    pub time: Option<Time>,
    /// The latest time in it.
    pub updated: Option<Time>,
    /// When its file was last changed, if the history of a repository is known.
    pub revised: Option<Time>,
    /// Its first turn, if the site asks for it and every turn of the main path has a time.
    pub opener: Option<Box<Opener>>,
    /// The id or the file of the same conversation in another language.
    pub translation_of: Option<String>,
    /// Declared languages, the main language first.
    pub languages: Vec<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The speakers, in the order of the source.
    pub speakers: Vec<Speaker>,
    /// The number of turns on the main path.
    pub turns: u64,
    /// The smallest hashes of these turns, sorted. Conversations with turns in common share some of
    /// these hashes.
    pub sample: Vec<u32>,
    /// The number of words on the main path, without code.
    pub words: u64,
    /// The beginning of the summary, else of the first answer or the first turn, on one line.
    pub excerpt: Arc<str>,
    /// How often each tool was called.
    pub tools: BTreeMap<String, u64>,
    /// What agents did in it.
    pub work: WorkSums,
    /// The usage of its turns, by model, year and month.
    pub usage: BTreeMap<UsageKey, UsageSum>,
    /// The name of the channel that it is a part of; empty if there is none.
    pub channel: String,
    /// The messages that other pages quote, if it has such messages or quotes some.
    pub quotes: Option<Box<Quotes>>,
    /// The author's settings about the lists that include it.
    pub(super) filing: Option<Box<Filing>>,
    /// The settings about the folder, if this is the introduction of a folder.
    pub section: Option<Box<Section>>,
    /// Its recording.
    pub recording: Option<Box<Recording>>,
    /// Whether it has a recording that cannot be published. Another diagnostic says why.
    pub has_unpublished_recording: bool,
    /// Whether a turn of the main path has a time in a recording.
    pub is_recorded: bool,
    /// Whether it is an episode of the site's podcast.
    pub is_episode: bool,
    /// Former URLs, below that of the site.
    pub aliases: Vec<String>,
    /// Whether its source gives it a title.
    pub is_titled: bool,
    /// Whether search engines should list it, if its author decided that.
    pub index: Option<bool>,
    /// Whether it was reviewed, if its author says so.
    pub reviewed: Option<bool>,
    /// The MinHash of its text, if the site asks for it.
    pub minhash: Option<MinHash>,
    /// Whether the search includes it.
    pub is_searchable: bool,
    /// The reason it is normally withheld, if it is included because the user asked for it.
    pub withheld: Option<Reason>,
    /// Whether its source has a single file that contains only this conversation, complete, and was
    /// written by its author, not by another program.
    pub is_alone: bool,
    /// Whether the path of its file would reveal withheld text.
    pub reveals_name: bool,
    /// The hash of its text as readers see it.
    pub content: Hash,
    /// The title that determines its URL: that of its oldest version, whatever other conversations
    /// are called. `None` if that is its title.
    pub first_title: Option<String>,
    /// The number of fields in the source that no page shows.
    pub unpublished_fields: u64,
    /// The number of calls whose input and output are withheld, by the servers of their tools.
    pub withheld_servers: BTreeMap<String, u64>,
    /// The number of placeholders.
    pub placeholders: u64,
    /// The resolved targets of its relative URLs.
    pub references: BTreeMap<String, Target>,
    /// Its attachments, by the number of the part, the turn's id, and the index among the turn's
    /// blocks.
    pub attachments: BTreeMap<(usize, String, usize), ResolvedAttachment>,
}

impl Entry {
    /// Removes its recording if it must not be published, and returns it.
    pub(super) fn withhold_recording(
        &mut self,
        must_be_withheld: impl FnOnce(&Recording) -> bool,
    ) -> Option<Box<Recording>> {
        let withheld = self.recording.take_if(|recording| must_be_withheld(recording));
        self.has_unpublished_recording |= withheld.is_some();
        withheld
    }

    /// Returns the label for readers that says why it is normally not public.
    pub fn mark(&self) -> Option<Reason> {
        self.withheld.filter(|reason| *reason != Reason::Private)
    }

    /// Returns whether people talk to an assistant.
    pub fn has_prompts(&self) -> bool {
        let of = |kind: Kind| {
            let speakers = self.speakers.iter().filter(|who| who.kind == kind);
            speakers.map(|who| who.turns).sum()
        };
        are_prompts(of(Kind::Person), of(Kind::Assistant), self.turns)
    }

    /// Returns the author's settings about the lists that include it.
    pub fn filing(&self) -> &Filing {
        static EMPTY: Filing = Filing::EMPTY;
        self.filing.as_deref().unwrap_or(&EMPTY)
    }

    /// Returns the file that other files refer to it by.
    pub fn file(&self) -> &RelPath {
        self.parts[0].file()
    }

    /// Replaces the path of one of its files if it must not be shown.
    pub fn clean_path(&self, path: &mut String) {
        if let Some(reported) = &self.shown_label {
            *path = reported.to_string();
        }
    }

    /// Returns whether anything in it, or in files read with it, is redacted.
    pub fn is_redacted(&self) -> bool {
        let is_changed = |text_ref: &Arc<TextRef>| {
            let part = &text_ref.part;
            part.redacted.is_some() || part.edited.is_some_and(|edits| edits.hide)
        };
        self.parts.iter().any(is_changed)
    }

    /// Returns the file or folder to show to people, without hidden parts.
    pub fn label(&self) -> &str {
        self.shown_label.as_deref().unwrap_or_else(|| self.parts[0].source.label())
    }
}

/// The model that made turns, with the year and month.
pub type UsageKey = (Option<String>, Option<(i16, i8)>);

/// The summed usage of turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct UsageSum {
    /// The tokens that models read and wrote.
    pub tokens: u64,
    /// The price, as far as it is known. Millionths of a US dollar.
    pub cost: u64,
}

impl UsageSum {
    /// Adds the usage of one turn.
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

/// A participant in the form that listings need.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Speaker {
    /// The name as written.
    pub name: String,
    /// The kind of participant.
    pub kind: Kind,
    /// The model's id.
    pub model: Option<String>,
    /// The number of its turns on the main path.
    pub turns: u64,
    /// The number of words in these turns, without code.
    pub words: u64,
}

/// The first turn with text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Opener {
    /// The speaker's index among the conversation's speakers.
    pub speaker: usize,
    /// The turn's id.
    pub turn: String,
    /// The beginning of the turn, on one line.
    pub text: String,
}
