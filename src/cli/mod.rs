//! The command line: parses the arguments, runs the command and returns the exit code.
//!
//! Exit codes: 0 for success, 1 for errors in the user's files, 2 if the command could not run.

mod args;
mod build;
mod check;
mod clean;
mod completions;
mod convert;
mod deploy;
mod edit;
#[cfg(feature = "search-engine")]
mod engine;
mod explain;
mod help;
mod import;
mod init;
mod inputs;
mod interrupt;
mod list;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod page;
mod read;
mod report;
mod review;
#[cfg(feature = "local-search")]
mod search;
mod search_index;
mod serve;
mod status;
mod stores;
mod terminal;
mod theme;
mod unconfigured;
mod user_folders;
mod version;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use self::args::{Args, Command, Listed, ThemeCommand};
use self::report::Verbosity;
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity};
use crate::disk::{self, CachePolicy, Scope};
use crate::formats::panic_message;

/// The reason why a command could not run.
enum Failure {
    /// A problem in the user's files that stops the command.
    Site(Vec<Diagnostic>),
    /// A problem with the disk or the system.
    Disk(disk::Error),
    /// Arguments or an environment that the command cannot use.
    Usage(String),
}

impl From<disk::Error> for Failure {
    fn from(error: disk::Error) -> Self {
        Self::Disk(error)
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(note: Box<Diagnostic>) -> Self {
        Self::Site(vec![*note])
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(notes: Vec<Diagnostic>) -> Self {
        Self::Site(notes)
    }
}

/// Checks that there is a site in this folder.
fn require_site(folder: &Path) -> Result<(), Failure> {
    let shown = visible(&folder.display().to_string());
    if disk::is_there(&folder.join("site.toml")) {
        return Ok(());
    }
    let (message, hint) = if disk::is_folder(folder) {
        (
            format!("`{shown}` is not a site: it has no `site.toml`"),
            format!(
                "pass the folder of your site, or create one there with `convo-site init {shown}`"
            ),
        )
    } else if disk::is_there(folder) {
        (
            format!("`{shown}` is not a folder"),
            "pass the folder that contains `site.toml`".to_owned(),
        )
    } else {
        (
            format!("the folder `{shown}` does not exist"),
            format!("create a site there with `convo-site init {shown}`"),
        )
    };
    let note = Diagnostic::new(Severity::Error, "no-site", message);
    Err(Box::new(note.hint(hint)).into())
}

/// Whether a command that ran found errors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Fine,
    Findings,
}

/// Runs the command in `argv` and returns its exit code.
pub fn run(argv: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(argv) {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    report::configure(args.color, Verbosity::of(args.quiet, args.verbose));
    interrupt::explain(&args.command);
    // Caught panics become diagnostics, so their messages are not printed.
    std::panic::set_hook(Box::new(|_| {}));
    // Libraries recurse deeply, within limits, on deeply nested input.
    let pool = rayon::ThreadPoolBuilder::new().stack_size(16 << 20).build_global();
    debug_assert!(pool.is_ok());
    let format = match &args.command {
        Command::Build { site, .. } => site.message_format,
        Command::Read(args) => args.message_format,
        Command::Check(args) => args.site.message_format,
        Command::Deploy(args) => args.site.message_format,
        Command::Convert(args) => args.message_format,
        Command::Page(args) => args.message_format,
        Command::Import(args) => args.message_format,
        #[cfg(feature = "local-search")]
        Command::Search(_) => args::MessageFormat::Human,
        #[cfg(feature = "mcp")]
        Command::Mcp(_) => args::MessageFormat::Human,
        Command::SearchIndex(_)
        | Command::Serve(_)
        | Command::Status(_)
        | Command::Review(_)
        | Command::Edit(_)
        | Command::Clean { .. }
        | Command::Init { .. }
        | Command::Explain { .. }
        | Command::Theme { .. }
        | Command::List { .. }
        | Command::Completions { .. }
        | Command::Man { .. } => args::MessageFormat::Human,
    };
    let run = || match args.command {
        Command::Build { site, output, no_cache, part, shared_output, changed_list } => {
            let cache_policy = if no_cache { CachePolicy::Ignore } else { CachePolicy::Use };
            let scope = part.map_or(Scope::Whole, |partition| Scope::Part {
                partition,
                is_shared: shared_output,
            });
            build::run(&site, output, cache_policy, scope, changed_list.as_deref())
        }
        Command::Read(args) => read::run(&args),
        #[cfg(feature = "local-search")]
        Command::Search(args) => search::run(&args),
        #[cfg(feature = "mcp")]
        Command::Mcp(args) => mcp::run(&args),
        Command::SearchIndex(args) => search_index::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Edit(args) => edit::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Clean { site, output, cache } => clean::run(&site, output, &cache.folder(&site)),
        Command::Check(args) => check::run(&args),
        Command::Deploy(args) => deploy::run(&args),
        Command::Init { init } => init::run(&init),
        Command::Convert(args) => convert::run(&args),
        Command::Page(args) => page::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Explain { code } => explain::run(code.as_deref()),
        Command::Theme { what: ThemeCommand::Eject { name, site, print } } => {
            theme::eject(name.as_deref(), &site, print)
        }
        Command::List { what: Listed::Formats, of, long } => list::formats(of.as_deref(), long),
        Command::List { what: Listed::Themes, of, .. } => {
            list::themes(of.as_deref().unwrap_or(Path::new(".")))
        }
        Command::List { what: Listed::Texts, of, .. } => list::texts(of.as_deref()),
        Command::Completions { shell } => Ok(completions::run(shell)),
        Command::Man { command, output } => man::run(&command, output.as_deref()),
    };
    // Panics in one conversation or one file are caught earlier; this catches the others.
    let done = catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let what = panic_message(panic.as_ref());
        let note = Diagnostic::new(Severity::Error, "internal", what);
        Err(Box::new(note.hint("this is a bug in convo-site; please report it")).into())
    });
    match done {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(failure) => {
            report::failure(failure, format);
            ExitCode::from(2)
        }
    }
}
