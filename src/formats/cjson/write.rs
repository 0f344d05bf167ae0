//! Conversations as CJSON.

use std::collections::BTreeSet;

use serde_json::json;

use super::super::File;
use super::passthrough::{BLOCK_KEYS, fitting};
use super::{
    BARE_INPUT, MADE_UP_ID_PREFIX, MEDIA_TYPE, NO_TIME, OWN_KEY, SCHEMA_URL, read,
    speakers,
};
use crate::hash::Hash;
use crate::json::{self, Map, Value};
use crate::model::{
    Attachment, Block, Branch, Content, Conversation, Kind, ToolCall, Turn,
};
use crate::time::Time;

/// Returns the document of one conversation.
///
/// It is written twice: first with what CJSON has words for, then with whatever reading that
/// did not bring back, under our own key.
pub(super) fn write(conversation: &Conversation) -> String {
    let plain = document(conversation, &Map::new(), &[]);
    let file =
        File { name: String::new(), text: json::pretty(&plain), is_continued: false };
    let again = read::parse(&[file]).conversations.pop().unwrap_or_default();
    let ours = differences(conversation, &again);
    let said: Vec<Map> = in_order(conversation)
        .iter()
        .zip(in_order(&again))
        .map(|(turn, again)| turn_differences(turn, again))
        .collect();
    json::pretty(&document(conversation, &ours, &said)) + "\n"
}

/// Returns the turns in the order in which messages are written: alternatives follow what they
/// stand beside.
fn in_order(conversation: &Conversation) -> Vec<&Turn> {
    let mut turns = Vec::new();
    turns.extend(alternatives(conversation, None));
    for turn in &conversation.turns {
        turns.push(turn);
        turns.extend(alternatives(conversation, Some(turn)));
    }
    turns
}

/// Returns the branches beside the turn after `turn`.
fn alternatives<'a>(
    conversation: &'a Conversation,
    turn: Option<&Turn>,
) -> Vec<&'a Turn> {
    let beside = |branch: &&Branch| {
        branch.rejoins
            && branch.turns.len() == 1
            && branch.after.as_deref() == turn.map(|turn| turn.id.as_str())
    };
    conversation.branches.iter().filter(beside).map(|branch| &branch.turns[0]).collect()
}

fn differences(conversation: &Conversation, again: &Conversation) -> Map {
    let mut ours = Map::new();
    let mut put = |key: &str, value: Value| ours.insert(key.to_owned(), value);
    if conversation.kind != again.kind {
        put("type", conversation.kind.clone().into());
    }
    if conversation.time != again.time {
        put("time", conversation.time.as_ref().map(Time::as_written).into());
    }
    if conversation.languages != again.languages {
        put("languages", conversation.languages.clone().into());
    }
    if conversation.speculative_languages != again.speculative_languages {
        put("speculative_languages", conversation.speculative_languages.clone().into());
    }
    if conversation.tags != again.tags {
        put("tags", conversation.tags.clone().into());
    }
    if conversation.preface != again.preface {
        put("preface", conversation.preface.clone().into());
    }
    if conversation.extra != again.extra {
        put("extra", conversation.extra.clone().into());
    }
    if conversation.participants != again.participants || !ours.is_empty() {
        ours.insert("participants".to_owned(), json::value(&conversation.participants));
    }
    ours
}

fn turn_differences(turn: &Turn, again: &Turn) -> Map {
    let mut ours = Map::new();
    if turn.speaker != again.speaker {
        ours.insert("speaker".to_owned(), turn.speaker.clone().into());
    }
    if turn.time != again.time {
        ours.insert("time".to_owned(), turn.time.as_ref().map(Time::as_written).into());
    }
    if let Some(offset) = &turn.offset {
        ours.insert("offset".to_owned(), offset.clone().into());
    }
    if turn.pending {
        ours.insert("pending".to_owned(), true.into());
    }
    ours
}

fn document(conversation: &Conversation, ours: &Map, said: &[Map]) -> Value {
    let mut rest = conversation.unpublished.clone();
    let mut take =
        |key: &str, usual: &str| rest.shift_remove(key).unwrap_or_else(|| usual.into());
    let schema = take("schemaUrl", SCHEMA_URL);
    let media_type = take("mediaType", MEDIA_TYPE);
    let id = conversation.id.clone().unwrap_or_else(|| {
        let first = conversation.turns.first().map(|turn| &turn.id);
        format!(
            "{MADE_UP_ID_PREFIX}{}",
            Hash::of(&(&conversation.title, first)).short(16)
        )
    });
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    put("id", id.into());
    put("schemaUrl", schema);
    put("mediaType", media_type);
    if let Some(title) = &conversation.title {
        put("conversationTitle", title.clone().into());
    }
    if conversation.private {
        put("isPrivate", true.into());
    }
    if let Some(parent) = &conversation.parent {
        put("parentId", parent.clone().into());
    }
    let models: BTreeSet<&str> =
        conversation.participants.iter().filter_map(|who| who.model.as_deref()).collect();
    if let (1, Some(model)) = (models.len(), models.first()) {
        put("modelId", (*model).into());
    }
    let system = system_message(conversation);
    if let Some(text) = system {
        put("systemMessage", text.into());
    }
    let skipped = usize::from(system.is_some());
    put("messages", messages(conversation, skipped, said).into());
    let extensions = extended(rest.shift_remove("extensions"), ours);
    let known = ["auditTrail", "metadata", "ownerId", "toolOverrides", "modelId"];
    out.extend(fitting(rest, &known));
    if let Some(extensions) = extensions {
        out.insert("extensions".to_owned(), extensions);
    }
    out.into()
}

fn extended(extensions: Option<Value>, ours: &Map) -> Option<Value> {
    let mut map = match extensions {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    };
    if !ours.is_empty() {
        map.insert(OWN_KEY.to_owned(), ours.clone().into());
    }
    (!map.is_empty()).then(|| map.into())
}

/// A conversation that opens with one plain message of the system has it as a property.
fn system_message(conversation: &Conversation) -> Option<&str> {
    let first = conversation.turns.first()?;
    let kind = conversation.participant(&first.speaker)?.kind;
    let plain = first.speaker == "System"
        && first.time.is_none()
        && first.extra.is_empty()
        && first.unpublished.is_empty()
        && conversation.branches.iter().all(|branch| branch.after.is_some());
    match first.blocks.as_slice() {
        [Block::Markdown { text }]
            if kind == Kind::System && plain && !text.is_empty() =>
        {
            Some(text)
        }
        _ => None,
    }
}

fn messages(conversation: &Conversation, skipped: usize, said: &[Map]) -> Vec<Value> {
    let models: BTreeSet<&str> =
        conversation.participants.iter().filter_map(|who| who.model.as_deref()).collect();
    let mut writer = Writer {
        conversation,
        said: said.iter(),
        several_models: models.len() > 1,
        made: 0,
        messages: Vec::new(),
    };
    let beside: Vec<Vec<&Turn>> = std::iter::once(alternatives(conversation, None))
        .chain(
            conversation.turns.iter().map(|turn| alternatives(conversation, Some(turn))),
        )
        .collect();
    let forks = beside.iter().any(|others| !others.is_empty());
    let mut others: &[&Turn] = &beside[0];
    for (index, turn) in conversation.turns.iter().enumerate() {
        let fork = (!others.is_empty()).then_some(true);
        for other in others {
            writer.message(other, forks.then_some(index), Some(false));
        }
        if index < skipped {
            writer.said.next();
        } else {
            writer.message(turn, forks.then_some(index), fork);
        }
        others = &beside[index + 1];
    }
    for other in others {
        writer.message(other, Some(conversation.turns.len()), Some(false));
    }
    writer.messages
}

struct Writer<'a> {
    conversation: &'a Conversation,
    /// Our own words for each turn, in the order of messages.
    said: std::slice::Iter<'a, Map>,
    several_models: bool,
    /// Number of ids made up so far.
    made: usize,
    messages: Vec<Value>,
}

impl Writer<'_> {
    fn made_up(&mut self) -> Value {
        self.made += 1;
        format!("{MADE_UP_ID_PREFIX}{}", self.made).into()
    }

    fn message(&mut self, turn: &Turn, index: Option<usize>, preferred: Option<bool>) {
        let who = self.conversation.participant(&turn.speaker);
        let kind = who.map_or(Kind::System, |who| who.kind);
        let mut rest = turn.unpublished.clone();
        let mut out = Map::new();
        let id = rest.shift_remove("id").filter(Value::is_string);
        out.insert("id".to_owned(), id.unwrap_or_else(|| self.made_up()));
        let role = match kind {
            Kind::Assistant => "assistant",
            Kind::Tool => "tool",
            Kind::Person | Kind::System => "user",
        };
        out.insert("role".to_owned(), role.into());
        let sender = rest.shift_remove("senderId").filter(Value::is_string);
        if let Some(sender) = sender {
            out.insert("senderId".to_owned(), sender);
        } else if kind == Kind::Person
            && turn.speaker != "User"
            && speakers::is_a_name(&turn.speaker)
        {
            out.insert("senderId".to_owned(), turn.speaker.clone().into());
        }
        if let Some(index) = index {
            out.insert("index".to_owned(), index.into());
        }
        if let Some(preferred) = preferred {
            out.insert("isPreferred".to_owned(), preferred.into());
        }
        if turn.pinned {
            out.insert("pinned".to_owned(), true.into());
        }
        let passthrough = match rest.shift_remove("contentBlocks") {
            Some(Value::Array(passthrough)) => passthrough,
            _ => Vec::new(),
        };
        match turn.blocks.as_slice() {
            [Block::Markdown { text }]
                if turn.time.is_none() && passthrough.is_empty() =>
            {
                out.insert("messageType".to_owned(), "text".into());
                out.insert("content".to_owned(), text.clone().into());
            }
            blocks => {
                out.insert("messageType".to_owned(), "composite".into());
                let blocks = self.blocks(turn, blocks, passthrough);
                out.insert("contentBlocks".to_owned(), blocks.into());
            }
        }
        let attachments: Vec<Value> = turn
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Attachment(attachment) => Some(self.attachment(attachment)),
                _ => None,
            })
            .collect();
        if !attachments.is_empty() {
            out.insert("attachments".to_owned(), attachments.into());
        }
        let mut extra = turn.extra.clone();
        if let Some(model) = who.and_then(|who| who.model.as_ref())
            && self.several_models
            && ["model", "modelId", "modelName"]
                .iter()
                .all(|key| !extra.contains_key(*key))
        {
            extra.insert("model".to_owned(), model.clone().into());
        }
        if !extra.is_empty() {
            out.insert("assistantMetadata".to_owned(), extra.into());
        }
        let ours = self.said.next().cloned().unwrap_or_default();
        let extensions = extended(rest.shift_remove("extensions"), &ours);
        out.extend(fitting(rest, &["auditTrail", "metadata"]));
        if let Some(extensions) = extensions {
            out.insert("extensions".to_owned(), extensions);
        }
        self.messages.push(out.into());
    }

    fn blocks(
        &mut self,
        turn: &Turn,
        blocks: &[Block],
        passthrough: Vec<Value>,
    ) -> Vec<Value> {
        let created = turn.time.as_ref().map_or(NO_TIME.to_owned(), Time::rfc3339);
        let mut out = Vec::new();
        let mut passthrough = passthrough.into_iter();
        for block in blocks {
            let mut own = match passthrough.next() {
                Some(Value::Object(map)) => fitting(map, &BLOCK_KEYS),
                _ => Map::new(),
            };
            let (kind, text) = match block {
                Block::Markdown { text } => ("text", text.clone()),
                Block::Thinking { text } => ("thinking", text.clone()),
                Block::Tool(call) => {
                    self.call(call, &created, &mut out);
                    continue;
                }
                Block::Attachment(_) => continue,
                Block::Event { .. } | Block::Citations { .. } | Block::Unknown { .. } => {
                    ("text", block.to_markdown())
                }
            };
            let id = own.shift_remove("id").unwrap_or_else(|| self.made_up());
            let at =
                own.shift_remove("createdAt").unwrap_or_else(|| written(turn, &created));
            let mut map = Map::new();
            map.insert("blockType".to_owned(), kind.into());
            map.insert("id".to_owned(), id);
            map.insert("createdAt".to_owned(), at);
            map.extend(own);
            map.insert("text".to_owned(), text.into());
            out.push(map.into());
        }
        out
    }

    fn call(&mut self, call: &ToolCall, created: &str, out: &mut Vec<Value>) {
        let id: Value =
            if call.id.is_empty() { self.made_up() } else { call.id.clone().into() };
        let begin = |kind: &str, block_id: Value, unpublished: &Map| {
            let mut map = Map::new();
            map.insert("blockType".to_owned(), kind.into());
            map.insert("id".to_owned(), block_id);
            map.insert("createdAt".to_owned(), created.into());
            map.extend(fitting(
                unpublished.clone(),
                &[&BLOCK_KEYS[..3], &["metadata"]].concat(),
            ));
            map
        };
        if !call.name.is_empty() {
            let mut map = begin("toolCall", id.clone(), &call.unpublished);
            let mut tool = Map::new();
            tool.insert("name".to_owned(), call.name.clone().into());
            let typed = |key: &str| ["toolsetId", "version"].contains(&key);
            let extra = call.extra.clone().into_iter();
            tool.extend(extra.filter(|(key, value)| !typed(key) || value.is_string()));
            map.insert("toolRef".to_owned(), tool.into());
            match &call.input {
                Some(input @ Value::Object(_)) => {
                    map.insert("args".to_owned(), input.clone());
                }
                Some(input) => {
                    map.insert("args".to_owned(), json!({ BARE_INPUT: input }));
                }
                None => {}
            }
            if let Some(requires) = call.requires_approval {
                map.insert("requiresApproval".to_owned(), requires.into());
            }
            out.push(map.into());
        }
        for approval in &call.approvals {
            let block_id = self.made_up();
            let mut map = begin("toolApproval", block_id, &approval.unpublished);
            map.insert("toolCallId".to_owned(), id.clone());
            let known = ["approved", "rejected", "canceled"];
            let state = known.iter().find(|known| **known == approval.state);
            map.insert(
                "toolApprovalState".to_owned(),
                (*state.unwrap_or(&"canceled")).into(),
            );
            if let Some(by) = &approval.by {
                map.insert("approvedBy".to_owned(), by.clone().into());
            }
            if let Some(reason) = &approval.reason {
                map.insert("reason".to_owned(), reason.clone().into());
            }
            out.push(map.into());
        }
        for result in &call.results {
            let block_id = self.made_up();
            let mut map = begin("toolResult", block_id, &result.unpublished);
            map.insert("toolCallId".to_owned(), id.clone());
            let known = ["succeeded", "failed", "timed_out", "canceled"];
            let state = known.iter().find(|known| **known == result.state);
            let usual = if result.error.is_some() { "failed" } else { "succeeded" };
            map.insert("toolResultState".to_owned(), (*state.unwrap_or(&usual)).into());
            if let Some(output) = &result.output {
                map.insert("output".to_owned(), output.clone());
            }
            if let Some(error) = &result.error {
                let mut told = Map::new();
                for (key, text) in [("code", &error.code), ("message", &error.message)] {
                    if let Some(text) = text {
                        told.insert(key.to_owned(), text.clone().into());
                    }
                }
                if let Some(data) = &error.data {
                    told.insert("data".to_owned(), data.clone());
                }
                map.insert("toolResultError".to_owned(), told.into());
            }
            if let Some(duration) = &result.duration {
                map.insert("durationMs".to_owned(), duration.clone());
            }
            out.push(map.into());
        }
    }

    fn attachment(&mut self, attachment: &Attachment) -> Value {
        let mut map = Map::new();
        map.insert("attachmentKind".to_owned(), attachment.kind.word().into());
        let mut rest = attachment.unpublished.clone();
        let id = rest.shift_remove("id").filter(Value::is_string);
        map.insert("id".to_owned(), id.unwrap_or_else(|| self.made_up()));
        map.insert("name".to_owned(), attachment.name.clone().into());
        if let Some(mime) = &attachment.mime {
            map.insert("mime".to_owned(), mime.clone().into());
        }
        if let Some(size) = attachment.size {
            map.insert("sizeInBytes".to_owned(), size.into());
        }
        if let Some(sha256) = &attachment.sha256 {
            map.insert("sha256".to_owned(), sha256.clone().into());
        }
        match &attachment.content {
            Content::Uri(uri) => map.insert("uri".to_owned(), uri.clone().into()),
            Content::Base64(text) => {
                map.insert("base64content".to_owned(), text.clone().into())
            }
            Content::Missing => None,
        };
        map.extend(fitting(rest, &["metadata", "uri"]));
        map.into()
    }
}

/// Returns the time of a turn as it was written where the schema allows that.
fn written(turn: &Turn, created: &str) -> Value {
    let own = turn.time.as_ref().map(Time::as_written);
    // RFC 3339: a day, a clock, an offset and nothing else.
    let fits = |text: &&str| {
        text.len() >= 20 && !text.contains(['[', ' ']) && !text.contains("+00:00[")
    };
    let zoned = |text: &&str| {
        text.ends_with('Z')
            || text.get(text.len().saturating_sub(6)..).is_some_and(|tail| {
                tail.starts_with(['+', '-']) && tail.as_bytes().get(3) == Some(&b':')
            })
    };
    own.filter(fits).filter(zoned).unwrap_or(created).into()
}
