//! The format-neutral model of conversations: who said what, and when.
//!
//! A format creates a [`Conversation`]; later stages only read it. They do not know which format it
//! came from.

pub mod assistant_names;
mod action;
mod block;
mod channel;
mod diff;
mod filing;
mod markdown;
mod parse;
mod participant;
mod schedule;
mod segment;
mod spoken;
mod terminal;
mod texts;
mod tool_kind;
mod turn;
mod usage;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Serialize, Serializer};

pub use self::action::{
    Action, Citation, EditKind, FileEdit, PlanStep, StepState, citation_list,
    citation_list_with_hosts,
};
pub use self::block::{
    Approval, Attachment, AttachmentKind, Block, COMPACTION, Content, EXPANSION, INTERRUPTION,
    QUOTATION, ToolCall, ToolError, ToolResult, is_data,
};
pub use self::channel::{Channel, MessageInfo, Reaction, Split};
pub use self::filing::{
    AUTHOR_KEYS, FEATURED, Filing, NUMBERED, ORDER, Order, PINNED, SERIES, SERIES_ORDER, Section,
    WEIGHT,
};
pub use self::markdown::{fenced, quoted};
pub use self::participant::{Kind, Participant, Participants};
pub use self::schedule::Schedule;
pub use self::segment::{LogEnd, Segment};
pub use self::spoken::{Spoken, chars_of, moment};
pub use self::terminal::{TerminalColor, TerminalColors};
pub use self::texts::{TextRole, TextVisitor};
pub use self::tool_kind::ToolKind;
pub use self::turn::{Place, Turn};
pub use self::usage::Usage;
use crate::hash::Hash;
use crate::json::{Map, Value};
use crate::time::Time;

/// The maximum number of turns per assistant turn in a conversation with prompts.
const MAX_TURNS_PER_ANSWER: u64 = 3;

/// Returns whether the turns of people are prompts, given how many turns people, assistants and all
/// speakers have. An assistant that only joins a conversation between people is not prompted.
pub fn are_prompts(people: u64, assistants: u64, all: u64) -> bool {
    people > 0 && assistants.saturating_mul(MAX_TURNS_PER_ANSWER) >= all
}

/// A whole conversation.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Conversation {
    /// The id in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The id of the conversation it continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The title in the source.
    pub title: Option<String>,
    /// The type in one word, such as `dialog`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// When it took place or was published.
    #[serde(serialize_with = "written_time")]
    pub time: Option<Time>,
    /// When it was last changed, for sources that may contain several versions of it.
    #[serde(serialize_with = "written_time", skip_serializing_if = "Option::is_none")]
    pub updated: Option<Time>,
    /// BCP 47 tags declared by the author.
    pub languages: Vec<String>,
    /// BCP 47 tags guessed by a program: labelled as guesses, and not used otherwise.
    pub speculative_languages: Vec<String>,
    /// The tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether it is published only on request.
    pub private: bool,
    /// When it is published.
    #[serde(skip)]
    pub schedule: Schedule,
    /// Whether search ignores it, although it is published.
    #[serde(rename = "unfound", skip_serializing_if = "std::ops::Not::not")]
    pub excluded_from_search: bool,
    /// The participants, in the order of the source.
    pub participants: Participants,
    /// Text before the first turn, as Markdown.
    pub preface: String,
    /// Where the text (the `preface`) starts; only for plain pages of the site and texts of
    /// folders, which are not conversations.
    #[serde(skip)]
    pub page: Option<Place>,
    /// The turns of the main path.
    pub turns: Vec<Turn>,
    /// Alternatives to turns of the main path, and what follows its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
    /// Ids of turns in the source that must not be shown, so that no other version of the
    /// conversation brings them back.
    #[serde(skip)]
    pub withheld_ids: Vec<String>,
    /// Whether names in the text were replaced, so that the source must not be offered for
    /// download.
    #[serde(skip)]
    pub rewritten: bool,
    /// Whether the recording contains names or words that are not in the text: names with a
    /// pseudonym, and what an edit hides or redacts.
    #[serde(skip)]
    pub hides_names: bool,
    /// The hashes of what edits of the author are about and was found here.
    #[serde(skip)]
    pub edited: BTreeSet<Hash>,
    /// The names and accounts of unlisted people with a pseudonym here. Files beside the
    /// conversation are searched for them.
    #[serde(skip)]
    pub hidden_names: Vec<String>,
    /// The names of speakers in the source, by the name that replaced them.
    #[serde(skip)]
    pub replaced_names: BTreeMap<String, BTreeSet<String>>,
    /// The replacement for its file name, if readers must not see the real one.
    #[serde(skip)]
    pub file_title: Option<String>,
    /// The replacement for its file path in reports and in the cache, if the path contains a name.
    #[serde(skip)]
    pub file_label: Option<String>,
    /// The real paths of attached files, by the paths that they have since names were replaced.
    #[serde(skip)]
    pub renamed_files: BTreeMap<String, String>,
    /// The location of its recording as written in the source, before any replacement.
    #[serde(skip)]
    pub media: Option<String>,
    /// The log it was read from, if it may be spread over several.
    #[serde(skip)]
    pub segment: Option<Segment>,
    /// The channel it is, or is a part of; only for messages between people. A conversation with one is withheld until
    /// a rule opens it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// The id of the channel that it is a part of.
    #[serde(skip)]
    pub cut_from: Option<String>,
    /// The name of the format that `import` converted it from, to which its id belongs.
    #[serde(skip)]
    pub imported_from: Option<String>,
    /// The name of the format of the agent that called the tools, if another program wrote the
    /// source.
    #[serde(skip)]
    pub agent: Option<&'static str>,
    /// Other fields of the source, under their original keys.
    pub extra: Map,
    /// Fields of the source that no page shows: accounts, ids, internal data of programs.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// Turns beside the main path: an alternative course of the conversation, or the dialogue between a
/// subagent and its tools, started by a tool call.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Branch {
    /// The name in the source.
    pub name: Option<String>,
    /// The [`Turn::id`] it follows, on the main path or in an earlier branch; `None` for an
    /// alternative start.
    pub after: Option<String>,
    /// Whether the main path continues after it, so that it replaces as many turns as it has:
    /// another answer to the same question.
    pub rejoins: bool,
    /// The [`ToolCall::id`] of the call in the turn `after` that started it; only for subagents.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_by: Option<String>,
    /// The turns.
    pub turns: Vec<Turn>,
}

impl Conversation {
    /// Iterates over all turns: the main path, then each branch.
    pub fn all_turns(&self) -> impl Iterator<Item = &Turn> {
        self.turns.iter().chain(self.branches.iter().flat_map(|branch| &branch.turns))
    }

    /// Iterates mutably over all turns: the main path, then each branch.
    pub fn all_turns_mut(&mut self) -> impl Iterator<Item = &mut Turn> {
        let branches = self.branches.iter_mut().flat_map(|branch| &mut branch.turns);
        self.turns.iter_mut().chain(branches)
    }

    /// Returns the author's summary, if there is one.
    pub fn summary(&self) -> Option<&str> {
        self.summary_key().and_then(|key| self.extra.get(key)?.as_str()).map(str::trim)
    }

    /// Returns the key of [`Conversation::extra`] that contains [`Conversation::summary`].
    pub fn summary_key(&self) -> Option<&'static str> {
        let text = |key: &str| self.extra.get(key).and_then(Value::as_str);
        let says = |key: &&str| text(key).is_some_and(|text| !text.trim().is_empty());
        SUMMARIES.into_iter().find(says)
    }

    /// Returns former URLs, relative to that of the site.
    pub fn aliases(&self) -> Vec<String> {
        match self.extra.get(ALIASES) {
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(list)) => {
                list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the conversation that this one translates: its id, or the path of its file.
    pub fn translation_of(&self) -> Option<&str> {
        self.extra.get(TRANSLATION_OF)?.as_str()
    }

    /// Returns the author's data for templates.
    pub fn for_templates(&self) -> Option<&Map> {
        self.extra.get(FOR_TEMPLATES)?.as_object()
    }

    /// Returns the boolean value of a key.
    pub fn choice(&self, key: &str) -> Option<bool> {
        self.extra.get(key)?.as_bool()
    }

    /// Returns the participant with this name.
    pub fn participant(&self, name: &str) -> Option<&Participant> {
        self.participants.named(name)
    }

    /// Returns the kind of the participant whose turn it is.
    pub fn kind_of(&self, turn: &Turn) -> Option<Kind> {
        self.participant(&turn.speaker).map(|who| who.kind)
    }

    /// Returns whether people talk to an assistant.
    pub fn has_prompts(&self) -> bool {
        let (mut people, mut assistants) = (0, 0);
        for kind in self.turns.iter().map(|turn| self.kind_of(turn)) {
            people += u64::from(kind == Some(Kind::Person));
            assistants += u64::from(kind == Some(Kind::Assistant));
        }
        are_prompts(people, assistants, self.turns.len() as u64)
    }

    /// Removes withheld turns, as [`Self::drop_turns`] does.
    pub fn drop_withheld(&mut self) {
        self.drop_turns(|turn| turn.withheld);
    }

    /// Removes turns, and programs that only spoke in them. A turn that followed such a turn now
    /// follows the one before it.
    pub fn drop_turns(&mut self, is_dropped: impl Fn(&Turn) -> bool) {
        if !self.all_turns().any(&is_dropped) {
            return;
        }
        let mut followed: HashMap<String, Option<String>> = HashMap::new();
        fn sift(
            turns: &mut Vec<Turn>,
            mut before: Option<String>,
            is_dropped: &dyn Fn(&Turn) -> bool,
            followed: &mut HashMap<String, Option<String>>,
        ) {
            turns.retain(|turn| {
                let is_kept = !is_dropped(turn);
                match is_kept {
                    true => before = Some(turn.id.clone()),
                    false => _ = followed.insert(turn.id.clone(), before.clone()),
                }
                is_kept
            });
        }
        sift(&mut self.turns, None, &is_dropped, &mut followed);
        for branch in &mut self.branches {
            if let Some(before) = branch.after.as_ref().and_then(|id| followed.get(id)) {
                branch.after.clone_from(before);
            }
            let before = branch.after.clone();
            sift(&mut branch.turns, before, &is_dropped, &mut followed);
        }
        self.branches.retain(|branch| !branch.turns.is_empty());
        let speaking: HashSet<&str> = self.all_turns().map(|turn| turn.speaker.as_str()).collect();
        let kept =
            |who: &&Participant| who.kind != Kind::System || speaking.contains(who.name.as_str());
        self.participants = self.participants.iter().filter(kept).cloned().collect();
    }

    /// Adds a participant, unless there is one with this name.
    pub fn introduce(&mut self, name: &str, kind: Kind) {
        if !name.is_empty() && self.participant(name).is_none() {
            self.participants.push(Participant::new(name, kind));
        }
    }

    /// Merges participants that now have the same name. If one of them is a person, the result is a
    /// person.
    pub fn merge_participants(&mut self) {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut merged: Vec<Participant> = Vec::new();
        for who in &self.participants {
            let known = places.get(&who.name).and_then(|at| merged.get_mut(*at));
            let Some(known) = known else {
                places.insert(who.name.clone(), merged.len());
                merged.push(who.clone());
                continue;
            };
            if who.kind == Kind::Person {
                known.kind = Kind::Person;
            }
            known.model = known.model.take().or_else(|| who.model.clone());
            for (key, value) in &who.extra {
                known.extra.entry(key.clone()).or_insert_with(|| value.clone());
            }
            known.aliases.extend(who.aliases.iter().cloned());
        }
        self.participants = merged.into_iter().collect();
    }

    /// Adds another name of a participant or of a person who is only mentioned.
    pub fn also_called(&mut self, name: &str, alias: &str) {
        self.introduce(name, Kind::Person);
        if let Some(who) = self.participants.named_mut(name)
            && who.name != alias
            && !alias.is_empty()
            && !who.aliases.iter().any(|known| known == alias)
        {
            who.aliases.push(alias.to_owned());
        }
    }
}

/// The key for the summary.
pub const SUMMARY: &str = "summary";
/// All keys for the summary.
const SUMMARIES: [&str; 3] = [SUMMARY, "description", "abstract"];

/// The key of [`Conversation::extra`] for whether search engines should list it.
pub const INDEX: &str = "index";
/// The key for whether it was reviewed.
pub const REVIEWED: &str = "reviewed";

/// The key of [`Conversation::extra`] for data for templates.
pub const FOR_TEMPLATES: &str = "extra";

/// The key for former URLs of a conversation.
pub const ALIASES: &str = "aliases";

/// The key for the text of the URL, instead of the title; for a plain page, the last part of the
/// URL.
pub const SLUG: &str = "slug";
/// The key for the menu entry of a plain page: true, or its label.
pub const MENU: &str = "menu";

/// The key for the location of the recording.
pub const MEDIA: &str = "media";

/// The key for the conversation that this one translates.
pub const TRANSLATION_OF: &str = "translation_of";

/// Gives every turn an id that does not change when other turns do: a hash of speaker and text,
/// with a number for repeated ones. Existing ids are kept.
pub fn name_turns<'a>(turns: impl IntoIterator<Item = &'a mut Turn>) {
    let mut names = TurnNames::default();
    turns.into_iter().for_each(|turn| names.name(turn));
}

/// Returns the id of a turn with an id of its vendor, so that it stays the same when the text
/// changes.
pub fn turn_id(vendor: &str) -> String {
    format!("t{}", Hash::of(vendor).short(9))
}

/// The ids of turns so far, for a conversation that is read in parts.
#[derive(Debug, Default)]
pub struct TurnNames(HashMap<String, u32>);

impl TurnNames {
    /// Sets the id of the next turn, as [`name_turns`] does.
    pub fn name(&mut self, turn: &mut Turn) {
        if !turn.id.is_empty() {
            return;
        }
        // The `t` makes it a valid and recognizable fragment.
        let id = format!("t{}", Hash::of(&(&turn.speaker, turn.text())).short(9));
        let occurrence = self.0.entry(id.clone()).or_insert(0);
        *occurrence += 1;
        turn.id = if *occurrence == 1 { id } else { format!("{id}-{occurrence}") };
    }
}

fn written_time<S: Serializer>(time: &Option<Time>, to: S) -> Result<S::Ok, S::Error> {
    time.as_ref().map(Time::as_written).serialize(to)
}
