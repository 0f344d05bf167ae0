//! Versions, duplicates, continuations and other relations between conversations.

pub(super) mod relations;
pub(super) mod segments;
pub(super) mod union;
pub(super) mod versions;
