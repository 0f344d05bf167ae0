//! No reader is slower than linear: four times as many records take about four times as long, for
//! every format and its kinds of records.

use std::collections::BTreeSet;
use std::time::Duration;

use convo_site::formats::{self, Input};
use convo_site::rendered_text::RenderedText;
use serde_json::{Value, json};

use crate::support::convo;
use crate::support::linear_time::{check_linear, timed};

/// A file name, its format, and a function that generates a text with this many records.
type Case = (&'static str, &'static str, fn(usize) -> String);

fn joined(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn rows(count: usize, row: impl Fn(usize) -> Value) -> String {
    joined(count, |n| format!("{}\n", row(n)))
}

fn list(count: usize, row: impl Fn(usize) -> Value) -> Value {
    Value::from((0..count).map(row).collect::<Vec<Value>>())
}

/// Alternates between two speakers.
fn either(n: usize, odd: &'static str, even: &'static str) -> &'static str {
    if n.is_multiple_of(2) { odd } else { even }
}

/// The id of a record, which the next one refers to.
fn id(n: usize) -> String {
    format!("{n:08}-0000-4000-8000-000000000000")
}

/// The header fields of a mail.
const MAIL: &str =
    "From: Ada <ada@mill.example>\nDate: Wed, 4 Mar 2026 18:20:05 +0100\nSubject: The leak\n";

/// A mailbox in which each mail replies to the one with the number `before`.
fn mails(count: usize, before: fn(usize) -> usize, text: &str) -> String {
    joined(count, |n| {
        let from = "From ada@mill.example Wed Mar  4 18:20:05 2026";
        let (own, other) = (id(n), id(before(n)));
        format!(
            "{from}\n{MAIL}Message-ID: <{own}@mill.example>\nReferences: <{other}@mill.example>\n\n{text}\n\n"
        )
    })
}

/// A ChatGPT conversation in which each message follows the one given by `before`.
fn chatgpt(count: usize, before: fn(usize) -> usize, content: fn(usize) -> Value) -> String {
    let mut mapping = serde_json::Map::new();
    for n in 0..count {
        let parent = (n > 0).then(|| id(before(n)));
        let role = either(n, "user", "assistant");
        let message = json!({"id": id(n), "author": {"role": role, "name": null, "metadata": {}},
            "create_time": 1_760_000_000.5 + n as f64, "content": content(n),
            "status": "finished_successfully", "weight": 1.0, "recipient": "all",
            "metadata": {"model_slug": "gpt-5"}});
        let node = json!({"id": id(n), "parent": parent, "children": [], "message": message});
        mapping.insert(id(n), node);
    }
    json!([{"id": "c", "title": "T", "create_time": 1_760_000_000.5,
        "current_node": id(count - 1), "mapping": mapping}])
    .to_string()
}

fn message(n: usize) -> Value {
    json!({"content_type": "text", "parts": [format!("Number {n}.")]})
}

fn thoughts(n: usize) -> Value {
    match n % 2 {
        0 => message(n),
        _ => {
            json!({"content_type": "thoughts", "thoughts": [{"summary": "S", "content": "C"}]})
        }
    }
}

/// A Claude conversation in which each message follows the one given by `before`.
fn claude(count: usize, before: fn(usize) -> usize, tools: bool) -> String {
    let message = |n: usize| {
        let call = json!([{"type": "tool_use", "id": id(n), "name": "web_search", "input": {"query": "q"}},
            {"type": "tool_result", "tool_use_id": id(n), "name": "web_search", "content": []},
            {"type": "text", "text": "Yes."}]);
        let text = format!("Number {n}.");
        let content = match tools && n % 2 == 1 {
            true => call,
            false => json!([{"type": "text", "text": text}]),
        };
        let parent = if n == 0 {
            "00000000-0000-4000-8000-000000000000".to_owned()
        } else {
            id(before(n) + 1)
        };
        json!({"uuid": id(n + 1), "parent_message_uuid": parent, "text": text, "content": content,
            "sender": either(n, "human", "assistant"), "created_at": "2026-03-04T09:15:00.000000Z"})
    };
    json!([{"uuid": "c", "name": "T", "created_at": "2026-03-04T09:15:00.000000Z",
        "chat_messages": list(count, message)}])
    .to_string()
}

/// A Claude Design chat.
fn design(count: usize) -> String {
    let message = |n: usize| {
        let role = either(n, "user", "assistant");
        json!({"uuid": id(n), "role": role, "content": {"role": role, "content": format!("Number {n}."),
            "timestamp": "2026-03-04T09:01:00.000Z"}})
    };
    json!({"uuid": "d", "title": "T", "project": {"uuid": "p", "name": "P"}, "messages": list(count, message),
        "created_at": "2026-03-04T09:00:00.120000+00:00", "updated_at": "2026-03-04T09:09:00.120000+00:00"})
    .to_string()
}

/// An Open WebUI chat in which each message follows the one given by `before`.
fn open_webui(count: usize, before: fn(usize) -> usize) -> String {
    let mut messages = serde_json::Map::new();
    for n in 0..count {
        let parent = (n > 0).then(|| id(before(n)));
        let content =
            format!("Number {n}. <details type=\"reasoning\"><summary>S</summary>T</details>");
        let role = either(n, "user", "assistant");
        let message = json!({"id": id(n), "parentId": parent, "childrenIds": [], "role": role,
            "content": content, "timestamp": 1_760_000_000 + n});
        messages.insert(id(n), message);
    }
    let history = json!({"messages": messages, "currentId": id(count - 1)});
    json!([{"id": "c", "title": "T", "chat": {"history": history}}]).to_string()
}

fn deepseek(count: usize) -> String {
    let mut mapping = serde_json::Map::new();
    for n in 0..count {
        let kind = either(n, "REQUEST", "RESPONSE");
        let message = json!({"inserted_at": "2026-03-04T09:15:00+08:00", "files": [],
            "fragments": [{"type": kind, "content": format!("Number {n} [citation:1].")}]});
        let node = json!({"id": id(n), "parent": (n > 0).then(|| id(n - 1)), "children": [], "message": message});
        mapping.insert(id(n), node);
    }
    json!([{"id": "c", "inserted_at": "2026-03-04T09:15:00+08:00", "mapping": mapping}]).to_string()
}

/// A LibreChat tree in which every message is nested in the one before it.
fn librechat(count: usize) -> String {
    let message = |n: usize| {
        let message = json!({"messageId": id(n), "isCreatedByUser": n.is_multiple_of(2), "hidden": false,
            "sender": either(n, "User", "GPT"), "text": format!("Number {n}.")});
        format!("{},\"children\":[", message.to_string().trim_end_matches('}'))
    };
    let (open, close) = (joined(count, message), "]}".repeat(count));
    format!("{{\"conversationId\":\"c\",\"title\":\"T\",\"messagesTree\":[{open}{close}]}}")
}

fn claude_code(count: usize, before: fn(usize) -> usize, tools: bool) -> String {
    rows(count, |n| {
        let call = match n % 2 {
            0 => {
                json!([{"type": "tool_result", "tool_use_id": id(n.saturating_sub(1)), "content": "done"}])
            }
            _ => {
                json!([{"type": "tool_use", "id": id(n), "name": "Bash", "input": {"command": "ls"}}])
            }
        };
        let role = either(n, "user", "assistant");
        let content = if tools && n > 0 { call } else { json!(format!("Number {n}.")) };
        json!({"uuid": id(n), "parentUuid": (n > 0).then(|| id(before(n))), "sessionId": "s", "type": role,
            "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "version": "2.0.0",
            "message": {"id": format!("m{n}"), "role": role, "content": content}})
    })
}

fn codex(count: usize, item: fn(usize) -> Value) -> String {
    let meta = json!({"timestamp": "2026-03-04T09:15:00.000Z", "type": "session_meta", "payload": {
        "id": "s", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "originator": "codex_cli_rs",
        "cli_version": "0.50.0", "instructions": null}});
    let row = |n| json!({"timestamp": "2026-03-04T09:15:01.000Z", "type": "response_item", "payload": item(n)});
    format!("{meta}\n{}", rows(count, row))
}

fn codex_message(n: usize) -> Value {
    let (role, kind) = [("user", "input_text"), ("assistant", "output_text")][n % 2];
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": format!("Number {n}.")}]})
}

fn codex_called(n: usize) -> Value {
    match n % 3 {
        0 => codex_message(n / 3),
        1 => {
            json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"ls\"]}", "call_id": id(n)})
        }
        _ => {
            json!({"type": "function_call_output", "call_id": id(n - 1), "output": "{\"output\":\"done\"}"})
        }
    }
}

/// A Gemini CLI log whose records are generated by `row`.
fn gemini_cli(count: usize, row: fn(usize) -> Value) -> String {
    let meta = json!({"sessionId": "s", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z", "kind": "main"});
    format!("{meta}\n{}", rows(count, row))
}

fn gemini_cli_message(n: usize) -> Value {
    let call = json!([{"id": id(n), "name": "run_shell_command", "args": {"command": "ls"}, "status": "success",
        "result": [{"functionResponse": {"id": id(n), "response": {"output": "done\nExit Code: 0"}}}]}]);
    json!({"id": id(n), "timestamp": "2026-03-04T09:15:01.000Z", "type": either(n, "user", "gemini"),
        "content": format!("Number {n}."), "toolCalls": if n % 2 == 1 { call } else { json!([]) }})
}

/// Every third record undoes the one before it.
fn gemini_cli_rewound(n: usize) -> Value {
    match n % 3 {
        2 => json!({"$rewindTo": id(n - 1)}),
        _ => gemini_cli_message(n),
    }
}

/// Records of a Takeout; `conversation` gives the conversation of each.
fn takeout(count: usize, conversation: fn(usize) -> usize) -> String {
    let record = |n: usize| {
        let minute = count - n;
        let time = format!(
            "2026-03-{:02}T{:02}:{:02}:00.000Z",
            1 + minute / 1440 % 28,
            minute / 60 % 24,
            minute % 60
        );
        json!({"header": "Gemini Apps", "title": format!("Prompted Number {n}?"), "time": time, "products": ["Gemini Apps"],
            "details": [{"url": format!("https://gemini.google.com/app/{:016}", conversation(n))}],
            "safeHtmlItem": [{"html": "<p>Yes, <b>that</b>.</p><ul><li>one</li></ul>"}]})
    };
    list(count, record).to_string()
}

fn vscode_request(n: usize) -> Value {
    json!({"requestId": id(n), "timestamp": 1_772_614_500_000_u64 + n as u64, "message": {"text": format!("Number {n}?")},
        "response": [{"value": "Yes "}, {"kind": "inlineReference", "inlineReference": {"path": "/mill/a.rs"}},
            {"kind": "toolInvocationSerialized", "toolId": "t", "toolCallId": id(n), "isComplete": true}]})
}

fn vscode_log(count: usize) -> String {
    let whole = json!({"kind": 0, "v": {"version": 3, "sessionId": "s", "creationDate": 1, "requests": []}});
    let row = |n: usize| match n % 2 {
        0 => json!({"kind": 2, "k": ["requests"], "v": [vscode_request(n)]}),
        _ => {
            json!({"kind": 2, "k": ["requests", n / 2, "response"], "v": [{"value": "And on."}]})
        }
    };
    format!("{whole}\n{}", rows(count, row))
}

fn copilot_event(n: usize) -> Value {
    let data = match n % 3 {
        0 => json!({"content": format!("Number {n}?")}),
        1 => {
            json!({"content": "", "toolRequests": [{"toolCallId": id(n), "name": "bash", "arguments": {"command": "ls"}}]})
        }
        _ => {
            json!({"toolCallId": id(n - 1), "success": true, "result": {"content": "done"}})
        }
    };
    let kind = ["user.message", "assistant.message", "tool.execution_complete"][n % 3];
    json!({"type": kind, "timestamp": "2026-03-04T09:15:01.000Z", "data": data})
}

/// Each subagent is started by the one before it.
fn copilot_agents(n: usize) -> Value {
    let mut event = copilot_event(3 * n + 1);
    if n > 0 {
        event["data"]["parentToolCallId"] = id(3 * n - 2).into();
    }
    event["data"]["content"] = format!("Number {n}.").into();
    event
}

fn pi_session(count: usize, parent: fn(usize) -> usize) -> String {
    let head = json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-03-04T09:15:01.000Z", "cwd": "/srv"});
    let row = |n: usize| {
        let message = match n % 3 {
            0 => json!({"role": "user", "content": format!("Number {n}?")}),
            1 => {
                let call = json!({"type": "toolCall", "id": id(n), "name": "bash", "arguments": {"command": "ls"}});
                json!({"role": "assistant", "content": [call]})
            }
            _ => json!({"role": "toolResult", "toolCallId": id(n - 1), "content": "done"}),
        };
        let before = (n > 0).then(|| id(parent(n)));
        json!({"type": "message", "id": id(n), "parentId": before, "timestamp": "2026-03-04T09:15:01.000Z", "message": message})
    };
    format!("{head}\n{}", rows(count, row))
}

fn previous(n: usize) -> usize {
    n - 1
}

/// Every message is a branch of the first one.
fn first(_: usize) -> usize {
    0
}

const CASES: &[Case] = &[
    ("a.convo", "convo", |count| {
        let turns = joined(count, |n| format!("Number {n}.\n\n### @Ada\n"));
        convo(turns.trim_end_matches("### @Ada\n"))
    }),
    ("a.json", "cjson", |count| {
        let message = |n: usize| json!({"id": n.to_string(), "role": "user", "messageType": "text", "content": "Yes."});
        let schema = "https://cjson.dev/schema/0/conversation";
        json!({"id": "a", "schemaUrl": schema, "messages": list(count, message)}).to_string()
    }),
    ("context.jsonl", "chibi", |count| {
        rows(count, |n| {
            let (from, to) = [("ada", "bot"), ("bot", "ada")][n % 2];
            json!({"id": n.to_string(), "timestamp": 1_700_000_000, "from": from, "to": to,
                "content": format!("Number {n}."), "entry_type": "message"})
        })
    }),
    ("2026-03-01T08-00-00Z_tea-guide_7c1d2e3f.json", "vlinder", |count| {
        let message = |n: usize| json!({"user": format!("Number {n}?"), "agent": "Yes.", "at": "2026-03-01T08:00:00Z"});
        json!({"open": null, "session": "s", "agent": "tea-guide", "history": list(count, message)})
            .to_string()
    }),
    ("rollout-a.jsonl", "codex", |count| codex(count, codex_message)),
    ("rollout-b.jsonl", "codex", |count| codex(count, codex_called)),
    ("a.jsonl", "claude-code", |count| claude_code(count, previous, false)),
    ("b.jsonl", "claude-code", |count| claude_code(count, previous, true)),
    ("c.jsonl", "claude-code", |count| claude_code(count, first, false)),
    ("a.json", "claude", |count| claude(count, previous, false)),
    ("b.json", "claude", |count| claude(count, previous, true)),
    ("c.json", "claude", |count| claude(count, first, false)),
    ("d.json", "claude-design", design),
    ("a.json", "chatgpt", |count| chatgpt(count, previous, message)),
    ("b.json", "chatgpt", |count| chatgpt(count, first, message)),
    ("c.json", "chatgpt", |count| chatgpt(count, previous, thoughts)),
    // Many conversations instead of a long one.
    ("d.json", "chatgpt", |count| {
        let one = |n: usize| {
            let text =
                chatgpt(2, previous, message).replace("\"id\":\"c\"", &format!("\"id\":\"c{n}\""));
            text[1..text.len() - 1].to_owned()
        };
        format!("[{}]", (0..count / 2).map(one).collect::<Vec<_>>().join(","))
    }),
    ("a.json", "conv2md", |count| {
        let message = |n: usize| json!({"speaker": either(n, "Ada", "Bob"), "content": format!("Number {n}.")});
        json!({"messages": list(count, message)}).to_string()
    }),
    ("a.vtt", "webvtt", |count| {
        let cue = |n| {
            let name = either(n, "Ada", "Bob");
            format!("00:{:02}.000 --> 00:{:02}.500\n<v {name}>Number {n}.\n\n", n % 60, n % 60)
        };
        format!("WEBVTT\n\n{}", joined(count, cue))
    }),
    // Each cue repeats the text of the one before it.
    ("a.vtt", "webvtt", |count| {
        let cue = |n: usize| {
            let time = |n: usize| format!("{:02}:{:02}.000", n / 60, n % 60);
            let (from, to) = (time(n), time(n + 1));
            format!("{from} --> {to}\nword {n} and\nword {} and\n\n", n + 1)
        };
        format!("WEBVTT\n\n{}", joined(count, cue))
    }),
    ("a.vtt", "webvtt", |count| {
        format!("WEBVTT\n\n00:00.000 --> 00:01.000\n{}", joined(count, |n| format!("<v {n}>a<")))
    }),
    ("a.json", "hacker-news", |count| {
        let comments = list(count, |n| {
            json!({"id": n + 2, "created_at": "2026-03-01T10:00:00.000Z", "author": either(n, "wren", "oriel"),
                "text": format!("Tide <i>{n}</i>"), "parent_id": 1, "story_id": 1, "children": []})
        });
        json!({"id": 1, "created_at": "2026-03-01T10:00:00.000Z", "created_at_i": 1_772_359_200, "author": "wren",
            "title": "T", "story_id": 1, "children": comments})
        .to_string()
    }),
    ("a.json", "reddit", |count| {
        let comments = list(count, |n| {
            json!({"kind": "t1", "data": {"name": format!("t1_{n}"), "author": either(n, "wren", "oriel"),
                "body": format!("Tide *{n}*"), "created_utc": 1_772_359_300 + n, "replies": ""}})
        });
        json!([{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"name": "t3_p", "title": "T",
            "selftext": "s", "author": "wren"}}]}}, {"kind": "Listing", "data": {"children": comments}}])
        .to_string()
    }),
    ("a.json", "discourse", |count| {
        let posts = list(count, |n| {
            json!({"id": n, "username": either(n, "wren", "oriel"), "cooked": format!("<p>Tide <b>{n}</b></p>"),
                "created_at": "2026-03-01T10:00:00.000Z", "post_number": n + 1, "reply_to_post_number": n, "post_type": 1})
        });
        json!({"id": 7, "title": "T", "post_stream": {"posts": posts, "stream": []}}).to_string()
    }),
    ("WhatsApp Chat with A.txt", "whatsapp", |count| {
        joined(count, |n| {
            let (month, day) = (n / 28 % 12 + 1, n % 28 + 1);
            format!(
                "2026-{month:02}-{day:02} 10:{:02} - {}: Tide {n} of *many*\n",
                n % 60,
                either(n, "Wren", "+44 7700 900123")
            )
        })
    }),
    // Unclosed quotation marks, with date lines between them.
    ("a.txt", "line", |count| {
        let body = joined(count, |n| {
            let (day, name) = (n % 28 + 1, either(n, "Wren", "Oriel"));
            format!("2026/03/{day:02}(Wed)\n10:{:02}\t{name}\t\"Tide {n}\nof \"many\n", n % 60)
        });
        format!("[LINE] Chat history with Wren\nSaved on: 2026/03/04 18:00\n\n{body}")
    }),
    ("a.txt", "kakaotalk", |count| {
        let body = joined(count, |n| {
            let (day, name) = (n % 28 + 1, either(n, "Wren", "Oriel"));
            format!(
                "2026년 3월 {day}일 오후 6:{:02}, {name} : Tide {n}, of, many, a : b\n2026년 3월 {day}일 수요일\n",
                n % 60
            )
        });
        format!("Wren 님과 카카오톡 대화\n저장한 날짜 : 2026-03-04 18:00:00\n\n{body}")
    }),
    ("a.txt", "zoom-chat", |count| {
        joined(count, |n| {
            format!("10:00:{:02}\t From Wren to Everyone : Tide {n} : from : to\nof many\n", n % 60)
        })
    }),
    // Every other message replies in a thread, in the editor's text format and in Slack's own.
    ("pond.json", "slack", |count| {
        let message = |n: usize| {
            let ts = |n: usize| format!("{}.000100", 1_760_000_000 + n);
            let text = format!("*Tide* <@U{}> ~{n}~ <https://example.org/{n}|t>", n % 50);
            let inline = json!([{"type": "text", "text": "a\nb ", "style": {"bold": n.is_multiple_of(3)}},
                {"type": "user", "user_id": format!("U{}", n % 50)}]);
            let blocks = json!([{"type": "rich_text", "elements":
                [{"type": "rich_text_section", "elements": inline}]}]);
            let blocks = if n.is_multiple_of(3) { blocks } else { json!([]) };
            json!({"type": "message", "user": format!("U{}", n % 40), "ts": ts(n), "text": text,
                "thread_ts": ts(n - n % 2 * n.min(7)), "blocks": blocks})
        };
        list(count, message).to_string()
    }),
    ("quay.json", "discord", |count| {
        let message = |n: usize| {
            let (author, other) = (n % 40, n % 50);
            let content = format!("**Tide** <@{other}> ||{n}||\n> a < b\n- `x` <t:1760000000>\n");
            let time = format!(
                "2026-03-{:02}T{:02}:{:02}:00+00:00",
                n / 1440 % 28 + 1,
                n / 60 % 24,
                n % 60
            );
            json!({"id": id(n), "type": "Reply", "timestamp": time, "content": content,
                "author": {"id": author.to_string(), "name": format!("n{author}")},
                "embeds": [{"title": "T", "description": content}], "reference": {"messageId": id(n / 2)}})
        };
        json!({"guild": {"id": "1"}, "channel": {"id": "2", "type": "GuildTextChat", "name": "q"},
            "messages": list(count, message)})
        .to_string()
    }),
    ("import.jsonl", "mattermost", |count| {
        let post = |n: usize| {
            let reply =
                json!({"user": "wren", "message": "> so\n\n@tomas :tada: | a |", "create_at": n});
            json!({"type": "post", "post": {"team": "t", "channel": format!("c{}", n % 9), "user": "wren",
                "message": format!("**{n}** @wren `code` <b>\n[a](https://example.org)"),
                "create_at": 1_760_000_000_000_u64 + n as u64, "replies": [reply]}})
        };
        format!("{{\"type\":\"version\",\"version\":1}}\n{}", rows(count / 2, post))
    }),
    ("messages-000001.json", "zulip", |count| {
        let message = |n: usize| {
            let content = format!(
                "@**Wren|{}** #**a>b** :tada:\n```quote\n{n} [x](/user_uploads/1/x)\n```",
                n % 9
            );
            json!({"id": n + 1, "sender": n % 40, "recipient": n % 3, "subject": format!("t{}", n % 50),
                "content": content, "date_sent": 1_760_000_000.5 + n as f64})
        };
        json!({"zerver_message": list(count, message)}).to_string()
    }),
    ("messages.json", "google-chat", |count| {
        let message = |n: usize| {
            let format =
                json!({"start_index": 2, "length": 3, "format_metadata": {"format_type": "BOLD"}});
            json!({"creator": {"name": either(n, "Ada", "Bob"), "user_type": "Human"},
                "created_date": format!("Wednesday, March 4, 2026 at 6:{:02}:00 PM UTC", n % 60),
                "text": format!("Tide {n} of many"), "annotations": [format],
                "topic_id": "t", "message_id": format!("s/t{}/t{n}", n / 5 * 5)})
        };
        json!({"messages": list(count, message)}).to_string()
    }),
    ("messages.json", "teams", |count| {
        let message = |n: usize| {
            json!({"id": n.to_string(), "displayName": either(n, "Ada", "Bob"), "from": either(n, "8:a", "8:b"),
                "originalarrivaltime": "2026-03-04T18:00:05.000Z", "messagetype": "RichText/Html",
                "content": format!("<p>Tide {n} <at id=\"8:b\">Bob</at></p><quote messageid=\"1\">a</quote>")})
        };
        let chat = json!({"id": "19:a@thread.v2", "threadProperties": {"topic": "T"},
            "MessageList": list(count, message)});
        json!({"userId": "8:a", "conversations": [chat]}).to_string()
    }),
    ("result.json", "telegram", |count| {
        let message = |n: usize| {
            json!({"id": n, "type": "message", "date_unixtime": (1_773_425_040 + n * 60).to_string(),
                "from": either(n, "Ada", "Bob"), "from_id": either(n, "user1", "user2"), "reply_to_message_id": n / 2,
                "text_entities": [{"type": "plain", "text": "Number "}, {"type": "bold", "text": n.to_string()}]})
        };
        json!({"name": "T", "type": "private_group", "id": 1, "messages": list(count, message)})
            .to_string()
    }),
    // Many chats instead of a long one.
    ("result.json", "telegram", |count| {
        let chat = |n: usize| {
            let message = json!({"id": 1, "type": "message", "date_unixtime": "1773425040", "from": "Ada",
                "from_id": "user1", "text": "Yes."});
            json!({"name": "T", "type": "private_group", "id": n, "messages": [message]})
        };
        json!({"about": "Telegram", "chats": {"list": list(count, chat)}}).to_string()
    }),
    ("message_1.json", "messenger", |count| {
        let message = |n: usize| {
            json!({"sender_name": either(n, "Ada", "Bob"), "timestamp_ms": 1_773_425_040_000_usize - n * 60_000,
                "content": format!("Number {n}"), "reactions": [{"reaction": "x", "actor": "Ada"}]})
        };
        let who = json!([{"name": "Ada"}, {"name": "Bob"}]);
        json!({"participants": who, "title": "T", "messages": list(count, message)}).to_string()
    }),
    ("boat.mbox", "mail", |count| mails(count, |n| n.saturating_sub(1), "Yes.")),
    ("boat.mbox", "mail", |count| mails(count, |_| 0, "Yes.\n\nAda wrote:\n> Well?")),
    ("boat.eml", "mail", |count| {
        let part = "--b\nContent-Type: multipart/mixed; boundary=c\n\nx\n";
        format!("{MAIL}Content-Type: multipart/mixed; boundary=b\n\n{}", part.repeat(count))
    }),
    ("boat.eml", "mail", |count| format!("{MAIL}\n{}", "> On Monday wrote:\n".repeat(count))),
    ("boat.eml", "mail", |count| {
        format!("{MAIL}\n{}", "From: a\nOn b\nwrote\n-- \n".repeat(count))
    }),
    ("boat.eml", "mail", |count| {
        format!("{MAIL}References: {}\n\nYes.\n", "<1@mill.example> ".repeat(count))
    }),
    ("boat.eml", "mail", |count| {
        let kind = "Content-Type: text/html\n\n";
        format!("{MAIL}{kind}{}", "<blockquote>a at b.example<img>".repeat(count))
    }),
    ("boat.eml", "mail", |count| format!("{MAIL}\nYes.{}No.\n", "\n".repeat(count))),
    ("boat.eml", "mail", |count| format!("{MAIL}\n{}\n", "<http".repeat(count))),
    ("boat.eml", "mail", |count| {
        format!("{MAIL}\n{}", "-----BEGIN PGP MESSAGE-----\n".repeat(count))
    }),
    ("#mill.txt", "irc", |count| {
        joined(count, |n| {
            let (hour, minute) = (n / 60 % 24, n % 60);
            format!(
                "2026-03-01 {hour:02}:{minute:02}:00\t{}\tNumber {n}\n",
                either(n, "ada", "@bob")
            )
        })
    }),
    // People who join and leave.
    ("#mill.txt", "irc", |count| {
        joined(count, |n| {
            format!(
                "[10:00:{:02}] *** {}: nick{n} (a@b.example)\n",
                n % 60,
                either(n, "Joins", "Quits")
            )
        })
    }),
    ("data.json", "signal", |count| {
        rows(count, |n| {
            json!({"date": "2026-03-01T10:00:00", "sender": either(n, "Ada", "Bob"), "body": format!("Number {n}"),
                "quote": "", "sticker": null, "reactions": [["Bob", "x"]], "attachments": []})
        })
    }),
    ("chat.md", "signal", |count| {
        joined(count, |n| {
            format!(
                "[2026-03-01 10:00:00] {}: Number {n}\n> a\n(- Bob: x -)\n\n",
                either(n, "Ada", "Bob")
            )
        })
    }),
    ("a.txt", "signal", |count| {
        let message = joined(count, |n| {
            format!(
                "From: {} (+447700900{:03})\nType: incoming\nSent: Sun, 1 Mar 2026 10:00:{:02} +0000\n\n\
                 > From: You\n> Sent: Sun, 1 Mar 2026 09:00:00 +0000\n>\n> So?\n\nNumber {n}\n\n",
                either(n, "Ada", "Bob"),
                n % 2,
                n % 60
            )
        });
        format!("Conversation: Quay (abc)\n\n{message}")
    }),
    // Every other message is a reply, which occurs twice in the file.
    ("a.txt", "imessage", |count| {
        joined(count, |n| {
            let time = format!("Mar 04, 2026  6:{:02}:{:02} PM", n / 60 % 60, n % 60);
            format!(
                "{time}\nAda\nNumber {n}\nTapbacks:\nLoved by Bob\n    {time}\n    Bob\n    Yes\n\n\n\
                 {time}\nBob\nYes\nThis message responded to an earlier message.\n\n"
            )
        })
    }),
    ("a.html", "imessage", |count| {
        joined(count, |n| {
            let message = |who: &str, more: &str| {
                format!(
                    "<div class=\"message\"><div class=\"sent\"><p><span class=\"timestamp\">Mar 04, 2026  6:20:{:02} PM</span>\
                     <span class=\"sender\">{who}</span></p><span class=\"bubble\">Number {n}</span>{more}</div>\n",
                    n % 60
                )
            };
            let reply = message("Bob", "</div>");
            let open = if n % 9 == 0 { "" } else { "</div>" };
            message(
                "Ada",
                &format!("<div class=\"replies\"><div class=\"reply\">{reply}</div></div>{open}"),
            )
        })
    }),
    ("room.json", "matrix", |count| {
        let message = |n: usize| {
            let relation = json!({"m.in_reply_to": {"event_id": id(n / 2)}});
            json!({"type": "m.room.message", "event_id": id(n), "sender": either(n, "@a:b.example", "@b:b.example"),
                "origin_server_ts": 1_773_425_040_000_usize + n, "content": {"msgtype": "m.text",
                "body": format!("@a:b.example, number {n}"), "m.relates_to": relation}})
        };
        json!({"room_name": "T", "messages": list(count, message)}).to_string()
    }),
    // Half of the events refer to the others.
    ("room.json", "matrix", |count| {
        let message = |n: usize| {
            let relation = json!({"rel_type": "m.annotation", "event_id": id(0), "key": "x"});
            let content = if n.is_multiple_of(2) {
                json!({"msgtype": "m.text", "body": "a"})
            } else {
                json!({"m.relates_to": relation})
            };
            json!({"type": either(n, "m.room.message", "m.reaction"), "event_id": id(n), "sender": format!("@{n}:b.example"),
                "origin_server_ts": 1_773_425_040_000_usize + n, "content": content})
        };
        json!({"room_name": "T", "messages": list(count, message)}).to_string()
    }),
    ("a.srt", "srt", |count| {
        let cue = |n| {
            let name = either(n, "Ada", "Bob");
            format!(
                "{n}\n00:00:{:02},000 --> 00:00:{:02},500\n{name}: Number {n}.\n\n",
                n % 60,
                n % 60
            )
        };
        joined(count, cue)
    }),
    ("a.json", "whisper", |count| {
        let message = |n: usize| {
            let words = json!([{"word": "a", "speaker": "x"}, {"word": "b", "speaker": "y"}]);
            json!({"start": n, "end": n + 1, "text": "a b", "words": words})
        };
        json!({"segments": list(count / 2, message)}).to_string()
    }),
    ("a.json", "podcast-transcript", |count| {
        let message =
            |n: usize| json!({"startTime": n, "speaker": either(n, "Ada", "Bob"), "body": "word"});
        json!({"segments": list(count, message)}).to_string()
    }),
    ("a.html", "podcast-transcript", |count| {
        joined(count, |n| {
            let name = either(n, "", "<cite>Ada:</cite>");
            let end = either(n, "</p>", "");
            format!("{name}<cite>Bob</cite> <time>0:{:02}</time> <p>Number {n}{end}\n", n % 60)
        })
    }),
    ("a.txt", "otter", |count| {
        let message = joined(count, |n| {
            format!("{}  0:{:02}\nNumber {n}\n\n", either(n, "Ada", "Bob"), n % 60)
        });
        format!("{message}Transcribed by https://otter.ai\n")
    }),
    ("a.md", "specstory", |count| {
        let turn =
            |n| format!("_**User**_\n\nNumber {n}?\n\n---\n\n_**Assistant**_\n\nYes.\n\n---\n\n");
        format!(
            "<!-- Generated by SpecStory -->\n\n# T (2026-03-04 09:15:00)\n\n{}",
            joined(count / 2, turn)
        )
    }),
    ("b.md", "chat-export", |count| {
        let call = "**Tool: read**\n\n**Input:**\n```json\n{\"path\": \"a\"}\n```\n\n**Output:**\n```\na\n```\n\n";
        let turn = |n| {
            let answer = format!(
                "## Assistant (Build · m · 1s)\n\n_Thinking:_\n\nI look.\n\n{call}Yes.\n\n---\n\n"
            );
            format!("## User\n\nNumber {n}?\n\n---\n\n{answer}")
        };
        format!("# T\n\n**Session ID:** ses_1\n\n---\n\n{}", joined(count / 2, turn))
    }),
    ("c.md", "chat-export", |count| {
        let entry = |n| {
            format!(
                "# 2026-03-04T10:00:00    conversation: c{n} id: i{n}\n\n## Prompt\n\n{n}?\n\n## Response\n\nYes.\n\n"
            )
        };
        joined(count / 2, entry)
    }),
    // Calls and thoughts in one turn, none of which ends.
    ("d.md", "chat-export", |count| {
        let call =
            joined(count / 2, |n| format!("🔧 Using tool: t{n}\nInput: {{\"a\": [\n<think>\n"));
        format!(
            "# Claude Conversation Log\n\n---\n\n## 👤 User\n\nYes?\n\n---\n\n## 🤖 Claude\n\n{call}"
        )
    }),
    (".aider.chat.history.md", "aider", |count| {
        let turn = |n| format!("#### Is it {n}?  \n\nYes.\n\n> Tokens: 5 sent, 6 received.  \n\n");
        format!("# aider chat started at 2026-03-04 10:00:00\n\n{}", joined(count / 2, turn))
    }),
    ("b.md", "aider", |count| {
        joined(count / 2, |n| {
            format!("# aider chat started at 2026-03-04 10:00:00\n\n#### {n}  \n\nYes.\n\n")
        })
    }),
    ("c.jsonl", "cursor", |count| {
        rows(count, |n| {
            let call = json!({"type": "tool_use", "name": "Shell", "input": {"command": "ls"}});
            let text = json!({"type": "text", "text": format!("<user_query>{n}</user_query>")});
            json!({"role": either(n, "user", "assistant"), "message": {"content": [text, call]}})
        })
    }),
    ("d.jsonl", "cursor", |count| {
        let row = |key: String, value: Value| {
            let row = json!({"key": key, "value": value});
            format!("{}\n", json!({"store": "cursor", "table": "cursorDiskKV", "row": row}))
        };
        let heads = list(count, |n| json!({"bubbleId": id(n)}));
        let about = json!({"composerId": "c", "fullConversationHeadersOnly": heads});
        let message = |n: usize| {
            row(format!("bubbleId:c:{}", id(n)), json!({"type": 1 + n % 2, "text": "x"}))
        };
        row("composerData:c".to_owned(), about) + &joined(count, message)
    }),
    ("e.json", "opencode", |count| {
        let message = |n: usize| {
            json!({"info": {"id": format!("msg_{n:08}"), "role": either(n, "user", "assistant")},
                "parts": [{"type": "text", "text": format!("Number {n}.")}, {"type": "tool", "tool": "bash",
                    "callID": id(n), "state": {"status": "completed", "input": {"command": "ls"}, "output": "a"}}]})
        };
        json!({"info": {"id": "ses_1", "title": "T"}, "messages": list(count, message)}).to_string()
    }),
    ("f.jsonl", "opencode", |count| {
        let row = |table: &str, row: Value| {
            format!("{}\n", json!({"store": "opencode", "table": table, "row": row}))
        };
        let message = |n: usize| {
            row("message", json!({"id": id(n), "data": {"role": either(n, "user", "assistant")}}))
        };
        let part = |n: usize| {
            row("part", json!({"message_id": id(n), "data": {"type": "text", "text": "x"}}))
        };
        row("session", json!({"id": "s"})) + &joined(count, message) + &joined(count, part)
    }),
    ("f.json", "zed", |count| {
        let message = |n: usize| match n % 2 {
            0 => {
                json!({"User": {"id": id(n), "content": [{"Text": format!("Number {n}?")}]}})
            }
            _ => {
                json!({"Agent": {"content": [{"Text": "Yes."}, {"ToolUse": {"id": id(n), "name": "grep"}}],
                "tool_results": {id(n): {"content": {"Text": "a"}}}}})
            }
        };
        json!({"messages": list(count, message), "version": "0.3.0"}).to_string()
    }),
    ("g.jsonl", "llm", |count| {
        let row = |table: &str, row: Value| {
            format!("{}\n", json!({"store": "llm", "table": table, "row": row}))
        };
        let message =
            |n: usize| row("responses", json!({"id": id(n), "prompt": "x", "response": "y"}));
        row("conversations", json!({"id": "c"})) + &joined(count / 2, message)
    }),
    ("h.jsonl", "llm", |count| {
        let row = |table: &str, row: Value| {
            format!("{}\n", json!({"store": "llm", "table": table, "row": row}))
        };
        let message = |n: usize| {
            let before = n.checked_sub(1).map(id);
            row(
                "messages",
                json!({"hash": id(n), "parent_hash": before, "role": either(n, "user", "assistant")}),
            )
        };
        let part =
            |n: usize| row("parts", json!({"message_hash": id(n), "type": "text", "text": "x"}));
        row("threads", json!({"id": "c", "tip_message_hash": id(count - 1)}))
            + &joined(count, message)
            + &joined(count, part)
    }),
    ("g.json", "continue", |count| {
        let message = |n: usize| {
            let call = json!([{"id": id(n), "function": {"name": "ls", "arguments": "{}"}}]);
            let state =
                json!([{"toolCallId": id(n), "status": "done", "output": [{"content": "a"}]}]);
            json!({"message": {"role": either(n, "user", "assistant"), "content": "x", "toolCalls": call},
                "toolCallStates": state})
        };
        json!({"sessionId": "s", "workspaceDirectory": "", "history": list(count, message)})
            .to_string()
    }),
    ("ui_messages.json", "cline", |count| {
        let message = |n: usize| match n % 3 {
            0 => json!({"ts": 1_772_618_400_000_u64, "type": "say",
                "say": if n == 0 { "text" } else { "user_feedback" }, "text": format!("Number {n}?")}),
            1 => json!({"ts": 1, "type": "ask", "ask": "command", "text": "ls"}),
            _ => json!({"ts": 1, "type": "say", "say": "command_output", "text": "done"}),
        };
        list(count, message).to_string()
    }),
    ("api_conversation_history.json", "cline", |count| {
        let message = |n: usize| match n % 2 {
            0 => {
                json!({"role": "user", "content": format!("<task>Is it {n}?</task><environment_details>x</environment_details>")})
            }
            _ => {
                json!({"role": "assistant", "content": "<read_file>\n<path>a</path>\n</read_file>\n".repeat(3)})
            }
        };
        list(count, message).to_string()
    }),
    ("a.md", "markdown", |count| {
        joined(count / 2, |n| format!("**Ada:** Number {n}.\n\n**Bob:** Yes.\n\n"))
    }),
    ("b.txt", "markdown", |count| {
        joined(count / 2, |n| format!("Ada: Number {n}?\n\nBob: Yes.\n\n"))
    }),
    ("c.txt", "markdown", |count| {
        joined(count, |n| {
            format!(
                "[{:02}:{:02}] {}: Is it {n}?\n\n",
                n / 60 % 60,
                n % 60,
                either(n, "Ada", "Bob")
            )
        })
    }),
    ("d.md", "markdown", |count| {
        joined(count / 2, |n| format!("## Ada\n\nIs it {n}?\n\n## Bob\n\nYes.\n\n"))
    }),
    ("e.md", "markdown", |count| {
        let turns = joined(count / 2, |n| format!("Q: Do you see {n}?\n\nA: I do.\n\n"));
        format!("# Interview with Ada\n\n{turns}")
    }),
    // Handwritten text: each name in several forms, and words that may be names.
    ("f.txt", "markdown", |count| {
        joined(count / 5, |n| {
            format!(
                "Ada Lovelace: Is it {n}?\nBob: Yes.\nAL: Why?\nB - I saw it.\nName{n}: I did too?\n"
            )
        })
    }),
    ("g.txt", "markdown", |count| {
        joined(count / 4, |n| {
            format!("ADA: Is it {n}?\n\nBOB\nYes.\n\nADA. Why?\n\nBOB (aside): I know.\n\n")
        })
    }),
    ("a.json", "open-webui", |count| open_webui(count, previous)),
    ("b.json", "open-webui", |count| open_webui(count, first)),
    ("a.json", "deepseek", deepseek),
    ("a.json", "grok", |count| {
        let message = |n: usize| {
            json!({"response": {"_id": id(n), "message": format!("Number {n}."),
            "sender": either(n, "human", "ASSISTANT"), "create_time": "2026-03-04T09:15:00Z"}})
        };
        json!({"conversations": [{"conversation": {"id": "c"}, "responses": list(count, message)}]})
            .to_string()
    }),
    ("a.json", "librechat", librechat),
    ("a.conversation.json", "lm-studio", |count| {
        let message = |n: usize| {
            let text = json!([{"type": "text", "text": format!("Number {n}.")}]);
            let version = match n % 2 {
                0 => json!({"type": "singleStep", "role": "user", "content": text}),
                _ => {
                    json!({"type": "multiStep", "role": "assistant", "steps": [{"type": "contentBlock", "content": text}]})
                }
            };
            json!({"currentlySelected": 1, "versions": [version, version]})
        };
        json!({"name": "T", "createdAt": 1_760_000_000_000_u64, "messages": list(count, message)})
            .to_string()
    }),
    ("a.jsonl", "sillytavern", |count| {
        let head = json!({"user_name": "Ada", "character_name": "Bob", "chat_metadata": {}});
        let message = |n: usize| {
            json!({"name": either(n, "Ada", "Bob"), "is_user": n.is_multiple_of(2),
            "send_date": "March 1, 2026 10:00am", "mes": format!("Number {n}."), "swipes": ["One.", "Two."], "swipe_id": 0})
        };
        format!("{head}\n{}", rows(count, message))
    }),
    ("a.json", "le-chat", |count| {
        list(count, |n| json!({"id": id(n), "chatId": "c", "role": either(n, "user", "assistant"),
            "content": format!("Number {n}."), "contentChunks": null, "createdAt": "2026-03-04T09:15:00Z"})).to_string()
    }),
    ("a.vcon", "vcon", |count| {
        let message = |n: usize| json!({"type": "text", "start": "2026-03-04T09:15:00Z", "parties": [n % 2], "body": format!("Number {n}.")});
        let transcribed = |n: usize| json!({"speaker": format!("N{n}"), "message": "Yes."});
        let transcript =
            json!({"type": "transcript", "dialog": 0, "body": list(count, transcribed)});
        json!({"uuid": "u", "parties": [{}, {}], "dialog": list(count, message), "analysis": [transcript]}).to_string()
    }),
    ("a.jsonl", "oasst", |count| {
        rows(count, |n| {
            json!({"message_tree_id": "t", "message_id": n.to_string(), "role": either(n, "prompter", "assistant"),
                "parent_id": n.checked_sub(1).map(|n| n.to_string()), "text": "x"})
        })
    }),
    ("a.json", "sharegpt", |count| {
        let message =
            |n: usize| json!({"from": either(n, "human", "gpt"), "value": format!("Number {n}.")});
        json!([{"id": "a", "conversations": list(count, message)}]).to_string()
    }),
    ("a.json", "alpaca", |count| {
        list(
            count,
            |n| json!({"instruction": format!("Number {n}?"), "input": "", "output": "Yes."}),
        )
        .to_string()
    }),
    ("a.jsonl", "openai-messages", |count| {
        let message = |n: usize| json!({"role": either(n, "user", "assistant"), "content": format!("Number {n}.")});
        format!("{}\n", json!({"messages": list(count, message)}))
    }),
    ("b.jsonl", "openai-messages", |count| {
        rows(count, |n| {
            json!({"messages": [{"role": "user", "content": format!("Number {n}?")},
            {"role": "assistant", "content": "Yes."}]})
        })
    }),
    ("a.jsonl", "gemini-cli", |count| gemini_cli(count, gemini_cli_message)),
    ("b.jsonl", "gemini-cli", |count| gemini_cli(count, gemini_cli_rewound)),
    ("c.json", "gemini-cli", |count| {
        json!({"sessionId": "s", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z",
            "messages": list(count, gemini_cli_message)})
        .to_string()
    }),
    ("d.json", "gemini-cli", |count| {
        let message = |n: usize| json!({"role": either(n, "user", "model"), "parts": [{"text": format!("Number {n}.")}]});
        list(count, message).to_string()
    }),
    ("e.md", "gemini-cli", |count| {
        let message =
            |n: usize| format!("## {}\n\nNumber {n}.\n\n---\n\n", either(n, "USER 🧑‍💻", "MODEL ✨"));
        joined(count, message)
    }),
    ("a.json", "gemini-takeout", |count| takeout(count, |_| 0)),
    ("b.json", "gemini-takeout", |count| takeout(count, |n| n)),
    ("a.json", "vscode-copilot", |count| {
        json!({"version": 3, "sessionId": "s", "creationDate": 1, "requests": list(count / 2, vscode_request)})
            .to_string()
    }),
    ("b.jsonl", "vscode-copilot", vscode_log),
    ("a.json", "ai-studio", |count| {
        let chunk = |n: usize| json!({"role": either(n, "user", "model"), "text": format!("Number {n}."), "tokenCount": 3});
        json!({"runSettings": {"model": "models/m"}, "chunkedPrompt": {"chunks": list(count, chunk)}}).to_string()
    }),
    ("a.jsonl", "copilot-cli", |count| rows(count, copilot_event)),
    ("b.jsonl", "copilot-cli", |count| rows(count, copilot_agents)),
    ("a.txt", "claude-code", |count| {
        let turn = |n: usize| format!("> Number {n}?\n\n● Read({n}.py)\n  ⎿  Read {n} lines\n\n");
        joined(count, turn)
    }),
    ("a.jsonl", "codex", |count| {
        let row = |n: usize| json!({"type": "item.completed", "item": {"id": id(n), "type": "agent_message", "text": "Yes."}});
        format!("{}\n{}", json!({"type": "thread.started", "thread_id": "t"}), rows(count, row))
    }),
    ("a.jsonl", "gemini-cli", |count| {
        let row = |n: usize| json!({"type": "message", "role": either(n, "user", "assistant"), "content": "Yes."});
        format!(
            "{}\n{}",
            json!({"type": "init", "session_id": "s", "model": "m"}),
            rows(count, row)
        )
    }),
    ("a.json", "openhands", |count| {
        let event = |n: usize| match n % 3 {
            0 => {
                json!({"id": n, "timestamp": "2026-03-02T10:00:00", "source": "user", "message": "", "action": "message", "args": {"content": format!("Number {n}.")}})
            }
            1 => {
                json!({"id": n, "timestamp": "2026-03-02T10:00:00", "source": "agent", "message": "", "action": "run", "args": {"command": "ls", "thought": "So."}})
            }
            _ => {
                json!({"id": n, "timestamp": "2026-03-02T10:00:00", "source": "agent", "message": "", "cause": n - 1, "observation": "run", "content": "a", "extras": {}})
            }
        };
        json!({"trajectory": list(count, event)}).to_string()
    }),
    ("b.json", "openhands", |count| {
        let event = |n: usize| json!({"id": format!("{n:08}-1111-4222-8333-444444444444"), "timestamp": "2026-03-02T10:00:00", "source": "user", "llm_message": {"role": either(n, "user", "assistant"), "content": [{"type": "text", "text": format!("Number {n}.")}]}, "kind": "MessageEvent"});
        json!(list(count, event)).to_string()
    }),
    ("a.traj", "swe-agent", |count| {
        let message = |n: usize| match n % 2 {
            0 => {
                json!({"role": "user", "content": format!("Number {n}."), "message_type": "observation"})
            }
            _ => {
                json!({"role": "assistant", "content": "So.\n```\nls\n```", "thought": "So.", "action": "ls"})
            }
        };
        json!({"trajectory": [{"action": "ls", "response": ""}], "history": list(count, message)})
            .to_string()
    }),
    ("a.json", "nextchat", |count| {
        let message = |n: usize| json!({"id": n, "date": "4/29/2025, 3:03:10 PM", "role": either(n, "user", "assistant"), "content": format!("Number {n}.\n```json:mcp:a\n{{}}\n```")});
        json!({"chat-next-web-store": {"sessions": [{"id": "s", "topic": "T", "memoryPrompt": "", "messages": list(count, message)}]}}).to_string()
    }),
    ("messages.html", "telegram", |count| {
        let message = |n: usize| {
            format!(
                "<div class=\"message default clearfix\" id=\"message{n}\"><div class=\"body\"><div class=\"pull_right date details\" title=\"04.03.2025 10:00:00\"></div><div class=\"from_name\">Ada {}</div><div class=\"text\">Number <b>{n}</b>.</div></div></div>\n",
                n % 7
            )
        };
        let messages: String = (0..count).map(message).collect();
        format!(
            "<title>Exported Data</title><div class=\"page_body chat_page\"><div class=\"history\">{messages}</div></div>"
        )
    }),
    ("a.html", "discord", |count| {
        let message = |n: usize| {
            format!(
                "<div class=chatlog__message-group><div class=chatlog__message-container data-message-id={}><div class=chatlog__header><span class=chatlog__author data-user-id={} title=ada>Ada</span></div><div class=chatlog__content><span class=chatlog__markdown-preserve>Number <b>{n}</b>.</span></div></div></div>\n",
                820_249_834_291_200_001_u64 + n as u64,
                n % 7
            )
        };
        let messages: String = (0..count).map(message).collect();
        format!(
            "<style>.preamble__entry</style><div class=preamble__entry>M</div><div class=chatlog>{messages}</div>"
        )
    }),
    ("a.jsonl", "pi", |count| pi_session(count, previous)),
    ("b.jsonl", "pi", |count| pi_session(count, first)),
];

/// Reads a text, and returns the format, the number of turns and the time it took.
fn read((name, _, text): &Case, count: usize) -> (Option<&'static str>, usize, Duration) {
    let bytes = text(count).into_bytes();
    let (path, name) = ((*name).to_owned(), (*name).to_owned());
    let input = Input { path, name, bytes, first_line: 1, is_continued: false };
    let (mut format, mut found) = (None, Vec::new());
    let took = timed(|| {
        (format, found, _) = formats::parse(None, vec![input], &formats::OpenServers::default());
    });
    let turns = found.iter().map(|read| read.all_turns().count()).sum();
    (format.map(|format| format.name), turns, took)
}

/// `RECORDS=100000` sets the number of records.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn every_parser_takes_linear_time() {
    let asked = std::env::var("RECORDS").ok().and_then(|count| count.parse().ok());
    let most: usize = asked.unwrap_or(6_000);
    let mut failed = Vec::new();
    for case in CASES {
        let (name, format, _) = case;
        let mut found = Vec::new();
        let linear = check_linear(most, |count| {
            let (format, turns, took) = read(case, count);
            found.push((format, turns));
            took
        });
        if found[1].0 != Some(*format) || found[0].1 == 0 || found[1].1 < found[0].1 {
            failed.push(format!("{name} ({format}): {found:?}"));
        }
        if let Err(times) = linear {
            failed.push(format!("{name} ({format}): {times}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A name may be long, and occur at many places of a text.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn the_end_of_a_long_name_is_found_in_constant_time() {
    let took = |count: usize| {
        let text = "www.a".repeat(count) + "b";
        let text = RenderedText::folded(&text);
        timed(|| (0..count).for_each(|_| assert!(!text.is_whole(0..5 * count))))
    };
    assert_eq!(check_linear(12_000, took), Ok(()));
}

/// The names of a mailbox are searched for in all of its mails.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn long_names_in_a_mailbox_take_linear_time() {
    let path = crate::support::project().join("tests/formats/mail/threads/input.mbox");
    let mails = std::fs::read_to_string(path).expect("a mailbox");
    let took = |bytes: usize| {
        // An odd number of quotation marks leaves one open.
        let long = "{{{{\"".repeat((bytes / 5) | 1);
        let address = "<bela@mill.example>";
        let mails = mails.replace(address, &format!("{address}{long}"));
        let files = [("input.mbox".to_owned(), mails.into_bytes())].into();
        timed(|| _ = crate::formats::read(&files, "mail"))
    };
    assert_eq!(check_linear(800_000, took), Ok(()));
}

#[test]
fn every_parser_is_tested() {
    let tried: BTreeSet<&str> = CASES.iter().map(|(_, format, _)| *format).collect();
    let all = formats::ALL.iter().filter(|format| format.read.is_some());
    assert_eq!(tried, all.map(|format| format.name).collect());
}

/// The turns of the first conversation of a text: texts with speakers, and ids.
fn turns(text: &str) -> (Vec<String>, Vec<&'static str>) {
    let (read, notes) = formats::read("conversations.json", text.as_bytes());
    let turns = read.iter().flat_map(|read| read.all_turns());
    let turns = turns.map(|turn| format!("{} {} {:?}", turn.speaker, turn.id, turn.blocks));
    (turns.collect(), notes.iter().map(|note| note.code).collect())
}

/// A text in which every message has very many values, more than are allowed in memory at once.
fn padded(text: &str, before: &str) -> String {
    let padding = format!("\"x_y\":[{}0],{before}", "0,".repeat(30_000));
    text.replace(before, &padding)
}

/// A ChatGPT or Claude conversation with too many values for memory is read message by message,
/// with the same result.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn a_conversation_with_very_many_values_is_read_in_parts() {
    // Every third message is regenerated, which creates a fork.
    let before = |n: usize| n - if n.is_multiple_of(3) { 2.min(n) } else { 1 };
    let talk = chatgpt(40, before, message);
    let claude_talk = claude(40, before, true);
    let design = design(40);
    for (text, key) in
        [(&talk, "\"model_slug\""), (&claude_talk, "\"sender\""), (&design, "\"timestamp\"")]
    {
        let long = padded(text, key);
        let (short, codes) = turns(text);
        assert!(short.len() > 20 && codes.is_empty(), "{key} {} {codes:?}", short.len());
        assert_eq!(turns(&long), (short, vec![]), "{key}");
    }
    let other = chatgpt(2, previous, message).replace("\"id\":\"c\"", "\"id\":\"d\"");
    let claude_other = claude(2, previous, false).replace("\"uuid\":\"c\"", "\"uuid\":\"d\"");
    let long = padded(&talk, "\"model_slug\"");
    let claude_long = padded(&claude_talk, "\"sender\"");
    for (long, other, good, bad) in [
        (&long, &other, "\"weight\":1.0", "\"weight\":1.x"),
        (&long, &other, "},\"00000007", "}\"00000007"),
        (&claude_long, &claude_other, "\"text\":\"Number 7", "\"text\":x\"Number 7"),
        (&claude_long, &claude_other, "Z\"},{\"uuid\":\"00000008", "Z\"}{\"uuid\":\"00000008"),
        (&claude_long, &claude_other, "Z\"},{\"uuid\":\"00000008", "Z\"}:{\"uuid\":\"00000008"),
    ] {
        let broken = long.replacen(good, bad, 1);
        assert!(broken != *long, "{good}");
        let both = format!("{},{}", &broken[..broken.len() - 1], &other[1..]);
        let (turns, codes) = turns(&both);
        assert_eq!((turns.len(), codes), (2, vec!["bad-json"]), "{bad}");
    }
    let many = "\"a\":{},".repeat(400_000);
    let text = long.replacen("},\"00000001", &format!("}},{many}\"00000001"), 1);
    let (found, codes) = turns(&text);
    assert_eq!((found.len(), codes), (0, vec!["too-large"]));
    let many = format!("Z\"}},{}{{\"uuid\":\"00000008", "{},".repeat(400_000));
    let text = claude_long.replacen("Z\"},{\"uuid\":\"00000008", &many, 1);
    let (found, codes) = turns(&text);
    assert_eq!((found.len(), codes), (0, vec!["too-large"]));
}
