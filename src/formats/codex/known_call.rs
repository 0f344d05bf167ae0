//! Calls that are waiting for results.

use super::scope::Source;

/// A call that is waiting for results.
#[derive(Debug)]
pub(super) struct Known {
    /// The turn, and the serial number that distinguishes it from earlier turns at the same place.
    pub(super) turn: usize,
    pub(super) serial: u64,
    /// The place of its block in the turn.
    pub(super) block: usize,
    pub(super) state: State,
    /// The source of the call.
    pub(super) source: Source,
}

/// What is known about a call's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Waiting,
    /// Codex reported the result, but it was not sent to the model yet.
    Reported,
    Answered,
}
