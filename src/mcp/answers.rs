//! The answers of the tools, as JSON.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::config::BaseUrl;
use crate::local_search::SearchResults;
use crate::model::Kind;
use crate::outputs::MARKDOWN_COPY;
use crate::pipeline::Build;
use crate::search::index::Document;
use crate::text::{percent_decode, percent_encode};

/// The maximum length of the text of `fetch`, in bytes, which is less than assistants accept. It ends between
/// turns, unless one turn is longer.
const MAX_TEXT_BYTES: usize = 40_000;

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
    })
}

/// The text of a conversation, from the turn with this id on.
pub(super) fn fetch(build: &Build, id: &str) -> Result<Value, String> {
    let base = &build.config.base_url;
    let unknown = || format!("unknown id `{id}`; `search` and `list_recent` return ids");
    let local = id.strip_prefix(base.origin.as_str()).unwrap_or(id);
    let local = local.strip_prefix(base.path.as_str()).unwrap_or(local).trim_start_matches('/');
    let (folder, anchor) = local.split_once('#').unwrap_or((local, ""));
    let mut folder = percent_decode(folder.trim_end_matches("index.html"));
    if !folder.ends_with('/') {
        folder.push('/');
    }
    let part_of = |document: &&Arc<Document>| {
        let part = folder.strip_prefix(&*document.path)?.trim_end_matches('/');
        let part = if part.is_empty() { 1 } else { part.parse().ok()? };
        (1..=document.entry.parts.len()).contains(&part).then_some(part)
    };
    let documents = build.documents.iter();
    let found = documents.filter_map(|document| Some((document, part_of(&document)?))).next();
    let (document, part) = found.ok_or_else(unknown)?;
    let of_part = |part: usize| match part {
        1 => document.path.to_string(),
        _ => format!("{}{part}/", document.path),
    };
    let copy =
        build.outputs.get(&format!("{}{MARKDOWN_COPY}", of_part(part))).ok_or_else(unknown)?;
    let copy = copy.make().map_err(|note| note.message.clone())?;
    let copy = String::from_utf8_lossy(&copy);
    let window = Window::of(&copy, anchor).ok_or_else(unknown)?;
    let next = match window.next {
        Some(turn) => Some(format!("{}#{turn}", percent_encode(&of_part(part)))),
        None => (part < document.entry.parts.len()).then(|| percent_encode(&of_part(part + 1))),
    };
    let shown = percent_encode(&of_part(part))
        + &if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    Ok(json!({
        "id": shown,
        "title": document.entry.title,
        "url": url(base, &shown),
        "text": window.text,
        "metadata": about(document),
        "next": next,
    }))
}

/// Conversations, the newest first, that began in or after `after` and before `before`.
pub(super) fn recent(
    build: &Build,
    limit: usize,
    after: Option<&str>,
    before: Option<&str>,
) -> Value {
    let is_wanted = |document: &&Arc<Document>| {
        // Days such as `2025-10-23` sort like text, and so do their starts.
        let day = document.day();
        let day = || day.as_deref();
        after.is_none_or(|after| day().is_some_and(|day| day >= after))
            && before.is_none_or(|before| day().is_some_and(|day| day < before))
    };
    let wanted: Vec<_> = build.documents.iter().rev().filter(is_wanted).collect();
    let base = &build.config.base_url;
    let rows = wanted.iter().take(limit).map(|document| {
        let id = percent_encode(&document.path);
        json!({
            "id": id,
            "title": document.entry.title,
            "url": url(base, &id),
            "metadata": about(document),
        })
    });
    json!({"results": rows.collect::<Vec<_>>(), "conversations": wanted.len()})
}

/// Speakers, those with the most turns first. A person and a model of one name are two.
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

/// What is known of a conversation besides its text.
fn about(document: &Document) -> Value {
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

/// Returns the URL of an id, without the origin if the site has none.
fn url(base: &BaseUrl, id: &str) -> String {
    format!("{}{}{id}", base.origin, base.path)
}

/// A part of a Markdown copy.
struct Window {
    text: String,
    /// The anchor of the turn at which the next one begins.
    next: Option<String>,
}

impl Window {
    /// Returns the head of a Markdown copy and the turns from an anchor on; without an anchor, from the first.
    fn of(copy: &str, anchor: &str) -> Option<Self> {
        let starts = std::iter::once(0).chain(copy.match_indices('\n').map(|(at, _)| at + 1));
        let turns: Vec<usize> = starts.filter(|at| copy[*at..].starts_with(TURN)).collect();
        let end_of = |turn: usize| turns.get(turn + 1).copied().unwrap_or(copy.len());
        let head = &copy[..turns.first().copied().unwrap_or(copy.len())];
        let first = match anchor {
            "" => 0,
            _ => turns.iter().position(|at| anchor_of(&copy[*at..]) == Some(anchor))?,
        };
        let mut text = head.to_owned();
        let mut turn = first;
        while turn < turns.len()
            && (turn == first || text.len() + end_of(turn) - turns[turn] <= MAX_TEXT_BYTES)
        {
            text.push_str(&copy[turns[turn]..end_of(turn)]);
            turn += 1;
        }
        if text.len() > MAX_TEXT_BYTES {
            let kept = text.floor_char_boundary(MAX_TEXT_BYTES);
            let cut = crate::text::bytes((text.len() - kept) as u64);
            text.truncate(kept);
            text.push_str(&format!("\n\n[… {cut} of this turn are not shown]\n"));
        }
        let next = turns.get(turn).and_then(|at| anchor_of(&copy[*at..])).map(str::to_owned);
        Some(Self { text, next })
    }
}

/// Returns the anchor in the heading at the start of a text.
fn anchor_of(text: &str) -> Option<&str> {
    let (heading, _) = text.split_once('\n')?;
    heading.split_once("](./#")?.1.split_once(')').map(|(anchor, _)| anchor)
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEXT_BYTES, Window};

    #[test]
    fn long_conversations_are_read_in_windows() {
        let turn = |id: usize| format!("## [Ada](./#t{id})\n\n{}\n\n", "moss ".repeat(3000));
        let copy = format!("# Moss\n\n{}", (0..9).map(turn).collect::<String>());
        let (mut anchor, mut seen) = (String::new(), Vec::new());
        while let Some(window) = Window::of(&copy, &anchor) {
            assert!(window.text.len() <= MAX_TEXT_BYTES && window.text.starts_with("# Moss\n"));
            seen.extend(
                window.text.lines().filter(|line| line.starts_with("## [")).map(str::to_owned),
            );
            let Some(next) = window.next else { break };
            anchor = next;
        }
        assert_eq!(seen.len(), 9);
        assert!(seen.iter().enumerate().all(|(at, line)| line.ends_with(&format!("#t{at})"))));
        assert!(Window::of(&copy, "t10").is_none());
    }

    #[test]
    fn a_turn_that_is_too_long_is_cut() {
        let copy = format!(
            "## [Ada](./#t1)\n\n{}\n\n## [Bea](./#t2)\n\nYes.\n",
            "é".repeat(MAX_TEXT_BYTES)
        );
        let window = Window::of(&copy, "t1").expect("a turn");
        assert!(window.text.len() < MAX_TEXT_BYTES + 100 && window.text.contains("not shown"));
        assert_eq!(window.next.as_deref(), Some("t2"));
    }
}
