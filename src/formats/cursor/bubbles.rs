//! A conversation of `state.vscdb`: its metadata and its bubbles, each a row.

use std::collections::HashMap;

use super::super::File;
use super::{calls, query, transcript};
use crate::shared::access::tool_access::some_call;
use crate::shared::access::visibility;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::object::Object;
use crate::shared::json::stored::{self, Row};
use crate::shared::text::dates::of_value;
use convo_base::diag::{Counted, Lines, Note, Severity};
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Usage};
use convo_base::text::base_name;

/// Bubbles that are listed, but missing from the database.
const LOST: Counted = Counted::not_shown(
    "bubble that is missing from the database",
    "bubbles that are missing from the database",
);

/// A bubble with its line.
struct Bubble {
    map: Map,
    line: u32,
    /// Whether its row is marked as private.
    is_withheld: bool,
}

/// An entry in the list of a conversation's bubbles.
struct InOrder {
    id: String,
    /// The bubble itself, in old versions.
    own: Option<Map>,
    /// Whether the entry is marked as private.
    is_withheld: bool,
}

pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let lines = Lines::new(&file.text);
    let mut session = Turns::new(index, "Cursor");
    let mut order: Vec<InOrder> = Vec::new();
    let mut bubbles: HashMap<String, Bubble> = HashMap::new();
    let mut first = 1;
    stored::each(file, index, &lines, notes, &mut |row, notes| {
        let Row { mut columns, line, .. } = row;
        let key = columns.text("key", notes).unwrap_or_default();
        let is_withheld = columns.is_withheld(notes);
        let Some(value) = value(&mut columns, notes) else { return };
        if key.starts_with("composerData:") {
            first = line;
            session.read.private |= columns.holds_back("private", &["value"], notes);
            order.append(&mut about(value, &mut session));
        } else if let Some(id) = key.rsplit(':').next() {
            bubbles.insert(id.to_owned(), Bubble { map: value, line, is_withheld });
        }
    });
    let has_rows = !bubbles.is_empty();
    let mut missing = 0;
    for InOrder { id, own, is_withheld } in order {
        let own = || own.map(|map| Bubble { map, line: first, is_withheld });
        match bubbles.remove(&id).or_else(own) {
            Some(bubble) if is_withheld || bubble.is_withheld => session.count_hidden(),
            Some(bubble) => show(&mut session, &id, bubble),
            None => missing += 1,
        }
    }
    // Bubbles that are not listed were replaced by an edit or another answer.
    bubbles.iter().for_each(|_| session.count_hidden());
    if missing > 0 {
        notes.push(Note::counted(LOST, "", missing, None).in_file(index));
    }
    let read = session.done(&line_starts(&file.text), notes);
    if read.is_none() && has_rows {
        notes.push(transcript::silent(index));
    }
    read
}

/// Returns the value of a row, which is an object or the text of one.
fn value(columns: &mut Object<'_>, notes: &mut Vec<Note>) -> Option<Map> {
    match columns.take("value")? {
        Value::Object(map) => Some(map),
        other => {
            let found = convo_base::json::type_of(&other);
            let message = format!("`value` must be an object, not {found}");
            notes.push(columns.note(Severity::Warning, "wrong-type", "", message));
            None
        }
    }
}

/// Reads the metadata of a conversation; returns the list of its bubbles, which in old versions contains
/// the bubbles themselves.
fn about(mut map: Map, session: &mut Turns) -> Vec<InOrder> {
    let text = |map: &Map, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    session.read.private |= visibility::is_marked(&map);
    session.read.id = text(&map, "composerId");
    session.read.title = text(&map, "name").filter(|name| !name.trim().is_empty());
    session.read.time = map.get("createdAt").and_then(of_value);
    session.read.updated = map.get("lastUpdatedAt").and_then(of_value);
    let config = map.get("modelConfig").and_then(|config| config.get("modelName"));
    session.model =
        config.and_then(Value::as_str).filter(|name| *name != "default").map(str::to_owned);
    let id = |bubble: &Value| bubble.get("bubbleId")?.as_str().map(str::to_owned);
    let listed = match map.shift_remove("fullConversationHeadersOnly") {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let is_withheld = |head: &Value| head.as_object().is_some_and(visibility::is_marked);
    let in_order =
        |head: &Value| Some(InOrder { id: id(head)?, own: None, is_withheld: is_withheld(head) });
    let mut order: Vec<InOrder> = listed.iter().filter_map(in_order).collect();
    if let Some(Value::Array(old)) = map.shift_remove("conversation")
        && order.is_empty()
    {
        order.extend(old.into_iter().enumerate().filter_map(|(number, bubble)| {
            let id = id(&bubble).unwrap_or_else(|| number.to_string());
            match bubble {
                Value::Object(map) => Some(InOrder { id, own: Some(map), is_withheld: false }),
                _ => None,
            }
        }));
    }
    order
}

/// Adds a bubble to the session.
fn show(session: &mut Turns, id: &str, Bubble { mut map, line, .. }: Bubble) {
    if visibility::is_marked(&map) {
        return session.count_hidden();
    }
    let is_person = map.get("type").and_then(Value::as_i64) == Some(1);
    let own = map.get("createdAt");
    let times = map.get("timingInfo");
    let old = ["clientRpcSendTime", "clientStartTime"];
    let old = old.iter().find_map(|key| times?.get(*key)).filter(|time| {
        // Some times are relative to the opening of the window.
        time.as_f64().is_some_and(|millis| millis > 1e12)
    });
    let at =
        At { line, quoted: true, time: own.or(old).and_then(of_value), id: Some(id.to_owned()) };
    session.turn(if is_person { Who::Person } else { Who::Assistant }, at);
    let text = map.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
    if is_person {
        let (prompt, is_more) = query::user_text(&text);
        session.say(&prompt);
        if is_more {
            session.count_hidden();
        }
        files(session, &map, false);
        return;
    }
    for thought in thoughts(&map) {
        session.think(&query::without_redacted(&thought));
    }
    session.say(&query::without_redacted(&text));
    if let Some(Value::Object(data)) = map.shift_remove("toolFormerData")
        && data.get("name").is_some_and(Value::is_string)
    {
        match visibility::is_marked(&data) {
            true => session.count_hidden(),
            false => session.call(calls::of_bubble(&data)),
        }
    }
    files(session, &map, true);
    let count = |key: &str| map.get("tokenCount")?.get(key)?.as_u64().filter(|count| *count > 0);
    let model = map.get("modelInfo").and_then(|info| info.get("modelName")?.as_str());
    let model = model.filter(|name| *name != "default").map(str::to_owned);
    let usage = Usage {
        model: model.or_else(|| session.model.clone()),
        input_tokens: count("inputTokens"),
        output_tokens: count("outputTokens"),
        ..Usage::default()
    };
    session.add_usage(&usage);
    if let Some(error) = map.get("errorDetails").and_then(|error| error.get("message")?.as_str()) {
        // It has no speaker.
        session.turn(Who::Program, At { line, quoted: true, ..At::default() });
        session.event("error", error);
    }
}

fn thoughts(map: &Map) -> Vec<String> {
    let text = |thought: &Value| {
        let text = thought.as_str().or_else(|| thought.get("text")?.as_str())?;
        Some(text.to_owned()).filter(|text| !text.trim().is_empty())
    };
    if let Some(thought) = map.get("thinking").and_then(text) {
        return vec![thought];
    }
    let all = map.get("allThinkingBlocks").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(text).collect()
}

/// Adds the names of attached pictures and files; their contents are stored elsewhere.
fn files(session: &mut Turns, map: &Map, is_answer: bool) {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    for image in list(map.get("images")) {
        let path = ["path", "uuid"].iter().find_map(|key| image.get(*key)?.as_str());
        let data = image.as_str().or_else(|| image.get("data")?.as_str());
        let data = data.filter(|data| data.starts_with("data:")).unwrap_or_default();
        let name = base_name(path.unwrap_or_default());
        let name = if name.contains('.') { name } else { "image.png" };
        session.attach_to(some_call(is_answer), name, data);
    }
    let chosen = map.get("context").and_then(|context| context.get("fileSelections"));
    for file in list(chosen) {
        let uri = file.get("uri");
        let path = uri.and_then(|uri| uri.get("path").or_else(|| uri.get("fsPath"))?.as_str());
        if let Some(path) = path {
            session.attach(path, "");
        }
    }
}
