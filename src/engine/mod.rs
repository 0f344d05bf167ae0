//! The turns of a site in a search engine: OpenSearch, or what speaks as it does.
//!
//! `definitions` says what an index is, `ndjson` writes documents for whoever brings them there
//! otherwise. The rest sends them: [`update()`] brings an index up to date by what [`Client`] asks, and
//! `bulk` is how documents get there, whatever the engine refuses for the moment.

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
pub use self::client::{Client, Trouble};
pub use self::definitions::{opensearch_index, quickwit_index};
pub use self::ndjson::{WrittenDocuments, write_documents};
#[cfg(feature = "search-engine")]
pub use self::update::{Updated, update};
