//! Results of a query, for people and for programs.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;

use super::corpus::Corpus;
use super::matching::{FoundTurn, Tier};
use super::query::ResolvedQuery;
use super::schema::{key_of, number_of};
use crate::model::Conversation;
use crate::search::index::Document;
use crate::search::tokenizer::{Stemmer, marks};
use crate::search::turns::{ExcerptTexts, excerpt_texts, plain_text};
use crate::text::readable;
use crate::time::Time;

/// The maximum number of turns of one conversation before those of the next one.
const MAX_TURNS_TOGETHER: usize = 2;
/// The length of an excerpt, in characters.
const EXCERPT_CHARS: usize = 240;
/// The number of characters of an excerpt before the first match.
const CHARS_BEFORE_MATCH: usize = 60;

/// The results of a query.
#[derive(Serialize, Debug)]
pub struct SearchResults {
    /// The query as typed.
    pub query: String,
    /// How close together the words are in the results.
    pub tier: Tier,
    /// Number of turns, including titles.
    pub turns: usize,
    /// Number of conversations.
    pub conversations: usize,
    /// Words that no turn has, each with its correction.
    pub corrected: Vec<(String, String)>,
    /// Notes on parts of the query that were ignored or reinterpreted.
    pub notes: Vec<String>,
    /// The best turns.
    pub hits: Vec<Hit>,
}

/// A turn in the results.
#[derive(Serialize, Debug)]
pub struct Hit {
    /// Its file, relative to the site folder.
    pub file: String,
    /// The line at which its text starts, from 1.
    pub line: u32,
    /// The conversation.
    pub title: String,
    /// Its day, such as `2025-10-23`.
    pub day: Option<String>,
    /// Its location on the site: the path and, for a turn, the anchor.
    pub url: String,
    /// The speaker; empty for a title or an event.
    pub speaker: String,
    /// When it was sent, if that is known.
    pub time: Option<String>,
    /// The text around the words.
    pub excerpt: String,
    /// The ranges of the matches in the excerpt, in bytes.
    #[serde(skip)]
    pub marks: Vec<Range<usize>>,
    /// The score; comparable within one query only.
    pub score: f32,
}

/// Returns the best `limit` turns, with their texts.
pub(super) fn of(
    text: &str,
    resolved: ResolvedQuery,
    (tier, places): (Tier, Vec<FoundTurn>),
    corpus: Corpus<'_>,
    stemmers: &[Stemmer],
    limit: usize,
) -> SearchResults {
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let (mut first, mut later) = (Vec::new(), Vec::new());
    for place in &places {
        let count = seen.entry(place.conversation).or_default();
        *count += 1;
        if *count <= MAX_TURNS_TOGETHER { first.push(place) } else { later.push(place) }
    }
    let conversations = seen.len();
    let numbered = corpus.documents.iter().map(|one| (number_of(&key_of(one)), &**one));
    let documents: HashMap<u64, &Document> = numbered.collect();
    let wanted: HashSet<&str> = resolved.wanted().into_iter().collect();
    let mut read: HashMap<(u64, usize), Option<Arc<Conversation>>> = HashMap::new();
    let mut hits = Vec::new();
    for place in first.into_iter().chain(later).take(limit) {
        let Some(document) = documents.get(&place.conversation) else { continue };
        let Some(text_ref) = document.entry.parts.get(place.part) else { continue };
        let conversation = read
            .entry((place.conversation, place.part))
            .or_insert_with(|| corpus.texts.get_cached(text_ref).ok());
        let Some(conversation) = conversation else { continue };
        let turn = place.turn.checked_sub(1);
        let found = turn.and_then(|turn| conversation.all_turns().nth(turn));
        let mut url = corpus.base.link(&document.part_folder(place.part));
        let (mut file, line, speaker, time, texts) = match &found {
            Some(turn) => {
                url.push_str(&format!("#{}", turn.id));
                let (file, line) = text_ref.place(turn);
                let time = turn.time.as_ref().map(Time::machine);
                (file, line, turn.speaker.clone(), time, excerpt_texts(turn))
            }
            None => {
                let text =
                    format!("{}\n{}", document.entry.title, plain_text(&conversation.preface).0);
                let texts = ExcerptTexts { prose: readable(&text), work: String::new() };
                (text_ref.file().to_string(), 1, String::new(), None, texts)
            }
        };
        document.entry.clean_path(&mut file);
        corpus.texts.clean_text(&mut file);
        let (excerpt, marks) =
            best_excerpt(&texts, |text| marks(text, stemmers, |term| wanted.contains(term)));
        hits.push(Hit {
            file,
            line,
            title: document.entry.title.clone(),
            day: document.day(),
            url,
            speaker,
            time,
            excerpt,
            marks,
            score: place.score,
        });
    }
    let ResolvedQuery { query, corrected } = resolved;
    SearchResults {
        query: text.to_owned(),
        tier,
        turns: places.len(),
        conversations,
        corrected,
        notes: query.notes,
        hits,
    }
}

/// Returns an excerpt of what was said; if the words are only in the work, of that.
fn best_excerpt(
    texts: &ExcerptTexts,
    find: impl Fn(&str) -> Vec<Range<usize>>,
) -> (String, Vec<Range<usize>>) {
    let places = find(&texts.prose);
    if places.is_empty() {
        let places = find(&texts.work);
        if !places.is_empty() || texts.prose.is_empty() {
            return excerpt_around(&texts.work, &places);
        }
    }
    excerpt_around(&texts.prose, &places)
}

/// Returns an excerpt around the mark with the most other marks close after it, cut between words,
/// and the marks in it.
fn excerpt_around(text: &str, marks: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
    let close = |index: usize| {
        let end = marks[index].start + EXCERPT_CHARS - CHARS_BEFORE_MATCH;
        marks[index..].iter().take_while(|mark| mark.end < end).count()
    };
    let first = (0..marks.len()).rev().max_by_key(|index| close(*index));
    let first = first.map_or(0, |index| marks[index].start);
    let mut start =
        text[..first].char_indices().rev().nth(CHARS_BEFORE_MATCH - 1).map_or(0, |(at, _)| at);
    if start > 0 {
        start += text[start..first].find(' ').map_or(0, |at| at + 1);
    }
    let mut end =
        text[start..].char_indices().nth(EXCERPT_CHARS).map_or(text.len(), |(at, _)| start + at);
    if end < text.len() {
        end = text[start..end].rfind(' ').map_or(end, |at| start + at);
    }
    let mut out = String::new();
    if start > 0 {
        out.push_str("… ");
    }
    let before = out.len();
    out.push_str(&text[start..end]);
    if end < text.len() {
        out.push_str(" …");
    }
    let inside = marks.iter().filter(|mark| mark.start >= start && mark.end <= end);
    let moved = inside.map(|mark| mark.start - start + before..mark.end - start + before);
    (out, moved.collect())
}
