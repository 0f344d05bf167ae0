//! Turns from messages: the one builder of every format whose messages are turns, results and calls.
//!
//! A reader goes through its records in order and calls [`Turns`]:
//!
//! | the record | the operation |
//! |---|---|
//! | somebody starts to speak | [`Turns::turn`], [`Turns::start`] |
//! | words, thoughts, files, events in the turn | [`Turns::say`], [`think`](Turns::think), [`attach`](Turns::attach), [`event`](Turns::event), [`push`](Turns::push) |
//! | a whole message | [`Turns::add`] with a turn or a [`Message`] |
//! | an event that nobody says | [`Turns::happened`] |
//! | a call, what came of it | [`Turns::call`], [`Turns::result`], [`Turns::brought`] |
//! | tokens, a price, a model | [`Turns::used`] |
//! | messages that name the one before them | [`along()`], with the ways of [`tree`](super::tree) |
//! | another way on, a subagent | [`Turns::branch`], [`Turns::on`] |
//! | what is not shown, or not known | [`Turns::hide`], [`leave_out`](Turns::leave_out), [`unknown`](Turns::unknown) |
//!
//! [`Turns::fill`] puts all of it into a conversation; [`Turns::done`] does that for a whole file, with the
//! notes on what is not shown. The rules are the same for every format:
//!
//! * An assistant that goes on speaks in one turn. A turn without blocks is not a turn.
//! * A result belongs to the call of its id or, where calls have no ids, to the first call of its tool
//!   that waits for one. It may come before its call.
//! * Usage adds up. A participant who used one model has that model.
//! * Words that programs tell models, and the colours of terminals, are never shown.
//!
//! A format whose messages name the one before them makes them with [`thread`](super::thread), which uses
//! this builder for the ways through them.

mod along;
mod builder;
mod calls;
mod finish;
mod message;
mod pieces;
mod results;
mod shown;
mod speakers;
#[cfg(test)]
mod tests;

pub(super) use self::along::{Said, along};
pub(super) use self::builder::Turns;
pub(super) use self::calls::{Calls, Outcome, To, fail};
pub(super) use self::finish::{join, subagent_mark};
pub(super) use self::message::{At, Message, Way, Who};
pub(super) use self::pieces::{inline_file, missing};

/// The name under which a person is shown whose account nobody is to know.
pub(super) const USER: &str = "User";
/// The name under which instructions of a program are shown.
pub(super) const SYSTEM: &str = "System";
