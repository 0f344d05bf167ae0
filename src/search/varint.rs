//! Variable-length numbers (LEB128): seven bits in each byte, the low ones first; the top bit is
//! set in all but the last byte.

/// Appends a number.
pub(super) fn put_number(mut number: u64, to: &mut Vec<u8>) {
    while number > 0x7F {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Appends bytes with their number.
pub(super) fn put_slice(bytes: &[u8], to: &mut Vec<u8>) {
    put_number(bytes.len() as u64, to);
    to.extend_from_slice(bytes);
}

/// Appends a text with its length in bytes.
pub(super) fn put_text(text: &str, to: &mut Vec<u8>) {
    put_slice(text.as_bytes(), to);
}

/// Appends a term of a sorted list by front coding: the number of bytes shared with the previous
/// term, and the rest.
pub(super) fn put_front_coded(term: &str, before: &str, to: &mut Vec<u8>) {
    let shared = term.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
    // Split only between characters.
    let shared = (0..=shared).rev().find(|at| term.is_char_boundary(*at)).unwrap_or(0);
    put_number(shared as u64, to);
    put_text(&term[shared..], to);
}

/// Decodes numbers and texts that this module encoded; damaged bytes decode to zeros.
pub(super) struct Decoder<'a>(pub(super) &'a [u8]);

impl<'a> Decoder<'a> {
    pub(super) fn number(&mut self) -> u64 {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let Some((byte, rest)) = self.0.split_first() else { break };
            self.0 = rest;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                break;
            }
        }
        number
    }

    pub(super) fn slice(&mut self) -> &'a [u8] {
        let len = (self.number() as usize).min(self.0.len());
        let (slice, rest) = self.0.split_at(len);
        self.0 = rest;
        slice
    }

    pub(super) fn text(&mut self) -> &'a str {
        std::str::from_utf8(self.slice()).unwrap_or_default()
    }

    /// Returns the next bytes as they are, or zeros at the end.
    pub(super) fn array<const N: usize>(&mut self) -> [u8; N] {
        let Some((bytes, rest)) = self.0.split_first_chunk() else { return [0; N] };
        self.0 = rest;
        *bytes
    }

    /// Decodes a term of a sorted list over the previous one: see [`put_front_coded`].
    pub(super) fn front_coded(&mut self, term: &mut String) {
        let shared = self.number() as usize;
        term.truncate(term.floor_char_boundary(shared));
        term.push_str(self.text());
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
