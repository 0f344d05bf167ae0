//! The live preview: the flow of a build, run again whenever a file changes, shown to a browser.
//!
//! A page is made when it is asked for, from the same recipe as in a build, and is the same
//! byte for byte but for one `<script>` that is added to the response.

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

use self::preview_state::{Numbered, PreviewState, Problem};
use self::watch::Watch;
pub use self::watch::Watching;
use crate::diag::{self, Diagnostic, Severity};
use crate::disk::{self, Disk};
use crate::files::SharedFiles;
use crate::gate;
use crate::json;
use crate::locale;
use crate::pipeline::{self, Build, Choices, Memo};
use crate::site::PlanCache;
use crate::sources::{PAGES_FOLDER, STATIC_FOLDER};
use crate::theme;

/// Problems that a page shows; the terminal has all.
const PROBLEMS: usize = 20;

/// What the author is told, in the terminal.
pub enum Event<'a> {
    /// The site, or what of it could be, is there to be looked at.
    Built {
        /// Whether it is the site as it is now, and not the one before.
        is_new: bool,
        /// What there is to say that was not said the last time.
        news: &'a [Diagnostic],
        /// All that there is to say, unless it is what was said the last time.
        notes: Option<&'a [Diagnostic]>,
        /// The files that changed, as far as they are known; none for the first time.
        changed: &'a [String],
        /// How many files of the site are not what they were.
        differ: usize,
        /// The time it took. Seconds.
        seconds: f64,
    },
    /// Changes must be looked for, because the system does not tell them, and why.
    Polling(String),
}

/// What open pages are told of a build.
#[derive(Serialize)]
struct Message<'a> {
    build: u64,
    problems: Vec<Problem<'a>>,
}

/// Serves the site in the folder `folder`, whose cache the folder `cache` holds, on `listener` until the process ends. `tell` hears what
/// the author should know.
pub fn run(
    folder: &Path,
    cache: &Path,
    listener: TcpListener,
    choices: Choices,
    watching: Watching,
    tell: &dyn Fn(Event<'_>),
) -> Result<(), disk::Error> {
    let shown = Arc::new(PreviewState::new(cache, choices.release.private));
    let memo = Memo { plans: Some(PlanCache::default()), ..disk::memo_of(cache) };
    // Changes are seen from the start, so that none falls between reading and watching.
    let (mut watch, told) = Watch::new(folder, inputs(None), watching);
    let polling = |told: Result<(), String>| {
        if let Err(trouble) = told {
            tell(Event::Polling(trouble));
        }
    };
    polling(told);
    let mut notes = rebuild(1, folder, &choices, &memo, &shown, Vec::new(), &[], tell);
    http::start(listener, shown.clone())
        .map_err(|cause| disk::Error::new("serve", folder, cause))?;
    for number in 2.. {
        polling(watch.follow(inputs(shown.build().as_ref().map(|shown| &*shown.build))));
        let changed = watch.next();
        notes = rebuild(number, folder, &choices, &memo, &shown, notes, &changed, tell);
    }
    Ok(())
}

/// The folders, and the files beside `site.toml`, that a site is read from.
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
    let beside = [gate::baseline::FILE].into_iter().chain(theme::OWN_FILES);
    let beside = beside.map(str::to_owned);
    folders.into_iter().chain(beside).chain(files.filter(|path| !path.is_empty())).collect()
}

/// Runs the flow and shows what came of it; what there was to say.
#[expect(clippy::too_many_arguments, reason = "the loop's own state, changed step by step")]
fn rebuild(
    number: u64,
    folder: &Path,
    choices: &Choices,
    memo: &Memo,
    shown: &PreviewState,
    notes_before: Vec<Diagnostic>,
    changed: &[String],
    tell: &dyn Fn(Event<'_>),
) -> Vec<Diagnostic> {
    let started = Instant::now();
    let files: SharedFiles = Arc::new(Disk::new(folder));
    let result = pipeline::run(&files, choices, memo, &|_| {});
    let before = shown.build().map(|shown| shown.build);
    let (build, notes) = match result {
        Ok(mut build) => {
            let notes = std::mem::take(&mut build.notes);
            (Some(Arc::new(build)), notes)
        }
        // What there was is shown until the mistake is mended.
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
    shown.tell(message);
    let seconds = started.elapsed().as_secs_f64();
    // The page need not wait for this.
    let differ = build.map_or(0, |now| {
        memo.sweep();
        difference(before.as_deref(), &now)
    });
    let said = Some(&notes[..]).filter(|notes| *notes != notes_before);
    if number == 1 || differ > 0 || said.is_some() || !is_new {
        let news = diag::news(&notes_before, &notes);
        tell(Event::Built { is_new, news: &news, notes: said, changed, differ, seconds });
    }
    notes
}

/// How many files are there in one build only, or different in both.
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
