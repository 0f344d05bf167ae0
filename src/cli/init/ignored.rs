//! The `.gitignore` of a site: outputs of builds and secrets.

use std::path::Path;

use crate::cli::{Failure, report};
use crate::config::PublishList;
use crate::disk;
use crate::people::KEY_FILE;
use crate::pipeline::DECISIONS;

const NAME: &str = ".gitignore";
const ABOUT: &str = "# Outputs of builds, and secrets. Everybody who can read this repository can read the \
                     sources\n# in `content/`, withheld conversations included.\n";
const ABOUT_PUBLIC: &str = "# For a public repository, which gets only the output, from `convo-site deploy \
                            --to git:gh-pages`.\n# These files contain withheld conversations, secrets and \
                            the names of people.\n";

/// Outputs of builds, and files with secrets.
const SECRET: [&str; 5] = ["public/", ".convo-site/", KEY_FILE, ".env", ".env.*"];
/// The sources, and files with names of people, redacted words or hashes of secrets.
const SOURCES: [&str; 3] = ["content/", "site.toml", PublishList::RECORD];

fn lines(is_public: bool) -> Vec<&'static str> {
    let sources = SOURCES.into_iter().chain(DECISIONS).filter(|_| is_public);
    SECRET.into_iter().chain(sources).collect()
}

/// Returns the text of a new file. `is_public` is whether the repository is public.
pub(super) fn text(is_public: bool) -> String {
    let about = if is_public { ABOUT_PUBLIC } else { ABOUT };
    format!("{about}{}\n", lines(is_public).join("\n"))
}

/// Writes the file, or reports which lines are missing in an existing one.
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
            "the existing .gitignore was not changed; add these lines: `{}`",
            lines.join("`, `")
        ));
    }
    Ok(())
}
