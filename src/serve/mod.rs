//! The live preview: runs the pipeline whenever a file changes, and serves the result to a browser.
//!
//! Pages are rendered on request, with the same recipes as in a build. They are byte for byte the same, except for
//! the `<script>`s that are added to each response. The author can change conversations from there.

mod author;
mod http;
mod moves;
mod preview_state;
mod reply;
#[cfg(feature = "local-search")]
mod search;
mod watch;

use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use self::author::Author;
use self::preview_state::{Numbered, PreviewState, Problem};
pub use self::reply::TABLE;
use self::watch::Watch;
pub use self::watch::Watching;
use crate::diag::{self, Diagnostic, Severity};
use crate::disk;
use crate::files::SharedFiles;
use crate::json;
use crate::locale;
use crate::pipeline::{self, Build, Choices, Memo};
use crate::site::PlanCache;
use crate::sources::{PAGES_FOLDER, STATIC_FOLDER};
use crate::theme;

/// The maximum number of problems to show on a page; the terminal shows all.
const PROBLEMS: usize = 20;

/// An event to report in the terminal.
pub enum Event<'a> {
    /// A build finished.
    Built {
        /// Whether the preview was updated; otherwise it shows the previous build.
        is_new: bool,
        /// Diagnostics that are new since the last build.
        news: &'a [Diagnostic],
        /// All diagnostics, unless they are the same as for the last build.
        notes: Option<&'a [Diagnostic]>,
        /// The changed files, as far as known; empty for the first build.
        changed: &'a [String],
        /// The number of output files that changed.
        differ: usize,
        /// The duration, in seconds.
        seconds: f64,
    },
    /// The preview polls for changes, because the system does not report them, for this reason.
    Polling(String),
}

/// A message about a build to open pages.
#[derive(Serialize)]
struct Message<'a> {
    build: u64,
    problems: Vec<Problem<'a>>,
}

/// The site to preview.
pub struct Site<'a> {
    /// The folder that its files are in.
    pub folder: &'a Path,
    /// Opens its files for a build.
    pub open: &'a dyn Fn() -> SharedFiles,
    /// The files and folders to watch for changes, if they are not those of a site with a `site.toml`.
    pub watched: Option<Vec<String>>,
    /// Whether its pages have a bar with which its author changes them.
    pub is_editable: bool,
}

/// Serves a site, with its cache in `cache`, on `listener` until the process ends. Calls `report` for each
/// event.
pub fn run(
    site: &Site<'_>,
    cache: &Path,
    listener: TcpListener,
    choices: Choices,
    watching: Watching,
    report: &dyn Fn(Event<'_>),
) -> Result<(), disk::Error> {
    let author = if site.is_editable { Some(Author::new(site.folder)?) } else { None };
    let shown = Arc::new(PreviewState::new(cache, choices.release.private, author));
    let memo = Memo { plans: Some(PlanCache::default()), ..disk::memo_of(cache) };
    // Watch before the first build, so that no change is missed.
    let inputs = |build: Option<&Build>| site.watched.clone().unwrap_or_else(|| inputs(build));
    let (mut watch, reported) = Watch::new(site.folder, inputs(None), watching);
    let polling = |reported: Result<(), String>| {
        if let Err(trouble) = reported {
            report(Event::Polling(trouble));
        }
    };
    polling(reported);
    let mut notes = rebuild(1, site, &choices, &memo, &shown, Vec::new(), &[], report);
    http::start(listener, shown.clone())
        .map_err(|cause| disk::Error::new("serve", site.folder, cause))?;
    for number in 2.. {
        polling(watch.follow(inputs(shown.build().as_ref().map(|shown| &*shown.build))));
        let changed = watch.next();
        notes = rebuild(number, site, &choices, &memo, &shown, notes, &changed, report);
    }
    Ok(())
}

/// Returns the folders, and the files beside `site.toml`, that a site is read from.
fn inputs(build: Option<&Build>) -> Vec<String> {
    let content = build.map_or("content", |build| &build.config.content);
    let own = [content, PAGES_FOLDER, STATIC_FOLDER];
    let folders = own.into_iter().chain(["templates", "themes", locale::FOLDER]);
    let folders = folders.map(str::to_owned);
    let config = build.map(|build| &build.config);
    let files = config.into_iter().flat_map(|config| {
        let images = [&config.look.logo, &config.look.image, &config.head.favicon];
        let avatars = config.people.listed.iter().map(|person| &person.avatar);
        images.into_iter().chain(avatars).chain(&config.og_images.fonts).cloned()
    });
    let beside = pipeline::DECISIONS.into_iter().chain(theme::OWN_FILES);
    let beside = beside.map(str::to_owned);
    folders.into_iter().chain(beside).chain(files.filter(|path| !path.is_empty())).collect()
}

/// Rebuilds the site, updates the preview and returns the diagnostics.
#[expect(clippy::too_many_arguments, reason = "the state of the loop in `run`")]
fn rebuild(
    number: u64,
    site: &Site<'_>,
    choices: &Choices,
    memo: &Memo,
    shown: &PreviewState,
    notes_before: Vec<Diagnostic>,
    changed: &[String],
    report: &dyn Fn(Event<'_>),
) -> Vec<Diagnostic> {
    let started = Instant::now();
    let files = (site.open)();
    let result = pipeline::run(&files, choices, memo, &|_| {});
    let before = shown.build().map(|shown| shown.build);
    let (build, notes) = match result {
        Ok(mut build) => {
            let notes = std::mem::take(&mut build.notes);
            (Some(Arc::new(build)), notes)
        }
        // The previous build is shown until the error is fixed.
        Err(notes) => (None, notes),
    };
    let errors = notes.iter().filter(|note| note.severity == Severity::Error);
    let problems = errors.take(PROBLEMS).map(Problem::of).collect();
    let message: Arc<str> = json::for_script(&Message { build: number, problems }).into();
    let is_new = build.is_some();
    if let Some(build) = &build {
        shown.moves().follow(&build.addresses);
        shown.show(Numbered { number, build: build.clone() });
    }
    shown.broadcast(message);
    let seconds = started.elapsed().as_secs_f64();
    // Done after the page was updated.
    let differ = build.map_or(0, |now| {
        memo.sweep();
        difference(before.as_deref(), &now)
    });
    let new_notes = Some(&notes[..]).filter(|notes| *notes != notes_before);
    if number == 1 || differ > 0 || new_notes.is_some() || !is_new {
        let news = diag::news(&notes_before, &notes);
        report(Event::Built { is_new, news: &news, notes: new_notes, changed, differ, seconds });
    }
    notes
}

/// Returns the number of files that differ between two builds.
fn difference(before: Option<&Build>, now: &Build) -> usize {
    let mut old = before.into_iter().flat_map(|build| build.outputs.iter()).peekable();
    let mut differ = 0;
    for output in now.outputs.iter() {
        while old.next_if(|old| old.path < output.path).is_some() {
            differ += 1;
        }
        let same = old.next_if(|old| old.path == output.path);
        differ += usize::from(same.is_none_or(|old| old.key != output.key));
    }
    differ + old.count()
}
