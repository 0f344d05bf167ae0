//! The answers of the tools, as JSON.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::config::BaseUrl;
use crate::local_search::SearchResults;
use crate::model::Kind;
use crate::outputs::MARKDOWN_COPY;
use crate::partial_date::PartialDate;
use crate::pipeline::Build;
use crate::search::index::Document;
use crate::text::percent_encode;

/// The maximum length of the text of `fetch` without the heading of the first turn, in bytes, which is less than
/// assistants accept. It ends between turns, unless one turn is longer.
const MAX_TEXT_BYTES: usize = 40_000;
/// The maximum length of what is before the first turn, in bytes.
const MAX_HEAD_BYTES: usize = 4_000;

/// The start of a line with the heading of a turn. No other line of a Markdown copy has it.
const TURN: &str = "## [";

/// The turns that a search found.
pub(super) fn search(build: &Build, found: &SearchResults) -> Value {
    let base = &build.config.base_url;
    let results = found.hits.iter().map(|hit| {
        let id = hit.url.strip_prefix(&base.path).unwrap_or(&hit.url);
        json!({
            "id": id,
            "title": hit.title,
            "url": url(base, id),
            "speaker": Some(&hit.speaker).filter(|name| !name.is_empty()),
            "time": hit.time.as_ref().or(hit.day.as_ref()),
            "text": hit.excerpt,
        })
    });
    let corrected: BTreeMap<&str, &str> =
        found.corrected.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
    json!({
        "results": results.collect::<Vec<_>>(),
        "turns": found.turns,
        "conversations": found.conversations,
        "corrected": corrected,
        "notes": found.notes,
        "withheld_conversations": build.held_back.len(),
    })
}

/// The text of a conversation, from the turn with this id on.
pub(super) fn fetch(build: &Build, id: &str) -> Result<Value, String> {
    let base = &build.config.base_url;
    let unknown = || format!("unknown id `{id}`; `search` and `list_recent` return ids");
    let (document, part, place) = build.conversation_at(id).ok_or_else(unknown)?;
    let folder = document.part_folder(part);
    let copy = build.outputs.get(&format!("{folder}{MARKDOWN_COPY}")).ok_or_else(unknown)?;
    let copy =
        copy.make().map_err(|note| format!("this conversation cannot be read ({})", note.code))?;
    let window = Window::of(&String::from_utf8_lossy(&copy), place).ok_or_else(unknown)?;
    let id_of = |part: usize, place: &str| {
        let mark = if place.is_empty() { "" } else { "#" };
        format!("{}{mark}{place}", percent_encode(&document.part_folder(part)))
    };
    let next = match window.next {
        Some(place) => Some(id_of(part, &place)),
        None => (part + 1 < document.entry.parts.len()).then(|| id_of(part + 1, "")),
    };
    let shown = id_of(part, place);
    Ok(json!({
        "id": shown,
        "title": document.entry.title,
        "url": url(base, &shown),
        "text": window.text,
        "metadata": metadata(document),
        "next": next,
    }))
}

/// Conversations, the newest first, that began in or after `after` and before `before`.
pub(super) fn recent(
    build: &Build,
    limit: usize,
    after: Option<PartialDate>,
    before: Option<PartialDate>,
) -> Value {
    let is_wanted = |document: &&Arc<Document>| {
        let is = |day: PartialDate, wanted: fn(Ordering) -> bool| {
            document.entry.time.as_ref().is_some_and(|time| wanted(day.compare(time)))
        };
        after.is_none_or(|day| is(day, Ordering::is_ge))
            && before.is_none_or(|day| is(day, Ordering::is_lt))
    };
    let wanted: Vec<_> = build.documents.iter().rev().filter(is_wanted).collect();
    let base = &build.config.base_url;
    let rows = wanted.iter().take(limit).map(|document| {
        let id = percent_encode(&document.path);
        json!({
            "id": id,
            "title": document.entry.title,
            "url": url(base, &id),
            "metadata": metadata(document),
        })
    });
    json!({
        "results": rows.collect::<Vec<_>>(),
        "conversations": wanted.len(),
        "withheld_conversations": build.held_back.len(),
    })
}

/// Speakers, those with the most turns first. A person and a model with the same name are listed separately.
pub(super) fn speakers(build: &Build, limit: usize) -> Value {
    let mut sums: BTreeMap<(&str, bool), (u64, u64)> = BTreeMap::new();
    for document in &build.documents {
        for who in &document.entry.speakers {
            let sum = sums.entry((&who.name, who.kind == Kind::Person)).or_default();
            *sum = (sum.0 + 1, sum.1 + who.turns);
        }
    }
    let mut rows: Vec<_> = sums.iter().collect();
    rows.sort_by_key(|(_, (_, turns))| Reverse(*turns));
    let count = rows.len();
    let rows = rows.into_iter().take(limit).map(|((name, is_person), (conversations, turns))| {
        json!({"name": name, "is_person": is_person, "conversations": conversations, "turns": turns})
    });
    json!({"results": rows.collect::<Vec<_>>(), "speakers": count})
}

/// Returns the metadata of a conversation.
fn metadata(document: &Document) -> Value {
    let entry = &document.entry;
    let speakers: Vec<&str> = entry.speakers.iter().map(|who| who.name.as_str()).collect();
    json!({
        "date": document.day(),
        "speakers": speakers,
        "turns": entry.turns,
        "tags": entry.tags,
        "type": entry.kind,
    })
}

/// Returns the URL of an id, if the URL of the site is known.
fn url(base: &BaseUrl, id: &str) -> Option<String> {
    let (folder, place) = id.split_once('#').unwrap_or((id, ""));
    let anchor = place.split(OFFSET).next().filter(|anchor| !anchor.is_empty());
    let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    (!base.origin.is_empty()).then(|| format!("{}{}{folder}{anchor}", base.origin, base.path))
}

/// What is before the number of bytes of a turn that were read already, after its anchor.
const OFFSET: char = '+';

/// A part of a Markdown copy.
struct Window {
    text: String,
    /// The place at which the next one begins: the anchor of a turn, and an offset if the turn was cut.
    next: Option<String>,
}

impl Window {
    /// Returns the head of a Markdown copy and the turns from a place on; without one, from the first turn.
    fn of(copy: &str, place: &str) -> Option<Self> {
        let starts = std::iter::once(0).chain(copy.match_indices('\n').map(|(at, _)| at + 1));
        let turns: Vec<usize> = starts.filter(|at| copy[*at..].starts_with(TURN)).collect();
        let text_of =
            |turn: usize| &copy[turns[turn]..turns.get(turn + 1).copied().unwrap_or(copy.len())];
        let head = &copy[..turns.first().copied().unwrap_or(copy.len())];
        let (anchor, offset) = place.split_once(OFFSET).unwrap_or((place, "0"));
        let offset: usize = offset.parse().ok()?;
        let first = match anchor {
            "" => 0,
            _ => (0..turns.len()).find(|turn| anchor_of(text_of(*turn)) == Some(anchor))?,
        };
        let mut text = cut(head, MAX_HEAD_BYTES).to_owned();
        if text.len() < head.len() {
            text.push_str("\n\n[…]\n\n");
        }
        if first == turns.len() {
            return Some(Self { text, next: None });
        }
        let room = MAX_TEXT_BYTES - MAX_HEAD_BYTES;
        let (heading, body) = text_of(first).split_once('\n').unwrap_or((text_of(first), ""));
        let body = body.get(offset..)?;
        let shown = cut(body, room);
        text.push_str(&format!("{heading}\n{shown}"));
        if shown.len() < body.len() {
            let anchor = anchor_of(text_of(first))?;
            let next = format!("{anchor}{OFFSET}{}", offset + shown.len());
            return Some(Self { text, next: Some(next) });
        }
        let mut turn = first + 1;
        while turn < turns.len() && text.len() + text_of(turn).len() <= MAX_TEXT_BYTES {
            text.push_str(text_of(turn));
            turn += 1;
        }
        let next = turns.get(turn).and_then(|_| anchor_of(text_of(turn))).map(str::to_owned);
        Some(Self { text, next })
    }
}

/// Returns the start of a text with at most this number of bytes.
fn cut(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// Returns the anchor in the heading at the start of a turn.
fn anchor_of(turn: &str) -> Option<&str> {
    let (heading, _) = turn.split_once('\n')?;
    // Names are escaped, but may contain the same characters.
    heading.rsplit_once("](./#")?.1.split_once(')').map(|(anchor, _)| anchor)
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEXT_BYTES, Window};

    /// All windows of a copy, and the turns in them.
    fn windows(copy: &str) -> (Vec<String>, Vec<String>) {
        let (mut place, mut texts, mut turns) = (String::new(), Vec::new(), Vec::new());
        while let Some(Window { text, next }) = Window::of(copy, &place) {
            assert!(text.len() <= MAX_TEXT_BYTES + 200 && text.starts_with("# Moss\n"));
            turns.extend(text.lines().filter(|line| line.starts_with("## [")).map(str::to_owned));
            texts.push(text);
            let Some(next) = next else { break };
            place = next;
        }
        (texts, turns)
    }

    #[test]
    fn long_conversations_are_read_in_windows() {
        let turn =
            |id: usize| format!("## [x\\](./#f](./#t{id}) · 2026\n\n{}\n\n", "moss ".repeat(3000));
        let copy = format!(
            "# Moss\n\n{}\n\n{}",
            "Before. ".repeat(9000),
            (0..9).map(turn).collect::<String>()
        );
        let (_, turns) = windows(&copy);
        assert_eq!(turns.len(), 9);
        assert!(turns.iter().enumerate().all(|(at, line)| line.contains(&format!("#t{at})"))));
        assert!(Window::of(&copy, "t10").is_none() && Window::of(&copy, "f").is_none());
    }

    #[test]
    fn a_long_turn_is_read_in_windows() {
        let body = "é".repeat(3 * MAX_TEXT_BYTES);
        let copy = format!("# Moss\n\n## [Ada](./#t1)\n\n{body}\n\n## [Bea](./#t2)\n\nYes.\n");
        let (texts, turns) = windows(&copy);
        let letters: usize = texts.iter().map(|text| text.matches('é').count()).sum();
        assert_eq!(letters, 3 * MAX_TEXT_BYTES);
        assert!(turns.last().is_some_and(|line| line.contains("#t2")));
        for place in ["t1+1", "t1+99999999", "t1+x", "t1+-1"] {
            assert!(Window::of(&copy, place).is_none() || place == "t1+1", "{place}");
        }
    }
}
