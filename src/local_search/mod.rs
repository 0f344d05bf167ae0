//! Search on the author's machine: the queries of the site's own search, over a tantivy index
//! that is kept between runs and brought up to date by content.
//!
//! It shares with the site's index what a word is and what a query means, and nothing else, so
//! that each is a judge of the other.

mod corpus;
mod index;
mod matching;
mod query;
mod result;
mod schema;

pub use self::corpus::Corpus;
pub use self::index::LocalIndex;
pub use self::matching::Tier;
pub use self::result::{Hit, SearchResults};
