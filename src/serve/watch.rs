//! Waiting for the author's next change.
//!
//! What the system tells is a hint that something changed and not what: watchers lose events
//! without a word, most of all in new folders. Every rebuild looks at the whole tree, and a
//! while after the last event it is looked at once more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::disk;
use crate::hash::Hash;

/// How changes are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watching {
    /// The system tells them.
    Native,
    /// They are looked for once a second.
    Polling,
}

/// After this time without an event the change is complete. A save is a few events.
const QUIET: Duration = Duration::from_millis(5);
/// The same when many files change, as when a branch is checked out.
const QUIET_AFTER_MANY: Duration = Duration::from_millis(150);
/// The same when a file is gone: editors save by putting another in its place.
const QUIET_AFTER_LOSS: Duration = Duration::from_millis(60);
/// As many as are many.
const MANY: usize = 16;
/// After this time the change is taken to be complete whatever goes on.
const PATIENCE: Duration = Duration::from_secs(3);
/// When the tree is looked at once more after a change.
const SETTLED: Duration = Duration::from_secs(1);
/// How often changes are looked for where the system does not tell them.
const POLL: Duration = Duration::from_secs(1);
/// Names in a report.
const NAMES: usize = 1000;

/// The changes of a site folder.
pub(super) struct Watch {
    site: PathBuf,
    /// The folders below it that matter.
    folders: Vec<String>,
    native: Option<Native>,
    /// Without a native watcher, what the tree was when it was looked at last.
    seen: Option<Hash>,
    /// Whether the tree must be looked at once more.
    unsettled: bool,
}

struct Native {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    /// The folders that are watched, and their numbers: one that was deleted and made again is
    /// another one.
    watched: Vec<(PathBuf, u64)>,
}

impl Watch {
    /// The changes of `site.toml` and of what is in `folders` from now on. The error is why
    /// they must be looked for, as the system does not tell them.
    pub(super) fn new(
        site: &Path,
        folders: Vec<String>,
        watching: Watching,
    ) -> (Self, Result<(), String>) {
        let site = disk::resolve(site);
        let native = match watching {
            Watching::Native => Native::new(&site).map(Some),
            Watching::Polling => Ok(None),
        };
        let (native, told) = match native {
            Ok(native) => (native, Ok(())),
            Err(error) => (None, Err(error.to_string())),
        };
        let seen = native.is_none().then(|| disk::fingerprint(&site, &folders));
        let mut watch = Self { site, folders: Vec::new(), native, seen, unsettled: true };
        let followed = watch.follow(folders);
        (watch, told.and(followed))
    }

    /// Watches these folders, as far as they are there, and no others.
    pub(super) fn follow(&mut self, folders: Vec<String>) -> Result<(), String> {
        self.folders = folders;
        let wanted = disk::numbered(&self.site, &self.folders);
        let followed =
            self.native.as_mut().map_or(Ok(()), |native| native.follow(wanted));
        followed.map_err(|error| {
            // One folder that is not watched would be worse than none.
            self.native = None;
            error.to_string()
        })
    }

    /// Waits until something may have changed; the files that are known to have.
    pub(super) fn next(&mut self) -> Vec<String> {
        loop {
            let Some(native) = &mut self.native else {
                std::thread::sleep(POLL);
                let now = Some(disk::fingerprint(&self.site, &self.folders));
                if self.seen != now {
                    self.seen = now;
                    return Vec::new();
                }
                continue;
            };
            let first = if self.unsettled {
                native.events.recv_timeout(SETTLED)
            } else {
                native.events.recv().map_err(RecvTimeoutError::from)
            };
            match first {
                Ok(first) => {
                    self.unsettled = true;
                    return native.gather(first, &self.site);
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.unsettled = false;
                    return Vec::new();
                }
                // The watcher is gone, and with it every hint.
                Err(RecvTimeoutError::Disconnected) => self.native = None,
            }
        }
    }
}

impl Native {
    fn new(site: &Path) -> notify::Result<Self> {
        let (sender, events) = channel();
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<Event>| {
                // Reading a file is no change; we do it ourselves.
                let is_change = event
                    .as_ref()
                    .map_or(true, |event| !matches!(event.kind, EventKind::Access(_)));
                if is_change {
                    // When nobody listens any more the program ends.
                    let _ = sender.send(event);
                }
            })?;
        // New folders, and site.toml. Editors replace files, so no file is watched itself.
        watcher.watch(site, RecursiveMode::NonRecursive)?;
        Ok(Self { watcher, events, watched: Vec::new() })
    }

    fn follow(&mut self, wanted: Vec<(PathBuf, u64)>) -> notify::Result<()> {
        for known in &self.watched {
            if !wanted.contains(known) {
                // It may be gone already.
                let _ = self.watcher.unwatch(&known.0);
            }
        }
        for folder in &wanted {
            if !self.watched.contains(folder) {
                self.watcher.watch(&folder.0, RecursiveMode::Recursive)?;
            }
        }
        self.watched = wanted;
        Ok(())
    }

    /// Takes events until the change that `first` belongs to is complete.
    fn gather(&self, first: notify::Result<Event>, site: &Path) -> Vec<String> {
        let started = Instant::now();
        let mut changed = BTreeSet::new();
        let mut quiet = QUIET;
        let mut note = |event: notify::Result<Event>| {
            // An error means that something was lost.
            let Ok(event) = event else { return QUIET_AFTER_MANY };
            let mut quiet = QUIET;
            for path in &event.paths {
                if !disk::is_there(path) {
                    quiet = quiet.max(QUIET_AFTER_LOSS);
                }
                let inside = path.strip_prefix(site).unwrap_or(path);
                if changed.len() < NAMES {
                    changed.insert(inside.to_string_lossy().into_owned());
                }
            }
            if event.need_rescan() || changed.len() > MANY {
                quiet = quiet.max(QUIET_AFTER_MANY);
            }
            quiet
        };
        quiet = quiet.max(note(first));
        while started.elapsed() < PATIENCE {
            match self.events.recv_timeout(quiet) {
                Ok(event) => quiet = quiet.max(note(event)),
                Err(_) => break,
            }
        }
        changed.into_iter().collect()
    }
}
