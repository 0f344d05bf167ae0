//! `site.toml` over the reference configuration, with a note on every key that does not fit.

use std::ops::Range;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Table;
use toml::de::DeTable;

use super::{Config, REFERENCE};
use crate::diag::{Diagnostic, Lines, Note, Noted, Severity};
use crate::text::closest;

/// The name of the file.
const FILE: &str = "site.toml";

/// Reads the text of a `site.toml`. A key that is unknown or does not fit keeps its default
/// and is an error among the notes; a text that is no TOML is an error outright.
pub fn load(text: &str) -> Result<Noted<Config>, Box<Diagnostic>> {
    let lines = Lines::new(text);
    let given = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let note = Note::error("bad-toml", at, first_line(error.message()));
        Box::new(note.locate(FILE, &lines))
    })?;
    // Once for the places and once for the values; the text is small.
    let values: Table = text.parse().unwrap_or_default();
    let mut merged: Table =
        REFERENCE.parse().expect("the reference configuration is TOML");
    let mut config = Config::deserialize(merged.clone()).expect("the defaults fit");
    let mut notes = Vec::new();
    for (key, value) in given.get_ref() {
        let name = key.get_ref().as_ref();
        let Some(default) = merged.get(name).cloned() else {
            notes.push(unknown_key(name, key.span(), &merged).locate(FILE, &lines));
            continue;
        };
        let range = value.span();
        let Some(parsed) = values.get(name).cloned() else { continue };
        if !parsed.same_type(&default) {
            let (expected, found) = (default.type_str(), parsed.type_str());
            let message =
                format!("`{name}` takes a value of type {expected}, not {found}");
            notes.push(Note::error("bad-value", range, message).locate(FILE, &lines));
            continue;
        }
        merged.insert(name.to_owned(), parsed);
        // One key at a time, so that each problem is known to be of the key just set.
        match Config::deserialize(merged.clone()) {
            Ok(better) => config = better,
            Err(error) => {
                merged.insert(name.to_owned(), default);
                let message = format!("`{name}`: {}", first_line(error.message()));
                let note = Note::error("bad-value", range, message);
                notes.push(
                    note.hint("see the reference configuration for what this key takes")
                        .locate(FILE, &lines),
                );
            }
        }
    }
    if config.base_url.origin.is_empty() {
        notes.push(
            Diagnostic::new(
                Severity::Warning,
                "no-base-url",
                "`base_url` is not set: the site has no canonical addresses, sitemap or feed",
            )
            .in_file(FILE)
            .hint("set it to the address at which the site will stand"),
        );
    }
    Ok(Noted { value: config, notes })
}

/// Reads a TOML file of which every key is known.
pub fn parse<T: DeserializeOwned>(path: &str, text: &str) -> Result<T, Box<Diagnostic>> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let note = Note::error("bad-toml", at, first_line(error.message()));
        Box::new(note.locate(path, &Lines::new(text)))
    })
}

fn unknown_key(name: &str, at: Range<usize>, known: &Table) -> Note {
    let note = Note::error("unknown-key", at, format!("unknown key `{name}`"));
    match closest(name, known.keys().map(String::as_str)) {
        Some(near) => note.hint(format!("did you mean `{near}`?")),
        None => note.hint("the reference configuration lists every key"),
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::load;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        // In the order of their keys' names, as the TOML library has them.
        let text = format!("base_url = 'https://example.org'\n{text}");
        let notes = load(&text).unwrap().notes;
        let seen: Vec<String> = notes
            .iter()
            .map(|note| {
                let span = note.at.clone().unwrap().span.unwrap();
                let hint = note.hints.first().cloned().unwrap_or_default();
                format!("{}:{} {} | {hint}", span.line, span.column, note.message)
            })
            .collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_reference_fits() {
        let text = super::REFERENCE.replace("base_url = \"\"", "");
        check(&text, &[]);
    }

    #[test]
    fn a_wrong_key_is_named_with_the_nearest() {
        check(
            "tilte = 'x'\nhtml = 'basic'",
            &["2:1 unknown key `tilte` | did you mean `title`?"],
        );
    }

    #[test]
    fn a_wrong_value_keeps_the_default() {
        let hint = "see the reference configuration for what this key takes";
        check(
            "math = 'yes'\npage_entries = 0\nhtml = \"all\"",
            &[
                &format!(
                    "4:8 `html`: unknown variant `all`, expected `escape` or `basic` | {hint}"
                ),
                "2:8 `math` takes a value of type boolean, not string | ",
                &format!(
                    "3:16 `page_entries`: expected a number from 1 to 10000 | {hint}"
                ),
            ],
        );
    }

    #[test]
    fn a_value_of_any_other_type_is_named() {
        let seen = load("title = 2026-01-02\nbase_url.x = 1\n[theme]\nname = 'paper'\n");
        let codes: Vec<_> = seen.unwrap().notes.iter().map(|note| note.code).collect();
        assert_eq!(codes, ["bad-value", "bad-value", "bad-value", "no-base-url"]);
    }

    #[test]
    fn an_address_is_cut_in_two() {
        let base = |url: &str| {
            let config = load(&format!("base_url = '{url}'")).unwrap().value;
            (config.base_url.origin, config.base_url.path)
        };
        assert_eq!(
            base("https://A.example/b"),
            ("https://a.example".into(), "/b/".into())
        );
        assert_eq!(
            base("http://localhost:3000"),
            ("http://localhost:3000".into(), "/".into())
        );
        assert_eq!(base("javascript:alert(1)"), (String::new(), "/".into()));
    }
}
