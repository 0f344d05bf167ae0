//! `[people]`: one speaker for all names of a person, and pseudonyms in place of real names.

use std::collections::BTreeMap;
use std::fs;

use crate::support::preview::Preview;
use crate::support::{BASE, Run, SiteTest, files_below, unpacked, wait_until_times_are_trusted};

/// A conversation with a name in every place that can contain one.
const TALK: &str = r#"### @Ada Lovelace
I am Ada Lovelace, @ada_l, ADA_L or ada@old.example.org, and AdaLovelace.
See [me](https://example.org/~ada_l/Ada%20Lovelace) and ![](ada-lovelace.png).

### @Wren
Ada's loom, Lovelace. Adamant Canada ADAM, Miss
Lovelace!

### @Bea Quill
```sh
ssh ada_l@loom # for Bea
```
愛田さん, 李愛です。

### @Ada Lovelace
Zoë is Zoë.

----
{
  "title": "Ada Lovelace and the loom",
  "type": "dialog",
  "time": "2026-03-04T09:00:00Z",
  "tags": ["ada_l"],
  "summary": "What Ada wanted.",
  "participants": [
    {"name": "Ada Lovelace", "mail": "lovelace@elsewhere.example.org"},
    {"name": "Wren", "generative": true, "generative:model": "wren-1"},
    "Bea Quill"
  ]
}
"#;

const PICTURE: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\
    \x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

fn site(people: &str) -> SiteTest {
    SiteTest::new()
        .file(
            "site.toml",
            format!("{BASE}downloads = [\"markdown\", \"json\", \"original\"]\n{people}"),
        )
        .file("content/2026/talk.convo", TALK)
        .file("content/2026/ada-lovelace.png", PICTURE)
}

/// Every byte written by builds of a site: the output and the cache, with the search index
/// unpacked.
fn written(site: &SiteTest) -> BTreeMap<String, Vec<u8>> {
    let mut all = site.output();
    let index = unpacked(&all).into_bytes();
    all.insert("search index".to_owned(), index);
    for (path, bytes) in files_below(&site.path(".convo-site")) {
        all.insert(format!(".convo-site/{path}"), bytes);
    }
    all
}

/// Fails if any of these names is anywhere, in any case, in bytes or file names.
#[track_caller]
fn check_nowhere(files: &BTreeMap<String, Vec<u8>>, names: &[&str]) {
    for (path, bytes) in files {
        // Only the author sees the location of the files, not readers.
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        let text = text.replace("content/2026/ada-lovelace.png", "");
        for name in names {
            let name = name.to_lowercase();
            let at = text.find(&name);
            let near: String = text[at.unwrap_or(0)..].chars().take(60).collect();
            assert!(at.is_none() && !path.to_lowercase().contains(&name), "{path}: {near}");
        }
    }
}

#[track_caller]
fn key(site: &SiteTest) -> String {
    let key = fs::read_to_string(site.path("people.key")).expect("a key");
    assert_eq!(key.trim().len(), 32, "{key}");
    key
}

const PSEUDONYM: &str = r#"
[people."Ada Lovelace"]
names = ["ada_l", "ada@old.example.org", "愛", "Zoë"]
pseudonym = true
bio = "Weaves numbers."
"#;

const NAMES: [&str; 9] =
    ["ada lovelace", "lovelace", "ada_l", "ada@", "ada'", "i am ada", "zoë", "zoe\u{308}", "愛"];

#[test]
fn a_pseudonym_replaces_the_name_everywhere() {
    let site = site(PSEUDONYM);
    let first = site.build(0);
    assert!(first.stderr.contains("people-key-made"), "{}", first.stderr);
    let secret = key(&site);
    check_nowhere(&written(&site), &NAMES);
    check_nowhere(&BTreeMap::from([("stderr".to_owned(), first.stderr.into())]), &NAMES);
    let page = site.page("c/", "/index.html");
    // Only whole words are replaced.
    assert!(page.contains("Adamant Canada ADAM"), "{page}");
    // Others keep their names, and her attachments are published.
    assert!(page.contains("Bea Quill") && page.contains("Wren"), "{page}");
    assert!(page.contains("<img"), "{page}");
    let output = site.output();
    assert!(output.values().any(|bytes| bytes == PICTURE));
    assert!(!output.keys().any(|path| path.contains("original")), "{:?}", output.keys());
    let speaker = made_up(&site);
    assert!(page.contains(&format!("{speaker} and the loom")), "{page}");
    assert!(page.contains(&format!("@{}", speaker.to_lowercase().replace(' ', "-"))), "{page}");
    for (path, bytes) in &output {
        assert!(!String::from_utf8_lossy(bytes).contains(secret.trim()), "{path}");
    }
    // The second build changes nothing, with or without a cache.
    let second = site.build(0);
    assert!(!second.stderr.contains("people-key-made"), "{}", second.stderr);
    assert_eq!(output, site.output());
    assert_eq!(site.run(&["build", "--no-cache"]).code, Some(0));
    assert_eq!(output, site.output());
}

/// The only pseudonym.
#[track_caller]
fn made_up(site: &SiteTest) -> String {
    let known = ["Wren", "Bea Quill"];
    let data: Vec<serde_json::Value> = site
        .output()
        .iter()
        .filter(|(path, _)| path.starts_with("c/") && path.ends_with("index.json"))
        .map(|(_, bytes)| serde_json::from_slice(bytes).expect("JSON"))
        .collect();
    let people = data.iter().flat_map(|talk| talk["participants"].as_array().expect("a list"));
    let names = people.map(|who| who["name"].as_str().expect("a name"));
    let name = names.filter(|name| !known.contains(name)).min();
    name.expect("a made-up name").to_owned()
}

#[test]
fn a_pseudonym_added_later_leaves_no_old_name() {
    let site = site("");
    site.build(0);
    assert!(unpacked(&site.output()).contains("lovelace"));
    wait_until_times_are_trusted();
    site.write("site.toml", format!("{BASE}{PSEUDONYM}"));
    let later = site.build(0);
    check_nowhere(&written(&site), &NAMES);
    assert!(later.stderr.contains("should not be redirected"), "{}", later.stderr);
    check_nowhere(&BTreeMap::from([("stderr".to_owned(), later.stderr.into())]), &NAMES);
    assert!(!site.page("c/", "/index.md").contains("Ada Lovelace"));
    // Renames a file without changing its text, and makes others private.
    fs::rename(site.path("content/2026/talk.convo"), site.path("content/2026/other.convo"))
        .expect("renamed");
    let private = TALK.replace("\"type\"", "\"private\": true, \"type\"").replace("loom", "silk");
    site.write("content/2026/private.convo", private);
    assert_eq!(site.run(&["build", "--include-private"]).code, Some(0));
    let is_there = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("silk");
    assert!(site.output().values().any(is_there));
    check_nowhere(&written(&site), &NAMES);
}

#[test]
fn a_pseudonym_does_not_depend_on_other_people() {
    let site = site(PSEUDONYM);
    site.build(0);
    let name = made_up(&site);
    let more = format!("{PSEUDONYM}[people.\"Bea Quill\"]\npseudonym = true\nas = \"Cleo\"\n");
    site.write("site.toml", format!("{BASE}downloads = [\"json\"]\n{more}"));
    site.write("content/another.convo", TALK.replace("the loom", "the wheel"));
    site.build(0);
    let output = site.output();
    let mut pages = output.iter().filter(|(path, _)| path.ends_with("index.html"));
    let wheel = pages.find(|(path, _)| path.starts_with("c/") && path.contains("the-wheel"));
    let page = String::from_utf8_lossy(wheel.expect("a page").1).into_owned();
    assert!(page.contains(&name) && page.contains("Cleo") && !page.contains("Quill"), "{page}");
    // With another key, the pseudonym differs.
    site.write("people.key", "00112233445566778899aabbccddeeff\n");
    site.build(0);
    assert_ne!(made_up(&site), name);
}

#[test]
fn a_file_name_with_a_real_name_is_not_a_title() {
    let site = SiteTest::new().file("site.toml", format!("{BASE}{PSEUDONYM}")).file(
        "content/Ada Lovelace.md",
        "---\nspeakers: [Wren, Bea]\n---\n\n**Wren:** Good morning.\n\n**Bea:** Good morning!\n",
    );
    site.build(0);
    check_nowhere(&site.output(), &NAMES);
    assert!(site.page("c/", "/index.html").contains("<title>"));
}

#[test]
fn everyone_who_is_not_listed_gets_a_pseudonym() {
    let people = "[people]\nothers = \"pseudonym\"\nWren = [\"Bea Quill\"]\n";
    let site = SiteTest::new().file("site.toml", format!("{BASE}{people}")).file(
        "content/chat.md",
        "**Ada Lovelace:** Hello Bea Quill, I am Ada.\n\n**Assistant:** Hello, Ada Lovelace!\n\n\
         **User:** The user is nobody.\n\n**Bea Quill:** Lovelace, hello.\n",
    );
    site.build(0);
    check_nowhere(&site.output(), &["lovelace", "am ada"]);
    let page = site.page("c/", "/index.html");
    for kept in ["Hello Bea Quill", "Assistant", "The user is nobody", ">User<", ">Wren<"] {
        assert!(page.contains(kept), "{kept}: {page}");
    }
}

#[test]
fn a_lower_case_given_name_is_replaced_too() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people]\nothers = \"pseudonym\"\n"))
        .file(
            "content/chat.md",
            "**tomas Quill:** Done, says the van.\n\n**van Hale:** Thanks Tomas, the Van is here.\n",
        );
    site.build(0);
    check_nowhere(&site.output(), &["quill", "tomas", "hale"]);
    let page = site.page("c/", "/index.html");
    assert!(page.contains("says the van") && page.contains("the Van is"), "{page}");
}

/// Thirty invented names of people, each with a given and a family name.
fn thirty_people() -> Vec<(String, String)> {
    let (starts, ends) = (["Qua", "Zel", "Vyr", "Ochi", "Brum"], ["vine", "dolf", "mira"]);
    let families = ["Tarnquist", "Ubelhorn"];
    let mut people = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        for (place, end) in ends.iter().enumerate() {
            for family in families {
                let family = format!("{family}{}", ["a", "o", "e"][(number + place) % 3]);
                people.push((format!("{start}{end}"), family));
            }
        }
    }
    people
}

/// A file of one of three formats, in which two people also mention each other.
fn chat_of(number: usize, people: &[(String, String)]) -> (String, String) {
    let full = |at: usize| {
        let (given, family) = &people[at % people.len()];
        format!("{given} {family}")
    };
    let (one, two) = (full(number), full(number + 7));
    let given = &people[(number + 7) % people.len()].0;
    let text = format!("Ask {given}, or {two}; `hello {one}` it says.");
    let name = format!("content/talks/{number:02}");
    match number % 3 {
        0 => {
            let text = format!(
                "---\ntitle: {two} on lamps\n---\n\n**{one}:** {text}\n\n**{two}:** I am {given}.\n"
            );
            (format!("{name}.md"), text)
        }
        1 => {
            let about = serde_json::json!({"type": "dialog", "time": "2026-01-02",
                "title": format!("Lamps, by {one}"), "tags": [one], "summary": text,
                "participants": [one, two]});
            (
                format!("{name}.convo"),
                format!("### @{one}\n{text}\n\n### @{two}\nYes.\n\n----\n{about}\n"),
            )
        }
        _ => {
            let json = serde_json::json!({"messages": [
                {"speaker": one, "content": text}, {"speaker": two, "content": "Yes."}]});
            (format!("{name}.json"), json.to_string())
        }
    }
}

#[test]
fn names_of_thirty_people_stay_hidden_after_edits() {
    let people = thirty_people();
    let all: Vec<&str> =
        people.iter().flat_map(|(given, family)| [given.as_str(), family.as_str()]).collect();
    let downloads = "downloads = [\"markdown\", \"json\", \"original\"]\n";
    let site = SiteTest::new().file("site.toml", format!("{BASE}{downloads}"));
    for number in 0..people.len() {
        let (name, text) = chat_of(number, &people);
        site.write(&name, text);
    }
    site.build(0);
    let shown = written(&site);
    let is_shown =
        |name: &&&str| shown.values().any(|bytes| String::from_utf8_lossy(bytes).contains(**name));
    assert_eq!(all.iter().filter(is_shown).count(), all.len(), "they are there at first");
    let pseudonym = format!("{BASE}{downloads}[people]\nothers = \"pseudonym\"\n");
    let reported = |run: &Run| {
        BTreeMap::from([(
            "report".to_owned(),
            format!("{}{}", run.stdout, run.stderr).into_bytes(),
        )])
    };
    site.write("site.toml", &pseudonym);
    let later = site.run(&["build", "--message-format", "json"]);
    assert_eq!(later.code, Some(0), "{}", later.stderr);
    check_nowhere(&written(&site), &all);
    check_nowhere(&reported(&later), &all);
    // Renames the folder, and makes a file private.
    fs::rename(site.path("content/talks"), site.path("content/old")).expect("renamed");
    let private = "[[source]]\nfiles = \"old/1*\"\nvisibility = \"private\"\n";
    site.write("site.toml", format!("{pseudonym}{private}"));
    let renamed = site.build(0);
    let included = site.run(&["build", "--include-private"]);
    assert_eq!(included.code, Some(0), "{}", included.stderr);
    check_nowhere(&written(&site), &all);
    let checked = site.run(&["check", "--publish"]);
    let status = site.run(&["status", "--all"]);
    for run in [&renamed, &included, &checked, &status] {
        check_nowhere(&reported(run), &all);
    }
}

#[test]
fn all_names_of_a_person_are_one_speaker() {
    let people = r#"
[people]
"Ada" = ["Ada Lovelace", "ada_l", { name = "User", in = "exports" }]
"Lady Quill" = []
"#;
    let talk = |who: &str, time: &str| {
        format!("---\ndate: {time}\n---\n\n**{who}:** It was me, {who}.\n\n**Claude:** I see.\n")
    };
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{people}"))
        .file("content/one.md", talk("Ada Lovelace", "2026-01-01"))
        .file("content/two.md", talk("ADA_L", "2026-01-02"))
        .file("content/exports/three.md", talk("User", "2026-01-03"))
        .file("content/four.md", talk("User", "2026-01-04"));
    site.build(0);
    let list = site.page("speakers/ada/index", "html");
    assert_eq!(list.matches("class=\"card\"").count(), 3, "{list}");
    assert!(!site.path("people.key").exists());
    // Texts are unchanged.
    assert!(site.page("c/2026-01-01", "/index.html").contains("It was me, Ada Lovelace."));
    assert!(site.output().contains_key("speakers/user/index.html"));
    assert!(!site.output().contains_key("speakers/ada-lovelace/index.html"));
    assert!(unpacked(&site.output()).contains("Ada"));
}

#[track_caller]
fn refused(people: &str, message: &str) -> Run {
    let site = site(people);
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains(message), "{}", run.stderr);
    assert!(run.stderr.contains("nothing is written"), "{}", run.stderr);
    assert!(!site.path("public").exists());
    run
}

#[test]
fn a_typo_stops_the_build() {
    refused("people = 3", "`people` must be a table");
    refused("[people]\nAda = \"ada\"", "must be a list of names");
    refused("[people.Ada]\npseudonim = true", "did you mean `pseudonym`?");
    refused("[people.Ada]\npseudonym = \"yes\"", "site.toml:4:13");
    refused("[people]\nothers = \"hide\"", "unknown value `hide`");
    refused("[people]\nAda = [\"a\"]\nBea = [\"A\"]", "is a name of both `Ada` and `Bea`");
    refused("[people]\nAda = []\n[people.Bea]\nas = \"Ada\"", "two people are shown as `Ada`");
    refused("[people]\nAda = [{ name = \"x\", in = \"{\" }]", "`in` of a name");
    refused("[people]\nAda = [\" \"]", "empty name");
    refused("[people.Ada]\nurl = \"ada.example\"", "is not a URL");
    refused("[people.Ada]\npseudonym = true\nurl = \"https://example.org\"", "reveals the person");
    refused(
        "[people.\"Ada Lovelace\"]\npseudonym = true\nbio = \"What lovelace wove.\"",
        "a `bio`, which reveals the person",
    );
}

#[test]
fn site_settings_contain_no_replaced_name() {
    let tables = ["author", "title", "description"].map(|key| ("", key, key));
    let podcast = ["title", "description", "author", "category"];
    let podcast = podcast.map(|key| ("[podcast]\n", key, "podcast"));
    for (table, key, value) in tables.into_iter().chain(podcast) {
        let text = format!("{BASE}{table}{key} = \"Talks of ADA LOVELACE\"\n{PSEUDONYM}");
        let site = site("");
        site.write("site.toml", text);
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("site.toml:2:"), "{}", run.stderr);
        assert!(
            run.stderr.contains(&format!("`{value}` names a person who has a pseudonym")),
            "{}",
            run.stderr
        );
        assert!(!site.path("public").exists());
    }
}

/// Everything besides texts: metadata keys, labels, link titles and file names.
#[test]
fn text_beside_the_conversation_contains_no_replaced_name() {
    let talk = "---\ntitle: Lamps\nauthor: Ada Lovelace\nauthors: [Ada Lovelace]\n\
        url: https://chat.example.org/ada-lovelace\nspeakers: [Ada Lovelace, Finch]\n---\n\n\
        **Ada Lovelace:** Which lamp?\n\n**Finch:** The red one.\n\n**Ada Lovelace:** See [it]\
        [Ada Lovelace], ![Ada Lovelace](ada-lovelace.png \"by Ada Lovelace\") and \
        [x](https://x.example.org/ada-lovelace \"Ada Lovelace\").\n\n\
        [Ada Lovelace]: https://x.example.org/ada-lovelace \"Ada Lovelace\"\n\n\
        **Finch:** Yes.[^Ada Lovelace]\n\n[^Ada Lovelace]: A note.\n";
    let site = SiteTest::new()
        .file(
            "site.toml",
            format!("{BASE}downloads = [\"markdown\", \"json\", \"original\"]\n{PSEUDONYM}"),
        )
        .file("content/lovelace/ada-lovelace.md", talk)
        .file("content/lovelace/ada-lovelace.png", PICTURE);
    site.build(0);
    let output = site.output();
    check_nowhere(&output, &NAMES);
    assert!(output.values().any(|bytes| bytes == PICTURE));
}

#[test]
fn without_the_key_nothing_is_checked() {
    let site = site(PSEUDONYM);
    let run = site.run(&["check"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("missing-people-key"), "{}", run.stderr);
    assert!(!site.path("people.key").exists());
    site.build(0);
    assert_eq!(site.run(&["check"]).code, Some(0));
    site.write("people.key", "not a key");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert_eq!(fs::read_to_string(site.path("people.key")).expect("there"), "not a key");
}

#[test]
fn the_key_can_be_set_in_the_environment() {
    let site = site(PSEUDONYM);
    let key = "00112233445566778899aabbccddeeff";
    let missing = site.run_with(&["check"], &[("CONVO_SITE_PEOPLE_KEY", "")]);
    assert_eq!(missing.code, Some(2), "{}", missing.stderr);
    assert!(missing.stderr.contains("`CONVO_SITE_PEOPLE_KEY`"), "{}", missing.stderr);
    let wrong = site.run_with(&["build"], &[("CONVO_SITE_PEOPLE_KEY", "lamp")]);
    assert_eq!(wrong.code, Some(2), "{}", wrong.stderr);
    assert!(!wrong.stderr.contains("lamp"), "{}", wrong.stderr);
    let built = site.run_with(&["build"], &[("CONVO_SITE_PEOPLE_KEY", key)]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert!(!site.path("people.key").exists());
    // The same names as with the file.
    let by_variable = site.output();
    site.write("people.key", format!("{key}\n"));
    site.build(0);
    assert_eq!(by_variable, site.output());
}

#[test]
fn a_pseudonym_limited_to_files_that_do_not_exist_writes_nothing() {
    let person = |scope: &str, more: &str| {
        let names = format!("names = [{{ name = \"Wren\", in = \"{scope}\" }}]\n");
        format!("{BASE}[people.\"Quentin Zed\"]\n{names}{more}")
    };
    let hidden = "pseudonym = true\n";
    let captions = "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Wren>The eels are late.\n";
    let site = SiteTest::new()
        .file("site.toml", person("e/01-wasserrad", hidden))
        .file("content/e/01-wasserrad.vtt", captions);
    for args in [&["build"][..], &["check"], &["check", "--publish"]] {
        let run = site.run(args);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("error[unmatched-rule]"), "{}", run.stderr);
        assert!(run.stderr.contains("--> site.toml:3:10"), "{}", run.stderr);
        assert!(run.stderr.contains("did you mean `e/01-wasserrad.vtt`?"), "{}", run.stderr);
        assert!(run.stderr.contains("nothing is written"), "{}", run.stderr);
    }
    assert!(!site.path("public").exists());
    // The corrected path, and a folder.
    for scope in ["e/01-wasserrad.vtt", "e"] {
        site.write("site.toml", person(scope, hidden));
        site.build(0);
        check_nowhere(&site.output(), &["Wren", "Quentin"]);
    }
    // Without a pseudonym, nothing private depends on it.
    site.write("site.toml", person("chats", ""));
    let run = site.build(0);
    assert!(run.stderr.contains("warning[unmatched-rule]"), "{}", run.stderr);
    // Names may be limited to pages too.
    site.write("site.toml", person("pages/about.md", hidden));
    site.build(2);
    site.write("pages/about.md", "# About\n\nWren built it.\n");
    site.build(0);
}

#[test]
fn a_name_that_is_also_a_word_is_reported() {
    let people = "[people.\"Will\"]\npseudonym = true\nas = \"Cleo\"\n\
        [people.\"Rose Marsh\"]\nnames = [\"rose\", \"Rosalind\"]\npseudonym = true\n";
    let site = site(people);
    let run = site.build(0);
    assert_eq!(run.stderr.matches("warning[everyday-name]").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("`Will` is also an everyday word"), "{}", run.stderr);
    assert!(run.stderr.contains("--> site.toml:"), "{}", run.stderr);
    let scoped =
        "[people.\"Cleo\"]\nnames = [{ name = \"Will\", in = \"2026\" }]\npseudonym = true\n";
    site.write("site.toml", format!("{BASE}{scoped}"));
    let run = site.build(0);
    assert!(!run.stderr.contains("everyday-name"), "{}", run.stderr);
}

#[test]
fn speakers_have_a_description() {
    let people = r#"
[people."Ada Lovelace"]
bio = "Weaves <numbers>."
url = "https://www.ada.example.org/"
avatar = "ada.png"

[people."Bea Quill"]
pseudonym = true
bio = "Keeps bees."
avatar = "none.png"
"#;
    let site = site(people).file("ada.png", PICTURE);
    let run = site.build(1);
    assert!(run.stderr.contains("site.toml:12:10"), "{}", run.stderr);
    let page = site.page("speakers/ada-lovelace/index", "html");
    assert!(page.contains("Weaves &lt;numbers&gt;."), "{page}");
    assert!(page.contains("href=\"https://www.ada.example.org/\""), "{page}");
    assert!(page.contains(">ada.example.org</a>"), "{page}");
    assert!(page.contains("\"description\":\"Weaves"), "{page}");
    assert!(page.contains("\"sameAs\":[\"https://www.ada.example.org/\"]"), "{page}");
    let output = site.output();
    let (picture, _) = output
        .iter()
        .find(|(path, bytes)| path.starts_with("assets/avatar-1.") && *bytes == PICTURE)
        .expect("a picture");
    assert!(page.contains(&format!("src=\"/base/{picture}\"")), "{page}");
    assert!(page.contains(&format!("\"image\":[\"https://site.example/base/{picture}\"]")));
    let bees =
        output.iter().filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("Keeps bees."));
    let bees: Vec<&String> = bees.map(|(path, _)| path).collect();
    assert_eq!(bees.len(), 1, "{bees:?}");
    assert!(bees[0].starts_with("speakers/"), "{bees:?}");
    check_nowhere(&output, &["quill"]);
}

#[test]
fn attachments_contain_no_replaced_name() {
    let talk = serde_json::json!({
        "id": "talk", "conversationTitle": "Looms", "messages": [{
            "id": "m1", "role": "user", "messageType": "text", "content": "See these.",
            "index": 0, "attachments": [
                {"attachmentKind": "file", "id": "a", "name": "inside.txt",
                 "sizeInBytes": 14, "base64content": "QnkgQWRhIExvdmVsYWNl"},
                {"attachmentKind": "file", "id": "b", "name": "data.txt",
                 "uri": "data:text/plain,Also%20by%20ada_l"},
                {"attachmentKind": "file", "id": "c", "name": "beside.txt", "uri": "beside.txt"},
                {"attachmentKind": "file", "id": "d", "name": "other.txt", "uri": "other.txt"},
                {"attachmentKind": "file", "id": "e", "name": "key.txt", "uri": "../people.key"},
            ],
        }],
    });
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}downloads = [\"json\"]\n{PSEUDONYM}"))
        .file("content/talk.json", talk.to_string())
        .file("content/beside.txt", "A list of Ada Lovelace.")
        .file("content/other.txt", "A list of nobody.");
    let run = site.build(0);
    assert!(run.stderr.contains("refused-attachment"), "{}", run.stderr);
    let output = site.output();
    check_nowhere(&output, &NAMES);
    let files: Vec<String> = output
        .iter()
        .filter(|(path, _)| path.starts_with("media/"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    assert_eq!(files.len(), 3, "{files:?}");
    assert!(files.iter().any(|text| text == "A list of nobody."), "{files:?}");
    assert!(files.iter().any(|text| text.starts_with("By ")), "{files:?}");
    // The key is not published as an attachment, wherever the conversations are.
    site.write("site.toml", format!("{BASE}content = \"\"\n{PSEUDONYM}"));
    let elsewhere = tempfile::tempdir().expect("a folder");
    let out = elsewhere.path().join("public");
    let run = site.run(&["build", "-o", out.to_str().expect("UTF-8")]);
    assert!(run.stderr.contains("is `people.key`"), "{}", run.stderr);
    let secret = key(&site);
    let output = files_below(&out);
    assert!(output.len() > 10);
    for (path, bytes) in output {
        assert!(!String::from_utf8_lossy(&bytes).contains(secret.trim()), "{path}");
    }
}

/// In any encoding, and whether the people it names are listed or only take part.
#[test]
fn attached_texts_in_any_encoding_contain_no_replaced_name() {
    let utf16 = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect::<Vec<u8>>()
    };
    let name = |number: usize| format!("{number:032}.txt");
    let chat = format!(
        "KakaoTalk Chats with Bea Birch\nDate Saved : March 5, 2026 at 6:30 PM\n\n\
         Wednesday, March 4, 2026\nMarch 4, 2026 at 6:20 PM, Bea Birch : {}\n\
         March 4, 2026 at 6:20 PM, Bea Birch : {}\nMarch 4, 2026 at 6:21 PM, Cy : {}\n\
         March 4, 2026 at 6:22 PM, Cy : {}\n",
        name(0),
        name(1),
        name(2),
        name(3)
    );
    for people in
        ["[people]\nothers = \"pseudonym\"\n", "[people.\"Bea Birch\"]\npseudonym = true\n"]
    {
        let rule = "[[source]]\nfiles = \"k.txt\"\nvisibility = \"public\"\n";
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{people}{rule}"))
            // With some keys, "Birch" is a word of a pseudonym.
            .file("people.key", "00112233445566778899aabbccddeeff\n")
            .file("content/k.txt", &chat)
            .file(&format!("content/{}", name(0)), utf16("Dear Bea Birch, come."))
            .file(&format!("content/{}", name(1)), b"caf\xe9 of Bea Birch, at the bridge")
            .file(&format!("content/{}", name(2)), "Dear Bea Birch, stay.")
            .file(&format!("content/{}", name(3)), "Dear nobody.");
        let run = site.build(0);
        assert_eq!(run.stderr.matches("refused-attachment").count(), 3, "{}", run.stderr);
        let output = site.output();
        let media = output.iter().filter(|(path, _)| path.starts_with("media/"));
        let media: Vec<&[u8]> = media.map(|(_, bytes)| bytes.as_slice()).collect();
        assert_eq!(media, [b"Dear nobody."]);
        check_nowhere(&output, &["birch"]);
    }
}

/// Text that looks like a `data:` URL is text.
#[test]
fn a_name_after_data_is_replaced() {
    let talk = "### @Ada Lovelace\nasset: Ada Lovelace\n\n### @Wren\ndata: Lovelace, 12 Quay Street\n\n----\n\
                {\"type\": \"dialog\", \"title\": \"data: Ada Lovelace\", \"time\": \"2026-01-02\", \
                \"participants\": [\"Ada Lovelace\", \"Wren\"]}\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{PSEUDONYM}"))
        .file("content/a.convo", talk);
    site.build(0);
    check_nowhere(&site.output(), &["ada lovelace", "lovelace"]);
}

/// Lower-case names in any script, with Markdown marks in them, or with invisible characters in
/// between.
#[test]
fn unusual_names_are_found() {
    let talk = "### @маша\nHi\n\n### @zoë\nHi\n\n### @ｙｕｋｉ\nHi\n\n### @Mi*na\nHi\n\n### @Bea Thorne\n\
                маша, zoë, ｙｕｋｉ, Mi\\*na, Be\u{61c}a Tho\u{3164}rne.\n\n----\n{\"type\": \"dialog\", \
                \"time\": \"2026-01-02\", \"participants\": [\"маша\", \"zoë\", \"ｙｕｋｉ\", \"Mi*na\", \"Bea Thorne\"]}\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[people]\nothers = \"pseudonym\"\n"))
        .file("content/a.convo", talk);
    site.build(0);
    let names = ["маша", "zoë", "ｙｕｋｉ", "mi*na", "mi\\*na", "thorne", "tho\u{3164}rne"];
    check_nowhere(&site.output(), &names);
}

/// A preview or dry run does not need a permanent key.
#[test]
fn previews_use_a_temporary_key_before_the_first_build() {
    let site = site(PSEUDONYM);
    for command in ["status", "review"] {
        let run = site.run(&[command]);
        assert_eq!(run.code, Some(0), "{command}: {}", run.stderr);
    }
    assert_ne!(site.run(&["search", "loom"]).code, Some(2));
    let preview = Preview::start(&site, &["--port", "0"]);
    let (status, page) = preview.get("/base/");
    assert_eq!(status, 200);
    assert!(!String::from_utf8_lossy(&page).contains("Lovelace"));
    preview.wait_for("missing-people-key");
    assert!(!site.path("people.key").exists());
}

/// `User` of one program may be another person than `User` of another; a `User` in a text is a
/// name.
#[test]
fn the_users_of_two_programs_are_two_people() {
    let fixture = |format: &str| {
        let path = crate::support::project().join("tests/formats").join(format);
        std::fs::read(path.join("plain/input.json")).expect("a fixture")
    };
    let claude = crate::support::project().join("tests/formats/claude/export/input.json");
    let claude = std::fs::read(claude).expect("a fixture");
    let site = SiteTest::new()
        .file("content/gpt/conversations.json", fixture("chatgpt"))
        .file("content/claude/conversations.json", &claude)
        .file("content/own.convo", "### @User\nx\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-02\", \"participants\": [\"User\"]}\n");
    let title = |path: &str| {
        let page = site.page(path, "/index.html");
        let (_, rest) = page.split_once("<h1 dir=\"auto\">").expect("a heading");
        rest.split('<').next().expect("an end").to_owned()
    };
    assert_eq!(site.run(&["build"]).code, Some(0));
    assert_eq!(title("speakers/user-chatgpt-"), "User (ChatGPT)");
    assert_eq!(title("speakers/user-claude-"), "User (Claude)");
    assert!(site.page("speakers/user/index.html", "").contains("<h1 dir=\"auto\">User</h1>"));
    let overview = site.page("speakers/index.html", "");
    assert!(overview.contains(">User (ChatGPT)</a>"), "{overview}");
    assert!(overview.contains("class=\"face s"), "{overview}");
    // Labels of speakers are unchanged.
    let output = site.output();
    let talk = output.iter().find(|(path, bytes)| {
        path.starts_with("c/") && String::from_utf8_lossy(bytes).contains("speakers/user-chatgpt-")
    });
    let talk = String::from_utf8_lossy(talk.expect("a page").1).into_owned();
    assert!(talk.contains("<bdi>User</bdi>") && !talk.contains("User (ChatGPT)"), "{talk}");
    // The URL does not depend on other conversations.
    std::fs::remove_dir_all(site.path("content/claude")).expect("removed");
    assert_eq!(site.run(&["build"]).code, Some(0));
    assert_eq!(title("speakers/user-chatgpt-"), "User (ChatGPT)");
    // To join them into one person, list them.
    site.write(
        "site.toml",
        format!("{BASE}[people.'Ada Quill']\nnames = [{{ name = 'User', in = 'gpt' }}]\nbio = 'Bees.'\nlinks = {{ Mastodon = 'https://mill.example.org/@ada' }}\n"),
    );
    assert_eq!(site.run(&["build"]).code, Some(0));
    let page = site.page("speakers/ada-quill/index.html", "");
    assert!(page.contains("aria-hidden=\"true\">AQ</span>"), "{page}");
    assert!(
        page.contains(
            "<a href=\"https://mill.example.org/@ada\" rel=\"nofollow noopener\">Mastodon</a>"
        ),
        "{page}"
    );
    assert!(page.contains("\"sameAs\":[\"https://mill.example.org/@ada\"]"), "{page}");
    assert!(!site.output().keys().any(|path| path.starts_with("speakers/user-chatgpt")));
    refused(
        "[people.'Ada Quill']\nlinks = { A = 'javascript:x' }\n",
        "`links` of `Ada Quill` is not a URL",
    );
    refused(
        "[people.'Ada Quill']\npseudonym = true\nlinks = { A = 'https://a.example/' }\n",
        "a pseudonym and a `links`",
    );
}
