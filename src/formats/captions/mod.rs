//! Recorded speech: conversion of timed cues to turns.
//!
//! The readers of captions, machine transcripts and podcast transcripts produce [`Cue`]s, and share
//! this conversion.

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
pub(super) use self::turns::add_cues;

/// The speaker of cues without a name.
pub(super) const SOMEBODY: &str = "Speaker";
