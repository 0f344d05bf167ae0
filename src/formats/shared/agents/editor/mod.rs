//! Shared code for sessions of editor agents. This is not a format; each format finds the messages in its
//! own files.
//!
//! `action` returns the action of tools that many programs name alike; [`search_replace`] reads their
//! search-and-replace edits.

mod search_replace;
mod time;

pub(crate) use self::search_replace::{closes_replace, edit, opens_search};
pub(crate) use self::time::{line_starts, time_in_utc};
