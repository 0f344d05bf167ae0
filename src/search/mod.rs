//! Search over turns: what a word is, what a query means, and the index of a published site.
//!
//! The turn is what is found. [`tokenizer`] divides its text into terms, [`query`] parses what a
//! reader typed, and [`index`] turns conversations into the files that the script of the search page
//! loads; [`turn_documents`] are the same for a search engine. The script (`script/*.js`) has its own tokenizer and query parser; it shares [`tables`] with
//! the program, and test vectors and random texts hold both to one meaning.

pub mod doc_terms;
pub mod index;
pub mod tables;
mod term_dictionary;
pub mod turn_documents;
mod varint;
mod vocabulary;

pub use crate::query;
pub use crate::query::{tokenizer, turns};
