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
//! [`mod@line`] finds the names, [`claim`] tells whether they are speakers, [`read`] makes turns,
//! `write` is the inverse.

mod claim;
mod line;
mod names;
mod read;
mod speech;
mod write;

use super::{Format, Parts, Read, Write, front};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    title: "Markdown transcript (`**Speaker:** text`)",
    source_label: "Markdown transcript",
    read: Some(Read {
        claims: claim::claims,
        parse: read::parse,
        gather: None,
        history: None,
        parts: Parts::Whole,
    }),
    write: Some(Write::File("md", |read, _| write::write(read))),
};
