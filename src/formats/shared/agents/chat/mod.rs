//! Reads rows of chat data sets of any kind: messages with a role and a content.
//!
//! This is not a format itself; formats find the messages in their rows. [`rows`] goes through a file,
//! [`message`] reads a message of a row, [`content`] its parts, with [`media`], [`calls`] and
//! [`inline_calls`], and [`Dialog`] makes turns of messages.

mod calls;
mod content;
mod dialog;
mod inline_calls;
mod media;
mod message;
mod role;
mod rows;

pub(crate) use self::content::text_blocks;
pub(crate) use self::dialog::Dialog;
pub(crate) use self::media::Media;
pub(crate) use self::message::claims_message;
pub(crate) use self::role::Role;
pub(crate) use self::rows::{Row, is_head, read, read_one};
