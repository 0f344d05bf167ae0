//! The only place that prints.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{MessageFormat, SiteArgs};
use super::{Failure, Outcome};
use crate::diag::{Diagnostic, Severity, emit};
use crate::gate::Gate;
use crate::pipeline::{Build, Phase};
use crate::sources::{Coverage, Reason};
use crate::text::{grouped, plural};

fn emitter(format: MessageFormat) -> emit::Format {
    match format {
        MessageFormat::Human => emit::Format::Human,
        MessageFormat::Short => emit::Format::Short,
        MessageFormat::Json => emit::Format::Json,
        MessageFormat::Github => emit::Format::Github,
        MessageFormat::Sarif => emit::Format::Sarif,
    }
}

/// Prints diagnostics: for people on standard error, for programs on standard output.
pub(super) fn notes(notes: &[Diagnostic], format: MessageFormat) {
    let format = emitter(format);
    let text = emit::render(format, &scrubbed(notes));
    if format.is_for_people() {
        anstream::eprint!("{text}");
    } else {
        output(&text);
    }
}

/// Prints diagnostics beside a result that standard output belongs to: on standard error.
pub(super) fn notes_aside(notes: &[Diagnostic], format: MessageFormat) {
    anstream::eprint!("{}", emit::render(emitter(format), &scrubbed(notes)));
}

/// Takes out of notes what they may quote of secrets, whichever command tells them.
fn scrubbed(notes: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut notes = notes.to_vec();
    Gate::open().scrub(&mut notes);
    notes
}

/// Prints a result on standard output. A reader that has seen enough is no error.
pub(super) fn output(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a result that may be coloured on standard output, where that is a terminal.
pub(super) fn styled(text: &str) {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints what a person would like to know after a command, on standard error.
pub(super) fn summary(lines: &str) {
    for line in lines.split('\n') {
        anstream::eprintln!("{}", emit::visible(line));
    }
}

/// Says that another build is waited for.
pub(super) fn waiting(holder: &str) {
    let holder = emit::visible(holder);
    summary(&format!("waiting for another build of this site (process {holder})"));
}

/// Names the conversations that will be published although they are held back usually.
pub(super) fn withheld(build: &Build) {
    for (reason, title, file) in &build.withheld {
        let (title, file) = (emit::visible(title), emit::visible(file));
        let (what, flag) = match reason {
            Reason::Draft => ("a draft", "--drafts"),
            Reason::Future(_) => ("to be published later", "--future"),
            Reason::Expired(_) => ("expired", "--expired"),
            _ => ("private", "--include-private"),
        };
        summary(&format!("{what}, and published because of {flag}: {title} ({file})"));
    }
}

/// Says why a command could not run.
pub(super) fn failure(failure: Failure, format: MessageFormat) {
    let note = match failure {
        Failure::Site(all) => return notes(&all, format),
        Failure::Disk(error) => {
            let note = Diagnostic::new(Severity::Error, "system", error.to_string());
            match error.hint() {
                Some(hint) => note.hint(hint),
                None => note,
            }
        }
        Failure::Usage(message) => Diagnostic::new(Severity::Error, "usage", message),
    };
    notes(&[note], format);
}

/// Prints what there was to say of a site, and after it `line`, which says what was done.
pub(super) fn conclude(mut line: String, build: &Build, site: &SiteArgs) -> Outcome {
    if site.quiet {
        let bad = build.notes.iter().filter(|note| is_finding(note, site));
        notes(&bad.cloned().collect::<Vec<_>>(), site.message_format);
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
        line.push_str(&format!(
            "; {} not shown but for a placeholder",
            grouped(build.placeholders)
        ));
    }
    if build.unpublished_fields > 0 {
        let fields = plural(build.unpublished_fields, "field", "fields");
        line.push_str(&format!("; {fields} of metadata not shown"));
    }
    line.push_str(&place(build));
    let counts = counts(&build.notes);
    line.push_str("; ");
    line.push_str(if counts.is_empty() { "no warnings" } else { &counts });
    summary(&line);
    outcome(&build.notes, site)
}

/// Says whether the site that stands in a folder may go out.
pub(super) fn verdict(outcome: Outcome, folder: &str, build: &Build, site: &SiteArgs) {
    if outcome == Outcome::Fine {
        if !site.quiet {
            summary(&format!("`{folder}` may go out: it is the site that was checked"));
        }
        return;
    }
    let bad: Vec<Diagnostic> =
        build.notes.iter().filter(|note| is_finding(note, site)).cloned().collect();
    let stand = if bad.len() == 1 { "stands" } else { "stand" };
    summary(&format!("`{folder}` must not go out yet: {} {stand} in the way", counts(&bad)));
}

/// Says where the site will stand, if not where site.toml says: `; for https://ada.example/, as
/// DEPLOY_PRIME_URL says; a preview of a change, which search engines are asked not to list`.
pub(super) fn place(build: &Build) -> String {
    let mut text = String::new();
    let config = &build.config;
    if let Some(from) = build.deploy_context.address_from {
        let url = config.base_url.absolute("").unwrap_or_default();
        text.push_str(&format!("; for {url}, as {from} says"));
    }
    if let Some(what) = &build.deploy_context.preview {
        let what = emit::visible(what);
        text.push_str(&format!("; a preview {what}, which search engines are asked not to list"));
        if what.starts_with("of the branch") && config.deploy.production_branch.is_none() {
            text.push_str(
                " (if it is the site itself, say so by `production_branch` under `[deploy]` in \
                 site.toml)",
            );
        }
    }
    text
}

/// `; read 81 of 86 files; 5 hold no conversation that is known`
fn coverage_summary(coverage: &Coverage) -> String {
    let (read, files) = (coverage.read(), plural(coverage.files, "file", "files"));
    if read == coverage.files {
        return format!("; read {files}");
    }
    let mut text = format!("; read {} of {files}", grouped(read));
    let rest = [
        (coverage.ignored, "is ignored", "are ignored"),
        (
            coverage.unrecognised.len() as u64,
            "holds no conversation that is known",
            "hold no conversation that is known",
        ),
        (coverage.broken.len() as u64, "could not be read", "could not be read"),
    ];
    for (count, one, many) in rest.into_iter().filter(|(count, ..)| *count > 0) {
        text.push_str(&format!("; {} {}", grouped(count), if count == 1 { one } else { many }));
    }
    text
}

/// Returns the outcome for these diagnostics, which decides the exit code.
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

/// `2 errors, 1 warning`, or nothing.
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

/// The progress of work that takes over a second, shown on a terminal.
pub(super) struct Progress {
    started: Instant,
    bar: ProgressBar,
    /// Hangs up when the work is done.
    _working: Sender<()>,
}

/// The time after which the progress of work is shown.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

impl Progress {
    pub(super) fn new(is_quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (working, done) = channel();
        let shown = bar.clone();
        if !is_quiet {
            std::thread::spawn(move || {
                if done.recv_timeout(PROGRESS_DELAY) == Err(RecvTimeoutError::Timeout) {
                    // Hidden when standard error is no terminal.
                    shown.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
                    shown.enable_steady_tick(Duration::from_millis(200));
                }
            });
        }
        let progress = Self { started: Instant::now(), bar, _working: working };
        progress.style("{spinner} {msg}");
        progress
    }

    fn style(&self, template: &str) {
        let style = ProgressStyle::with_template(template);
        self.bar.set_style(style.expect("the template is valid"));
    }

    /// Shows a phase of unknown length.
    pub(super) fn phase(&self, phase: Phase) {
        self.bar.set_message(match phase {
            Phase::Reading => "reading",
            Phase::Planning => "planning",
        });
    }

    /// Shows how much of a part of the work is done.
    pub(super) fn tell(&self, what: &'static str, done: usize, all: usize) {
        if self.bar.length() != Some(all as u64) {
            self.style("{msg} {bar:32} {human_pos}/{human_len}, {eta}");
            self.bar.set_length(all as u64);
            self.bar.set_message(what);
        }
        self.bar.set_position(done as u64);
    }

    /// Removes the bar, and returns the time since the start.
    pub(super) fn finish(self) -> Duration {
        self.bar.finish_and_clear();
        self.started.elapsed()
    }
}
