//! Texts of pages in the site's language.

use std::collections::BTreeSet;
use std::fs;

use toml::{Table, Value};

use crate::support::{BASE, SiteTest, convo, files_below, project};

/// The texts of a language by `section.key`.
fn texts(language: &str) -> Vec<(String, Value)> {
    let path = project().join(format!("src/locale/{language}.toml"));
    let table: Table = fs::read_to_string(path).expect("a file").parse().expect("TOML");
    let mut texts = Vec::new();
    for (section, keys) in table {
        for (key, text) in keys.as_table().expect("a section") {
            texts.push((format!("{section}.{key}"), text.clone()));
        }
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    texts
}

/// The placeholders in braces in each form of a text.
fn braces(text: &Value) -> BTreeSet<String> {
    let text = text.get("other").unwrap_or(text).as_str().expect("a text");
    let names = text.split('{').skip(1).filter_map(|rest| rest.split('}').next());
    names.map(str::to_owned).collect()
}

#[test]
fn every_language_has_every_text() {
    let english = texts("en");
    for (name, _) in files_below(&project().join("src/locale")) {
        let Some(language) = name.strip_suffix(".toml") else { continue };
        let texts = texts(language);
        let keys = |texts: &[(String, Value)]| -> Vec<String> {
            texts.iter().map(|(key, _)| key.clone()).collect()
        };
        assert_eq!(keys(&texts), keys(&english), "{language}");
        for ((key, text), (_, model)) in texts.iter().zip(&english) {
            assert_eq!(text.is_str(), model.is_str(), "{language} {key}");
            assert_eq!(braces(text), braces(model), "{language} {key}");
        }
    }
}

#[test]
fn every_text_is_used_and_none_is_missing() {
    let known: BTreeSet<String> = texts("en").into_iter().map(|(key, _)| key).collect();
    let mut used = BTreeSet::new();
    let is_key = |c: char| c.is_ascii_lowercase() || c == '_' || c == '.';
    let key = |rest: &str| -> String { rest.chars().take_while(|c| is_key(*c)).collect() };
    for (name, bytes) in files_below(&project().join("templates")) {
        let text = String::from_utf8(bytes).expect("UTF-8");
        for rest in text.split("text.").skip(1) {
            let key = key(rest);
            assert!(known.contains(&key), "templates/{name}: {key}");
            used.insert(key);
        }
    }
    for (name, bytes) in files_below(&project().join("src")) {
        let text = String::from_utf8(bytes).unwrap_or_default();
        if name.ends_with(".rs") {
            used.extend(text.split('"').map(key).filter(|key| known.contains(key)));
        } else if name.ends_with(".js") {
            for (call, section) in [("say(\"", "search"), ("counted(\"", "count")] {
                for rest in text.split(call).skip(1) {
                    let key = format!("{section}.{}", key(rest));
                    assert!(known.contains(&key), "src/{name}: {key}");
                    used.insert(key);
                }
            }
        }
    }
    // The names of these texts come from data, or from the name of a filter.
    let open = |key: &&String| {
        let filters = ["speaker", "model", "lang", "type", "tag", "year"];
        let filter = key.strip_prefix("search.").is_some_and(|key| filters.contains(&key));
        key.starts_with("state.") || filter
    };
    let unused: Vec<_> = known.difference(&used).filter(|key| !open(key)).collect();
    assert!(unused.is_empty(), "unused: {unused:?}");
}

#[test]
fn the_origin_of_a_transcript_is_in_the_language_of_the_site() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}language = \"de\"\n"))
        .file("content/a.md", "**Ada:** Hallo.\n\n**Bea:** Guten Tag.\n");
    site.build(0);
    let pages = site.output().into_iter().filter(|(path, _)| path.starts_with("c/"));
    let pages: String =
        pages.map(|(_, page)| String::from_utf8_lossy(&page).into_owned()).collect();
    assert!(pages.contains("<dd>Transkript</dd>"), "{pages}");
}

#[test]
fn compactions_and_interruptions_have_one_text_in_the_language_of_the_site() {
    for (format, input) in [
        ("claude-code", "claude-code/compaction/input.jsonl"),
        ("claude-code", "claude-code/what-stands-around-words/input.jsonl"),
        ("codex", "codex/rolled-back/input.jsonl"),
        ("copilot-cli", "copilot-cli/session/input.jsonl"),
        ("pi", "pi/session/input.jsonl"),
        ("specstory", "specstory/claude-code/input.md"),
        ("specstory", "specstory/commands/input.md"),
    ] {
        let text = fs::read(project().join("tests/formats").join(input)).expect("a fixture");
        let name = input.rsplit('/').next().expect("a name");
        let source = format!("[[source]]\nfiles = \"**\"\nformat = \"{format}\"\n");
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}language = \"de\"\n{source}"))
            .file(&format!("content/{name}"), text);
        site.run(&["build"]);
        let pages = site.output().into_iter().filter(|(path, _)| path.ends_with("index.html"));
        let pages: String =
            pages.map(|(_, page)| String::from_utf8_lossy(&page).into_owned()).collect();
        let texts = ["Frühere Nachrichten wurden zusammengefasst", ">Abgebrochen<"];
        assert!(texts.iter().any(|text| pages.contains(text)), "{input}: {pages}");
        for text in ["Conversation compacted", "interrupted by user", ">compaction<"] {
            assert!(!pages.contains(text), "{input}: {text}");
        }
    }
}

/// Two people, an assistant and a tool that is never answered.
const TALK: &str = "### @Ada\nHallo\n\n### @Bot\nGuten Tag\n\n----\n{\"type\": \"dialog\", \
    \"time\": \"2026-03-02\", \"languages\": [\"de\"], \"participants\": [\"Ada\", \
    {\"name\": \"Bot\", \"generative\": true}]}\n";

#[test]
fn a_site_is_in_its_language() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}language = \"de-AT\"\n"))
        .file("content/a.convo", TALK);
    site.build(0);
    let home = site.page("index.html", "");
    for text in ["<html lang=\"de\" dir=\"ltr\">", "1 Gespräch<", ">Archiv<", "2. März 2026"] {
        assert!(home.contains(text), "{text}: {home}");
    }
    let talk = site.page("c/", "/index.html");
    for text in [">KI<", "2 Beiträge", "Link zu Beitrag 2", "1 Min. Lesezeit", ">Strg K<"] {
        assert!(talk.contains(text), "{text}: {talk}");
    }
    assert!(site.page("archive/2026/03/", "index.html").contains("<h1 dir=\"auto\">März 2026<"));
}

#[test]
fn counts_use_the_plural_forms_of_the_language() {
    let site = SiteTest::new().file("site.toml", format!("{BASE}language = \"ar\"\n"));
    for number in 0..3 {
        site.write(&format!("content/{number}.convo"), convo(&format!("x{number}")));
        site.build(0);
        let home = site.page("index.html", "");
        let count = ["محادثة واحدة", "محادثتان", "3 محادثات"][number];
        assert!(home.contains(count), "{count}: {home}");
        assert!(home.contains("<html lang=\"ar\" dir=\"rtl\">"), "{home}");
    }
}

#[test]
fn a_site_may_define_custom_texts() {
    let words = "[list]\narchive = \"Arquivo\"\n[count]\nconversations = { one = \"{n} conversa\", \
        other = \"{n} conversas\" }\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}language = \"pt-BR\"\n"))
        .file("locales/pt.toml", words)
        .file("content/a.convo", TALK);
    let run = site.build(0);
    assert!(!run.stderr.contains("unknown-language"), "{}", run.stderr);
    let home = site.page("index.html", "");
    for text in ["<html lang=\"pt\"", "1 conversa<", ">Arquivo<", ">Search<"] {
        assert!(home.contains(text), "{text}: {home}");
    }
    site.write("locales/pt.toml", "[list]\narchve = \"x\"\nnewer = { one = \"x\" }\n");
    let run = site.run(&["build"]);
    assert_eq!(run.code, Some(1));
    for note in [
        "locales/pt.toml:2:1", "unknown key `list.archve`", "did you mean `list.archive`?",
        "locales/pt.toml:3:1", "`newer` must be a string",
    ] {
        assert!(run.stderr.contains(note), "{note}: {}", run.stderr);
    }
    site.write("locales/pt.toml", "[list\n");
    assert!(site.run(&["build"]).stderr.contains("bad-toml"));
}

#[test]
fn the_texts_of_a_language_are_listed_for_a_site() {
    let list = |args: &[&str]| SiteTest::new().run(&[&["list", "texts"], args].concat());
    assert_eq!(list(&["en"]).stdout, list(&[]).stdout);
    let site = SiteTest::new()
        .file("content/a.convo", TALK)
        .file("site.toml", format!("{BASE}language = 'de'\n"));
    site.build(0);
    let before = site.output();
    let german = list(&["DE"]).stdout;
    assert!(german.contains("back = \"Zurück"), "{german}");
    site.write("locales/de.toml", &german);
    let run = site.build(0);
    assert!(site.output() == before && run.stderr.contains("no warnings"), "{}", run.stderr);
    site.write("locales/de.toml", german.replace("back = \"Zurück", "back = \"Heim"));
    site.build(0);
    assert!(site.page("404", ".html").contains("Heim"));
    let run = list(&["tlh"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("known languages: en, ar, de"), "{}", run.stderr);
}

#[test]
fn a_language_without_texts_is_reported() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}language = \"tlh\"\n"))
        .file("content/a.convo", TALK);
    let run = site.build(0);
    assert!(run.stderr.contains("no page texts for the language `tlh`"), "{}", run.stderr);
    assert!(site.page("index.html", "").contains("<html lang=\"en\""));
}
