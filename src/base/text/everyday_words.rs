//! Common words, some of which are also names.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Languages whose everyday words are known, as a bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Languages(u8);

/// The most common words of each language, in lower case. The number is the bit in [`Languages`].
const LISTS: [(u8, &str); 7] = [
    (ENGLISH, include_str!("everyday_words/en.txt")),
    (1 << 1, include_str!("everyday_words/de.txt")),
    (1 << 2, include_str!("everyday_words/es.txt")),
    (1 << 3, include_str!("everyday_words/fr.txt")),
    (1 << 4, include_str!("everyday_words/it.txt")),
    (1 << 5, include_str!("everyday_words/nl.txt")),
    (1 << 6, include_str!("everyday_words/pt.txt")),
];

const ENGLISH: u8 = 1;

/// The languages in which each word is common.
static WORDS: LazyLock<HashMap<&str, u8>> = LazyLock::new(|| {
    let mut words: HashMap<&str, u8> = HashMap::new();
    for (language, list) in LISTS {
        list.split_whitespace().for_each(|word| *words.entry(word).or_default() |= language);
    }
    COMMON.into_iter().for_each(|word| _ = words.insert(word, Languages::ALL.0));
    words
});

/// The minimum share of the words of a text, in percent, and the minimum number of different words, that are
/// common in a language in which it is written.
const MIN_SHARE: usize = 5;
const MIN_WORDS: usize = 3;

impl Languages {
    const ALL: Self = Self(u8::MAX);

    /// English alone, words of which are in texts of all languages.
    pub const ENGLISH: Self = Self(ENGLISH);

    /// Returns whether a lower-case name consists only of common words of these languages.
    pub fn is_everyday_name(self, name: &str) -> bool {
        let words = name.split(|c: char| !c.is_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty()).peekable();
        let is_common =
            |word: &str| WORDS.get(word).is_some_and(|languages| languages & self.0 != 0);
        words.peek().is_some() && words.all(is_common)
    }
}

/// Finds out in which languages texts are written.
#[derive(Default)]
pub struct LanguageDetector {
    words: usize,
    /// For each language other than English, the number of its common words.
    common: [usize; LISTS.len()],
    /// Those that were found.
    found: HashSet<&'static str>,
}

impl LanguageDetector {
    /// Counts the words of a text.
    pub fn add(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            self.words += 1;
            // With a capital letter, it may be a name.
            let Some((word, languages)) = WORDS.get_key_value(word) else { continue };
            if languages & ENGLISH != 0 {
                continue;
            }
            self.found.insert(word);
            for ((language, _), count) in LISTS.iter().zip(&mut self.common) {
                *count += usize::from(languages & language != 0);
            }
        }
    }

    /// Returns the languages of the texts, of which English is always one.
    pub fn finish(self) -> Languages {
        let mut languages = Languages::ENGLISH;
        for ((language, _), count) in LISTS.iter().zip(self.common) {
            let is_in = |word: &&&str| WORDS.get(**word).is_some_and(|all| all & language != 0);
            if count * 100 >= self.words * MIN_SHARE
                && self.found.iter().filter(is_in).count() >= MIN_WORDS
            {
                languages.0 |= language;
            }
        }
        languages
    }
}

/// Returns whether a lower-case name consists only of common words, of any language.
pub fn is_everyday_name(name: &str) -> bool {
    Languages::ALL.is_everyday_name(name)
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

#[cfg(test)]
mod tests {
    use super::{LanguageDetector, Languages};

    #[test]
    fn a_word_of_another_language_is_a_name() {
        for (text, name, is_everyday) in [
            ("Mia asked who builds the wheel, and Bruno knew.", "mia", false),
            ("Mia, Bruno, Sole. Mia!", "mia", false),
            ("Mia madre abita qui, e la casa ha una porta.", "mia", true),
            ("Wann kommt das Schiff? Wolf weiß es nicht.", "mia", false),
            ("Mia asked who builds the wheel.", "test", true),
            ("Mia madre abita qui, e la casa ha una porta.", "test", true),
            ("", "rose", true),
        ] {
            let mut detector = LanguageDetector::default();
            detector.add(text);
            assert_eq!(detector.finish().is_everyday_name(name), is_everyday, "{text} {name}");
        }
        assert!(!Languages::ENGLISH.is_everyday_name("mia"));
    }
}
