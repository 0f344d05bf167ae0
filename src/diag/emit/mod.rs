//! Diagnostics as text: for people, for scripts, for code hosts.

mod github;
mod human;
mod json;
mod sarif;
mod short;

use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Severity};

/// A way to write diagnostics down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// With the offending line under it; may be styled.
    Human,
    /// One line each.
    Short,
    /// One JSON array.
    Json,
    /// Workflow commands of GitHub Actions.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

impl Format {
    /// Returns whether it is read by people in a terminal rather than by a program.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Human | Self::Short)
    }
}

/// Renders all of `notes` as one text.
pub fn render(format: Format, notes: &[Diagnostic]) -> String {
    match format {
        Format::Human => human::render(notes),
        Format::Short => short::render(notes),
        Format::Json => json::render(notes),
        Format::Github => github::render(notes),
        Format::Sarif => sarif::render(notes),
    }
}

/// Text of unknown origin, safe for a terminal: control characters become visible.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            // The pictures of the control characters, U+2400 and on.
            '\0'..='\x1f' => {
                out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'));
            }
            '\x7f' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("<U+{:04X}>", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}

/// Notes of one code that are shown to people, errors aside, which are all shown. Thousands of
/// files with the same flaw must not bury the one with another.
fn shown_at_most(severity: Severity) -> usize {
    match severity {
        Severity::Error => usize::MAX,
        Severity::Warning => 10,
        Severity::Hint => 1,
    }
}

/// Returns the notes to show to people, each with how many more of its code are not shown.
fn abridged(notes: &[Diagnostic]) -> Vec<(&Diagnostic, usize)> {
    let mut shown: Vec<(&Diagnostic, usize)> = Vec::new();
    // Severity and code → how many were shown, and where the last of them is.
    let mut counts: BTreeMap<(Severity, &str), (usize, usize)> = BTreeMap::new();
    for note in notes {
        let (count, last) = counts.entry((note.severity, note.code)).or_default();
        if *count < shown_at_most(note.severity) {
            *count += 1;
            *last = shown.len();
            shown.push((note, 0));
        } else {
            shown[*last].1 += 1;
        }
    }
    shown
}
