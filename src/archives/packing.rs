//! Compression methods.

/// A compression method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

impl Packing {
    /// Returns the name of the format.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "tar",
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
        }
    }
}
