//! What the rules of the gate match and what they ignore. Every secret is generated from the rows
//! of the table; no file contains one.

use std::collections::BTreeSet;

use convo_site::secrets::{
    Example, Match, Rule, RuleKind, RuleSet, Tier, preview, rule, rules, scan,
};
use proptest::prelude::*;

use crate::support::linear_time::{check_linear, timed};

/// The matches of a single rule in a text.
fn found_by(rule: &Rule, text: &str) -> Vec<Match> {
    scan(text, &RuleSet::of(|other| other.id == rule.id))
}

/// The matches of all rules for secrets.
fn secrets_in(text: &str) -> Vec<Match> {
    scan(text, &RuleSet::of(|rule| rule.kind == RuleKind::Secret))
}

/// The rule and text of each match.
fn matched_texts<'t>(text: &'t str, found: &[Match]) -> Vec<(&'static str, &'t str)> {
    found.iter().map(|found| (found.rule.id, &text[found.range.clone()])).collect()
}

#[test]
fn the_table_is_in_order_and_large() {
    let ids: Vec<&str> = rules().map(|rule| rule.id).collect();
    assert!(ids.is_sorted_by(|a, b| a < b), "an id is repeated or out of order");
    let kinds = rules().filter(|rule| rule.kind == RuleKind::Secret).count();
    assert!(kinds >= 150, "{kinds}");
    for rule in rules() {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(rule.id.chars().all(kebab), "{}", rule.id);
        assert!(!rule.name.is_empty() && !rule.source.is_empty(), "{}", rule.id);
        assert_eq!(convo_site::secrets::rule(rule.id), Some(rule));
    }
    assert_eq!(rule("no-such-rule"), None);
}

#[test]
fn every_example_is_found_in_every_position() {
    type Around = fn(&str) -> String;
    let around: [(&str, Around); 6] = [
        ("alone", |text| text.to_owned()),
        ("in prose", |text| format!("Ada wrote: {text} and went home.")),
        ("in code", |text| format!("so `{text}` it was")),
        ("on a line", |text| format!("first\n{text}\nlast")),
        ("on a line of Windows", |text| format!("first\r\n{text}\r\nlast")),
        ("in JSON", |text| serde_json::json!({ "said": text }).to_string()),
    ];
    let mut missed = Vec::new();
    for rule in rules() {
        for seed in 0..12 {
            let Example { text, range } = rule.example(seed);
            let secret = &text[range];
            for (place, around) in around {
                let text = around(&text);
                let found = found_by(rule, &text);
                // Multi-line secrets have escaped line ends in JSON.
                let whole = place == "in JSON" && secret.contains('\n');
                let right = found.first().is_some_and(|found| {
                    found.tier == rule.tier && (whole || &text[found.range.clone()] == secret)
                });
                if found.len() != 1 || !right {
                    missed.push(format!("{} {place}: {text:?} {found:?}", rule.id));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} of them:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn no_near_miss_is_found() {
    let mut found = Vec::new();
    for rule in rules() {
        for seed in 0..12 {
            let text = rule.near_miss(seed);
            if !found_by(rule, &text).is_empty() {
                found.push(format!("{}: {text:?}", rule.id));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A thousand secrets of all kinds inside a conversation.
#[test]
fn planted_secrets_are_found() {
    let kinds: Vec<&Rule> = rules().filter(|rule| rule.kind == RuleKind::Secret).collect();
    let mut text = String::new();
    let mut planted = Vec::new();
    let mut used = BTreeSet::new();
    for seed in 0..1000_u64 {
        let rule = kinds[usize::try_from(seed * 7919).expect("a number") % kinds.len()];
        let example = rule.example(seed);
        text.push_str("**Ada:** The ferry leaves at nine, says the harbour master.\n\n**Ben:** ");
        let start = text.len() + example.range.start;
        planted.push((rule, start..start + example.range.len()));
        text.push_str(&example.text);
        text.push_str("\n\n");
        used.insert(rule.id);
    }
    assert!(used.len() >= 60);
    let found = secrets_in(&text);
    let covers = |range: &std::ops::Range<usize>| {
        let after = found.partition_point(|found| found.range.end < range.end);
        found.get(after).filter(|found| found.range.start <= range.start)
    };
    for (rule, range) in &planted {
        let covering =
            covers(range).unwrap_or_else(|| panic!("{}: {}", rule.id, &text[range.clone()]));
        assert!(covering.tier >= rule.tier, "{} {covering:?}", rule.id);
    }
    // No text between them was matched.
    for found in &found {
        let near = planted
            .iter()
            .any(|(_, range)| range.start < found.range.end && found.range.start < range.end);
        assert!(near, "{:?} {}", found, &text[found.range.clone()]);
    }
}

#[test]
fn matches_are_in_order_and_do_not_overlap() {
    let text: String = rules().map(|rule| rule.example(5).text + "\n").collect();
    let found = scan(&text, &RuleSet::of(|_| true));
    assert!(found.len() > 100);
    assert!(found.is_sorted_by(|a, b| a.range.end <= b.range.start));
}

#[test]
fn only_enabled_rules_run() {
    let token = rule("github-token").expect("a rule").example(1).text;
    assert_eq!(scan(&token, &RuleSet::of(|rule| rule.id != "github-token")), []);
    let mail = "write to ada@ferry.example.org";
    assert_eq!(secrets_in(mail), []);
    let found = scan(mail, &RuleSet::of(|rule| rule.kind == RuleKind::Personal));
    assert_eq!(matched_texts(mail, &found), [("email-address", "ada@ferry.example.org")]);
}

#[test]
fn an_invalid_checksum_lowers_the_confidence() {
    for id in ["github-token", "npm-token", "grafana-service-account-token"] {
        let rule = rule(id).expect("a rule");
        let token = rule.example(3).text;
        assert_eq!(secrets_in(&token)[0].tier, Tier::Certain);
        let (head, last) = token.split_at(token.len() - 1);
        let other = if last == "1" { "2" } else { "1" };
        assert_eq!(secrets_in(&format!("{head}{other}"))[0].tier, Tier::Likely, "{id}");
    }
}

#[test]
fn documented_examples_are_not_findings() {
    let examples = [
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
        format!("ghp_{}", "x".repeat(36)),
        format!("ghp_{}", "0123456789abcdefghijklmnopqrstuvwxyz"),
        "export API_TOKEN=your-token-here".to_owned(),
        "API_TOKEN=${API_TOKEN}".to_owned(),
        "password: changeme".to_owned(),
        "\"password\": \"hunter2\"".to_owned(),
        "\"password\": \"<your password>\"".to_owned(),
        "password: { type: String, required: true }".to_owned(),
        "const token = await getToken(request);".to_owned(),
        "max_tokens=4096, total_tokens: 123456789".to_owned(),
        "postgres://user:password@localhost:5432/db".to_owned(),
        "https://git@github.com:8080/ada/ferry.git".to_owned(),
        "Authorization: Bearer $TOKEN".to_owned(),
        "Authorization: Bearer <token>".to_owned(),
        "-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----".to_owned(),
        "the commit 8f14e45fceea167a5a36dedd4bea2543deadface of the token parser".to_owned(),
    ];
    for text in &examples {
        assert_eq!(matched_texts(text, &secrets_in(text)), [], "{text}");
    }
}

#[test]
fn secrets_below_one_encoding_are_found() {
    use base64::Engine;
    let token = rule("github-token").expect("a rule").example(2).text;
    let packed = base64::engine::general_purpose::STANDARD.encode(format!("user:{token} and more"));
    let text = format!("data: {packed}\n");
    assert_eq!(matched_texts(&text, &secrets_in(&text)), [("github-token", packed.as_str())]);

    let hook = rule("slack-webhook").expect("a rule").example(0).text;
    for (from, to) in [("/", "%2F"), ("/", "\\/"), ("/", "\\u002f")] {
        let hook = hook.replace(from, to);
        let text = format!("see {hook} there");
        assert_eq!(matched_texts(&text, &secrets_in(&text)), [("slack-webhook", hook.as_str())]);
    }

    let key = rule("private-key").expect("a rule").example(0).text;
    let text = serde_json::json!({ "private_key": key }).to_string();
    let found = secrets_in(&text);
    assert_eq!(matched_texts(&text, &found), [("private-key", key.replace('\n', "\\n").as_str())]);
}

#[test]
fn a_json_line_end_is_not_part_of_a_word() {
    let token = rule("github-token").expect("a rule").example(9).text;
    for text in [format!("a\\n{token}\\nb"), format!("x%3D{token}%26"), format!("\\u0022{token}")] {
        assert_eq!(
            matched_texts(&text, &secrets_in(&text)),
            [("github-token", token.as_str())],
            "{text}"
        );
    }
    // A prefix that is unlike any word is found even directly after other text.
    assert_eq!(secrets_in(&format!("x{token}")).len(), 1);
    // A valid checksum is found whatever follows it.
    let text = format!("{token}x");
    assert_eq!(matched_texts(&text, &secrets_in(&text)), [("github-token", token.as_str())]);
}

#[test]
fn a_seed_phrase_is_recognised_by_its_checksum() {
    let phrase = rule("seed-phrase").expect("a rule").example(4).secret().to_owned();
    let listed: String =
        phrase.split(' ').enumerate().map(|(at, word)| format!("{}. {word}\n", at + 1)).collect();
    for text in [format!("1: {phrase}!"), listed, phrase.replace(' ', ", ")] {
        assert_eq!(secrets_in(&text).len(), 1, "{text}");
    }
    let turned: Vec<&str> = phrase.split(' ').rev().collect();
    let holds = (0..16_u64)
        .filter(|seed| {
            let phrase = rule("seed-phrase").expect("a rule").example(*seed).secret().to_owned();
            let turned: Vec<&str> = phrase.split(' ').rev().collect();
            !secrets_in(&turned.join(" ")).is_empty()
        })
        .count();
    assert!(holds <= 5, "{holds} of 16, {turned:?}");
}

#[test]
fn personal_data_needs_its_check_digits() {
    let personal = |text: &str| {
        scan(text, &RuleSet::of(|rule| rule.kind == RuleKind::Personal))
            .iter()
            .map(|found| found.rule.id)
            .collect::<Vec<_>>()
    };
    for text in [
        "logo@2x.png and git@github.com:ada/ferry.git",
        "version 10.15.7 and 1.2.3.4, at 127.0.0.1 and 0.0.0.0",
        "4111 1111 1111 1112 is no card, 1234567890123456 neither",
        "DE00 1234 5678 9012 3456 78",
        "+1 and +100 points, 2024-11-22, 12:30:45",
        "~/.local/share, settings.local.json, self.internal()",
        "std::collections::BTreeMap, a::b::c, dead::beef",
        "https://ferry:lamp@harbour.example.org/ and ssh://ferry@harbour.example.org",
        "version 10.0.0.1, Version: 192.168.7.1, v 4.2.10.1, v10.0.0.1, release=10.20.30.40",
    ] {
        assert_eq!(personal(text), Vec::<&str>::new(), "{text}");
    }
    for text in [
        "on 05.06.2026 18 guests, 2026-06-05 18, 05/06/26 12 345",
        "0.123456789, 0x0123456789, 00000000000, $0123456789, id=0123456789",
        "/issues/0123456789, v1.0123456789, 0123456789ab, 0000 1234 5678",
        "100 200 3000 euros, 415 555 2671, 123-456-7890, 007",
        "0123-4567-890-123-4, 01.234.567.890.123, 0151 2345 6ab",
    ] {
        assert_eq!(personal(text), Vec::<&str>::new(), "{text}");
    }
    for text in [
        "0151 23456789", "06 12 34 56 78", "06.12.34.56.78", "(415) 555-2671", "415-555-2671",
        "07911 123456", "09876543210", "090-1234-5678", "0049 151 2345678", "(030) 123 4567",
        "٠١٥١ ٢٣٤٥٦٧٨٩", "https://wa.me/4915123456789", "tel:15551234567", "Tel.:0171-2345678",
        "Handy:0171 2345678", "0171-2345678-12", "415 623-8890", "(11) 91234-5678",
        "8 (916) 123-45-67",
    ] {
        assert_eq!(personal(&format!("call {text}, please")), ["phone-number"], "{text}");
    }
    for text in [
        "9930363372",
        "Mobile : 9930363372",
        "Mobile:9930363372",
        "**Contact :9930363372**",
        "What's app 98765432",
        "Ravi-9930363372.",
        "(4158675309)",
        "13812345678",
        "给我13812345678打",
        "99303 63372",
        "91 99303 63372",
        "138 1234 5678",
        "Cell: 415 867 5309",
        "Tel. 98765432",
        "Call me at 9876 5432",
        "WhatsApp 987654321",
        "my phone number is 98 76 54 32",
        "919930363372",
    ] {
        assert_eq!(personal(text), ["phone-number"], "{text}");
    }
    let both = ["phone-number", "phone-number"];
    assert_eq!(personal("0171-2345678/0172-3456789"), both);
    for between in [" ", "/", ", ", ",", "-", "\n"] {
        let text = format!("9930363372{between}9930363373");
        assert_eq!(personal(&text), both, "{text}");
    }
    for text in [
        "1700000000, 1700000000123, 20241122, 2024112218, 202411221830, 20241122183059",
        "9930363372 euros, $ 9930363372, Rs. 9930363372, EUR 9930363372, 9930363372€",
        "9930363372.50, 9930363372,5, 3.9930363372, 12,9930363372",
        "https://example.org/9930363372 https://example.org/a(9930363372) /a/9930363372",
        "https://example.org/x?call=9930363372, www.example.org/(9930363372",
        "9930363372ab, ab9930363372, a_9930363372, 9930363372_n.jpg, 9930363372.jpg, 9930363372@x",
        "commit 9930363372, #9930363372, id 9930363372, id: 9930363372, id=9930363372",
        "10000 20000, 12345 67890 12345 67890, 2023 2024 2025, 12 345 678 901, 98765432",
        "9930363372123456, 4000000000, call 20241122 or 22112024, call 2023 2024",
    ] {
        assert_eq!(personal(text), Vec::<&str>::new(), "{text}");
    }
    // Text after a number is not part of it.
    for (number, behind) in [
        ("9930363372", " 18 Uhr"),
        ("99303 63372", " 18 Uhr"),
        ("415 867 5309", " 2nd floor"),
        ("9876 5432", " 18 Uhr"),
        ("0151 23456789", " 18 Uhr"),
        ("0151 23456789", ". 15 Uhr"),
        ("0151 23456789", " 2nd floor"),
        ("(415) 555-2671", " 9am"),
        ("(415) 555-2671", " 2nd floor"),
        ("wa.me/4915123456789", " 18 Uhr"),
    ] {
        let text = format!("call {number}{behind}");
        let found = scan(&text, &RuleSet::of(|rule| rule.kind == RuleKind::Personal));
        let [found] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!(found.rule.id, "phone-number", "{text}");
        assert!(number.ends_with(&text[found.range.clone()]), "{text}");
    }
    assert_eq!(personal("mailto:ada@ferry.example.org"), ["email-address"]);
    assert_eq!(personal("the server at 10.0.0.1"), ["private-address"]);
    assert_eq!(personal("call +44 20 7946 0958 now"), ["phone-number"]);
    assert_eq!(personal("ping 192.168.0.17 on nas.lan"), ["private-address", "internal-host"]);
    assert_eq!(personal("GB82 WEST 1234 5698 7654 32"), ["iban"]);
    assert_eq!(personal("from 81.169.145.78"), ["ip-address"]);
    assert_eq!(personal("ssh -v 81.169.145.78"), ["ip-address"]);
    assert_eq!(personal("v 81.169.145.78, -rev 81.169.145.78"), [""; 0]);
    assert_eq!(personal("from 2a02:8109:9a80:1f4c::3b"), ["ip-address"]);
}

#[test]
fn a_preview_reveals_little() {
    assert_eq!(preview(&format!("ghp_{}ab", "0123456789".repeat(3))), "ghp_…ab");
    assert_eq!(preview("hunter2"), "h…");
    assert_eq!(preview("ab"), "…");
    assert_eq!(preview(""), "…");
    assert_eq!(preview("ééééééééééééééééééééé"), "éééé…éé");
}

/// Fails with the times if a text that repeats a unit is not searched in linear time.
fn scanned(unit: &str, bytes: usize) -> Result<(), String> {
    let all = RuleSet::of(|_| true);
    check_linear(bytes, |bytes| {
        let text = unit.repeat(bytes / unit.len() + 1);
        timed(|| _ = std::hint::black_box(scan(&text, &all)))
    })
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn any_text_is_searched_in_linear_time() {
    let units = [
        "ghp_",
        "eyJ",
        "eyJ.",
        "-----BEGIN RSA PRIVATE KEY-----",
        "password=",
        "token: \"",
        "AKIA/",
        "a:b@",
        "://a:",
        "cookie: sid=",
        "aws_secret_key ",
        "%41",
        "\\/",
        "abandon ",
        "A",
        "curl -u ",
        "kind: Secret\ndata:\n a: ",
        "PuTTY-User-Key-File-",
        "4111 ",
        "+1 ",
        "01 ",
        "(0",
        "٠ ",
        "1.",
        "a@",
        "ab:",
        "DE12 ",
        "é",
        "xoxb-1-",
        "sk-proj-",
    ];
    for unit in units {
        assert_eq!(scanned(unit, 32_000), Ok(()), "{unit:?}");
    }
}

/// Every keyword and every example of every rule, repeated on one line.
#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn repeated_keywords_take_linear_time() {
    let mut units: BTreeSet<String> = BTreeSet::new();
    for rule in rules() {
        units.extend(rule.keywords().into_iter().map(|word| word.to_lowercase()));
        units.insert(rule.example(1).text.replace('\n', " "));
    }
    assert!(units.len() > 400, "{}", units.len());
    for unit in units {
        assert_eq!(scanned(&unit, 32_000), Ok(()), "{unit:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// No text causes a panic, and every match is a range of the text.
    #[test]
    fn no_text_makes_it_panic(
        words in prop::collection::vec((0..400_usize, "\\PC{0,12}", 0..60_usize), 0..24)
    ) {
        let rules: Vec<&Rule> = rules().collect();
        let mut text = String::new();
        for (at, noise, cut) in words {
            let example = rules[at % rules.len()].example(at as u64).text;
            let end = example.floor_char_boundary(cut.min(example.len()));
            text.push_str(&example[..end]);
            text.push_str(&noise);
        }
        for found in scan(&text, &RuleSet::of(|_| true)) {
            prop_assert!(text.get(found.range.clone()).is_some_and(|value| !value.is_empty()));
        }
    }
}

/// Output of programs: line numbers, colours, words without spaces between them.
#[test]
fn secrets_are_found_in_output_of_programs() {
    let rule = rules().find(|rule| rule.id == "private-key").expect("a rule");
    let key = rule.example(3).text;
    let numbered: String = key
        .lines()
        .enumerate()
        .map(|(line, text)| format!("{:>6}\u{2192}{text}\n", line + 1))
        .collect();
    let found = found_by(rule, &format!("It says \u{2014} look:\n{numbered}That is it."));
    assert!(found.len() == 1 && found[0].range.len() > key.len(), "{found:?}");
    let rule = rules().find(|rule| rule.id == "github-token").expect("a rule");
    let token = rule.example(3).text;
    for text in [
        format!("\u{1b}[31m{token}\u{1b}[0m"),
        format!("\u{1b}[1;31m{token}"),
        format!("body=3D{token}"),
        format!("7{token}"),
        format!("C:\\new{token}"),
    ] {
        assert_eq!(found_by(rule, &text).len(), 1, "{text}");
    }
}

/// Passwords as people and commands write them, without a keyword or prefix.
#[test]
fn passwords_are_found_where_people_write_them() {
    let password = ["Lamp7", "harBour", "31x"].concat();
    for written in [
        "the password is PW, he said",
        "Password is: PW",
        "my passphrase is `PW`.",
        "pw: PW",
        "pass=PW",
        "passwd PW",
        "{\"pass\": \"PW\"}",
        "das Passwort ist PW",
        "sshpass -p PW ssh ada@harbour",
        "sshpass -p'PW' ssh ada@harbour",
        "mysql -u root -pPW boats",
        "mysqldump -h db -pPW boats",
        "redis-cli -h db -a PW",
        "docker login -u ada -p PW registry",
        "curl -u ada:PW https://boats.ferry.org/x",
        "curl -uada:PW https://boats.ferry.org/x",
        "curl -sSu 'ada:PW' https://boats.ferry.org/x",
        "curl --user=ada:PW https://boats.ferry.org/x",
        "curl https://boats.ferry.org/x --user \"ada:PW\"",
        "mongodb+srv://ada:PW@cluster0.ab1cd.mongodb.net/boats",
        "mongodb://ada:PW@cluster0.ab1cd.mongodb.net/boats",
    ] {
        let text = written.replace("PW", &password);
        let found = secrets_in(&text);
        let [found] = found.as_slice() else { panic!("{text}: {found:?}") };
        assert_eq!((&text[found.range.clone()], found.tier), (&*password, Tier::Likely), "{text}");
    }
    for weak in [
        "mongodb+srv://ada:lighthouse77@cluster0.ab1cd.mongodb.net/boats",
        "curl -u ada:lighthouse77 https://boats.ferry.org/x",
        "curl -sSu ada:lighthouse77 https://boats.ferry.org/x",
    ] {
        assert_eq!(secrets_in(weak)[0].tier, Tier::Likely, "{weak}");
    }
    for text in [
        "the password is required and the password is not stored",
        "passwd getpwnam2(user)",
        "compass=North12West and bypass: Route66Highway",
        "pass: 417, fail: 0",
        "--- PASS: TestLampsV2_LitByKeeper (0.00s)",
        "pass=src/Fixtures/Lamp12.test.ts",
        "mysql -u root -p boats2024X",
        "sshpass -p \"$PASSWORD\" ssh ada@harbour",
        "curl -u $USER:$PASSWORD harbour.example.org",
        "curl -fsSL https://ferry.example.org/install.sh",
    ] {
        assert_eq!(matched_texts(text, &secrets_in(text)), [], "{text}");
    }
}
