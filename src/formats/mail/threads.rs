//! Threads of mails, by the ids that the mails refer to.

use std::collections::HashMap;

use convo_base::hash::Hash;

/// A mail, or the place of a missing one.
#[derive(Debug)]
struct Node {
    id: Hash,
    /// The index of the mail.
    mail: Option<usize>,
    /// Distinguishes mails that have the same id.
    print: Hash,
    parent: Option<usize>,
    /// Another node of its tree that is closer to the root; the root points to itself.
    near: usize,
}

/// Builds threads from mails that are added one by one.
#[derive(Debug, Default)]
pub(super) struct Threads {
    nodes: Vec<Node>,
    places: HashMap<Hash, usize>,
    /// For each mail its ancestors, oldest first, and the mail itself.
    chains: Vec<Vec<usize>>,
}

/// A thread.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Thread {
    /// The id of its first mail, which may be missing.
    pub(super) root: Hash,
    /// The indices of its mails, in the order in which they were added, without duplicates.
    pub(super) mails: Vec<usize>,
}

impl Threads {
    /// Adds the next mail. `print` distinguishes mails with the same id. Returns whether the mail
    /// is a duplicate.
    pub(super) fn add(&mut self, id: Hash, print: Hash, ancestors: &[Hash]) -> bool {
        let mut place = self.place(id);
        if self.nodes[place].mail.is_some() {
            if self.nodes[place].print == print {
                return true;
            }
            place = self.place(Hash::of(&(id, print)));
            if self.nodes[place].mail.is_some() {
                return true;
            }
        }
        (self.nodes[place].mail, self.nodes[place].print) = (Some(self.chains.len()), print);
        let mut chain: Vec<usize> = ancestors.iter().map(|id| self.place(*id)).collect();
        chain.push(place);
        self.chains.push(chain);
        false
    }

    fn place(&mut self, id: Hash) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry(id).or_insert(next);
        if place == next {
            let (mail, parent) = (None, None);
            self.nodes.push(Node { id, mail, print: id, parent, near: next });
        }
        place
    }

    /// Returns the threads, in the order of their first mails.
    pub(super) fn finish(mut self) -> Vec<Thread> {
        let chains = std::mem::take(&mut self.chains);
        // What a mail says about itself takes precedence over what others say about it.
        for chain in &chains {
            let [.., parent, own] = chain[..] else { continue };
            self.link(parent, own);
        }
        for chain in &chains {
            for pair in chain.windows(2) {
                self.link(pair[0], pair[1]);
            }
        }
        let mut threads: Vec<Thread> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        for chain in chains {
            let Some(own) = chain.last().copied() else { continue };
            let Some(mail) = self.nodes[own].mail else { continue };
            let near = self.nearest(own);
            let place = *places.entry(near).or_insert(threads.len());
            if place == threads.len() {
                let root = self.nodes[near].id;
                threads.push(Thread { root, mails: Vec::new() });
            }
            threads[place].mails.push(mail);
        }
        threads
    }

    /// Puts a mail below another one, unless it already has a parent or is above that mail.
    fn link(&mut self, parent: usize, child: usize) {
        let (above, below) = (self.nearest(parent), self.nearest(child));
        if self.nodes[child].parent.is_some() || above == below {
            return;
        }
        self.nodes[child].parent = Some(parent);
        self.nodes[below].near = above;
    }

    fn nearest(&mut self, mut place: usize) -> usize {
        while self.nodes[place].near != place {
            let near = self.nodes[place].near;
            self.nodes[place].near = self.nodes[near].near;
            place = near;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::{Thread, Threads};
    use convo_base::hash::Hash;

    fn hash(name: &str) -> Hash {
        Hash::of(name)
    }

    fn threads(mails: &[(&str, &[&str])]) -> Vec<(Hash, Vec<usize>)> {
        let mut all = Threads::default();
        for (id, ancestors) in mails {
            let ancestors: Vec<Hash> = ancestors.iter().map(|id| hash(id)).collect();
            all.add(hash(id), hash(id), &ancestors);
        }
        all.finish().into_iter().map(|Thread { root, mails }| (root, mails)).collect()
    }

    #[test]
    fn mails_are_in_the_thread_of_the_mail_they_answer() {
        let found = threads(&[
            ("c", &["a", "b"]),
            ("x", &[]),
            ("b", &["a"]),
            // It names only the mail it replies to, which is missing.
            ("e", &["d"]),
            ("d2", &["a", "d"]),
        ]);
        assert_eq!(found, [(hash("a"), vec![0, 2, 3, 4]), (hash("x"), vec![1])]);
    }

    #[test]
    fn circles_end() {
        let found = threads(&[("a", &["b"]), ("b", &["a"]), ("c", &["c"]), ("b", &["c"])]);
        assert_eq!(found.len(), 2);
        let many: Vec<String> = (0..50_000).map(|n| n.to_string()).collect();
        let mut all = Threads::default();
        for pair in many.windows(2) {
            all.add(hash(&pair[1]), hash(""), &[hash(&pair[0])]);
        }
        assert_eq!(all.finish().len(), 1);
    }

    #[test]
    fn different_mails_of_one_id_are_two() {
        let mut all = Threads::default();
        assert!(!all.add(hash("a"), hash("1"), &[]));
        assert!(all.add(hash("a"), hash("1"), &[]));
        assert!(!all.add(hash("a"), hash("2"), &[]));
        assert_eq!(all.finish().len(), 2);
    }
}
