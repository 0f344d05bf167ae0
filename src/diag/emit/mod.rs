//! Diagnostics as text: for people, for scripts, for code hosts.

mod github;
mod human;
mod json;
mod sarif;
mod short;

use crate::diag::Diagnostic;

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
    /// Whether it is read by people in a terminal rather than by a program.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Human | Self::Short)
    }
}

/// All of `notes` in one text.
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
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            // The pictures of the control characters, U+2400 and on.
            '\0'..='\x1f' => out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\x7f' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push_str(&format!("<U+{:04X}>", c as u32));
            }
            c => out.push(c),
        }
    }
    out
}

/// Groups a hint that stands in many files, so that it does not bury what matters: the notes
/// to show, each with how many more of its kind there are.
fn grouped(notes: &[Diagnostic]) -> Vec<(&Diagnostic, usize)> {
    let mut shown: Vec<(&Diagnostic, usize)> = Vec::new();
    for note in notes {
        let same = shown.iter_mut().find(|(first, _)| {
            first.severity == crate::diag::Severity::Hint && first.code == note.code
        });
        match same {
            Some((_, more)) => *more += 1,
            None => shown.push((note, 0)),
        }
    }
    shown
}
