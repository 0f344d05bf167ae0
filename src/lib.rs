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
//! # Laws
//!
//! * The order of the `mod` lines below is the import law: a module may use only modules
//!   above it. A test reads them.
//! * The files of a folder use each other in one direction; a test reads them.
//! * An external crate that can be replaced has one home, so that it is replaced in one place;
//!   a test holds the table. Those that are as good as the language have none: serde, serde_json,
//!   jiff, rayon, rustc_hash.
//! * A problem in a user's file is a [`diag::Diagnostic`] and never stops the
//!   run; trouble with the machine is a [`disk::Error`]; a bug is a panic, which costs one
//!   conversation or one file.
//! * Memory holds the metadata of all conversations and the texts of those being worked on. A log
//!   is cut into parts before it is parsed, so that not even one conversation need be whole.
//! * A format knows no other format, and nobody after the formats knows any of them.

// Words: import nothing from this crate but words above them.
pub mod hash;
pub mod partition;
pub mod cache;
pub mod path;
pub mod text;
pub mod time;
pub mod json;
pub mod yaml;
pub(crate) mod semaphore;
pub(crate) mod commonmark;
pub(crate) mod fences;
pub(crate) mod as_seen;
pub mod images;

// Ground: what every stage talks about.
pub mod diag;
pub mod files;
pub mod model;
pub mod locale;
pub mod query;
pub mod config;
pub mod people;

// Stages: in the order data flows.
pub mod formats;
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
