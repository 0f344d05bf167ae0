//! Secrets in conversations: what becomes of them, and that no byte of one gets out.

use std::collections::BTreeMap;

use crate::support::{BASE, HAS_SEARCH, Ran, SiteTest, files_below};

/// A token of the shape of GitHub's, with its check sum, which nobody ever issued.
fn token(seed: u32) -> String {
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

/// A talk about lamps, in which somebody says something.
fn talk(said: &str) -> String {
    format!(
        "---\ntitle: Lamps of the harbour\n---\n\n**Wren:** Which lamp is lit?\n\n**Finch:** \
         {said}\n\n**Wren:** Thank you.\n"
    )
}

fn site(config: &str, talk: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("{BASE}{config}"))
        .file("content/lamps.md", talk)
        .file("content/bells.md", "**Wren:** Who rings?\n\n**Finch:** The wind.\n")
}

/// Everything that was written anywhere: files of the output and of the cache, with their names, and
/// what commands said.
fn everything(site: &SiteTest, runs: &[&Ran]) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for folder in ["public", ".convo-site"] {
        for (name, bytes) in files_below(&site.path(folder)) {
            let name = format!("{folder}/{name}");
            all.insert(format!("{name}?name"), name.clone().into_bytes());
            all.insert(name, bytes);
        }
    }
    for (number, ran) in runs.iter().enumerate() {
        all.insert(format!("stdout {number}"), ran.stdout.clone().into_bytes());
        all.insert(format!("stderr {number}"), ran.stderr.clone().into_bytes());
    }
    all
}

/// Checks that none of some words is in anything that was written, in capitals or not.
#[track_caller]
fn assert_nowhere(site: &SiteTest, runs: &[&Ran], words: &[&str]) {
    for (name, bytes) in everything(site, runs) {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for word in words {
            let found = text.find(&word.to_lowercase());
            assert!(found.is_none(), "`{word}` is in {name}");
        }
    }
}

/// Parts of a secret, of which none may be told.
fn parts(secret: &str) -> Vec<&str> {
    vec![&secret[5..17], &secret[15..27]]
}

fn codes(ran: &Ran) -> Vec<String> {
    let lines = ran.stderr.lines().filter(|line| line.contains(" ["));
    lines
        .filter_map(|line| {
            Some(line.rsplit_once('[')?.1.trim_end_matches(']').to_owned())
        })
        .collect()
}

#[test]
fn a_secret_holds_its_conversation_back_and_nothing_else() {
    let secret = token(1);
    let site = site("", &talk(&format!("Take `{secret}` for it, and again {secret}.")));
    let short = site.run(&["build", "--message-format", "short"]);
    assert_eq!(short.code, Some(1), "{}", short.stderr);
    let line = short.stderr.lines().find(|line| line.contains("secret-held"));
    let line = line.expect("it is told");
    assert!(line.starts_with("content/lamps.md:7:18: error"), "{line}");
    assert!(line.contains("in 2 places"), "{line}");
    assert!(short.stderr.contains("1 with secrets held back"), "{}", short.stderr);
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
fn what_is_held_back_from_now_on_leaves_the_output() {
    let secret = token(2);
    let site = site("", &talk("The red one."));
    site.build(0);
    assert!(site.output().keys().any(|path| path.contains("lamps")));
    site.write("content/lamps.md", talk(&format!("The red one: {secret}")));
    let ran = site.build(1);
    assert!(!site.output().keys().any(|path| path.contains("lamps")));
    assert_nowhere(&site, &[&ran], &parts(&secret));
    // And it comes back.
    site.write("content/lamps.md", talk("The red one."));
    site.build(0);
    assert!(site.output().keys().any(|path| path.contains("lamps")));
}

#[test]
fn each_policy_does_what_it_says() {
    let secret = token(3);
    let text = talk(&format!("Take {secret}."));
    for (config, code, is_there, is_shown, is_told) in [
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
        let ran = site.build(code);
        let output = site.output();
        let page = output
            .iter()
            .find(|(path, _)| path.contains("lamps") && path.ends_with("index.html"));
        assert_eq!(page.is_some(), is_there, "{config}");
        if let Some((_, page)) = page {
            let page = String::from_utf8_lossy(page);
            assert_eq!(page.contains(&secret), is_shown, "{config}");
            assert_eq!(page.contains("[redacted: GitHub token]"), !is_shown, "{config}");
        }
        let gate = ["secret-held", "redacted", "secret-found"];
        let told: Vec<_> =
            gate.iter().filter(|code| ran.stderr.contains(**code)).collect();
        assert_eq!(told, is_told.iter().collect::<Vec<_>>(), "{config}\n{}", ran.stderr);
        let all = parts(&secret);
        match is_shown {
            true => {
                for part in all {
                    assert!(!ran.stderr.contains(part), "{config}\n{}", ran.stderr);
                }
            }
            false => assert_nowhere(&site, &[&ran], &all),
        }
    }
}
