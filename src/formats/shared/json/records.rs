//! Iterates over files of many JSON values: JSON Lines, arrays and single values.

use std::collections::VecDeque;
use std::ops::Range;

use super::object::deviation_notes;
use crate::File;
use crate::shared::access::visibility::{self, AccessSetting, Scope};
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, SyntaxError, Value};

/// The keys under which a top-level object may hold its list of conversations. A key with a dot is the path
/// of a list in a nested object; a file may have several of those lists.
pub const LIST_KEYS: [&str; 3] = ["conversations", "chats.list", "left_chats.list"];

/// A JSON value of a file.
#[derive(Debug)]
pub(crate) struct Record {
    /// The value.
    pub(crate) value: Value,
    /// The byte range of the value in the file.
    pub(crate) at: Range<usize>,
    /// The byte range of a member that was left empty in `value`, because it has too many values for
    /// memory.
    pub(crate) long: Option<Range<usize>>,
}

/// Iterates over the JSON values of file number `index`: the lines of JSON Lines, the elements of a
/// top-level array or of the array under one of `keys`, or the single value of the file. A part of a long
/// array is read too, with or without its brackets. An invalid value is skipped with a note. A value that
/// is cut off at the end of the file is reported as such. Where a program stopped within a line and went on
/// with the next record in the same line, that record is read.
///
/// Values are parsed one by one, so that only a few are in memory.
pub(crate) fn records<'a>(
    file: &'a File,
    index: usize,
    keys: &[&str],
    notes: &'a mut Vec<Note>,
) -> impl Iterator<Item = Record> + use<'a> {
    records_without(None, file, index, keys, notes)
}

/// Does the same, but leaves the object or array under the key `long` empty in a record that has too many
/// values. The caller then parses that member piece by piece.
pub(crate) fn records_without<'a>(
    long: Option<&'a str>,
    file: &'a File,
    index: usize,
    keys: &[&str],
    notes: &'a mut Vec<Note>,
) -> impl Iterator<Item = Record> + use<'a> {
    let text = file.text.as_str();
    let (more, is_lines) = (VecDeque::new(), is_lines(&file.name, text));
    let mut rest = Rest { text, at: 0, more, is_lines };
    // The end of the line that is being read, the number of places in it at which a record could not be read
    // on, and whether that was reported.
    let mut torn = (0, 0, false);
    // Text that was cut out of a long file is an element itself.
    if !rest.is_lines && !file.is_continued {
        rest.more = inner_lists(text, keys);
        rest.at = rest.more.pop_front().unwrap_or_else(|| start_of_list(text, keys));
    }
    std::iter::from_fn(move || {
        loop {
            let at = rest.next()?;
            if let Some(found) = long.and_then(|long| record_without(long, text, &at)) {
                return Some(found);
            }
            match visibility::parse(&text[at.clone()]) {
                Ok((value, deviations)) => {
                    let reported = deviation_notes(deviations, text, at.start);
                    notes.extend(reported.map(|note| note.in_file(index)));
                    return Some(Record { value, at, long: None });
                }
                Err(error) => {
                    let place = at.start + error.at.min(at.len());
                    torn = match torn.0 == at.end {
                        true => (at.end, torn.1 + 1, torn.2),
                        false => (at.end, 1, false),
                    };
                    let joined = joined_record(&text[at.clone()], error.at);
                    let is_read = rest.is_lines && torn.1 <= MAX_TORN;
                    if let Some(start) = joined.filter(|_| is_read) {
                        rest.at = at.start + start;
                        // Only the line break between them may be missing.
                        let first = at.start..rest.at;
                        if let Ok((value, _)) = visibility::parse(&text[first.clone()]) {
                            return Some(Record { value, at: first, long: None });
                        }
                        notes.push(broken(place, false, &error).in_file(index));
                        torn.2 = true;
                        continue;
                    }
                    // What was taken for a record behind a torn one was a part of it.
                    if torn.2 {
                        continue;
                    }
                    let behind = &text[at.end..];
                    let is_last = rest.is_lines
                        && behind.trim().is_empty()
                        && !(file.is_continued && behind.contains('\n'));
                    notes.push(broken(place, is_last, &error).in_file(index));
                }
            }
        }
    })
}

/// The maximum number of torn records in a line behind which another one is looked for, which keeps reading
/// linear.
const MAX_TORN: u32 = 4;

/// Returns the start of the record that was written behind a torn one, for the place of the error in a line:
/// `{"text": "The mi{"text": "The mill"}`.
fn joined_record(line: &str, error: usize) -> Option<usize> {
    // In a string, the error is behind the quotation mark of the new record.
    let from = error.saturating_sub(3).max(1);
    let near = line.as_bytes().get(from..line.len().min(error + 2))?;
    near.windows(2).rposition(|pair| pair == b"{\"").map(|start| from + start)
}

/// Reads a record whose only member with too many values is the one under `key`.
fn record_without(key: &str, text: &str, at: &Range<usize>) -> Option<Record> {
    let whole = &text[at.clone()];
    if !json::has_too_many_values(whole) {
        return None;
    }
    let (_, long) = json::members(whole).filter(|(known, _)| *known == key).last()?;
    let from = long.as_ptr() as usize - whole.as_ptr() as usize;
    let empty = match (long.bytes().next()?, long.bytes().last()?) {
        (b'{', b'}') => "{}",
        (b'[', b']') => "[]",
        _ => return None,
    };
    let (before, behind) = (&whole[..from], &whole[from + long.len()..]);
    if json::has_too_many_values(before) || json::has_too_many_values(behind) {
        return None;
    }
    let (value, _) = visibility::parse(&format!("{before}{empty}{behind}")).ok()?;
    let long = at.start + from..at.start + from + long.len();
    Some(Record { value, at: at.clone(), long: Some(long) })
}

fn broken(at: usize, is_last_line: bool, error: &SyntaxError) -> Note {
    match is_last_line && !error.is_too_large {
        true => {
            let message = "the last line is incomplete";
            let note = Note::new(Severity::Hint, "half-line", Some(at..at), message);
            note.hint(
                "the file was still being written or was truncated; the other lines were read",
            )
        }
        false => {
            let note = Note::error("bad-json", at..at, error.about("this"));
            note.hint("only this record is skipped")
        }
    }
}

/// Returns whether each line of a text is a separate value.
fn is_lines(name: &str, text: &str) -> bool {
    if crate::has_lines(name) {
        return true;
    }
    let start = start_of(text);
    let first = json::value_at(text, start);
    let rest = &text[first.end..];
    text[start..].starts_with('{')
        && rest.trim_start_matches([' ', '\t']).starts_with('\n')
        && rest.trim_start().starts_with('{')
}

/// Returns the position of the first character that is not blank.
fn start_of(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Returns the position of the first element of the file's list, or of the single value of the file.
fn start_of_list(text: &str, keys: &[&str]) -> usize {
    let start = start_of(text);
    if text[start..].starts_with('[') {
        return start + 1;
    }
    let members = json::keys(&text[start..]);
    let is_list = |(key, value): &&(&str, &str)| keys.contains(key) && value.starts_with('[');
    let found = members.iter().find(is_list);
    found.map_or(start, |(_, value)| value.as_ptr() as usize - text.as_ptr() as usize + 1)
}

/// Reads what the top-level object says about access to its list under one of `keys`. The text may be cut
/// off after the start of the list.
pub(crate) fn list_access(text: &str, keys: &[&str]) -> Vec<AccessSetting> {
    let start = start_of(text);
    let root = &text[start..];
    if !root.starts_with('{') || start_of_list(text, keys) == start {
        return Vec::new();
    }
    let mut settings = visibility::read_access(root, Scope::Turn, keys);
    settings.iter_mut().for_each(|it| it.at = start + it.at.start..start + it.at.end);
    settings
}

/// Returns whether a file that is one conversation must not be published. The keys `but` hold its messages.
pub(crate) fn is_document_withheld(text: &str, but: &[&str]) -> bool {
    let root = &text[start_of(text)..];
    root.starts_with('{')
        && visibility::holds_back(&visibility::read_access(root, Scope::Conversation, but))
}

/// Returns whether the beginning of a long file says that its records must not be published.
pub fn is_list_withheld(text: &str) -> bool {
    visibility::holds_back(&list_access(text, &LIST_KEYS))
}

/// Returns the positions of the first elements of lists that are in nested objects.
fn inner_lists(text: &str, keys: &[&str]) -> VecDeque<usize> {
    let start = start_of(text);
    let paths = || keys.iter().filter_map(|key| key.split_once('.'));
    if paths().next().is_none() || text[start..].starts_with('[') {
        return VecDeque::new();
    }
    let place = |inside: &str| inside.as_ptr() as usize - text.as_ptr() as usize;
    let mut found = VecDeque::new();
    for (key, value) in json::members(&text[start..]) {
        let inner = paths().filter(|(outer, _)| *outer == key).map(|(_, inner)| inner);
        for inner in inner.filter(|_| value.starts_with('{')) {
            let is_list = |(key, value): &(&str, &str)| *key == inner && value.starts_with('[');
            let lists = json::members(value).filter(is_list);
            found.extend(lists.map(|(_, list)| place(list) + 1));
        }
    }
    found
}

/// The rest of a file that was not read yet.
struct Rest<'a> {
    text: &'a str,
    at: usize,
    /// The starts of other lists.
    more: VecDeque<usize>,
    is_lines: bool,
}

impl Rest<'_> {
    /// Takes the next value and returns its range.
    fn next(&mut self) -> Option<Range<usize>> {
        let blank = |c: char| c.is_whitespace() || c == ',';
        loop {
            let start = self.text.len() - self.text[self.at..].trim_start_matches(blank).len();
            let rest = &self.text[start..];
            if self.is_lines {
                let line = rest.lines().next()?;
                self.at = start + line.len();
                return Some(start..self.at);
            }
            // The list ends here; what follows it is not part of it.
            if rest.is_empty() || rest.starts_with([']', '}']) {
                let more = self.more.pop_front();
                self.at = more.unwrap_or(self.text.len());
                more?;
                continue;
            }
            let found = json::value_at(self.text, start);
            // Skips text that is not a value, such as a colon.
            self.at = found.end.max(self.text.ceil_char_boundary(start + 1));
            return Some(start..self.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::records;
    use crate::File;

    fn read(name: &str, text: &str) -> (Vec<String>, Vec<&'static str>) {
        let (name, text) = (name.to_owned(), text.to_owned());
        let file = File { name, text, is_continued: false };
        let mut notes = Vec::new();
        let all = records(&file, 0, &["items", "x.list", "y.list"], &mut notes);
        let all = all.map(|record| record.value.to_string()).collect();
        (all, notes.iter().map(|note| note.code).collect())
    }

    #[test]
    fn every_shape_of_a_list_is_read() {
        let both = vec![r#"{"a":1}"#.to_owned(), r#"{"a":2}"#.to_owned()];
        for text in [
            r#"[{"a":1}, {"a":2}]"#,
            r#"{"a":1}, {"a":2}]"#,
            r#"{"n": 0, "items": [{"a":1}, {"a":2}], "m": 0}"#,
            "{\"a\":1}\n{\"a\":2}\n",
            r#"{"x": {"n": [3], "list": [{"a":1}]}, "list": [4], "y": {"list": [{"a":2}]}}"#,
        ] {
            assert_eq!(read("x.json", text), (both.clone(), vec![]), "{text}");
        }
        assert_eq!(read("x.json", r#" {"a":1} "#).0, both[..1]);
    }

    #[test]
    fn a_record_behind_a_torn_one_is_read() {
        let (before, joined, after) = (r#"{"a":1}"#, r#"{"b":2}"#, r#"{"a":3}"#);
        let check = |torn: &str, expected: &[&str]| {
            let (all, codes) = read("x.jsonl", &format!("{before}\n{torn}{joined}\n{after}\n"));
            assert!(codes.iter().all(|code| *code == "bad-json") && !codes.is_empty(), "{torn}");
            assert_eq!(all, expected, "{torn}");
        };
        for torn in [
            r#"{"#, r#"{"a"#, r#"{"a": "The mi"#, r#"{"a": "é\"#, r#"{"a": 12"#, r#"{"a": [1"#,
            r#"{"a": 1, "#, r#"{"a": 1, {"a": "x"#,
        ] {
            check(torn, &[before, joined, after]);
        }
        // The next record looks like the missing value.
        for torn in [r#"{"a": "#, r#"{"a": ["#, r#"{"a": [1, "#] {
            check(torn, &[before, after]);
        }
        // Only the line break is missing.
        let (all, codes) = read("x.jsonl", "{\"a\":1}{\"b\":2}\n{\"a\":3}\n");
        assert_eq!((all.len(), codes), (3, vec![]));
        let (all, codes) = read("x.jsonl", "{\"a\":1}{\"b\":");
        assert_eq!((all.len(), codes), (1, vec!["half-line"]));
        let (all, codes) = read("x.jsonl", "{\"a\":1}{\"b\":\n{\"a\":3}\n");
        assert_eq!((all.len(), codes), (2, vec!["bad-json"]));
        let (all, codes) = read("x.jsonl", "{\"a\": [1 {\"b\": 2}]}\n");
        assert_eq!((all.len(), codes), (0, vec!["bad-json"]));
        // A part of a whole record is not one.
        let (all, _) = read("x.jsonl", "{\"a\": x, \"b\": {\"c\": 1}}\n{\"a\": \"y{\"c\": 1}}\n");
        assert!(all.is_empty(), "{all:?}");
        let many = "{\"a".repeat(50_000);
        assert_eq!(read("x.jsonl", &format!("{many}\n{{\"a\":1}}\n")).0.len(), 1);
    }

    #[test]
    fn a_broken_value_is_skipped_alone() {
        let (all, codes) = read("x.jsonl", "{\"a\":1}\n{\"a\n{\"a\":2}\n{\"a\":");
        assert_eq!((all.len(), codes), (2, vec!["bad-json", "half-line"]));
        let (all, codes) = read("x.json", r#"[{"a":1}, {"a":x}, {"a":2}, {"b":"#);
        assert_eq!((all.len(), codes), (2, vec!["bad-json", "bad-json"]));
    }
}
