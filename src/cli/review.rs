//! `convo-site review`: what the gate found, one finding after the other, and what becomes of it.

use std::collections::BTreeSet;
use std::io::{self, BufRead as _};
use std::sync::Arc;

use serde_json::{Value, json};

use super::args::{MessageFormat, ReviewArgs};
use super::{Failure, Outcome, report, require_site};
use crate::config::Action;
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Location, Severity};
use crate::disk::{self, Disk};
use crate::files::{Files, SharedFiles};
use crate::gate::baseline::{self, Baseline, Day};
use crate::gate::decisions::{Decided, Decision, with_decisions};
use crate::gate::{Finding, FindingKind, Gate};
use crate::path::RelPath;
use crate::pipeline::{self, Choices};
use crate::text::plural;

pub(super) fn run(args: &ReviewArgs) -> Result<Outcome, Failure> {
    require_site(&args.site)?;
    let files: SharedFiles = Arc::new(Disk::new(&args.site));
    let choices = args.gate.choose(Choices::default())?;
    let (text, mut key) = baseline(files.as_ref(), choices.today)?;
    let new_key = key.is_none();
    let key = *key.get_or_insert(random_key()?);
    let memo = disk::memo_of(&args.site);
    let choices = Choices { key: Some(key), ..choices };
    let mut build = pipeline::run(&files, &choices, &memo, &|_| {})?;
    build.findings.sort_by(order);
    let found: Vec<&Finding> =
        build.findings.iter().filter(|found| found.kind != FindingKind::Own).collect();
    if args.json {
        let all: Vec<Value> = found.iter().map(|found| as_json(found)).collect();
        report::output(&format!("{:#}\n", Value::from(all)));
        return Ok(outcome(found.iter().copied()));
    }
    let undecided =
        |found: &&&Finding| matches!(found.action, Action::Hold | Action::Warn);
    let open: Vec<&Finding> = found.iter().filter(undecided).copied().collect();
    let errors: Vec<Diagnostic> =
        build.notes.iter().filter(|note| is_about_baseline(note)).cloned().collect();
    report::notes(&errors, MessageFormat::Human);
    if open.is_empty() {
        report::summary("nothing to review: no secret is held back or published");
        return Ok(Outcome::Fine);
    }
    let (count, today) = (open.len(), choices.today);
    let reviewer = Reviewer { files: files.as_ref(), gate: &build.gate, count, today };
    let decisions = reviewer.ask(&open)?;
    let count = decisions.decided.len() as u64;
    if count > 0 {
        let written =
            with_decisions(&text, Some(&key).filter(|_| new_key), &decisions.decided);
        disk::replace(&args.site.join(baseline::FILE), written.as_bytes())?;
        let decisions = plural(count, "decision", "decisions");
        report::summary(&format!("{decisions} written into {}", baseline::FILE));
    }
    for rule in decisions.redacted_rules {
        report::summary(&format!(
            "to redact all that `{rule}` finds, write `{rule} = \"redact\"` below \
             `[gate.rules]` in site.toml"
        ));
    }
    let left = open.iter().zip(decisions.is_decided).filter(|(_, decided)| !decided);
    Ok(outcome(left.map(|(found, _)| *found)))
}

/// Returns the text of the baseline, if there is one, and its key.
fn baseline(
    files: &dyn Files,
    today: Option<Day>,
) -> Result<(String, Option<[u8; 32]>), Failure> {
    let name = RelPath::new(baseline::FILE);
    if !files.has(&name) {
        return Ok((String::new(), None));
    }
    let text = String::from_utf8_lossy(&files.read(&name)?).into_owned();
    let read = Baseline::read(&text, today)?;
    Ok((text, Some(*read.key()).filter(|_| read.has_key())))
}

fn random_key() -> Result<[u8; 32], Failure> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|cause| {
        Failure::Usage(format!("this machine gives no random numbers: {cause}"))
    })?;
    Ok(key)
}

/// What holds something back comes first, and of it what is the surest.
fn order(a: &Finding, b: &Finding) -> std::cmp::Ordering {
    let key =
        |found: &Finding| (found.action, found.tier.len(), found.rule, found.secret);
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

fn as_json(found: &Finding) -> Value {
    let span = found.at.span.as_ref();
    json!({
        "rule": found.rule,
        "name": found.name,
        "kind": found.kind,
        "tier": found.tier,
        "action": found.action,
        "preview": found.preview,
        "places": found.places,
        "conversation": found.conversation,
        "file": found.at.file,
        "line": span.map(|span| span.line),
        "column": span.map(|span| span.column),
    })
}

/// Asks what becomes of findings.
struct Reviewer<'a> {
    files: &'a dyn Files,
    gate: &'a Gate,
    count: usize,
    today: Option<Day>,
}

/// What was decided.
#[derive(Default)]
struct Decisions {
    decided: Vec<Decision>,
    /// For each finding whether something was decided about it.
    is_decided: Vec<bool>,
    /// The rules of what is redacted from now on.
    redacted_rules: BTreeSet<&'static str>,
}

impl Reviewer<'_> {
    fn ask(&self, open: &[&Finding]) -> Result<Decisions, Failure> {
        let mut all =
            Decisions { is_decided: vec![false; open.len()], ..Decisions::default() };
        let mut done = BTreeSet::new();
        for (number, found) in open.iter().enumerate() {
            // What was decided of a secret holds wherever it stands.
            if done.contains(&(found.rule, found.secret)) {
                all.is_decided[number] = true;
                continue;
            }
            self.show(number, found);
            loop {
                report::output("  [h]old, [r]edact, [a]ccept, [n]ext or [q]uit? ");
                let Some(answer) = line()? else { return Ok(all) };
                let what = match answer.to_lowercase().as_str() {
                    "h" | "hold" => Decided::Hold,
                    "r" | "redact" => Decided::Redact,
                    "a" | "accept" => match accepted(found, self.today)? {
                        Some(accepted) => accepted,
                        None => continue,
                    },
                    "n" | "next" => break,
                    "q" | "quit" => return Ok(all),
                    _ => continue,
                };
                match what {
                    Decided::Accept { .. } => {}
                    Decided::Hold => {
                        done.insert((found.rule, found.secret));
                    }
                    Decided::Redact => {
                        done.insert((found.rule, found.secret));
                        all.redacted_rules.insert(found.rule);
                    }
                }
                // It is held back all the same.
                all.is_decided[number] = !matches!(what, Decided::Hold);
                let is_as_it_is =
                    matches!(what, Decided::Hold) && found.action == Action::Hold;
                if !is_as_it_is {
                    all.decided.push(Decision::of(found, what));
                }
                break;
            }
        }
        Ok(all)
    }

    fn show(&self, number: usize, found: &Finding) {
        let Finding { name, preview, tier, at, .. } = found;
        let what = match found.action {
            Action::Hold => "held back",
            _ => "published, with a warning",
        };
        let places = plural(found.places, "place", "places");
        let mut text = format!(
            "\n{} of {}: {} {}, {tier}, in {places}; {what}\n  {}\n",
            number + 1,
            self.count,
            visible(name),
            visible(preview),
            visible(&at.to_string()),
        );
        if let Some(around) = self.around(at, preview) {
            text.push_str(&format!("  … {} …\n", visible(&around)));
        }
        report::output(&text);
    }

    /// Returns what stands around a place, without any secret.
    fn around(&self, at: &Location, preview: &str) -> Option<String> {
        let span = at.span.as_ref()?;
        let mut reader = self.files.open(&RelPath::new(&at.file), 0).ok()?;
        let mut line = Vec::new();
        for _ in 0..span.line {
            line.clear();
            let some =
                io::Read::take(&mut reader, MAX_LINE_BYTES).read_until(b'\n', &mut line);
            if some.ok()? == MAX_LINE_BYTES as usize {
                return None;
            }
        }
        let line = String::from_utf8(line).ok()?;
        let (before, after) = self.gate.around(line.trim_end(), span.column)?;
        let before: Vec<char> = before.chars().rev().take(AROUND_CHARS).collect();
        let before: String = before.into_iter().rev().collect();
        let after = after.chars().take(AROUND_CHARS);
        Some(format!("{before}{preview}{}", after.collect::<String>()))
    }
}

/// The longest line of which something is shown.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The characters that are shown on either side of a secret.
const AROUND_CHARS: usize = 40;

/// Asks why something may be published; `None` where nobody says that.
fn accepted(found: &Finding, today: Option<Day>) -> Result<Option<Decided>, Failure> {
    report::output("  why may it be published? ");
    let reason = line()?.unwrap_or_default();
    if reason.is_empty() {
        report::output("  without a reason it is not accepted\n");
        return Ok(None);
    }
    report::output("  until which day, such as 2027-01-31 (nothing: for ever)? ");
    let until = line()?.unwrap_or_default();
    let until = match until.is_empty() {
        true => None,
        false => match until.parse::<Day>() {
            Ok(day) if today.is_some_and(|today| day < today) => {
                report::output("  that day is over\n");
                return Ok(None);
            }
            Ok(day) => Some(day),
            Err(_) => {
                report::output("  that is no day\n");
                return Ok(None);
            }
        },
    };
    let conversation = found.conversation.clone();
    Ok(Some(Decided::Accept { conversation, reason, until }))
}

/// Reads an answer; `None` at the end.
fn line() -> Result<Option<String>, Failure> {
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    let read =
        read.map_err(|cause| disk::Error::new("read", "standard input".as_ref(), cause))?;
    Ok((read > 0).then(|| answer.trim().to_owned()))
}
