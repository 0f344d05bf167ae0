//! `convo-site read`: reads a part of the conversations into the cache.

use std::sync::Arc;

use super::args::ReadArgs;
use super::report::{self, Progress};
use super::{Failure, Outcome, require_site};
use crate::disk::{Disk, State};
use crate::files::SharedFiles;
use crate::pipeline::{self, Choices};
use crate::text::{grouped, plural};

pub(super) fn run(args: &ReadArgs) -> Result<Outcome, Failure> {
    let site = &args.site;
    // Do not create a cache in a folder that is not a site.
    require_site(site)?;
    let progress = Progress::new();
    let files: SharedFiles = Arc::new(Disk::new(site));
    let cache = args.cache.folder(site);
    let state = State::open_part(&cache, args.part, &|holder| report::waiting(holder))?;
    if state.is_temporary() {
        return Err(Failure::Usage(format!("cannot write the cache to `{}`", cache.display())));
    }
    let choices = Choices { partition: args.part, ..args.choices()? };
    let partition = args.part.unwrap_or_default();
    let on_progress = |phase| progress.phase(phase);
    let (memo, read, count, what) = if args.search {
        let memo = state.memo()?;
        let build = pipeline::run(&files, &choices, &memo, &on_progress)?;
        let (read, count) = build.index.make_runs(partition);
        // The process exits next, so freeing a large archive would only waste time.
        std::mem::forget(build);
        (memo, read, plural(count as u64, "run", "runs"), " of the search index")
    } else {
        let memo = state.memo_to_read()?;
        let (read, count) =
            pipeline::read(files.as_ref(), &choices, &memo.sources, partition, &on_progress)?;
        (memo, read, plural(count as u64, "source", "sources"), "")
    };
    state.keep(&memo)?;
    let seconds = progress.finish().as_secs_f64();
    let part = args.part.map_or_else(String::new, |part| format!("part {part}: "));
    let read = grouped(read as u64);
    report::summary(&format!("{part}read {read} of {count}{what} in {seconds:.2} s"));
    std::mem::forget(memo.sources);
    Ok(Outcome::Fine)
}
