//! Reads and writes the files of `import`: single conversations of an export, stored where everybody may
//! read them.
//!
//! A file is CJSON with everything that a page can show and no account data. A seal (a hash of all other
//! content) shows whether the file was edited since. Marks that the author adds, such as `"private": true`,
//! are not edits, and a newer version of the file keeps them.

use std::collections::HashMap;

use serde_json::json;

use super::{Write, named};
use crate::shared::access::tool_access::WITHHELD;
use crate::shared::access::visibility;
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, REVIEWED};
use convo_base::time::Time;

/// The extension of the files.
pub const EXTENSION: &str = "cjson.json";
/// The format of the files.
const FORMAT: &str = "cjson";
/// The key in `extensions` of a file, and the key below it.
const KEYS: [&str; 2] = ["convo-site", "import"];

/// The import record of a file.
#[derive(Clone, PartialEq, Debug)]
pub struct ImportRecord {
    /// Identifies the conversation among all others.
    pub key: String,
    /// When the conversation was last changed, according to its export.
    pub updated: Option<Time>,
    /// The hash of what was written.
    pub seal: String,
    /// Whether the content no longer matches the seal.
    pub is_edited: bool,
}

/// Returns the text of the file for a conversation, and its seal.
///
/// The file contains everything that pages can show, and the program it comes from. It does not contain
/// fields that no page shows: accounts, ids of people and bookkeeping.
pub fn write(mut read: Conversation, key: &str, from: Option<&str>) -> (String, String) {
    drop_accounts(&mut read);
    let updated = read.updated.as_ref().map(Time::as_written).map(str::to_owned);
    let text = match named(FORMAT).and_then(|format| format.write.as_ref()) {
        Some(Write::File(_, write)) => write(&read, ""),
        _ => String::new(),
    };
    let mut document: Value = serde_json::from_str(&text).unwrap_or_default();
    let own = &mut document["extensions"][KEYS[0]];
    own[KEYS[1]] = json!({ "key": key, "from": from, "updated": updated });
    let seal = seal(&document);
    document["extensions"][KEYS[0]][KEYS[1]]["seal"] = seal.clone().into();
    (json::pretty(&document) + "\n", seal)
}

/// Returns the import record of a file; `None` if `import` did not write the file.
pub fn find(text: &str) -> Option<ImportRecord> {
    // Skips parsing all other files.
    if !text.contains("\"seal\"") {
        return None;
    }
    let mut document: Value = serde_json::from_str(text).ok()?;
    let own = document.get_mut("extensions")?.get_mut(KEYS[0])?;
    let import = own.get_mut(KEYS[1])?.as_object_mut()?;
    let written = import.shift_remove("seal")?.as_str()?.to_owned();
    let key = import.get("key")?.as_str()?.to_owned();
    let updated = import.get("updated").and_then(Value::as_str);
    let updated = updated.and_then(|text| Time::parse(text).ok()).map(|(time, _)| time);
    let is_edited = seal(&document) != written && {
        for_each_object(&mut document, &mut |_, map| map.retain(|key, _| !is_author_mark(key)));
        seal(&document) != written
    };
    Some(ImportRecord { key, updated, seal: written, is_edited })
}

/// Returns the text of a newer version of a file with the marks of the older one: who may read the conversation
/// or a message, and that it was reviewed. If the versions have different values of a mark, the conversation or
/// message is private.
pub fn with_marks(text: &str, older: &str) -> String {
    let (Ok(mut document), Ok(mut old)) = (serde_json::from_str(text), serde_json::from_str(older))
    else {
        return text.to_owned();
    };
    let mut marks: HashMap<String, Map> = HashMap::new();
    for_each_object(&mut old, &mut |place, map| {
        let own = map.iter().filter(|(key, _)| is_author_mark(key));
        marks.insert(
            place.to_owned(),
            own.map(|(key, value)| (key.clone(), value.clone())).collect(),
        );
    });
    for_each_object(&mut document, &mut |place, map| {
        for (key, value) in marks.remove(place).unwrap_or_default() {
            if map.get(&key).is_some_and(|newer| *newer != value) {
                // Either may be right.
                map.insert("private".to_owned(), true.into());
            } else {
                map.insert(key, value);
            }
        }
    });
    json::pretty(&document) + "\n"
}

/// Calls `each` with each object of a file that may have marks: the conversation, its messages, and what their
/// extensions contain for convo-site. The names of messages are their ids.
fn for_each_object(document: &mut Value, each: &mut dyn FnMut(&str, &mut Map)) {
    let mut both = |name: &str, value: &mut Value| {
        let Some(map) = value.as_object_mut() else { return };
        each(name, map);
        let own = map.get_mut("extensions").and_then(|all| all.get_mut(KEYS[0]));
        if let Some(own) = own.and_then(Value::as_object_mut) {
            each(&format!("{name} extensions"), own);
        }
    };
    both("", document);
    let messages = document.get_mut("messages").and_then(Value::as_array_mut);
    for message in messages.into_iter().flatten() {
        let id = message.pointer("/extensions/convo-site/id").and_then(Value::as_str);
        if let Some(id) = id.map(str::to_owned) {
            both(&format!("message {id}"), message);
        }
    }
}

/// Returns whether a key says who may read its object, or that it was reviewed.
fn is_author_mark(key: &str) -> bool {
    key == REVIEWED || visibility::is_about(key)
}

/// Returns the hash of a document, independent of white space.
fn seal(document: &Value) -> String {
    Hash::of(&document.to_string()).short(20)
}

/// Removes what no page shows, and ids of people.
fn drop_accounts(read: &mut Conversation) {
    read.unpublished.clear();
    for turn in read.all_turns_mut() {
        turn.unpublished.clear();
        for block in &mut turn.blocks {
            match block {
                Block::Tool(call) => {
                    call.unpublished.retain(is_mark);
                    for approval in &mut call.approvals {
                        approval.by = None;
                        approval.unpublished.clear();
                    }
                    for result in &mut call.results {
                        result.unpublished.retain(is_mark);
                    }
                }
                Block::Attachment(attachment) => attachment.unpublished.clear(),
                _ => {}
            }
        }
    }
}

/// Returns whether a field is a marker that something was withheld.
fn is_mark(key: &String, value: &mut Value) -> bool {
    key == WITHHELD && *value == true
}

#[cfg(test)]
mod tests {
    use super::{find, with_marks, write};
    use convo_base::model::{Conversation, Kind, Turn, name_turns};

    #[test]
    fn an_edit_breaks_the_seal_and_spaces_do_not() {
        let mut read = Conversation { id: Some("7".into()), ..Conversation::default() };
        read.introduce("Ada", Kind::Person);
        read.turns.push(Turn::from_text("Ada", "Which moss is this?"));
        name_turns(&mut read.turns);
        read.unpublished.insert("account".into(), "ada@example.org".into());
        let (text, seal) = write(read, "k", Some("cjson"));
        assert!(!text.contains("example.org"), "{text}");
        let kept = find(&text).unwrap();
        assert!(kept.key == "k" && kept.seal == seal && !kept.is_edited, "{text}");
        let spaced = text.replace("\n", "\r\n\t");
        assert_eq!(find(&spaced), Some(kept.clone()));
        let edited = find(&text.replace("Which moss", "What moss")).unwrap();
        assert!(edited.is_edited && edited.seal == kept.seal);
        assert_eq!(find(r#"{"messages": [], "seal": "x"}"#), None);
        // Marks are not edits and are kept.
        let marked = text.replacen('{', r#"{"private": true, "reviewed": true,"#, 1);
        assert!(!find(&marked).unwrap().is_edited);
        let newer = with_marks(&text, &marked);
        assert!(newer.contains(r#""private": true"#) && newer.contains(r#""reviewed": true"#));
        assert_eq!(with_marks(&text, &text), text);
        // The mark of the newer version does not open what the author withheld, and the other way round.
        let open = text.replacen('{', r#"{"private": false,"#, 1);
        for (newer, older) in [(&open, &marked), (&marked, &open)] {
            assert!(with_marks(newer, older).contains(r#""private": true"#));
        }
    }
}
