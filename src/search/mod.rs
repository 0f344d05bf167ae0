//! Search over turns: tokenizer, query parser, and the index of a published site.
//!
//! Queries find turns. [`tokenizer`] divides text into terms, [`query`] parses queries, and
//! [`index`] turns conversations into the files that the script of the search page loads;
//! [`turn_documents`] builds documents for a search engine. The script (`script/*.js`) has its own
//! tokenizer and query parser. It shares [`tables`] with the program, and tests compare both on
//! test vectors and random texts.

pub mod doc_terms;
pub mod index;
pub mod tables;
mod term_dictionary;
pub mod turn_documents;
mod varint;
mod vocabulary;

pub use crate::query;
pub use crate::query::{tokenizer, turns};
