//! Search over turns: what a word is, what a query means, and the index of a published site.
//!
//! The turn is what is found. [`words`] cuts its text into terms, [`query`] reads what a reader
//! typed, and [`index`] turns conversations into the files that `search.js` loads. The script
//! holds its own [`words`] and [`query`]; the vectors in `tests/data/search` hold both to one
//! meaning.

mod bytes;
pub mod digest;
pub mod index;
pub mod query;
mod stem;
pub mod turns;
pub mod words;
