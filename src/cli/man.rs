//! `convo-site man`: prints or writes manual pages.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use super::args::Args;
use super::{Failure, Outcome, report, version};
use crate::disk;
use crate::text::closest;

/// Prints one manual page, or writes all into a folder.
pub(super) fn run(command: &[String], output: Option<&Path>) -> Result<Outcome, Failure> {
    let mut program = Args::command().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    collect(&program, &mut pages);
    if let Some(folder) = output {
        let files: Vec<(String, String)> =
            pages.into_iter().map(|(name, page)| (format!("{name}.1"), page)).collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, page)| (name.as_str(), page.as_str())).collect();
        disk::write_new(folder, &files)?;
        return Ok(Outcome::Fine);
    }
    let wanted = std::iter::once("convo-site").chain(command.iter().map(String::as_str));
    let wanted = wanted.collect::<Vec<_>>().join("-");
    let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
        let near = closest(&wanted, pages.iter().map(|(name, _)| name.as_str()));
        let hint = near.map_or_else(
            || "run `convo-site --help` for a list".to_owned(),
            |near| format!("did you mean `{}`?", near.replace('-', " ").replacen(' ', "-", 1)),
        );
        let command = command.join(" ");
        return Err(Failure::Usage(format!("unknown command `{command}`; {hint}")));
    };
    report::output(page);
    Ok(Outcome::Fine)
}

/// Adds the pages of a command and its subcommands, with the names of their files.
fn collect(command: &Command, pages: &mut Vec<(String, String)>) {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut page = Vec::new();
    // Writing to memory does not fail.
    let source = format!("convo-site {}", version::short());
    let written = Man::new(command.clone()).source(source).render(&mut page);
    debug_assert!(written.is_ok());
    pages.push((name, String::from_utf8_lossy(&page).into_owned()));
    command.get_subcommands().for_each(|below| collect(below, pages));
}
