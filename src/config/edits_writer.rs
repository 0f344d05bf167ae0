//! Writes changes into the text of `edits.toml`, and keeps its comments and its order.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, Value, value};

use super::edits::Edits;
use crate::diag::Diagnostic;

/// A change to the entry of a conversation.
pub enum EditChange {
    /// Sets a key.
    Set(&'static str, EditValue),
    /// Adds texts to a list, except those that are in it.
    Add(&'static str, Vec<String>),
    /// Gives a speaker another name.
    RenameSpeaker(String, String),
    /// Removes a key.
    Unset(String),
}

/// The value of a key.
pub enum EditValue {
    /// A text.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A list of texts.
    Texts(Vec<String>),
}

/// The name of one conversation: its id in the source, or else the pattern of its file.
pub enum EditedConversation {
    /// The id.
    Id(String),
    /// The pattern.
    File(String),
}

/// Changes to one conversation.
pub struct ConversationEdit<'a> {
    /// The conversation.
    pub of: EditedConversation,
    /// Its title, which becomes the comment of a new entry.
    pub title: &'a str,
    /// What changes, in order.
    pub changes: Vec<EditChange>,
}

const HEAD: &str = "\
# Changes to conversations. The files stay as they are, and the changes still apply after a newer
# export replaces the files. Keep this file private: it contains the words to be redacted.
";

impl Edits {
    /// Returns the text of an `edits.toml` with changes to the entries of conversations. An entry without any change
    /// left is removed. Fails if the text, or the result, is invalid.
    pub fn with_changes(
        text: &str,
        edits: &[ConversationEdit<'_>],
    ) -> Result<String, Vec<Diagnostic>> {
        Self::parse(text.as_bytes())?;
        // Both libraries accept the same TOML.
        let mut document: DocumentMut = text.parse().unwrap_or_default();
        let Some(entries) = entries_of(&mut document) else { return Ok(text.to_owned()) };
        edits.iter().for_each(|edit| edit.apply(entries));
        let mut written = document.to_string();
        if text.trim().is_empty() {
            written = format!("{HEAD}\n{written}");
        }
        if text.contains("\r\n") {
            // The library writes `\n` only.
            written = written.replace("\r\n", "\n").replace('\n', "\r\n");
        }
        Self::parse(written.as_bytes())?;
        Ok(written)
    }

    /// Returns the entry of a conversation as TOML, if there is one.
    pub fn entry_of(text: &str, of: &EditedConversation) -> Option<String> {
        let mut document: DocumentMut = text.parse().ok()?;
        let entries = entries_of(&mut document)?;
        let mut entry = entries.iter().find(|entry| of.is_name_of(entry))?.clone();
        entry.decor_mut().clear();
        Some(entry.to_string())
    }
}

impl ConversationEdit<'_> {
    fn apply(&self, entries: &mut ArrayOfTables) {
        let known = entries.iter().position(|entry| self.of.is_name_of(entry));
        let at = known.unwrap_or(entries.len());
        if known.is_none() {
            let mut entry = Table::new();
            let (key, name) = self.of.pair();
            entry.insert(key, value(name));
            let gap = if entries.is_empty() { "" } else { "\n" };
            // Comments cannot contain control characters.
            let words = self.title.split(|c: char| c.is_whitespace() || c.is_control());
            let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
            let title = words.join(" ");
            entry.decor_mut().set_prefix(format!("{gap}# {title}\n"));
            entries.push(entry);
        }
        if let Some(entry) = entries.get_mut(at) {
            self.changes.iter().for_each(|change| change.apply(entry));
            if entry.len() == 1 {
                entries.remove(at);
            }
        }
    }
}

/// Returns the entries of a document.
fn entries_of(document: &mut DocumentMut) -> Option<&mut ArrayOfTables> {
    let inline = document.get(CONVERSATION).and_then(Item::as_array).cloned();
    if let Some(inline) = inline {
        // `conversation = [{…}]` is the same as `[[conversation]]`.
        let tables = inline.into_iter().filter_map(|one| match one {
            Value::InlineTable(table) => Some(table.into_table()),
            _ => None,
        });
        document.remove(CONVERSATION);
        document.insert(CONVERSATION, Item::ArrayOfTables(tables.collect()));
    }
    let none = Item::ArrayOfTables(ArrayOfTables::new());
    document.entry(CONVERSATION).or_insert(none).as_array_of_tables_mut()
}

/// The key of the entries.
const CONVERSATION: &str = "conversation";

/// The names of a speaker.
const SPEAKERS: &str = "speakers";

impl EditedConversation {
    fn pair(&self) -> (&'static str, &str) {
        match self {
            Self::Id(id) => ("id", id),
            Self::File(file) => ("file", file),
        }
    }

    /// Returns whether an entry has this name and no other.
    fn is_name_of(&self, entry: &Table) -> bool {
        let (key, name) = self.pair();
        let names = ["id", "file"].into_iter().filter(|key| entry.contains_key(key)).count();
        names == 1 && entry.get(key).and_then(Item::as_str) == Some(name)
    }
}

impl EditChange {
    fn apply(&self, entry: &mut Table) {
        match self {
            Self::Set(key, EditValue::Text(text)) => _ = entry.insert(key, value(text)),
            Self::Set(key, EditValue::Flag(flag)) => _ = entry.insert(key, value(*flag)),
            Self::Set(key, EditValue::Texts(texts)) => {
                entry.insert(key, value(texts.iter().collect::<Array>()));
            }
            Self::Add(key, texts) => {
                let list = entry.entry(key).or_insert(value(Array::new()));
                let Some(list) = list.as_array_mut() else { return };
                for text in texts {
                    if !list.iter().any(|known| known.as_str() == Some(text)) {
                        list.push(text);
                    }
                }
            }
            Self::RenameSpeaker(name, new) => {
                let speakers = entry.entry(SPEAKERS).or_insert(value(InlineTable::new()));
                if let Some(speakers) = speakers.as_table_like_mut() {
                    speakers.insert(name, value(new));
                }
            }
            Self::Unset(key) => _ = entry.remove(key),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ConversationEdit, EditChange, EditValue, EditedConversation};
    use crate::config::Edits;

    #[test]
    fn an_entry_is_added_changed_and_removed() {
        let of = || EditedConversation::Id("a\"b".to_owned());
        let change = |text: &str, changes: Vec<EditChange>| {
            let edit = ConversationEdit { of: of(), title: "The\n\u{7}tide mill", changes };
            Edits::with_changes(text, &[edit]).expect("valid")
        };
        let title = EditChange::Set("title", EditValue::Text("Mill\n\"2\"".to_owned()));
        let hide = || EditChange::Add("hide", vec!["t1".to_owned(), "t1".to_owned()]);
        let rename = || EditChange::RenameSpeaker("User".to_owned(), "Ada".to_owned());
        let own = "# Mine\n[[conversation]] # here\nfile = \"b\"\npinned = true\n";
        let text = change(own, vec![title, hide(), hide(), rename()]);
        assert_eq!(
            text,
            format!(
                "{own}\n# The tide mill\n[[conversation]]\nid = 'a\"b'\ntitle = \"\"\"\nMill\n\"2\"\"\"\"\n\
                 hide = [\"t1\"]\nspeakers = {{ User = \"Ada\" }}\n"
            )
        );
        let unset = |key: &str| EditChange::Unset(key.to_owned());
        assert_eq!(change(&text, vec![unset("title"), unset("hide"), unset("speakers")]), own);
        assert_eq!(
            Edits::entry_of(&text, &of()).expect("an entry").lines().next(),
            Some("id = 'a\"b'")
        );
    }

    #[test]
    fn a_new_file_says_what_it_is() {
        let of = EditedConversation::File("a.md".to_owned());
        let changes = vec![EditChange::Set("pinned", EditValue::Flag(true))];
        let edit = ConversationEdit { of, title: "A", changes };
        let text = Edits::with_changes("", &[edit]).expect("valid");
        assert!(text.starts_with("# Changes") && text.ends_with("pinned = true\n"), "{text}");
    }
}
