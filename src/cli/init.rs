//! `convo-site init`

use std::path::Path;

use super::report;
use super::{Failure, Outcome};
use crate::config::REFERENCE;
use crate::disk;

const DIALOG: &str = include_str!("init/first-steps.convo");
const MEETING: &str = include_str!("init/naming-the-boat.convo");

pub(super) fn run(dir: &Path) -> Result<Outcome, Failure> {
    let config = site_toml();
    disk::write_new(
        dir,
        &[
            ("site.toml", &config),
            ("content/first-steps.convo", DIALOG),
            ("content/naming-the-boat.convo", MEETING),
        ],
    )?;
    let shown = dir.display();
    report::summary(&format!(
        "created a site in `{shown}`\n  build it:    convo-site build {shown}\n  \
         then open:   {shown}/public/index.html"
    ));
    Ok(Outcome::Fine)
}

/// The reference configuration with an address to be changed.
fn site_toml() -> String {
    let own = REFERENCE
        .replacen(
            "# The reference configuration of convo-site: every key, its default, and what it does.\n\
             # A site's own `site.toml` needs only the keys that it changes.\n",
            "# What this site chooses. Every key may be left out; these are the defaults, but for\n\
             # the address and the title.\n",
            1,
        )
        .replacen("base_url = \"\"", "base_url = \"https://example.org/\"", 1);
    own.replacen("title = \"Conversations\"", "title = \"My conversations\"", 1)
}
