//! What every part of convo-site talks about. Knows nothing of formats, sites or commands.
//!
//! The order of the `mod` lines below is the import law: a module uses only modules above it.

// Words: import nothing from this crate but words above them.
pub mod hash;
pub mod partition;
pub mod cache;
pub mod path;
pub mod text;
pub mod time;
pub mod json;
pub mod yaml;
pub mod semaphore;
pub mod commonmark;
pub mod fences;
pub mod as_seen;
pub mod images;

// What every stage talks about.
pub mod diag;
pub mod files;
pub mod model;
