//! Finds the messages of a tree in a text, where each message contains its replies, in one pass and at any
//! depth.

use std::ops::Range;

use crate::shared::access::visibility;
use convo_base::json::{self, SyntaxError, Value};

/// The key of the list at the root, and that of the replies to a message.
const KEYS: [&str; 2] = ["messagesTree", "children"];

/// The messages of all trees in a text, in the order of the text.
pub(super) struct Nested {
    list: Vec<Found>,
    /// The ranges of the root lists, including their brackets.
    roots: Vec<Range<usize>>,
    /// The positions of values that are not messages.
    pub(super) strays: Vec<usize>,
}

/// A message of a tree.
pub(super) struct Found {
    range: Range<usize>,
    /// The range of the list of its replies, including the brackets.
    replies: Option<Range<usize>>,
    /// The index of the message that it replies to.
    pub(super) parent: Option<usize>,
}

impl Nested {
    /// Iterates over the messages of the tree in a range, each with its index among all.
    pub(super) fn within(&self, at: &Range<usize>) -> impl Iterator<Item = (usize, &Found)> {
        let first = self.list.partition_point(|found| found.range.start < at.start);
        let end = at.end;
        let rest = self.list.iter().enumerate().skip(first);
        rest.take_while(move |(_, found)| found.range.start < end)
    }
}

impl Found {
    /// Returns the position of its first byte.
    pub(super) fn start(&self) -> usize {
        self.range.start
    }

    /// Returns its range up to its replies.
    pub(super) fn head(&self) -> Range<usize> {
        let end = self.replies.as_ref().map_or(self.range.end, |replies| replies.start);
        self.range.start..end
    }

    /// Parses it without its replies.
    pub(super) fn parse(&self, text: &str) -> Result<Value, SyntaxError> {
        let own = |range: Range<usize>| text.get(range).unwrap_or_default();
        let parsed = match &self.replies {
            None => visibility::parse(own(self.range.clone())),
            Some(replies) => {
                let (before, behind) = (self.head(), replies.end..self.range.end);
                visibility::parse(&format!("{}[]{}", own(before), own(behind)))
            }
        };
        parsed.map(|(value, _)| value)
    }
}

/// Returns a text in which the trees are blank and everything else keeps its position.
pub(super) fn blanked(text: &str, nested: &Nested) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for root in &nested.roots {
        let inside = root.start + 1..root.end - 1;
        out.push_str(&text[done..inside.start]);
        // Line breaks are kept.
        out.extend(text[inside.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        done = inside.end;
    }
    out.push_str(&text[done..]);
    out
}

/// An object or a list that is still open.
enum Open {
    /// The message with this index.
    Message(usize),
    Object,
    /// The root list, or the list of replies to the message with this index, and the position of its first
    /// byte.
    Messages(Option<usize>, usize),
    List,
}

/// Finds the messages.
pub(super) fn find(text: &str) -> Nested {
    let bytes = text.as_bytes();
    let mut nested = Nested { list: Vec::new(), roots: Vec::new(), strays: Vec::new() };
    let mut open: Vec<Open> = Vec::new();
    // The last text, which may be a key.
    let mut last = "";
    let mut key = "";
    // Whether a tree is open.
    let mut is_inside = false;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let is_of_list = byte.is_ascii_whitespace() || b"{],".contains(byte);
        if matches!(open.last(), Some(Open::Messages(..))) && !is_of_list {
            nested.strays.push(at);
            at = json::value_at(text, at).end.max(at + 1);
            continue;
        }
        match byte {
            b'"' => {
                let found = json::value_at(text, at);
                last = text.get(found.start + 1..found.end.saturating_sub(1)).unwrap_or_default();
                at = found.end.max(at + 1);
                continue;
            }
            b':' => key = last,
            b',' => key = "",
            b'[' => {
                let list = match open.last() {
                    Some(Open::Message(message)) if key == KEYS[1] => {
                        Open::Messages(Some(*message), at)
                    }
                    Some(Open::Object) if key == KEYS[0] && !is_inside => {
                        is_inside = true;
                        Open::Messages(None, at)
                    }
                    _ => Open::List,
                };
                open.push(list);
                key = "";
            }
            b'{' => {
                let object = match open.last() {
                    Some(Open::Messages(parent, _)) => {
                        let found = Found { range: at..text.len(), replies: None, parent: *parent };
                        nested.list.push(found);
                        Open::Message(nested.list.len() - 1)
                    }
                    _ => Open::Object,
                };
                open.push(object);
                key = "";
            }
            b'}' | b']' => {
                match open.pop() {
                    Some(Open::Message(message)) => {
                        if let Some(found) = nested.list.get_mut(message) {
                            found.range.end = at + 1;
                        }
                    }
                    Some(Open::Messages(None, start)) => {
                        is_inside = false;
                        nested.roots.push(start..at + 1);
                    }
                    Some(Open::Messages(Some(message), start)) => {
                        if let Some(found) = nested.list.get_mut(message) {
                            found.replies = Some(start..at + 1);
                        }
                    }
                    Some(Open::Object | Open::List) | None => {}
                }
                key = "";
            }
            _ => {}
        }
        at += 1;
    }
    nested
}
