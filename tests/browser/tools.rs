//! Paths of external programs and texts, which `sh tests/run` installs.

use std::path::PathBuf;

/// The folder or file that an environment variable contains.
pub(crate) fn tool(variable: &str) -> PathBuf {
    let path = std::env::var(variable);
    path.unwrap_or_else(|_| panic!("{variable} is not set; `sh tests/run` sets it")).into()
}

/// The folder of external texts: a specification and payloads.
pub(crate) fn texts() -> PathBuf {
    tool("TEXTS")
}
