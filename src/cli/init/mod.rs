//! `convo-site init`

mod deploy;
mod servers;

use std::path::Path;

use super::args::{DeployHost, InitArgs};
use super::report;
use super::{Failure, Outcome};
use crate::config::REFERENCE;
use crate::diag::emit::visible;
use crate::disk;

const DIALOG_EXAMPLE: &str = include_str!("first-steps.convo");
const MEETING_EXAMPLE: &str = include_str!("naming-the-boat.convo");

/// The `.gitignore` of a new site: what a build makes, and no repository should keep.
const GITIGNORE: &str = "public/\n.convo-site/\n";

pub(super) fn run(args: &InitArgs) -> Result<Outcome, Failure> {
    let is_there = disk::is_there(&args.dir.join("site.toml"));
    match args.deploy {
        Some(host) => {
            let is_new = !is_there && !args.print;
            if is_new {
                start(&args.dir, Some(host))?;
            }
            deploy::run(host, args, is_new)?;
        }
        None => start(&args.dir, None)?,
    }
    Ok(Outcome::Fine)
}

/// Makes a new site.
fn start(dir: &Path, host: Option<DeployHost>) -> Result<(), Failure> {
    let config = site_toml(host);
    let mut files = vec![
        ("site.toml", config.as_str()),
        ("content/first-steps.convo", DIALOG_EXAMPLE),
        ("content/naming-the-boat.convo", MEETING_EXAMPLE),
    ];
    // A repository may have one, and the site is to go into it.
    let has_ignored = disk::is_there(&dir.join(".gitignore"));
    if !has_ignored {
        files.push((".gitignore", GITIGNORE));
    }
    disk::write_new(dir, &files)?;
    let shown = quoted(dir);
    report::summary(&format!(
        "created a site in {shown}\n  look at it:  convo-site serve {shown}\n  \
         build it:    convo-site build {shown}"
    ));
    if has_ignored {
        report::summary(
            "its .gitignore is as it was; `public/` and `.convo-site/` should be in it",
        );
    }
    Ok(())
}

/// Quotes a path as one types it.
fn quoted(path: &Path) -> String {
    let path = visible(&path.display().to_string());
    if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path }
}

/// Returns the reference configuration with an address to be changed.
fn site_toml(host: Option<DeployHost>) -> String {
    let own = REFERENCE
        .replacen(
            "# The reference configuration of convo-site: every key, its default, and what it does.\n\
             # A site's own `site.toml` needs only the keys that it changes.\n",
            "# What this site chooses. Every key may be left out; these are the defaults, but for\n\
             # the address and the title.\n",
            1,
        )
        .replacen("base_url = \"\"", "base_url = \"https://example.org/\"", 1);
    let own =
        own.replacen("title = \"Conversations\"", "title = \"My conversations\"", 1);
    let Some((_, name)) = host.map(DeployHost::hosting) else { return own };
    let example = "#[deploy]\n#host = \"github-pages\"";
    own.replacen(example, &format!("[deploy]\nhost = \"{name}\""), 1)
}
