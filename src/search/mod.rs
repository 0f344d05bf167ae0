//! Search over turns: what a word is, what a query means, and the index of a published site.
//!
//! The turn is what is found. [`tokenizer`] divides its text into terms, [`query`] parses what a
//! reader typed, and [`index`] turns conversations into the files that `search.js` loads. The
//! script has its own tokenizer and query parser; the test vectors in `tests/data/search` hold
//! both to one meaning.

pub mod doc_terms;
pub mod index;
mod varint;

pub use crate::query;
pub use crate::query::{tokenizer, turns};
