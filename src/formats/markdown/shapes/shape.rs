//! The shapes of lines that open turns, and what such a line says.

use super::stamp::Stamp;

/// A shape of the lines that open turns.
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
    /// `JANE` alone on a line.
    Capitals,
    /// `**Ada** Hello`
    Bold,
}

/// What a line says that may open a turn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mark<'a> {
    pub(super) shape: Shape,
    /// The name as written.
    pub(super) name: &'a str,
    /// What stands in brackets behind it: `(laughs)`.
    pub(super) aside: Option<&'a str>,
    pub(super) stamp: Option<Stamp<'a>>,
    /// Where the rest starts on the line. Bytes.
    pub(super) said: usize,
    /// Whether it stands in bold or other type, or in a heading.
    pub(super) marked: bool,
    /// Whether no space stands behind the colon: `Ada:Hello`.
    pub(super) tight: bool,
    /// Bytes before the colon, or the end of the name.
    pub(super) colon: usize,
}
