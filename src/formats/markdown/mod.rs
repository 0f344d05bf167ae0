//! Markdown transcripts: paragraphs that open with a name in bold type, as conv2md writes
//! them and podcasts publish them.
//!
//! ```text
//! ---
//! title: Conversation Title        YAML front matter, may be absent
//! source: input.json
//! ---
//!
//! **Ada:** \[01:05\] Hello.        one turn, at one minute and five seconds
//!
//! It goes on.                      the same turn, until the next name
//!
//! **Break:** \[12:40\]             an event: nothing but times
//! ```
//!
//! [`front`] reads the front matter, [`mod@line`] finds the names, [`read`] makes turns, `write` is
//! the inverse.

mod front;
mod line;
mod read;
mod write;

use super::{Claim, Format, Read, Write};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    title: "Markdown transcript (`**Speaker:** text`)",
    origin: "Markdown transcript",
    read: Some(Read {
        claims,
        parse: read::parse,
        gather: None,
        history: None,
        cut: None,
    }),
    write: Write::Each("md", write::write),
};

fn claims(_name: &str, text: &str) -> Claim {
    if !text.contains("**") {
        return Claim::No;
    }
    let body = &text[front::split(text).1..];
    let mut lines = body.lines().filter(|line| !line.trim().is_empty());
    let opens = lines
        .by_ref()
        .find(|line| !line.starts_with('#') || line::opening(line).is_some())
        .is_some_and(|line| line::opening(line).is_some());
    let named = front::split(text).0.is_some_and(|front| {
        let says =
            |key: &str| text[front.clone()].lines().any(|line| line.starts_with(key));
        says("title:") && says("source:")
    });
    // One name in bold type opens many a note; two of them a conversation.
    if opens && (named || lines.any(|line| line::opening(line).is_some())) {
        Claim::Shape
    } else {
        Claim::No
    }
}
