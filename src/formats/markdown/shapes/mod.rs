//! Transcripts with names that are not in bold type: `Ada: Hello`, `## Ada`, `Ada 00:01:02`.
//!
//! [`mark`] splits a line into a [`name`], a [`stamp`] and the rest, and [`candidates`] finds all such lines of
//! a text. [`speakers`] decides which names are people, from the whole text; [`decide`] decides whether it is a
//! conversation. [`transcript`] selects the shape that fits best, with [`notes`] on doubtful names; [`cut`]
//! makes turns. All of these are linear. [`escape`] keeps other lines from opening turns.

mod speakers;
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
mod candidates;
mod transcript;
mod weak;
mod words;

pub(super) use self::candidates::{key, looks_like_name};
pub(super) use self::doubts::unmarked;
pub(super) use self::escape::{escaped, keys, unescaped};
pub(super) use self::speakers_line::speakers_line;
pub(super) use self::transcript::{Transcript, read, read_items};
pub(super) use self::words::{is_only_label, is_part, without_verb};
