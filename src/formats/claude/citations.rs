//! Citations: marks in the text, and the list of sources.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::tools::{Tool, any_text, text};
use crate::shared::text::web_links::{is_private_host, public_url};
use convo_base::commonmark::{self, Event, Tag, cap_quotes};
use convo_base::json::{Map, Value};
use convo_base::model::Citation;

/// A citation of a text.
pub(super) struct Cited {
    /// Where the cited passage ends, in the units of the export.
    end: u64,
    page: Citation,
}

/// The sources of a turn, without duplicates.
#[derive(Default)]
pub(super) struct Sources {
    list: Vec<Citation>,
    numbers: HashMap<String, usize>,
}

impl Sources {
    /// Returns the number of a source, counted from 1.
    fn number(&mut self, page: &Citation) -> usize {
        let key = page.url.as_deref().unwrap_or(page.label()).to_owned();
        *self.numbers.entry(key).or_insert_with(|| {
            self.list.push(page.clone());
            self.list.len()
        })
    }

    /// Returns all of them in the order of their numbers.
    pub(super) fn into_list(self) -> Vec<Citation> {
        self.list
    }
}

/// Returns the citations of a text block.
pub(super) fn of_text(block: &Map, titles: &HashMap<String, String>) -> Vec<Cited> {
    cited(block.get("citations"), titles)
}

/// Returns the text and the citations of a report written as an artifact.
pub(super) fn report(
    tool: Tool,
    input: &Map,
    titles: &HashMap<String, String>,
) -> Option<(String, Vec<Cited>)> {
    let cited = cited(input.get("md_citations").filter(|_| tool == Tool::Artifact), titles);
    let words = text(input, "content").filter(|_| !cited.is_empty())?;
    Some((words.to_owned(), cited))
}

fn cited(list: Option<&Value>, titles: &HashMap<String, String>) -> Vec<Cited> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    let one = |citation: &Value| {
        let citation = citation.as_object()?;
        let mut page = page(citation)?;
        if page.title.is_none() {
            page.title = page.url.as_ref().and_then(|url| titles.get(url)).cloned();
        }
        let end = citation.get("end_index").and_then(Value::as_u64).unwrap_or(u64::MAX);
        Some(Cited { end, page })
    };
    list.filter_map(one).collect()
}

/// Returns the web page that a citation or a search result refers to; results of connectors are not web
/// pages.
pub(super) fn page(map: &Map) -> Option<Citation> {
    let inside = |key: &str| map.get(key).and_then(Value::as_object);
    let source = map.get("sources").and_then(|sources| sources.get(0)?.as_object());
    let places = [Some(map), inside("details"), source, inside("metadata")];
    let places = || places.iter().flatten();
    let mut origins = places().filter_map(|place| text(place, "origin_tool_name"));
    if origins.any(|tool| !tool.starts_with("web_") && !tool.starts_with("launch_")) {
        return None;
    }
    let keys = ["url", "uri", "link"];
    let mut urls = places().flat_map(|place| keys.iter().filter_map(|key| text(place, key)));
    // The title may be that of any of them.
    if urls.clone().any(is_private_host) {
        return None;
    }
    let url = urls.next().and_then(public_url);
    let titles = ["title", "preview_title", "name"];
    let title = places().find_map(|place| any_text(place, &titles));
    let title = title.map(str::trim).filter(|title| !title.is_empty()).map(str::to_owned);
    (url.is_some() || title.is_some()).then_some(Citation { title, url })
}

/// Returns a text with a mark after each cited passage.
pub(super) fn marked(text: &str, cited: &[Cited], sources: &mut Sources) -> String {
    if cited.is_empty() {
        return text.to_owned();
    }
    let mut order: Vec<&Cited> = cited.iter().collect();
    order.sort_by_key(|cited| cited.end);
    let places = places(text, &order);
    let taken = taken(text);
    let mut out = String::with_capacity(text.len() + 60 * cited.len());
    let mut done = 0;
    // The same page is cited once per place.
    let mut named: HashSet<(usize, usize)> = HashSet::new();
    for (cited, place) in order.into_iter().zip(places) {
        let number = sources.number(&cited.page);
        let Some(place) = free_place(text, place, &taken) else { continue };
        let place = place.max(done);
        if !named.insert((place, number)) {
            continue;
        }
        out.push_str(&text[done..place]);
        done = place;
        match &cited.page.url {
            Some(url) => out.push_str(&format!("[\\[{number}\\]](<{url}>)")),
            None => out.push_str(&format!("\\[{number}\\]")),
        }
    }
    out + &text[done..]
}

/// Returns the byte position of each end, in order. The export counts characters or, if there are not
/// enough, UTF-16 code units.
fn places(text: &str, order: &[&Cited]) -> Vec<usize> {
    let farthest = order.iter().map(|cited| cited.end).filter(|end| *end != u64::MAX).max();
    let characters = text.chars().count() as u64;
    let is_wide = farthest.is_some_and(|farthest| farthest > characters);
    let mut chars = text.char_indices();
    let (mut at, mut counted) = (0, 0);
    let place = |cited: &&Cited| {
        while counted < cited.end {
            let Some((start, c)) = chars.next() else { return text.len() };
            at = start + c.len_utf8();
            counted += if is_wide { c.len_utf16() as u64 } else { 1 };
        }
        at
    };
    order.iter().map(place).collect()
}

/// Returns the ranges of a text that must not contain marks, in order, and whether each is a block.
fn taken(text: &str) -> Vec<(Range<usize>, bool)> {
    if commonmark::is_too_complex(text) {
        return vec![(0..text.len(), true)];
    }
    let mut taken: Vec<(Range<usize>, bool)> = Vec::new();
    for (event, range) in commonmark::events(&cap_quotes(text, "x"), true) {
        let is_block = match event {
            Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock) => true,
            Event::Start(Tag::Link { .. } | Tag::Image { .. })
            | Event::Code(_)
            | Event::InlineHtml(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => false,
            _ => continue,
        };
        // An image inside a link is part of the link.
        if taken.last().is_none_or(|(last, _)| last.end <= range.start) {
            taken.push((range, is_block));
        }
    }
    taken
}

/// The maximum length, in characters, of a word that marks do not split.
const MAX_WORD: usize = 64;

/// Returns the place for a mark at or after `place`, outside words, links and code; `None` if it is in a
/// code block.
fn free_place(text: &str, place: usize, taken: &[(Range<usize>, bool)]) -> Option<usize> {
    let mut place = text[..place].trim_end().len();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let before = text[..place].chars().next_back();
    let rest = &text[place..];
    if is_word(before) && before.is_some_and(|c| c.is_ascii()) {
        let word = rest.chars().take(MAX_WORD).take_while(|c| c.is_alphanumeric());
        place += word.map(char::len_utf8).sum::<usize>();
    }
    // Between two Markdown characters that belong together.
    let mark = text[..place].chars().next_back().filter(|c| "*_~`".contains(*c));
    if let Some(mark) = mark {
        place += text[place..].chars().take_while(|c| *c == mark).count();
    }
    // A table cell ends before the bar.
    if text[..place].ends_with('|') {
        let line = text[..place].rfind('\n').map_or(0, |at| at + 1);
        if text[line..place].trim_start().starts_with('|') {
            place = text[..place].trim_end_matches('|').trim_end().len().max(line + 1);
        }
    }
    let known = taken.partition_point(|(range, _)| range.end < place);
    match taken.get(known) {
        Some((range, true)) if range.start < place && place <= range.end => None,
        Some((range, false)) if range.start < place && place < range.end => Some(range.end),
        _ => Some(place),
    }
}

#[cfg(test)]
mod tests {
    use super::{Citation, Cited, Sources, marked, page};
    use serde_json::json;

    fn mark(text: &str, ends: &[u64]) -> String {
        let cited = |end: &u64| {
            let title = Some(format!("page {end}"));
            Cited { end: *end, page: Citation { title, url: None } }
        };
        let cited: Vec<Cited> = ends.iter().map(cited).collect();
        let marked = marked(text, &cited, &mut Sources::default());
        marked.replace("\\[", "{").replace("\\]", "}")
    }

    #[test]
    fn ends_are_characters_and_sometimes_units_of_utf_16() {
        assert_eq!(mark("🐝🐝 bees. Wasps.", &[8]), "🐝🐝 bees.{1} Wasps.");
        // More than the number of characters: these are UTF-16 code units.
        assert_eq!(mark("🐝🐝 bees. Wasps.", &[10, 17]), "🐝🐝 bees.{1} Wasps.{2}");
    }

    #[test]
    fn a_page_is_public_if_all_that_is_known_of_it_is() {
        let web = "https://harbour.example/a";
        for private in [
            json!({"url": web, "details": {"url": "https://docs.google.com/d/1", "title": "A"}}),
            json!({"title": "A", "url": web, "metadata": {"link": "https://mill.slack.com/a"}}),
            json!({"title": "A", "uri": "https://a.notion.so/a", "sources": [{"url": web}]}),
            json!({"title": "A", "url": web, "details": {"origin_tool_name": "drive_search"}}),
        ] {
            let found = page(private.as_object().expect("an object"));
            assert!(found.is_none(), "{private}");
        }
        let public = json!({"details": {"url": web, "origin_tool_name": "web_search"}});
        let found = page(public.as_object().expect("an object")).expect("a page");
        assert_eq!(found.url.as_deref(), Some(web));
    }

    #[test]
    fn citations_split_no_words_and_no_markup() {
        assert_eq!(mark("one two", &[2, 2, 99]), "one{1} two{2}");
        assert_eq!(mark("a **bold** b", &[9]), "a **bold**{1} b");
        assert_eq!(mark("see `code` now", &[7]), "see `code`{1} now");
        assert_eq!(mark("```\ncode\n```\nend", &[8, 16]), "```\ncode\n```\nend{2}");
        assert_eq!(mark("| a |\n|---|\n| b |\n", &[17]), "| a |\n|---|\n| b{1} |\n");
        assert_eq!(mark("一二三四", &[2]), "一二{1}三四");
    }
}
