//! Commands, exit codes and message formats.

use serde_json::Value;
use snapbox::{assert_data_eq, str};

use crate::support::{SiteTest, convo, files_below, project, run_in};

#[test]
fn a_build_prints_a_summary() {
    let site = SiteTest::new().file("content/a.convo", convo("Hello."));
    let run = site.build(0);
    assert_eq!(run.stdout, "");
    let line = run.stderr.trim();
    assert!(line.starts_with("built 1 conversation: 12 pages, "), "{line}");
    assert!(line.ends_with("; no warnings"), "{line}");
}

#[test]
fn exit_codes_distinguish_findings_and_failures() {
    let warned = SiteTest::new().file("content/a.convo", format!("hm\n\n{}", convo("Hello.")));
    assert_eq!(warned.run(&["build"]).code, Some(0));
    assert_eq!(warned.run(&["check"]).code, Some(0));
    assert_eq!(warned.run(&["check", "--deny-warnings"]).code, Some(1));
    assert_eq!(warned.run(&["build", "--deny-warnings"]).code, Some(1));
    let broken = SiteTest::new().file("content/a.convo", "### @Ada\n");
    assert_eq!(broken.run(&["check"]).code, Some(1));
    assert_eq!(broken.run(&["build"]).code, Some(1));
    assert!(broken.path("public/index.html").is_file(), "the rest is built");
    assert_eq!(broken.run(&["build", "nowhere"]).code, Some(2));
    assert_eq!(broken.run(&["frobnicate"]).code, Some(2));
    let toml = SiteTest::new().file("site.toml", "title = \n");
    assert_eq!(toml.run(&["build"]).code, Some(2));
    assert!(!toml.path("public").exists());
}

#[test]
fn every_code_is_explained() {
    let list = run_in(project(), &["explain"], &[]);
    assert_eq!(list.code, Some(0));
    let names: Vec<&str> =
        list.stdout.lines().skip(1).filter_map(|line| line.split(' ').next()).collect();
    assert!(names.len() > 100 && names.is_sorted(), "{names:?}");
    let one = run_in(project(), &["explain", "bad-json"], &[]);
    assert!(one.stdout.starts_with("error[bad-json]: "), "{}", one.stdout);
    assert!(one.stdout.lines().all(|line| line.len() <= 80), "{}", one.stdout);
    let slip = run_in(project(), &["explain", "bad-jason"], &[]);
    assert_eq!(slip.code, Some(2));
    assert!(slip.stderr.contains("did you mean `bad-json`?"), "{}", slip.stderr);
    // Every code in the table is used in the source. A code without a row makes other tests fail.
    let source: String = files_below(&project().join("src"))
        .into_iter()
        .filter(|(path, _)| !path.ends_with("diag/codes.rs"))
        .map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    let stale: Vec<&str> =
        names.into_iter().filter(|name| !source.contains(&format!("\"{name}\""))).collect();
    assert!(stale.is_empty(), "{stale:?}");
}

#[test]
fn a_full_url_on_the_same_host_may_be_another_site() {
    let text = convo("[there](https://example.org/other/)").replace("Ada: ", "");
    let site = SiteTest::new()
        .file("site.toml", "title = 'x'\nbase_url = 'https://example.org/talks/'\n")
        .file("content/a.convo", text);
    let run = site.run(&["check"]);
    assert!(!run.stderr.contains("outside-base"), "{}", run.stderr);
}

#[test]
fn check_writes_nothing() {
    let site = SiteTest::new().file("content/a.convo", convo("Hello."));
    assert_eq!(site.run(&["check"]).code, Some(0));
    assert!(!site.path("public").exists() && !site.path(".convo-site").exists());
}

#[test]
fn verbose_shows_every_diagnostic_and_the_time_of_each_phase() {
    let site = SiteTest::new();
    for number in 0..12 {
        site.write(&format!("content/{number}.convo"), convo("### @Ada\nhi"));
    }
    let count = |text: &str| text.matches("[empty-turn]").count();
    let normal = site.run(&["build"]);
    assert_eq!(count(&normal.stderr), 10, "{}", normal.stderr);
    let verbose = site.run(&["build", "--verbose"]);
    assert_eq!(count(&verbose.stderr), 12, "{}", verbose.stderr);
    for phase in ["reading", "planning", "writing"] {
        assert!(verbose.stderr.contains(&format!("{phase} took 0.")), "{}", verbose.stderr);
    }
    let quiet = site.run(&["build", "--quiet"]);
    assert!(!quiet.stderr.contains("took") && count(&quiet.stderr) == 0, "{}", quiet.stderr);
    assert_eq!(site.run(&["build", "-q", "-v"]).code, Some(2));
}

#[test]
fn diagnostics_that_are_not_shown_name_the_option_that_shows_them() {
    let site = SiteTest::new()
        .file(
            "content/chatgpt/user.json",
            r#"{"id": "user-x", "email": "ada@example.org", "chatgpt_plus_user": true}"#,
        )
        .file(
            "content/claude/users.json",
            r#"[{"uuid": "u", "full_name": "Ada", "email_address": "ada@example.org"}]"#,
        );
    let count = |text: &str| text.matches("[account-data]").count();
    let normal = site.run(&["build"]).stderr;
    assert_eq!(count(&normal), 1, "{normal}");
    assert!(normal.contains("1 more of `account-data`; `--verbose` shows them"), "{normal}");
    let verbose = site.run(&["build", "--verbose"]).stderr;
    assert_eq!(count(&verbose), 2, "{verbose}");
}

#[test]
fn messages_come_in_every_format() {
    let text = convo("[x](javascript:1)").replace("Ada\"]", "Ad\"]");
    let site = SiteTest::new().file("content/a.convo", text);
    let run = |format: &str| site.run(&["check", "--message-format", format]);
    assert_data_eq!(
        run("human").stderr,
        str![[r#"
error[undeclared-speaker]: `Ada` speaks but is not listed in `participants`
  --> content/a.convo:1:1
  |
1 | ### @Ada
  | ^^^^^^^^
  = help: did you mean `Ad`?

error[silent-participant]: participant `Ad` never speaks
  --> content/a.convo:5:59
  |
5 | {"type": "dialog", "time": "2026-01-02", "participants": ["Ad"]}
  |                                                           ^^^^
  = help: did you mean `Ada`?

checked 0 conversations in [..] s; read 0 of 1 file; 1 could not be read; 2 errors

"#]]
    );
    assert_data_eq!(
        run("short").stderr,
        str![[r#"
content/a.convo:1:1: error[undeclared-speaker]: `Ada` speaks but is not listed in `participants`
content/a.convo:5:59: error[silent-participant]: participant `Ad` never speaks
checked 0 conversations in [..] s; read 0 of 1 file; 1 could not be read; 2 errors

"#]]
    );
    let json: Value = serde_json::from_str(&run("json").stdout).expect("JSON");
    assert_eq!(json[0]["file"], "content/a.convo");
    assert_eq!((&json[0]["line"], &json[0]["column"]), (&1.into(), &1.into()));
    assert_eq!(json[1]["code"], "silent-participant");
    assert_data_eq!(
        run("github").stdout,
        str![[r#"
::error title=undeclared-speaker,file=content/a.convo,line=1,col=1,endColumn=9::`Ada` speaks but is not listed in `participants`%0Ahelp: did you mean `Ad`?
::error title=silent-participant,file=content/a.convo,line=5,col=59,endColumn=63::participant `Ad` never speaks%0Ahelp: did you mean `Ada`?

"#]]
    );
    let sarif: Value = serde_json::from_str(&run("sarif").stdout).expect("JSON");
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "content/a.convo");
    assert_eq!(place["region"]["startLine"], 1);
}

#[test]
fn file_names_and_texts_are_escaped_in_the_terminal() {
    let site = SiteTest::new().file("content/a\u{1b}]0;x.convo", "### @A\u{1b}[31m\nx\n");
    let run = site.run(&["check"]);
    assert!(!run.stderr.contains('\u{1b}'), "{:?}", run.stderr);
}

#[test]
fn a_wrong_key_is_reported_with_its_position() {
    let site = SiteTest::new().file("site.toml", "base_url = 'https://a.example'\ntilte = 'x'\n");
    let run = site.run(&["check", "--message-format", "short"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("site.toml:2:1: error[unknown-key]"), "{}", run.stderr);
}

#[test]
fn init_creates_a_site_that_builds_and_overwrites_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(run_in(folder.path(), &["init", "new"], &[]).code, Some(0));
    let made = files_below(&folder.path().join("new"));
    assert_eq!(made.keys().filter(|name| name.ends_with(".convo")).count(), 2);
    let built = run_in(folder.path(), &["build", "new"], &[]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    // Only the URL must be edited in a new site.
    assert_eq!(built.stderr.matches("warning[").count(), 1, "{}", built.stderr);
    assert!(built.stderr.contains("warning[example-base-url]"), "{}", built.stderr);
    let again = run_in(folder.path(), &["init", "new"], &[]);
    assert_eq!(again.code, Some(2), "{}", again.stderr);
    for expected in
        ["`new` is already a site", "`convo-site init new --deploy HOST`", "`github`", "`nginx`"]
    {
        assert!(again.stderr.contains(expected), "{expected}: {}", again.stderr);
    }
    assert_eq!(again.code, Some(2));
    let kept = files_below(&folder.path().join("new"));
    assert!(made.iter().all(|(name, bytes)| kept[name] == *bytes));
}

#[test]
fn convert_prints_the_neutral_form() {
    let site = SiteTest::new().file("content/a.convo", convo(r"Say \#\#\# @you."));
    let run = site.run(&["convert", "content/a.convo", "--to", "json"]);
    assert_data_eq!(
        run.stdout.clone(),
        str![[r#"
{
  "source": "content/a.convo",
  "title": null,
  "type": "dialog",
  "time": "2026-01-02",
  "languages": [],
  "speculative_languages": [],
  "private": false,
  "participants": [
    {
      "name": "Ada",
      "kind": "person",
      "model": null
    }
  ],
  "preface": "",
  "turns": [
    {
      "id": "[..]",
      "speaker": "Ada",
      "time": null,
      "text": "Say ### @you.",
      "blocks": [
        {
          "kind": "markdown",
          "text": "Say ### @you."
        }
      ]
    }
  ],
  "extra": {}
}

"#]]
    );
    let convo = site.run(&["convert", "content/a.convo", "--to", "convo"]);
    site.write("b.convo", &convo.stdout);
    let again = site.run(&["convert", "b.convo", "--to", "json"]).stdout;
    assert_eq!(again.replace("\"b.convo\"", "\"content/a.convo\""), run.stdout);
    assert_eq!(site.run(&["convert", "nowhere.convo", "--to", "json"]).code, Some(2));
}

#[test]
fn the_reference_configuration_names_every_key() {
    let text = std::fs::read_to_string(project().join("site.toml")).expect("site.toml");
    let site = SiteTest::new().file("site.toml", text);
    // With the defaults, the only problem is the missing `base_url`.
    let run = site.run(&["check", "--message-format", "short"]);
    let codes: Vec<_> = run.stderr.lines().filter(|line| line.contains('[')).collect();
    assert_eq!(codes.len(), 2, "{codes:?}");
    assert!(codes[0].contains("no-content") && codes[1].contains("no-base-url"), "{codes:?}");
}

#[test]
fn the_output_cannot_replace_the_sources() {
    let site = SiteTest::new().file("content/a.convo", convo("Hello."));
    for out in [".", "content", "content/x", "..", "templates"] {
        let run = site.run(&["build", ".", "-o", out]);
        assert_eq!(run.code, Some(2), "{out}: {}", run.stderr);
    }
}
