//! Messages in the format of the OpenAI API, in datasets, logs, and files of the many programs that use it.
//!
//! ```text
//! {"messages": [{"role": "user", "content": "Hello!"}, …], "tools": […]}     in each line
//! [{"role": "user", "content": "Hello!"}, …]                                one conversation
//! {"role": "user", "content": "Hello!"}                                     one message in each line, as in
//!                                                                           sessions of Hermes, gptme and Mistral Vibe
//! {"input": {"messages": […]}, "preferred_output": […], "non_preferred_output": […]}
//! {"chosen": […], "rejected": […]}                                          two lists of messages
//! {"conversation_id": …, "model": …, "conversation": […]}
//! ```

use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::agents::chat::{self, Dialog, Row, claims_message};
use convo_base::diag::Note;
use convo_base::json::{self, Value};

pub(super) const FORMAT: Format = Format {
    name: "openai-messages",
    title: "OpenAI messages (datasets and logs)",
    source_label: "OpenAI messages",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Messages in the format of the OpenAI API, which many programs use, such as Hermes, gptme and Mistral Vibe for their sessions.",
        find: "JSON or JSON Lines files with `messages`, each with a `role` and `content`; or JSON Lines in which each line is such a message.",
        reads: "Texts, pictures, tool calls with their results, reasoning, refusals, and rejected answers as branches.",
        leaves_out: "System messages, unless `show_system = true`; system reminders; IP addresses and locations of users.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

/// The shape of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Each row is a conversation.
    Rows,
    /// Each row is a message of the same conversation.
    One,
}

/// Keys of rows of other programs.
const FOREIGN: [&str; 24] = [
    "sessionId", "session_id", "projectHash", "uuid", "mapping", "chat_messages", "conversationId",
    "chatId", "chat", "info", "cwd", "project", "requests", "history", "schemaUrl", "mediaType",
    "guild", "workspaceDirectory", "currentNode", "messagesTree", "exportAt", "systemPrompt",
    "cascadeId", "user_id",
];

/// Keys of messages of other programs.
const FOREIGN_IN_MESSAGES: [&str; 18] = [
    "speaker", "sender", "author", "parts", "uuid", "ts", "chatId", "messageType", "contentBlocks",
    "versions", "isCreatedByUser", "parentId", "parent_id", "parentMessageId", "message_id",
    "createdAt", "toolCalls", "messageId",
];

/// Every key of a message. The last ones are those of agents: Hermes, gptme and Mistral Vibe.
const KEYS: [&str; 29] = [
    "role", "content", "name", "tool_calls", "tool_call_id", "function_call", "refusal", "audio",
    "weight", "reasoning", "reasoning_content", "annotations", "images", "thinking", "train",
    "loss", "prefix", "cache_control", "timestamp", "finish_reason", "reasoning_details",
    "message_id", "metadata", "pinned", "hide", "files", "call_id", "injected",
    "reasoning_message_id",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    match shape(text) {
        Some(_) => Claim::Shape,
        None => Claim::No,
    }
}

fn shape(text: &str) -> Option<Shape> {
    let mut text = text;
    let mut keys = json::keys(text);
    let has_head = value_of(&keys, "role").is_some_and(chat::is_head);
    if has_head {
        text = text.trim_start().split_once('\n')?.1;
        keys = json::keys(text);
    }
    if keys.iter().any(|(key, _)| *key == "role") {
        let is_known = keys.iter().all(|(key, _)| KEYS.contains(key));
        let is_one = is_known
            && claims_message(text, ["role"; 2], &[])
            && !text.contains("<environment_details>");
        return is_one.then_some(Shape::One);
    }
    if has_head || keys.iter().any(|(key, _)| FOREIGN.contains(key)) {
        return None;
    }
    let value = |name: &str| value_of(&keys, name);
    let is_list = |value: Option<&str>| {
        value.is_some_and(|value| {
            value.starts_with('[') && claims_message(value, ["role"; 2], &FOREIGN_IN_MESSAGES)
        })
    };
    let inside = value("input").map(json::keys).unwrap_or_default();
    let input = value_of(&inside, "messages");
    let is_row = is_list(value("messages"))
        || is_list(value("conversation"))
        || is_list(value("chosen")) && value("rejected").is_some()
        || is_list(input) && value("preferred_output").is_some();
    is_row.then_some(Shape::Rows)
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let keys = ["messages", "conversation", "input", "chosen", "rejected"];
        let more = match shape(&file.text) {
            Some(Shape::One) => chat::read_one(file, index),
            _ => chat::read(file, index, &keys, row),
        };
        parsed.conversations.extend(more.conversations);
        parsed.notes.extend(more.notes);
    }
    parsed
}

fn row(row: &mut Row<'_>, dialog: &mut Dialog, notes: &mut Vec<Note>) {
    let mut media = row.media();
    let as_it_is = |value| value;
    row.system(dialog);
    if let Some(Value::Object(_)) = row.object.get("input") {
        let at = row.object.place(&[json::Step::Key("input")]);
        if let Some(map) = row.object.object("input", notes) {
            let object = row.object.at(map, at);
            let mut input = Row { object, line: row.line };
            input.messages("messages", dialog, &mut media, as_it_is, notes);
            row.object.put("input", input.object.rest().into());
        }
        let keys = ["preferred_output", "non_preferred_output"];
        row.alternatives(keys, dialog, &mut media, as_it_is);
        return;
    }
    for key in ["messages", "conversation"] {
        row.messages(key, dialog, &mut media, as_it_is, notes);
    }
    row.alternatives(["chosen", "rejected"], dialog, &mut media, as_it_is);
    dialog.attach(media.rest());
    // The location of users.
    for key in ["hashed_ip", "country", "header", "state"] {
        row.object.take_any(key);
    }
}
