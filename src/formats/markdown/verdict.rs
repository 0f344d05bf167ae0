//! The verdict on whether a text is a transcript.

/// The verdict on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Transcript,
    /// It may be a transcript, but there is a reason for doubt.
    Doubtful(&'static str),
    Other,
}
