//! What the last build wrote, for one who writes nothing.

use std::path::Path;

use super::folder::Folder;
use super::manifest::Manifest;
use super::publish::WRITTEN;
use super::sealed::Program;
use super::state::{ADDRESSES, STATE, State, parts};
use crate::outputs::Output;

/// What the last build of a site wrote into an output folder, or the parts of one.
pub struct LastBuild {
    /// Where its conversations stood, as [`State::exchange_addresses`] kept it.
    pub addresses: String,
    manifests: Vec<Manifest>,
}

impl LastBuild {
    /// Returns the last build into the folder `dest` of the site whose state is in the folder
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

    /// Returns whether it wrote this very file.
    pub fn has(&self, output: &Output) -> bool {
        let path = output.path.as_str();
        let mut manifests = self.manifests.iter();
        manifests.any(|manifest| {
            let written = manifest.written(path);
            written.and_then(|written| written.made_from(output.key)).is_some()
        })
    }
}
