//! Problems in the user's files, as values: each has a place, a stable code and a hint.

pub mod codes;
mod count;
pub mod emit;
mod lines;

use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::text::{InternedStr, interned};

pub use self::count::{Count, Counted};
pub use self::lines::Lines;

/// The severity of a problem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something was left out of the site.
    Error,
    /// It was understood, but it looks wrong.
    Warning,
    /// It is fine; good to know.
    Hint,
}

impl Severity {
    /// Returns the word for it in every output format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// A problem, with what can be done about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A kebab-case name that never changes its meaning.
    #[serde(deserialize_with = "interned")]
    pub code: InternedStr,
    /// One sentence in lower case without a full stop, names in `backticks`.
    pub message: String,
    /// Where it is; `None` for the site as a whole.
    pub at: Option<Location>,
    /// What to do about it.
    pub hints: Vec<String>,
    /// What it counts, until it is added to what others count.
    #[serde(skip)]
    pub count: Option<Box<Count>>,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Location {
    /// The file, relative to the site folder.
    pub file: String,
    /// The position in it; `None` for the file as a whole.
    pub span: Option<Span>,
}

/// `file:line:column`, as far as it is known.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match &self.span {
            Some(span) => write!(f, ":{}:{}", span.line, span.column),
            None => Ok(()),
        }
    }
}

/// A position in a text, lines and columns from 1, columns in characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The line.
    pub line: u32,
    /// The column of the first character.
    pub column: u32,
    /// The column after the last character, on the same line.
    pub end_column: u32,
    /// The line's text, or the part of a long line around the span.
    pub excerpt: String,
    /// The column of the excerpt's first character.
    pub excerpt_column: u32,
}

/// The first line as a whole, of which nothing is quoted.
impl Default for Span {
    fn default() -> Self {
        let excerpt = String::new();
        Self { line: 1, column: 1, end_column: 1, excerpt, excerpt_column: 1 }
    }
}

impl Diagnostic {
    /// A problem without a place or a hint.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(codes::find(code).is_some(), "the table of codes lacks `{code}`");
        Self { severity, code, message: message.into(), at: None, hints: Vec::new(), count: None }
    }

    /// With a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Shows everything in it that may be quoted.
    pub fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        match &mut self.count {
            Some(count) => {
                change(&mut count.key);
                self.message = count.message();
            }
            None => change(&mut self.message),
        }
        self.hints.iter_mut().for_each(&mut *change);
        if let Some(at) = self.at.as_mut() {
            change(&mut at.file);
            at.span.iter_mut().for_each(|span| change(&mut span.excerpt));
        }
    }

    /// In a file as a whole.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.at = Some(Location { file: file.into(), span: None });
        self
    }
}

/// A problem in one text, before it is known which file the text came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// How bad it is.
    pub severity: Severity,
    /// See [`Diagnostic::code`].
    pub code: &'static str,
    /// See [`Diagnostic::message`].
    pub message: String,
    /// The place of the text among the files of its source, from 0.
    pub file: usize,
    /// Byte range in the text; `None` for the text as a whole.
    pub range: Option<Range<usize>>,
    /// See [`Diagnostic::hints`].
    pub hints: Vec<String>,
    /// See [`Diagnostic::count`].
    pub count: Option<Box<Count>>,
}

impl Note {
    /// An error at a byte range.
    pub fn error(code: &'static str, range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(range), message)
    }

    /// A warning at a byte range.
    pub fn warning(code: &'static str, range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(range), message)
    }

    /// A note of any severity; without a range it is on the text as a whole.
    pub fn new(
        severity: Severity,
        code: &'static str,
        range: Option<Range<usize>>,
        message: impl Into<String>,
    ) -> Self {
        debug_assert!(codes::find(code).is_some(), "the table of codes lacks `{code}`");
        let (message, hints) = (message.into(), Vec::new());
        Self { severity, code, message, file: 0, range, hints, count: None }
    }

    /// A note that counts things of a kind, of which the first is at a byte range.
    pub fn counted(what: Counted, key: &str, number: u64, range: Option<Range<usize>>) -> Self {
        let count = Count { what, key: key.replace('`', "'"), number };
        let mut note = Self::new(what.severity, what.code, range, count.message());
        note.hints.extend((!what.hint.is_empty()).then(|| what.hint.to_owned()));
        note.count = Some(Box::new(count));
        note
    }

    /// With a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// In that file of its source.
    pub fn in_file(mut self, file: usize) -> Self {
        self.file = file;
        self
    }

    /// Returns the diagnostic that this note is in `file`, whose text `lines` knows.
    pub fn locate(self, file: &str, lines: &Lines<'_>) -> Diagnostic {
        Diagnostic {
            severity: self.severity,
            code: self.code,
            message: self.message,
            at: Some(Location {
                file: file.to_owned(),
                span: self.range.map(|range| lines.span(range)),
            }),
            hints: self.hints,
            count: self.count,
        }
    }
}

/// A value, with the notes from making it.
#[derive(Debug)]
pub struct Noted<T> {
    /// The value.
    pub value: T,
    /// The notes.
    pub notes: Vec<Diagnostic>,
}

impl<T> Noted<T> {
    /// A value without notes.
    pub fn plain(value: T) -> Self {
        Self { value, notes: Vec::new() }
    }

    /// Returns the value, and adds the notes to `notes`.
    pub fn take(self, notes: &mut Vec<Diagnostic>) -> T {
        notes.extend(self.notes);
        self.value
    }
}

/// Orders diagnostics by file, position, severity and code, and drops repeated ones.
pub fn sort(notes: &mut Vec<Diagnostic>) {
    notes.sort_by(order);
    notes.dedup();
}

fn order(a: &Diagnostic, b: &Diagnostic) -> Ordering {
    (&a.at, a.severity, a.code, &a.message).cmp(&(&b.at, b.severity, b.code, &b.message))
}

/// Returns the diagnostics of `now` that are not in `before`; both are sorted.
pub fn news(before: &[Diagnostic], now: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_new = |note: &&Diagnostic| before.binary_search_by(|old| order(old, note)).is_err();
    now.iter().filter(is_new).cloned().collect()
}
