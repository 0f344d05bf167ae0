//! `convo-site build`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::SiteArgs;
use super::report::{self, Progress};
use super::{Failure, Outcome};
use crate::diag::{self, Diagnostic, Severity};
use crate::disk::{self, Disk, State, Trust};
use crate::files::SharedFiles;
use crate::path::RelPath;
use crate::pipeline::{self, Build};
use crate::site::addresses::{self, Address};
use crate::text::{bytes, grouped, plural};

pub(super) fn run(
    args: &SiteArgs,
    output: Option<PathBuf>,
    trust: Trust,
) -> Result<Outcome, Failure> {
    let site = &args.site;
    let dest = output.unwrap_or_else(|| site.join("public"));
    refuse_dangerous(site, &dest)?;
    let progress = Progress::new();
    let files: SharedFiles = Arc::new(Disk::new(site, &dest));
    // A folder that is no site gets no state.
    files.read(&RelPath::new("site.toml"))?;
    let state = State::open(site, &|holder| report::waiting(holder))?;
    let memo = match trust {
        Trust::Manifest => state.memo(),
        Trust::Nothing => state.empty_memo()?,
    };
    let mut build = pipeline::run(&files, args.private(), &memo)?;
    report::private(&build);
    let tell = |done, all| progress.tell(done, all);
    let published = disk::publish(&build.outputs, &dest, &state, trust, &tell)?;
    // What is kept is large, and all pages are made.
    drop(std::mem::take(&mut build.outputs));
    state.keep(&memo)?;
    build.notes.extend(moved(&state, &dest, &build)?);
    let seconds = progress.finish().as_secs_f64();
    build.notes.extend(published.notes);
    diag::sort(&mut build.notes);
    let mut line = format!(
        "built {}: {}, {} in {seconds:.2} s; {} written",
        plural(build.conversations, "conversation", "conversations"),
        plural(build.pages, "page", "pages"),
        bytes(published.bytes),
        plural(published.written as u64, "file", "files"),
    );
    if published.removed > 0 {
        line.push_str(&format!(", {} removed", grouped(published.removed as u64)));
    }
    Ok(report::conclude(line, &build, args))
}

/// A note on each conversation whose old address leads nowhere from now on.
fn moved(state: &State, dest: &Path, build: &Build) -> Result<Vec<Diagnostic>, Failure> {
    let before = state.exchange_addresses(dest, &addresses::to_text(&build.addresses))?;
    let moved = addresses::moved(&before, &build.addresses);
    let is_lost = |old: &str| !build.aliases.contains_key(old.trim_end_matches('/'));
    let lost = moved.into_iter().filter(|(old, _)| is_lost(old));
    let note = |(old, Address { label, folder, .. })| {
        let message = format!("its address was `{old}` and is `{folder}`");
        let note = Diagnostic::new(Severity::Warning, "address-changed", message);
        note.in_file(label).hint(format!(
            "if links to the old one may be out there, add `\"{old}\" = \"{folder}\"` to \
             `[redirects]` in site.toml; you are told once"
        ))
    };
    Ok(lost.map(note).collect())
}

/// The output must not be able to take the place of anything that is read.
fn refuse_dangerous(site: &Path, dest: &Path) -> Result<(), Failure> {
    let (site, real) = (disk::resolve(site), disk::resolve(dest));
    let taken = |part: &str| real.starts_with(site.join(part));
    if site.starts_with(&real)
        || ["content", "templates", "themes"].into_iter().any(taken)
    {
        let message =
            format!("the site cannot go to `{}`: it holds what is read", dest.display());
        return Err(Failure::Usage(message));
    }
    Ok(())
}
