//! Recorded speech: conversion of timed cues to turns.
//!
//! The readers of captions, machine transcripts and podcast transcripts produce [`Cue`]s, and share
//! this conversion.

mod cue;
mod file;
mod markup;
pub(crate) mod meeting;
mod names;
mod repeats;
pub(crate) mod segments;
mod turns;

pub(crate) use self::cue::Cue;
pub(crate) use self::file::{captions, front_matter};
pub(crate) use self::repeats::unrolled;
pub(crate) use self::turns::add_cues;

/// The speaker of cues without a name.
pub(crate) const SOMEBODY: &str = "Speaker";
