//! Runs the programs that upload files: rsync, rclone, Wrangler and the Netlify CLI.
//!
//! They are started without a shell, and file names are passed on standard input, never as arguments.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::{Failure, report};
use crate::diag::emit::visible;
use crate::disk::LIST_NAME;
use crate::path::OutPath;

/// A program that uploads files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    Rsync,
    Rclone,
    Wrangler,
    Netlify,
}

/// A command line of such a program.
pub(super) struct Invocation {
    tool: Tool,
    args: Vec<OsString>,
    /// The byte after each file name on standard input, if it reads file names.
    names_end: Option<u8>,
    /// Whether it may run in a dry run, because it changes nothing.
    is_harmless: bool,
}

impl Tool {
    pub(super) const ALL: [Self; 4] = [Self::Rsync, Self::Rclone, Self::Wrangler, Self::Netlify];

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Rsync => "rsync",
            Self::Rclone => "rclone",
            Self::Wrangler => "wrangler",
            Self::Netlify => "netlify",
        }
    }

    /// Returns its file name; npm installs scripts on Windows.
    fn program(self) -> &'static str {
        match self {
            Self::Wrangler if cfg!(windows) => "wrangler.cmd",
            Self::Netlify if cfg!(windows) => "netlify.cmd",
            tool => tool.name(),
        }
    }

    /// Returns an example of a target, for a program that needs one.
    pub(super) fn example(self) -> Option<&'static str> {
        match self {
            Self::Rsync => Some("rsync:ada@example.org:/srv/talks"),
            Self::Rclone => Some("rclone:remote:talks"),
            Self::Wrangler | Self::Netlify => None,
        }
    }

    fn how_to_install(self) -> &'static str {
        match self {
            Self::Rsync => {
                "install the package `rsync`; on macOS run `brew install rsync`, as the built-in rsync is \
                 a different program"
            }
            Self::Rclone => "install the package `rclone`, or see https://rclone.org/install/",
            Self::Wrangler => "run `npm install --global wrangler`, then `wrangler login`",
            Self::Netlify => "run `npm install --global netlify-cli`, then `netlify login`",
        }
    }

    fn missing(self) -> Failure {
        Failure::Usage(format!("cannot find `{}`; {}", self.name(), self.how_to_install()))
    }

    /// Fails if it is not installed.
    pub(super) fn require(self) -> Result<(), Failure> {
        let mut command = Command::new(self.program());
        command.arg(if self == Self::Rclone { "version" } else { "--version" });
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        match command.status() {
            Err(cause) if cause.kind() == ErrorKind::NotFound => Err(self.missing()),
            _ => Ok(()),
        }
    }

    fn invocation<const N: usize>(self, args: [&str; N]) -> Invocation {
        let args = args.into_iter().map(OsString::from).collect();
        Invocation { tool: self, args, names_end: None, is_harmless: false }
    }

    /// Downloads the list of files from earlier deploys, if it exists, into a folder.
    pub(super) fn fetch_list(self, to: &str, lists: &Path) -> Invocation {
        let invocation = match self {
            Self::Rsync => self
                .invocation(["--times", "--secluded-args", "--ignore-missing-args", "--"])
                .arg(format!("{}/{LIST_NAME}", to.trim_end_matches('/')))
                .arg(slashed(lists)),
            _ => self
                .invocation(["copy", "--include"])
                .arg(format!("/{LIST_NAME}"))
                .args(["--retries", "1", "--"])
                .arg(to)
                .arg(lists),
        };
        Invocation { is_harmless: true, ..invocation }
    }

    /// Uploads that list.
    pub(super) fn send_list(self, lists: &Path, to: &str) -> Invocation {
        match self {
            Self::Rsync => self
                .invocation(["--checksum", "--secluded-args", "--mkpath", "--"])
                .arg(lists.join(LIST_NAME))
                .arg(slashed(to)),
            _ => self
                .invocation(["copy", "--include"])
                .arg(format!("/{LIST_NAME}"))
                .arg("--")
                .arg(lists)
                .arg(to),
        }
    }

    /// Uploads files: only new ones, or those that changed.
    pub(super) fn send(self, out: &Path, to: &str, only_new: bool, is_dry: bool) -> Invocation {
        let invocation = match self {
            Self::Rsync => self
                .invocation(["--times", "--checksum", "--secluded-args"])
                .args(["--from0", "--files-from=-"])
                .args(if only_new { &["--ignore-existing"][..] } else { &["--delay-updates"] })
                .args(if is_dry { &["--dry-run", "--itemize-changes"][..] } else { &[] })
                .arg("--")
                .arg(slashed(out))
                .arg(slashed(to)),
            _ => self
                .invocation(["copy", "--files-from-raw", "-"])
                .args(if only_new { &["--ignore-existing"][..] } else { &[] })
                .args(if is_dry { &["--dry-run"][..] } else { &[] })
                .arg("--")
                .arg(out)
                .arg(to),
        };
        let names_end = Some(if self == Self::Rsync { 0 } else { b'\n' });
        Invocation { names_end, is_harmless: is_dry, ..invocation }
    }

    /// Removes files from the target. The folder `empty` contains none of them.
    pub(super) fn remove(self, empty: &Path, to: &str, is_dry: bool) -> Invocation {
        let invocation = match self {
            Self::Rsync => self
                .invocation(["--secluded-args", "--from0", "--files-from=-"])
                .args(["--no-implied-dirs", "--delete-missing-args"])
                .args(if is_dry { &["--dry-run", "--itemize-changes"][..] } else { &[] })
                .arg("--")
                .arg(slashed(empty))
                .arg(slashed(to)),
            _ => self
                .invocation(["delete", "--files-from-raw", "-"])
                .args(if is_dry { &["--dry-run"][..] } else { &[] })
                .arg("--")
                .arg(to),
        };
        let names_end = Some(if self == Self::Rsync { 0 } else { b'\n' });
        Invocation { names_end, is_harmless: is_dry, ..invocation }
    }

    /// Uploads a whole folder. The program finds the changes itself and publishes them at once when all are uploaded.
    pub(super) fn whole(self, out: &Path, name: &str, branch: &str) -> Invocation {
        match (self, name) {
            (Self::Netlify, "") => {
                self.invocation(["deploy", "--prod", "--no-build", "--dir"]).arg(out)
            }
            (Self::Netlify, site) => self
                .invocation(["deploy", "--prod", "--no-build", "--site"])
                .arg(site)
                .arg("--dir")
                .arg(out),
            (_, "") => self.invocation(["deploy", "--assets"]).arg(out),
            (_, project) => self
                .invocation(["pages", "deploy"])
                .arg(out)
                .arg(format!("--project-name={project}"))
                .arg(format!("--branch={branch}"))
                .arg("--commit-dirty=true"),
        }
    }
}

/// Returns a path with a slash at its end.
fn slashed(path: impl Into<OsString>) -> OsString {
    let mut path = path.into();
    if !path.to_string_lossy().ends_with(['/', ':']) {
        path.push("/");
    }
    path
}

impl Invocation {
    fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Returns the error for a program that could not be started.
    fn trouble(&self, cause: &std::io::Error) -> Failure {
        match cause.kind() {
            ErrorKind::NotFound => self.tool.missing(),
            _ => Failure::Usage(format!("cannot run {}: {cause}", self.tool.name())),
        }
    }

    /// Returns it as a shell command.
    fn line(&self) -> String {
        let quoted = |arg: &OsString| {
            let text = arg.to_string_lossy();
            let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@,+%".contains(c);
            match !text.is_empty() && text.chars().all(is_plain) {
                true => text.into_owned(),
                false => format!("'{}'", text.replace('\'', "'\\''")),
            }
        };
        let args = self.args.iter().map(quoted);
        std::iter::once(self.tool.name().to_owned()).chain(args).collect::<Vec<_>>().join(" ")
    }
}

/// Runs other programs, or prints their commands in a dry run.
pub(super) struct Runner {
    pub(super) is_dry: bool,
}

/// The exit code of rclone for a missing folder.
const NO_FOLDER: i32 = 3;
/// The exit code of rsync for missing files or folders.
const INCOMPLETE: i32 = 23;

impl Runner {
    /// Downloads a list that may not exist.
    pub(super) fn fetch(&self, what: &Invocation) -> Result<(), Failure> {
        let mut command = Command::new(what.tool.program());
        let ran = command.args(&what.args).stdin(Stdio::inherit()).output();
        let ran = ran.map_err(|cause| what.trouble(&cause))?;
        match (what.tool, ran.status.code()) {
            (_, Some(0)) | (Tool::Rclone, Some(NO_FOLDER)) => Ok(()),
            (Tool::Rsync, Some(INCOMPLETE)) => Ok(()),
            (_, code) => {
                let output = String::from_utf8_lossy(&ran.stderr);
                output.lines().for_each(|line| report::summary(&visible(line)));
                Err(Failure::Usage(format!(
                    "cannot read the list of deployed files; nothing was uploaded; {} {}: {}",
                    what.tool.name(),
                    ended(code),
                    what.line()
                )))
            }
        }
    }

    /// Runs a command for some files.
    pub(super) fn run(&self, what: &Invocation, files: &[OutPath]) -> Result<(), Failure> {
        if what.names_end.is_some() && files.is_empty() {
            return Ok(());
        }
        if self.is_dry && !what.is_harmless {
            report::output(&format!("{}\n", what.line()));
            return Ok(());
        }
        match self.status(what, files)? {
            Some(0) => Ok(()),
            code => Err(failed(what, code)),
        }
    }

    fn status(&self, what: &Invocation, files: &[OutPath]) -> Result<Option<i32>, Failure> {
        let mut command = Command::new(what.tool.program());
        command.args(&what.args);
        command.stdin(match what.names_end {
            Some(_) => Stdio::piped(),
            None => Stdio::inherit(),
        });
        if report::is_quiet() {
            command.stdout(Stdio::null());
        }
        let mut child = command.spawn().map_err(|cause| what.trouble(&cause))?;
        if let (Some(end), Some(mut stdin)) = (what.names_end, child.stdin.take()) {
            let mut names = Vec::new();
            for path in files {
                names.extend_from_slice(path.as_str().as_bytes());
                names.push(end);
            }
            // If it stops reading, it prints the reason itself.
            let _ = stdin.write_all(&names);
        }
        Ok(child.wait().map_err(|cause| what.trouble(&cause))?.code())
    }
}

/// Returns how a program ended.
fn ended(code: Option<i32>) -> String {
    code.map_or("was killed".to_owned(), |code| format!("failed with exit code {code}"))
}

fn failed(what: &Invocation, code: Option<i32>) -> Failure {
    Failure::Usage(format!(
        "{} {}, so the upload is incomplete; the published files are consistent, and the next \
         deploy uploads the rest: {}",
        what.tool.name(),
        ended(code),
        what.line()
    ))
}
