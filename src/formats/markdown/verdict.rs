//! The verdict on whether a text is a transcript.

/// The verdict on a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Transcript,
    /// It may be one, but.
    Doubtful(&'static str),
    Other,
}
