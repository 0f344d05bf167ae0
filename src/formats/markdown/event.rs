//! Events: what nobody says.

use convo_base::model::{Block, Turn};

/// A paragraph that stands for an event: three asterisks that do not mean emphasis.
pub(super) const ASTERISKS: &str = r"\* \* \*";

/// What stands around any other event.
pub(super) const DIRECTION: (&str, &str) = (r"*\[", r"\]*");

/// Returns what happens by a line that stands for an event: `\* \* \*`, `*\[A door closes.\]*`.
pub(super) fn happening(line: &str) -> Option<&str> {
    let line = line.trim();
    if line == ASTERISKS {
        return Some("Break");
    }
    let what = line.strip_prefix(DIRECTION.0)?.strip_suffix(DIRECTION.1)?;
    (!what.trim().is_empty()).then_some(what)
}

/// Makes a turn of what nobody says.
pub(super) fn event(name: &str, offset: Option<String>) -> Turn {
    let block = Block::Event { name: name.to_lowercase(), text: name.to_owned(), detail: None };
    Turn { offset, blocks: vec![block], ..Turn::default() }
}
