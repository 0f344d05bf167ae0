//! Long runs of characters that keys consist of. Such runs are rare in prose.

use std::ops::Range;

use super::classes::Class;

/// The minimum length of a run.
pub(super) const LEAST: usize = 24;

/// Whether each byte is in a class.
pub(super) struct Table([bool; 256]);

/// Both Base64 alphabets.
pub(super) static BASE64: Table = Table::new(Class::BASE64);

/// Characters of values with a prefix.
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

/// Returns every maximal run of at least `least` characters of a table, in order. Skips most bytes of
/// prose: if one of the next `least` bytes is not in the table, no run can start before it.
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
