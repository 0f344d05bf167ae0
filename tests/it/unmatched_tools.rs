//! Results of connectors are not shown, even if calls and results do not match.

use crate::unclear_access::{check, check_all};

/// An LM Studio conversation with a result from a tool of a mail server.
fn lm_studio(call: &str, result: &str) -> String {
    format!(
        r#"{{"name": "NUMBER", "createdAt": 1784921389195, "tokenCount": 1, "messages": [
        {{"currentlySelected": 0, "versions": [{{"type": "singleStep", "role": "user", "content": [{{"type": "text", "text": "SHOWN"}}]}}]}},
        {{"currentlySelected": 0, "versions": [{{"type": "multiStep", "role": "assistant", "steps": [{{"type": "contentBlock", "content": [
        {{"type": "toolCallRequest", "pluginIdentifier": "mcp/gmail", {call} "toolCallRequest": {{"id": "7", "type": "function", "name": "search", "arguments": {{"q": "HIDDEN"}}}}}},
        {{"type": "toolCallResult", {result} "content": "HIDDEN"}}]}}]}}]}}]}}"#
    )
}

/// An Open WebUI chat with items of an answer.
fn open_webui(items: &str) -> String {
    format!(
        r#"[{{"id": "NUMBER", "user_id": "u", "title": "T", "chat": {{"title": "T", "models": ["m"], "history": {{"currentId": "b", "messages": {{
        "a": {{"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "SHOWN", "timestamp": 1700000000}},
        "b": {{"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "content": "", "model": "m", "timestamp": 1700000010, "output": [
        {items}, {{"type": "message", "content": [{{"type": "output_text", "text": "x"}}]}}]}}}}}}}}, "created_at": 1700000000, "updated_at": 1700000001}}]"#
    )
}

/// A Zed thread with calls and results.
fn zed(calls: &str, results: &str) -> String {
    format!(
        r#"{{"version": "0.3.0", "title": "NUMBER", "messages": [{{"User": {{"id": "u1", "content": [{{"Text": "SHOWN"}}]}}}},
        {{"Agent": {{"content": [{calls}], "tool_results": {{{results}}}}}}}]}}"#
    )
}

/// An OpenCode session with a call of this tool.
fn opencode(tool: &str) -> String {
    format!(
        r#"{{"info": {{"id": "ses_NUMBER", "title": "T"}}, "messages": [
        {{"info": {{"id": "msg_1", "role": "user"}}, "parts": [{{"type": "text", "text": "SHOWN"}}]}},
        {{"info": {{"id": "msg_2", "role": "assistant"}}, "parts": [{{"type": "tool", "tool": "{tool}", "callID": "c1",
        "state": {{"status": "completed", "input": {{"q": "HIDDEN"}}, "output": "HIDDEN", "title": "HIDDEN"}}}}]}}]}}"#
    )
}

#[test]
fn results_of_connectors_with_unknown_ids_are_not_shown() {
    let call = r#"{"ToolUse": {"id": "1", "name": "gmail_search", "input": {"q": "HIDDEN"}}}"#;
    let again = r#"{"ToolUse": {"id": "1", "name": "bash", "input": {}}}"#;
    let named =
        r#""1": {"tool_use_id": "1", "tool_name": "gmail_search", "content": {"Text": "HIDDEN"}}"#;
    let unnamed = r#""1": {"content": {"Text": "HIDDEN"}}"#;
    let lost = r#""9": {"content": {"Text": "HIDDEN"}}"#;
    let result = r#"{"type": "function_call_output", "output": "HIDDEN"}"#;
    let cases = [
        ("Requested", lm_studio(r#""callId": 1,"#, r#""toolCallRequestId": "7","#)),
        ("Noid", lm_studio(r#""callId": 1,"#, "")),
        ("Met", lm_studio(r#""callId": 1,"#, r#""callId": 1,"#)),
        (
            "Webui",
            open_webui(&format!(
                r#"{{"type": "function_call", "name": "gmail_search", "arguments": "HIDDEN"}}, {result}"#
            )),
        ),
        (
            "Before",
            open_webui(&format!(
                r#"{result}, {{"type": "function_call", "id": "3", "name": "gmail_search", "arguments": "HIDDEN"}}"#
            )),
        ),
        ("Again", zed(&format!("{call}, {again}"), unnamed)),
        ("Named", zed(r#"{"Text": "x"}"#, named)),
        ("Renamed", zed(again, named)),
        ("Lost", zed(call, lost)),
        ("Camel", opencode("gmailSearch")),
        ("Dot", opencode("Gmail.search")),
        ("Colon", opencode("Notion:search")),
        ("Slash", opencode("calendar/list")),
        ("Word", opencode("gmailsearch")),
        ("Inside", opencode("searchMail")),
    ];
    for (name, text) in &cases {
        check(&[(name, &[("1784921389195.conversation.json", text)])]);
    }
    // Built-in tools are shown.
    let own = opencode("bash").replace("SHOWN", "x").replace("HIDDEN", "SHOWN");
    let output = zed(&again.replace("{}", "{\"command\": \"ls\"}"), unnamed);
    let output = output.replace("SHOWN", "x").replace("HIDDEN", "SHOWN");
    for (name, text) in [("Own", own), ("Output", output)] {
        check(&[(name, &[("t.json", &text)])]);
    }
}

#[test]
fn queries_in_urls_are_not_shown() {
    let mention = zed("{\"Text\": \"x\"}", "").replace(
        r#"{"Text": "SHOWN"}"#,
        r#"{"Text": "SHOWN"}, {"Mention": {"uri": {"Fetch": {"url": "https://x.example/?token=HIDDEN"}}, "content": "x"}},
        {"Mention": {"uri": "https://x.example/a?sig=HIDDEN", "content": "x"}}"#,
    );
    check(&[("Mention", &[("t.json", &mention)])]);
}

/// The result of a tool called by a private message is private too, whether or not they refer to
/// each other.
#[test]
fn results_of_calls_by_private_messages_are_not_shown() {
    let chat = |name: &str, id: &str, result: &str| {
        let row = format!(
            r#"{{"messages": [{{"role": "user", "content": "SHOWN NUMBER"}},
            {{"role": "assistant", "private": true, "content": "", "tool_calls": [{{{id}"type": "function", "function": {{"name": "bash", "arguments": "{{}}"}}}}]}},
            {{{result}}},
            {{"role": "assistant", "content": "", "tool_calls": [{{"id": "c2", "type": "function", "function": {{"name": "bash", "arguments": "{{}}"}}}}]}},
            {{"role": "tool", "tool_call_id": "c2", "content": "Two."}}, {{"role": "assistant", "content": "Done."}}]}}"#
        );
        (name.to_owned(), row.replace('\n', " "))
    };
    let (id, tool) = (r#""id": "c1", "#, r#""role": "tool", "content": "HIDDEN""#);
    let part = r#""role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "HIDDEN"}]"#;
    let cases = [
        chat("Nothing", "", tool),
        chat("Name", "", &format!(r#"{tool}, "name": "bash""#)),
        chat("Id", id, &format!(r#"{tool}, "tool_call_id": "c1""#)),
        chat("Both", id, &format!(r#"{tool}, "tool_call_id": "c1", "name": "bash""#)),
        chat("Other", id, &format!(r#"{tool}, "name": "bash""#)),
        chat("Part", id, part),
    ];
    check_all("chat.jsonl", &cases);
}
