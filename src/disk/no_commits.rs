//! Dates of last changes, in builds without the feature `git`: always an error.

use std::collections::HashMap;
use std::path::Path;

/// What a history says about some files.
#[derive(Default)]
pub(super) struct LastChanges {
    /// See `commits.rs`.
    pub(super) times: HashMap<String, i64>,
    /// See `commits.rs`.
    pub(super) is_shallow: bool,
}

/// Returns the error that this build has no feature `git`.
pub(super) fn last_changes<'a>(
    _: &Path,
    _: impl Iterator<Item = &'a str>,
) -> Result<LastChanges, &'static str> {
    Err("convo-site was built without the feature `git`")
}
