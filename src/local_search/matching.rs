//! Finds the turns for a query: those with all of its words, or else those of conversations with
//! all or most of its words. `search/script/matching.js` and `ranking.js` do the same.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use tantivy::columnar::Column;
use tantivy::{DocAddress, Searcher};

/// The tier of a result: how close together the words of the query are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// One turn has all words, including the speaker's name and the title of the conversation.
    Turn,
    /// One conversation has all words, but no single turn of any does.
    Conversation,
    /// One conversation has more than half of the words, and none has all.
    Most,
}

/// The weight of a word in the speaker's name or in the conversation's title; a word in the turn
/// itself has about 1.
const OUTER_WEIGHT: f32 = 0.5;
/// The factor by which a title counts more than a turn.
const TITLE_WEIGHT: f32 = 2.0;

/// A turn in a result.
pub(super) struct FoundTurn {
    pub(super) conversation: u64,
    pub(super) part: usize,
    pub(super) turn: usize,
    pub(super) score: f32,
}

/// Columns of the index with data of each turn.
pub(super) struct Rows(Vec<[Column<u64>; 3]>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    conversation: u64,
    part: u64,
    /// The number, from 1; 0 for the title.
    turn: u64,
}

impl Rows {
    /// Opens the columns of an index.
    pub(super) fn of(searcher: &Searcher) -> tantivy::Result<Self> {
        let columns = searcher.segment_readers().iter().map(|segment| {
            let columns = segment.fast_fields();
            Ok([columns.u64("conversation")?, columns.u64("part")?, columns.u64("turn")?])
        });
        Ok(Self(columns.collect::<tantivy::Result<_>>()?))
    }

    fn get(&self, turn: DocAddress) -> Row {
        let columns = self.0.get(turn.segment_ord as usize);
        let [conversation, part, turn] = std::array::from_fn(|at| {
            let column = columns.map(|columns| &columns[at]);
            column.and_then(|column| column.first(turn.doc_id)).unwrap_or_default()
        });
        Row { conversation, part, turn }
    }
}

/// Turns with a score for each.
pub(super) type Scores = FxHashMap<DocAddress, f32>;

/// Where a word, or several consecutive words, occurs.
pub(super) struct Places {
    /// The turns that have it in their text or in the speaker's name.
    own: Scores,
    /// The conversations that have it in their title.
    titles: FxHashSet<u64>,
    outer_score: f32,
}

impl Places {
    /// Merges the turns that have it in their text with those that have it in the speaker's name.
    pub(super) fn new(
        text: Scores,
        names: impl IntoIterator<Item = DocAddress>,
        rows: &Rows,
        all: u64,
    ) -> Self {
        let mut own = text;
        let mut titles = FxHashSet::default();
        own.iter_mut().for_each(|(turn, score)| {
            let row = rows.get(*turn);
            if row.turn == 0 {
                titles.insert(row.conversation);
                *score *= TITLE_WEIGHT;
            }
        });
        let names: Vec<DocAddress> = names.into_iter().collect();
        let count = own.len().max(names.len()) as f32;
        let rarity = (1.0 + (all as f32 - count + 0.5).max(0.0) / (count + 0.5)).ln();
        let outer_score = OUTER_WEIGHT * rarity;
        for turn in names {
            let score = own.entry(turn).or_default();
            *score = score.max(outer_score);
        }
        Self { own, titles, outer_score }
    }
}

/// Finds the turns of the first tier that has any, the best first. Ties go to the conversation with
/// the larger `order`. Without words, returns all of `others`.
pub(super) fn find(
    words: &[Places],
    rows: &Rows,
    passes: impl Fn(DocAddress) -> bool,
    others: impl IntoIterator<Item = DocAddress>,
    order: impl Fn(u64) -> usize,
) -> (Tier, Vec<FoundTurn>) {
    let newest = |row: &Row| std::cmp::Reverse(order(row.conversation));
    let in_one_turn: Scores = match words {
        [] => others.into_iter().map(|turn| (turn, 0.0)).collect(),
        _ => with_all(words, rows),
    };
    let turns = in_one_turn.into_iter().filter(|(turn, _)| passes(*turn));
    let mut turns: Vec<_> = turns.map(|(turn, score)| (rows.get(turn), score)).collect();
    if !turns.is_empty() || words.len() < 2 {
        turns.sort_by(|(a, x), (b, y)| {
            let of_equals = (newest(a), a).cmp(&(newest(b), b));
            y.total_cmp(x).then(of_equals)
        });
        let found = turns.into_iter().map(|(row, score)| found(row, score));
        return (Tier::Turn, found.collect());
    }
    let mut conversations = by_conversation(words, rows, passes);
    let tiers = [
        (Tier::Conversation, words.len()),
        (Tier::Most, (words.len() / 2 + 1).min(words.len() - 1)),
    ];
    for (tier, least) in tiers {
        if least < 2 || !conversations.values().any(|one| one.words() >= least) {
            continue;
        }
        conversations.retain(|_, one| one.words() >= least);
        let mut best: Vec<_> = conversations.into_iter().collect();
        best.sort_by(|(a, x), (b, y)| {
            (y.words().cmp(&x.words()))
                .then(y.score().total_cmp(&x.score()))
                .then(order(*b).cmp(&order(*a)))
        });
        let found = best.into_iter().flat_map(|(_, one)| one.into_turns());
        return (tier, found.collect());
    }
    (Tier::Turn, Vec::new())
}

fn found(row: Row, score: f32) -> FoundTurn {
    let Row { conversation, part, turn } = row;
    FoundTurn { conversation, part: part as usize, turn: turn as usize, score }
}

/// Returns the turns that have at least one of the words, with the others in the title.
fn with_all(words: &[Places], rows: &Rows) -> Scores {
    let mut found = Scores::default();
    let Some(rarest) = words.iter().min_by_key(|one| one.own.len()) else { return found };
    // Either the rarest word is in the turn itself, or it is in the title of its conversation.
    let in_titled = words.iter().filter(|_| !rarest.titles.is_empty());
    let in_titled = in_titled.flat_map(|one| one.own.keys().copied());
    let in_titled = in_titled.filter(|turn| rarest.titles.contains(&rows.get(*turn).conversation));
    for turn in rarest.own.keys().copied().chain(in_titled) {
        let conversation = rows.get(turn).conversation;
        let scores = words.iter().map(|one| match one.own.get(&turn) {
            Some(score) => Some(*score),
            None => one.titles.contains(&conversation).then_some(one.outer_score),
        });
        if let Some(sum) = scores.sum::<Option<f32>>() {
            found.insert(turn, sum);
        }
    }
    found
}

/// Some of the words, by their numbers, with their scores.
type WordScores = Vec<(usize, f32)>;

/// The words of a conversation.
#[derive(Default)]
struct Together {
    /// The best score of each word.
    best: Vec<f32>,
    /// The turns, each with its words.
    turns: FxHashMap<DocAddress, (Option<Row>, WordScores)>,
}

/// Returns the words of each conversation, in turns that pass or in its title.
fn by_conversation(
    words: &[Places],
    rows: &Rows,
    passes: impl Fn(DocAddress) -> bool,
) -> FxHashMap<u64, Together> {
    let mut all: FxHashMap<u64, Together> = FxHashMap::default();
    for (number, word) in words.iter().enumerate() {
        for (turn, score) in word.own.iter().filter(|(turn, _)| passes(**turn)) {
            let row = rows.get(*turn);
            let together = all.entry(row.conversation).or_default();
            together.best.resize(words.len(), 0.0);
            together.best[number] = together.best[number].max(*score);
            let (place, has) = together.turns.entry(*turn).or_default();
            *place = Some(row);
            has.push((number, *score));
        }
    }
    for (number, word) in words.iter().enumerate() {
        word.titles.iter().for_each(|conversation| {
            if let Some(together) = all.get_mut(conversation) {
                together.best[number] = together.best[number].max(word.outer_score);
            }
        });
    }
    all
}

impl Together {
    fn words(&self) -> usize {
        self.best.iter().filter(|score| **score > 0.0).count()
    }

    fn score(&self) -> f32 {
        self.best.iter().sum()
    }

    /// Returns the turns, first those with words that no earlier turn has.
    fn into_turns(self) -> Vec<FoundTurn> {
        let mut rest: Vec<(Row, WordScores)> =
            self.turns.into_values().filter_map(|(row, has)| Some((row?, has))).collect();
        rest.sort_by_key(|(row, _)| *row);
        let mut seen = vec![false; self.best.len()];
        let mut turns = Vec::new();
        loop {
            let fresh = |has: &[(usize, f32)]| -> f32 {
                has.iter().filter(|(word, _)| !seen[*word]).map(|(_, score)| score).sum()
            };
            let gains = rest.iter().map(|(_, has)| fresh(has)).enumerate();
            let best = gains.rev().max_by(|(_, a), (_, b)| a.total_cmp(b));
            let Some((at, _)) = best.filter(|(_, gain)| *gain > 0.0) else { break };
            let (row, has) = rest.remove(at);
            has.iter().for_each(|(word, _)| seen[*word] = true);
            turns.push(found(row, has.iter().map(|(_, score)| score).sum()));
        }
        let sum = |has: &[(usize, f32)]| has.iter().map(|(_, score)| score).sum::<f32>();
        rest.sort_by(|(a, x), (b, y)| sum(y).total_cmp(&sum(x)).then(a.cmp(b)));
        turns.extend(rest.iter().map(|(row, has)| found(*row, sum(has))));
        turns
    }
}
