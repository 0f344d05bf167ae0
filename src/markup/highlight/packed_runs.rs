//! A compact form of highlighted code, for the cache.

use serde::{Deserialize, Serialize};

use convo_base::cache::{Cache, Cached};

/// A class, or ' ' for none, and the end of its run.
pub(super) type Run = (char, usize);

/// The approximate maximum memory of the cache of highlighted code, in bytes.
pub const MAX_HIGHLIGHTS_BYTES: usize = 64 << 20;

/// The cache of highlighted code, by a hash of its language and its text.
///
/// It is not swept at the end of a build, because a build uses only the code of files that it
/// writes, and most files are unchanged. Unused code is removed only when the cache is full.
pub type Highlights = Cache<PackedRuns>;

/// The runs of a block of code: a class and a length for each. A longer run is stored as several
/// with the same class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PackedRuns(Box<[u8]>);

impl Cached for PackedRuns {
    fn size(&self) -> usize {
        self.0.len()
    }
}

impl PackedRuns {
    pub(super) fn pack(runs: &[Run]) -> Self {
        let mut packed = Vec::with_capacity(runs.len() * 2);
        let mut start = 0;
        for (class, end) in runs {
            while start < *end {
                let len = (end - start).min(usize::from(u8::MAX));
                packed.extend([*class as u8, len as u8]);
                start += len;
            }
        }
        Self(packed.into_boxed_slice())
    }

    pub(super) fn unpack(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::with_capacity(self.0.len() / 2);
        let mut end = 0;
        for pair in self.0.chunks_exact(2) {
            let class = char::from(pair[0]);
            end += usize::from(pair[1]);
            match runs.last_mut() {
                Some(last) if last.0 == class => last.1 = end,
                _ => runs.push((class, end)),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::PackedRuns;

    #[test]
    fn runs_of_any_length_are_packed() {
        let runs = vec![('k', 3), (' ', 300), ('c', 1300), ('s', 1301)];
        assert_eq!(PackedRuns::pack(&runs).unpack(), runs);
    }
}
