//! The results of tool calls.

use super::subject::read_path;
use super::{ToolRenderer, data, extension, state};
use crate::json::{self, Value};
use crate::locale::Locale;
use crate::markup::{self, Folded, Html};
use crate::model::{TerminalColor, ToolCall, ToolKind, ToolResult};
use crate::outputs::format::duration;
use crate::theme::view::{ResultView, ToolErrorView};

/// The number of lines of a result before the rest is folded.
const FIRST_LINES: usize = 8;
/// The number of last lines of the output of a command; the lines before are folded.
const LAST_LINES: usize = 12;
/// The number of folded lines that are worth a click.
const MIN_FOLDED_LINES: usize = 4;

/// How the output of a call is shown.
pub(super) enum Shape<'a> {
    /// The first lines; the rest is folded.
    First,
    /// The last lines; those before are folded.
    Last,
    /// A part of a file in this language, with line numbers if the output has them.
    File(&'a str),
    /// The answer of an agent, which is Markdown; the end of a long one is folded.
    Answer,
}

impl<'a> Shape<'a> {
    pub(super) fn of(call: &'a ToolCall, kind: ToolKind) -> Self {
        match kind {
            ToolKind::Command => Self::Last,
            ToolKind::Read => Self::File(read_path(call).map_or("", extension)),
            ToolKind::Agent => Self::Answer,
            _ => Self::First,
        }
    }
}

/// Returns how much a call read or found, as text.
pub(super) fn count(call: &ToolCall, kind: ToolKind, locale: &Locale) -> Option<String> {
    let result = call.results.last()?;
    let output = result.output.as_ref()?.as_str()?;
    if call.has_failed() {
        return None;
    }
    match kind {
        ToolKind::Read => {
            let lines = FileLines::read(output).map_or(output, |file| file.numbered);
            Some(locale.count("count.file_lines", lines.lines().count() as u64))
        }
        ToolKind::Find => Some(locale.count("count.found", found(output))),
        _ => None,
    }
}

/// Returns the number of results of a search: the one that it reports, or the number of lines.
fn found(output: &str) -> u64 {
    let output = output.trim();
    let lines = || output.lines().filter(|line| !line.trim().is_empty());
    let head = lines().next().unwrap_or_default();
    if head.strip_prefix("No ").is_some_and(|rest| rest.contains("found")) {
        return 0;
    }
    let reported =
        head.strip_prefix("Found ").and_then(|rest| rest.split(' ').next()?.parse().ok());
    reported.unwrap_or_else(|| lines().count() as u64)
}

pub(super) fn view(
    result: &ToolResult,
    shape: &Shape<'_>,
    renderer: &ToolRenderer<'_>,
) -> ResultView {
    let (options, locale) = (renderer.options, renderer.locale);
    let Output { shown, folded, is_folded_first, folded_lines, is_markdown } = match &result.output
    {
        Some(Value::String(text)) => match colored(text, result, shape) {
            Some(output) => output,
            None => output(text, shape, renderer),
        },
        Some(value) => first("json", &json::pretty(value), renderer),
        None => Output::default(),
    };
    let more = match is_folded_first {
        true => locale.count("count.earlier_lines", folded_lines),
        false => locale.count("count.lines", folded_lines),
    };
    ResultView {
        state: state(result.state(), locale),
        hidden: result.output.is_none() && !result.unpublished.is_empty(),
        duration: result.duration.as_ref().and_then(Value::as_f64).map(duration),
        empty: matches!(&result.output, Some(Value::String(text)) if text.is_empty()),
        output: shown,
        more: if folded.is_some() { more } else { String::new() },
        rest: folded,
        rest_is_first: is_folded_first,
        is_markdown,
        error: result.error.as_ref().map(|error| ToolErrorView {
            code: error.code.clone(),
            message: error.message.clone(),
            data: error
                .data
                .as_ref()
                .filter(|value| !value.is_null())
                .map(|value| data(value, options)),
        }),
    }
}

/// The output of a call, of which a part may be folded.
#[derive(Default)]
struct Output {
    shown: Option<Html>,
    folded: Option<Html>,
    folded_lines: u64,
    /// Whether the folded part is before the other.
    is_folded_first: bool,
    /// Whether it is rendered Markdown.
    is_markdown: bool,
}

fn output(text: &str, shape: &Shape<'_>, renderer: &ToolRenderer<'_>) -> Output {
    match shape {
        Shape::First => first("", text, renderer),
        Shape::Last => last(text, renderer),
        Shape::Answer => answer(text, renderer),
        Shape::File(language) => match FileLines::read(text) {
            Some(file) => Output {
                shown: Some(markup::render_numbered(
                    language,
                    &file.text(),
                    file.first,
                    renderer.options,
                )),
                folded: (!file.rest.is_empty())
                    .then(|| markup::render_code("", file.rest, renderer.options)),
                folded_lines: file.rest.lines().count() as u64,
                ..Output::default()
            },
            None => first(language, text, renderer),
        },
    }
}

/// Returns the output of a command in the colours of the terminal, if it has any.
fn colored(text: &str, result: &ToolResult, shape: &Shape<'_>) -> Option<Output> {
    let parts = result.colors.as_ref()?.parts_of(text);
    if parts.is_empty() || !matches!(shape, Shape::Last) {
        return None;
    }
    let class = |color: TerminalColor| match color {
        TerminalColor::Red => "d",
        TerminalColor::Green => "i",
        TerminalColor::Yellow => "t",
        TerminalColor::Blue => "f",
        TerminalColor::Magenta => "k",
        TerminalColor::Grey => "c",
    };
    let end = text.trim_end_matches('\n').len();
    let render = |from: usize, to: usize| {
        let inside = parts.iter().filter(|(at, _)| at.start < to && at.end > from);
        let inside: Vec<_> = inside
            .map(|(at, color)| (at.start.max(from) - from..at.end.min(to) - from, class(*color)))
            .collect();
        Some(markup::render_output(&text[from..to], &inside))
    };
    let cut = cut_of_last(&text[..end]);
    let lines = text[..cut].lines().count();
    if lines < MIN_FOLDED_LINES {
        return Some(Output { shown: render(0, end), ..Output::default() });
    }
    Some(Output {
        shown: render(cut, end),
        folded: render(0, cut),
        folded_lines: lines as u64,
        is_folded_first: true,
        is_markdown: false,
    })
}

fn answer(text: &str, renderer: &ToolRenderer<'_>) -> Output {
    let shown = |text: &str| Output {
        shown: Some((renderer.markdown)(text)),
        is_markdown: true,
        ..Output::default()
    };
    match markup::folded(text) {
        Some(Folded { start, rest, lines }) => Output {
            folded: Some((renderer.markdown)(&rest)),
            folded_lines: lines as u64,
            ..shown(&start)
        },
        None => shown(text),
    }
}

fn first(language: &str, text: &str, renderer: &ToolRenderer<'_>) -> Output {
    let cut = text.match_indices('\n').nth(FIRST_LINES - 1).map(|(at, _)| at + 1);
    let (shown, rest) = text.split_at(cut.unwrap_or(text.len()));
    folded(language, text, [shown, rest], false, renderer)
}

fn last(text: &str, renderer: &ToolRenderer<'_>) -> Output {
    let text = text.trim_end_matches('\n');
    let (rest, shown) = text.split_at(cut_of_last(text));
    folded("", text, [shown, rest], true, renderer)
}

/// Returns where the last lines of a text begin.
fn cut_of_last(text: &str) -> usize {
    text.rmatch_indices('\n').nth(LAST_LINES - 1).map_or(0, |(at, _)| at + 1)
}

/// Folds the second of two parts of a text, unless it is short.
fn folded(
    language: &str,
    text: &str,
    [shown, rest]: [&str; 2],
    is_folded_first: bool,
    renderer: &ToolRenderer<'_>,
) -> Output {
    let render = |text: &str| Some(markup::render_code(language, text, renderer.options));
    let lines = rest.lines().count();
    if lines < MIN_FOLDED_LINES {
        return Output { shown: render(text), ..Output::default() };
    }
    let folded_lines = lines as u64;
    Output {
        shown: render(shown),
        folded: render(rest),
        folded_lines,
        is_folded_first,
        is_markdown: false,
    }
}

/// The lines of a file that a tool returned with their numbers: `    86→fn main() {`.
struct FileLines<'t> {
    /// The number of the first line.
    first: u64,
    /// The lines with their numbers.
    numbered: &'t str,
    /// What the tool added below.
    rest: &'t str,
}

impl<'t> FileLines<'t> {
    /// Reads the output of a tool; `None` if its lines have no numbers.
    fn read(output: &'t str) -> Option<Self> {
        let (first, _) = numbered(output.lines().next()?)?;
        let (mut end, mut has_text) = (0, false);
        for (number, line) in (first..).zip(output.split_inclusive('\n')) {
            match numbered(line) {
                Some((found, text)) if found == number => has_text |= text.is_some(),
                _ => break,
            }
            end += line.len();
        }
        if !has_text {
            return None;
        }
        let (numbered, rest) = output.split_at(end);
        // A list of numbers is not a file.
        let is_file = rest.trim().is_empty() || rest.starts_with('\n') || rest.starts_with('<');
        is_file.then(|| Self { first, numbered, rest: rest.trim_matches('\n') })
    }

    fn text(&self) -> String {
        let lines =
            self.numbered.lines().filter_map(|line| Some(numbered(line)?.1.unwrap_or_default()));
        lines.flat_map(|line| [line, "\n"]).collect()
    }
}

/// Splits a line into its number and its text. A number alone is an empty line whose end was trimmed.
fn numbered(line: &str) -> Option<(u64, Option<&str>)> {
    let line = line.trim_end_matches('\n');
    let start = line.trim_start_matches(' ');
    let digits = start.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = start.split_at(digits);
    let text = rest.strip_prefix('→').or_else(|| rest.strip_prefix('\t'));
    if text.is_none() && !rest.is_empty() {
        return None;
    }
    // Larger numbers are not those of lines, and must not overflow.
    Some((number.parse::<u32>().ok()?.into(), text))
}
