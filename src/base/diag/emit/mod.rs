//! Output formats of diagnostics: for people, scripts and code hosts.

mod github;
mod human;
mod as_json;
mod sarif;
mod short;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::diag::{Diagnostic, Severity};
use crate::json;

/// An output format for diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people, with an excerpt of the line; may contain terminal styles.
    Human,
    /// The same, with every diagnostic.
    Verbose,
    /// One line per diagnostic.
    Short,
    /// A JSON array.
    Json,
    /// Workflow commands of GitHub Actions.
    Github,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Human, Self::Verbose, Self::Short, Self::Json, Self::Github, Self::Sarif];

    /// Returns whether the format is read by people in a terminal rather than by a program.
    pub fn is_for_people(self) -> bool {
        matches!(self, Self::Human | Self::Verbose | Self::Short)
    }
}

/// Renders all diagnostics as one text.
pub fn render(format: Format, notes: &[Diagnostic]) -> String {
    match format {
        Format::Human => human::render(&select_shown(notes)),
        Format::Verbose => human::render(&notes.iter().map(Shown::new).collect::<Vec<_>>()),
        Format::Short => short::render(notes),
        Format::Json => as_json::render(notes),
        Format::Github => github::render(notes),
        Format::Sarif => sarif::render(notes),
    }
}

/// Returns whether a character controls a terminal or can make a line look like another one:
/// control characters, line and paragraph separators, and characters that change the writing
/// direction.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Makes text of unknown origin safe for a terminal or a CI log, by replacing control characters
/// with visible ones.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            // The symbols for control characters start at U+2400.
            '\0'..='\x1f' => {
                out.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'));
            }
            '\x7f' => out.push('\u{2421}'),
            c if is_unsafe(c) => out.push_str(&format!("<U+{:04X}>", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// Serializes JSON as safely as [`visible`], without a loss: unsafe characters become escapes.
pub fn visible_json(value: &impl Serialize) -> String {
    let text = json::pretty(value);
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // Line ends between JSON tokens are kept.
        match is_unsafe(c) && c != '\n' {
            true => {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    out.push_str(&format!("\\u{unit:04x}"));
                }
            }
            false => out.push(c),
        }
    }
    out.push('\n');
    out
}

/// Returns the maximum number of notes with this code that people see; errors have no limit. One
/// flaw in thousands of files must not hide a different one.
fn shown_at_most(note: &Diagnostic) -> usize {
    match note.severity {
        Severity::Error => usize::MAX,
        Severity::Warning => 10,
        // A file that is not read may be the one that the user is looking for.
        Severity::Hint if note.code == "unknown-format" => 10,
        Severity::Hint => 1,
    }
}

/// The maximum number of other files listed for a note, and of other messages.
const MAX_LISTED: usize = 20;

/// A note that is shown to people, with the notes that are left out in favour of it.
struct Shown<'a> {
    note: &'a Diagnostic,
    /// The number of notes with the same message.
    same: u64,
    /// Files of these notes, without that of the note itself, up to a limit.
    files: Vec<&'a str>,
    /// Other messages with the same code, up to a limit.
    others: Vec<Other<'a>>,
    /// Files of other notes with the same code; only for files that are not read.
    unread: Vec<&'a str>,
    /// The number of all other notes with the same code.
    rest: u64,
}

/// Another message with the same code.
struct Other<'a> {
    message: &'a str,
    /// The number of notes.
    count: u64,
    /// Their files; only for files that are not read.
    files: Vec<&'a str>,
}

impl<'a> Other<'a> {
    fn record(&mut self, file: Option<&'a str>) {
        self.count += 1;
        self.files.extend(file.filter(|_| self.files.len() < MAX_LISTED));
    }
}

impl<'a> Shown<'a> {
    fn new(note: &'a Diagnostic) -> Self {
        Self { note, same: 0, files: Vec::new(), others: Vec::new(), unread: Vec::new(), rest: 0 }
    }

    /// Counts another note with the same message.
    fn record(&mut self, note: &'a Diagnostic) {
        self.same += 1;
        let own = self.note.at.as_ref().map(|at| at.file.as_str());
        if let Some(file) = note.at.as_ref().map(|at| at.file.as_str())
            && self.files.len() < MAX_LISTED
            && own != Some(file)
            && self.files.last() != Some(&file)
        {
            self.files.push(file);
        }
    }
}

/// Selects the notes to show to people, each with those left out in favour of it. Notes with
/// different messages take precedence over repeated ones.
fn select_shown(notes: &[Diagnostic]) -> Vec<Shown<'_>> {
    // How many notes of each severity and code may still be shown.
    let mut left: BTreeMap<(Severity, &str), usize> = BTreeMap::new();
    let mut left_of = |note: &Diagnostic| {
        let most = shown_at_most(note);
        let left = left.entry((note.severity, note.code)).or_insert(most);
        let is_left = *left > 0;
        *left = left.saturating_sub(1);
        is_left
    };
    let mut known: HashSet<(Severity, &str, &str)> = HashSet::new();
    let mut is_shown: Vec<bool> = notes
        .iter()
        .map(|note| known.insert((note.severity, note.code, &note.message)) && left_of(note))
        .collect();
    for (note, is_shown) in notes.iter().zip(&mut is_shown) {
        *is_shown = *is_shown || note.severity != Severity::Hint && left_of(note);
    }
    let mut shown: Vec<Shown<'_>> = Vec::new();
    // The index of the last shown note of each message, and of each code.
    let mut of_message: HashMap<(Severity, &str, &str), usize> = HashMap::new();
    let mut of_code: HashMap<(Severity, &str), usize> = HashMap::new();
    for (note, _) in notes.iter().zip(&is_shown).filter(|(_, is_shown)| **is_shown) {
        of_message.insert((note.severity, note.code, &note.message), shown.len());
        of_code.insert((note.severity, note.code), shown.len());
        shown.push(Shown::new(note));
    }
    let mut others: HashMap<(Severity, &str, &str), usize> = HashMap::new();
    for (note, _) in notes.iter().zip(&is_shown).filter(|(_, is_shown)| !**is_shown) {
        let key = (note.severity, note.code, note.message.as_str());
        if let Some(same) = of_message.get(&key).and_then(|at| shown.get_mut(*at)) {
            same.record(note);
            continue;
        }
        let last = of_code.get(&(note.severity, note.code));
        let Some(last) = last.and_then(|at| shown.get_mut(*at)) else { continue };
        let most = if note.severity == Severity::Hint { 0 } else { MAX_LISTED };
        let listed = last.others.len();
        // Every file that is not read is listed.
        let file = note.at.as_ref().filter(|_| note.code == "unknown-format");
        let file = file.map(|at| at.file.as_str());
        match others.get(&key).and_then(|at| last.others.get_mut(*at)) {
            Some(other) => other.record(file),
            None if listed < most => {
                others.insert(key, listed);
                let mut other = Other { message: &note.message, count: 0, files: Vec::new() };
                other.record(file);
                last.others.push(other);
            }
            None if last.unread.len() < MAX_LISTED && file.is_some() => {
                last.unread.extend(file);
            }
            None => last.rest += 1,
        }
    }
    shown
}
