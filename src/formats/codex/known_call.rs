//! Calls that a result may belong to.

use super::scope::Source;

/// A call that a result may belong to.
#[derive(Debug)]
pub(super) struct Known {
    /// The turn, and what tells it from others that stood there.
    pub(super) turn: usize,
    pub(super) serial: u64,
    /// The place in the turn.
    pub(super) block: usize,
    pub(super) state: State,
    /// The source of the call.
    pub(super) source: Source,
}

/// What is known of a call's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Waiting,
    /// The program told what came of it, and the model was told nothing yet.
    Told,
    Answered,
}
