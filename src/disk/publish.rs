//! Outputs as files: what differs is made and written, what we once wrote and no longer want
//! is removed, and everything else in the output folder is left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Error;
use crate::diag::Diagnostic;
use crate::hash::Hash;
use crate::outputs::{Output, Outputs};
use crate::path::OutPath;

/// What happened to the output folder.
#[derive(Debug, Default)]
pub struct Published {
    /// Files that were made and written.
    pub written: usize,
    /// Files that were removed.
    pub removed: usize,
    /// Size of all files of the site. Bytes.
    pub bytes: u64,
    /// What there was to say while making them.
    pub notes: Vec<Diagnostic>,
}

/// Told after each file how many are done, of how many.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// What reads the same stands together.
fn in_order(outputs: &Outputs) -> Vec<&Output> {
    let mut all: Vec<&Output> = outputs.iter().collect();
    all.sort_by_key(|output| output.locality);
    all
}

/// Makes every file and writes none; what there was to say.
pub fn check(outputs: &Outputs, progress: Progress<'_>) -> Vec<Diagnostic> {
    let all = in_order(outputs);
    let done = AtomicUsize::new(0);
    all.par_iter()
        .filter_map(|output| {
            let note = output.make().err().map(|note| *note);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.len());
            note
        })
        .collect()
}

/// Brings the folder `dest` up to date. `state` is a folder for what must be remembered
/// between builds.
pub fn publish(
    outputs: &Outputs,
    dest: &Path,
    state: &Path,
    progress: Progress<'_>,
) -> Result<Published, Error> {
    fs::create_dir_all(dest).map_err(|cause| Error::new("create", dest, cause))?;
    let manifest = Manifest::path(state, dest);
    let before = Manifest::read(&manifest);
    let all = in_order(outputs);
    let done = AtomicUsize::new(0);
    let results: Vec<Result<Fate, Error>> = all
        .par_iter()
        .map(|output| {
            let fate = bring_up_to_date(output, dest, &before);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.len());
            fate
        })
        .collect();
    let mut published = Published::default();
    let mut after = Manifest::default();
    let mut failure = None;
    for (output, result) in all.iter().zip(results) {
        match result {
            Ok(Fate::Fresh(len)) => after.insert(output, len, &mut published),
            Ok(Fate::Written(len)) => {
                published.written += 1;
                after.insert(output, len, &mut published);
            }
            Ok(Fate::Failed(note)) => {
                published.notes.push(*note);
                // An old page is better than none; it stays ours and stays out of date.
                let path = output.path.as_str();
                if let Some((_, len)) = before.0.get(path) {
                    after.0.insert(path.to_owned(), (OUTDATED.to_owned(), *len));
                }
            }
            Err(error) => {
                failure.get_or_insert(error);
            }
        }
    }
    if let Some(error) = failure {
        // What was written is remembered, so that it can be removed one day.
        after.0.extend(
            before
                .0
                .into_iter()
                .filter(|(path, _)| !after.0.contains_key(path))
                .collect::<Vec<_>>(),
        );
        let _ = after.write(state, &manifest);
        return Err(error);
    }
    for path in before.0.keys().filter(|path| !after.0.contains_key(path.as_str())) {
        if let Some(path) = OutPath::new(path.as_str()) {
            published.removed += usize::from(remove(dest, &path)?);
        }
    }
    after.write(state, &manifest)?;
    Ok(published)
}

/// What became of one file.
enum Fate {
    /// It was right already; its length.
    Fresh(u64),
    /// It was made; its length.
    Written(u64),
    /// It could not be made.
    Failed(Box<Diagnostic>),
}

fn bring_up_to_date(
    output: &Output,
    dest: &Path,
    before: &Manifest,
) -> Result<Fate, Error> {
    let path = dest.join(output.path.as_str());
    if let Some((key, len)) = before.0.get(output.path.as_str())
        && *key == output.key.hex()
        && path.symlink_metadata().is_ok_and(|data| data.is_file() && data.len() == *len)
    {
        return Ok(Fate::Fresh(*len));
    }
    let bytes = match output.make() {
        Ok(bytes) => bytes,
        Err(note) => return Ok(Fate::Failed(note)),
    };
    write_atomically(&path, &bytes)?;
    Ok(Fate::Written(bytes.len() as u64))
}

/// Writes beside the file and renames, so that nobody ever sees half of it and a link in its
/// place is replaced and not followed.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let parent = path.parent().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // The name of the file may be as long as a name may be.
    let temporary =
        parent.join(format!(".{}.tmp", Hash::of_bytes(name.as_bytes()).short(12)));
    if fs::write(&temporary, bytes).is_err() {
        // Most often the folder is not there yet; if it is something else, it happens again.
        fs::create_dir_all(parent)
            .map_err(|cause| Error::new("create", parent, cause))?;
        fs::write(&temporary, bytes).map_err(|cause| {
            let _ = fs::remove_file(&temporary);
            Error::new("write", path, cause)
        })?;
    }
    fs::rename(&temporary, path).map_err(|cause| {
        let _ = fs::remove_file(&temporary);
        Error::new("write", path, cause)
    })
}

/// Removes a file of ours and the folders that are empty after it. Whether it was there.
fn remove(dest: &Path, path: &OutPath) -> Result<bool, Error> {
    let file = dest.join(path.as_str());
    match fs::remove_file(&file) {
        Ok(()) => {}
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        Err(cause) => return Err(Error::new("remove", &file, cause)),
    }
    let mut folder = file.parent();
    while let Some(empty) = folder.filter(|folder| *folder != dest) {
        if fs::remove_dir(empty).is_err() {
            break;
        }
        folder = empty.parent();
    }
    Ok(true)
}

/// No key of an output.
const OUTDATED: &str = "outdated";

/// What we wrote: path → key and length. One line each, so that it is read quickly.
#[derive(Default)]
struct Manifest(BTreeMap<String, (String, u64)>);

impl Manifest {
    /// One for every output folder.
    fn path(state: &Path, dest: &Path) -> PathBuf {
        let dest = dest.canonicalize().unwrap_or_else(|_| dest.to_owned());
        let name = Hash::of_bytes(dest.to_string_lossy().as_bytes()).short(16);
        state.join(format!("written-{name}.txt"))
    }

    /// An unreadable one is an empty one: everything is made again.
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let rows = text.lines().filter_map(|line| {
            let (key, rest) = line.split_once(' ')?;
            let (len, path) = rest.split_once(' ')?;
            Some((path.to_owned(), (key.to_owned(), len.parse().ok()?)))
        });
        Self(rows.collect())
    }

    fn insert(&mut self, output: &Output, len: u64, published: &mut Published) {
        published.bytes += len;
        self.0.insert(output.path.as_str().to_owned(), (output.key.hex(), len));
    }

    fn write(&self, state: &Path, path: &Path) -> Result<(), Error> {
        let mut text = String::new();
        for (path, (key, len)) in &self.0 {
            text.push_str(&format!("{key} {len} {path}\n"));
        }
        // The folder keeps itself out of git.
        let ignore = state.join(".gitignore");
        if ignore.symlink_metadata().is_err() {
            write_atomically(&ignore, b"*\n")?;
        }
        write_atomically(path, text.as_bytes())
    }
}
