//! Metadata keys that decide the listings in which a conversation appears.

use serde::{Deserialize, Serialize};

use super::Conversation;
use crate::json::Value;

/// The key for the series that a conversation is part of.
pub const SERIES: &str = "series";
/// The key for the number of the part.
pub const SERIES_ORDER: &str = "series_order";
/// The key for the position in listings in author order; the smallest number comes first.
pub const WEIGHT: &str = "weight";
/// The key that pins a conversation to the top of listings.
pub const PINNED: &str = "pinned";
/// The key that shows a conversation on the home page.
pub const FEATURED: &str = "featured";

/// The keys that authors may add to a format with its own metadata.
pub const AUTHOR_KEYS: [&str; 19] = [
    super::SUMMARY,
    "description",
    "abstract",
    super::SLUG,
    super::ALIASES,
    super::TRANSLATION_OF,
    super::MEDIA,
    super::INDEX,
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
    /// Returns the names of the series that this conversation is part of.
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

    /// Returns the number under a key.
    pub fn number(&self, key: &str) -> Option<i64> {
        self.extra.get(key)?.as_i64()
    }
}

/// The settings of a conversation for listings and its URL.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Filing {
    /// The names of the series it is part of.
    pub series: Vec<String>,
    /// The number of the part.
    pub part: Option<i64>,
    /// The position in listings in author order; the smallest number comes first.
    pub weight: Option<i64>,
    /// Whether it is pinned to the top of listings.
    pub pinned: bool,
    /// Whether it is on the home page.
    pub featured: bool,
    /// The text of its URL, if it is not its title.
    pub slug: Option<String>,
}

impl Filing {
    /// The settings of a conversation that sets none.
    pub const EMPTY: Self = Self {
        series: Vec::new(),
        part: None,
        weight: None,
        pinned: false,
        featured: false,
        slug: None,
    };

    /// Returns whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    /// Returns the settings of a conversation.
    pub fn of(read: &Conversation) -> Self {
        Self {
            series: read.series(),
            part: read.number(SERIES_ORDER),
            weight: read.number(WEIGHT),
            pinned: read.choice(PINNED) == Some(true),
            featured: read.choice(FEATURED) == Some(true),
            slug: read.extra.get(super::SLUG).and_then(Value::as_str).map(str::to_owned),
        }
    }
}

/// The key of `_index.md` for the order of conversations.
pub const ORDER: &str = "order";
/// The key of `_index.md` for numbered conversations.
pub const NUMBERED: &str = "numbered";

/// The settings in an `_index.md`, besides its title and text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Section {
    /// The order of the conversations, if it is set.
    pub order: Option<Order>,
    /// Whether the conversations are the parts of a series.
    pub numbered: bool,
    /// The files that come first, in this order, if it lists files instead of an order.
    pub listed: Vec<String>,
}

impl Section {
    /// Returns the settings in an `_index.md`.
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
    /// By the numbers that authors set.
    Weight,
}

impl Order {
    /// All orders with their names.
    pub const WORDS: [(&str, Self); 4] = [
        ("newest", Self::Newest),
        ("oldest", Self::Oldest),
        ("title", Self::Title),
        ("weight", Self::Weight),
    ];

    /// Returns the order with this name.
    pub fn parse(word: &str) -> Option<Self> {
        let mut words = Self::WORDS.into_iter();
        words.find(|(known, _)| *known == word.trim()).map(|(_, order)| order)
    }
}
