//! How certain a match is.

/// How certain a rule is. `Possible` is the lowest tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// A generic shape: a value after a keyword such as `token`.
    Possible,
    /// A shape together with its context.
    Likely,
    /// A prefix that only one issuer uses, or a valid checksum.
    Certain,
}
