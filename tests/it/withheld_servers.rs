//! Tools of servers whose calls and results do not match, or that are named in unusual places: their
//! input and output are not published until site.toml opens the server.

use crate::support::{BASE, SiteTest, files_below, unpacked};

/// A file of a format. `SHOWN` and `ALSO` stand for words that are public, `HIDDEN` for one that is
/// published if the servers in [`OPEN`] are open, and `NEVER` for one that never is. `NUMBER` is
/// different in each file.
struct Case {
    /// In letters only, so that search treats the words as one.
    name: &'static str,
    file: &'static str,
    text: &'static str,
}

const fn case(name: &'static str, file: &'static str, text: &'static str) -> Case {
    Case { name, file, text }
}

const OPEN: &str = "open_servers = ['zendesk', 'acme']\n";

const CASES: &[Case] = &[
    case(
        "clineunreadable",
        "ui_messages.json",
        r#"[{"ts":1767265200000,"type":"say","say":"task","text":"SHOWN"},{"ts":1767265202000,"type":"ask","ask":"command","text":"ls"},
        {"ts":1767265203000,"type":"ask","ask":"use_mcp_server","text":"{\"serverName\":\"zendesk\",\"arguments\":\"{NEVER not json"},
        {"ts":1767265205000,"type":"say","say":"mcp_server_response","text":"NEVER"},
        {"ts":1767265206000,"type":"say","say":"mcp_notification","text":"[zendesk] info: HIDDEN"},
        {"ts":1767265207000,"type":"say","say":"completion_result","text":"Done."}]"#,
    ),
    case(
        "clineresponse",
        "ui_messages.json",
        r#"[{"ts":1767265200000,"type":"say","say":"task","text":"SHOWN"},{"ts":1767265202000,"type":"ask","ask":"command","text":"ls"},
        {"ts":1767265203000,"type":"say","say":"mcp_server_response","text":"NEVER"},
        {"ts":1767265205000,"type":"say","say":"command_output","text":"ALSO"},
        {"ts":1767265207000,"type":"say","say":"completion_result","text":"Done."}]"#,
    ),
    case(
        "clinerequests",
        "history.json",
        r#"[{"role": "user", "content": [{"type": "text", "text": "<task>\nSHOWN\n</task>\n<environment_details>x</environment_details>"}], "ts": 1772618400000},
        {"role": "assistant", "content": [{"type": "text", "text": "<read_file>\n<path>a.txt</path>\n</read_file>"}]},
        {"role": "user", "content": [{"type": "text", "text": "[use_mcp_tool for 'zendesk'] Result:"}, {"type": "text", "text": "NEVER"}]},
        {"role": "user", "content": "[use_mcp_tool for 'zendesk'] Result:\nNEVER"}]"#,
    ),
    case(
        "librechat",
        "NUMBER.json",
        r#"{"conversationId": "NUMBER", "endpoint": "agents", "title": "T", "branches": true, "recursive": true, "options": {"model": "wren"}, "messagesTree": [
        {"messageId": "1", "conversationId": "NUMBER", "createdAt": "2026-01-07T10:00:01.000Z", "isCreatedByUser": true, "parentMessageId": "00000000-0000-0000-0000-000000000000", "sender": "User", "text": "SHOWN", "children": [
        {"messageId": "2", "conversationId": "NUMBER", "createdAt": "2026-01-07T10:00:02.000Z", "isCreatedByUser": false, "parentMessageId": "1", "sender": "Wren", "text": "", "children": [],
         "content": [{"type": "tool_call", "tool_call": {"id": "c1", "name": "weigh", "args": "{}", "output": "x"}}, {"type": "tool_call", "tool_call": {"id": "c2", "name": "shot_mcp_zendesk", "args": "{}", "output": "x"}}, {"type": "text", "text": "Yes."}],
         "attachments": [{"filename": "HIDDEN.png", "filepath": "https://cdn.example.org/x.png", "type": "image/png", "toolCallId": "c2"},
         {"filename": "ALSO.png", "filepath": "https://cdn.example.org/y.png", "type": "image/png", "toolCallId": "c1"},
         {"filename": "NEVER.png", "filepath": "https://cdn.example.org/z.png", "type": "image/png", "toolCallId": "lost"},
         {"type": "file_search", "toolCallId": "c2", "file_search": {"sources": [{"fileName": "NEVER.pdf"}]}},
         {"type": "web_search", "toolCallId": "c2", "web_search": {"organic": [{"title": "NEVER", "link": "https://x.example.org/"}]}}]}]}]}"#,
    ),
    case(
        "openwebui",
        "chat.json",
        r#"[{"id": "NUMBER", "user_id": "u", "title": "T", "chat": {"title": "T", "models": ["m"], "history": {"currentId": "b", "messages": {
        "a": {"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "SHOWN", "timestamp": 1700000000},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "content": "", "model": "m", "timestamp": 1700000010, "output": [
        {"type": "function_call", "call_id": "c1", "name": "zendesk_shot", "arguments": "{}"}, {"type": "function_call_output", "call_id": "c1", "output": "x"},
        {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]}],
        "files": [{"type": "image", "url": "https://cdn.example.org/HIDDEN.png", "name": "HIDDEN.png"}],
        "sources": [{"source": {"name": "zendesk_shot"}, "tool_result": true, "document": ["x"], "metadata": [{"name": "NEVER"}]},
        {"source": {"name": "zendesk_shot"}, "document": ["x"], "metadata": [{"name": "NEVER"}]},
        {"tool_result": true, "document": ["x"], "metadata": [{"name": "NEVER"}]},
        {"source": {"name": "ALSO.pdf"}, "document": ["x"], "metadata": []}]}}}}, "created_at": 1700000000, "updated_at": 1700000001}]"#,
    ),
    case(
        "lechat",
        "chat-NUMBER.json",
        r#"[{"id": "uNUMBER", "version": 0, "chatId": "NUMBER", "content": "SHOWN", "contentChunks": null, "role": "user", "createdAt": "2026-01-07T10:00:01.000Z"},
        {"id": "vNUMBER", "version": 0, "chatId": "NUMBER", "content": "Yes.", "role": "assistant", "createdAt": "2026-01-07T10:00:02.000Z", "contentChunks": [
        {"type": "tool_call", "name": "zendesk_shot", "publicArguments": "{}", "publicResult": "x", "isDone": true, "success": true},
        {"type": "image_url", "imageUrl": {"url": "https://cdn.example.org/HIDDEN.png"}}, {"type": "text", "text": "ALSO"}]}]"#,
    ),
    case(
        "opencode",
        "session.json",
        r#"{"info": {"id": "ses_NUMBER", "title": "T"}, "messages": [
        {"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "SHOWN"}, {"type": "file", "filename": "ALSO.png", "url": "data:image/png;base64,iVBORw0KGgo="}]},
        {"info": {"id": "msg_2", "role": "assistant"}, "parts": [{"type": "tool", "tool": "zendesk_shot", "callID": "c1", "state": {"status": "completed", "input": {}, "output": "x", "title": "x"}},
        {"type": "file", "filename": "HIDDEN.png", "url": "data:image/png;base64,iVBORw0KGgo="}, {"type": "text", "text": "Yes."}]}]}"#,
    ),
    case(
        "cursor",
        "NUMBER.jsonl",
        r#"{"store":"cursor","table":"cursorDiskKV","row":{"key":"composerData:NUMBER","value":{"_v":10,"composerId":"NUMBER","name":"T","createdAt":1772618400000,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2},{"bubbleId":"b3","type":2}],"conversationMap":{},"status":"completed"}}}
{"store":"cursor","table":"cursorDiskKV","row":{"key":"bubbleId:NUMBER:b1","value":{"_v":3,"type":1,"bubbleId":"b1","text":"SHOWN","createdAt":"2026-03-04T10:00:00.000Z"}}}
{"store":"cursor","table":"cursorDiskKV","row":{"key":"bubbleId:NUMBER:b2","value":{"_v":3,"type":2,"bubbleId":"b2","text":"","toolFormerData":{"tool":19,"toolCallId":"call_1","name":"list_issues","params":"{\"tools\":[{\"name\":\"list_issues\",\"parameters\":\"{\\\"q\\\":\\\"HIDDEN\\\"}\",\"serverName\":\"acme\"}]}","result":"{\"result\":\"HIDDEN\"}","status":"completed"}}}}
{"store":"cursor","table":"cursorDiskKV","row":{"key":"bubbleId:NUMBER:b3","value":{"_v":3,"type":2,"bubbleId":"b3","text":"ALSO","toolFormerData":{"tool":19,"toolCallId":"call_2","name":"fetch","rawArgs":"{\"q\":\"NEVER\"}","result":"{\"result\":\"NEVER\"}","status":"completed"}}}}
"#,
    ),
    case(
        "vscode",
        "NUMBER.json",
        r#"{"version": 3, "sessionId": "NUMBER", "creationDate": 1772614500000, "requests": [{"requestId": "r1", "timestamp": 1772614500000, "message": {"text": "SHOWN"}, "response": [
        {"kind": "toolInvocationSerialized", "toolId": "acme_lookup", "toolCallId": "c5", "source": {"type": "mcp", "label": "acme"}, "isConfirmed": true, "isComplete": true, "resultDetails": {"input": "{\"q\":\"HIDDEN\"}", "output": [{"type": "embed", "isText": true, "value": "HIDDEN"}]}},
        {"kind": "toolInvocationSerialized", "toolId": "lookup", "toolCallId": "c6", "source": {"type": "extension", "label": "x"}, "isConfirmed": true, "isComplete": true, "resultDetails": {"input": "{}", "output": [{"type": "embed", "isText": true, "value": "ALSO"}]}},
        {"value": "Yes."}]}]}"#,
    ),
    case(
        "copilotcli",
        "events.jsonl",
        r#"{"type":"session.start","timestamp":"2026-03-02T10:00:00.000Z","data":{"sessionId":"NUMBER","context":{"cwd":"/srv"}}}
{"type":"user.message","timestamp":"2026-03-02T10:00:01.000Z","data":{"content":"SHOWN"}}
{"type":"assistant.message","timestamp":"2026-03-02T10:00:02.000Z","data":{"content":"ALSO","toolRequests":[{"toolCallId":"t1","name":"view","arguments":{"q":"HIDDEN"}}]}}
{"type":"tool.execution_start","timestamp":"2026-03-02T10:00:03.000Z","data":{"toolCallId":"t1","toolName":"view","mcpServerName":"acme","arguments":{"q":"HIDDEN"}}}
{"type":"tool.execution_complete","timestamp":"2026-03-02T10:00:05.000Z","data":{"toolCallId":"t1","success":true,"result":{"content":"HIDDEN"}}}
"#,
    ),
    case(
        "openainamed",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SHOWN"},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "a", "name": "mcp__zendesk__get", "content": "HIDDEN"}, {"role": "assistant", "content": "ALSO"}]}"#,
    ),
    case(
        "openaiearly",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SHOWN"},
        {"role": "tool", "tool_call_id": "a", "name": "mcp__zendesk__get", "content": "HIDDEN"},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}]},
        {"role": "assistant", "content": "ALSO"}]}"#,
    ),
    case(
        "openaiserver",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SHOWN"},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "a", "type": "function", "server_label": "acme", "function": {"name": "fetch", "arguments": "{\"q\": \"HIDDEN\"}"}}]},
        {"role": "tool", "tool_call_id": "a", "content": "HIDDEN"}, {"role": "assistant", "content": "ALSO"}]}"#,
    ),
    case(
        "partsunknown",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SHOWN"},
        {"role": "assistant", "content": [{"type": "tool_use", "name": "read_file", "input": {"path": "a"}}, {"type": "remote_use", "id": "r1", "name": "get", "input": {}}]},
        {"role": "user", "content": [{"type": "mcp_tool_result", "tool_use_id": "r1", "content": "NEVER"}]}, {"role": "assistant", "content": "ALSO"}]}"#,
    ),
    case(
        "partsserver",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SHOWN"},
        {"role": "assistant", "content": [{"type": "mcp_tool_use", "id": "r1", "server_name": "zendesk", "name": "get", "input": {"q": "HIDDEN"}}]},
        {"role": "user", "content": [{"type": "mcp_tool_result", "tool_use_id": "r1", "content": "HIDDEN"}]}, {"role": "assistant", "content": "ALSO"}]}"#,
    ),
    case(
        "aistudio",
        "prompt.json",
        r#"{"id": "NUMBER", "createTime": "2026-02-01T08:00:00Z", "runSettings": {"model": "models/wren"},
        "chunkedPrompt": {"chunks": [{"role": "user", "text": "SHOWN"},
        {"role": "model", "parts": [{"functionCall": {"id": "a", "name": "read_file", "args": {"path": "a"}}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "a", "name": "mcp__zendesk__get", "response": {"output": "HIDDEN"}}}]},
        {"role": "model", "text": "ALSO"}]}}"#,
    ),
    case(
        "geminicli",
        "session-NUMBER.json",
        r#"{"sessionId": "NUMBER", "projectHash": "p", "startTime": "2026-04-01T10:00:00.000Z", "lastUpdated": "2026-04-01T10:00:09.000Z", "messages": [
        {"id": "m1", "timestamp": "2026-04-01T10:00:01.000Z", "type": "user", "content": "SHOWN"},
        {"id": "m2", "timestamp": "2026-04-01T10:00:02.000Z", "type": "gemini", "content": "ALSO", "toolCalls": [{"id": "c1", "name": "read_file", "args": {"path": "a"}, "status": "success", "resultDisplay": "NEVER",
         "result": [{"functionResponse": {"id": "c1", "name": "mcp__zendesk__get", "response": {"output": "NEVER"}}}]}]}]}"#,
    ),
    case(
        "hermes",
        "chat.json",
        r#"[{"id": "NUMBER", "conversations": [{"from": "human", "value": "SHOWN"},
        {"from": "gpt", "value": "I look.\n<tool_call>\n{\"name\": \"mcp__zendesk__get\", \"arguments\": {\"q\": \"HIDDEN\"}}\n</tool_call>"},
        {"from": "tool", "value": "<tool_response>\nHIDDEN\n</tool_response>"}, {"from": "gpt", "value": "ALSO"}]}]"#,
    ),
    case(
        "hermespython",
        "chat.json",
        r#"[{"id": "NUMBER", "conversations": [{"from": "human", "value": "SHOWN"},
        {"from": "gpt", "value": "<think>\nI look.\n</think>\n<tool_call>\n{'arguments': {'q': 'HIDDEN'}, 'name': 'mcp__zendesk__get'}\n</tool_call>\nALSO"},
        {"from": "human", "value": "<tool_response>\nHIDDEN\n</tool_response>"}, {"from": "gpt", "value": "Yes."}]}]"#,
    ),
    case(
        "hermesbroken",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SHOWN"},
        {"role": "assistant", "content": "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"ALSO\"}}\n</tool_call>"}, {"role": "tool", "content": "x"},
        {"role": "assistant", "content": "<tool_call>\n{\"arguments\": {\"q\": \"NEVER\"}"}, {"role": "tool", "content": "NEVER"}]}"#,
    ),
];

/// Builds a site of all cases; returns everything in its output.
fn built(site: &SiteTest, config: &str) -> String {
    site.write("site.toml", format!("{BASE}{config}"));
    let run = site.run(&["build"]);
    // Some are broken, which is reported.
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    assert!(run.stderr.contains("hint[withheld-tools]"), "{}", run.stderr);
    let output = site.output();
    let mut all = unpacked(&output);
    for (path, bytes) in &output {
        all.push_str(path);
        all.push_str(&String::from_utf8_lossy(bytes));
    }
    all.to_lowercase()
}

fn text_below(site: &SiteTest, folder: &str) -> String {
    let files = files_below(&site.path(folder));
    let texts = files.values().map(|bytes| String::from_utf8_lossy(bytes).to_lowercase());
    texts.collect()
}

#[test]
fn input_and_output_of_server_tools_are_withheld() {
    let site = SiteTest::new();
    let words = ["SHOWN", "ALSO", "HIDDEN", "NEVER"];
    let word = |word: &str, case: &Case| format!("z{}{}", word.to_lowercase(), case.name);
    for (number, case) in CASES.iter().enumerate() {
        let fill = |text: &str| {
            let text = text.replace("NUMBER", &format!("{:08x}", 0x1000_0000 + number));
            words.iter().fold(text, |text, name| text.replace(name, &word(name, case)))
        };
        site.write(&format!("content/{}/{}", case.name, fill(case.file)), fill(case.text));
    }
    let mut wrong = Vec::new();
    for config in ["", OPEN] {
        let all = built(&site, config);
        for case in CASES {
            for name in words.iter().filter(|name| case.text.contains(**name)) {
                let expected = match *name {
                    "HIDDEN" => !config.is_empty(),
                    name => name != "NEVER",
                };
                if all.contains(&word(name, case)) != expected {
                    wrong.push(format!("{} {name} {config}", case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Withheld again, it is in neither the cache nor the output of `convert`.
    built(&site, "");
    site.run(&["convert", "content", "--to", "cjson", "-o", "converted"]);
    for folder in [".convo-site", "converted"] {
        let all = text_below(&site, folder);
        for case in CASES {
            for name in ["HIDDEN", "NEVER"] {
                assert!(!all.contains(&word(name, case)), "{folder}: {} {name}", case.name);
            }
        }
    }
}
