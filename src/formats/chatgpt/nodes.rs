//! The messages of a record as a tree: what follows what, and which way was shown last.

use std::collections::HashMap;

use super::super::tree;
use super::marked::is_marked;
use super::message::{Message, list, seconds, text};
use crate::json::{Map, Value};

/// The messages of a record, in an order that does not depend on that of the export.
pub(super) struct Nodes<'a> {
    list: Vec<Node<'a>>,
    /// The place of the message before each.
    parents: Vec<Option<usize>>,
}

/// Keys of a node that ChatGPT writes.
const KEYS: [&str; 4] = ["id", "parent", "children", "message"];

struct Node<'a> {
    id: &'a str,
    parent: Option<&'a str>,
    message: Option<Message<'a>>,
    /// Whether a person marked it as private.
    is_left_out: bool,
    /// Its place among its siblings, where its parent says so, and its time.
    order: (usize, f64),
}

impl<'a> Nodes<'a> {
    pub(super) fn new(mapping: &'a Map) -> Self {
        let nodes =
            || mapping.iter().filter_map(|(id, node)| Some((id, node.as_object()?)));
        // Newer exports say only which message stands before one, broken ones only the opposite.
        let mut listed: HashMap<&str, (&str, usize)> = HashMap::new();
        for (id, node) in nodes() {
            for (place, child) in list(node, "children").iter().enumerate() {
                if let Some(child) = child.as_str() {
                    listed.entry(child).or_insert((id, place));
                }
            }
        }
        let node = |(id, node): (&'a String, &'a Map)| {
            let above = listed.get(id.as_str()).copied();
            let known = text(node, "parent").filter(|id| mapping.contains_key(*id));
            let parent = known.or(match node.get("parent") {
                None | Some(Value::String(_)) => above.map(|(parent, _)| parent),
                Some(_) => None,
            });
            let hint = above.filter(|(above, _)| Some(*above) == parent);
            let message =
                node.get("message").and_then(Value::as_object).map(Message::new);
            let time = message.and_then(|message| message.map().get("create_time"));
            let time = time.and_then(seconds).unwrap_or_default();
            let order = (hint.map_or(usize::MAX, |(_, place)| place), time);
            let is_left_out = is_marked(node, &KEYS);
            Node { id, parent, message, is_left_out, order }
        };
        let mut list: Vec<Node<'a>> = nodes().map(node).collect();
        list.sort_by(|a, b| {
            let by_time = a.order.1.total_cmp(&b.order.1);
            a.order.0.cmp(&b.order.0).then(by_time).then(a.id.cmp(b.id))
        });
        let places: HashMap<&str, usize> =
            list.iter().enumerate().map(|(place, node)| (node.id, place)).collect();
        let parent = |node: &Node<'a>| places.get(node.parent?).copied();
        let parents = list.iter().map(parent).collect();
        Self { list, parents }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn id(&self, place: usize) -> &'a str {
        self.list[place].id
    }

    pub(super) fn message(&self, place: usize) -> Option<Message<'a>> {
        self.list[place].message
    }

    /// Returns whether a person marked the place of a message as private.
    pub(super) fn is_left_out(&self, place: usize) -> bool {
        self.list[place].is_left_out
    }

    /// Returns the place of the message before one.
    pub(super) fn parent(&self, place: usize) -> Option<usize> {
        self.parents[place]
    }

    /// Finds the ways through the tree. The main one ends at `current`, or at the newest message
    /// that nothing follows.
    pub(super) fn paths(&self, current: Option<&str>) -> tree::Paths {
        let node = |node: &Node<'a>| tree::Node { id: node.id, parent: node.parent };
        let nodes: Vec<tree::Node<'a>> = self.list.iter().map(node).collect();
        let known = current.filter(|id| nodes.iter().any(|node| node.id == *id));
        tree::paths(&nodes, known.or_else(|| self.newest()))
    }

    fn newest(&self) -> Option<&'a str> {
        let mut is_leaf = vec![true; self.len()];
        self.parents.iter().flatten().for_each(|parent| is_leaf[*parent] = false);
        let leaves = self.list.iter().zip(is_leaf).filter(|(_, is_leaf)| *is_leaf);
        let newest = leaves.max_by(|(a, _), (b, _)| a.order.1.total_cmp(&b.order.1));
        newest.map(|(node, _)| node.id)
    }
}
