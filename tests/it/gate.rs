//! Secrets in conversations: how they are handled, and that no byte of one is published.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{BASE, Run, SiteTest, files_below, project, unpacked};

/// A token in the form of GitHub's with a valid checksum, which was never issued.
pub(crate) fn token(seed: u32) -> String {
    let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(97);
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(digits[(state >> 16) as usize % 62])
    };
    let body: String = (0..30).map(|_| random()).collect();
    let mut sum = crc32fast::hash(body.as_bytes());
    let mut check = Vec::new();
    for _ in 0..6 {
        check.push(char::from(digits[sum as usize % 62]));
        sum /= 62;
    }
    let check: String = check.into_iter().rev().collect();
    format!("{}{body}{check}", ["gh", "p_"].concat())
}

/// A conversation about lamps with this text.
pub(crate) fn talk(text: &str) -> String {
    format!(
        "---\ntitle: Lamps of the harbour\n---\n\n**Wren:** Which lamp is lit?\n\n**Finch:** \
         {text}\n\n**Wren:** Thank you.\n"
    )
}

pub(crate) fn site(config: &str, talk: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("content/lamps.md", talk)
        .file("content/bells.md", "**Wren:** Who rings?\n\n**Finch:** The wind.\n")
}

/// Everything written anywhere: files of the output and the cache with their names, and the output
/// of commands.
pub(crate) fn everything(site: &SiteTest, runs: &[&Run]) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for folder in ["public", ".convo-site"] {
        for (name, bytes) in files_below(&site.path(folder)) {
            let name = format!("{folder}/{name}");
            all.insert(format!("{name}?name"), name.clone().into_bytes());
            all.insert(name, bytes);
        }
    }
    for (number, run) in runs.iter().enumerate() {
        all.insert(format!("stdout {number}"), run.stdout.clone().into_bytes());
        all.insert(format!("stderr {number}"), run.stderr.clone().into_bytes());
    }
    all
}

/// Checks that none of these words was written anywhere, in any case.
#[track_caller]
pub(crate) fn assert_nowhere(site: &SiteTest, runs: &[&Run], words: &[&str]) {
    for (name, bytes) in everything(site, runs) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in words {
            let found = text.find(&word.to_lowercase());
            assert!(found.is_none(), "`{word}` is in {name}");
        }
    }
}

/// Parts of a secret that no report may contain.
pub(crate) fn parts(secret: &str) -> Vec<&str> {
    vec![&secret[5..17], &secret[15..27]]
}

#[test]
fn a_secret_withholds_only_its_conversation() {
    let secret = token(1);
    let site = site("", &talk(&format!("Take `{secret}` for it, and again {secret}.")));
    let short = site.run(&["build", "--message-format", "short"]);
    assert_eq!(short.code, Some(1), "{}", short.stderr);
    let line = short.stderr.lines().find(|line| line.contains("secret-held"));
    let line = line.expect("a finding is reported");
    assert!(line.starts_with("content/lamps.md:7:18: error"), "{line}");
    assert!(line.contains("in 2 places"), "{line}");
    assert!(short.stderr.contains("1 withheld because of secrets"), "{}", short.stderr);
    let output = site.output();
    assert!(output.keys().any(|path| path.contains("bells")), "{:?}", output.keys());
    assert!(!output.keys().any(|path| path.contains("lamps")), "{:?}", output.keys());
    let open = site.run(&["build", "--include-private"]);
    assert_eq!(open.code, Some(1));
    assert!(open.stderr.contains("revoke"), "{}", open.stderr);
    assert_nowhere(&site, &[&short, &open], &parts(&secret));
    assert_nowhere(&site, &[], &["harbour"]);
}

#[test]
fn newly_withheld_conversations_are_removed_from_the_output() {
    let secret = token(2);
    let site = site("", &talk("The red one."));
    site.build(0);
    assert!(site.output().keys().any(|path| path.contains("lamps")));
    site.write("content/lamps.md", talk(&format!("The red one: {secret}")));
    let run = site.build(1);
    assert!(!site.output().keys().any(|path| path.contains("lamps")));
    assert_nowhere(&site, &[&run], &parts(&secret));
    // The conversation is published again.
    site.write("content/lamps.md", talk("The red one."));
    site.build(0);
    assert!(site.output().keys().any(|path| path.contains("lamps")));
}

#[test]
fn each_policy_works() {
    let secret = token(3);
    let text = talk(&format!("Take {secret}."));
    for (config, code, is_there, is_shown, reported_code) in [
        ("", 1, false, false, Some("secret-held")),
        ("[gate]\ncertain = \"hold\"\n", 1, false, false, Some("secret-held")),
        ("[gate]\ncertain = \"redact\"\n", 0, true, false, Some("redacted")),
        ("[gate]\ncertain = \"warn\"\n", 0, true, true, Some("secret-found")),
        ("[gate]\ncertain = \"off\"\n", 0, true, true, None),
        ("[gate.rules]\ngithub-token = \"redact\"\n", 0, true, false, Some("redacted")),
        (
            "[gate]\ncertain = \"warn\"\n[gate.rules]\ngithub-token = \"hold\"\n",
            1,
            false,
            false,
            Some("secret-held"),
        ),
        (
            "[[source]]\nfiles = \"lamps.md\"\ngate = { certain = \"redact\" }\n",
            0,
            true,
            false,
            Some("redacted"),
        ),
        (
            "[gate]\ncertain = \"redact\"\n[[source]]\nfiles = \"lamps.md\"\n\
             gate = { rules = { github-token = \"hold\" } }\n",
            1,
            false,
            false,
            Some("secret-held"),
        ),
        (
            "[[source]]\nfiles = \"bells.md\"\ngate = { certain = \"off\" }\n",
            1,
            false,
            false,
            Some("secret-held"),
        ),
    ] {
        let site = site(config, &text);
        let run = site.build(code);
        let output = site.output();
        let page =
            output.iter().find(|(path, _)| path.contains("lamps") && path.ends_with("index.html"));
        assert_eq!(page.is_some(), is_there, "{config}");
        if let Some((_, page)) = page {
            let page = String::from_utf8_lossy(page);
            assert_eq!(page.contains(&secret), is_shown, "{config}");
            assert_eq!(page.contains("[redacted: GitHub token]"), !is_shown, "{config}");
        }
        let gate = ["secret-held", "redacted", "secret-found"];
        let reported: Vec<_> = gate.iter().filter(|code| run.stderr.contains(**code)).collect();
        assert_eq!(reported, reported_code.iter().collect::<Vec<_>>(), "{config}\n{}", run.stderr);
        let all = parts(&secret);
        match is_shown {
            true => {
                for part in all {
                    assert!(!run.stderr.contains(part), "{config}\n{}", run.stderr);
                }
            }
            false => assert_nowhere(&site, &[&run], &all),
        }
    }
}

/// All downloads, with every secret redacted.
const ALL_SINKS: &str = "downloads = [\"markdown\", \"json\", \"original\"]\nindex = \"auto\"\n\
    [gate]\ncertain = \"redact\"\nlikely = \"redact\"\npossible = \"redact\"\n\
    personal = \"redact\"\n";

/// Replaces a string or key of a value, selected by its index; `left` counts down.
fn plant(value: &mut Value, left: &mut usize, secret: &str) -> bool {
    match value {
        Value::String(text) => {
            if *left == 0 {
                text.push_str(&format!(" {secret}"));
                return true;
            }
            *left -= 1;
            false
        }
        Value::Array(list) => list.iter_mut().any(|one| plant(one, left, secret)),
        Value::Object(map) => map.values_mut().any(|one| plant(one, left, secret)),
        _ => false,
    }
}

/// Conversations of a format, each with its own token in a different string.
fn planted(site: &SiteTest, input: &str, is_lines: bool, path: &dyn Fn(usize) -> String) -> usize {
    let text = std::fs::read_to_string(project().join("tests/formats").join(input));
    let text = text.expect("a case");
    let ids = ["0c0ffee0-0000-4000-8000", "5b0f5a53-7f0b-4a53-9d0e"];
    for number in 0.. {
        let own = |text: String| {
            let own =
                |text: String, id: &&str| text.replace(*id, &format!("{number:08}{}", &id[8..]));
            ids.iter().fold(text, own)
        };
        let (mut left, secret) = (number, token(number as u32 + 1000));
        let mut is_planted = false;
        let changed = if is_lines {
            let mut change = |line: &str| {
                let mut value: Value = serde_json::from_str(line).expect("JSON");
                is_planted = is_planted || plant(&mut value, &mut left, &secret);
                value.to_string() + "\n"
            };
            text.lines().map(&mut change).collect()
        } else {
            let mut value: Value = serde_json::from_str(&text).expect("JSON");
            is_planted = plant(&mut value, &mut left, &secret);
            value.to_string()
        };
        if !is_planted {
            return number;
        }
        site.write(&path(number), own(changed));
    }
    0
}

/// Reads everything that was written, including packed files, which contain the index.
#[track_caller]
fn assert_no_token(site: &SiteTest, runs: &[&Run], tokens: impl Iterator<Item = u32>) {
    let tokens: Vec<String> = tokens.map(token).collect();
    // A long enough part of a token contains one of these.
    let chunks: Vec<&str> =
        tokens.iter().flat_map(|token| [&token[5..16], &token[16..27], &token[27..38]]).collect();
    let known = aho_corasick::AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .build(chunks)
        .expect("an automaton");
    let mut all = everything(site, runs);
    let output = site.output();
    all.insert("the index".to_owned(), unpacked(&output).into_bytes());
    for (name, bytes) in all {
        let Some(found) = known.find(&bytes) else { continue };
        let around = &bytes[found.start().saturating_sub(200)..];
        let around = String::from_utf8_lossy(&around[..around.len().min(400)]);
        panic!("token {} is in {name}: {around}", found.pattern().as_usize() / 3);
    }
}

#[test]
fn secrets_are_redacted_in_every_string() {
    for (input, is_lines, path) in [
        ("cjson/rich/input.json", false, "content/NUMBER.json"),
        ("claude-code/session/input.jsonl", true, "content/NUMBER/session.jsonl"),
        ("chatgpt/citations/input.json", false, "content/NUMBER/conversations.json"),
        ("codex/plan-and-patch/input.jsonl", true, "content/NUMBER/rollout.jsonl"),
    ] {
        let site = SiteTest::new().file("site.toml", format!("{BASE}{ALL_SINKS}"));
        let count = planted(&site, input, is_lines, &|number| {
            path.replace("NUMBER", &format!("{number:03}"))
        });
        assert!(count > 20, "{input}: {count}");
        let build = site.run(&["build", "--message-format", "json"]);
        let pages = site.output().keys().filter(|path| path.ends_with("index.md")).count();
        assert!(pages > 20, "{input}: {pages} of {count}\n{}", build.stderr);
        assert_no_token(&site, &[&build], 1000..1000 + count as u32);
    }
}

#[test]
fn secrets_are_redacted_in_transcripts() {
    let lines = [
        "---",
        "title: Bells",
        "tags: [night, day]",
        "date: 2026-03-04",
        "id: bells-of-the-bay",
        "model: tern-2",
        "summary: On bells.",
        "---",
        "",
        "A word before all others.",
        "",
        "**Wren:** Which bell rings?",
        "",
        "![a bell](bell.png) and [a page](https://bells.example/a?b=c)",
        "",
        "```sh",
        "ring --all",
        "```",
        "",
        "| bell | tone |",
        "|------|------|",
        "| old  | low  |",
        "",
        "<!-- a comment -->",
        "",
        "**Finch:** The old one.[^1] $x + 1$",
        "",
        "[^1]: So they say.",
    ];
    let site = SiteTest::new().file("site.toml", format!("{BASE}{ALL_SINKS}"));
    let mut number = 0;
    for at in 0..lines.len() {
        // At the end, and as the name of the speaker or key.
        for is_front in [false, true] {
            let secret = token(2000 + number);
            let mut own: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            own[at] = match (is_front, lines[at].find(':')) {
                (true, Some(colon)) => {
                    format!("{} {secret}{}", &lines[at][..colon], &lines[at][colon..])
                }
                (true, None) => format!("{secret} {}", lines[at]),
                (false, _) => format!("{} {secret}", lines[at]),
            };
            site.write(&format!("content/{number:03}.md"), own.join("\n"));
            number += 1;
        }
    }
    // Without another title, the file name is the title; it is reported as a file name.
    let run = site.run(&["build"]);
    let check = site.run(&["check", "--message-format", "github"]);
    assert!(site.output().len() > 40, "{}", run.stderr);
    assert_no_token(&site, &[&run, &check], 2000..2000 + number);
}

/// Phones write no-break spaces and hyphens, others dashes and full-width digits.
#[test]
fn phone_numbers_are_found_in_any_characters() {
    for number in [
        "+49\u{a0}171\u{a0}2345678",
        "+1\u{a0}(415)\u{a0}623\u{2011}8890",
        "0171\u{2009}2345678",
        "0171\u{2013}2345678",
        "090\u{30fc}1234\u{30fc}5678",
        "\u{ff10}\u{ff19}\u{ff10}-\u{ff11}\u{ff12}\u{ff13}\u{ff14}-\u{ff15}\u{ff16}\u{ff17}\u{ff18}",
        "+44%207700%20900123",
        "ada%40ferry.example.net",
    ] {
        let talk = talk(&format!("mum {number} or later"));
        let site = site("[gate]\npersonal = \"redact\"\n", &talk);
        let run = site.build(0);
        assert!(run.stderr.contains("hint[redacted]"), "{number}: {}", run.stderr);
        assert_nowhere(&site, &[&run], &[number]);
    }
}

#[test]
fn character_references_hide_nothing() {
    let secret = token(3);
    for mark in ["&#95;", "&#x5f;", "&lowbar;"] {
        let written = secret.replacen('_', mark, 1);
        let talk = talk(&format!("Take {written} for it."));
        let site = site("[gate]\ncertain = \"redact\"\n", &talk);
        let run = site.build(0);
        assert!(run.stderr.contains("hint[redacted]"), "{mark}: {}", run.stderr);
        assert_nowhere(&site, &[&run], &parts(&secret));
    }
}
