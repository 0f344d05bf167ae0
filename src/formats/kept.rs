//! Files that `import` writes: a conversation of an export, which is kept beside others and may be
//! read by everybody.
//!
//! It is CJSON with all that a page can show and nothing of accounts. A seal, which is a hash of
//! all the rest, tells whether somebody edited the file since.

use serde_json::json;

use super::tool_access::WITHHELD;
use super::{Write, named};
use convo_base::hash::Hash;
use convo_base::json::{self, Value};
use convo_base::model::{Block, Conversation};
use convo_base::time::Time;

/// The ending of the files.
pub const ENDING: &str = "cjson.json";
/// The format of the files.
const FORMAT: &str = "cjson";
/// Our own key among the `extensions` of a file, and the one below it.
const KEYS: [&str; 2] = ["convo-site", "import"];

/// What a file says of how it came.
#[derive(Clone, PartialEq, Debug)]
pub struct Kept {
    /// Tells its conversation from all others.
    pub key: String,
    /// When its export says that the conversation was changed last.
    pub updated: Option<Time>,
    /// The hash of what was written.
    pub seal: String,
    /// Whether something else stands there now.
    pub is_edited: bool,
}

/// Returns what is kept of a conversation under a key, as the text of a file, and its seal.
///
/// Everything that pages can show is in it, and which program it comes from. The fields that no page
/// shows are not: accounts, ids of people, bookkeeping of programs.
pub fn write(mut read: Conversation, key: &str, from: Option<&str>) -> (String, String) {
    leave_out_accounts(&mut read);
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

/// Returns what a file says of how it came; `None` for one that `import` did not write.
pub fn find(text: &str) -> Option<Kept> {
    // Other files need not be parsed.
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
    let is_edited = seal(&document) != written;
    Some(Kept { key, updated, seal: written, is_edited })
}

/// Returns the hash of a document, however it is spaced.
fn seal(document: &Value) -> String {
    Hash::of(&document.to_string()).short(20)
}

/// Takes away what no page shows, and ids of people.
fn leave_out_accounts(read: &mut Conversation) {
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

/// Returns whether a field says that something was withheld, and nothing else.
fn is_mark(key: &String, value: &mut Value) -> bool {
    key == WITHHELD && *value == true
}

#[cfg(test)]
mod tests {
    use super::{find, write};
    use convo_base::model::{Conversation, Kind, Turn, name_turns};

    #[test]
    fn an_edit_breaks_the_seal_and_spaces_do_not() {
        let mut read = Conversation { id: Some("7".into()), ..Conversation::default() };
        read.introduce("Ada", Kind::Person);
        read.turns.push(Turn::said("Ada", "Which moss is this?"));
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
    }
}
