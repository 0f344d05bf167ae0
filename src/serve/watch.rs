//! Watches a site for changes.
//!
//! Events of the system only show that something changed, not what: watchers lose events silently, above all in new
//! folders. So every rebuild scans the whole tree, and the tree is scanned once more a while after the last event.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use crate::disk;
use crate::hash::Hash;

/// How changes are detected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Watching {
    /// With notifications of the system.
    Native,
    /// With a scan every second.
    Polling,
}

/// The time without events after which a change is complete; saving a file causes several.
const QUIET_TIME: Duration = Duration::from_millis(5);
/// The same if many files change, such as by a checkout of a branch.
const QUIET_TIME_AFTER_MANY: Duration = Duration::from_millis(150);
/// The same if a file is missing, as editors replace files to save them.
const QUIET_TIME_AFTER_LOSS: Duration = Duration::from_millis(60);
/// The number of changed files that counts as many.
const MANY_CHANGES: usize = 16;
/// The maximum time to wait until a change is complete.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// The delay before the tree is scanned once more after a change.
const RESCAN_DELAY: Duration = Duration::from_secs(1);
/// The time between two scans when polling.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum number of file names to report.
const MAX_NAMES: usize = 1000;

/// Watches a site folder for changes.
pub(super) struct Watch {
    site: PathBuf,
    /// The folders to watch below it.
    folders: Vec<String>,
    native: Option<Native>,
    /// The fingerprint of the last scan, when polling.
    seen: Option<Hash>,
    /// Whether the tree must be scanned once more.
    unsettled: bool,
}

struct Native {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    /// The watched folders and their file numbers, to detect folders that were deleted and created again.
    watched: Vec<(PathBuf, u64)>,
}

impl Watch {
    /// Starts watching `site.toml` and `folders`. An error is the reason why it polls instead of using notifications.
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
        let (native, reported) = match native {
            Ok(native) => (native, Ok(())),
            Err(error) => (None, Err(error.to_string())),
        };
        let seen = native.is_none().then(|| disk::fingerprint(&site, &folders));
        let mut watch = Self { site, folders: Vec::new(), native, seen, unsettled: true };
        let followed = watch.follow(folders);
        (watch, reported.and(followed))
    }

    /// Watches exactly those of these folders that exist.
    pub(super) fn follow(&mut self, folders: Vec<String>) -> Result<(), String> {
        self.folders = folders;
        let wanted = disk::numbered(&self.site, &self.folders);
        let followed = self.native.as_mut().map_or(Ok(()), |native| native.follow(wanted));
        followed.map_err(|error| {
            // Poll all folders, rather than miss changes in one of them.
            self.native = None;
            error.to_string()
        })
    }

    /// Waits until something may have changed, and returns the files known to have changed.
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
                // The watcher stopped, so poll from now on.
                Err(RecvTimeoutError::Disconnected) => self.native = None,
            }
        }
    }
}

impl Native {
    fn new(site: &Path) -> notify::Result<Self> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            // Reading files is not a change; the preview does it, too.
            let is_change =
                event.as_ref().map_or(true, |event| !matches!(event.kind, EventKind::Access(_)));
            if is_change {
                // Fails only when the process is about to exit.
                let _ = sender.send(event);
            }
        })?;
        // For new folders and site.toml. Editors replace files, so folders are watched instead of files.
        watcher.watch(site, RecursiveMode::NonRecursive)?;
        Ok(Self { watcher, events, watched: Vec::new() })
    }

    fn follow(&mut self, wanted: Vec<(PathBuf, u64)>) -> notify::Result<()> {
        for known in &self.watched {
            if !wanted.contains(known) {
                // The folder may no longer exist.
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

    /// Collects events until the change that starts with `first` is complete.
    fn gather(&self, first: notify::Result<Event>, site: &Path) -> Vec<String> {
        let started = Instant::now();
        let mut changed = BTreeSet::new();
        let mut quiet = QUIET_TIME;
        let mut note = |event: notify::Result<Event>| {
            // An error means that events were lost.
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
