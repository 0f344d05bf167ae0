//! `convo-site search-index`: sends turns to a search engine, or writes them to files.

use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "search-engine")]
use std::time::Duration;

use super::args::{BaseUrlArgs, SearchIndexArgs};
use super::report::{self, Progress};
use super::{Failure, Outcome, require_site};
use crate::diag::Severity;
use crate::disk::{self, Disk, State};
use crate::engine::{self, WrittenDocuments};
use crate::files::SharedFiles;
use crate::pipeline::{self, Build, Choices};
use crate::text::plural;

/// The files with the documents and the index settings.
const DOCUMENTS: &str = "documents.ndjson";
const OPENSEARCH: &str = "opensearch.json";
const QUICKWIT: &str = "quickwit.json";

/// Sends the turns of a site to an engine, or writes them to files.
pub(super) fn run(args: &SearchIndexArgs) -> Result<Outcome, Failure> {
    let progress = Progress::new();
    match args.to.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["ndjson"] | ["ndjson", "-"] => to_ndjson(args, None, progress),
        ["ndjson", path] => to_ndjson(args, Some(Path::new(path)), progress),
        ["opensearch", url] => to_engine(args, url, progress),
        ["opensearch"] => Err(Failure::Usage(
            "`--to opensearch` needs a URL, such as `https://search.example.org:9200/talks`"
                .to_owned(),
        )),
        _ => Err(Failure::Usage("`--to` needs `opensearch` or `ndjson`".to_owned())),
    }
}

/// Plans the site as a build would, without writing it.
fn plan(args: &SearchIndexArgs, progress: &Progress) -> Result<Build, Failure> {
    // Do not create a cache in a folder that is not a site.
    require_site(&args.site)?;
    let files: SharedFiles = Arc::new(Disk::new(&args.site));
    let state = State::open(&args.cache.folder(&args.site), &|holder| report::waiting(holder))?;
    let memo = state.memo()?;
    let choices = args.gate.choose(&BaseUrlArgs::default(), Choices::default())?;
    let build = pipeline::run(&files, &choices, &memo, &|phase| progress.phase(phase))?;
    // The cache only makes the next build faster, so an error does not matter.
    let _ = state.keep(&memo);
    Ok(build)
}

fn to_ndjson(
    args: &SearchIndexArgs,
    path: Option<&Path>,
    progress: Progress,
) -> Result<Outcome, Failure> {
    let build = plan(args, &progress)?;
    let on_progress = |done, all| progress.advance("writing", done, all);
    let write = |out: &mut dyn std::io::Write| {
        engine::write_documents(&build.documents, &build.texts, out, &on_progress)
    };
    let is_file = |path: &Path| path.extension().is_some_and(|ending| ending == "ndjson");
    let written = match path {
        // A closed pipe is not an error.
        None => write(&mut std::io::stdout().lock()).unwrap_or_default(),
        Some(path) if is_file(path) => disk::replace_by(path, write)?,
        Some(folder) => {
            disk::make_folder(folder)?;
            let text = |value: &serde_json::Value| format!("{value:#}\n").into_bytes();
            disk::replace(&folder.join(OPENSEARCH), &text(&engine::opensearch_index()))?;
            disk::replace(&folder.join(QUICKWIT), &text(&engine::quickwit_index()))?;
            disk::replace_by(&folder.join(DOCUMENTS), write)?
        }
    };
    let seconds = progress.finish().as_secs_f64();
    let WrittenDocuments { documents, conversations, notes } = written;
    report::summary(&format!(
        "wrote {} of {} in {seconds:.2} s",
        plural(documents, "document", "documents"),
        plural(conversations, "conversation", "conversations"),
    ));
    Ok(conclude(&build, notes))
}

/// Prints the problems and returns the outcome.
fn conclude(build: &Build, mut notes: Vec<crate::diag::Diagnostic>) -> Outcome {
    build.gate.scrub(&mut notes);
    report::notes_aside(&notes, super::args::MessageFormat::Human);
    match notes.iter().any(|note| note.severity == Severity::Error) {
        true => Outcome::Findings,
        false => Outcome::Fine,
    }
}

#[cfg(not(feature = "search-engine"))]
fn to_engine(_: &SearchIndexArgs, _: &str, _: Progress) -> Result<Outcome, Failure> {
    Err(Failure::Usage("this convo-site was built without the feature `search-engine`".to_owned()))
}

#[cfg(feature = "search-engine")]
fn to_engine(args: &SearchIndexArgs, url: &str, progress: Progress) -> Result<Outcome, Failure> {
    let client = super::engine::client(url, Duration::from_secs(args.timeout))?;
    let build = plan(args, &progress)?;
    let on_progress = |done, all| progress.advance("indexing", done, all);
    let updated =
        engine::update(&client, &build.documents, &build.texts, args.rebuild, &on_progress)
            .map_err(super::engine::failure)?;
    let seconds = progress.finish().as_secs_f64();
    let mut line = format!(
        "indexed {} of {} in {seconds:.2} s; {} unchanged",
        plural(updated.documents as u64, "document", "documents"),
        plural(updated.sent as u64, "conversation", "conversations"),
        crate::text::grouped(updated.same as u64),
    );
    if updated.removed > 0 {
        line.push_str(&format!(", {} removed", crate::text::grouped(updated.removed as u64)));
    }
    let how = if updated.is_new { "new index" } else { "index" };
    line.push_str(&format!("; {how} `{}`", crate::diag::emit::visible(&updated.index)));
    report::summary(&line);
    Ok(conclude(&build, updated.notes))
}
