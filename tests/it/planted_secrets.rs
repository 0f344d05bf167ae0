//! Three archives with invented secrets: a ChatGPT export, Claude Code sessions, and a folder with
//! conversations in several formats.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use convo_site::secrets::{Example, Rule, RuleKind, Tier, rules};
use serde_json::{Value, json};

use crate::archives::{gzip, tar, zip};
use crate::support::SiteTest;

/// The number of secrets.
pub(crate) const COUNT: usize = 1000;
/// The number of secrets in a conversation.
const EACH: usize = 10;

/// A planted secret.
pub(crate) struct Planted {
    pub(crate) rule: &'static Rule,
    pub(crate) secret: String,
    /// The number of the conversation.
    number: usize,
    pub(crate) sink: Sink,
}

impl Planted {
    /// Returns whether a report's conversation is that of the secret.
    pub(crate) fn is_in(&self, conversation: &str) -> bool {
        let of_file = format!(".{:03}.", self.number);
        conversation.contains(&id(self.number)) || conversation.contains(&of_file)
    }
}

/// The place of a secret in a conversation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Sink {
    Speech,
    Answer,
    Code,
    Thinking,
    ToolInput,
    ToolOutput,
    Attachment,
    Title,
    Link,
    Metadata,
    FileName,
}

const SINKS: [Sink; 11] = [
    Sink::Speech,
    Sink::Answer,
    Sink::Code,
    Sink::Thinking,
    Sink::ToolInput,
    Sink::ToolOutput,
    Sink::Attachment,
    Sink::Title,
    Sink::Link,
    Sink::Metadata,
    Sink::FileName,
];

impl Sink {
    /// Whether the place only has room for a short word, once per conversation.
    fn is_narrow(self) -> bool {
        matches!(self, Self::Title | Self::Link | Self::Metadata | Self::FileName)
    }

    fn takes(self, example: &Example) -> bool {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let is_word = example.text.len() <= 100 && example.text.chars().all(is_plain);
        !self.is_narrow() || is_word && example.text == example.secret()
    }
}

/// Reproducible pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.0 >> 33) % end as u64).expect("a number")
    }
}

/// The texts of a conversation by place, in order.
struct Talk {
    number: usize,
    texts: Vec<(Sink, String)>,
}

impl Talk {
    fn narrow(&self, sink: Sink) -> Option<&str> {
        self.texts.iter().find(|(at, _)| *at == sink).map(|(_, text)| text.as_str())
    }

    /// The title, unless it comes from the file name.
    fn title(&self) -> Option<String> {
        let secret = self.narrow(Sink::Title).unwrap_or_default();
        let has_none = self.narrow(Sink::FileName).is_some();
        (!has_none).then(|| format!("On lamp {} {secret}", self.number).trim().to_owned())
    }

    /// The texts for turns, each followed by one with a link.
    fn turns(&self) -> impl Iterator<Item = (Sink, String)> {
        let link = self.narrow(Sink::Link).unwrap_or("none");
        let first = format!("[the lamp](https://lamps.example/{link})");
        let turns = self.texts.iter().filter(|(sink, _)| !sink.is_narrow());
        let turns = turns.map(|(sink, text)| (*sink, text.clone()));
        [(Sink::Answer, first)].into_iter().chain(turns)
    }
}

/// Plants secrets in the archives of a site, and returns where each one is.
pub(crate) fn plant(site: &SiteTest) -> Vec<Planted> {
    let is_sure = |rule: &&Rule| rule.kind == RuleKind::Secret && rule.tier >= Tier::Likely;
    let kinds: Vec<&'static Rule> = rules().filter(is_sure).collect();
    let mut chance = Random(17);
    let mut planted = Vec::new();
    let mut talks = Vec::new();
    for number in 0..COUNT / EACH {
        let mut free: BTreeSet<Sink> = SINKS.into_iter().collect();
        let mut texts = Vec::new();
        for place in 0..EACH {
            let seed = number * EACH + place;
            let rule = kinds[seed * 131 % kinds.len()];
            let example = rule.example(seed as u64 + 77);
            let sink = loop {
                let sink = SINKS[chance.below(SINKS.len())];
                if free.contains(&sink) && sink.takes(&example) {
                    break sink;
                }
            };
            if sink.is_narrow() {
                free.remove(&sink);
            }
            // With a title, the file name is not shown.
            if matches!(sink, Sink::Title | Sink::FileName) {
                free.retain(|sink| !matches!(sink, Sink::Title | Sink::FileName));
            }
            let secret = example.secret().to_owned();
            planted.push(Planted { rule, secret, number, sink });
            texts.push((sink, example.text));
            // A turn without a secret.
            if chance.below(2) == 0 {
                texts.push((Sink::Speech, "The ferry leaves at nine.".to_owned()));
            }
        }
        talks.push(Talk { number, texts });
    }
    let (chats, rest) = talks.split_at(COUNT / EACH / 3);
    let (sessions, rest) = rest.split_at(COUNT / EACH / 3);
    site.write("content/export.zip", chatgpt(chats));
    site.write("content/sessions.tar.gz", claude_code(sessions));
    for talk in rest {
        let name = talk.narrow(Sink::FileName).unwrap_or("none");
        let name = format!("content/talks/{name}.{:03}", talk.number);
        match talk.number % 3 {
            0 => site.write(&format!("{name}.json"), cjson(talk)),
            1 => site.write(&format!("{name}.md"), markdown(talk)),
            _ => site.write(&format!("{name}.convo"), convo(talk)),
        }
    }
    planted
}

fn id(number: usize) -> String {
    format!("{number:08x}-0000-4000-8000-0000000000aa")
}

fn fenced(text: &str) -> String {
    format!("So it goes:\n\n```sh\n{text}\n```\n")
}

fn chatgpt(talks: &[Talk]) -> Vec<u8> {
    let all: Vec<Value> = talks.iter().map(chat).collect();
    let text = Value::from(all).to_string();
    let users = "{\"id\": \"user-1\"}";
    zip(&[("conversations.json", text.as_bytes()), ("user.json", users.as_bytes())])
}

fn chat(talk: &Talk) -> Value {
    let mut mapping = serde_json::Map::new();
    let mut before = Value::Null;
    let metadata = talk.narrow(Sink::Metadata).unwrap_or("none");
    let name = talk.narrow(Sink::FileName).unwrap_or("none");
    for (place, (sink, text)) in talk.turns().enumerate() {
        let words = |text: &str| json!({"content_type": "text", "parts": [text]});
        let (role, recipient, content) = match sink {
            Sink::Code => ("assistant", "all", words(&fenced(&text))),
            Sink::Answer => ("assistant", "all", words(&text)),
            Sink::Thinking => {
                let thought = json!({"summary": "Lamps", "content": text});
                let content = json!({"content_type": "thoughts", "thoughts": [thought]});
                ("assistant", "all", content)
            }
            Sink::ToolInput => {
                let content = json!({"content_type": "code", "language": "unknown", "text": text});
                ("assistant", "python", content)
            }
            Sink::ToolOutput => {
                ("tool", "all", json!({"content_type": "execution_output", "text": text}))
            }
            _ => ("user", "all", words(&text)),
        };
        let name_of = if role == "tool" { json!("python") } else { Value::Null };
        let attached = json!([{"id": "file-1", "name": format!("{name}.txt")}]);
        let node = format!("n{place}");
        let message = json!({
            "id": node, "author": {"role": role, "name": name_of}, "recipient": recipient,
            "create_time": 1_760_000_000 + place * 10, "content": content,
            "metadata": {"model_slug": metadata,
                "attachments": if role == "user" { attached } else { json!([]) }},
        });
        mapping.insert(
            node.clone(),
            json!({"id": node, "parent": before, "children": [], "message": message}),
        );
        before = json!(node);
    }
    json!({
        "title": talk.title(), "create_time": 1_760_000_000 + talk.number * 1000,
        "update_time": 1_760_000_500 + talk.number * 1000, "id": id(talk.number),
        "conversation_id": id(talk.number), "current_node": before, "mapping": mapping,
    })
}

fn claude_code(talks: &[Talk]) -> Vec<u8> {
    let files: Vec<(String, String)> = talks
        .iter()
        .map(|talk| (format!("lamps/{}.jsonl", id(talk.number)), session(talk)))
        .collect();
    let members: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    gzip(&tar(&members))
}

fn session(talk: &Talk) -> String {
    let mut lines = vec![json!({
        "type": "custom-title", "customTitle": talk.title(), "sessionId": id(talk.number)
    })];
    let model = talk.narrow(Sink::Metadata).unwrap_or("none");
    let name = talk.narrow(Sink::FileName).unwrap_or("none");
    let mut entry = |role: &str, content: Value| {
        let place = lines.len();
        lines.push(json!({
            "parentUuid": (place > 1).then(|| format!("u{}-{}", talk.number, place - 1)),
            "uuid": format!("u{}-{place}", talk.number), "type": role, "isSidechain": false,
            "userType": "external", "cwd": "/srv", "version": "2.1.40", "gitBranch": "main",
            "sessionId": id(talk.number),
            "timestamp": format!("2026-03-01T10:{:02}:{:02}.000Z", talk.number % 60, place),
            "message": {"role": role, "model": model, "content": content},
        }));
    };
    let read = (Sink::FileName, String::new());
    for (place, (sink, text)) in talk.turns().chain([read]).enumerate() {
        let call = format!("call-{place}");
        let uses = |name: &str, input: Value| json!([{"type": "tool_use", "id": call, "name": name, "input": input}]);
        let result =
            |text: &str| json!([{"type": "tool_result", "tool_use_id": call, "content": text}]);
        match sink {
            Sink::Code => {
                entry("assistant", json!([{"type": "text", "text": fenced(&text)}]));
            }
            Sink::Answer => entry("assistant", json!([{"type": "text", "text": text}])),
            Sink::Thinking => {
                entry("assistant", json!([{"type": "thinking", "thinking": text}]));
            }
            Sink::ToolInput => {
                entry("assistant", uses("Bash", json!({"command": text})));
                entry("user", result("done"));
            }
            Sink::ToolOutput => {
                entry("assistant", uses("Bash", json!({"command": "lamp --all"})));
                entry("user", result(&text));
            }
            Sink::Attachment => {
                let input = json!({"file_path": format!("/srv/{name}.txt"), "content": text});
                entry("assistant", uses("Write", input));
                entry("user", result("written"));
            }
            Sink::FileName => {
                let path = format!("/srv/{name}.txt");
                entry("assistant", uses("Read", json!({"file_path": path})));
                entry("user", result("none"));
            }
            _ => entry("user", json!(text)),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn cjson(talk: &Talk) -> String {
    let name = talk.narrow(Sink::FileName).unwrap_or("none");
    let mut messages = Vec::new();
    for (place, (sink, text)) in talk.turns().enumerate() {
        let (call, of) = (format!("c{place}"), format!("m{place}"));
        let blocks = |blocks: Value| {
            json!({"id": of, "role": "assistant", "messageType": "composite",
                "contentBlocks": blocks})
        };
        let words = |role: &str, text: &str| json!({"id": of, "role": role, "messageType": "text", "content": text});
        let tool = json!({"blockType": "toolCall", "id": call, "toolRef": {"name": "lamp"},
            "args": {"of": if sink == Sink::ToolInput { text.as_str() } else { "it" }}});
        let result = json!({"blockType": "toolResult", "id": "r", "toolCallId": call,
            "toolResultState": "succeeded",
            "output": {"is": if sink == Sink::ToolOutput { text.as_str() } else { "lit" }}});
        messages.push(match sink {
            Sink::Code => words("assistant", &fenced(&text)),
            Sink::Answer => words("assistant", &text),
            Sink::Thinking => blocks(json!([{"blockType": "thinking", "id": "t", "text": text},
                    {"blockType": "text", "id": "x", "text": "Yes."}])),
            Sink::ToolInput | Sink::ToolOutput => blocks(json!([tool, result])),
            Sink::Attachment => json!({"id": of, "role": "user", "messageType": "text",
                "content": "Look.", "attachments": [{"attachmentKind": "file", "id": call,
                    "name": format!("{name}.txt"), "mime": "text/plain",
                    "base64content": STANDARD.encode(&text)}]}),
            _ => words("user", &text),
        });
    }
    let metadata = talk.narrow(Sink::Metadata).unwrap_or("none");
    json!({
        "id": id(talk.number),
        "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0.schema.json",
        "mediaType": "application/vnd.cjson+json", "conversationTitle": talk.title(),
        "modelId": metadata, "messages": messages,
    })
    .to_string()
}

/// Each text as a turn; texts without a place in transcripts are in code blocks.
fn turns(talk: &Talk, head: impl Fn(&str) -> String) -> String {
    let turns = talk.turns().map(|(sink, text)| {
        let who = if sink == Sink::Answer { "Finch" } else { "Wren" };
        let is_code = !matches!(sink, Sink::Speech | Sink::Answer) || text.contains('\n');
        head(who) + &if is_code { fenced(&text) } else { text } + "\n\n"
    });
    turns.collect()
}

fn markdown(talk: &Talk) -> String {
    let metadata = talk.narrow(Sink::Metadata).unwrap_or("none");
    let turns = turns(talk, |who| format!("**{who}:** "));
    let title = talk.title().map(|title| format!("title: {title}\n")).unwrap_or_default();
    format!("---\n{title}id: {}\ntags: [{metadata}]\n---\n\n{turns}", id(talk.number))
}

fn convo(talk: &Talk) -> String {
    let metadata = talk.narrow(Sink::Metadata).unwrap_or("none");
    let about = json!({
        "type": "dialog", "id": id(talk.number), "title": talk.title(),
        "time": "2026-01-02", "tags": [metadata],
        "participants": [{"name": "Wren"}, {"name": "Finch"}],
    });
    turns(talk, |who| format!("### @{who}\n")) + &format!("----\n{about}\n")
}
