//! Rules in `site.toml`: which files are private, and that no typo publishes one.

use crate::support::preview::Preview;
use crate::support::{BASE, SiteTest, convo};

/// Mistakes in rules for private files, each with the reported position.
const SLIPS: [(&str, &str); 76] = [
    ("[[source]]\nfiles = 'secret/**'\nvisibility = 'privat'\n", "4:14"),
    ("[[source]]\nfiles = 'secret/**'\nvisibility = 'Private'\n", "4:14"),
    ("[[source]]\nfiles = 'secret/**'\nvisibility = true\n", "4:14"),
    ("[[source]]\nfiles = 'secret/**'\nvisibility = 'draft'\n", "4:14"),
    ("[[source]]\nfiles = 'secret/**'\nvisibility = ['private']\n", "4:14"),
    ("[[source]]\nfiles = 'secret/**'\nvisibilty = 'private'\n", "4:1"),
    ("[[source]]\nfiles = 'secret/**'\nVisibility = 'private'\n", "4:1"),
    ("[[source]]\nfiles = 'secret/**'\nprivate = true\n", "4:1"),
    ("[[source]]\nfile = 'secret/**'\nvisibility = 'private'\n", "3:1"),
    ("[[source]]\nvisibility = 'private'\n", "2:1"),
    ("[[source]]\nfiles = ['secret/**']\nvisibility = 'private'\n", "3:9"),
    ("[[source]]\nfiles = ''\nvisibility = 'private'\n", "3:9"),
    ("[[source]]\nfiles = '[a'\nvisibility = 'private'\n", "3:9"),
    ("[[source]]\nfiles = 'secret/**}{'\nvisibility = 'private'\n", "3:9"),
    ("[[source]]\nfiles = 'secret/{{{{{{{{{x}}}}}}}}}'\nvisibility = 'private'\n", "3:9"),
    ("[[source]]\nfiles = '[a'\n[[source]]\nfiles = 'secret/**'\nvisibility = 'private'\n", "3:9"),
    (
        "[[source]]\nfiles = '*'\nspeakers = { Ada = 'ghost' }\n[[source]]\nfiles = 'secret'\nvisibility = 'private'\n",
        "4:20",
    ),
    (
        "[[source]]\nfiles = '*'\nspeakers = 'Ada'\n[[source]]\nfiles = 'secret'\nvisibility = 'private'\n",
        "4:12",
    ),
    (
        "[[source]]\nfiles = '*'\nformat = 'cjsn'\n[[source]]\nfiles = 'secret'\nvisibility = 'private'\n",
        "4:10",
    ),
    (
        "[[source]]\nfiles = '*'\ntime_zone = 'Mars/Olympus'\n[[source]]\nfiles = 'secret'\nvisibility = 'private'\n",
        "4:13",
    ),
    (
        "[[source]]\nfiles = '*'\ntags = 'x'\n[[source]]\nfiles = 'secret'\nvisibility = 'private'\n",
        "4:8",
    ),
    (
        "[[source]]\nfiles = '*'\nsearch = 'no'\n[[source]]\nfiles = 'secret'\nvisibility = 'private'\n",
        "4:10",
    ),
    ("[[source]]\nfiles = 'secret/**'\nvisibility = 'private'\ntitle = 'Mine'\n", "5:1"),
    ("[[source]]\nfiles = '*'\nexclude = 'secret'\n", "4:11"),
    ("[[source]]\nfiles = '*'\nexclude = ['secret', 7]\n", "4:"),
    ("[[source]]\nfiles = '*'\nexclude = ['secret', 'has:fun']\n", "4:22"),
    ("[[source]]\nfiles = '*'\nexclude = ['']\n", "4:12"),
    ("[[source]]\nfiles = '*'\ninclude = ['\"open']\n", "4:12"),
    ("[[source]]\nfiles = '*'\nexcludes = ['secret']\n", "4:1"),
    ("[source]\nfiles = 'secret/**'\nvisibility = 'private'\n", "2:"),
    ("source = 'secret/**'\n", "2:10"),
    ("source = ['secret/**']\n", "2:11"),
    ("[[Source]]\nfiles = 'secret/**'\nvisibility = 'private'\n", "2:3"),
    ("[[sources]]\nfiles = 'secret/**'\nvisibility = 'private'\n", "2:3"),
    ("[[rules]]\nfiles = 'secret/**'\nvisibility = 'private'\n", "2:3"),
    ("[visibility]\n'secret/**' = 'private'\n", "2:2"),
    ("visibility = 'private'\n", "2:1"),
    ("private = ['secret/**']\n", "2:1"),
    ("drafts = false\n", "2:1"),
    ("exclude = ['secret/**']\n", "2:1"),
    ("content = ['content']\n", "2:11"),
    ("contnet = 'talks'\n", "2:1"),
    ("[[source]]\nfiles = 'secrt/**'\nvisibility = 'private'\n", "3:9"),
    ("[[source]]\nfiles = 'a/secert'\nvisibility = 'private'\n", "3:9"),
    // Where the key has no effect.
    ("[deploy]\nprivate = ['secret/**']\n", "3:1"),
    ("[deploy]\nhost = 'other'\nexclude = ['secret']\n", "4:1"),
    ("[deploy]\ncontent = 'published'\n", "3:1"),
    ("[deploy]\nleave_out = ['secret/**']\n", "3:1"),
    ("[deploy.more]\nhidden = true\n", "3:1"),
    ("[deploy.host]\nprivate = ['secret']\n", "3:1"),
    ("[look]\nsource = 'secret'\n", "3:1"),
    ("[[look.source]]\nfiles = 'secret'\nvisibility = 'private'\n", "2:8"),
    ("[look.colors]\nfiles = 'secret/**'\nvisibility = 'private'\n", "3:1"),
    ("[look.colors]\nink = '#000'\nprivate = ['secret']\n", "4:1"),
    ("[og_images]\nPRIVATE = true\n", "3:1"),
    ("[redirects]\nfiles = 'secret'\nvisibility = 'private'\n", "3:1"),
    ("[redirects]\nvisibility = 'private'\n", "3:1"),
    ("[redirects]\n'secret/**' = 'private'\n", "3:1"),
    ("[redirects]\ncontent = 'published'\n", "3:1"),
    ("[redirects]\nprivate = true\n", "3:1"),
    ("[[redirects.source]]\nfiles = 'secret'\nignore = true\n", "2:13"),
    ("[theme]\nfiles = 'secret'\n", "3:1"),
    ("[[paths]]\nfiles = 'secret/**'\nvisibility = 'private'\n", "2:3"),
    ("[[deny]]\nfiles = 'secret/**'\n", "2:3"),
    ("[[private]]\nfiles = 'secret/**'\n", "2:3"),
    ("[[content_settings]]\nat = 'secret'\n", "2:3"),
    ("[site]\nskip = ['secret']\n", "2:2"),
    ("skip = ['secret']\n", "2:1"),
    ("blacklist = ['secret']\n", "2:1"),
    ("not_these = ['secret/*']\n", "2:1"),
    ("secret = 'private'\n", "2:1"),
    ("defaults = { visibility = 'private' }\n", "2:1"),
    ("audience = 'me'\n", "2:1"),
    ("sharing = 'off'\n", "2:1"),
    ("members_only = ['secret']\n", "2:1"),
    ("keep_out = 'secret'\n", "2:1"),
];

#[test]
fn a_typo_in_a_rule_stops_the_build() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("A public word."))
        .file("content/a/secret/deep.convo", convo("Another one."));
    site.build(0);
    let before = site.output();
    site.write("content/secret/b.convo", convo("A secret word."));
    for (slip, place) in SLIPS {
        site.write("site.toml", format!("{BASE}{slip}"));
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(2), "{slip}: {}", run.stderr);
        let expected = format!("site.toml:{place}");
        assert!(run.stderr.contains(&expected), "{slip}: {place}: {}", run.stderr);
        assert!(site.output() == before, "{slip}");
    }
    for command in [&["check"][..], &["search", "word"], &["build", "--no-cache"]] {
        assert_eq!(site.run(command).code, Some(2), "{command:?}");
    }
    assert!(site.output() == before);
    let deep = "{".repeat(500);
    site.write("site.toml", format!("{BASE}[[source]]\nfiles = '{deep}'\n"));
    let run = site.build(2);
    assert!(run.stderr.contains("more than 8 deep"), "{}", run.stderr);
    assert!(run.stderr.len() < 1000, "{}", run.stderr);
}

#[test]
fn custom_names_may_be_any_words() {
    let config = "[look]\nfonts = { serif = 'Secret, serif' }\n\
        dark_colors = { link = '#80cbc4' }\n[redirects]\n'files/' = 'archive/'\n\
        'private/a/' = 'archive/'\npublications = 'archive/'\n[deploy]\nhost = 'other'\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("content/a.convo", convo("x"));
    site.build(0);
    assert!(site.output().contains_key("files/index.html"));
    // A harmless mistake does not stop the build.
    site.write("site.toml", format!("{BASE}tilte = 'x'\n[deploy]\nhots = 'other'\n"));
    site.build(1);
}

#[test]
fn a_misnamed_key_is_reported_with_the_right_one() {
    let rule = "[[source]]\nfiles = 'a.convo'\nprivate = true\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{rule}"))
        .file("content/a.convo", convo("x"));
    let run = site.build(2);
    let hint = "use `visibility = \"private\"`";
    assert!(run.stderr.contains(hint), "{}", run.stderr);
}

#[test]
fn a_rule_that_matches_no_file_is_an_error() {
    let rule = "[[source]]\nfiles = 'podcasts/**'\ntags = ['y']\n\
        [[source]]\nfiles = 'tlaks/*.convo'\ntags = ['x']\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{rule}"))
        .file("content/talks/a.convo", convo("x"));
    let run = site.build(1);
    assert!(run.stderr.contains("no file matches `podcasts/**`"), "{}", run.stderr);
    assert!(run.stderr.contains("site.toml:3:9"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `talks`?"), "{}", run.stderr);
    let before = site.output();
    assert!(!before.is_empty());
    // The private files may have moved.
    for files in ["podcasts/**", "talsk", "nothing/at/all"] {
        for setting in ["visibility = 'private'", "exclude = ['salary']", "include = ['tide']"] {
            let rule = format!("[[source]]\nfiles = '{files}'\n{setting}\n");
            site.write("site.toml", format!("{BASE}{rule}"));
            let run = site.build(2);
            assert!(run.stderr.contains("site.toml:3:9"), "{}", run.stderr);
            assert_eq!(site.output(), before);
        }
    }
}

#[test]
fn a_rule_after_one_for_the_same_files_is_reported() {
    let first = "[[source]]\nfiles = 'talks'\ntags = ['y']\n";
    let site = SiteTest::new().file("content/talks/a.convo", convo("x"));
    for (second, is_reported) in [
        ("files = 'talks'\ntags = ['x']\n", true),
        ("files = '**/*.convo'\ntags = ['x']\n", true),
        // Who can read a conversation is decided by all rules.
        ("files = 'talks'\nvisibility = 'public'\n", false),
    ] {
        site.write("site.toml", format!("{BASE}{first}[[source]]\n{second}"));
        let stderr = site.build(0).stderr;
        let message = "this `[[source]]` never applies: line 3 matches the same files";
        assert_eq!(stderr.contains(message), is_reported, "{second}: {stderr}");
        assert_eq!(stderr.contains("site.toml:6:9"), is_reported, "{second}: {stderr}");
    }
    // With another file, it applies.
    site.write("content/b.convo", convo("y"));
    site.write(
        "site.toml",
        format!("{BASE}{first}[[source]]\nfiles = '**/*.convo'\ntags = ['x']\n"),
    );
    let stderr = site.build(0).stderr;
    assert!(!stderr.contains("shadowed-rule"), "{stderr}");
}

/// Once, a number that was too large disabled every other key of the file.
#[test]
fn a_number_that_is_too_large_affects_no_other_key() {
    let site = SiteTest::new()
        .file("content/draft.convo", convo("A draft."))
        .file("published/a.convo", convo("Published."));
    let config = "content = 'published'\npage_turns = 99999999999999999999\n";
    site.write("site.toml", format!("{BASE}{config}"));
    let run = site.build(2);
    assert!(run.stderr.contains("site.toml:3:"), "{}", run.stderr);
    assert!(site.output().is_empty());
}

#[test]
fn the_first_matching_rule_decides() {
    let rules = "[[source]]\nfiles = '**/*.convo'\ntags = ['x']\n\
        [[source]]\nfiles = 'shut/open.convo'\nvisibility = 'public'\n\
        [[source]]\nfiles = 'shut'\nvisibility = 'private'\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{rules}"))
        .file("content/shut/open.convo", convo("An open word."))
        .file("content/shut/b.convo", convo("A shut word."));
    let run = site.build(0);
    assert!(run.stderr.contains("built 1 conversation:"), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("An open word."));
}

#[test]
fn the_preview_shows_the_last_site_while_a_rule_is_wrong() {
    let site = SiteTest::new().file("content/a.convo", convo("A public word."));
    let preview = Preview::start(&site, &["--port", "0"]);
    assert!(preview.text("/base/").contains("A public word."));
    let rule = "[[source]]\nfiles = 'secret'\nvisibility = 'privat'\n";
    site.write("site.toml", format!("{BASE}{rule}"));
    preview.wait_for("the preview was not updated");
    site.write("content/secret/b.convo", convo("A secret word."));
    site.write("content/c.convo", convo("A late word."));
    site.write("site.toml", format!("{BASE}{}", rule.replace("privat'", "private'")));
    preview.wait_for_text("/base/", |page| page.contains("A late word."));
    assert!(!preview.text("/base/").contains("A secret word."));
}

/// A tag has the same effect wherever it is set.
#[test]
fn a_rule_with_the_tag_private_withholds() {
    let site = SiteTest::new()
        .file("content/a.convo", convo("A public word."))
        .file("content/secret/b.convo", convo("A secret word."));
    for tag in ["private", "status/draft"] {
        let rule = format!("[[source]]\nfiles = 'secret'\ntags = ['x', '{tag}']\n");
        site.write("site.toml", format!("{BASE}{rule}"));
        let run = site.build(0);
        assert!(run.stderr.contains("1 private withheld"), "{}", run.stderr);
        let leaks = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("secret");
        assert!(!site.output().values().any(leaks), "{tag}");
    }
}

/// An export of three conversations with an image each.
fn export() -> SiteTest {
    let talk = |id: &str, title: &str, text: &str| {
        format!(
            "{{\"id\": \"{id}\", \"schemaUrl\": \"https://schema.cjson.dev/0/conversation/\
             cjson-0.1.0-SNAPSHOT.schema.json\", \"conversationTitle\": \"{title}\", \
             \"messages\": [{{\"id\": \"m\", \"role\": \"user\", \"messageType\": \"text\", \
             \"content\": \"{text}\", \"attachments\": [{{\"attachmentKind\": \"file\", \
             \"id\": \"f\", \"name\": \"{id}.txt\", \"uri\": \"{id}.txt\"}}]}}]}}"
        )
    };
    let all = [
        talk("one", "Moss", "The walls are green."),
        talk("two", "Salaries", "The wall of numbers."),
        talk("three", "Peat", "No stones at all."),
    ];
    SiteTest::new()
        .file("content/export.json", format!("[{}]", all.join(",")))
        .file("content/one.txt", "file of one")
        .file("content/two.txt", "file of two")
        .file("content/three.txt", "file of three")
}

#[test]
fn conversations_not_selected_by_a_rule_are_not_published() {
    let site = export();
    for (queries, chosen) in [
        ("include = ['wall']", "one two"),
        ("exclude = ['salaries', 'peat']", "one"),
        ("include = ['wall', 'peat']\nexclude = ['salaries']", "one three"),
        ("include = ['wall -salaries']", "one"),
    ] {
        let rule = format!("downloads = ['original']\n[[source]]\nfiles = '*.json'\n{queries}\n");
        site.write("site.toml", format!("{BASE}{rule}"));
        let run = site.build(0);
        let excluded = 3 - chosen.split(' ').count();
        let expected = format!("; {excluded} excluded by a `[[source]]`");
        assert!(run.stderr.contains(&expected), "{queries}: {}", run.stderr);
        let output = site.output();
        let holds =
            |word: &str| output.values().any(|bytes| String::from_utf8_lossy(bytes).contains(word));
        for (id, words) in [
            ("one", ["Moss", "walls are green", "file of one"]),
            ("two", ["Salaries", "wall of numbers", "file of two"]),
            ("three", ["Peat", "stones at all", "file of three"]),
        ] {
            for word in words {
                assert_eq!(holds(word), chosen.contains(id), "{queries}: {word}");
            }
        }
        assert!(!run.stderr.contains("Salaries"), "{}", run.stderr);
    }
}

#[test]
fn a_query_without_matches_is_reported() {
    let site = export();
    let rule = "[[source]]\nfiles = '*.json'\nexclude = ['wages', 'peat']\n";
    site.write("site.toml", format!("{BASE}{rule}"));
    let run = site.build(0);
    assert!(run.stderr.contains("`wages` in `exclude` matches no"), "{}", run.stderr);
    assert!(run.stderr.contains("site.toml:4:12"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("unmatched-filter").count(), 1, "{}", run.stderr);
    // It may be misspelt, and then what it should keep off the site is about to be published.
    let run = site.run(&["check", "--publish"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("error[unmatched-filter]"), "{}", run.stderr);
    let rule = "[[source]]\nfiles = '*.json'\ninclude = ['mosses', 'nothing']\n";
    site.write("site.toml", format!("{BASE}{rule}"));
    let run = site.build(1);
    assert!(run.stderr.contains("site.toml:4:22"), "{}", run.stderr);
    assert!(run.stderr.contains("built 1 conversation:"), "{}", run.stderr);
}

/// A log that is read in parts is selected as a whole.
#[test]
fn a_long_log_is_selected_as_a_whole() {
    let entry = |n: usize, text: &str| {
        format!(
            "{{\"id\": \"{n}\", \"timestamp\": {}, \"from\": \"mira\", \"to\": \"k\", \
             \"content\": \"{text}\", \"entry_type\": \"message\"}}\n",
            1_772_352_000 + n
        )
    };
    let log: String = (0..2500)
        .map(|n| entry(n, if n == 2400 { "A late secret." } else { "Some words." }))
        .collect();
    let site = SiteTest::new()
        .file("content/a.convo", convo("Here."))
        .file("content/log/transcript/active.jsonl", log);
    let rule = "[[source]]\nfiles = 'log'\nexclude = ['secret']\n";
    site.write("site.toml", format!("{BASE}{rule}"));
    let run = site.build(0);
    assert!(run.stderr.contains("built 1 conversation:"), "{}", run.stderr);
    assert!(run.stderr.contains("1 excluded"), "{}", run.stderr);
    site.write("site.toml", format!("{BASE}{}", rule.replace("exclude", "include")));
    let run = site.build(0);
    assert!(run.stderr.contains("built 2 conversations:"), "{}", run.stderr);
}

#[test]
fn a_rule_can_show_instructions() {
    let text = "{\"id\": \"x\", \"schemaUrl\": \"https://schema.cjson.dev/0/conversation/\
        cjson-0.1.0-SNAPSHOT.schema.json\", \"systemMessage\": \"Be a gardener.\", \"messages\": \
        [{\"id\": \"m\", \"role\": \"user\", \"messageType\": \"text\", \"content\": \"Hi\"}], \
        \"extensions\": {\"convo-site\": {\"system\": {\"withheld\": true}}}}";
    let site = SiteTest::new().file("content/a.json", text);
    for (value, shown) in [("false", false), ("true", true)] {
        let rule = format!("[[source]]\nfiles = 'a.json'\nshow_system = {value}\n");
        site.write("site.toml", format!("{BASE}{rule}"));
        site.build(0);
        let holds = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("gardener");
        assert_eq!(site.output().values().any(holds), shown, "{value}");
    }
    site.write("site.toml", format!("{BASE}[[source]]\nfiles = 'a.json'\nshow_system = 1\n"));
    site.build(2);
    site.write("site.toml", BASE);
    site.build(0);
    let holds = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("gardener");
    assert!(!site.output().values().any(holds));
}

/// Subtitles have no place for a language.
#[test]
fn a_rule_gives_the_language_of_files_that_name_none() {
    let cue = "1\n00:00:01,000 --> 00:00:03,000\nGuten Abend.\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[[source]]\nfiles = '*.srt'\nlanguages = ['de']\n"))
        .file("content/plain.srt", cue)
        .file("content/named.srt", format!("---\nlanguages: [nl]\n---\n{cue}"));
    site.build(0);
    for (path, language) in [("plain", "de"), ("named", "nl")] {
        let page = site.page(&format!("c/{path}"), "index.html");
        assert!(page.contains(&format!("\"inLanguage\":\"{language}\"")), "{path}: {page}");
    }
}
