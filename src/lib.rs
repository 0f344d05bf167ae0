//! `convo-site` turns conversation archives into static sites.
//!
//! # How it works
//!
//! ```text
//! files ──▶ sources ──▶ Archive ──▶ Site ──▶ Outputs ──▶ disk, browser
//!           formats                 urls     recipes
//! ```
//!
//! 1. A **format** parses bytes into conversations. Nothing after it depends on the format, though
//!    readers see its name.
//! 2. The **Archive** contains what was said and may be shown. The **Site** says which pages exist,
//!    and at which URLs. **Outputs** are recipes for files: a path, a cache key, and a function that
//!    makes the bytes.
//! 3. Each stage is a function from values to a value and diagnostics. No stage reads the disk, the
//!    clock or the environment.
//! 4. A **consumer** (the disk, the preview, a check) takes the outputs and cannot change them.
//! 5. The same input and the same keys give the same bytes: on one thread or thirty, in the first
//!    build or the hundredth.
//!
//! # Where to start
//!
//! [`pipeline::run`] is the whole pipeline on one page. From there, follow a conversation through
//! the stages: [`sources`] reads it and keeps its metadata, [`gate`] looks for secrets in it, [`site`]
//! gives it a URL, [`outputs`] renders its page, and [`disk::publish`] writes the page.
//!
//! # Rebuilds
//!
//! Rebuilds and the preview use the same pipeline as the first build. [Caches](cache) make them
//! cheap. All of them work alike: the key is a hash of content, and the cached value is what the
//! stage would compute again.
//!
//! | cache | saves |
//! |---|---|
//! | [`sources::SourceCache`] | reading a source whose bytes and dependencies did not change |
//! | [`markup::Highlights`] | highlighting the same code again |
//! | [`search::index::RunCache`] | collecting the search terms of unchanged conversations |
//! | [`disk::publish`] | making an output whose key did not change |
//! | [`check::CleanFiles`] | making and reading an output again that had no problems |
//!
//! Builds on several machines use the same pipeline too. Each machine reads a [partition] of the
//! sources, or makes a partition of the outputs; all machines plan the same site. To merge their
//! caches, copy them into one folder.
//!
//! # Packages
//!
//! | package | contains | uses |
//! |---|---|---|
//! | `convo-base`, in `src/base` | what every part uses: text, time, hashes, diagnostics, the model | |
//! | `convo-formats`, in `src/formats` | the readers and writers of all formats | `convo-base` |
//! | `convo-archives`, in `src/archives` | archives and databases, shown as folders of files | `convo-base`, `convo-formats` |
//! | `convo-markup`, in `src/markup` | Markdown, code and mathematics as safe HTML | `convo-base` |
//! | `convo-secrets`, in `src/secrets` | the search for credentials and personal data | `convo-base` |
//! | `convo-site`, the rest of `src` | the stages, the consumers and the command line | all |
//!
//! The build script uses `convo-scripts`, in `src/scripts`, which links the scripts of pages.
//!
//! # Laws
//!
//! * A package uses only packages above it in the table. Inside a package, a module uses only modules
//!   above it in the order of the `mod` lines of `lib.rs`. Tests read both.
//! * Imports between the files of a folder go in one direction, without cycles. A test reads them.
//! * An external crate that can be replaced is used in one place only, so that it can be replaced
//!   there. A test has the table. The exceptions are crates that are as good as part of the language:
//!   serde, serde_json, jiff, rayon and rustc_hash.
//! * A problem in a user's file is a [`diag::Diagnostic`] and never stops the run. A failure of the
//!   machine is a [`disk::Error`]. A bug is a panic, which costs one conversation or one file.
//! * Memory holds the metadata of all conversations, the texts of those in progress, and texts that
//!   were just read, up to a fixed size. A log is cut into parts before it is parsed, so even one
//!   conversation need not be in memory as a whole.
//! * A format knows no other format, and nothing after the formats knows any of them.

pub use convo_base::{
    cache, commonmark, diag, fences, files, hash, images, json, model, partial_date, partition,
    path, rendered_text, semaphore, text, time, yaml,
};
pub use convo_formats as formats;
pub use convo_markup as markup;
pub use convo_secrets as secrets;

// Foundation: used by every stage.
pub mod locale;
pub mod query;
pub mod config;
pub mod people;

// Stages, in the order in which data flows through them.
pub mod gate;
pub mod sources;
pub mod search;
pub mod site;
#[cfg(feature = "pictures")]
pub mod drawing;
pub mod theme;
pub mod outputs;
pub mod pipeline;

// Consumers of the outputs.
pub mod disk;
pub mod check;
pub mod single_page;
#[cfg(feature = "local-search")]
pub mod local_search;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod engine;
pub mod editing;
pub mod serve;

// The command line.
pub mod cli;
