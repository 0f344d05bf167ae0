//! What a person wrote in a message that OpenClaw received from a chat app.
//!
//! ````text
//! Conversation info (untrusted metadata):
//! ```json
//! {"message_id": "4542", "sender_id": "…", "sender": "…"}
//! ```
//!
//! [Telegram Ada id:… 2026-03-28 16:12 UTC] Is the pond full?
//! [message_id: 4542]
//! ````
//!
//! The names, numbers and addresses in these parts are not shown. They show whether a message is from a group, whose
//! other members have not agreed to be published: then the session is withheld, and also if a part cannot be read.

use crate::shared::agents::turns::missing;
use convo_base::json::{self, Map, Value};
use convo_base::model::{AttachmentKind, Block};

/// A prompt.
#[derive(Default)]
pub(super) struct Prompt {
    /// What the person wrote.
    pub(super) text: String,
    /// Files that are not in the log.
    pub(super) files: Vec<Block>,
    /// Whether others can read and write in the chat, or may be named in the text.
    pub(super) is_withheld: bool,
    /// Whether OpenClaw wrote some of it for the agent.
    pub(super) is_from_program: bool,
}

/// What the labels of metadata contain.
const UNTRUSTED: &str = "(untrusted";
/// Keys of the metadata of a message from one person. With any other key, it may be from a group.
const OF_DIRECT: [&str; 13] = [
    "message_id", "message_id_full", "reply_to_id", "sender_id", "sender", "timestamp", "label",
    "id", "name", "username", "tag", "e164", "schema",
];
/// What labels of groups in an envelope contain, in lower case.
const GROUP_LABELS: [&str; 7] = ["group", "@g.us", "channel", "id:-", "topic:", "thread", " #"];
/// The number of bytes in which an envelope ends.
const ENVELOPE: usize = 300;
/// The number of bytes in which a tag ends.
const TAG: usize = 300;
/// Lines between the messages of a chat that OpenClaw joins.
const BETWEEN: [&str; 3] =
    ["[Queued messages while agent was busy]", "[Current message - respond to this]", "---"];
/// The beginnings of lines that only messages from groups have.
const GROUP_LINES: [&str; 4] = [
    "[Chat messages since your last reply",
    "[Messages since your last reply",
    "[Thread starter",
    "[from: ",
];
/// Parts of messages, in lower case, that remain only if they could not be read.
const UNREAD: [&str; 25] = [
    UNTRUSTED, "untrusted context", "<<<external", "external_untrusted", "openclaw_internal",
    "openclaw runtime context", "security notice:", "@g.us", "@s.whatsapp.net", "[from:",
    "message_id", "message id:", "[replying to", "[queued messages", "[chat messages since",
    "[cron:", "[subagent", "system: [", "[whatsapp", "[telegram", "[signal", "[discord", "[slack",
    "[imessage", "[matrix",
];
/// The beginnings of lines about events.
const EVENTS: [&str; 2] = ["System: ", "System (untrusted): "];
/// The beginnings of messages that OpenClaw sends to the agent.
const OF_PROGRAM: [&str; 16] = [
    "A new session was started via /new or /reset",
    "Session was reset",
    "Read HEARTBEAT.md",
    "If HEARTBEAT.md",
    "Pre-compaction memory flush",
    "A subagent task ",
    "A background task ",
    "An async command ",
    "Agent-to-agent announce step",
    "Continue where you left off. The previous",
    "GatewayRestart:",
    "[System Message]",
    "[Inter-session message]",
    "[Post-compaction context refresh]",
    "[Bootstrap pending]",
    "[hook:",
];
/// Answers that are not sent to anybody.
const SILENT: [&str; 3] = ["NO_REPLY", "HEARTBEAT_OK", "ANNOUNCE_SKIP"];

/// Reads the text of a prompt. Those of Pi itself contain nothing else.
pub(super) fn read(text: &str, is_openclaw: bool) -> Prompt {
    let is_marked = [UNTRUSTED, "<<<EXTERNAL"].iter().any(|mark| text.contains(mark));
    if !is_openclaw && !is_marked {
        return Prompt { text: text.to_owned(), ..Prompt::default() };
    }
    let mut prompt = Prompt::default();
    let all: Vec<&str> = text.lines().collect();
    let mut lines: Vec<&str> = Vec::new();
    // Whether only parts of OpenClaw are above, and whether several messages are joined.
    let (mut is_start, mut is_joined) = (true, false);
    let mut at = 0;
    while let Some(line) = all.get(at) {
        at += 1;
        let bare = line.trim();
        if bare.ends_with("):") && bare.contains(UNTRUSTED) {
            at += prompt.metadata(bare, &all[at..]);
            is_start = true;
        } else if GROUP_LINES.iter().any(|start| bare.starts_with(start)) {
            prompt.is_withheld = true;
        } else if is_start && EVENTS.iter().any(|start| bare.starts_with(start)) {
            // Its output follows.
            prompt.is_from_program = true;
            at += all[at..].iter().take_while(|line| !line.trim().is_empty()).count();
        } else if BETWEEN.contains(&bare) && (is_joined || bare.starts_with('[')) {
            (is_start, is_joined) = (true, true);
        } else if is_joined && bare.starts_with("Queued #") {
            is_start = true;
        } else if let Some(file) = marker(bare) {
            prompt.files.extend(file);
        } else if is_start {
            let own = prompt.without_envelope(line);
            is_start = own.trim().is_empty();
            lines.push(own);
        } else {
            lines.push(line);
        }
    }
    let text = lines.join("\n");
    let text = text.trim_matches('\n');
    // What could not be removed may be about others.
    let lower = text.to_lowercase();
    prompt.is_withheld |= UNREAD.iter().any(|part| lower.contains(part));
    if OF_PROGRAM.iter().any(|start| text.trim_start().starts_with(start)) {
        prompt.is_from_program = true;
        return prompt;
    }
    text.clone_into(&mut prompt.text);
    prompt
}

/// Returns an answer without what says how it is sent, or `None` if it was not sent.
pub(super) fn answer(text: &str) -> Option<String> {
    let is_path = |line: &&str| line.trim_start().starts_with("MEDIA:");
    let has_paths = text.lines().any(|line| is_path(&line));
    let mut rest = match has_paths {
        true => text.lines().filter(|line| !is_path(line)).collect::<Vec<_>>().join("\n"),
        false => text.to_owned(),
    };
    if rest.contains("[[") {
        rest = without_tags(&rest).trim().to_owned();
    }
    let words = rest.trim();
    let is_silent = SILENT.contains(&words) || has_paths && words.is_empty();
    (!is_silent).then_some(rest)
}

/// Returns an answer without tags such as `[[reply_to: 42]]`.
fn without_tags(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once("[[") {
        let start = &inside.as_bytes()[..inside.len().min(TAG)];
        let end = start.windows(2).position(|pair| pair == b"]]");
        let is_tag = |end: &usize| {
            let tag = inside[..*end].trim();
            tag.starts_with("reply_to") || tag == "audio_as_voice"
        };
        kept.push_str(before);
        match end.filter(is_tag) {
            Some(end) => rest = &inside[end + 2..],
            None => {
                kept.push_str("[[");
                rest = inside;
            }
        }
    }
    kept + rest
}

impl Prompt {
    /// Reads the block of metadata below a label. Returns the number of its lines.
    fn metadata(&mut self, label: &str, lines: &[&str]) -> usize {
        let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
        let is_fence = |line: &&str| line.trim_start().starts_with("```");
        let block = lines[blank..].split_first().filter(|(first, _)| is_fence(first));
        let end = block.and_then(|(_, rest)| rest.iter().position(is_fence));
        let (Some((_, block)), Some(end)) = (block, end) else {
            self.is_withheld = true;
            return 0;
        };
        let is_history = label.starts_with("Chat history");
        self.is_withheld |= match json::parse(block[..end].join("\n").trim()) {
            Ok((Value::Object(map), _)) => is_history || !is_of_direct(&map),
            // Messages of others.
            Ok((Value::Array(list), _)) => !list.is_empty(),
            _ => true,
        };
        blank + end + 2
    }

    /// Returns a line without the envelope that it begins with: the app, the sender and the time in brackets.
    fn without_envelope<'t>(&mut self, line: &'t str) -> &'t str {
        let bare = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        let Some(inside) = bare.strip_prefix('[') else { return line };
        // Names can contain brackets.
        let ends = inside.match_indices(']').map(|(at, _)| at).take_while(|at| *at < ENVELOPE);
        let Some(end) = ends.into_iter().find(|end| has_time(&inside[..*end])) else { return line };
        let label = inside[..end].to_lowercase();
        self.is_withheld |= GROUP_LABELS.iter().any(|part| label.contains(part));
        inside[end + 1..].trim_start_matches(' ')
    }
}

fn is_of_direct(map: &Map) -> bool {
    map.iter().all(|(key, value)| OF_DIRECT.contains(&key.as_str()) || value.is_null())
}

/// Returns whether a text contains a day and a time: `2026-03-28 16:12` or `2026-03-28T16:12Z`.
fn has_time(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00 00:00";
    text.as_bytes().windows(SHAPE.len()).any(|part| {
        part.iter().zip(SHAPE).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            b' ' => [b' ', b'T'].contains(byte),
            shape => byte == shape,
        })
    })
}

/// Returns what to show for a line that OpenClaw adds to a message: a file, or nothing. `None` for any other line.
fn marker(line: &str) -> Option<Option<Block>> {
    let is_id = line.starts_with("[message_id:") && line.ends_with(']');
    if is_id || line.starts_with("To send an image back, prefer the message tool") {
        return Some(None);
    }
    // The name of the file can contain the number of its sender.
    let file = line.strip_prefix("[media attached")?.strip_suffix(']')?;
    let kind = match file.contains("(image/") {
        true => AttachmentKind::Image,
        false => AttachmentKind::File,
    };
    Some(Some(missing(kind.word(), kind)))
}

#[cfg(test)]
mod tests {
    use super::{answer, read};

    const METADATA: &str = "Conversation info (untrusted metadata):\n```json\n{\n  \"message_id\": \"1\",\n  \
        \"sender\": \"Ada\"\n}\n```\n\n";

    /// Returns what is shown of a prompt, and whether the session is withheld.
    fn shown(text: &str) -> (String, bool) {
        let prompt = read(text, true);
        (prompt.text, prompt.is_withheld)
    }

    #[test]
    fn what_openclaw_knows_of_the_sender_is_not_shown() {
        for text in [
            format!("{METADATA}Hi"),
            format!("Hi\n\n{METADATA}"),
            format!("{METADATA}{METADATA}[Telegram Ada [x] id:1 2026-03-28 16:12 UTC] Hi"),
            "[WhatsApp +49 2026-03-28T16:12Z] Hi\n[message_id: 1] ".to_owned(),
            "  [Sat 2026-03-28 16:12 GMT+1] Hi".to_owned(),
            "System: [2026-03-28 16:12:01 UTC] Exec completed (x)\noutput\n\nHi".to_owned(),
            "[Queued messages while agent was busy]\n\n---\nQueued #1\n[WhatsApp +49 2026-03-28 16:12 UTC] Hi"
                .to_owned(),
            "[media attached: /in/+49---a.jpg (image/jpeg)]\nHi".to_owned(),
        ] {
            assert_eq!(shown(&text), ("Hi".to_owned(), false), "{text}");
        }
    }

    #[test]
    fn sessions_with_messages_that_may_be_from_groups_are_withheld() {
        for text in [
            METADATA.replace("sender", "group_subject"),
            METADATA.replace("sender", "chat_type"),
            METADATA.replace("\n}", "}"),
            METADATA.replace("}\n```", "}```"),
            METADATA.replace("```json", "````json"),
            METADATA.replace("):", "): "),
            METADATA.replace("Conversation info", "  Chat history since last reply"),
            "[Chat messages since your last reply - for context]\nBob: x".to_owned(),
            "[Messages since your last reply]\nBob: x".to_owned(),
            "[Thread starter - for context]\nBob: x\n\nHi".to_owned(),
            "[WhatsApp Mill +1 2026-03-28 16:12 UTC] Ada: x\n[from: Ada (+49)]".to_owned(),
            "[WhatsApp 1@g.us 2026-03-28 16:12 UTC] Ada: x".to_owned(),
            "[WhatsApp +49170] Hi".to_owned(),
            "Hi\n[WhatsApp +49170 2026-03-28 16:12 UTC] x".to_owned(),
            "Hi\n[slack message id: 1 channel: D0]".to_owned(),
            "Hi\n\n[Replying to Ada id:42]\nx\n[/Replying]".to_owned(),
            "Hi\n\nSystem: [2026-03-28 16:12:01 UTC] Slack DM from Ada: x".to_owned(),
            "Task: Gmail\n\nSECURITY NOTICE: x\n\n<<<EXTERNAL_UNTRUSTED_CONTENT>>>\nx".to_owned(),
        ] {
            let (_, is_withheld) = shown(&text);
            // Nothing that was not removed is left in a session that is shown.
            assert!(is_withheld || shown(&text).0.trim().is_empty(), "{text}");
        }
    }

    #[test]
    fn messages_of_the_program_are_not_shown() {
        for text in [
            "Session was reset. x",
            "If HEARTBEAT.md exists, read it. x",
            "[System Message] [sessionId: 1] A subagent task \"x\" just completed.",
            "A background task \"x\" just completed.",
            "[Post-compaction context refresh]\n\nx",
            "GatewayRestart:\n{\"message\": \"x\"}",
            "[Inter-session message] sourceSession=agent:main:x\nx",
        ] {
            let prompt = read(text, true);
            assert!(prompt.text.is_empty() && prompt.is_from_program, "{text}");
        }
    }

    #[test]
    fn answers_contain_no_tags_or_paths() {
        for (text, shown) in [
            ("[[reply_to: 42]] Hello", Some("Hello")),
            ("Hello [[reply_to_current]]", Some("Hello")),
            ("Hello\n[[ reply_to: 42 ]]\n", Some("Hello")),
            ("MEDIA:/home/ada/a.jpg\nHello", Some("Hello")),
            ("MEDIA: /tmp/a.mp4", None),
            ("See [[wiki]] and [[a]", Some("See [[wiki]] and [[a]")),
            ("NO_REPLY", None),
        ] {
            assert_eq!(answer(text).as_deref(), shown, "{text}");
        }
    }

    #[test]
    fn prompts_of_pi_are_unchanged() {
        for text in [
            "[2026-06-29 10:39:46 thread-1] ERROR gate stuck\nwhy?",
            "Read HEARTBEAT.md and summarise it",
            "System: [x] is how it begins",
            "To send an image back, prefer the message tool, they say",
        ] {
            let prompt = read(text, false);
            assert!(prompt.text == text && !prompt.is_withheld, "{text}");
        }
    }
}
