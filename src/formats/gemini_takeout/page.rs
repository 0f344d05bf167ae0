//! Account activity as HTML, which Takeout writes if JSON was not selected.
//!
//! ```text
//! <div class="outer-cell …"><div class="…">
//!   <div class="header-cell …"><p …>Gemini Apps<br></p></div>
//!   <div class="content-cell …">Prompted&nbsp;When does the ferry go?<br>Jan 2, 2025, 3:04:05 PM EST<br><p>At eight.</p></div> …
//! ```
//!
//! A line with a time separates the prompt from the answer. Without it, the speakers are unknown.

use super::super::{File, Parsed};
use super::activity::{ACTIVITY, ELSEWHERE, GEMINI};
use super::exchange::Exchange;
use super::verb::{self, Title};
use crate::shared::agents::turns::{Message, Turns, USER};
use crate::shared::tally::Tally;
use crate::shared::text::dates::{is_clock, written};
use crate::shared::text::entities::decoded;
use crate::shared::text::html::{self, Token};
use convo_base::diag::Lines;
use convo_base::model::{Block, Conversation, Kind, Place};

/// The start of a record and of its parts.
const RECORD: &str = "<div class=\"outer-cell";
const HEADER: &str = "<div class=\"header-cell";
const CONTENT: &str = "<div class=\"content-cell";

/// The number of bytes of a page that contain its styles and its first records.
pub(super) const HEAD_BYTES: usize = 256 << 10;

/// The number of bytes after which a page can be ruled out.
pub(super) const START_BYTES: usize = 4 << 10;

/// Returns whether a page is not ruled out by its start: it contains records or their styles, and no other
/// kind of file.
pub(super) fn may_be_one(start: &str) -> bool {
    start.contains(RECORD) || start.contains("<style") && !start.contains("<link")
}

/// Returns whether a text, possibly truncated, is such a page: it has records, at least one of them of
/// Gemini.
pub(super) fn is_one(text: &str) -> bool {
    let head = text.get(..text.floor_char_boundary(HEAD_BYTES)).unwrap_or(text);
    let mut records = head.match_indices(RECORD).take(8);
    head.trim_start().starts_with('<')
        && records.any(|(at, _)| head.get(at..).is_some_and(is_about_gemini))
}

/// Returns the text of a record's header.
fn header(record: &str) -> Option<String> {
    let (_, rest) = record.split_once(HEADER)?;
    let (_, rest) = rest.split_once('>')?;
    Some(html::to_markdown(rest.split("</div>").next()?))
}

fn is_about_gemini(record: &str) -> bool {
    header(record).is_some_and(|header| header.contains("Gemini") || header.contains("Bard"))
}

/// Reads a page.
pub(super) fn read(file: &File, index: usize, parsed: &mut Parsed) {
    let text = file.text.as_str();
    let lines = Lines::new(text);
    let mut tally = Tally::default();
    let starts: Vec<usize> = text.match_indices(RECORD).map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let mut found = Vec::new();
    for (start, end) in starts.iter().copied().zip(ends) {
        let Some(record) = text.get(start..end) else { continue };
        if !is_about_gemini(record) {
            tally.add(ELSEWHERE);
            continue;
        }
        let place = Place { file: index, line: lines.line(start), quoted: true };
        match conversation(record, place) {
            Some(read) => found.push(read),
            None => tally.add(ACTIVITY),
        }
    }
    found.reverse();
    parsed.conversations.extend(found);
    parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
}

/// The pieces of a record: the lines above its time, the time, and the text below it.
struct Pieces<'t> {
    title: Vec<String>,
    time: String,
    answer: &'t str,
}

/// Reads a record. Each is a conversation, because pages do not group them.
fn conversation(record: &str, place: Place) -> Option<Conversation> {
    let header = header(record)?;
    let (_, rest) = record.split_once(CONTENT)?;
    let (_, rest) = rest.split_once('>')?;
    let content = rest.split(CONTENT).next().unwrap_or_default();
    let mut read = Conversation::default();
    let mut turns = Turns::default();
    let mut message = Message { place, ..Message::default() };
    match pieces(content) {
        Some(Pieces { title, time, answer }) => {
            let answer = html::to_markdown(answer);
            let title = title.join("\n");
            let asked_text = match verb::read(&title, &header) {
                Title::Prompt(prompt) => prompt,
                Title::Bookkeeping | Title::Other | Title::Made(_) if answer.is_empty() => {
                    return None;
                }
                _ => title.as_str(),
            };
            read.time = written(&time);
            let stamp = read.time.as_ref().map_or(time, |time| time.as_written().to_owned());
            read.id = Some(stamp.clone());
            let asked = vec![Block::Markdown { text: asked_text.to_owned() }];
            let answered = vec![Block::Markdown { text: answer }];
            let exchange = Exchange::new(&stamp, &asked, &answered, None);
            let say = |part: &str, blocks| Message {
                id: Some(exchange.id(part)),
                time: read.time.clone(),
                blocks,
                place,
                ..Message::default()
            };
            turns.add(USER, Kind::Person, say("prompt", asked));
            turns.add(GEMINI, Kind::Assistant, say("answer", answered));
        }
        None => {
            let mut lines = header.lines().map(str::trim).filter(|line| !line.is_empty());
            let is_prompt = lines.any(|line| matches!(verb::read(line, ""), Title::Prompt(_)));
            if !is_prompt {
                return None;
            }
            let time = header.lines().find(|line| is_time(line)).unwrap_or_default();
            read.time = written(&time.replace('\\', ""));
            read.id = read.time.as_ref().map(|time| time.as_written().to_owned());
            message.time.clone_from(&read.time);
            message.blocks.push(Block::Markdown { text: html::to_markdown(content) });
            turns.add("", Kind::Person, message);
        }
    }
    turns.fill(&mut read);
    (!read.turns.is_empty()).then_some(read)
}

/// Splits a record at the line with the time. Lines end at `<br>`.
fn pieces(content: &str) -> Option<Pieces<'_>> {
    let (mut title, mut line) = (Vec::new(), String::new());
    for token in html::tokens(content) {
        let tag = match token {
            Token::Text(text) => {
                line.push_str(&decoded(text));
                continue;
            }
            Token::Tag(tag) => tag,
        };
        let (name, is_end) = html::name(tag);
        let is_line_end = name == "br" || is_end && ["p", "div"].contains(&name.as_str());
        if !is_line_end {
            continue;
        }
        if is_time(&line) {
            let at = (tag.as_ptr() as usize - content.as_ptr() as usize) + tag.len() + 1;
            let answer = content.get(at..).unwrap_or_default();
            return (!title.is_empty()).then(|| Pieces {
                title,
                time: line.trim().to_owned(),
                answer,
            });
        }
        let bare = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if !bare.is_empty() {
            title.push(bare);
        }
        line.clear();
    }
    None
}

/// The maximum length of a line that is checked for a time.
const MAX_TIME_BYTES: usize = 80;

/// Returns whether a line is a time: it has a year, hours, minutes and seconds.
fn is_time(line: &str) -> bool {
    let line = line.trim();
    let is_exact = |word: &str| is_clock(word) && word.matches(':').count() == 2;
    let is_year = |word: &str| word.len() == 4 && (word.starts_with("20")) && is_number(word);
    let words = || line.split(|c: char| c.is_whitespace() || ",.年月日/-".contains(c));
    line.len() <= MAX_TIME_BYTES && words().any(is_exact) && words().any(is_year)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::is_time;

    #[test]
    fn a_line_with_a_year_and_a_clock_is_a_time() {
        assert!(is_time("Jan 2, 2025, 3:04:05\u{202f}PM EST"));
        assert!(is_time("26 de mar. de 2026, 13:42:07 BRT"));
        assert!(!is_time("At 3:04:05 somebody came"));
    }
}
