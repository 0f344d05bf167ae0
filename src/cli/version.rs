//! The text of `convo-site --version`.

use std::sync::LazyLock;

/// The commit of the build, if it is known.
const COMMIT: Option<&str> = option_env!("CONVO_SITE_COMMIT");

/// The optional features, and whether they were built in.
const FEATURES: [(&str, bool); 6] = [
    ("git", cfg!(feature = "git")),
    ("local-search", cfg!(feature = "local-search")),
    ("mcp", cfg!(feature = "mcp")),
    ("pictures", cfg!(feature = "pictures")),
    ("search-engine", cfg!(feature = "search-engine")),
    ("sqlite", cfg!(feature = "sqlite")),
];

static SHORT: LazyLock<String> = LazyLock::new(|| {
    let version = env!("CARGO_PKG_VERSION");
    COMMIT.map_or_else(|| version.to_owned(), |commit| format!("{version} ({commit})"))
});

static LONG: LazyLock<String> = LazyLock::new(|| {
    let present = FEATURES.iter().filter(|(_, is_there)| *is_there);
    let present: Vec<&str> = present.map(|(name, _)| *name).collect();
    let present = if present.is_empty() { "none".to_owned() } else { present.join(", ") };
    format!("{}\nfeatures: {present}", *SHORT)
});

/// Returns the version and the commit.
pub(super) fn short() -> &'static str {
    &SHORT
}

/// Returns the version, the commit and the features.
pub(super) fn long() -> &'static str {
    &LONG
}
