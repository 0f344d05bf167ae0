//! The files and folders in which programs on this computer keep conversations.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::args::ServeArgs;
use super::unconfigured::Subject;
use super::{Failure, list, report, terminal, user_folders};
use crate::diag::emit::visible;
use crate::disk;
use crate::formats::{self, Format};
use crate::text::grouped;

/// A folder that the path of a store begins with.
enum Base {
    Home,
    Config,
    Data,
    /// The folder that a variable names, or this one in the home folder.
    Own(&'static str, &'static str),
}

/// The path of Zed's database below the folder for data.
const ZED: &str = match cfg!(any(windows, target_os = "macos")) {
    true => "Zed/threads/threads.db",
    false => "zed/threads/threads.db",
};

/// The stores of each format, by the name of the format.
const STORES: [(&str, Base, &str); 17] = [
    ("claude-code", Base::Own("CLAUDE_CONFIG_DIR", ".claude"), "projects"),
    ("codex", Base::Own("CODEX_HOME", ".codex"), "sessions"),
    ("codex", Base::Own("CODEX_HOME", ".codex"), "archived_sessions"),
    ("cursor", Base::Config, "Cursor/User/globalStorage/state.vscdb"),
    ("gemini-cli", Base::Home, ".gemini/tmp"),
    ("opencode", Base::Home, ".local/share/opencode/opencode.db"),
    ("opencode", Base::Home, ".local/share/opencode/storage"),
    ("copilot-cli", Base::Home, ".copilot/session-state"),
    ("pi", Base::Own("PI_CODING_AGENT_DIR", ".pi/agent"), "sessions"),
    ("pi", Base::Home, ".openclaw/agents"),
    ("cline", Base::Config, "Code/User/globalStorage/saoudrizwan.claude-dev/tasks"),
    ("cline", Base::Config, "Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks"),
    ("cline", Base::Home, ".cline/data/tasks"),
    ("continue", Base::Home, ".continue/sessions"),
    ("zed", Base::Data, ZED),
    ("lm-studio", Base::Home, ".lmstudio/conversations"),
    ("chibi", Base::Home, ".chibi/contexts"),
];

/// A store on this computer.
struct Store {
    format: &'static Format,
    path: PathBuf,
    subject: Subject,
    files: usize,
    /// The day on which a file was last changed.
    changed: Date,
}

/// Returns what `serve` shows: the path or the program that the arguments name. Without either, and without a
/// site in this folder, lists the stores on this computer and asks for one.
pub(super) fn subject(args: &ServeArgs) -> Result<Subject, Failure> {
    if let Some(program) = &args.program {
        return of_program(program);
    }
    let mut stores = Vec::new();
    if args.site == Path::new(".") && !disk::is_there("site.toml".as_ref()) {
        stores = existing(|_| true);
    }
    if stores.is_empty() {
        return Subject::open(&args.site);
    }
    show(&stores);
    if !terminal::is_interactive() {
        let message = "this folder is not a site; to preview the conversations of one of these \
                       programs, run `convo-site serve --as PROGRAM`";
        return Err(Failure::Usage(message.to_owned()));
    }
    let number = choose(stores.len())?;
    Ok(stores.swap_remove(number - 1).subject)
}

/// Asks for a number up to `count`.
fn choose(count: usize) -> Result<usize, Failure> {
    loop {
        report::styled("Which one to preview [1]: ");
        let Some(answer) = terminal::line()? else {
            return Err(Failure::Usage("no program was chosen".to_owned()));
        };
        let number = if answer.is_empty() { Ok(1) } else { answer.parse() };
        match number {
            Ok(number) if (1..=count).contains(&number) => return Ok(number),
            _ => report::summary(&format!("enter a number from 1 to {count}")),
        }
    }
}

/// Returns the store of a program that was changed last.
fn of_program(program: &str) -> Result<Subject, Failure> {
    let stores = existing(|format| format == program);
    if let Some(store) = stores.into_iter().max_by_key(|store| store.changed) {
        return Ok(store.subject);
    }
    let mut names: Vec<&str> = STORES.iter().map(|(name, ..)| *name).collect();
    names.dedup();
    let paths = STORES.iter().filter(|(name, ..)| *name == program);
    let paths: Vec<PathBuf> = paths.filter_map(|(_, base, below)| base.join(below)).collect();
    Err(Failure::Usage(match paths.is_empty() {
        true => {
            format!("unknown program `{}`; known programs: {}", visible(program), names.join(", "))
        }
        false => {
            let paths: Vec<String> = paths.iter().map(|path| shown(path)).collect();
            format!("no conversations of {program} found in {}", paths.join(", "))
        }
    }))
}

/// Returns the stores of some formats that exist on this computer and have files.
fn existing(is_chosen: impl Fn(&str) -> bool) -> Vec<Store> {
    let chosen = STORES.iter().filter(|(name, ..)| is_chosen(name));
    let stores = chosen.filter_map(|(name, base, below)| {
        let path = base.join(below).filter(|path| disk::is_there(path))?;
        let format = formats::named(name)?;
        let kind = format.title.split(" (").next().unwrap_or(format.title);
        let subject = Subject::open(&path).ok()?.titled(format!("{kind}s"));
        let mut files = subject.files(None).ok()?.list_unpacked("").value;
        files.retain(|file| formats::may_be_read(file.path.as_str()));
        let changed =
            files.iter().map(|file| file.stamp.map_or(i128::MAX, |stamp| stamp.modified.into()));
        let changed =
            Timestamp::from_nanosecond(changed.max()?).unwrap_or_else(|_| Timestamp::now());
        let changed = changed.to_zoned(TimeZone::system()).date();
        Some(Store { format, path, subject, files: files.len(), changed })
    });
    stores.collect()
}

/// Prints a table of stores.
fn show(stores: &[Store]) {
    let rows = stores.iter().zip(1..).map(|(store, number)| {
        let Store { format, path, files, changed, .. } = store;
        let (number, files) = (number.to_string(), grouped(*files as u64));
        [number, format.name.to_owned(), files, changed.to_string(), shown(path)]
    });
    list::table(["", "PROGRAM", "FILES", "CHANGED", "PATH"], rows);
}

/// Returns a path with `~` for the home folder.
fn shown(path: &Path) -> String {
    let below_home =
        user_folders::home().and_then(|home| path.strip_prefix(home).ok().map(Path::to_owned));
    let path = below_home.map_or_else(|| path.to_owned(), |below| Path::new("~").join(below));
    visible(&path.display().to_string())
}

impl Base {
    /// Returns the path of a store, if the folder that it begins with is known.
    fn join(&self, below: &str) -> Option<PathBuf> {
        let folder = match self {
            Self::Home => user_folders::home(),
            Self::Config => user_folders::config(),
            Self::Data => user_folders::data(),
            Self::Own(variable, in_home) => {
                let default = || user_folders::home().map(|home| home.join(in_home));
                user_folders::folder(variable).or_else(default)
            }
        };
        folder.map(|folder| folder.join(below))
    }
}
