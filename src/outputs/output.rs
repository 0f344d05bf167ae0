//! One file of the site: its path, its key, and the recipe that makes it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::env::Env;
use super::large::LargeFile;
use crate::diag::{Diagnostic, Severity};
use crate::formats::panic_message;
use crate::hash::Hash;
use crate::path::OutPath;
use crate::semaphore::Semaphore;
use crate::sources::TextRef;

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
    pub(super) locality: Option<Hash>,
    /// The size in bytes of the text that it reads.
    pub(super) input_bytes: usize,
    /// Whether the file is omitted if its content is empty.
    pub(super) is_optional: bool,
    /// The file that it copies, if that may be large.
    pub(super) large: Option<Arc<LargeFile>>,
    pub(super) recipe: Arc<dyn Recipe>,
}

pub(super) trait Recipe: Send + Sync {
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
    pub(super) fn new<I: std::hash::Hash + Send + Sync + 'static>(
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
    pub(super) fn lasting<I: std::hash::Hash + Send + Sync + 'static>(
        path: impl Into<String>,
        inputs: I,
        make: fn(&I) -> MakeResult,
    ) -> Option<Self> {
        let path = OutPath::new(path)?;
        let key = Hash::of(&(SALT, &path, &inputs));
        Some(Self::of(path, key, Arc::new(PlainRecipe { inputs, make })))
    }

    pub(super) fn of(path: OutPath, key: Hash, recipe: Arc<dyn Recipe>) -> Self {
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
    pub(super) fn with_text(mut self, text_ref: &TextRef) -> Self {
        let place = (text_ref.part.hash, text_ref.index, text_ref.from);
        self.locality = Some(Hash::of(&place));
        self.input_bytes = text_ref.size();
        self
    }

    /// Marks the output to be made last: see [`Output::is_made_last`].
    pub(super) fn made_last(mut self) -> Self {
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
            Err(Box::new(note.hint("this is a bug in convo-site; the rest is still built")))
        })
    }
}

/// All files of a site, sorted by path.
#[derive(Default)]
pub struct Outputs(pub(super) Vec<Output>);

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

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
