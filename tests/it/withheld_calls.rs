//! Tools of servers that are called by other tools, by programs, in shell commands or in files of
//! other programs. Their input and output are not published.

use std::fs;

use convo_site::model::Block;
use serde_json::{Value, json};

use crate::support::{BASE, SiteTest, files_below, unpacked};

/// A file with one call. `ASKED` is its input, `TOLD` its output and `SAID` public text; `NUMBER` is
/// different in each file.
struct Sample {
    about: String,
    file: &'static str,
    text: String,
    /// Whether its input and output are published.
    is_open: bool,
}

/// A record of a session of Claude Code with these fields.
fn record(number: u8, kind: &str, fields: &Value) -> String {
    let parent = (number > 1).then(|| format!("NUMBER-{}", number - 1));
    let mut record = json!({
        "type": kind, "uuid": format!("NUMBER-{number}"), "parentUuid": parent,
        "sessionId": "NUMBER", "timestamp": "2026-03-01T10:00:00Z",
    });
    for (key, value) in fields.as_object().expect("fields") {
        record[key.as_str()] = value.clone();
    }
    format!("{record}\n")
}

/// A record with a message.
fn message(number: u8, role: &str, content: &Value) -> String {
    record(number, role, &json!({"message": {"role": role, "content": content}}))
}

/// A session of Claude Code with a prompt, a block of the answer, and the result of a call.
fn claude_code(prompt: &str, block: &Value, result: &Value) -> String {
    let answer = json!([{"type": "text", "text": "Yes."}, block]);
    let answer =
        json!({"role": "assistant", "id": "mNUMBER", "model": "wren-1", "content": answer});
    message(1, "user", &json!(prompt))
        + &record(2, "assistant", &json!({"message": answer}))
        + &message(3, "user", &json!([result]))
}

/// An event of a session of Copilot CLI.
fn event(kind: &str, data: &Value) -> String {
    let time = "2026-03-02T10:00:00.000Z";
    format!("{}\n", json!({"type": kind, "timestamp": time, "data": data}))
}

/// A session of Claude Code with a call.
fn call(name: &str, input: &Value) -> String {
    let call = json!({"type": "tool_use", "id": "t1", "name": name, "input": input});
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "TOLD"});
    claude_code("SAID", &call, &result)
}

/// Calls in the arguments of tools that call others.
fn calls_of_calls() -> Vec<Sample> {
    let get = "mcp__acme__get";
    let mut samples = Vec::new();
    for (name, input, is_open) in [
        ("Batch", json!({"calls": [{"name": get, "input": {"q": "ASKED"}}]}), false),
        ("batch_tool", json!({"calls": [{"tool": get, "args": {"q": "ASKED"}}]}), false),
        ("Parallel", json!([{"toolName": get, "parameters": {"q": "ASKED"}}]), false),
        (
            "multi_tool_use.parallel",
            json!({"tool_uses": [{"recipient_name": "gmail_search", "parameters": {"q": "ASKED"}}]}),
            false,
        ),
        (
            "batch",
            json!({"calls": [{"function": {"name": get, "arguments": "{\"q\": \"ASKED\"}"}}]}),
            false,
        ),
        (
            "batch",
            json!({"calls": "[{\"name\": \"mcp__acme__get\", \"input\": {\"q\": \"ASKED\"}}]"}),
            false,
        ),
        ("batch", json!({"calls": [{"name": get}], "note": "ASKED"}), false),
        (
            "batch",
            json!({"calls": [{"server": "acme", "tool": "get", "input": {"q": "ASKED"}}]}),
            false,
        ),
        ("call_tool", json!({"name": get, "arguments": {"q": "ASKED"}}), false),
        (
            "Batch",
            json!({"calls": [{"tool_name": "Bash", "input": {"command": "mcp-cli call acme/get ASKED"}}]}),
            false,
        ),
        ("Batch", json!({"calls": [{"tool_name": "Bash", "input": {"command": "ASKED"}}]}), true),
        ("Notes", json!({"notes": [{"name": get, "input": "ASKED"}]}), true),
    ] {
        let about = format!("{name} {input}");
        samples.push(Sample { about, file: "s.jsonl", text: call(name, &input), is_open });
    }
    for (name, is_open) in [("gmail_search", false), ("water_garden", false), ("read_file", true)] {
        let input = json!({"invocations": [{"name": name, "input": {"q": "ASKED"}}]});
        let text = json!({"version": "0.3.0", "title": "NUMBER", "messages": [
            {"User": {"id": "u1", "content": [{"Text": "SAID"}]}},
            {"Agent": {
                "content": [{"ToolUse": {"id": "1", "name": "batch_tool", "input": input}}],
                "tool_results": {"1": {"tool_use_id": "1", "tool_name": "batch_tool", "content": {"Text": "TOLD"}}},
            }},
        ]});
        let about = format!("zed {name}");
        samples.push(Sample { about, file: "thread.json", text: text.to_string(), is_open });
    }
    samples
}

/// Programs that call tools as functions.
fn programs() -> Vec<Sample> {
    let sample = |(program, is_open): (&str, bool)| {
        let block = json!({
            "type": "server_tool_use", "id": "t1", "name": "code_execution",
            "input": {"code": program},
        });
        let result = json!({
            "type": "code_execution_tool_result", "tool_use_id": "t1",
            "content": {"type": "code_execution_result", "stdout": "TOLD"},
        });
        let text = claude_code("SAID", &block, &result);
        Sample { about: program.to_owned(), file: "s.jsonl", text, is_open }
    };
    [
        ("rows = await acme.get('ASKED')", false),
        ("rows = await query_database('ASKED')", false),
        ("import asyncio\nr = await asyncio.gather(acme.get('ASKED'), acme.get('x'))", false),
        ("import * as acme from './servers/acme';\nawait acme.get('ASKED');", false),
        ("print('ASKED')", true),
        (
            "import asyncio\nasync def main():\n    await asyncio.sleep(1)\n    print('ASKED')\nawait main()",
            true,
        ),
    ]
    .map(sample)
    .into()
}

/// Shell commands that call tools of servers.
fn commands() -> Vec<Sample> {
    let sample = |(command, is_open): (&str, bool)| {
        let text = call("Bash", &json!({"command": command, "description": "ASKED"}));
        Sample { about: command.to_owned(), file: "s.jsonl", text, is_open }
    };
    [
        ("mcp-cli call acme/get '{\"q\":\"ASKED\"}'", false),
        ("cd /tmp && mcp-cli call acme/get ASKED", false),
        ("A=1 mcp-cli --json call \"acme/get\" ASKED; ls", false),
        ("echo ASKED | /usr/bin/mcp-cli call acme/get - | jq .", false),
        ("x=$(mcp-cli read acme/ASKED)", false),
        ("bash -c 'mcp-cli call acme/get ASKED'", false),
        ("mcp-cli call $tool ASKED", false),
        ("mcp-cli resources # ASKED", false),
        ("npx -y @acme/mcp-cli@latest call acme/get ASKED", false),
        ("node ./mcp-cli.js call acme/get ASKED", false),
        ("mcp-cli call filesystem/read_file ASKED", true),
        ("mcp-cli info acme/get # ASKED", true),
        ("grep -rn 'mcp-cli call acme/get' ASKED", true),
    ]
    .map(sample)
    .into()
}

/// Calls in sessions that SpecStory saved.
fn specstory() -> Vec<Sample> {
    let sample = |(program, kind, name, is_open): (&str, &str, &str, bool)| {
        let session = match program {
            "" => String::new(),
            program => format!("<!-- {program} Session NUMBER (2026-03-04 10:00:00Z) -->\n\n"),
        };
        let text = format!(
            "<!-- Generated by SpecStory -->\n\n# 2026-03-04 10:00:00Z\n\n{session}\
             _**User (2026-03-04 10:00:00Z)**_\n\nSAID\n\n---\n\n\
             _**Agent (wren 2026-03-04 10:00:05Z)**_\n\n\
             <tool-use data-tool-type=\"{kind}\" data-tool-name=\"{name}\"><details>\n\
             <summary>Tool use: **{name}** `ASKED`</summary>\n\n```text\nTOLD\n```\n\
             </details></tool-use>\n\n---\n"
        );
        let about = format!("{program}: {kind} {name}");
        Sample { about, file: "2026-03-04_10-00-00Z-t.md", text, is_open }
    };
    [
        ("Gemini CLI", "unknown", "water_garden", false),
        ("Gemini CLI", "read", "read_file", true),
        ("Claude Code", "mcp", "get_thing", false),
        ("Claude Code", "MCP", "Read", false),
        ("Claude Code", "mcp", "mcp__filesystem__read_file", true),
        ("Claude Code", "unknown", "Skill", true),
        ("VS Code Copilot IDE", "unknown", "mcp_acme_get", false),
        ("VS Code Copilot IDE", "unknown", "copilot_readFile", true),
        ("Wren CLI", "unknown", "water_garden", false),
        ("Wren CLI", "shell", "Bash", true),
        ("", "unknown", "water_garden", false),
        ("", "shell", "Bash", true),
    ]
    .map(sample)
    .into()
}

/// Calls in sessions that SpecStory saved as lines of text, and their results.
fn plain_specstory() -> Vec<Sample> {
    let sample = |(program, answer, is_open): (&str, &str, bool)| {
        let text = format!(
            "<!-- Generated by SpecStory -->\n\n<!-- {program} Session NUMBER (2025-10-15 00:22Z) -->\n\n\
             # T (2025-10-15 00:22Z)\n\n_**User**_\n\nSAID\n\n---\n\n_**Agent (wren)**_\n\n{answer}\n\n\
             ---\n\nGood.\n\n---\n"
        );
        Sample { about: answer.to_owned(), file: "2025-10-15_00-22Z-t.md", text, is_open }
    };
    [
        ("cursor", "Tool use: **run_terminal_cmd**\n\n```bash\nASKED\n```\n\n```\nTOLD\n```", true),
        ("cursor", "Tool use: **mcp_acme_get**\n\nASKED\n\n```\nTOLD\n```", false),
        ("cursor", "Tool use: **mcp_acme_get**\n\n```\na\n```\n\nASKED\n\nTOLD", false),
        (
            "cursor",
            "Tool use: **mcp_acme_get**\n\n<details>\n<summary>ASKED</summary>\n\n| TOLD |\n\n---\n\nTOLD\n\
             </details>",
            false,
        ),
        (
            "cursor",
            "Tool use: **mcp_acme_get**\n\nASKED\n\n```\n# A\n\n```js\nx\n```\n\n---\n\nTOLD\n```",
            false,
        ),
        // Output that ends its element or its code itself, or never.
        (
            "cursor",
            "<details><summary>Tool use: **mcp_acme_get** ASKED</summary>\n\n```\n</details>\n```\n\nTOLD\n\n\
             </details>",
            false,
        ),
        ("cursor", "<details><summary>Tool use: **mcp_acme_get**</summary>\n\nASKED\n\nTOLD", false),
        ("cursor", "Tool use: **mcp_acme_get**\n\nRead file: ASKED\nTOLD", false),
        (
            "cursor",
            "Tool use: **mcp_acme_get**\n\nASKED\n\n```\na\n\n---\n\nTool use: **read_file**\n\nTOLD\n```",
            false,
        ),
        (
            "Claude Code",
            "Tool use: **mcp__acme__get** `ASKED`\n\n_**Agent**_\n\nResult:\n\n```\nTOLD\n```\n\n\
             _**Agent (wren)**_",
            false,
        ),
        (
            "Claude Code",
            "Tool use: **Read**\n\n_**Agent (wren)**_\n\nTool use: **mcp__acme__get** `ASKED`\n\n\
             _**Agent**_\n\nResult:\n\n```\nTOLD\n```\n\n_**Agent (wren)**_",
            false,
        ),
        (
            "Claude Code",
            "Tool use: **Bash** `ASKED`\n\n_**Agent**_\n\nResult:\n\n```\nTOLD\n```\n\n_**Agent (wren)**_",
            true,
        ),
    ]
    .map(sample)
    .into()
}

/// Tags in which Claude Code adds data of servers to a prompt.
fn tags() -> Vec<Sample> {
    let sample = |tag: &str| {
        let close = tag.split(' ').next().unwrap_or(tag);
        let prompt = format!("SAID <{tag}>ASKED</{close}>");
        let block = json!({"type": "text", "text": "Good."});
        let result = json!({"type": "text", "text": format!("<{tag}>\nTOLD")});
        let text = claude_code(&prompt, &block, &result);
        Sample { about: tag.to_owned(), file: "s.jsonl", text, is_open: false }
    };
    [
        "mcp-resource",
        "mcp-resource server=\"acme\" uri=\"acme://x\"",
        "mcp-resource-update server=\"acme\" uri=\"acme://x\"",
        "mcp-polling-update type=\"resource\" server=\"acme\"",
    ]
    .map(sample)
    .into()
}

/// Sessions of Claude Code in which a call reads what a call of a server returned.
fn saved_outputs() -> Vec<Sample> {
    let sample = |(returned, name, input, is_open): (&str, &str, Value, bool)| {
        let about = format!("{returned} {name} {input}");
        let get = |id: &str, name: &str, input: &Value| json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
        let result = |id: &str, content: &str| json!([{"type": "tool_result", "tool_use_id": id, "content": content}]);
        let first = match returned.starts_with("mcp-cli") {
            true => get("t1", "Bash", &json!({"command": returned})),
            false => get("t1", "mcp__acme__get", &json!({"q": 1})),
        };
        let text = message(1, "user", &json!("SAID"))
            + &message(2, "assistant", &first)
            + &message(3, "user", &result("t1", returned))
            + &message(4, "assistant", &get("t2", name, &input))
            + &message(5, "user", &result("t2", "TOLD"));
        Sample { about, file: "s.jsonl", text, is_open }
    };
    let long = "Error: result exceeds maximum allowed tokens. Output has been saved to \
                /x/tool-results/mcp-acme-get-17.txt.";
    let file = "/x/tool-results/mcp-acme-get-17.txt";
    [
        // Below, a command writes the output of a server to a file.
        ("mcp-cli call acme/get '{}' > /tmp/rows.json", "Read", json!({"file_path": "/tmp/rows.json", "note": "ASKED"}), false),
        ("mcp-cli call acme/get '{}' >>rows.json 2>/dev/null", "Bash", json!({"command": "jq .ASKED ./rows.json"}), false),
        ("mcp-cli call acme/get - | jq . | tee -a out/rows.json", "Grep", json!({"pattern": "ASKED", "path": "/srv/out/rows.json"}), false),
        ("mcp-cli call acme/get -o rows.json", "Bash", json!({"command": "head rows.json # ASKED"}), false),
        ("mcp-cli call acme/get '{}' > rows.json", "Read", json!({"file_path": "/tmp/notes.md", "note": "ASKED"}), true),
        ("mcp-cli call acme/get '{}' > /dev/null 2>&1", "Bash", json!({"command": "ls 2> /dev/null # ASKED"}), true),
        (long, "Read", json!({"file_path": file, "note": "ASKED"}), false),
        ("Yes.", "Read", json!({"file_path": file, "note": "ASKED"}), false),
        (long, "Bash", json!({"command": format!("jq .ASKED {file} | head")}), false),
        (long, "Bash", json!({"command": "cd /x/tool-results; jq .ASKED mcp-acme-get-17.txt"}), false),
        (long, "Grep", json!({"pattern": "ASKED", "path": file}), false),
        ("Full output available at: /x/out.json", "Read", json!({"file_path": "/x/out.json", "note": "ASKED"}), false),
        ("Running in the background with ID: b17.", "BashOutput", json!({"bash_id": "b17", "filter": "ASKED"}), false),
        (long, "Read", json!({"file_path": "/x/other.txt", "note": "ASKED"}), true),
        (
            "Yes.",
            "Read",
            json!({"file_path": "/x/tool-results/mcp-filesystem-read_file-17.txt", "note": "ASKED"}),
            true,
        ),
        ("Running in the background with ID: b17.", "BashOutput", json!({"bash_id": "b18", "filter": "ASKED"}), true),
    ]
    .map(sample)
    .into()
}

/// Files that Claude Code attached to a prompt, after a call of a server.
fn attached_outputs() -> Vec<Sample> {
    let sample = |(returned, path, is_open): (&str, &str, bool)| {
        let block =
            json!({"type": "tool_use", "id": "t1", "name": "mcp__acme__get", "input": {"q": 1}});
        let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": returned});
        let content = json!({"type": "text", "file": {"filePath": path, "content": "ASKED TOLD"}});
        let attached =
            json!({"type": "file", "filename": path, "displayPath": path, "content": content});
        let record = record(4, "attachment", &json!({"attachment": attached}));
        let text = claude_code("SAID", &block, &result) + &record;
        Sample { about: format!("attached {path}: {returned}"), file: "s.jsonl", text, is_open }
    };
    [
        ("Yes.", "/x/tool-results/mcp-acme-get-17.txt", false),
        ("Output saved to /x/tool-results/t9.txt.", "/x/tool-results/t9.txt", false),
        ("Output saved to /x/out.json.", "/x/out.json", false),
        ("Output saved to /x/out.json.", "/x/notes.md", true),
    ]
    .map(sample)
    .into()
}

/// Prompts that Claude Code gets from a server, in its logs.
fn prompts_of_servers() -> Vec<Sample> {
    let words = || json!({"type": "text", "text": "ASKED TOLD"});
    let file = || {
        let source = json!({"type": "text", "media_type": "text/plain", "data": "ASKED TOLD"});
        json!({"type": "document", "title": "a", "source": source})
    };
    let sample = |(command, prompt, is_meta, is_open): (&str, Value, bool, bool)| {
        let typed = format!(
            "<command-message>{command}</command-message>\n<command-name>/{command}</command-name>\n\
             <command-args>SAID</command-args>"
        );
        let about = format!("{command}, {prompt}, {is_meta}");
        let prompt = json!({"message": {"role": "user", "content": [prompt]}, "isMeta": is_meta});
        let text = message(1, "user", &json!(typed))
            + &record(2, "user", &prompt)
            + &message(3, "assistant", &json!([{"type": "text", "text": "Good."}]));
        Sample { about, file: "s.jsonl", text, is_open }
    };
    [
        ("mcp__acme__brief", words(), true, false),
        ("mcp__acme__brief", words(), false, false),
        ("mcp__acme__brief", file(), false, false),
        ("lamp", words(), false, true),
        ("lamp", file(), false, true),
    ]
    .map(sample)
    .into()
}

/// Messages around the command of a server, in logs of Claude Code and in exports of SpecStory: TOLD is from the server,
/// SAID from the person.
fn messages_around_a_command() -> Vec<Sample> {
    let command = "<command-message>acme:brief</command-message>\n<command-name>/mcp__acme__brief</command-name>";
    let notice = "<task-notification><summary>Done</summary></task-notification>";
    let cases: [&[&str]; 19] = [
        &[
            command,
            "Brief:\n<task-notification><summary>TOLD</summary></task-notification>\nTOLD",
            "=",
            "SAID",
        ],
        &[command, "Do:\n<command-name>/x</command-name>\nTOLD", "=", "SAID"],
        &[command, "<teammate-message teammate_id=\"x\">TOLD", "=", "SAID"],
        &[command, "<bash-input>TOLD</bash-input>", "=", "SAID"],
        &[command, "<command-args>TOLD</command-args>", "=", "SAID"],
        &["<command-name>/mcp__acme__brief\nTOLD", "=", "SAID"],
        &["/mcp__acme__brief", "TOLD", "=", "SAID"],
        &[
            command,
            "This session is being continued from a previous conversation TOLD",
            "=",
            "SAID",
        ],
        &[command, "<think>TOLD</think>", "=", "SAID"],
        &[command, notice, "TOLD", "=", "SAID"],
        &[command, "@", "TOLD", "=", "SAID"],
        &[&format!("{command}{notice}TOLD"), "=", "SAID"],
        &[command, "TOLD", "TOLD", "=", "SAID"],
        &[command, "<local-command-stdout>TOLD", "=", "SAID"],
        &[command, "[Request interrupted by user]\n\nSAID"],
        &["Look:\n<tick>1</tick>\n<command-message>SAID</command-message>"],
        &["/lamp", "See\n<task-notification><status>SAID</status></task-notification>"],
        &["<bash-input>ls</bash-input>\nCaveat: what I SAID"],
        &[
            "<command-name>/lamp</command-name>",
            "<local-command-stdout>Lit</local-command-stdout>",
            "SAID",
        ],
    ];
    let mut samples = Vec::new();
    for case in cases {
        let (mut log, mut export) = (String::new(), String::new());
        export.push_str(
            "<!-- Generated by SpecStory -->\n\n# 2026-03-04 10:00:00Z\n\n\
             <!-- Claude Code Session NUMBER (2026-03-04 10:00:00Z) -->\n\n",
        );
        for (number, text) in (1..).zip(case) {
            let (header, text) = match *text {
                "=" => ("Agent (wren", "Good."),
                "@" => ("Agent (<synthetic>", "API Error: late"),
                text => ("User (", text),
            };
            let header = format!("{header} 2026-03-04 10:00:00Z)").replace("( ", "(");
            export.push_str(&format!("_**{header}**_\n\n{text}\n\n---\n\n"));
            let fields = match header.starts_with("User") {
                true => json!({"message": {"role": "user", "content": text}}),
                false => {
                    let model = if text == "Good." { "wren" } else { "<synthetic>" };
                    let content = json!([{"type": "text", "text": text}]);
                    json!({"message": {"role": "assistant", "id": format!("m{number}"), "model": model,
                        "content": content}})
                }
            };
            let kind = if header.starts_with("User") { "user" } else { "assistant" };
            log.push_str(&record(number, kind, &fields));
        }
        let about = case.join(" | ");
        let sample =
            |file, text| Sample { about: format!("{file}: {about}"), file, text, is_open: false };
        samples.push(sample("s.jsonl", log));
        samples.push(sample("2026-03-04_10-00-00Z-t.md", export));
    }
    samples
}

/// The same prompts in exports of SpecStory.
fn exported_prompts_of_servers() -> Vec<Sample> {
    let header = "_**User (2026-03-04 10:00:00Z)**_\n\n";
    let next = format!("\n\n---\n\n{header}");
    let output = "<local-command-stdout>ASKED TOLD</local-command-stdout>";
    let sample = |(command, before, prompt, is_open): (&str, &str, &str, bool)| {
        let text = format!(
            "<!-- Generated by SpecStory -->\n\n# 2026-03-04 10:00:00Z\n\n\
             <!-- Claude Code Session NUMBER (2026-03-04 10:00:00Z) -->\n\n{header}\
             <command-message>{command}</command-message>\n<command-name>/{command}</command-name>\n\
             <command-args>SAID</command-args>{before}{prompt}\n\n---\n\n\
             _**Agent (wren 2026-03-04 10:00:05Z)**_\n\nGood.\n\n---\n"
        );
        let about = format!("SpecStory: {command}{before}{prompt}");
        Sample { about, file: "2026-03-04_10-00-00Z-t.md", text, is_open }
    };
    [
        ("mcp__acme__brief", next.as_str(), "ASKED TOLD", false),
        ("mcp__acme__brief", "\n\n", "ASKED TOLD", false),
        ("mcp__acme__brief", &next, output, false),
        ("mcp__acme__brief", &next, "<local-command-stdout>ASKED TOLD", false),
        ("lamp", &next, "ASKED TOLD", true),
        ("lamp", &next, output, true),
    ]
    .map(sample)
    .into()
}

/// Messages of Claude Code that name the call whose output they are.
fn outputs_in_messages() -> Vec<Sample> {
    let sample = |(name, content, is_open): (&str, Value, bool)| {
        let block = json!({"type": "tool_use", "id": "t1", "name": name, "input": {"q": "ASKED"}});
        let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "Yes."});
        let fields =
            json!({"message": {"role": "user", "content": content}, "sourceToolUseID": "t1"});
        let text = claude_code("SAID", &block, &result) + &record(4, "user", &fields);
        Sample { about: format!("{name} {content}"), file: "s.jsonl", text, is_open }
    };
    let blocks = json!([{"type": "text", "text": "TOLD"}]);
    [
        ("mcp__acme__get", json!("TOLD"), false),
        ("mcp__acme__get", blocks.clone(), false),
        ("Lamp", blocks, true),
    ]
    .map(sample)
    .into()
}

/// Tools whose names say only partly that they belong to a server.
fn names() -> Vec<Sample> {
    let sample = |(name, is_open): (&str, bool)| {
        let text = call(name, &json!({"q": "ASKED"}));
        Sample { about: name.to_owned(), file: "s.jsonl", text, is_open }
    };
    [
        ("callMCPTool", false),
        ("MCPtool-get", false),
        ("useMcpServer", false),
        ("\u{ff4d}\u{ff43}\u{ff50}__acme__get", false),
        ("get_sentry_issue", false),
        ("listTeamsMessages", false),
        ("fetch_linear_issues", false),
        ("draw_bounding_box", true),
        ("TeamCreate", true),
    ]
    .map(sample)
    .into()
}

/// Sessions in which a second call has the id of the first one.
fn reused_ids() -> Vec<Sample> {
    let claude_code = |first: &str, second: &str| {
        let block =
            json!({"type": "tool_use", "id": "t1", "name": first, "input": {"file_path": "a"}});
        let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": "Yes."});
        let next =
            json!([{"type": "tool_use", "id": "t1", "name": second, "input": {"q": "ASKED"}}]);
        let told = json!([{"type": "tool_result", "tool_use_id": "t1", "content": "TOLD"}]);
        claude_code("SAID", &block, &result)
            + &message(4, "assistant", &next)
            + &message(5, "user", &told)
    };
    let copilot_cli = |first: &str, second: &str| {
        let asked = |name: &str, arguments: Value| {
            let request = json!({"toolCallId": "t1", "name": name, "arguments": arguments});
            event("assistant.message", &json!({"content": "", "toolRequests": [request]}))
        };
        let told = |text: &str| {
            let data = json!({"toolCallId": "t1", "success": true, "result": {"content": text}});
            event("tool.execution_complete", &data)
        };
        event("session.start", &json!({"sessionId": "NUMBER", "context": {"cwd": "/srv"}}))
            + &event("user.message", &json!({"content": "SAID"}))
            + &asked(first, json!({"path": "a"}))
            + &told("Yes.")
            + &asked(second, json!({"q": "ASKED"}))
            + &told("TOLD")
    };
    let sample = |file: &'static str, first: &str, second: &str, text: String| Sample {
        about: format!("{first}, {second}"),
        file,
        text,
        is_open: false,
    };
    let of_claude_code = [("Read", "mcp__acme__get"), ("mcp__acme__get", "mcp__other__get")];
    let of_copilot_cli = [("view", "acme-get"), ("acme-get", "view")];
    let mut samples = Vec::new();
    for (first, second) in of_claude_code {
        samples.push(sample("s.jsonl", first, second, claude_code(first, second)));
    }
    for (first, second) in of_copilot_cli {
        samples.push(sample("events.jsonl", first, second, copilot_cli(first, second)));
    }
    samples
}

/// Messages of Gemini CLI in which text is beside the response of a tool.
fn text_beside_responses() -> Vec<Sample> {
    let response = |name: &str| json!({"functionResponse": {"id": "c1", "name": name, "response": {"output": "Yes."}}});
    let sample = |(name, is_open): (&str, bool)| {
        let call = json!({"functionCall": {"id": "c1", "name": name, "args": {"q": "ASKED"}}});
        let response = response(name);
        let content = |role: &str, parts: Value| json!({"role": role, "parts": parts});
        let text = json!([
            content("user", json!([{"text": "SAID"}])),
            content("model", json!([{"text": "Well."}, call])),
            content("user", json!([response, {"text": "TOLD"}])),
            content("model", json!([{"text": "NUMBER"}])),
        ]);
        let about = format!("gemini-cli checkpoint: {name}");
        Sample { about, file: "checkpoint-a.json", text: text.to_string(), is_open }
    };
    let session = |(name, is_open): (&str, bool)| {
        let call = json!({"id": "c1", "name": name, "args": {"q": "ASKED"}, "status": "success"});
        let response = response(name);
        let message = |id: &str, kind: &str, content: Value| json!({"id": id, "timestamp": "2026-04-01T10:00:01.000Z", "type": kind, "content": content});
        let mut answer = message("m2", "gemini", json!("Well."));
        answer["toolCalls"] = json!([call]);
        let text = json!({
            "sessionId": "NUMBER", "projectHash": "p", "startTime": "2026-04-01T10:00:00.000Z",
            "lastUpdated": "2026-04-01T10:00:09.000Z",
            "messages": [
                message("m1", "user", json!("SAID")),
                answer,
                message("m3", "user", json!([response, {"text": "TOLD"}])),
            ],
        });
        let about = format!("gemini-cli session: {name}");
        Sample { about, file: "session-NUMBER.json", text: text.to_string(), is_open }
    };
    let names = [("acme_get", false), ("read_file", true)];
    names.map(sample).into_iter().chain(names.map(session)).collect()
}

/// Calls of OpenCode with arguments that it could not read, which name the tool that was meant.
fn invalid_calls() -> Vec<Sample> {
    let sample = |(tool, is_open): (&str, bool)| {
        let input = json!({"tool": tool, "error": "ASKED"});
        let state = json!({"status": "completed", "input": input, "output": "TOLD", "title": "Invalid Tool"});
        let text = json!({"info": {"id": "ses_NUMBER", "title": "T"}, "messages": [
            {"info": {"id": "msg_1", "role": "user"}, "parts": [{"type": "text", "text": "SAID"}]},
            {"info": {"id": "msg_2", "role": "assistant"}, "parts": [
                {"type": "tool", "tool": "invalid", "callID": "c1", "state": state},
            ]},
        ]});
        let about = format!("invalid: {tool}");
        Sample { about, file: "session.json", text: text.to_string(), is_open }
    };
    [("acme_get", false), ("bash", true)].map(sample).into()
}

/// Elements in the text of an answer of Open WebUI that contain a call.
fn details() -> Vec<Sample> {
    let sample = |(tag, is_open): (&str, bool)| {
        let end = ">\n<summary>Tool Executed</summary>\n</details>\nYes.";
        let answer = match tag.strip_suffix("CUT") {
            Some(tag) => format!("Yes. <details {tag}"),
            None => format!("<details {tag}{end}"),
        };
        let message = |id: &str, parent: Value, children: Value, role: &str, content: &str| {
            json!({"id": id, "parentId": parent, "childrenIds": children, "role": role,
                "content": content, "model": "m", "timestamp": 1_700_000_000})
        };
        let messages = json!({
            "a": message("a", Value::Null, json!(["b"]), "user", "SAID"),
            "b": message("b", json!("a"), json!([]), "assistant", &answer),
        });
        let chat = json!({"title": "T", "models": ["m"], "history": {"currentId": "b", "messages": messages}});
        let text = json!([{"id": "NUMBER", "user_id": "u", "title": "T", "chat": chat,
            "created_at": 1_700_000_000, "updated_at": 1_700_000_001}]);
        Sample { about: tag.to_owned(), file: "chat.json", text: text.to_string(), is_open }
    };
    let data = "arguments=\"&quot;{\\&quot;q\\&quot;: \\&quot;ASKED\\&quot;}&quot;\" result=\"&quot;TOLD&quot;\"";
    [
        (format!("type=\"tool_calls\" done=\"true\" id=\"c1\" name=\"acme_get\" {data}"), false),
        (format!("done=\"true\" type=\"tool_calls\" id=\"c1\" name=\"acme_get\" {data}"), false),
        (format!("type='tool_calls' id='c1' name='acme_get' {data}"), false),
        (format!("id=c1 {data} name=acme_get type=tool_calls"), false),
        (format!("TYPE=\"tool_calls\" Name=\"acme_get\" {data}"), false),
        (format!("type=\"tool_calls\" name=\"acme_get\" {data}CUT"), false),
        (format!("type=\"tool_calls\" name=\"acme_get\" {data}>TOLDCUT"), false),
        (format!("type=\"tool_calls\" name=\"acme_get\" arguments=\"< ASKED\" {data}"), false),
        (format!("done=\"true\" type=\"tool_calls\" name=\"web_search\" {data}"), true),
    ]
    .iter()
    .map(|(tag, is_open)| sample((tag, *is_open)))
    .collect()
}

/// A number in letters, so that it is one word.
fn letters(number: usize) -> String {
    (0..3).rev().map(|place| (b'a' + (number / 10_usize.pow(place) % 10) as u8) as char).collect()
}

/// Writes a sample into a site.
fn write(site: &SiteTest, sample: &Sample, number: usize) {
    let word = letters(number);
    let text = sample.text.replace("ASKED", &format!("zaskqu{word}"));
    let text = text.replace("TOLD", &format!("ztoldqu{word}"));
    let text = text.replace("SAID", &format!("zsaidqu{word}"));
    let text = text.replace("NUMBER", &format!("{:08x}", 0x1000_0000 + number));
    site.write(&format!("content/{number}/{}", sample.file), text);
}

/// The text of all files of the output and of the cache, in lower case.
fn haystacks(site: &SiteTest) -> (String, String) {
    let output = site.output();
    let mut all = unpacked(&output);
    for (path, bytes) in &output {
        all.push_str(path);
        all.push_str(&String::from_utf8_lossy(bytes));
    }
    let mut cache = String::new();
    for (_, bytes) in files_below(&site.path(".convo-site")) {
        cache.push_str(&String::from_utf8_lossy(&bytes));
    }
    (all.to_lowercase(), cache.to_lowercase())
}

#[test]
fn tools_of_closed_servers_are_withheld_however_they_are_called() {
    let site = SiteTest::new();
    let config = "publish = 'all'\ndownloads = ['markdown', 'json']\nmarkdown = true\n";
    site.write("site.toml", format!("{BASE}{config}"));
    let samples: Vec<Sample> = [
        calls_of_calls(),
        programs(),
        commands(),
        specstory(),
        plain_specstory(),
        tags(),
        saved_outputs(),
        outputs_in_messages(),
        names(),
        reused_ids(),
        text_beside_responses(),
        invalid_calls(),
        details(),
        attached_outputs(),
        prompts_of_servers(),
        exported_prompts_of_servers(),
        messages_around_a_command(),
    ]
    .into_iter()
    .flatten()
    .collect();
    for (number, sample) in samples.iter().enumerate() {
        write(&site, sample, number);
    }
    let run = site.run(&["build"]);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
    let (all, cache) = haystacks(&site);
    let mut wrong = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        let about = &sample.about;
        let word = |start: &str| format!("{start}{}", letters(number));
        if !all.contains(&word("zsaidqu")) {
            wrong.push(format!("lost: {about}"));
        }
        for start in ["zaskqu", "ztoldqu"] {
            // Some formats do not show the output of programs.
            let is_shown = start == "zaskqu" || !sample.text.contains("stdout");
            match sample.is_open {
                true if is_shown && !all.contains(&word(start)) => {
                    wrong.push(format!("withheld ({start}): {about}"));
                }
                false if all.contains(&word(start)) => {
                    wrong.push(format!("published ({start}): {about}"));
                }
                false if cache.contains(&word(start)) => {
                    wrong.push(format!("in the cache ({start}): {about}"));
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), run.stderr);
    assert_eq!(run.stderr.matches("hint[withheld-tools]").count(), 1, "{}", run.stderr);
}

/// The start of a call has the arguments of its request, other ones, or none.
#[test]
fn a_call_that_a_log_records_twice_is_one_call() {
    for (name, arguments, count) in [
        ("bash", json!({"command": "ls"}), 1),
        ("bash", json!({"command": "ls", "timeout": 9}), 1),
        ("bash", Value::Null, 1),
        ("", Value::Null, 1),
        ("acme-get", json!({"q": 1}), 2),
    ] {
        let request = json!({"toolCallId": "t1", "name": "bash", "arguments": {"command": "ls"}});
        let mut start = json!({"toolCallId": "t1", "arguments": arguments});
        if !name.is_empty() {
            start["toolName"] = name.into();
        }
        let text = event("session.start", &json!({"sessionId": "s", "context": {"cwd": "/srv"}}))
            + &event("user.message", &json!({"content": "Hello."}))
            + &event("assistant.message", &json!({"content": "", "toolRequests": [request]}))
            + &event("tool.execution_start", &start);
        let (read, _) = convo_site::formats::read("events.jsonl", text.as_bytes());
        let blocks = read.iter().flat_map(|read| &read.turns).flat_map(|turn| &turn.blocks);
        let calls = blocks.filter(|block| matches!(block, Block::Tool(_))).count();
        assert_eq!(calls, count, "{name}");
    }
}

#[test]
fn servers_called_by_other_tools_are_named_and_can_be_opened() {
    let site = SiteTest::new();
    let inputs = [
        ("Bash", json!({"command": "mcp-cli call acme/get ASKED"})),
        ("Batch", json!({"calls": [{"name": "mcp__acme__get", "input": {"q": "ASKED"}}]})),
    ];
    for (number, (name, input)) in inputs.iter().enumerate() {
        let (file, is_open) = ("s.jsonl", false);
        let sample = Sample { about: String::new(), file, text: call(name, input), is_open };
        write(&site, &sample, number);
    }
    let run = site.build(0);
    assert!(run.stderr.contains("2 calls to tools of 1 server"), "{}", run.stderr);
    assert!(run.stderr.contains("`acme` (2)"), "{}", run.stderr);
    assert!(!haystacks(&site).0.contains("zaskqu"));
    site.write("site.toml", format!("{BASE}open_servers = ['acme']\n"));
    let run = site.build(0);
    assert!(!run.stderr.contains("withheld-tools"), "{}", run.stderr);
    let (all, _) = haystacks(&site);
    for word in ["zaskquaaa", "ztoldquaaa", "zaskquaab", "ztoldquaab"] {
        assert!(all.contains(word), "{word}");
    }
}

/// Files in `tool-results` without their session.
const OUTPUTS: [(&str, &str); 4] = [
    ("x/tool-results/mcp-acme-get-2.txt", "**Bob:** zaskqu\n\n**Ada:** zaskqu\n"),
    (
        "x/tool-results/sub/a.md",
        "---\nspeakers: [Ada, Bob]\n---\n\n**Bob:** zaskqu\n\n**Ada:** zaskqu\n",
    ),
    (
        "x/tool-results/agent-a1.jsonl",
        "{\"type\": \"user\", \"uuid\": \"u1\", \"parentUuid\": null, \"sessionId\": \"s1\", \"message\": {\"role\": \"user\", \"content\": \"zaskqu\"}}\n",
    ),
    ("tool-results/b.txt", "**Bob:** zaskqu\n\n**Ada:** zaskqu\n"),
];

#[test]
fn saved_outputs_without_their_session_are_reported_and_not_published() {
    let site = SiteTest::new();
    site.write(
        "content/a.md",
        "**Ada:** See [it](x/tool-results/mcp-acme-get-2.txt).\n\n**Bob:** Yes.\n",
    );
    for (path, text) in OUTPUTS {
        site.write(&format!("content/{path}"), text);
    }
    for config in ["", "[[source]]\nfiles = '**/tool-results/**'\nformat = 'markdown'\n"] {
        site.write("site.toml", format!("{BASE}{config}"));
        let run = site.run(&["build", "--message-format", "json"]);
        assert!(matches!(run.code, Some(0 | 1)), "{}", run.stderr);
        let notes: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let (all, cache) = haystacks(&site);
        assert!(all.contains("yes."), "{config}");
        assert!(!all.contains("zaskqu") && !cache.contains("zaskqu"), "{config}");
        for (path, _) in OUTPUTS {
            let is_about = |note: &&Value| {
                note["file"] == format!("content/{path}") && note["code"] == "unknown-format"
            };
            let reported = notes.as_array().expect("an array").iter().filter(is_about).count();
            assert_eq!(reported, 1, "{config} {path}: {notes:#}");
        }
    }
    let run = site.run(&["convert", "content", "--to", "cjson", "-o", "converted"]);
    assert!(run.stderr.contains("the saved output of a tool"), "{}", run.stderr);
    for (path, bytes) in files_below(&site.path("converted")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("zaskqu"), "{path}");
    }
}

#[test]
fn saved_outputs_are_read_together_with_their_session() {
    let site = SiteTest::new();
    let block = json!({"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}});
    let saved = "<persisted-output>\nOutput too large (1 MB). Full output saved to: \
                 /x/tool-results/sub/t1.txt\n\nPreview (first 2KB):\nzpreview\n</persisted-output>";
    let result = json!({"type": "tool_result", "tool_use_id": "t1", "content": saved});
    let text = claude_code("Hello.", &block, &result).replace("NUMBER", "10000000");
    site.write("content/s.jsonl", text);
    site.write("content/s/tool-results/sub/t1.txt", "zwhole\n");
    let run = site.build(0);
    assert!(!run.stderr.contains("tool-results"), "{}", run.stderr);
    assert!(haystacks(&site).0.contains("zwhole"));
    // Without the log, nothing of it remains.
    fs::remove_file(site.path("content/s.jsonl")).expect("removed");
    site.write("content/a.md", "**Ada:** Hello.\n\n**Bob:** Yes.\n");
    site.build(0);
    assert!(!haystacks(&site).0.contains("zwhole"));
}
