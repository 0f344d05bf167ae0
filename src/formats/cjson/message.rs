//! Reads a single message.

use super::audit_trail;
use super::schema::{BARE_INPUT, MADE_UP_ID_PREFIX, NO_TIME, OWN_KEY};
use crate::shared::access::tool_access::UNNAMED;
use crate::shared::json::object::Object;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Step, Value, type_of};
use convo_base::model::{
    Approval, Attachment, AttachmentKind, Block, Content, Place, ToolCall, ToolError, ToolResult,
    Turn,
};
use convo_base::text::closest;
use convo_base::time::Time;

/// A message whose place and speaker are not determined yet.
pub(super) struct Message {
    pub(super) turn: Turn,
    /// The unpublished values of each of the turn's blocks.
    pub(super) passthrough: Vec<Map>,
    pub(super) role: String,
    pub(super) sender: Option<String>,
    pub(super) model: Option<String>,
    /// The values under convo-site's key in `extensions`.
    pub(super) ours: Map,
    pub(super) index: Option<i64>,
    pub(super) preferred: bool,
    /// The index of the branch that it belongs to, among those that CJSON cannot represent.
    pub(super) branch: Option<usize>,
    /// Whether it must not be shown: it was deleted, or it or a part of it is private.
    pub(super) withheld: bool,
    /// The byte range in the file.
    pub(super) start: std::ops::Range<usize>,
}

/// Keys of parts that are read one by one, and of what a tool returned, which is content.
const APART: [&str; 3] = ["contentBlocks", "attachments", "output"];

pub(super) fn message(mut object: Object<'_>, line: u32, notes: &mut Vec<Note>) -> Message {
    let start = object.start();
    let private =
        object.is_withheld_but(&APART, notes) | audit_trail::is_deleted(object.get("auditTrail"));
    let mut turn = Turn {
        place: Place { file: 0, line, quoted: true },
        pinned: object.flag("pinned", notes).unwrap_or_default(),
        ..Turn::default()
    };
    let id = object.text("id", notes);
    if id.is_none() && !object.has("id") {
        notes.push(object.missing(Severity::Warning, "id"));
    }
    let role = match object.text("role", notes) {
        Some(role) => role,
        None => {
            notes.push(object.missing(Severity::Warning, "role"));
            String::new()
        }
    };
    if !["user", "assistant", "tool", ""].contains(&role.as_str()) {
        let message = format!("`{role}` is not a CJSON role");
        notes.push(object.note(Severity::Warning, "unknown-role", "role", message));
    }
    let sender = object.text("senderId", notes);
    let mut model = None;
    if let Some(metadata) = object.object("assistantMetadata", notes) {
        let named = ["model", "modelId", "modelName"].iter().find_map(|key| metadata.get(*key));
        model = named.and_then(Value::as_str).map(str::to_owned);
        turn.extra = metadata;
    }
    let index = object.integer("index", notes);
    let preferred = object.flag("isPreferred", notes).unwrap_or_default();
    let mut read = Blocks::default();
    read.push_content(&mut object, notes);
    turn.time = read.time.take().or_else(|| created(&mut object, notes));
    for (element, at) in object.array("attachments", notes).unwrap_or_default() {
        let Value::Object(map) = element else {
            let message = format!("an attachment must be an object, not {}", type_of(&element));
            notes.push(Note::warning("wrong-type", at, message));
            read.push(Block::Unknown { name: "attachment".to_owned(), value: element }, Map::new());
            continue;
        };
        let inside = object.at(map, at).named("attachments");
        read.withheld |= inside.is_withheld(notes);
        let attachment = attachment(inside, notes);
        read.push(Block::Attachment(Box::new(attachment)), Map::new());
    }
    turn.blocks = read.blocks;
    let ours = take_ours(&mut object, notes);
    let mut rest = object.rest();
    if let Some(id) = id.filter(|id| !id.starts_with(MADE_UP_ID_PREFIX)) {
        rest.insert("id".to_owned(), id.into());
    }
    turn.unpublished = rest;
    Message {
        turn,
        passthrough: read.passthrough,
        role,
        sender,
        model,
        ours,
        index,
        preferred,
        branch: None,
        withheld: private || read.withheld,
        start,
    }
}

/// Takes the values under convo-site's key out of `extensions`.
pub(super) fn take_ours(object: &mut Object<'_>, notes: &mut Vec<Note>) -> Map {
    let Some(mut extensions) = object.object("extensions", notes) else {
        return Map::new();
    };
    let ours = match extensions.shift_remove(OWN_KEY) {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    };
    if !extensions.is_empty() {
        object.put("extensions", extensions.into());
    }
    ours
}

/// Returns the creation time according to the audit trail. The trail stays.
pub(super) fn created(object: &mut Object<'_>, notes: &mut Vec<Note>) -> Option<Time> {
    let trail: Vec<Value> =
        object.array("auditTrail", notes)?.into_iter().map(|(entry, _)| entry).collect();
    let created = trail
        .iter()
        .find(|entry| entry.get("action").and_then(Value::as_str) == Some("created"))
        .and_then(|entry| Time::parse(entry.get("timestamp")?.as_str()?).ok());
    object.put("auditTrail", trail.into());
    created.map(|(time, _)| time)
}

#[derive(Default)]
struct Blocks {
    blocks: Vec<Block>,
    passthrough: Vec<Map>,
    time: Option<Time>,
    /// Whether any block is marked as private.
    withheld: bool,
}

impl Blocks {
    fn push(&mut self, block: Block, passthrough: Map) {
        self.blocks.push(block);
        self.passthrough.push(passthrough);
    }

    fn push_content(&mut self, object: &mut Object<'_>, notes: &mut Vec<Note>) {
        let kind = object.text("messageType", notes);
        if !matches!(kind.as_deref(), Some("text" | "composite")) {
            let message = match &kind {
                Some(kind) => format!("`{kind}` is not a CJSON message type"),
                None => "`messageType` is missing".to_owned(),
            };
            let note = object.note(Severity::Warning, "unknown-message-type", "", message);
            notes.push(note.hint("its `content` and `contentBlocks` are still read"));
        }
        if let Some(text) = object.text("content", notes)
            && (!text.is_empty() || !object.has("contentBlocks"))
        {
            self.push(Block::Markdown { text }, Map::new());
        }
        let blocks = object.array("contentBlocks", notes).unwrap_or_default();
        for (index, (value, at)) in blocks.into_iter().enumerate() {
            let Value::Object(map) = value else {
                let message =
                    format!("`contentBlocks.{index}` must be an object, not {}", type_of(&value));
                notes.push(Note::warning("wrong-type", at, message));
                self.push(Block::Unknown { name: "block".to_owned(), value }, Map::new());
                continue;
            };
            let inside = object.at(map, at).named(format_args!("contentBlocks.{index}"));
            self.withheld |= inside.is_withheld_but(&APART, notes);
            self.block(inside, notes);
        }
    }

    fn block(&mut self, mut object: Object<'_>, notes: &mut Vec<Note>) {
        let kind = object.text("blockType", notes).unwrap_or_default();
        let whole = object.copy();
        let created = match object.get("createdAt").and_then(Value::as_str) {
            Some(NO_TIME) => {
                object.take("createdAt");
                None
            }
            Some(_) => {
                let text = object.get("createdAt").cloned();
                let time = object.time("createdAt", notes);
                if let (Some(_), Some(text)) = (&time, text) {
                    // Keep the original spelling for writing the file again.
                    object.put("createdAt", text);
                }
                time
            }
            None => {
                if object.has("createdAt") {
                    object.time("createdAt", notes);
                }
                None
            }
        };
        if self.time.is_none() {
            self.time = created;
        }
        let made_up = object
            .get("id")
            .and_then(Value::as_str)
            .is_some_and(|id| id.starts_with(MADE_UP_ID_PREFIX));
        match kind.as_str() {
            "text" | "thinking" => {
                let Some(text) = object.text("text", notes) else {
                    notes.push(object.missing(Severity::Warning, "text"));
                    return self
                        .push(Block::Unknown { name: kind, value: whole.into() }, Map::new());
                };
                if made_up {
                    object.take("id");
                }
                let block = if kind == "text" {
                    Block::Markdown { text }
                } else {
                    Block::Thinking { text }
                };
                self.push(block, object.rest());
            }
            "toolCall" => {
                self.push(Block::Tool(Box::new(call(object, notes))), Map::new());
            }
            "toolApproval" => {
                let id = object.text("toolCallId", notes).unwrap_or_default();
                let state = state(&mut object, "toolApprovalState", &APPROVAL_STATES, notes);
                let by = object.text("approvedBy", notes);
                let reason = object.text("reason", notes);
                if made_up {
                    object.take("id");
                }
                let approval = Approval { state, by, reason, unpublished: object.rest() };
                let call = ToolCall { id, approvals: vec![approval], ..ToolCall::default() };
                self.push(Block::Tool(Box::new(call)), Map::new());
            }
            "toolResult" => {
                let id = object.text("toolCallId", notes).unwrap_or_default();
                if made_up {
                    object.take("id");
                }
                let results = vec![result(object, notes)];
                let call = ToolCall { id, results, ..ToolCall::default() };
                self.push(Block::Tool(Box::new(call)), Map::new());
            }
            _ => {
                let message = if kind.is_empty() {
                    "content block without a type".to_owned()
                } else {
                    format!("`{kind}` is not a CJSON content block type")
                };
                let note = object.note(Severity::Warning, "unknown-block", "", message);
                notes.push(note.hint("it is shown as is"));
                let name = if kind.is_empty() { "block".to_owned() } else { kind.clone() };
                let mut value = whole;
                if !kind.is_empty() {
                    value.insert("blockType".to_owned(), kind.into());
                }
                self.push(Block::Unknown { name, value: value.into() }, Map::new());
            }
        }
    }
}

/// The values of `toolApprovalState`.
const APPROVAL_STATES: [&str; 3] = ["approved", "rejected", "canceled"];
/// The values of `toolResultState`.
const RESULT_STATES: [&str; 4] = ["succeeded", "failed", "timed_out", "canceled"];

/// Reads a state, which is kept even if it is not one of `words`, the values that the schema allows.
fn state(object: &mut Object<'_>, key: &str, words: &[&str], notes: &mut Vec<Note>) -> String {
    let state = object.text(key, notes).unwrap_or_default();
    if !state.is_empty() && !words.contains(&state.as_str()) {
        let message = format!("`{state}` is not a valid `{key}`");
        let note = object.note(Severity::Warning, "unknown-state", key, message);
        let known = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>();
        notes.push(note.hint(match closest(&state, words.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use one of {}", known.join(", ")),
        }));
    }
    state
}

fn call(mut object: Object<'_>, notes: &mut Vec<Note>) -> ToolCall {
    let mut call = ToolCall {
        id: object.text("id", notes).unwrap_or_default(),
        requires_approval: object.flag("requiresApproval", notes),
        ..ToolCall::default()
    };
    if call.id.starts_with(MADE_UP_ID_PREFIX) {
        call.id.clear();
    }
    if let Some(mut args) = object.object("args", notes) {
        let bare = if args.len() == 1 { args.shift_remove(BARE_INPUT) } else { None };
        call.input = Some(bare.unwrap_or(Value::Object(args)));
    }
    match object.get("toolRef") {
        // People may write just the name.
        Some(Value::String(_)) => {
            call.name = object.text("toolRef", notes).unwrap_or_default();
        }
        _ => {
            let at = object.place(&[Step::Key("toolRef")]);
            let map = object.object("toolRef", notes).unwrap_or_default();
            let mut tool = object.at(map, at).named("toolRef");
            call.name = tool.text("name", notes).unwrap_or_default();
            // An invalid name was already reported, and would clash with the new one.
            tool.take("name");
            call.extra = tool.rest();
        }
    }
    if call.name.is_empty() {
        let message = "tool call without a tool name".to_owned();
        notes.push(object.note(Severity::Warning, "missing-key", "", message));
        call.name = UNNAMED.to_owned();
    }
    call.unpublished = object.rest();
    call
}

fn result(mut object: Object<'_>, notes: &mut Vec<Note>) -> ToolResult {
    let error = object.object("toolResultError", notes).map(|mut error| {
        let mut text = |key: &str| match error.shift_remove(key) {
            Some(Value::String(text)) => Some(text),
            None | Some(Value::Null) => None,
            Some(other) => Some(other.to_string()),
        };
        ToolError { code: text("code"), message: text("message"), data: error.shift_remove("data") }
    });
    let duration = object.number("durationMs", notes);
    ToolResult {
        state: state(&mut object, "toolResultState", &RESULT_STATES, notes),
        output: object.take_any("output"),
        error,
        duration,
        colors: None,
        unpublished: object.rest(),
    }
}

fn attachment(mut object: Object<'_>, notes: &mut Vec<Note>) -> Attachment {
    let kind = object.text("attachmentKind", notes).unwrap_or_default();
    let known = AttachmentKind::parse(&kind);
    if known.is_none() {
        let message = format!("`{kind}` is not a CJSON attachment type");
        notes.push(object.note(Severity::Warning, "unknown-attachment", "", message));
    }
    let name = object.text("name", notes).unwrap_or_default();
    let uri = object.text("uri", notes);
    let base64 = object.text("base64content", notes);
    let content = match (base64, uri) {
        (Some(base64), uri) => {
            if let Some(uri) = uri {
                object.put("uri", uri.into());
            }
            Content::Base64(base64)
        }
        (None, Some(uri)) => Content::Uri(uri),
        (None, None) => Content::Missing,
    };
    let size = object.integer("sizeInBytes", notes).and_then(|size| u64::try_from(size).ok());
    let mime = object.text("mime", notes);
    let sha256 = object.text("sha256", notes);
    let made_up = object
        .get("id")
        .and_then(Value::as_str)
        .is_some_and(|id| id.starts_with(MADE_UP_ID_PREFIX));
    if made_up {
        object.take("id");
    }
    let kind = known.unwrap_or(AttachmentKind::Other);
    Attachment { name, kind, mime, size, sha256, content, call: None, unpublished: object.rest() }
}
