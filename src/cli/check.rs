//! `convo-site check`: reports problems without building, and checks a built site before it is published.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::args::{CheckArgs, SiteArgs};
use super::report::{self, Progress};
use super::{Failure, Outcome, require_site};
use crate::check::{Inspector, OutputCheck, Withheld};
use crate::config::Config;
use crate::diag::{self, Diagnostic, Severity, emit};
use crate::disk::{self, Destination, Disk, LastBuild, OutputState};
use crate::files::SharedFiles;
use crate::hash::Hash;
use crate::outputs::Output;
use crate::pipeline::{self, Build};
use crate::site::urls::{self, ConversationUrl};
use crate::text::plural;

pub(super) fn run(args: &CheckArgs) -> Result<Outcome, Failure> {
    let CheckArgs { site, publish, output } = args;
    Ok(gate(site, *publish, output.as_ref())?.0)
}

/// Checks a site, and with `publish` also the output folder. Returns the configuration for a deploy that
/// follows.
pub(super) fn gate(
    args: &SiteArgs,
    publish: bool,
    output: Option<&PathBuf>,
) -> Result<(Outcome, Arc<Config>), Failure> {
    require_site(&args.site)?;
    let destination = Destination::new(&args.site, output.cloned());
    let cache = args.cache.folder(&args.site);
    let progress = Progress::new();
    let files: SharedFiles = Arc::new(Disk::with_output(&args.site, &destination.path()));
    let memo = disk::memo_of(&cache);
    let on_progress = |phase| progress.phase(phase);
    let mut build = pipeline::run(&files, &args.choices()?, &memo, &on_progress)?;
    report::withheld(&build);
    let output_state = if publish { OutputState::of(&destination)? } else { None };
    let folder = destination.path().display().to_string();
    let folder = emit::visible(folder.strip_prefix("./").unwrap_or(&folder));
    let output = publish.then(|| OutputCheck::new(output_state.as_ref(), &*folder, &build.config));
    let clean = disk::recall_checked(&cache).unwrap_or_default();
    let inspector = Inspector::new(&build.config, &build.outputs, build.gate.hash, clean);
    let compare = |file: &Output, content| {
        output.iter().for_each(|output| output.look(file, content));
    };
    let mut notes = disk::check(
        &build.outputs,
        publish,
        &|file| inspector.recall(file).map(|content| compare(file, content)).is_some(),
        &|file, bytes| compare(file, inspector.look(file, bytes)),
        &|done, all| progress.advance("checking", done, all),
    );
    if let Some(output) = output {
        for file in output.foreign(&build.outputs) {
            inspector.count(&file.path, file.len);
        }
        let last = LastBuild::of(&cache, &destination.path());
        let last = last.map(|last| urls::of_text(&last.addresses));
        let last = last.unwrap_or_default();
        let withheld = withheld(&build, &last);
        notes.extend(output.finish(&build.outputs, &withheld, &build.gate));
    }
    let (found, clean) = inspector.finish();
    notes.extend(found);
    if let Some(clean) = clean {
        disk::keep_checked(&cache, &clean);
    }
    if publish {
        notes.extend(no_host_note(&build.config));
    }
    build.notes.extend(notes);
    if publish {
        build.notes.iter_mut().for_each(set_publishing_severity);
    }
    let seconds = progress.finish().as_secs_f64();
    build.gate.scrub(&mut build.notes);
    diag::sort(&mut build.notes);
    let conversations = plural(build.conversations, "conversation", "conversations");
    let line = format!("checked {conversations} in {seconds:.2} s");
    let outcome = report::conclude(line, &build, args);
    if publish {
        report::verdict(outcome, &folder, &build, args);
    }
    Ok((outcome, build.config))
}

/// Returns the hint that no host is set, so that limits were not checked.
fn no_host_note(config: &Config) -> Option<Diagnostic> {
    let at = config.places.of("deploy");
    (at.span.is_none()).then(|| {
        let message = "no host is set, so host limits were not checked";
        let note = Diagnostic::new(Severity::Hint, "no-host", message);
        let hint = "set it in site.toml: `[deploy]`, and below it, for example, `host = \"netlify\"`; with \
                    `host = \"other\"` no limits are checked";
        Diagnostic { at: Some(at), ..note.hint(hint) }
    })
}

/// Returns the conversations that were published by the last build and are now withheld.
fn withheld<'a>(build: &Build, last: &'a [ConversationUrl]) -> Vec<Withheld<'a>> {
    let held = build.held_back.iter();
    let why: HashMap<Hash, &str> = held.map(|held| (held.id, held.reason.words().one)).collect();
    let known = |address: &'a ConversationUrl| {
        Some(Withheld { address, why: why.get(&address.id).copied()? })
    };
    last.iter().filter_map(known).collect()
}

/// Judges a problem by what it means for publishing. The rest can be published without a withheld
/// conversation; a query of `exclude` that matches nothing may be misspelt, and then keeps nothing off the site.
fn set_publishing_severity(note: &mut Diagnostic) {
    let is_in_config = note.at.as_ref().is_some_and(|at| at.file == "site.toml");
    note.severity = match note.code {
        "secret-held" => Severity::Warning,
        "unmatched-filter" if is_in_config => Severity::Error,
        _ => note.severity,
    };
}
