//! Words that are names, and words as well.

use std::collections::HashSet;
use std::sync::LazyLock;

/// The words that people use most in several languages, in small letters.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lists = [
        include_str!("words/en.txt"),
        include_str!("words/de.txt"),
        include_str!("words/es.txt"),
        include_str!("words/fr.txt"),
        include_str!("words/it.txt"),
        include_str!("words/nl.txt"),
        include_str!("words/pt.txt"),
    ];
    lists.into_iter().flat_map(str::split_whitespace).chain(COMMON).collect()
});

/// Returns whether a name in small letters is made of words that people use often.
pub fn is_of_words(name: &str) -> bool {
    let words = name.split(|c: char| !c.is_alphanumeric());
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(|word| WORDS.contains(word))
}

/// Words of which a name may be a part, that mean something else as well.
pub(super) const COMMON: [&str; 84] = [
    "amber", "and", "angel", "april", "art", "august", "autumn", "baker", "best", "bill", "bird",
    "black", "bond", "brook", "brooks", "brown", "bush", "carpenter", "chance", "chase", "church",
    "cook", "dawn", "day", "dean", "del", "den", "der", "dos", "drew", "faith", "field", "fields",
    "fisher", "ford", "forest", "fox", "frank", "good", "grace", "grant", "gray", "green", "hall",
    "hill", "hope", "hunter", "iris", "ivy", "joy", "june", "king", "lane", "little", "long",
    "love", "major", "mark", "marsh", "may", "miles", "mills", "page", "park", "pat", "pearl",
    "price", "rich", "rob", "rose", "ruby", "sky", "stone", "summer", "the", "van", "von",
    "waters", "wells", "white", "will", "wolf", "wood", "young",
];

/// Words that stand for somebody and are nobody's name.
const ROLES: [&str; 30] = [
    "admin", "agent", "anonymous", "author", "caller", "client", "customer", "guest", "host",
    "human", "i", "interviewee", "interviewer", "me", "moderator", "operator", "owner",
    "participant", "patient", "person", "player", "prompter", "speaker", "student", "teacher",
    "therapist", "unknown", "user", "visitor", "you",
];

/// Returns whether a speaker's name is only a word for what one does, such as `User` or
/// `Speaker 2`.
pub fn is_role(name: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '#' | '_' | '-' | ' ');
    let word = name.trim().trim_end_matches(number);
    word.is_empty() || ROLES.iter().any(|role| role.eq_ignore_ascii_case(word))
}

/// Returns whether a name is one word that means something else as well, and is looked for in texts.
pub(super) fn is_everyday_name(name: &str) -> bool {
    let is_word = COMMON.contains(&name.to_lowercase().as_str());
    is_word && !is_account(name) && !is_role(name)
}

/// Returns whether a name is that of an account, of which the case means nothing.
pub(super) fn is_account(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_graphic() && !c.is_ascii_uppercase();
    name.contains('@') && !name.contains(char::is_whitespace) || name.chars().all(fits)
}
