//! An incremental scanner that finds the start and end of records in a long JSON text.

use crate::formats::LIST_KEYS;

/// The result of scanning some bytes.
#[derive(Default)]
pub(crate) struct Step {
    /// The number of bytes scanned.
    pub(crate) used: usize,
    /// The offset of the byte that starts a record.
    pub(crate) start: Option<usize>,
    /// Whether the last scanned byte ends a record.
    pub(super) is_end: bool,
    /// Whether the record so far was only the text before the first real record.
    pub(super) is_list: bool,
    /// Whether no more records follow.
    pub(crate) is_over: bool,
}

/// Tracks the brackets and strings of JSON.
#[derive(Default)]
pub(crate) struct Scanner {
    /// Whether the array of records was entered.
    is_in_list: bool,
    /// The number of records that began outside the array.
    begun: usize,
    /// The number of open brackets in the record.
    open: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// The last string that is directly in the first object, or in the object under `outer`. No
    /// longer than needed to compare it with the keys.
    key: Vec<u8>,
    /// Whether only a colon follows it so far.
    is_key: bool,
    /// The key of the enclosing object that may contain the list.
    outer: Vec<u8>,
    /// The number of open brackets at the start of the list.
    depth: usize,
    /// Whether a list has ended and others may follow in the first object.
    is_between: bool,
}

impl Scanner {
    /// Scans up to the end of a record, or the end of the bytes.
    pub(crate) fn step(&mut self, chunk: &[u8], is_inside: bool) -> Step {
        let mut at = 0;
        let mut start = None;
        if !is_inside && !self.is_between {
            let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
            at = chunk.iter().position(|byte| !blank(byte)).unwrap_or(chunk.len());
            match chunk.get(at) {
                None => return Step { used: at, ..Step::default() },
                Some(b'[') if !self.is_in_list && self.begun == 0 => {
                    self.is_in_list = true;
                    return Step { used: at + 1, ..Step::default() };
                }
                // The list has ended.
                Some(b']' | b'}') => {
                    self.is_between = self.is_in_list && self.depth > 1;
                    let is_over = self.is_in_list && !self.is_between;
                    if self.is_between {
                        (self.is_in_list, self.open) = (false, self.depth);
                    }
                    return Step { used: at + 1, is_over, ..Step::default() };
                }
                Some(_) => start = Some(at),
            }
            self.begun += usize::from(!self.is_in_list);
            self.open = 0;
        }
        while at < chunk.len() {
            if self.is_in_string {
                at += self.string(&chunk[at..]);
                if !self.is_in_string && self.open == 0 {
                    return Step { used: at, start, is_end: true, ..Step::default() };
                }
                continue;
            }
            let byte = chunk[at];
            match byte {
                b'"' => {
                    self.is_in_string = true;
                    self.key.clear();
                    self.is_key = false;
                }
                b'{' | b'[' => {
                    if byte == b'[' && self.is_list_entered() {
                        (self.is_in_list, self.is_between) = (true, false);
                        self.depth = self.open;
                        let used = at + 1;
                        return Step { used, start, is_list: true, ..Step::default() };
                    }
                    if self.open == 1 && !self.is_in_list {
                        let may_hold = byte == b'{' && self.is_watching() && self.is_key;
                        self.outer = if may_hold { self.key.clone() } else { Vec::new() };
                    }
                    self.open += 1;
                    self.is_key = false;
                }
                b'}' | b']' if self.open > 0 => {
                    self.open -= 1;
                    if self.open == 0 {
                        let (used, is_over) = (at + 1, self.is_between);
                        return Step { used, start, is_end: true, is_over, ..Step::default() };
                    }
                }
                b':' if self.open > 0 => self.is_key = true,
                // A value without brackets ends before its delimiter. A delimiter in place of a
                // value is a record itself.
                b',' | b':' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' if self.open == 0 => {
                    let used = if start == Some(at) { at + 1 } else { at };
                    return Step { used, start, is_end: true, ..Step::default() };
                }
                b' ' | b'\t' | b'\n' | b'\r' => {}
                _ => self.is_key = false,
            }
            at += 1;
        }
        Step { used: at, start, ..Step::default() }
    }

    /// Scans up to the end of a string, and returns the number of bytes scanned.
    fn string(&mut self, bytes: &[u8]) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            if std::mem::take(&mut self.is_escaped) {
                at += 1;
                continue;
            }
            let rest = &bytes[at..];
            let plain = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'));
            let plain = plain.unwrap_or(rest.len());
            if self.is_watching() && self.key.len() <= MAX_KEY {
                self.key.extend(rest[..plain].iter().take(MAX_KEY + 1));
            }
            at += plain;
            match bytes.get(at) {
                Some(b'"') => {
                    self.is_in_string = false;
                    return at + 1;
                }
                Some(_) => {
                    self.is_escaped = true;
                    at += 1;
                }
                None => {}
            }
        }
        at
    }

    /// Returns whether the scanner is directly in an object that may contain the list.
    fn is_watching(&self) -> bool {
        let is_inner = self.open == 2 && LIST_KEYS.iter().any(|key| self.is_outer(key));
        !self.is_in_list && self.begun == 1 && (self.open == 1 || is_inner)
    }

    /// Returns whether a key starts with the key of the enclosing object.
    fn is_outer(&self, key: &str) -> bool {
        key.split_once('.').is_some_and(|(outer, _)| outer.as_bytes() == self.outer)
    }

    fn is_list_entered(&self) -> bool {
        let is_key = |key: &&str| match key.split_once('.') {
            Some((_, inner)) => {
                self.open == 2 && self.is_outer(key) && inner.as_bytes() == self.key
            }
            None => self.open == 1 && key.as_bytes() == self.key,
        };
        self.is_watching() && self.is_key && LIST_KEYS.iter().any(is_key)
    }
}

/// The maximum length of a key, longer than all known ones. Bytes.
const MAX_KEY: usize = 64;
