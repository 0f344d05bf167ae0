//! Search on the author's machine: the same queries as on the site, over a tantivy index that is
//! kept between runs and updated by content.
//!
//! It shares only the tokenizer and the query parser with the site's index, so that tests can
//! compare the two.

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
