//! The shapes of lines that open turns, and the parts of such a line.

use super::stamp::Stamp;

/// A shape of lines that open turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `Ada: Hello`, `Ada:`, `[00:05] Ada: Hello`, `>> Ada: Hello`, `阿达：你好`, and all of these
    /// in bold type.
    Colon,
    /// `Ada 00:01:02`, `[00:05] Ada`.
    Timed,
    /// `## Ada`
    Heading,
    /// `**Ada**`
    Alone,
    /// `ADA. — Hello`; `Ada - Hello` if it is tight.
    Dash,
    /// `Q. Hello`
    Dot,
    /// `JANE. Hello`
    Stop,
    /// `[Jane] Hello`
    Bracket,
    /// `JANE` on a line of its own.
    Capitals,
    /// `**Ada** Hello`
    Bold,
}

/// The parts of a line that may open a turn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mark<'a> {
    pub(super) shape: Shape,
    /// The name as written.
    pub(super) name: &'a str,
    /// The text in brackets after it: `(laughs)`.
    pub(super) aside: Option<&'a str>,
    pub(super) stamp: Option<Stamp<'a>>,
    /// Where the rest starts on the line, in bytes.
    pub(super) text_start: usize,
    /// Whether it is in bold type, in italics or in a heading.
    pub(super) marked: bool,
    /// Whether there is no space after the colon: `Ada:Hello`.
    pub(super) tight: bool,
    /// The number of bytes before the colon, or up to the end of the name.
    pub(super) colon: usize,
}
