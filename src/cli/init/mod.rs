//! `convo-site init`: starts a site, or adds the files that a host needs.

mod answers;
mod deploy;
mod ignored;
mod servers;

use std::path::Path;

use clap::ValueEnum;

use self::answers::Answers;
use super::args::{DeployHost, ImportArgs, InitArgs};
use super::report::quoted;
use super::{Failure, Outcome, import, report};
use crate::disk;

const DIALOG_EXAMPLE: &str = include_str!("first-steps.convo");
const MEETING_EXAMPLE: &str = include_str!("naming-the-boat.convo");

pub(super) fn run(args: &InitArgs) -> Result<Outcome, Failure> {
    let is_there = disk::is_there(&args.dir.join("site.toml"));
    let is_public = args.deploy == Some(DeployHost::Github) && !args.private_repository;
    if let Some(export) = args.from.first().filter(|_| is_there) {
        let (site, export) = (quoted(&args.dir), quoted(export));
        return Err(Failure::Usage(format!(
            "`{site}` is already a site; to import into it, run `convo-site import {export} {site}`"
        )));
    }
    if args.title.is_some() && is_there {
        let message = "`--title` applies only to a new site; set `title` in site.toml";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut outcome = Outcome::Fine;
    match args.deploy {
        Some(host) if host.installs() && args.output.is_some() => {
            let message = "`-o` applies only to `--deploy caddy` and `--deploy nginx`";
            return Err(Failure::Usage(message.to_owned()));
        }
        Some(host) => {
            let is_new = !is_there && !args.print;
            if is_new {
                if host.installs() && !is_public {
                    deploy::check(host, args)?;
                }
                outcome = start(args)?;
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
            outcome = start(args)?;
            ignored::write(&args.dir, false)?;
        }
    }
    Ok(outcome)
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

/// Creates a new site, with the conversations of `--from` or with examples. Returns the outcome of the import.
fn start(args: &InitArgs) -> Result<Outcome, Failure> {
    if let Some(missing) = args.from.iter().find(|export| !disk::is_there(export)) {
        return Err(Failure::Usage(format!("cannot find `{}`", quoted(missing))));
    }
    let config = Answers::of(args)?.site_toml(args.deploy);
    let mut files = vec![("site.toml", config.as_str())];
    if args.from.is_empty() {
        files.push(("content/first-steps.convo", DIALOG_EXAMPLE));
        files.push(("content/naming-the-boat.convo", MEETING_EXAMPLE));
    }
    disk::write_new(&args.dir, &files)?;
    let mut outcome = Outcome::Fine;
    if !args.from.is_empty() {
        let exports = args.from.iter().chain([&args.dir]).cloned().collect();
        outcome = import::run(&ImportArgs { exports, ..ImportArgs::default() })?;
    }
    let shown = quoted(&args.dir);
    report::summary(&format!(
        "created a site in {shown}\n  preview it:  convo-site serve {shown}\n  \
         build it:    convo-site build {shown}"
    ));
    Ok(outcome)
}
