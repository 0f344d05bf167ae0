//! Titles that programs show until a conversation has one.

use crate::shared::text::dates;

/// The titles of all programs, in lower case.
const PLACEHOLDERS: [&str; 19] = [
    "child session", "conversation", "neuer chat", "new chat", "new conversation", "new session",
    "new thread", "nouveau chat", "nouvelle conversation", "nueva conversación", "nuevo chat",
    "unnamed chat", "untitled", "untitled chat", "untitled conversation", "新聊天", "新对话",
    "新的聊天", "新しいチャット",
];

/// Returns whether a title says nothing. OpenCode adds the time to it: `New session - 2026-03-04T10:00:00.000Z`.
pub(crate) fn is_placeholder(title: &str) -> bool {
    let title = title.trim();
    let (name, time) = title.split_once(" - ").unwrap_or((title, ""));
    let is_time = |text: &str| text.is_empty() || dates::iso(text).is_some();
    is_time(time) && (name.is_empty() || PLACEHOLDERS.contains(&name.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn titles_that_say_nothing_are_known() {
        for title in ["", "New chat", "New Session - 2026-03-04T10:00:00.000Z", " Untitled "] {
            assert!(is_placeholder(title), "{title}");
        }
        for title in [
            "New chat rooms",
            "New chat - moderation",
            "Conversation - 3 ways to cook rice",
            "Untitled poem",
            "2026",
        ] {
            assert!(!is_placeholder(title), "{title}");
        }
    }
}
