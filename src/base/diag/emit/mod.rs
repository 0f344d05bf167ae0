//! Diagnostics as text: for people, for scripts, for code hosts.

mod github;
mod human;
mod as_json;
mod sarif;
mod short;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::diag::{Diagnostic, Severity};
use crate::json;

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
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Human, Self::Short, Self::Json, Self::Github, Self::Sarif];

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
        Format::Json => as_json::render(notes),
        Format::Github => github::render(notes),
        Format::Sarif => sarif::render(notes),
    }
}

/// Returns whether a character is a command to a terminal, or makes a line look like another one: control
/// characters, ends of lines and paragraphs, and what turns the direction of writing.
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

/// Text of unknown origin, safe for a terminal and for the log of a host: what would be a command to it
/// becomes visible.
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
            c if is_unsafe(c) => out.push_str(&format!("<U+{:04X}>", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// JSON for programs that is as safe as [`visible`], and says the same: the characters are escapes.
pub fn visible_json(value: &impl Serialize) -> String {
    let text = json::pretty(value);
    let mut out = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        // The lines of the document itself.
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

/// Notes of one code that are shown to people, errors aside, which are all shown. Thousands of
/// files with the same flaw must not bury the one with another.
fn shown_at_most(note: &Diagnostic) -> usize {
    match note.severity {
        Severity::Error => usize::MAX,
        Severity::Warning => 10,
        // What is not read may be what somebody looks for.
        Severity::Hint if note.code == "unknown-format" => 10,
        Severity::Hint => 1,
    }
}

/// The most other files that are named where the same is so, and the most messages that are
/// repeated in one line.
const MAX_LISTED: usize = 20;

/// A note that is shown to people, and what is not shown because of it.
struct Shown<'a> {
    note: &'a Diagnostic,
    /// Number of notes that say the same.
    same: u64,
    /// Files that they are about, beside that of the note, as far as they are named.
    files: Vec<&'a str>,
    /// Other messages of its code, as many as are listed.
    others: Vec<Other<'a>>,
    /// Files that other notes of its code are about, where these are files that are not read.
    unread: Vec<&'a str>,
    /// Number of all other notes of its code.
    rest: u64,
}

/// Another message of the code of a note that is shown.
struct Other<'a> {
    message: &'a str,
    /// Number of notes.
    count: u64,
    /// Files that they are about, where these are files that are not read.
    files: Vec<&'a str>,
}

impl<'a> Other<'a> {
    fn hear(&mut self, file: Option<&'a str>) {
        self.count += 1;
        self.files.extend(file.filter(|_| self.files.len() < MAX_LISTED));
    }
}

impl<'a> Shown<'a> {
    fn new(note: &'a Diagnostic) -> Self {
        Self { note, same: 0, files: Vec::new(), others: Vec::new(), unread: Vec::new(), rest: 0 }
    }

    /// Hears of another note that says the same.
    fn hear(&mut self, note: &'a Diagnostic) {
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

/// Returns the notes to show to people, with what is not shown. Those that say something else come
/// before those that say the same again.
fn abridged(notes: &[Diagnostic]) -> Vec<Shown<'_>> {
    // Of each severity and code how many are left to be shown, first of different messages.
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
    // Where the last one of each message, and of each code, stands.
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
            same.hear(note);
            continue;
        }
        let last = of_code.get(&(note.severity, note.code));
        let Some(last) = last.and_then(|at| shown.get_mut(*at)) else { continue };
        let most = if note.severity == Severity::Hint { 0 } else { MAX_LISTED };
        let listed = last.others.len();
        // Of what is not read each file is named.
        let file = note.at.as_ref().filter(|_| note.code == "unknown-format");
        let file = file.map(|at| at.file.as_str());
        match others.get(&key).and_then(|at| last.others.get_mut(*at)) {
            Some(other) => other.hear(file),
            None if listed < most => {
                others.insert(key, listed);
                let mut other = Other { message: &note.message, count: 0, files: Vec::new() };
                other.hear(file);
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
