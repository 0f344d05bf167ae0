//! How bytes are packed.

/// How bytes are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// Returns the name of files that are packed so.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "tar",
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
        }
    }
}
