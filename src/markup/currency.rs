//! Distinguishes currency from mathematics: `$5` is money.

use std::borrow::Cow;

use convo_base::commonmark::{Event, events};

/// The maximum number of rounds of escaping; then the turn is rendered without mathematics.
const MAX_ROUNDS: usize = 3;

/// Escapes every `$` that means money, and returns whether the text can contain mathematics. The
/// parser takes `$5, or ($6)` for a formula; a `$` that is followed by a digit or a letter does not
/// end one.
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
