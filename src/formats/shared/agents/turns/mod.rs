//! Builds turns from messages, for every format whose messages consist of turns, results and calls.
//!
//! A reader goes through its records in order and calls [`Turns`]:
//!
//! | record | operation |
//! |---|---|
//! | a speaker starts | [`Turns::turn`], [`Turns::start`], with the [`agent_name`] of another agent |
//! | text, thoughts, files, events in the turn | [`Turns::say`], [`think`](Turns::think), [`attach`](Turns::attach), [`event`](Turns::event), [`push`](Turns::push) |
//! | a whole message | [`Turns::add`] with a turn or a [`Message`] |
//! | an event without a speaker | [`Turns::event_without_speaker`] |
//! | the end of a turn, although the same assistant continues | [`Turns::end_turn`] |
//! | a call and its result | [`Turns::call`], [`Turns::result`], [`Turns::add_results`] |
//! | a result whose reader knows the place of its call | [`Turns::next_place`], [`Turns::answer_at`] |
//! | more about a call, a file that it returned | [`Turns::call_mut`], [`push_beside`](Turns::push_beside) |
//! | tokens, a price, a model | [`Turns::add_usage`], [`add_usage_at`](Turns::add_usage_at) |
//! | messages that refer to the previous one | [`along()`] or [`walk`], with the paths of [`tree`](crate::shared::agents::tree) |
//! | a branch, a subagent | [`Turns::branch`], [`Turns::on`] |
//! | something hidden or unknown | [`Turns::count_hidden`], [`withhold`](Turns::withhold), [`unknown`](Turns::unknown) |
//!
//! [`Turns::fill`] adds the result to a conversation. [`Turns::done`] does that for a whole file and adds
//! notes on what is not shown. The rules are the same for every format:
//!
//! * An assistant that continues stays in one turn. A turn without blocks is dropped.
//! * A result belongs to the call with its id or, if it has none, to the first call of its tool that waits
//!   for a result. It may come before its call. A result that names the tool of another server stays alone.
//! * Usage adds up. A participant who used one model has that model.
//! * Hidden instructions to models and terminal colours are never shown.
//!
//! A format whose messages refer to the previous one uses [`thread`](crate::shared::agents::thread), which uses this
//! builder for each path.

mod along;
mod builder;
mod calls;
mod finish;
mod message;
mod pieces;
mod places;
mod results;
mod shown;
mod speakers;
#[cfg(test)]
mod tests;

pub(crate) use self::along::{Along, TreeMessage, along, walk};
pub(crate) use self::builder::Turns;
pub(crate) use self::calls::{Calls, Outcome, To, fail};
pub(crate) use self::finish::subagent_mark;
pub(crate) use self::message::{At, BranchStart, Message, Who};
pub(crate) use self::pieces::{inline_file, missing};
pub(crate) use self::speakers::agent_name;

/// The name shown for a user whose account must stay private.
pub(crate) const USER: &str = "User";
/// The name shown for instructions from a program.
pub(crate) const SYSTEM: &str = "System";
