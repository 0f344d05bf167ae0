//! `convo-site check`

use std::sync::Arc;

use super::args::SiteArgs;
use super::report::{self, Progress};
use super::{Failure, Outcome, require_site};
use crate::check::Inspector;
use crate::diag;
use crate::disk::{self, Disk};
use crate::files::SharedFiles;
use crate::pipeline;
use crate::text::plural;

pub(super) fn run(args: &SiteArgs) -> Result<Outcome, Failure> {
    require_site(&args.site)?;
    let progress = Progress::new(args.quiet);
    let files: SharedFiles = Arc::new(Disk::new(&args.site));
    let memo = disk::memo_of(&args.site);
    let tell = |phase| progress.phase(phase);
    let mut build = pipeline::run(&files, &args.choices()?, &memo, &tell)?;
    report::private(&build);
    let inspector = Inspector::new(&build.config, &build.outputs);
    let mut notes = disk::check(
        &build.outputs,
        &|output, bytes| inspector.look(output, bytes),
        &|done, all| progress.tell("checking", done, all),
    );
    notes.extend(inspector.finish());
    build.notes.extend(notes);
    let seconds = progress.finish().as_secs_f64();
    build.gate.scrub(&mut build.notes);
    diag::sort(&mut build.notes);
    let conversations = plural(build.conversations, "conversation", "conversations");
    Ok(report::conclude(
        format!("checked {conversations} in {seconds:.2} s"),
        &build,
        args,
    ))
}
