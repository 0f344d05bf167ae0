//! `convo-site check`

use std::sync::Arc;

use super::args::SiteArgs;
use super::report::{self, Progress};
use super::{Failure, Outcome};
use crate::diag;
use crate::disk::{self, Disk};
use crate::files::SharedFiles;
use crate::pipeline;
use crate::text::{grouped, plural};

pub(super) fn run(args: &SiteArgs) -> Result<Outcome, Failure> {
    let progress = Progress::new();
    let files: SharedFiles = Arc::new(Disk::new(&args.site, &args.site.join("public")));
    let mut build = pipeline::run(&files)?;
    build
        .notes
        .extend(disk::check(&build.outputs, &|done, all| progress.tell(done, all)));
    let seconds = progress.finish().as_secs_f64();
    diag::sort(&mut build.notes);
    report::notes(&build.notes, args.message_format);
    let counts = report::counts(&build.notes);
    let mut line = format!(
        "checked {} in {seconds:.2} s",
        plural(build.conversations, "conversation", "conversations"),
    );
    if build.held_back > 0 {
        line.push_str(&format!("; {} private held back", grouped(build.held_back)));
    }
    line.push_str(&if counts.is_empty() {
        "; no warnings".to_owned()
    } else {
        format!("; {counts}")
    });
    report::summary(&line);
    Ok(report::outcome(&build.notes, args))
}
