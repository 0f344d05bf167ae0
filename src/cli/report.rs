//! The only place that prints.

use std::io::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::{MessageFormat, SiteArgs};
use super::{Failure, Outcome};
use crate::diag::{Diagnostic, Severity, emit};
use crate::pipeline::Build;
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
    let text = emit::render(format, notes);
    if format.is_for_people() {
        anstream::eprint!("{text}");
    } else {
        output(&text);
    }
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
pub(super) fn summary(line: &str) {
    anstream::eprintln!("{line}");
}

/// Says that another build is waited for.
pub(super) fn waiting(holder: &str) {
    let holder = emit::visible(holder);
    summary(&format!("waiting for another build of this site (process {holder})"));
}

/// Names the private conversations that will be published.
pub(super) fn private(build: &Build) {
    for (title, file) in &build.private {
        let (title, file) = (emit::visible(title), emit::visible(file));
        summary(&format!(
            "private, and published because of --include-private: {title} ({file})"
        ));
    }
}

/// Says why a command could not run.
pub(super) fn failure(failure: Failure, format: MessageFormat) {
    let note = match failure {
        Failure::Site(note) => return notes(&[*note], format),
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
    notes(&build.notes, site.message_format);
    if build.held_back > 0 {
        line.push_str(&format!("; {} private held back", grouped(build.held_back)));
    }
    if build.unknown > 0 {
        line.push_str(&format!(
            "; {} not shown but for a placeholder",
            grouped(build.unknown)
        ));
    }
    if build.hidden > 0 {
        let fields = plural(build.hidden, "field", "fields");
        line.push_str(&format!("; {fields} of metadata not shown"));
    }
    let counts = counts(&build.notes);
    line.push_str("; ");
    line.push_str(if counts.is_empty() { "no warnings" } else { &counts });
    summary(&line);
    outcome(&build.notes, site)
}

/// What the exit code says of these diagnostics.
fn outcome(notes: &[Diagnostic], site: &SiteArgs) -> Outcome {
    let bad = |note: &Diagnostic| match note.severity {
        Severity::Error => true,
        Severity::Warning => site.deny_warnings,
        Severity::Hint => false,
    };
    if notes.iter().any(bad) { Outcome::Findings } else { Outcome::Fine }
}

/// `2 errors, 1 warning`, or nothing.
pub(super) fn counts(notes: &[Diagnostic]) -> String {
    let count =
        |severity| notes.iter().filter(|note| note.severity == severity).count() as u64;
    let parts = [
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Hint), "hint", "hints"),
    ];
    let words = parts.iter().filter(|(count, ..)| *count > 0);
    words
        .map(|(count, one, many)| plural(*count, one, many))
        .collect::<Vec<_>>()
        .join(", ")
}

/// A bar on a terminal for work that takes over a second; nothing otherwise.
pub(super) struct Progress {
    started: Instant,
    bar: OnceLock<ProgressBar>,
}

/// Work that is shorter needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    pub(super) fn new() -> Self {
        Self { started: Instant::now(), bar: OnceLock::new() }
    }

    pub(super) fn tell(&self, done: usize, all: usize) {
        if self.started.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            // Hidden when standard error is no terminal.
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar = ProgressBar::with_draw_target(Some(all as u64), target);
            let style =
                ProgressStyle::with_template("{bar:32} {human_pos}/{human_len}, {eta}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_position(done as u64);
    }

    /// The time since the start; the bar goes.
    pub(super) fn finish(self) -> Duration {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}
