//! Bytes into conversations. Nothing after this module knows which format it was.
//!
//! Each format is one file here and one row of [`ALL`].

mod convo;
mod decode;
mod neutral;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::diag::{Diagnostic, Lines, Note, Severity};
use crate::model::Conversation;

/// A way in which conversations are kept.
pub struct Format {
    /// Kebab-case; what `convert --to` takes.
    pub name: &'static str,
    /// Whether a file with this name and text is one of its; `None` for a format that is only
    /// written.
    pub claims: Option<fn(name: &str, text: &str) -> Claim>,
    /// Reads a file that was claimed. It cannot fail: a broken file gives what could be read,
    /// and notes. A conversation with an error is not among the result.
    pub parse: fn(text: &str) -> Parsed,
    /// Writes conversations.
    pub write: fn(&[Conversation]) -> String,
}

/// Every format, the ones to try first on top.
pub const ALL: &[&Format] = &[&convo::FORMAT, &neutral::FORMAT];

/// Whose a file is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// This format's.
    Yes,
    /// Another's, or nobody's.
    No,
    /// Nobody's, although it looks as if it was meant to be this format's.
    Almost(Note),
}

/// What a file held.
#[derive(Default, Debug)]
pub struct Parsed {
    /// The conversations without an error, in the order of the file.
    pub conversations: Vec<Conversation>,
    /// What there was to say.
    pub notes: Vec<Note>,
}

/// The endings of the files that are read at all; everything else in the content folder is
/// media or none of our business.
pub fn may_hold_conversations(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".convo", ".md", ".markdown", ".txt"].iter().any(|ending| name.ends_with(ending))
}

/// Reads one file: the conversations in it, and what there was to say, placed in `file`.
pub fn read(file: &str, bytes: &[u8]) -> (Vec<Conversation>, Vec<Diagnostic>) {
    let (text, mut notes) = decode::decode(bytes);
    let name = file.rsplit('/').next().unwrap_or(file);
    let mut parsed = Parsed::default();
    for format in ALL {
        match format.claims.map_or(Claim::No, |claims| claims(name, &text)) {
            Claim::Yes => {
                parsed = catch_unwind(AssertUnwindSafe(|| (format.parse)(&text)))
                    .unwrap_or_else(|panic| Parsed {
                        conversations: Vec::new(),
                        notes: vec![internal_error(panic.as_ref())],
                    });
                break;
            }
            Claim::Almost(note) => parsed.notes.push(note),
            Claim::No => {}
        }
    }
    if parsed.conversations.is_empty() && parsed.notes.is_empty() {
        // Not ours: how it is encoded is nobody's business either.
        return (Vec::new(), Vec::new());
    }
    notes.append(&mut parsed.notes);
    let lines = Lines::new(&text);
    let notes = notes.into_iter().map(|note| note.locate(file, &lines)).collect();
    (parsed.conversations, notes)
}

/// A panic is our bug; it costs one conversation and not the site.
fn internal_error(panic: &(dyn std::any::Any + Send)) -> Note {
    let what = panic_message(panic);
    Note::new(Severity::Error, "internal", None, format!("the reader failed: {what}"))
        .hint("this is a bug of convo-site; the rest of the site is still built")
}

/// The text that a panic carries.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
