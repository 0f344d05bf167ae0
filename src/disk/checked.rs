//! What checks of a site keep in its state. A check does not lock the state, so that it never waits for a
//! build; of several checks, the last one wins.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{Folder, STAGING, Staging};
use super::sealed::Program;
use super::state::{CHECKED, STATE};

/// Returns what the last check of the site with its state in the folder `site` kept.
pub fn recall_checked<T: DeserializeOwned>(site: &Path) -> Option<T> {
    Program::this().read_value(&state(site)?, CHECKED)
}

/// Keeps a value for the next check, if the site has a state, so that it was built before. Nothing is lost if
/// it cannot be written: the next check takes longer.
pub fn keep_checked<T: Serialize>(site: &Path, value: &T) {
    let Some(folder) = state(site) else { return };
    let staging = Staging::named(&folder, format!("{STAGING}-{CHECKED}"));
    let _ =
        staging.and_then(|staging| Program::this().write_value(&staging, &folder, CHECKED, value));
}

fn state(site: &Path) -> Option<Folder> {
    Folder::open(site).and_then(|site| site.child(STATE)).ok()
}
