//! The parts that every other package of convo-site uses. Contains nothing about formats, sites or
//! commands.
//!
//! A module uses only modules above it in the list below. A test checks this.

// Text and data. Outside of this group, these modules use nothing in this crate.
pub mod hash;
pub mod partition;
pub mod cache;
pub mod path;
pub mod text;
pub mod time;
pub mod partial_date;
pub mod json;
pub mod yaml;
pub mod semaphore;
pub mod commonmark;
pub mod fences;
pub mod rendered_text;
pub mod images;

// What the stages exchange.
pub mod diag;
pub mod files;
pub mod model;
