//! `convo-site`: conversation archives as static sites.
//!
//! # How it works
//!
//! ```text
//! files ──▶ sources ──▶ Archive ──▶ Site ──▶ Outputs ──▶ disk, browser
//!           formats                 urls     recipes
//! ```
//!
//! 1. A **format** turns bytes into conversations; nothing after it depends on which format it
//!    was, though readers are told.
//! 2. An **Archive** is what was said and may be shown; a **Site** is which pages exist and
//!    where; **Outputs** are recipes for files.
//! 3. Every stage is a function from values to a value plus notes. No stage reads the disk,
//!    the clock or the environment.
//! 4. An **end** (the disk, the preview, a check) consumes the outputs and may not change them.
//! 5. Same inputs, same keys, same bytes: on one thread or thirty, first build or hundredth.
//!
//! [`pipeline::run`] is the pipeline; start there.
//!
//! There is no second pipeline for the second build or the preview. The first is made cheap by
//! [caches](cache) with keys of content, all of which are used in the same way: a source whose bytes
//! and dependencies did not change gives the same entries ([`sources::SourceCache`]), code that was
//! highlighted is not highlighted again ([`markup::Highlights`]), the terms of conversations that
//! did not change are not collected again ([`search::index::RunCache`]), and an output whose key
//! did not change is not made ([`disk::publish`]).
//!
//! Nor is there one for several machines. Each reads a [partition] of the sources, or makes a partition
//! of the outputs of the same plan; caches of several machines are merged by copying them.
//!
//! # Packages
//!
//! | package | contains | uses |
//! |---|---|---|
//! | `convo-base`, in `src/base` | what every part uses: text, time, hashes, diagnostics, the model | |
//! | `convo-formats`, in `src/formats` | the readers and writers of all formats | `convo-base` |
//! | `convo-archives`, in `src/archives` | archives and databases, shown as folders of files | both |
//! | `convo-site`, the rest of `src` | the stages, the ends and the command line | all |
//!
//! # Laws
//!
//! * A package uses only packages above it in the table. The order of the `mod` lines in a `lib.rs` is
//!   the import law inside a package: a module uses only modules above it. Tests read both.
//! * The files of a folder use each other in one direction; a test reads them.
//! * An external crate that can be replaced has one home, so that it is replaced in one place;
//!   a test holds the table. Those that are as good as the language have none: serde, serde_json,
//!   jiff, rayon, rustc_hash.
//! * A problem in a user's file is a [`diag::Diagnostic`] and never stops the
//!   run; trouble with the machine is a [`disk::Error`]; a bug is a panic, which costs one
//!   conversation or one file.
//! * Memory holds the metadata of all conversations and the texts of those being worked on. A log
//!   is cut into parts before it is parsed, so that not even one conversation need be whole.
//! * A format knows no other format, and nothing after the formats knows any of them.

pub use convo_base::{
    as_seen, cache, commonmark, diag, fences, files, hash, images, json, model, partition, path,
    semaphore, text, time, yaml,
};
pub use convo_formats as formats;

// Ground: what every stage talks about.
pub mod locale;
pub mod query;
pub mod config;
pub mod people;

// Stages: in the order data flows.
pub mod gate;
pub mod markup;
pub mod sources;
pub mod search;
pub mod site;
#[cfg(feature = "pictures")]
pub mod drawing;
pub mod theme;
pub mod outputs;
pub mod pipeline;

// Ends.
pub mod disk;
pub mod check;
#[cfg(feature = "local-search")]
pub mod local_search;
pub mod engine;
pub mod serve;

// Shell.
pub mod cli;
