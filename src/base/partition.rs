//! Partitions: the shares of the work of a build that several machines do.
//!
//! A partition is nothing but a filter. Which share something is in depends on its key and on the
//! number of partitions, so that machines agree about it without a word.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::hash::Hash;

/// One of several partitions, such as the second of seven. Each key is in exactly one of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    /// Its number, from 1.
    number: u32,
    /// How many there are.
    count: NonZeroU32,
}

impl Partition {
    /// Returns whether a key is in it.
    pub fn holds(self, key: Hash) -> bool {
        key.remainder(self.count) + 1 == self.number
    }

    /// Returns whether a name is in it, be it that of a file that is read or written.
    pub fn holds_name(self, name: &str) -> bool {
        self.holds(Hash::of_bytes(name.as_bytes()))
    }

    /// Returns whether it is the first one, to which belongs what has no key.
    pub fn is_first(self) -> bool {
        self.number == 1
    }

    /// Returns its name as that of a file or folder, such as `2-of-7`.
    pub fn file_name(self) -> String {
        format!("{}-of-{}", self.number, self.count)
    }

    /// Returns whether a file or folder has the name of one of as many partitions.
    pub fn is_beside(self, file_name: &str) -> bool {
        let count = file_name.split_once("-of-").map(|(_, count)| count);
        count.and_then(|count| count.parse().ok()) == Some(self.count)
    }
}

/// The only one.
impl Default for Partition {
    fn default() -> Self {
        Self { number: 1, count: NonZeroU32::MIN }
    }
}

/// `2/7`
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Partition {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = "expected a partition such as 2/7, from 1/7 to 7/7";
        // The library takes a sign as well.
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
