//! The schema of CJSON, and placeholders for values that it requires.

pub(super) const SCHEMA_URL: &str =
    "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json";

/// The version of [`SCHEMA_URL`].
pub(super) const VERSION: &str = "0.1.0";

pub(super) const MEDIA_TYPE: &str = "application/vnd.cjson+json";

/// convo-site's key in `extensions`.
pub(super) const OWN_KEY: &str = "convo-site";

/// The prefix of made-up ids, which replace ids that the schema requires and the conversation does not
/// have.
pub(super) const MADE_UP_ID_PREFIX: &str = "convo-site:";

/// Replaces an unknown time where the schema requires one.
pub(super) const NO_TIME: &str = "1970-01-01T00:00:00Z";

/// The only key of arguments that are not an object, which the schema does not allow.
pub(super) const BARE_INPUT: &str = "convo-site:input";
