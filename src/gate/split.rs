//! Secrets that are written in several words, or of which one turn has the beginning and the next ones the rest.
//! No search of a single text finds them, so words are joined and, since words may join by chance, must have the
//! checksum of their rule.

use crate::model::{Block, Conversation};
use crate::secrets::{self, Rule, RuleSet, Tier};

/// The maximum length of words that are joined. Bytes.
const MAX_JOINED_BYTES: usize = 256;
/// The maximum length of the texts that they are in. Bytes.
const MAX_TEXT_BYTES: usize = 1024;

/// Returns the secrets with a checksum that are split by something else than markup.
pub(super) fn split_secrets(read: &Conversation, wanted: &RuleSet) -> Vec<(&'static Rule, String)> {
    let blocks = read.all_turns().flat_map(|turn| &turn.blocks);
    let texts: Vec<&str> = blocks
        .filter_map(|block| match block {
            Block::Markdown { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let mut found = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        secrets::each_beginning_with_sum(text, |at| {
            let rest = text.get(at..).into_iter().chain(texts[number + 1..].iter().copied());
            let joined = joined(rest);
            for secret in secrets::scan(&joined, wanted) {
                let is_proven = secret.tier == Tier::Certain && secret.rule.has_sum();
                if let Some(whole) = joined.get(secret.range).filter(|_| is_proven)
                    && !text.contains(whole)
                {
                    found.push((secret.rule, whole.to_owned()));
                }
            }
        });
    }
    found
}

/// Returns the characters of texts that may be in a secret.
fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let is_part = |c: &char| c.is_ascii_alphanumeric() || "-_+/=".contains(*c);
    let all = texts.flat_map(str::chars).take(MAX_TEXT_BYTES);
    all.filter(is_part).take(MAX_JOINED_BYTES).collect()
}
