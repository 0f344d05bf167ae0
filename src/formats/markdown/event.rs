//! Events: turns without a speaker.

use convo_base::model::{Block, Turn};

/// A paragraph that represents an event: three asterisks that are not emphasis.
pub(super) const ASTERISKS: &str = r"\* \* \*";

/// The markup around any other event.
pub(super) const DIRECTION: (&str, &str) = (r"*\[", r"\]*");

/// Returns the text of a line that represents an event: `\* \* \*`, `*\[A door closes.\]*`.
pub(super) fn event_text(line: &str) -> Option<&str> {
    let line = line.trim();
    if line == ASTERISKS {
        return Some("Break");
    }
    let what = line.strip_prefix(DIRECTION.0)?.strip_suffix(DIRECTION.1)?;
    (!what.trim().is_empty()).then_some(what)
}

/// Creates a turn for an event.
pub(super) fn event(name: &str, offset: Option<String>) -> Turn {
    let block = Block::Event { name: name.to_lowercase(), text: name.to_owned(), detail: None };
    Turn { offset, blocks: vec![block], ..Turn::default() }
}
