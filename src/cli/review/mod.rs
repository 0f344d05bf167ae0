//! `convo-site review`: asks for a decision about each finding of the gate.

mod answers;

use std::collections::HashSet;
use std::io::{self, BufRead as _};
use std::sync::Arc;

use anstyle::{AnsiColor, Color, Style};
use serde_json::{Value, json};

use self::answers::{Answers, Written};
use super::args::{BaseUrlArgs, MessageFormat, ReviewArgs, with_fallback_key};
use super::terminal::line;
use super::{Failure, Outcome, report, require_site};
use crate::config::Action;
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Location, Severity};
use crate::disk::{self, Disk};
use crate::files::{Files, SharedFiles};
use crate::gate::baseline::{self, Baseline, Day};
use crate::gate::decisions::Decided;
use crate::gate::{Finding, FindingKind, Gate};
use crate::hash::Hash;
use crate::path::RelPath;
use crate::pipeline::{self, Choices};
use crate::text::{grouped, plural};

pub(super) fn run(args: &ReviewArgs) -> Result<Outcome, Failure> {
    require_site(&args.site)?;
    let files: SharedFiles = Arc::new(Disk::new(&args.site));
    let choices = args.gate.choose(&BaseUrlArgs::default(), Choices::default())?;
    let choices = with_fallback_key(choices)?;
    let (text, mut key) = baseline(files.as_ref(), choices.today)?;
    let new_key = key.is_none();
    let key = *key.get_or_insert(disk::random_key::<32>()?);
    let memo = disk::memo_of(&args.cache.folder(&args.site));
    let choices = Choices { key: Some(key), ..choices };
    let mut build = pipeline::run(&files, &choices, &memo, &|_| {})?;
    build.findings.sort_by(order);
    let found: Vec<&Finding> =
        build.findings.iter().filter(|found| found.kind != FindingKind::Own).collect();
    if args.json {
        let all: Vec<Value> = found.iter().map(|found| as_json(found, &build.gate)).collect();
        report::output(&format!("{:#}\n", Value::from(all)));
        return Ok(outcome(found.iter().copied()));
    }
    let undecided = |found: &&&Finding| matches!(found.action, Action::Hold | Action::Warn);
    let open: Vec<&Finding> = found.iter().filter(undecided).copied().collect();
    let errors: Vec<Diagnostic> =
        build.notes.iter().filter(|note| is_about_baseline(note)).cloned().collect();
    report::notes(&errors, MessageFormat::Human);
    if open.is_empty() {
        report::summary(
            "nothing to review: no secrets need a decision; to change a decision, delete its entry in gate.toml",
        );
        return Ok(Outcome::Fine);
    }
    let written = Written {
        path: args.site.join(baseline::FILE),
        had_file: files.has(&RelPath::new(baseline::FILE)),
        text,
        new_key: Some(key).filter(|_| new_key),
    };
    let reviewer = Reviewer {
        files: files.as_ref(),
        gate: &build.gate,
        open: &open,
        known: &build.findings.iter().map(|found| found.secret).collect(),
        today: choices.today,
    };
    let answers = reviewer.ask(&written)?;
    let count = answers.decisions(&open).len() as u64;
    if count > 0 {
        let decisions = plural(count, "decision", "decisions");
        report::summary(&format!("{decisions} written to {}", baseline::FILE));
    }
    let left = answers.left(&open);
    let undecided = (0..open.len()).filter(|place| answers.of(&open, *place).is_none());
    let undecided = undecided.count();
    if undecided > 0 && undecided < open.len() {
        let left = plural(undecided as u64, "finding", "findings");
        report::summary(&format!("{left} left to decide"));
    }
    for rule in answers.redacted_rules(&open) {
        report::summary(&format!(
            "to redact everything that `{rule}` finds, add `{rule} = \"redact\"` under \
             `[gate.rules]` in site.toml"
        ));
    }
    Ok(outcome(left.into_iter()))
}

/// Returns the text of the baseline, if there is one, and its key.
fn baseline(files: &dyn Files, today: Option<Day>) -> Result<(String, Option<[u8; 32]>), Failure> {
    let name = RelPath::new(baseline::FILE);
    if !files.has(&name) {
        return Ok((String::new(), None));
    }
    let text = String::from_utf8_lossy(&files.read(&name)?).into_owned();
    let read = Baseline::read(&text, today)?;
    Ok((text, Some(*read.key()).filter(|_| read.has_key())))
}

/// Sorts findings: first those that withhold a conversation, and the most certain ones first.
fn order(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let key = |found: &Finding| (found.action, found.tier.len(), found.rule, found.secret);
    key(a).cmp(&key(b)).then_with(|| a.at.cmp(&b.at))
}

fn outcome<'a>(mut left: impl Iterator<Item = &'a Finding>) -> Outcome {
    match left.any(|found| found.action == Action::Hold) {
        true => Outcome::Findings,
        false => Outcome::Fine,
    }
}

fn is_about_baseline(note: &Diagnostic) -> bool {
    let is_there = note.at.as_ref().is_some_and(|at| at.file == baseline::FILE);
    is_there && note.severity != Severity::Hint
}

fn as_json(found: &Finding, gate: &Gate) -> Value {
    let span = found.at.span.as_ref();
    json!({
        "rule": found.rule,
        "name": found.name,
        "kind": found.kind,
        "tier": found.tier,
        "action": found.action,
        "preview": found.preview,
        "places": found.places,
        "conversation": gate.masked(&found.conversation),
        "file": gate.masked(&found.at.file),
        "line": span.map(|span| span.line),
        "column": span.map(|span| span.column),
    })
}

/// Asks for decisions about findings.
struct Reviewer<'a> {
    files: &'a dyn Files,
    gate: &'a Gate,
    open: &'a [&'a Finding],
    /// The hashes of all findings.
    known: &'a HashSet<Hash>,
    today: Option<Day>,
}

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const RED: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Red)));
const YELLOW: Style = Style::new().fg_color(Some(Color::Ansi(AnsiColor::Yellow)));

const QUESTION: &str = "  [h]old  [r]edact  [a]ccept  [n]ext  [b]ack  [q]uit  [?]help > ";
const HELP: &str = "
  h  hold    keep the conversation off the site for now; the next review asks again
  r  redact  replace it with a placeholder everywhere
  a  accept  allow it to be published; asks for a reason
  n  next    decide later; nothing changes
  b  back    forget the last answer and ask again
  q  quit    answers so far stay in gate.toml

";

impl Reviewer<'_> {
    fn ask(&self, written: &Written) -> Result<Answers, Failure> {
        let count = plural(self.open.len() as u64, "finding", "findings");
        report::styled(&format!(
            "{BOLD}{count} to review.{BOLD:#} Redact and accept are saved to {} at once.\n\
             Redacting does not revoke a secret: revoke it first.\n",
            baseline::FILE
        ));
        let mut answers = Answers(vec![None; self.open.len()]);
        let mut asked: Vec<usize> = Vec::new();
        let mut place = 0;
        while let Some(found) = self.open.get(place) {
            // The decision about a secret applies to all its places.
            if answers.of(self.open, place).is_some() {
                place += 1;
                continue;
            }
            self.show(place, found);
            let Some(answer) = question(found, self.gate, self.today)? else {
                return Ok(answers);
            };
            let is_new = matches!(answer, Answer::Decided(_));
            match answer {
                Answer::Next | Answer::Decided(_) => {
                    if let (Answer::Decided(decided), Some(answer)) =
                        (answer, answers.0.get_mut(place))
                    {
                        *answer = Some(decided);
                    }
                    asked.push(place);
                    place += 1;
                }
                Answer::Back => match asked.pop() {
                    Some(last) => {
                        place = last;
                        let forgotten = answers.0.get_mut(last).and_then(Option::take);
                        if forgotten.is_some() {
                            written.save(&answers.decisions(self.open))?;
                        }
                    }
                    None => report::styled("  this is the first finding\n"),
                },
                Answer::Quit => return Ok(answers),
            }
            if is_new {
                written.save(&answers.decisions(self.open))?;
            }
        }
        Ok(answers)
    }

    fn show(&self, place: usize, found: &Finding) {
        let Finding { name, preview, tier, at, .. } = found;
        let (style, what) = match found.action {
            Action::Hold => (RED, "withheld"),
            _ => (YELLOW, "published, with a warning"),
        };
        let others = match found.places {
            0 | 1 => String::new(),
            places => format!("{DIM}, the first of {} places{DIM:#}", grouped(places)),
        };
        let mut text = format!(
            "\n{BOLD}{} of {}  {} {}{BOLD:#}  {DIM}{tier}{DIM:#}  {style}{what}{style:#}\n  {}{others}\n",
            grouped(place as u64 + 1),
            grouped(self.open.len() as u64),
            visible(name),
            visible(preview),
            visible(&self.gate.masked(&at.to_string())),
        );
        if let Some(around) = self.around(at, preview) {
            text.push_str(&format!("  {}\n", visible(&around)));
        }
        report::styled(&text);
    }

    /// Returns the text around a place, without secrets.
    fn around(&self, at: &Location, preview: &str) -> Option<String> {
        let span = at.span.as_ref()?;
        let mut reader = self.files.open(&RelPath::new(&at.file), 0).ok()?;
        let mut line = Vec::new();
        for _ in 0..span.line {
            line.clear();
            let some = io::Read::take(&mut reader, MAX_LINE_BYTES).read_until(b'\n', &mut line);
            if some.ok()? == MAX_LINE_BYTES as usize {
                return None;
            }
        }
        let line = String::from_utf8(line).ok()?;
        let (before, after) = self.gate.around(line.trim_end(), span.column, self.known)?;
        let cut = |text: String| match text.chars().nth(AROUND_CHARS) {
            Some(_) => text.chars().take(AROUND_CHARS).chain(['…']).collect(),
            None => text,
        };
        let before: String = cut(before.chars().rev().collect()).chars().rev().collect();
        Some(format!("{before}{preview}{}", cut(after)))
    }
}

/// The maximum length of a line to show.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The number of characters to show on either side of a secret.
const AROUND_CHARS: usize = 30;

/// An answer to a question.
enum Answer {
    Decided(Decided),
    Next,
    Back,
    Quit,
}

/// Asks until there is an answer; returns `None` at the end of the input.
fn question(found: &Finding, gate: &Gate, today: Option<Day>) -> Result<Option<Answer>, Failure> {
    loop {
        report::styled(QUESTION);
        let Some(answer) = line()? else {
            report::styled("\n");
            return Ok(None);
        };
        let decided = match answer.to_lowercase().as_str() {
            "h" | "hold" => Decided::Hold,
            "r" | "redact" => Decided::Redact,
            "a" | "accept" => match accepted(found, gate, today)? {
                Some(accepted) => accepted,
                None => continue,
            },
            "n" | "next" => return Ok(Some(Answer::Next)),
            "b" | "back" => return Ok(Some(Answer::Back)),
            "q" | "quit" => return Ok(Some(Answer::Quit)),
            _ => {
                report::styled(HELP);
                continue;
            }
        };
        return Ok(Some(Answer::Decided(decided)));
    }
}

/// Asks why a secret may be published; returns `None` without a valid answer.
fn accepted(found: &Finding, gate: &Gate, today: Option<Day>) -> Result<Option<Decided>, Failure> {
    report::styled("  Why may it be published? (empty: ask again) > ");
    let reason = line()?.unwrap_or_default();
    if reason.is_empty() {
        report::styled("  A reason is required.\n");
        return Ok(None);
    }
    if gate.first_secret(baseline::FILE, &reason).is_some() {
        report::styled("  That looks like a secret, which must not be in gate.toml.\n");
        return Ok(None);
    }
    report::styled("  Until when? (such as 2027-01-31; empty: forever) > ");
    // Input that ends here accepts nothing.
    let Some(until) = line()? else { return Ok(None) };
    let until = match until.is_empty() {
        true => None,
        false => match until.parse::<Day>() {
            Ok(day) if today.is_some_and(|today| day < today) => {
                report::styled("  That day is in the past.\n");
                return Ok(None);
            }
            Ok(day) => Some(day),
            Err(_) => {
                report::styled("  That is not a date.\n");
                return Ok(None);
            }
        },
    };
    let conversation = found.conversation.clone();
    Ok(Some(Decided::Accept { conversation, reason, until }))
}
