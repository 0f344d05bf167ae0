//! Polls, which phones export as lines in their own language:
//!
//! ```text
//! POLL:
//! Who brings the boat?
//! OPTION: Wren (2 votes)
//! OPTION: nobody (0 votes)
//! ```

use super::line::{SYSTEM_MARK, trimmed};

/// A poll.
pub(super) struct Poll<'a> {
    pub(super) question: Vec<&'a str>,
    /// The text of each answer and its number of votes.
    pub(super) options: Vec<&'a str>,
}

/// Reads a poll. Not every language is known, so a poll is recognised by its shape: a word with a
/// colon on a line of its own, and at the end lines that begin with another word and a colon and
/// end with a number in parentheses. Without the mark of a phone, at least two such lines are
/// needed, because people also type lists.
pub(super) fn poll(text: &str) -> Option<Poll<'_>> {
    let mut lines = text.lines().map(trimmed);
    let head = lines.next()?.strip_suffix(':')?;
    if !is_poll_keyword(head) {
        return None;
    }
    let rest: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let (word, _) = rest.last()?.split_once(':')?;
    let is_option = |line: &&&str| option(line, word).is_some();
    let count = rest.iter().rev().take_while(is_option).count();
    let (question, options) = rest.split_at(rest.len() - count);
    let least = if text.starts_with(SYSTEM_MARK) { 1 } else { 2 };
    let is_poll = is_poll_keyword(word) && count >= least && !question.is_empty();
    let options = options.iter().filter_map(|line| option(line, word)).collect();
    is_poll.then(|| Poll { question: question.to_vec(), options })
}

/// Returns an answer with its votes if a line begins with this word.
fn option<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    let (before, words) = line.split_once(": ")?;
    let (_, votes) = words.strip_suffix(')')?.rsplit_once(" (")?;
    let is_number = votes.starts_with(|c: char| c.is_numeric());
    (before == word && is_number).then_some(words)
}

/// Returns whether a word is in capital letters, as phones write it, as far as its script has any.
fn is_poll_keyword(word: &str) -> bool {
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    (2..=16).contains(&letters) && !word.chars().any(char::is_lowercase)
}
