//! What was said, by whom, and when: the neutral form into which every format is read.
//!
//! A [`Conversation`] is made by a format and then only read. Nothing after the formats knows
//! which of them a conversation came from.

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
mod texts;
mod turn;
mod usage;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Serialize, Serializer};

pub use self::action::citation_list;
pub use self::action::{Action, Citation, EditKind, FileEdit, PlanStep, StepState};
pub use self::block::{
    Approval, Attachment, AttachmentKind, Block, Content, QUOTATION, ToolCall, ToolError,
    ToolResult, is_data,
};
pub use self::channel::{Channel, MessageInfo, Reaction, Split};
pub use self::filing::{
    AUTHORS_KEYS, FEATURED, Filing, NUMBERED, ORDER, Order, PINNED, SERIES, SERIES_ORDER, Section,
    WEIGHT,
};
pub use self::markdown::{fenced, quoted};
pub use self::participant::{Kind, Participant, Participants};
pub use self::schedule::Schedule;
pub use self::segment::{LogEnd, Segment};
pub use self::spoken::{Spoken, chars_of, moment};
pub use self::texts::{TextRole, TextVisitor};
pub use self::turn::{Place, Turn};
pub use self::usage::Usage;
use crate::hash::Hash;
use crate::json::{Map, Value};
use crate::time::Time;

/// One conversation, whole.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Conversation {
    /// The id that its source gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The id of the conversation that it goes on from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The title that it has of its own.
    pub title: Option<String>,
    /// Its nature in one word, such as `dialog`.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// When it took place or was published.
    #[serde(serialize_with = "written_time")]
    pub time: Option<Time>,
    /// When it was last changed, for a source that may hold it in several versions.
    #[serde(serialize_with = "written_time", skip_serializing_if = "Option::is_none")]
    pub updated: Option<Time>,
    /// BCP 47 tags as its author declared them.
    pub languages: Vec<String>,
    /// BCP 47 tags that a program guessed: shown as such and used for nothing.
    pub speculative_languages: Vec<String>,
    /// Words under which it is filed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Never published unless that is asked for.
    pub private: bool,
    /// When it may be on the site.
    #[serde(skip)]
    pub schedule: Schedule,
    /// Not found by search, though it is published.
    #[serde(rename = "unfound", skip_serializing_if = "std::ops::Not::not")]
    pub excluded_from_search: bool,
    /// Who takes part, in the order in which the source names them.
    pub participants: Participants,
    /// Text before the first turn, as Markdown.
    pub preface: String,
    /// For a plain page of the site and what introduces a folder, which are no conversations: where
    /// the text, the `preface`, begins.
    #[serde(skip)]
    pub page: Option<Place>,
    /// What was said: the main path through all that was.
    pub turns: Vec<Turn>,
    /// What was said instead of turns of the main path, or after its end.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<Branch>,
    /// Ids of turns that its source has and that must not be shown, so that no other version of the
    /// conversation brings them back.
    #[serde(skip)]
    pub left_out: Vec<String>,
    /// Whether words of it are not its source's, because names were replaced; what was there must
    /// not be offered to readers.
    #[serde(skip)]
    pub rewritten: bool,
    /// Whether made-up names stand in what was said, where a recording of it has the real ones.
    #[serde(skip)]
    pub hides_names: bool,
    /// The names and accounts of those who are not listed and have made-up names here, which are looked
    /// for in files beside it.
    #[serde(skip)]
    pub hidden_names: Vec<String>,
    /// What stands for the name of its file where readers would see that, and may not.
    #[serde(skip)]
    pub file_title: Option<String>,
    /// What stands for the path of its file in reports and in the cache, where that names somebody.
    #[serde(skip)]
    pub file_label: Option<String>,
    /// The paths of files as they are, by those that its attachments have since names were replaced.
    #[serde(skip)]
    pub renamed_files: BTreeMap<String, String>,
    /// Where its recording is, as its source says that, whatever was replaced in it since.
    #[serde(skip)]
    pub media: Option<String>,
    /// For one that may be in several logs, which of them it was read from.
    #[serde(skip)]
    pub segment: Option<Segment>,
    /// The channel that it is, or a part of, where people wrote it to each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// For a piece of a channel, the id of the channel from which it was cut.
    #[serde(skip)]
    pub cut_from: Option<String>,
    /// The name of the format from which `import` wrote it, which gave it its id.
    #[serde(skip)]
    pub imported_from: Option<String>,
    /// Whatever else the source says, under the source's own keys.
    pub extra: Map,
    /// What the source says that no page shows: accounts, ids, bookkeeping of programs.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub unpublished: Map,
}

/// What was said beside the main path: another way in which a conversation went on, or what an
/// agent said to itself and its tools that a tool call started.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Branch {
    /// The name that its source gives it.
    pub name: Option<String>,
    /// The [`Turn::id`] that it follows, on the main path or in an earlier branch; `None` when
    /// it is another beginning.
    pub after: Option<String>,
    /// Whether the path that it parts from goes on after it, so that it stands for as many
    /// turns as it has: another answer to the same question.
    pub rejoins: bool,
    /// The [`ToolCall::id`] of the call in the turn `after` that started it, for the conversation
    /// of a subagent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_by: Option<String>,
    /// What was said in it.
    pub turns: Vec<Turn>,
}

impl Conversation {
    /// Returns every turn: the main path, then each branch.
    pub fn all_turns(&self) -> impl Iterator<Item = &Turn> {
        self.turns.iter().chain(self.branches.iter().flat_map(|branch| &branch.turns))
    }

    /// Iterates over every turn, to change it: the main path, then each branch.
    pub fn all_turns_mut(&mut self) -> impl Iterator<Item = &mut Turn> {
        let branches = self.branches.iter_mut().flat_map(|branch| &mut branch.turns);
        self.turns.iter_mut().chain(branches)
    }

    /// Returns the summary of its author, where the source has one.
    pub fn summary(&self) -> Option<&str> {
        self.summary_key().and_then(|key| self.extra.get(key)?.as_str()).map(str::trim)
    }

    /// Returns the key of [`Conversation::extra`] under which [`Conversation::summary`] stands.
    pub fn summary_key(&self) -> Option<&'static str> {
        let text = |key: &str| self.extra.get(key).and_then(Value::as_str);
        let says = |key: &&str| text(key).is_some_and(|text| !text.trim().is_empty());
        SUMMARIES.into_iter().find(says)
    }

    /// Addresses below the site's at which it stood before.
    pub fn aliases(&self) -> Vec<String> {
        let list = self.extra.get(ALIASES).and_then(Value::as_array);
        let texts = list.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// Returns the conversation that says the same in another language: its id, or the path of its
    /// file.
    pub fn translation_of(&self) -> Option<&str> {
        self.extra.get(TRANSLATION_OF)?.as_str()
    }

    /// Returns what its author says to templates.
    pub fn for_templates(&self) -> Option<&Map> {
        self.extra.get(FOR_TEMPLATES)?.as_object()
    }

    /// Returns the value of a key of its author, if that is yes or no.
    pub fn choice(&self, key: &str) -> Option<bool> {
        self.extra.get(key)?.as_bool()
    }

    /// Returns the participant of that name.
    pub fn participant(&self, name: &str) -> Option<&Participant> {
        self.participants.named(name)
    }

    /// Takes away the turns that are withheld, and those who only spoke in them. What followed such
    /// a turn follows the one before it.
    pub fn drop_withheld(&mut self) {
        if self.all_turns().all(|turn| !turn.withheld) {
            return;
        }
        let mut followed: HashMap<String, Option<String>> = HashMap::new();
        fn sift(
            turns: &mut Vec<Turn>,
            mut before: Option<String>,
            followed: &mut HashMap<String, Option<String>>,
        ) {
            turns.retain(|turn| {
                match turn.withheld {
                    true => _ = followed.insert(turn.id.clone(), before.clone()),
                    false => before = Some(turn.id.clone()),
                }
                !turn.withheld
            });
        }
        sift(&mut self.turns, None, &mut followed);
        for branch in &mut self.branches {
            if let Some(before) = branch.after.as_ref().and_then(|id| followed.get(id)) {
                branch.after.clone_from(before);
            }
            let before = branch.after.clone();
            sift(&mut branch.turns, before, &mut followed);
        }
        self.branches.retain(|branch| !branch.turns.is_empty());
        let speaking: HashSet<&str> = self.all_turns().map(|turn| turn.speaker.as_str()).collect();
        let kept =
            |who: &&Participant| who.kind != Kind::System || speaking.contains(who.name.as_str());
        self.participants = self.participants.iter().filter(kept).cloned().collect();
    }

    /// Adds a participant unless one of that name is there.
    pub fn introduce(&mut self, name: &str, kind: Kind) {
        if !name.is_empty() && self.participant(name).is_none() {
            self.participants.push(Participant::new(name, kind));
        }
    }

    /// Says that somebody who takes part, or is only spoken of, is called so as well.
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

/// The keys under which authors say what a conversation is about.
const SUMMARIES: [&str; 3] = ["summary", "description", "abstract"];

/// The key of [`Conversation::extra`] that says whether search engines should list it.
pub const INDEX: &str = "index";
/// The key that says whether somebody reviewed it.
pub const REVIEWED: &str = "reviewed";

/// The key of [`Conversation::extra`] under which authors say something to templates.
pub const FOR_TEMPLATES: &str = "extra";

/// The key under which authors say where a conversation stood before.
pub const ALIASES: &str = "aliases";

/// The key under which authors of plain pages say the last part of their address.
pub const SLUG: &str = "slug";
/// The key under which they say that the menu has it: yes, or with which words.
pub const MENU: &str = "menu";

/// The key under which authors say where the recording of a conversation is.
pub const MEDIA: &str = "media";

/// The key under which authors say what a conversation is a translation of.
pub const TRANSLATION_OF: &str = "translation_of";

/// Gives every turn an id that other turns cannot shift: a hash of speaker and text, with the
/// occurrence where the same was said before. Turns that have an id keep it.
pub fn name_turns<'a>(turns: impl IntoIterator<Item = &'a mut Turn>) {
    let mut names = TurnNames::default();
    turns.into_iter().for_each(|turn| names.name(turn));
}

/// Returns the id of a turn that its vendor knows by an id of its own, so that it stays whatever
/// becomes of the wording.
pub fn turn_id(vendor: &str) -> String {
    format!("t{}", Hash::of(vendor).short(9))
}

/// The ids that the turns of a conversation got so far, for one that is read bit by bit.
#[derive(Debug, Default)]
pub struct TurnNames(HashMap<String, u32>);

impl TurnNames {
    /// Gives the next turn its id, as [`name_turns`] does.
    pub fn name(&mut self, turn: &mut Turn) {
        if !turn.id.is_empty() {
            return;
        }
        // The `t` makes it a valid and easily recognized fragment.
        let id = format!("t{}", Hash::of(&(&turn.speaker, turn.text())).short(9));
        let occurrence = self.0.entry(id.clone()).or_insert(0);
        *occurrence += 1;
        turn.id = if *occurrence == 1 { id } else { format!("{id}-{occurrence}") };
    }
}

fn written_time<S: Serializer>(time: &Option<Time>, to: S) -> Result<S::Ok, S::Error> {
    time.as_ref().map(Time::as_written).serialize(to)
}
