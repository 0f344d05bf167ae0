//! The files of a site as recipes: a path, a key for everything that it depends on, and a function that
//! makes it.
//!
//! Each kind of output has one file here and one row in the table `EMITTERS`.

mod anchors;
mod assets;
mod atom;
mod blocks;
mod captions;
mod channel;
mod checklist;
mod checked;
mod copied;
mod downloads;
mod feeds;
mod format;
mod hosts;
mod json_feed;
mod large;
mod llms;
mod markdown_copy;
mod media;
mod media_types;
#[cfg(feature = "pictures")]
mod og_images;
mod outline;
mod packed;
mod pages;
mod plain;
mod podcast;
mod podcast_categories;
mod profile;
mod published_text;
mod recordings;
mod redirects;
mod robots;
mod search;
mod services;
mod session;
mod sitemap;
mod statistics;
mod structured;
mod tools;
mod turns;
mod turns_json;
mod views;
mod xml;

pub use self::hosts::{HeaderRule, header_rules};
pub use self::large::LargeFile;
pub use self::media_types::{HTML, MEDIA_TYPES, media_type};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::config::Config;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::formats::panic_message;
use crate::hash::Hash;
use crate::markup::{self, Highlights};
use crate::path::OutPath;
use crate::search::index::Index;
use crate::semaphore::Semaphore;
use crate::site::{Frame, Site};
use crate::sources::{TextRef, TextStore};
use crate::theme::Theme;

/// The environment of recipes: everything they may use besides their inputs.
pub struct Env {
    /// Templates and assets.
    pub theme: Theme,
    /// The options for rendering Markdown.
    pub markup: markup::Options,
    /// Texts. Their hashes are among the inputs.
    pub texts: Arc<TextStore>,
    /// The search index.
    pub index: Arc<Index>,
    /// The view that all pages share.
    pub site: crate::theme::view::SiteView,
    /// The configuration.
    pub config: Arc<Config>,
    hash: Hash,
}

impl Env {
    /// Creates the environment of a site.
    pub fn new(
        site: &Site,
        mut theme: Theme,
        texts: Arc<TextStore>,
        index: Index,
        highlights: Arc<Highlights>,
    ) -> Self {
        theme.withhold(&texts);
        let config = site.config.clone();
        let markup = markup::Options::of(&config, highlights);
        let shared = views::site(site, &theme, &markup);
        theme.share(&shared, &config.locale);
        // The menu and the podcast depend on pages; everything else in the view depends on the
        // configuration and the theme.
        let Frame { sections, menu, footer, footer_text, home_text } = &site.frame;
        let frame = (sections, menu, footer, footer_text, home_text);
        let hash = Hash::of(&(theme.hash, &config, frame, podcast::title(site)));
        let index = Arc::new(index);
        Self { theme, markup, texts, index, site: shared, config, hash }
    }
}

/// The result of a recipe: the content of a file.
pub type MakeResult = Result<Vec<u8>, Box<Diagnostic>>;

/// One file of the site.
pub struct Output {
    /// The path in the output.
    pub path: OutPath,
    /// The cache key: equal keys mean equal content.
    pub key: Hash,
    /// The position in the best order for making outputs: outputs of one text are together, conversations
    /// are in site order, and outputs that use the results of others come last.
    pub rank: (bool, usize),
    /// Outputs of equal locality read the same text.
    locality: Option<Hash>,
    /// The size in bytes of the text that it reads.
    input_bytes: usize,
    /// Whether the file is omitted if its content is empty.
    is_optional: bool,
    /// The file that it copies, if that may be large.
    large: Option<Arc<LargeFile>>,
    recipe: Arc<dyn Recipe>,
}

trait Recipe: Send + Sync {
    fn make(&self) -> MakeResult;
}

/// A recipe that depends on the theme. `make` is a function pointer and not a closure, so it sees only its
/// arguments, and those are in the key. A forgotten dependency is a compile error instead of a stale page.
struct ThemedRecipe<I> {
    env: Arc<Env>,
    inputs: I,
    make: fn(&Env, &I) -> MakeResult,
}

impl<I: Send + Sync> Recipe for ThemedRecipe<I> {
    fn make(&self) -> MakeResult {
        (self.make)(&self.env, &self.inputs)
    }
}

/// A recipe that does not depend on the theme.
struct PlainRecipe<I> {
    inputs: I,
    make: fn(&I) -> MakeResult,
}

impl<I: Send + Sync> Recipe for PlainRecipe<I> {
    fn make(&self) -> MakeResult {
        (self.make)(&self.inputs)
    }
}

/// Limits the total input size of outputs that are made at the same time. Making an output takes many times
/// that memory, so this bounds memory for any number of threads.
static INPUT_BUDGET: Semaphore = Semaphore::new(32 << 20);

/// Part of every key, so that keys of other versions never match.
const SALT: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

impl Output {
    /// Creates a file that depends on `inputs`, on `env`, and on texts whose hashes are in `inputs`.
    /// Returns `None` if the path is invalid.
    fn new<I: std::hash::Hash + Send + Sync + 'static>(
        emitter: &'static str,
        path: impl Into<String>,
        env: &Arc<Env>,
        inputs: I,
        make: fn(&Env, &I) -> MakeResult,
    ) -> Option<Self> {
        let key = Hash::of(&(SALT, emitter, env.hash, &inputs));
        let recipe = ThemedRecipe { env: env.clone(), inputs, make };
        Some(Self::of(OutPath::new(path)?, key, Arc::new(recipe)))
    }

    /// Creates a file that depends only on `inputs`, so it does not change with the theme.
    fn lasting<I: std::hash::Hash + Send + Sync + 'static>(
        path: impl Into<String>,
        inputs: I,
        make: fn(&I) -> MakeResult,
    ) -> Option<Self> {
        let path = OutPath::new(path)?;
        let key = Hash::of(&(SALT, &path, &inputs));
        Some(Self::of(path, key, Arc::new(PlainRecipe { inputs, make })))
    }

    fn of(path: OutPath, key: Hash, recipe: Arc<dyn Recipe>) -> Self {
        let (rank, locality, input_bytes) = ((false, 0), None, 0);
        let (is_optional, large) = (false, None);
        Self { path, key, rank, locality, input_bytes, is_optional, large, recipe }
    }

    /// Returns whether the file is omitted if its content is empty.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }

    /// Returns the file that this output copies, if it may be larger than memory. Read such a file in
    /// chunks.
    pub fn large(&self) -> Option<&Arc<LargeFile>> {
        self.large.as_ref()
    }

    /// Returns whether the output is made after the others, because it uses their results, and outside of
    /// the thread pool, because it runs jobs on the pool itself.
    pub fn is_made_last(&self) -> bool {
        self.rank.0
    }

    /// Sets the text from which the output is made.
    fn with_text(mut self, text_ref: &TextRef) -> Self {
        let place = (text_ref.part.hash, text_ref.index, text_ref.from);
        self.locality = Some(Hash::of(&place));
        self.input_bytes = text_ref.size();
        self
    }

    /// Marks the output to be made last: see [`Output::is_made_last`].
    fn made_last(mut self) -> Self {
        self.rank.0 = true;
        self
    }

    /// Makes the content. A panic in a recipe costs one file and not the site.
    pub fn make(&self) -> MakeResult {
        let _permit = INPUT_BUDGET.acquire(self.input_bytes);
        catch_unwind(AssertUnwindSafe(|| self.recipe.make())).unwrap_or_else(|panic| {
            let what = panic_message(panic.as_ref());
            let message = format!("could not make `{}`: {what}", self.path);
            let note = Diagnostic::new(Severity::Error, "internal", message);
            Err(Box::new(note.hint("this is a bug of convo-site; the rest is still built")))
        })
    }
}

/// Returns the name that determines the partition of an output. Outputs of one text belong together, and so
/// do the files of the search index, which are made at once.
///
/// It depends only on the path, so a path stays in its partition however the site changes.
pub fn partition_name(path: &str) -> &str {
    if let Some((folder, _)) = path.split_once('/')
        && folder == crate::search::index::FOLDER
    {
        return folder;
    }
    match path.rsplit_once('/') {
        Some((folder, name)) if ["index.", "turns."].iter().any(|stem| name.starts_with(stem)) => {
            folder
        }
        _ => path,
    }
}

/// All files of a site, sorted by path.
#[derive(Default)]
pub struct Outputs(Vec<Output>);

impl Outputs {
    /// Iterates over the outputs, sorted by path.
    pub fn iter(&self) -> std::slice::Iter<'_, Output> {
        self.0.iter()
    }

    /// Returns the file at a path.
    pub fn get(&self, path: &str) -> Option<&Output> {
        self.0.get(self.place(path)?)
    }

    /// Returns the index of the file at a path.
    pub fn place(&self, path: &str) -> Option<usize> {
        self.0.binary_search_by(|output| output.path.as_str().cmp(path)).ok()
    }

    /// Returns the number of outputs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no outputs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A kind of output.
struct Emitter {
    name: &'static str,
    declare: fn(&'static str, &Site, &Arc<Env>) -> Vec<Option<Output>>,
}

const EMITTERS: &[Emitter] = &[
    Emitter { name: "pages", declare: pages::declare },
    Emitter { name: "markdown-copy", declare: markdown_copy::declare },
    Emitter { name: "turns-json", declare: turns_json::declare },
    Emitter { name: "downloads", declare: downloads::declare },
    #[cfg(feature = "pictures")]
    Emitter { name: "og-images", declare: og_images::declare },
    Emitter { name: "anchors", declare: anchors::declare },
    Emitter { name: "search", declare: search::declare },
    Emitter { name: "assets", declare: assets::declare },
    Emitter { name: "media", declare: media::declare },
    Emitter { name: "captions", declare: captions::declare },
    Emitter { name: "feed", declare: atom::declare },
    Emitter { name: "json-feed", declare: json_feed::declare },
    Emitter { name: "podcast", declare: podcast::declare },
    Emitter { name: "llms", declare: llms::declare },
    Emitter { name: "sitemap", declare: sitemap::declare },
    Emitter { name: "robots", declare: robots::declare },
    Emitter { name: "hosts", declare: hosts::declare },
];

/// Declares every file of a site, without making any.
pub fn declare(site: &Site, env: &Arc<Env>) -> WithNotes<Outputs> {
    let mut outputs = Vec::with_capacity(2 * site.pages.len() + site.media.len() + 64);
    let mut notes = env.theme.named.clone();
    notes.extend(services::blocked_by_policy(&env.theme, &env.config));
    notes.extend(podcast::notes(site, env));
    for emitter in EMITTERS {
        let declared = (emitter.declare)(emitter.name, site, env);
        collect(emitter.name, declared, &mut outputs, &mut notes);
    }
    let copied = copied::declare(site, env, &outputs).take(&mut notes);
    collect("copied", copied, &mut outputs, &mut notes);
    let redirects = redirects::declare(site, &outputs).take(&mut notes);
    collect("redirects", redirects, &mut outputs, &mut notes);
    let mut known: FxHashMap<Hash, usize> = FxHashMap::default();
    for (place, output) in outputs.iter_mut().enumerate() {
        let locality = output.locality;
        output.rank.1 = locality.map_or(place, |locality| *known.entry(locality).or_insert(place));
    }
    // If several outputs have the same path, the first one is kept.
    outputs.par_sort_by(|a, b| a.path.cmp(&b.path));
    outputs.dedup_by(|later, first| {
        let taken = later.path == first.path;
        if taken {
            let message = format!("two outputs have the path `{}`", first.path);
            notes.push(Diagnostic::new(Severity::Error, "path-taken", message));
        }
        taken
    });
    let mut outputs = remove_files_below_files(outputs, &mut notes);
    outputs.iter_mut().for_each(|output| checked::check_last(output, &env.texts));
    let outputs = packed::with_copies(outputs, &env.config.output.precompress);
    WithNotes { value: Outputs(outputs), notes }
}

fn collect(
    name: &str,
    declared: Vec<Option<Output>>,
    outputs: &mut Vec<Output>,
    notes: &mut Vec<Diagnostic>,
) {
    for output in declared {
        match output {
            Some(output) => outputs.push(output),
            None => {
                let message = format!("`{name}` declared an invalid path");
                notes.push(Diagnostic::new(Severity::Error, "internal", message));
            }
        }
    }
}

/// Removes files below a path that is itself a file.
fn remove_files_below_files(mut outputs: Vec<Output>, notes: &mut Vec<Diagnostic>) -> Vec<Output> {
    let place = |path: &str| outputs.binary_search_by(|one| one.path.as_str().cmp(path));
    let is_below = |output: &Output| {
        let path = output.path.as_str();
        let above = path.match_indices('/').map(|(at, _)| &path[..at]);
        above.into_iter().any(|folder| place(folder).is_ok())
    };
    let below: Vec<bool> = outputs.par_iter().map(is_below).collect();
    let mut below = below.into_iter();
    outputs.retain(|output| {
        let is_blocked = below.next() == Some(true);
        if is_blocked {
            let message = format!(
                "`{}` needs a folder, but another output is a file of that name",
                output.path
            );
            notes.push(Diagnostic::new(Severity::Error, "path-taken", message));
        }
        !is_blocked
    });
    outputs
}
