//! Prints diagnostics, results, summaries and progress; nothing else prints.

use std::io::Write;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{ColorWhen, MessageFormat, SiteArgs};
use super::{Failure, Outcome};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity, emit};
use crate::gate::Gate;
use crate::pipeline::{Build, Phase};
use crate::sources::{Coverage, Reason};
use crate::text::{grouped, plural};

/// How much is printed.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Verbosity {
    /// Errors and results.
    Quiet,
    #[default]
    Normal,
    /// Every diagnostic, and how long each phase takes.
    Verbose,
}

impl Verbosity {
    /// Returns the verbosity that these options select.
    pub(super) fn of(is_quiet: bool, is_verbose: bool) -> Self {
        match (is_quiet, is_verbose) {
            (true, _) => Self::Quiet,
            (_, true) => Self::Verbose,
            _ => Self::Normal,
        }
    }
}

static VERBOSITY: OnceLock<Verbosity> = OnceLock::new();

fn verbosity() -> Verbosity {
    VERBOSITY.get().copied().unwrap_or_default()
}

/// Sets when all later output is coloured, and how much of it is printed.
pub(super) fn configure(color: ColorWhen, verbosity: Verbosity) {
    let choice = match color {
        ColorWhen::Auto => anstream::ColorChoice::Auto,
        ColorWhen::Always => anstream::ColorChoice::Always,
        ColorWhen::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
    let _ = VERBOSITY.set(verbosity);
}

/// Returns whether only errors and results are printed.
pub(super) fn is_quiet() -> bool {
    verbosity() == Verbosity::Quiet
}

fn emitter(format: MessageFormat) -> emit::Format {
    match format {
        MessageFormat::Human if verbosity() == Verbosity::Verbose => emit::Format::Verbose,
        MessageFormat::Human => emit::Format::Human,
        MessageFormat::Short => emit::Format::Short,
        MessageFormat::Json => emit::Format::Json,
        MessageFormat::Github => emit::Format::Github,
        MessageFormat::Sarif => emit::Format::Sarif,
    }
}

/// Prints diagnostics, with `--quiet` only errors: for people on standard error, for programs on standard
/// output.
pub(super) fn notes(notes: &[Diagnostic], format: MessageFormat) {
    print(&selected(notes), format);
}

/// Prints all of these diagnostics.
fn print(notes: &[Diagnostic], format: MessageFormat) {
    let format = emitter(format);
    let text = emit::render(format, &scrubbed(notes));
    if format.is_for_people() {
        anstream::eprint!("{text}");
    } else {
        output(&text);
    }
}

/// Prints diagnostics on standard error, as standard output has a result.
pub(super) fn notes_aside(notes: &[Diagnostic], format: MessageFormat) {
    anstream::eprint!("{}", emit::render(emitter(format), &scrubbed(&selected(notes))));
}

/// Returns the diagnostics to print: with `--quiet`, only errors.
fn selected(notes: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_selected = |note: &&Diagnostic| note.severity == Severity::Error || !is_quiet();
    notes.iter().filter(is_selected).cloned().collect()
}

/// Redacts secrets that diagnostics quote.
fn scrubbed(notes: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut notes = notes.to_vec();
    Gate::open().scrub(&mut notes);
    notes
}

/// Prints a result on standard output. A closed pipe is not an error.
pub(super) fn output(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a result with styles on standard output; without them if it is not a terminal.
pub(super) fn styled(text: &str) {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a summary for people on standard error, unless `--quiet` silences it.
pub(super) fn summary(lines: &str) {
    if !is_quiet() {
        always(lines);
    }
}

/// Prints lines for people on standard error, even with `--quiet`.
pub(super) fn always(lines: &str) {
    for line in lines.split('\n') {
        anstream::eprintln!("{}", emit::visible(line));
    }
}

/// Reports that the command waits for another build.
pub(super) fn waiting(holder: &str) {
    let holder = emit::visible(holder);
    summary(&format!("waiting for another build of this site (process {holder})"));
}

/// Lists the conversations that are published only because of options.
pub(super) fn withheld(build: &Build) {
    for (reason, title, file) in &build.withheld {
        let (title, file) = (emit::visible(title), emit::visible(file));
        let (what, flag) = match reason {
            Reason::Draft => ("draft", "--drafts"),
            Reason::Future(_) => ("scheduled", "--future"),
            Reason::Expired(_) => ("expired", "--expired"),
            _ => ("private", "--include-private"),
        };
        summary(&format!("{what}, published because of {flag}: {title} ({file})"));
    }
}

/// Prints why a command could not run.
pub(super) fn failure(failure: Failure, format: MessageFormat) {
    notes(&failure_notes(failure), format);
}

fn failure_notes(failure: Failure) -> Vec<Diagnostic> {
    let note = match failure {
        Failure::Site(all) => return all,
        Failure::Disk(error) => {
            let note = Diagnostic::new(Severity::Error, "system", error.to_string());
            match error.hint() {
                Some(hint) => note.hint(hint),
                None => note,
            }
        }
        Failure::Usage(message) => Diagnostic::new(Severity::Error, "usage", message),
    };
    vec![note]
}

/// Prints the diagnostics of a site and then `line`, which summarises what was done.
pub(super) fn conclude(mut line: String, build: &Build, site: &SiteArgs) -> Outcome {
    if is_quiet() {
        let bad = build.notes.iter().filter(|note| is_finding(note, site));
        print(&bad.cloned().collect::<Vec<_>>(), site.message_format);
        return outcome(&build.notes, site);
    }
    notes(&build.notes, site.message_format);
    line.push_str(&coverage_summary(&build.coverage));
    for kind in Reason::all() {
        let of_kind = || build.held_back.iter().filter(|held| held.reason.kind() == kind);
        let count = of_kind().count() as u64;
        if count > 0 {
            let (one, many) = kind.words().counted;
            let words = if count == 1 { one } else { many };
            line.push_str(&format!("; {} {words}", grouped(count)));
        }
        let days = of_kind().filter_map(|held| held.reason.day());
        if let (Reason::Future(_), Some(day)) = (kind, days.min()) {
            line.push_str(&format!(", the first on {day}"));
        }
    }
    if build.placeholders > 0 {
        let parts = plural(build.placeholders, "part", "parts");
        line.push_str(&format!("; {parts} replaced by placeholders"));
    }
    if build.unpublished_fields > 0 {
        let fields = plural(build.unpublished_fields, "metadata field", "metadata fields");
        line.push_str(&format!("; {fields} not published"));
    }
    line.push_str(&place(build));
    let counts = counts(&build.notes);
    line.push_str("; ");
    line.push_str(if counts.is_empty() { "no warnings" } else { &counts });
    summary(&line);
    outcome(&build.notes, site)
}

/// Prints whether the site in a folder passed the check before publishing.
pub(super) fn verdict(outcome: Outcome, folder: &str, build: &Build, site: &SiteArgs) {
    if outcome == Outcome::Fine {
        summary(&format!("`{folder}` passed the check: no errors, and every file is up to date"));
        return;
    }
    let bad: Vec<Diagnostic> =
        build.notes.iter().filter(|note| is_finding(note, site)).cloned().collect();
    always(&format!("`{folder}` is not ready to publish: {}", counts(&bad)));
}

/// Describes the URL of the site if it is not from site.toml, and a preview: `; for https://ada.example/ (from
/// DEPLOY_PRIME_URL); a preview of a change, hidden from search engines`.
pub(super) fn place(build: &Build) -> String {
    let mut text = String::new();
    let config = &build.config;
    if let Some(from) = build.deploy_context.address_from {
        let url = config.base_url.absolute("").unwrap_or_default();
        text.push_str(&format!("; for {url} (from {from})"));
    }
    if let Some(what) = &build.deploy_context.preview {
        let what = emit::visible(what);
        text.push_str(&format!("; a preview {what}, hidden from search engines"));
        if what.starts_with("of the branch") && config.deploy.production_branch.is_none() {
            text.push_str(
                " (if this is the published branch, set `production_branch` under `[deploy]` in \
                 site.toml)",
            );
        }
    }
    text
}

/// `; read 81 of 86 files; 5 without conversations in a known format`
fn coverage_summary(coverage: &Coverage) -> String {
    let (read, files) = (coverage.read(), plural(coverage.files, "file", "files"));
    if read == coverage.files {
        return format!("; read {files}");
    }
    let mut text = format!("; read {} of {files}", grouped(read));
    let rest = [
        (coverage.ignored, "ignored", "ignored"),
        (
            coverage.unrecognised.len() as u64,
            "without conversations in a known format",
            "without conversations in a known format",
        ),
        (coverage.broken.len() as u64, "could not be read", "could not be read"),
    ];
    for (count, one, many) in rest.into_iter().filter(|(count, ..)| *count > 0) {
        text.push_str(&format!("; {} {}", grouped(count), if count == 1 { one } else { many }));
    }
    text
}

/// Returns the outcome, and so the exit code, for these diagnostics.
fn outcome(notes: &[Diagnostic], site: &SiteArgs) -> Outcome {
    let is_bad = notes.iter().any(|note| is_finding(note, site));
    if is_bad { Outcome::Findings } else { Outcome::Fine }
}

fn is_finding(note: &Diagnostic, site: &SiteArgs) -> bool {
    match note.severity {
        Severity::Error => true,
        Severity::Warning => site.deny_warnings,
        Severity::Hint => false,
    }
}

/// Counts diagnostics: `2 errors, 1 warning`; empty for none.
pub(super) fn counts(notes: &[Diagnostic]) -> String {
    let count = |severity| notes.iter().filter(|note| note.severity == severity).count() as u64;
    let parts = [
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Hint), "hint", "hints"),
    ];
    let words = parts.iter().filter(|(count, ..)| *count > 0);
    words.map(|(count, one, many)| plural(*count, one, many)).collect::<Vec<_>>().join(", ")
}

/// A progress bar on a terminal, for work that takes over a second.
pub(super) struct Progress {
    started: Instant,
    /// The phases so far, each with its start.
    phases: Mutex<Vec<(&'static str, Instant)>>,
    bar: ProgressBar,
    /// Disconnects when the work is done.
    _working: Sender<()>,
}

/// The delay before progress is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (working, done) = channel();
        let shown = bar.clone();
        if !is_quiet() {
            std::thread::spawn(move || {
                if done.recv_timeout(PROGRESS_DELAY) == Err(RecvTimeoutError::Timeout) {
                    // indicatif hides it if standard error is not a terminal.
                    shown.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                    shown.enable_steady_tick(Duration::from_millis(200));
                }
            });
        }
        let (started, phases) = (Instant::now(), Mutex::default());
        let progress = Self { started, phases, bar, _working: working };
        progress.style("{spinner} {msg}");
        progress
    }

    fn style(&self, template: &str) {
        let style = ProgressStyle::with_template(template);
        self.bar.set_style(style.expect("the template is valid"));
    }

    /// Shows what the pipeline does.
    pub(super) fn phase(&self, phase: Phase) {
        match phase {
            Phase::Reading { done, all } => self.advance("reading", done, all),
            Phase::Planning => {
                self.begin("planning");
            }
        }
    }

    /// Shows how much of a phase is done.
    pub(super) fn advance(&self, what: &'static str, done: usize, all: usize) {
        if self.begin(what) {
            self.style("{msg} {bar:32} {human_pos}/{human_len}, {eta}");
            self.bar.set_length(all as u64);
        }
        self.bar.set_position(done as u64);
    }

    /// Begins a phase, unless it has begun already. Returns whether it is new.
    fn begin(&self, what: &'static str) -> bool {
        let mut phases = self.phases.lock().unwrap_or_else(PoisonError::into_inner);
        if phases.last().is_some_and(|(last, _)| *last == what) {
            return false;
        }
        phases.push((what, Instant::now()));
        self.style("{spinner} {msg}");
        self.bar.set_message(what);
        true
    }

    /// Removes the bar, and returns the time since the start.
    pub(super) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        let (phases, end) = (self.phases.into_inner().unwrap_or_default(), Instant::now());
        if verbosity() == Verbosity::Verbose {
            let ends = phases.iter().skip(1).map(|(_, start)| *start).chain([end]);
            for ((what, start), end) in phases.iter().zip(ends) {
                summary(&format!("{what} took {:.2} s", (end - *start).as_secs_f64()));
            }
        }
        self.started.elapsed()
    }
}

/// Quotes a path for a shell.
pub(super) fn quoted(path: &Path) -> String {
    let path = visible(&path.display().to_string());
    if path.contains(char::is_whitespace) { format!("\"{path}\"") } else { path }
}
