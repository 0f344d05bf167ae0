//! Splits long conversations into pages, so that every page loads quickly.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::limits;
use super::settings::ReadSettings;
use crate::fences::{FenceLine, Fences};
use crate::model::{Conversation, Turn};

/// The HTML around the text of each turn. Bytes.
const TURN_OVERHEAD_BYTES: usize = 900;
/// The HTML for ten bytes of prose. Bytes.
const PROSE_TENTHS: usize = 12;
/// The HTML for ten bytes of highlighted code. Bytes.
const CODE_TENTHS: usize = 35;
/// How many times longer a page may get so that it does not end between the options of a fork.
const MAX_FORK_PAGE_FACTOR: usize = 2;

/// A conversation that is split into pages.
pub(super) struct Paged {
    whole: Arc<Conversation>,
    /// For each branch, the index of the main-path turn that it starts from, and its own index.
    /// Sorted.
    branches: Vec<(usize, usize)>,
}

impl Paged {
    pub(super) fn new(whole: Arc<Conversation>) -> Self {
        let places = branch_places(&whole);
        let mut branches: Vec<(usize, usize)> =
            places.into_iter().enumerate().map(|(own, place)| (place, own)).collect();
        branches.sort_unstable();
        Self { whole, branches }
    }

    /// Returns the range of main-path turns for each page: as many as fit, and at least one.
    pub(super) fn ranges(&self, settings: &ReadSettings) -> Vec<Range<usize>> {
        let read = &self.whole;
        let (turns, bytes) = (settings.page_turns, settings.page_bytes);
        let count = read.turns.len();
        let text = |turn: &Turn| TURN_OVERHEAD_BYTES + turn.text().len() * CODE_TENTHS / 10;
        if count <= turns && read.all_turns().map(text).sum::<usize>() <= bytes {
            return std::iter::once(0..count).collect();
        }
        let mut sizes: Vec<usize> = read.turns.iter().map(html_bytes).collect();
        let mut has_fork = vec![false; count];
        for (place, own) in &self.branches {
            if let (Some(size), Some(fork)) = (sizes.get_mut(*place), has_fork.get_mut(*place)) {
                *size += read.branches[*own].turns.iter().map(html_bytes).sum::<usize>();
                *fork = true;
            }
        }
        let mut pages = Vec::new();
        let (mut from, mut sum) = (0, 0);
        for at in 0..count {
            let is_full =
                |times: usize| at - from >= times * turns || sum + sizes[at] > times * bytes;
            let in_fork = at > 0 && has_fork[at - 1];
            if at > from && is_full(if in_fork { MAX_FORK_PAGE_FACTOR } else { 1 }) {
                pages.push(from..at);
                (from, sum) = (at, 0);
            }
            sum += sizes[at];
        }
        pages.push(from..count);
        pages
    }

    /// Returns one page: some turns, and the branches that start from them.
    pub(super) fn page(&self, turns: Range<usize>) -> Arc<Conversation> {
        let whole = &*self.whole;
        if turns == (0..whole.turns.len()) {
            return self.whole.clone();
        }
        let (from, to) = (turns.start.min(whole.turns.len()), turns.end.min(whole.turns.len()));
        let first = self.branches.partition_point(|(place, _)| *place < from);
        let end = self.branches.partition_point(|(place, _)| *place < to);
        let hanging = self.branches.get(first..end).unwrap_or_default();
        let mut hanging: Vec<usize> = hanging.iter().map(|(_, own)| *own).collect();
        // A branch comes after the branch that it starts from.
        hanging.sort_unstable();
        let branches = hanging.into_iter().map(|own| whole.branches[own].clone());
        let turns = whole.turns[from..to].to_vec();
        let page = Conversation { turns, branches: branches.collect(), ..page_metadata(whole) };
        Arc::new(with_surroundings(page, whole, from))
    }
}

/// Adds everything except turns to the page that starts at turn `from` of the whole conversation.
fn with_surroundings(mut page: Conversation, whole: &Conversation, from: usize) -> Conversation {
    if from == 0 {
        // Only the first page has what concerns the whole conversation.
        page.participants = whole.participants.clone();
        page.preface.clone_from(&whole.preface);
        page.unpublished.clone_from(&whole.unpublished);
        page.extra.clone_from(&whole.extra);
    } else {
        if limits::is_extra_short(&whole.extra) {
            page.extra.clone_from(&whole.extra);
        }
        let mut known = HashSet::new();
        let names = page.all_turns().map(|turn| turn.speaker.as_str());
        let names = names.filter(|name| known.insert(*name));
        let who = names.filter_map(|name| whole.participants.named(name));
        page.participants = who.cloned().collect();
    }
    page
}

/// Returns the metadata that every page of a conversation has.
fn page_metadata(whole: &Conversation) -> Conversation {
    Conversation {
        id: whole.id.clone(),
        parent: whole.parent.clone(),
        title: whole.title.clone(),
        kind: whole.kind.clone(),
        time: whole.time.clone(),
        updated: whole.updated.clone(),
        languages: whole.languages.clone(),
        speculative_languages: whole.speculative_languages.clone(),
        tags: whole.tags.clone(),
        private: whole.private,
        schedule: whole.schedule,
        excluded_from_search: whole.excluded_from_search,
        channel: whole.channel.clone(),
        ..Conversation::default()
    }
}

/// Returns for each branch the index of the main-path turn that it starts from, directly or through
/// other branches. A different beginning belongs to the first turn, and a branch after a missing
/// turn to the last.
pub(super) fn branch_places(read: &Conversation) -> Vec<usize> {
    if read.branches.is_empty() {
        return Vec::new();
    }
    let main = read.turns.iter().enumerate();
    let mut known: HashMap<&str, usize> =
        main.map(|(place, turn)| (turn.id.as_str(), place)).collect();
    let last = read.turns.len().saturating_sub(1);
    let mut places = Vec::with_capacity(read.branches.len());
    for branch in &read.branches {
        let place = match &branch.after {
            None => 0,
            Some(turn) => known.get(turn.as_str()).copied().unwrap_or(last),
        };
        for turn in &branch.turns {
            known.entry(&turn.id).or_insert(place);
        }
        places.push(place);
    }
    places
}

/// Estimates the HTML of a turn. Bytes.
pub(super) fn html_bytes(turn: &Turn) -> usize {
    let text = turn.text();
    let mut tenths = TURN_OVERHEAD_BYTES * 10;
    let mut fences = Fences::default();
    for line in text.lines() {
        let is_code = fences.next(line) == FenceLine::Inside;
        tenths += (line.len() + 1) * if is_code { CODE_TENTHS } else { PROSE_TENTHS };
    }
    tenths / 10
}
