//! Hostile text: our own payloads, and those collected by others.

use std::fs;
use std::path::Path;

use base64::Engine;
use serde_json::{Value, json};

use super::project;

/// Our own payloads.
pub(crate) fn payloads() -> Vec<String> {
    let payloads = read(&project().join("tests/data/hostile/own.json"));
    assert!(payloads.len() >= 500);
    payloads
}

/// Our own payloads, and those collected by others, which `tests/run` puts into a folder.
pub(crate) fn all_payloads(texts: &Path) -> Vec<String> {
    let mut all = payloads();
    for (file, least) in [("dompurify.json", 186), ("naughty-strings.json", 485)] {
        let payloads = read(&texts.join(file));
        assert!(payloads.len() >= least, "{file}");
        all.extend(payloads);
    }
    all
}

/// Reads a list of texts, or of objects with a `payload`.
fn read(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
    let list: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let payload = |item: &Value| {
        item.as_str().or_else(|| item["payload"].as_str()).expect("a payload").to_owned()
    };
    list.iter().map(payload).collect()
}

/// A convo file with each of these payloads in every string of its turns, and the first of them in
/// every other string.
pub(crate) fn hostile_convo(payloads: &[String]) -> String {
    let first = &payloads[0];
    let json = serde_json::to_string(first).expect("JSON");
    // A type must not be blank.
    let kind = if first.trim().is_empty() { "\"x\"" } else { json.as_str() };
    let turns: String = payloads.iter().map(|payload| hostile_turns(payload)).collect();
    let mut speakers: Vec<String> =
        payloads.iter().map(|payload| speaker(&one_line(payload))).collect();
    speakers.sort_unstable();
    speakers.dedup();
    let speakers: Vec<String> = speakers
        .iter()
        .filter(|name| *name != "Bot")
        .map(|name| serde_json::to_string(name).expect("JSON"))
        .collect();
    let speakers = speakers.join(", ");
    let body = body(first);
    format!(
        "{body}\n\n{turns}----\n{{\"title\": {json}, \"type\": {kind}, \
         \"time\": \"2026-01-02\", \"languages\": [\"en\", {json}], {json}: {json}, \
         \"languages_meta\": {{\"speculative\": [{json}]}}, \"participants\": [{speakers}, \
         {{\"name\": \"Bot\", \"generative\": true, \"generative:model\": {json}, {json}: {json}}}]}}\n"
    )
}

fn hostile_turns(payload: &str) -> String {
    let (name, body) = (one_line(payload), body(payload));
    let speaker = speaker(&name);
    format!(
        "### @{speaker}\n{body}\n\n### @Bot\n`{body}`\n\n[{body}]({body} \"{body}\") \
         ![{body}](<{body}>)\n\n~~~~{name}\n{body}\n~~~~\n\n| {name} |\n|---|\n| {name} |\n\n\
         $${body}$$ x[^1]\n\n[^1]: {body}\n\n"
    )
}

fn one_line(payload: &str) -> String {
    payload.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A name must be the whole text of a heading; payloads that cannot be are used elsewhere.
fn speaker(name: &str) -> String {
    let plain = name.trim_end_matches('#').trim();
    if plain.is_empty() || plain.contains('\0') { "Eve" } else { plain }.to_owned()
}

/// A last line of dashes in the text would be a separator.
fn body(payload: &str) -> String {
    payload.replace("### @", r"\#\#\# @")
}

/// A CJSON conversation with each of these payloads in every free string of its messages, and the
/// first of them in every other string.
pub(crate) fn hostile_cjson(payloads: &[String]) -> String {
    let messages = payloads.iter().zip(0..);
    let messages: Vec<Value> =
        messages.flat_map(|(payload, pair)| hostile_messages(payload, pair)).collect();
    let payload = &payloads[0];
    json!({
        "id": payload, "schemaUrl": "https://cjson.dev/schema/0/conversation",
        "conversationTitle": payload, "systemMessage": format!("{payload} word").repeat(70),
        "parentId": payload, "modelId": payload, "ownerId": payload,
        "metadata": { payload: payload }, "extensions": { payload: payload },
        "messages": messages,
    })
    .to_string()
}

/// A message and two answers to it.
fn hostile_messages(payload: &str, pair: usize) -> Vec<Value> {
    let block = |kind: &str, rest: Value| {
        let mut block = json!({
            "blockType": kind, "id": payload, "createdAt": "2026-03-01T08:00:00Z",
        });
        let all = block.as_object_mut().expect("an object");
        all.extend(rest.as_object().expect("an object").clone());
        block
    };
    let file = |kind: &str, rest: Value| {
        let mut file = json!({
            "attachmentKind": kind, "id": payload, "name": payload, "mime": payload,
        });
        let all = file.as_object_mut().expect("an object");
        all.extend(rest.as_object().expect("an object").clone());
        file
    };
    let answer = |preferred: bool| {
        json!({
            "id": payload, "role": "assistant", "messageType": "composite", "index": 2 * pair + 2,
            "isPreferred": preferred, "assistantMetadata": { "model": payload, payload: payload },
            "metadata": { payload: payload },
            "contentBlocks": [
                block("thinking", json!({ "text": payload })),
                block("text", json!({ "text": payload })),
                block("toolCall", json!({
                    "id": "call", "args": { payload: payload },
                    "toolRef": { "name": payload, "toolsetId": payload, "version": payload },
                })),
                block("toolApproval", json!({
                    "toolCallId": "call", "toolApprovalState": payload, "approvedBy": payload,
                    "reason": payload,
                })),
                block("toolResult", json!({
                    "toolCallId": "call", "toolResultState": payload,
                    "output": format!("{payload}\n").repeat(20),
                    "toolResultError": { "code": payload, "message": payload, "data": payload },
                })),
                block("toolResult", json!({
                    "toolCallId": payload, "toolResultState": "succeeded",
                    "output": { payload: payload },
                })),
                block(&format!("x{payload}"), json!({ "text": payload })),
            ],
        })
    };
    let hidden = base64::engine::general_purpose::STANDARD.encode(payload);
    let question = json!({
        "id": payload, "role": "user", "messageType": "text", "content": payload,
        "index": 2 * pair + 1, "senderId": payload, "pinned": true,
        "attachments": [
            file("file", json!({ "base64content": hidden })),
            file("image", json!({ "base64content": hidden })),
            file("video", json!({ "uri": payload })),
            file("link", json!({ "uri": payload })),
            file("other", json!({ "uri": format!("data:text/html;base64,{hidden}") })),
        ],
    });
    vec![question, answer(true), answer(false)]
}
