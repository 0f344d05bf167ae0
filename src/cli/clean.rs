//! `convo-site clean`: removes the cache and the output.

use std::path::{Path, PathBuf};

use super::report;
use super::{Failure, Outcome, require_site};
use crate::disk::{self, Destination, State};
use crate::text::plural;

pub(super) fn run(site: &Path, output: Option<PathBuf>, cache: &Path) -> Result<Outcome, Failure> {
    let destination = Destination::new(site, output);
    if !disk::has_state(cache) && !disk::has_list(&destination) {
        require_site(site)?;
        report::summary("nothing to remove");
        return Ok(Outcome::Fine);
    }
    let state = State::open(cache, &|holder| report::waiting(holder))?;
    let (removed, left) = disk::clean(&destination, state)?;
    let mut line = format!("removed the cache and {}", plural(removed as u64, "file", "files"));
    if left.may_be_ours && !left.paths.is_empty() {
        let path = destination.path();
        line.push_str(&format!(
            "; other files in `{}` were left alone, because the list of files from builds is missing \
             or damaged",
            path.display()
        ));
    }
    report::summary(&line);
    Ok(Outcome::Fine)
}
