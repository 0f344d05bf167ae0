//! Opens a database for reading without changing it.
//!
//! A running program keeps its newest rows in a log next to the database (`-wal`). Then both are
//! copied and the copies are read, because SQLite changes them. Otherwise the database itself is
//! opened as an immutable file, without locks and without creating other files.

use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension};
use tempfile::TempDir;

use convo_base::text::{bytes, percent_encode};

/// The maximum size of a database with its log that is copied. Bytes.
const MAX_COPY: u64 = 4 << 30;
/// The maximum size of a text, blob or row in SQLite. Bytes.
const MAX_LENGTH: i32 = 256 << 20;
/// The number of SQLite instructions between two checks of a query's duration.
const STEP: i32 = 100_000;
/// The maximum number of these checks in a query: some seconds, about a hundred times as long as
/// usual queries.
const MAX_STEPS: u64 = 20_000;
/// How often copying is tried if the database changes meanwhile.
const TRIES: usize = 3;

/// The suffixes of the files next to a database while a program writes to it.
pub(crate) const BESIDE: [&str; 3] = ["-wal", "-journal", "-shm"];

/// A database.
pub(super) struct Store {
    /// The path of the database or its copy.
    path: PathBuf,
    copy: Option<TempDir>,
    /// Unused connections.
    idle: Mutex<Vec<Link>>,
}

/// A connection, with the number of checks in its current query.
struct Link {
    database: Connection,
    steps: Arc<AtomicU64>,
}

impl Store {
    /// Opens a database. The error says why it cannot be read.
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let copy = match is_written(path) {
            true => Some(copied(path)?),
            false => None,
        };
        let path = match &copy {
            Some(folder) => folder.path().join("copy.db"),
            None => path.to_owned(),
        };
        let store = Self { path, copy, idle: Mutex::default() };
        let link = store.connect().map_err(|error| why(&error))?;
        store.idle().push(link);
        Ok(store)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Link>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a query. The error says why it failed.
    pub(super) fn with<T>(
        &self,
        ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, String> {
        let idle = self.idle().pop();
        let link = match idle {
            Some(link) => link,
            None => self.connect().map_err(|error| why(&error))?,
        };
        link.steps.store(0, Ordering::Relaxed);
        let answer = ask(&link.database).map_err(|error| why(&error));
        self.idle().push(link);
        answer
    }

    fn connect(&self) -> rusqlite::Result<Link> {
        let readable = match self.copy {
            // Recovery of an unfinished transaction happens in the copy.
            Some(_) => OpenFlags::SQLITE_OPEN_READ_WRITE,
            None => OpenFlags::SQLITE_OPEN_READ_ONLY,
        };
        let flags = readable
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        let mut database = Connection::open_with_flags(self.uri(), flags)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
        database.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
        database.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_LENGTH)?;
        database.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, 1 << 20)?;
        database.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
        database.set_limit(Limit::SQLITE_LIMIT_WORKER_THREADS, 0)?;
        let steps = Arc::new(AtomicU64::new(0));
        let taken = steps.clone();
        database.progress_handler(
            STEP,
            Some(move || taken.fetch_add(1, Ordering::Relaxed) > MAX_STEPS),
        )?;
        database.execute_batch(
            "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; \
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8192;",
        )?;
        Ok(Link { database, steps })
    }

    fn uri(&self) -> String {
        let path = self.path.to_string_lossy().replace('\\', "/");
        // Windows paths start with a drive letter, or with a prefix for long paths.
        let path = path.strip_prefix("//?/").unwrap_or(&path);
        let slash = if path.starts_with('/') { "" } else { "/" };
        let unchanged = if self.copy.is_some() { "" } else { "?immutable=1" };
        format!("file://{slash}{}{unchanged}", percent_encode(path))
    }
}

/// Returns the column names of a table; empty if there is no such table, or if the name belongs to
/// something that would have to be executed.
pub(super) fn has_table(database: &Connection, table: &str) -> rusqlite::Result<HashSet<String>> {
    let query = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?1";
    let made: Option<Option<String>> =
        database.query_row(query, [table], |row| row.get(0)).optional()?;
    let made = made.flatten().unwrap_or_default();
    let mut words = made.split_whitespace().map(str::to_ascii_uppercase);
    let is_plain = words.next().as_deref() == Some("CREATE")
        && words.next().is_some_and(|word| word == "TABLE");
    if !is_plain {
        return Ok(HashSet::new());
    }
    // Columns computed from others are not included.
    let query = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
    let mut query = database.prepare(query)?;
    let names = query.query_map([table], |row| row.get::<_, String>(0))?;
    names.collect()
}

/// Returns whether a program has a log of changes next to its database that are not yet in it.
fn is_written(path: &Path) -> bool {
    let has_changes = |(ending, least): (&str, u64)| {
        sibling_path(path, ending).metadata().is_ok_and(|data| data.len() > least)
    };
    // The header of a log is 32 bytes long.
    has_changes((BESIDE[0], 32))
        || has_changes((BESIDE[1], 0)) && is_hot(&sibling_path(path, BESIDE[1]))
}

/// Returns whether a journal contains changes to undo. A journal that is no longer needed is empty,
/// or begins with zeros.
fn is_hot(journal: &Path) -> bool {
    let mut head = [0; 8];
    let read = File::open(journal).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head != [0; 8]
}

/// Returns whether a database is shorter than its header says.
pub(super) fn is_cut_off(path: &Path) -> bool {
    let mut head = [0; 100];
    let len = File::open(path).and_then(|mut file| {
        file.read_exact(&mut head)?;
        file.metadata().map(|data| data.len())
    });
    // Missing pages may be in the log.
    let Some(len) = len.ok().filter(|_| !is_written(path)) else { return false };
    let number =
        |at: usize| head[at..at + 4].iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    let page = match u64::from(head[16]) << 8 | u64::from(head[17]) {
        1 => 1 << 16,
        page => page,
    };
    // Old programs do not store the number of pages.
    let is_counted = number(24) == number(92);
    is_counted && len < page * number(28)
}

/// Returns the metadata of the log next to a database, which affects what is read.
pub(crate) fn log_of(path: &Path) -> Option<Metadata> {
    is_written(path).then(|| {
        let mut logs = [BESIDE[0], BESIDE[1]].into_iter().map(|ending| sibling_path(path, ending));
        logs.find_map(|log| log.metadata().ok())
    })?
}

fn sibling_path(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Copies a database with its log into a private folder.
fn copied(path: &Path) -> Result<TempDir, String> {
    let failed = |error: std::io::Error| format!("it cannot be copied for reading: {error}");
    let parts = || {
        let names = ["", BESIDE[0], BESIDE[1]];
        names.into_iter().filter_map(|ending| {
            let part = sibling_path(path, ending);
            let data = part.symlink_metadata().ok().filter(Metadata::is_file)?;
            Some((ending, part, data))
        })
    };
    let len: u64 = parts().map(|(.., data)| data.len()).sum();
    if len > MAX_COPY {
        return Err(format!(
            "a program is writing to it, and it is larger than {}, too large to copy first",
            bytes(MAX_COPY)
        ));
    }
    let state = || -> Vec<_> {
        parts().map(|(_, part, data)| (part, data.len(), data.modified().ok())).collect()
    };
    for _ in 0..TRIES {
        let before = state();
        let folder = private_folder().map_err(failed)?;
        for (ending, part, _) in parts() {
            let to = folder.path().join(format!("copy.db{ending}"));
            std::fs::copy(part, to).map_err(failed)?;
        }
        if state() == before {
            return Ok(folder);
        }
    }
    Err("a program keeps writing to it".to_owned())
}

/// Creates a temporary folder that only the current user can read.
pub(super) fn private_folder() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("convo-site-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    builder.tempdir()
}

/// Returns why a database cannot be read, in words.
fn why(error: &rusqlite::Error) -> String {
    let code = error.sqlite_error_code();
    match code {
        Some(ErrorCode::NotADatabase) => "it is encrypted, or not an SQLite database".to_owned(),
        Some(ErrorCode::DatabaseCorrupt) => format!("it is damaged: {error}"),
        Some(ErrorCode::OperationInterrupted) => "a query takes too long".to_owned(),
        Some(ErrorCode::TooBig) => "a value in it is too large".to_owned(),
        _ => format!("{error}"),
    }
}
