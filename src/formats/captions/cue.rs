//! A cue.

use crate::model::Place;

/// Words that are said between two moments of a recording.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::formats) struct Cue {
    /// When they begin, from the start of the recording. Milliseconds.
    pub(in crate::formats) start: Option<u64>,
    /// When they end. Milliseconds.
    pub(in crate::formats) end: Option<u64>,
    /// Who says them, where that is written there.
    pub(in crate::formats) voice: Option<String>,
    /// The words, without markup. A line that opens with a dash is somebody else's.
    pub(in crate::formats) text: String,
    /// Where it stands in the source.
    pub(in crate::formats) place: Place,
}

impl Cue {
    /// Returns when it ends, or begins where that is all there is. Milliseconds.
    pub(super) fn last(&self) -> Option<u64> {
        self.end.or(self.start)
    }
}
