//! Reads the `[[source]]` tables of `site.toml`.
//!
//! They can decide what is private, so that no default can replace a wrong value: any error makes the whole
//! configuration invalid.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::source_rule::{KEYS, SourceRule};
use super::toml_file::{FILE, NOTHING_WRITTEN, REFERENCE, first_line};
use super::{gate, misplaced};
use crate::diag::{Diagnostic, Lines, Location, Note};
use crate::text::{closest, plural};

/// The hint for a key that does not exist.
const INSTEAD: &str = "use `visibility = \"private\"` to withhold conversations, or \
    `ignore = true` to skip files without conversations";

/// Returns the rules in the value of `source`, or their errors.
pub(super) fn rules(
    source: &Spanned<DeValue<'_>>,
    lines: &Lines<'_>,
) -> Result<Vec<SourceRule>, Vec<Diagnostic>> {
    let DeValue::Array(list) = source.get_ref() else {
        let message = "`source` must be a list: write `[[source]]`, with two brackets";
        let note = Note::error("bad-value", source.span(), message);
        return Err(vec![note.hint(NOTHING_WRITTEN).locate(FILE, lines)]);
    };
    let mut rules = Vec::new();
    let mut wrong = Vec::new();
    for one in list.iter() {
        match rule(one, lines) {
            Ok(rule) => rules.push(rule),
            Err(notes) => wrong.extend(
                notes.into_iter().map(|note| note.hint(NOTHING_WRITTEN).locate(FILE, lines)),
            ),
        }
    }
    if wrong.is_empty() { Ok(rules) } else { Err(wrong) }
}

fn rule(one: &Spanned<DeValue<'_>>, lines: &Lines<'_>) -> Result<SourceRule, Vec<Note>> {
    let DeValue::Table(table) = one.get_ref() else {
        let message = "a `[[source]]` must be a table with the key `files`";
        return Err(vec![Note::error("bad-value", one.span(), message)]);
    };
    let mut wrong = Vec::new();
    let mut of_site = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) && is_of_site(name) {
            of_site.push((name, key.span()));
            continue;
        }
        if !KEYS.contains(&name) {
            let message = format!("unknown key `{name}` in a `[[source]]`");
            let note = Note::error("unknown-key", key.span(), message);
            wrong.push(match closest(name, KEYS) {
                Some(near) => note.hint(format!("did you mean `{near}`?")),
                None if misplaced::chooses_files(name) => note.hint(INSTEAD),
                None => note.hint("move keys of the whole site above the first line with `[`"),
            });
            continue;
        }
        // One key at a time, so that all errors are reported.
        let mut alone = DeTable::new();
        let files = DeValue::String("*".into());
        alone.insert(Spanned::new(0..0, "files".into()), Spanned::new(0..0, files));
        alone.insert(key.clone(), value.clone());
        if let Err(error) = read(alone) {
            let at = error.span().filter(|span| !span.is_empty()).unwrap_or(value.span());
            let message = format!("`{name}` of a `[[source]]`: {}", first_line(error.message()));
            wrong.push(Note::error("bad-value", at, message));
        }
    }
    wrong.extend(misplaced_keys(of_site));
    if !table.contains_key("files") {
        let message = "missing key `files` in a `[[source]]`";
        wrong.push(Note::error("missing-key", one.span(), message));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let mut rule = read(table.clone()).map_err(|error| {
        let message = first_line(error.message());
        vec![Note::error("bad-value", one.span(), message)]
    })?;
    let place = |key: &str| {
        let span = table.get(key).map(|value| lines.span(value.span()));
        Some(Location { file: FILE.to_owned(), span })
    };
    rule.files.at = place("files");
    for (key, text) in [
        ("format", &mut rule.format),
        ("media", &mut rule.media),
        ("time_zone", &mut rule.time_zone),
    ] {
        if let Some(text) = text {
            text.at = place(key);
        }
    }
    if let Some(value) = table.get("gate") {
        gate::place_rules(&mut rule.gate, value, lines);
    }
    for (key, queries) in [("include", &mut rule.include), ("exclude", &mut rule.exclude)] {
        let list = table.get(key).and_then(|value| value.get_ref().as_array());
        for (query, value) in queries.iter_mut().zip(list.into_iter().flatten()) {
            let span = Some(lines.span(value.span()));
            query.at = Some(Location { file: FILE.to_owned(), span });
        }
    }
    Ok(rule)
}

/// Returns whether a key belongs above all tables.
fn is_of_site(name: &str) -> bool {
    let reference = DeTable::parse(REFERENCE).ok();
    let value = reference.as_ref().and_then(|keys| keys.get_ref().get(name));
    value.is_some_and(|value| !value.get_ref().is_table())
}

/// Returns the error on keys of the whole site in a `[[source]]`.
fn misplaced_keys(mut keys: Vec<(&str, Range<usize>)>) -> Option<Note> {
    keys.sort_by_key(|(_, at)| at.start);
    let (first, at) = keys.first()?;
    let message = match keys.len() {
        1 => format!("`{first}` is a key of the whole site, not of a `[[source]]`"),
        count => {
            let others = plural(count as u64 - 1, "other key", "other keys");
            format!("`{first}` and {others} of the whole site are in a `[[source]]`")
        }
    };
    let note = Note::error("unknown-key", at.clone(), message);
    Some(note.hint("move keys of the whole site above the first line with `[`"))
}

fn read(table: DeTable<'_>) -> Result<SourceRule, toml::de::Error> {
    SourceRule::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}
