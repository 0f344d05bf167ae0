//! Loads `site.toml` over the reference configuration, with a diagnostic for every invalid key.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use serde::Deserialize;
use toml::de::{DeTable, DeValue, Deserializer};
use toml::{Spanned, Table, Value};

use super::build_environment::BuildEnvironment;
use super::frame::{MenuLink, MenuTarget};
use super::gate::{self, GatePolicy};
use super::key_locations::KeyLocations;
use super::keys::Config;
use super::located_text::LocatedText;
use super::people::{self, People};
use super::toml_file::{FILE, NOTHING_WRITTEN, REFERENCE, first_line, place_of};
use super::{misplaced, source};
use crate::diag::{Diagnostic, Lines, Location, Note, Severity, WithNotes};
use crate::text::{closest, to_nfc};

/// Keys that decide what is private, in which no error is tolerated.
const PRIVATE: [&str; 3] = ["source", "gate", "redact"];

/// Keys without a safe default: with a default, withheld text could be published.
const DECIDES_WHAT_IS_PUBLISHED: [&str; 3] = ["content", "publish", "review"];

/// The reference configuration, whose values are the defaults.
static DEFAULTS: LazyLock<(DeTable<'static>, Config)> = LazyLock::new(|| {
    let table = DeTable::parse(REFERENCE).expect("the reference is TOML").into_inner();
    let config = of(table.clone()).expect("the defaults fit");
    (table, config)
});

/// Every key, with a value of the right type.
static KNOWN: LazyLock<Table> =
    LazyLock::new(|| with_examples().parse().expect("the reference is TOML"));

/// Returns the default configuration.
pub fn defaults() -> Config {
    load("").map(|loaded| loaded.value).expect("the reference configuration is TOML")
}

/// Reads the text of a `site.toml`. An unknown or invalid key keeps its default and is reported as an error. Invalid
/// TOML, and errors in keys that decide which files are published, make loading fail, as no default is safe.
pub fn load(text: &str) -> Result<WithNotes<Config>, Vec<Diagnostic>> {
    load_at(text, &BuildEnvironment::default())
}

/// Loads a configuration and completes it with the environment of a build.
pub fn load_at(
    text: &str,
    environment: &BuildEnvironment,
) -> Result<WithNotes<Config>, Vec<Diagnostic>> {
    let lines = Lines::new(text);
    let given = DeTable::parse(text).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        let note = Note::error("bad-toml", at, first_line(error.message()));
        let note = match error.message().starts_with("duplicate key") {
            true => note.hint("this key is set further up in the file; change its value there"),
            false => note,
        };
        vec![note.locate(FILE, &lines)]
    })?;
    let known = &*KNOWN;
    // Parsed twice, for locations and for values; the text is small.
    let values: Table = text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().unwrap_or(0..0);
        let note = Note::error("bad-toml", at, first_line(error.message()));
        vec![note.locate(FILE, &lines)]
    })?;
    let (mut merged, mut config) = DEFAULTS.clone();
    let mut notes = Vec::new();
    let mut rules = Vec::new();
    let mut listed = People::default();
    let (mut policy, mut own_words) = (GatePolicy::default(), Vec::new());
    let mut fatal = Vec::new();
    for (key, value) in given.get_ref() {
        let name = key.get_ref().as_ref();
        let wrong = match name {
            "source" => source::rules(value, &lines).map(|read| rules = read).err(),
            "gate" => gate::policy(value, &lines).map(|read| policy = read).err(),
            "redact" => gate::own_words(value, &lines).map(|read| own_words = read).err(),
            _ => None,
        };
        fatal.extend(wrong.into_iter().flatten());
        if PRIVATE.contains(&name) {
            continue;
        }
        if name == "people" {
            match people::people(value, &lines) {
                Ok(read) => listed = read,
                Err(wrong) => fatal.extend(wrong),
            }
            continue;
        }
        let Some(example) = known.get(name) else {
            let note = unknown_key(name, key.span(), known);
            let inside = misplaced::below(name, value, None);
            if let Some(meant) = misplaced::gate_key(name) {
                let note = note.hint(format!("did you mean `{meant}`?"));
                fatal.push(note.hint(NOTHING_WRITTEN).locate(FILE, &lines));
            } else if misplaced::chooses_files(name)
                || misplaced::names_files(value.get_ref())
                || !inside.is_empty()
            {
                let note = note.hint(misplaced::INSTEAD).hint(NOTHING_WRITTEN);
                fatal.push(note.locate(FILE, &lines));
            } else {
                notes.push(note.locate(FILE, &lines));
            }
            continue;
        };
        let inside = misplaced::below(name, value, Some(example));
        if !inside.is_empty() {
            let inside = inside.into_iter().map(|note| note.hint(NOTHING_WRITTEN));
            fatal.extend(inside.map(|note| note.locate(FILE, &lines)));
            continue;
        }
        let Some(parsed) = values.get(name) else { continue };
        if !parsed.same_type(example) {
            let (expected, found) = (example.type_str(), parsed.type_str());
            let message = format!("`{name}` expects a value of type {expected}, not {found}");
            let note = Note::error("bad-value", value.span(), message);
            match DECIDES_WHAT_IS_PUBLISHED.contains(&name) {
                true => fatal.push(note.hint(NOTHING_WRITTEN).locate(FILE, &lines)),
                false => notes.push(note.locate(FILE, &lines)),
            }
            continue;
        }
        let default = merged.insert(key.clone(), value.clone());
        // One key at a time, so that each error can be attributed to its key.
        match of(merged.clone()) {
            Ok(better) => config = better,
            Err(error) => {
                merged.remove(name);
                merged.extend(default.map(|default| (key.clone(), default)));
                let message = format!("`{name}`: {}", first_line(error.message()));
                let range = error.span().unwrap_or(value.span());
                let note = Note::error("bad-value", range, message);
                let note = note
                    .hint("see the Configuration page of the manual for the values of this key");
                match DECIDES_WHAT_IS_PUBLISHED.contains(&name) {
                    true => fatal.push(note.hint(NOTHING_WRITTEN).locate(FILE, &lines)),
                    false => notes.push(note.locate(FILE, &lines)),
                }
            }
        }
    }
    environment.complete(&mut config);
    match below(&config.content) {
        Some(content) => config.content = content,
        None => {
            let at = place_of(text, &["content"], false);
            let message = "`content` must be a folder inside the site folder";
            let note = Diagnostic::new(Severity::Error, "bad-value", message);
            let hint = "use a path such as `content` or `texts/talks`, without `..`";
            fatal.push(Diagnostic { at: Some(at), ..note.hint(hint) });
        }
    }
    if !fatal.is_empty() {
        fatal.append(&mut notes);
        return Err(fatal);
    }
    config.source = rules;
    config.people = listed;
    (config.gate, config.redact) = (policy, own_words);
    let places = given.get_ref().iter().map(|(key, value)| {
        let span = Some(lines.span(value.span()));
        (key.get_ref().to_string(), Location { file: FILE.to_owned(), span })
    });
    config.places = KeyLocations(places.collect());
    config.redirects = placed(config.redirects, given.get_ref(), &lines);
    let table = given.get_ref();
    let links = |value: Option<&Spanned<DeValue<'_>>>, into: &mut Vec<MenuLink>| {
        let list = value.and_then(|value| value.get_ref().as_array());
        for (link, written) in into.iter_mut().zip(list.into_iter().flat_map(|all| all.iter())) {
            place(link, written, &lines);
        }
    };
    links(table.get("menu"), &mut config.menu);
    let footer = table.get("footer").and_then(|value| value.get_ref().as_table());
    links(footer.and_then(|footer| footer.get("links")), &mut config.footer.links);
    if config.base_url.is_example() {
        let message = "`base_url` is an example URL, not the URL of this site";
        let note = Diagnostic::new(Severity::Warning, "example-base-url", message);
        notes.push(note.in_file(FILE).hint("set it to the URL of the site, or to \"\""));
    }
    if config.base_url.origin.is_empty() {
        notes.push(
            Diagnostic::new(
                Severity::Warning,
                "no-base-url",
                "`base_url` is not set: the site has no canonical URLs, sitemap or feed",
            )
            .in_file(FILE)
            .hint("set it to the URL of the site"),
        );
    }
    Ok(WithNotes { value: config, notes })
}

/// Sets the location of the target of a menu entry.
fn place(link: &mut MenuLink, written: &Spanned<DeValue<'_>>, lines: &Lines<'_>) {
    let (key, text) = match &mut link.target {
        MenuTarget::Url(text) => ("url", text),
        MenuTarget::Page(text) => ("page", text),
        MenuTarget::Section(_) | MenuTarget::OtherSections => return,
    };
    let value = written.get_ref().as_table().and_then(|table| table.get(key));
    let range = value.map_or(written.span(), Spanned::span);
    *text = std::mem::replace(text, LocatedText::from(String::new())).at(range, lines);
}

/// Returns the redirects with their locations.
fn placed(
    redirects: BTreeMap<LocatedText, LocatedText>,
    given: &DeTable<'_>,
    lines: &Lines<'_>,
) -> BTreeMap<LocatedText, LocatedText> {
    let table = given.get("redirects").and_then(|table| table.get_ref().as_table());
    let place = |(from, to): (LocatedText, LocatedText)| match table
        .and_then(|table| table.get_key_value(from.text.as_str()))
    {
        Some((key, value)) => (from.at(key.span(), lines), to.at(value.span(), lines)),
        None => (from, to),
    };
    redirects.into_iter().map(place).collect()
}

fn of(table: DeTable<'_>) -> Result<Config, toml::de::Error> {
    Config::deserialize(Deserializer::from(Spanned::new(0..0, table)))
}

/// Returns the reference with its commented examples enabled.
fn with_examples() -> String {
    let lines = REFERENCE.lines().map(|line| {
        let example = line.strip_prefix('#').filter(|rest| !rest.starts_with([' ', '#']));
        example.filter(|example| !example.is_empty()).unwrap_or(line)
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Returns the normalised path of a folder below another one; `None` if it is outside.
fn below(path: &str) -> Option<String> {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let is_absolute = path.starts_with('/') || cfg!(windows) && path.contains(':');
    let parts = path.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<&str> = parts.collect();
    let stays = !is_absolute && !parts.contains(&"..");
    stays.then(|| to_nfc(&parts.join("/")).into_owned())
}

fn unknown_key(name: &str, at: Range<usize>, known: &Table) -> Note {
    let note = Note::error("unknown-key", at, format!("unknown key `{name}`"));
    let head = known.iter().find_map(|(table, value)| match value {
        Value::Table(inside) if inside.contains_key(name) => Some(format!("[{table}]")),
        Value::Array(all) if all.iter().any(|inside| inside.get(name).is_some()) => {
            Some(format!("[[{table}]]"))
        }
        _ => None,
    });
    if let Some(head) = head {
        return note.hint(format!("move it below the line `{head}`"));
    }
    match closest(name, known.keys().map(String::as_str)) {
        Some(near) => note.hint(format!("did you mean `{near}`?")),
        None => note.hint("see the Configuration page of the manual for all keys"),
    }
}

#[cfg(test)]
mod tests {
    use super::load;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        // The TOML library sorts keys by name.
        let text = format!("base_url = 'https://site.example'\n{text}");
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
        let without_address = |text: &str| text.replace("base_url = \"\"", "");
        check(&without_address(super::REFERENCE), &[]);
        check(&without_address(&super::with_examples()), &[]);
    }

    #[test]
    fn every_key_of_a_table_is_in_the_reference() {
        let check = |head: &str, names: &[&str]| {
            let (_, table) = super::REFERENCE.split_once(&format!("#{head}")).unwrap();
            for name in names {
                let is_there = table.contains(&format!("\n#{name} = "));
                let is_table =
                    table.contains(&format!("\n#{}.{name}]", head.trim_end_matches(']')));
                let is_in_prose = super::REFERENCE.contains(&format!("`{name}`"));
                assert!(is_there || is_table || is_in_prose, "{head} {name}");
            }
        };
        for head in [
            "[look]", "[footer]", "[head]", "[home]", "[og_images]", "[search]", "[output]",
            "[deploy]", "[services]",
        ] {
            let notes = load(&format!("{head}\nzzz = 1\n")).unwrap().notes;
            // The error of the library lists all known keys.
            let (_, names) = notes[0].message.split_once("expected").unwrap();
            let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
            assert!(!names.is_empty(), "{}", notes[0].message);
            check(head, &names);
        }
        check("[[source]]", &crate::config::source_rule::KEYS);
        check("[people", &crate::config::people::KEYS);
        check("[gate]", &crate::config::gate::GATE_KEYS);
        check("[[redact]]", &crate::config::gate::REDACT_KEYS);
    }

    #[test]
    fn the_wrong_part_is_underlined() {
        let hint = "see the Configuration page of the manual for the values of this key";
        check(
            "image_hosts = ['a.example', 'data:']\n[look]\nwidth = '1rem'\n\
             colors = { link = '#123', ink = 'red; }' }",
            &[
                &format!(
                    "2:15 `image_hosts`: expected a host name such as `images.example.org` | {hint}"
                ),
                &format!("5:33 `look`: expected a CSS value such as `#1c5d74` | {hint}"),
            ],
        );
        check("colors = {}", &["2:1 unknown key `colors` | move it below the line `[look]`"]);
    }

    #[test]
    fn a_wrong_key_is_named_with_the_nearest() {
        check("tilte = 'x'\nhtml = 'basic'", &["2:1 unknown key `tilte` | did you mean `title`?"]);
    }

    #[test]
    fn a_wrong_value_keeps_the_default() {
        let hint = "see the Configuration page of the manual for the values of this key";
        check(
            "math = 'yes'\npage_entries = 0\nhtml = \"all\"",
            &[
                &format!("4:8 `html`: unknown value `all`, expected `escape` or `basic` | {hint}"),
                "2:8 `math` expects a value of type boolean, not string | ",
                &format!("3:16 `page_entries`: expected a number from 1 to 10000 | {hint}"),
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
        assert_eq!(base("https://A.example/b"), ("https://a.example".into(), "/b/".into()));
        assert_eq!(base("http://localhost:3000"), ("http://localhost:3000".into(), "/".into()));
        assert_eq!(base("javascript:alert(1)"), (String::new(), "/".into()));
    }
}
