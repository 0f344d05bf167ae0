//! Redacts conversations and files of exports, so that anybody may read the result.

use super::media::public_bytes;
use super::static_content::refusal;
use crate::config::Config;
use crate::diag::Diagnostic;
use crate::gate::Gate;
use crate::json::Value;
use crate::model::{Conversation, TextRole};
use crate::path::RelPath;
use crate::people::NameFinder;
use crate::sources::find::reason::Release;
use crate::sources::find::rules::Rules;

/// The gate and the people of a site, applied to sources that may become public. Redacts everything
/// that a build would withhold or warn about.
pub struct Redactor {
    pub(crate) rules: Rules,
}

impl Redactor {
    /// Creates a redactor from the configuration for reading exports, with the people of the site.
    pub fn new(config: &Config, gate: Gate) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { rules: Rules::new(config, gate.redacting())?.value })
    }

    /// Returns the check for files written for a conversation.
    pub fn check_of(&self, read: &Conversation) -> PublicCheck<'_> {
        let hidden = &read.hidden_names;
        let others = (!hidden.is_empty()).then(|| self.rules.finder(hidden));
        PublicCheck { rules: &self.rules, others }
    }
}

/// Checks files of a conversation that anybody may read.
pub struct PublicCheck<'a> {
    rules: &'a Rules,
    /// The finder of pseudonymised names of this conversation; `Some(None)` if there are too many.
    others: Option<Option<NameFinder>>,
}

impl PublicCheck<'_> {
    /// Returns the public form of an attached file; `None` if there is none, or if the file cannot
    /// be checked.
    pub fn file(&self, name: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let path = RelPath::new(name);
        let is_refused = refusal(&path, &bytes, self.rules, &Release::default()).is_some();
        if is_refused || self.contains_name(&String::from_utf8_lossy(&bytes)) {
            return None;
        }
        let public = public_bytes(bytes).ok()?;
        public.note.is_none().then_some(public.bytes)
    }

    /// Returns whether a JSON text contains anything that must not be public. `names` are the names
    /// of the conversation, which select accepted findings.
    pub fn reveals_in_json(&self, written: &str, names: &[&str]) -> bool {
        let Ok(document) = serde_json::from_str::<Value>(written) else { return true };
        let mut texts = Vec::new();
        each_text(&document, &mut texts);
        texts.into_iter().any(|text| self.reveals(text, names))
    }

    /// Returns whether a text contains anything that must not be public.
    pub fn reveals(&self, text: &str, names: &[&str]) -> bool {
        let seen = self.rules.gate.inspect_text(None, names, text, TextRole::Id);
        !seen.found.is_empty() || self.contains_name(text)
    }

    fn contains_name(&self, text: &str) -> bool {
        // If there are too many names to search for, any may occur.
        let is_in =
            |finder: &Option<NameFinder>| finder.as_ref().is_none_or(|finder| finder.is_in(text));
        self.rules.contains_name_everywhere(text) || self.others.as_ref().is_some_and(is_in)
    }
}

/// Collects the keys and texts of a document.
fn each_text<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| each_text(item, texts)),
        Value::Object(map) => {
            for (key, value) in map {
                texts.push(key);
                each_text(value, texts);
            }
        }
        _ => {}
    }
}
