//! Parses YAML front matter. Values are those of JSON, and their size is at most a small multiple
//! of the text's.

use std::collections::BTreeMap;

use saphyr::{Scalar, ScanError};
use saphyr_parser::{Event, Parser};

use crate::json::{Map, Value};

/// The maximum nesting of lists and maps.
const MAX_DEPTH: usize = 64;
/// The maximum size of all expanded aliases, in values and bytes of text.
const MAX_ALIASED_SIZE: usize = 64 << 10;

/// The reason why a text is not valid YAML, or is rejected.
#[derive(Debug)]
pub struct Error {
    /// The message, without a position.
    pub message: String,
    /// The line of the problem, from 1.
    pub line: usize,
    /// Whether the text may be valid YAML that exceeds a limit, rather than a typo.
    pub is_excess: bool,
}

impl From<ScanError> for Error {
    fn from(error: ScanError) -> Self {
        Self {
            message: error.info().to_owned(),
            line: error.marker().line(),
            is_excess: error.info().contains("recursion limit"),
        }
    }
}

/// Parses a text with at most one document; `None` if there is none.
pub fn parse(text: &str) -> Result<Option<Value>, Error> {
    parse_with_texts(text, &[])
}

/// Does the same, but leaves the values of these keys of the document as they are written: `2.50` and `no` are
/// texts there. So are those in lists, even `null`.
pub fn parse_with_texts(text: &str, texts: &[&str]) -> Result<Option<Value>, Error> {
    let mut parser = Parser::new_from_str(text);
    let mut reader = Reader::default();
    while let Some(event) = parser.next_event() {
        let (event, span) = event?;
        let line = span.start.line();
        let error =
            |message: &str, is_excess| Err(Error { message: message.to_owned(), line, is_excess });
        let done = match event {
            Event::DocumentStart(_) => reader.start(),
            Event::SequenceStart(anchor, _) => reader.open(anchor, Open::List(Vec::new())),
            Event::MappingStart(anchor, _) => reader.open(anchor, Open::Map(Map::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => reader.close(),
            Event::Scalar(text, style, anchor, tag) => {
                let resolved =
                    Scalar::parse_from_cow_and_metadata(text.clone(), style, tag.as_ref());
                reader.made += 1 + text.len();
                let is_null = matches!(resolved, Some(Scalar::Null));
                // In a list, `null` is a word.
                let is_missing = is_null && (reader.open.len() < 2 || text.len() < 2);
                let value = match reader.is_text(texts) && !is_missing {
                    true => (&*text).into(),
                    false => scalar(resolved, &text),
                };
                reader.add(anchor, value, 1 + text.len())
            }
            Event::Alias(anchor) => reader.repeat(anchor),
            _ => Ok(()),
        };
        match done {
            Ok(()) => {}
            Err(Failure::Key) => {
                return error("a key must be a single word or number", true);
            }
            Err(Failure::Repeated) => return error("duplicated key in mapping", false),
            Err(Failure::Second) => return error("a second document starts here", false),
            Err(Failure::Deep) => {
                return error("lists and maps are nested too deeply", true);
            }
            Err(Failure::Aliases) => return error("aliases expand to too much data", true),
        }
    }
    Ok(reader.document)
}

fn scalar(resolved: Option<Scalar<'_>>, written: &str) -> Value {
    match resolved {
        Some(Scalar::Null) => Value::Null,
        Some(Scalar::Boolean(flag)) => flag.into(),
        Some(Scalar::Integer(number)) => number.into(),
        Some(Scalar::FloatingPoint(number)) if number.is_finite() => number.into_inner().into(),
        // Scalars that do not match their tag, and numbers that JSON does not have, become text.
        _ => written.into(),
    }
}

enum Failure {
    Key,
    Repeated,
    Second,
    Deep,
    Aliases,
}

/// An open list or map; a map with the key whose value comes next.
enum Open {
    List(Vec<Value>),
    Map(Map, Option<String>),
}

/// Builds values from events, without recursion.
#[derive(Default)]
struct Reader {
    document: Option<Value>,
    has_started: bool,
    /// Open lists and maps, with their anchors and the size before them.
    open: Vec<(Open, usize, usize)>,
    /// The size so far, in values and bytes of text.
    made: usize,
    /// The values of anchors, with their sizes in values and bytes.
    anchors: BTreeMap<usize, (Value, usize)>,
    /// The total size of expanded aliases so far.
    aliased: usize,
}

impl Reader {
    /// Returns whether the next value belongs to one of these keys of the document, directly or in a list.
    fn is_text(&self, texts: &[&str]) -> bool {
        let Some((Open::Map(_, Some(key)), ..)) = self.open.first() else { return false };
        let is_in_list = matches!(self.open.get(1..), Some([] | [(Open::List(_), ..)]));
        is_in_list && texts.contains(&key.as_str())
    }

    fn start(&mut self) -> Result<(), Failure> {
        match std::mem::replace(&mut self.has_started, true) {
            false => Ok(()),
            true => Err(Failure::Second),
        }
    }

    fn open(&mut self, anchor: usize, what: Open) -> Result<(), Failure> {
        if matches!(self.open.last(), Some((Open::Map(_, None), ..))) {
            return Err(Failure::Key);
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Failure::Deep);
        }
        self.made += 1;
        self.open.push((what, anchor, self.made));
        Ok(())
    }

    fn close(&mut self) -> Result<(), Failure> {
        let Some((what, anchor, before)) = self.open.pop() else { return Ok(()) };
        let value = match what {
            Open::List(list) => list.into(),
            Open::Map(map, _) => map.into(),
        };
        self.add(anchor, value, 1 + self.made - before)
    }

    fn repeat(&mut self, anchor: usize) -> Result<(), Failure> {
        // An alias inside its own anchor would contain itself.
        let (value, size) = self.anchors.get(&anchor).ok_or(Failure::Aliases)?;
        self.aliased += size;
        self.made += size;
        if self.aliased > MAX_ALIASED_SIZE {
            return Err(Failure::Aliases);
        }
        let (value, size) = (value.clone(), *size);
        self.add(0, value, size)
    }

    /// Adds a value of this size to the innermost open list or map.
    fn add(&mut self, anchor: usize, value: Value, size: usize) -> Result<(), Failure> {
        // Anchors are numbered from 1.
        if anchor > 0 {
            self.anchors.insert(anchor, (value.clone(), size));
        }
        match self.open.last_mut() {
            None => self.document = Some(value),
            Some((Open::List(list), ..)) => list.push(value),
            Some((Open::Map(map, key), ..)) => match key.take() {
                Some(key) => _ = map.insert(key, value),
                None => {
                    let name = match value {
                        Value::String(name) => name,
                        Value::Array(_) | Value::Object(_) => return Err(Failure::Key),
                        other => other.to_string(),
                    };
                    if map.contains_key(&name) {
                        return Err(Failure::Repeated);
                    }
                    *key = Some(name);
                }
            },
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{parse, parse_with_texts};

    #[test]
    fn values_are_those_of_json() {
        let text = "a: 1\nb: [x, 'true', true, ~, 1.5, .nan]\nc: {d: e}\n2: !!bool yes\n";
        let expected = json!({
            "a": 1, "b": ["x", "true", true, null, 1.5, ".nan"], "c": {"d": "e"}, "2": "yes",
        });
        assert_eq!(parse(text).unwrap(), Some(expected));
        assert_eq!(parse("").unwrap(), None);
        let text = "t: 2.50\nl: [no, 1984, null, ~, 0x1F]\nn: 2.50\nm: ~\no: {t: 1}\n";
        let expected = json!({
            "t": "2.50", "l": ["no", "1984", "null", null, "0x1F"], "n": 2.5, "m": null, "o": {"t": 1},
        });
        assert_eq!(parse_with_texts(text, &["t", "l", "m"]).unwrap(), Some(expected));
        assert!(parse("a: b\n--- c\n").is_err());
        let shared = parse("a: &a [1, &b {c: d}]\ne: *a\nf: *b\n").unwrap().unwrap();
        assert_eq!(shared["e"], json!([1, {"c": "d"}]));
        assert_eq!(shared["f"], json!({"c": "d"}));
    }

    #[track_caller]
    fn refused(text: &str, message: &str) {
        let error = parse(text).unwrap_err();
        assert!(error.is_excess && error.message.contains(message), "{error:?}");
    }

    #[test]
    fn keys_are_single_words() {
        refused("? [a]\n: b\n", "key");
        refused("{{a: b}: c}", "key");
        refused("a: &a [b]\n*a : c\n", "key");
        for times in [2, 26, 30, 16_000] {
            refused(&"? ".repeat(times), "key");
        }
    }

    #[test]
    fn depth_has_an_end() {
        let nested = |times: usize| "[".repeat(times) + &"]".repeat(times);
        assert!(parse(&nested(64)).is_ok());
        refused(&nested(65), "deep");
        assert!(parse(&nested(16_000)).unwrap_err().is_excess);
        let maps: String = (0..1000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        refused(&maps, "deep");
        refused(&"- ".repeat(16_000), "deep");
    }

    #[test]
    fn aliases_do_not_grow() {
        let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for n in 1..9 {
            let before = format!("*a{}, ", n - 1).repeat(9);
            laughs.push_str(&format!("a{n}: &a{n} [{before}]\n"));
        }
        refused(&laughs, "aliases");
        refused(
            &format!("a: &a {}\nb: [{}]\n", "x".repeat(30_000), "*a, ".repeat(9_000)),
            "aliases",
        );
        refused("a: &a [*a]\n", "aliases");
        let few = format!("a: &a word\nb: [{}]\n", "*a, ".repeat(9_000));
        assert!(parse(&few).is_ok());
    }
}
