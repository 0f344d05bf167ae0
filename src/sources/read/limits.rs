//! Limits the metadata of a conversation. Every page repeats it, so in a long conversation a title
//! of one megabyte would take a gigabyte.

use crate::diag::{Diagnostic, Severity};
use crate::json::{Map, Value};
use crate::model::Conversation;
use crate::sources::find::source::Source;
use crate::text::excerpt;

/// The maximum length of a title, tag, type, language or model name. Characters.
const MAX_WORD_CHARS: usize = 1000;
/// The maximum number of tags, and of languages.
const MAX_LIST_ITEMS: usize = 100;
/// The maximum size of all other metadata that is repeated on each page. Bytes.
const MAX_EXTRA_BYTES: usize = 16 << 10;

/// Shortens metadata that exceeds the limits, with a diagnostic for each.
pub(super) fn enforce(read: &mut Conversation, source: &Source, notes: &mut Vec<Diagnostic>) {
    let mut say = |message: String, hint: &str| {
        let note = Diagnostic::new(Severity::Warning, "too-long", message);
        notes.push(note.in_file(source.label()).hint(hint));
    };
    if let Some(title) = read.title.as_mut().filter(|title| is_too_long(title)) {
        *title = excerpt(title, MAX_WORD_CHARS);
        let message = format!("a title is longer than {MAX_WORD_CHARS} characters");
        say(message, "only its beginning is shown");
    }
    let count = read.tags.len();
    read.tags.retain(|tag| !is_too_long(tag));
    if read.tags.len() < count {
        let message = format!("a tag is longer than {MAX_WORD_CHARS} characters");
        say(message, "the tag is not shown");
    }
    let lists = [
        (&mut read.tags, "tags"),
        (&mut read.languages, "languages"),
        (&mut read.speculative_languages, "guessed languages"),
    ];
    for (list, what) in lists {
        if list.len() > MAX_LIST_ITEMS {
            list.truncate(MAX_LIST_ITEMS);
            let message = format!("a conversation has more than {MAX_LIST_ITEMS} {what}");
            say(message, "the others are not shown");
        }
    }
    let models = read.participants.iter_mut().filter_map(|who| who.model.as_mut());
    let languages = read.languages.iter_mut().chain(&mut read.speculative_languages);
    for word in models.chain(&mut read.kind).chain(languages) {
        if is_too_long(word) {
            *word = excerpt(word, MAX_WORD_CHARS);
            let message = format!(
                "a type, language or model name is longer than {MAX_WORD_CHARS} characters"
            );
            say(message, "only its beginning is shown");
        }
    }
}

/// Returns whether the other metadata is short enough for every page.
pub(super) fn is_extra_short(extra: &Map) -> bool {
    extra.iter().map(|(key, value)| key.len() + len(value)).sum::<usize>() <= MAX_EXTRA_BYTES
}

/// Estimates the size of a value. Bytes.
fn len(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(|value| len(value) + 2).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + len(value) + 4).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

fn is_too_long(word: &str) -> bool {
    word.len() > MAX_WORD_CHARS && word.chars().nth(MAX_WORD_CHARS).is_some()
}
