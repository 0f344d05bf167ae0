//! Decisions about secrets: in site.toml, in gate.toml, in a file of values, and interactive ones.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::gate::{assert_nowhere, parts, site, talk, token};
use crate::support::preview::Preview;
use crate::support::{BASE, Run, SiteTest};

/// Runs the command with answers on standard input.
fn answered(site: &SiteTest, args: &[&str], answers: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_convo-site"))
        .args(args)
        .current_dir(site.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut stdin = child.stdin.take().expect("piped");
    // A command that asks nothing may have ended already.
    let _ = stdin.write_all(answers.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The Markdown copy of the conversation about lamps.
fn copy(site: &SiteTest) -> String {
    let output = site.output();
    let is_it = |path: &&String| path.contains("lamp") && path.ends_with("index.md");
    let path = output.keys().find(is_it).expect("a page");
    String::from_utf8_lossy(&output[path]).into_owned()
}

fn has_lamps(site: &SiteTest) -> bool {
    site.output().keys().any(|path| path.contains("lamps"))
}

#[test]
fn values_of_a_file_are_found_and_never_printed() {
    let site = site("", &talk("It is lit by `lighthouse-keeper-77` since March."));
    site.build(0);
    site.write(
        "values.env",
        "# comment\nexport LAMP_PASSWORD=\"lighthouse-keeper-77\"\nSHORT=March\nNODE_ENV=production\n",
    );
    let held = site.run(&["build", "--env", "values.env"]);
    assert_eq!(held.code, Some(1), "{}", held.stderr);
    assert!(held.stderr.contains("LAMP_PASSWORD"), "{}", held.stderr);
    assert!(held.stderr.contains("lamps.md:7:26"), "{}", held.stderr);
    assert!(!has_lamps(&site));
    let check = site.run(&["check", "--env", "values.env", "--message-format", "json"]);
    assert_eq!(check.code, Some(1));
    assert_nowhere(&site, &[&held, &check], &["house-keeper"]);
    site.write("site.toml", format!("{BASE}[gate]\ncertain = \"redact\"\n"));
    let run = site.run(&["build", "--env", "values.env"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let page = copy(&site);
    assert!(page.contains("[redacted: LAMP_PASSWORD]"), "{page}");
    assert_nowhere(&site, &[&run], &["house-keeper"]);
    let none = site.run(&["build", "--env", "none.env"]);
    assert_eq!(none.code, Some(2), "{}", none.stderr);
}

#[test]
fn review_masks_every_copy_of_a_secret_in_its_line() {
    let password = ["Kelp9moor", "Gannet4tide"].concat();
    let text = format!("DB_PASSWORD={password} said twice: {password}. Or {password}!");
    let site = site("", &talk(&text));
    let asked = answered(&site, &["review"], "q\n");
    let all = format!("{}{}", asked.stdout, asked.stderr);
    assert!(all.contains("said twice: …"), "{all}");
    for part in ["moorGann", "Kelp9moor"] {
        assert!(!all.contains(part), "{all}");
    }
}

#[test]
fn review_asks_and_records_the_answers() {
    let (first, second) = (token(11), token(12));
    let text = talk(&format!("Take {first} or {second}, and never {first}."));
    let site = site("", &text);
    let listed = site.run(&["review", "--json"]);
    assert_eq!(listed.code, Some(1), "{}", listed.stderr);
    let all: serde_json::Value = serde_json::from_str(&listed.stdout).expect("JSON");
    assert_eq!(all.as_array().map(Vec::len), Some(2), "{all}");
    assert_eq!((&all[0]["rule"], &all[0]["line"]), (&"github-token".into(), &7.into()));
    assert!(!site.path("gate.toml").exists());
    let none = answered(&site, &["review"], "n\n");
    assert_eq!(none.code, Some(1), "{}", none.stderr);
    assert!(!site.path("gate.toml").exists());
    // Accepting needs a reason.
    let empty = answered(&site, &["review"], "a\n\nq\n");
    assert!(!site.path("gate.toml").exists(), "{}", empty.stdout);
    // Input that ends in the middle of an answer accepts nothing.
    answered(&site, &["review"], "a\nx\n");
    assert!(!site.path("gate.toml").exists());
    let review = answered(&site, &["review"], "a\nan example of the \"manual\"\n\nr\n");
    assert_eq!(review.code, Some(0), "{}{}", review.stdout, review.stderr);
    assert!(review.stderr.contains("2 decisions"), "{}", review.stderr);
    assert!(review.stderr.contains("github-token = \"redact\""), "{}", review.stderr);
    let gate = std::fs::read_to_string(site.path("gate.toml")).expect("written");
    let built = site.build(0);
    let page = copy(&site);
    let (shown, hidden) = match page.contains(&first) {
        true => (&first, &second),
        false => (&second, &first),
    };
    assert!(page.contains(shown) && page.contains("[redacted: GitHub token]"), "{page}");
    assert_nowhere(&site, &[&built], &parts(hidden));
    for run in [&listed, &none, &empty, &review] {
        for part in parts(&first).into_iter().chain(parts(&second)) {
            assert!(!run.stdout.contains(part) && !run.stderr.contains(part), "{part}");
            assert!(!gate.contains(part), "{gate}");
        }
    }
    let nothing = answered(&site, &["review"], "");
    assert_eq!(nothing.code, Some(0));
    assert!(nothing.stderr.contains("nothing to review"), "{}", nothing.stderr);
    // An acceptance is only valid for its own file.
    site.write("content/other.md", talk(&format!("{shown}.")));
    assert!(site.build(1).stderr.contains("other.md:7"));
    // Once the finding is gone, its entry is reported.
    site.write("content/other.md", talk("Nothing."));
    site.write("content/lamps.md", talk("Nothing."));
    let unused = site.build(0);
    assert_eq!(unused.stderr.matches("unused-accept").count(), 2, "{}", unused.stderr);
}

#[test]
fn answers_can_be_undone_and_are_written_at_once() {
    let (first, second, third) = (token(51), token(52), token(53));
    let text = talk(&format!("Take {first}, {second} or {third}."));
    let site = site("", &text);
    let gate = || std::fs::read_to_string(site.path("gate.toml")).unwrap_or_default();
    // Ending it halfway with any key keeps the earlier answers.
    let ended = answered(&site, &["review"], "?\nx\nr\n");
    assert_eq!(ended.code, Some(1), "{}", ended.stderr);
    assert!(ended.stdout.matches("replace it with a placeholder everywhere").count() == 2);
    assert_eq!(gate().matches("\n[[redact]]").count(), 1, "{}", gate());
    std::fs::remove_file(site.path("gate.toml")).expect("removed");
    // Goes back, and answers differently.
    let back = answered(&site, &["review"], "b\nr\nb\na\nan example\n\nq\n");
    assert_eq!(back.code, Some(1), "{}", back.stderr);
    assert!(back.stdout.contains("this is the first finding"), "{}", back.stdout);
    assert!(gate().contains("\n[[accept]]") && !gate().contains("\n[[redact]]"), "{}", gate());
    let before = gate();
    let none = answered(&site, &["review"], "r\nb\nn\nq\n");
    assert_eq!((none.code, gate()), (Some(1), before), "{}", none.stderr);
    std::fs::remove_file(site.path("gate.toml")).expect("removed");
    answered(&site, &["review"], "r\nb\nq\n");
    assert!(!site.path("gate.toml").exists(), "as if nothing had been said");
    for run in [&ended, &back, &none] {
        assert!(!run.stdout.contains('\u{1b}'), "no colours but on a terminal");
        for part in parts(&first).into_iter().chain(parts(&second)) {
            assert!(!run.stdout.contains(part) && !run.stderr.contains(part));
        }
    }
}

#[test]
fn an_acceptance_may_expire() {
    let secret = token(13);
    let site = site("", &talk(&format!("Take {secret}.")));
    let review = answered(&site, &["review"], "a\nfor the fair\n2027-02-28\n");
    assert_eq!(review.code, Some(0), "{}", review.stderr);
    let on_time = site.run(&["build", "--today", "2027-02-28"]);
    assert_eq!(on_time.code, Some(0), "{}", on_time.stderr);
    assert!(has_lamps(&site));
    // 2027-03-01.
    let late = site.run_with(&["build"], &[("SOURCE_DATE_EPOCH", "1803859200")]);
    assert_eq!(late.code, Some(1), "{}", late.stderr);
    assert!(late.stderr.contains("expired-accept"), "{}", late.stderr);
    assert!(!has_lamps(&site));
}

#[test]
fn hold_and_redact_apply_wherever_the_secret_is() {
    let secret = token(14);
    let site = site("[gate]\ncertain = \"warn\"\n", &talk(&format!("Take {secret}.")));
    site.write("content/other.md", talk(&format!("Or {secret}.")));
    site.build(0);
    assert!(has_lamps(&site));
    let review = answered(&site, &["review"], "h\n");
    assert_eq!(review.code, Some(0), "{}", review.stderr);
    let run = site.build(1);
    assert!(run.stderr.contains("in 2 places of 2 conversations"), "{}", run.stderr);
    assert!(!has_lamps(&site));
    assert_nowhere(&site, &[&run], &parts(&secret));
}

/// Mistakes in settings about privacy.
const SLIPS: [(&str, &str, &str); 15] = [
    ("site.toml", "[gate]\ncertain = \"Hold\"\n", "site.toml:3:11"),
    ("site.toml", "[gate]\nsertain = \"hold\"\n", "site.toml:3:1"),
    ("site.toml", "[gate]\npersonal = \"hold\"\n", "site.toml:3:12"),
    ("site.toml", "[gate.rules]\ngithub-tokens = \"hold\"\n", "site.toml:3:1"),
    ("site.toml", "gate = \"hold\"\n", "site.toml:2:8"),
    ("site.toml", "[gates]\ncertain = \"hold\"\n", "site.toml:2:2"),
    ("site.toml", "[[redacts]]\nwords = [\"Acme\"]\n", "site.toml:2:3"),
    ("site.toml", "[redact]\nwords = [\"Acme\"]\n", "site.toml:2:1"),
    ("site.toml", "[[redact]]\nword = [\"Acme\"]\n", "site.toml:3:1"),
    ("site.toml", "[[redact]]\nwith = \"x\"\n", "site.toml:2:1"),
    ("site.toml", "[[redact]]\nwords = [\"\"]\n", "site.toml:3:10"),
    ("site.toml", "[[redact]]\npattern = \"(Acme\"\n", "site.toml:3:11"),
    ("site.toml", "[[redact]]\npattern = \"A*\"\n", "site.toml:3:11"),
    ("site.toml", "[[redact]]\npattern = '\\w{1000}{1000}'\n", "site.toml:3:11"),
    ("site.toml", "[[source]]\nfiles = \"*\"\ngate = { likely = 1 }\n", "site.toml:4:"),
];

#[test]
fn nothing_is_written_while_settings_are_wrong() {
    for (file, text, place) in SLIPS {
        let site = site("", &talk("The red one."));
        let text = if file == "site.toml" { format!("{BASE}{text}") } else { text.into() };
        site.write(file, text.as_bytes());
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(2), "{text}\n{}", run.stderr);
        assert!(run.stderr.contains(place), "{text}\n{}", run.stderr);
        assert!(site.output().is_empty(), "{text}");
        assert!(!run.stderr.contains("Acme"), "{}", run.stderr);
    }
    for text in ["key = \"12\"\n", "[[accept]]\nsecret = \"x\"\n", "x = 1\n", "[["] {
        let site = site("", &talk("The red one."));
        site.write("gate.toml", text);
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(2), "{text}\n{}", run.stderr);
        assert!(run.stderr.contains("gate.toml"), "{}", run.stderr);
        assert!(site.output().is_empty(), "{text}");
    }
}

#[test]
fn custom_words_are_redacted_as_whole_words() {
    let config = "downloads = [\"markdown\", \"json\", \"original\"]\n[[redact]]\n\
        words = [\"Acme Ltd\", \"港の灯\"]\nwith = \"[client]\"\n[[redact]]\n\
        pattern = 'ticket-\\d+'\n";
    let text = "---\ntitle: The lamp of Acme  Ltd\ntags: [acme ltd, Acmes]\nspeakers: [Wren of ACME LTD, Finch]\n---\n\n\
        **Wren of ACME LTD:** In ticket-4711 of Acme\nLtd, the 古港の灯が.\n\n**Finch:** Acme Ltda.\n";
    let site = site(config, text);
    let run = site.build(0);
    assert!(run.stderr.contains("redacted"), "{}", run.stderr);
    assert!(run.stderr.contains("original-withheld"), "{}", run.stderr);
    let page = copy(&site);
    for there in ["Wren of \\[client\\]", "In [redacted] of [client], the 古[client]が", "Ltda"] {
        assert!(page.contains(there), "{there}: {page}");
    }
    assert_nowhere(&site, &[], &["ticket-4", "港の灯"]);
    for (name, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes).to_lowercase().replace("ltda", "");
        assert!(!text.contains("acme ltd") && !text.contains("acme-ltd"), "{name}");
        assert!(!name.contains("original") || !text.contains("lamp"), "{name}");
    }
}

/// The name of an event in a transcript is its text in lower case, which the pattern does not match.
#[test]
fn a_pattern_is_redacted_in_events_too() {
    let config = "downloads = [\"markdown\", \"json\"]\nturns_json = true\n[[redact]]\n\
        pattern = 'Acme (Ltd|GmbH)'\n";
    let text = "**Wren:** Who is it?\n\n*\\[Acme Ltd enters.\\]*\n\n**Finch:** Them.\n";
    let site = site(config, text);
    site.build(0);
    assert!(copy(&site).contains("\\[redacted\\] enters"), "{}", copy(&site));
    assert_nowhere(&site, &[], &["Acme", "acme"]);
}

/// Marks of Markdown that end in the middle of a word are redacted with it.
#[test]
fn a_redacted_phrase_leaves_no_marks_behind() {
    let config = "downloads = [\"markdown\"]\n[[redact]]\nwords = [\"Acme Mill\"]\nwith = \"X\"\n";
    let text = "**Wren:** One **Acme** *Mill* two *Acme* `Mill` three ~~Acme~~ Mill four.\n\n**Finch:** Yes.\n";
    let site = site(config, text);
    site.build(0);
    assert!(copy(&site).contains("One X two X three X four."), "{}", copy(&site));
    assert!(site.page("c/lamps", "index.html").contains("<p>One X two X three X four.</p>"));
}

/// A name with "and" is also found as people write it in file names, hosts and code.
#[test]
fn names_of_companies_are_redacted_in_every_spelling() {
    let config =
        "downloads = [\"markdown\"]\n[[redact]]\nwords = [\"Halvorsen & Pike\"]\nwith = \"X\"\n";
    for spelling in [
        "Halvorsen &amp; Pike",
        "Halvorsen and Pike",
        "`clients/halvorsen-pike.toml`",
        "`test_halvorsen_pike_footer`",
        "https://halvorsen-pike.example/",
        "HalvorsenPike",
        "halvorsen-and-pike",
        "Halvorsen und Pike",
        "HALVORSEN&PIKE",
    ] {
        let site = site(config, &format!("**Wren:** See {spelling} now.\n\n**Finch:** Yes.\n"));
        site.build(0);
        assert_nowhere(&site, &[], &["alvorsen", "ALVORSEN"]);
    }
}

#[test]
fn a_secret_at_the_end_of_a_long_log_withholds_all_of_it() {
    let secret = token(15);
    let line = |number: usize, text: &str| {
        let role = if number.is_multiple_of(2) { "assistant" } else { "user" };
        serde_json::json!({
            "parentUuid": (number > 0).then(|| format!("u{}", number - 1)),
            "uuid": format!("u{number}"), "type": role, "isSidechain": false,
            "userType": "external", "cwd": "/srv", "version": "2.1.40",
            "sessionId": "0c0ffee0-0000-4000-8000-00000000000b",
            "timestamp": format!("2026-03-01T10:{:02}:{:02}.000Z", number / 60 % 60, number % 60),
            "message": {"role": role, "content": text},
        })
        .to_string()
            + "\n"
    };
    let mut log: String = (1..2600).map(|number| line(number, "harbourlights")).collect();
    let site = SiteTest::new().file("content/session.jsonl", &log);
    site.build(0);
    assert!(site.output().values().any(|file| contains(file, "harbourlights")));
    log.push_str(&line(2600, &format!("At last: {secret}")));
    site.write("content/session.jsonl", &log);
    let run = site.build(1);
    assert!(run.stderr.contains("session.jsonl:2600:"), "{}", run.stderr);
    assert!(!site.output().values().any(|file| contains(file, "harbourlights")));
    site.write("site.toml", format!("{BASE}[gate]\ncertain = \"redact\"\n"));
    let run = site.build(0);
    assert!(site.output().values().any(|file| contains(file, "At last: [redacted")));
    assert_nowhere(&site, &[&run], &parts(&secret));
}

fn contains(bytes: &[u8], text: &str) -> bool {
    String::from_utf8_lossy(bytes).contains(text)
}

#[test]
fn newly_redacted_text_is_removed_everywhere() {
    let secret = token(16);
    let text = format!(
        "---\ntitle: Lamps {secret}\ntags: [{secret}]\n---\n\n**Wren {secret}:** Say {secret}.\n\n\
         ```sh\nlight {secret}\n```\n\n**Finch:** Yes, {secret}.\n"
    );
    let pictures = "[og_images]\nper_conversation = true\n";
    let config = format!("[gate]\ncertain = \"warn\"\n{pictures}");
    let site = site(&config, &text);
    site.build(0);
    assert!(site.output().values().any(|file| contains(file, &secret)));
    site.write("site.toml", format!("{BASE}[gate]\ncertain = \"redact\"\n"));
    let later = site.build(0);
    assert_nowhere(&site, &[&later], &parts(&secret));
    // Renames the file, and undoes the decision.
    site.write("content/bells.md", &text);
    std::fs::remove_file(site.path("content/lamps.md")).expect("removed");
    let renamed = site.build(0);
    assert_nowhere(&site, &[&renamed], &parts(&secret));
    site.write("site.toml", BASE);
    let held = site.build(1);
    assert_nowhere(&site, &[&later, &renamed, &held], &parts(&secret));
}

#[test]
fn a_file_with_redacted_text_is_not_published() {
    let secret = token(17);
    let text = talk("Look: ![a lamp](lamp.png)");
    let attached = |name: &str| {
        format!(
            "{{\"id\": \"a-1\", \"role\": \"user\", \"messageType\": \"text\", \"content\": \"Look.\", \
             \"attachments\": [{{\"attachmentKind\": \"file\", \"id\": \"f\", \"name\": \"{name}\", \
             \"uri\": \"{name}\"}}]}}"
        )
    };
    let export = |name: &str| {
        let schema = "https://schema.cjson.dev/0/conversation/cjson-0.1.0.schema.json";
        format!(
            "{{\"schemaUrl\": \"{schema}\", \"mediaType\": \"application/vnd.cjson+json\", \
             \"conversationTitle\": \"Lists\", \"id\": \"1\", \"messages\": [{}]}}",
            attached(name)
        )
    };
    let site = site("[gate]\ncertain = \"redact\"\n", &text);
    site.write("content/lists.json", export("list.txt"));
    site.write("content/list.txt", format!("one\ntwo {secret}\n"));
    let run = site.build(0);
    assert!(run.stderr.contains("redacted-attachment"), "{}", run.stderr);
    assert!(site.output().keys().any(|path| path.contains("lists")), "{}", run.stderr);
    assert_nowhere(&site, &[&run], &parts(&secret));
    site.write("site.toml", BASE);
    let run = site.build(1);
    assert!(run.stderr.contains("content/list.txt:2:5"), "{}", run.stderr);
    let is_page = |path: &String| path.starts_with("c/") && path.contains("lists");
    assert!(!site.output().keys().any(is_page));
    assert_nowhere(&site, &[&run], &parts(&secret));
}

#[test]
fn reports_about_broken_files_quote_no_secret() {
    let secret = token(18);
    let site = SiteTest::new().file("content/good.md", talk("Yes."));
    site.write("content/a.json", format!("{{\"messages\": [{{\"role\": \"{secret}\" \"x\"}}]}}"));
    site.write("content/b.json", format!("[{{\"role\": \"{secret}\", \"content\": \"hi\"}}]"));
    site.write(
        "content/c.convo",
        format!("### @Ada\nHi\n\n----\n{{\"time\": \"{secret}\", {secret}\n"),
    );
    site.write(
        "content/d.md",
        format!("---\ntitle: [{secret}\n---\n\n**Ada:** Hi.\n\n**Bo:** Yes.\n"),
    );
    site.write("content/e.md", talk(&format!("![x]({secret}.png) [y](javascript:{secret})")));
    site.write("content/f.jsonl", format!("{{\"type\": \"user\", \"x\": \"{secret}\"\n"));
    let config = format!("{BASE}[gate]\ncertain = \"warn\"\n");
    for config in [BASE, config.as_str()] {
        site.write("site.toml", config);
        let mut runs = Vec::new();
        for format in ["human", "short", "json", "sarif", "github"] {
            runs.push(site.run(&["check", "--message-format", format]));
            runs.push(site.run(&["build", "--message-format", format]));
        }
        runs.push(site.run(&["convert", "content", "--to", "markdown", "-o", "converted"]));
        runs.push(site.run(&["import", "content/b.json"]));
        for run in &runs {
            let all = format!("{}{}", run.stdout, run.stderr);
            for part in parts(&secret) {
                assert!(!all.contains(part), "{all}");
            }
        }
    }
}

#[test]
fn the_preview_shows_no_secret() {
    let secret = token(19);
    let site = site("", &talk("The red one."));
    let preview = Preview::start(&site, &["--port", "0", "--drafts"]);
    assert!(preview.text("/base/").contains("Lamps of the harbour"));
    site.write("content/lamps.md", talk(&format!("The red one: {secret}")));
    preview.wait_for_text("/base/", |page| !page.contains("Lamps of the harbour"));
    preview.wait_for("secret-held");
    let messages = preview.messages();
    parts(&secret).into_iter().for_each(|part| assert!(!messages.contains(part), "{messages}"));
    drop(preview);
    assert_nowhere(&site, &[], &parts(&secret));
}

#[test]
fn values_of_a_file_are_found_in_every_spelling() {
    use base64::Engine as _;
    let value = "lamp & \"keeper\"/77é";
    let standard = base64::engine::general_purpose::STANDARD;
    let url = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let percent: String = value.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let spellings = [
        value.to_owned(),
        percent.to_lowercase(),
        percent,
        "lamp%20%26%20%22keeper%22%2F77%C3%A9".to_owned(),
        "lamp+%26+%22keeper%22%2F77%C3%A9".to_owned(),
        "lamp & \\\"keeper\\\"\\/77\\u00e9".to_owned(),
        "lamp \\u0026 \\\\\\\"keeper\\\\\\\"/77é".to_owned(),
        "lamp &amp; &quot;keeper&quot;/77&eacute;".to_owned(),
        "lamp &#38; &#x22;keeper&#34;&#47;77&#233;".to_owned(),
        standard.encode(value),
        standard.encode(format!("ada:{value}")),
        url.encode(format!("a:{value} and more")),
        standard.encode(format!("ab:{value}!")),
    ];
    let text: String =
        spellings.iter().map(|spelling| format!("```\n<{spelling}>\n```\n\n")).collect();
    let site = site("[gate]\ncertain = \"redact\"\n", &talk(&text));
    site.write("values.env", format!("LAMP='{value}'\n"));
    let run = site.run(&["build", "--env", "values.env"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let page = copy(&site);
    let count = page.matches("<[redacted: LAMP]>").count();
    assert_eq!(count, spellings.len(), "{page}");
}

/// Decisions about values apply whenever the values are known, and are never reported as unused
/// when they are not.
#[test]
fn decisions_about_values_of_a_file_apply_in_every_command() {
    let site = site("", &talk("It is lit by `lighthouse-keeper-77`."));
    site.write("values.env", "LAMP=lighthouse-keeper-77\n");
    let env = ["--env", "values.env"];
    let with = |command: &'static str| [&[command][..], &env].concat();
    let status = site.run(&with("status"));
    assert!(status.stdout.contains("withheld because of a secret"), "{}", status.stdout);
    let review = answered(&site, &with("review"), "a\nit is no more\n\n");
    assert_eq!(review.code, Some(0), "{}{}", review.stdout, review.stderr);
    for command in ["build", "check"] {
        for args in [vec![command], with(command)] {
            let run = site.run(&args);
            assert_eq!(run.code, Some(0), "{args:?} {}", run.stderr);
            assert!(!run.stderr.contains("unused-accept"), "{args:?} {}", run.stderr);
        }
    }
    let status = site.run(&with("status"));
    assert!(!status.stdout.contains("because of a secret"), "{}", status.stdout);
    // The value is gone, which only commands that know it can detect.
    site.write("content/lamps.md", talk("The red one."));
    assert!(!site.build(0).stderr.contains("unused-accept"));
    assert!(site.run(&with("build")).stderr.contains("unused-accept"));
    let other = site.path("other.env");
    std::fs::write(&other, "BELL=bell-ringer-of-77\n").expect("written");
    let run = site.run(&["build", "--env", "other.env"]);
    assert!(!run.stderr.contains("unused-accept"), "{}", run.stderr);
}

#[test]
fn the_preview_withholds_conversations_with_values_of_a_file() {
    let site = site("", &talk("It is lit by `lighthouse-keeper-77`."));
    site.write("values.env", "LAMP=lighthouse-keeper-77\n");
    let preview = Preview::start(&site, &["--port", "0", "--env", "values.env"]);
    assert!(!preview.text("/base/").contains("Lamps of the harbour"));
    assert!(preview.text("/base/").contains("bells"));
}

#[test]
fn no_matching_decision_is_reported_as_unused() {
    let secret = token(21);
    let config = "[gate]\ncertain = \"warn\"\n";
    let site = site(config, &talk(&format!("Take {secret}.")));
    answered(&site, &["review"], "h\n");
    let review = answered(&site, &["review"], "a\nit is an example\n\n");
    assert!(review.stderr.contains("1 decision "), "{}", review.stderr);
    let run = site.build(0);
    assert!(!run.stderr.contains("unused-accept"), "{}", run.stderr);
    assert!(has_lamps(&site));
    // A finding that was accepted again after its expiry is not asked about again.
    let gate = std::fs::read_to_string(site.path("gate.toml")).expect("text");
    let entry = gate.split("\n[[accept]]").nth(1).expect("an entry");
    let entry = format!("\n[[accept]]{entry}until = \"2020-01-01\"\n");
    site.write("gate.toml", format!("{gate}{entry}"));
    let run = site.build(0);
    assert!(!run.stderr.contains("expired-accept"), "{}", run.stderr);
    // The finding may be in a file that could not be read.
    std::fs::remove_file(site.path("content/lamps.md")).expect("removed");
    site.write("content/lamps.json", "{\"messages\": [{\"role\": \"user\", \"content\": ");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("error["), "{}", run.stderr);
    assert!(!run.stderr.contains("unused-accept"), "{}", run.stderr);
}

#[test]
fn acceptances_cannot_end_in_the_past() {
    let secret = token(22);
    let site = site("", &talk(&format!("Take {secret}.")));
    let answers = "a\nfor the fair\n2026-02-28\na\nfor the fair\n2026-03-01\n";
    let review = answered(&site, &["review", "--today", "2026-03-01"], answers);
    assert!(review.stdout.contains("That day is in the past"), "{}", review.stdout);
    let gate = std::fs::read_to_string(site.path("gate.toml")).expect("written");
    assert!(gate.contains("2026-03-01") && !gate.contains("2026-02-28"), "{gate}");
}

#[test]
fn a_reason_that_contains_a_secret_is_not_written() {
    let secret = token(23);
    let site = site("", &talk(&format!("Take {secret}.")));
    let review = answered(&site, &["review"], &format!("a\nit was {secret}\n"));
    assert!(review.stdout.contains("looks like a secret"), "{}", review.stdout);
    let gate = std::fs::read_to_string(site.path("gate.toml")).unwrap_or_default();
    assert!(!gate.contains(&secret), "{gate}");
}

#[test]
fn errors_quote_the_line_unless_it_is_private() {
    let site = site("[gate]\ncertain = \"Hold\"\n", &talk("The red one."));
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("3 | certain = \"Hold\""), "{}", run.stderr);
    site.write("site.toml", format!("{BASE}[[redact]]\nwords = [\"Acme\"]\npattern = \"(\"\n"));
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("site.toml:4:11"), "{}", run.stderr);
    assert!(!run.stderr.contains(" |"), "{}", run.stderr);
    site.write("site.toml", BASE);
    site.write("gate.toml", "key = \"12\"\n\n[[hold]]\nsecret = \"x\"\nrule = \"npm-token\"\n");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("4 | secret = \"x\""), "{}", run.stderr);
}

#[test]
fn a_single_item_is_reported_in_the_singular() {
    let config = "[gate]\npersonal = \"redact\"\n";
    let site = site(config, &talk("Write to ada@ferry.example.org."));
    let run = site.build(0);
    assert!(
        run.stderr.contains("e-mail address: one value is redacted in 1 place"),
        "{}",
        run.stderr
    );
}
