//! The `.gitignore` of a site: what a build makes, and what is secret.

use std::path::Path;

use crate::cli::{Failure, report};
use crate::config::PublishList;
use crate::disk;
use crate::gate::baseline;
use crate::people::KEY_FILE;

const NAME: &str = ".gitignore";
const ABOUT: &str = "# What builds make, and what is secret. Whoever can read a repository can read its \
                     sources too,\n# in `content/`, conversations that are held back included.\n";
const ABOUT_PUBLIC: &str = "# For a public repository: it gets the output alone, from `convo-site deploy \
                            --to git:gh-pages`.\n# Conversations that are held back, secrets and the \
                            names of people are in these files.\n";

/// What builds make, and the files with secrets.
const SECRET: [&str; 5] = ["public/", ".convo-site/", KEY_FILE, ".env", ".env.*"];
/// The sources, and what names people, words that are redacted or hashes of secrets.
const SOURCES: [&str; 4] = ["content/", "site.toml", baseline::FILE, PublishList::FILE];

fn lines(is_public: bool) -> Vec<&'static str> {
    let sources = SOURCES.into_iter().filter(|_| is_public);
    SECRET.into_iter().chain(sources).collect()
}

/// Returns the text of a new one. `is_public` is whether the repository is.
pub(super) fn text(is_public: bool) -> String {
    let about = if is_public { ABOUT_PUBLIC } else { ABOUT };
    format!("{about}{}\n", lines(is_public).join("\n"))
}

/// Writes the file where there is none, or says which lines one that is there should have as well.
pub(super) fn write(site: &Path, is_public: bool) -> Result<(), Failure> {
    let path = site.join(NAME);
    if !disk::is_there(&path) {
        disk::write_new(site, &[(NAME, &text(is_public))])?;
        return Ok(());
    }
    let text = disk::read(&path)?;
    let text = String::from_utf8_lossy(&text);
    let bare = |line: &str| line.trim().trim_matches('/').to_owned();
    let mut lines = lines(is_public);
    lines.retain(|line| !text.lines().any(|there| bare(there) == bare(line)));
    if !lines.is_empty() {
        report::summary(&format!(
            "its .gitignore is as it was; add these lines to it: `{}`",
            lines.join("`, `")
        ));
    }
    Ok(())
}
