//! Transcripts in which names are not in bold type: `Ada: Hello`, `## Ada`, `Ada 00:01:02`.
//!
//! [`mark`] splits one line into a [`name`], a [`stamp`] and the rest; [`survey`] finds all such lines
//! of a text; [`cast`] tells which names are people, from the whole of it; [`decide`] tells whether
//! they talk; [`transcript`] takes the shape that fits best, with [`notes`] on names that are in doubt;
//! [`cut`] makes turns. Each of these is linear. [`escape`] keeps other lines from opening turns.

mod cast;
pub(super) mod cut;
mod decide;
mod doubts;
mod escape;
mod group;
mod hints;
pub(super) mod listed;
mod mark;
mod name;
mod no_colon;
mod notes;
mod shape;
mod speakers_line;
mod stamp;
mod survey;
mod transcript;
mod weak;
mod words;

pub(super) use self::doubts::unmarked;
pub(super) use self::escape::{escaped, keys, unescaped};
pub(super) use self::speakers_line::speakers_line;
pub(super) use self::survey::{is_called, key, row};
pub(super) use self::transcript::{Transcript, read, read_items};
pub(super) use self::words::{is_only_label, is_part, without_said};
