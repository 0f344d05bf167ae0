//! Splits long conversations into pages, so that every page loads quickly.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::breaks::{self, Border};
use super::limits;
use crate::fences::{FenceLine, Fences};
use crate::model::{Conversation, Kind, Turn};
use crate::sources::find::settings::ReadSettings;
use crate::time::Time;

/// The HTML around the text of each turn. Bytes.
const TURN_OVERHEAD_BYTES: usize = 900;
/// The HTML for ten bytes of prose. Bytes.
const PROSE_TENTHS: usize = 12;
/// The HTML for ten bytes of highlighted code. Bytes.
const CODE_TENTHS: usize = 35;

/// Less than this part of a page is small.
const SMALL_PART: usize = 4;

/// A conversation that is split into pages.
pub(crate) struct Paged {
    whole: Arc<Conversation>,
    /// For each branch, the index of the main-path turn that it starts from, and its own index.
    /// Sorted.
    branches: Vec<(usize, usize)>,
}

impl Paged {
    pub(crate) fn new(whole: Arc<Conversation>) -> Self {
        let places = branch_places(&whole);
        let mut branches: Vec<(usize, usize)> =
            places.into_iter().enumerate().map(|(own, place)| (place, own)).collect();
        branches.sort_unstable();
        Self { whole, branches }
    }

    /// Returns whether it would be a small part of a page.
    pub(crate) fn is_small(read: &Conversation, settings: &ReadSettings) -> bool {
        let least = settings.page_bytes / SMALL_PART;
        let mut sum = 0;
        read.all_turns().all(|turn| {
            sum += html_bytes(turn);
            sum < least
        })
    }

    /// Returns the range of main-path turns for each page. The pages are about equally large.
    pub(crate) fn ranges(&self, settings: &ReadSettings) -> Vec<Range<usize>> {
        let read = &self.whole;
        let (turns, bytes) = (settings.page_turns, settings.page_bytes);
        let count = read.turns.len();
        let text = |turn: &Turn| TURN_OVERHEAD_BYTES + turn.text().len() * CODE_TENTHS / 10;
        if count <= turns && read.all_turns().map(text).sum::<usize>() <= bytes {
            return std::iter::once(0..count).collect();
        }
        let mut sizes: Vec<usize> = read.turns.iter().map(html_bytes).collect();
        for (place, own) in &self.branches {
            if let Some(size) = sizes.get_mut(*place) {
                *size += read.branches[*own].turns.iter().map(html_bytes).sum::<usize>();
            }
        }
        if count <= turns && sizes.iter().sum::<usize>() <= bytes {
            return std::iter::once(0..count).collect();
        }
        // So many turns fill a page, however short they are.
        let least = bytes / turns.max(1);
        let sizes: Vec<u64> = sizes.into_iter().map(|size| size.max(least) as u64).collect();
        breaks::choose(&sizes, &self.borders(), bytes as u64)
    }

    /// Rates the place before each turn of the main path as the beginning of a page.
    fn borders(&self) -> Vec<Border> {
        let read = &self.whole;
        let has_prompts = read.has_prompts();
        let mut borders = Vec::with_capacity(read.turns.len());
        let mut was_prompt = false;
        let mut day = None;
        for turn in &read.turns {
            let is_prompt = has_prompts && read.kind_of(turn) == Some(Kind::Person);
            let date = turn.time.as_ref().map(Time::date);
            borders.push(match (was_prompt, is_prompt) {
                (false, true) => Border::Good,
                (true, false) => Border::Bad,
                _ if !has_prompts && date.is_some() && day.is_some() && date != day => Border::Good,
                _ => Border::Passable,
            });
            was_prompt = is_prompt;
            day = date.or(day);
        }
        for (place, _) in &self.branches {
            if let Some(border) = borders.get_mut(place + 1) {
                *border = Border::Bad;
            }
        }
        borders
    }

    /// Returns one page: some turns, and the branches that start from them.
    pub(crate) fn page(&self, turns: Range<usize>) -> Arc<Conversation> {
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
