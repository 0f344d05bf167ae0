//! Deployment: the URL of a site on build servers of hosts, the files with which they build it, and
//! uploads.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{BASE, Run, SiteTest, convo, files_below, project, run_in};

/// A site with one conversation and an example URL.
fn new_site(line: &str) -> SiteTest {
    SiteTest::new()
        .file("site.toml", format!("title = \"Talks\"\n{line}"))
        .file("content/a.convo", convo("The tide comes."))
}

/// Builds with these variables. Returns the URL on the home page, whether it is hidden from search
/// engines, and the output.
#[track_caller]
fn built(site: &SiteTest, args: &[&str], env: &[(&str, &str)]) -> (String, bool, String) {
    let run = site.run_with(&[&["build"], args].concat(), env);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let home = site.page("index.html", "");
    let canonical = home.split("rel=\"canonical\" href=\"").nth(1).unwrap_or_default();
    let canonical = canonical.split('"').next().expect("an end").to_owned();
    let output = site.output();
    let headers = String::from_utf8_lossy(&output["_headers"]).into_owned();
    let is_hidden = home.contains("name=\"robots\" content=\"noindex");
    let first = headers.split("\n/").next().unwrap_or_default();
    assert_eq!(first.contains("X-Robots-Tag: noindex"), is_hidden, "{headers}");
    assert_eq!(output.contains_key("sitemap.xml"), !is_hidden && !canonical.is_empty());
    let robots = String::from_utf8_lossy(&output["robots.txt"]).into_owned();
    assert_eq!(robots.contains("Sitemap:"), output.contains_key("sitemap.xml"));
    (canonical, is_hidden, run.stderr)
}

#[test]
fn options_override_variables_and_variables_override_the_file() {
    let site = new_site("base_url = \"https://talks.example.net/\"\n");
    let own = "https://talks.example.net/".to_owned();
    let (address, hidden, stderr) = built(&site, &[], &[]);
    assert_eq!((address, hidden), (own, false));
    assert!(!stderr.contains("(from "), "{stderr}");
    let env = [("CONVO_SITE_BASE_URL", "https://b.example.net/x")];
    let (address, _, stderr) = built(&site, &[], &env);
    assert_eq!(address, "https://b.example.net/x/");
    assert!(stderr.contains("for https://b.example.net/x/ (from CONVO_SITE_BASE_URL)"), "{stderr}");
    let args = ["--base-url", "https://c.example.net/"];
    assert_eq!(built(&site, &args, &env).0, "https://c.example.net/");
    // A server sets the variable to an empty string if there is no value.
    let empty = [("CONVO_SITE_BASE_URL", "")];
    assert_eq!(built(&site, &[], &empty).0, "https://talks.example.net/");
    let wrong = site.run_with(&["build"], &[("CONVO_SITE_BASE_URL", "talks")]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("CONVO_SITE_BASE_URL"), "{}", wrong.stderr);
}

/// A preview has its own URL and is hidden from search engines. The site itself never is, whatever
/// the host says.
#[test]
fn previews_of_hosts_are_recognised() {
    let own = "https://talks.example.net/";
    let netlify = |context| {
        vec![
            ("NETLIFY", "true"),
            ("CONTEXT", context),
            ("URL", "https://talks.netlify.app"),
            ("DEPLOY_PRIME_URL", "https://deploy-preview-7--talks.netlify.app"),
        ]
    };
    let pages = |branch| {
        vec![
            ("CF_PAGES", "1"),
            ("CF_PAGES_BRANCH", branch),
            ("CF_PAGES_URL", "https://373f31e2.talks.pages.dev"),
        ]
    };
    let workers = |branch| vec![("WORKERS_CI", "1"), ("WORKERS_CI_BRANCH", branch)];
    let gitlab = |request| {
        vec![
            ("GITLAB_CI", "true"),
            ("CI_MERGE_REQUEST_IID", request),
            ("CI_PAGES_URL", "https://ada.gitlab.io/talks"),
        ]
    };
    let github =
        vec![("GITHUB_ACTIONS", "true"), ("PAGES_BASE_URL", "https://ada.github.io/talks")];
    // Variables; the URL with and without a configured one; whether the site is hidden; the source
    // of the URL.
    let cases = [
        (netlify("production"), own, "https://talks.netlify.app/", false, "URL"),
        (
            netlify("deploy-preview"),
            "https://deploy-preview-7--talks.netlify.app/",
            "https://deploy-preview-7--talks.netlify.app/",
            true,
            "DEPLOY_PRIME_URL",
        ),
        (
            netlify("branch-deploy"),
            "https://deploy-preview-7--talks.netlify.app/",
            "https://deploy-preview-7--talks.netlify.app/",
            true,
            "DEPLOY_PRIME_URL",
        ),
        (pages("main"), own, "https://talks.pages.dev/", false, "CF_PAGES_URL"),
        (
            pages("eels"),
            "https://373f31e2.talks.pages.dev/",
            "https://373f31e2.talks.pages.dev/",
            true,
            "CF_PAGES_URL",
        ),
        (github, own, "https://ada.github.io/talks/", false, "PAGES_BASE_URL"),
        (workers("main"), own, "", false, ""),
        (workers("eels"), own, "", true, ""),
        (gitlab(""), own, "https://ada.gitlab.io/talks/", false, "CI_PAGES_URL"),
        (
            gitlab("7"),
            "https://ada.gitlab.io/talks/",
            "https://ada.gitlab.io/talks/",
            true,
            "CI_PAGES_URL",
        ),
    ];
    let with = new_site(&format!("base_url = \"{own}\"\n"));
    let without = new_site("");
    for (env, address_with, address_without, is_hidden, from) in cases {
        for (site, wanted) in [(&with, address_with), (&without, address_without)] {
            let (address, hidden, stderr) = built(site, &[], &env);
            assert_eq!((address.as_str(), hidden), (wanted, is_hidden), "{env:?}");
            assert_eq!(stderr.contains("a preview of"), is_hidden, "{stderr}");
            let is_reported = !from.is_empty() && wanted != own;
            assert_eq!(stderr.contains(&format!(" (from {from})")), is_reported, "{stderr}");
            // All commands use the same variables for the same site.
            let checked = site.run_with(&["check", "--publish"], &env);
            assert_eq!(checked.code, Some(0), "{}", checked.stderr);
            let status = site.run_with(&["status"], &env);
            assert!(!status.stdout.contains("have changed since"), "{}", status.stdout);
            assert!(!status.stdout.contains("has changed since"), "{}", status.stdout);
        }
    }
    // Without the variables, the site is different.
    assert_eq!(with.run(&["check", "--publish"]).code, Some(1));
}

/// Build servers of hosts leave their variables to other programs as well.
#[test]
fn a_variable_is_used_only_on_its_own_host() {
    let site = new_site("base_url = \"https://talks.example.net/\"\n");
    let stray = [
        ("URL", "https://other.example.net"),
        ("CONTEXT", "deploy-preview"),
        ("DEPLOY_PRIME_URL", "https://other.example.net"),
        ("CF_PAGES_URL", "https://other.example.net"),
        ("CF_PAGES_BRANCH", "eels"),
        ("CI_PAGES_URL", "https://other.example.net"),
        ("PAGES_BASE_URL", "https://other.example.net"),
        ("CI_MERGE_REQUEST_IID", "7"),
    ];
    let (address, hidden, _) = built(&site, &[], &stray);
    assert_eq!((address.as_str(), hidden), ("https://talks.example.net/", false));
}

#[test]
fn the_production_branch_can_be_set() {
    let env = |branch| [("CF_PAGES", "1"), ("CF_PAGES_BRANCH", branch)];
    let base = "base_url = \"https://talks.example.net/\"\n";
    let site = new_site(&format!("{base}[deploy]\nproduction_branch = \"harbour\"\n"));
    assert!(!built(&site, &[], &env("harbour")).1);
    assert!(built(&site, &[], &env("main")).1);
    let site = new_site(base);
    let (_, hidden, stderr) = built(&site, &[], &env("harbour"));
    assert!(hidden && stderr.contains("of the branch `harbour`"), "{stderr}");
    assert!(stderr.contains("`production_branch` under `[deploy]`"), "{stderr}");
}

#[test]
fn the_cache_folder_can_be_set() {
    let site = new_site("");
    let kept = site.path("kept/for talks");
    let dir = kept.to_str().expect("UTF-8");
    let run = site.run(&["build", "--cache-dir", dir]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(kept.join(".convo-site").is_dir() && !site.path(".convo-site").exists());
    let env = [("CONVO_SITE_CACHE_DIR", dir)];
    let again = site.run_with(&["build"], &env);
    assert!(again.stderr.contains("0 files written"), "{}", again.stderr);
    assert!(!site.path(".convo-site").exists());
    // A command with the same folder finds the last build.
    site.write("content/b.convo", convo("And goes."));
    let status = site.run(&["status", "--cache-dir", dir]);
    assert!(status.stdout.contains("is new since the last build"), "{}", status.stdout);
    assert!(!site.run(&["status"]).stdout.contains("since the last build"));
    let output = site.output();
    let cleaned = site.run(&["clean", "--cache-dir", dir]);
    assert_eq!(cleaned.code, Some(0), "{}", cleaned.stderr);
    assert!(!kept.join(".convo-site").exists() && site.output().is_empty());
    // The site is unchanged.
    fs::remove_file(site.path("content/b.convo")).expect("removed");
    site.build(0);
    assert_eq!(site.output(), output);
}

/// The host builds from the sources.
const BUILT: [&str; 1] = ["--private-repository"];

/// Files of a host for a site in a subfolder of a repository.
fn deployed_by(host: &str) -> (tempfile::TempDir, Run) {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join(".git")).expect("a folder");
    let run = run_in(
        folder.path(),
        &[&["init", "old talks", "--deploy", host], &BUILT[..]].concat(),
        &[],
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    (folder, run)
}

const HOSTS: [(&str, &str, &str); 4] = [
    ("github", ".github/workflows/pages.yml", "github-pages"),
    ("netlify", "netlify.toml", "netlify"),
    ("cloudflare", "wrangler.jsonc", "cloudflare-pages"),
    ("gitlab", ".gitlab-ci.yml", "gitlab-pages"),
];

#[test]
fn init_writes_the_files_of_a_host() {
    for (host, name, word) in HOSTS {
        let (folder, run) = deployed_by(host);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
        let (config, script) = (read(name), read("build-site.sh"));
        assert!(config.contains("old talks/public"), "{config}");
        assert!(!config.contains('@') || host == "github", "{config}");
        assert!(!config.contains("@SITE") && !script.contains("@"), "{config}{script}");
        assert!(script.contains("version=0.") && script.contains("site='old talks'"));
        assert!(run.stderr.contains("next steps:"), "{}", run.stderr);
        let site = read("old talks/site.toml");
        assert!(site.contains(&format!("\n[deploy]\nhost = \"{word}\"\n")), "{host}");
        let checked = run_in(folder.path(), &["check", "old talks"], &[]);
        assert_eq!(checked.code, Some(0), "{}", checked.stderr);
        // Repeating the command changes nothing; edited files are never overwritten.
        let again = ["init", "old talks", "--deploy", host, BUILT[0]];
        let run = run_in(folder.path(), &again, &[]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stderr.contains("all files already exist"), "{}", run.stderr);
        fs::write(folder.path().join(name), "# mine\n").expect("written");
        fs::remove_file(folder.path().join("build-site.sh")).expect("removed");
        let run = run_in(folder.path(), &again, &[]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("`--print`"), "{}", run.stderr);
        assert_eq!(read(name), "# mine\n");
        assert!(!folder.path().join("build-site.sh").exists());
        let printed = run_in(folder.path(), &[&again[..], &["--print"]].concat(), &[]);
        assert!(printed.stdout.contains(&config) && printed.stdout.contains(&script));
    }
}

/// A file of the same name stops `init` before it writes anything.
#[test]
fn a_new_site_does_not_replace_the_workflow_of_a_repository() {
    let site = SiteTest::new();
    let workflow = "jobs: { deploy: { steps: [{ uses: actions/deploy-pages@v5 }] } }\n";
    site.write(".git/HEAD", "ref: refs/heads/main\n");
    site.write(".github/workflows/pages.yml", workflow);
    let run = site.run(&["init", "talks", "--deploy", "github", "--private-repository"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("so nothing was written"), "{}", run.stderr);
    assert!(!site.path("talks").exists());
    // The branch of a public site would replace what the workflow publishes.
    let run = site.run(&["init", "talks", "--deploy", "github"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let note = "note: `.github/workflows/pages.yml` already publishes this repository";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    assert!(run.stderr.find(note) < run.stderr.find("next steps"), "{}", run.stderr);
    assert!(run.stderr.contains("set `base_url` in site.toml"), "{}", run.stderr);
    assert!(run.stderr.contains("--to ./static/talks"), "{}", run.stderr);
    assert!(!run.stderr.contains("gh-pages"), "{}", run.stderr);
    let url = ["--base-url", "https://ada.example/talks/"];
    let run = site.run(&[&["init", "more", "--deploy", "github"], &url[..]].concat());
    assert!(!run.stderr.contains("set `base_url`"), "{}", run.stderr);
    assert!(run.stderr.contains("1. `convo-site build more`"), "{}", run.stderr);
}

/// Both workflows would publish the repository, so the site of one of them would be lost.
#[test]
fn another_workflow_that_publishes_the_repository_is_named() {
    let site = SiteTest::new();
    let workflow = "jobs: { deploy: { steps: [{ uses: actions/deploy-pages@v5 }] } }\n";
    site.write(".git/HEAD", "ref: refs/heads/main\n");
    site.write(".github/workflows/docs.yml", workflow);
    for private in [&[][..], &BUILT] {
        let args = ["init", "talks", "--deploy", "github"];
        let run = site.run(&[&args[..], private].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let note = "note: `.github/workflows/docs.yml` already publishes this repository";
        assert!(run.stderr.contains(note), "{}", run.stderr);
    }
}

#[test]
fn hosts_that_build_the_site_have_no_output_folder() {
    for host in ["github", "netlify", "cloudflare", "gitlab"] {
        let site = SiteTest::new();
        let run = site.run(&["init", "talks", "--deploy", host, "-o", "out"]);
        assert_eq!(run.code, Some(2), "{host}: {}", run.stderr);
        assert!(run.stderr.contains("`-o` applies only to"), "{}", run.stderr);
        assert!(!site.path("talks").exists());
    }
}

#[test]
fn an_existing_site_can_get_the_files_of_a_host() {
    let site = new_site("");
    let sum = "ab".repeat(32);
    let run = site.run(&["init", ".", "--deploy", "netlify", "--sha256", &sum]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let stderr = &run.stderr;
    assert!(stderr.contains("`host = \"netlify\"`"), "{stderr}");
    let script = fs::read_to_string(site.path("build-site.sh")).expect("a script");
    assert!(script.contains(&sum) && script.contains("site='.'"), "{script}");
    let config = fs::read_to_string(site.path("netlify.toml")).expect("a file");
    assert!(config.contains("publish = \"public\""), "{config}");
    let kept = fs::read_to_string(site.path("site.toml")).expect("a file");
    assert_eq!(kept, "title = \"Talks\"\n");
    assert_eq!(site.run(&["init", ".", "--deploy", "gitlab", "--sha256", "x"]).code, Some(2));
    assert_eq!(site.run(&["init", "."]).code, Some(2));
}

/// A build knows every file that the command wrote for a host.
#[test]
fn a_build_does_not_report_the_files_of_a_host_as_unused() {
    for host in ["github", "netlify", "cloudflare", "gitlab", "caddy", "nginx"] {
        let site = new_site("");
        let args = ["init", ".", "--deploy", host];
        let private: &[&str] = if host == "github" { &BUILT } else { &[] };
        let run = site.run(&[&args[..], private].concat());
        assert_eq!(run.code, Some(0), "{host}: {}", run.stderr);
        let run = site.build(0);
        assert!(!run.stderr.contains("unknown-file"), "{host}: {}", run.stderr);
    }
}

/// A future release in a folder: an archive of this program, and its checksum.
#[cfg(target_os = "linux")]
fn release(folder: &Path) -> (String, String) {
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("convo-site-{version}");
    let archive = format!("{name}-{}-unknown-linux-musl.tar.gz", std::env::consts::ARCH);
    let place = folder.join(format!("v{version}"));
    fs::create_dir_all(place.join(&name)).expect("folders");
    let program = env!("CARGO_BIN_EXE_convo-site");
    fs::hard_link(program, place.join(&name).join("convo-site"))
        .or_else(|_| fs::copy(program, place.join(&name).join("convo-site")).map(|_| ()))
        .expect("a copy");
    let done = |command: &mut Command| {
        let output = command.current_dir(&place).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    done(Command::new("tar").env("GZIP", "-1").args(["-czf", &archive, &name]));
    let sum = done(Command::new("sha256sum").arg(&archive));
    let sum = sum.split(' ').next().expect("a sum").to_owned();
    (format!("file://{}", folder.display()), sum)
}

/// The script for all hosts installs only the pinned version.
#[cfg(target_os = "linux")]
#[test]
fn the_script_of_hosts_installs_builds_and_checks() {
    let (folder, _) = deployed_by("netlify");
    let root = folder.path();
    let (releases, sum) = release(&root.join("releases"));
    let script = |env: &[(&str, &str)]| {
        let output = Command::new("sh")
            .arg("build-site.sh")
            .current_dir(root)
            .env("CONVO_SITE_KEEP", root.join("kept"))
            .env("GITHUB_ACTIONS", "")
            .envs(env.iter().copied())
            .output()
            .expect("sh runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), stderr)
    };
    let (code, stderr) = script(&[]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("no release is named"), "{stderr}");
    let (code, stderr) = script(&[("CONVO_SITE_RELEASES", &releases)]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("no SHA-256 is pinned"), "{stderr}");
    let other = "0".repeat(64);
    let env = [("CONVO_SITE_RELEASES", &*releases), ("CONVO_SITE_SHA256", &*other)];
    let (code, stderr) = script(&env);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("does not match the pinned SHA-256"), "{stderr}");
    assert!(!root.join("old talks/public").exists());
    let env = [("CONVO_SITE_RELEASES", &*releases), ("CONVO_SITE_SHA256", &*sum)];
    let (code, stderr) = script(&env);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("passed the check"), "{stderr}");
    let first = files_below(&root.join("old talks/public"));
    assert!(first.contains_key("index.html"));
    // A host discards the checkout and keeps its cache folder.
    fs::remove_dir_all(root.join("old talks/public")).expect("removed");
    let (code, stderr) = script(&env);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("; 0 files written"), "{stderr}");
    assert_eq!(files_below(&root.join("old talks/public")), first);
    // A site that must not be published is not.
    let broken = "{\"messages\": [";
    fs::write(root.join("old talks/content/broken.json"), broken).expect("written");
    assert_eq!(script(&env).0, Some(1));
}

/// The script uses a program of the right version, however much its `--version` prints.
#[cfg(unix)]
#[test]
fn the_script_of_hosts_uses_an_installed_program_of_its_version() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, _) = deployed_by("netlify");
    let root = folder.path();
    let installed = |programs: &Path, version: &str| {
        let path = std::env::var("PATH").expect("a PATH");
        let output = Command::new("sh")
            .arg("build-site.sh")
            .current_dir(root)
            .env("PATH", format!("{}:{path}", programs.display()))
            .env("CONVO_SITE_VERSION", version)
            .env("CONVO_SITE_KEEP", "")
            .env("GITHUB_ACTIONS", "")
            .output()
            .expect("sh runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), stderr)
    };
    let program = Path::new(env!("CARGO_BIN_EXE_convo-site"));
    let (code, stderr) = installed(program.parent().expect("a folder"), env!("CARGO_PKG_VERSION"));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("passed the check"), "{stderr}");
    for (printed, code) in [
        ("convo-site 0.9.1", 0),
        ("convo-site 0.9.1 (0123abc)", 0),
        ("convo-site 0.9.1\nfeatures: git", 0),
        ("convo-site 0.9.1 (0123abc)\nfeatures: git", 0),
        ("convo-site 0.9.10\nfeatures: git", 2),
        ("convo-site 0.9\nfeatures: git", 2),
        ("convo-site 0.9.2\nconvo-site 0.9.1", 2),
    ] {
        let other = tempfile::tempdir().expect("a folder");
        let path = other.path().join("convo-site");
        fs::write(&path, format!("#!/bin/sh\ncat <<'END'\n{printed}\nEND\n")).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
        let (got, stderr) = installed(other.path(), "0.9.1");
        assert_eq!(got, Some(code), "{printed:?}: {stderr}");
    }
}

#[test]
#[ignore = "needs actionlint: ACTIONLINT names the program"]
fn workflows_pass_their_linter() {
    let program = std::env::var("ACTIONLINT").expect("ACTIONLINT names the program");
    let (folder, _) = deployed_by("github");
    let written = folder.path().join(".github/workflows/pages.yml");
    // An action is tested by a workflow that uses it.
    let uses = folder.path().join(".github/workflows/uses.yml");
    fs::copy(project().join("action.yml"), folder.path().join("action.yml")).expect("copied");
    let text = "on: push\npermissions:\n  contents: read\njobs:\n  build:\n    runs-on: ubuntu-latest\n\
                \x20   steps:\n      - uses: ./\n        id: site\n        with:\n          site: talks\n\
                \x20         sha256: abc\n      - run: ls \"$OUT\"\n        env:\n\
                \x20         OUT: ${{ steps.site.outputs.output }}\n";
    fs::write(&uses, text).expect("written");
    let own = project().join(".github/workflows/ci.yml");
    let output = Command::new(program)
        .current_dir(folder.path())
        .args([&written, &uses, &own])
        .output()
        .expect("actionlint runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}");
}

/// The action and the workflow use the same versions of other actions.
#[test]
fn the_action_and_the_workflow_use_the_same_versions() {
    let (folder, _) = deployed_by("github");
    let read = |path: &Path| fs::read_to_string(path).expect("a file");
    let workflow = read(&folder.path().join(".github/workflows/pages.yml"));
    let action = read(&project().join("action.yml"));
    let uses = |text: &str| -> BTreeMap<String, String> {
        let lines = text.lines().filter_map(|line| line.split("uses: actions/").nth(1));
        let pairs = lines.filter_map(|name| name.trim().split_once('@'));
        pairs.map(|(name, major)| (name.to_owned(), major.to_owned())).collect()
    };
    let (ours, theirs) = (uses(&action), uses(&workflow));
    assert!(ours.len() >= 4);
    for (name, major) in ours {
        assert_eq!(theirs.get(&name), Some(&major), "{name}");
    }
    assert!(action.contains(&format!("default: {}\n", env!("CARGO_PKG_VERSION"))));
    // The permissions of each job, and no others that allow writing.
    assert_eq!(workflow.matches(": write").count(), 2, "{workflow}");
    let deploy = workflow.split("\n  deploy:\n").nth(1).expect("a job of its own");
    assert_eq!(deploy.matches(": write").count(), 2);
    assert!(workflow.contains("cancel-in-progress: ${{ github.event_name == 'pull_request' }}"));
}

/// A publishable site, and the folder it is published to.
fn published() -> SiteTest {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}[deploy]\nhost = \"other\"\n"))
        .file("content/a.convo", convo("The tide comes."))
        .file("content/b.convo", convo("The tide goes."));
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
fn deploying_to_a_folder_copies_changes_and_removes_old_files() {
    let site = published();
    let there = || files_below(&site.path("www"));
    let dry = deploy(&site, &["--to", "./www", "--dry-run"], 0);
    assert!(!site.path("www").exists());
    let lines: Vec<&str> = dry.stdout.lines().collect();
    assert_eq!(lines.len(), site.output().len() - 1, "all but the list: {lines:?}");
    // Assets are uploaded before all pages.
    let first_page = lines.iter().position(|line| line.ends_with(".html"));
    let first_page = first_page.expect("a page");
    assert!(lines[first_page..].iter().all(|line| line.ends_with(".html")));
    deploy(&site, &["--to", "./www"], 0);
    assert_eq!(there(), site.output());
    let again = deploy(&site, &["--to", "./www"], 0);
    assert!(again.stderr.contains("0 new, 0 changed, 0 removed"), "{}", again.stderr);
    // Files of others are kept.
    site.write("www/theirs/index.html", "theirs");
    fs::remove_file(site.path("content/b.convo")).expect("removed");
    site.write("content/c.convo", convo("The moon."));
    site.build(0);
    let dry = deploy(&site, &["--to", "./www", "-n"], 0);
    let kinds: Vec<char> = dry.stdout.lines().filter_map(|l| l.chars().next()).collect();
    let mut sorted = kinds.clone();
    sorted.sort_by_key(|kind| "+~-".find(*kind));
    assert!(kinds == sorted && kinds.contains(&'-') && kinds.contains(&'~'));
    deploy(&site, &["--to", "./www"], 0);
    let mut now = there();
    assert_eq!(now.remove("theirs/index.html").as_deref(), Some(&b"theirs"[..]));
    assert_eq!(now, site.output());
    // A file is replaced by a folder.
    site.write("static/map", "a file");
    site.build(0);
    deploy(&site, &["--to", "./www"], 0);
    fs::remove_file(site.path("static/map")).expect("removed");
    site.write("static/map/north.txt", "a folder");
    site.build(0);
    deploy(&site, &["--to", "./www"], 0);
    assert_eq!(there()["map/north.txt"], b"a folder");
}

#[test]
fn sites_that_may_not_be_published_are_not_deployed() {
    let site = published();
    site.write("content/b.convo", convo("Another text."));
    let run = deploy(&site, &["--to", "./www"], 1);
    assert!(run.stderr.contains("nothing was deployed"), "{}", run.stderr);
    assert!(run.stderr.contains("stale-output") && !site.path("www").exists());
    site.build(0);
    // A file of someone else is in the way.
    site.write("www/index.html", "theirs");
    let run = deploy(&site, &["--to", "./www"], 2);
    assert!(run.stderr.contains("nothing was written"), "{}", run.stderr);
    assert_eq!(files_below(&site.path("www")).len(), 1);
    for wrong in ["public", "public/below", ".", "content", "content/below", "", "rsync"] {
        let run = deploy(&site, &["--to", wrong], 2);
        assert!(!run.stderr.contains("internal"), "{}", run.stderr);
    }
    for wrong in ["rsync:--rsh=touch x", "netlify:-x", "rclone:a\nb"] {
        deploy(&site, &["--to", wrong], 2);
    }
    let run = deploy(&site, &["--to", "rsync:ada@example.org/srv"], 2);
    assert!(run.stderr.contains("`rsync:ada@example.org:FOLDER`"), "{}", run.stderr);
    let private = deploy(&site, &["--to", "./www", "--include-private"], 2);
    assert!(private.stderr.contains("--include-private"), "{}", private.stderr);
}

#[cfg(unix)]
#[test]
fn deploying_follows_no_symbolic_links() {
    let site = published();
    site.write("elsewhere/kept.txt", "kept");
    fs::create_dir(site.path("www")).expect("a folder");
    std::os::unix::fs::symlink(site.path("elsewhere"), site.path("www/c")).expect("a link");
    deploy(&site, &["--to", "./www"], 2);
    assert_eq!(files_below(&site.path("elsewhere")).len(), 1);
}

/// A program with that name, first in the path. It records its arguments, one per line, and its
/// standard input.
#[cfg(unix)]
fn stand_in(site: &SiteTest, name: &str, code: i32) -> String {
    use std::os::unix::fs::PermissionsExt;
    let log = site.path("log.txt");
    let script = format!(
        "#!/bin/sh\nfor arg in \"$@\"; do printf '%s\\n' \"$arg\" >>'{0}'; done\n\
         case \"$*\" in *files-from*) tr '\\0' '\\n' >>'{0}';; esac\necho ---- >>'{0}'\nexit {code}\n",
        log.display()
    );
    site.write(&format!("bin/{name}"), script);
    let program = site.path(&format!("bin/{name}"));
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).expect("a program");
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}", site.path("bin").display())
}

#[cfg(unix)]
#[test]
fn external_programs_run_without_a_shell() {
    let runs = |site: &SiteTest| -> Vec<Vec<String>> {
        let log = fs::read_to_string(site.path("log.txt")).unwrap_or_default();
        let runs = log.split("----\n").filter(|run| !run.is_empty());
        runs.map(|run| run.lines().map(str::to_owned).collect()).collect()
    };
    let hostile = "a b;$(touch owned)'\"";
    let cases = [
        (format!("netlify:{hostile}"), "netlify", vec!["deploy", "--prod", "--no-build"]),
        ("netlify".to_owned(), "netlify", vec!["deploy", "--prod", "--no-build"]),
        (format!("wrangler:{hostile}"), "wrangler", vec!["pages", "deploy"]),
        ("wrangler".to_owned(), "wrangler", vec!["deploy", "--assets"]),
    ];
    for (to, name, start) in cases {
        let site = published();
        let path = stand_in(&site, name, 0);
        let dry = site.run_with(&["deploy", "--to", &to, "-n"], &[("PATH", &path)]);
        assert_eq!(dry.code, Some(0), "{}", dry.stderr);
        assert!(dry.stdout.starts_with(&format!("{name} {}", start[0])), "{}", dry.stdout);
        assert!(runs(&site).is_empty(), "a dry run runs nothing");
        let run = site.run_with(&["deploy", "--to", &to], &[("PATH", &path)]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let runs = runs(&site);
        assert_eq!(runs[0], ["--version"]);
        assert_eq!(runs[1][..start.len()], start, "{runs:?}");
        if to.contains(hostile) {
            assert!(runs[1].iter().any(|arg| arg.ends_with(hostile)), "{runs:?}");
        }
        assert!(!site.path("owned").exists());
        // A failing program is reported and is not a success.
        let path = stand_in(&site, name, 7);
        let run = site.run_with(&["deploy", "--to", &to], &[("PATH", &path)]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains("failed with exit code 7"), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn assets_are_uploaded_before_the_pages_that_use_them() {
    for (to, name) in [("rsync:h:/srv/talks", "rsync"), ("rclone:h:talks", "rclone")] {
        let site = published();
        let path = stand_in(&site, name, 0);
        let run = site.run_with(&["deploy", "--to", to], &[("PATH", &path)]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let log = fs::read_to_string(site.path("log.txt")).expect("a log");
        let runs: Vec<&str> = log.split("----\n").collect();
        let sent: Vec<&&str> = runs.iter().filter(|run| run.contains("files-from")).collect();
        assert_eq!(sent.len(), 4, "{log}");
        for (run, (is_new, is_page)) in
            sent.iter().zip([(true, false), (true, true), (false, false), (false, true)])
        {
            assert_eq!(run.contains("--ignore-existing"), is_new, "{run}");
            assert_eq!(run.lines().any(|line| line == "index.html"), is_page, "{run}");
            assert_eq!(run.lines().any(|line| line == "robots.txt"), !is_page, "{run}");
        }
        // The list of our files is copied first and last.
        let lists = runs.iter().filter(|run| run.contains(".convo-site-files")).count();
        assert_eq!(lists, 3, "{log}");
    }
}

#[cfg(unix)]
#[test]
fn a_server_that_cannot_be_reached_gets_nothing() {
    for (to, name) in [("rsync:h:/srv/talks", "rsync"), ("rclone:h:talks", "rclone")] {
        let site = published();
        let path = stand_in(&site, name, 12);
        for options in [&["deploy", "--to", to][..], &["deploy", "--to", to, "-n"]] {
            let run = site.run_with(options, &[("PATH", &path)]);
            assert_eq!(run.code, Some(2), "{}", run.stderr);
            assert!(run.stderr.contains("nothing was uploaded"), "{}", run.stderr);
            assert!(!run.stderr.contains("incomplete"), "{}", run.stderr);
        }
    }
}

#[test]
fn a_missing_program_is_reported_with_a_hint() {
    let site = published();
    let nowhere = [("PATH", "/nonexistent")];
    for (to, hint) in [
        ("rsync:h:/srv/talks", "package `rsync`"),
        ("rclone:h:talks", "https://rclone.org/install/"),
        ("wrangler", "npm install --global wrangler"),
        ("netlify", "npm install --global netlify-cli"),
    ] {
        let run = site.run_with(&["deploy", "--to", to], &nowhere);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(hint), "{}", run.stderr);
    }
}

/// Uses the real program if it is installed.
#[cfg(unix)]
#[test]
fn rsync_uploads_changes_and_removes_old_files() {
    if Command::new("rsync").arg("--version").output().is_err() {
        return;
    }
    let site = published();
    let www = site.path("srv/www");
    let to = format!("rsync:{}", www.display());
    let there = || files_below(&www);
    let dry = deploy(&site, &["--to", &to, "-n"], 0);
    assert!(dry.stdout.contains("index.html") && !www.exists(), "{}", dry.stdout);
    deploy(&site, &["--to", &to], 0);
    assert_eq!(there(), site.output());
    site.write("srv/www/theirs.txt", "theirs");
    let mut before = there();
    fs::remove_file(site.path("content/b.convo")).expect("removed");
    site.write("content/c.convo", convo("The moon."));
    site.build(0);
    let dry = deploy(&site, &["--to", &to, "-n"], 0);
    assert!(dry.stdout.contains("deleting"), "{}", dry.stdout);
    assert_eq!(there(), before);
    deploy(&site, &["--to", &to], 0);
    before = there();
    assert_eq!(before.remove("theirs.txt").as_deref(), Some(&b"theirs"[..]));
    let files = |all: BTreeMap<String, Vec<u8>>| all.into_keys().collect::<Vec<_>>();
    assert_eq!(files(before.clone()), files(site.output()));
    assert_eq!(before, site.output());
}
