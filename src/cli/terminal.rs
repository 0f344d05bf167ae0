//! Questions on a terminal.

use std::io::{self, BufRead as _, IsTerminal as _};

use super::{Failure, report};
use crate::disk;

/// Returns whether somebody is there to answer.
pub(super) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && !report::is_quiet()
}

/// Asks a question; returns `None` if the answer is empty.
pub(super) fn ask(question: &str) -> Result<Option<String>, Failure> {
    report::styled(question);
    Ok(line()?.filter(|answer| !answer.is_empty()))
}

/// Reads an answer; returns `None` at the end of the input.
pub(super) fn line() -> Result<Option<String>, Failure> {
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    let read = read.map_err(|cause| disk::Error::new("read", "standard input".as_ref(), cause))?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}
