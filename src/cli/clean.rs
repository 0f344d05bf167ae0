//! `convo-site clean`

use std::path::{Path, PathBuf};

use super::report;
use super::{Failure, Outcome};
use crate::disk::{self, State};
use crate::text::plural;

pub(super) fn run(site: &Path, output: Option<PathBuf>) -> Result<Outcome, Failure> {
    if !disk::has_state(site) {
        report::summary("nothing to remove");
        return Ok(Outcome::Fine);
    }
    let dest = output.unwrap_or_else(|| site.join("public"));
    let state = State::open(site, &|holder| report::waiting(holder))?;
    let removed = disk::clean(&dest, state)? as u64;
    report::summary(&format!(
        "removed the cache and {}",
        plural(removed, "file", "files")
    ));
    Ok(Outcome::Fine)
}
