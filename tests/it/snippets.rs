//! Examples in the README and the documentation: commands are run, configurations parsed, files
//! built.
//!
//! A `sh` block is run after the blocks above it on its page, in a folder with an export and a copy
//! of the example site. A `toml` block is a configuration. A block with a path in its info string,
//! such as `markdown content/tea.md`, is that file of a site, which is built. Programs that need
//! the network or a compiler are replaced: see [`STAND_INS`].

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::archives::zip;
use crate::support::{BASE, SiteTest, files_below, project};

/// A fenced block.
struct Block {
    language: String,
    path: Option<String>,
    text: String,
}

/// The fenced blocks of a text, without their indentation.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // With the indentation of its fence.
    let mut open: Option<(String, Block)> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        match &mut open {
            Some(_) if trimmed == "```" => {
                blocks.extend(open.take().map(|(_, block)| block));
            }
            Some((indent, block)) => {
                block.text.push_str(line.strip_prefix(indent.as_str()).unwrap_or(line));
                block.text.push('\n');
            }
            None => {
                let Some(info) = trimmed.strip_prefix("```") else { continue };
                let indent = line[..line.len() - trimmed.len()].to_owned();
                let mut words = info.split_whitespace();
                let language = words.next().unwrap_or_default().to_owned();
                let path = words.next().map(str::to_owned);
                open = Some((indent, Block { language, path, text: String::new() }));
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The README and the documentation pages, by path.
fn texts() -> Vec<(String, String)> {
    let mut texts =
        vec![("README.md".to_owned(), fs::read(project().join("README.md")).expect("read"))];
    let pages = files_below(&project().join("docs/pages"));
    texts.extend(pages.into_iter().filter(|(path, _)| path.ends_with(".md")));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    texts.into_iter().map(|(path, bytes)| (path, text(bytes))).collect()
}

/// Runs the server that `mcp add NAME -- COMMAND` adds, for an assistant that closes the connection.
const MCP_ADD: &str = "[ \"$1 $2 $4\" = 'mcp add --' ] || exit 2; shift 4; \"$@\" </dev/null";

/// Replacements for programs, by name. `$PROGRAM` is the tested program.
const STAND_INS: [(&str, &str); 18] = [
    // A preview runs until it is stopped; here it is stopped once it prints its URL.
    (
        "convo-site",
        "case $1 in serve) ;; *) exec \"$PROGRAM\" \"$@\" ;; esac\n\
         \"$PROGRAM\" \"$@\" --port 0 >\"$HOME/serve\" 2>&1 &\n\
         for i in $(seq 200); do\n\
         if grep -q http://127 \"$HOME/serve\"; then kill $!; exit 0; fi\n\
         sleep 0.05; done; kill $!; cat \"$HOME/serve\"; exit 1",
    ),
    // Compiling takes minutes, so the tested program is run instead.
    (
        "cargo",
        "command=$1; case $command in\n\
         run) while [ \"$1\" != -- ]; do shift; done; shift; exec convo-site \"$@\" ;;\n\
         install|doc) exit 0 ;; esac; exit 2",
    ),
    ("uvx", "[ \"$1\" = convo-site ] || exit 2; exec \"$@\""),
    ("npx", "[ \"$1\" = convo-site ] || exit 2; exec \"$@\""),
    // Runs the command of the container in the folder that stands for the container's.
    ("docker", "while [ \"$1\" != IMAGE ]; do shift; done; shift; exec convo-site \"$@\""),
    // The commands after `--` start when an assistant needs them.
    ("claude", MCP_ADD),
    ("codex", MCP_ADD),
    ("pip", "[ \"$1\" = install ]"),
    ("npm", "[ \"$1\" = install ]"),
    ("sudo", "[ \"$1\" = apt ]"),
    ("ray", "[ \"$1 $2\" = 'job submit' ]"),
    ("gh", "[ \"$1\" = attestation ]"),
    // These copy files to other machines.
    (
        "git",
        "case $* in *--show-toplevel) pwd;; rev-parse* | hash-object* | write-tree | commit-tree*) echo 0;; \
         cat-file* | symbolic-ref*) exit 1;; esac",
    ),
    ("rsync", "exit 0"),
    ("rclone", "exit 0"),
    ("wrangler", "exit 0"),
    ("netlify", "exit 0"),
    ("sha256sum", "[ \"$1\" = --check ]"),
];

/// A ChatGPT export with one conversation.
fn export() -> Vec<u8> {
    let message = |id: &str, role: &str, text: &str, at: u64| {
        serde_json::json!({
            "id": id, "author": {"role": role}, "create_time": at,
            "content": {"content_type": "text", "parts": [text]}, "status": "finished_successfully",
        })
    };
    let question = message("m-1", "user", "Who built the tide mill?", 1_760_000_000);
    let answered = message("m-2", "assistant", "Somebody patient.", 1_760_000_060);
    let conversation = serde_json::json!({
        "title": "The tide mill", "create_time": 1_760_000_000, "update_time": 1_760_000_060,
        "conversation_id": "c-1", "id": "c-1", "current_node": "m-2",
        "mapping": {
            "root": {"id": "root", "message": null, "parent": null, "children": ["m-1"]},
            "m-1": {"id": "m-1", "message": question, "parent": "root", "children": ["m-2"]},
            "m-2": {"id": "m-2", "message": answered, "parent": "m-1", "children": []},
        },
    });
    let text = serde_json::json!([conversation]).to_string();
    zip(&[("conversations.json", text.as_bytes())])
}

/// Exports named in the manual, each with the example it is copied from: a file, or a folder to
/// pack as ZIP.
const EXPORTS: [(&str, &str); 9] = [
    ("claude-export.zip", "claude/beside/input"),
    (
        ".claude/projects/-home-ada-mill/session.jsonl",
        "claude-code/subagents-at-the-start/input.jsonl",
    ),
    (".codex/sessions/2026/03/05/rollout.jsonl", "codex/session/input.jsonl"),
    (".cursor/projects/mill/agent-transcripts/talk.jsonl", "cursor/plain/input.jsonl"),
    ("mill/.specstory/history/2026-03-04_10-00Z-leaks.md", "specstory/claude-code/input.md"),
    ("mill-export.zip", "slack/workspace/input/mill-workspace"),
    ("boat-club.json", "discord/server/input.json"),
    ("night-watch.txt", "whatsapp/android/input.txt"),
    ("boat-owners.mbox", "mail/threads/input.mbox"),
];

/// A folder with everything that commands of the documentation need.
fn scratch() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, bytes).expect("written");
    };
    for (path, bytes) in files_below(&project().join("example-site")) {
        if !path.starts_with("public/") && !path.starts_with(".convo-site/") {
            write(&format!("example-site/{path}"), &bytes);
        }
    }
    write("export.zip", &export());
    for (path, example) in EXPORTS {
        let example = project().join("tests/formats").join(example);
        let bytes = if example.is_dir() {
            let files = files_below(&example);
            let members: Vec<(&str, &[u8])> =
                files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
            zip(&members)
        } else {
            fs::read(example).expect("an example")
        };
        write(path, &bytes);
    }
    write(".env", b"MILL_PASSWORD=never-in-a-conversation-9041\n");
    // Running all tests would run this test again.
    assert!(project().join("tests/run").is_file());
    write("tests/run", b"exit 0\n");
    for (name, script) in STAND_INS {
        write(&format!("bin/{name}"), format!("#!/bin/sh\n{script}\n").as_bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let all = fs::Permissions::from_mode(0o755);
            fs::set_permissions(folder.path().join("bin").join(name), all).expect("set");
        }
    }
    folder
}

/// Runs a script in a folder, and returns the error.
fn run(folder: &Path, script: &str) -> Result<(), String> {
    let path = std::env::var("PATH").expect("a path");
    let path = format!("{}:{path}", folder.join("bin").display());
    let mut shell = Command::new("sh");
    shell.args(["-eu", "-c", script]).current_dir(folder).stdin(std::process::Stdio::null());
    shell.env("PATH", path).env("HOME", folder).env("TMPDIR", folder);
    shell.env("PROGRAM", env!("CARGO_BIN_EXE_convo-site"));
    let run = shell.output().expect("a shell");
    let stderr = String::from_utf8_lossy(&run.stderr);
    run.status.success().then_some(()).ok_or_else(|| format!("{script}\n{stderr}"))
}

#[cfg(all(unix, feature = "mcp"))]
#[test]
fn every_command_can_be_run() {
    let mut commands = 0;
    for (name, text) in texts() {
        let blocks = blocks(&text);
        let shell = blocks.iter().filter(|block| block.language == "sh");
        let script: String = shell.map(|block| block.text.as_str()).collect();
        if script.is_empty() {
            continue;
        }
        commands += script.lines().count();
        let folder = scratch();
        let result = run(folder.path(), &script);
        assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
    }
    assert!(commands > 30, "{commands}");
}

#[test]
fn every_configuration_is_read() {
    let mut read = 0;
    for (name, text) in texts() {
        for block in blocks(&text) {
            if block.language != "toml" || block.path.is_some() {
                continue;
            }
            let noted = convo_site::config::load(&block.text);
            let noted = noted.unwrap_or_else(|notes| panic!("{name}: {} {notes:?}", block.text));
            let mut others = noted.notes.iter().filter(|note| note.code != "no-base-url");
            assert!(others.next().is_none(), "{name}: {} {:?}", block.text, noted.notes);
            read += 1;
        }
    }
    assert!(read > 50, "{read}");
}

#[test]
fn every_file_can_be_built() {
    let mut built = 0;
    for (name, text) in texts() {
        let blocks = blocks(&text);
        let files = blocks.iter().filter_map(|block| Some((block.path.as_ref()?, block)));
        let files: Vec<_> = files.collect();
        if files.is_empty() {
            continue;
        }
        let site = SiteTest::new();
        for (path, block) in &files {
            let start = if *path == "site.toml" { BASE } else { "" };
            site.write(path, format!("{start}{}", block.text));
        }
        if !files.iter().any(|(path, _)| path.starts_with("content/")) {
            site.write("content/talk.convo", crate::support::convo("Hello."));
        }
        for (path, _) in &files {
            if let Some(theme) = path.strip_prefix("themes/") {
                let theme = theme.split('/').next().expect("a name");
                let config = fs::read_to_string(site.path("site.toml")).expect("read");
                site.write("site.toml", format!("theme = \"{theme}\"\n{config}"));
            }
        }
        let run = site.run(&["build", "--deny-warnings"]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        let count = files.iter().filter(|(path, _)| path.starts_with("content/")).count();
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            assert!(
                run.stderr.contains(&format!("built {count} conversation{plural}:")),
                "{name}: {}",
                run.stderr
            );
        }
        built += files.len();
    }
    assert!(built >= 6, "{built}");
}

/// Workflows use only inputs that the action of this project has.
#[test]
fn every_workflow_uses_existing_inputs() {
    let action = fs::read_to_string(project().join("action.yml")).unwrap_or_default();
    for (name, text) in texts() {
        for Block { text, .. } in blocks(&text).into_iter().filter(|block| block.language == "yaml")
        {
            if text.contains(" --part ") {
                continue;
            }
            let step = text.split_once("convo-site@").expect("a step of the action").1;
            let step = step.split("\n      - ").next().expect("a step");
            let inputs = step.split_once("with:\n").expect("inputs").1;
            let inputs = inputs.lines().take_while(|line| line.starts_with("          "));
            for input in inputs {
                let key = input.trim().split(':').next().expect("a key");
                assert!(action.contains(&format!("\n  {key}:\n")), "{name}: {key}");
            }
        }
    }
}

/// The commands of a workflow or job that builds parts, in order, as shell lines, with the number
/// of parts.
fn commands_of_parts(yaml: &str) -> Vec<(String, u32)> {
    let lines: Vec<&str> = yaml.lines().map(str::trim).collect();
    let mut commands = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(start) = line.find("convo-site ").filter(|_| line.contains("--part ")) else {
            continue;
        };
        let mut command = line[start..].to_owned();
        // A folded line.
        if line.starts_with("- convo-site") {
            command = format!("{command} {}", lines[at + 1]);
        }
        let count = command.split_once("--part ").expect("a part").1;
        let count = count.split_once('/').expect("a number").1;
        let count = count.split(' ').next().and_then(|count| count.parse().ok());
        let command = command.replace("${{ matrix.part }}", "$((JOB_COMPLETION_INDEX + 1))");
        commands.push((command, count.expect("a number")));
    }
    commands
}

/// The machines started by a workflow or job produce the same output as a single build.
#[cfg(unix)]
#[test]
fn every_build_in_parts_equals_a_single_build() {
    let example = crate::support::example();
    example.build(0);
    let mut tried = 0;
    for (name, text) in texts() {
        let blocks = blocks(&text).into_iter().filter(|block| block.language == "yaml");
        for Block { text, .. } in blocks.filter(|block| block.text.contains(" --part ")) {
            let folder = scratch();
            let site = folder.path().join("example-site");
            let mut together = std::collections::BTreeMap::new();
            for (command, count) in commands_of_parts(&text) {
                for index in 0..count {
                    let command = command.replace("/site", site.to_str().expect("UTF-8"));
                    let machine =
                        format!("cd example-site; JOB_COMPLETION_INDEX={index}; {command}");
                    let result = run(folder.path(), &machine);
                    assert!(result.is_ok(), "{name}: {}", result.unwrap_err());
                    let public = site.join("public");
                    together.extend(files_below(&public));
                    // Artifacts are gone with the machine after they are uploaded.
                    if !command.contains("--shared-output") && public.exists() {
                        fs::remove_dir_all(public).expect("removed");
                    }
                }
            }
            assert!(together == example.output(), "{name}: {text}");
            tried += 1;
        }
    }
    assert_eq!(tried, 2);
}

/// A `json` block configures programs that start `convo-site mcp` with a folder.
#[test]
fn every_server_for_assistants_can_be_started() {
    let mut count = 0;
    for (name, text) in texts() {
        for Block { text, .. } in blocks(&text).into_iter().filter(|block| block.language == "json")
        {
            let config: serde_json::Value = serde_json::from_str(&text).expect(&name);
            for server in config["mcpServers"].as_object().expect("servers").values() {
                assert_eq!(
                    (&server["command"], &server["args"][0]),
                    (&"convo-site".into(), &"mcp".into())
                );
                assert!(server["args"][1].as_str().is_some_and(|path| path.starts_with('/')));
                count += 1;
            }
        }
    }
    assert!(count > 0);
}

/// Every block is of a tested kind.
#[test]
fn every_block_is_of_a_kind_that_is_tested() {
    for (name, text) in texts() {
        for Block { language, path, text } in blocks(&text) {
            let is_tested =
                path.is_some() || matches!(language.as_str(), "sh" | "toml" | "yaml" | "json");
            // Output of programs, and drawings.
            let is_shown = language == "text";
            assert!(is_tested || is_shown, "{name}: `{language}`: {text}");
        }
    }
}
