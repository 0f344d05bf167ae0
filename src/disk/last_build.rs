//! What the last build wrote, for one who writes nothing.

use std::path::Path;

use super::folder::Folder;
use super::manifest::Manifest;
use super::publish::WRITTEN;
use super::sealed::Program;
use super::state::{ADDRESSES, STATE, State};
use crate::outputs::Output;

/// What the last build of a site wrote into an output folder.
pub struct LastBuild {
    /// Where its conversations stood, as [`State::exchange_addresses`] kept it.
    pub addresses: String,
    manifest: Manifest,
}

impl LastBuild {
    /// Returns the last build into the folder `dest` of the site whose state is in the folder
    /// `site`, if there was one.
    pub fn of(site: &Path, dest: &Path) -> Option<Self> {
        let folder = Folder::open(site).and_then(|site| site.child(STATE)).ok()?;
        let text = |name: &str| {
            String::from_utf8(folder.read(&State::of_output(name, dest)).ok()?).ok()
        };
        let manifest = Manifest::parse(&text(WRITTEN)?, Program::this());
        Some(Self { addresses: text(ADDRESSES).unwrap_or_default(), manifest })
    }

    /// Returns whether it wrote this very file.
    pub fn has(&self, output: &Output) -> bool {
        self.manifest.made_from(output.path.as_str(), output.key).is_some()
    }
}
