//! Finds keys in `site.toml` that have no effect but look as if they chose which files are published. Their author
//! believes that files are private which are not.

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::source_rule::KEYS;
use crate::diag::Note;
use crate::text::edit_distance;

/// Tables with keys that the author names freely.
const OWN_NAMES: [&str; 4] = ["redirects", "colors", "dark_colors", "fonts"];

/// The table whose values already report every unknown key below them.
const STRICT: &str = "services";

/// The table that is for templates only.
const FOR_TEMPLATES: &str = "extra";

/// The hint for a misplaced key.
pub(super) const INSTEAD: &str = "to choose which files are published, use `visibility = \"private\"` \
    or `ignore = true` in a `[[source]]`";

/// Returns errors for all such keys below the value of the key `name`. `example` is a valid value, if the key is
/// known.
pub(super) fn below(
    name: &str,
    value: &Spanned<DeValue<'_>>,
    example: Option<&Value>,
) -> Vec<Note> {
    match value.get_ref() {
        DeValue::Table(table) => inside(name, table, example.and_then(Value::as_table)),
        DeValue::Array(list) => list.iter().flat_map(|one| below(name, one, None)).collect(),
        _ => Vec::new(),
    }
}

fn inside(head: &str, table: &DeTable<'_>, example: Option<&Table>) -> Vec<Note> {
    if head == FOR_TEMPLATES && example.is_some() {
        return for_templates(table);
    }
    let has_own_names = example.is_some() && OWN_NAMES.contains(&head);
    let mut notes = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        let known = example.and_then(|example| example.get(name));
        let is_misplaced = match known {
            Some(_) => false,
            None if has_own_names => is_no_name(name, value.get_ref()),
            None => chooses_files(name) || names_files(value.get_ref()),
        };
        if !is_misplaced && head == STRICT && known.is_some() {
            continue;
        }
        if !is_misplaced {
            notes.extend(below(name, value, known));
            continue;
        }
        let message = format!("`{name}` has no effect below `{head}`");
        let note = Note::error("unknown-key", key.span(), message).hint(INSTEAD);
        notes.push(match head {
            "redirects" => note.hint("to redirect an old URL of that name, add `/` to its end"),
            _ => note,
        });
    }
    notes
}

/// Returns errors for keys of the site that decide what is published but were written below `[extra]`, which only
/// ends where the next table starts.
fn for_templates(table: &DeTable<'_>) -> Vec<Note> {
    let decides = ["publish", "review", "visibility", "ignore", "include", "exclude"];
    let misplaced = table.keys().filter(|key| decides.contains(&key.get_ref().as_ref()));
    let note = |key: &Spanned<_>| {
        let message = format!("`{}` has no effect below `{FOR_TEMPLATES}`", key.get_ref());
        let note = Note::error("unknown-key", key.span(), message).hint(INSTEAD);
        note.hint("move `publish` and `review` above the first line with `[`")
    };
    misplaced.map(note).collect()
}

/// Returns whether an unknown key looks as if it chose which files are published.
pub(super) fn chooses_files(name: &str) -> bool {
    let plain = plain(name);
    ["source", "content"].iter().any(|meant| edit_distance(&plain, meant) <= 2)
        || KEYS.contains(&name)
        || CHOICES.iter().any(|word| plain.contains(word))
}

/// Returns the table for secrets that an unknown key at the top level may be a misspelling of.
pub(super) fn gate_key(name: &str) -> Option<&'static str> {
    let plain = plain(name);
    let is_near = |(meant, edits): &(&str, usize)| edit_distance(&plain, meant) <= *edits;
    let near = [("gate", 1), ("redact", 2)].into_iter().find(is_near);
    near.map(|(meant, _)| meant)
}

/// Returns whether the value of an unknown key looks like file patterns or a visibility.
pub(super) fn names_files(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::String(text) => text.contains('*') || is_choice(text),
        // A list of tables looks like `[[source]]`.
        DeValue::Array(list) => list.iter().any(|one| {
            let one = one.get_ref();
            matches!(one, DeValue::Table(_)) || names_files(one)
        }),
        _ => false,
    }
}

/// Returns whether a key in a table with free names is probably misplaced.
fn is_no_name(name: &str, value: &DeValue<'_>) -> bool {
    let is_key = ["content", "files", "ignore", "visibility"].contains(&name);
    match value {
        DeValue::String(text) => {
            let is_path = text.contains(['/', '*']);
            is_key
                || is_choice(name) && (is_path || is_choice(text))
                || is_choice(text) && name.contains(['/', '*'])
        }
        _ => is_choice(name) || chooses_files(name),
    }
}

/// Returns whether a text is nothing but a word for hiding or skipping files.
fn is_choice(text: &str) -> bool {
    let word = text.to_lowercase();
    let one = word.strip_suffix('s').unwrap_or(&word);
    WHOLE.contains(&one)
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Words for hiding or skipping files.
const WHOLE: [&str; 20] = [
    "blacklist", "confidential", "content", "deny", "draft", "exclude", "file", "hidden", "hide",
    "ignore", "include", "internal", "path", "private", "secret", "skip", "source", "unlisted",
    "unpublished", "visibility",
];

/// Parts of key names that suggest a choice of files.
const CHOICES: [&str; 44] = [
    "access", "allow", "audience", "blacklist", "block", "conceal", "confidential", "deny",
    "donotshare", "dontshare", "draft", "embargo", "exclude", "exclusion", "file", "filter",
    "folder", "forbid", "glob", "hidden", "hide", "ignore", "include", "internal", "keepout",
    "locked", "members", "omit", "path", "pattern", "priv", "protect", "public", "publish",
    "restrict", "rule", "secret", "sharing", "skip", "source", "unlist", "visib", "withh",
    "without",
];
