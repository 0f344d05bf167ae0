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

pub(super) use self::assemble::assemble;
pub(super) use self::blocks::{Blocks, arguments};
pub(super) use self::files::{file, kind_of};
pub(super) use self::message::{Message, Parent, SYSTEM, USER};
pub(super) use self::source::{App, Context, ListApp, read, read_lists, read_long, read_with};
pub(super) use self::values::{
    each_message, element, first, inside, members, moment, rest, text, whole, words,
};
