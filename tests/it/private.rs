//! Every way to mark something as private, each with a unique word that must not be in any output
//! file.

use std::collections::BTreeMap;
use std::sync::Arc;

use convo_site::files::{Memory, SharedFiles};
use convo_site::pipeline::{self, Choices, Memo};

use crate::support::unpacked;
use crate::support::{BASE, HAS_SEARCH, SiteTest, convo, files_below, project};

/// Marks in JSON.
pub(crate) const JSON: [&str; 84] = [
    r#""private": true"#,
    r#""Private": true"#,
    r#""PRIVATE": "yes""#,
    r#""isPrivate": true"#,
    r#""sharing": {"private": true}"#,
    r#""status": {"visibility": "private"}"#,
    r#""is_private": 1"#,
    r#""is-private": "on""#,
    r#""is private": "True""#,
    r#""private": true, "private": false"#,
    r#""private": false, "private": true"#,
    r#""private": false, "isPrivate": true"#,
    r#""private": "maybe""#,
    r#""private": null"#,
    r#""private": {}"#,
    r#""private": 2"#,
    r#""priv\u0061te": true"#,
    r#""draft": true"#,
    r#""isDraft": true"#,
    r#""Draft": "true""#,
    r#""published": false"#,
    r#""published": "no""#,
    r#""published": "later""#,
    r#""isPublished": false"#,
    r#""publish": false"#,
    r#""public": false"#,
    r#""isPublic": 0"#,
    r#""is_public": "false""#,
    r#""visibility": "private""#,
    r#""visibility": "Private""#,
    r#""visibility": ["public", "private"]"#,
    r#""visibility": "unlisted""#,
    r#""Visibility": "draft""#,
    r#""visibility": "internal""#,
    r#""visibility": "privat""#,
    r#""access": "restricted""#,
    r#""access": "members""#,
    r#""unlisted": true"#,
    r#""hidden": true"#,
    r#""confidential": true"#,
    r#""secret": "y""#,
    r#""status": "draft""#,
    r#""status": "Private""#,
    r#""post_status": "pending""#,
    r#""privacyStatus": "unlisted""#,
    r#""archived": true"#,
    r#""deleted": true"#,
    r#""deleted_at": "2026-01-01""#,
    r#""embargo": "2030-01-01""#,
    r#""listed": false"#,
    r#""visible": "no""#,
    r#""dg-publish": false"#,
    r#""meta": {"private": true}"#,
    r#""metadata": {"is_private": true, "visibility": "public"}"#,
    r#""extensions": {"x": {"private": true}}"#,
    r#""settings": {"visibility": "hidden"}"#,
    r#""channel": {"is_private": true}"#,
    r#""tags": ["boats", "private"]"#,
    r#""tags": ["boats", "status/private"]"#,
    r#""tags": "visibility:unlisted""#,
    r#""audience": "Me""#,
    r#""sharing": "off""#,
    r#""sharing": {"public": false}"#,
    r#""audience": "just me""#,
    r#""tags": ["status/private/"]"#,
    r#""tags": ["private/family"]"#,
    r#""tags": ["visibility = private"]"#,
    r#""prıvate": true"#,
    r#""PRİVATE": true"#,
    r#""privаte": true"#,
    r#""priváte": true"#,
    r#""privacy": true"#,
    r#""privacy": "on""#,
    r#""audience": "closed""#,
    r#""sharing": "never""#,
    r#""visible_to": "me""#,
    r#""permissions": "private""#,
    r#""taxonomies": {"tags": ["private"]}"#,
    r#""custom_fields": {"draft": true}"#,
    r#""tags": "boats; private""#,
    r#""tags": ["no-publish"]"#,
    r#""only_me": true"#,
    r#""do-not-share": true"#,
    r#""drafts": true"#,
];

/// Marks of single turns.
pub(crate) const OF_TURNS: [&str; 12] = [
    r#""private": true"#,
    r#""isPrivate": "yes""#,
    r#""hidden": true"#,
    r#""draft": 1"#,
    r#""visibility": "private""#,
    r#""public": false"#,
    r#""private": "perhaps""#,
    r#""deleted": true"#,
    r#""deletedAt": "2026-01-01T00:00:00Z""#,
    r#""status": "deleted""#,
    r#""private": true, "private": false"#,
    r#""metadata": {"private": true}"#,
];

/// Marks in front matter, below a title.
pub(crate) const ROWS: [&str; 43] = [
    "private: true",
    "Private: True",
    "PRIVATE: on",
    "private: yes",
    "private: \"true\"",
    "\"private\": true",
    "isPrivate: true",
    "is_private: 1",
    "private:",
    "private: ~",
    "private: perhaps",
    "private: true\nprivate: false",
    "private: false\nprivate: true",
    "Private: true\nprivate: false",
    "private:true",
    " private: true",
    "draft: true",
    "Draft: Yes",
    "published: false",
    "publish: no",
    "publish_date: false",
    "public: false",
    "visibility: private",
    "visibility: [private]",
    "visibility: privat",
    "access: members",
    "status: draft",
    "Status: hidden",
    "unlisted: true",
    "hidden: true",
    "confidential: true",
    "meta:\n  private: true",
    "params: {draft: true}",
    "tags: [boats, private]",
    "privat: true",
    "pirvate: true",
    "visiblity: private",
    "meta.visibility: private",
    "convo:private: true",
    "dg-private: true",
    "extra: [[{private: true}]]",
    "Entwurf: ja\nprivat: ja",
    "privé: true",
];

/// Marks in TOML.
const TOML: [&str; 6] = [
    "draft = true", "private = true", "visibility = \"private\"", "published = false",
    "private: true", "[params]\nprivate = true",
];

/// Complete texts above a conversation that mark it.
const ABOVE: [&str; 62] = [
    "\n---\nprivate: true\n---\n",
    "---\nprivate: true\nand no end\n",
    "---\nprivate: true\n",
    "<!--\ndraft: true\n-->\n",
    "---\nprivate\n---\n",
    "---\nprivate:true\n---\n",
    "---\n- private: true\n---\n",
    "---\n- draft\n---\n",
    "Private: true\n",
    "Title: A boat\nStatus: draft\n",
    "+++\nprivate = true\n+++\n",
    "{\"draft\": true}\n",
    "+++\nprivate = true\nand no end\n",
    "---toml\nprivate = true\n---\n",
    "---json\n{\"private\": true}\n---\n",
    ";;;\n{\"private\": true}\n;;;\n",
    "```yaml\nprivate: true\n```\n",
    " ---\n private: true\n ---\n",
    "---\ntitle: x\n---\n---\nprivate: true\n---\n",
    "---\ntitle: x\n---\n\n+++\nprivate = true\n+++\n",
    "+++\ntitle = 'x'\n+++\n\n---\nvisibility: private\n---\n",
    "meta.visibility: private\n",
    "<!-- private: true -->\n",
    "---json\n{\"private\": true\n---\n",
    "---\nmeta.private: \"true\"\nand no end\n",
    "+++\n\"private\" = \"true\"\n",
    "---\n\"private\": true,\nand no end\n",
    "---\ntitle: Rust: an introduction\nparams: {private: true}\n---\n",
    "---\ntitle: x\n---\n---\nmeta: {private: true}\n---\n",
    "---\ntitle: x\n---\n+++\nextra = { private = true }\n+++\n",
    "---\ntitle: x\n---\n---\ntags:\n- private\n---\n",
    "---\nmeta: {private: true}\n",
    "---\ntitle: x\n\ntags:\n  - private\n",
    "+++\nextra = {private = true}\n",
    "```json\n{\"title\": \"x\", \"private\": true}\n```\n",
    "```yaml\nparams: {private: true}\n```\n",
    "```yml\nprivate: true\n```\n",
    "``` YAML\ntags:\n  - private\n```\n",
    "~~~toml\nprivate = true\n~~~\n",
    "````yaml\nprivate: true\n````\n",
    "**Status:** draft\n",
    "**Title:** A boat\n\n**Visibility:** private\n",
    "<!-- exported by x -->\n---\nprivate: true\n---\n",
    "%YAML 1.2\n---\nprivate: true\n---\n",
    "# Title\n\n---\nprivate: true\n---\n",
    "# Title\n\nprivate: true\n",
    "# Title\nVisibility: private\n",
    "---\n---\nprivate: true\n---\n",
    "---\na: 1\n---\n---\nb: 1\n---\n---\nprivate: true\n---\n",
    "---\ntitle: x\n---\nPrivate: true\n",
    "---\ntitle: x\n---\n<!-- private: true -->\n",
    "---\ntitle: x\n---\n```yaml\nprivate: true\n```\n",
    "---\ntitle: x\n---\n{\"private\": true}\n",
    "<!--private:true-->\n",
    "<!-- visibility=private -->\n",
    "<!-- title: x, private: true -->\n",
    "<!-- private -->\n",
    "<!-- draft -->\n",
    "private:true\n",
    "private = true\n",
    "- Private: true\n",
    "private：true\n",
];

/// Texts above a conversation that do not mark it.
const PUBLIC_ABOVE: [&str; 12] = [
    "---\n\n",
    "Access: by invitation\nScope: Rust\n",
    "Published: Monday\n",
    "<!-- access: control -->\n",
    "```yaml\nspec:\n  access: ReadWriteOnce\n```\n",
    "```toml\n[package]\npublish = false\n```\n",
    "---\npublished: 01/02/24\nprimate: true\nenlisted: yes\n---\n",
    "---\npublished: 5 May '24\npublish: 2024-01-01\n---\n",
    "---\npublished: https://example.org/\n---\n",
    "---\nvisibility: unrestricted\nstate: Ohio\n---\n",
    "# A talk\n\n**Title:** A boat\n",
    "---\ntitle: x\n---\nType: interview\nState: Ohio\n",
];

/// A file with and without a mark.
struct Way {
    path: String,
    public: String,
    private: String,
}

#[derive(Default)]
struct Ways {
    all: Vec<(String, Way)>,
    rules: String,
}

impl Ways {
    /// Adds a way. In `text`, `WORD` stands for its word and `FIELDS` for the mark.
    fn add(&mut self, path: &str, text: &str, public: &str, private: &str) {
        let number = self.all.len();
        let word = format!("quux{number:03}z");
        let text = text.replace("WORD", &word).replace("NUMBER", &format!("{number:08}"));
        let way = Way {
            path: format!("content/{}", path.replace("NUMBER", &format!("{number:08}"))),
            public: text.replace("FIELDS", public),
            private: text.replace("FIELDS", private),
        };
        self.all.push((word, way));
    }

    /// Adds a conversation made private by a rule of `site.toml`. In `files`, `ROOT` stands for the
    /// folder.
    fn rule(&mut self, files: &str, path: &str) {
        let root = format!("r{}", self.all.len());
        self.rules.push_str(&format!(
            "[[source]]\nfiles = '{}'\nvisibility = 'private'\n",
            files.replace("ROOT", &root).replace("UPPER", &root.to_uppercase())
        ));
        self.add(&format!("{root}/{path}"), CONVO, "", "");
    }
}

const CONVO: &str = "FIELDS### @Ada\nWORD, said Ada.\n\n----\n{\"title\": \"On WORD\", \
    \"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\"]}\n";
const CONVO_FIELDS: &str = "### @Ada\nWORD, said Ada.\n\n----\n{\"title\": \"On WORD\", \
    \"type\": \"dialog\", \"time\": \"2026-01-02\", FIELDS, \"participants\": [\"Ada\"]}\n";
const MARKDOWN: &str = "FIELDS\n**Ada:** WORD is what I said.\n\n**Wren:** WORD it is.\n\n\
    **Ada:** So be it.\n";
const CJSON: &str = r#"{"id": "WORD", "schemaUrl": "https://schema.cjson.dev/0/conversation/x",
    FIELDS, "conversationTitle": "On WORD", "modelId": "WORD-1", "messages": [{"id": "m-1",
    "role": "user", "messageType": "text", "content": "WORD, I said.", "attachments": [
    {"attachmentKind": "image", "id": "a", "name": "WORD.svg", "mime": "text/plain",
    "base64content": "V09SRA=="}]}]}"#;
const CONV2MD: &str = r#"{FIELDS, "messages": [{"speaker": "Ada", "content": "WORD, I said."}]}"#;
const SESSION: &str = r#"{"session": "ses-WORD", "agent": "wren", FIELDS, "open": null,
    "history": [{"user": "WORD, I said.", "at": "2026-02-08T14:30:05Z"},
    {"agent": "So WORD it is.", "at": "2026-02-08T14:30:06Z"}]}"#;
const SESSION_PATH: &str = "2026-02-08T14-30-05Z_wren_NUMBER.json";
const CHIBI: &str = r#"{"id": "1", "timestamp": 1705123456, "from": "system", "to": "default", "content": "", "entry_type": "context_created", FIELDS}
{"id": "2", "timestamp": 1705123457, "from": "ada", "to": "default", "content": "WORD, I said.", "entry_type": "message"}
"#;

const CJSON_TURNS: &str = r#"{"id": "x-WORD", "schemaUrl": "https://schema.cjson.dev/0/conversation/x",
    "messages": [{"id": "m-1", "role": "user", "messageType": "text", "content": "Nothing NUMBER."},
    {"id": "m-2", "role": "assistant", "messageType": "composite", FIELDS, "contentBlocks": [
    {"blockType": "text", "id": "b", "createdAt": "2026-03-01T08:00:00Z", "text": "WORD, I said."},
    {"blockType": "toolCall", "id": "c-1", "createdAt": "2026-03-01T08:00:00Z",
    "toolRef": {"name": "WORD-tool"}, "args": {"x": "WORD"}}]},
    {"id": "m-3", "role": "tool", "messageType": "composite", "contentBlocks": [
    {"blockType": "toolResult", "id": "d", "createdAt": "2026-03-01T08:00:00Z", "toolCallId": "c-1",
    "toolResultState": "succeeded", "output": "WORD came of it"}]}]}"#;
const CONV2MD_TURNS: &str = r#"{"messages": [{"speaker": "Ada", "content": "Nothing NUMBER."},
    {"speaker": "WORD", "content": "WORD, I said.", FIELDS}]}"#;
const SESSION_TURNS: &str = r#"{"session": "ses-NUMBER", "agent": "wren", "open": "WORD, I said.",
    "history": [{"user": "Nothing NUMBER.", "at": "2026-02-08T14:30:05Z"},
    {"agent": "So be it."}, {"user": "WORD, I said.", "at": "2026-02-08T14:30:06Z", FIELDS}]}"#;
const CHIBI_TURNS: &str = r#"{"id": "1", "timestamp": 1705123456, "from": "ada", "to": "default", "content": "Nothing NUMBER.", "entry_type": "message"}
{"id": "2", "timestamp": 1705123457, "from": "default", "to": "read_WORD", "content": "{\"path\": \"WORD\"}", "entry_type": "tool_call", "tool_call_id": "c", FIELDS}
{"id": "3", "timestamp": 1705123458, "from": "read_WORD", "to": "default", "content": "WORD came of it.", "entry_type": "tool_result", "tool_call_id": "c"}
{"id": "4", "timestamp": 1705123459, "from": "default", "to": "user", "content": "That is all.", "entry_type": "message"}
"#;

/// Files of a chibi context that are not conversations, with their marks.
const BESIDE: [(&str, &str); 8] = [
    ("context_meta.json", r#"{"private": true}"#),
    ("transcript/manifest.json", r#"{"metadata": {"visibility": "private"}}"#),
    ("local.toml", "[context]\nmodel = 'x'\nprivate = true\n"),
    ("local.toml", "private = true\nand no TOML\n"),
    ("state.json", r#"{"conversation": {"draft": true}}"#),
    ("summary.md", "---\ntitle: x\n---\n---\nprivate: true\n---\nSo it was.\n"),
    ("summary.md", "---\nprivate: true\n---\nSo it was.\n"),
    ("todos.md", "Private: true\n\n- [ ] mend it\n"),
];

/// Audit trails of deleted messages.
const TRAILS: [&str; 3] = [
    r#""auditTrail": [{"action": "created", "actorId": "a", "timestamp": "2026-03-01T08:00:00Z"},
        {"action": "deleted", "actorId": "a", "timestamp": "2026-03-01T09:00:00Z"}]"#,
    r#""auditTrail": [{"action": "deleted", "actorId": "a", "timestamp": "2026-03-01T09:00:00Z"},
        {"action": "updated", "actorId": "a", "timestamp": "2026-03-01T09:30:00Z"}]"#,
    r#""auditTrail": [{"action": "DELETED", "actorId": "a", "timestamp": "2026-03-02T09:00:00Z"},
        {"action": "restored", "actorId": "a", "timestamp": "2026-03-01T09:30:00Z"}]"#,
];

/// Patterns that match a folder or its contents.
const PATTERNS: [(&str, &str); 16] = [
    ("ROOT/**", "a.convo"),
    ("/ROOT/**", "a.convo"),
    ("./ROOT/**", "a.convo"),
    ("content/ROOT/**", "a.convo"),
    ("/content/ROOT/**", "a.convo"),
    ("./content/ROOT", "a.convo"),
    ("ROOT/", "deep/a.convo"),
    ("ROOT", "deep/a.convo"),
    ("/ROOT", "a.convo"),
    ("UPPER/**", "a.convo"),
    ("UPPER", "deep/a.convo"),
    ("ROOT/*", "deep/a.convo"),
    ("ROOT/*/A.CONVO", "deep/a.convo"),
    (r"ROOT\**", "a.convo"),
    ("**/ROOT/**", "deep/a.convo"),
    (" {ROOT,none}/** ", "a.convo"),
];

fn ways() -> Ways {
    let mut ways = Ways::default();
    let public = r#""note": 1"#;
    for fields in JSON {
        ways.add("NUMBER.convo", CONVO_FIELDS, public, fields);
        ways.add("NUMBER.cjson.json", CJSON, public, fields);
        ways.add("NUMBER.json", CONV2MD, public, fields);
        ways.add(SESSION_PATH, SESSION, public, fields);
    }
    for fields in OF_TURNS {
        ways.add("NUMBER.jsonl", CHIBI, public, fields);
        ways.add("NUMBER.cjson.json", CJSON_TURNS, public, fields);
        ways.add("NUMBER.json", CONV2MD_TURNS, public, fields);
        ways.add(SESSION_PATH, SESSION_TURNS, public, fields);
        ways.add("NUMBER.jsonl", CHIBI_TURNS, public, fields);
    }
    for trail in TRAILS {
        ways.add("NUMBER.cjson.json", CJSON_TURNS, public, trail);
        ways.add("NUMBER.cjson.json", CJSON, public, trail);
    }
    for rows in ROWS {
        let front = |rows: &str| format!("---\ntitle: On WORD\n{rows}\n---\n");
        let word = format!("quux{:03}z", ways.all.len());
        let named = front(rows).replace("WORD", &word);
        ways.add("NUMBER.md", MARKDOWN, "---\nnote: 1\n---\n", &named);
        ways.add("NUMBER.convo", CONVO, "", &front(rows).replace("WORD", "x"));
    }
    for rows in TOML {
        let front = format!("+++\n{rows}\n+++\n");
        ways.add("NUMBER.md", MARKDOWN, "+++\nnote = 1\n+++\n", &front);
        ways.add("NUMBER.convo", CONVO, "", &front);
    }
    for above in ABOVE {
        ways.add("NUMBER.md", MARKDOWN, "", above);
        ways.add("NUMBER.convo", CONVO, "", &format!("{above}\n"));
    }
    for (files, path) in PATTERNS {
        ways.rule(files, path);
    }
    // A message in a folder, and a field in a file.
    let number = ways.all.len();
    for (place, text) in [("001-user-invoke", "Nothing."), ("002-wren-complete", "Nor I.")] {
        let kind = place.rsplit('-').next().expect("a kind");
        let path = |field: &str| format!("tree/wren/ses-1/{place}/{field}");
        ways.add(&path("type"), kind, "", "");
        ways.add(&path("payload"), text, "", "");
        ways.add(&path("created_at"), "2026-02-08T14:30:05Z", "", "");
    }
    ways.add("tree/wren/ses-1/003-user-invoke/payload", "WORD, I said.", "", "");
    let third = |field: &str| format!("tree/wren/ses-1/003-user-invoke/{field}");
    ways.add(&third("type"), "invoke", "", "");
    ways.add(&third("created_at"), "2026-02-08T14:31:05Z", "", "");
    ways.add(&third("private"), "FIELDS", "false", "true");
    // Files that are read together.
    for (number, part) in [(1, "context.jsonl"), (2, "transcript/partitions/a.jsonl")] {
        let log = CHIBI.replace("FIELDS", public);
        ways.add(&format!("ctx{number}/transcript/active.jsonl"), &log, "", "");
        ways.add(&format!("ctx{number}/transcript/partitions/a.jsonl"), &log, "", "");
        ways.add(&format!("ctx{number}/context.jsonl"), &log, "", "");
        let rule = format!("[[source]]\nfiles = 'ctx{number}/{part}'\nvisibility = 'private'\n");
        ways.rules.push_str(&rule);
    }
    // A file beside a log marks all of it.
    for (number, (part, text)) in BESIDE.into_iter().enumerate() {
        let log = CHIBI.replace("FIELDS", public);
        ways.add(&format!("beside{number}/context.jsonl"), &log, "", "");
        ways.add(&format!("beside{number}/{part}"), "FIELDS", "", text);
    }
    assert!(number > 300, "{number}");
    ways
}

/// The words in an output.
fn seen<'a>(ways: &'a Ways, output: &BTreeMap<String, Vec<u8>>) -> Vec<&'a str> {
    let mut all = unpacked(output).to_lowercase();
    for (path, bytes) in output {
        all.push_str(path);
        all.push_str(&String::from_utf8_lossy(bytes).to_lowercase());
    }
    let words = ways.all.iter().map(|(word, _)| word.as_str());
    words.filter(|word| all.contains(word)).collect()
}

const CONFIG: &str = "downloads = ['markdown', 'json', 'original']\n\
    [[source]]\nfiles = '**/*.convo'\ntags = ['boats']\n";

#[test]
fn every_privacy_mark_is_respected() {
    let ways = ways();
    let config = format!("{BASE}{CONFIG}");
    let site = SiteTest::new().file("site.toml", &config).file("content/a.convo", convo("Hm."));
    for (_, way) in &ways.all {
        site.write(&way.path, &way.public);
    }
    site.run(&["build"]);
    // Without a mark, every word is published.
    let published = seen(&ways, &site.output());
    let missing: Vec<&Way> = ways
        .all
        .iter()
        .filter(|(word, way)| {
            way.public.contains(word.as_str()) && !way.path.ends_with("context.jsonl")
        })
        .filter(|(word, _)| !published.contains(&word.as_str()))
        .map(|(_, way)| way)
        .collect();
    let names: Vec<_> = missing.iter().map(|way| (&way.path, &way.public)).collect();
    assert!(missing.is_empty(), "not published: {names:#?}");

    for (_, way) in &ways.all {
        site.write(&way.path, &way.private);
    }
    site.write("site.toml", format!("{config}{}", ways.rules));
    let run = site.build(1);
    let describe = |word: &str| {
        let (_, way) = ways.all.iter().find(|(known, _)| known == word).expect("a way");
        format!("{}:\n{}", way.path, way.private)
    };
    let output = site.output();
    let leaks: Vec<String> = seen(&ways, &output).into_iter().map(describe).collect();
    assert!(leaks.is_empty(), "published: {}\n{}", leaks.join("\n\n"), run.stderr);
    for (word, _) in ways.all.iter().step_by(100).filter(|_| HAS_SEARCH) {
        let run = site.run(&["search", word, "--count"]);
        assert_eq!(run.stdout, "0\n", "{word}: {}", run.stderr);
    }

    // The output is the same as that of a first build.
    let fresh = SiteTest::new()
        .file("site.toml", format!("{config}{}", ways.rules))
        .file("content/a.convo", convo("Hm."));
    for (_, way) in &ways.all {
        fresh.write(&way.path, &way.private);
    }
    fresh.build(1);
    assert!(fresh.output() == output, "a second build left something");
}

#[test]
fn marks_of_a_branch_apply_under_its_own_path() {
    let session = SESSION.replace("FIELDS", "\"note\": 1").replace("WORD", "quux");
    let built = |files: &str| {
        let mut memory = Memory::default();
        let rule = format!("[[source]]\nfiles = '{files}'\nvisibility = 'private'\n");
        memory.insert("site.toml", format!("{BASE}{rule}"));
        let name = "2026-02-08T14-30-05Z_wren_abc12345.json";
        memory.insert(format!("content/repo/.git/branches/a/b/{name}"), session.clone());
        let log = "{\"id\": \"1\", \"message\": \"user\"}\n";
        memory.insert(format!("content/repo/.git/log/{name}.jsonl"), log);
        memory.insert("content/a.convo", convo("x"));
        let files: SharedFiles = Arc::new(memory);
        let build =
            pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {}).expect("TOML");
        (build.conversations, build.held_back.len())
    };
    assert_eq!(built("*.convo"), (1, 1));
    assert_eq!(built("repo/**"), (1, 1));
    assert_eq!(built("repo/2026-02-08T14-30-05Z_wren_*"), (1, 1));
}

#[test]
fn a_turn_marked_in_one_branch_is_hidden_in_all() {
    let message = |fields: &str| {
        let entry = r#"{"user": "quux, I said.", "at": "2026-02-08T14:30:06Z""#;
        let first = r#"{"user": "Nothing.", "at": "2026-02-08T14:30:05Z"}"#;
        format!(r#"{{"session": "x", "agent": "wren", "history": [{first}, {entry}{fields}}}]}}"#)
    };
    for marked in [["a", "b"], ["b", "a"]] {
        let mut memory = Memory::default();
        memory.insert("site.toml", BASE);
        let name = "2026-02-08T14-30-05Z_wren_abc12345.json";
        for (branch, fields) in marked.into_iter().zip(["", r#", "private": true"#]) {
            let path = format!("content/repo/.git/branches/{branch}/{name}");
            memory.insert(path, message(fields));
        }
        let files: SharedFiles = Arc::new(memory);
        let build =
            pipeline::run(&files, &Choices::default(), &Memo::default(), &|_| {}).expect("TOML");
        assert_eq!((build.conversations, build.held_back.len()), (1, 0));
        let pages: Vec<String> = build
            .outputs
            .iter()
            .filter(|output| output.path.as_str().ends_with(".html"))
            .map(|output| output.make().expect("made"))
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .collect();
        assert!(pages.iter().any(|page| page.contains("Nothing.")));
        assert!(pages.iter().all(|page| !page.contains("quux")), "{marked:?}");
    }
}

#[test]
fn a_file_without_visible_turns_is_withheld() {
    let private = r#""private": true"#;
    let site = SiteTest::new()
        .file("content/open.convo", convo("x"))
        .file(
            "content/a.json",
            format!(r#"{{"messages": [{{"speaker": "Ada", "content": "x", {private}}}]}}"#),
        )
        .file(
            "content/2026-02-08T14-30-05Z_wren_abc12345.json",
            format!(r#"{{"session": "s", "agent": "w", "history": [{{"user": "x", {private}}}]}}"#),
        )
        .file(
            "content/c.jsonl",
            CHIBI.lines().nth(1).expect("two").replace("\"from\"", &format!("{private}, \"from\"")),
        )
        .file(
            "content/d.cjson.json",
            CJSON.replace("FIELDS", "\"x\": 1").replace("\"id\": \"m-1\"", private),
        );
    let message = "content/tree/wren/ses-1/001-user-invoke/";
    for (field, text) in [("type", "invoke"), ("payload", "x"), ("private", "true")] {
        site.write(&format!("{message}{field}"), text);
    }
    let run = site.build(0);
    assert!(run.stderr.contains("; 5 private withheld"), "{}", run.stderr);
    for code in ["no-turns", "unknown-format", "no conversation"] {
        assert!(!run.stderr.contains(code), "{}", run.stderr);
    }
}

#[test]
fn a_duplicate_privacy_key_is_reported_once() {
    let fields = r#""private": true, "private": false"#;
    let site = SiteTest::new()
        .file("content/open.convo", convo("x"))
        .file("content/a.convo", CONVO_FIELDS.replace("FIELDS", fields));
    let run = site.build(1);
    assert!(run.stderr.contains("error[duplicate-key]"), "{}", run.stderr);
    assert!(!run.stderr.contains("repeated-key"), "{}", run.stderr);
}

#[test]
fn unmarked_files_are_published() {
    let fields = r#""status": "resolved", "state": "open", "scope": "repo", "privacy_policy": "x",
        "draft": false, "published": "2024-05-01", "visibility": "public", "archived": false,
        "repository": {"private": false, "draft": true}, "deleted_at": null,
        "tags": ["private equity", "secret", "drafts/horses"], "audience": "developers",
        "sharing": {"link": "x"}"#;
    let site = SiteTest::new()
        .file("content/a.convo", CONVO_FIELDS.replace("FIELDS", fields))
        .file("content/b.cjson.json", CJSON.replace("FIELDS", fields).replace("WORD", "b"))
        .file(
            "content/c.md",
            MARKDOWN.replace("FIELDS", "---\npublished: 2024-05-01\ndraft: false\n---\n"),
        );
    let run = site.build(0);
    assert!(run.stderr.contains("built 3 conversations:"), "{}", run.stderr);
    assert!(!run.stderr.contains("held"), "{}", run.stderr);
    assert!(site.output().contains_key("archive/2024/05/index.html"));
}

#[test]
fn text_that_looks_like_metadata_withholds_nothing() {
    let site = SiteTest::new();
    for (number, above) in PUBLIC_ABOVE.into_iter().enumerate() {
        let text = MARKDOWN.replace("WORD", "quux").replace("FIELDS", above);
        let text = format!("{text}\n---\n\n**Wren:** Status: private, he said.\n");
        site.write(&format!("content/{number}.md"), text);
    }
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("built 12 conversations"), "{}", run.stderr);
    assert!(!run.stderr.contains("held"), "{}", run.stderr);
}

#[test]
fn marks_in_parts_of_a_long_log_are_respected() {
    let entry = |kind: &str, from: &str, to: &str, text: &str, rest: &str| {
        let pad = "word ".repeat(200);
        format!(
            "{{\"id\": \"{text}\", \"timestamp\": 1770000000, \"from\": \"{from}\", \"to\": \"{to}\", \
             \"content\": \"{text} {pad}\", \"entry_type\": \"{kind}\"{rest}}}\n"
        )
    };
    let message =
        |number: usize, rest: &str| entry("message", "ada", "wren", &format!("said{number}"), rest);
    // Parts without visible turns withhold nothing else.
    let middle: String = (0..1500).map(|n| message(n, r#", "private": true"#)).collect();
    let log = [message(8001, ""), middle, message(8002, "")].concat();
    let site = SiteTest::new().file("content/log.jsonl", log);
    site.build(0);
    let shown = |word: &str| {
        site.output().values().any(|bytes| String::from_utf8_lossy(bytes).contains(word))
    };
    assert!(shown("said8001") && shown("said8002") && !shown("said700"));
    // A result far below a private call is not shown, and neither is a copy without a mark.
    let call = r#", "tool_call_id": "far""#;
    let mut log =
        entry("tool_call", "wren", "read", "call9", &format!("{call}, \"private\": true"));
    log.extend((0..1500).map(|n| message(n, "")));
    log.push_str(&entry("tool_result", "read", "wren", "result9", call));
    log.push_str(&message(9001, ""));
    log.push_str(&message(9001, r#", "private": true"#));
    site.write("content/log.jsonl", log);
    site.build(0);
    assert!(shown("said700") && !shown("call9") && !shown("result9") && !shown("said9001"));
}

#[test]
fn withheld_turns_are_counted() {
    let marked = CJSON_TURNS.replace("FIELDS", TRAILS[0]).replace("WORD", "quux");
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}downloads = ['original']\n"))
        .file("content/a.cjson.json", marked);
    let run = site.build(0);
    assert!(run.stderr.contains("hint[turns-held-back]"), "{}", run.stderr);
    assert!(run.stderr.contains("content/a.cjson.json:3:5"), "{}", run.stderr);
    let output = site.output();
    assert!(output.keys().all(|path| !path.contains("original")), "{output:?}");
}

#[test]
fn front_matter_above_a_convo_file_is_reported() {
    let front = "---\ntitle: A boat\ntags: [x]\n---\n\n";
    let site = SiteTest::new().file("content/a.convo", CONVO.replace("FIELDS", front));
    let run = site.build(0);
    assert!(run.stderr.contains("warning[front-matter]"), "{}", run.stderr);
    assert!(!site.page("c/", "index.html").contains("A boat"));
}

#[test]
fn the_example_url_of_a_new_site_is_reported() {
    let site = SiteTest::new().file("content/a.convo", convo("x"));
    for (address, is_expected) in [
        ("https://example.org/", true),
        ("https://www.example.com", true),
        ("https://example.org/talks/", false),
        ("https://site.example/", false),
    ] {
        site.write("site.toml", format!("base_url = '{address}'\n"));
        for command in ["build", "check"] {
            let run = site.run(&[command]);
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            let is_reported = run.stderr.contains("warning[example-base-url]");
            assert_eq!(is_reported, is_expected, "{command} {address}: {}", run.stderr);
        }
    }
}

#[test]
fn private_conversations_are_built_on_request() {
    let draft = CONVO_FIELDS.replace("FIELDS", "\"private\": true").replace("WORD", "quux");
    let site = SiteTest::new().file("content/a.convo", draft);
    let run = site.build(0);
    assert!(run.stderr.contains("1 private withheld"), "{}", run.stderr);
    let run = site.run(&["build", "--include-private"]);
    assert!(run.stderr.contains("because of --include-private: On quux"), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("quux"));
}

/// A conversation with a revealing title, and its folder.
fn titled(title: &str, more: &str) -> String {
    convo("The same words.").replace("\"type\"", &format!("\"title\": \"{title}\"{more}, \"type\""))
}

fn folder_of(site: &SiteTest, title: &str) -> String {
    let output = site.output();
    let page = output.keys().find(|path| {
        path.starts_with("c/") && path.ends_with("/index.html") && path.contains(title)
    });
    page.expect("a page").trim_end_matches("index.html").to_owned()
}

#[test]
fn redirects_to_withheld_pages_are_not_written() {
    let site = SiteTest::new()
        .file("content/a.convo", titled("Zyzzyva", ""))
        .file("content/b.convo", convo("Another one."));
    site.build(0);
    let folder = folder_of(&site, "zyzzyva");
    let page = "old/index.html";
    let rows = format!(
        "[redirects]\n\"old/\" = \"{folder}\"\n\"older/\" = \"old/\"\n\"x/\" = \"archive\"\n"
    );
    site.write("site.toml", format!("{BASE}{rows}"));
    site.build(0);
    assert!(site.output().contains_key(page) && site.output().contains_key("x/index.html"));
    site.write("content/a.convo", titled("Zyzzyva", ", \"private\": true"));
    let run = site.run(&["build", "--message-format", "short"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for place in ["site.toml:3:10", "site.toml:4:12"] {
        let expected = format!("{place}: warning[dead-redirect]");
        assert!(run.stderr.contains(&expected), "{}", run.stderr);
    }
    assert!(site.output().contains_key("x/index.html"));
    assert!(!unpacked(&site.output()).to_lowercase().contains("zyzzyva"));
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!path.contains("zyzzyva") && !text.contains("zyzzyva"), "{path}");
    }
}

/// Of conversations that start equally, one replaces another that is withheld.
#[test]
fn redirects_from_withheld_pages_are_not_suggested() {
    for (name, title) in [("a", "zyzzyva"), ("b", "quagga")] {
        let site = SiteTest::new()
            .file("content/a.convo", titled("Zyzzyva", ""))
            .file("content/b.convo", titled("Quagga", ""));
        site.build(0);
        let old = folder_of(&site, title);
        site.write(&format!("content/{name}.convo"), titled(title, ", \"draft\": true"));
        let run = site.build(0);
        assert!(!run.stderr.contains(&format!("\"{old}\" = ")), "{name}: {}", run.stderr);
    }
    // The file identifies it, and now contains another conversation too.
    let site = SiteTest::new().file("content/a.convo", titled("Zyzzyva", ""));
    site.build(0);
    let old = folder_of(&site, "zyzzyva");
    site.write("content/b.convo", titled("Zyzzyva", ", \"private\": true"));
    site.write("content/a.convo", titled("Quagga", ""));
    let run = site.build(0);
    assert!(!run.stderr.contains(&format!("\"{old}\" = ")), "{}", run.stderr);
}

/// A file beside a log that is about its whole folder.
#[test]
fn a_file_beside_a_log_can_withhold_it() {
    let input = project().join("tests/formats/chibi/extra-files/input");
    for (name, text) in [
        ("meta.json", "{\"private\": true}"),
        ("context.json", "{\"visibility\": \"private\"}"),
        ("transcript/meta.json", "{\"private\": true}"),
        ("metadata.yaml", "private: true\n"),
        ("frontmatter.yml", "title: x\nprivate: true\n"),
        ("settings.toml", "visibility = \"private\"\n"),
        ("README.md", "---\nprivate: true\n---\n\nAbout.\n"),
        ("context_meta.json", "private: true\n"),
    ] {
        for (text, held) in [(text, 1), ("", 0)] {
            let site = SiteTest::new();
            for (path, bytes) in files_below(&input) {
                site.write(&format!("content/ctx/{path}"), bytes);
            }
            site.write(&format!("content/ctx/{name}"), text);
            let run = site.run(&["build", "--message-format", "json"]);
            assert_ne!(run.code, Some(2), "{name}: {}", run.stderr);
            let pages = site.output();
            let is_page = |path: &&String| path.starts_with("c/");
            assert_eq!(pages.keys().filter(is_page).count() == 0, held == 1, "{name} {text}");
        }
    }
}

/// Records of a long file are read separately; marks above them apply to each.
#[test]
fn marks_above_a_long_list_are_respected() {
    for (mark, is_public) in [("\"private\": true,", false), ("", true)] {
        let talk = |n: usize| {
            let words = format!("Number {n}. {}", "moss ".repeat(1000));
            format!(
                "{{\"conversation\":{{\"id\":\"g{n}\",\"title\":\"Talk {n}\"}},\"responses\":[{{\"response\":\
                 {{\"_id\":\"r{n}\",\"message\":\"{words}\",\"sender\":\"human\"}}}}]}}"
            )
        };
        let talks: Vec<String> = (0..200).map(talk).collect();
        let text = format!("{{{mark} \"conversations\": [{}]}}", talks.join(","));
        let site = SiteTest::new()
            .file("site.toml", "title = 'T'")
            .file("content/hello.convo", convo("hello"))
            .file("content/prod-grok-backend.json", text);
        site.build(0);
        let output = site.output();
        let has_turn = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("Number 7.");
        assert_eq!(output.values().any(has_turn), is_public, "{mark}");
    }
}
