//! Writes conversations as CJSON.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::json;

use super::super::File;
use super::extension_data::{self, key};
use super::passthrough::{BLOCK_KEYS, fitting};
use super::schema::{BARE_INPUT, MADE_UP_ID_PREFIX, MEDIA_TYPE, NO_TIME, OWN_KEY, SCHEMA_URL};
use super::{branches, read, speakers};
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value};
use convo_base::model::{Attachment, Block, Branch, Content, Conversation, Kind, ToolCall, Turn};
use convo_base::time::Time;

/// Returns the document of one conversation.
///
/// The document is written twice: first with everything that CJSON can represent, then with the differences
/// that reading it back shows, under convo-site's key.
pub(super) fn write(conversation: &Conversation) -> String {
    let order = Order::of(conversation);
    let plain = document(conversation, &order, &Map::new(), &[]);
    let file = File { name: String::new(), text: json::pretty(&plain), is_continued: false };
    let mut again = read::parse(&[file]).conversations.pop().unwrap_or_default();
    let turns = order.turns();
    let others = turns_again(&mut again, &order);
    let ours = extension_data::differences(conversation, &again);
    let mut differences: Vec<Map> = turns
        .iter()
        .zip(&others)
        .map(|(turn, again)| extension_data::turn_differences(turn, again))
        .collect();
    differences.resize_with(turns.len(), Map::new);
    let are_named = turns.len() == others.len()
        && order.own.is_empty()
        && turns.iter().zip(&others).all(|(turn, again)| turn.id == again.id);
    if !are_named {
        for (ours, turn) in differences.iter_mut().zip(&turns) {
            ours.insert("id".to_owned(), turn.id.clone().into());
        }
    }
    json::pretty(&document(conversation, &order, &ours, &differences)) + "\n"
}

/// The order in which turns become messages.
struct Order<'a> {
    /// The turns of the main path, each with the alternatives that come before it.
    main: Vec<(Vec<&'a Turn>, &'a Turn)>,
    /// The branches that CJSON cannot represent, with their indexes among all branches.
    own: Vec<(usize, &'a Branch)>,
}

impl<'a> Order<'a> {
    fn of(conversation: &'a Conversation) -> Self {
        let turns = &conversation.turns;
        let mut main: Vec<(Vec<&Turn>, &Turn)> =
            turns.iter().map(|turn| (Vec::new(), turn)).collect();
        let ids = turns.iter().enumerate().map(|(at, turn)| (turn.id.as_str(), at + 1));
        let places: HashMap<&str, usize> = ids.collect();
        let mut own = Vec::new();
        let mut last = 0;
        // A branch without turns is ignored.
        let branches = conversation.branches.iter().filter(|one| !one.turns.is_empty());
        for (index, branch) in branches.enumerate() {
            let place = match &branch.after {
                None => Some(0),
                Some(after) => places.get(after.as_str()).copied(),
            };
            // Alternatives are read back in the order of the main path.
            let place = place.filter(|place| *place >= last);
            match (place.and_then(|place| main.get_mut(place)), branch.turns.as_slice()) {
                (Some((beside, _)), [turn])
                    if branch.rejoins && branch.name.is_none() && branch.started_by.is_none() =>
                {
                    beside.push(turn);
                    last = place.unwrap_or(last);
                }
                _ => own.push((index, branch)),
            }
        }
        Self { main, own }
    }

    /// Returns the turns in the order in which their messages are written.
    fn turns(&self) -> Vec<&'a Turn> {
        let main = self
            .main
            .iter()
            .flat_map(|(beside, turn)| beside.iter().copied().chain(std::iter::once(*turn)));
        main.chain(self.own.iter().flat_map(|(_, branch)| &branch.turns)).collect()
    }
}

/// Returns the turns that were read back in the order in which their messages are written.
fn turns_again(again: &mut Conversation, order: &Order<'_>) -> Vec<Turn> {
    let own: HashSet<usize> = order.own.iter().map(|(place, _)| *place).collect();
    let (mut beside, mut others) = (Vec::new(), Vec::new());
    for (place, branch) in std::mem::take(&mut again.branches).into_iter().enumerate() {
        let to = if own.contains(&place) { &mut others } else { &mut beside };
        to.extend(branch.turns);
    }
    let mut beside = beside.into_iter();
    let mut turns = Vec::new();
    for ((before, _), turn) in order.main.iter().zip(again.turns.iter()) {
        turns.extend(beside.by_ref().take(before.len()));
        turns.push(turn.clone());
    }
    turns.extend(others);
    turns
}

fn document(
    conversation: &Conversation,
    order: &Order<'_>,
    ours: &Map,
    differences: &[Map],
) -> Value {
    let mut rest = conversation.unpublished.clone();
    let mut take = |key: &str, usual: &str| rest.shift_remove(key).unwrap_or_else(|| usual.into());
    let schema = take("schemaUrl", SCHEMA_URL);
    let media_type = take("mediaType", MEDIA_TYPE);
    let id = conversation.id.clone().unwrap_or_else(|| {
        let first = conversation.turns.first().map(|turn| &turn.id);
        format!("{MADE_UP_ID_PREFIX}{}", Hash::of(&(&conversation.title, first)).short(16))
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
    let mut writer = Writer::new(conversation, differences);
    let mut ours = ours.clone();
    put("messages", writer.main(order, system.is_some(), &mut ours).into());
    let branches = order.own.iter().map(|(place, branch)| {
        branch.turns.iter().for_each(|turn| writer.message(turn, None, None));
        branches::document(*place, branch, std::mem::take(&mut writer.messages))
    });
    let branches: Vec<Value> = branches.collect();
    if !branches.is_empty() {
        ours.insert(key::BRANCHES.to_owned(), branches.into());
    }
    let extensions = extended(rest.shift_remove("extensions"), &ours);
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

/// Returns the system message if it can be a property: if the conversation starts with a plain one.
fn system_message(conversation: &Conversation) -> Option<&str> {
    let first = conversation.turns.first()?;
    let kind = conversation.participant(&first.speaker)?.kind;
    let plain = first.speaker == "System"
        && first.time.is_none()
        && !first.pinned
        && first.extra.is_empty()
        && first.unpublished.is_empty()
        && conversation.branches.iter().all(|branch| branch.after.is_some());
    match first.blocks.as_slice() {
        [Block::Markdown { text }] if kind == Kind::System && plain && !text.is_empty() => {
            Some(text)
        }
        _ => None,
    }
}

struct Writer<'a> {
    conversation: &'a Conversation,
    /// The differences of each turn, in the order of messages.
    differences: std::slice::Iter<'a, Map>,
    several_models: bool,
    /// The number of ids made up so far.
    made: usize,
    messages: Vec<Value>,
}

impl<'a> Writer<'a> {
    fn new(conversation: &'a Conversation, differences: &'a [Map]) -> Self {
        let models = conversation.participants.iter().filter_map(|who| who.model.as_ref());
        Self {
            conversation,
            differences: differences.iter(),
            several_models: models.collect::<BTreeSet<_>>().len() > 1,
            made: 0,
            messages: Vec::new(),
        }
    }

    /// Returns the messages of the main path. The differences of the system message, which is not a
    /// message, go to `ours`.
    fn main(&mut self, order: &Order<'_>, has_system: bool, ours: &mut Map) -> Vec<Value> {
        let forks = order.main.iter().any(|(beside, _)| !beside.is_empty());
        for (index, (beside, turn)) in order.main.iter().enumerate() {
            let index_of = forks.then_some(index);
            for other in beside {
                self.message(other, index_of, Some(false));
            }
            if index == 0 && has_system {
                let difference =
                    self.differences.next().filter(|difference| !difference.is_empty());
                if let Some(difference) = difference {
                    ours.insert(key::SYSTEM.to_owned(), difference.clone().into());
                }
            } else {
                self.message(turn, index_of, (!beside.is_empty()).then_some(true));
            }
        }
        std::mem::take(&mut self.messages)
    }

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
            [Block::Markdown { text }] if turn.time.is_none() && passthrough.is_empty() => {
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
            && ["model", "modelId", "modelName"].iter().all(|key| !extra.contains_key(*key))
        {
            extra.insert("model".to_owned(), model.clone().into());
        }
        if !extra.is_empty() {
            out.insert("assistantMetadata".to_owned(), extra.into());
        }
        let ours = self.differences.next().cloned().unwrap_or_default();
        let extensions = extended(rest.shift_remove("extensions"), &ours);
        out.extend(fitting(rest, &["auditTrail", "metadata"]));
        if let Some(extensions) = extensions {
            out.insert("extensions".to_owned(), extensions);
        }
        self.messages.push(out.into());
    }

    fn blocks(&mut self, turn: &Turn, blocks: &[Block], passthrough: Vec<Value>) -> Vec<Value> {
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
            let at = own.shift_remove("createdAt").unwrap_or_else(|| written(turn, &created));
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
        let id: Value = if call.id.is_empty() { self.made_up() } else { call.id.clone().into() };
        let begin = |kind: &str, block_id: Value, unpublished: &Map| {
            let mut map = Map::new();
            map.insert("blockType".to_owned(), kind.into());
            map.insert("id".to_owned(), block_id);
            map.insert("createdAt".to_owned(), created.into());
            map.extend(fitting(unpublished.clone(), &[&BLOCK_KEYS[..3], &["metadata"]].concat()));
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
            map.insert("toolApprovalState".to_owned(), (*state.unwrap_or(&"canceled")).into());
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
                let mut error_map = Map::new();
                for (key, text) in [("code", &error.code), ("message", &error.message)] {
                    if let Some(text) = text {
                        error_map.insert(key.to_owned(), text.clone().into());
                    }
                }
                if let Some(data) = &error.data {
                    error_map.insert("data".to_owned(), data.clone());
                }
                map.insert("toolResultError".to_owned(), error_map.into());
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
            Content::Base64(text) => map.insert("base64content".to_owned(), text.clone().into()),
            Content::Missing => None,
        };
        map.extend(fitting(rest, &["metadata", "uri"]));
        map.into()
    }
}

/// Returns the time of a turn in its original spelling if the schema allows that.
fn written(turn: &Turn, created: &str) -> Value {
    let own = turn.time.as_ref().map(Time::as_written);
    // RFC 3339: only a date, a clock time and an offset.
    let fits =
        |text: &&str| text.len() >= 20 && !text.contains(['[', ' ']) && !text.contains("+00:00[");
    let zoned = |text: &&str| {
        text.ends_with('Z')
            || text.get(text.len().saturating_sub(6)..).is_some_and(|tail| {
                tail.starts_with(['+', '-']) && tail.as_bytes().get(3) == Some(&b':')
            })
    };
    own.filter(fits).filter(zoned).unwrap_or(created).into()
}
