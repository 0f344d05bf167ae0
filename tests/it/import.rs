//! `import`: what it lists and writes, and that edits are never lost.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::support::{Ran, SiteTest, convo, files_below};

/// An export: CJSON documents in an array.
fn export(conversations: &[Value]) -> String {
    Value::from(conversations.to_vec()).to_string()
}

/// A conversation of an export, with everything that must not be published.
fn talk(id: &str, title: &str, day: &str, answer: &str) -> Value {
    let said = |id: &str, role: &str, text: &str| {
        let at = format!("{day}T10:00:00Z");
        let block = json!({"blockType": "text", "id": id, "createdAt": at, "text": text});
        json!({
            "id": format!("message-{id}"), "role": role, "messageType": "composite",
            "senderId": if role == "user" { Some("account-4711") } else { None },
            "contentBlocks": [block],
        })
    };
    json!({
        "id": id,
        "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json",
        "conversationTitle": title,
        "ownerId": "owner@example.org",
        "modelId": "wren-2",
        "messages": [said("a", "user", "Which moss is this?"), said("b", "assistant", answer)],
        "extensions": { "convo-site": { "updated": format!("{day}T12:00:00Z") } },
    })
}

fn site() -> SiteTest {
    let private = {
        let mut private = talk("four", "A private matter", "2025-05-01", "Nobody reads this.");
        private["isPrivate"] = true.into();
        private
    };
    let all = [
        talk("one", "Moss on the wall", "2025-01-02", "It is *Bryum*."),
        talk("two", "CON", "2025-02-03", "A liverwort, `code`."),
        talk("three", "Mosses / ../ \u{1b}[31m of: Łódź?", "2025-03-04", "Peat."),
        private,
    ];
    SiteTest::new().file("export/conversations.json", export(&all))
}

fn import(site: &SiteTest, args: &[&str]) -> Ran {
    site.run(&[&["import", "export"], args].concat())
}

/// The titles in the list.
fn listed(ran: &Ran) -> Vec<String> {
    let rows: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let rows = rows.as_array().expect("a list").iter();
    rows.map(|row| row["title"].as_str().expect("a title").to_owned()).collect()
}

/// The files of the content folder, by path.
fn content(site: &SiteTest) -> BTreeMap<String, String> {
    let files = files_below(&site.path("content")).into_iter();
    files.map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned())).collect()
}

fn named<'a>(files: &'a BTreeMap<String, String>, start: &str) -> (&'a str, &'a str) {
    let found = files.iter().find(|(path, _)| path.starts_with(start));
    let (path, text) = found.unwrap_or_else(|| panic!("{start}: {:?}", files.keys()));
    (path, text)
}

#[test]
fn an_export_is_listed_and_nothing_is_written() {
    let site = site();
    let ran = import(&site, &[]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{}", ran.stdout);
    let head: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(head, ["DATE", "TITLE", "TURNS", "WORDS", "MODEL", "ID", "STATE"]);
    let first: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(first, ["2025-01-02", "Moss", "on", "the", "wall", "2", "7", "wren-2", "one"]);
    assert!(lines[4].ends_with("private"), "{}", ran.stdout);
    // Control sequences in titles do not reach the terminal.
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    assert!(
        ran.stderr.contains(
            "4 conversations; 1 private. To import them, give a site folder as the last argument"
        ),
        "{}",
        ran.stderr
    );
    assert!(content(&site).is_empty());
    let ran = import(&site, &["--json"]);
    let rows: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(rows[0]["updated"], "2025-01-02T12:00:00Z");
    assert_eq!((&rows[0]["turns"], &rows[0]["words"]), (&2.into(), &7.into()));
    assert_eq!(rows[3]["private"], true);
}

/// The names of session files say nothing; people look for a day and a title.
#[test]
fn sessions_are_listed_by_date_with_titles() {
    let site = SiteTest::new();
    let session = |file: &str, day: &str, prompt: &str| {
        let at = format!("{day}T10:00:00.000Z");
        let line = |kind: &str, uuid: &str, parent: Value, content: Value| {
            json!({
                "type": kind, "uuid": uuid, "parentUuid": parent, "timestamp": at,
                "sessionId": file, "isSidechain": false, "cwd": "/src", "version": "2.0.1",
                "message": {"role": kind, "content": content},
            })
        };
        let answer = json!([{"type": "text", "text": "Done."}]);
        let lines = [
            line("user", &format!("a-{file}"), Value::Null, prompt.into()),
            line("assistant", &format!("b-{file}"), format!("a-{file}").into(), answer),
        ];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        site.write(&format!("projects/-src/{file}.jsonl"), text);
    };
    session("cccccccc-0000-4000-8000-000000000001", "2026-01-02", "Name the boat.");
    session("aaaaaaaa-0000-4000-8000-000000000002", "2026-03-04", "Paint the oars.");
    session("bbbbbbbb-0000-4000-8000-000000000003", "2026-02-03", "Mend the sail.");
    let ran = site.run(&["import", "projects", "--json"]);
    let titles = ["Name the boat.", "Mend the sail.", "Paint the oars."];
    assert_eq!(listed(&ran), titles, "{}", ran.stderr);
    let ran = site.run(&["import", "projects"]);
    let days = ran.stdout.lines().skip(1).filter_map(|line| line.split(' ').next());
    assert_eq!(days.collect::<Vec<_>>(), ["2026-01-02", "2026-02-03", "2026-03-04"]);
}

#[test]
fn conversations_are_chosen() {
    let site = site();
    site.write("ids", "# those\nthree\n\n  one  \n");
    for (args, expected) in [
        (&["--filter", "bryum"][..], &["Moss on the wall"][..]),
        (&["--filter", "\"which moss\" -bryum -peat -nobody"], &["CON"]),
        (
            &["--filter", "moss", "--filter", "model:wren-2", "--title", "wall"],
            &["Moss on the wall"],
        ),
        (&["--since", "2025-03-04", "--until", "2025-04"], &["Mosses / ../ \u{1b}[31m of: Łódź?"]),
        (&["--until", "2025-01"], &["Moss on the wall"]),
        (&["--title", "MATTER"], &["A private matter"]),
        (&["--ids-from", "ids"], &["Moss on the wall", "Mosses / ../ \u{1b}[31m of: Łódź?"]),
    ] {
        let ran = import(&site, &[args, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.stderr);
        assert_eq!(listed(&ran), expected, "{args:?}");
    }
    let none = import(&site, &["--filter", "nothing"]);
    assert_eq!((none.code, &*none.stdout), (Some(1), ""), "{}", none.stderr);
    for wrong in [&["--filter", "has:fun"][..], &["--filter", ""], &["--ids-from", "no-file"]] {
        assert_eq!(import(&site, wrong).code, Some(2), "{wrong:?}");
    }
    site.write("ids", "one\nfive\n");
    let ran = import(&site, &["--ids-from", "ids"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("no conversation has the id `five` (line 2)"), "{}", ran.stderr);
    assert_eq!(site.run(&["import", "."]).code, Some(2));
    assert_eq!(site.run(&["import", "no-such-export", "."]).code, Some(2));
}

/// A folder that the user meant as the site, but that does not contain one.
#[test]
fn a_folder_that_is_no_site_says_how_to_make_it_one() {
    let site = site();
    fs::remove_file(site.path("site.toml")).expect("removed");
    fs::create_dir(site.path("no site")).expect("a folder");
    for (last, hint) in [
        ("no site", "convo-site init \"no site\""),
        ("content", "convo-site init content"),
        ("my-talks", "convo-site init my-talks"),
    ] {
        let ran = import(&site, &[last]);
        assert_ne!(ran.code, Some(0), "{last}: {}", ran.stderr);
        assert!(ran.stderr.contains(hint), "{last}: {}", ran.stderr);
    }
    // Two exports are two exports.
    site.write("more/conversations.json", export(&[talk("six", "Ferns", "2025-06-01", "A fern.")]));
    let ran = import(&site, &["more"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!ran.stderr.contains("init"), "{}", ran.stderr);
    let ran = import(&site, &["more.zip"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(!ran.stderr.contains("init"), "{}", ran.stderr);
    let ran = site.run(&["import", "more"]);
    assert!(ran.stderr.contains("1 conversation. To import it, give a site"), "{}", ran.stderr);
}

/// Nothing is selected by a query that may mean something else.
#[test]
fn an_unknown_filter_is_an_error() {
    let site = site();
    for query in ["title:moss", "-title:moss", "Project:x", "titel: moss", "moss topic:\"a b\""] {
        let ran = import(&site, &["--filter", query]);
        assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{query}: {}", ran.stderr);
        let known = "known filters: speaker, model, lang, type, tag, before, after, has";
        assert!(ran.stderr.contains("unknown filter \""), "{query}: {}", ran.stderr);
        assert!(ran.stderr.contains(known), "{query}: {}", ran.stderr);
        let query = query.replace('"', "\\\"");
        for key in ["include", "exclude"] {
            let rule = format!("[[source]]\nfiles = \"*\"\n{key} = [\"{query}\"]\n");
            site.write("site.toml", rule);
            let ran = site.build(2);
            assert!(ran.stderr.contains(known), "{key} {query}: {}", ran.stderr);
        }
        site.write("site.toml", "publish = \"listed\"\n");
        site.write("publish.toml", format!("filters = [\"{query}\"]\n"));
        let ran = site.build(2);
        assert!(ran.stderr.contains(known), "{query}: {}", ran.stderr);
        assert!(site.output().is_empty());
        fs::remove_file(site.path("publish.toml")).expect("removed");
    }
    // A text with a colon is a phrase.
    let ran = import(&site, &["--filter", "\"of: łódź\"", "--json"]);
    assert_eq!(listed(&ran).len(), 1, "{}", ran.stderr);
}

/// A date that is not in the calendar is an error wherever a date is given.
#[test]
fn impossible_dates_are_errors() {
    const WRONG: [&str; 8] = [
        "soon", "2025-1", "2026-13", "2026-00", "2026-02-30", "2023-02-29", "2026-04-31",
        "2026-01-00",
    ];
    let site = site();
    for date in WRONG {
        let (before, after) = (format!("before:{date}"), format!("after:{date}"));
        for args in
            [["--since", date], ["--until", date], ["--filter", &before], ["--filter", &after]]
        {
            let ran = import(&site, &args);
            assert_eq!((ran.code, &*ran.stdout), (Some(2), ""), "{args:?}: {}", ran.stderr);
            assert!(ran.stderr.contains("2025-10-23"), "{args:?}: {}", ran.stderr);
        }
        let ran = site.run(&["build", "--today", date]);
        assert_eq!(ran.code, Some(2), "{date}: {}", ran.stderr);
        assert!(ran.stderr.contains("expected a date such as 2025-10-23"), "{}", ran.stderr);
        for line in [
            format!("publish = \"{date}\""),
            format!("expires = {date}"),
            format!("include = [\"after:{date}\"]"),
            format!("exclude = [\"before:{date}\"]"),
        ] {
            site.write("site.toml", format!("[[source]]\nfiles = \"*\"\n{line}\n"));
            let ran = site.run(&["build"]);
            assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
            assert!(!site.path("public/index.html").exists(), "{line}");
        }
        site.write("site.toml", "publish = \"listed\"\n");
        site.write("publish.toml", format!("filters = [\"after:{date}\"]\n"));
        assert_eq!(site.run(&["build"]).code, Some(2), "{date}");
        fs::remove_file(site.path("publish.toml")).expect("removed");
    }
    for (args, count) in [
        (["--since", "2025-03"], 2),
        (["--until", "2025-02-03"], 2),
        (["--filter", "after:2025-02-03 before:2025-04"], 2),
        (["--since", "2024-02-29"], 4),
    ] {
        let ran = import(&site, &[&args[..], &["--json"]].concat());
        assert_eq!(listed(&ran).len(), count, "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn what_is_chosen_is_written_and_kept_up_to_date() {
    let site = site();
    let dry = import(&site, &[".", "--dry-run"]);
    assert!(dry.stderr.contains("3 would be new"), "{}", dry.stderr);
    assert!(content(&site).is_empty());
    let ran = import(&site, &["."]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("4 conversations: 3 new; 1 private withheld"), "{}", ran.stderr);
    let first = content(&site);
    assert_eq!(first.len(), 3, "{:?}", first.keys());
    let safe = |c: char| c.is_lowercase() || c.is_ascii_digit() || "-.".contains(c);
    assert!(first.keys().all(|path| path.chars().all(safe)), "{:?}", first.keys());
    for start in ["moss-on-the-wall-", "con-", "mosses-31m-of-łódź-"] {
        named(&first, start);
    }
    let all: String = first.values().cloned().collect();
    for never in ["owner@", "4711", "message-", "Nobody reads"] {
        assert!(!all.contains(never), "{never}");
    }
    // The site contains it as in the export.
    let ran = site.build(0);
    assert!(ran.stderr.contains("built 3 conversations"), "{}", ran.stderr);
    // The export may be deleted now.
    assert!(ran.stderr.contains("`export/` is next to site.toml"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("; 1 hint\n"), "{}", ran.stderr);
    // Importing again changes nothing.
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains("3 unchanged"), "{}", ran.stderr);
    assert_eq!(content(&site), first);
    // A file may be moved and renamed, as long as it keeps its extension.
    let (path, text) = named(&first, "con-");
    site.write("content/plants/Liverwort.cjson.json", text);
    std::fs::remove_file(site.path("content").join(path)).expect("removed");
    let (wall, wall_text) = named(&first, "moss-on-the-wall-");
    site.write(&format!("content/{wall}"), wall_text.replace("\n", "\r\n"));
    let later = [
        talk("one", "Moss on the wall", "2025-01-02", "It is *Bryum*."),
        talk("two", "Another title", "2025-06-03", "A liverwort after all."),
        talk("three", "Peat", "2025-01-04", "An earlier export."),
        talk("five", "Peat", "2025-06-07", "New."),
    ];
    site.write("export/conversations.json", export(&later));
    let ran = import(&site, &["."]);
    assert!(
        ran.stderr.contains("1 new, 1 updated, 1 unchanged, 1 older than the imported version"),
        "{}",
        ran.stderr
    );
    let second = content(&site);
    assert_eq!(second.len(), 4, "{:?}", second.keys());
    assert!(second["plants/Liverwort.cjson.json"].contains("after all"));
    assert!(named(&second, "peat-").1.contains("New."));
    assert!(second[wall].contains("\r\n"), "it was not touched");
    assert_eq!(named(&second, "mosses-").1, named(&first, "mosses-").1);
}

#[test]
fn what_was_edited_by_hand_stays() {
    let site = site();
    import(&site, &["."]);
    let before = content(&site);
    let (path, text) = named(&before, "moss-on-the-wall-");
    let edited = text.replace("It is *Bryum*.", "It is *Bryum*, I am sure.");
    assert!(edited != text);
    site.write(&format!("content/{path}"), &edited);
    // As long as the export contains nothing new, nothing is reported.
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains("3 unchanged"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("edited-since"), "{}", ran.stderr);
    let later = [talk("one", "Moss on the wall", "2025-07-02", "It is *Tortula*.")];
    site.write("export/conversations.json", export(&later));
    let ran = import(&site, &[".", "--message-format", "short"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let told = format!("content/{path}: warning[edited-since]");
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    assert_eq!(content(&site)[path], edited);
    let ran = import(&site, &[".", "--overwrite-edited"]);
    assert!(ran.stderr.contains("1 updated"), "{}", ran.stderr);
    assert!(content(&site)[path].contains("Tortula"));
}

#[test]
fn what_is_private_stays_so() {
    let site = site();
    let ran = import(&site, &[".", "--include-private"]);
    assert!(ran.stderr.contains("4 new"), "{}", ran.stderr);
    let ran = site.build(0);
    assert!(ran.stderr.contains("1 private withheld"), "{}", ran.stderr);
    let leaks = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("Nobody reads");
    assert!(!site.output().values().any(leaks));
}

#[test]
fn instructions_of_programs_are_kept_where_that_is_asked_for() {
    let mut talk = talk("one", "Moss", "2025-01-02", "Yes.");
    talk["systemMessage"] = "Be a gardener.".into();
    talk["extensions"]["convo-site"]["system"] = json!({ "withheld": true });
    let site = SiteTest::new().file("export/c.json", export(&[talk]));
    import(&site, &["."]);
    assert!(!named(&content(&site), "moss-").1.contains("gardener"));
    import(&site, &[".", "--include-system"]);
    assert!(named(&content(&site), "moss-").1.contains("gardener"));
    let shows = |site: &SiteTest| {
        let gardener = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("gardener");
        site.output().values().any(gardener)
    };
    site.build(0);
    assert!(!shows(&site));
    let rule = "[[source]]\nfiles = '**'\nshow_system = true\n";
    site.write("site.toml", format!("{}{rule}", crate::support::BASE));
    site.build(0);
    assert!(shows(&site));
}

#[test]
fn attachments_come_along() {
    let mut talk = talk("one", "Moss", "2025-01-02", "Look.");
    let file = |name: &str, uri: &str| json!({"attachmentKind": "file", "id": "x", "name": name, "uri": uri});
    talk["messages"][1]["attachments"] = json!([
        file("A leaf.txt", "files/leaf.txt"),
        file("again.txt", "files/leaf.txt"),
        file("outside", "../secret.txt"),
        file("the export", "c.json"),
        file("page", "https://example.org/"),
    ]);
    let site = SiteTest::new()
        .file("secret.txt", "a secret")
        .file("export/files/leaf.txt", "green")
        .file("export/c.json", export(&[talk]));
    let ran = import(&site, &["."]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let files = content(&site);
    assert_eq!(files.len(), 2, "{:?}", files.keys());
    let leaf = files.iter().find(|(path, _)| path.contains("-files/a-leaf-"));
    assert_eq!(leaf.expect("a leaf").1, "green");
    let (_, text) = files.iter().find(|(path, _)| path.ends_with("json")).expect("a file");
    assert!(text.contains("https://example.org/") && !text.contains("secret.txt"), "{text}");
    site.build(0);
    assert!(site.output().values().any(|bytes| bytes == b"green"));
    import(&site, &["."]);
    assert_eq!(content(&site), files);
}

#[test]
fn an_export_in_the_content_folder_is_not_brought_there_again() {
    let site = site();
    site.write("content/export.json", export(&[talk("one", "x", "2025-01-02", "y")]));
    let ran = site.run(&["import", "content/export.json", "."]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("is in the content folder"), "{}", ran.stderr);
    assert_eq!(content(&site).len(), 1);
}

#[cfg(unix)]
#[test]
fn nothing_is_written_through_links() {
    let site = site();
    import(&site, &["."]);
    let files = content(&site);
    let (path, text) = named(&files, "moss-on-the-wall-");
    let theirs = site.path("theirs.cjson.json");
    std::fs::write(&theirs, text).expect("written");
    let file = site.path("content").join(path);
    std::fs::remove_file(&file).expect("removed");
    std::os::unix::fs::symlink(&theirs, &file).expect("a link");
    let later = [talk("one", "Moss on the wall", "2025-07-02", "It is *Tortula*.")];
    site.write("export/conversations.json", export(&later));
    import(&site, &["."]);
    assert_eq!(std::fs::read_to_string(&theirs).expect("readable"), text);
}

#[test]
fn transcripts_that_begin_alike_are_files_of_their_own() {
    let talk = |answer: &str| format!("**Ada:** Welcome to the show!\n\n**Bo:** {answer}\n");
    let site = SiteTest::new()
        .file("export/a.md", talk("Thank you."))
        .file("export/b.md", talk("It is good to be here."))
        .file("export/c.md", talk("Thank you."));
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains("2 new, 1 unchanged"), "{}", ran.stderr);
    assert_eq!(content(&site).len(), 2);
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains(": 3 unchanged"), "{}", ran.stderr);
}

/// A conversation of a Claude export.
fn of_claude(id: &str, answer: &str, day: &str) -> Value {
    let said = |n: u8, sender: &str, text: &str| {
        json!({"uuid": format!("{id}-{n}"), "sender": sender, "text": text,
            "content": [{"type": "text", "text": text}], "created_at": format!("{day}T10:00:0{n}Z"),
            "attachments": [], "files": []})
    };
    json!({"uuid": id, "name": format!("Lichen {id}"), "created_at": "2025-02-03T10:00:00Z",
        "updated_at": format!("{day}T11:00:00Z"), "account": {"uuid": "account-4711"},
        "chat_messages": [said(1, "human", "Which lichen is this?"), said(2, "assistant", answer)]})
}

/// The folders of the pages of conversations.
fn addresses(site: &SiteTest) -> Vec<String> {
    let output = site.output().into_keys();
    let folders = output.filter_map(|path| {
        let folder = path.strip_prefix("c/")?.strip_suffix("/index.html")?;
        (!folder.contains('/')).then(|| folder.to_owned())
    });
    folders.collect()
}

#[test]
fn what_stands_in_the_content_folder_is_not_brought_again() {
    let all =
        [of_claude("one", "Xanthoria.", "2025-02-03"), of_claude("two", "Usnea.", "2025-02-04")];
    let site = SiteTest::new().file("export/conversations.json", export(&all));
    site.write("content/old/conversations.json", export(&all[..1]));
    let plain = "**Ada:** Is it a lichen?\n\n**Bo:** I think so. Do you?\n\n**Ada:** I do.\n";
    site.write("content/talk.md", plain);
    site.write("export/talk.md", plain);
    site.build(0);
    let before = addresses(&site);
    assert_eq!(before.len(), 2);
    let ran = import(&site, &[".", "--json", "--message-format", "short"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let summary = "3 conversations: 1 new, 2 already in other files";
    assert!(ran.stderr.contains(summary), "{}", ran.stderr);
    let told = "content/old/conversations.json: hint[already-there]: 1 conversation is already in this file, which the site reads";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    let rows: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    // The oldest is first, and one without a date is before it.
    let states: Vec<&Value> = (0..3).map(|row| &rows[row]["state"]).collect();
    assert_eq!(states, ["there", "there", "new"]);
    assert_eq!(rows[1]["file"], "old/conversations.json");
    assert_eq!(content(&site).len(), 3);
    site.build(0);
    let after = addresses(&site);
    assert_eq!(after.len(), 3);
    assert!(before.iter().all(|folder| after.contains(folder)), "{before:?} {after:?}");
    // The conversation keeps its URL when the export is removed.
    std::fs::remove_file(site.path("content/old/conversations.json")).expect("removed");
    assert!(import(&site, &["."]).stderr.contains("1 new, 1 unchanged"));
    site.build(0);
    assert_eq!(addresses(&site), after);
}

#[test]
fn what_was_brought_is_shown_and_no_export_beside_it() {
    let all =
        [of_claude("one", "Xanthoria.", "2025-02-03"), of_claude("two", "Usnea.", "2025-02-04")];
    let site = SiteTest::new().file("export/conversations.json", export(&all[..1]));
    import(&site, &["."]);
    let files = content(&site);
    let (path, text) = named(&files, "lichen-one");
    let edited = text.replace("Xanthoria.", "Xanthoria, I am sure.");
    site.write(&format!("content/{path}"), &edited);
    site.build(0);
    let before = addresses(&site);
    // A later export is put beside it.
    let mut later = all.clone();
    later[0] = of_claude("one", "Perhaps Caloplaca.", "2025-06-03");
    site.write("content/conversations.json", export(&later));
    let ran = site.build(0);
    let told = format!("also in `content/{path}`; each has one page");
    let stderr = ran.stderr.replace('\n', " ");
    assert!(stderr.contains("1 conversation is also in") && stderr.contains(&told), "{stderr}");
    let after = addresses(&site);
    assert_eq!(after.len(), 2);
    assert!(after.contains(&before[0]));
    let shows = |words: &str| {
        let has = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains(words);
        site.output().values().any(has)
    };
    assert!(shows("I am sure") && shows("Usnea") && !shows("Caloplaca"));
    assert_eq!(content(&site)[path], edited);
    // Conversations marked as private in the export are private.
    later[0]["settings"] = json!({"is_temporary": true});
    site.write("content/conversations.json", export(&later));
    site.build(0);
    assert!(!site.output().values().any(|b| String::from_utf8_lossy(b).contains("I am sure")));
    // `convert` writes each one once too.
    later[0]["settings"] = json!({});
    site.write("content/conversations.json", export(&later));
    let ran = site.run(&["convert", "content", "--to", "markdown", "-o", "out"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let out: String = files_below(&site.path("out"))
        .into_values()
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    assert!(
        out.contains("I am sure") && out.contains("Usnea") && !out.contains("Caloplaca"),
        "{out}"
    );
}

#[test]
fn of_an_export_that_stands_there_a_site_lists_the_chosen_ones() {
    let all =
        [of_claude("one", "Xanthoria.", "2025-02-03"), of_claude("two", "Usnea.", "2025-02-04")];
    let site = SiteTest::new().file("export/conversations.json", export(&all));
    site.write("content/conversations.json", export(&all));
    site.write("site.toml", format!("{}publish = 'listed'\n", crate::support::BASE));
    site.write("publish.toml", "");
    import(&site, &[".", "--title", "two"]);
    assert_eq!(content(&site).len(), 1);
    site.build(0);
    assert_eq!(addresses(&site).len(), 1);
    assert!(addresses(&site)[0].contains("lichen-two"));
}

#[test]
fn what_was_removed_from_the_list_is_not_listed_again() {
    let site = site();
    site.write("site.toml", format!("{}publish = 'listed'\n", crate::support::BASE));
    site.write("publish.toml", "");
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains("; 3 added to publish.toml\n"), "{}", ran.stderr);
    site.build(0);
    assert_eq!(addresses(&site).len(), 3);
    // The file and the entry of a conversation are removed.
    let read = |name: &str| std::fs::read_to_string(site.path(name)).expect("a file");
    let files = content(&site);
    let (moss, _) = named(&files, "moss-on-the-wall");
    std::fs::remove_file(site.path("content").join(moss)).expect("removed");
    let list = read("publish.toml");
    let entries = list.split_inclusive("\n\n").filter(|entry| !entry.contains("Moss on the"));
    site.write("publish.toml", entries.collect::<String>());
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains("1 new, 2 unchanged"), "{}", ran.stderr);
    let removed = "; 1 not added to publish.toml again, because it was removed there";
    assert!(ran.stderr.contains(&format!("; 0 added to publish.toml{removed}")), "{}", ran.stderr);
    assert_eq!(content(&site).len(), 3);
    let ran = site.build(0);
    assert!(!ran.stderr.contains("publish-imported"), "{}", ran.stderr);
    assert_eq!(addresses(&site).len(), 2);
    // The record says nothing about it.
    assert!(!read("publish-imported.txt").to_lowercase().contains("moss"));
    // A file that was renamed was not removed.
    let (con, _) = named(&files, "con-");
    let renamed = site.path("content/liverwort.cjson.json");
    std::fs::rename(site.path("content").join(con), renamed).expect("renamed");
    let ran = import(&site, &["."]);
    assert!(ran.stderr.contains(&format!("; 1 added to publish.toml{removed}")), "{}", ran.stderr);
    site.build(0);
    assert_eq!(addresses(&site).len(), 2);
    let ran = import(&site, &[".", "--list-again"]);
    assert!(ran.stderr.contains("; 1 added to publish.toml\n"), "{}", ran.stderr);
    site.build(0);
    assert_eq!(addresses(&site).len(), 3);
}

#[test]
fn logs_that_lie_hidden_in_projects_are_found() {
    let log = |words: &str| {
        format!("\n# aider chat started at 2026-03-04 10:00:00\n\n#### {words}  \n\nYes.\n")
    };
    let talk = "**Ada:** Hello!\n\n**Bob:** Hello!\n";
    let site = SiteTest::new()
        .file("code/mill/.aider.chat.history.md", log("grind"))
        .file("code/mill/talk.md", talk)
        .file("code/mill/.git/.aider.chat.history.md", log("nothing"))
        .file("code/.hidden/boat/.aider.chat.history.md", log("row"));
    let ran = site.run(&["import", "--as", "aider", "--json", "code"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(listed(&ran), ["row", "grind"]);
    // Otherwise, hidden sessions stay hidden.
    let ran = site.run(&["import", "--json", "code"]);
    assert_eq!(listed(&ran), ["Hello!"]);
}

#[test]
fn a_hidden_log_among_the_conversations_is_told() {
    let log = "\n# aider chat started at 2026-03-04 10:00:00\n\n#### grind  \n\nYes.\n";
    let site = SiteTest::new()
        .file("site.toml", "title = 'T'")
        .file("content/a.convo", convo("hello"))
        .file("content/mill/.aider.chat.history.md", log)
        .file("content/boat/oars/list.convo", convo("oars"))
        .file("content/boat/.aider.chat.history.md", log);
    let ran = site.run(&["build", "--message-format", "short"]);
    let told: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("hidden-log")).collect();
    assert_eq!(told.len(), 2, "{}", ran.stderr);
    assert!(told[0].contains("content/boat/.aider.chat.history.md"), "{told:?}");
    let ran = site.run(&["build"]);
    assert!(ran.stderr.contains("`convo-site import --from aider content/boat`"), "{}", ran.stderr);
}

#[test]
fn a_hidden_folder_of_a_program_is_told() {
    let site = SiteTest::new()
        .file("site.toml", "title = 'T'")
        .file("content/a.convo", convo("hello"))
        .file("content/laptop/.claude/projects/-mill/s.jsonl", "{}")
        .file("content/.git/x", "");
    let ran = site.run(&["build", "--message-format", "short"]);
    let told: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("hidden-log")).collect();
    assert_eq!(told.len(), 1, "{}", ran.stderr);
    assert!(told[0].contains("content/laptop/.claude"), "{told:?}");
}

/// An imported chat is withheld until a rule opens it, like any other.
#[test]
fn an_imported_chat_is_opened_as_any_other() {
    let chat = "13/03/2026, 18:20 - Wren: High water at four.\n\
                13/03/2026, 18:21 - Tomas: Too early.\n";
    let site = SiteTest::new()
        .file("site/site.toml", "title = 'T'")
        .file("WhatsApp Chat with Quay.txt", chat);
    let chat = "WhatsApp Chat with Quay.txt";
    let ran = site.run(&["import", chat, "site"]);
    assert!(ran.stderr.contains("1 private withheld"), "{}", ran.stderr);
    let ran = site.run(&["import", "--include-private", chat, "site"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = site.run(&["build", "site"]);
    assert!(ran.stderr.contains("confidential"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("built 1 conversation"), "{}", ran.stderr);
    let rule = "title = 'T'\n[[source]]\nfiles = '**'\nvisibility = 'public'\n";
    let site = site.file("site/site.toml", rule);
    let ran = site.run(&["build", "site"]);
    assert!(ran.stderr.contains("built 1 conversation"), "{}", ran.stderr);
}

#[test]
fn a_list_and_a_page_have_one_title() {
    let talk = |first: &str| {
        format!(
            "{{\"role\":\"user\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{first}\"}}]}}}}\n\
             {{\"role\":\"user\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"Where is the boat?\"}}]}}}}\n\
             {{\"role\":\"assistant\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"Here.\"}}]}}}}\n"
        )
    };
    let site = SiteTest::new()
        .file("site.toml", "title = 'T'")
        .file("content/x/5d0c0000-0000-4000-8000-000000000000.jsonl", talk("/clear"));
    let ran = site.run(&["import", "--json", "content/x"]);
    let list: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let title = list.to_string();
    assert!(title.contains("\"title\":\"Where is the boat?\""), "{title}");
    site.build(0);
    let output = site.output();
    let is_titled =
        |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("<title>Where is the boat?");
    assert!(output.values().any(is_titled), "{:?}", output.keys());
}

/// A log can have any extension, including that of compiler output.
#[test]
fn a_lone_log_of_a_channel_is_found_and_no_other_log() {
    let talk = "--- Log opened Sun Mar 01 10:00:00 2026\n10:00 <@ada> hello\n10:01 < bel> hi\n";
    let build =
        "Compiling mill v0.1.0\n[10:00:01] warning: unused wheel\n[10:00:02] error: no water\n";
    let packed = |text: &str| {
        let mut file = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut file, text.as_bytes()).expect("packed");
        file.finish().expect("packed")
    };
    let site = SiteTest::new()
        .file("mill.log", talk)
        .file(
            "irc.net.#mill.weechatlog",
            "2026-03-01 10:00:00\t@ada\thello\n2026-03-01 10:01:00\tbel\thi\n",
        )
        .file("old.log.gz", packed(talk))
        .file("build.log", build)
        .file("build.log.gz", packed(build));
    for (name, title) in
        [("mill.log", "mill"), ("irc.net.#mill.weechatlog", "#mill"), ("old.log.gz", "old")]
    {
        let ran = site.run(&["import", "--json", name]);
        assert_eq!(listed(&ran), [title], "{name}: {}", ran.stderr);
    }
    for name in ["build.log", "build.log.gz"] {
        let ran = site.run(&["import", "--json", name]);
        assert!(listed(&ran).is_empty(), "{name}");
    }
}
