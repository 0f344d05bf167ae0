//! Reads conversations of chat applications: lists of messages that may refer to the previous message.
//!
//! This is not a format itself; formats find the messages in their records. [`source`] goes through the
//! conversations of a file, [`Message`] is one message, [`Blocks`] collects its content, with [`files`],
//! [`assemble()`] finds the main path and the branches, and `Tally` counts what is not shown.

mod assemble;
mod blocks;
mod files;
mod message;
mod source;
mod values;

pub(crate) use self::assemble::{arrange, assemble};
pub(crate) use self::blocks::{Blocks, arguments};
pub(crate) use self::files::file;
pub(crate) use self::message::{Message, Parent, SYSTEM, USER};
pub(crate) use self::source::{
    App, Context, ListApp, read, read_file, read_lists, read_long, read_with,
};
pub(crate) use self::values::{
    each_message, first, inside, members, moment, rest, text, whole, words,
};
