//! Recorded talk: what was said between two moments of a recording, cue by cue, as turns.
//!
//! The readers of captions, of machine transcripts and of podcast transcripts give [`Cue`]s;
//! what becomes of them is decided here, once.

mod cue;
mod file;
mod markup;
pub(super) mod meeting;
mod names;
mod repeats;
pub(super) mod segments;
mod turns;

pub(super) use self::cue::Cue;
pub(super) use self::file::{captions, front_matter};
pub(super) use self::repeats::unrolled;
pub(super) use self::turns::tell;

/// Whoever speaks where nothing says who.
pub(super) const SOMEBODY: &str = "Speaker";
