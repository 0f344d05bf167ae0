//! Tells currency from mathematics: `$5` is money.

use std::borrow::Cow;

use crate::commonmark::{Event, events};

/// The most rounds of escaping before mathematics is given up for the turn.
const MAX_ROUNDS: usize = 3;

/// Escapes every `$` that stands for money, and returns whether mathematics can be read in the
/// text. The parser takes `$5, or ($6)` for a formula; one that is followed by a digit or a
/// letter is none.
pub(super) fn escape(text: &str, math: bool) -> (Cow<'_, str>, bool) {
    let mut text = Cow::Borrowed(text);
    if !math || !text.contains('$') {
        return (text, math);
    }
    for _ in 0..MAX_ROUNDS {
        let mut prices = Vec::new();
        for (event, range) in events(&text, true) {
            let next = text[range.end..].chars().next();
            if matches!(event, Event::InlineMath(_))
                && !text[range.clone()].starts_with("$`")
                && next.is_some_and(char::is_alphanumeric)
            {
                prices.extend([range.start, range.end - 1]);
            }
        }
        if prices.is_empty() {
            return (text, true);
        }
        let mut escaped = String::with_capacity(text.len() + prices.len());
        let mut done = 0;
        for at in prices {
            escaped.push_str(&text[done..at]);
            escaped.push('\\');
            done = at;
        }
        escaped.push_str(&text[done..]);
        text = escaped.into();
    }
    (text, false)
}
