//! `import`: what it lists and writes, and that edits are never lost.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::support::{Run, SiteTest, convo, files_below};

/// An export: CJSON documents in an array.
fn export(conversations: &[Value]) -> String {
    Value::from(conversations.to_vec()).to_string()
}

/// A conversation of an export, with everything that must not be published.
fn talk(id: &str, title: &str, day: &str, answer: &str) -> Value {
    let message = |id: &str, role: &str, text: &str| {
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
        "messages": [message("a", "user", "Which moss is this?"), message("b", "assistant", answer)],
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

fn import(site: &SiteTest, args: &[&str]) -> Run {
    site.run(&[&["import", "export"], args].concat())
}

/// The titles in the list.
fn listed(run: &Run) -> Vec<String> {
    let rows: Value = serde_json::from_str(&run.stdout).expect("JSON");
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
    let run = import(&site, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{}", run.stdout);
    let head: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(head, ["DATE", "TITLE", "TURNS", "WORDS", "MODEL", "ID", "STATE"]);
    let first: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(first, ["2025-01-02", "Moss", "on", "the", "wall", "2", "7", "wren-2", "one"]);
    assert!(lines[4].ends_with("private"), "{}", run.stdout);
    // Control sequences in titles do not reach the terminal.
    assert!(!run.stdout.contains('\u{1b}'), "{}", run.stdout);
    assert!(
        run.stderr.contains(
            "4 conversations; 1 private. To import them, give a site folder as the last argument"
        ),
        "{}",
        run.stderr
    );
    assert!(content(&site).is_empty());
    let run = import(&site, &["--json"]);
    let rows: Value = serde_json::from_str(&run.stdout).expect("JSON");
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
    let run = site.run(&["import", "projects", "--json"]);
    let titles = ["Name the boat.", "Mend the sail.", "Paint the oars."];
    assert_eq!(listed(&run), titles, "{}", run.stderr);
    let run = site.run(&["import", "projects"]);
    let days = run.stdout.lines().skip(1).filter_map(|line| line.split(' ').next());
    assert_eq!(days.collect::<Vec<_>>(), ["2026-01-02", "2026-02-03", "2026-03-04"]);
}

/// Messages contain the paths of files.
#[test]
fn names_of_imported_files_contain_no_secret() {
    // Not a key: it is put together here, so that no file contains it.
    let key = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let title = format!("Use {key} for the wheel");
    let mut talk = talk("one", &title, "2025-01-02", "It turns.");
    let name = format!("wheel {key}.txt");
    talk["messages"][1]["attachments"] =
        json!([{"attachmentKind": "file", "id": "x", "name": name, "uri": "wheel.txt"}]);
    let site = SiteTest::new()
        .file("export/wheel.txt", "round")
        .file("export/conversations.json", export(&[talk]));
    let run = import(&site, &["."]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let names: Vec<String> = files_below(&site.path("content")).into_keys().collect();
    assert_eq!(names.len(), 2, "{names:?}");
    let is_clean = |name: &String| !name.contains("a1b2c3");
    assert!(names.iter().all(is_clean) && names.concat().contains("wheel"), "{names:?}");
    let said =
        [site.run(&["build"]), site.run(&["status", "--all"])].map(|run| run.stdout + &run.stderr);
    assert!(!said.concat().to_lowercase().contains("a1b2c3"), "{said:?}");
}

#[test]
fn options_select_conversations() {
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
        let run = import(&site, &[args, &["--json"]].concat());
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        assert_eq!(listed(&run), expected, "{args:?}");
    }
    // What should be excluded and is found nowhere may be misspelt, so nothing is written.
    let misspelt = ["--filter", "moss -bryum -\"which peat\" -speaker:nobody"];
    for run in [import(&site, &misspelt), import(&site, &[&misspelt[..], &["."]].concat())] {
        let reported = run.stderr.matches("excludes nothing").count();
        assert_eq!((run.code, reported), (Some(1), 2), "{}", run.stderr);
        for condition in ["`-\"which peat\"`", "`-speaker:nobody`"] {
            assert!(run.stderr.contains(condition), "{condition}: {}", run.stderr);
        }
        assert!(files_below(&site.path("content")).is_empty());
    }
    let none = import(&site, &["--filter", "nothing"]);
    assert_eq!((none.code, &*none.stdout), (Some(1), ""), "{}", none.stderr);
    for wrong in [&["--filter", "has:fun"][..], &["--filter", ""], &["--ids-from", "no-file"]] {
        assert_eq!(import(&site, wrong).code, Some(2), "{wrong:?}");
    }
    site.write("ids", "one\nfive\n");
    let run = import(&site, &["--ids-from", "ids"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no conversation has the id `five` (line 2)"), "{}", run.stderr);
    assert_eq!(site.run(&["import", "."]).code, Some(2));
    assert_eq!(site.run(&["import", "no-such-export", "."]).code, Some(2));
}

/// A folder that the user meant as the site, but that does not contain one.
#[test]
fn a_folder_without_a_site_gets_a_hint() {
    let site = site();
    fs::remove_file(site.path("site.toml")).expect("removed");
    fs::create_dir(site.path("no site")).expect("a folder");
    for (last, hint) in [
        ("no site", "convo-site init \"no site\""),
        ("content", "convo-site init content"),
        ("my-talks", "convo-site init my-talks"),
    ] {
        let run = import(&site, &[last]);
        assert_ne!(run.code, Some(0), "{last}: {}", run.stderr);
        assert!(run.stderr.contains(hint), "{last}: {}", run.stderr);
    }
    // Two exports are two exports.
    site.write("more/conversations.json", export(&[talk("six", "Ferns", "2025-06-01", "A fern.")]));
    let run = import(&site, &["more"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(!run.stderr.contains("init"), "{}", run.stderr);
    let run = import(&site, &["more.zip"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(!run.stderr.contains("init"), "{}", run.stderr);
    let run = site.run(&["import", "more"]);
    assert!(run.stderr.contains("1 conversation. To import it, give a site"), "{}", run.stderr);
}

/// Nothing is selected by a query that may mean something else.
#[test]
fn an_unknown_filter_is_an_error() {
    let site = site();
    for query in ["title:moss", "-title:moss", "Project:x", "titel: moss", "moss topic:\"a b\""] {
        let run = import(&site, &["--filter", query]);
        assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{query}: {}", run.stderr);
        let known = "known filters: speaker, model, lang, type, tag, before, after, has";
        assert!(run.stderr.contains("unknown filter \""), "{query}: {}", run.stderr);
        assert!(run.stderr.contains(known), "{query}: {}", run.stderr);
        let query = query.replace('"', "\\\"");
        for key in ["include", "exclude"] {
            let rule = format!("[[source]]\nfiles = \"*\"\n{key} = [\"{query}\"]\n");
            site.write("site.toml", rule);
            let run = site.build(2);
            assert!(run.stderr.contains(known), "{key} {query}: {}", run.stderr);
        }
        site.write("site.toml", "publish = \"listed\"\n");
        site.write("publish.toml", format!("filters = [\"{query}\"]\n"));
        let run = site.build(2);
        assert!(run.stderr.contains(known), "{query}: {}", run.stderr);
        assert!(site.output().is_empty());
        fs::remove_file(site.path("publish.toml")).expect("removed");
    }
    // A text with a colon is a phrase.
    let run = import(&site, &["--filter", "\"of: łódź\"", "--json"]);
    assert_eq!(listed(&run).len(), 1, "{}", run.stderr);
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
            let run = import(&site, &args);
            assert_eq!((run.code, &*run.stdout), (Some(2), ""), "{args:?}: {}", run.stderr);
            assert!(run.stderr.contains("2025-10-23"), "{args:?}: {}", run.stderr);
        }
        let run = site.run(&["build", "--today", date]);
        assert_eq!(run.code, Some(2), "{date}: {}", run.stderr);
        assert!(run.stderr.contains("expected a date such as 2025-10-23"), "{}", run.stderr);
        for line in [
            format!("publish = \"{date}\""),
            format!("expires = {date}"),
            format!("include = [\"after:{date}\"]"),
            format!("exclude = [\"before:{date}\"]"),
        ] {
            site.write("site.toml", format!("[[source]]\nfiles = \"*\"\n{line}\n"));
            let run = site.run(&["build"]);
            assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
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
        let run = import(&site, &[&args[..], &["--json"]].concat());
        assert_eq!(listed(&run).len(), count, "{args:?}: {}", run.stderr);
    }
}

#[test]
fn selected_conversations_are_written_and_kept_up_to_date() {
    let site = site();
    let dry = import(&site, &[".", "--dry-run"]);
    assert!(dry.stderr.contains("3 would be new"), "{}", dry.stderr);
    assert!(content(&site).is_empty());
    let run = import(&site, &["."]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("4 conversations: 3 new; 1 private withheld"), "{}", run.stderr);
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
    let run = site.build(0);
    assert!(run.stderr.contains("built 3 conversations"), "{}", run.stderr);
    // The export may be deleted now.
    assert!(run.stderr.contains("`export/` is next to site.toml"), "{}", run.stderr);
    assert!(run.stderr.ends_with("; 1 hint\n"), "{}", run.stderr);
    // Importing again changes nothing.
    let run = import(&site, &["."]);
    assert!(run.stderr.contains("3 unchanged"), "{}", run.stderr);
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
    let run = import(&site, &["."]);
    assert!(
        run.stderr.contains("1 new, 1 updated, 1 unchanged, 1 older than the imported version"),
        "{}",
        run.stderr
    );
    let second = content(&site);
    assert_eq!(second.len(), 4, "{:?}", second.keys());
    assert!(second["plants/Liverwort.cjson.json"].contains("after all"));
    assert!(named(&second, "peat-").1.contains("New."));
    assert!(second[wall].contains("\r\n"), "it was not touched");
    assert_eq!(named(&second, "mosses-").1, named(&first, "mosses-").1);
}

#[test]
fn edited_files_are_kept() {
    let site = site();
    import(&site, &["."]);
    let before = content(&site);
    let (path, text) = named(&before, "moss-on-the-wall-");
    let edited = text.replace("It is *Bryum*.", "It is *Bryum*, I am sure.");
    assert!(edited != text);
    site.write(&format!("content/{path}"), &edited);
    // As long as the export contains nothing new, nothing is reported.
    let run = import(&site, &["."]);
    assert!(run.stderr.contains("3 unchanged"), "{}", run.stderr);
    assert!(!run.stderr.contains("edited-since"), "{}", run.stderr);
    let later = [talk("one", "Moss on the wall", "2025-07-02", "It is *Tortula*.")];
    site.write("export/conversations.json", export(&later));
    let run = import(&site, &[".", "--message-format", "short"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let expected = format!("content/{path}: warning[edited-since]");
    assert!(run.stderr.contains(&expected), "{}", run.stderr);
    assert_eq!(content(&site)[path], edited);
    let run = import(&site, &[".", "--overwrite-edited"]);
    assert!(run.stderr.contains("1 updated"), "{}", run.stderr);
    assert!(content(&site)[path].contains("Tortula"));
}

/// A newer version of a file keeps what its author decided, whether or not the file was edited too.
#[test]
fn marks_of_the_author_survive_every_import() {
    for (edit, options, state) in [
        (("{", "{\"private\": true,"), &["."][..], "1 updated"),
        (("{", "{\"visibility\": \"private\", \"reviewed\": true,"), &["."], "1 updated"),
        (("{", "{\"private\": true, \"note\": 1,"), &[".", "--overwrite-edited"], "1 updated"),
    ] {
        let site = site();
        import(&site, &["."]);
        let before = content(&site);
        let (path, text) = named(&before, "moss-on-the-wall-");
        site.write(&format!("content/{path}"), text.replacen(edit.0, edit.1, 1));
        let later = [talk("one", "Moss on the wall", "2025-07-02", "It is *Tortula*.")];
        site.write("export/conversations.json", export(&later));
        let run = import(&site, options);
        assert!(run.stderr.contains(state), "{}", run.stderr);
        assert!(!run.stderr.contains("edited-since"), "{}", run.stderr);
        let text = content(&site)[path].clone();
        assert!(text.contains("Tortula"), "{text}");
        assert_eq!(text.contains("reviewed"), edit.1.contains("reviewed"));
        site.build(0);
        let shown = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("Tortula");
        assert!(!site.output().values().any(shown));
    }
}

#[test]
fn private_conversations_stay_private() {
    let site = site();
    let run = import(&site, &[".", "--include-private"]);
    assert!(run.stderr.contains("4 new"), "{}", run.stderr);
    let run = site.build(0);
    assert!(run.stderr.contains("1 private withheld"), "{}", run.stderr);
    let leaks = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("Nobody reads");
    assert!(!site.output().values().any(leaks));
}

#[test]
fn instructions_are_imported_on_request() {
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
fn attachments_are_imported() {
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
    let run = import(&site, &["."]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
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
fn an_export_in_the_content_folder_is_not_imported_again() {
    let site = site();
    site.write("content/export.json", export(&[talk("one", "x", "2025-01-02", "y")]));
    let run = site.run(&["import", "content/export.json", "."]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("is in the content folder"), "{}", run.stderr);
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
fn transcripts_that_start_alike_are_separate_files() {
    let talk = |answer: &str| format!("**Ada:** Welcome to the show!\n\n**Bo:** {answer}\n");
    let site = SiteTest::new()
        .file("export/a.md", talk("Thank you."))
        .file("export/b.md", talk("It is good to be here."))
        .file("export/c.md", talk("Thank you."));
    let run = import(&site, &["."]);
    assert!(run.stderr.contains("2 new, 1 unchanged"), "{}", run.stderr);
    assert_eq!(content(&site).len(), 2);
    let run = import(&site, &["."]);
    assert!(run.stderr.contains(": 3 unchanged"), "{}", run.stderr);
}

/// Tools that write logs for tests, and some that copy them, use an id more than once.
#[test]
fn sessions_with_the_same_id_and_other_texts_are_separate_files() {
    let site = SiteTest::new();
    for (file, question) in
        [("a", "Name the boat."), ("b", "Paint the oars."), ("c", "Name the boat.")]
    {
        let line = |kind: &str, uuid: &str, content: Value| {
            json!({
                "type": kind, "uuid": format!("{uuid}-{question}"), "parentUuid": null, "sessionId": "s1",
                "timestamp": "2026-01-02T10:00:00Z", "message": {"role": kind, "content": content},
            })
        };
        let answer = json!([{"type": "text", "text": "Done."}]);
        let lines = [line("user", "1", question.into()), line("assistant", "2", answer)];
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        site.write(&format!("export/{file}/log.jsonl"), text);
    }
    let run = import(&site, &["."]);
    assert!(run.stderr.contains("2 new"), "{}", run.stderr);
    let files = content(&site).into_values().collect::<String>();
    assert!(files.contains("Name the boat.") && files.contains("Paint the oars."), "{files}");
    let run = import(&site, &["."]);
    assert!(run.stderr.contains(": 2 unchanged"), "{}", run.stderr);
}

/// The list names a conversation without an id by its file, which other commands know.
#[test]
fn conversations_without_an_id_are_listed_by_file() {
    let site =
        SiteTest::new().file("export/a.md", "**Ada:** Welcome!\n\n**Bo:** Thank you, Ada.\n");
    let run = import(&site, &["."]);
    let name = run.stdout.lines().nth(1).and_then(|row| row.split_whitespace().rev().nth(1));
    let name = name.unwrap_or_else(|| panic!("{}", run.stdout)).to_owned();
    assert!(site.path("content").join(&name).is_file(), "{name}");
    assert_eq!(site.run(&["edit", &name, "--tag", "boats"]).code, Some(0));
}

/// A conversation of a Claude export.
fn of_claude(id: &str, answer: &str, day: &str) -> Value {
    let message = |n: u8, sender: &str, text: &str| {
        json!({"uuid": format!("{id}-{n}"), "sender": sender, "text": text,
            "content": [{"type": "text", "text": text}], "created_at": format!("{day}T10:00:0{n}Z"),
            "attachments": [], "files": []})
    };
    json!({"uuid": id, "name": format!("Lichen {id}"), "created_at": "2025-02-03T10:00:00Z",
        "updated_at": format!("{day}T11:00:00Z"), "account": {"uuid": "account-4711"},
        "chat_messages": [message(1, "human", "Which lichen is this?"), message(2, "assistant", answer)]})
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
fn conversations_in_the_content_folder_are_not_imported_again() {
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
    let run = import(&site, &[".", "--json", "--message-format", "short"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let summary = "3 conversations: 1 new, 2 already in other files";
    assert!(run.stderr.contains(summary), "{}", run.stderr);
    let expected = "content/old/conversations.json: hint[already-there]: 1 conversation is already in this file, which the site reads";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
    let rows: Value = serde_json::from_str(&run.stdout).expect("JSON");
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
fn an_imported_conversation_names_the_program_that_it_comes_from() {
    let conversation = of_claude("one", "Xanthoria.", "2025-02-03");
    let conversation = conversation.to_string().replace("Which lichen", "Hello.\\nWhich lichen");
    let site = SiteTest::new().file("export/conversations.json", format!("[{conversation}]"));
    import(&site, &["."]);
    site.build(0);
    let page = site.page("c/", "/index.html");
    assert!(page.contains("<dt>Origin</dt><dd>Claude</dd>"), "{page}");
    assert!(page.contains("Hello.<br>"), "{page}");
    // The name of an unknown program is not shown, and neither is that of the container.
    let files = content(&site);
    let (path, text) = named(&files, "lichen-one");
    let text = text.replace("\"from\": \"claude\"", "\"from\": \"abacus\"");
    site.write(&format!("content/{path}"), text);
    site.build(0);
    assert!(!site.page("c/", "/index.html").contains("<dt>Origin</dt>"));
}

#[test]
fn imported_conversations_replace_those_of_an_export_beside_them() {
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
    let run = site.build(0);
    let expected = format!("also in `content/{path}`; each has one page");
    let stderr = run.stderr.replace('\n', " ");
    assert!(stderr.contains("1 conversation is also in") && stderr.contains(&expected), "{stderr}");
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
    let run = site.run(&["convert", "content", "--to", "markdown", "-o", "out"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
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
fn an_export_in_the_content_folder_lists_the_selected_conversations() {
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
fn conversations_removed_from_the_list_are_not_listed_again() {
    let site = site();
    site.write("site.toml", format!("{}publish = 'listed'\n", crate::support::BASE));
    site.write("publish.toml", "");
    let run = import(&site, &["."]);
    assert!(run.stderr.contains("; 3 added to publish.toml\n"), "{}", run.stderr);
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
    let run = import(&site, &["."]);
    assert!(run.stderr.contains("1 new, 2 unchanged"), "{}", run.stderr);
    let removed = "; 1 not added to publish.toml again, because it was removed from it";
    assert!(run.stderr.contains(&format!("; 0 added to publish.toml{removed}")), "{}", run.stderr);
    assert_eq!(content(&site).len(), 3);
    let run = site.build(0);
    assert!(!run.stderr.contains("publish-imported"), "{}", run.stderr);
    assert_eq!(addresses(&site).len(), 2);
    // The record says nothing about it.
    assert!(!read("publish-imported.txt").to_lowercase().contains("moss"));
    // A file that was renamed was not removed.
    let (con, _) = named(&files, "con-");
    let renamed = site.path("content/liverwort.cjson.json");
    std::fs::rename(site.path("content").join(con), renamed).expect("renamed");
    let run = import(&site, &["."]);
    assert!(run.stderr.contains(&format!("; 1 added to publish.toml{removed}")), "{}", run.stderr);
    site.build(0);
    assert_eq!(addresses(&site).len(), 2);
    let run = import(&site, &[".", "--list-again"]);
    assert!(run.stderr.contains("; 1 added to publish.toml\n"), "{}", run.stderr);
    site.build(0);
    assert_eq!(addresses(&site).len(), 3);
}

#[test]
fn logs_in_hidden_folders_of_projects_are_found() {
    let log = |words: &str| {
        format!("\n# aider chat started at 2026-03-04 10:00:00\n\n#### {words}  \n\nYes.\n")
    };
    let talk = "**Ada:** Hello!\n\n**Bob:** Hello!\n";
    let site = SiteTest::new()
        .file("code/mill/.aider.chat.history.md", log("grind"))
        .file("code/mill/talk.md", talk)
        .file("code/mill/.git/.aider.chat.history.md", log("nothing"))
        .file("code/.hidden/boat/.aider.chat.history.md", log("row"));
    let run = site.run(&["import", "--as", "aider", "--json", "code"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(listed(&run), ["row", "grind"]);
    // Otherwise, hidden sessions stay hidden.
    let run = site.run(&["import", "--json", "code"]);
    assert_eq!(listed(&run), ["Hello!"]);
}

#[test]
fn a_hidden_log_among_the_conversations_is_reported() {
    let log = "\n# aider chat started at 2026-03-04 10:00:00\n\n#### grind  \n\nYes.\n";
    let site = SiteTest::new()
        .file("site.toml", "title = 'T'")
        .file("content/a.convo", convo("hello"))
        .file("content/mill/.aider.chat.history.md", log)
        .file("content/boat/oars/list.convo", convo("oars"))
        .file("content/boat/.aider.chat.history.md", log);
    let run = site.run(&["build", "--message-format", "short"]);
    let reported: Vec<&str> =
        run.stderr.lines().filter(|line| line.contains("hidden-log")).collect();
    assert_eq!(reported.len(), 2, "{}", run.stderr);
    assert!(reported[0].contains("content/boat/.aider.chat.history.md"), "{reported:?}");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("`convo-site import --from aider content/boat`"), "{}", run.stderr);
}

#[test]
fn a_hidden_folder_of_a_program_is_reported() {
    let site = SiteTest::new()
        .file("site.toml", "title = 'T'")
        .file("content/a.convo", convo("hello"))
        .file("content/laptop/.claude/projects/-mill/s.jsonl", "{}")
        .file("content/.git/x", "");
    let run = site.run(&["build", "--message-format", "short"]);
    let reported: Vec<&str> =
        run.stderr.lines().filter(|line| line.contains("hidden-log")).collect();
    assert_eq!(reported.len(), 1, "{}", run.stderr);
    assert!(reported[0].contains("content/laptop/.claude"), "{reported:?}");
}

#[test]
fn hidden_folders_and_logs_of_an_input_are_reported() {
    let log = "\n# aider chat started at 2026-03-04 10:00:00\n\n#### grind  \n\nYes.\n";
    let session = "<!-- Generated by SpecStory -->\n\n<!-- cursor Session a1 (2025-10-15 00:22Z) -->\n\n\
               _**User**_\n\nOil the wheel.\n\n---\n\n_**Assistant**_\n\nDone.\n";
    let site = SiteTest::new()
        .file("code/mill/.specstory/history/2025-10-15_00-22Z-oil.md", session)
        .file("code/mill/.aider.chat.history.md", log)
        .file("code/mill/src/main.rs", "fn main() {}");
    for folder in ["code/mill", "code"] {
        let run = site.run(&["import", "--json", folder]);
        assert_eq!(listed(&run), [""; 0]);
        assert_eq!(run.stderr.matches("warning[hidden-log]").count(), 2, "{}", run.stderr);
        let named = "to read them, name this folder: `code/mill/.specstory`";
        assert!(run.stderr.contains(named), "{}", run.stderr);
        assert!(run.stderr.contains("add `--from aider` to read it"), "{}", run.stderr);
        assert!(run.stderr.contains("--> code/mill/.aider.chat.history.md"), "{}", run.stderr);
        let hint = "help: hidden files and folders are read only if you name them";
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
    let run = site.run(&["import", "--json", "code/mill/.specstory"]);
    assert_eq!(listed(&run), ["Oil the wheel."]);
}

/// An imported chat is withheld until a rule opens it, like any other.
#[test]
fn an_imported_chat_is_opened_like_any_other() {
    let chat = "13/03/2026, 18:20 - Wren: High water at four.\n\
                13/03/2026, 18:21 - Tomas: Too early.\n";
    let site = SiteTest::new()
        .file("site/site.toml", "title = 'T'")
        .file("WhatsApp Chat with Quay.txt", chat);
    let chat = "WhatsApp Chat with Quay.txt";
    let run = site.run(&["import", chat, "site"]);
    assert!(run.stderr.contains("1 private withheld"), "{}", run.stderr);
    let run = site.run(&["import", "--include-private", chat, "site"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let run = site.run(&["build", "site"]);
    assert!(run.stderr.contains("confidential"), "{}", run.stderr);
    assert!(!run.stderr.contains("built 1 conversation"), "{}", run.stderr);
    let rule = "title = 'T'\n[[source]]\nfiles = '**'\nvisibility = 'public'\n";
    let site = site.file("site/site.toml", rule);
    let run = site.run(&["build", "site"]);
    assert!(run.stderr.contains("built 1 conversation"), "{}", run.stderr);
}

#[test]
fn the_list_and_the_page_have_the_same_title() {
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
    let run = site.run(&["import", "--json", "content/x"]);
    let list: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
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
fn a_single_channel_log_is_found_and_other_logs_are_not() {
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
        let run = site.run(&["import", "--json", name]);
        assert_eq!(listed(&run), [title], "{name}: {}", run.stderr);
    }
    for name in ["build.log", "build.log.gz"] {
        let run = site.run(&["import", "--json", name]);
        assert!(listed(&run).is_empty(), "{name}");
    }
}

/// The keys of front matter work below `extensions` of a file that was imported.
#[test]
fn keys_of_authors_work_in_imported_files() {
    let mut edited = talk("one", "Moss", "2025-05-01", "A green one.");
    edited["extensions"]["convo-site"] = json!({
        "title": "Mosses", "summary": "Which moss it is.", "tags": ["botany"], "index": false,
        "aliases": ["old/moss/"], "series": "Plants", "type": "interview",
    });
    let site = SiteTest::new().file("content/moss.cjson.json", edited.to_string());
    site.build(0);
    let page = site.page("c/2025-05-01-mosses", "index.html");
    for there in [
        "og:title\" content=\"Mosses\"",
        "Which moss it is.",
        "/tags/botany/",
        "/collections/plants/",
        "noindex",
    ] {
        assert!(page.contains(there), "{there}: {page}");
    }
    assert!(site.output().keys().any(|path| path.starts_with("old/moss/")));
    assert!(!page.contains("aliases"), "{page}");
}
