//! A small sample of every JSON format, with named places where privacy marks can be.
//!
//! `HIDDEN` is the word of the marked turn, `SHOWN` that of another one, and `NUMBER` the number of
//! the sample. Places: `@conversation` in the object of the conversation, `@root` and `@outer` in
//! objects around it, `@turn` in that of a turn, `@wrapper` in an object around it, `@message` in
//! an object in it, `@part` in an element of a list in it, `@inner` in an object in that, and
//! `@about` and `@meta` in the program's own metadata of the conversation and of the turn.

/// A format, and the files of a sample by their paths.
pub(crate) type Sample = (&'static str, &'static [(&'static str, &'static str)]);

pub(crate) const SAMPLES: &[Sample] = &[
    (
        "convo",
        &[(
            "a.convo",
            "### @Ada\nHIDDEN, said Ada.\n\n### @Ada\nSHOWN it is.\n\n----\n\
        {\"@conversation\": 0, \"type\": \"dialog\", \"title\": \"T\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"], \"extra\": {\"@about\": 0}}\n",
        )],
    ),
    (
        "cjson",
        &[(
            "a.cjson.json",
            r#"{"@conversation": 0, "id": "c-NUMBER", "schemaUrl": "https://schema.cjson.dev/0/conversation/x",
        "metadata": {"@about": 0}, "messages": [{"id": "m-1", "role": "user", "messageType": "text", "content": "SHOWN."},
        {"@turn": 0, "id": "m-2", "role": "assistant", "messageType": "composite", "metadata": {"@meta": 0}, "contentBlocks": [
        {"@part": 0, "blockType": "text", "id": "b", "createdAt": "2026-03-01T08:00:00Z", "text": "HIDDEN."}]}]}"#,
        )],
    ),
    (
        "chibi",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "id": "1", "timestamp": 1705123456, "from": "system", "to": "default", "content": "", "entry_type": "context_created", "metadata": {"@about": 0}}
{"id": "2", "timestamp": 1705123457, "from": "ada", "to": "default", "content": "SHOWN.", "entry_type": "message"}
{"@turn": 0, "id": "3", "timestamp": 1705123458, "from": "default", "to": "user", "content": "HIDDEN.", "entry_type": "message", "metadata": {"@meta": 0}}
"#,
        )],
    ),
    (
        "vlinder",
        &[(
            "2026-02-08T14-30-05Z_wren_NUMBER.json",
            r#"{"@conversation": 0, "session": "ses-NUMBER", "agent": "wren", "open": null,
        "history": [{"user": "SHOWN.", "at": "2026-02-08T14:30:05Z"}, {"agent": "So be it."},
        {"@turn": 0, "user": "HIDDEN.", "at": "2026-02-08T14:30:06Z", "metadata": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "codex",
        &[(
            "rollout-a.jsonl",
            r#"{"@conversation": 0, "timestamp": "2026-03-04T09:15:00.000Z", "type": "session_meta", "payload": {"@about": 0, "id": "s-NUMBER", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "originator": "codex_cli_rs", "cli_version": "0.50.0", "instructions": null}}
{"timestamp": "2026-03-04T09:15:01.000Z", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "SHOWN?"}]}}
{"@turn": 0, "timestamp": "2026-03-04T09:15:02.000Z", "type": "response_item", "payload": {"@message": 0, "type": "message", "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "output_text", "text": "HIDDEN."}]}}
"#,
        )],
    ),
    (
        "codex",
        &[(
            "rollout-b.jsonl",
            r#"{"timestamp": "2026-03-04T09:15:00.000Z", "type": "session_meta", "payload": {"id": "t-NUMBER", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "originator": "codex_cli_rs", "cli_version": "0.50.0", "instructions": null}}
{"timestamp": "2026-03-04T09:15:01.000Z", "type": "event_msg", "payload": {"type": "item_completed", "item": {"type": "UserMessage", "id": "u1", "content": [{"type": "text", "text": "SHOWN?"}]}}}
{"@turn": 0, "timestamp": "2026-03-04T09:15:02.000Z", "type": "event_msg", "payload": {"@message": 0, "type": "item_completed", "item": {"@part": 0, "type": "AgentMessage", "id": "a1", "content": [{"@inner": 0, "type": "Text", "text": "HIDDEN."}]}}}
"#,
        )],
    ),
    (
        "claude-code",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "type": "summary", "summary": "T", "leafUuid": "u-2", "metadata": {"@about": 0}}
{"uuid": "u-1", "parentUuid": null, "sessionId": "s-NUMBER", "type": "user", "timestamp": "2026-03-04T09:15:00.000Z", "cwd": "/mill", "version": "2.0.0", "message": {"role": "user", "content": "SHOWN?"}}
{"@turn": 0, "uuid": "u-2", "parentUuid": "u-1", "sessionId": "s-NUMBER", "type": "assistant", "timestamp": "2026-03-04T09:15:01.000Z", "cwd": "/mill", "version": "2.0.0", "message": {"@message": 0, "id": "m-2", "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}}
"#,
        )],
    ),
    (
        "claude-code",
        &[(
            "a.json",
            r#"{"@conversation": 0, "metadata": {"@about": 0}, "loglines": [
        {"uuid": "u-1", "parentUuid": null, "sessionId": "t-NUMBER", "type": "user", "timestamp": "2026-03-04T09:15:00.000Z", "message": {"role": "user", "content": "SHOWN?"}},
        {"@turn": 0, "uuid": "u-2", "parentUuid": "u-1", "sessionId": "t-NUMBER", "type": "assistant", "timestamp": "2026-03-04T09:15:01.000Z", "message": {"@message": 0, "role": "assistant", "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}}]}"#,
        )],
    ),
    (
        "claude",
        &[(
            "conversations.json",
            r#"[{"@conversation": 0, "uuid": "c-NUMBER", "name": "T", "created_at": "2026-03-04T09:15:00.000000Z", "settings": {"@about": 0}, "chat_messages": [
        {"uuid": "m-1", "sender": "human", "created_at": "2026-03-04T09:15:00.000000Z", "text": "SHOWN?", "content": [{"type": "text", "text": "SHOWN?"}]},
        {"@turn": 0, "uuid": "m-2", "sender": "assistant", "created_at": "2026-03-04T09:16:00.000000Z", "text": "", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}]}]"#,
        )],
    ),
    (
        "claude-design",
        &[(
            "a.json",
            r#"{"@conversation": 0, "uuid": "d-NUMBER", "title": "T", "project": {"uuid": "p", "name": "P"}, "metadata": {"@about": 0},
        "created_at": "2026-03-04T09:00:00.120000+00:00", "messages": [
        {"uuid": "m-1", "role": "user", "content": {"role": "user", "content": "SHOWN?"}},
        {"@turn": 0, "uuid": "m-2", "role": "assistant", "metadata": {"@meta": 0}, "content": {"@message": 0, "role": "assistant", "content": "HIDDEN."}}]}"#,
        )],
    ),
    (
        "claude-design",
        &[(
            "b.json",
            r#"{"uuid": "e-NUMBER", "title": "T", "project": {"uuid": "p", "name": "P"}, "created_at": "2026-03-04T09:00:00.120000+00:00", "messages": [
        {"uuid": "m-1", "role": "user", "content": {"role": "user", "content": "SHOWN?"}},
        {"uuid": "m-2", "role": "assistant", "content": {"role": "assistant", "content": "", "contentBlocks": [
        {"@part": 0, "type": "text", "text": "HIDDEN."}, {"type": "user_interjection", "message": {"@inner": 0, "content": "HIDDEN!"}}]}}]}"#,
        )],
    ),
    (
        "chatgpt",
        &[(
            "conversations.json",
            r#"[{"@conversation": 0, "id": "c-NUMBER", "conversation_id": "c-NUMBER", "title": "T", "create_time": 1760000000.5, "current_node": "n-2", "metadata": {"@about": 0}, "mapping": {
        "n-1": {"id": "n-1", "parent": null, "children": ["n-2"], "message": {"id": "n-1", "author": {"role": "user", "metadata": {}}, "create_time": 1760000001.5, "content": {"content_type": "text", "parts": ["SHOWN?"]}, "status": "finished_successfully", "metadata": {}}},
        "n-2": {"@turn": 0, "id": "n-2", "parent": "n-1", "children": [], "message": {"@message": 0, "id": "n-2", "author": {"role": "assistant", "metadata": {}}, "create_time": 1760000002.5, "content": {"content_type": "multimodal_text", "parts": [{"@part": 0, "content_type": "audio_transcription", "text": "HIDDEN."}]}, "status": "finished_successfully", "recipient": "all", "metadata": {"@meta": 0, "model_slug": "gpt-5"}}}}}]"#,
        )],
    ),
    (
        "open-webui",
        &[(
            "a.json",
            r#"[{"@conversation": 0, "id": "c-NUMBER", "title": "T", "meta": {"@about": 0}, "chat": {"history": {"currentId": "b", "messages": {
        "a": {"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "SHOWN?", "timestamp": 1772618400},
        "b": {"@turn": 0, "id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "model": "wren-2", "content": "HIDDEN.", "timestamp": 1772618460, "info": {"@meta": 0}}}}}}]"#,
        )],
    ),
    (
        "open-webui",
        &[(
            "b.json",
            r#"[{"id": "d-NUMBER", "title": "T", "chat": {"history": {"currentId": "b", "messages": {
        "a": {"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "SHOWN?", "timestamp": 1772618400},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "model": "wren-2", "content": "", "timestamp": 1772618460,
        "output": [{"@part": 0, "type": "message", "id": "o1", "role": "assistant", "content": [{"@inner": 0, "type": "output_text", "text": "HIDDEN."}]}]}}}}}]"#,
        )],
    ),
    (
        "open-webui",
        &[(
            "c.json",
            r#"[{"id": "e-NUMBER", "title": "T", "chat": {"history": {"currentId": "b", "messages": {
        "a": {"id": "a", "parentId": null, "childrenIds": ["b"], "role": "user", "content": "SHOWN?", "timestamp": 1772618400},
        "b": {"id": "b", "parentId": "a", "childrenIds": [], "role": "assistant", "model": "wren-2", "timestamp": 1772618460,
        "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}], "code_executions": [{"@wrapper": 0, "code": "x", "result": {"@inner": 0, "output": "HIDDEN"}}]}}}}}]"#,
        )],
    ),
    (
        "deepseek",
        &[(
            "a.json",
            r#"[{"@conversation": 0, "id": "c-NUMBER", "title": "T", "inserted_at": "2026-03-04T09:15:00+08:00", "metadata": {"@about": 0}, "mapping": {
        "1": {"id": "1", "parent": null, "children": ["2"], "message": {"inserted_at": "2026-03-04T09:15:00+08:00", "files": [], "fragments": [{"type": "REQUEST", "content": "SHOWN?"}]}},
        "2": {"@turn": 0, "id": "2", "parent": "1", "children": [], "message": {"@message": 0, "inserted_at": "2026-03-04T09:16:00+08:00", "files": [], "metadata": {"@meta": 0}, "fragments": [{"@part": 0, "type": "RESPONSE", "content": "HIDDEN."}]}}}}]"#,
        )],
    ),
    (
        "deepseek",
        &[(
            "b.json",
            r#"{"@root": 0, "code": 0, "msg": "", "data": {"@outer": 0, "biz_code": 0, "biz_msg": "", "biz_data": {
        "chat_session": {"id": "d-NUMBER", "title": "T", "inserted_at": 1772587000.0}, "chat_messages": [
        {"message_id": 1, "parent_id": null, "role": "USER", "inserted_at": 1772587000.0, "fragments": [{"type": "REQUEST", "content": "SHOWN?"}]},
        {"@turn": 0, "message_id": 2, "parent_id": 1, "role": "ASSISTANT", "inserted_at": 1772587001.0, "fragments": [{"@part": 0, "type": "RESPONSE", "content": "HIDDEN."}]}]}}}"#,
        )],
    ),
    (
        "grok",
        &[(
            "prod-grok-backend.json",
            r#"{"conversations": [{"@turn-less": 0, "conversation": {"@conversation": 0, "id": "g-NUMBER", "title": "T", "create_time": "2026-03-04T10:00:00Z", "metadata": {"@about": 0}}, "responses": [
        {"response": {"_id": "r-1", "message": "SHOWN?", "sender": "human", "create_time": "2026-03-04T10:00:00Z"}},
        {"@turn": 0, "response": {"@message": 0, "_id": "r-2", "message": "HIDDEN.", "sender": "ASSISTANT", "create_time": "2026-03-04T10:01:00Z", "metadata": {"@meta": 0}}}]}]}"#,
        )],
    ),
    (
        "librechat",
        &[(
            "a.json",
            r#"{"@conversation": 0, "conversationId": "l-NUMBER", "endpoint": "openAI", "title": "T", "options": {"model": "gpt-4o"}, "metadata": {"@about": 0}, "messages": [
        {"messageId": "1", "isCreatedByUser": true, "parentMessageId": "00000000-0000-0000-0000-000000000000", "sender": "User", "text": "SHOWN?", "createdAt": "2026-01-07T10:00:01.000Z"},
        {"@turn": 0, "messageId": "2", "isCreatedByUser": false, "parentMessageId": "1", "sender": "GPT", "metadata": {"@meta": 0}, "text": "", "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}], "createdAt": "2026-01-07T10:00:02.000Z"}]}"#,
        )],
    ),
    (
        "librechat",
        &[(
            "a.json",
            r#"{"@conversation": 0, "conversationId": "t-NUMBER", "title": "T", "messagesTree": [
        {"messageId": "1", "isCreatedByUser": true, "sender": "User", "text": "SHOWN?", "children": [
        {"@turn": 0, "messageId": "2", "isCreatedByUser": false, "sender": "GPT", "text": "HIDDEN.", "metadata": {"@meta": 0}, "children": []}]}]}"#,
        )],
    ),
    (
        "lm-studio",
        &[(
            "NUMBER.conversation.json",
            r#"{"@conversation": 0, "name": "T", "createdAt": 1767690000123, "tokenCount": 1, "metadata": {"@about": 0}, "messages": [
        {"currentlySelected": 0, "versions": [{"type": "singleStep", "role": "user", "content": [{"type": "text", "text": "SHOWN?"}]}]},
        {"@turn": 0, "currentlySelected": 0, "versions": [{"@message": 0, "type": "multiStep", "role": "assistant", "metadata": {"@meta": 0}, "steps": [
        {"@part": 0, "type": "contentBlock", "content": [{"@inner": 0, "type": "text", "text": "HIDDEN."}]}]}]}]}"#,
        )],
    ),
    (
        "sillytavern",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "user_name": "Ada", "character_name": "Bob", "create_date": "2026-03-01@10h00m00s", "chat_metadata": {"@about": 0}}
{"name": "Ada", "is_user": true, "send_date": "2026-03-01T10:00:00.000Z", "mes": "SHOWN?", "extra": {}}
{"@turn": 0, "name": "Bob", "is_user": false, "send_date": "2026-03-01T10:01:00.000Z", "mes": "HIDDEN.", "extra": {"@meta": 0}}
"#,
        )],
    ),
    (
        "le-chat",
        &[(
            "chat-NUMBER.json",
            r#"[{"id": "1", "version": 0, "chatId": "l-NUMBER", "content": "SHOWN?", "contentChunks": null, "role": "user", "createdAt": "2026-03-01T10:00:00.000Z"},
        {"@turn": 0, "id": "2", "version": 0, "chatId": "l-NUMBER", "content": "", "contentChunks": [{"@part": 0, "type": "text", "text": "HIDDEN."}], "role": "assistant", "metadata": {"@meta": 0}, "createdAt": "2026-03-01T10:00:05.000Z"}]"#,
        )],
    ),
    (
        "vcon",
        &[(
            "a.vcon",
            r#"{"@conversation": 0, "vcon": "0.0.2", "uuid": "v-NUMBER", "created_at": "2026-03-01T10:00:00Z", "meta": {"@about": 0}, "parties": [{"name": "Wren"}, {"name": "Moss"}], "dialog": [
        {"type": "text", "start": "2026-03-01T10:00:00Z", "parties": [0], "mediatype": "text/plain", "body": "SHOWN?", "encoding": "none"},
        {"@turn": 0, "type": "text", "start": "2026-03-01T10:01:00Z", "parties": [1], "mediatype": "text/plain", "meta": {"@meta": 0}, "body": "HIDDEN.", "encoding": "none"}], "analysis": []}"#,
        )],
    ),
    (
        "cline",
        &[
            (
                "t/ui_messages.json",
                r#"[{"ts": 1772618400000, "type": "say", "say": "text", "text": "SHOWN?"},
            {"@turn": 0, "ts": 1772618401000, "type": "say", "say": "text", "metadata": {"@meta": 0}, "text": "HIDDEN."}]"#,
            ),
            (
                "t/task_metadata.json",
                r#"{"@conversation": 0, "model_usage": [], "metadata": {"@about": 0}}"#,
            ),
        ],
    ),
    (
        "cline",
        &[(
            "api_conversation_history.json",
            r#"[{"role": "user", "content": "<task>SHOWN?</task>"},
        {"@turn": 0, "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}]"#,
        )],
    ),
    (
        "cursor",
        &[(
            "a.jsonl",
            r#"{"role": "user", "message": {"content": [{"type": "text", "text": "<user_query>\nSHOWN?\n</user_query>"}]}}
{"@turn": 0, "role": "assistant", "message": {"@message": 0, "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}}
"#,
        )],
    ),
    (
        "cursor",
        &[(
            "b.jsonl",
            r#"{"store": "cursor", "table": "cursorDiskKV", "row": {"key": "composerData:c-NUMBER", "value": {"@conversation": 0, "composerId": "c-NUMBER", "metadata": {"@about": 0}, "fullConversationHeadersOnly": [{"bubbleId": "b1"}, {"bubbleId": "b2"}]}}}
{"store": "cursor", "table": "cursorDiskKV", "row": {"key": "bubbleId:c-NUMBER:b1", "value": {"type": 1, "text": "SHOWN?"}}}
{"store": "cursor", "table": "cursorDiskKV", "row": {"@message": 0, "key": "bubbleId:c-NUMBER:b2", "value": {"@turn": 0, "type": 2, "metadata": {"@meta": 0}, "text": "HIDDEN."}}}
"#,
        )],
    ),
    (
        "cursor",
        &[(
            "c.jsonl",
            r#"{"store":"cursor","table":"ItemTable","row":{"key":"workbench.panel.aichat.view.aichat.chatdata","value":{"tabs": [{"@conversation": 0, "tabId": "t-NUMBER", "chatTitle": "T", "lastSendTime": 1700000000000, "metadata": {"@about": 0}, "bubbles": [{"type": "user", "id": "u1", "text": "SHOWN?"}, {"@turn": 0, "type": "ai", "id": "a1", "metadata": {"@meta": 0}, "rawText": "HIDDEN."}]}]}}}
"#,
        )],
    ),
    (
        "opencode",
        &[(
            "e.json",
            r#"{"info": {"@conversation": 0, "id": "ses_NUMBER", "title": "T", "metadata": {"@about": 0}}, "messages": [
        {"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "SHOWN?"}]},
        {"@turn": 0, "info": {"@message": 0, "id": "msg_2", "role": "assistant", "metadata": {"@meta": 0}}, "parts": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}]}"#,
        )],
    ),
    (
        "opencode",
        &[(
            "f.jsonl",
            r#"{"store": "opencode", "table": "session", "row": {"@conversation": 0, "id": "ses_NUMBER", "title": "T", "metadata": {"@about": 0}}}
{"store": "opencode", "table": "message", "row": {"id": "msg_1", "data": {"role": "user"}}}
{"store": "opencode", "table": "message", "row": {"@turn": 0, "id": "msg_2", "data": {"@message": 0, "role": "assistant", "metadata": {"@meta": 0}}}}
{"store": "opencode", "table": "part", "row": {"message_id": "msg_1", "data": {"type": "text", "text": "SHOWN?"}}}
{"store": "opencode", "table": "part", "row": {"message_id": "msg_2", "data": {"@part": 0, "type": "text", "text": "HIDDEN."}}}
"#,
        )],
    ),
    (
        "continue",
        &[(
            "g.json",
            r#"{"@conversation": 0, "sessionId": "s-NUMBER", "workspaceDirectory": "", "metadata": {"@about": 0}, "history": [
        {"message": {"role": "user", "content": "SHOWN?"}},
        {"@turn": 0, "message": {"@message": 0, "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}}]}"#,
        )],
    ),
    (
        "zed",
        &[(
            "h.json",
            r#"{"@conversation": 0, "version": "0.3.0", "title": "T NUMBER", "metadata": {"@about": 0}, "messages": [{"User": {"id": "u1", "content": [{"Text": "SHOWN?"}]}},
        {"@turn": 0, "Agent": {"@message": 0, "metadata": {"@meta": 0}, "content": [{"@part": 0, "Text": "HIDDEN."}, {"Thinking": {"@inner": 0, "text": "HIDDEN!"}}], "tool_results": {}}}]}"#,
        )],
    ),
    (
        "llm",
        &[(
            "i.jsonl",
            r#"{"store": "llm", "table": "conversations", "row": {"@conversation": 0, "id": "c-NUMBER", "name": "T", "metadata": {"@about": 0}}}
{"store": "llm", "table": "responses", "row": {"id": "r1", "prompt": "SHOWN?", "response": "Two.", "datetime_utc": "2026-03-04T10:01:00"}}
{"store": "llm", "table": "responses", "row": {"@turn": 0, "id": "r2", "prompt": "And?", "response": "HIDDEN.", "metadata": {"@meta": 0}, "datetime_utc": "2026-03-04T10:02:00"}}
"#,
        )],
    ),
    (
        "llm",
        &[(
            "j.jsonl",
            r#"{"store": "llm", "table": "threads", "row": {"@conversation": 0, "id": "t-NUMBER", "name": "T", "tip_message_hash": "m2", "metadata": {"@about": 0}}}
{"store": "llm", "table": "messages", "row": {"hash": "m1", "parent_hash": null, "role": "user"}}
{"store": "llm", "table": "messages", "row": {"@turn": 0, "hash": "m2", "parent_hash": "m1", "role": "assistant", "metadata": {"@meta": 0}}}
{"store": "llm", "table": "parts", "row": {"id": 1, "message_hash": "m1", "type": "text", "text": "SHOWN?"}}
{"store": "llm", "table": "parts", "row": {"@part": 0, "id": 2, "message_hash": "m2", "type": "text", "text": "HIDDEN."}}
"#,
        )],
    ),
    (
        "gemini-cli",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "sessionId": "s-NUMBER", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z", "kind": "main", "metadata": {"@about": 0}}
{"id": "m1", "timestamp": "2026-03-04T09:15:01.000Z", "type": "user", "content": "SHOWN?"}
{"@turn": 0, "id": "m2", "timestamp": "2026-03-04T09:15:02.000Z", "type": "gemini", "metadata": {"@meta": 0}, "content": [{"@part": 0, "text": "HIDDEN."}]}
"#,
        )],
    ),
    (
        "gemini-cli",
        &[(
            "c.json",
            r#"{"@conversation": 0, "sessionId": "t-NUMBER", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z", "metadata": {"@about": 0}, "messages": [
        {"id": "m1", "timestamp": "2026-03-04T09:15:01.000Z", "type": "user", "content": "SHOWN?"},
        {"@turn": 0, "id": "m2", "timestamp": "2026-03-04T09:15:02.000Z", "type": "gemini", "metadata": {"@meta": 0}, "content": "HIDDEN."}]}"#,
        )],
    ),
    (
        "gemini-cli",
        &[(
            "d.json",
            r#"[{"role": "user", "parts": [{"text": "SHOWN NUMBER?"}]}, {"@turn": 0, "role": "model", "metadata": {"@meta": 0}, "parts": [{"@part": 0, "text": "HIDDEN."}]}]"#,
        )],
    ),
    (
        "gemini-cli",
        &[(
            "e.jsonl",
            r#"{"sessionId": "u-NUMBER", "projectHash": "p", "startTime": "2026-03-04T09:15:00.000Z", "kind": "main"}
{"id": "m1", "timestamp": "2026-03-04T09:15:01.000Z", "type": "user", "content": "SHOWN?"}
{"id": "m2", "timestamp": "2026-03-04T09:15:02.000Z", "type": "gemini", "content": "HIDDEN.", "toolCalls": [{"@part": 0, "id": "t1", "name": "read_file", "args": {"path": "x"}, "status": "success", "result": [{"@inner": 0, "functionResponse": {"id": "t1", "name": "read_file", "response": {"output": "HIDDEN"}}}]}]}
"#,
        )],
    ),
    (
        "gemini-takeout",
        &[(
            "MyActivity.json",
            r#"[{"header": "Gemini Apps", "title": "Prompted SHOWN NUMBER", "time": "2026-03-04T09:14:00.000Z", "products": ["Gemini Apps"], "safeHtmlItem": [{"html": "<p>Hear.</p>"}]},
        {"@turn": 0, "header": "Gemini Apps", "title": "Prompted And?", "time": "2026-03-04T09:15:00.000Z", "products": ["Gemini Apps"], "metadata": {"@meta": 0}, "safeHtmlItem": [{"@part": 0, "html": "<p>HIDDEN.</p>"}]}]"#,
        )],
    ),
    (
        "vscode-copilot",
        &[(
            "a.json",
            r#"{"@conversation": 0, "version": 3, "sessionId": "s-NUMBER", "creationDate": 1772614500000, "metadata": {"@about": 0}, "requests": [
        {"requestId": "r1", "message": {"text": "SHOWN?"}, "response": [{"value": "Yes."}]},
        {"@turn": 0, "requestId": "r2", "metadata": {"@meta": 0}, "message": {"text": "And?"}, "response": [{"@part": 0, "value": "HIDDEN."}]}]}"#,
        )],
    ),
    (
        "ai-studio",
        &[(
            "a.json",
            r#"{"@conversation": 0, "runSettings": {"model": "models/m"}, "metadata": {"@about": 0}, "chunkedPrompt": {"chunks": [{"role": "user", "text": "SHOWN NUMBER?"},
        {"@turn": 0, "role": "model", "metadata": {"@meta": 0}, "text": "HIDDEN."}]}}"#,
        )],
    ),
    (
        "copilot-cli",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "type": "session.start", "timestamp": "2026-03-04T10:00:00.000Z", "data": {"@about": 0, "sessionId": "s-NUMBER"}}
{"type": "user.message", "timestamp": "2026-03-04T10:00:01.000Z", "data": {"content": "SHOWN?"}}
{"@turn": 0, "type": "assistant.message", "timestamp": "2026-03-04T10:00:02.000Z", "data": {"@message": 0, "content": "HIDDEN.", "metadata": {"@meta": 0}}}
"#,
        )],
    ),
    (
        "openai-messages",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "role": "session_meta", "metadata": {"@about": 0}}
{"role": "user", "content": "SHOWN NUMBER?"}
{"@turn": 0, "role": "assistant", "content": "HIDDEN."}
"#,
        )],
    ),
    (
        "codex",
        &[(
            "stream.jsonl",
            r#"{"@conversation": 0, "type": "thread.started", "thread_id": "u-NUMBER", "metadata": {"@about": 0}}
{"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "SHOWN."}}
{"@turn": 0, "type": "item.completed", "item": {"@message": 0, "id": "item_1", "type": "agent_message", "text": "HIDDEN.", "metadata": {"@meta": 0}}}
"#,
        )],
    ),
    (
        "gemini-cli",
        &[(
            "stream.jsonl",
            r#"{"@conversation": 0, "type": "init", "timestamp": "2026-03-04T09:15:00.000Z", "session_id": "v-NUMBER", "model": "wren-1", "metadata": {"@about": 0}}
{"type": "message", "timestamp": "2026-03-04T09:15:01.000Z", "role": "user", "content": "SHOWN?"}
{"@turn": 0, "type": "message", "timestamp": "2026-03-04T09:15:02.000Z", "role": "assistant", "content": "HIDDEN.", "delta": true, "metadata": {"@meta": 0}}
"#,
        )],
    ),
    (
        "claude-code",
        &[(
            "stream.jsonl",
            r#"{"@conversation": 0, "type": "system", "subtype": "init", "cwd": "/mill", "session_id": "v-NUMBER", "model": "wren-1", "tools": [], "metadata": {"@about": 0}}
{"type": "user", "message": {"role": "user", "content": "SHOWN?"}, "parent_tool_use_id": null, "session_id": "v-NUMBER", "uuid": "u-1"}
{"@turn": 0, "type": "assistant", "message": {"@message": 0, "id": "m-2", "model": "wren-1", "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}, "parent_tool_use_id": null, "session_id": "v-NUMBER", "uuid": "u-2"}
"#,
        )],
    ),
    (
        "pi",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "type": "session", "version": 3, "id": "s-NUMBER", "timestamp": "2026-03-04T10:00:00.000Z", "cwd": "/srv", "metadata": {"@about": 0}}
{"type": "message", "id": "a1", "parentId": null, "timestamp": "2026-03-04T10:00:01.000Z", "message": {"role": "user", "content": "SHOWN?"}}
{"@turn": 0, "type": "message", "id": "a2", "parentId": "a1", "timestamp": "2026-03-04T10:00:02.000Z", "message": {"@message": 0, "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}}
"#,
        )],
    ),
    (
        "openhands",
        &[(
            "a.json",
            r#"{"@conversation": 0, "metadata": {"@about": 0}, "trajectory": [
        {"id": 0, "timestamp": "2026-03-02T10:00:00.000000", "source": "user", "message": "", "action": "message", "args": {"content": "SHOWN?"}},
        {"@turn": 0, "id": 1, "timestamp": "2026-03-02T10:00:01.000000", "source": "agent", "message": "", "action": "message", "args": {"@message": 0, "content": "HIDDEN."}, "extras": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "openhands",
        &[(
            "output.jsonl",
            r#"{"@conversation": 0, "instance_id": "mill-NUMBER", "test_result": {}, "metadata": {"@about": 0}, "history": [[{"id": 0, "timestamp": "2026-03-02T10:00:00.000000", "source": "user", "message": "", "action": "message", "args": {"content": "SHOWN?"}}, {"@turn": 0, "id": "00000002-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:01.000000", "source": "agent", "llm_message": {"@message": 0, "role": "assistant", "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}, "kind": "MessageEvent"}]]}
"#,
        )],
    ),
    (
        "openhands",
        &[(
            "b.json",
            r#"[{"id": "00000001-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:00.000000", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "SHOWN?"}]}, "kind": "MessageEvent"},
        {"@turn": 0, "id": "00000002-1111-4222-8333-444444444444", "timestamp": "2026-03-02T10:00:01.000000", "source": "agent", "llm_message": {"@message": 0, "role": "assistant", "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}, "kind": "MessageEvent"}]"#,
        )],
    ),
    (
        "swe-agent",
        &[(
            "a.traj",
            r#"{"@conversation": 0, "metadata": {"@about": 0}, "trajectory": [{"action": "ls", "observation": "", "response": "x"}], "history": [
        {"role": "user", "content": "SHOWN?", "message_type": "observation"},
        {"@turn": 0, "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}], "info": {"exit_status": "submitted"}}"#,
        )],
    ),
    (
        "swe-agent",
        &[(
            "b.traj.json",
            r#"{"@conversation": 0, "info": {"model_stats": {"api_calls": 2}, "config": {"@about": 0}}, "messages": [
        {"role": "user", "content": "SHOWN?"},
        {"@turn": 0, "role": "assistant", "content": "HIDDEN.", "extra": {"@meta": 0}}], "trajectory_format": "mini-swe-agent-1.1"}"#,
        )],
    ),
    (
        "nextchat",
        &[(
            "a.json",
            r#"{"chat-next-web-store": {"sessions": [{"@conversation": 0, "id": "s-NUMBER", "topic": "T", "memoryPrompt": "", "metadata": {"@about": 0}, "lastUpdate": 1745939049000, "messages": [
        {"id": "m1", "date": "4/29/2025, 3:03:10 PM", "role": "user", "content": "SHOWN?"},
        {"@turn": 0, "id": "m2", "date": "4/29/2025, 3:03:12 PM", "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}]}]}}"#,
        )],
    ),
    (
        "conv2md",
        &[(
            "a.json",
            r#"{"@conversation": 0, "metadata": {"@about": 0}, "messages": [{"speaker": "Ada", "content": "SHOWN NUMBER."}, {"@turn": 0, "speaker": "Ada", "content": "HIDDEN.", "metadata": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "hacker-news",
        &[(
            "a.json",
            r#"{"@conversation": 0, "id": 1NUMBER, "created_at": "2026-03-01T10:00:00.000Z", "created_at_i": 1772359200, "type": "story", "author": "wren", "title": "T", "url": null, "text": "SHOWN", "points": 1, "story_id": 1, "children": [
        {"@turn": 0, "id": 3, "created_at_i": 1772359200, "type": "comment", "author": "moss", "text": "HIDDEN", "metadata": {"@meta": 0}, "children": []}]}"#,
        )],
    ),
    (
        "reddit",
        &[(
            "a.json",
            r#"[{"kind": "Listing", "data": {"children": [{"kind": "t3", "data": {"@conversation": 0, "name": "t3_NUMBER", "title": "T", "selftext": "SHOWN", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public", "metadata": {"@about": 0}}}]}},
        {"kind": "Listing", "data": {"children": [{"kind": "t1", "data": {"@turn": 0, "name": "t1_c1", "body": "HIDDEN", "author": "moss", "created_utc": 1772359300.0, "replies": "", "metadata": {"@meta": 0}}}]}}]"#,
        )],
    ),
    (
        "reddit",
        &[(
            "b.json",
            r#"[{"kind": "Listing", "data": {"children": [{"@outer": 0, "kind": "t3", "data": {"name": "t3_bNUMBER", "title": "T", "selftext": "SHOWN", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public"}}]}},
        {"@root": 0, "kind": "Listing", "data": {"children": [{"@wrapper": 0, "kind": "t1", "data": {"name": "t1_c1", "body": "HIDDEN", "author": "moss", "created_utc": 1772359300.0, "replies": ""}}]}}]"#,
        )],
    ),
    (
        "reddit",
        &[(
            "c.json",
            r#"[{"kind": "Listing", "data": {"@root": 0, "children": [{"kind": "t3", "data": {"name": "t3_cNUMBER", "title": "T", "selftext": "SHOWN", "author": "wren", "created_utc": 1772359200.0, "subreddit_type": "public"}}]}},
        {"kind": "Listing", "data": {"children": [{"kind": "t1", "data": {"name": "t1_c1", "body": "So be it.", "author": "moss", "created_utc": 1772359300.0,
        "replies": {"@wrapper": 0, "kind": "Listing", "data": {"@inner": 0, "children": [{"kind": "t1", "data": {"name": "t1_c2", "body": "HIDDEN", "author": "wren", "created_utc": 1772359400.0, "replies": ""}}]}}}}]}}]"#,
        )],
    ),
    (
        "discourse",
        &[(
            "a.json",
            r#"{"@conversation": 0, "id": 1NUMBER, "slug": "t", "title": "T", "archetype": "regular", "metadata": {"@about": 0}, "post_stream": {"posts": [
        {"id": 71, "username": "wren", "cooked": "<p>SHOWN</p>", "post_number": 1, "post_type": 1},
        {"@turn": 0, "id": 72, "username": "wren", "cooked": "<p>HIDDEN</p>", "post_number": 2, "post_type": 1, "metadata": {"@meta": 0}}], "stream": [71, 72]}}"#,
        )],
    ),
    (
        "slack",
        &[
            (
                "channels.json",
                r#"[{"@conversation": 0, "id": "CNUMBER", "name": "quay", "properties": {"@about": 0}}]"#,
            ),
            (
                "quay/2026-03-01.json",
                r#"[{"type": "message", "user": "U0000001", "ts": "1772359200.000001", "text": "SHOWN"},
            {"@turn": 0, "type": "message", "user": "U0000001", "ts": "1772359201.000001", "text": "HIDDEN", "metadata": {"@meta": 0}}]"#,
            ),
        ],
    ),
    (
        "discord",
        &[(
            "quay.json",
            r#"{"@conversation": 0, "guild": {"id": "1"}, "channel": {"id": "NUMBER", "type": "GuildTextChat", "name": "q"}, "metadata": {"@about": 0}, "messages": [
        {"id": "1", "type": "Default", "timestamp": "2026-03-01T10:00:00+00:00", "content": "SHOWN", "author": {"id": "1", "name": "wren"}},
        {"@turn": 0, "id": "2", "type": "Default", "timestamp": "2026-03-01T10:01:00+00:00", "content": "HIDDEN", "author": {"id": "1", "name": "wren"}, "metadata": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "mattermost",
        &[(
            "e.jsonl",
            r#"{"type": "version", "version": 1}
{"type": "channel", "channel": {"@conversation": 0, "team": "tNUMBER", "name": "town", "display_name": "Town", "type": "O", "props": {"@about": 0}}}
{"type": "post", "post": {"team": "tNUMBER", "channel": "town", "user": "wren", "create_at": 1772359200000, "message": "SHOWN"}}
{"@turn": 0, "type": "post", "post": {"@message": 0, "team": "tNUMBER", "channel": "town", "user": "wren", "create_at": 1772359201000, "message": "HIDDEN", "props": {"@meta": 0}}}
"#,
        )],
    ),
    (
        "zulip",
        &[(
            "messages-000001.json",
            r#"{"zerver_message": [{"id": 1, "sender": 10, "recipient": 5, "subject": "NUMBER", "content": "SHOWN", "date_sent": 1772359201.0},
        {"@turn": 0, "id": 2, "sender": 10, "recipient": 5, "subject": "NUMBER", "content": "HIDDEN", "date_sent": 1772359202.0, "metadata": {"@meta": 0}}],
        "zerver_userprofile": [{"id": 10, "full_name": "Wren"}], "zerver_stream": [{"@conversation": 0, "id": 1, "name": "mill", "invite_only": false, "metadata": {"@about": 0}}],
        "zerver_recipient": [{"id": 5, "type": 2, "type_id": 1}]}"#,
        )],
    ),
    (
        "google-chat",
        &[
            (
                "Space NUMBER/group_info.json",
                r#"{"@conversation": 0, "name": "The quay", "members": [], "metadata": {"@about": 0}}"#,
            ),
            (
                "Space NUMBER/messages.json",
                r#"{"messages": [{"text": "SHOWN", "creator": {"name": "Wren", "user_type": "Human"}, "topic_id": "a", "created_date": "Thursday, November 3, 2016 at 11:59:01 AM UTC", "message_id": "sNUMBER/a/a"},
            {"@turn": 0, "text": "HIDDEN", "creator": {"name": "Wren", "user_type": "Human"}, "topic_id": "a", "created_date": "Thursday, November 3, 2016 at 11:59:02 AM UTC", "message_id": "sNUMBER/a/b", "metadata": {"@meta": 0}}]}"#,
            ),
        ],
    ),
    (
        "teams",
        &[(
            "messages.json",
            r#"{"userId": "8:wren", "exportDate": "2026-03-01T12:00", "conversations": [{"@conversation": 0, "id": "19:NUMBER@thread.v2", "displayName": "Quay", "metadata": {"@about": 0}, "threadProperties": {"topic": "Quay"}, "MessageList": [
        {"id": "1772359200001", "displayName": "Wren", "originalarrivaltime": "2026-03-01T10:00:01Z", "messagetype": "RichText/Html", "content": "SHOWN", "from": "8:wren"},
        {"@turn": 0, "id": "1772359200002", "displayName": "Wren", "originalarrivaltime": "2026-03-01T10:00:02Z", "messagetype": "RichText/Html", "content": "HIDDEN", "from": "8:wren", "properties": {"@meta": 0}}]}]}"#,
        )],
    ),
    (
        "telegram",
        &[(
            "result.json",
            r#"{"@conversation": 0, "name": "Quay", "type": "public_supergroup", "id": 1NUMBER, "metadata": {"@about": 0}, "messages": [
        {"id": 1, "type": "message", "date_unixtime": "1772359201", "from": "Wren", "from_id": "user1", "text": "SHOWN"},
        {"@turn": 0, "id": 2, "type": "message", "date_unixtime": "1772359202", "from": "Wren", "from_id": "user1", "text": "HIDDEN", "metadata": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "messenger",
        &[(
            "inbox/wren_1/message_1.json",
            r#"{"@conversation": 0, "participants": [{"name": "Wren"}, {"name": "Oriel"}, {"name": "Moss"}], "metadata": {"@about": 0}, "messages": [
        {"sender_name": "Wren", "timestamp_ms": 1772359200001, "content": "SHOWN"},
        {"@turn": 0, "sender_name": "Wren", "timestamp_ms": 1772359200002, "content": "HIDDEN", "metadata": {"@meta": 0}}], "title": "The quay", "thread_path": "inbox/quay_NUMBER"}"#,
        )],
    ),
    (
        "signal",
        &[(
            "data.json",
            r#"{"date": "2026-03-01T10:00:00", "sender": "Ada", "body": "SHOWN", "quote": "", "sticker": null, "reactions": [], "attachments": []}
{"@turn": 0, "date": "2026-03-01T10:00:01", "sender": "Ada", "body": "HIDDEN", "quote": "", "sticker": null, "reactions": [], "attachments": [], "metadata": {"@meta": 0}}
"#,
        )],
    ),
    (
        "matrix",
        &[(
            "room.json",
            r#"{"@conversation": 0, "room_name": "Quay", "topic": "", "exported_by": "Wren", "metadata": {"@about": 0}, "messages": [
        {"type": "m.room.join_rules", "sender": "@wren:e.org", "state_key": "", "content": {"join_rule": "public"}, "origin_server_ts": 1772359200000, "event_id": "$0"},
        {"type": "m.room.message", "sender": "@wren:e.org", "content": {"msgtype": "m.text", "body": "SHOWN"}, "origin_server_ts": 1772359201000, "event_id": "$1", "room_id": "!NUMBER:e.org"},
        {"@turn": 0, "type": "m.room.message", "sender": "@wren:e.org", "content": {"@message": 0, "msgtype": "m.text", "body": "HIDDEN"}, "metadata": {"@meta": 0}, "origin_server_ts": 1772359202000, "event_id": "$2"}]}"#,
        )],
    ),
    (
        "whisper",
        &[(
            "a.json",
            r#"{"@conversation": 0, "language": "en", "metadata": {"@about": 0}, "segments": [{"start": 0.0, "end": 1.0, "text": "SHOWN NUMBER."}, {"@turn": 0, "start": 1.0, "end": 2.0, "text": "HIDDEN.", "metadata": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "podcast-transcript",
        &[(
            "a.json",
            r#"{"@conversation": 0, "version": "1.0.0", "metadata": {"@about": 0}, "segments": [{"startTime": 0, "speaker": "Ada", "body": "SHOWN NUMBER."}, {"@turn": 0, "startTime": 1, "speaker": "Bob", "body": "HIDDEN.", "metadata": {"@meta": 0}}]}"#,
        )],
    ),
    (
        "oasst",
        &[(
            "a.jsonl",
            r#"{"message_tree_id": "t-NUMBER", "message_id": "m-1", "role": "prompter", "parent_id": null, "text": "SHOWN?"}
{"@turn": 0, "message_tree_id": "t-NUMBER", "message_id": "m-2", "role": "assistant", "parent_id": "m-1", "text": "HIDDEN.", "metadata": {"@meta": 0}}
"#,
        )],
    ),
    (
        "oasst",
        &[(
            "b.jsonl",
            r#"{"@conversation": 0, "message_tree_id": "u-NUMBER", "tree_state": "ready_for_export", "metadata": {"@about": 0}, "prompt": {"message_id": "n-1", "role": "prompter", "text": "SHOWN?", "replies": [{"@turn": 0, "message_id": "n-2", "role": "assistant", "text": "HIDDEN.", "metadata": {"@meta": 0}, "replies": []}]}}
"#,
        )],
    ),
    (
        "sharegpt",
        &[(
            "a.json",
            r#"[{"@conversation": 0, "id": "s-NUMBER", "metadata": {"@about": 0}, "conversations": [{"from": "human", "value": "SHOWN?"}, {"@turn": 0, "from": "gpt", "value": "HIDDEN.", "metadata": {"@meta": 0}}]}]"#,
        )],
    ),
    (
        "alpaca",
        &[(
            "a.json",
            r#"[{"@conversation": 0, "instruction": "SHOWN NUMBER?", "input": "", "output": "HIDDEN.", "metadata": {"@about": 0}}]"#,
        )],
    ),
    (
        "openai-messages",
        &[(
            "a.jsonl",
            r#"{"@conversation": 0, "id": "o-NUMBER", "metadata": {"@about": 0}, "messages": [{"role": "user", "content": "SHOWN?"}, {"@turn": 0, "role": "assistant", "metadata": {"@meta": 0}, "content": [{"@part": 0, "type": "text", "text": "HIDDEN."}]}]}
"#,
        )],
    ),
];

/// Text formats: the name, a file name and the text. `FRONT` is replaced by front matter or by nothing, `SHOWN` and
/// `HIDDEN` by words that are published only without it.
pub(crate) const TEXTS: &[(&str, &str, &str)] = &[
    (
        "markdown",
        "a.md",
        "FRONT**Ada:** SHOWN is what I said.\n\n**Wren:** HIDDEN it is.\n\n**Ada:** So be it.\n",
    ),
    (
        "convo",
        "b.convo",
        "FRONT### @Ada\nHIDDEN, said Ada.\n\n### @Ada\nSHOWN it is.\n\n----\n{\"title\": \"T\", \"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"]}\n",
    ),
    (
        "specstory",
        "a.md",
        "FRONT<!-- Generated by SpecStory -->\n\n# T (2026-03-04 09:15:00)\n\n_**User**_\n\nSHOWN?\n\n---\n\n_**Assistant**_\n\nHIDDEN.\n\n---\n\n",
    ),
    (
        "chat-export",
        "a.md",
        "FRONT## Message From You:\nSHOWN?\n\n## Message From ChatGPT:\nHIDDEN.\n",
    ),
    (
        "aider",
        "a.md",
        "FRONT# aider chat started at 2026-03-04 10:00:00\n\n#### SHOWN?  \n\nHIDDEN.\n\n> Tokens: 5 sent, 6 received.  \n\n",
    ),
    (
        "srt",
        "a.srt",
        "FRONT1\n00:00:00,000 --> 00:00:01,500\nAda: SHOWN.\n\n2\n00:00:01,000 --> 00:00:02,500\nBob: HIDDEN.\n\n",
    ),
];

/// Formats without a place to mark a conversation or turn, and the reason.
pub(crate) const WITHOUT_PLACES: &[(&str, &str)] = &[
    ("whatsapp", "lines of text that the app writes; a rule in site.toml opens each chat"),
    ("line", "lines of text that the app writes; a rule in site.toml opens each chat"),
    ("kakaotalk", "lines of text that the app writes; a rule in site.toml opens each chat"),
    ("zoom-chat", "lines of text that the app writes; a rule in site.toml opens each chat"),
    ("imessage", "text or HTML that the exporter writes; a rule in site.toml opens each chat"),
    ("irc", "lines of a log; a rule in site.toml opens each channel"),
    ("mail", "fields of mails, which `mails_with_restrictions_are_withheld` tries"),
    ("webvtt", "header fields and notes, which `recordings_withheld` tries"),
    ("otter", "lines of text without a head"),
];

/// Marks with another meaning in a format, by a part of their text, and the reason.
pub(crate) const OTHER_MEANINGS: &[(&str, &str, &str)] = &[
    ("open-webui", "\"archived\"", "the program's own list of what is shown in its menu"),
    ("discourse", "\"archived\"", "nobody can reply, but everybody can read"),
    ("reddit", "\"archived\"", "nobody can reply, but everybody can read"),
    ("deepseek", "\"status\"", "the state in which the program left an answer"),
    ("slack", "\"is_private\": 1", "`direct_messages` opens it"),
    ("teams", "\"properties\"", "settings that the program keeps for the reader"),
];

/// Formats in which a conversation is one of several records: only its own keys and metadata apply,
/// not those of other objects in it.
pub(crate) const RECORDS: [&str; 5] = ["chibi", "cursor", "reddit", "slack", "mattermost"];
