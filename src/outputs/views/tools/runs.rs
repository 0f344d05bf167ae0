//! Runs of tool calls without text between them: a page shows each as one line.

use std::collections::BTreeSet;

use super::changed;
use crate::locale::Locale;
use crate::theme::view::{BlockView, ItemView, StepTurnView, ToolView, TurnView, WorkView};

/// The minimum number of calls in a run.
const MIN_CALLS: usize = 2;

/// Adds turns that have only tool calls and thoughts to the turn before, if it is of the same speaker,
/// and groups the runs of calls of each turn.
pub(crate) fn join(items: Vec<ItemView>, locale: &Locale) -> Vec<ItemView> {
    let mut joined: Vec<ItemView> = Vec::with_capacity(items.len());
    // The speaker whose turn can still grow.
    let mut speaker = None;
    for mut item in items {
        let before = joined.last_mut().and_then(|item| item.turn.as_mut());
        if item.kind == "turn"
            && let (Some(turn), Some(before)) = (&mut item.turn, before)
            && speaker.is_some()
            && speaker == turn.speaker
            && is_step(turn)
        {
            add(before, turn);
            continue;
        }
        speaker = match &item.turn {
            Some(turn) if turn.continues => None,
            Some(turn) if item.kind == "rest" => turn.speaker,
            Some(turn) if ends_with_work(turn) => turn.speaker,
            _ => None,
        };
        joined.push(item);
    }
    for turn in joined.iter_mut().filter_map(|item| item.turn.as_mut()) {
        turn.blocks = grouped(std::mem::take(&mut turn.blocks), locale);
    }
    joined
}

/// Returns whether a turn has nothing to show but its tool calls and thoughts.
fn is_step(turn: &TurnView) -> bool {
    turn.is_work
        && !turn.continues
        && !turn.pending
        && !turn.pinned
        && !turn.edited
        && turn.role.is_empty()
        && turn.fold.is_none()
        && turn.answers.is_none()
        && turn.reactions.is_empty()
        && turn.play.is_none()
}

/// Returns whether more tool calls can follow at the end of a turn.
fn ends_with_work(turn: &TurnView) -> bool {
    turn.blocks.last().is_some_and(is_work) && turn.fold.is_none()
}

fn is_work(block: &BlockView) -> bool {
    ["tool", "thinking", "step", "step-end"].contains(&block.kind)
}

/// Adds a step to the end of a turn.
fn add(before: &mut TurnView, step: &mut TurnView) {
    let id = std::mem::take(&mut step.id);
    before.blocks.push(BlockView { name: id.clone(), ..BlockView::new("step") });
    before.blocks.append(&mut step.blocks);
    let step = StepTurnView {
        id,
        number: step.number,
        time: step.time.take(),
        extra: std::mem::take(&mut step.extra),
    };
    before.blocks.push(BlockView { step: Some(step), ..BlockView::new("step-end") });
}

/// Surrounds runs of calls with borders.
fn grouped(blocks: Vec<BlockView>, locale: &Locale) -> Vec<BlockView> {
    let mut out = Vec::with_capacity(blocks.len() + 2);
    let mut run: Vec<BlockView> = Vec::new();
    for block in blocks {
        if is_work(&block) {
            run.push(block);
        } else {
            finish(&mut run, &mut out, locale);
            out.push(block);
        }
    }
    finish(&mut run, &mut out, locale);
    out
}

/// Adds a run with its borders if it has enough calls. Thoughts at its start and its end are about the
/// texts there and stay outside.
fn finish(run: &mut Vec<BlockView>, out: &mut Vec<BlockView>, locale: &Locale) {
    let calls: Vec<&ToolView> = run.iter().filter_map(|block| block.tool.as_ref()).collect();
    if calls.len() < MIN_CALLS {
        out.append(run);
        return;
    }
    let (summary, failed) = (summary(&calls, locale), failed(&calls, locale));
    let start = run.iter().position(|block| block.kind != "thinking").unwrap_or(0);
    let end = run.iter().rposition(|block| block.kind != "thinking").map_or(run.len(), |at| at + 1);
    let after = run.split_off(end);
    let inside = run.split_off(start);
    out.append(run);
    let work = Some(WorkView { summary, failed });
    out.push(BlockView { work, ..BlockView::new("work") });
    out.extend(inside);
    out.push(BlockView::new("work-end"));
    out.extend(after);
}

fn failed(calls: &[&ToolView], locale: &Locale) -> String {
    match calls.iter().filter(|call| call.failed).count() {
        0 => String::new(),
        count => locale.count("work.failed", count as u64),
    }
}

/// Returns what calls did, in the order in which they first did it.
fn summary(calls: &[&ToolView], locale: &Locale) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for call in calls {
        if !kinds.contains(&call.kind) {
            kinds.push(call.kind);
        }
    }
    let parts = kinds.into_iter().map(|kind| {
        let of_kind: Vec<&ToolView> =
            calls.iter().copied().filter(|call| call.kind == kind).collect();
        part(kind, &of_kind, locale)
    });
    let text = parts.collect::<Vec<_>>().join(" · ");
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn part(kind: &str, calls: &[&ToolView], locale: &Locale) -> String {
    let count = calls.len() as u64;
    match kind {
        "read" => locale.count("work.read", files(calls)),
        "find" => locale.count("work.find", count),
        "edit" => {
            // Edits that failed changed nothing.
            let succeeded: Vec<&ToolView> =
                calls.iter().copied().filter(|call| !call.failed).collect();
            let calls = if succeeded.is_empty() { calls } else { &succeeded };
            let added = calls.iter().map(|call| call.added).sum();
            let removed = calls.iter().map(|call| call.removed).sum();
            let text = locale.count("work.edit", files(calls));
            match added + removed {
                0 => text,
                _ => format!("{text} ({})", changed(added, removed, locale)),
            }
        }
        "command" if calls.iter().all(|call| is_test(call)) => locale.text("work.tests").to_owned(),
        "command" => locale.count("work.command", count),
        "fetch" => locale.count("work.fetch", count),
        "search" => locale.count("work.search", count),
        "plan" => locale.text("work.plan").to_owned(),
        "agent" => locale.count("work.agent", count),
        _ => names(calls).unwrap_or_else(|| locale.count("work.other", count)),
    }
}

/// The maximum number of tools that a line names.
const MAX_NAMES: usize = 3;

/// Returns the names of the tools, if they are few.
fn names(calls: &[&ToolView]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for name in calls.iter().map(|call| call.name.as_str()) {
        if !names.contains(&name) && names.len() <= MAX_NAMES {
            names.push(name);
        }
    }
    let is_short = names.len() <= MAX_NAMES && names.iter().all(|name| !name.is_empty());
    is_short.then(|| names.join(", "))
}

/// Returns the number of different files that calls are about.
fn files(calls: &[&ToolView]) -> u64 {
    let mut files = BTreeSet::new();
    let mut unknown = 0;
    for call in calls {
        match &call.action {
            Some(action) if !action.files.is_empty() => {
                files.extend(action.files.iter().map(|file| file.path.as_str()));
            }
            _ => match &call.subject {
                Some(subject) => {
                    files.insert(without_lines(subject));
                }
                None => unknown += 1,
            },
        }
    }
    files.len() as u64 + unknown
}

/// Returns a path without the lines that were read: `src/main.rs:1–20`.
fn without_lines(subject: &str) -> &str {
    let is_lines = |lines: &str| lines.chars().all(|c| c.is_ascii_digit() || c == '–');
    match subject.rsplit_once(':') {
        Some((path, lines)) if is_lines(lines) => path,
        _ => subject,
    }
}

/// Commands that run tests.
const TESTS: [&str; 24] = [
    "bun test", "bundle exec rspec", "cargo nextest", "cargo test", "composer test", "ctest",
    "deno test", "dotnet test", "go test", "gradle test", "./gradlew test", "jest", "make test",
    "mix test", "mvn test", "npm run test", "npm test", "npx jest", "npx vitest", "phpunit",
    "pnpm test", "pytest", "vitest", "yarn test",
];

fn is_test(call: &ToolView) -> bool {
    let Some(command) = &call.subject else { return false };
    // After `cd`, settings and the like.
    let parts = command.split("&&").map(str::trim);
    let is_test = |part: &str| {
        TESTS.iter().any(|test| {
            let rest = part.strip_prefix(test);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ':']))
        })
    };
    parts.into_iter().any(is_test)
}
