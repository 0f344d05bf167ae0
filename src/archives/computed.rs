//! Bytes that stand nowhere in a file as they are, such as rows of a database as lines.

use std::sync::Arc;

use convo_base::files::Reader;

/// Bytes that are computed while they are read.
pub(super) trait Computed: Send + Sync {
    /// Opens them for reading from one of them on.
    fn read(self: Arc<Self>, from: u64) -> Reader;
}
