//! `convo-site build`: builds a site into its output folder.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::args::{SiteArgs, with_fallback_key};
use super::report::{self, Progress};
use super::unconfigured::Subject;
use super::{Failure, Outcome};
use crate::config::Config;
use crate::diag::{self, Diagnostic, Severity};
use crate::disk::{self, CachePolicy, Changes, Destination, Foreign, Scope, State};
use crate::hash::Hash;
use crate::locale;
use crate::people;
use crate::pipeline::{self, Build, Choices};
use crate::site::urls::{self, ConversationUrl};
use crate::sources::{PAGES_FOLDER, STATIC_FOLDER};
use crate::text::{bytes, grouped, plural};

pub(super) fn run(
    args: &SiteArgs,
    output: Option<PathBuf>,
    cache_policy: CachePolicy,
    scope: Scope,
    changed_list: Option<&Path>,
) -> Result<Outcome, Failure> {
    let changes = Changes::new(changed_list.is_some());
    // The list of an earlier build must not be mistaken for the list of this one, even on failure.
    changed_list.map_or(Ok(()), |file| disk::replace(file, b""))?;
    let outcome = build(args, output, cache_policy, scope, &changes);
    // Changes are listed even if the build failed.
    let text = changes.to_text();
    changed_list.map_or(Ok(()), |file| disk::replace(file, text.as_bytes()))?;
    outcome
}

fn build(
    args: &SiteArgs,
    output: Option<PathBuf>,
    cache_policy: CachePolicy,
    scope: Scope,
    changes: &Changes,
) -> Result<Outcome, Failure> {
    let subject = Subject::open(&args.site)?;
    let site = subject.folder();
    if !subject.is_site() && output.is_none() {
        return Err(needs_output(&args.site));
    }
    let destination = Destination::new(site, output);
    if let Some(input) = subject.only_input() {
        destination.refused(&[input]).map_or(Ok(()), |why| Err(Failure::Usage(why)))?;
    }
    let progress = Progress::new();
    let files = subject.files(Some(&destination.path()))?;
    let (cache, partition) = (subject.cache(&args.cache)?, scope.partition());
    let state = State::open_part(&cache, partition, &|holder| report::waiting(holder))?;
    let memo = match cache_policy {
        CachePolicy::Use => state.memo()?,
        CachePolicy::Ignore => state.empty_memo()?,
    };
    let on_progress = |phase| progress.phase(phase);
    let choices = Choices { partition, ..args.choices()? };
    let choices = if subject.is_site() { choices } else { with_fallback_key(choices)? };
    let run = || pipeline::run(&files, &choices, &memo, &on_progress);
    let mut build = match run() {
        // Parallel parts would each create a different key.
        Err(notes) if partition.is_none() && is_without_key(&notes) => {
            disk::make_key(site, people::KEY_FILE)?;
            let mut build = run()?;
            build.notes.push(key_made_note());
            build
        }
        build => build?,
    };
    if subject.only_input().is_none() {
        refuse_dangerous(&destination, &build.config)?;
    }
    let is_reported = |note: &Diagnostic| scope.reports_planning(note) && subject.reports(note);
    build.notes.retain(is_reported);
    build.withheld.retain(|(.., file)| scope.reports_file(file));
    report::withheld(&build);
    let on_progress = |done, all| progress.advance("writing", done, all);
    let published = disk::publish(
        &build.outputs, &destination, &state, scope, cache_policy, changes, &on_progress,
    )?;
    // All pages are written, and freeing their large outputs takes a while.
    let outputs = std::mem::take(&mut build.outputs);
    rayon::spawn(move || drop(outputs));
    let kept = state.keep(&memo);
    match kept.and_then(|()| moved_notes(&state, &destination, &build)) {
        Ok(notes) => build.notes.extend(notes.into_iter().filter(is_reported)),
        Err(error) => build.notes.push(not_kept_note(&error)),
    }
    // With a shared output, no part knows the files of the others.
    if scope.reports_output() {
        build.notes.extend(foreign_note(&published.foreign, &destination));
    }
    let seconds = progress.finish().as_secs_f64();
    let mut later = published.notes;
    build.texts.clean(&mut later);
    build.notes.extend(later);
    build.gate.scrub(&mut build.notes);
    diag::sort(&mut build.notes);
    let part = partition.map_or_else(String::new, |part| format!("part {part} of "));
    let mut line = format!(
        "built {part}{}: {}, {} in {seconds:.2} s; {} written",
        plural(build.conversations, "conversation", "conversations"),
        plural(build.pages, "page", "pages"),
        bytes(published.bytes),
        plural(published.written as u64, "file", "files"),
    );
    if published.removed > 0 {
        line.push_str(&format!(", {} removed", grouped(published.removed as u64)));
    }
    if state.is_temporary() {
        line.push_str("; no cache was written, because the site folder is read-only");
    }
    let outcome = report::conclude(line, &build, args);
    // The process exits next, so freeing a large archive would only waste time.
    std::mem::forget((build, memo.sources, memo.plans));
    Ok(outcome)
}

/// Returns the error for a build without an output folder that would write beside the input.
fn needs_output(input: &Path) -> Failure {
    let shown = super::report::quoted(input);
    let message = format!("{shown} is not a site: it has no `site.toml`");
    let note = Diagnostic::new(Severity::Error, "no-site", message);
    let hint = "to build it with default settings, choose an output folder with `-o OUT`";
    let note = note.hint(hint);
    let note = note.hint(format!("to preview it, run `convo-site serve {shown}`"));
    Box::new(note.hint(format!("to create a site there, run `convo-site init {shown}`"))).into()
}

fn is_without_key(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|note| note.code == people::MISSING_KEY)
}

/// Reports each conversation whose old URL no longer works.
fn moved_notes(
    state: &State,
    destination: &Destination,
    build: &Build,
) -> Result<Vec<Diagnostic>, disk::Error> {
    let now = urls::to_text(&build.addresses);
    let before = state.exchange_addresses(&destination.path(), &now)?;
    if before == now {
        return Ok(Vec::new());
    }
    let moved = urls::moved(&urls::of_text(&before), &build.addresses);
    let is_lost =
        |old: &ConversationUrl| !build.aliases.contains_key(old.folder.trim_end_matches('/'));
    let lost = moved.into_iter().filter(|(old, _)| is_lost(old));
    let (ids, labels): (HashSet<Hash>, HashSet<&str>) =
        build.held_back.iter().map(|held| (held.id, held.label.as_str())).unzip();
    // A redirect would publish the title of a withheld conversation. Without the same id, it may be another one of the
    // same file.
    let may_be_private = |old: &ConversationUrl, new: Hash| {
        ids.contains(&old.id) || old.id != new && labels.contains(old.label.as_str())
    };
    let found: HashSet<&str> = build.findings.iter().map(|found| found.at.file.as_str()).collect();
    let note = |(was, ConversationUrl { id, label, folder }): (
        ConversationUrl,
        ConversationUrl,
    )| {
        let old = &was.folder;
        let has_made_up = build.config.uses_pseudonyms();
        if has_made_up || build.redacted.contains(&id) || found.contains(label.as_str()) {
            let message = format!("the URL changed to `{folder}`");
            let note = Diagnostic::new(Severity::Warning, "address-changed", message);
            return note.in_file(label).hint(match has_made_up {
                true => {
                    "the old URL may contain a name that was removed from the site, so it is not \
                     shown and should not be redirected; this is reported once"
                }
                false => {
                    "the old URL may contain text that is now redacted, so it is not shown; this is \
                     reported once"
                }
            });
        }
        let message = format!("the URL changed from `{old}` to `{folder}`");
        let note = Diagnostic::new(Severity::Warning, "address-changed", message);
        note.in_file(label).hint(match may_be_private(&was, id) {
            true => "the old URL may belong to a conversation that is now withheld, so do not \
                     redirect it; this is reported once"
                .to_owned(),
            false => format!(
                "if others may link to the old URL, add `\"{old}\" = \"{folder}\"` to \
                 `[redirects]` in site.toml; this is reported once"
            ),
        })
    };
    Ok(lost.map(note).collect())
}

/// Returns the warning about a newly created key for pseudonyms.
pub(super) fn key_made_note() -> Diagnostic {
    let message = "created this key; pseudonyms are derived from it";
    let note = Diagnostic::new(Severity::Warning, "people-key-made", message);
    note.in_file(people::KEY_FILE).hint(
        "keep it with the conversations, and keep it secret: a different key changes all \
         pseudonyms, and with this key others could guess the real names",
    )
}

/// Returns the warning about a cache that could not be written; the site itself is complete.
fn not_kept_note(error: &disk::Error) -> Diagnostic {
    let message = format!("cannot write the cache: {error}");
    let note = Diagnostic::new(Severity::Warning, "cache", message);
    note.hint("the site is complete; the next build will take longer")
}

/// The maximum number of foreign files to name.
const MAX_NAMES: usize = 3;

/// Returns the diagnostic for files in the output folder that are not part of this site.
fn foreign_note(foreign: &Foreign, destination: &Destination) -> Option<Diagnostic> {
    let names: Vec<String> =
        (foreign.paths.iter().take(MAX_NAMES)).map(|path| format!("`{path}`")).collect();
    if names.is_empty() {
        return None;
    }
    let folder = destination.path();
    let message = format!(
        "`{}` contains {} not part of this site: {}{}",
        folder.display(),
        match foreign.paths.len() as u64 {
            1 => "1 file or folder that is".to_owned(),
            count => format!("{} files or folders that are", grouped(count)),
        },
        names.join(", "),
        if foreign.paths.len() > MAX_NAMES { " …" } else { "" },
    );
    Some(if foreign.may_be_ours {
        let note = Diagnostic::new(Severity::Warning, "foreign-files", message);
        note.hint(
            "the list of files from earlier builds is missing or damaged; if these files are from an \
             earlier build, delete them, as they may contain text that is now private",
        )
    } else {
        let note = Diagnostic::new(Severity::Hint, "foreign-files", message);
        note.hint("they are left alone")
    })
}

/// Refuses an output folder that could overwrite the sources.
pub(super) fn refuse_dangerous(destination: &Destination, config: &Config) -> Result<(), Failure> {
    let files = [&config.look.logo, &config.look.image];
    let files = files.into_iter().chain(&config.og_images.fonts).map(String::as_str);
    let files = files.filter(|path| !path.is_empty());
    let folders = ["templates", "themes", PAGES_FOLDER, STATIC_FOLDER, locale::FOLDER];
    let inputs = [config.content.as_str()].into_iter().chain(folders).chain(files);
    let inputs: Vec<&str> = inputs.collect();
    destination.refused(&inputs).map_or(Ok(()), |why| Err(Failure::Usage(why)))
}
