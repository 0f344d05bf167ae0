//! Writes conversations as chibi contexts.

use serde_json::json;

use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Block, Conversation, Kind, ToolCall, Turn};

/// Returns the files of one conversation.
pub(super) fn write(conversation: &Conversation) -> Vec<(String, String)> {
    let context = conversation.participants.iter().find(|who| who.kind == Kind::Assistant);
    let context = context.map_or("default", |who| who.name.as_str());
    let mut writer = Writer { conversation, context, log: String::new(), made: 0 };
    let (waiting, sent): (Vec<&Turn>, Vec<&Turn>) =
        conversation.turns.iter().partition(|turn| turn.pending);
    sent.into_iter().for_each(|turn| writer.turn(turn));
    let log = std::mem::take(&mut writer.log);
    waiting.into_iter().for_each(|turn| writer.turn(turn));
    let manifest = json!({
        "version": 1,
        "active_partition": "active.jsonl",
        "partitions": [],
        "rotation_policy": {
            "max_entries": 1000, "max_age_seconds": 2_592_000, "max_tokens": 100_000,
        },
    });
    let mut files = vec![
        ("transcript/manifest.json".to_owned(), json::pretty(&manifest) + "\n"),
        ("transcript/active.jsonl".to_owned(), log),
    ];
    if !writer.log.is_empty() {
        files.push(("inbox.jsonl".to_owned(), writer.log));
    }
    files
}

/// Events that have their own entry types in chibi. All others become messages of the system.
const ANCHORS: [&str; 4] = ["context_created", "compaction", "archival", "control_transfer"];

struct Writer<'a> {
    conversation: &'a Conversation,
    context: &'a str,
    log: String,
    made: usize,
}

impl Writer<'_> {
    /// Appends an entry. Values from the original entry take precedence over made-up ones.
    fn entry(&mut self, turn: &Turn, kind: &str, from: &str, to: &str, content: &str, own: Map) {
        self.made += 1;
        let mut own = own;
        let mut take = |key: &str| own.shift_remove(key);
        let id = take("id").unwrap_or_else(|| Hash::of(&(&turn.id, self.made)).uuid().into());
        // 0 means that the time is unknown.
        let seconds = turn.time.as_ref().map_or(0, |time| time.unix().0);
        let timestamp = take("timestamp").unwrap_or_else(|| seconds.into());
        // The original entry had no id either.
        let was_read = turn.unpublished.contains_key("entries");
        let to = take("to").or_else(|| (!was_read).then(|| to.into()));
        let prefix = take("prefix");
        let prefix = prefix.as_ref().and_then(Value::as_str).unwrap_or_default();
        let mut entry = Map::new();
        entry.insert("id".to_owned(), id);
        entry.insert("timestamp".to_owned(), timestamp);
        entry.insert("from".to_owned(), from.into());
        if let Some(to) = to {
            entry.insert("to".to_owned(), to);
        }
        entry.insert("content".to_owned(), format!("{prefix}{content}").into());
        if !turn.pending {
            entry.insert("entry_type".to_owned(), kind.into());
        }
        entry.extend(own);
        self.log.push_str(&Value::Object(entry).to_string());
        self.log.push('\n');
    }

    fn turn(&mut self, turn: &Turn) {
        let mut kept = match turn.unpublished.get("entries") {
            Some(Value::Array(list)) => list.clone().into_iter(),
            _ => Vec::new().into_iter(),
        };
        let kind = self.conversation.participant(&turn.speaker).map(|who| who.kind);
        for block in &turn.blocks {
            if let Block::Tool(call) = block {
                self.call(turn, call);
                continue;
            }
            let mut own = match kept.next() {
                Some(Value::Object(map)) => map,
                _ => Map::new(),
            };
            let (from, to) = match kind {
                Some(Kind::Assistant) => (turn.speaker.as_str(), "user"),
                Some(Kind::System) | None => ("system", self.context),
                _ => (turn.speaker.as_str(), self.context),
            };
            let entry_type = turn.unpublished.get("entry_type").and_then(Value::as_str);
            match block {
                Block::Event { name, text, detail } if ANCHORS.contains(&name.as_str()) => {
                    if let Some(detail) = detail {
                        let metadata = own.entry("metadata").or_insert_with(|| Map::new().into());
                        if let Value::Object(map) = metadata {
                            map.insert("summary".to_owned(), detail.clone().into());
                        }
                    }
                    let context = self.context.to_owned();
                    self.entry(turn, name, "system", &context, text, own);
                }
                Block::Unknown { value: Value::Object(map), .. }
                    if map.contains_key("entry_type") =>
                {
                    self.log.push_str(&Value::Object(map.clone()).to_string());
                    self.log.push('\n');
                }
                block => {
                    let role = match kind {
                        Some(Kind::Assistant) => "agent",
                        Some(Kind::System) | None => "system",
                        _ => "user",
                    };
                    if !turn.unpublished.contains_key("entries") && !turn.pending {
                        own.insert("role".to_owned(), role.into());
                    }
                    let entry_type = match (kind, entry_type) {
                        (Some(Kind::System), Some(kind)) => kind,
                        (Some(Kind::System), None) => "system_prompt",
                        _ => "message",
                    };
                    let (from, to) = (from.to_owned(), to.to_owned());
                    self.entry(turn, entry_type, &from, &to, &block.to_markdown(), own);
                }
            }
        }
    }

    fn call(&mut self, turn: &Turn, call: &ToolCall) {
        let with_id = |own: &Map, to: &str| {
            let mut own = own.clone();
            own.entry("to").or_insert_with(|| to.into());
            if !call.id.is_empty() {
                own.insert("tool_call_id".to_owned(), call.id.clone().into());
            }
            own
        };
        if !call.name.is_empty() {
            let mut own = with_id(&call.unpublished, &call.name);
            let content = match (own.shift_remove("content"), &call.input) {
                (Some(Value::String(text)), _) => text,
                (_, Some(Value::String(text))) => text.clone(),
                (_, Some(value)) => value.to_string(),
                (_, None) => "{}".to_owned(),
            };
            self.entry(turn, "tool_call", &turn.speaker, &call.name, &content, own);
        }
        for result in &call.results {
            let content = match (&result.output, &result.error) {
                (Some(Value::String(text)), _) => text.clone(),
                (Some(value), _) => value.to_string(),
                (None, Some(error)) => error.message.clone().unwrap_or_default(),
                (None, None) => String::new(),
            };
            let from = if call.name.is_empty() { "unknown" } else { &call.name };
            self.entry(
                turn,
                "tool_result",
                from,
                &turn.speaker,
                &content,
                with_id(&result.unpublished, &turn.speaker),
            );
        }
    }
}
