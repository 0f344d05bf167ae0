//! Builds the template view models of turns, forks and subagent conversations.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::blocks::{BlockRenderer, usage_rows};
use super::channel::{self, ChannelRenderer, Threads};
use super::{recordings, tools};
use crate::locale::Locale;
use crate::locale::languages::LanguageDetector;
use crate::markup::Options;
use crate::model::{Block, Branch, Conversation, Kind, Turn};
use crate::outputs::format::{is_tool_or_thinking, metadata_rows, time};
use crate::search::turns::plain_text;
use crate::site::{ConversationPage, SpeakerLink};
use crate::text::words;
use crate::theme::view::{BlockView, ItemView, TimeView, TurnView};
use crate::time::Time;

/// The speakers that a page names, with their indices in the conversation. The first page names all; the
/// others name those who speak on them.
pub(super) type PageSpeakers<'a> = Vec<(usize, &'a SpeakerLink)>;

/// The maximum depth of nested forks; deeper ones are shown side by side.
const MAX_FORK_DEPTH: usize = 6;
/// The maximum number of words of a system message that is not folded.
const MAX_SYSTEM_WORDS: u64 = 60;

/// Returns all turns and forks, in page order.
pub(crate) fn items(
    planned: &ConversationPage,
    conversation: &Conversation,
    named: &PageSpeakers<'_>,
    options: &Options,
    locale: &Locale,
) -> Vec<ItemView> {
    let names = named.iter().enumerate();
    let speakers = names.map(|(place, (_, who))| (&*who.name, (place, who.kind)));
    let mut after: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    let mut agents: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, branch) in conversation.branches.iter().enumerate() {
        match (&branch.started_by, branch.after.as_deref()) {
            (Some(_), Some(turn)) => agents.entry(turn).or_default().push(index),
            (_, turn) => after.entry(turn).or_default().push(index),
        }
    }
    let of_prompts = planned.has_typed_prompts.then(|| options.for_typed_text());
    let of_events = options.beside_turns();
    let mut page = TurnRenderer {
        planned,
        conversation,
        blocks: BlockRenderer { planned, options, of_prompts, locale },
        events: BlockRenderer { planned, options: &of_events, of_prompts: None, locale },
        locale,
        speakers: speakers.collect(),
        detector: LanguageDetector::new(&planned.languages),
        after,
        agents,
        shown: BTreeSet::new(),
        channel: ChannelRenderer::new(planned, conversation),
        last: Cell::new(conversation.time.clone()),
        items: Vec::new(),
    };
    let first = planned.text_ref.turns_before as usize + 1;
    page.path(&conversation.turns, None, first, 0);
    // Also show branches whose preceding turn does not exist.
    let lost: Vec<usize> =
        (0..conversation.branches.len()).filter(|index| !page.shown.contains(index)).collect();
    page.fork(None, lost, first + conversation.turns.len(), MAX_FORK_DEPTH);
    tools::join(page.items, locale)
}

struct TurnRenderer<'a> {
    planned: &'a ConversationPage,
    conversation: &'a Conversation,
    /// Renders the blocks of turns.
    blocks: BlockRenderer<'a>,
    /// Renders those of events, which have no speaker as their heading.
    events: BlockRenderer<'a>,
    locale: &'a Locale,
    /// Index and kind of each named speaker, by name.
    speakers: HashMap<&'a str, (usize, Kind)>,
    /// Detects the language of turns in conversations with several languages.
    detector: Option<LanguageDetector>,
    /// Branches by the turn that they follow.
    after: BTreeMap<Option<&'a str>, Vec<usize>>,
    /// Subagent conversations by the turn that started them.
    agents: BTreeMap<&'a str, Vec<usize>>,
    shown: BTreeSet<usize>,
    channel: ChannelRenderer<'a>,
    /// The last time shown to the reader.
    last: Cell<Option<Time>>,
    items: Vec<ItemView>,
}

impl<'a> TurnRenderer<'a> {
    /// Adds consecutive turns, each with its alternative branches.
    fn path(&mut self, turns: &'a [Turn], mut before: Option<&'a str>, first: usize, depth: usize) {
        let mut threads = Threads::new(turns);
        for (index, turn) in turns.iter().enumerate() {
            self.items.extend(threads.before(index, self.locale));
            let others = self.branches_after(before);
            if others.is_empty() {
                self.turn(turn, first + index, depth);
            } else {
                self.fork(Some(turn), others, first + index, depth);
            }
            before = Some(&turn.id);
        }
        self.items.extend(threads.before(turns.len(), self.locale));
        if !turns.is_empty() {
            let others = self.branches_after(before);
            self.fork(None, others, first + turns.len(), depth);
        }
    }

    fn branches_after(&mut self, turn: Option<&str>) -> Vec<usize> {
        let found = self.after.get(&turn).cloned().unwrap_or_default();
        found.into_iter().filter(|index| self.shown.insert(*index)).collect()
    }

    /// Adds a turn of the path together with its alternative branches.
    fn fork(
        &mut self,
        turn: Option<&'a Turn>,
        mut others: Vec<usize>,
        number: usize,
        depth: usize,
    ) {
        if others.is_empty() {
            return;
        }
        let conversation: &'a Conversation = self.conversation;
        if depth >= MAX_FORK_DEPTH {
            // Nested branches are added to the same row.
            let mut next = 0;
            while let Some(index) = others.get(next) {
                let turns = &conversation.branches[*index].turns;
                let inner: Vec<usize> =
                    turns.iter().flat_map(|turn| self.branches_after(Some(&turn.id))).collect();
                others.extend(inner);
                next += 1;
            }
        }
        let count = others.len() + usize::from(turn.is_some());
        let first = turn.or_else(|| conversation.branches[others[0]].turns.first());
        let name = first.map_or("fork".to_owned(), |turn| format!("fork-{}", turn.id));
        self.items.push(ItemView::new("fork"));
        let key = match first.and_then(|turn| self.kind_of(turn)) {
            Some(Kind::Person) => "conversation.version_of",
            _ => "conversation.answer_of",
        };
        let locale = self.locale;
        let label_of = |place: usize| {
            let (n, count) = (place.to_string(), count.to_string());
            locale.fill(key, &[("n", &n), ("count", &count)])
        };
        let mut place = 0;
        if let Some(turn) = turn {
            place += 1;
            let label = label_of(place);
            self.items
                .push(ItemView { open: true, ..ItemView::option(&name, label, None, "main") });
            self.turn(turn, number, depth);
            self.items.push(ItemView::new("option-end"));
        }
        for index in others {
            place += 1;
            let branch: &'a Branch = &conversation.branches[index];
            let class = if branch.rejoins { "alternative" } else { "branch" };
            // For a single option, the name is more useful than "1 of 1".
            let (label, own_name) = match &branch.name {
                Some(own_name) if count == 1 => (own_name.clone(), None),
                own_name => (label_of(place), own_name.clone()),
            };
            let option = ItemView::option(&name, label, own_name, class);
            self.items.push(option);
            if depth >= MAX_FORK_DEPTH {
                for (offset, turn) in branch.turns.iter().enumerate() {
                    self.turn(turn, number + offset, depth);
                }
            } else {
                // Alternatives to the first turn of a branch are already in this row.
                let before = branch.turns.first().map(|turn| turn.id.as_str());
                let (head, rest) = branch.turns.split_at(usize::from(before.is_some()));
                for turn in head {
                    self.turn(turn, number, depth);
                }
                self.path(rest, before, number + 1, depth + 1);
                if rest.is_empty() {
                    let inner = self.branches_after(before);
                    self.fork(None, inner, number + 1, depth + 1);
                }
            }
            self.items.push(ItemView::new("option-end"));
        }
        self.items.push(ItemView::new("fork-end"));
    }

    /// Adds a turn. Subagent conversations are inserted at the calls that started them.
    fn turn(&mut self, turn: &'a Turn, number: usize, depth: usize) {
        // Omit attachments that nobody misses.
        let shown = turn.blocks.iter().enumerate();
        let shown = shown.filter(|(at, _)| !self.blocks.is_absent(turn, *at));
        let kind = self.kind_of(turn);
        let is_prompt = kind == Some(Kind::Person);
        let renderer = if kind.is_some() { &self.blocks } else { &self.events };
        let (places, blocks): (Vec<usize>, Vec<BlockView>) =
            shown.map(|(at, block)| (at, renderer.block(turn, at, block, is_prompt))).unzip();
        let mut agents = self.agents_of(turn);
        let mut view = self.turn_view(turn, number, blocks);
        // Start with the last one, so that earlier positions stay valid.
        let mut rests = Vec::new();
        while let Some((at, index)) = agents.pop() {
            let at = places.partition_point(|place| *place < at);
            let rest = view.blocks.split_off(at.min(view.blocks.len()));
            rests.push((index, rest));
        }
        if rests.is_empty() {
            self.items.push(ItemView::turn(view));
            return;
        }
        let extra = std::mem::take(&mut view.extra);
        let continued =
            |blocks, extra, continues| TurnView { blocks, extra, continues, ..TurnView::rest() };
        view.continues = true;
        self.items.push(ItemView::turn(view));
        let mut extra = Some(extra);
        while let Some((index, rest)) = rests.pop() {
            self.agent(index, depth);
            let is_last = rests.is_empty();
            let extra = if is_last { extra.take().unwrap_or_default() } else { Vec::new() };
            let turn = Some(continued(rest, extra, !is_last));
            self.items.push(ItemView { turn, ..ItemView::new("rest") });
        }
    }

    /// Returns the subagents that a turn started, in order: the number of blocks before each, and the index
    /// of its branch.
    fn agents_of(&mut self, turn: &Turn) -> Vec<(usize, usize)> {
        let Some(all) = self.agents.get(turn.id.as_str()) else { return Vec::new() };
        let calls = turn.blocks.iter().enumerate().filter_map(|(at, block)| match block {
            Block::Tool(call) => Some((call.id.as_str(), at + 1)),
            _ => None,
        });
        let calls: HashMap<&str, usize> = calls.collect();
        let mut found = Vec::new();
        for index in all.iter().copied().filter(|index| self.shown.insert(*index)) {
            let call = self.conversation.branches[index].started_by.as_deref();
            let place = call.and_then(|call| calls.get(call).copied());
            found.push((place.unwrap_or(turn.blocks.len()), index));
        }
        found.sort_unstable();
        found
    }

    /// Adds a subagent conversation.
    fn agent(&mut self, index: usize, depth: usize) {
        let branch: &'a Branch = &self.conversation.branches[index];
        let label = self.locale.count("count.turns", branch.turns.len() as u64);
        let name = branch.name.clone();
        self.items.push(ItemView { label, name, ..ItemView::new("agent") });
        if depth < MAX_FORK_DEPTH {
            // Its first turn has no alternatives.
            self.path(&branch.turns, Some(""), 1, depth + 1);
        } else {
            for (offset, turn) in branch.turns.iter().enumerate() {
                self.turn(turn, 1 + offset, depth);
            }
        }
        self.items.push(ItemView::new("agent-end"));
    }

    fn turn_view(&self, turn: &Turn, number: usize, blocks: Vec<BlockView>) -> TurnView {
        let speaker = self.speakers.get(turn.speaker.as_str()).map(|(place, _)| *place);
        let kind = self.kind_of(turn);
        let text = turn.text();
        let fold = (kind == Some(Kind::System) && words(&text) > MAX_SYSTEM_WORDS)
            .then(|| self.locale.count("count.words", words(&text)));
        let mut extra = metadata_rows(&turn.extra);
        let usage = turn.usage.as_ref();
        extra.extend(usage.into_iter().flat_map(|usage| usage_rows(usage, self.locale)));
        let play = recordings::from_turn(self.planned, turn, self.locale);
        let (play, play_label) = play.unzip();
        TurnView {
            id: turn.id.clone(),
            number,
            role: self.role(turn),
            language: self.language(turn),
            speaker,
            time: turn.time.as_ref().map(|at| self.time(at)),
            offset: turn.offset.clone(),
            play,
            play_label: play_label.unwrap_or_default(),
            pending: turn.pending,
            pinned: turn.pinned,
            empty: text.trim().is_empty(),
            fold,
            follows: self.channel.follows(turn),
            edited: turn.message.as_ref().is_some_and(|info| info.is_edited),
            answers: self.channel.answered(turn, self.locale),
            reactions: channel::reactions(turn, self.locale),
            is_work: !turn.blocks.is_empty() && turn.blocks.iter().all(is_tool_or_thinking),
            blocks,
            extra,
            continues: false,
        }
    }

    /// Returns the role of a turn in a discussion: `post`, `comment`, or nothing.
    fn role(&self, turn: &Turn) -> &'static str {
        let Some(opener) = &self.planned.opener else { return "" };
        let talks = self.kind_of(turn).is_some_and(Kind::talks);
        if opener.turn == turn.id {
            "post"
        } else if talks && turn.has_text() && turn.time.is_some() {
            "comment"
        } else {
            ""
        }
    }

    fn kind_of(&self, turn: &Turn) -> Option<Kind> {
        self.speakers.get(turn.speaker.as_str()).map(|(_, kind)| *kind)
    }

    fn language(&self, turn: &Turn) -> Option<String> {
        let detector = self.detector.as_ref()?;
        detector.of(&plain_text(&turn.text()).0).map(str::to_owned)
    }

    /// Formats a time, without the date and time zone if they are the same as before.
    fn time(&self, at: &Time) -> TimeView {
        let mut view = time(at, self.locale);
        let last = self.last.replace(Some(at.clone()));
        if let (Some(last), Some((clock, zone))) = (last, at.clock()) {
            let is_same_zone = last.clock().is_some_and(|(_, known)| known == zone);
            if is_same_zone {
                view.clock = Some(clock);
            }
            if last.date() == at.date() {
                view.day = String::new();
            }
        }
        view
    }
}
