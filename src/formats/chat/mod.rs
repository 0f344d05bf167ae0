//! Rows of data sets of chats, whatever they are called: messages with a role and a content.
//! No format by itself; each of them finds the messages in its rows.
//!
//! [`Dialog`] makes turns of messages, [`message`] reads one, [`content`] its parts, [`rows`] goes
//! through a file.

mod content;
mod dialog;
mod message;
mod rows;

pub(super) use self::content::text_blocks;
pub(super) use self::dialog::{Dialog, Role};
pub(super) use self::message::claims_message;
pub(super) use self::rows::{Row, read, read_one};
