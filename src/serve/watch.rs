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

/// The way in which changes are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watching {
    /// The system tells them.
    Native,
    /// They are looked for once a second.
    Polling,
}

/// The time without an event after which a change is complete. A save is a few events.
const QUIET_TIME: Duration = Duration::from_millis(5);
/// The time without an event when many files change, as when a branch is checked out.
const QUIET_TIME_AFTER_MANY: Duration = Duration::from_millis(150);
/// The time without an event when a file is gone: editors save by putting another in its place.
const QUIET_TIME_AFTER_LOSS: Duration = Duration::from_millis(60);
/// The number of changed files above which they are many.
const MANY_CHANGES: usize = 16;
/// The longest time for which a change is waited for to be complete.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// The time after a change when the tree is scanned once more.
const RESCAN_DELAY: Duration = Duration::from_secs(1);
/// The time between two scans where the system does not tell changes.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The most names in a report.
const MAX_NAMES: usize = 1000;

/// Watches a site folder for changes.
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
    /// Watches `site.toml` and everything in `folders` from now on. The error is why the tree must
    /// be scanned, because the system does not tell changes.
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
        let followed = self.native.as_mut().map_or(Ok(()), |native| native.follow(wanted));
        followed.map_err(|error| {
            // One folder that is not watched would be worse than none.
            self.native = None;
            error.to_string()
        })
    }

    /// Waits until something may have changed, and returns the files that are known to have
    /// changed.
    pub(super) fn next(&mut self) -> Vec<String> {
        loop {
            let Some(native) = &mut self.native else {
                std::thread::sleep(POLL_INTERVAL);
                let now = Some(disk::fingerprint(&self.site, &self.folders));
                if self.seen != now {
                    self.seen = now;
                    return Vec::new();
                }
                continue;
            };
            let first = if self.unsettled {
                native.events.recv_timeout(RESCAN_DELAY)
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
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // Reading a file is no change; we do it ourselves.
            let is_change =
                event.as_ref().map_or(true, |event| !matches!(event.kind, EventKind::Access(_)));
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
        let mut quiet = QUIET_TIME;
        let mut note = |event: notify::Result<Event>| {
            // An error means that something was lost.
            let Ok(event) = event else { return QUIET_TIME_AFTER_MANY };
            let mut quiet = QUIET_TIME;
            for path in &event.paths {
                if !disk::is_there(path) {
                    quiet = quiet.max(QUIET_TIME_AFTER_LOSS);
                }
                let inside = path.strip_prefix(site).unwrap_or(path);
                if changed.len() < MAX_NAMES {
                    changed.insert(inside.to_string_lossy().into_owned());
                }
            }
            if event.need_rescan() || changed.len() > MANY_CHANGES {
                quiet = quiet.max(QUIET_TIME_AFTER_MANY);
            }
            quiet
        };
        quiet = quiet.max(note(first));
        while started.elapsed() < MAX_WAIT {
            match self.events.recv_timeout(quiet) {
                Ok(event) => quiet = quiet.max(note(event)),
                Err(_) => break,
            }
        }
        changed.into_iter().collect()
    }
}
