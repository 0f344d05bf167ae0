//! Outputs as files: what differs is made and written, what we once wrote and no longer want
//! is removed, and everything else in the output folder is left alone.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Error;
use super::manifest::Manifest;
use super::state::State;
use super::write::{holds, remove, temporary, write_atomically};
use crate::diag::Diagnostic;
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

fn in_order(outputs: &Outputs) -> Vec<&Output> {
    let mut all: Vec<&Output> = outputs.iter().collect();
    all.sort_by_key(|output| output.rank);
    all
}

/// Does something with each output and what is known of it, several at a time where that may be.
fn each<T: Sync, R: Send>(
    outputs: &[&Output],
    known: &[T],
    work: impl Fn(&Output, &T) -> R + Sync,
) -> Vec<R> {
    let (early, late) =
        outputs.split_at(outputs.partition_point(|output| !output.is_late()));
    let (early_known, late_known) = known.split_at(early.len());
    let early = early.par_iter().zip(early_known);
    let mut results: Vec<R> = early.map(|(output, known)| work(output, known)).collect();
    let late = late.iter().zip(late_known);
    results.extend(late.map(|(output, known)| work(output, known)));
    results
}

/// Makes every file and writes none, but shows each to `look`; what there was to say.
pub fn check(
    outputs: &Outputs,
    look: &(dyn Fn(&Output, &[u8]) + Sync),
    progress: Progress<'_>,
) -> Vec<Diagnostic> {
    let all = in_order(outputs);
    let done = AtomicUsize::new(0);
    let work = |output: &Output, (): &()| {
        let note = match output.make() {
            Ok(bytes) => {
                look(output, &bytes);
                None
            }
            Err(note) => Some(*note),
        };
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.len());
        note
    };
    each(&all, &vec![(); all.len()], work).into_iter().flatten().collect()
}

/// Brings the folder `dest` up to date.
///
/// A build that is killed leaves every file old or new, and the next one mends the rest: before
/// anything is written, `state` notes what will be.
pub fn publish(
    outputs: &Outputs,
    dest: &Path,
    state: &State,
    trust: Trust,
    progress: Progress<'_>,
) -> Result<Published, Error> {
    fs::create_dir_all(dest).map_err(|cause| Error::new("create", dest, cause))?;
    let path = Manifest::path(state, dest);
    let before = Manifest::read(&path, state.program);
    mend(dest, &before);
    let all = in_order(outputs);
    let fresh: Vec<Option<u64>> = all
        .par_iter()
        .map(|output| fresh(output, dest, &before).filter(|_| trust == Trust::Manifest))
        .collect();
    let stale = all.iter().zip(&fresh).filter(|(_, fresh)| fresh.is_none());
    let is_stale = stale.clone().next().is_some();
    if is_stale {
        let rows = before.0.iter().map(|(path, known)| (path.clone(), *known));
        let mut during = Manifest(rows.collect());
        stale.for_each(|(output, _)| during.insert(output, None));
        during.write(&path, state.program)?;
    }
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = |output: &Output, fresh: &Option<u64>| {
        let fate = match fresh {
            Some(len) => Ok(Fate::Fresh(*len)),
            // Where one cannot be written, most often none can.
            None if stopped.load(Ordering::Relaxed) => Ok(Fate::Skipped),
            None => make(output, dest),
        };
        stopped.fetch_or(fate.is_err(), Ordering::Relaxed);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.len());
        fate
    };
    let results = each(&all, &fresh, work);
    let mut published = Published::default();
    let mut after = Manifest::default();
    for (output, result) in all.iter().zip(results) {
        let (len, written) = match result? {
            Fate::Fresh(len) => (len, false),
            Fate::Written(len) => (len, true),
            Fate::Failed(note) => {
                published.notes.push(*note);
                // An old page is better than none; it stays ours and stays out of date.
                after.insert(output, None);
                continue;
            }
            Fate::Skipped => continue,
        };
        published.written += usize::from(written);
        published.bytes += len;
        after.insert(output, Some((output.key, len)));
    }
    let gone: Vec<&str> = before
        .0
        .keys()
        .filter(|path| !after.0.contains_key(*path))
        .map(|path| &**path)
        .collect();
    for path in &gone {
        if let Some(path) = OutPath::new(*path) {
            published.removed += usize::from(remove(dest, &path)?);
        }
    }
    if is_stale || !gone.is_empty() {
        after.write(&path, state.program)?;
    }
    Ok(published)
}

/// Whether what is known of the output folder is believed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// A file whose key and length are right is right.
    Manifest,
    /// Every file is made again and compared.
    Nothing,
}

/// Removes what a build that was killed left half written.
fn mend(dest: &Path, before: &Manifest) {
    for (path, _) in before.0.iter().filter(|(_, known)| known.is_none()) {
        let _ = fs::remove_file(temporary(&dest.join(&**path)));
    }
}

/// What became of one file.
enum Fate {
    /// It was right already; its length.
    Fresh(u64),
    /// It was made, and was not so before; its length.
    Written(u64),
    /// It could not be made.
    Failed(Box<Diagnostic>),
    /// It was not tried.
    Skipped,
}

/// The length of a file that is right already.
fn fresh(output: &Output, dest: &Path, before: &Manifest) -> Option<u64> {
    let (key, len) = before.0.get(output.path.as_str())?.as_ref()?;
    let path = dest.join(output.path.as_str());
    let is_right = *key == output.key
        && path.symlink_metadata().is_ok_and(|data| data.is_file() && data.len() == *len);
    is_right.then_some(*len)
}

fn make(output: &Output, dest: &Path) -> Result<Fate, Error> {
    let path = dest.join(output.path.as_str());
    let bytes = match output.make() {
        Ok(bytes) => bytes,
        Err(note) => return Ok(Fate::Failed(note)),
    };
    let len = bytes.len() as u64;
    if holds(&path, &bytes) {
        return Ok(Fate::Fresh(len));
    }
    write_atomically(&path, &bytes)?;
    Ok(Fate::Written(len))
}

/// Removes the files of ours in the folder `dest`, and what `state` remembers. Files of others
/// stay. The number of files in `dest` that were removed.
pub fn clean(dest: &Path, state: State) -> Result<usize, Error> {
    let path = Manifest::path(&state, dest);
    let addresses = state.addresses(dest);
    let manifest = Manifest::read(&path, state.program);
    mend(dest, &manifest);
    let mut removed = 0;
    for path in manifest.0.keys().filter_map(|path| OutPath::new(&**path)) {
        removed += usize::from(remove(dest, &path)?);
    }
    // The folder itself goes if nobody else's files are in it.
    let _ = fs::remove_dir(dest);
    state.forget(&[path, addresses])?;
    Ok(removed)
}
