//! Public repositories: what `init`, `deploy` and `import --redact` put into them.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::gate::token;
use crate::support::{BASE, Run, SiteTest, convo, files_below, run_in};

/// Secret files that `.gitignore` must list.
const SECRET: [&str; 5] = ["public/", ".convo-site/", "people.key", ".env", ".env.*"];

fn ignored(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join(".gitignore")).expect("a file");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

#[test]
fn secret_files_are_ignored_by_git() {
    for host in [None, Some("github"), Some("netlify"), Some("cloudflare"), Some("gitlab")] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut args = vec!["init", "talks"];
        args.extend(host.iter().flat_map(|host| ["--deploy", host]));
        let run = run_in(folder.path(), &args, &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let ignored = ignored(&folder.path().join("talks"));
        for line in SECRET {
            assert!(ignored.iter().any(|there| there == line), "{host:?}: {line}");
        }
        let is_public = host == Some("github");
        for line in ["content/", "site.toml", "gate.toml", "publish.toml", "publish-imported.txt"] {
            assert_eq!(ignored.iter().any(|there| there == line), is_public, "{host:?}: {line}");
        }
    }
}

#[test]
fn init_says_that_a_repository_with_sources_publishes_them() {
    let init = |args: &[&str]| {
        let folder = tempfile::tempdir().expect("a folder");
        let run = run_in(folder.path(), &[&["init", "talks"], args].concat(), &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let is_built = folder.path().join("talks/build-site.sh").is_file();
        assert!(run.stderr.contains("`content/`"), "{}", run.stderr);
        assert!(run.stderr.contains("withheld conversations"), "{}", run.stderr);
        (run.stderr, is_built)
    };
    // GitHub repositories are assumed to be public, and get only the output.
    let (github, is_built) = init(&["--deploy", "github"]);
    assert!(github.contains("--to git:gh-pages") && !is_built, "{github}");
    for host in ["github", "netlify", "cloudflare", "gitlab"] {
        let (text, is_built) = init(&["--deploy", host, "--private-repository"]);
        assert!(text.contains("keep the repository private") && is_built, "{text}");
    }
}

/// Runs git in a folder, and returns its output.
fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).args(args);
    for (name, value) in [("NAME", "Ada"), ("EMAIL", "ada@example.org")] {
        command.env(format!("GIT_AUTHOR_{name}"), value);
        command.env(format!("GIT_COMMITTER_{name}"), value);
    }
    let run = command.output().expect("git runs");
    assert!(run.status.success(), "{args:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

/// A site with a withheld conversation, in a repository whose remote is a folder.
fn in_repository() -> SiteTest {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[deploy]\nhost = \"other\"\n"))
        .file("content/a.convo", convo("The tide comes."))
        .file("content/b.convo", format!("---\nprivate: true\n---\n{}", convo("The heron key.")));
    fs::create_dir(site.path("remote")).expect("a folder");
    git(&site.path("remote"), &["init", "--quiet", "--bare"]);
    git(&site.path(""), &["init", "--quiet", "-b", "main"]);
    git(&site.path(""), &["remote", "add", "origin", "./remote"]);
    // Attributes of the repository must not change the output.
    site.write(".gitattributes", "* text eol=crlf\n");
    site.build(0);
    site
}

#[track_caller]
fn deploy(site: &SiteTest, args: &[&str], code: i32) -> Run {
    let run = site.run(&[&["deploy"], args].concat());
    assert_eq!(run.code, Some(code), "{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn a_remote_may_be_a_path_relative_to_the_repository() {
    let folder = tempfile::tempdir().expect("a folder");
    let (top, talks) = (folder.path().join("top"), folder.path().join("top/docs/talks"));
    fs::create_dir_all(talks.join("content")).expect("a folder");
    fs::create_dir(folder.path().join("remote")).expect("a folder");
    git(&folder.path().join("remote"), &["init", "--quiet", "--bare"]);
    git(&top, &["init", "--quiet", "-b", "main"]);
    git(&top, &["remote", "add", "origin", "../remote"]);
    let config = format!("{BASE}[deploy]\nhost = \"other\"\n");
    fs::write(talks.join("site.toml"), config).expect("written");
    fs::write(talks.join("content/a.convo"), convo("The tide comes.")).expect("written");
    for args in [&["build"][..], &["deploy", "--to", "git:gh-pages"]] {
        let run = run_in(&talks, args, &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let files = git(&folder.path().join("remote"), &["ls-tree", "-r", "--name-only", "gh-pages"]);
    assert!(files.lines().any(|file| file == "index.html"), "{files}");
}

#[test]
fn a_branch_gets_only_the_output_without_history() {
    let site = in_repository();
    let remote = site.path("remote");
    let to = ["--to", "git:gh-pages"];
    let dry = deploy(&site, &["--to", "git:gh-pages", "--dry-run"], 0);
    assert!(dry.stderr.contains("would push"), "{}", dry.stderr);
    assert_eq!(git(&remote, &["for-each-ref"]), "");
    deploy(&site, &to, 0);
    let checked_out = || {
        let folder = tempfile::tempdir().expect("a folder");
        let (from, to) = (remote.to_string_lossy().into_owned(), folder.path().join("x"));
        let to = to.to_string_lossy().into_owned();
        git(folder.path(), &["clone", "--quiet", "-b", "gh-pages", &from, &to]);
        let mut files = files_below(&folder.path().join("x"));
        files.retain(|path, _| !path.starts_with(".git/"));
        files
    };
    let commits = || git(&remote, &["rev-list", "--count", "gh-pages"]);
    assert_eq!(checked_out(), site.output());
    // No object in the repository contains any of the sources.
    let all = git(&remote, &["cat-file", "--batch-all-objects", "--batch"]);
    assert!(!all.contains("heron key") && all.contains("The tide comes."));
    let again = deploy(&site, &to, 0);
    assert!(again.stderr.contains("is up to date"), "{}", again.stderr);
    site.write("content/a.convo", convo("The tide goes."));
    site.build(0);
    deploy(&site, &to, 0);
    assert_eq!((checked_out(), commits()), (site.output(), "1".to_owned()));
    site.write("content/a.convo", convo("The tide turns."));
    site.build(0);
    deploy(&site, &["--to", "git:gh-pages", "--keep-history"], 0);
    assert_eq!((checked_out(), commits()), (site.output(), "2".to_owned()));
    // The branch contains no names of people.
    assert!(!git(&remote, &["log", "gh-pages"]).contains("Ada"));
}

#[test]
fn a_branch_with_other_content_is_left_alone() {
    let site = in_repository();
    let remote = site.path("remote");
    let (folder, root) = (tempfile::tempdir().expect("a folder"), site.path(""));
    git(folder.path(), &["init", "--quiet", "-b", "thesis"]);
    fs::write(folder.path().join("thesis.txt"), "years").expect("written");
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "-m", "x"]);
    git(folder.path(), &["push", "--quiet", &remote.to_string_lossy(), "thesis"]);
    let before = git(&remote, &["rev-parse", "thesis"]);
    let stderr = deploy(&site, &["--to", "git:thesis"], 2).stderr;
    assert!(stderr.contains("was not changed"), "{stderr}");
    assert_eq!(git(&remote, &["rev-parse", "thesis"]), before);
    let stderr = deploy(&site, &["--to", "git:main"], 2).stderr;
    assert!(stderr.contains("checked-out branch"), "{stderr}");
    git(&root, &["remote", "remove", "origin"]);
    let stderr = deploy(&site, &["--to", "git:gh-pages"], 2).stderr;
    assert!(stderr.contains("git remote add"), "{stderr}");
    fs::remove_dir_all(site.path(".git")).expect("removed");
    let stderr = deploy(&site, &["--to", "git:gh-pages"], 2).stderr;
    assert!(stderr.contains("git init"), "{stderr}");
}

/// A mistyped target must not create a folder.
#[test]
fn an_unknown_target_is_an_error_that_lists_the_targets() {
    let site = SiteTest::new().file("content/a.convo", convo("The tide comes."));
    site.build(0);
    let before = files_below(&site.path(""));
    for (to, near) in [
        ("netlfy", "`netlify`"),
        ("Netlify", "`netlify`"),
        ("wragler:talks", "`wrangler`"),
        ("rsnc:ada@example.org:/srv", "`rsync`"),
        ("gti:gh-pages", "`git`"),
        ("www", "`./www`"),
        ("s3://talks/x", ""),
        ("https://site.example/", ""),
        ("", ""),
        ("git", "--to git:gh-pages"),
        ("git:", "--to git:gh-pages"),
        ("git:--force", "not a valid git target"),
        ("git:a b", ""),
    ] {
        let run = site.run(&["deploy", "--to", to]);
        assert_eq!(run.code, Some(2), "{to}: {}", run.stderr);
        assert!(run.stderr.contains(near), "{to}: {}", run.stderr);
        if !to.starts_with("git") {
            for target in ["git:BRANCH", "rsync:", "rclone:", "wrangler", "netlify:SITE"] {
                assert!(run.stderr.contains(target), "{to}: {}", run.stderr);
            }
        }
        assert_eq!(files_below(&site.path("")), before, "{to}");
    }
    let run = site.run(&["deploy", "--to", "./www", "--keep-history"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

/// Everything in the folder of a site except the exports, as one text.
fn written(site: &SiteTest) -> String {
    let mut all = String::new();
    for (path, bytes) in files_below(&site.path("content")) {
        all.push_str(&format!("{path}\n{}\n", String::from_utf8_lossy(&bytes)));
    }
    all.to_lowercase()
}

#[test]
fn redacted_sources_contain_no_secret_and_no_hidden_name() {
    let secret = token(4711);
    let export = json!([{
        "conversation_id": "c-1", "id": "c-1", "title": format!("Key {secret}"), "current_node": "m-2",
        "create_time": 1_760_000_000, "update_time": 1_760_000_060,
        "mapping": {
            "m-1": {"id": "m-1", "parent": null, "children": ["m-2"], "message": {
                "id": "m-1", "author": {"role": "user"}, "create_time": 1_760_000_000,
                "content": {"content_type": "text", "parts": [
                    format!("Ada Lovelace uses {secret} for the heron deal")]}}},
            "m-2": {"id": "m-2", "parent": "m-1", "children": [], "message": {
                "id": "m-2", "author": {"role": "assistant"}, "create_time": 1_760_000_060,
                "content": {"content_type": "text", "parts": [
                    format!("```sh\nexport TOKEN={secret}\n```\nAsk ada_l.")]}}},
        },
    }]);
    let site = SiteTest::new()
        .file(
            "site.toml",
            format!(
                "{BASE}[[redact]]\nwords = [\"heron deal\"]\n[people.\"Ada Lovelace\"]\n\
                 names = [\"ada_l\"]\npseudonym = true\n"
            ),
        )
        .file("export/conversations.json", export.to_string());
    // Without the option, the file contains all of them.
    let plain = site.run(&["import", "export", ".", "--dry-run"]);
    assert_eq!(plain.code, Some(0), "{}", plain.stderr);
    let run = site.run(&["import", "export", ".", "--redact"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let all = written(&site);
    assert!(all.contains("[redacted: "), "{all}");
    for word in [&secret.to_lowercase(), "heron deal", "lovelace", "ada_l"] {
        assert!(!all.contains(word), "{word}: {all}");
        let messages = format!("{}{}", run.stdout, run.stderr).to_lowercase();
        assert!(!messages.contains(word), "{word}: {messages}");
    }
    // It is published like any other conversation, and a later import recognises it.
    site.build(0);
    let again = site.run(&["import", "export", ".", "--redact"]);
    assert!(again.stderr.contains("1 unchanged"), "{}", again.stderr);
    // The key for pseudonyms is created, and later builds use it.
    assert!(site.path("people.key").is_file());
}

#[test]
fn redacted_chats_contain_no_names_of_participants() {
    let chat = "[01.02.2024, 10:00:01] Ada Lovelace: The tide comes, Zelda.\n\
                [01.02.2024, 10:00:02] Zelda Hopper: Call +44 20 7946 0958, Ada\n\
                [01.02.2024, 10:00:03] Ada Lovelace: Lovelace out.\n";
    let site = SiteTest::new().file("export/chat.txt", chat);
    let held = site.run(&["import", "export", ".", "--redact"]);
    assert!(held.stderr.contains("private withheld"), "{}", held.stderr);
    assert_eq!(written(&site), "");
    let run = site.run(&["import", "export", ".", "--redact", "--include-private"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let all = written(&site);
    assert!(all.contains("the tide comes"), "{all}");
    for word in ["lovelace", "hopper", "zelda", "7946"] {
        assert!(!all.contains(word), "{word}: {all}");
    }
    // A conversation marked as private is in no public file.
    let site = SiteTest::new()
        .file("export/a.convo", format!("---\nprivate: true\n---\n{}", convo("The heron key.")));
    site.run(&["import", "export", ".", "--redact", "--include-private"]);
    assert_eq!(written(&site), "");
}

#[test]
fn attached_files_are_redacted_or_left_out() {
    let secret = token(99);
    let attachment =
        |name: &str| json!({"attachmentKind": "file", "id": name, "name": name, "uri": name});
    let message = json!({
        "id": "m", "role": "user", "messageType": "text", "content": "See the notes.", "index": 0,
        "attachments": [attachment("notes.txt"), attachment("plan.txt")],
    });
    let document = json!({
        "id": "one", "conversationTitle": "The mill", "messages": [message],
        "schemaUrl": "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json",
    });
    let site = SiteTest::new()
        .file("export/one.json", document.to_string())
        .file("export/notes.txt", format!("The key is {secret}\n"))
        .file("export/plan.txt", "The tide comes.\n");
    let run = site.run(&["import", "export", ".", "--redact"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let all = written(&site);
    assert!(all.contains("the tide comes.") && !all.contains(&secret.to_lowercase()), "{all}");
    assert!(run.stderr.contains("redacted-attachment"), "{}", run.stderr);
}
