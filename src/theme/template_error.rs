//! Errors in templates as diagnostics, with their locations.

use std::ops::Range;

use tera::{Error, ErrorKind};

use super::built_in::Template;
use crate::diag::{Diagnostic, Lines, Location, Severity};
use crate::text::closest;

/// The known templates, by name.
pub(super) trait Known {
    /// Returns a template by its name.
    fn get(&self, name: &str) -> Option<&Template>;

    /// Returns all names.
    fn names(&self) -> Vec<&str>;
}

/// An error in a template, with its location if it is known.
struct LocatedError {
    message: String,
    /// The name of the template.
    name: String,
    /// The range of bytes in its text.
    range: Option<Range<usize>>,
    hint: Option<String>,
}

/// Returns a note for each error in the template `name`, or in one that it uses or that uses it.
pub(super) fn notes(error: &Error, name: &str, known: &dyn Known) -> Vec<Diagnostic> {
    let wrong = wrong(error, name, known);
    wrong.into_iter().map(|wrong| note(wrong, name, known)).collect()
}

/// Returns the first of [`notes`].
pub(super) fn first(error: &Error, name: &str, known: &dyn Known) -> Diagnostic {
    let other = || Diagnostic::new(Severity::Error, "bad-template", error.to_string());
    notes(error, name, known).into_iter().next().unwrap_or_else(other)
}

fn note(wrong: LocatedError, name: &str, known: &dyn Known) -> Diagnostic {
    let mut message = wrong.message;
    let inner = known.get(&wrong.name);
    let outer = known.get(name);
    // If a template lacks something that others need, the error is reported where it is missing.
    let at = match (inner, outer) {
        (Some(inner), Some(outer)) if inner.is_built_in && !outer.is_built_in => {
            message = format!("{message}; `{}` needs it", wrong.name);
            Some(Location { file: outer.path.clone(), span: None })
        }
        (Some(template), _) | (None, Some(template)) => {
            let range = wrong.range.filter(|_| inner.is_some());
            let span = range.map(|range| Lines::new(&template.text).span(range));
            Some(Location { file: template.path.clone(), span })
        }
        (None, None) => None,
    };
    let note = Diagnostic::new(Severity::Error, "bad-template", message);
    let note = Diagnostic { at, ..note };
    match wrong.hint {
        Some(hint) => note.hint(hint),
        None => note,
    }
}

fn wrong(error: &Error, name: &str, known: &dyn Known) -> Vec<LocatedError> {
    let at = |name: &str, message: String, quoted: &str, hint: Option<String>| {
        let text = known.get(name).map_or("", |template| template.text.as_str());
        let range = place_of_name(text, quoted);
        vec![LocatedError { message, name: name.to_owned(), range, hint }]
    };
    match error.kind() {
        ErrorKind::SyntaxError(report) | ErrorKind::RenderingError(report) => {
            vec![LocatedError {
                message: one_line(report.message(), error),
                name: report.filename().to_owned(),
                range: Some(report.span().range.clone()),
                hint: None,
            }]
        }
        ErrorKind::MissingParent { current, parent } => {
            let message = format!("cannot extend `{parent}`: no such template");
            at(current, message, parent, nearest(parent, known))
        }
        ErrorKind::CircularExtend { tpl, inheritance_chain } => {
            let message = format!("the template `{tpl}` extends itself");
            let hint =
                format!("use `{{% extends \"built-in/{tpl}\" %}}` to extend the built-in one");
            let next = inheritance_chain.first().unwrap_or(tpl);
            at(tpl, message, next, Some(hint))
        }
        ErrorKind::CircularInclude { tpl, include_chain } => {
            let message = format!("the template `{tpl}` includes itself");
            let next = include_chain.get(1).unwrap_or(tpl);
            at(tpl, message, next, None)
        }
        ErrorKind::Msg(text) => {
            let reports = text.split("\n\n").filter_map(|report| of_report(report, known));
            let found: Vec<LocatedError> = reports.collect();
            if found.is_empty() { at(name, one_line(text, error), "", None) } else { found }
        }
        _ => at(name, one_line(&error.to_string(), error), "", None),
    }
}

/// Parses a report in the format that Tera uses for errors in several templates:
///
/// ```text
/// error: Unknown filter `fil`
///  --> home.html:3:9
///   |
/// 3 | {{ page.title | fil }}
///   |                 ^^^
/// ```
fn of_report(report: &str, known: &dyn Known) -> Option<LocatedError> {
    let mut lines = report.lines();
    let message = lines.next()?.strip_prefix("error: ")?;
    let place = lines.next()?.trim_start().strip_prefix("--> ")?;
    let mut parts = place.rsplitn(3, ':');
    let column: usize = parts.next()?.parse().ok()?;
    let line: usize = parts.next()?.parse().ok()?;
    let name = parts.next()?;
    let width = report.lines().last()?.matches('^').count();
    let text = known.get(name).map_or("", |template| template.text.as_str());
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let offset = |chars: usize| rest.char_indices().nth(chars).map_or(rest.len(), |c| c.0);
    let from = column.saturating_sub(1);
    let range = start + offset(from)..start + offset(from + width);
    let missing =
        message.strip_prefix("Unknown template `").and_then(|rest| rest.strip_suffix('`'));
    Some(LocatedError {
        message: in_lower_case(message),
        name: name.to_owned(),
        range: Some(range),
        hint: missing.and_then(|missing| nearest(missing, known)),
    })
}

/// Returns a hint with the most similar name.
fn nearest(name: &str, known: &dyn Known) -> Option<String> {
    let near = closest(name, known.names())?;
    Some(format!("did you mean `{near}`?"))
}

/// Returns the range in which a template names another one.
fn place_of_name(text: &str, name: &str) -> Option<Range<usize>> {
    let quoted = ['"', '\'', '`'].map(|mark| format!("{mark}{name}{mark}"));
    let mut places = quoted.iter().filter_map(|quoted| text.find(quoted.as_str()));
    places.next().filter(|_| !name.is_empty()).map(|at| at..at + name.len() + 2)
}

/// Returns a message with the causes of its error, on one line.
fn one_line(message: &str, error: &Error) -> String {
    let mut text = message.to_owned();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    in_lower_case(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns a sentence that starts in lower case, as the messages of diagnostics do.
fn in_lower_case(message: &str) -> String {
    let mut chars = message.chars();
    let Some(first) = chars.next() else { return String::new() };
    let rest = chars.as_str();
    // An acronym or a constant stays in capitals.
    match rest.starts_with(char::is_uppercase) {
        true => message.to_owned(),
        false => first.to_lowercase().chain(rest.chars()).collect(),
    }
}
