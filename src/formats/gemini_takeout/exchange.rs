//! Message ids for an exchange that does not name a conversation.

use convo_base::hash::Hash;
use convo_base::model::Block;

/// Identifies an exchange by its time and its text, because two exchanges may have the same time. HTML
/// pages contain times only to the second.
pub(super) struct Exchange<'a> {
    stamp: &'a str,
    words: Hash,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(
        stamp: &'a str,
        asked: &[Block],
        answered: &[Block],
        made: Option<&str>,
    ) -> Self {
        Self { stamp, words: Hash::of(&(texts(asked), texts(answered), made)) }
    }

    /// Returns the id of one of its messages: `prompt`, `answer`.
    pub(super) fn id(&self, part: &str) -> String {
        format!("{}/{part}/{}", self.stamp, self.words.short(9))
    }
}

fn texts(blocks: &[Block]) -> Vec<String> {
    blocks.iter().map(|block| block.to_markdown()).collect()
}

#[cfg(test)]
mod tests {
    use super::Exchange;
    use convo_base::model::Block;

    #[test]
    fn only_the_same_words_of_one_time_are_the_same() {
        let id = |asked: &str, answered: &str| {
            let blocks = |text: &str| [Block::Markdown { text: text.to_owned() }];
            let (asked, answered) = (blocks(asked), blocks(answered));
            let stamp = "2026-03-04T09:15:00Z";
            Exchange::new(stamp, &asked, &answered, None).id("prompt")
        };
        assert_eq!(id("When?", "At eight."), id("When?", "At eight."));
        assert_ne!(id("When?", "At eight."), id("Who?", "At eight."));
        assert_ne!(id("When?", "At eight."), id("When?", "At nine."));
    }
}
