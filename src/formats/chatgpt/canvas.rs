//! Canvas documents of ChatGPT.

use std::collections::HashMap;

use super::message::{list, text, words};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Action, FileEdit};

/// The documents of a conversation after the edits so far.
#[derive(Default)]
pub(super) struct Canvas {
    /// The texts by document name.
    texts: HashMap<String, String>,
    /// The name of the document that was changed last.
    last: String,
}

impl Canvas {
    /// Returns the edits of a call of the canvas tool `name`; `None` if it is not an edit, or was cut off.
    pub(super) fn edit(&mut self, name: &str, input: &str) -> Option<Action> {
        let (Value::Object(input), _) = json::parse(input).ok()? else { return None };
        let files = match name.rsplit('.').next()? {
            "create_textdoc" => vec![self.create(&input)?],
            "update_textdoc" => self.update(&input),
            _ => Vec::new(),
        };
        (!files.is_empty()).then_some(Action::Edit { files })
    }

    fn create(&mut self, input: &Map) -> Option<FileEdit> {
        let content = text(input, "content")?;
        self.last = words(input, "name").unwrap_or("canvas").to_owned();
        self.texts.insert(self.last.clone(), content.to_owned());
        Some(FileEdit::written(self.last.clone(), content))
    }

    fn update(&mut self, input: &Map) -> Vec<FileEdit> {
        if let Some(name) = words(input, "name") {
            self.last = name.to_owned();
        }
        let name = match self.last.as_str() {
            "" => "canvas",
            name => name,
        };
        let mut files = Vec::new();
        for update in list(input, "updates").iter().filter_map(Value::as_object) {
            let Some(new) = text(update, "replacement") else { continue };
            let pattern = text(update, "pattern").unwrap_or_default();
            let old = self.texts.get(name);
            // This pattern matches the whole document.
            if [".*", "^.*$", "(?s).*", "[\\s\\S]*"].contains(&pattern) {
                files.push(match old {
                    Some(old) => FileEdit::replaced(name, old, new),
                    None => FileEdit::written(name, new),
                });
                self.texts.insert(name.to_owned(), new.to_owned());
            } else {
                files.push(FileEdit::replaced(name, &unescaped(pattern), new));
                if let Some(old) = self.texts.get_mut(name) {
                    *old = old.replacen(&unescaped(pattern), new, 1);
                }
            }
        }
        files
    }
}

/// Returns the text that a regular expression without operators matches.
fn unescaped(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        let is_escape = c == '\\' && chars.peek().is_some_and(char::is_ascii_punctuation);
        out.extend(if is_escape { chars.next() } else { Some(c) });
    }
    out
}
