//! Writes outputs as files. Removes our files that are no longer wanted, makes and writes those
//! that differ, and leaves everything else in the output folder alone.

use std::collections::HashSet;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Error;
use super::changes::Changes;
use super::destination::Destination;
use super::folder::{Folder, Kind, STAGING, Staging, is_staging};
use super::manifest::{Manifest, Written};
use super::output_scan::{Candidate, Known};
use super::own_files::{LIST, OwnFiles};
use super::state::State;
use crate::diag::Diagnostic;
use crate::outputs::{self, LargeFile, Output, Outputs};
use crate::partition::Partition;
use crate::path::OutPath;

/// The result of updating the output folder.
#[derive(Debug, Default)]
pub struct Published {
    /// Files that were made and written.
    pub written: usize,
    /// Files that were removed.
    pub removed: usize,
    /// The number of removed files.
    pub bytes: u64,
    /// The diagnostics from making the files.
    pub notes: Vec<Diagnostic>,
    /// Files and folders that convo-site did not write.
    pub foreign: Foreign,
}

/// What convo-site did not write in an output folder.
#[derive(Debug, Default)]
pub struct Foreign {
    /// The paths, sorted; a folder means everything in it.
    pub paths: Vec<String>,
    /// Whether some of it may be ours, because the list of our files is lost.
    pub may_be_ours: bool,
}

/// Called after each file with the numbers of finished files and of all files.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// An output, and what is known of its file so far.
struct Target<'a, T> {
    output: &'a Output,
    known: T,
}

/// Calls a function for each output, in the best order for making them, in parallel where possible.
/// Leaves the outputs in that order.
fn each<T: Send>(targets: &mut [Target<'_, T>], work: impl Fn(&mut Target<'_, T>) + Sync) {
    targets.sort_by_key(|target| target.output.rank);
    let late = targets.partition_point(|target| !target.output.is_made_last());
    let (early, late) = targets.split_at_mut(late);
    early.par_iter_mut().for_each(&work);
    late.iter_mut().for_each(work);
}

/// Makes all files that are not known without writing them, passes each to `look`, and returns the
/// diagnostics. Makes packed copies only if they are requested.
pub fn check(
    outputs: &Outputs,
    with_copies: bool,
    is_known: &(dyn Fn(&Output) -> bool + Sync),
    look: &(dyn Fn(&Output, &[u8]) + Sync),
    progress: Progress<'_>,
) -> Vec<Diagnostic> {
    let outputs = outputs.iter().filter(|output| with_copies || !output.is_optional());
    let mut all: Vec<_> = outputs.map(|output| Target { output, known: None }).collect();
    let (done, count) = (AtomicUsize::new(0), all.len());
    each(&mut all, |Target { output, known }| {
        if !is_known(output) {
            // Large copies are compared in chunks, and have nothing to look at.
            let made = match output.large() {
                Some(_) => Ok(Vec::new()),
                None => output.make(),
            };
            match made {
                Ok(bytes) => look(output, &bytes),
                Err(note) => *known = Some(note).filter(|_| !output.is_optional()),
            }
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
    });
    all.into_iter().filter_map(|target| target.known.map(|note| *note)).collect()
}

/// Which outputs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// All outputs.
    Whole,
    /// The outputs of a partition.
    Part {
        /// The partition.
        partition: Partition,
        /// Whether the other partitions are written to the same output folder.
        is_shared: bool,
    },
}

impl Scope {
    /// Returns the partition, if it is not the whole.
    pub fn partition(self) -> Option<Partition> {
        match self {
            Self::Whole => None,
            Self::Part { partition, .. } => Some(partition),
        }
    }

    /// Returns whether this process reports the diagnostics about a source file. Exactly one of all
    /// parts does.
    pub fn reports_file(self, file: &str) -> bool {
        self.partition().is_none_or(|partition| partition.holds_name(file))
    }

    /// Returns whether this process reports the diagnostics of planning. Those without a file are
    /// reported by the first part.
    pub fn reports_planning(self, note: &Diagnostic) -> bool {
        match &note.at {
            Some(at) => self.reports_file(&at.file),
            None => self.partition().is_none_or(Partition::is_first),
        }
    }

    /// Returns whether this process reports the diagnostics about the output folder.
    pub fn reports_output(self) -> bool {
        !self.is_shared() || self.partition().is_none_or(Partition::is_first)
    }

    /// Returns whether the output at a path is written.
    fn holds(self, path: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::Part { partition, .. } => partition.holds_name(outputs::partition_name(path)),
        }
    }

    /// Returns whether other processes may write to the output folder at the same time.
    fn is_shared(self) -> bool {
        matches!(self, Self::Part { is_shared: true, .. })
    }

    /// Returns the name of the staging folder; in a shared output folder each part has its own.
    fn staging(self) -> String {
        match self {
            Self::Part { partition, is_shared: true } => {
                format!("{STAGING}-{}", partition.file_name())
            }
            _ => STAGING.to_owned(),
        }
    }
}

/// Updates the output folder.
///
/// The list of our files always covers the whole site, whatever part is written, and so do
/// removals: a file is removed if no part wants it. A folder that is not shared must not contain
/// files of other parts, because nobody would update them.
///
/// Unwanted files are removed first, even if something fails later. Then the new list of our
/// files is written, before any of the new files. If a build is killed, each file is either old or
/// new, and the next build does the rest. `changes` records each written or removed file, even if
/// something fails later. If something that is not ours is in the way, nothing is written.
pub fn publish(
    outputs: &Outputs,
    destination: &Destination,
    state: &State,
    scope: Scope,
    cache_policy: CachePolicy,
    changes: &Changes,
    progress: Progress<'_>,
) -> Result<Published, Error> {
    let folder = destination.make()?;
    let manifest = State::of_output(WRITTEN, &destination.path());
    let mut before = Manifest::read(state, &manifest);
    state.disown(&manifest);
    let list = OwnFiles::read(&folder);
    if list.is_none() {
        // Any folder may contain files of ours that are not known to be ours.
        before.set_unchanged(Vec::new());
    }
    let is_listed = list.as_ref().is_some_and(|list| list.are(outputs));
    let (own, may_be_ours) = list
        .map_or_else(|| own_files_from_state(&folder, &before, destination), |list| (list, false));
    let mut published = Published::default();
    let remove = |path: &OutPath| -> Result<usize, Error> {
        let is_removed = folder.remove_below(path)?;
        if is_removed {
            changes.removed(path);
        }
        Ok(usize::from(is_removed))
    };
    for path in own.not_in(outputs) {
        published.removed += remove(&path)?;
    }
    sweep(&folder, scope)?;
    let last = before.take_written_at(outputs.iter().map(|output| output.path.as_str()));
    let candidates = outputs.iter().zip(last);
    let candidates: Vec<Candidate<'_>> =
        candidates.map(|(output, written)| Candidate { output, written }).collect();
    let is_believed = cache_policy == CachePolicy::Use;
    let known = Known { own: &own, manifest: &before, is_believed };
    let mut scan = known.scan(folder.path(), &candidates)?;
    drop(own);
    // Conflicts about outputs of other parts are reported by those parts.
    let is_of_other_part = |path: &str| outputs.get(path).is_some() && !scope.holds(path);
    scan.conflicts.retain(|(path, _)| !is_of_other_part(path));
    retain_conflicts(&mut scan.conflicts, outputs, &folder);
    refuse(&folder, &scan.conflicts)?;
    published.foreign = Foreign { paths: scan.foreign, may_be_ours };
    // Sorted by path.
    let mut own: Vec<Target<'_, FileState>> = Vec::with_capacity(outputs.len());
    let mut others = Vec::new();
    let scanned = scan.is_right.into_iter().zip(scan.is_there);
    for (Candidate { output, written }, (is_right, is_there)) in candidates.into_iter().zip(scanned)
    {
        let known = FileState { written, is_right, failure: None };
        match scope.holds(output.path.as_str()) {
            true => own.push(Target { output, known }),
            false if is_there => others.push(output.path.as_str()),
            false => {}
        }
    }
    if !scope.is_shared() {
        check_no_other_parts(&folder, &others)?;
    }
    let is_stale = own.iter().any(|target| !target.known.is_right);
    let staging = (is_stale || !is_listed).then(|| Staging::named(&folder, scope.staging()));
    let staging = staging.transpose()?;
    if let Some(staging) = &staging {
        if !is_listed {
            OwnFiles::write(&folder, staging, outputs)?;
        }
        let during = own.iter().map(|Target { output, known }| {
            (&output.path, known.right().or(known.written.map(Written::outdated)))
        });
        Manifest::default().write(state, &manifest, during)?;
    }
    let (done, written) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (removed, error) = (AtomicUsize::new(0), OnceLock::new());
    let count = own.len();
    each(&mut own, |Target { output, known }| {
        // If one file cannot be written, usually none can.
        if let (false, Some(staging), None) = (known.is_right, &staging, error.get()) {
            match make(output, &folder, staging, changes) {
                Ok(WriteOutcome::Fresh(now)) => known.is_now(now),
                Ok(WriteOutcome::Written(now)) => {
                    written.fetch_add(1, Ordering::Relaxed);
                    known.is_now(now);
                }
                Ok(WriteOutcome::Removed(now)) => {
                    removed.fetch_add(1, Ordering::Relaxed);
                    known.is_now(now);
                }
                Ok(WriteOutcome::Failed(note)) => known.failure = Some(note),
                // The first one is reported.
                Err(cause) => drop(error.set(cause)),
            }
        }
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, count);
    });
    // Before anything else can fail, because old files could show what is private now.
    for Target { output, .. } in own.iter().filter(|target| target.known.failure.is_some()) {
        published.removed += remove(&output.path)?;
    }
    error.into_inner().map_or(Ok(()), Err)?;
    published.written = written.into_inner();
    published.removed += removed.into_inner();
    for Target { output, known } in &mut own {
        published.bytes += known.right().map_or(0, |written| written.len);
        // The error of the file itself already says it.
        let failure = known.failure.take().filter(|_| !output.is_optional());
        published.notes.extend(failure.map(|note| *note));
    }
    if before.set_unchanged(scan.unchanged) || staging.is_some() {
        own.sort_unstable_by_key(|target| &target.output.path);
        let after = own.iter().map(|target| (&target.output.path, target.known.right()));
        before.write(state, &manifest, after)?;
    }
    Ok(published)
}

/// The name under which a state keeps the manifest of an output folder.
pub(super) const WRITTEN: &str = "written";

/// Finds our files if the output folder has lost its list, and returns whether there may be more. A
/// planted state could name any files, so it is trusted only for a folder of the same site. Files
/// that have changed since may belong to somebody else.
fn own_files_from_state(
    folder: &Folder,
    before: &Manifest,
    destination: &Destination,
) -> (OwnFiles, bool) {
    let files: Vec<(&str, Option<Written>)> = match destination.is_inside() {
        true => before.files().collect(),
        false => Vec::new(),
    };
    let is_ours = |(path, known): &(&str, Option<Written>)| {
        let there = OutPath::new(*path).and_then(|path| folder.read_below(&path).ok())?;
        Some(known.is_some_and(|known| known.is(&there)))
    };
    // Missing files belong to nobody.
    let found: Vec<Option<bool>> = files.par_iter().map(is_ours).collect();
    let may_be_ours = files.is_empty() || found.contains(&Some(false));
    let found = files.into_iter().zip(found);
    let ours = found.filter(|(_, is_ours)| *is_ours == Some(true));
    (ours.map(|((path, _), _)| path).collect(), may_be_ours)
}

/// Removes the files from `conflicts` that are identical to what would be written.
fn retain_conflicts(conflicts: &mut Vec<(String, Kind)>, outputs: &Outputs, folder: &Folder) {
    let files = conflicts.iter().filter(|(_, kind)| *kind == Kind::File);
    let files = files.filter_map(|(path, _)| outputs.get(path));
    let mut files: Vec<_> = files.map(|output| Target { output, known: false }).collect();
    each(&mut files, |Target { output, known: is_right }| {
        *is_right = match output.large() {
            Some(large) => folder.holds_hash_below(&output.path, large.len, large.hash),
            None => folder
                .read_below(&output.path)
                .is_ok_and(|there| output.make().is_ok_and(|bytes| bytes == there)),
        };
    });
    let right = files.iter().filter(|target| target.known);
    let right: HashSet<&str> = right.map(|target| target.output.path.as_str()).collect();
    conflicts.retain(|(path, _)| !right.contains(path.as_str()));
}

/// Removes half-written files of a killed build. If other processes may be writing, only removes
/// those of the same part.
fn sweep(folder: &Folder, scope: Scope) -> Result<(), Error> {
    let failed = |name: &str, cause| Error::new("remove", &folder.path().join(name), cause);
    let remove = |name: &str| folder.remove_folder(name).map_err(|e| failed(name, e));
    if scope.is_shared() {
        return remove(&scope.staging());
    }
    let entries = folder.entries().map_err(|cause| failed("", cause))?;
    let left = entries.iter().filter(|(name, _)| is_staging(name));
    left.filter_map(|(name, _)| name.to_str()).try_for_each(remove)
}

/// Returns an error if files of other parts are in the folder of one part.
fn check_no_other_parts(folder: &Folder, others: &[&str]) -> Result<(), Error> {
    let Some(first) = others.first() else { return Ok(()) };
    let what = match others.len() {
        1 => "it belongs to another part".to_owned(),
        count => format!("it belongs to another part, as do {} more files", count - 1),
    };
    let cause = std::io::Error::other(what);
    Err(Error::new("leave", &folder.path().join(first), cause).hint_or(
        "nothing was written; give each part its own folder with `-o`, empty or last written by the \
         same part, or use `--shared-output` if all parts write to this folder",
    ))
}

/// Returns an error if something is in the way.
fn refuse(folder: &Folder, conflicts: &[(String, Kind)]) -> Result<(), Error> {
    let Some((path, kind)) = conflicts.first() else { return Ok(()) };
    let others = match conflicts.len() - 1 {
        0 => String::new(),
        count => format!(", and {count} more"),
    };
    let what = format!("there is {} that convo-site did not write{others}", kind.words());
    let cause = std::io::Error::other(what);
    Err(Error::new("write", &folder.path().join(path), cause).hint_or(
        "nothing was written; move it away, delete the output folder if everything in it is from \
         earlier builds, or choose another one with `-o`",
    ))
}

/// How much of what is known about the output folder is trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CachePolicy {
    /// A file with the right key and length is up to date.
    Use,
    /// Every file is made again and compared.
    Ignore,
}

/// The state of an output's file.
struct FileState {
    /// What was last written at its path.
    written: Option<Written>,
    /// Whether that is up to date.
    is_right: bool,
    /// Why it could not be made.
    failure: Option<Box<Diagnostic>>,
}

impl FileState {
    /// Returns the file's record, if it is up to date.
    fn right(&self) -> Option<Written> {
        self.written.filter(|_| self.is_right)
    }

    /// Records that it is now up to date.
    fn is_now(&mut self, now: Written) {
        (self.written, self.is_right) = (Some(now), true);
    }
}

/// The result for one file.
enum WriteOutcome {
    /// It was already up to date.
    Fresh(Written),
    /// It was made and written.
    Written(Written),
    /// It is not wanted and was removed.
    Removed(Written),
    /// It could not be made.
    Failed(Box<Diagnostic>),
}

fn make(
    output: &Output,
    folder: &Folder,
    staging: &Staging,
    changes: &Changes,
) -> Result<WriteOutcome, Error> {
    if let Some(large) = output.large() {
        return copy(output, large, folder, staging, changes);
    }
    let bytes = match output.make() {
        Ok(bytes) => bytes,
        Err(note) => return Ok(WriteOutcome::Failed(note)),
    };
    let known = Written::new(output.key, &bytes);
    let write = || {
        if output.is_optional() && bytes.is_empty() {
            if !folder.remove_below(&output.path)? {
                return Ok(WriteOutcome::Fresh(known));
            }
            changes.removed(&output.path);
            return Ok(WriteOutcome::Removed(known));
        }
        let (holder, name) = folder.make_parent(&output.path)?;
        if holder.holds(name, &bytes) {
            return Ok(WriteOutcome::Fresh(known));
        }
        staging.put(&holder, name, &bytes)?;
        changes.written(&output.path);
        Ok(WriteOutcome::Written(known))
    };
    write().or_else(|error: Error| match error.is_missing() {
        // Another process that builds another part removed the empty folder.
        true => write(),
        false => Err(error),
    })
}

/// Copies a file, a few bytes at a time.
fn copy(
    output: &Output,
    large: &LargeFile,
    folder: &Folder,
    staging: &Staging,
    changes: &Changes,
) -> Result<WriteOutcome, Error> {
    let known = Written::of(output.key, large.len, large.hash);
    let mut failure = None;
    let mut write = || {
        let (holder, name) = folder.make_parent(&output.path)?;
        if holder.holds_hash(name, large.len, large.hash) {
            return Ok(WriteOutcome::Fresh(known));
        }
        staging.write(&holder, name, |file| {
            large.copy(|piece| file.write_all(piece)).unwrap_or_else(|note| {
                let cause = std::io::Error::other(note.message.clone());
                failure = Some(note);
                Err(cause)
            })
        })?;
        changes.written(&output.path);
        Ok(WriteOutcome::Written(known))
    };
    let written = write().or_else(|error: Error| match error.is_missing() {
        // Another process that builds another part removed the empty folder.
        true => write(),
        false => Err(error),
    });
    failure.map_or(written, |note| Ok(WriteOutcome::Failed(note)))
}

/// Removes our files from the output folder, and the data of `state`. Leaves other files alone.
/// Returns the number of removed files, and what is left.
pub fn clean(destination: &Destination, state: State) -> Result<(usize, Foreign), Error> {
    let manifest = State::of_output(WRITTEN, &destination.path());
    let addresses = state.addresses(&destination.path());
    let mut removed = 0;
    let mut foreign = Foreign::default();
    if let Some(folder) = destination.open()? {
        let failed = |cause| Error::new("remove", folder.path(), cause);
        sweep(&folder, Scope::Whole)?;
        let before = Manifest::read(&state, &manifest);
        let (own, may_be_ours) = OwnFiles::read(&folder).map_or_else(
            || own_files_from_state(&folder, &before, destination),
            |list| (list, false),
        );
        foreign.may_be_ours = may_be_ours;
        for path in own.paths() {
            removed += usize::from(folder.remove_below(&path)?);
        }
        if own.paths().next().is_some() {
            folder.remove_file(LIST).map_err(failed)?;
        }
        let left = folder.entries().map_err(failed)?;
        foreign.paths = left.iter().map(|(name, _)| name.to_string_lossy().into_owned()).collect();
        foreign.paths.sort();
    }
    destination.remove_if_empty();
    state.forget(&[manifest, addresses])?;
    Ok((removed, foreign))
}

/// Returns whether an output folder has a list of our files.
pub fn has_list(destination: &Destination) -> bool {
    let folder = destination.open().ok().flatten();
    folder.is_some_and(|folder| folder.len(LIST).is_some())
}
