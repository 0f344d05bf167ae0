//! Channels: long-running streams of messages between people.

use serde::{Deserialize, Serialize};

/// The channel that a conversation was read from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Channel {
    /// The display name.
    pub name: String,
    /// Whether it is a direct message or a private channel in a larger export. Opening the export
    /// does not open these.
    pub is_direct: bool,
    /// Where it is split into conversations, unless the configuration says otherwise.
    pub split: Split,
}

/// Where a channel is split into conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Split {
    /// It is not split.
    #[default]
    Whole,
    /// At the start of each day.
    Day,
    /// After a pause of this length.
    Pause {
        /// Minutes.
        minutes: u32,
    },
    /// Like [`Split::Day`], but each thread is a conversation of its own. Formats in which every
    /// conversation is a thread use this value too.
    Thread,
}

impl Split {
    /// Parses `thread`, `day`, `whole`, or a pause such as `pause:6h` or `pause:45m`.
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

/// The fields of a message in a channel, besides its content.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageInfo {
    /// The [`super::Turn::id`] of the message it replies to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// The [`super::Turn::id`] of the first message of its thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The reactions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reactions: Vec<Reaction>,
    /// Whether it was edited after it was sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_edited: bool,
}

/// A reaction to a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reaction {
    /// An emoji, or the name of one between colons.
    pub emoji: String,
    /// The number of people with this reaction.
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
