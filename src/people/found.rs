//! A place in a text where a name stands.

/// Where it is, and what takes its place.
pub(super) struct Found<'a> {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) by: &'a str,
}
