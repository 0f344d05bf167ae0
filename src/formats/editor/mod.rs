//! Sessions with the agents of editors: what the formats of several programs have in common. No format
//! by itself; each of them finds the messages in its files.
//!
//! [`action()`] says what tools did that many programs call alike; [`search_replace`] reads how they write
//! edits.

mod search_replace;
mod time;

pub(super) use self::search_replace::{closes_replace, edit, opens_search};
pub(super) use self::time::{line_starts, time_in_utc};
