//! Partitions: shares of a build that is distributed over several machines.
//!
//! A partition is only a filter. The partition of a thing follows from its key and the number of
//! partitions, so machines agree without coordination.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::hash::Hash;

/// One of several partitions, such as the second of seven. Each key belongs to exactly one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The number of the partition, from 1.
    number: u32,
    /// The number of partitions.
    count: NonZeroU32,
}

impl Partition {
    /// Returns whether a key belongs to this partition.
    pub fn holds(self, key: Hash) -> bool {
        key.remainder(self.count) + 1 == self.number
    }

    /// Returns whether the name of an input or output file belongs to this partition.
    pub fn holds_name(self, name: &str) -> bool {
        self.holds(Hash::of_bytes(name.as_bytes()))
    }

    /// Returns whether this is the first partition, to which everything without a key belongs.
    pub fn is_first(self) -> bool {
        self.number == 1
    }

    /// Returns a name for files and folders, such as `2-of-7`.
    pub fn file_name(self) -> String {
        format!("{}-of-{}", self.number, self.count)
    }

    /// Returns whether a file or folder has the name of a partition with the same count.
    pub fn is_sibling_name(self, file_name: &str) -> bool {
        let count = file_name.split_once("-of-").map(|(_, count)| count);
        count.and_then(|count| count.parse().ok()) == Some(self.count)
    }
}

/// The only partition.
impl Default for Partition {
    fn default() -> Self {
        Self { number: 1, count: NonZeroU32::MIN }
    }
}

/// Formats as `2/7`.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Partition {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "expected a partition such as 2/7, from 1/7 to 7/7";
        // `parse` would accept a sign as well.
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (number, count) = text.split_once('/').ok_or(wrong)?;
        if !is_plain(number) || !is_plain(count) {
            return Err(wrong);
        }
        let (number, count): (u32, NonZeroU32) =
            (number.parse().map_err(|_| wrong)?, count.parse().map_err(|_| wrong)?);
        let is_there = (1..=count.get()).contains(&number);
        is_there.then_some(Self { number, count }).ok_or(wrong)
    }
}
