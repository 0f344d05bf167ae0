//! Recognises names that are also ordinary words.

use crate::text::COMMON;

/// Words for the role of a speaker, which are not names.
const ROLES: [&str; 30] = [
    "admin", "agent", "anonymous", "author", "caller", "client", "customer", "guest", "host",
    "human", "i", "interviewee", "interviewer", "me", "moderator", "operator", "owner",
    "participant", "patient", "person", "player", "prompter", "speaker", "student", "teacher",
    "therapist", "unknown", "user", "visitor", "you",
];

/// Returns whether the name of a speaker is only a role, such as `User` or `Speaker 2`.
pub fn is_role(name: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '#' | '_' | '-' | ' ');
    let word = name.trim().trim_end_matches(number);
    word.is_empty() || ROLES.iter().any(|role| role.eq_ignore_ascii_case(word))
}

/// Returns whether a name is a single word with another meaning and is searched for in texts.
pub(super) fn is_everyday_name(name: &str) -> bool {
    let is_word = COMMON.contains(&name.to_lowercase().as_str());
    is_word && !is_account(name) && !is_role(name)
}

/// Returns whether a name is an account, whose case does not matter.
pub(super) fn is_account(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_graphic() && !c.is_ascii_uppercase();
    name.contains('@') && !name.contains(char::is_whitespace) || name.chars().all(fits)
}
