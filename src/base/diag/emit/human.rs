//! Output for people: message, location, the marked line, hints.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::{Shown, visible};
use crate::diag::Severity;
use crate::text::{display_width, plural};

const DIM: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::BrightBlue)));
const BOLD: Style = Style::new().bold();

pub(super) fn render(notes: &[Shown<'_>]) -> String {
    let mut out = String::new();
    for shown in notes {
        // Writing into a string cannot fail.
        let _ = one(&mut out, shown);
    }
    out
}

fn one(out: &mut String, shown: &Shown<'_>) -> std::fmt::Result {
    let note = shown.note;
    let color = match note.severity {
        Severity::Error => AnsiColor::BrightRed,
        Severity::Warning => AnsiColor::BrightYellow,
        Severity::Hint => AnsiColor::BrightCyan,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let (word, code) = (note.severity.word(), note.code);
    let message = visible(&note.message);
    writeln!(out, "{style}{word}[{code}]{style:#}{BOLD}: {message}{BOLD:#}")?;
    let mut indent = 2;
    if let Some(at) = &note.at {
        let file = visible(&at.file);
        match &at.span {
            None => writeln!(out, "  {DIM}-->{DIM:#} {file}")?,
            Some(span) => {
                let number = span.line.to_string();
                indent = number.len() + 1;
                let gap = " ".repeat(indent);
                writeln!(out, "{gap}{DIM}-->{DIM:#} {file}:{}:{}", span.line, span.column)?;
                if span.excerpt.is_empty() && span.end_column == span.column {
                    // The position is known, but not the text of the line.
                    return finish(out, shown, indent);
                }
                writeln!(out, "{gap}{DIM}|{DIM:#}")?;
                let excerpt = visible(&span.excerpt);
                writeln!(out, "{DIM}{number} |{DIM:#} {}", excerpt.trim_end())?;
                let before = (span.column - span.excerpt_column) as usize;
                let marked = (span.end_column - span.column) as usize;
                let width = |from: usize, count: usize| {
                    let part = span.excerpt.chars().skip(from).take(count);
                    display_width(&visible(&part.collect::<String>()))
                };
                let pad = " ".repeat(width(0, before));
                let mark = "^".repeat(width(before, marked).max(1));
                writeln!(out, "{gap}{DIM}|{DIM:#} {pad}{style}{mark}{style:#}")?;
            }
        }
    }
    finish(out, shown, indent)
}

/// Returns a comma-separated list of file names.
fn listed(files: &[&str]) -> String {
    let names: Vec<String> = files.iter().map(|file| visible(file)).collect();
    names.join(", ")
}

fn finish(out: &mut String, shown: &Shown<'_>, indent: usize) -> std::fmt::Result {
    let gap = " ".repeat(indent);
    let Shown { note, same, files, others, unread, rest } = shown;
    for hint in &note.hints {
        writeln!(out, "{gap}{DIM}={DIM:#} {BOLD}help{BOLD:#}: {}", visible(hint))?;
    }
    let all = "`--verbose` shows them";
    if *same > 0 {
        let places = plural(*same, "more place", "more places");
        let names = listed(files);
        let is_all = files.len() as u64 == *same;
        match (names.is_empty(), is_all) {
            (true, _) => writeln!(out, "{gap}{DIM}={DIM:#} the same in {places}; {all}")?,
            (_, true) => {
                writeln!(out, "{gap}{DIM}={DIM:#} the same in {places}: {names}")?;
            }
            (_, false) => {
                writeln!(out, "{gap}{DIM}={DIM:#} the same in {places}, such as {names}; {all}")?;
            }
        }
    }
    for other in others {
        let more = plural(other.count, "more", "more");
        let (word, message) = (note.severity.word(), visible(other.message));
        write!(out, "{gap}{DIM}={DIM:#} {more}: {word}[{}]: {message}", note.code)?;
        match other.files.as_slice() {
            [] => writeln!(out)?,
            files => writeln!(out, ": {}", listed(files))?,
        }
    }
    if !unread.is_empty() {
        let more = plural(unread.len() as u64, "more file", "more files");
        writeln!(out, "{gap}{DIM}={DIM:#} {more} of other kinds: {}", listed(unread))?;
    }
    if *rest > 0 {
        let more = plural(*rest, "more", "more");
        writeln!(out, "{gap}{DIM}={DIM:#} {more} of `{}`; {all}", note.code)?;
    }
    writeln!(out)
}
