//! `import --redact`: makes imported files safe to publish.

use std::path::Path;

use super::super::args::{GateArgs, ImportArgs, with_fallback_key};
use super::super::inputs;
use super::super::{Failure, build};
use crate::cli::args::BaseUrlArgs;
use crate::diag::Diagnostic;
use crate::disk::{self, Disk};
use crate::people;
use crate::pipeline::{self, Choices};
use crate::sources::Redactor;

/// Returns a redactor with the gate and the people of a site. If the site has no key for pseudonyms yet, creates
/// one, as a build does.
pub(super) fn redactor(
    site: &Path,
    args: &ImportArgs,
    notes: &mut Vec<Diagnostic>,
) -> Result<Redactor, Failure> {
    let choices = GateArgs::default().choose(&BaseUrlArgs::default(), Choices::default())?;
    let choices = with_fallback_key(choices)?;
    let files = Disk::new(site);
    let (of_site, gate) = pipeline::gate_of(&files, &choices)?;
    let mut config = inputs::config(args.from.as_deref());
    config.people = of_site.people.clone();
    config.people_key = choices.people_key;
    if config.people_key.is_none() && config.uses_pseudonyms() {
        let name = people::KEY_FILE;
        if !args.dry_run && !disk::is_there(&site.join(name)) {
            disk::make_key(site, name)?;
            notes.push(build::key_made_note());
        }
        let fallback = choices.fallback_people_key;
        config.people_key = people::key_or(&files, &config, fallback)?.take(notes);
    }
    Ok(Redactor::new(&config, gate)?)
}
