//! Conversation repositories: forks are branches, and commits have trailers.

use convo_site::diag::Severity;
use gix_hash::ObjectId;
use serde_json::{Value, json};

use crate::support::SiteTest;
use crate::support::git::GitRepository;

const SESSION: &str = "2026-02-08T14-30-05Z_researcher_abc12345.json";
const ID: &str = "ses-abc12345-6789-0abc-def0-123456789abc";

/// A repository written as vlinder does: one commit per turn.
struct Repository {
    repository: GitRepository,
    history: Vec<Value>,
    tip: Option<ObjectId>,
    question: Option<ObjectId>,
    minute: u32,
}

impl Repository {
    fn new(site: &SiteTest, folder: &str) -> Self {
        let repository = GitRepository::new(&site.path(folder));
        Self { repository, history: Vec::new(), tip: None, question: None, minute: 0 }
    }

    fn document(&self) -> String {
        let waits = self.history.last().and_then(|entry| entry.get("user"));
        json!({"open": waits, "session": ID, "agent": "researcher", "history": self.history})
            .to_string()
    }

    fn commit(&mut self, branch: &str, message: &str, entry: Value) -> ObjectId {
        self.history.push(entry);
        let files = [(SESSION, &*self.document())];
        let time = i64::from(1_770_561_000 + self.minute * 60);
        let commit = self.repository.commit(branch, &files, time, message, self.tip);
        self.tip = Some(commit);
        commit
    }

    fn at(&mut self) -> String {
        self.minute += 1;
        format!("2026-02-08T14:{:02}:00Z", 30 + self.minute)
    }

    fn user(&mut self, branch: &str, text: &str) {
        let at = self.at();
        // The submission id is that of the commit itself, so it is only in the next version of the
        // file.
        let message = format!("user\n\n{text}\n\nSession: {ID}");
        let id = self.commit(branch, &message, json!({"user": text, "at": at}));
        self.question = Some(id);
        let last = self.history.last_mut().expect("a question");
        last["submission"] = id.to_string().into();
    }

    fn agent(&mut self, branch: &str, text: &str, state: &str) {
        let at = self.at();
        let asked = self.question.expect("a question");
        let message =
            format!("agent\n\n{text}\n\nSession: {ID}\nSubmission: {asked}\nState: {state}");
        self.commit(branch, &message, json!({"agent": text, "at": at}));
    }

    fn fork(&self) -> (Vec<Value>, Option<ObjectId>) {
        (self.history.clone(), self.tip)
    }

    fn back_to(&mut self, (history, tip): (Vec<Value>, Option<ObjectId>)) {
        self.history = history;
        self.tip = tip;
    }
}

fn with_a_fork(site: &SiteTest) {
    let mut repository = Repository::new(site, "content/talks");
    repository.user("main", "Tell me about Paris");
    repository.agent("main", "Paris is a capital.", "state-one");
    let fork = repository.fork();
    repository.user("main", "How many people live there?");
    repository.agent("main", "About two million.", "state-two");
    let main = repository.document();
    repository.back_to(fork);
    repository.user("fork-a1b2c3d", "What does one eat there?");
    repository.agent("fork-a1b2c3d", "Bread, mostly.", "state-three");
    repository.user("fork-a1b2c3d", "And to drink?");
    site.write(&format!("content/talks/{SESSION}"), main);
}

#[test]
fn a_fork_is_a_branch_of_the_conversation() {
    let site = SiteTest::new();
    with_a_fork(&site);
    let run = site.build(0);
    assert!(run.stderr.contains("1 conversation"), "{}", run.stderr);
    let page = site.page("c/", "index.html");
    for text in ["About two million.", "Bread, mostly.", "And to drink?", "fork-a1b2c3d"] {
        assert!(page.contains(text), "{text}");
    }
    assert_eq!(page.matches("<p>Paris is a capital.</p>").count(), 1);
    assert!(page.contains("Version 1 of 2") && page.contains("Version 2 of 2"));
    for trailer in ["state-one", "state-two", "Submission", "Session"] {
        assert!(page.contains(trailer), "{trailer}");
    }
    assert!(page.contains("Unanswered"));
}

/// Other programs add trailers with names and e-mail addresses to any commit.
#[test]
fn email_addresses_of_committers_are_not_published() {
    let site = SiteTest::new();
    let mut repository = Repository::new(&site, "content/talks");
    repository.user("main", "Tell me about Paris");
    let people = "state-one\nSigned-off-by: Ada Byron <ada@mail.example>\n\
        Co-authored-by: Grace <grace@mail.example>\nChange-Id: I6a1f";
    repository.agent("main", "Paris is a capital.", people);
    site.write(&format!("content/talks/{SESSION}"), repository.document());
    let run = site.build(0);
    assert!(run.stderr.contains("3 metadata fields not published"), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("state-one"));
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes);
        for word in ["mail.example", "Signed-off-by", "Byron", "I6a1f"] {
            assert!(!text.contains(word), "{word} in {path}");
        }
    }
}

#[test]
fn a_private_trailer_removes_its_turn() {
    let site = SiteTest::new();
    let mut repository = Repository::new(&site, "content/talks");
    repository.user("main", "Tell me about Paris");
    repository.agent("main", "Paris is a capital.", "state-one");
    repository.user("main", "And its secret?");
    repository.agent("main", "Nobody may know.", "state-two\nPrivate: true");
    site.write(&format!("content/talks/{SESSION}"), repository.document());
    let run = site.build(0);
    assert!(run.stderr.contains("turns-held-back"), "{}", run.stderr);
    assert!(site.page("c/", "index.html").contains("Paris is a capital."));
    for (path, bytes) in site.output() {
        assert!(!String::from_utf8_lossy(&bytes).contains("Nobody may know"), "{path}");
    }
}

#[test]
fn the_default_branch_is_always_the_main_path() {
    let site = SiteTest::new();
    with_a_fork(&site);
    std::fs::write(site.path("content/talks/.git/HEAD"), "ref: refs/heads/fork-a1b2c3d\n")
        .expect("written");
    site.build(0);
    let run = site.run(&["convert", "content/talks", "--to", "json"]);
    let read: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(read["turns"][3]["text"], "About two million.");
    assert_eq!(read["branches"][0]["name"], "fork-a1b2c3d");
    assert_eq!(read["branches"][0]["after"], read["turns"][1]["id"]);
}

#[test]
fn a_broken_repository_loses_only_its_history() {
    let site = SiteTest::new();
    with_a_fork(&site);
    std::fs::write(site.path("content/talks/.git/refs/heads/main"), "0123\n").expect("written");
    let run = site.run(&["build", "--message-format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("bad-history"), "{}", run.stdout);
    assert!(run.stdout.contains(Severity::Warning.word()));
    assert!(site.page("c/", "index.html").contains("About two million."));
}

/// Repositories that refer to others, or that could block a read, are not read.
#[test]
fn a_repository_that_refers_to_others_is_not_read() {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    let elsewhere = SiteTest::new();
    type Plant = (&'static str, fn(&Path, &Path));
    let plant: [Plant; 7] = [
        ("commondir", |git, other| {
            for name in ["objects", "refs"] {
                fs::rename(git.join(name), other.join(name)).expect("moved");
            }
            fs::write(git.join("commondir"), other.to_str().expect("UTF-8")).expect("written");
        }),
        ("objects/info/alternates", |git, other| {
            fs::rename(git.join("objects"), other.join("objects2")).expect("moved");
            fs::create_dir_all(git.join("objects/info")).expect("made");
            let path = other.join("objects2");
            fs::write(git.join("objects/info/alternates"), path.to_str().expect("UTF-8"))
                .expect("written");
        }),
        ("refs", |git, other| {
            fs::rename(git.join("refs"), other.join("refs2")).expect("moved");
            symlink(other.join("refs2"), git.join("refs")).expect("a link");
        }),
        ("objects", |git, other| {
            fs::rename(git.join("objects"), other.join("objects3")).expect("moved");
            symlink(other.join("objects3"), git.join("objects")).expect("a link");
        }),
        ("HEAD", |git, _| {
            fs::remove_file(git.join("HEAD")).expect("removed");
            let made = std::process::Command::new("mkfifo").arg(git.join("HEAD")).status();
            assert!(made.expect("mkfifo").success());
        }),
        ("config", |git, other| {
            fs::rename(git.join("config"), other.join("config")).expect("moved");
            symlink(other.join("config"), git.join("config")).expect("a link");
        }),
        ("refs/heads/main", |git, other| {
            fs::rename(git.join("refs/heads/main"), other.join("main")).expect("moved");
            symlink(other.join("main"), git.join("refs/heads/main")).expect("a link");
        }),
    ];
    for (name, plant) in plant {
        let site = SiteTest::new();
        with_a_fork(&site);
        plant(&site.path("content/talks/.git"), &elsewhere.path(""));
        let run = site.run(&["build", "--message-format", "short"]);
        assert_eq!(run.code, Some(0), "{name}: {}", run.stderr);
        assert!(run.stderr.contains("bad-history"), "{name}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("`.git/{name}`")), "{name}: {}", run.stderr);
        let page = site.page("c/", "index.html");
        assert!(page.contains("About two million.") && !page.contains("Bread, mostly."));
    }
}
