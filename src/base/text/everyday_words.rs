//! Common words, some of which are also names.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The most common words of several languages, in lower case.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lists = [
        include_str!("everyday_words/en.txt"),
        include_str!("everyday_words/de.txt"),
        include_str!("everyday_words/es.txt"),
        include_str!("everyday_words/fr.txt"),
        include_str!("everyday_words/it.txt"),
        include_str!("everyday_words/nl.txt"),
        include_str!("everyday_words/pt.txt"),
    ];
    lists.into_iter().flat_map(str::split_whitespace).chain(COMMON).collect()
});

/// Returns whether a lower-case name consists only of common words.
pub fn is_everyday_name(name: &str) -> bool {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(|word| WORDS.contains(word))
}

/// Parts of names that are also ordinary words.
pub const COMMON: [&str; 84] = [
    "amber", "and", "angel", "april", "art", "august", "autumn", "baker", "best", "bill", "bird",
    "black", "bond", "brook", "brooks", "brown", "bush", "carpenter", "chance", "chase", "church",
    "cook", "dawn", "day", "dean", "del", "den", "der", "dos", "drew", "faith", "field", "fields",
    "fisher", "ford", "forest", "fox", "frank", "good", "grace", "grant", "gray", "green", "hall",
    "hill", "hope", "hunter", "iris", "ivy", "joy", "june", "king", "lane", "little", "long",
    "love", "major", "mark", "marsh", "may", "miles", "mills", "page", "park", "pat", "pearl",
    "price", "rich", "rob", "rose", "ruby", "sky", "stone", "summer", "the", "van", "von",
    "waters", "wells", "white", "will", "wolf", "wood", "young",
];
