//! `convo-site init`: starts a site, or adds the files that a host needs.

mod deploy;
mod ignored;
mod servers;

use std::path::Path;

use clap::ValueEnum;

use super::args::{DeployHost, InitArgs};
use super::report;
use super::{Failure, Outcome};
use crate::config::REFERENCE;
use crate::diag::emit::visible;
use crate::disk;

const DIALOG_EXAMPLE: &str = include_str!("first-steps.convo");
const MEETING_EXAMPLE: &str = include_str!("naming-the-boat.convo");

pub(super) fn run(args: &InitArgs) -> Result<Outcome, Failure> {
    let is_there = disk::is_there(&args.dir.join("site.toml"));
    let is_public = args.deploy == Some(DeployHost::Github) && !args.private_repository;
    match args.deploy {
        Some(host) => {
            let is_new = !is_there && !args.print;
            if is_new {
                if host.installs() && !is_public {
                    deploy::check(host, args)?;
                }
                start(&args.dir, Some(host))?;
            }
            match args.print {
                true if is_public => report::output(&ignored::text(true)),
                true => {}
                false if is_new || host.installs() => {
                    ignored::write(&args.dir, is_public)?;
                }
                false => {}
            }
            match is_public {
                true => deploy::public(args),
                false => deploy::run(host, args, is_new)?,
            }
        }
        None if is_there => return Err(is_a_site(&args.dir)),
        None => {
            start(&args.dir, None)?;
            ignored::write(&args.dir, false)?;
        }
    }
    Ok(Outcome::Fine)
}

/// Returns the error for a folder that is a site already.
fn is_a_site(dir: &Path) -> Failure {
    let shown = quoted(dir);
    let hosts = DeployHost::value_variants().iter().filter_map(ValueEnum::to_possible_value);
    let hosts: Vec<String> = hosts.map(|host| format!("`{}`", host.get_name())).collect();
    Failure::Usage(format!(
        "`{shown}` is already a site, so nothing was written; to add the files of a host, run \
         `convo-site init {shown} --deploy HOST` with one of {}",
        hosts.join(", ")
    ))
}

/// Creates a new site.
fn start(dir: &Path, host: Option<DeployHost>) -> Result<(), Failure> {
    let config = site_toml(host);
    let files = [
        ("site.toml", config.as_str()),
        ("content/first-steps.convo", DIALOG_EXAMPLE),
        ("content/naming-the-boat.convo", MEETING_EXAMPLE),
    ];
    disk::write_new(dir, &files)?;
    let shown = quoted(dir);
    report::summary(&format!(
        "created a site in {shown}\n  preview it:  convo-site serve {shown}\n  \
         build it:    convo-site build {shown}"
    ));
    Ok(())
}

/// Quotes a path for a shell.
pub(super) fn quoted(path: &Path) -> String {
    let path = visible(&path.display().to_string());
    if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path }
}

/// Returns the reference configuration with a URL and a title to change.
fn site_toml(host: Option<DeployHost>) -> String {
    let own = REFERENCE
        .replacen(
            "# The reference configuration of convo-site: every key, its default, and what it does.\n\
             # A site's own `site.toml` needs only the keys that it changes.\n",
            "# The settings of this site. Every key is optional; all but the URL and the title are\n\
             # the defaults.\n",
            1,
        )
        .replacen("base_url = \"\"", "base_url = \"https://example.org/\"", 1);
    let own = own.replacen("title = \"Conversations\"", "title = \"My conversations\"", 1);
    let Some((_, name)) = host.map(DeployHost::hosting) else { return own };
    let example = "#[deploy]\n#host = \"github-pages\"";
    own.replacen(example, &format!("[deploy]\nhost = \"{name}\""), 1)
}
