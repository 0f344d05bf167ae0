//! The occurrence of a name in a text.

/// The range of a name and its replacement.
pub(super) struct Found<'a> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) by: &'a str,
}
