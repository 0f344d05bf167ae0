//! `deploy --to git:BRANCH`: pushes the output, and nothing else, to a branch.
//!
//! The sources are never part of it. Each deploy replaces the only commit, so that files removed from the site are
//! not in the history, unless `--keep-history` is given.

use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::Failure;
use crate::diag::emit::visible;
use crate::disk::{self, LIST_NAME, OutputState, TransferPlan};
use crate::text::plural;

/// The remote that the branch is pushed to.
const REMOTE: &str = "origin";
/// The temporary git index, in the folder for deploys.
const INDEX: &str = "index";
/// The author of the commits, not the name of the user, as the branch is public.
const AUTHOR: [&str; 2] = ["convo-site", "convo-site@localhost"];

/// The branch that a site is pushed to.
pub(super) struct Branch<'a> {
    git: Git,
    name: &'a str,
    /// The commit of the branch in the remote repository.
    tip: Option<String>,
}

impl<'a> Branch<'a> {
    /// Finds a branch in the repository of the site. Fails if the branch contains anything but a deployed site, as it
    /// would be overwritten.
    pub(super) fn find(site: &Path, name: &'a str) -> Result<Self, Failure> {
        let mut git = Git { folder: site.to_owned(), repository: None, index: None };
        let found = git.output(&["rev-parse", "--absolute-git-dir"], &[]);
        let found = found.map_err(|failure| match failure {
            Failed::Start(failure) => failure,
            Failed::Code(_) => Failure::Usage(
                "the site is not in a git repository; create one with `git init`, and set its remote \
                 with `git remote add origin URL`"
                    .to_owned(),
            ),
        })?;
        // A remote may be a path relative to the top of the working tree.
        if let Ok(top) = git.output(&["rev-parse", "--show-toplevel"], &[]) {
            git.folder = PathBuf::from(top);
        }
        git.repository = Some(PathBuf::from(found));
        let full = format!("refs/heads/{name}");
        git.output(&["check-ref-format", &full], &[])
            .map_err(|_| Failure::Usage(format!("`{name}` is not a valid branch name")))?;
        let head = git.output(&["symbolic-ref", "--quiet", "HEAD"], &[]);
        if head.is_ok_and(|head| head == full) {
            return Err(Failure::Usage(format!(
                "`{name}` is the checked-out branch with the sources; use another branch, such as \
                 `--to git:gh-pages`"
            )));
        }
        if git.output(&["remote", "get-url", REMOTE], &[]).is_err() {
            return Err(Failure::Usage(format!(
                "the repository has no remote `{REMOTE}`; add it with `git remote add {REMOTE} URL`"
            )));
        }
        let listed = git.run(&["ls-remote", REMOTE, &full], &[])?;
        let tip = listed.split_whitespace().next().map(str::to_owned);
        if let Some(tip) = &tip {
            git.run(&["fetch", "--quiet", "--no-tags", REMOTE, &full], &[])?;
            if git.output(&["cat-file", "-e", &format!("{tip}:{LIST_NAME}")], &[]).is_err() {
                return Err(Failure::Usage(format!(
                    "the branch `{name}` of `{REMOTE}` has content that `deploy` did not push, so it was \
                     not changed; use another branch, or copy the site into a folder of your \
                     documentation with `deploy --to ./PATH`"
                )));
            }
        }
        Ok(Self { git, name, tip })
    }

    /// Replaces the content of the branch with the files of an output folder. With `keeps_history`, the commit gets the
    /// previous one as its parent. `lists` is a folder for temporary files.
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
            Failure::Usage(format!("cannot push `{shown}`: its name is not allowed in a branch"))
        })?;
        let count = plural(plan.files().count() as u64, "file", "files");
        if is_dry {
            return Ok(format!("would push {count} to the branch `{}`", self.name));
        }
        let tree = self.tree(&plan, out, lists)?;
        let same = format!("{}^{{tree}}", self.tip.as_deref().unwrap_or_default());
        let same = self.git.output(&["rev-parse", "--verify", "--quiet", &same], &[]);
        if self.tip.is_some() && same.is_ok_and(|there| there == tree) {
            return Ok(format!("the branch `{}` is up to date with {count}", self.name));
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

    /// Writes a git tree of the files of an output folder, without any conversion.
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

/// Runs `git` in a repository.
struct Git {
    folder: PathBuf,
    repository: Option<PathBuf>,
    index: Option<PathBuf>,
}

/// Why a git command failed.
enum Failed {
    Start(Failure),
    /// Its exit code; git printed the reason.
    Code(Option<i32>),
}

impl Git {
    /// Runs a command that must succeed, and returns its output.
    fn run(&self, args: &[&str], input: &[u8]) -> Result<String, Failure> {
        self.start(args, input, Stdio::inherit()).map_err(|failed| match failed {
            Failed::Start(failure) => failure,
            Failed::Code(code) => {
                let code = code.map_or("was killed".to_owned(), |code| {
                    format!("failed with exit code {code}")
                });
                let command = args.first().copied().unwrap_or_default();
                Failure::Usage(format!("`git {command}` {code}; the branch was not changed"))
            }
        })
    }

    /// Runs a command that may fail, without its error output.
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
                ErrorKind::NotFound => "cannot find `git`; install the package `git`, or see \
                                        https://git-scm.com/downloads"
                    .to_owned(),
                _ => format!("cannot run git: {cause}"),
            }))
        };
        let mut child = command.spawn().map_err(trouble)?;
        let stdin = child.stdin.take();
        let ran = std::thread::scope(|scope| {
            // git writes while it reads, so both pipes must be served at once.
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
