//! Where a long conversation is cut, so that no page takes long to load.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::lengths;
use crate::config::Config;
use crate::model::{Conversation, Turn};

/// Bytes of HTML that every turn has, whatever was said.
const FRAME: usize = 900;
/// Bytes of HTML for ten bytes of prose.
const PROSE: usize = 12;
/// The same for code, which is highlighted.
const CODE: usize = 35;
/// A page is at most this many times longer where it would end between the options of a fork.
const PATIENCE: usize = 2;

/// The turns of the main path that each page shows: as many as fit, and never none.
pub(super) fn cuts(read: &Conversation, config: &Config) -> Vec<Range<usize>> {
    let (turns, bytes) = (config.page_turns.0, config.page_kilobytes.0 * 1000);
    let count = read.turns.len();
    let text = |turn: &Turn| FRAME + turn.text().len() * CODE / 10;
    if count <= turns && read.all_turns().map(text).sum::<usize>() <= bytes {
        return std::iter::once(0..count).collect();
    }
    let mut sizes: Vec<usize> = read.turns.iter().map(html_bytes).collect();
    let mut has_fork = vec![false; count];
    for (branch, place) in read.branches.iter().zip(places(read)) {
        if let (Some(size), Some(fork)) = (sizes.get_mut(place), has_fork.get_mut(place))
        {
            *size += branch.turns.iter().map(html_bytes).sum::<usize>();
            *fork = true;
        }
    }
    let mut pages = Vec::new();
    let (mut from, mut sum) = (0, 0);
    for at in 0..count {
        let is_full =
            |times: usize| at - from >= times * turns || sum + sizes[at] > times * bytes;
        let in_fork = at > 0 && has_fork[at - 1];
        if at > from && is_full(if in_fork { PATIENCE } else { 1 }) {
            pages.push(from..at);
            (from, sum) = (at, 0);
        }
        sum += sizes[at];
    }
    pages.push(from..count);
    pages
}

/// What a page of a conversation shows: some turns, and what was said instead of what follows
/// them.
pub(super) fn piece(whole: &Conversation, turns: Range<usize>) -> Conversation {
    let (from, to) =
        (turns.start.min(whole.turns.len()), turns.end.min(whole.turns.len()));
    let branches = whole.branches.iter().zip(places(whole));
    let branches = branches.filter(|(_, place)| (from..to).contains(place));
    let branches = branches.map(|(branch, _)| branch.clone());
    let turns = whole.turns[from..to].to_vec();
    let mut piece = Conversation { turns, branches: branches.collect(), ..about(whole) };
    if from == 0 {
        // The first page says what is to be said of all of it.
        piece.participants = whole.participants.clone();
        piece.preface.clone_from(&whole.preface);
        piece.unpublished.clone_from(&whole.unpublished);
        piece.extra.clone_from(&whole.extra);
    } else {
        if lengths::is_short(&whole.extra) {
            piece.extra.clone_from(&whole.extra);
        }
        let mut known = HashSet::new();
        let names = piece.all_turns().map(|turn| turn.speaker.as_str());
        let names = names.filter(|name| known.insert(*name));
        let who = names.filter_map(|name| whole.participants.named(name));
        piece.participants = who.cloned().collect();
    }
    piece
}

/// What every page of a conversation has.
fn about(whole: &Conversation) -> Conversation {
    Conversation {
        id: whole.id.clone(),
        parent: whole.parent.clone(),
        title: whole.title.clone(),
        kind: whole.kind.clone(),
        time: whole.time.clone(),
        languages: whole.languages.clone(),
        speculative_languages: whole.speculative_languages.clone(),
        tags: whole.tags.clone(),
        private: whole.private,
        unfound: whole.unfound,
        ..Conversation::default()
    }
}

/// For each branch the place of the turn of the main path that it hangs on, be it by other
/// branches. Another beginning hangs on the first turn, and what follows a turn that is not
/// there on the last.
fn places(read: &Conversation) -> Vec<usize> {
    // Most have none, and every page of a long one asks.
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

/// About how many bytes of HTML a turn becomes.
fn html_bytes(turn: &Turn) -> usize {
    let text = turn.text();
    let mut tenths = FRAME * 10;
    let mut in_code = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        tenths += (line.len() + 1) * if in_code && !is_fence { CODE } else { PROSE };
        in_code ^= is_fence;
    }
    tenths / 10
}
