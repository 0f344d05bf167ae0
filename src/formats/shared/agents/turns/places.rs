//! Where turns and calls are, for readers that refer to them.

use super::builder::Turns;
use super::calls::Outcome;
use super::shown::clean_result;

impl Turns {
    /// Returns the place of the next block on the path: the indexes of the turn and the block.
    pub(crate) fn next_place(&mut self) -> (usize, usize) {
        let lane = self.lane();
        let last = lane.turns.last().filter(|_| lane.opened.is_none());
        last.map_or((lane.turns.len(), 0), |last| (lane.turns.len() - 1, last.blocks.len()))
    }

    /// Returns the place of the last turn of the path or, without any, the turn that the path follows.
    pub(super) fn end_or_start(&self) -> Option<(usize, usize)> {
        self.end().or_else(|| self.lanes.get(self.lane)?.way.after)
    }

    /// Returns the turn before another one, whose path may follow one of another path.
    pub(super) fn before(&self, (lane, turn): (usize, usize)) -> Option<(usize, usize)> {
        let before = turn.checked_sub(1).map(|turn| (lane, turn));
        before.or_else(|| self.lanes.get(lane)?.way.after)
    }

    /// Adds a result to the call at a place of the path.
    pub(crate) fn answer_at(&mut self, place: (usize, usize), outcome: impl Into<Outcome>) {
        let mut outcome = outcome.into();
        clean_result(&mut outcome.result);
        if let Some(call) = self.call_at(place) {
            outcome.add_to(call);
        }
    }
}
