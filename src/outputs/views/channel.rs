//! What messages have in addition to turns: answers, threads, reactions, and runs of one author.

use std::collections::{BTreeMap, HashMap};

use crate::locale::Locale;
use crate::model::{Conversation, Split, Turn};
use crate::site::{ConversationPage, QuotedMessage};
use crate::sources::quote;
use crate::theme::view::{AnsweredView, ItemView, ReactionView};

/// Messages of one author within this many seconds form a run.
const MAX_RUN_SECONDS: i64 = 5 * 60;
/// The maximum number of messages of a thread that is not folded.
const SHORT_THREAD: usize = 3;

/// Returns whether a conversation consists of messages of people, in a channel or a forum.
pub(super) fn has_messages(read: &Conversation) -> bool {
    read.channel.is_some() || read.turns.iter().any(|turn| turn.message.is_some())
}

/// Renders the message details of a page.
pub(super) struct ChannelRenderer<'a> {
    /// The index of each turn by id, to find the turn before it; empty if this is not a channel.
    places: HashMap<&'a str, usize>,
    turns: &'a [Turn],
    /// Answered messages on other pages, by id.
    quoted: &'a BTreeMap<String, QuotedMessage>,
    /// Whether the channel is split into threads, as mails are. Its messages do not form runs.
    has_letters: bool,
}

impl<'a> ChannelRenderer<'a> {
    pub(crate) fn new(planned: &'a ConversationPage, conversation: &'a Conversation) -> Self {
        let turns = match has_messages(conversation) {
            true => conversation.turns.as_slice(),
            false => &[],
        };
        let places = turns.iter().enumerate();
        let places = places.map(|(at, turn)| (turn.id.as_str(), at)).collect();
        let split = conversation.channel.as_ref().map(|channel| channel.split);
        let has_letters = split == Some(Split::Thread);
        Self { places, turns, quoted: &planned.quoted, has_letters }
    }

    /// Returns whether a message follows one by the same author within minutes.
    pub(super) fn follows(&self, turn: &Turn) -> bool {
        let before = self.places.get(turn.id.as_str()).and_then(|at| at.checked_sub(1));
        let Some(before) = before.map(|at| &self.turns[at]) else { return false };
        let thread = |turn: &Turn| turn.message.as_ref().and_then(|info| info.thread.clone());
        let seconds = |turn: &Turn| turn.time.as_ref().map(|time| time.instant().as_second());
        let is_soon = match (seconds(before), seconds(turn)) {
            (Some(before), Some(now)) => now - before <= MAX_RUN_SECONDS,
            (None, None) => true,
            _ => false,
        };
        let is_same_day = before.time.as_ref().map(|time| time.date())
            == turn.time.as_ref().map(|time| time.date());
        !turn.speaker.is_empty()
            && !self.has_letters
            && before.speaker == turn.speaker
            && thread(before) == thread(turn)
            && is_soon
            && is_same_day
    }

    /// Returns the message that a message answers, unless it is directly above. If it is not on the site,
    /// the view only says that there was one.
    pub(super) fn answered(&self, turn: &Turn, locale: &Locale) -> Option<AnsweredView> {
        let id = turn.message.as_ref()?.answers.as_deref()?;
        let view = |speaker: &str, url: String, text: String| {
            let label = match speaker {
                "" => locale.text("conversation.answers_earlier").to_owned(),
                name => locale.fill("conversation.answers", &[("name", name)]),
            };
            AnsweredView { url, label, text }
        };
        if let Some(at) = self.places.get(id) {
            let own = *self.places.get(turn.id.as_str())?;
            let answered = self.turns.get(*at).filter(|_| at + 1 != own)?;
            let url = format!("#{}", answered.id);
            return Some(view(&answered.speaker, url, quote(answered)));
        }
        Some(match self.quoted.get(id) {
            Some(QuotedMessage { url, speaker, text }) => view(speaker, url.clone(), text.clone()),
            None => view("", String::new(), String::new()),
        })
    }
}

/// Returns the reactions to a message.
pub(crate) fn reactions(turn: &Turn, locale: &Locale) -> Vec<ReactionView> {
    let all = turn.message.iter().flat_map(|info| &info.reactions);
    let view = |one: &crate::model::Reaction| ReactionView {
        emoji: one.emoji.clone(),
        count: if one.count > 1 { locale.number(one.count) } else { String::new() },
    };
    all.map(view).collect()
}

/// The borders of threads among turns.
pub(super) struct Threads<'a> {
    turns: &'a [Turn],
    open: Option<&'a str>,
}

impl<'a> Threads<'a> {
    pub(crate) fn new(turns: &'a [Turn]) -> Self {
        Self { turns, open: None }
    }

    /// Returns the items before a turn: the end of a thread, and the start of the next one.
    pub(crate) fn before(&mut self, at: usize, locale: &Locale) -> Vec<ItemView> {
        let next = self.turns.get(at).and_then(thread);
        if next == self.open {
            return Vec::new();
        }
        let mut items = Vec::new();
        items.extend(self.open.map(|_| ItemView::new("thread-end")));
        self.open = next;
        if next.is_some() {
            let rest = self.turns.get(at..).unwrap_or_default();
            let count = rest.iter().take_while(|turn| thread(turn) == next).count();
            items.push(ItemView {
                label: locale.count("count.turns", count as u64),
                open: count <= SHORT_THREAD,
                ..ItemView::new("thread")
            });
        }
        items
    }
}

fn thread(turn: &Turn) -> Option<&str> {
    turn.message.as_ref()?.thread.as_deref()
}
