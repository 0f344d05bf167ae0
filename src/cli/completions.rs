//! `convo-site completions`: prints a completion script.

use clap::CommandFactory;
use clap_complete::Shell;

use super::args::Args;
use super::{Outcome, report};

/// Prints the completion script of a shell.
pub(super) fn run(shell: Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "convo-site", &mut script);
    report::output(&String::from_utf8_lossy(&script));
    Outcome::Fine
}
