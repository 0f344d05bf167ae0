//! A cue.

use convo_base::model::Place;

/// Words that are said between two moments of a recording.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Cue {
    /// When they begin, from the start of the recording. Milliseconds.
    pub(crate) start: Option<u64>,
    /// When they end. Milliseconds.
    pub(crate) end: Option<u64>,
    /// Who says them, where that is written there.
    pub(crate) voice: Option<String>,
    /// The words, without markup. A line that opens with a dash is somebody else's.
    pub(crate) text: String,
    /// Where it stands in the source.
    pub(crate) place: Place,
}

impl Cue {
    /// Returns when it ends, or begins where that is all there is. Milliseconds.
    pub(super) fn last(&self) -> Option<u64> {
        self.end.or(self.start)
    }
}
