//! Groups of line shapes that are used together.

use super::shape::{Mark, Shape};

/// A group of line shapes that are used together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Group {
    /// `Ada: Hello`, `Ada 00:01:02` and `Q. Hello`
    Lines,
    /// `## Ada`
    Heading,
    /// `**Ada**`
    Alone,
    /// `ADA. — Hello`
    Dash,
    /// `[Ada] Hello`
    Bracket,
    /// `ADA. Hello`
    Stop,
    /// `ADA` on a line of its own.
    Capitals,
    /// `**Ada** Hello`
    Bold,
}

pub(super) const GROUPS: [Group; 8] = [
    Group::Lines,
    Group::Heading,
    Group::Alone,
    Group::Dash,
    Group::Bracket,
    Group::Stop,
    Group::Capitals,
    Group::Bold,
];

impl Group {
    /// Returns whether headings, logs and sentences have the same shape.
    pub(super) fn is_weak(self) -> bool {
        matches!(self, Self::Bracket | Self::Stop | Self::Capitals | Self::Bold)
    }

    /// Returns whether a line opens a turn only because its name is known from other lines.
    pub(super) fn is_slip(self, mark: &Mark<'_>) -> bool {
        self == Self::Lines
            && matches!(mark.shape, Shape::Dash | Shape::Bold | Shape::Stop | Shape::Capitals)
    }

    pub(super) fn has(self, mark: &Mark<'_>) -> bool {
        match self {
            Self::Lines => matches!(mark.shape, Shape::Colon | Shape::Timed | Shape::Dot),
            Self::Heading => mark.shape == Shape::Heading && !mark.name.starts_with('@'),
            Self::Alone => mark.shape == Shape::Alone,
            Self::Dash => mark.shape == Shape::Dash,
            Self::Bracket => mark.shape == Shape::Bracket,
            Self::Stop => mark.shape == Shape::Stop,
            Self::Capitals => mark.shape == Shape::Capitals,
            Self::Bold => mark.shape == Shape::Bold,
        }
    }
}
