//! How sure a match is.

/// How sure a rule is. `Possible` is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// A generic shape: a value behind a word such as `token`.
    Possible,
    /// A shape and what stands around it.
    Likely,
    /// A prefix that one issuer alone uses, or a check sum that holds.
    Certain,
}
