//! What authors say of the lists in which a conversation stands, under keys of its metadata.

use serde::{Deserialize, Serialize};

use super::Conversation;
use crate::json::Value;

/// The key under which authors name the series of which a conversation is a part.
pub const SERIES: &str = "series";
/// The key for the number of the part.
pub const SERIES_ORDER: &str = "series_order";
/// The key for the place in a list that is in the order of its author: the smallest is first.
pub const WEIGHT: &str = "weight";
/// The key that keeps a conversation on top of lists.
pub const PINNED: &str = "pinned";
/// The key that shows a conversation on the home page.
pub const FEATURED: &str = "featured";

/// The keys that authors of a format with metadata of its own write beside that.
pub const AUTHORS_KEYS: [&str; 11] = [
    super::REVIEWED,
    SERIES,
    SERIES_ORDER,
    WEIGHT,
    PINNED,
    FEATURED,
    "draft",
    "publish",
    "publishDate",
    "expires",
    "expiryDate",
];

impl Conversation {
    /// Returns the names of the series of which it is a part.
    pub fn series(&self) -> Vec<String> {
        let named = match self.extra.get(SERIES) {
            Some(Value::String(name)) => vec![name.as_str()],
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        let mut series: Vec<String> = Vec::new();
        for name in named {
            let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
            if !name.is_empty() && !series.contains(&name) {
                series.push(name);
            }
        }
        series
    }

    /// Returns the number under a key of its author.
    pub fn number(&self, key: &str) -> Option<i64> {
        self.extra.get(key)?.as_i64()
    }
}

/// What its author says of the lists in which a conversation stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Filing {
    /// The names of the series of which it is a part.
    pub series: Vec<String>,
    /// The number of the part.
    pub part: Option<i64>,
    /// Its place in lists that are in the order of their author: the smallest is first.
    pub weight: Option<i64>,
    /// Whether it stays on top of lists.
    pub pinned: bool,
    /// Whether the home page shows it.
    pub featured: bool,
}

impl Filing {
    /// That of one that says nothing of it.
    pub const EMPTY: Self =
        Self { series: Vec::new(), part: None, weight: None, pinned: false, featured: false };

    /// Returns whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Returns what a conversation says.
    pub fn of(read: &Conversation) -> Self {
        Self {
            series: read.series(),
            part: read.number(SERIES_ORDER),
            weight: read.number(WEIGHT),
            pinned: read.choice(PINNED) == Some(true),
            featured: read.choice(FEATURED) == Some(true),
        }
    }
}

/// The key under which `_index.md` says in which order conversations stand.
pub const ORDER: &str = "order";
/// The key under which it says that they are numbered.
pub const NUMBERED: &str = "numbered";

/// What `_index.md` says of its folder, besides its title and its text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Section {
    /// The order of its conversations, where it says one.
    pub order: Option<Order>,
    /// Whether they are the parts of a series.
    pub numbered: bool,
    /// The files that stand first, in this order, where it lists some instead of an order.
    pub listed: Vec<String>,
}

impl Section {
    /// Returns what it says.
    pub fn of(read: &Conversation) -> Self {
        let order = read.extra.get(ORDER);
        let listed = order.and_then(Value::as_array).into_iter().flatten();
        Self {
            order: order.and_then(Value::as_str).and_then(Order::parse),
            listed: listed.filter_map(Value::as_str).map(str::to_owned).collect(),
            numbered: read.choice(NUMBERED) == Some(true) || !read.series().is_empty(),
        }
    }
}

/// The order of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Order {
    /// The newest first.
    Newest,
    /// The oldest first.
    Oldest,
    /// By title.
    Title,
    /// By the numbers that authors give.
    Weight,
}

impl Order {
    /// The orders by their words.
    pub const WORDS: [(&str, Self); 4] = [
        ("newest", Self::Newest),
        ("oldest", Self::Oldest),
        ("title", Self::Title),
        ("weight", Self::Weight),
    ];

    /// Returns the order of this name.
    pub fn parse(word: &str) -> Option<Self> {
        let mut words = Self::WORDS.into_iter();
        words.find(|(known, _)| *known == word.trim()).map(|(_, order)| order)
    }
}
