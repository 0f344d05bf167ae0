//! Reads the front matter of a text, and metadata in other places at its top.

use std::ops::Range;

use super::dates::{self, written_day};
use super::keys;
use crate::shared::access::visibility::{self, Access, AccessSetting, Scope};
use convo_base::diag::Note;
use convo_base::fences::Fence;
use convo_base::json::{self, Map, Value};
use convo_base::model::Conversation;
use convo_base::partial_date::PartialDate;
use convo_base::time::Time;
use convo_base::yaml;

/// The maximum length of front matter in bytes. Longer blocks are not front matter.
const LONGEST: usize = 64 << 10;

/// A language of front matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// YAML, which includes JSON.
    Yaml,
    Toml,
}

/// Returns the language of front matter that starts with this line, and the lines that may end it.
fn opening(line: &str) -> Option<(Language, &'static [&'static str])> {
    Some(match line.trim_end() {
        "---" | "---yaml" | "---yml" | "---json" | "--- yaml" | "--- json" => {
            (Language::Yaml, &["---", "..."])
        }
        "---toml" | "--- toml" => (Language::Toml, &["---"]),
        "+++" => (Language::Toml, &["+++"]),
        ";;;" => (Language::Yaml, &[";;;"]),
        _ => return None,
    })
}

/// Returns the byte range of the front matter without its first and last line, if there is any, and where
/// the rest starts.
pub(crate) fn split(text: &str) -> (Option<Range<usize>>, usize) {
    let Some(first) = text.split_inclusive('\n').next() else { return (None, 0) };
    let Some((_, ends)) = opening(first) else { return (None, 0) };
    // A thematic break with a conversation below it.
    let below = text[first.len()..].trim_start();
    if text[first.len()..].starts_with('\n') && below.starts_with(['*', '#', '>', '<']) {
        return (None, 0);
    }
    let mut start = first.len();
    for line in text[first.len()..].split_inclusive('\n') {
        if ends.contains(&line.trim_end()) {
            return (Some(first.len()..start), start + line.len());
        }
        start += line.len();
        if start > LONGEST {
            break;
        }
    }
    (None, 0)
}

/// Reads whether a text may be published from what is at `start`, at the top of the text or after its front
/// matter. It reads fields such as `Private: true` (as in MultiMarkdown), comments, front matter that is
/// not closed, not on the first line or written as code, and JSON objects (as in Hugo).
pub(crate) fn access_at(text: &str, start: usize, notes: &mut Vec<Note>) -> Access {
    let rest = &text[start..];
    let detected = access_above(&rest[..rest.floor_char_boundary(LONGEST)]);
    let line = start..start + rest.find('\n').unwrap_or(rest.len());
    notes.extend(visibility::notes(&detected, |_| line.clone()));
    Access::of(&detected)
}

/// The maximum number of comments, headings and metadata blocks above the text.
const MAX_METADATA_BLOCKS: usize = 16;

fn access_above(text: &str) -> Vec<AccessSetting> {
    let mut detected = Vec::new();
    let mut rest = text;
    for _ in 0..MAX_METADATA_BLOCKS {
        rest = rest.trim_start();
        let line = rest.lines().next().unwrap_or_default();
        let behind = rest.get(line.len() + 1..).unwrap_or_default();
        if let Some(inside) = rest.strip_prefix("<!--") {
            let (comment, behind) = inside.split_once("-->").unwrap_or((inside, ""));
            detected.extend(in_comment(comment));
            rest = behind;
        } else if line.starts_with(['%', '#']) && !line.starts_with("### @") {
            rest = behind;
        } else if let (Some(range), end) = split(rest) {
            let language = opening(line).map_or(Language::Yaml, |(language, _)| language);
            detected.extend(in_block(language, &rest[range]));
            rest = &rest[end..];
        } else if let Some((language, mark)) = code(line) {
            let end = behind.find(&format!("\n{mark}")).unwrap_or(behind.len());
            detected.extend(in_block(language, &behind[..end]));
            rest = behind[end..].trim_start().trim_start_matches(['`', '~']);
        } else {
            break;
        }
    }
    detected.extend(in_text(rest));
    detected
}

/// Reads access from text that is not a metadata block, or starts one that is not closed.
fn in_text(text: &str) -> Vec<AccessSetting> {
    if text.starts_with('{') {
        return visibility::read_access(&text[json::locate(text, &[])], Scope::Conversation, &[]);
    }
    let first = text.lines().next().unwrap_or_default();
    if let Some((language, _)) = opening(first) {
        // It may continue after a blank line, but not after the first turn.
        let inside = text[first.len()..].trim_start_matches('\n');
        let turn = |line: &&str| line.starts_with("**") || line.starts_with('#');
        let lines: Vec<&str> = inside.lines().take_while(|line| !turn(line)).collect();
        let is_header = |line: &&&str| {
            line.is_empty()
                || line.starts_with([' ', '\t', '-', '['])
                || is_field(line)
                || language == Language::Toml && line.contains('=')
        };
        let header: Vec<&str> = lines.iter().take_while(is_header).copied().collect();
        let mut detected = in_block(language, &header.join("\n"));
        detected.extend(rows(lines.into_iter()));
        return detected;
    }
    // A field within prose does not count unless a block was started.
    if text.starts_with("**") {
        return rows(text.lines().filter(|line| line.starts_with("**")).take(MAX_METADATA_BLOCKS));
    }
    let above = text.split("\n\n").next().unwrap_or_default();
    if is_field(first) { rows(above.lines()) } else { Vec::new() }
}

/// Reads access from a metadata block, line by line if it is not valid.
fn in_block(language: Language, text: &str) -> Vec<AccessSetting> {
    let parsed = match language {
        Language::Yaml => yaml::parse(text).ok().flatten(),
        Language::Toml => toml::from_str(text).ok().map(|table| of_toml(toml::Value::Table(table))),
    };
    match parsed {
        Some(Value::Object(map)) => visibility::read_access_of_map(&map, Scope::Conversation),
        Some(other @ Value::Array(_)) => {
            let map = [(NOT_A_MAP.to_owned(), other)].into_iter().collect();
            visibility::read_access_of_map(&map, Scope::Conversation)
        }
        _ => rows(text.lines()),
    }
}

/// Reads access from a comment: fields or a single keyword.
fn in_comment(text: &str) -> Vec<AccessSetting> {
    let words = [("label", text.trim())];
    let mut detected = visibility::read_access_of_fields(words, Scope::Conversation);
    detected.extend(rows(text.split(['\n', ',', ';'])));
    detected
}

/// Returns the language of the code block that starts with this line, and the mark that ends it.
fn code(line: &str) -> Option<(Language, &str)> {
    let Fence { mark, info } = Fence::of(line)?;
    let language = match info.to_ascii_lowercase().as_str() {
        "yaml" | "yml" | "json" => Language::Yaml,
        "toml" => Language::Toml,
        _ => return None,
    };
    Some((language, &line[..mark.len]))
}

/// Reads access from lines such as `private: true` or `private = true`.
fn rows<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<AccessSetting> {
    let rows = lines.filter_map(field).filter(|(key, _)| visibility::is_about(key));
    let detected =
        rows.flat_map(|row| visibility::read_access_of_fields([row], Scope::Conversation));
    detected.filter(AccessSetting::is_setting).collect()
}

/// Returns the key and the value of a line such as `key: value`, even if it is formatted as a list item or
/// as bold.
fn field(line: &str) -> Option<(&str, &str)> {
    let marks = |c: char| c.is_whitespace() || "-*>\"'`<!{".contains(c);
    let (key, value) = line.trim_start_matches(marks).split_once([':', '=', '：'])?;
    let end = |c: char| c.is_whitespace() || "*\"'`,}".contains(c);
    Some((key.trim_end_matches(end), value.trim_matches(end)))
}

/// Returns whether a line is a key of a few plain words, a colon and a value.
fn is_field(line: &str) -> bool {
    let Some((key, _)) = field(line) else { return false };
    let plain = |c: char| c.is_alphanumeric() || " _-.".contains(c);
    let is_spaced = || {
        line.split_once(':')
            .is_some_and(|(_, value)| value.is_empty() || value.starts_with([' ', '*', '"']))
    };
    key.starts_with(char::is_alphabetic)
        && key.split(' ').count() <= 4
        && key.chars().all(plain)
        && (is_spaced() || visibility::is_about(key))
}

/// Returns whether the front matter of a text has a true value for a key.
pub(crate) fn has_value(text: &str, key: &str) -> bool {
    let Some(range) = split(text).0.filter(|range| text[range.clone()].contains(key)) else {
        return false;
    };
    let first = text.lines().next().unwrap_or_default();
    match opening(first) {
        Some((Language::Toml, _)) => toml::from_str::<toml::Table>(&text[range])
            .is_ok_and(|table| table.get(key).and_then(toml::Value::as_bool) == Some(true)),
        Some((Language::Yaml, _)) => match yaml::parse(&text[range]) {
            Ok(Some(Value::Object(map))) => map.get(key).and_then(Value::as_bool) == Some(true),
            _ => false,
        },
        None => false,
    }
}

/// Reads the front matter into the conversation.
pub(crate) fn read(
    text: &str,
    range: Range<usize>,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let first = text.lines().next().unwrap_or_default();
    if opening(first).is_some_and(|(language, _)| language == Language::Toml) {
        return match toml::from_str::<toml::Table>(&text[range.clone()]) {
            Ok(table) => {
                let rows = table.into_iter().map(|(key, value)| (key, of_toml(value)));
                take(rows.collect(), text, range, read, notes);
            }
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start) + range.start;
                let message = error.message().lines().next().unwrap_or_default();
                let message = format!("the front matter is not valid TOML: {message}");
                let note = Note::error("bad-toml", at..at, message);
                notes.push(note.hint(UNREADABLE));
                read.private = true;
            }
        };
    }
    let yaml = &text[range.clone()];
    let map = match yaml::parse_with_texts(yaml, &TEXTS) {
        Ok(Some(Value::Object(map))) => map,
        Ok(None | Some(Value::Null)) => Map::new(),
        Ok(Some(other)) => [(NOT_A_MAP.to_owned(), other)].into_iter().collect(),
        Err(error) => {
            let before: usize =
                yaml.split_inclusive('\n').take(error.line.saturating_sub(1)).map(str::len).sum();
            let at = (range.start + before).min(range.end.saturating_sub(1)).max(range.start);
            let message = format!("the front matter is not valid YAML: {}", error.message);
            match plain_rows(yaml).filter(|_| !error.is_excess) {
                Some(map) => {
                    let note = Note::warning("bad-yaml", at..at, message);
                    notes.push(
                        note.hint("it was read line by line; quote values that contain a colon"),
                    );
                    map
                }
                None => {
                    // If the author wrote `private: true`, a syntax error must not publish the text.
                    let note = Note::error("bad-yaml", at..at, message);
                    notes.push(note.hint(UNREADABLE));
                    read.private = true;
                    return;
                }
            }
        }
    };
    take(map, text, range, read, notes);
}

/// Keys with text, which may look like another value: a title such as `2.50`, a tag such as `1984`.
const TEXTS: [&str; 12] = [
    "title", "summary", "description", "abstract", "tags", "speakers", "series", "aliases",
    "languages", "language", "lang", "slug",
];

/// The key for front matter that is not a map.
pub(crate) const NOT_A_MAP: &str = "front matter";

const UNREADABLE: &str = "fix it; until then the file counts as private";

fn take(
    mut map: Map,
    text: &str,
    range: Range<usize>,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let settings = visibility::read_access_of_map(&map, Scope::Conversation);
    notes.extend(visibility::notes(&settings, |setting| row_of(text, &range, setting.name())));
    Access::of(&settings).apply(read);
    if map.get("private").is_some_and(Value::is_boolean) {
        map.shift_remove("private");
    }
    read.title = take_word(&mut map, "title").filter(|title| !title.trim().is_empty());
    for key in ["date", "time", "published"] {
        let Some(value) = map.get(key).filter(|value| !value.is_null()) else { continue };
        let written = word(value).unwrap_or_else(|| value.to_string());
        // This is a yes or no, not a date.
        if key == "published" && !written.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let time = match value {
            Value::Array(_) | Value::Object(_) => Time::parse(&written).map(|(time, _)| time),
            _ => time(&written),
        };
        match time {
            Ok(time) => {
                map.shift_remove(key);
                read.time = Some(time);
                break;
            }
            Err(error) => {
                let message = format!("`{key}` is not a valid time: {error}");
                let note = Note::warning("bad-time", row_of(text, &range, key), message);
                notes.push(note.hint("write a date such as `2025-10-23`, `2025-10` or `2025`"));
            }
        }
    }
    read.kind = take_word(&mut map, "type");
    read.tags = take_words(&mut map, "tags");
    read.languages = take_words(&mut map, "languages");
    for key in ["language", "lang"] {
        if read.languages.is_empty() {
            read.languages = take_words(&mut map, key);
        }
    }
    notes.extend(keys::misused(&map, |key| row_of(text, &range, key)));
    read.extra = map;
}

/// Parses a time as people write it: in ISO 8601, as a month or a year, or as a day in words or with dots. The
/// error is a message for people.
fn time(written: &str) -> Result<Time, String> {
    let exact = Time::parse(written).map(|(time, _)| time);
    let partial = |text: &str| PartialDate::parse(text)?.time(text);
    exact.or_else(|error| {
        let day = || partial(&written_day(written)?.to_string());
        let with_zone = || dates::written(written);
        partial(written).or_else(with_zone).or_else(day).ok_or(error)
    })
}

/// Converts a TOML value to JSON; dates become strings.
fn of_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(list) => list.into_iter().map(of_toml).collect::<Vec<_>>().into(),
        toml::Value::Table(table) => {
            table.into_iter().map(|(key, value)| (key, of_toml(value))).collect::<Map>().into()
        }
    }
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}

/// Takes the string of a key; other values are left in the map.
fn take_word(map: &mut Map, key: &str) -> Option<String> {
    let value = map.get(key)?;
    let word = word(value);
    if word.is_some() || value.is_null() {
        map.shift_remove(key);
    }
    word
}

/// Takes the list of strings of a key, which may also be a string such as `mill, wheel`; other values are left in
/// the map.
fn take_words(map: &mut Map, key: &str) -> Vec<String> {
    let words: Option<Vec<String>> = match map.get(key) {
        Some(Value::Array(list)) => list.iter().map(word).collect(),
        Some(Value::Null) => Some(Vec::new()),
        Some(value) => word(value).map(|words| words.split(',').map(str::to_owned).collect()),
        None => None,
    };
    if words.is_some() {
        map.shift_remove(key);
    }
    let words = words.unwrap_or_default().into_iter().map(|word| word.trim().to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

/// Returns the row of a key in the front matter, or else its first row.
pub(crate) fn row_of(text: &str, range: &Range<usize>, key: &str) -> Range<usize> {
    let mut start = range.start;
    for line in text[range.clone()].split_inclusive('\n') {
        let bare = line.trim_start_matches([' ', '\t', '-', '"', '\'']);
        if bare.starts_with(key) {
            let at = start + line.len() - bare.len();
            return at..at + bare.trim_end().len();
        }
        start += line.len();
    }
    range.start..range.start
}

/// Reads front matter that consists of `key: text` lines only, for authors who do not think of YAML.
fn plain_rows(yaml: &str) -> Option<Map> {
    let mut map = Map::new();
    for line in yaml.lines().filter(|line| !line.trim().is_empty()) {
        let (key, text) = line.split_once(':')?;
        let named = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        if !named || !(text.is_empty() || text.starts_with(' ')) {
            return None;
        }
        let text = text.trim();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        if text.starts_with(['{', '[', '&', '*', '|', '>']) && words.any(visibility::is_about) {
            // It is unclear which key this line belongs to.
            return None;
        }
        let value = match text.to_ascii_lowercase().as_str() {
            "true" | "yes" => true.into(),
            "false" | "no" => false.into(),
            _ => Value::from(text),
        };
        match map.get_mut(key) {
            // If access is stated twice, both statements apply.
            Some(Value::Array(all)) => all.push(value),
            Some(before) if visibility::is_about(key) => {
                *before = vec![before.take(), value].into();
            }
            _ => _ = map.insert(key.to_owned(), value),
        }
    }
    Some(map)
}
