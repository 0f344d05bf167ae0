//! The messages of a record as a tree: their order, and the path that was shown last.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::damage::Damage;
use super::message::{Message, Stored, list, seconds, text};
use crate::shared::access::visibility;
use crate::shared::agents::tree;
use crate::shared::json::long_list::{MAX_MESSAGES, broken, too_many};
use crate::shared::json::object::deviation_notes;
use convo_base::diag::Note;
use convo_base::json::{self, Map, Step, Value};

/// The messages of a record, in an order that does not depend on the export's order.
pub(super) struct Nodes<'a> {
    list: Vec<Node<'a>>,
    /// The place of the message before each.
    parents: Vec<Option<usize>>,
}

struct Node<'a> {
    id: Cow<'a, str>,
    parent: Option<Cow<'a, str>>,
    message: Source<'a>,
    /// Whether it is marked as private.
    is_left_out: bool,
    /// Its index among its siblings, if its parent lists it, and its time.
    order: (usize, f64),
}

/// Where the message of a node is.
#[derive(Clone, Copy)]
enum Source<'a> {
    None,
    Parsed(Message<'a>),
    /// The text of the node, which is parsed again for its message: the messages of a very long
    /// conversation would not fit into memory at once.
    Text(&'a str),
}

/// A node before the tree is built.
struct Draft<'a> {
    id: Cow<'a, str>,
    /// Its parent as declared; `None` if the value is not a text.
    parent: Option<Option<Cow<'a, str>>>,
    message: Source<'a>,
    is_left_out: bool,
    time: f64,
}

impl<'a> Draft<'a> {
    /// Creates a node that cannot be read; other nodes may still refer to it.
    fn damaged(id: Cow<'a, str>) -> Self {
        let (message, parent) = (Source::None, Some(None));
        Self { id, parent, message, is_left_out: false, time: 0.0 }
    }

    fn new(id: Cow<'a, str>, node: &Map, message: Source<'a>) -> Self {
        let parent = match node.get("parent") {
            None => Some(None),
            Some(Value::String(parent)) => Some(Some(parent.clone().into())),
            Some(_) => None,
        };
        let time = node.get("message").and_then(Value::as_object);
        let time = time.and_then(|message| message.get("create_time")).and_then(seconds);
        let is_left_out = visibility::is_marked(node);
        Self { id, parent, message, is_left_out, time: time.unwrap_or_default() }
    }
}

impl<'a> Nodes<'a> {
    /// Reads the nodes from the mapping of a record, whose text is `record` and starts at byte `at` of the
    /// file.
    pub(super) fn new(mapping: &'a Map, record: &str, at: usize, notes: &mut Vec<Note>) -> Self {
        let mut children = Children::default();
        let mut damage = Damage::default();
        let mut drafts = Vec::with_capacity(mapping.len());
        for (id, node) in mapping {
            damage.look_at(node, || {
                let place = json::locate(record, &[Step::Key("mapping"), Step::Key(id)]);
                at + place.start
            });
            let Some(node) = node.as_object() else {
                drafts.push(Draft::damaged(id.into()));
                continue;
            };
            let message = node.get("message").and_then(Value::as_object);
            let message = message.map_or(Source::None, |m| Source::Parsed(Message::new(m)));
            children.enter(id, node);
            let mut draft = Draft::new(id.into(), node, message);
            if let Some(parent) = text(node, "parent") {
                draft.parent = Some(Some(parent.into()));
            }
            drafts.push(draft);
        }
        notes.extend(damage.notes());
        Self::of_drafts(drafts, &children)
    }

    /// Reads the nodes from a mapping that starts at byte `at` of the file, one by one. Fails with a note
    /// if it is not valid JSON or has too many nodes.
    pub(super) fn of_text(
        mapping: &'a str,
        at: usize,
        notes: &mut Vec<Note>,
    ) -> Result<Self, Note> {
        let place = |part: &str| at + part.as_ptr() as usize - mapping.as_ptr() as usize;
        let count = json::members(mapping).take(MAX_MESSAGES + 1).count();
        if count > MAX_MESSAGES {
            return Err(too_many(at));
        }
        let mut damage = Damage::default();
        let mut known: HashMap<Cow<'a, str>, usize> = HashMap::with_capacity(count);
        let mut texts: Vec<(Cow<'a, str>, &'a str)> = Vec::with_capacity(count);
        let mut end = 1;
        for (id, node) in json::members(mapping) {
            let start = place(id);
            end = place(node) - at + node.len();
            let id = match id.contains('\\') {
                true => json::unescaped(&format!("\"{id}\"")).into_owned().into(),
                false => Cow::Borrowed(id),
            };
            match known.get(&id).and_then(|known| texts.get_mut(*known)) {
                Some(known) => {
                    damage.repeats(start);
                    known.1 = node;
                }
                None => {
                    known.insert(id.clone(), texts.len());
                    texts.push((id, node));
                }
            }
        }
        drop(known);
        let mut children = Children::default();
        let mut drafts = Vec::with_capacity(count);
        for (id, node) in texts {
            let start = place(node);
            let (value, deviations) = match visibility::parse(node) {
                Ok(parsed) => parsed,
                Err(error) => {
                    return Err(broken(start + error.at, error.about("this message")));
                }
            };
            let reported = deviation_notes(deviations, mapping, start - at);
            notes.extend(reported.map(|note| Note {
                range: note.range.map(|place| place.start + at..place.end + at),
                ..note
            }));
            damage.look_at(&value, || start);
            let Value::Object(map) = value else {
                drafts.push(Draft::damaged(id));
                continue;
            };
            let has_message = map.get("message").is_some_and(Value::is_object);
            let message = if has_message { Source::Text(node) } else { Source::None };
            children.enter(&id, &map);
            drafts.push(Draft::new(id, &map, message));
        }
        // Anything but a comma ends the keys.
        match mapping[end..].trim_start_matches([' ', '\t', '\n', '\r', ',']) {
            "}" => {
                notes.extend(damage.notes());
                Ok(Self::of_drafts(drafts, &children))
            }
            _ => Err(broken(at + end, "this is not valid JSON: expected `,` or `}`".to_owned())),
        }
    }

    fn of_drafts(drafts: Vec<Draft<'a>>, children: &Children) -> Self {
        let known: HashSet<&str> = drafts.iter().map(|draft| &*draft.id).collect();
        let node = |draft: &Draft<'a>| {
            let above = children.above(&draft.id);
            let declared = draft.parent.clone().flatten().filter(|id| known.contains(&**id));
            // New exports contain only the parents of messages, broken ones only the children.
            let parent = declared.or(match draft.parent {
                Some(_) => above.map(|(parent, _)| Cow::Owned(parent.to_owned())),
                None => None,
            });
            let hint = above.filter(|(above, _)| Some(*above) == parent.as_deref());
            let order = (hint.map_or(usize::MAX, |(_, place)| place), draft.time);
            let (id, message) = (draft.id.clone(), draft.message);
            Node { id, parent, message, is_left_out: draft.is_left_out, order }
        };
        let mut list: Vec<Node<'a>> = drafts.iter().map(node).collect();
        list.sort_by(|a, b| {
            let by_time = a.order.1.total_cmp(&b.order.1);
            a.order.0.cmp(&b.order.0).then(by_time).then(a.id.cmp(&b.id))
        });
        // Without any parents, messages are ordered by time.
        if list.iter().all(|node| node.parent.is_none()) {
            let above: Vec<String> = list.iter().map(|node| node.id.to_string()).collect();
            for (node, above) in list.iter_mut().skip(1).zip(above) {
                node.parent = Some(above.into());
            }
        }
        let places: HashMap<&str, usize> =
            list.iter().enumerate().map(|(place, node)| (&*node.id, place)).collect();
        let parent = |node: &Node<'a>| places.get(node.parent.as_deref()?).copied();
        let parents = list.iter().map(parent).collect();
        Self { list, parents }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn id(&self, place: usize) -> &str {
        &self.list[place].id
    }

    pub(super) fn message(&self, place: usize) -> Option<Stored<'a>> {
        match self.list[place].message {
            Source::None => None,
            Source::Parsed(message) => Some(Stored::Parsed(message)),
            Source::Text(node) => {
                match visibility::parse(node).ok()?.0.get_mut("message")?.take() {
                    Value::Object(map) => Some(Stored::Read(map)),
                    _ => None,
                }
            }
        }
    }

    /// Returns whether the message at a place is marked as private.
    pub(super) fn is_left_out(&self, place: usize) -> bool {
        self.list[place].is_left_out
    }

    /// Returns the place of the message before this one.
    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        self.parents[place]
    }

    /// Finds the paths through the tree. The main path ends at `current`, or at the newest message without
    /// replies.
    pub(super) fn paths<'b>(&'b self, current: Option<&'b str>) -> tree::Paths {
        let node = |node: &'b Node<'a>| tree::Node { id: &node.id, parent: node.parent.as_deref() };
        let nodes: Vec<tree::Node<'b>> = self.list.iter().map(node).collect();
        let known = current.filter(|id| nodes.iter().any(|node| node.id == *id));
        tree::paths(&nodes, known.or_else(|| self.newest()))
    }

    fn newest(&self) -> Option<&str> {
        let mut is_leaf = vec![true; self.len()];
        self.parents.iter().flatten().for_each(|parent| is_leaf[*parent] = false);
        let leaves = self.list.iter().zip(is_leaf).filter(|(_, is_leaf)| *is_leaf);
        let newest = leaves.max_by(|(a, _), (b, _)| a.order.1.total_cmp(&b.order.1));
        newest.map(|(node, _)| &*node.id)
    }
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
