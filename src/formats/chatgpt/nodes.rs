//! The messages of a record as a tree: their order, and the path that was shown last.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::MAPPING;
use super::damage::Damage;
use super::message::{list, seconds};
use crate::shared::access::visibility;
use crate::shared::agents::tree::{self, Paths, newest_leaf};
use crate::shared::json::long_list::{MAX_MESSAGES, broken, too_many};
use crate::shared::json::object::{Object, deviation_notes};
use convo_base::diag::Note;
use convo_base::json::{self, Map, Step, Value};

/// A message of the tree.
pub(super) struct Node<'a> {
    pub(super) id: String,
    /// The id of the message before it.
    pub(super) parent: Option<String>,
    /// Whether it is marked as private.
    pub(super) is_withheld: bool,
    contents: Contents<'a>,
    /// Its index among its siblings, if its parent lists it, and its time.
    order: (usize, f64),
}

/// The contents of a message.
enum Contents<'a> {
    Nothing,
    Parsed(Map),
    /// The text of the node, which is parsed again for its message: the messages of a very long
    /// conversation would not fit into memory at once.
    Text(&'a str),
}

impl Node<'_> {
    /// Returns the message, if there is one.
    pub(super) fn into_message(self) -> Option<Map> {
        match self.contents {
            Contents::Nothing => None,
            Contents::Parsed(map) => Some(map),
            Contents::Text(node) => {
                match visibility::parse(node).ok()?.0.get_mut("message")?.take() {
                    Value::Object(map) => Some(map),
                    _ => None,
                }
            }
        }
    }
}

/// Reads the messages of a conversation, in an order that does not depend on the export's order. If there
/// are too many for the object, `long` is their place. Fails with a note if they are not valid JSON or too
/// many.
pub(super) fn read<'a>(
    object: &mut Object<'a>,
    long: Option<Range<usize>>,
    notes: &mut Vec<Note>,
) -> Result<Mapping<'a>, Note> {
    let mut drafts = Drafts::default();
    match long {
        Some(at) => drafts.read_text(object.source(), at, notes)?,
        None => {
            for (id, node) in object.object(MAPPING, notes).unwrap_or_default() {
                let at = || object.place(&[Step::Key(MAPPING), Step::Key(&id)]).start;
                drafts.damage.look_at(&node, at);
                drafts.add(id, node, None);
            }
        }
    }
    notes.extend(drafts.damage.notes());
    let is_private = drafts.is_marked;
    Ok(Mapping { messages: in_order(drafts.list, &drafts.children), is_private })
}

/// The messages of a conversation.
pub(super) struct Mapping<'a> {
    pub(super) messages: Vec<Node<'a>>,
    /// Whether all of them are marked as private.
    pub(super) is_private: bool,
}

/// Nodes before the tree is built.
#[derive(Default)]
struct Drafts<'a> {
    list: Vec<Draft<'a>>,
    children: Children,
    damage: Damage,
    /// Whether the mapping is marked as private.
    is_marked: bool,
}

struct Draft<'a> {
    id: String,
    /// Its parent as declared; `None` if the value is not a text.
    parent: Option<Option<String>>,
    contents: Contents<'a>,
    is_withheld: bool,
    time: f64,
}

impl<'a> Drafts<'a> {
    /// Adds a node. Other nodes may refer to one that cannot be read. The message of a node with a `text`
    /// is not kept.
    fn add(&mut self, id: String, node: Value, text: Option<&'a str>) {
        let mut node = match node {
            Value::Object(node) => node,
            other => {
                self.is_marked |= visibility::is_clear_mark(&id, &other);
                Map::new()
            }
        };
        self.children.enter(&id, &node);
        let parent = match node.get("parent") {
            None => Some(None),
            Some(Value::String(parent)) => Some(Some(parent.clone())),
            Some(_) => None,
        };
        let is_withheld = visibility::is_marked(&node);
        let time = node.get("message").and_then(|message| message.get("create_time"));
        let time = time.and_then(seconds).unwrap_or_default();
        let contents = match (node.get_mut("message").map(Value::take), text) {
            (Some(Value::Object(_)), Some(text)) => Contents::Text(text),
            (Some(Value::Object(message)), None) => Contents::Parsed(message),
            _ => Contents::Nothing,
        };
        self.list.push(Draft { id, parent, contents, is_withheld, time });
    }

    /// Reads the nodes of the mapping at that place of a file, one by one.
    fn read_text(
        &mut self,
        file: &'a str,
        at: Range<usize>,
        notes: &mut Vec<Note>,
    ) -> Result<(), Note> {
        let (mapping, at) = (&file[at.clone()], at.start);
        let place = |part: &str| part.as_ptr() as usize - file.as_ptr() as usize;
        let count = json::members(mapping).take(MAX_MESSAGES + 1).count();
        if count > MAX_MESSAGES {
            return Err(too_many(at));
        }
        let mut known: HashMap<String, usize> = HashMap::with_capacity(count);
        let mut texts: Vec<(String, &'a str)> = Vec::with_capacity(count);
        let mut end = 1;
        for (id, node) in json::members(mapping) {
            let start = place(id);
            end = place(node) - at + node.len();
            let id = json::unescaped(&format!("\"{id}\"")).into_owned();
            match known.get(&id).and_then(|known| texts.get_mut(*known)) {
                Some(known) => {
                    self.damage.repeats(start);
                    known.1 = node;
                }
                None => {
                    known.insert(id.clone(), texts.len());
                    texts.push((id, node));
                }
            }
        }
        drop(known);
        for (id, text) in texts {
            let start = place(text);
            let (node, deviations) = visibility::parse(text)
                .map_err(|error| broken(start + error.at, error.about("this message")))?;
            notes.extend(deviation_notes(deviations, file, start));
            self.damage.look_at(&node, || start);
            self.add(id, node, Some(text));
        }
        // Anything but a comma ends the keys.
        match mapping[end..].trim_start_matches([' ', '\t', '\n', '\r', ',']) {
            "}" => Ok(()),
            _ => Err(broken(at + end, "this is not valid JSON: expected `,` or `}`".to_owned())),
        }
    }
}

/// Finds the parents of nodes, and puts siblings in order.
fn in_order<'a>(drafts: Vec<Draft<'a>>, children: &Children) -> Vec<Node<'a>> {
    let known: HashSet<String> = drafts.iter().map(|draft| draft.id.clone()).collect();
    let node = |draft: Draft<'a>| {
        let Draft { id, parent, contents, is_withheld, time } = draft;
        let above = children.above(&id);
        // New exports contain only the parents of messages, broken ones only the children.
        let parent = parent.and_then(|declared| {
            let declared = declared.filter(|id| known.contains(id));
            declared.or_else(|| above.map(|(parent, _)| parent.to_owned()))
        });
        let hint = above.filter(|(above, _)| Some(*above) == parent.as_deref());
        let order = (hint.map_or(usize::MAX, |(_, place)| place), time);
        Node { id, parent, is_withheld, contents, order }
    };
    let mut list: Vec<Node<'a>> = drafts.into_iter().map(node).collect();
    list.sort_by(|a, b| {
        let by_time = a.order.1.total_cmp(&b.order.1);
        a.order.0.cmp(&b.order.0).then(by_time).then(a.id.cmp(&b.id))
    });
    // Without any parents, messages are ordered by time.
    if list.iter().all(|node| node.parent.is_none()) {
        let above: Vec<String> = list.iter().map(|node| node.id.clone()).collect();
        for (node, above) in list.iter_mut().skip(1).zip(above) {
            node.parent = Some(above);
        }
    }
    list
}

/// Finds the paths through messages. The main path ends at `current`, or at the newest message without
/// replies.
pub(super) fn paths(list: &[Node<'_>], current: Option<&str>) -> Paths {
    let nodes = list.iter().map(|Node { id, parent, .. }| (id, parent.as_deref()));
    let nodes: Vec<_> = nodes.map(|(id, parent)| tree::Node { id, parent }).collect();
    let known = current.filter(|id| nodes.iter().any(|node| node.id == *id));
    // The times are not negative, so their bits have the same order.
    let newest = || newest_leaf(&nodes, |at| list[at].order.1.to_bits());
    tree::paths(&nodes, known.or_else(newest))
}

/// The replies that each message lists.
#[derive(Default)]
struct Children {
    /// By reply: the first message that lists it, and its index there.
    above: HashMap<String, (usize, usize)>,
    parents: Vec<String>,
}

impl Children {
    fn enter(&mut self, id: &str, node: &Map) {
        let children = list(node, "children");
        if children.is_empty() {
            return;
        }
        let parent = self.parents.len();
        self.parents.push(id.to_owned());
        for (place, child) in children.iter().enumerate() {
            if let Some(child) = child.as_str() {
                self.above.entry(child.to_owned()).or_insert((parent, place));
            }
        }
    }

    fn above(&self, child: &str) -> Option<(&str, usize)> {
        let (parent, place) = self.above.get(child)?;
        Some((self.parents.get(*parent)?.as_str(), *place))
    }
}
