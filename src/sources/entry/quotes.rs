//! Quotes of messages that are answered on another page.
//!
//! Channels are split into conversations, and long conversations into pages, so a message and its
//! answer may be on different pages. For each message that is answered elsewhere, the entry of its
//! conversation has its author and first words. The words are those on its page: names and secrets
//! are replaced before this code sees them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::formats::Format;
use crate::hash::Hash;
use crate::model::{Conversation, Turn};
use crate::query::turns::plain_text;
use crate::text::readable_excerpt;

/// The length of a quote in characters.
const QUOTED_CHARS: usize = 90;

/// Returns the first words of a message, on one line.
pub fn quote(turn: &Turn) -> String {
    let prose = turn.prose();
    let markdown = if prose.trim().is_empty() { turn.own_text() } else { prose };
    readable_excerpt(&plain_text(&markdown).0, QUOTED_CHARS)
}

/// The messages of a conversation that other pages quote, and the messages that its pages quote.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Quotes {
    /// The channel that the conversation is a part of, or the conversation itself.
    pub channel: Hash,
    /// The messages that other pages answer, by their ids.
    pub answered: BTreeMap<String, Quote>,
    /// The ids of answered messages that are on another page or missing, each with the number of
    /// the page, from 0, of its answer.
    pub answers: BTreeSet<(usize, String)>,
}

/// The quote of a message.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Quote {
    /// The number of its page, from 0.
    pub page: usize,
    /// Its author; may be empty.
    pub speaker: String,
    /// Its first words.
    pub text: String,
}

impl Quotes {
    /// Creates empty quotes for a conversation with the id `id` in the archive.
    pub(crate) fn new(read: &Conversation, format: Option<&Format>, id: Hash) -> Self {
        let format = format.map(|format| format.name);
        let channel = read.cut_from.as_ref();
        let channel = channel.map_or(id, |channel| Hash::of(&(format, channel)));
        Self { channel, answered: BTreeMap::new(), answers: BTreeSet::new() }
    }

    /// Adds the messages of a page.
    pub(crate) fn add(&mut self, page: usize, read: &Conversation, answered: &Answered<'_>) {
        let answers = || read.turns.iter().filter_map(answers);
        if answers().next().is_some() {
            let here = ids(read);
            let elsewhere = answers().filter(|id| !here.contains(id));
            self.answers.extend(elsewhere.map(|id| (page, id.to_owned())));
        }
        for turn in read.turns.iter().filter(|turn| answered.has(&turn.id)) {
            let (speaker, text) = (turn.speaker.clone(), quote(turn));
            self.answered.insert(turn.id.clone(), Quote { page, speaker, text });
        }
    }

    /// Returns the quotes, if there are any.
    pub(crate) fn finish(self) -> Option<Box<Self>> {
        let is_empty = self.answered.is_empty() && self.answers.is_empty();
        (!is_empty).then(|| Box::new(self))
    }
}

/// The ids of messages that are answered in another conversation, by their common channel.
#[derive(Default)]
pub(crate) struct AnsweredIds {
    by_channel: HashMap<String, HashSet<String>>,
    /// Ids that an earlier reading already found.
    known: HashSet<String>,
}

impl AnsweredIds {
    /// Finds the ids among conversations that were read together.
    pub(crate) fn of<'a>(all: impl Iterator<Item = &'a Conversation>) -> Self {
        let mut found = Self::default();
        for read in all {
            let Some(channel) = &read.cut_from else { continue };
            let mut answers = read.turns.iter().filter_map(answers).peekable();
            if answers.peek().is_none() {
                continue;
            }
            let here = ids(read);
            let elsewhere = answers.filter(|id| !here.contains(id)).map(str::to_owned);
            found.by_channel.entry(channel.clone()).or_default().extend(elsewhere);
        }
        found
    }

    /// Returns the ids found when these versions of a conversation were read.
    pub(crate) fn of_versions<'a>(all: impl Iterator<Item = &'a Quotes>) -> Self {
        let known = all.flat_map(|quotes| quotes.answered.keys().cloned()).collect();
        Self { known, ..Self::default() }
    }

    /// Returns the ids of the messages of a conversation, consisting of these pages, that are
    /// answered on another page.
    pub(crate) fn of_pages<'a>(
        &'a self,
        read: &'a Conversation,
        pages: &[Range<usize>],
    ) -> Answered<'a> {
        let elsewhere = read.cut_from.as_ref().and_then(|id| self.by_channel.get(id));
        let mut on_pages = HashSet::new();
        if pages.len() > 1 && read.turns.iter().any(|turn| answers(turn).is_some()) {
            let turns = pages.iter().enumerate().flat_map(|(page, turns)| {
                read.turns[turns.clone()].iter().map(move |turn| (turn, page))
            });
            let places: HashMap<&str, usize> =
                turns.clone().map(|(turn, page)| (turn.id.as_str(), page)).collect();
            on_pages = turns
                .filter_map(|(turn, page)| {
                    let id = answers(turn)?;
                    (*places.get(id)? != page).then_some(id)
                })
                .collect();
        }
        Answered { known: &self.known, elsewhere, on_pages }
    }
}

/// The ids of the messages of a conversation that are answered on another page.
pub(crate) struct Answered<'a> {
    known: &'a HashSet<String>,
    elsewhere: Option<&'a HashSet<String>>,
    on_pages: HashSet<&'a str>,
}

impl Answered<'_> {
    fn has(&self, id: &str) -> bool {
        self.on_pages.contains(id)
            || self.known.contains(id)
            || self.elsewhere.is_some_and(|all| all.contains(id))
    }
}

/// Returns the id of the message that a message answers.
fn answers(turn: &Turn) -> Option<&str> {
    turn.message.as_ref()?.answers.as_deref()
}

fn ids(read: &Conversation) -> HashSet<&str> {
    read.turns.iter().map(|turn| turn.id.as_str()).collect()
}
