//! Splits long channels into conversations.
//!
//! A split depends only on the messages around it, and the id of a piece on where it begins. So a
//! later export of the same channel yields the same pieces and more.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::json::Value;
use crate::model::{Channel, Conversation, Participant, SERIES, Split, Turn};
use crate::time::Time;

/// Splits the channels among the conversations as requested by `wanted`, or otherwise as their
/// formats do. Keeps the order.
pub(crate) fn split(conversations: Vec<Conversation>, wanted: Option<Split>) -> Vec<Conversation> {
    let pieces = conversations.into_iter().flat_map(|read| match read.channel.clone() {
        Some(channel) => pieces(read, &channel, wanted.unwrap_or(channel.split)),
        None => vec![read],
    });
    pieces.collect()
}

/// A piece of a channel.
#[derive(Default)]
struct Piece {
    /// The addition to the channel's name.
    label: String,
    /// The addition to the channel's id.
    key: String,
    turns: Vec<Turn>,
}

fn pieces(mut read: Conversation, channel: &Channel, split: Split) -> Vec<Conversation> {
    let turns = std::mem::take(&mut read.turns);
    let pieces = match split {
        Split::Whole => None,
        Split::Day => Some(by_gap(turns.iter(), &is_another_day)),
        Split::Pause { minutes } => Some(by_gap(turns.iter(), &|a, b| is_pause(a, b, minutes))),
        // Already split by its format.
        Split::Thread if channel.split == Split::Thread => None,
        Split::Thread => Some(by_thread(&turns)),
    };
    let is_cut = pieces.is_some();
    let Some(starts) = pieces.filter(|starts| starts.iter().max() > Some(&0)) else {
        read.turns = turns;
        if is_cut && !read.turns.is_empty() {
            name_only_piece(&mut read, split);
        }
        // A person who is only mentioned does not participate.
        let speakers: HashSet<&str> = read.all_turns().map(|turn| turn.speaker.as_str()).collect();
        let speaking = read.participants.iter();
        let speaking = speaking.filter(|who| speakers.contains(who.name.as_str()));
        read.participants = speaking.cloned().collect();
        return vec![read];
    };
    let mut all: Vec<Piece> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for (turn, start) in turns.into_iter().zip(starts) {
        let place = *places.entry(start).or_insert_with(|| {
            all.push(Piece::default());
            all.len() - 1
        });
        all[place].turns.push(turn);
    }
    name(&mut all, split);
    let participants = std::mem::take(&mut read.participants);
    let order = participants.iter().enumerate();
    let order: HashMap<&str, (usize, &Participant)> =
        order.map(|(place, who)| (who.name.as_str(), (place, who))).collect();
    all.into_iter().map(|piece| conversation(&read, channel, &order, piece)).collect()
}

/// Returns the piece number of each turn. `is_cut` says whether a piece begins with the second of
/// two times. Threads stay in the piece where they began.
fn by_gap<'a>(
    turns: impl Iterator<Item = &'a Turn>,
    is_cut: &dyn Fn(&Time, &Time) -> bool,
) -> Vec<usize> {
    let mut last: Option<&Time> = None;
    let mut piece = 0;
    let numbers = turns.map(|turn| {
        let is_thread = turn.message.as_ref().is_some_and(|info| info.thread.is_some());
        if let Some(time) = turn.time.as_ref().filter(|_| !is_thread) {
            piece += usize::from(last.is_some_and(|last| is_cut(last, time)));
            last = Some(time);
        }
        piece
    });
    numbers.collect()
}

/// Returns the same, with a piece for each thread.
fn by_thread(turns: &[Turn]) -> Vec<usize> {
    let of = |turn: &'_ Turn| turn.message.as_ref().and_then(|info| info.thread.clone());
    let roots: HashSet<String> = turns.iter().filter_map(of).collect();
    let is_alone = |turn: &&Turn| of(turn).is_none() && !roots.contains(&turn.id);
    let mut days = by_gap(turns.iter().filter(is_alone), &is_another_day).into_iter();
    let mut threads: HashMap<String, usize> = HashMap::new();
    let numbers = turns.iter().map(|turn| {
        let root = of(turn).or_else(|| roots.contains(&turn.id).then(|| turn.id.clone()));
        match root {
            // Even numbers are days, odd numbers are threads.
            None => days.next().unwrap_or_default() * 2,
            Some(root) => {
                let next = threads.len();
                *threads.entry(root).or_insert(next) * 2 + 1
            }
        }
    });
    numbers.collect()
}

fn is_another_day(before: &Time, after: &Time) -> bool {
    before.date() != after.date()
}

fn is_pause(before: &Time, after: &Time, minutes: u32) -> bool {
    let gap = after.instant().as_second() - before.instant().as_second();
    gap > i64::from(minutes) * 60
}

/// Names pieces by the day on which they begin, with the time if several begin on one day.
fn name(pieces: &mut [Piece], split: Split) {
    let mut days: HashMap<String, u32> = HashMap::new();
    for piece in pieces.iter_mut() {
        let first = piece.turns.iter().find_map(|turn| turn.time.as_ref());
        piece.label = first.map(Time::day).unwrap_or_default();
        *days.entry(piece.label.clone()).or_default() += 1;
        piece.key = match split {
            Split::Day => piece.label.clone(),
            Split::Thread if piece.turns.iter().all(is_unthreaded) => piece.label.clone(),
            _ => piece.turns.first().map(|turn| turn.id.clone()).unwrap_or_default(),
        };
    }
    for piece in pieces {
        let first = piece.turns.iter().find_map(|turn| turn.time.as_ref());
        let clock = first.and_then(Time::clock).map(|(clock, _)| clock);
        if let Some(clock) = clock.filter(|_| days.get(&piece.label) > Some(&1)) {
            piece.label.push(' ');
            piece.label.push_str(&clock);
        }
    }
}

/// Gives the only piece of a channel the id that it will have when a later export has more pieces.
/// A file that convo-site exported from such a piece already has it.
fn name_only_piece(read: &mut Conversation, split: Split) {
    let Some(id) = read.id.take() else { return };
    let mut piece = [Piece { turns: std::mem::take(&mut read.turns), ..Piece::default() }];
    name(&mut piece, split);
    let [Piece { key, turns, .. }] = piece;
    read.turns = turns;
    let suffix = format!("/{key}");
    let channel = match id.strip_suffix(&suffix) {
        _ if key.is_empty() => None,
        Some(channel) => Some(channel.to_owned()),
        None => Some(id.clone()),
    };
    read.id = Some(channel.as_ref().map_or(id, |channel| format!("{channel}{suffix}")));
    read.cut_from = channel;
}

fn is_unthreaded(turn: &Turn) -> bool {
    turn.message.as_ref().is_none_or(|info| info.thread.is_none())
}

/// Creates a conversation from a piece. `of_all` describes the channel and has no turns. `order`
/// has all participants with their ranks.
fn conversation(
    of_all: &Conversation,
    channel: &Channel,
    order: &HashMap<&str, (usize, &Participant)>,
    piece: Piece,
) -> Conversation {
    let Piece { label, key, turns } = piece;
    let speaking: BTreeMap<usize, &Participant> =
        turns.iter().filter_map(|turn| order.get(turn.speaker.as_str()).copied()).collect();
    let mut read = Conversation {
        id: of_all.id.as_ref().map(|id| format!("{id}/{key}")),
        // Without a name, its first words become its title.
        title: (!channel.name.is_empty()).then(|| match label.is_empty() {
            true => channel.name.clone(),
            false => format!("{}, {label}", channel.name),
        }),
        time: turns.iter().find_map(|turn| turn.time.clone()),
        participants: speaking.into_values().cloned().collect(),
        cut_from: of_all.id.clone(),
        ..of_all.clone()
    };
    if !channel.name.is_empty() {
        let name = Value::String(channel.name.clone());
        read.extra.entry(SERIES.to_owned()).or_insert(name);
    }
    read.turns = turns;
    read
}
