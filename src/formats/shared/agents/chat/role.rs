//! Roles of messages.

/// The role of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    User,
    Assistant,
    System,
    /// The result of a tool.
    Tool,
    /// A message that consists of a tool call.
    Call,
}

impl Role {
    /// Returns the role for a keyword of any data set.
    pub(crate) fn of(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "user" | "human" | "prompter" => Self::User,
            "assistant" | "gpt" | "chatgpt" | "bing" | "bard" | "model" | "ai" | "bot" => {
                Self::Assistant
            }
            "system" | "developer" => Self::System,
            "tool" | "function" | "observation" | "ipython" | "environment"
            | "function_response" | "tool_response" | "function-response" => Self::Tool,
            "function_call" | "tool_call" | "function-call" => Self::Call,
            _ => return None,
        })
    }

    /// Returns the name of the speaker.
    pub(super) fn speaker(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::System => "System",
            _ => "Assistant",
        }
    }
}
