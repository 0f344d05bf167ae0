//! Finds the main path and the branches in messages that refer to the previous message.

use std::collections::{HashMap, HashSet};

/// A message of a tree.
pub(crate) struct Node<'a> {
    /// The id. If several nodes have the same id, the first one is used.
    pub(crate) id: &'a str,
    /// The id of the previous message. A node without a known parent is a root.
    pub(crate) parent: Option<&'a str>,
}

/// The paths through a tree of messages, as indexes into the list of nodes. Each message is in one path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Paths {
    /// The main path, from its root.
    pub(crate) main: Vec<usize>,
    /// The branches. Each branch comes after the path that it branches off.
    pub(crate) branches: Vec<Path>,
}

/// A branch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Path {
    /// The message that it follows; `None` for another root.
    pub(crate) after: Option<usize>,
    /// Its messages.
    pub(crate) nodes: Vec<usize>,
}

/// Finds the paths through a tree. The main path ends at the node with the id `leaf`. Without it, the main
/// path takes the last child in the list at every fork, like all branches do. Nodes that form a circle are
/// roots.
pub(crate) fn paths(nodes: &[Node<'_>], leaf: Option<&str>) -> Paths {
    let mut places: HashMap<&str, usize> = HashMap::with_capacity(nodes.len());
    for (place, node) in nodes.iter().enumerate() {
        places.entry(node.id).or_insert(place);
    }
    let parents = parents(nodes, &places);
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (place, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(place),
            None => roots.push(place),
        }
    }
    let mut is_taken = vec![false; nodes.len()];
    let mut all = Paths::default();
    let last = leaf.and_then(|leaf| places.get(leaf).copied());
    match last {
        Some(last) => {
            let up = |at: &usize| parents[*at];
            all.main = std::iter::successors(Some(last), up).collect();
            all.main.reverse();
            // Messages after the leaf become branches.
            all.main.iter().for_each(|place| is_taken[*place] = true);
        }
        None => {
            if let Some(root) = roots.last() {
                all.main = newest(*root, &children, &mut is_taken);
            }
        }
    }
    for root in roots {
        if !is_taken[root] {
            let nodes = newest(root, &children, &mut is_taken);
            all.branches.push(Path { after: None, nodes });
        }
    }
    let mut known = 0;
    let main = all.main.clone();
    add_branches(&main, &children, &mut is_taken, &mut all.branches);
    while known < all.branches.len() {
        let path = all.branches[known].nodes.clone();
        add_branches(&path, &children, &mut is_taken, &mut all.branches);
        known += 1;
    }
    all
}

/// Returns the id of the newest node without children. `time` is the time of a node; of several that are
/// equally new, the last one is used.
pub(crate) fn newest_leaf<'a, T: Ord>(
    nodes: &[Node<'a>],
    time: impl Fn(usize) -> T,
) -> Option<&'a str> {
    let parents: HashSet<&str> = nodes.iter().filter_map(|node| node.parent).collect();
    let leaves = nodes.iter().enumerate().filter(|(_, node)| !parents.contains(node.id));
    leaves.max_by_key(|(at, _)| time(*at)).map(|(_, node)| node.id)
}

/// Returns the index of each node's parent. Circles are cut.
fn parents(nodes: &[Node<'_>], places: &HashMap<&str, usize>) -> Vec<Option<usize>> {
    let parent = |(place, node): (usize, &Node<'_>)| {
        let found = places.get(node.parent?).copied();
        found.filter(|parent| *parent != place)
    };
    let mut parents: Vec<Option<usize>> = nodes.iter().enumerate().map(parent).collect();
    // The walk, from 1, in which each node was seen.
    let mut seen = vec![0; nodes.len()];
    for start in 0..nodes.len() {
        let mut at = start;
        while seen[at] == 0 {
            seen[at] = start + 1;
            match parents[at] {
                Some(parent) if seen[parent] == start + 1 => parents[at] = None,
                Some(parent) => at = parent,
                None => break,
            }
        }
    }
    parents
}

/// Follows the last child of each node.
fn newest(from: usize, children: &[Vec<usize>], is_taken: &mut [bool]) -> Vec<usize> {
    let down = |at: &usize| children[*at].last().copied();
    let path: Vec<usize> = std::iter::successors(Some(from), down).collect();
    path.iter().for_each(|place| is_taken[*place] = true);
    path
}

/// Adds the branches that leave a path, in its order.
fn add_branches(
    path: &[usize],
    children: &[Vec<usize>],
    is_taken: &mut [bool],
    branches: &mut Vec<Path>,
) {
    for at in path {
        for child in &children[*at] {
            if !is_taken[*child] {
                let nodes = newest(*child, children, is_taken);
                branches.push(Path { after: Some(*at), nodes });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Node, Path, Paths, paths};

    fn of(list: &[(&'static str, &'static str)], leaf: Option<&str>) -> Paths {
        let node = |(id, parent): &(&'static str, &'static str)| Node {
            id,
            parent: Some(*parent).filter(|parent| !parent.is_empty()),
        };
        paths(&list.iter().map(node).collect::<Vec<_>>(), leaf)
    }

    #[test]
    fn a_fork_is_a_branch() {
        let list = [("a", ""), ("b", "a"), ("c", "b"), ("d", "a"), ("e", "d"), ("f", "d")];
        let found = of(&list, Some("e"));
        assert_eq!(found.main, [0, 3, 4]);
        let branches =
            [Path { after: Some(0), nodes: vec![1, 2] }, Path { after: Some(3), nodes: vec![5] }];
        assert_eq!(found.branches, branches);
        assert_eq!(of(&list, None).main, [0, 3, 5]);
        assert_eq!(of(&list, Some("unknown")).main, [0, 3, 5]);
    }

    #[test]
    fn circles_end() {
        let found = of(&[("a", "b"), ("b", "a"), ("c", "c")], None);
        let count = found.main.len() + found.branches.iter().map(|b| b.nodes.len()).sum::<usize>();
        assert_eq!(count, 3);
    }

    #[test]
    fn a_long_chain_takes_no_longer_than_its_length() {
        let ids: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
        let node =
            |n: usize| Node { id: &ids[n], parent: n.checked_sub(1).map(|n| ids[n].as_str()) };
        let nodes: Vec<Node<'_>> = (0..ids.len()).rev().map(node).collect();
        assert_eq!(paths(&nodes, None).main.len(), ids.len());
    }
}
