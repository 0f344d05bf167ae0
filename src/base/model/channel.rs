//! Channels: what people write to each other for months, in one stream of messages.

use serde::{Deserialize, Serialize};

/// A channel of messages between people, from which a conversation was read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Channel {
    /// Its name for readers.
    pub name: String,
    /// Whether it is a direct message or a private channel among others of one export, so that whoever
    /// opens the export does not mean it.
    pub is_direct: bool,
    /// Where it is cut into conversations, if the configuration does not say.
    pub split: Split,
}

/// Where a channel is cut into conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Split {
    /// Nowhere.
    #[default]
    Whole,
    /// Where a day begins.
    Day,
    /// Where nobody wrote for this long.
    Pause {
        /// Minutes.
        minutes: u32,
    },
    /// As [`Split::Day`], with each thread as a conversation of its own. A format whose conversations are
    /// threads already says so by this.
    Thread,
}

impl Split {
    /// Reads `thread`, `day`, `whole`, or a pause such as `pause:6h` and `pause:45m`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "whole" => Some(Self::Whole),
            "day" => Some(Self::Day),
            "thread" => Some(Self::Thread),
            _ => {
                let length = text.strip_prefix("pause:")?;
                let (number, unit) = length.split_at_checked(length.len().checked_sub(1)?)?;
                let minutes = match unit {
                    "m" => 1,
                    "h" => 60,
                    "d" => 24 * 60,
                    _ => return None,
                };
                let minutes = number.parse::<u32>().ok()?.checked_mul(minutes)?;
                (minutes > 0).then_some(Self::Pause { minutes })
            }
        }
    }
}

impl TryFrom<String> for Split {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
            .ok_or("expected \"day\", \"thread\", \"whole\" or a pause such as \"pause:6h\"")
    }
}

impl From<Split> for String {
    fn from(split: Split) -> Self {
        match split {
            Split::Whole => "whole".to_owned(),
            Split::Day => "day".to_owned(),
            Split::Thread => "thread".to_owned(),
            Split::Pause { minutes } => format!("pause:{minutes}m"),
        }
    }
}

/// What a message of a channel has besides what it says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageInfo {
    /// The [`super::Turn::id`] of the message that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// The [`super::Turn::id`] of the message that opened the thread in which it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// How others reacted to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Reaction>,
    /// Whether it was changed after it was sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_edited: bool,
}

/// A reaction to a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reaction {
    /// An emoji, or the name of one between colons.
    pub emoji: String,
    /// How many people reacted so.
    pub count: u64,
}

#[cfg(test)]
mod tests {
    use super::Split;

    #[test]
    fn pauses_have_a_length() {
        let minutes = |minutes| Some(Split::Pause { minutes });
        assert_eq!(Split::parse("pause:6h"), minutes(360));
        assert_eq!(Split::parse("pause:45m"), minutes(45));
        assert_eq!(Split::parse("day"), Some(Split::Day));
        for wrong in ["", "pause", "pause:", "pause:h", "pause:0h", "pause:6 h", "week"] {
            assert_eq!(Split::parse(wrong), None, "{wrong}");
        }
    }
}
