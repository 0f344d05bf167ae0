//! The schema of CJSON, and what stands in its documents where it has no word.

pub(super) const SCHEMA_URL: &str =
    "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json";

/// The version of [`SCHEMA_URL`].
pub(super) const VERSION: &str = "0.1.0";

pub(super) const MEDIA_TYPE: &str = "application/vnd.cjson+json";

/// Our own key among `extensions`.
pub(super) const OWN_KEY: &str = "convo-site";

/// Ids that the schema requires and the conversation does not have start with this.
pub(super) const MADE_UP_ID_PREFIX: &str = "convo-site:";

/// Stands where the schema requires a time and none is known.
pub(super) const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// The only key of arguments that are no object, which the schema does not allow.
pub(super) const BARE_INPUT: &str = "convo-site:input";
