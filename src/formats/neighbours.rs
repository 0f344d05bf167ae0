//! The people of related sources, such as the mails of a folder. People in one source may be named
//! in another.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{self, Hasher};
use std::sync::Arc;

use convo_base::hash::Hash;
use convo_base::model::Conversation;

/// Adds people of other sources to a conversation as participants.
type Introduce = dyn Fn(&mut Conversation) + Send + Sync;

/// The people of several sources. Two values are equal if the people are the same.
#[derive(Clone)]
pub struct Neighbours {
    /// The hash of their names.
    names: Hash,
    introduce: Arc<Introduce>,
}

impl Neighbours {
    /// Creates a value. `names` is the hash of everything that `introduce` depends on.
    pub(super) fn new(
        names: Hash,
        introduce: impl Fn(&mut Conversation) + Send + Sync + 'static,
    ) -> Self {
        Self { names, introduce: Arc::new(introduce) }
    }

    /// Adds the people who are named in a conversation as participants.
    pub fn introduce(&self, read: &mut Conversation) {
        (self.introduce)(read);
    }
}

impl PartialEq for Neighbours {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Neighbours {}

impl PartialOrd for Neighbours {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Neighbours {
    fn cmp(&self, other: &Self) -> Ordering {
        self.names.cmp(&other.names)
    }
}

impl hash::Hash for Neighbours {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.hash(state);
    }
}

impl fmt::Debug for Neighbours {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_tuple("Neighbours").field(&self.names).finish()
    }
}
