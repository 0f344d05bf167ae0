//! A caption cue.

use convo_base::model::Place;

/// Text that is said between two moments of a recording.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Cue {
    /// Its start, relative to the start of the recording. Milliseconds.
    pub(crate) start: Option<u64>,
    /// Its end. Milliseconds.
    pub(crate) end: Option<u64>,
    /// The speaker, if the cue names one.
    pub(crate) voice: Option<String>,
    /// The text without markup. A line that begins with a dash is said by another speaker.
    pub(crate) text: String,
    /// Its place in the source.
    pub(crate) place: Place,
}

impl Cue {
    /// Returns its end, or its start if there is no end. Milliseconds.
    pub(super) fn last(&self) -> Option<u64> {
        self.end.or(self.start)
    }
}
