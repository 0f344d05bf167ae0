//! Mattermost texts: Markdown with `@wren`, `~quay` and `:tada:`.

use crate::shared::people::channel::{Dialect, Members, emoji_at, markdown_of};
use crate::shared::text::verbatim::verbatim;

/// Returns a text as Markdown.
pub(super) fn to_markdown(text: &str, members: &mut Members) -> String {
    let mut mark = |text: &str| match text.chars().next() {
        Some('@') => {
            let (count, name) = mention(&text[1..], members)?;
            Some((count + 1, verbatim(&format!("@{name}"))))
        }
        Some(':') => emoji_at(text),
        _ => None,
    };
    markdown_of(text, &mut Dialect { has_tables: true, mark: &mut mark })
}

/// Returns a system message with names in place of accounts: `wren joined the channel.`
pub(super) fn to_plain(text: &str, members: &mut Members) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(' ') {
        let bare = word.trim_start_matches('@');
        match mention(bare, members) {
            Some((count, name)) => {
                out.push_str(&name);
                out.push_str(&bare[count..]);
            }
            None => out.push_str(word),
        }
    }
    out.trim().to_owned()
}

/// Returns the name for the account at the beginning of a text, and the length of the account.
fn mention(text: &str, members: &mut Members) -> Option<(usize, String)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let account = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
    // A full stop usually ends the sentence, but may be part of the account name.
    let bare = account.trim_end_matches(['.', '-', '_']);
    let known = [account, bare].into_iter().find(|account| members.knows(account))?;
    Some((known.len(), members.name_in_text(known)))
}
