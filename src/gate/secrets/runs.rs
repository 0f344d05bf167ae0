//! Long runs of the characters of keys. People hardly write such runs.

use std::ops::Range;

use super::classes::Class;

/// The fewest characters of a run.
pub(super) const LEAST: usize = 24;

/// For each byte, whether it is in a class.
pub(super) struct Table([bool; 256]);

/// The characters of both alphabets of Base64.
pub(super) static BASE64: Table = Table::new(Class::BASE64);

/// The characters of values with a prefix.
pub(super) static VALUES: Table = Table::new(Class::VALUE);

impl Table {
    const fn new(class: Class) -> Table {
        let mut all = [false; 256];
        let mut byte = 0;
        while byte < 128 {
            all[byte as usize] = class.has(byte);
            byte += 1;
        }
        Table(all)
    }

    fn has(&self, byte: u8) -> bool {
        self.0.get(usize::from(byte)).is_some_and(|is_in| *is_in)
    }
}

/// Returns every maximal run of at least `least` characters of a table, in order. It skips most bytes
/// of prose: no run begins before a byte of the next `least` bytes that is not in the table.
pub(super) fn of(text: &str, table: &Table, least: usize) -> Vec<Range<usize>> {
    let is_in = |byte: &u8| table.has(*byte);
    let mut runs = Vec::new();
    let bytes = text.as_bytes();
    let mut start = 0;
    while let Some(window) = bytes.get(start..start + least) {
        if let Some(other) = window.iter().rposition(|byte| !is_in(byte)) {
            start += other + 1;
            continue;
        }
        let rest = bytes.get(start + least..).unwrap_or_default();
        let end = start + least + rest.iter().take_while(|byte| is_in(byte)).count();
        runs.push(start..end);
        start = end + 1;
    }
    runs
}
