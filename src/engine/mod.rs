//! Exports the turns of a site to a search engine: OpenSearch, or a compatible one.
//!
//! `definitions` has the index settings, and `ndjson` writes documents for other tools. [`update()`] updates an index
//! with requests by [`Client`], and `bulk` sends the documents and retries those that were not accepted.

#[cfg(feature = "search-engine")]
mod address;
#[cfg(feature = "search-engine")]
mod bulk;
#[cfg(feature = "search-engine")]
mod client;
mod definitions;
mod ndjson;
#[cfg(feature = "search-engine")]
mod update;

#[cfg(feature = "search-engine")]
pub use self::address::{Address, Credentials};
#[cfg(feature = "search-engine")]
pub use self::client::{Client, EngineError};
pub use self::definitions::{opensearch_index, quickwit_index};
pub use self::ndjson::{WrittenDocuments, write_documents};
#[cfg(feature = "search-engine")]
pub use self::update::{Updated, update};
