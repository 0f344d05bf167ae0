//! Finds the records of a long file while reading it: its lines, or the elements of its JSON array.
//!
//! At most one record is in memory, and records above the limit are not read. In a file that is one
//! object, the array is looked up under one of [`crate::formats::LIST_KEYS`]. A file that is
//! neither such an object nor an array is a series of values.

use std::io::{self, ErrorKind};

use super::scanner::{Scanner, Step};
use crate::files::Reader;

/// A record and its place in the file.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Element {
    /// The first byte.
    pub(crate) from: u64,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The record's bytes; `None` if it is too long.
    pub(crate) bytes: Option<Vec<u8>>,
}

/// Iterates over the records of a file.
pub(crate) struct Elements {
    reader: Reader,
    shape: Shape,
    /// The offset of the next byte.
    offset: u64,
    line: u32,
    /// The maximum length of a record. Bytes.
    max: usize,
    is_done: bool,
}

/// How records are laid out in a file.
enum Shape {
    Lines,
    Json(Scanner),
}

impl Elements {
    /// Reads from `reader`, which starts at byte `offset` of its file.
    pub(crate) fn new(reader: Reader, offset: u64, is_lines: bool, max: usize) -> Self {
        let shape = if is_lines { Shape::Lines } else { Shape::Json(Scanner::default()) };
        Self { reader, shape, offset, line: 1, max, is_done: false }
    }

    /// Reads the next record. If an error interrupts a record, the bytes before it are returned
    /// first, and the error after that.
    pub(crate) fn next(&mut self) -> Option<io::Result<Element>> {
        if self.is_done {
            return None;
        }
        let mut found: Option<Element> = None;
        let mut len = 0;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => match found {
                    Some(_) => return found.map(Ok),
                    None => {
                        self.is_done = true;
                        return Some(Err(error));
                    }
                },
            };
            if chunk.is_empty() {
                self.is_done = true;
                return found.map(Ok);
            }
            let step = match &mut self.shape {
                Shape::Lines => line_step(chunk, found.is_some()),
                Shape::Json(scanner) => scanner.step(chunk, found.is_some()),
            };
            let lines = |bytes: &[u8]| bytes.iter().filter(|b| **b == b'\n').count();
            if let Some(start) = step.start {
                found = Some(Element {
                    from: self.offset + start as u64,
                    line: self.line + lines(&chunk[..start]) as u32,
                    bytes: Some(Vec::new()),
                });
                len = 0;
            }
            if step.is_list {
                // The supposed first record is only the text before the real first record.
                found = None;
            }
            if let Some(found) = &mut found {
                let more = &chunk[step.start.unwrap_or(0)..step.used];
                len += more.len();
                match &mut found.bytes {
                    Some(bytes) if len <= self.max => bytes.extend_from_slice(more),
                    bytes => *bytes = None,
                }
            }
            self.offset += step.used as u64;
            self.line += lines(&chunk[..step.used]) as u32;
            let used = step.used;
            self.reader.consume(used);
            self.is_done |= step.is_over;
            if step.is_over || step.is_end && found.is_some() {
                return found.map(Ok);
            }
        }
    }
}

/// Looks for the end of a line, or for its start if no line has begun.
fn line_step(chunk: &[u8], is_inside: bool) -> Step {
    let start = match is_inside {
        true => Some(0),
        // Blank lines are not records.
        false => chunk.iter().position(|byte| !byte.is_ascii_whitespace()),
    };
    let from = start.unwrap_or(chunk.len());
    let end = chunk[from..].iter().position(|byte| *byte == b'\n');
    let used = end.map_or(chunk.len(), |end| from + end + 1);
    let start = start.filter(|_| !is_inside);
    Step { used, start, is_end: end.is_some(), ..Step::default() }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Cursor, Read};

    use super::Elements;

    /// Returns the records of a text that is read in chunks of this size.
    fn read(text: &str, is_lines: bool, at_once: usize) -> Vec<(u64, u32, String)> {
        let bytes = Cursor::new(text.as_bytes().to_vec());
        let reader = Box::new(BufReader::with_capacity(at_once, bytes.take(u64::MAX)));
        let mut all = Elements::new(reader, 0, is_lines, 20);
        let mut found = Vec::new();
        while let Some(element) = all.next() {
            let element = element.unwrap();
            let text = element.bytes.map_or("-".to_owned(), |bytes| {
                String::from_utf8(bytes).unwrap().trim_end().to_owned()
            });
            found.push((element.from, element.line, text));
        }
        found
    }

    fn texts(text: &str, is_lines: bool) -> Vec<String> {
        let all = read(text, is_lines, 4096);
        for at_once in [1, 2, 3, 7] {
            assert_eq!(read(text, is_lines, at_once), all, "{text}");
        }
        for (from, line, found) in &all {
            let before = &text[..*from as usize];
            assert_eq!(before.matches('\n').count() as u32 + 1, *line);
            assert!(found == "-" || text[*from as usize..].starts_with(found));
        }
        all.into_iter().map(|(.., text)| text).collect()
    }

    #[test]
    fn the_elements_of_every_shape_are_found() {
        let both = [r#"{"a":"]}"}"#, r#"{"b":"\",["}"#];
        let (a, b) = (both[0], both[1]);
        for text in [
            format!("[{a},{b}]"),
            format!(" [ {a} ,\n {b} \n] , {a}"),
            format!("{a}\n{b}\n"),
            format!("{{\"n\": [1, {{}}], \"conversations\" : [{a}, {b}], \"m\": [1]}}"),
            format!("{{\"x\": \"conversations\", \"conversations\":[{a},{b}"),
            format!(
                "{{\"list\":[1],\"x\":{{\"list\":[2]}},\"chats\":{{\"n\":[0],\"list\":[{a},{b}]}},\"y\":3}}"
            ),
            format!(
                "{{\"chats\":{{\"list\":[{a}], \"n\":[1]}}, \"left_chats\" : {{\"list\":[],\"list\": [{b}"
            ),
        ] {
            assert_eq!(texts(&text, false), both, "{text}");
        }
        let inner = r#"{"x":{"conversations":[1]}}"#;
        assert_eq!(texts(inner, false), ["-"]);
        assert_eq!(
            texts("[1, \"a,b\", null, [2], tru", false),
            ["1", "\"a,b\"", "null", "[2]", "tru"]
        );
        assert_eq!(texts("", false).len() + texts("[]", false).len(), 0);
    }

    #[test]
    fn truncated_or_long_parts_are_skipped_alone() {
        let long = format!("{{\"a\":\"{}\"}}", "x".repeat(30));
        let text = format!("[{{\"a\":1}},{long},{{\"b\":2}},{{\"c\":");
        assert_eq!(texts(&text, false), ["{\"a\":1}", "-", "{\"b\":2}", "{\"c\":"]);
        let text = format!("{{\"a\":1}}\n\n{long}\n \n{{\"b\":2}}\n{{\"c");
        assert_eq!(texts(&text, true), ["{\"a\":1}", "-", "{\"b\":2}", "{\"c"]);
    }
}
