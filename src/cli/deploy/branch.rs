//! `deploy --to git:BRANCH`: a branch that holds the files of the site and nothing else.
//!
//! The sources are never part of it. Its one commit replaces the one before, so that what was removed
//! from the site is in no history, unless the history is asked for.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::Failure;
use crate::diag::emit::visible;
use crate::disk::{self, LIST_NAME, OutputState, TransferPlan};
use crate::text::plural;

/// The remote repository that gets the branch.
const REMOTE: &str = "origin";
/// The index from which the commit is made, and the list of the files, in the folder for deploys.
const INDEX: &str = "index";
/// The author of commits: the branch is public.
const AUTHOR: [&str; 2] = ["convo-site", "convo-site@localhost"];

/// A branch to which a site goes.
pub(super) struct Branch<'a> {
    git: Git,
    name: &'a str,
    /// The commit that it is at in the remote repository.
    tip: Option<String>,
}

impl<'a> Branch<'a> {
    /// Finds a branch in the repository that the folder of a site is in. The error says that it must not
    /// be replaced: it holds something other than a site.
    pub(super) fn find(site: &Path, name: &'a str) -> Result<Self, Failure> {
        let mut git = Git { folder: site.to_owned(), repository: None, index: None };
        let found = git.output(&["rev-parse", "--absolute-git-dir"], &[]);
        let found = found.map_err(|failure| match failure {
            Failed::Start(failure) => failure,
            Failed::Code(_) => Failure::Usage(
                "the site is in no git repository; make one with `git init`, and name where it \
                 goes with `git remote add origin URL`"
                    .to_owned(),
            ),
        })?;
        git.repository = Some(PathBuf::from(found));
        let full = format!("refs/heads/{name}");
        git.output(&["check-ref-format", &full], &[])
            .map_err(|_| Failure::Usage(format!("`{name}` is not the name of a branch")))?;
        let head = git.output(&["symbolic-ref", "--quiet", "HEAD"], &[]);
        if head.is_ok_and(|head| head == full) {
            return Err(Failure::Usage(format!(
                "`{name}` is the branch that is checked out, with the sources; name another one, \
                 such as `--to git:gh-pages`"
            )));
        }
        if git.output(&["remote", "get-url", REMOTE], &[]).is_err() {
            return Err(Failure::Usage(format!(
                "the repository has no remote `{REMOTE}`; name where it goes with `git remote add \
                 {REMOTE} URL`"
            )));
        }
        let listed = git.run(&["ls-remote", REMOTE, &full], &[])?;
        let tip = listed.split_whitespace().next().map(str::to_owned);
        if let Some(tip) = &tip {
            git.run(&["fetch", "--quiet", "--no-tags", REMOTE, &full], &[])?;
            if git.output(&["cat-file", "-e", &format!("{tip}:{LIST_NAME}")], &[]).is_err() {
                return Err(Failure::Usage(format!(
                    "the branch `{name}` of `{REMOTE}` holds something that `deploy` did not put \
                     there, so it stays as it is; name another branch"
                )));
            }
        }
        Ok(Self { git, name, tip })
    }

    /// Replaces what the branch holds by the files of an output folder. With `keeps_history` the commit
    /// follows the one before. `lists` is a folder for what is only needed meanwhile.
    pub(super) fn push(
        mut self,
        output_state: &OutputState,
        out: &Path,
        lists: &Path,
        keeps_history: bool,
        is_dry: bool,
    ) -> Result<String, Failure> {
        let plan = TransferPlan::new(output_state, "").map_err(|name| {
            let shown = visible(&name);
            Failure::Usage(format!("`{shown}` cannot be a file of a branch"))
        })?;
        let count = plural(plan.files().count() as u64, "file", "files");
        if is_dry {
            return Ok(format!("would push {count} to the branch `{}`", self.name));
        }
        let tree = self.tree(&plan, out, lists)?;
        let same = format!("{}^{{tree}}", self.tip.as_deref().unwrap_or_default());
        let same = self.git.output(&["rev-parse", "--verify", "--quiet", &same], &[]);
        if self.tip.is_some() && same.is_ok_and(|there| there == tree) {
            return Ok(format!("the branch `{}` holds these {count} already", self.name));
        }
        let mut commit = vec!["commit-tree", &tree, "-m", "Deploy the site"];
        let parent = self.tip.as_deref().filter(|_| keeps_history);
        commit.extend(parent.iter().flat_map(|tip| ["-p", tip]));
        let commit = self.git.run(&commit, &[])?;
        let full = format!("refs/heads/{}", self.name);
        let lease = self.tip.as_deref().unwrap_or_default();
        let lease = format!("--force-with-lease={full}:{lease}");
        let to = format!("{commit}:{full}");
        self.git.run(&["push", "--quiet", &lease, REMOTE, &to], &[])?;
        Ok(format!("pushed {count} to the branch `{}`", self.name))
    }

    /// Makes a tree of the files of an output folder, byte by byte as they are there.
    fn tree(&mut self, plan: &TransferPlan, out: &Path, lists: &Path) -> Result<String, Failure> {
        let list = lists.join(LIST_NAME);
        disk::replace(&list, plan.lists().after.as_bytes())?;
        self.git.index = Some(disk::resolve(lists).join(INDEX));
        let absolute = disk::resolve(out);
        let mut names = Vec::new();
        for path in plan.files() {
            names.extend_from_slice(absolute.join(path.as_str()).as_os_str().as_encoded_bytes());
            names.push(b'\n');
        }
        names.extend_from_slice(disk::resolve(&list).as_os_str().as_encoded_bytes());
        names.push(b'\n');
        let hashes =
            self.git.run(&["hash-object", "-w", "--no-filters", "--stdin-paths"], &names)?;
        let paths = plan.files().map(|path| path.as_str()).chain([LIST_NAME]);
        let rows: Vec<String> = hashes
            .lines()
            .zip(paths)
            .map(|(hash, path)| format!("100644 {hash}\t{path}\0"))
            .collect();
        self.git.run(&["update-index", "-z", "--index-info"], rows.concat().as_bytes())?;
        self.git.run(&["write-tree"], &[])
    }
}

/// The program `git`, in a repository.
struct Git {
    folder: PathBuf,
    repository: Option<PathBuf>,
    index: Option<PathBuf>,
}

/// Why git did not do something.
enum Failed {
    Start(Failure),
    /// What it ended with; it said why itself.
    Code(Option<i32>),
}

impl Git {
    /// Runs a command that must succeed, and returns what it prints.
    fn run(&self, args: &[&str], input: &[u8]) -> Result<String, Failure> {
        self.start(args, input, Stdio::inherit()).map_err(|failed| match failed {
            Failed::Start(failure) => failure,
            Failed::Code(code) => {
                let code =
                    code.map_or("was stopped".to_owned(), |code| format!("ended with {code}"));
                let command = args.first().copied().unwrap_or_default();
                Failure::Usage(format!("`git {command}` {code}; the branch is as it was"))
            }
        })
    }

    /// Runs a command that may fail, without what it says about that.
    fn output(&self, args: &[&str], input: &[u8]) -> Result<String, Failed> {
        self.start(args, input, Stdio::null())
    }

    fn start(&self, args: &[&str], input: &[u8], errors: Stdio) -> Result<String, Failed> {
        let mut command = Command::new("git");
        for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            command.env_remove(variable);
        }
        command.current_dir(&self.folder).args(args).env("TZ", "UTC");
        let places = [("GIT_DIR", &self.repository), ("GIT_INDEX_FILE", &self.index)];
        for (variable, place) in places {
            command.envs(place.iter().map(|place| (variable, place)));
        }
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), AUTHOR[0]);
            command.env(format!("GIT_{who}_EMAIL"), AUTHOR[1]);
        }
        let takes_input = !input.is_empty();
        command.stdin(if takes_input { Stdio::piped() } else { Stdio::inherit() });
        command.stdout(Stdio::piped()).stderr(errors);
        let trouble = |cause: std::io::Error| {
            Failed::Start(Failure::Usage(match cause.kind() {
                ErrorKind::NotFound => "there is no program `git`: systems have it as the package \
                                        `git`; https://git-scm.com/downloads for others"
                    .to_owned(),
                _ => format!("cannot run git: {cause}"),
            }))
        };
        let mut child = command.spawn().map_err(trouble)?;
        let stdin = child.stdin.take();
        let ran = std::thread::scope(|scope| {
            // It answers while it reads.
            scope.spawn(|| stdin.map(|mut stdin| stdin.write_all(input)));
            child.wait_with_output()
        });
        let ran = ran.map_err(trouble)?;
        match ran.status.success() {
            true => Ok(String::from_utf8_lossy(&ran.stdout).trim_end().to_owned()),
            false => Err(Failed::Code(ran.status.code())),
        }
    }
}
