//! How long words about a conversation may be: they stand on every page of it, so that one of a
//! megabyte would make a gigabyte of a long one.

use super::Source;
use crate::diag::{Diagnostic, Severity};
use crate::json::{Map, Value};
use crate::model::Conversation;
use crate::text::excerpt;

/// Characters of a title, a tag, a type, a language or the name of a model.
const WORD: usize = 1000;
/// Tags of a conversation, and languages.
const MOST: usize = 100;
/// Whatever else is said of it, where it stands on each of several pages. Bytes.
const REST: usize = 16 << 10;

/// Cuts what is longer, and says so.
pub(super) fn bound(
    read: &mut Conversation,
    source: &Source,
    notes: &mut Vec<Diagnostic>,
) {
    let mut say = |message: String, hint: &str| {
        let note = Diagnostic::new(Severity::Warning, "too-long", message);
        notes.push(note.in_file(source.label()).hint(hint));
    };
    if let Some(title) = read.title.as_mut().filter(|title| is_longer(title, WORD)) {
        *title = excerpt(title, WORD);
        let message = format!("a title is longer than {WORD} characters");
        say(message, "its beginning is shown");
    }
    let count = read.tags.len();
    read.tags.retain(|tag| !is_longer(tag, WORD));
    if read.tags.len() < count {
        let message = format!("a tag is longer than {WORD} characters");
        say(message, "it is left out");
    }
    let lists = [
        (&mut read.tags, "tags"),
        (&mut read.languages, "languages"),
        (&mut read.speculative_languages, "guessed languages"),
    ];
    for (list, what) in lists {
        if list.len() > MOST {
            list.truncate(MOST);
            let message = format!("a conversation has more than {MOST} {what}");
            say(message, "the others are left out");
        }
    }
    let models = read.participants.iter_mut().filter_map(|who| who.model.as_mut());
    let languages = read.languages.iter_mut().chain(&mut read.speculative_languages);
    for word in models.chain(&mut read.kind).chain(languages) {
        if is_longer(word, WORD) {
            *word = excerpt(word, WORD);
            let message = format!(
                "a type, a language or a model's name is longer than {WORD} characters"
            );
            say(message, "its beginning is shown");
        }
    }
}

/// Whether what else is said of a conversation may stand on every one of its pages.
pub(super) fn is_short(extra: &Map) -> bool {
    extra.iter().map(|(key, value)| key.len() + len(value)).sum::<usize>() <= REST
}

/// About how many bytes a value takes.
fn len(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(|value| len(value) + 2).sum(),
        Value::Object(map) => {
            map.iter().map(|(key, value)| key.len() + len(value) + 4).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

fn is_longer(text: &str, most: usize) -> bool {
    text.len() > most && text.chars().nth(most).is_some()
}
