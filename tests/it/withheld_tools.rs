//! Input and output of third-party tools and unknown servers are not published: for each format with
//! tools, each server and each form of a name.

use std::collections::BTreeSet;
use std::fs;

use convo_site::formats::ALL;
use regex::Regex;

use crate::support::{BASE, HAS_SEARCH, SiteTest, project, unpacked};

/// A file of a format with one call. `NAME` is the full name of the tool, or `SERVER` and `TOOL`
/// are its parts. `ASKED` is its input, `TOLD` its output and `SAID` public text. `NUMBER` is
/// different in each file.
#[derive(Clone, Copy)]
struct Sample<'a> {
    format: &'static str,
    file: &'static str,
    text: &'a str,
}

const fn sample(format: &'static str, file: &'static str, text: &'static str) -> Sample<'static> {
    Sample { format, file, text }
}

const SAMPLES: &[Sample<'static>] = &[
    sample(
        "ai-studio",
        "prompt.json",
        r#"{"id": "NUMBER", "createTime": "2026-02-01T08:00:00Z", "runSettings": {"model": "models/wren"},
        "chunkedPrompt": {"chunks": [{"role": "user", "text": "SAID"},
        {"role": "model", "parts": [{"functionCall": {"name": "NAME", "args": {"q": "ASKED"}}}]},
        {"role": "user", "parts": [{"functionResponse": {"name": "NAME", "response": {"output": "TOLD"}}}]},
        {"role": "model", "text": "Yes."}]}}"#,
    ),
    // OpenCode, Zed, Claude Conversation Extractor, Cline, Roo Code and GitHub Copilot CLI.
    sample(
        "chat-export",
        "opencode.md",
        "# T\n\n**Session ID:** ses_NUMBER\n\n---\n\n## User\n\nSAID\n\n---\n\n## Assistant (Build · wren · 1s)\n\n**Tool: NAME**\n\n**Input:**\n```json\n{\"q\": \"ASKED\"}\n```\n\n**Output:**\n```\nTOLD\n```\n\nYes.\n\n---\n",
    ),
    sample(
        "chat-export",
        "zed.md",
        "## User\n\nSAID\n\n## Assistant\n\n**Tool Call: NAME `ASKED`**\nStatus: Completed\n\n```\nTOLD\n```\n\nYes.\n",
    ),
    sample(
        "chat-export",
        "extractor.md",
        "# Claude Conversation Log\n\nSession ID: NUMBER\n\n---\n\n## 👤 User\n\nSAID\n\n---\n\n## 🤖 Claude\n\n🔧 Using tool: NAME\nInput: {\n  \"q\": \"ASKED\"\n}\n\n---\n\n### 📤 Tool Result\n\nTOLD\n\n---\n",
    ),
    sample(
        "chat-export",
        "cline.md",
        "**User:**\n\n<task>\nSAID\n</task>\n\n---\n\n**Assistant:**\n\n<use_mcp_tool>\n<server_name>SERVER</server_name>\n<tool_name>TOOL</tool_name>\n<arguments>{\"q\": \"ASKED\"}</arguments>\n</use_mcp_tool>\n\n---\n\n**User:**\n\n[use_mcp_tool for 'SERVER'] Result:\n\nTOLD\n\n---\n",
    ),
    sample(
        "chat-export",
        "roo.md",
        "**User:**\n\n<task>\nSAID\n</task>\n\n---\n\n**Assistant:**\n\n[Tool Use: use_mcp_tool]\nServer_name: SERVER\nTool_name: TOOL\nArguments: ASKED\n\n---\n\n**User:**\n\n[Tool]\nTOLD\n\n---\n",
    ),
    sample(
        "chat-export",
        "share.md",
        "# 🤖 Copilot CLI Session\n\n---\n\n### 👤 User\n\nSAID\n\n---\n\n### 💬 Copilot\n\nI look.\n\n---\n\n### ✅ `NAME`\n\n<details>\n<summary>ASKED</summary>\n\n```\nTOLD\n```\n\n</details>\n\n---\n",
    ),
    sample(
        "chatgpt",
        "conversations.json",
        r#"[{"title": "T", "create_time": 1760000000, "conversation_id": "NUMBER", "id": "NUMBER", "current_node": "d", "mapping": {
        "a": {"id": "a", "parent": null, "children": ["b"], "message": {"id": "aNUMBER", "author": {"role": "user"}, "create_time": 1760000010, "content": {"content_type": "text", "parts": ["SAID"]}}},
        "b": {"id": "b", "parent": "a", "children": ["c"], "message": {"id": "bNUMBER", "author": {"role": "assistant"}, "recipient": "SERVER.TOOL", "create_time": 1760000020, "content": {"content_type": "code", "language": "json", "text": "{\"q\": \"ASKED\"}"}}},
        "c": {"id": "c", "parent": "b", "children": ["d"], "message": {"id": "cNUMBER", "author": {"role": "tool", "name": "SERVER.TOOL"}, "create_time": 1760000030, "content": {"content_type": "text", "parts": ["TOLD"]}}},
        "d": {"id": "d", "parent": "c", "children": [], "message": {"id": "dNUMBER", "author": {"role": "assistant"}, "create_time": 1760000040, "content": {"content_type": "text", "parts": ["Yes."]}}}}}]"#,
    ),
    sample(
        "chibi",
        "context.jsonl",
        r#"{"id": "NUMBER-0000-4000-8000-000000000001", "timestamp": 1772352000, "from": "mira", "to": "kitchen", "content": "SAID", "entry_type": "message"}
{"id": "NUMBER-0000-4000-8000-000000000002", "timestamp": 1772352001, "from": "kitchen", "to": "NAME", "content": "{\"q\":\"ASKED\"}", "entry_type": "tool_call", "tool_call_id": "tc_1"}
{"id": "NUMBER-0000-4000-8000-000000000003", "timestamp": 1772352002, "from": "NAME", "to": "kitchen", "content": "TOLD", "entry_type": "tool_result", "tool_call_id": "tc_1"}
"#,
    ),
    sample(
        "cjson",
        "chat.cjson.json",
        r#"{"id": "NUMBER", "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json",
        "messages": [{"id": "m-1", "role": "user", "messageType": "text", "content": "SAID"},
        {"id": "m-2", "role": "assistant", "messageType": "composite", "contentBlocks": [
        {"blockType": "toolCall", "id": "c1", "toolRef": {"name": "NAME", "about": "ASKED"}, "args": {"q": "ASKED"}, "note": "ASKED"},
        {"blockType": "toolApproval", "id": "p1", "toolCallId": "c1", "toolApprovalState": "approved", "reason": "ASKED"},
        {"blockType": "toolResult", "id": "r1", "toolCallId": "c1", "toolResultState": "failed", "output": "TOLD", "toolResultError": {"code": "TOLD", "message": "TOLD"}}]}]}"#,
    ),
    sample(
        "claude",
        "conversations.json",
        r#"[{"uuid": "NUMBER", "name": "T", "created_at": "2026-03-04T09:00:00Z", "updated_at": "2026-03-04T09:00:00Z", "account": {"uuid": "a"}, "chat_messages": [
        {"uuid": "uNUMBER", "text": "SAID", "content": [{"type": "text", "text": "SAID"}], "sender": "human", "created_at": "2026-03-04T09:00:00Z", "attachments": [], "files": []},
        {"uuid": "vNUMBER", "text": "Yes.", "content": [{"type": "tool_use", "id": "t1", "name": "NAME", "input": {"q": "ASKED", "path": "ASKED.md", "file_text": "ASKED"}},
        {"type": "tool_result", "tool_use_id": "t1", "name": "NAME", "content": [{"type": "text", "text": "TOLD"}]}, {"type": "text", "text": "Yes."}], "sender": "assistant", "created_at": "2026-03-04T09:00:01Z", "attachments": [], "files": []}]}]"#,
    ),
    sample(
        "claude",
        "conversations.json",
        r#"[{"uuid": "NUMBER", "name": "T", "created_at": "2026-03-04T09:00:00Z", "updated_at": "2026-03-04T09:00:00Z", "account": {"uuid": "a"}, "chat_messages": [
        {"uuid": "uNUMBER", "text": "SAID", "content": [{"type": "text", "text": "SAID"}], "sender": "human", "created_at": "2026-03-04T09:00:00Z", "attachments": [], "files": []},
        {"uuid": "vNUMBER", "text": "Yes.", "content": [{"type": "tool_use", "id": "t1", "name": "TOOL", "integration_name": "SERVER", "input": {"q": "ASKED"}},
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "TOLD"}]}, {"type": "text", "text": "Yes."}], "sender": "assistant", "created_at": "2026-03-04T09:00:01Z", "attachments": [], "files": []}]}]"#,
    ),
    sample(
        "claude-code",
        "NUMBER.jsonl",
        r#"{"type":"user","uuid":"aNUMBER","parentUuid":null,"sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"SAID"}}
{"type":"assistant","uuid":"bNUMBER","parentUuid":"aNUMBER","sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"assistant","model":"wren","content":[{"type":"tool_use","id":"t1","name":"NAME","input":{"q":"ASKED","description":"ASKED","command":"ASKED"}}]}}
{"type":"user","uuid":"cNUMBER","parentUuid":"bNUMBER","sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:02.000Z","toolUseResult":"TOLD","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"TOLD"},{"type":"image","source":{"type":"base64","media_type":"image/TOLD","data":"iVBORw0KGgo="}}]}]}}
"#,
    ),
    sample(
        "claude-code",
        "NUMBER.jsonl",
        r#"{"type":"user","uuid":"aNUMBER","parentUuid":null,"sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"SAID"}}
{"type":"assistant","uuid":"bNUMBER","parentUuid":"aNUMBER","sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"assistant","model":"wren","content":[{"type":"mcp_tool_use","id":"t1","server_name":"SERVER","name":"TOOL","input":{"q":"ASKED"}}]}}
{"type":"user","uuid":"cNUMBER","parentUuid":"bNUMBER","sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"TOLD","is_error":true}]}}
"#,
    ),
    sample(
        "claude-code",
        "NUMBER.jsonl",
        r#"{"type":"user","uuid":"aNUMBER","parentUuid":null,"sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"user","content":"SAID"}}
{"type":"assistant","uuid":"bNUMBER","parentUuid":"aNUMBER","sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"assistant","model":"wren","content":[{"type":"tool_use","id":"t1","name":"ReadMcpResourceTool","input":{"server":"SERVER","uri":"SERVER://ASKED","about":"TOOL"}}]}}
{"type":"user","uuid":"cNUMBER","parentUuid":"bNUMBER","sessionId":"NUMBER","cwd":"/srv","version":"2.1.0","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"TOLD"}]}}
"#,
    ),
    sample(
        "claude-design",
        "chat.json",
        r#"{"uuid": "NUMBER", "title": "A door", "project": {"uuid": "dp", "name": "Doors"}, "created_at": "2026-03-04T09:00:00Z", "updated_at": "2026-03-04T09:09:00Z", "messages": [
        {"uuid": "eNUMBER", "role": "user", "content": {"role": "user", "content": "SAID", "timestamp": "2026-03-04T09:01:00.000Z"}},
        {"uuid": "fNUMBER", "role": "assistant", "content": {"role": "assistant", "timestamp": "2026-03-04T09:02:00.000Z", "contentBlocks": [
        {"type": "tool_call", "toolCall": {"id": "t1", "name": "NAME", "input": {"path": "ASKED", "content": "ASKED"}, "output": "TOLD"}}, {"type": "text", "text": "Yes."}]}}]}"#,
    ),
    sample(
        "cline",
        "history.json",
        r#"[{"role": "user", "content": [{"type": "text", "text": "<task>\nSAID\n</task>\n<environment_details>x</environment_details>"}], "ts": 1772618400000},
        {"role": "assistant", "content": [{"type": "text", "text": "<use_mcp_tool>\n<server_name>SERVER</server_name>\n<tool_name>TOOL</tool_name>\n<arguments>\n{\"q\":\"ASKED\"}\n</arguments>\n</use_mcp_tool>"}]},
        {"role": "user", "content": [{"type": "text", "text": "[use_mcp_tool for 'SERVER'] Result:"}, {"type": "text", "text": "TOLD"}]}]"#,
    ),
    sample(
        "cline",
        "history.json",
        r#"[{"role": "user", "content": [{"type": "text", "text": "<task>\nSAID\n</task>\n<environment_details>x</environment_details>"}], "ts": 1772618400000},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "use_mcp_tool", "input": {"server_name": "SERVER", "tool_name": "TOOL", "arguments": "{\"q\":\"ASKED\"}"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "TOLD"}]}]}]"#,
    ),
    sample(
        "cline",
        "history.json",
        r#"[{"role": "user", "content": [{"type": "text", "text": "<task>\nSAID\n</task>\n<environment_details>x</environment_details>"}], "ts": 1772618400000},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "NAME", "input": {"q": "ASKED"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "TOLD"}]}]}]"#,
    ),
    sample(
        "cline",
        "ui_messages.json",
        r#"[{"ts": 1772618400000, "type": "say", "say": "task", "text": "SAID"},
        {"ts": 1772618401000, "type": "ask", "ask": "use_mcp_server", "text": "{\"type\": \"use_mcp_tool\", \"serverName\": \"SERVER\", \"toolName\": \"TOOL\", \"arguments\": \"{\\\"q\\\": \\\"ASKED\\\"}\"}"},
        {"ts": 1772618402000, "type": "say", "say": "mcp_server_response", "text": "TOLD"}]"#,
    ),
    sample(
        "codex",
        "rollout-NUMBER.jsonl",
        r#"{"timestamp":"2026-03-05T09:00:01Z","type":"session_meta","payload":{"id":"NUMBER","timestamp":"2026-03-05T09:00:00Z","cwd":"/srv","cli_version":"0.98.0"}}
{"timestamp":"2026-03-05T09:00:04Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"SAID"}]}}
{"timestamp":"2026-03-05T09:00:06Z","type":"response_item","payload":{"type":"function_call","name":"NAME","arguments":"{\"q\":\"ASKED\"}","call_id":"c1"}}
{"timestamp":"2026-03-05T09:00:08Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"TOLD"}}
"#,
    ),
    sample(
        "codex",
        "rollout-NUMBER.jsonl",
        r#"{"timestamp":"2026-03-05T09:00:01Z","type":"session_meta","payload":{"id":"NUMBER","timestamp":"2026-03-05T09:00:00Z","cwd":"/srv","cli_version":"0.98.0"}}
{"timestamp":"2026-03-05T09:00:04Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"SAID"}]}}
{"timestamp":"2026-03-05T09:00:06Z","type":"response_item","payload":{"type":"function_call","name":"TOOL","arguments":"{\"q\":\"ASKED\"}","call_id":"c1"}}
{"timestamp":"2026-03-05T09:00:07Z","type":"event_msg","payload":{"type":"mcp_tool_call_end","call_id":"c1","invocation":{"server":"SERVER","tool":"TOOL","arguments":{"q":"ASKED"}},"duration":{"secs":2,"nanos":0},"result":{"Ok":{"content":[{"type":"text","text":"TOLD"}],"isError":false}}}}
{"timestamp":"2026-03-05T09:00:08Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"TOLD"}}
"#,
    ),
    sample(
        "codex",
        "rollout-NUMBER.jsonl",
        r#"{"timestamp":"2026-03-05T09:00:01Z","type":"session_meta","payload":{"id":"NUMBER","timestamp":"2026-03-05T09:00:00Z","cwd":"/srv","cli_version":"0.98.0"}}
{"timestamp":"2026-03-05T09:00:04Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"SAID"}]}}
{"timestamp":"2026-03-05T09:00:06Z","type":"response_item","payload":{"type":"custom_tool_call","name":"exec","input":"await tools.mcp__SERVER__TOOL({q: 'ASKED'})","call_id":"c1"}}
{"timestamp":"2026-03-05T09:00:08Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c1","output":"TOLD"}}
"#,
    ),
    sample(
        "continue",
        "NUMBER.json",
        r#"{"sessionId": "NUMBER", "title": "T", "workspaceDirectory": "/srv", "history": [
        {"message": {"role": "user", "content": "SAID"}, "contextItems": []},
        {"message": {"role": "assistant", "content": "I look.", "toolCalls": [{"id": "c1", "type": "function", "function": {"name": "NAME", "arguments": "{\"q\":\"ASKED\"}"}}]}, "contextItems": [],
         "toolCallStates": [{"toolCallId": "c1", "status": "errored", "parsedArgs": {"q": "ASKED"}, "output": [{"content": "TOLD"}]}]},
        {"message": {"role": "tool", "content": "TOLD", "toolCallId": "c1"}, "contextItems": []}]}"#,
    ),
    sample(
        "copilot-cli",
        "events.jsonl",
        r#"{"type":"session.start","timestamp":"2026-03-02T10:00:00.000Z","data":{"sessionId":"NUMBER","context":{"cwd":"/srv"}}}
{"type":"user.message","timestamp":"2026-03-02T10:00:01.000Z","data":{"content":"SAID"}}
{"type":"assistant.message","timestamp":"2026-03-02T10:00:02.000Z","data":{"content":"","toolRequests":[{"toolCallId":"t1","name":"NAME","arguments":{"q":"ASKED"}}]}}
{"type":"tool.execution_complete","timestamp":"2026-03-02T10:00:05.000Z","data":{"toolCallId":"t1","success":false,"result":{"content":"TOLD"},"error":{"message":"TOLD"}}}
"#,
    ),
    sample(
        "copilot-cli",
        "events.jsonl",
        r#"{"type":"session.start","timestamp":"2026-03-02T10:00:00.000Z","data":{"sessionId":"NUMBER","context":{"cwd":"/srv"}}}
{"type":"user.message","timestamp":"2026-03-02T10:00:01.000Z","data":{"content":"SAID"}}
{"type":"assistant.message","timestamp":"2026-03-02T10:00:02.000Z","data":{"content":"","toolRequests":[{"toolCallId":"t1","name":"TOOL","mcpServerName":"SERVER","arguments":{"q":"ASKED"}}]}}
{"type":"tool.execution_complete","timestamp":"2026-03-02T10:00:05.000Z","data":{"toolCallId":"t1","success":true,"result":{"content":"TOLD"}}}
"#,
    ),
    sample(
        "pi",
        "NUMBER.jsonl",
        r#"{"type":"session","version":3,"id":"NUMBER","timestamp":"2026-03-02T10:00:00.000Z","cwd":"/srv"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-02T10:00:01.000Z","message":{"role":"user","content":"SAID"}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-02T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"t1","name":"NAME","arguments":{"q":"ASKED"}}]}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-03-02T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"t1","toolName":"NAME","content":[{"type":"text","text":"TOLD"},{"type":"image","data":"TOLD","mimeType":"image/png"}],"isError":true}}
"#,
    ),
    sample(
        "openhands",
        "NUMBER.json",
        r#"[{"id": 0, "timestamp": "2026-03-02T10:00:00.000000", "source": "user", "message": "SAID", "action": "message", "args": {"content": "SAID"}},
        {"id": 1, "timestamp": "2026-03-02T10:00:01.000000", "source": "agent", "message": "ASKED", "action": "call_tool_mcp", "args": {"name": "NAME", "arguments": {"q": "ASKED"}, "thought": ""}},
        {"id": 2, "timestamp": "2026-03-02T10:00:02.000000", "source": "agent", "message": "TOLD", "cause": 1, "observation": "mcp", "content": "TOLD", "extras": {"name": "NAME", "arguments": {"q": "ASKED"}}}]"#,
    ),
    sample(
        "openhands",
        "NUMBER.json",
        r#"[{"id": "00000001-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:00.000000", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "SAID"}]}, "extended_content": [{"type": "text", "text": "ASKED"}], "kind": "MessageEvent"},
        {"id": "00000002-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:01.000000", "source": "agent", "thought": [], "action": {"data": {"q": "ASKED"}, "kind": "MCPToolAction"}, "tool_name": "NAME", "tool_call_id": "t1", "tool_call": {"id": "t1", "name": "NAME", "arguments": "{\"q\": \"ASKED\"}"}, "summary": "ASKED", "kind": "ActionEvent"},
        {"id": "00000003-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:02.000000", "source": "environment", "tool_name": "NAME", "tool_call_id": "t1", "observation": {"content": [{"type": "text", "text": "TOLD"}], "is_error": false, "kind": "MCPToolObservation"}, "action_id": "00000002-1111-4222-8333-444444444444", "kind": "ObservationEvent"}]"#,
    ),
    // An action that was not carried out does not say what kind it is.
    sample(
        "openhands",
        "NUMBER.json",
        r#"[{"id": "00000001-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:00.000000", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "SAID"}]}, "kind": "MessageEvent"},
        {"id": "00000002-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:01.000000", "source": "agent", "thought": [], "action": null, "tool_name": "NAME", "tool_call_id": "t1", "tool_call": {"id": "t1", "name": "NAME", "arguments": "{\"q\": \"ASKED\"}"}, "kind": "ActionEvent"},
        {"id": "00000003-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:02.000000", "source": "agent", "tool_name": "NAME", "tool_call_id": "t1", "error": "TOLD", "kind": "AgentErrorEvent"}]"#,
    ),
    sample(
        "nextchat",
        "NUMBER.json",
        r#"{"chat-next-web-store": {"sessions": [{"id": "NUMBER", "topic": "T", "memoryPrompt": "ASKED", "lastUpdate": 1745939049000, "messages": [
        {"id": "m1", "date": "4/29/2025, 3:03:10 PM", "role": "user", "content": "SAID"},
        {"id": "m2", "date": "4/29/2025, 3:03:12 PM", "role": "assistant", "content": "I look.\n```json:mcp:SERVER\n{\"method\": \"tools/call\", \"params\": {\"name\": \"TOOL\", \"arguments\": {\"q\": \"ASKED\"}}}\n```"},
        {"id": "m3", "date": "4/29/2025, 3:03:14 PM", "role": "user", "isMcpResponse": true, "content": "```json:mcp-response:SERVER\n{\"ok\": \"TOLD\"}\n```"}]}]}}"#,
    ),
    sample(
        "cursor",
        "NUMBER.jsonl",
        r#"{"role":"user","message":{"content":[{"type":"text","text":"<user_query>\nSAID\n</user_query>"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"NAME","input":{"q":"ASKED"}}]}}
{"role":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","content":"TOLD"}]}}
"#,
    ),
    sample(
        "cursor",
        "NUMBER.jsonl",
        r#"{"store":"cursor","table":"cursorDiskKV","row":{"key":"composerData:NUMBER","value":{"_v":10,"composerId":"NUMBER","name":"T","createdAt":1772618400000,"fullConversationHeadersOnly":[{"bubbleId":"b1","type":1},{"bubbleId":"b2","type":2}],"conversationMap":{},"status":"completed"}}}
{"store":"cursor","table":"cursorDiskKV","row":{"key":"bubbleId:NUMBER:b1","value":{"_v":3,"type":1,"bubbleId":"b1","text":"SAID","createdAt":"2026-03-04T10:00:00.000Z"}}}
{"store":"cursor","table":"cursorDiskKV","row":{"key":"bubbleId:NUMBER:b2","value":{"_v":3,"type":2,"bubbleId":"b2","text":"","toolFormerData":{"tool":19,"toolCallId":"call_1","name":"mcp_SERVER_TOOL","rawArgs":"{\"q\":\"ASKED\"}","params":"{\"tools\":[{\"name\":\"TOOL\",\"parameters\":\"{\\\"q\\\":\\\"ASKED\\\"}\",\"serverName\":\"SERVER\"}]}","result":"{\"result\":\"TOLD\"}","status":"completed"}}}}
"#,
    ),
    sample(
        "gemini-cli",
        "session-NUMBER.json",
        r#"{"sessionId": "NUMBER", "projectHash": "p", "startTime": "2026-04-01T10:00:00.000Z", "lastUpdated": "2026-04-01T10:00:09.000Z", "messages": [
        {"id": "m1", "timestamp": "2026-04-01T10:00:01.000Z", "type": "user", "content": "SAID"},
        {"id": "m2", "timestamp": "2026-04-01T10:00:02.000Z", "type": "gemini", "content": "Yes.", "toolCalls": [{"id": "c1", "name": "NAME", "args": {"q": "ASKED"}, "status": "success", "resultDisplay": "TOLD", "description": "ASKED",
         "result": [{"functionResponse": {"id": "c1", "name": "NAME", "response": {"output": "TOLD"}}}, {"inlineData": {"mimeType": "image/png", "displayName": "TOLD", "data": "iVBORw0KGgo="}}]}]}]}"#,
    ),
    sample(
        "le-chat",
        "chat-NUMBER.json",
        r#"[{"id": "uNUMBER", "version": 0, "chatId": "NUMBER", "content": "SAID", "contentChunks": null, "role": "user", "createdAt": "2026-01-07T10:00:01.000Z"},
        {"id": "vNUMBER", "version": 0, "chatId": "NUMBER", "content": "Yes.", "role": "assistant", "createdAt": "2026-01-07T10:00:02.000Z", "contentChunks": [
        {"type": "tool_call", "name": "NAME", "publicArguments": "{\"query\":\"ASKED\"}", "publicResult": "TOLD", "isDone": true, "success": true}, {"type": "text", "text": "Yes."}]}]"#,
    ),
    sample(
        "librechat",
        "NUMBER.json",
        r#"{"conversationId": "NUMBER", "endpoint": "agents", "title": "T", "branches": true, "recursive": true, "options": {"model": "wren"}, "messagesTree": [
        {"messageId": "1", "conversationId": "NUMBER", "createdAt": "2026-01-07T10:00:01.000Z", "isCreatedByUser": true, "parentMessageId": "00000000-0000-0000-0000-000000000000", "sender": "User", "text": "SAID", "children": [
        {"messageId": "2", "conversationId": "NUMBER", "createdAt": "2026-01-07T10:00:02.000Z", "isCreatedByUser": false, "parentMessageId": "1", "sender": "Wren", "text": "", "children": [],
         "content": [{"type": "tool_call", "tool_call": {"id": "c1", "name": "TOOL_mcp_SERVER", "args": "{\"q\":\"ASKED\"}", "output": "TOLD"}}, {"type": "text", "text": "Yes."}]}]}]}"#,
    ),
    sample(
        "llm",
        "logs.jsonl",
        r#"{"store":"llm","table":"conversations","row":{"id":"NUMBER","name":"T","model":"wren-2"}}
{"store":"llm","table":"responses","row":{"id":"r1","conversation_id":"NUMBER","model":"wren-2","prompt":"SAID","response":"","datetime_utc":"2026-03-04T10:01:00+00:00"}}
{"store":"llm","table":"responses","row":{"id":"r2","conversation_id":"NUMBER","model":"wren-2","prompt":"","response":"Yes.","datetime_utc":"2026-03-04T10:01:02+00:00"}}
{"store":"llm","table":"tool_calls","row":{"response_id":"r1","name":"NAME","arguments":"{\"q\": \"ASKED\"}","tool_call_id":"c1"}}
{"store":"llm","table":"tool_results","row":{"response_id":"r2","name":"NAME","output":"TOLD","tool_call_id":"c1","exception":null}}
"#,
    ),
    sample(
        "lm-studio",
        "17849NUMBER.conversation.json",
        r#"{"name": "NUMBER", "createdAt": 1784921389195, "tokenCount": 1, "messages": [
        {"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "SAID"}]}]},
        {"currentlySelected": 0, "versions": [{"type": "multiStep", "role": "assistant", "steps": [{"type": "contentBlock", "content": [
        {"type": "toolCallRequest", "callId": 1, "pluginIdentifier": "mcp/SERVER", "toolCallRequest": {"id": "7", "type": "function", "name": "TOOL", "arguments": {"q": "ASKED"}}},
        {"type": "toolCallResult", "callId": 1, "content": "TOLD"}]}]}]}]}"#,
    ),
    sample(
        "open-webui",
        "chat.json",
        r#"[{"id": "NUMBER", "user_id": "u", "title": "T", "chat": {"title": "T", "models": ["m"], "history": {"currentId": "b", "messages": {
        "a": {"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "SAID", "timestamp": 1700000000},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "content": "", "model": "m", "timestamp": 1700000010, "output": [
        {"type": "function_call", "call_id": "c1", "name": "NAME", "arguments": "{\"q\":\"ASKED\"}"}, {"type": "function_call_output", "call_id": "c1", "output": "TOLD"},
        {"type": "message", "content": [{"type": "output_text", "text": "Yes."}]}]}}}}, "created_at": 1700000000, "updated_at": 1700000001}]"#,
    ),
    sample(
        "openai-messages",
        "chat.json",
        r#"{"id": "NUMBER", "messages": [{"role": "user", "content": "SAID"},
        {"role": "assistant", "content": "I look.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "NAME", "arguments": "{\"q\": \"ASKED\"}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "TOLD"}, {"role": "assistant", "content": "Yes."}]}"#,
    ),
    sample(
        "opencode",
        "session.json",
        r#"{"info": {"id": "ses_NUMBER", "title": "T"}, "messages": [
        {"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "SAID"}]},
        {"info": {"id": "msg_2", "role": "assistant"}, "parts": [{"type": "tool", "tool": "NAME", "callID": "c1",
        "state": {"status": "completed", "input": {"q": "ASKED"}, "output": "TOLD", "title": "TOLD"}}]}]}"#,
    ),
    sample(
        "sharegpt",
        "chat.json",
        r#"[{"id": "NUMBER", "conversations": [{"from": "human", "value": "SAID"},
        {"from": "function_call", "value": "{\"name\": \"NAME\", \"arguments\": {\"q\": \"ASKED\"}}"},
        {"from": "observation", "value": "TOLD"}, {"from": "gpt", "value": "Yes."}]}]"#,
    ),
    sample(
        "specstory",
        "2026-03-04_10-00-00Z-t.md",
        "<!-- Generated by SpecStory -->\n\n# 2026-03-04 10:00:00Z\n\n<!-- Claude Code Session NUMBER (2026-03-04 10:00:00Z) -->\n\n_**User (2026-03-04 10:00:00Z)**_\n\nSAID\n\n---\n\n_**Agent (wren 2026-03-04 10:00:05Z)**_\n\n<tool-use data-tool-type=\"mcp\" data-tool-name=\"NAME\"><details>\n<summary>Tool use: **NAME** `ASKED`</summary>\n\n`ASKED`\n\n```text\nTOLD\n```\n</details></tool-use>\n\n---\n",
    ),
    sample(
        "vscode-copilot",
        "NUMBER.json",
        r#"{"version": 3, "sessionId": "NUMBER", "creationDate": 1772614500000, "requests": [{"requestId": "r1", "timestamp": 1772614500000, "message": {"text": "SAID"}, "response": [
        {"kind": "toolInvocationSerialized", "toolId": "NAME", "toolCallId": "c5", "isConfirmed": true, "isComplete": true, "pastTenseMessage": "Asked ASKED", "resultDetails": {"input": "{\"q\":\"ASKED\"}", "output": [{"type": "embed", "isText": true, "value": "TOLD"}]}},
        {"value": "Yes."}]}]}"#,
    ),
    sample(
        "zed",
        "thread.json",
        r#"{"version": "0.3.0", "title": "NUMBER", "messages": [{"User": {"id": "u1", "content": [{"Text": "SAID"}]}},
        {"Agent": {"content": [{"ToolUse": {"id": "1", "name": "NAME", "input": {"q": "ASKED"}}}],
        "tool_results": {"1": {"tool_use_id": "1", "tool_name": "NAME", "content": {"Text": "TOLD"}}}}}]}"#,
    ),
];

/// Formats with only built-in tools.
const WITHOUT_SERVERS: [&str; 5] = ["aider", "deepseek", "grok", "swe-agent", "vlinder"];

/// Third parties and unknown servers, each with a tool.
const CLOSED: [(&str, &str); 20] = [
    ("zendesk", "get_ticket"),
    ("stripe", "list_charges"),
    ("intercom", "search"),
    ("github", "get_issue"),
    ("GitLab", "list_issues"),
    ("telegram", "read"),
    ("discord", "read"),
    ("WhatsApp", "send"),
    ("trello", "list_cards"),
    ("airtable", "list_records"),
    ("teams", "read"),
    ("zoom", "list"),
    ("imap", "fetch"),
    ("Google Drive", "fetch"),
    ("memory", "read_graph"),
    ("sqlite", "read_query"),
    ("garden", "water"),
    ("git-work", "log"),
    ("fetcher", "fetch"),
    ("4711", "ask"),
];

/// Open servers, each with a tool.
const OPEN: [(&str, &str); 6] = [
    ("filesystem", "read_text_file"),
    ("git", "git_status"),
    ("playwright", "browser_click"),
    ("chrome-devtools", "take_snapshot"),
    ("context7", "resolve-library-id"),
    ("sequential-thinking", "sequentialthinking"),
];

/// Forms of a tool's name with its server.
const SHAPES: [&str; 12] = [
    "mcp__SERVER__TOOL",
    "MCP__SERVER__TOOL",
    "mcp_SERVER_TOOL",
    "mcp-SERVER-TOOL",
    "SERVER.TOOL",
    "SERVER:TOOL",
    "SERVER/TOOL",
    "SERVER__TOOL",
    "mcp.SERVER.TOOL",
    "functions.mcp__SERVER__TOOL",
    "mcp__plugin_SERVER_SERVER__TOOL",
    "TOOL_mcp_SERVER",
];

/// A number in letters, so that search treats it as one word.
fn letters(number: usize) -> String {
    (0..4).rev().map(|place| (b'a' + (number / 10_usize.pow(place) % 10) as u8) as char).collect()
}

/// A written file, with the number of its words.
struct Written {
    number: usize,
    about: String,
}

/// Writes a sample into a site.
fn write(
    site: &SiteTest,
    sample: &Sample<'_>,
    server: &str,
    tool: &str,
    shape: &str,
    number: usize,
) -> Written {
    let word = letters(number);
    let name = shape.replace("SERVER", server).replace("TOOL", tool);
    let fill = |text: &str| {
        let text = text.replace("NAME", &name).replace("SERVER", server).replace("TOOL", tool);
        let text = text.replace("ASKED", &format!("zaskqu{word}"));
        let text = text.replace("TOLD", &format!("ztoldqu{word}"));
        let text = text.replace("SAID", &format!("zsaidqu{word}"));
        text.replace("NUMBER", &format!("{:08x}", 0x1000_0000 + number))
    };
    for place in ["ASKED", "TOLD", "SAID"] {
        assert!(sample.text.contains(place), "{}: {place}", sample.format);
    }
    let path = format!("content/{}/{number}/{}", sample.format, fill(sample.file));
    site.write(&path, fill(sample.text));
    let shape = if sample.text.contains("NAME") { name } else { format!("{server} + {tool}") };
    Written { number, about: format!("{} ({path}): {shape}", sample.format) }
}

/// The text of all files, in lower case.
fn haystack(site: &SiteTest) -> String {
    let output = site.output();
    let mut all = unpacked(&output).to_lowercase();
    for (path, bytes) in &output {
        all.push_str(path);
        all.push_str(&String::from_utf8_lossy(bytes).to_lowercase());
    }
    all
}

/// All numbers that follow a word.
fn found(all: &str, word: &str) -> BTreeSet<usize> {
    let number = |rest: &str| {
        let digits = rest.as_bytes().get(..4)?;
        digits.iter().try_fold(0, |sum, letter| {
            let digit = letter.checked_sub(b'a').filter(|digit| *digit < 10)?;
            Some(sum * 10 + usize::from(digit))
        })
    };
    all.split(word).skip(1).filter_map(number).collect()
}

#[test]
fn every_format_with_tools_is_tested() {
    let mut with_tools = BTreeSet::new();
    for input in crate::formats::inputs() {
        let expected = input.with_file_name("expected.txt");
        let text = fs::read_to_string(expected).unwrap_or_default();
        let mut lines = text.lines().map(str::trim).zip(text.lines().skip(1));
        // A participant can be a tool too, but has no id.
        if lines.any(|(line, next)| line == "\"kind\": \"tool\"," && next.contains("\"id\":")) {
            with_tools.insert(crate::formats::format_of(&input));
        }
    }
    // Formats whose readers create calls, by their file names.
    for (path, bytes) in crate::support::files_below(&project().join("src/formats")) {
        let module = path.split(['/', '.']).next().unwrap_or_default().replace('_', "-");
        let makes_calls = String::from_utf8_lossy(&bytes).contains("ToolCall {");
        if makes_calls && ALL.iter().any(|format| format.name == module) {
            with_tools.insert(module);
        }
    }
    let taking_part: BTreeSet<String> = SAMPLES
        .iter()
        .map(|sample| sample.format.to_owned())
        .chain(WITHOUT_SERVERS.map(str::to_owned))
        .collect();
    assert!(with_tools.len() > 20);
    let missing: Vec<&String> = with_tools.difference(&taking_part).collect();
    assert!(missing.is_empty(), "add a row to `SAMPLES`, or to `WITHOUT_SERVERS`: {missing:?}");
}

#[test]
fn input_and_output_of_closed_servers_are_not_published() {
    let site = SiteTest::new();
    site.write(
        "site.toml",
        format!("{BASE}publish = 'all'\ndownloads = ['markdown', 'json']\nmarkdown = true\nturns_json = true\n"),
    );
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    let mut number = 0;
    for (row, sample) in SAMPLES.iter().enumerate() {
        let has_name = sample.text.contains("NAME");
        for (place, (server, tool)) in CLOSED.iter().enumerate() {
            let shape = SHAPES[(row + place) % SHAPES.len()];
            closed.push(write(&site, sample, server, tool, shape, number));
            number += 1;
        }
        for shape in SHAPES.iter().filter(|_| has_name) {
            closed.push(write(&site, sample, "zendesk", "get_ticket", shape, number));
            closed.push(write(&site, sample, "garden", "water", shape, number + 1));
            number += 2;
        }
        if has_name {
            for name in ["gmailSearch", "zendesk_get_ticket", "searchCalendar", "notion-search"] {
                closed.push(write(&site, sample, "x", "y", name, number));
                number += 1;
            }
        }
        // Only in the ChatGPT log, no server has such a name.
        for (server, tool) in OPEN.iter().filter(|_| sample.format != "chatgpt") {
            let is_apart = ["mcp__SERVER__TOOL", "mcp_SERVER_TOOL"];
            let shape = is_apart[number % 2];
            open.push(write(&site, sample, server, tool, shape, number));
            number += 1;
        }
    }
    let run = site.run(&["build"]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    let all = haystack(&site);
    let (input, output, public) =
        (found(&all, "zaskqu"), found(&all, "ztoldqu"), found(&all, "zsaidqu"));
    let mut wrong = Vec::new();
    for written in &closed {
        let is = |set: &BTreeSet<usize>| set.contains(&written.number);
        if is(&input) || is(&output) {
            wrong.push(format!("published: {}", written.about));
        }
        if !is(&public) {
            wrong.push(format!("lost: {}", written.about));
        }
    }
    for written in &open {
        let is = |set: &BTreeSet<usize>| set.contains(&written.number);
        if !is(&input) || !is(&output) || !is(&public) {
            wrong.push(format!("withheld: {}", written.about));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}\n{}", wrong.len(), wrong.join("\n"), run.stderr);
    let hints = run.stderr.matches("hint[withheld-tools]").count();
    assert_eq!(hints, 1, "{}", run.stderr);
    for written in closed.iter().step_by(60).filter(|_| HAS_SEARCH) {
        for word in ["zaskqu", "ztoldqu"] {
            let word = format!("{word}{}", letters(written.number));
            // A word without matches is corrected to a similar one.
            let run = site.run(&["search", &word, "--json"]);
            let texts = run.stdout.matches(&word).count();
            let queries = run.stdout.matches(&format!("\"{word}\"")).count();
            assert_eq!(texts, queries, "{word}: {}", run.stdout);
        }
    }
    // The cache does not contain it, and neither does the output of `convert`.
    for (path, bytes) in crate::support::files_below(&site.path(".convo-site")) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in ["zaskqu", "ztoldqu"] {
            let leaks = found(&text, word);
            let leak = closed.iter().find(|written| leaks.contains(&written.number));
            assert!(leak.is_none(), "{path}: {}", leak.map_or("", |written| &written.about));
        }
    }
    for format in ["cjson", "chibi"] {
        let to = format!("converted-{format}");
        site.run(&["convert", "content", "--to", format, "-o", &to]);
        let mut text = String::new();
        for (_, bytes) in crate::support::files_below(&site.path(&to)) {
            text.push_str(&String::from_utf8_lossy(&bytes).to_lowercase());
        }
        assert!(found(&text, "zsaidqu").len() > 100, "{format}");
        for word in ["zaskqu", "ztoldqu"] {
            let leaks = found(&text, word);
            let leaks: Vec<&str> = closed
                .iter()
                .filter(|written| leaks.contains(&written.number))
                .map(|written| written.about.as_str())
                .collect();
            assert!(leaks.is_empty(), "convert --to {format}:\n{}", leaks.join("\n"));
        }
    }
}

/// Without a name, a tool is not known to be open; its result may be the only one to name it.
#[test]
fn calls_without_a_clear_name_are_not_published() {
    let site = SiteTest::new().file("site.toml", format!("{BASE}publish = 'all'\n"));
    let mut all_written = Vec::new();
    for sample in SAMPLES.iter().filter(|sample| sample.text.contains("NAME")) {
        let id = r#""(id|call_id|callID|callId|toolCallId|tool_call_id|tool_use_id)":\s*"(c1|t1|tc_1|call_1|1)""#;
        let pattern = Regex::new(&format!(r"{id},\s*|,\s*{id}")).expect("a pattern");
        let without_ids = pattern.replace_all(sample.text, "");
        for text in [sample.text, &without_ids] {
            for (first, others) in [("NAME", ""), ("\"NAME\"", "null"), ("NAME", "lamp")] {
                let is_result_named = others == "lamp";
                let text = match is_result_named {
                    true => text.replacen(first, others, 1),
                    false => text.replace(first, others),
                };
                // Nothing else says that both belong together.
                let has_id = pattern.is_match(&text);
                if is_result_named && !(has_id && text.contains("NAME")) {
                    continue;
                }
                let sample = Sample { text: &text, ..*sample };
                let number = all_written.len();
                let mut written = write(&site, &sample, "acme", "get", "mcp__SERVER__TOOL", number);
                written.about = format!("{}, {first} is {others}: {text}", sample.format);
                all_written.push(written);
            }
        }
    }
    let run = site.run(&["build"]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    let all = haystack(&site);
    let mut wrong = Vec::new();
    for word in ["zaskqu", "ztoldqu"] {
        let published = found(&all, word);
        let leaks = all_written.iter().filter(|written| published.contains(&written.number));
        wrong.extend(leaks.map(|written| format!("{word}: {}", written.about)));
    }
    assert!(found(&all, "zsaidqu").len() > all_written.len() / 2);
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_build_says_once_how_to_open_a_server() {
    let site = SiteTest::new();
    let mut number = 0;
    let mut written = Vec::new();
    for sample in SAMPLES {
        for (server, tool) in
            [("garden_tools", "water"), ("garden", "rake"), ("zendesk", "get_ticket")]
        {
            written.push((server, write(&site, sample, server, tool, "mcp__SERVER__TOOL", number)));
            number += 1;
        }
    }
    let builds = |config: &str| {
        site.write("site.toml", format!("{BASE}{config}"));
        let run = site.run(&["build"]);
        let all = haystack(&site);
        let (input, output) = (found(&all, "zaskqu"), found(&all, "ztoldqu"));
        (run.stderr, input, output)
    };
    let check = |config: &str, is_open: &dyn Fn(&str, &str) -> bool| {
        let (stderr, input, output) = builds(config);
        for (server, written) in &written {
            let expected = is_open(server, &written.about);
            let has_output = output.contains(&written.number);
            let has_input = input.contains(&written.number);
            assert_eq!((has_input, has_output), (expected, expected), "{config} {}", written.about);
        }
        stderr
    };
    let stderr = check("", &|_, _| false);
    assert_eq!(stderr.matches("hint[withheld-tools]").count(), 1, "{stderr}");
    assert!(stderr.contains("open_servers = ["), "{stderr}");
    for server in ["garden_tools", "garden", "zendesk"] {
        assert!(stderr.contains(&format!("`{server}` (")), "{server}: {stderr}");
    }
    check("open_servers = ['garden-tools']\n", &|server, _| server == "garden_tools");
    let stderr = check("open_servers = ['Zendesk']\n", &|server, _| server == "zendesk");
    assert!(!stderr.contains("`zendesk`"), "{stderr}");
    let own = "[[source]]\nfiles = 'zed/**'\nopen_servers = ['garden']\n";
    check(own, &|server, about| server == "garden" && about.starts_with("zed"));
    // Withheld again, nothing of it remains.
    check("", &|_, _| false);
    let all = "open_servers = ['zendesk', 'garden', 'garden tools']\n";
    let stderr = check(all, &|_, _| true);
    assert!(!stderr.contains("withheld-tools"), "{stderr}");
}
