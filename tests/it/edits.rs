//! `edits.toml` and `convo-site edit`: changes to conversations whose files stay as they are.

use std::collections::BTreeMap;

use crate::gate::everything;
use crate::support::{BASE, Run, SiteTest, unpacked};

/// A ChatGPT export with two conversations; the first one has four messages.
fn export(question: &str) -> String {
    let node = |id: &str, parent: &str, child: &str, role: &str, text: &str| {
        format!(
            r#""{id}": {{"id": "{id}", "parent": "{parent}", "children": ["{child}"], "message": {{"id": "{id}", "author": {{"role": "{role}"}}, "create_time": 1772352000.0, "content": {{"content_type": "text", "parts": ["{text}"]}}, "metadata": {{}}}}}}"#
        )
    };
    let root = r#""root": {"id": "root", "parent": null, "children": ["q1"], "message": null}"#;
    let one = [
        root.to_owned(),
        node("q1", "root", "a1", "user", question),
        node("a1", "q1", "q2", "assistant", "The heron deal is with Halvorsen & Pike."),
        node("q2", "a1", "a2", "user", "And the quincunx?"),
        node("a2", "q2", "", "assistant", "It turns."),
    ]
    .join(",")
    .replace(r#"["",]"#, "[]")
    .replace(r#"[""]"#, "[]");
    let two = [
        root.to_owned(),
        node("q1", "root", "a1", "user", "Where is the boat?"),
        node("a1", "q1", "", "assistant", "At the pond."),
    ]
    .join(",")
    .replace(r#"[""]"#, "[]");
    let update = 1_772_352_000 + question.len();
    format!(
        r#"[{{"id": "c-1", "conversation_id": "c-1", "title": "Mill chat", "create_time": 1772352000.0, "update_time": {update}.0, "current_node": "a2", "mapping": {{{one}}}}},
        {{"id": "c-2", "conversation_id": "c-2", "title": "Boat", "create_time": 1772352000.0, "update_time": 1772352000.0, "current_node": "a1", "mapping": {{{two}}}}}]"#
    )
}

fn site(edits: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}downloads = [\"markdown\", \"json\", \"original\"]\n"))
        .file("content/export/conversations.json", export("Who built the mill?"))
        .file("edits.toml", edits)
}

/// The only page whose path contains this text.
fn page(site: &SiteTest, part: &str) -> String {
    let files = site.output();
    let mut found = files
        .iter()
        .filter(|(path, _)| path.starts_with("c/") && path.ends_with("/index.html"))
        .filter(|(path, _)| path.contains(part));
    let (_, bytes) = found.next().unwrap_or_else(|| panic!("no page {part}: {:?}", files.keys()));
    String::from_utf8(bytes.clone()).expect("UTF-8")
}

/// The ids of the turns of a page.
fn turns(page: &str) -> Vec<String> {
    let starts = page.split("<article ").skip(1).filter_map(|rest| rest.split_once("id=\""));
    starts.map(|(_, rest)| rest.split('"').next().expect("an end").to_owned()).collect()
}

/// Checks that words are in no file of the output or the cache, decompressed, and in no message.
#[track_caller]
fn assert_gone(site: &SiteTest, runs: &[&Run], words: &[&str]) {
    let mut all = everything(site, runs);
    all.insert("the index".to_owned(), unpacked(&site.output()).into_bytes());
    for (name, bytes) in &all {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        for word in words {
            assert!(!text.contains(&word.to_lowercase()), "{word} is in {name}");
        }
    }
}

/// A transcript with a turn of Zoe.
const TALK: &str = "**Marta Quillon:** Who has the zebraword deal?\n\n**Ivo:** Thanks, Marta Quillon. Marta knows.\n\n\
    **Zoe:** I have it.\n\n**Marta Quillon:** Good.\n";

fn talk(config: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("people.key", "00112233445566778899aabbccddeeff\n")
        .file("content/talk.md", TALK)
}

/// What was published before a setting hides it is removed from the index and its cache as well.
#[test]
fn what_is_hidden_later_is_removed_everywhere() {
    for (settings, edits, gone) in [
        ("", "[[conversation]]\nfile = 'talk.md'\nredact = ['zebraword']\n", &["zebraword"][..]),
        ("[[redact]]\nwords = ['zebraword']\n", "", &["zebraword"]),
        ("[people.\"Marta Quillon\"]\npseudonym = true\n", "", &["marta", "quillon"]),
    ] {
        let site = talk("");
        site.build(0);
        assert!(unpacked(&site.output()).contains("zebraword"));
        site.write("site.toml", format!("{BASE}{settings}"));
        site.write("edits.toml", edits);
        site.build(0);
        // The warning about the old URL is printed once, and must not show it.
        let cached = site.output();
        assert_gone(&site, &[], gone);
        site.run(&["build", "--no-cache"]);
        assert!(site.output() == cached, "{settings}{edits}");
    }
    // Texts of pages, and before the first turn.
    let site = talk("").file("pages/about.md", "# About\n\nA zebraword.\n");
    site.write("content/essay.md", "---\npage: true\n---\n# Essay\n\nA zebraword.\n");
    site.write("content/talk.md", format!("A zebraword first.\n\n{TALK}"));
    site.build(0);
    site.write("site.toml", format!("{BASE}[[redact]]\nwords = ['zebraword']\n"));
    site.build(0);
    assert_gone(&site, &[], &["zebraword"]);
}

#[test]
fn an_old_url_with_redacted_words_is_not_shown() {
    let site = talk("");
    site.write("content/talk.md", format!("---\ntitle: The zebraword deal\n---\n{TALK}"));
    site.build(0);
    site.write("edits.toml", "[[conversation]]\nfile = 'talk.md'\nredact = ['zebraword']\n");
    let run = site.build(0);
    assert!(run.stderr.contains("address-changed"), "{}", run.stderr);
    assert!(!run.stderr.contains("zebraword"), "{}", run.stderr);
}

#[test]
fn an_edit_that_hides_nothing_shows_the_old_url() {
    let site = talk("");
    site.write("content/talk.md", format!("---\ntitle: The wheel\n---\n{TALK}"));
    site.build(0);
    site.write("edits.toml", "[[conversation]]\nfile = 'talk.md'\ntitle = 'The weir'\n");
    let run = site.build(0);
    assert!(run.stderr.contains("add `\"c/the-wheel-"), "{}", run.stderr);
    // Another conversation of the same file is withheld.
    let site = self::site("");
    site.write("site.toml", format!("{BASE}[[source]]\nfiles = 'export'\nexclude = ['boat']\n"));
    site.build(0);
    assert_eq!(site.run(&["edit", "c-1", "--title", "The weir"]).code, Some(0));
    let run = site.build(0);
    assert!(run.stderr.contains("add `\"c/2026-03-01-mill-chat-"), "{}", run.stderr);
}

#[test]
fn a_renamed_speaker_keeps_the_pseudonym_in_texts() {
    let site = talk("[people]\nothers = 'pseudonym'\n");
    site.write(
        "edits.toml",
        "[[conversation]]\nfile = 'talk.md'\nspeakers = { 'Marta Quillon' = 'Greta Nordahl' }\n",
    );
    site.build(0);
    assert_gone(&site, &[], &["Marta", "Quillon"]);
    assert!(page(&site, "c/").contains(">Greta Nordahl<"));
    // The last name counts, and names that `[people]` merges are renamed together.
    let site = talk("[people]\n'Ives Long' = ['Ivo', 'Zoe']\n");
    site.write(
        "edits.toml",
        "[[conversation]]\nfile = 'talk.md'\nspeakers = { Ivo = 'Carl' }\n\
         [[conversation]]\nfile = '*.md'\nspeakers = { Zoe = 'Dora', Ivo = 'Dora' }\n",
    );
    let run = site.build(0);
    assert!(!run.stderr.contains("unmatched-edit"), "{}", run.stderr);
    let talk = page(&site, "c/");
    assert!(
        talk.contains(">Dora<") && !talk.contains(">Carl<") && !talk.contains("Ives"),
        "{talk}"
    );
}

#[test]
fn the_list_of_speakers_in_front_matter_is_not_shown_beside_their_new_names() {
    let listed = format!("---\ntitle: The wheel\nspeakers: [Marta Quillon, Ivo, Zoe]\n---\n{TALK}");
    let people = "[people]\n'Ives Long' = ['Ivo']\n";
    let edits = "[[conversation]]\nfile = 'talk.md'\nspeakers = { Ivo = 'Carl' }\n";
    for (config, edits) in [("", ""), (people, ""), ("", edits)] {
        let site = talk(config).file("content/talk.md", &listed).file("edits.toml", edits);
        site.build(0);
        assert!(!page(&site, "c/").contains(">speakers<"), "{config}{edits}");
    }
    let site = talk("").file("content/talk.md", listed.replace("Zoe]", "Zoe, Bo]"));
    site.build(0);
    assert!(page(&site, "c/").contains(">speakers<"), "somebody never speaks");
}

#[test]
fn who_only_spoke_in_hidden_turns_is_gone() {
    let site = talk("");
    site.build(0);
    let ids = turns(&page(&site, "c/"));
    site.write(
        "edits.toml",
        format!("[[conversation]]\nfile = 'talk.md'\nhide = ['{}']\n", ids[2]),
    );
    site.build(0);
    assert_gone(&site, &[], &["Zoe"]);
    // A damaged file does not turn a missing turn into a warning.
    site.write("edits.toml", "[[conversation]]\nfile = 'talk.md'\nhide = ['t0']\n");
    site.write("content/x.zip", "PK\u{3}\u{4}garbage");
    let run = site.build(2);
    assert!(run.stderr.contains("turn `t0` not found"), "{}", run.stderr);
    // The command can repair that.
    assert_eq!(site.run(&["edit", "talk.md", "--unset", "hide"]).code, Some(0));
    site.build(1);
}

/// A recording says what the text does not.
#[test]
fn a_recording_beside_hidden_words_is_not_published() {
    let site = talk("").file("content/talk.wav", crate::support::recordings::wav(8000));
    let text = TALK.replace("**Ivo:**", "**Ivo** (00:01):").replace("**Zoe:**", "**Zoe** (00:02):");
    site.write("content/talk.md", text);
    let has_recording =
        |site: &SiteTest| site.output().into_keys().any(|name| name.ends_with(".wav"));
    site.build(0);
    assert!(has_recording(&site));
    site.write("edits.toml", "[[conversation]]\nfile = 'talk.md'\nredact = ['zebraword']\n");
    site.build(0);
    assert!(!has_recording(&site));
}

#[test]
fn edits_are_combined() {
    let site = talk("");
    site.write(
        "edits.toml",
        "[[conversation]]\nfile = '*.md'\nredact = ['the zebraword deal']\n\
         [[conversation]]\nfile = 'talk.md'\ntitle = 'The zebraword deal'\nredact = ['zebraword deal', 'redacted']\n",
    );
    let run = site.build(0);
    assert_gone(&site, &[&run], &["zebraword"]);
    assert!(!run.stderr.contains("edits.toml is next to"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("unmatched-edit").count(), 1, "{}", run.stderr);
}

#[test]
fn metadata_is_changed() {
    let site = site(
        "[[conversation]]\nid = 'c-1'\ntitle = 'The tide mill'\ndescription = 'Who built it.'\n\
         date = 2024-02-03\ntags = ['mills']\ncollection = 'Water'\npinned = true\n\
         speakers = { User = 'Ada' }\n\
         [[conversation]]\nfile = 'export'\nslug = 'pond'\n\
         [[conversation]]\nid = 'c-1'\nslug = 'tides'\n",
    );
    site.build(0);
    let mill = page(&site, "2024-02-03-tides");
    for there in [">The tide mill</h1>", "Who built it.", "mills", ">Water<", ">Ada<"] {
        assert!(mill.contains(there), "{there}: {mill}");
    }
    assert!(!mill.contains(">User<") && !mill.contains("Mill chat"));
    assert!(page(&site, "2026-03-01-pond").contains(">User<"));
}

#[test]
fn what_is_hidden_is_nowhere() {
    let site = site("");
    site.build(0);
    let ids = turns(&page(&site, "mill-chat"));
    assert_eq!(ids.len(), 4);
    let edits = format!(
        "[[conversation]]\nid = 'c-1'\nhide = ['#{}']\nredact = ['heron deal', 'Halvorsen & Pike']\n\
         [[conversation]]\nid = 'c-2'\nvisibility = 'private'\n",
        ids[2]
    );
    site.write("edits.toml", &edits);
    let runs = [
        site.build(0),
        site.run(&["status", "--all"]),
        site.run(&["check", "--publish"]),
        site.run(&["search", "mill", "--json"]),
    ];
    let runs: Vec<_> = runs.iter().collect();
    assert_gone(&site, &runs, &["quincunx", "heron", "Halvorsen", "pond"]);
    let mill = page(&site, "mill-chat");
    assert!(mill.contains("The [redacted] is with [redacted]."), "{mill}");
    assert_eq!(turns(&mill), [ids[0].as_str(), &ids[1], &ids[3]]);
    assert!(site.output().keys().all(|name| !name.contains("original")));

    // A newer export brings nothing back, also if the older one is still there.
    site.write("content/newer/conversations.json", export("Who built the mill, and when?"));
    site.build(0);
    assert_gone(&site, &[], &["quincunx", "heron", "Halvorsen", "pond"]);
    assert!(page(&site, "mill-chat").contains("and when?"));
}

/// A build after an edit equals a build from nothing, and reads only what changed.
#[test]
fn an_edit_is_applied_to_a_cached_site() {
    let site = site("");
    site.write(
        "content/b.md",
        "**Ada:** The gate?\n\n**Ivo:** It is open.\n\n**Ada:** Who opened it?\n\n**Ivo:** Wren.\n",
    );
    site.build(0);
    let mut edits = String::new();
    for edit in [
        "[[conversation]]\nfile = 'b.md'\ntitle = 'Gate'\nspeakers = { Ada = 'Cora' }\n",
        "[[conversation]]\nid = 'c-1'\ntitle = 'Mill'\nredact = ['heron']\n",
        "[[conversation]]\nfile = '*.md'\nredact = ['gate']\nvisibility = 'private'\n",
        "[[conversation]]\nid = 'c-2'\ndescription = 'A boat.'\n",
    ] {
        edits.push_str(edit);
        site.write("edits.toml", &edits);
        site.build(0);
        let cached = site.output();
        let fresh = site.run(&["build", "--no-cache", "-o", "fresh"]);
        assert_eq!(fresh.code, Some(0), "{}", fresh.stderr);
        let fresh: BTreeMap<String, Vec<u8>> = crate::support::files_below(&site.path("fresh"));
        let differ = |name: &&String| cached.get(*name) != fresh.get(*name);
        let names: Vec<_> = cached.keys().chain(fresh.keys()).filter(differ).collect();
        assert!(names.is_empty(), "{edit}: {names:?}");
    }
    assert!(!String::from_utf8_lossy(&site.output()["archive/index.html"]).contains("Gate"));
}

#[test]
fn what_is_wrong_is_reported() {
    for (edits, code, expected) in [
        (
            "[[conversation]]\nid = 'c-9'\ntitle = 'A'\n",
            0,
            "edits.toml:2:6: warning[unmatched-edit]: conversation `c-9` not found",
        ),
        (
            "[[conversation]]\nid = 'c-9'\nvisibility = 'private'\n",
            2,
            "edits.toml:2:6: error[unmatched-edit]: conversation `c-9` not found",
        ),
        (
            "[[conversation]]\nid = 'c-1'\nhide = ['t0']\n",
            2,
            "edits.toml:3:9: error[unmatched-edit]: turn `t0` not found",
        ),
        (
            "[[conversation]]\nid = 'c-1'\nredact = ['walrus']\n",
            0,
            "edits.toml:3:11: warning[unmatched-edit]: this text is not in the conversation",
        ),
        (
            "[[conversation]]\nid = 'c-1'\nspeakers = { walrus = 'Ada' }\n",
            0,
            "edits.toml:3:14: warning[unmatched-edit]: no speaker has this name",
        ),
        (
            "[[conversation]]\ntitle = 'A'\n",
            2,
            "edits.toml:1:1: error[bad-value]: a `[[conversation]]` needs a `file` or an `id`",
        ),
        (
            "[[conversation]]\nid = 'c-1'\ntitel = 'walrus'\n",
            2,
            "edits.toml:3:1: error[bad-toml]: unknown key `titel`",
        ),
        (
            "conversation = [{ id = 'nope', redact = ['walrus'] }]\n",
            2,
            "edits.toml:1:24: error[unmatched-edit]: conversation `nope` not found",
        ),
        (
            "[[conversation]]\nid = 'c-1'\nredact = 'walrus'\n",
            2,
            "edits.toml:3:10: error[bad-toml]: expected a list of strings",
        ),
        (
            "[[conversation]]\nid = 'c-1'\nredact = [' ']\n",
            2,
            "edits.toml:3:11: error[bad-value]: this string is empty",
        ),
        (
            "[[conversation]]\nid = 'c-1'\ndate = 'walrus'\n",
            2,
            "edits.toml:3:8: error[bad-toml]: invalid date",
        ),
        (
            "[[conversation]]\nfile = '[x'\ntitle = 'A'\n",
            2,
            "edits.toml:2:8: error[bad-value]: invalid `file`",
        ),
        (
            &format!("[[conversation]]\nid = 'c-1'\nredact = ['walrus {}']\n", "x".repeat(300_000)),
            2,
            "edits.toml:3:11: error[bad-value]: invalid `redact`: ",
        ),
    ] {
        let site = site(edits);
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(code), "{edits}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{expected}: {}", run.stderr);
        // Messages do not quote what is redacted.
        let json = site.run(&["build", "--message-format", "json"]).stdout;
        assert!(!json.contains("walrus") || edits.contains("date"), "{json}");
        assert_eq!(site.path("public").exists(), code == 0);
    }
}

#[test]
fn a_chat_between_people_is_opened_by_its_id_alone() {
    let chat = |kind: &str| {
        r#"{"name": "Mill", "type": "KIND", "id": 7, "messages": [
        {"id": 1, "type": "message", "date": "2026-03-01T10:00:00", "from": "Cora Quillon", "from_id": "user1", "text": "hello"},
        {"id": 2, "type": "message", "date": "2026-03-01T10:01:00", "from": "Tomas Teal", "from_id": "user2", "text": "hello Cora"}]}"#
            .replace("KIND", kind)
    };
    // Whether a group and a direct message are published.
    for (edit, is_published) in [
        ("", [false, false]),
        ("[[conversation]]\nid = 'telegram-t02xff1t99'\nvisibility = 'public'\n", [true, true]),
        ("[[conversation]]\nfile = '**'\nvisibility = 'public'\n", [true, false]),
        (
            "[[conversation]]\nid = 'telegram-t02xff1t99'\nvisibility = 'public'\n[[conversation]]\nfile = 'c'\nvisibility = 'private'\n",
            [false, false],
        ),
    ] {
        for (kind, is_published) in ["private_group", "personal_chat"].into_iter().zip(is_published)
        {
            let site = SiteTest::new()
                .file("site.toml", BASE)
                .file("people.key", "00112233445566778899aabbccddeeff\n")
                .file("content/c/result.json", chat(kind))
                .file("edits.toml", edit);
            site.build(0);
            let all = crate::chat_names::all(&site);
            assert_eq!(all.contains("hello"), is_published, "{kind}: {edit}");
            assert!(!all.contains("quillon"));
        }
    }
}

#[test]
fn the_command_writes_the_file() {
    let site = site("");
    std::fs::remove_file(site.path("edits.toml")).expect("removed");
    site.build(0);
    let ids = turns(&page(&site, "mill-chat"));
    let run = |args: &[&str]| {
        let run = site.run(&[&["edit"], args].concat());
        (run.code, run.stdout + &run.stderr)
    };
    let text = || std::fs::read_to_string(site.path("edits.toml")).unwrap_or_default();
    let url = site.output().into_keys().find(|name| name.contains("mill-chat")).expect("a page");
    let url = format!("https://site.example/base/{}#{}", url.replace("index.html", ""), ids[2]);
    assert_eq!(run(&["c-1"]), (Some(0), "no edits for “Mill chat”\n".to_owned()));
    for args in [
        &[&url, "--title", "The tide mill", "--hide-turn", &url][..],
        &["c-1", "--redact", "heron deal", "--tag", "mills", "--tag", "tides"],
        &["c-1", "--speaker", "User=Ada"],
    ] {
        let (code, said) = run(args);
        assert_eq!(code, Some(0), "{said}");
        // The URL of the last build has the old title.
        assert!(run(&[&url]).1.contains("title = "), "{url}");
        site.build(0);
    }
    let entry = format!(
        "id = \"c-1\"\ntitle = \"The tide mill\"\nhide = [\"{}\"]\ntags = [\"mills\", \"tides\"]\n\
         redact = [\"heron deal\"]\nspeakers = {{ User = \"Ada\" }}\n",
        ids[2]
    );
    assert!(text().ends_with(&format!("# Mill chat\n[[conversation]]\n{entry}")), "{}", text());
    assert_eq!(run(&["c-1"]).1, entry);
    assert!(page(&site, "the-tide-mill").contains("The [redacted] is with"));
    let (_, said) = run(&["c-1", "--tag", "mills", "--tag", "tides"]);
    assert!(said.contains("nothing changed"), "{said}");
    assert_eq!(run(&["the tide mill"]).1, entry);
    let (code, said) = run(&["c-2", "--unset", "title"]);
    assert!(code == Some(0) && said.contains("nothing to undo"), "{said}");
    // A withheld conversation.
    assert_eq!(run(&["c-2", "--private"]).0, Some(0));
    site.build(0);
    assert_eq!(run(&["c-2", "--unset", "visibility"]).0, Some(0));
    assert!(!text().contains("c-2"));
    for (args, expected) in [
        (&["c-9", "--private"][..], "conversation `c-9` not found"),
        (&["export/conversations.json", "--private"], "has 2 conversations; name one of them: `c/"),
        (&["c-1", "--hide-turn", "t0"], "no turn `t0`"),
        (&["c-1", "--redact", "walrus"], "does not contain this text"),
        (&["c-1", "--date", "walrus"], "invalid date"),
        (&["c-1", "--speaker", "Ada"], "expected NAME=NEW"),
    ] {
        let before = text();
        let (code, said) = run(args);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(expected), "{expected}: {said}");
        assert_eq!(text(), before);
    }
}

#[test]
fn every_option_of_the_command_sets_its_key() {
    for (args, entry, on_page) in [
        (&["--title", "The tide mill"][..], "title = \"The tide mill\"", ">The tide mill</h1>"),
        (&["--slug", "tides"], "slug = \"tides\"", "/c/2026-03-01-tides-"),
        (&["--description", "Who built it."], "description = \"Who built it.\"", "Who built it."),
        (&["--date", "2024-02-03"], "date = \"2024-02-03\"", "2024-02-03"),
        (&["--tag", "mills"], "tags = [\"mills\"]", "/tags/mills/"),
        (&["--collection", "Water"], "collection = \"Water\"", ">Water<"),
        (&["--pin"], "pinned = true", ">Pinned<"),
        (&["--feature"], "featured = true", " id=\"featured\""),
        (&["--public"], "visibility = \"public\"", ">Mill chat</h1>"),
        (&["--speaker", "User=Ada"], "speakers = { User = \"Ada\" }", ">Ada<"),
    ] {
        let site = site("");
        let run = site.run(&[&["edit", "c-1"], args].concat());
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        let said = site.run(&["edit", "c-1"]).stdout;
        assert_eq!(said, format!("id = \"c-1\"\n{entry}\n"), "{args:?}");
        site.build(0);
        let files = site.output();
        let is_page = |path: &str| path == "index.html" || path.starts_with("c/");
        let pages = files.iter().filter(|(path, _)| is_page(path));
        let pages: String = pages.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
        assert!(pages.contains(on_page), "{args:?}: {on_page}");
    }
}

#[test]
fn line_breaks_of_the_file_stay() {
    let site = site("# Mine\r\n[[conversation]]\r\nid = 'c-2'\r\npinned = true\r\n");
    assert_eq!(site.run(&["edit", "c-1", "--title", "Mills"]).code, Some(0));
    let text = std::fs::read_to_string(site.path("edits.toml")).expect("a file");
    assert!(text.starts_with("# Mine\r\n") && text.contains("title = \"Mills\"\r\n"), "{text:?}");
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
}

#[cfg(unix)]
#[test]
fn a_link_is_not_replaced() {
    let site = site("");
    std::fs::rename(site.path("edits.toml"), site.path("mine.toml")).expect("renamed");
    std::os::unix::fs::symlink("mine.toml", site.path("edits.toml")).expect("a link");
    let run = site.run(&["edit", "c-1", "--title", "Mills"]);
    assert!(run.code == Some(2) && run.stderr.contains("is a symbolic link"), "{}", run.stderr);
    assert!(site.path("edits.toml").is_symlink());
    assert_eq!(std::fs::read_to_string(site.path("mine.toml")).expect("a file"), "");
}
