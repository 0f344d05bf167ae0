//! Citation marks in answers, such as `citeturn0search3` between private-use characters, or `【12†source】`.
//! All of them are removed or replaced.

use std::collections::HashMap;

use super::code;
use super::links::{public_url, untraced};
use super::sources::{Meaning, References};
use super::unmarked::{bare, escaped};
use convo_base::json;
use convo_base::model::Citation;

/// The first and the last character of a mark, and the one between its parts.
const START: char = '\u{e200}';
const END: char = '\u{e201}';
const BETWEEN: char = '\u{e202}';

/// The sources of an answer, without duplicates.
#[derive(Default)]
pub(super) struct Citations {
    pub(super) list: Vec<Citation>,
    numbers: HashMap<String, usize>,
}

impl Citations {
    /// Returns the number of a source, counted from 1.
    pub(super) fn number(&mut self, citation: Citation) -> usize {
        let key = citation.url.as_ref().or(citation.title.as_ref());
        let key = key.map_or("", |key| key.split("#:~:").next().unwrap_or(key)).to_owned();
        let next = self.list.len();
        let place = *self.numbers.entry(key).or_insert(next);
        if place == next {
            self.list.push(citation);
        }
        place + 1
    }
}

/// The byte range of a mark in a text.
struct Mark {
    start: usize,
    end: usize,
    /// Whether it is in brackets, as in old exports.
    is_old: bool,
}

/// Returns a text whose marks are replaced by links to the sources. In code, marks are only removed.
pub(super) fn resolved(
    text: &str,
    references: &References<'_>,
    citations: &mut Citations,
) -> String {
    let mut out = String::with_capacity(text.len());
    if text.contains(['【', START]) {
        let code = code::ranges(text);
        let mut resolver = Resolver::new(references);
        let mut done = 0;
        while let Some(mark) = next_mark(text, done) {
            let is_code = code::holds(&code, mark.start);
            let (at, meaning) = resolver.meaning(text, &mark, done);
            // Brackets without an explanation may be part of code.
            let is_own = references.is_user_text || is_code && meaning.is_none();
            if mark.is_old && is_own {
                out.push_str(&text[done..mark.end]);
                done = mark.end;
                continue;
            }
            out.push_str(&text[done..at.start]);
            done = at.end;
            let before = out.len();
            match meaning {
                Some(Meaning::Sources(pages)) => {
                    let mut last = 0;
                    for page in pages {
                        let url = page.url.clone();
                        let number = citations.number(page);
                        if !is_code && number != last {
                            out.push_str(&link(number, url.as_deref()));
                        }
                        last = number;
                    }
                }
                Some(Meaning::Words(words)) => out.push_str(&words),
                Some(Meaning::Nothing) | None => {}
            }
            if out.len() == before {
                close_gap(&mut out, &text[done..]);
            }
        }
        out.push_str(&text[done..]);
        out.truncate(out.trim_end().len());
        let blank = out.len() - out.trim_start_matches('\n').len();
        out.drain(..blank);
    } else {
        out.push_str(text);
    }
    for page in &references.footnote {
        citations.number(page.clone());
    }
    untraced(&bare(&out))
}

fn link(number: usize, url: Option<&str>) -> String {
    match url {
        Some(url) => format!("[\\[{number}\\]](<{url}>)"),
        None => format!("\\[{number}\\]"),
    }
}

/// Removes the space before a removed mark, if another mark or a full stop follows.
fn close_gap(out: &mut String, rest: &str) {
    let needs_none = rest.chars().next().is_none_or(|c| c.is_whitespace() || ".,;:!?)".contains(c));
    let words = out.trim_end_matches(' ');
    if needs_none && !words.is_empty() && !words.ends_with('\n') {
        out.truncate(words.len());
    }
}

/// The maximum length of a mark in bytes.
const LONGEST: usize = 20_000;

/// Finds the next mark at or after byte `from`.
fn next_mark(text: &str, mut from: usize) -> Option<Mark> {
    loop {
        let start = from + text[from..].find(['【', START])?;
        let first = text[start..].chars().next()?;
        let inside = start + first.len_utf8();
        let limit = text.floor_char_boundary((inside + LONGEST).min(text.len()));
        let rest = &text[inside..limit];
        let is_old = first != START;
        let end = match is_old {
            true => rest.find(['】', '【', '\n']).filter(|end| rest[*end..].starts_with('】')),
            false => rest.find([END, START]).filter(|end| rest[*end..].starts_with(END)),
        };
        match end {
            Some(end) if is_old && !is_old_name(&rest[..end]) => from = inside + end,
            Some(end) => {
                let end = inside + end;
                let last = text[end..].chars().next().map_or(0, char::len_utf8);
                return Some(Mark { start, end: end + last, is_old });
            }
            None if is_old => from = inside,
            // A mark that was cut off ends after its name.
            None => {
                let length = rest.find(|c: char| c.is_whitespace() || c == START);
                let end = inside + length.unwrap_or(rest.len());
                return Some(Mark { start, end, is_old });
            }
        }
    }
}

/// Returns whether the brackets contain `12†source`, `6†L10-L20`, `4:0†notes.pdf` or the like.
fn is_old_name(inside: &str) -> bool {
    let Some((number, _)) = inside.split_once('†') else { return false };
    let number = number.trim();
    let is_number =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == ':');
    let is_result =
        |text: &str| text.starts_with("turn") && text.chars().all(|c| c.is_ascii_alphanumeric());
    is_number(number) || is_result(number)
}

/// References to the same mark, each with the position of the mark in the matched text, and how many of
/// them were used.
type Places = (Vec<(usize, usize)>, usize);

/// Resolves the meanings of marks. References to repeated marks are in the order of the text.
struct Resolver<'a> {
    references: &'a References<'a>,
    /// The references by the first mark in the matched text.
    by_mark: HashMap<&'a str, Places>,
    /// Old citations by the first character, and by number.
    old_by_start: HashMap<u64, usize>,
    old_by_number: HashMap<u64, usize>,
    /// The bytes and characters counted so far.
    counted: (usize, u64, u64),
}

/// How many references to the same mark are compared with a text at once.
const LOOK_AHEAD: usize = 4;

impl<'a> Resolver<'a> {
    fn new(references: &'a References<'a>) -> Self {
        let mut by_mark: HashMap<&'a str, Places> = HashMap::new();
        for (place, reference) in references.list.iter().enumerate() {
            if let Some(mark) = next_mark(reference.matched, 0) {
                let key = &reference.matched[mark.start..mark.end];
                by_mark.entry(key).or_default().0.push((place, mark.start));
            }
        }
        let mut old_by_start = HashMap::new();
        let mut old_by_number = HashMap::new();
        for (place, (start, number, _)) in references.old.iter().enumerate() {
            start.map(|start| old_by_start.entry(start).or_insert(place));
            number.map(|number| old_by_number.entry(number).or_insert(place));
        }
        Self { references, by_mark, old_by_start, old_by_number, counted: (0, 0, 0) }
    }

    /// Returns the meaning of a mark, and the bytes that it covers. Ignores everything before `from`.
    fn meaning(
        &mut self,
        text: &str,
        mark: &Mark,
        from: usize,
    ) -> (std::ops::Range<usize>, Option<Meaning>) {
        let span = &text[mark.start..mark.end];
        let own = mark.start..mark.end;
        if let Some((places, used)) = self.by_mark.get_mut(span) {
            let first = (*used).min(places.len().saturating_sub(1));
            let mut best: Option<(std::ops::Range<usize>, usize)> = None;
            for (place, offset) in places[first..].iter().take(LOOK_AHEAD) {
                let matched = self.references.list[*place].matched;
                let Some(start) = mark.start.checked_sub(*offset) else { continue };
                let fits = start >= from
                    && text.get(start..).is_some_and(|text| text.starts_with(matched));
                let is_longer = best.as_ref().is_none_or(|(best, _)| best.len() < matched.len());
                if fits && is_longer {
                    best = Some((start..start + matched.len(), *place));
                }
            }
            *used += 1;
            if let Some((at, place)) = best {
                let meaning = self.references.list[place].meaning.clone();
                // Some references have no data of their own, but the search results do.
                let meaning = match meaning {
                    Meaning::Nothing => self.by_name(span).unwrap_or(meaning),
                    meaning => meaning,
                };
                return (at, Some(meaning));
            }
        }
        let meaning = self.by_name(span).or_else(|| self.old(text, mark));
        (own, meaning)
    }

    /// Returns the meaning of a mark by the names in it.
    fn by_name(&self, span: &str) -> Option<Meaning> {
        let inside = span.trim_matches([START, END, '【', '】']);
        let mut parts = inside.split([BETWEEN, '†']);
        let kind = parts.next()?;
        if kind == "entity" {
            let (value, _) = json::parse(parts.next()?).ok()?;
            let name = value.as_array()?.get(1)?.as_str()?;
            return Some(Meaning::Words(escaped(&bare(name))));
        }
        if ["url", "link"].contains(&kind) {
            return self.link(&bare(parts.next()?), parts);
        }
        let names = std::iter::once(kind).chain(parts);
        let found = names.filter_map(|name| self.references.results?.get(name.trim()));
        let found: Vec<Citation> = found.cloned().collect();
        (!found.is_empty() && kind != "image_group").then_some(Meaning::Sources(found))
    }

    /// Returns the meaning of a mark around words that link to a page.
    fn link<'b>(&self, words: &str, mut targets: impl Iterator<Item = &'b str>) -> Option<Meaning> {
        let url = targets.find_map(|target| {
            match self.references.results.and_then(|results| results.get(target)) {
                Some(page) => page.url.clone(),
                None => public_url(target),
            }
        });
        let words = escaped(words);
        Some(Meaning::Words(match url {
            Some(url) => format!("[{words}](<{url}>)"),
            None => words,
        }))
    }

    /// Returns the meaning of a mark by its position, or by the number in it.
    fn old(&mut self, text: &str, mark: &Mark) -> Option<Meaning> {
        if self.references.old.is_empty() {
            return None;
        }
        let (bytes, chars, units) = &mut self.counted;
        for c in text[*bytes..mark.start].chars() {
            *chars += 1;
            *units += c.len_utf16() as u64;
        }
        *bytes = mark.start;
        let number = text[mark.start..mark.end].trim_start_matches('【');
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        let number = digits.parse().ok();
        let place = [*chars, *units].iter().find_map(|start| self.old_by_start.get(start));
        let place = place.or_else(|| self.old_by_number.get(&number?))?;
        let (.., page) = self.references.old.get(*place)?;
        Some(Meaning::Sources(vec![page.clone()]))
    }
}
