//! Bytes that are not stored in a file as such, such as database rows in the form of lines.

use std::sync::Arc;

use convo_base::files::Reader;

/// Bytes that are computed while they are read.
pub(super) trait Computed: Send + Sync {
    /// Opens the bytes for reading from an offset on.
    fn read(self: Arc<Self>, from: u64) -> Reader;
}
