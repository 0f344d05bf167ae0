//! A site in a temporary folder, and the command run on it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use serde_json::{Value, json};

/// A site that is being set up.
pub(crate) struct SiteTest {
    folder: tempfile::TempDir,
}

/// What a command left behind.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The line that most configurations need.
pub(crate) const BASE: &str = "base_url = \"https://site.example/base/\"\n";

impl SiteTest {
    /// A site with a base URL, no conversations and nothing else.
    pub(crate) fn new() -> Self {
        let site = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(site.path("content")).expect("a folder");
        site.file("site.toml", BASE)
    }

    pub(crate) fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(name, text);
        self
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `convo-site` in the site's folder.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Ran {
        run_in(self.folder.path(), args, env)
    }

    /// Builds; panics unless the exit code is `code`.
    #[track_caller]
    pub(crate) fn build(&self, code: i32) -> Ran {
        let ran = self.run(&["build"]);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        ran
    }

    /// All files of the output, by path.
    pub(crate) fn output(&self) -> BTreeMap<String, Vec<u8>> {
        files_below(&self.path("public"))
    }

    /// The text of the only output whose path starts with `start` and ends with `end`.
    #[track_caller]
    pub(crate) fn page(&self, start: &str, end: &str) -> String {
        let output = self.output();
        let mut found =
            output.iter().filter(|(p, _)| p.starts_with(start) && p.ends_with(end));
        let (_, bytes) = found.next().unwrap_or_else(|| panic!("no {start}…{end}"));
        assert!(found.next().is_none(), "more than one {start}…{end}");
        String::from_utf8(bytes.clone()).expect("UTF-8")
    }
}

pub(crate) fn run_in(folder: &Path, args: &[&str], env: &[(&str, &str)]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_convo-site"))
        .args(args)
        .envs(env.iter().copied())
        .current_dir(folder)
        .output()
        .expect("the command runs");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

pub(crate) fn files_below(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below the root");
                let name = name.to_str().expect("UTF-8").to_owned();
                files.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

/// The example site, copied.
pub(crate) fn example() -> SiteTest {
    let site = SiteTest::new();
    for (name, bytes) in files_below(&project().join("example-site")) {
        if !name.starts_with("public/") && !name.starts_with(".convo-site/") {
            site.write(&name, bytes);
        }
    }
    site
}

/// The root of the project.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A small valid conversation of one turn.
pub(crate) fn convo(text: &str) -> String {
    format!(
        "### @Ada\n{text}\n\n----\n{{\"type\": \"dialog\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\"]}}\n"
    )
}

/// A conversation with JSON strings made from `title`, `name`, `model` and so on.
pub(crate) fn hostile_convo(payload: &str) -> String {
    let json = serde_json::to_string(payload).expect("JSON");
    let name = payload.split_whitespace().collect::<Vec<_>>().join(" ");
    // A name stands in a heading, whose text it must be; what cannot, stands elsewhere.
    let plain = name.trim_end_matches('#').trim();
    let speaker = if plain.is_empty() || plain.contains('\0') { "Eve" } else { plain };
    let speaker_json = serde_json::to_string(speaker).expect("JSON");
    // A type must not be blank.
    let kind = if payload.trim().is_empty() { "\"x\"" } else { json.as_str() };
    // A last line of dashes in the text would be a separator.
    let body = payload.replace("### @", r"\#\#\# @");
    format!(
        "{body}\n\n### @{speaker}\n{body}\n\n### @Bot\n`{body}`\n\n[{body}]({body} \"{body}\") \
         ![{body}](<{body}>)\n\n```{name}\n{body}\n```\n\n| {name} |\n|---|\n| {name} |\n\n\
         $${body}$$ x[^1]\n\n[^1]: {body}\n\n----\n{{\"title\": {json}, \"type\": {kind}, \
         \"time\": \"2026-01-02\", \"languages\": [\"en\", {json}], {json}: {json}, \
         \"languages_meta\": {{\"speculative\": [{json}]}}, \"participants\": [{speaker_json}, \
         {{\"name\": \"Bot\", \"generative\": true, \"generative:model\": {json}, {json}: {json}}}]}}\n"
    )
}

/// A CJSON conversation with `payload` in every string that may be anything.
pub(crate) fn hostile_cjson(payload: &str) -> String {
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
            "id": payload, "role": "assistant", "messageType": "composite", "index": 2,
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
    json!({
        "id": payload, "schemaUrl": "https://cjson.dev/schema/0/conversation",
        "conversationTitle": payload, "systemMessage": format!("{payload} word").repeat(70),
        "parentId": payload, "modelId": payload, "ownerId": payload,
        "metadata": { payload: payload }, "extensions": { payload: payload },
        "messages": [
            {
                "id": payload, "role": "user", "messageType": "text", "content": payload,
                "index": 1, "senderId": payload, "pinned": true,
                "attachments": [
                    file("file", json!({ "base64content": hidden })),
                    file("image", json!({ "base64content": hidden })),
                    file("video", json!({ "uri": payload })),
                    file("link", json!({ "uri": payload })),
                    file("other", json!({ "uri": format!("data:text/html;base64,{hidden}") })),
                ],
            },
            answer(true), answer(false),
        ],
    })
    .to_string()
}
