//! The colours of text that a program printed on a terminal.

use std::ops::Range;

use crate::hash::Hash;

/// A colour of a terminal, which a theme shows in a colour of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminalColor {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Blue or cyan.
    Blue,
    /// Magenta.
    Magenta,
    /// Grey.
    Grey,
}

/// The coloured parts of a text. They apply only as long as nobody changed the text.
#[derive(Clone, PartialEq, Debug)]
pub struct TerminalColors {
    text: Hash,
    parts: Vec<(Range<usize>, TerminalColor)>,
}

impl TerminalColors {
    /// Creates the colours of a text, whose parts are byte ranges in order.
    pub fn new(text: &str, parts: Vec<(Range<usize>, TerminalColor)>) -> Self {
        Self { text: Hash::of_bytes(text.as_bytes()), parts }
    }

    /// Returns the coloured parts, if the text is still the same.
    pub fn parts_of(&self, text: &str) -> &[(Range<usize>, TerminalColor)] {
        match self.text == Hash::of_bytes(text.as_bytes()) {
            true => &self.parts,
            false => &[],
        }
    }
}
