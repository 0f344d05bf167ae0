//! Reads what the last build wrote, without changing anything.

use std::path::Path;

use super::folder::Folder;
use super::manifest::Manifest;
use super::publish::WRITTEN;
use super::sealed::Program;
use super::state::{ADDRESSES, STATE, State, parts};
use crate::outputs::Output;

/// The files that the last build of a site, or of its parts, wrote into an output folder.
pub struct LastBuild {
    /// The URLs of its conversations, as kept by [`State::exchange_addresses`].
    pub addresses: String,
    manifests: Vec<Manifest>,
}

impl LastBuild {
    /// Returns the last build into the folder `dest`, of the site with its state in the folder
    /// `site`, if there was one.
    pub fn of(site: &Path, dest: &Path) -> Option<Self> {
        let all = Folder::open(site).and_then(|site| site.child(STATE)).ok()?;
        let parts = parts(&all);
        let text = |folder: &Folder, name: &str| {
            String::from_utf8(folder.read(&State::of_output(name, dest)).ok()?).ok()
        };
        let program = Program::this();
        let (mut manifests, mut addresses) = (Vec::new(), None);
        for folder in [&all].into_iter().chain(&parts) {
            let Some(written) = text(folder, WRITTEN) else { continue };
            manifests.push(Manifest::parse(&written, program));
            addresses = addresses.or_else(|| text(folder, ADDRESSES));
        }
        let addresses = addresses.unwrap_or_default();
        (!manifests.is_empty()).then_some(Self { addresses, manifests })
    }

    /// Returns whether the build wrote exactly this file.
    pub fn has(&self, output: &Output) -> bool {
        let path = output.path.as_str();
        let mut manifests = self.manifests.iter();
        manifests.any(|manifest| {
            let written = manifest.written(path);
            written.and_then(|written| written.made_from(output.key)).is_some()
        })
    }
}
