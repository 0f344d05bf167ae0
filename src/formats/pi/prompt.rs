//! What a person wrote in a message that OpenClaw received from a chat app.
//!
//! ````text
//! Conversation info (untrusted metadata):
//! ```json
//! {"message_id": "4542", "sender_id": "…", "sender": "…"}
//! ```
//!
//! [Telegram Ada id:… 2026-03-28 16:12 UTC] Is the pond full?
//! ````
//!
//! The names, numbers and addresses in these parts are not shown. They tell whether a message is from a group, whose
//! other members have not agreed to be published.

use crate::shared::agents::turns::missing;
use convo_base::json::{self, Map, Value};
use convo_base::model::{AttachmentKind, Block};
use convo_base::text::base_name;

/// A prompt.
#[derive(Default)]
pub(super) struct Prompt {
    /// What the person wrote.
    pub(super) text: String,
    /// Files that are not in the log.
    pub(super) files: Vec<Block>,
    /// Whether others can read and write in the chat.
    pub(super) is_from_group: bool,
    /// Whether OpenClaw wrote some of it for the agent.
    pub(super) is_from_program: bool,
}

/// Keys of metadata that only messages from groups have.
const OF_GROUPS: [&str; 6] = [
    "conversation_label", "group_subject", "group_channel", "group_space", "thread_label",
    "is_forum",
];
/// What labels of groups in an envelope contain.
const GROUP_LABELS: [&str; 7] = ["group", "@g.us", "channel", "id:-", "topic:", "thread", " #"];
/// The beginnings of messages that OpenClaw sends to the agent.
const OF_PROGRAM: [&str; 5] = [
    "A new session was started via /new or /reset",
    "Read HEARTBEAT.md",
    "Pre-compaction memory flush",
    "System: [",
    "System (untrusted): [",
];
/// Answers that are not sent to anybody.
const SILENT: [&str; 3] = ["NO_REPLY", "HEARTBEAT_OK", "ANNOUNCE_SKIP"];

/// Reads the text of a prompt.
pub(super) fn read(text: &str) -> Prompt {
    let mut prompt = Prompt::default();
    let mut lines = Vec::new();
    for line in text.lines() {
        match marker(line) {
            Some(file) => prompt.files.extend(file),
            None => lines.push(line),
        }
    }
    let text = lines.join("\n");
    let mut rest = text.trim_start_matches('\n');
    loop {
        let before = rest.len();
        rest = prompt.without_metadata(rest);
        rest = prompt.without_event(rest);
        rest = prompt.without_envelope(rest);
        if rest.len() == before {
            break;
        }
    }
    if OF_PROGRAM.iter().any(|start| rest.trim_start().starts_with(start)) {
        prompt.is_from_program = true;
        return prompt;
    }
    prompt.text = rest.trim_matches('\n').to_owned();
    prompt
}

/// Returns an answer without the tags that say how it is sent, or `None` if it was not sent.
pub(super) fn answer(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some((tag, after)) =
        rest.trim_start().strip_prefix("[[").and_then(|rest| rest.split_once("]]"))
    {
        let is_tag = tag.trim().starts_with("reply_to") || tag.trim() == "audio_as_voice";
        if !is_tag {
            break;
        }
        rest = after.trim_start();
    }
    Some(rest).filter(|rest| !SILENT.contains(&rest.trim()))
}

impl Prompt {
    /// Returns the text after a block of metadata: a line that says that it is untrusted, and JSON in a fence.
    fn without_metadata<'t>(&mut self, text: &'t str) -> &'t str {
        let start = text.trim_start();
        let Some((line, after)) = start.split_once('\n') else { return text };
        let is_label = line.ends_with("):") && line.contains("(untrusted");
        let Some(after) = after.trim_start().strip_prefix("```json").filter(|_| is_label) else {
            return text;
        };
        let Some((block, after)) = after.split_once("\n```") else { return text };
        let (value, is_history) = (json::parse(block.trim()), line.starts_with("Chat history"));
        self.is_from_group |= match value {
            Ok((Value::Object(map), _)) => is_of_group(&map),
            // Messages of others.
            Ok((Value::Array(list), _)) => is_history && !list.is_empty(),
            _ => true,
        };
        after.trim_start_matches('\n')
    }

    /// Returns the text after a line about an event.
    fn without_event<'t>(&mut self, text: &'t str) -> &'t str {
        let starts = ["System: [", "System (untrusted): ["];
        match text.split_once('\n') {
            Some((line, after)) if starts.iter().any(|start| line.starts_with(start)) => {
                self.is_from_program = true;
                after.trim_start_matches('\n')
            }
            _ => text,
        }
    }

    /// Returns the text after an envelope: the app, the sender and the time in brackets.
    fn without_envelope<'t>(&mut self, text: &'t str) -> &'t str {
        let envelope = text.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let Some((envelope, after)) = envelope.filter(|(envelope, _)| has_time(envelope)) else {
            return text;
        };
        let label = envelope.to_lowercase();
        self.is_from_group |= GROUP_LABELS.iter().any(|part| label.contains(part));
        after.trim_start_matches(' ')
    }
}

fn is_of_group(map: &Map) -> bool {
    map.get("is_group_chat") == Some(&Value::Bool(true))
        || OF_GROUPS.iter().any(|key| map.get(*key).is_some_and(|value| !value.is_null()))
}

/// Returns whether a text contains a day and a time: `2026-03-28 16:12` or `2026-03-28T16:12Z`.
fn has_time(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00 00:00";
    !text.contains('\n')
        && text.as_bytes().windows(SHAPE.len()).any(|part| {
            part.iter().zip(SHAPE).all(|(byte, shape)| match shape {
                b'0' => byte.is_ascii_digit(),
                b' ' => [b' ', b'T'].contains(byte),
                shape => byte == shape,
            })
        })
}

/// Returns what to show for a line that OpenClaw adds to a message: a file, or nothing. `None` for any other line.
fn marker(line: &str) -> Option<Option<Block>> {
    if line.starts_with("[message_id: ") && line.ends_with(']') {
        return Some(None);
    }
    if line.starts_with("To send an image back, prefer the message tool") {
        return Some(None);
    }
    let file = line.strip_prefix("[media attached")?.strip_suffix(']')?;
    let (_, file) = file.split_once(": ")?;
    let path = file.split(" (").next().unwrap_or(file).split(" | ").next().unwrap_or(file);
    let kind = match file.contains("(image/") {
        true => AttachmentKind::Image,
        false => AttachmentKind::File,
    };
    Some(Some(missing(base_name(path.trim()), kind)))
}
