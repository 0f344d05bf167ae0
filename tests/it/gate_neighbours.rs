//! Secrets next to other characters: in names of files and variables, in logs, next to their ids, and
//! incomplete private keys.

use convo_site::secrets::{Example, Match, Rule, RuleKind, RuleSet, Tier, rule, rules, scan};

use crate::gate::{assert_nowhere, parts, site, talk, token};
use crate::support::{BASE, SiteTest};

/// The matches of all rules for secrets.
fn secrets_in(text: &str) -> Vec<Match> {
    scan(text, &RuleSet::of(|rule| rule.kind == RuleKind::Secret))
}

/// The matches of a single rule in a text.
fn found_by(rule: &Rule, text: &str) -> Vec<Match> {
    scan(text, &RuleSet::of(|other| other.id == rule.id))
}

/// The example of a rule.
fn example(id: &str, seed: u64) -> Example {
    rule(id).expect("a rule").example(seed)
}

/// The text of each match.
fn matched_texts<'t>(text: &'t str, found: &[Match]) -> Vec<&'t str> {
    found.iter().map(|found| &text[found.range.clone()]).collect()
}

/// Examples of all certain rules whose secret is a single word without context.
fn words() -> impl Iterator<Item = (&'static Rule, String)> {
    let certain =
        rules().filter(|rule| rule.kind == RuleKind::Secret && rule.tier == Tier::Certain);
    let all = certain.flat_map(|rule| (0..4).map(move |seed| (rule, rule.example(seed))));
    all.filter_map(|(rule, example)| {
        let is_word =
            example.text == example.secret() && !example.text.contains(char::is_whitespace);
        is_word.then_some((rule, example.text))
    })
}

#[test]
fn a_secret_is_found_inside_a_name() {
    let mut missed = Vec::new();
    let mut count = 0;
    for (rule, secret) in words() {
        count += 1;
        for (before, after) in [
            ("see ", "_old"),
            ("see ", "_2026.log"),
            ("see ", "_x"),
            ("see ", "_test"),
            ("see ", "-x"),
            ("see ", "-old"),
            ("see ", "-example.md"),
            ("old_", ""),
            ("old-", ""),
            ("pre_", "_post.md"),
            ("backup-2026-03-", "-old.txt"),
        ] {
            let text = format!("{before}{secret}{after}");
            let whole = before.len()..before.len() + secret.len();
            let is_found = secrets_in(&text).iter().any(|found| {
                found.tier == Tier::Certain
                    && found.range.start <= whole.start
                    && whole.end <= found.range.end
            });
            if !is_found {
                missed.push(format!("{} {before:?} {after:?}", rule.id));
            }
        }
    }
    assert!(count > 400, "{count}");
    missed.dedup();
    assert!(missed.is_empty(), "{}:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn a_valid_checksum_is_found_inside_a_word() {
    for id in
        ["github-token", "npm-token", "grafana-service-account-token", "gitlab-routable-token"]
    {
        for seed in 0..8 {
            let secret = example(id, seed).text;
            for (before, after) in [("xx", "yy"), ("7", "Z9"), ("see ", "x"), ("a_b_", "_c")] {
                let text = format!("{before}{secret}{after}");
                let found = found_by(rule(id).expect("a rule"), &text);
                assert_eq!(matched_texts(&text, &found), [secret.as_str()], "{text}");
                assert_eq!(found[0].tier, Tier::Certain, "{text}");
            }
            if id != "gitlab-routable-token" {
                let (head, last) = secret.split_at(secret.len() - 1);
                let other = if last == "1" { "2" } else { "1" };
                let text = format!("xx{head}{other}yy");
                assert_eq!(matched_texts(&text, &secrets_in(&text)), [""; 0], "{text}");
            }
        }
    }
}

#[test]
fn names_are_not_secrets() {
    for text in [
        "self_hf_model_name_that_is_quite_long_and_has_words",
        "sk_live_mode_is_enabled_for_all_of_the_shops_in_town",
        "my_MyVeryLongClassNameOfAThing.create.some_function_name_which_is_very_long_indeed",
        "npm_config_registry_for_the_private_packages_of_ferry",
        "glpat-the-name-of-a-token-that-is-longer-than-thirty-signs",
        "secret_the_lamp_of_the_harbour_is_lit_by_the_keeper_at_nine",
        "live_lamps_of_the_harbour_that_are_lit_at_nine_each_evening_2024",
        "fig_dr_figdr_a_picture_of_the_harbour_at_night_with_all_its_lamps_v2",
        "HTTP_SKELETON_OF_AIzaFerryLampsOfTheHarbourAtNineInTheEvening_x",
        "old_SG.lamps_of_the_harbour_x.lamps_of_the_harbour_that_are_lit_at_nine_x_of",
        "img_8f14e45fceea167a5a36dedd4bea2543_8f14e45fceea167a5a36dedd4bea2543_x",
        "AKIAHARBOURLAMPSATNI_x",
        "key-lamps_cio_oy2_fnA_the_keeper_of_the_lamps_and_bells_of_the_bay",
    ] {
        assert_eq!(matched_texts(text, &secrets_in(text)), [""; 0], "{text}");
    }
}

#[test]
fn a_secret_in_a_file_name_is_not_published() {
    for gate in ["", "[gate]\ncertain = \"redact\"\n"] {
        for (number, (before, after)) in
            (50..).zip([("pre_", "_post"), ("", "_old"), ("xx", "yy"), ("a-", "-b")])
        {
            let secret = token(number);
            let site = SiteTest::new()
                .file("site.toml", format!("{BASE}{gate}"))
                .file(
                    &format!("content/{before}{secret}{after}.md"),
                    "**Wren:** Which lamp is lit?\n\n**Finch:** The red one.\n",
                )
                .file("content/bells.md", "**Wren:** Who rings?\n\n**Finch:** The wind.\n");
            let run = site.run(&["build"]);
            assert!(!run.stderr.contains("secret-missed"), "{}", run.stderr);
            assert_nowhere(&site, &[&run], &parts(&secret));
        }
    }
}

/// Words count only as whole words of a name, and a random value of full length outweighs them.
#[test]
fn a_word_within_a_name_hides_no_secret() {
    let mut missed = Vec::new();
    let mut count = 0;
    for rule in rules().filter(|rule| rule.tier == Tier::Likely) {
        for seed in 0..4 {
            let example = rule.example(seed);
            if !example.text.contains("_api_key = \"") {
                continue;
            }
            count += 1;
            for name in ["MOCKINGBIRD_", "hammock_", "fakebook_", "example_com_", "fake_"] {
                let is_part = !["example_com_", "fake_"].contains(&name);
                let text = format!("{name}{}", example.text);
                let is_found = found_by(rule, &text)
                    .iter()
                    .any(|found| &text[found.range.clone()] == example.secret());
                if !is_found && (is_part || example.secret().len() >= 16) {
                    missed.push(format!("{} {name}", rule.id));
                }
            }
        }
    }
    assert!(count > 200, "{count}");
    missed.dedup();
    assert!(missed.is_empty(), "{}:\n{}", missed.len(), missed.join("\n"));
    let password = example("environment-secret", 3).secret().to_owned();
    for name in ["MOCKINGBIRD_DB_PASSWORD", "HAMMOCK_SECRET", "FAKEBOOK_TOKEN"] {
        let text = format!("export {name}={password}");
        let found = secrets_in(&text);
        assert_eq!(matched_texts(&text, &found), [password.as_str()], "{name}");
        assert_eq!(found[0].tier, Tier::Likely, "{name}");
    }
    for name in ["fakeToken", "MOCK_TOKEN", "dummypassword", "exampleSecret", "my-mocked-token"] {
        let text = format!("{name} = \"{password}\"");
        assert_eq!(matched_texts(&text, &secrets_in(&text)), [""; 0], "{name}");
    }
    let long = example("generic-secret", 3).secret().to_owned();
    let text = format!("FAKE_API_TOKEN={long}");
    assert_eq!(matched_texts(&text, &secrets_in(&text)), [long.as_str()]);
}

/// The lines of a private key: the first one, its Base64, and the last one.
fn key_lines(seed: u64) -> Vec<String> {
    example("private-key", seed).text.lines().map(str::to_owned).collect()
}

#[test]
fn a_private_key_after_log_prefixes_is_found() {
    let lines = key_lines(1);
    let prefixes: [fn(usize) -> String; 5] = [
        |number| format!("2026-03-04T10:00:{number:02}.{:03}Z app[1]: ", number * 37),
        |number| format!("[{number}] "),
        |number| format!("Mar {:>2} 10:00:01 harbour sshd[{}]: ", 8 + number, 98 + number),
        |_| "app-1  | ".to_owned(),
        |_| format!("web {} [info] ", "0c0ffee1".repeat(8)),
    ];
    for prefix in prefixes {
        let logged: Vec<String> =
            (0..).zip(&lines).map(|(number, line)| prefix(number) + line).collect();
        let text = format!("It says:\n{}\nThat is it.\n", logged.join("\n"));
        let found = secrets_in(&text);
        let [found] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!((found.rule.id, found.tier), ("private-key", Tier::Certain), "{text}");
        let value = &text[found.range.clone()];
        assert!(value.starts_with(&lines[0]) && value.ends_with(&lines[lines.len() - 1]), "{text}");
    }
    let json: Vec<String> =
        lines.iter().map(|line| format!("{{\"level\": 3, \"msg\": \"{line}\"}}")).collect();
    let text = json.join("\n");
    let found = matched_texts(&text, &secrets_in(&text)).join("");
    assert!(lines.iter().all(|line| found.contains(line)), "{text}\n{found}");
}

#[test]
fn the_end_of_a_private_key_is_found() {
    for from in 1..=3 {
        let lines = key_lines(2);
        let lines = &lines[from..];
        for (prefix, suffix) in [("", ""), ("> ", ""), ("\"", "\","), ("10:00 app[1]: ", "")] {
            let tail: Vec<String> =
                lines.iter().map(|line| format!("{prefix}{line}{suffix}")).collect();
            let text = format!("This was left of it, he said.\n{}\nSo?\n", tail.join("\n"));
            let found = secrets_in(&text);
            let [found] = found.as_slice() else { panic!("{text}: {found:?}") };
            assert_eq!((found.rule.id, found.tier), ("private-key", Tier::Certain), "{text}");
            let value = &text[found.range.clone()];
            assert!(lines.iter().all(|line| value.contains(line)), "{text}");
            assert!(!value.contains("he said"), "{text}");
        }
        let text = serde_json::json!({ "said": format!("Well:\n{}\n", lines.join("\n")) });
        let text = text.to_string();
        let found = matched_texts(&text, &secrets_in(&text)).join("");
        assert!(lines.iter().all(|line| found.contains(line)), "{text}\n{found}");
    }
    let [last, certificate] =
        ["PRIVATE KEY", "CERTIFICATE"].map(|name| format!("-----{} {name}-----", "END"));
    let lines = key_lines(3);
    for text in [
        format!("The file ends with\n{last}\n"),
        format!("...\n{}\n{last}\n", lines[1]),
        format!("{}\n{}\n{certificate}\n", lines[1], lines[2]),
    ] {
        assert_eq!(matched_texts(&text, &secrets_in(&text)), [""; 0], "{text}");
    }
}

#[test]
fn a_private_key_with_typographic_dashes_is_found() {
    let key = key_lines(4).join("\n");
    for dashes in ["—–", "–—", "—", "–––––", "——–"] {
        let typeset = key.replace("-----", dashes);
        let text = format!("Look:\n\n{typeset}\n\nThat is it.");
        assert_eq!(matched_texts(&text, &secrets_in(&text)), [typeset.as_str()], "{dashes}");
    }
}

#[test]
fn the_secret_next_to_an_aws_id_is_redacted_with_it() {
    let is_of_aws = |text: &str| text.starts_with("AKIA") || text.starts_with("ASIA");
    let id = (0..).map(|seed| example("aws-access-key", seed).text).find(|id| is_of_aws(id));
    let id = id.expect("an id");
    for seed in 0..8 {
        let secret = example("aws-secret-key", seed).secret().to_owned();
        for written in [
            "Access key ID,Secret access key\nID,SECRET\n",
            "Access key ID,Secret access key\r\nID,SECRET\r\n",
            "User name,Password,Access key ID,Secret access key,Link\nada,,ID,SECRET,https://a.example\n",
            "\"ID\",\"SECRET\"",
            "SECRET,ID",
            "| ID | SECRET |",
            "ID\tSECRET",
            "ID:SECRET",
            "ID\nSECRET\n",
            "the id ID and the secret SECRET, he said",
        ] {
            let text = written.replace("ID", "\0").replace("SECRET", "\u{1}");
            let text = text.replace("key \0", "key ID").replace('\0', &id);
            let text = text.replace('\u{1}', &secret);
            let found = secrets_in(&text);
            let certain = found.iter().all(|found| found.tier == Tier::Certain);
            let mut both = [id.as_str(), secret.as_str()];
            if written.starts_with("SECRET") {
                both.reverse();
            }
            assert_eq!(matched_texts(&text, &found), both, "{written}");
            assert!(certain, "{written}: {found:?}");
        }
    }
    // A commit id is not a secret.
    let commit = example("wandb-key", 1).secret().to_owned();
    let text = format!("{id} {commit}");
    assert_eq!(matched_texts(&text, &secrets_in(&text)), [id.as_str()]);
}

#[test]
fn a_file_of_aws_credentials_is_redacted_as_a_whole() {
    let id = example("aws-access-key", 1).text;
    let secret = example("aws-secret-key", 1).secret().to_owned();
    let csv = format!("```\nAccess key ID,Secret access key\n{id},{secret}\n```");
    let site = site("[gate]\ncertain = \"redact\"\n", &talk(&csv));
    let run = site.build(0);
    assert_nowhere(&site, &[&run], &[&secret[4..20], &secret[20..38], &id[4..18]]);
}

/// Captions are joined with spaces, but not before punctuation that ends a sentence.
#[test]
fn captions_keep_the_space_before_punctuation_that_starts_a_word() {
    let secret = "fexdrujil";
    let encoded = format!("%{:02X}{}", secret.as_bytes()[0], &secret[1..]);
    let captions = format!(
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nthe eels leave\n{encoded}\n\n\
         00:00:02.000 --> 00:00:04.000\nfor\n.NET\n, they say\n.\n"
    );
    let redact = format!("[[redact]]\nwords = [{secret:?}]\n");
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{redact}"))
        .file("content/eels.vtt", captions);
    let run = site.run(&["build"]);
    let page = site.page("c/", "index.md");
    assert!(page.contains("the eels leave ") && page.contains(" for .NET, they say."), "{page}");
    assert_nowhere(&site, &[&run], &[secret, &encoded]);
}

/// A part of a value would not be recognized as a secret.
#[test]
fn messages_quote_no_part_of_a_secret() {
    for (number, name) in (70..).zip(["visibility", "publish", "private", "aliases"]) {
        let secret = token(number);
        let value = format!("it is private, see {secret}");
        let text = match name {
            "aliases" => format!("---\naliases: ['{value} {}']\n---\n", "x".repeat(60)),
            name => format!("---\n{name}: '{value}'\n---\n"),
        };
        let text = format!("{text}**Wren:** Which lamp is lit?\n\n**Finch:** The red one.\n");
        let site = SiteTest::new().file("site.toml", BASE).file("content/lamp.md", &text);
        let built = site.run(&["build", "--message-format", "json"]);
        let converted = site.run(&["convert", "content/lamp.md", "--to", "markdown"]);
        let log = format!("{}{}", built.stderr, converted.stderr);
        // The first characters of a key are part of its kind.
        assert!(!log.contains(&secret[..12]), "{name}: {log}");
    }
}

/// Media types are not text, so markup in them is not read.
#[test]
fn media_types_contain_only_valid_characters() {
    let secret = token(80);
    let split =
        format!("{}[{}](https://a.example/){}", &secret[..12], &secret[12..20], &secret[20..]);
    let mail = format!(
        "From: Wren <wren@mill.example>\nTo: boat@mill.example\nSubject: Boat\n\
         Date: Wed, 4 Mar 2026 01:20:05 +0100\nMessage-ID: <m@mill.example>\n\
         MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\
         Content-Type: text/plain\n\nIt floats.\n--b\nContent-Type: text/x{split}\n\
         Content-Disposition: attachment; filename=\"boat.bin\"\n\nboat\n--b--\n"
    );
    let chat = serde_json::json!({
        "name": "Boats", "type": "private_group", "id": 7,
        "messages": [{"id": 1, "type": "message", "date": "2026-03-04T01:20:05", "from": "Wren",
            "from_id": "user1", "file": "files/boat.bin", "file_name": "boat.bin",
            "mime_type": format!("text/x{split}"), "text": "It floats."}],
    });
    let open = "downloads = [\"json\"]\n[gate]\ncertain = \"redact\"\n[[source]]\nfiles = '**'\n\
                visibility = 'public'\ndirect_messages = true\n";
    for (name, text) in [("boat.eml", mail), ("result.json", chat.to_string())] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{open}"))
            .file(&format!("content/{name}"), text);
        let run = site.run(&["build"]);
        let page = site.page("c/", "index.json");
        assert!(page.contains("It floats.") && page.contains("boat.bin"), "{name}: {page}");
        assert_nowhere(&site, &[&run], &[&secret[..12], &secret[20..]]);
    }
}
