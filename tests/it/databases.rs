//! Databases of programs, created by each test: what is read from them, and that nothing is written
//! beside them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use convo_site::diag::Diagnostic;
use convo_site::disk::Disk;
use convo_site::files::Files;
use convo_site::path::RelPath;
use rusqlite::Connection;

use crate::support::SiteTest;
use crate::support::linear_time::{check_linear, timed};

/// Creates a database in a folder.
fn database(site: &SiteTest, name: &str, sql: &str) -> Connection {
    let path = site.path(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    let made = Connection::open(path).expect("opened");
    made.execute_batch(sql).expect("made");
    made
}

/// The table of Zed.
const ZED: &str = "CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, \
                   data_type TEXT NOT NULL, data BLOB NOT NULL);";

/// Returns the contents of the databases in a folder by file path, and the notes.
fn read(folder: &Path) -> (BTreeMap<String, String>, Vec<Diagnostic>) {
    let disk = Disk::new(folder);
    let mut notes = Vec::new();
    let listed = disk.list_unpacked("").take(&mut notes);
    let mut files = BTreeMap::new();
    for info in &listed {
        if !info.path.as_str().ends_with(".jsonl") {
            continue;
        }
        match disk.read(&info.path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).expect("UTF-8");
                files.insert(info.path.to_string(), text);
            }
            Err(note) => notes.push(*note),
        }
    }
    (files, notes)
}

/// The texts of all pages of a site.
fn pages(site: &SiteTest) -> String {
    let output = site.output();
    let pages = output.iter().filter(|(path, _)| path.ends_with(".html"));
    pages.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect()
}

/// The bytes of all files of a folder.
fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    crate::support::files_below(folder)
}

#[test]
fn each_conversation_of_a_database_is_read_as_a_file() {
    let site = SiteTest::new();
    let made = database(&site, "in/threads.db", ZED);
    let put = "INSERT INTO threads VALUES (?1, 'Tea', '2026-03-04T10:00:00Z', ?2, ?3)";
    made.execute(put, ("b-1", "json", "{\n  \"messages\": []\n}")).expect("put");
    let packed = ruzstd::encoding::compress_to_vec(
        &b"{\"messages\":[1]}"[..],
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    made.execute(put, ("../a", "zstd", packed)).expect("put");
    made.execute(put, ("é \" \n", "json", "no JSON\n\u{7}")).expect("put");
    made.close().expect("closed");
    let before = bytes(&site.path("in"));
    let (files, notes) = read(&site.path("in"));
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(files.len(), 3);
    let row = |name: &str| {
        let text = &files[name];
        assert_eq!(text.lines().count(), 1, "{text}");
        serde_json::from_str::<serde_json::Value>(text).expect("JSON")
    };
    let plain = row("threads.db/b-1.jsonl");
    assert_eq!(plain["store"], "zed");
    assert_eq!(plain["table"], "threads");
    assert_eq!(plain["row"]["summary"], "Tea");
    assert!(plain["row"]["data"]["messages"].is_array());
    let others: Vec<&String> = files.keys().filter(|name| !name.contains("b-1")).collect();
    assert!(others.iter().all(|name| !name.contains("..")), "{others:?}");
    let texts: Vec<_> = others.iter().map(|name| row(name)).collect();
    assert!(texts.iter().any(|row| row["row"]["data"]["messages"][0] == 1));
    assert!(texts.iter().any(|row| row["row"]["data"] == "no JSON\n\u{7}"));
    assert_eq!(bytes(&site.path("in")), before, "something was written");
}

#[test]
fn rows_in_the_write_ahead_log_are_read() {
    let site = SiteTest::new();
    let writer = database(&site, "in/threads.db", "PRAGMA journal_mode = WAL;");
    writer.execute_batch("PRAGMA wal_autocheckpoint = 0;").expect("set");
    writer.execute_batch(ZED).expect("made");
    let put = "INSERT INTO threads VALUES (?1, 'S', '', 'json', '{}')";
    writer.execute(put, ["one"]).expect("put");
    let before = bytes(&site.path("in"));
    assert!(before.contains_key("threads.db-wal"));
    let disk = Disk::new(&site.path("in"));
    let old = SystemTime::now() - Duration::from_secs(3600);
    for name in before.keys() {
        let file = fs::File::options().write(true).open(site.path("in").join(name));
        file.expect("opened").set_modified(old).expect("set");
    }
    let list = |disk: &Disk| {
        let listed = disk.list_unpacked("");
        assert!(listed.notes.is_empty(), "{:?}", listed.notes);
        let inside = listed.value.into_iter().filter(|file| file.path.as_str().contains('/'));
        let found = inside.map(|file| (file.path.to_string(), file.stamp));
        found.collect::<BTreeMap<_, _>>()
    };
    let first = list(&disk);
    assert_eq!(first.keys().collect::<Vec<_>>(), ["threads.db/one.jsonl"]);
    // A long transaction locks the database, and a build must not wait for it.
    writer.execute_batch("BEGIN IMMEDIATE;").expect("begun");
    writer.execute(put, ["two"]).expect("put");
    assert_eq!(list(&disk).len(), 1);
    writer.execute_batch("COMMIT;").expect("done");
    let second = list(&disk);
    assert_eq!(second.len(), 2);
    assert_ne!(first["threads.db/one.jsonl"], second["threads.db/one.jsonl"]);
    let after = bytes(&site.path("in"));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    assert_eq!(before["threads.db"], after["threads.db"]);
}

#[test]
fn a_locked_database_is_read() {
    let site = SiteTest::new();
    let writer = database(&site, "in/threads.db", ZED);
    writer.execute("INSERT INTO threads VALUES ('one', 'S', '', 'json', '{}')", []).expect("put");
    writer.execute_batch("BEGIN EXCLUSIVE;").expect("locked");
    let (files, notes) = read(&site.path("in"));
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(files.len(), 1);
    // An unfinished transaction is rolled back in a copy.
    writer.execute_batch("PRAGMA cache_size = 1;").expect("set");
    for n in 0..200 {
        let put = "INSERT INTO threads VALUES (?1, ?2, '', 'json', '{}')";
        writer.execute(put, (format!("n{n}"), "x".repeat(3000))).expect("put");
    }
    let journal = site.path("in/threads.db-journal");
    assert!(journal.metadata().expect("there").len() > 0);
    let before = bytes(&site.path("in"));
    let (files, notes) = read(&site.path("in"));
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(files.len(), 1);
    assert_eq!(bytes(&site.path("in")), before);
}

#[test]
fn a_damaged_database_is_reported_and_the_rest_is_read() {
    let site = SiteTest::new();
    let made = database(&site, "in/threads.db", ZED);
    for n in 0..400 {
        let put = "INSERT INTO threads VALUES (?1, ?2, '', 'json', '{}')";
        made.execute(put, (format!("t{n:03}"), "x".repeat(900))).expect("put");
    }
    made.close().expect("closed");
    let path = site.path("in/threads.db");
    let whole = fs::read(&path).expect("read");
    for (from, to) in [(1 << 12, whole.len()), (1 << 16, (1 << 16) + 9000), (100, 4096)] {
        let mut broken = whole.clone();
        for (at, byte) in broken[from..to].iter_mut().enumerate() {
            *byte = (at * 31 % 251) as u8;
        }
        fs::write(&path, broken).expect("written");
        let (_, notes) = read(&site.path("in"));
        assert!(!notes.is_empty(), "{from}..{to}");
        assert!(notes.iter().all(|note| note.code == "bad-archive"), "{notes:?}");
    }
    for len in [16, 100, 512, 4096, 5000, whole.len() / 2, whole.len() - 1] {
        fs::write(&path, &whole[..len]).expect("written");
        let (files, notes) = read(&site.path("in"));
        assert!(files.len() < 400 || !notes.is_empty(), "{len}");
    }
}

#[test]
fn other_files_are_not_read_as_databases() {
    let site = SiteTest::new().file("in/a.vscdb", "no database").file("in/b.db", "");
    database(&site, "in/c.sqlite", "CREATE TABLE t (a); CREATE TABLE threads (id);");
    let (files, notes) = read(&site.path("in"));
    assert!(files.is_empty() && notes.is_empty(), "{files:?} {notes:?}");
    // The file is reported with its real type.
    site.write("site.toml", "title = 'T'");
    database(&site, "content/c.sqlite", "CREATE TABLE t (a);");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("an SQLite database"), "{}", run.stderr);
    // An encrypted database has at most a readable header.
    let mut bytes = b"SQLite format 3\0".to_vec();
    bytes.extend((0..8192_u32).map(|n| (n * 7919 % 251) as u8));
    fs::write(site.path("in/d.db"), bytes).expect("written");
    let (_, notes) = read(&site.path("in"));
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(notes[0].message.contains("encrypted"), "{notes:?}");
}

#[test]
fn nothing_in_a_database_is_executed() {
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i";
    for hostile in [
        format!(
            "CREATE VIEW threads AS {endless} AS id, i AS summary, i AS updated_at, i AS data_type, i AS data FROM n;"
        ),
        "CREATE VIRTUAL TABLE threads USING fts5(id, summary, updated_at, data_type, data);".to_owned(),
        // A computed column.
        "CREATE TABLE threads (id TEXT, summary, updated_at, data_type, data AS (zeroblob(900000000)));\
         INSERT INTO threads VALUES ('x', 's', 't', 'json');"
            .to_owned(),
    ] {
        let site = SiteTest::new();
        database(&site, "in/threads.db", &hostile);
        let (files, notes) = read(&site.path("in"));
        assert!(files.is_empty() && notes.is_empty(), "{hostile}: {files:?} {notes:?}");
    }
    // A table without row ids.
    let site = SiteTest::new();
    let table = ZED.replace(");", ") WITHOUT ROWID;");
    let made = database(&site, "in/threads.db", &table);
    made.execute("INSERT INTO threads VALUES ('one', 'S', '', 'json', '{}')", []).expect("put");
    made.execute_batch(
        "CREATE TABLE t (a); CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM threads; END;",
    )
    .expect("made");
    let (files, notes) = read(&site.path("in"));
    assert!(files.is_empty(), "{files:?}");
    assert_eq!(notes.len(), 1, "{notes:?}");
}

#[test]
fn a_cell_that_is_too_long_is_reported_and_not_read() {
    let site = SiteTest::new();
    let made = database(&site, "in/threads.db", ZED);
    let put = "INSERT INTO threads VALUES ('one', 'Tea', '', 'json', zeroblob(40000000))";
    made.execute(put, []).expect("put");
    let (files, notes) = read(&site.path("in"));
    assert!(notes.is_empty(), "{notes:?}");
    let text = &files["threads.db/one.jsonl"];
    assert!(text.len() < 300 && text.contains("\"omitted\":{\"data\":40000000}"), "{text}");
}

#[cfg(unix)]
#[test]
fn links_to_databases_are_not_followed() {
    let site = SiteTest::new();
    let made = database(&site, "out/threads.db", ZED);
    made.execute("INSERT INTO threads VALUES ('one', 'S', '', 'json', '{}')", []).expect("put");
    fs::create_dir_all(site.path("in")).expect("made");
    std::os::unix::fs::symlink(site.path("out/threads.db"), site.path("in/threads.db"))
        .expect("linked");
    let (files, _) = read(&site.path("in"));
    assert!(files.is_empty(), "{files:?}");
}

/// Needs a gigabyte of disk space: `cargo test --test it a_gigabyte -- --ignored`.
#[ignore = "it writes a gigabyte"]
#[test]
fn a_gigabyte_is_read_in_little_memory() {
    let site = SiteTest::new();
    let made =
        database(&site, "in/threads.db", "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;");
    made.execute_batch(ZED).expect("made");
    let text = format!("{{\"x\":\"{}\"}}", "a".repeat(1 << 20));
    for n in 0..1000 {
        let put = "INSERT INTO threads VALUES (?1, 'S', '', 'json', ?2)";
        made.execute(put, (format!("t{n}"), &text)).expect("put");
    }
    made.close().expect("closed");
    let disk = Disk::new(&site.path("in"));
    let listed = disk.list_unpacked("");
    assert_eq!(listed.value.len(), 1001);
    for n in [0, 500, 999] {
        let bytes = disk.read(&RelPath::new(format!("threads.db/t{n}.jsonl"))).expect("read");
        assert!(bytes.len() > 1 << 20);
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().split(' ').next()?.parse::<u64>().ok());
    assert!(peak.is_none_or(|peak| peak < 300_000), "{peak:?} kB");
}

/// A Cursor database with a conversation and an empty draft.
const CURSOR: &str = r#"
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES ('cursorAuth/accessToken', 'NEVER-SHOWN');
INSERT INTO cursorDiskKV VALUES
  ('bubbleId:c-1:b2', '{"type":2,"text":"Under the bridge."}'),
  ('bubbleId:c-1:b1', '{"type":1,"text":"Where is the boat?"}'),
  ('bubbleId:c-1:b3', '{"type":2,"text":"NEVER-SHOWN, it was replaced"}'),
  ('bubbleId:c-10:b1', '{"type":1,"text":"Another one"}'),
  ('composerData:c-1', '{"composerId":"c-1","name":"The boat","fullConversationHeadersOnly":[{"bubbleId":"b1"},{"bubbleId":"b2"}]}'),
  ('composerData:c-2', '{"composerId":"c-2","fullConversationHeadersOnly":[]}'),
  ('composerData:c-3', NULL);
"#;

#[test]
fn conversations_of_cursor_are_read_from_its_database() {
    let site = SiteTest::new();
    database(&site, "state.vscdb", CURSOR).close().expect("closed");
    let run = site.run(&["convert", "state.vscdb", "--to", "markdown"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stderr.contains("c-2"), "drafts must not be reported: {}", run.stderr);
    let text = &run.stdout;
    let order = ["The boat", "Where is the boat?", "Under the bridge."].map(|part| text.find(part));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{text}");
    assert!(!text.contains("NEVER-SHOWN") && !text.contains("Another"), "{text}");
}

#[test]
fn sessions_of_opencode_are_read_from_its_database() {
    let site = SiteTest::new();
    let made = database(
        &site,
        "opencode.db",
        r#"CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, title text NOT NULL,
             share_url text, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
           CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer, data text NOT NULL);
           CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
           INSERT INTO session VALUES ('ses_1', NULL, '/srv/mill', '[draft] The mill', 'NEVER-SHOWN', NULL, 1772618400000, 1772618400000);
           INSERT INTO session VALUES ('ses_2', 'ses_1', '/srv/mill', 'The weir', NULL, '{"messageID":"msg_4"}', 1772618400000, 0);
           INSERT INTO message VALUES ('msg_2', 'ses_1', 2, '{"role":"assistant","modelID":"wren-3"}');
           INSERT INTO message VALUES ('msg_1', 'ses_1', 1, '{"role":"user"}');
           INSERT INTO message VALUES ('msg_3', 'ses_2', 1, '{"role":"user"}');
           INSERT INTO message VALUES ('msg_4', 'ses_2', 1, '{"role":"user"}');
           INSERT INTO part VALUES ('prt_2', 'msg_2', 'ses_1', '{"type":"text","text":"It turns."}');
           INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"Does it turn?"}');
           INSERT INTO part VALUES ('prt_3', 'msg_3', 'ses_2', '{"type":"text","text":"Is it open?"}');
           INSERT INTO part VALUES ('prt_4', 'msg_4', 'ses_2', '{"type":"text","text":"NEVER-SHOWN"}');"#,
    );
    made.close().expect("closed");
    let run = site.run(&["import", "--json", "opencode.db"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let rows: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let titles: Vec<&str> =
        rows.as_array().expect("rows").iter().filter_map(|row| row["title"].as_str()).collect();
    assert_eq!(titles, ["[draft] The mill", "The weir"]);
    let run = site.run(&["convert", "opencode.db", "--to", "markdown", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let texts: Vec<String> = bytes(&site.path("out"))
        .into_values()
        .map(|text| String::from_utf8(text).expect("UTF-8"))
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(texts[0].find("Does it turn?") < texts[0].find("It turns."), "{texts:?}");
    assert!(texts.iter().all(|text| !text.contains("NEVER-SHOWN")), "{texts:?}");
}

/// Both kinds of `llm` tables.
const LLM: &str = r#"
CREATE TABLE [conversations] ([id] TEXT PRIMARY KEY, [name] TEXT, [model] TEXT);
CREATE TABLE [responses] ([id] TEXT PRIMARY KEY, [model] TEXT, [prompt] TEXT, [system] TEXT, [prompt_json] TEXT,
  [response] TEXT, [response_json] TEXT, [conversation_id] TEXT, [duration_ms] INTEGER, [datetime_utc] TEXT);
CREATE TABLE [fragments] ([id] INTEGER PRIMARY KEY, [hash] TEXT, [content] TEXT, [source] TEXT);
CREATE TABLE [prompt_fragments] ([response_id] TEXT, [fragment_id] INTEGER, [order] INTEGER,
  PRIMARY KEY ([response_id], [fragment_id], [order]));
INSERT INTO conversations VALUES ('old', 'The old one', 'wren-2'), ('both', 'Both', 'wren-2'), ('none', 'Empty', 'wren-2');
INSERT INTO responses VALUES
  ('r2', 'wren-2', 'Second?', NULL, 'NEVER-SHOWN', 'Two.', 'NEVER-SHOWN', 'old', 1, '2026-03-04T10:01:00'),
  ('r1', 'wren-2', 'First?', 'NEVER-SHOWN', '{}', 'One.', '{}', 'old', 1, '2026-03-04T10:00:00'),
  ('r3', 'wren-2', 'Begun', NULL, '{}', 'Yes.', '{}', 'both', 1, '2026-03-04T10:00:00');
INSERT INTO fragments VALUES (1, 'h', 'A list of boats', 'boats.txt'), (2, 'i', 'NEVER-SHOWN', 'other.txt');
INSERT INTO prompt_fragments VALUES ('r1', 1, 0);
CREATE TABLE [threads] ([id] TEXT PRIMARY KEY, [name] TEXT, [tip_message_hash] TEXT, [forked_from] TEXT, [datetime_utc] TEXT);
CREATE TABLE [messages] ([hash] TEXT PRIMARY KEY, [parent_hash] TEXT, [role] TEXT, [provider_metadata] TEXT);
CREATE TABLE [parts] ([id] INTEGER PRIMARY KEY, [message_hash] TEXT, [position] INTEGER, [type] TEXT, [text] TEXT, [fragment_id] INTEGER);
CREATE TABLE [turns] ([id] TEXT PRIMARY KEY, [tip_message_hash] TEXT, [model] TEXT, [datetime_utc] TEXT);
INSERT INTO threads VALUES ('both', 'Both', 'm3', NULL, NULL), ('fork', 'The fork', 'm4', 'both', NULL), ('ring', 'Ring', 'x', NULL, NULL);
INSERT INTO messages VALUES ('m1', NULL, 'user', NULL), ('m2', 'm1', 'assistant', NULL), ('m3', 'm2', 'user', NULL),
  ('m4', 'm2', 'user', NULL), ('x', 'y', 'user', NULL), ('y', 'x', 'user', NULL);
INSERT INTO parts VALUES (1, 'm1', 0, 'text', 'Begun', NULL), (2, 'm2', 0, 'text', 'Yes.', NULL),
  (3, 'm3', 0, 'text', 'Ended one way', NULL), (4, 'm4', 0, 'text', 'Ended another way', NULL), (5, 'x', 0, 'text', 'Round', NULL);
INSERT INTO turns VALUES ('t', 'm2', 'wren-3', '2026-09-01T10:00:00');
"#;

#[test]
fn conversations_of_llm_are_read_from_its_tables_old_and_new() {
    let site = SiteTest::new();
    database(&site, "logs.db", LLM).close().expect("closed");
    let run = site.run(&["convert", "logs.db", "--to", "markdown", "-o", "out"]);
    assert!(run.stderr.contains("lost-message"), "{}", run.stderr);
    let files = bytes(&site.path("out"));
    let mut files: BTreeMap<&str, String> = files
        .iter()
        .map(|(name, text)| (name.as_str(), String::from_utf8_lossy(text).into_owned()))
        .collect();
    assert_eq!(
        files.keys().copied().collect::<Vec<_>>(),
        ["both.md", "fork.md", "old.md", "ring.md"]
    );
    let has = |text: &str, parts: &[&str]| {
        let places: Vec<_> = parts.iter().map(|part| text.find(part)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{parts:?}: {text}");
    };
    has(&files["old.md"], &["A list of boats", "First?", "One.", "Second?", "Two."]);
    has(&files["both.md"], &["Begun", "Yes.", "Ended one way"]);
    has(&files["fork.md"], &["Begun", "Yes.", "Ended another way"]);
    let old = files.remove("old.md").expect("there");
    assert!(!old.contains("NEVER-SHOWN"), "{old}");
    assert!(files.values().all(|text| !text.contains("NEVER-SHOWN")));
}

#[test]
fn threads_of_zed_are_read_from_its_database() {
    let site = SiteTest::new();
    let made = database(&site, "threads.db", ZED);
    let thread = r#"{"messages": [{"User": {"content": [{"Text": "Is it dry?"}]}},
        {"Agent": {"content": [{"Text": "It floats."}], "tool_results": {}}}]}"#;
    let packed = ruzstd::encoding::compress_to_vec(
        thread.as_bytes(),
        ruzstd::encoding::CompressionLevel::Fastest,
    );
    let put = "INSERT INTO threads VALUES ('one', 'The boat', '2026-03-04T10:00:00Z', 'zstd', ?1)";
    made.execute(put, [packed]).expect("put");
    made.close().expect("closed");
    let run = site.run(&["convert", "threads.db", "--to", "markdown"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for part in ["The boat", "Is it dry?", "It floats."] {
        assert!(run.stdout.contains(part), "{}", run.stdout);
    }
}

#[test]
fn access_columns_are_respected() {
    let site = SiteTest::new().file("site.toml", "title = 'T'");
    let made = database(
        &site,
        "content/threads.db",
        &ZED.replace(");", ", is_private INTEGER, archived);"),
    );
    let put = "INSERT INTO threads VALUES (?1, ?2, '2026-03-04T10:00:00Z', 'json', ?3, ?4, ?5)";
    let thread = |words: &str| {
        format!("{{\"messages\": [{{\"User\": {{\"content\": [{{\"Text\": \"{words}\"}}]}}}}]}}")
    };
    for (id, words, private, archived) in [
        ("a", "HIDDEN by a number", Some(1), None),
        ("b", "HIDDEN by a word", None, Some("true")),
        ("c", "Shown, as it says no", Some(0), Some("false")),
        ("d", "Shown, as it says nothing", None, None),
    ] {
        let row = (id, words, thread(words), private, archived);
        made.execute(put, row).expect("put");
    }
    made.close().expect("closed");
    let (files, notes) = read(&site.path("content"));
    assert!(notes.is_empty(), "{notes:?}");
    for (name, part) in [
        ("a", "\"is_private\":true}"),
        ("b", "\"archived\":\"true\"}"),
        ("c", "\"archived\":\"false\",\"is_private\":false}"),
    ] {
        let text = &files[&format!("threads.db/{name}.jsonl")];
        assert!(text.contains(part), "{text}");
    }
    assert!(!files["threads.db/d.jsonl"].contains("private"), "{files:?}");
    site.build(0);
    let index = crate::support::unpacked(&site.output());
    let pages = format!("{index}{}", pages(&site));
    assert!(!pages.contains("HIDDEN"), "something private is public");
    assert!(pages.contains("as it says no") && pages.contains("as it says nothing"));
}

#[test]
fn rows_without_a_conversation_are_reported() {
    let site = SiteTest::new();
    let more = "INSERT INTO responses (id, prompt, response, conversation_id) VALUES \
                ('s1', 'Whose?', 'Nobody knows.', NULL), ('s2', 'And this?', 'No.', 'gone'); \
                INSERT INTO messages VALUES ('stray', NULL, 'user', NULL);";
    database(&site, "in/logs.db", &format!("{LLM}{more}")).close().expect("closed");
    let made = database(
        &site,
        "in/opencode.db",
        "CREATE TABLE session (id text, title text);
         CREATE TABLE message (id text, session_id text, data text);
         CREATE TABLE part (id text, message_id text, session_id text, data text);
         INSERT INTO session VALUES ('ses_1', 'The mill');
         INSERT INTO message VALUES ('m1', 'ses_1', '{\"role\":\"user\"}'), ('m2', 'ses_2', '{\"role\":\"user\"}');
         INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '{\"type\":\"text\",\"text\":\"Hi\"}'), ('p2', 'm2', NULL, '{}');",
    );
    made.close().expect("closed");
    let (_, notes) = read(&site.path("in"));
    let reported: Vec<String> = notes
        .iter()
        .map(|note| format!("{} {}", note.at.as_ref().expect("a place").file, note.message))
        .collect();
    assert_eq!(
        reported,
        [
            "logs.db 2 rows of `responses` belong to no conversation in the database",
            "logs.db 1 row of `messages` belongs to no conversation in the database",
            "opencode.db 1 row of `message` belongs to no conversation in the database",
            "opencode.db 1 row of `part` belongs to no conversation in the database",
        ]
    );
    assert!(notes.iter().all(|note| note.code == "stray-rows"));
}

/// Creates OpenCode and Cursor databases with this many rows and no index, and returns the time to
/// read both, without that of other programs.
fn time_without_an_index(rows: usize) -> Duration {
    let site = SiteTest::new();
    let talks = rows / 60;
    let made = database(
        &site,
        "in/opencode.db",
        &format!(
            "CREATE TABLE session (id text, title text);
             CREATE TABLE message (id text, session_id text, data text);
             CREATE TABLE part (id text, message_id text, session_id text, data text);
             WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {talks})
             INSERT INTO session SELECT 'ses_' || i, 'T' FROM n;
             WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rows})
             INSERT INTO part SELECT 'p' || i, 'm', 'ses_' || (i % {talks}), '{{}}' FROM n;"
        ),
    );
    made.close().expect("closed");
    let made = database(
        &site,
        "in/state.vscdb",
        &format!(
            "CREATE TABLE ItemTable (key TEXT, value BLOB); CREATE TABLE cursorDiskKV (key TEXT, value BLOB);
             WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {talks})
             INSERT INTO cursorDiskKV SELECT 'composerData:c' || i, '{{}}' FROM n;
             WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {rows})
             INSERT INTO cursorDiskKV SELECT 'bubbleId:c' || (i % {talks}) || ':b' || i, '{{}}' FROM n;"
        ),
    );
    made.close().expect("closed");
    let (mut files, mut notes) = (BTreeMap::new(), Vec::new());
    let elapsed = timed(|| (files, notes) = read(&site.path("in")));
    assert!(notes.is_empty(), "{notes:?}");
    assert_eq!(files.len(), 2 * talks);
    let lines: usize = files.values().map(|text| text.lines().count()).sum();
    assert_eq!(lines, 2 * (talks + rows));
    elapsed
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn a_store_without_an_index_is_read_in_linear_time() {
    assert_eq!(check_linear(48_000, time_without_an_index), Ok(()));
}

#[test]
fn a_database_in_an_archive_is_reported_by_name() {
    let site = SiteTest::new().file("site.toml", "title = 'T'");
    let made = database(&site, "threads.db", ZED);
    made.execute("INSERT INTO threads VALUES ('one', 'S', '', 'json', '{}')", []).expect("put");
    made.close().expect("closed");
    let bytes = fs::read(site.path("threads.db")).expect("read");
    let talk = crate::support::convo("hello");
    let members: [(&str, &[u8]); 2] = [("threads.db", &bytes), ("a.convo", talk.as_bytes())];
    site.write("content/backup.zip", crate::archives::zip(&members));
    let run = site.run(&["build"]);
    let expected =
        ["content/backup.zip/threads.db", "an SQLite database", "move it out of the archive"];
    assert!(expected.iter().all(|part| run.stderr.contains(part)), "{}", run.stderr);
}

#[test]
fn a_conversation_that_is_too_long_to_read_is_reported() {
    let site = SiteTest::new().file("site.toml", "title = 'T'");
    let line = |text: &str| {
        format!(
            "{{\"role\":\"user\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}\n"
        )
    };
    let text = line(&"moss ".repeat(200_000)).repeat(70);
    assert!(text.len() > 64 << 20);
    site.write("content/5d0c.jsonl", text);
    site.write("content/short.jsonl", line("Where is the boat?"));
    let run = site.run(&["build", "--message-format", "short"]);
    let reported = run.stderr.lines().filter(|line| line.contains("too-large"));
    let reported: Vec<&str> = reported.collect();
    assert!(
        matches!(reported[..], [only] if only.contains("content/5d0c.jsonl")),
        "{}",
        run.stderr
    );
    assert!(pages(&site).contains("Where is the boat?"));
}

#[test]
fn every_model_has_a_listing() {
    let rows = r#"{"store":"llm","table":"conversations","row":{"id":"one","name":"Boats","model":null}}
{"store":"llm","table":"responses","row":{"id":"r1","model":"wren-2","prompt":"How many?","response":"Two.","datetime_utc":"2026-03-04T10:01:00"}}
{"store":"llm","table":"responses","row":{"id":"r2","model":"wren-3","prompt":"Sure?","response":"Yes.","datetime_utc":"2026-03-04T10:02:00"}}
"#;
    let site = SiteTest::new().file("site.toml", "title = 'T'").file("content/a.jsonl", rows);
    site.build(0);
    let output = site.output();
    for model in ["wren-2", "wren-3"] {
        let path = format!("models/{model}/index.html");
        assert!(output.contains_key(&path), "{path}: {:?}", output.keys());
    }
}
