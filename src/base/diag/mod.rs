//! Diagnostics: problems in the user's files, with a location, a stable code and hints.

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
    /// Something was not published.
    Error,
    /// The input was understood, but looks wrong.
    Warning,
    /// For information only.
    Hint,
}

impl Severity {
    /// Returns the name of the severity in every output format.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// A problem, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// A kebab-case code that never changes its meaning.
    #[serde(deserialize_with = "interned")]
    pub code: InternedStr,
    /// One sentence in lower case without a full stop, with names in `backticks`.
    pub message: String,
    /// The location; `None` for the site as a whole.
    pub at: Option<Location>,
    /// What to do about it.
    pub hints: Vec<String>,
    /// What it counts, until it is added to the counts of other diagnostics.
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

/// Formats as `file:line:column`, as far as these are known.
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

/// The start of the first line, with an empty excerpt.
impl Default for Span {
    fn default() -> Self {
        let excerpt = String::new();
        Self { line: 1, column: 1, end_column: 1, excerpt, excerpt_column: 1 }
    }
}

impl Span {
    /// Removes the excerpt; only the position is reported.
    pub fn hide_excerpt(&mut self) {
        self.excerpt.clear();
        self.end_column = self.column;
    }
}

impl Diagnostic {
    /// Creates a problem without a location or a hint.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        debug_assert!(codes::find(code).is_some(), "the table of codes lacks `{code}`");
        Self { severity, code, message: message.into(), at: None, hints: Vec::new(), count: None }
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Passes every text that may quote the input to `change`.
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

    /// Sets the location to a file as a whole.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.at = Some(Location { file: file.into(), span: None });
        self
    }
}

/// A problem in one text, before its file is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// The severity.
    pub severity: Severity,
    /// See [`Diagnostic::code`].
    pub code: &'static str,
    /// See [`Diagnostic::message`].
    pub message: String,
    /// The index of the text among the files of its source.
    pub file: usize,
    /// Byte range in the text; `None` for the text as a whole.
    pub range: Option<Range<usize>>,
    /// See [`Diagnostic::hints`].
    pub hints: Vec<String>,
    /// See [`Diagnostic::count`].
    pub count: Option<Box<Count>>,
    /// Whether it is about text that is withheld, so that no excerpt is shown.
    pub is_about_withheld_text: bool,
}

impl Note {
    /// Creates an error at a byte range.
    pub fn error(code: &'static str, range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, Some(range), message)
    }

    /// Creates a warning at a byte range.
    pub fn warning(code: &'static str, range: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, Some(range), message)
    }

    /// Creates a note of any severity; without a range, it is about the text as a whole.
    pub fn new(
        severity: Severity,
        code: &'static str,
        range: Option<Range<usize>>,
        message: impl Into<String>,
    ) -> Self {
        debug_assert!(codes::find(code).is_some(), "the table of codes lacks `{code}`");
        Self {
            severity,
            code,
            message: message.into(),
            file: 0,
            range,
            hints: Vec::new(),
            count: None,
            is_about_withheld_text: codes::is_about_withheld_text(code),
        }
    }

    /// Creates a note that counts things of one kind; the range is that of the first.
    pub fn counted(what: Counted, key: &str, number: u64, range: Option<Range<usize>>) -> Self {
        let count = Count { what, key: key.replace('`', "'"), number };
        let mut note = Self::new(what.severity, what.code, range, count.message());
        note.hints.extend((!what.hint.is_empty()).then(|| what.hint.to_owned()));
        note.count = Some(Box::new(count));
        note
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Marks it as being about text that is withheld.
    pub fn about_withheld_text(mut self) -> Self {
        self.is_about_withheld_text = true;
        self
    }

    /// Sets the index of the file in its source.
    pub fn in_file(mut self, file: usize) -> Self {
        self.file = file;
        self
    }

    /// Converts the note to a diagnostic in `file`, whose text is that of `lines`.
    pub fn locate(self, file: &str, lines: &Lines<'_>) -> Diagnostic {
        let mut span = self.range.map(|range| lines.span(range));
        if self.is_about_withheld_text {
            span.iter_mut().for_each(Span::hide_excerpt);
        }
        Diagnostic {
            severity: self.severity,
            code: self.code,
            message: self.message,
            at: Some(Location { file: file.to_owned(), span }),
            hints: self.hints,
            count: self.count,
        }
    }
}

/// A value with the diagnostics from computing it.
#[derive(Debug)]
pub struct WithNotes<T> {
    /// The value.
    pub value: T,
    /// The notes.
    pub notes: Vec<Diagnostic>,
}

impl<T> WithNotes<T> {
    /// Wraps a value without diagnostics.
    pub fn plain(value: T) -> Self {
        Self { value, notes: Vec::new() }
    }

    /// Returns the value, and moves its diagnostics to `notes`.
    pub fn take(self, notes: &mut Vec<Diagnostic>) -> T {
        notes.extend(self.notes);
        self.value
    }
}

/// Sorts diagnostics by file, position, severity and code, and removes duplicates.
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
