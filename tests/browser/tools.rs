//! Where `sh tests/run` put what others made.

use std::path::PathBuf;

/// The folder or file that a variable names.
pub(crate) fn tool(variable: &str) -> PathBuf {
    let path = std::env::var(variable);
    path.unwrap_or_else(|_| panic!("{variable} is not set; `sh tests/run` sets it")).into()
}

/// The folder of the texts: a specification and payloads.
pub(crate) fn texts() -> PathBuf {
    tool("TEXTS")
}
