//! For people: message, place, the line with a mark under it, hints.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::{abridged, visible};
use crate::diag::{Diagnostic, Severity};
use crate::text::display_width;

const DIM: Style =
    Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::BrightBlue)));
const BOLD: Style = Style::new().bold();

pub(super) fn render(notes: &[Diagnostic]) -> String {
    let mut out = String::new();
    for (note, more) in abridged(notes) {
        // Writing into a string cannot fail.
        let _ = one(&mut out, note, more);
    }
    out
}

fn one(out: &mut String, note: &Diagnostic, more: usize) -> std::fmt::Result {
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
                writeln!(
                    out,
                    "{gap}{DIM}-->{DIM:#} {file}:{}:{}",
                    span.line, span.column
                )?;
                if span.excerpt.is_empty() && span.end_column == span.column {
                    // The place is known, and nobody has the text at hand.
                    return finish(out, note, more, indent);
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
    finish(out, note, more, indent)
}

fn finish(
    out: &mut String,
    note: &Diagnostic,
    more: usize,
    indent: usize,
) -> std::fmt::Result {
    let gap = " ".repeat(indent);
    for hint in &note.hints {
        writeln!(out, "{gap}{DIM}={DIM:#} {BOLD}help{BOLD:#}: {}", visible(hint))?;
    }
    if more > 0 {
        let same = crate::text::plural(more as u64, "more place", "more places");
        let all = "`--message-format json` lists them";
        writeln!(out, "{gap}{DIM}={DIM:#} the same in {same}; {all}")?;
    }
    writeln!(out)
}
