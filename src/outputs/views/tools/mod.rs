//! Builds the template view models of tool calls.

mod results;
mod runs;
mod subject;

use self::results::Shape;
pub(crate) use self::runs::join;
use self::subject::subject;
use crate::json::{self, Value};
use crate::locale::Locale;
use crate::markup::{self, Html, Options};
use crate::model::{
    Action, EditKind, FileEdit, PlanStep, StepState, ToolCall, ToolKind, citation_list_with_hosts,
};
use crate::outputs::format::{is_public_id, metadata_rows};
use crate::text::base_name;
use crate::theme::view::{ActionView, ApprovalView, FileView, StepView, ToolView};

/// The maximum number of changed lines of an edit that is shown without a click.
const MAX_OPEN_LINES: u64 = 20;

/// Renders tool calls.
pub(super) struct ToolRenderer<'a> {
    pub(crate) options: &'a Options,
    pub(crate) locale: &'a Locale,
    /// The anchor of the turn, and the index of the block of the call.
    pub(crate) at: (&'a str, usize),
    /// Renders Markdown of the block of the call.
    pub(crate) markdown: &'a dyn Fn(&str) -> Html,
}

impl ToolRenderer<'_> {
    pub(crate) fn view(&self, call: &ToolCall) -> ToolView {
        let locale = self.locale;
        let kind = kind_of(call);
        let shape = Shape::of(call, kind);
        let results: Vec<_> =
            call.results.iter().map(|each| results::view(each, &shape, self)).collect();
        let failed = call.has_failed();
        let (added, removed) = changed_lines(call);
        let is_short = (1..=MAX_OPEN_LINES).contains(&(added + removed));
        ToolView {
            name: call.name.clone(),
            kind: kind.word(),
            failed,
            open: failed || is_short,
            duration: results.last().and_then(|result| result.duration.clone()),
            state: self.state(call),
            subject: subject(call, kind, locale),
            path: subject::whole_path(call, kind).map(str::to_owned),
            change: (added + removed > 0).then(|| changed(added, removed, locale)),
            count: results::count(call, kind, locale),
            added,
            removed,
            action: call.action.as_ref().map(|action| self.action(action)),
            input: call
                .input
                .as_ref()
                .filter(|_| call.action.is_none())
                .filter(|input| !matches!(input, Value::Object(map) if map.is_empty()))
                .filter(|input| !subject::is_whole(input, kind))
                .map(|input| data(input, self.options)),
            requires_approval: call.requires_approval == Some(true),
            approvals: call
                .approvals
                .iter()
                .map(|approval| ApprovalView {
                    state: locale.state(&approval.state),
                    by: approval.by.clone().filter(|by| is_public_id(by)),
                    reason: approval.reason.clone(),
                })
                .collect(),
            results,
            extra: metadata_rows(&call.extra),
        }
    }

    /// Returns the state of a call for its line.
    fn state(&self, call: &ToolCall) -> String {
        let decision = call.approvals.last();
        match call.state() {
            "" if !call.results.is_empty() => String::new(),
            "" if call.requires_approval == Some(true) && decision.is_none() => {
                self.locale.text("tool.waits").to_owned()
            }
            "" if matches!(call.action, Some(Action::Plan { .. })) => String::new(),
            "" => self.locale.text("tool.no_result").to_owned(),
            known => state(known, self.locale),
        }
    }

    fn action(&self, action: &Action) -> ActionView {
        match action {
            Action::Command { command, exit_code } => ActionView {
                body: Some(markup::render_code("sh", command, self.options)),
                exit_code: exit_code
                    .filter(|code| *code != 0)
                    .map(|n| self.locale.fill("tool.exit_code", &[("n", &n.to_string())])),
                ..ActionView::new("command")
            },
            Action::Edit { files } => ActionView {
                files: files
                    .iter()
                    .enumerate()
                    .map(|(number, file)| self.file(file, number))
                    .collect(),
                ..ActionView::new("edit")
            },
            Action::Plan { steps } => ActionView {
                id: plan_id(self.at.0, self.at.1),
                steps: steps.iter().map(step).collect(),
                ..ActionView::new("plan")
            },
            Action::Search { query, results } => ActionView {
                query: query.clone(),
                body: (!results.is_empty())
                    .then(|| (self.markdown)(&citation_list_with_hosts(results))),
                ..ActionView::new("search")
            },
        }
    }

    fn file(&self, file: &FileEdit, number: usize) -> FileView {
        let language = extension(&file.path);
        let (turn, at) = self.at;
        FileView {
            id: edit_id(turn, at, number),
            path: file.path.clone(),
            moved_to: file.moved_to.clone(),
            note: match file.kind {
                EditKind::Write => self.locale.text("tool.written").to_owned(),
                EditKind::Update => String::new(),
                EditKind::Delete => self.locale.text("tool.deleted").to_owned(),
            },
            diff: (!file.diff.is_empty()).then(|| match whole_text(file) {
                Some(text) => markup::render_numbered(language, &text, 1, self.options),
                None => markup::render_diff(language, &file.diff, self.options),
            }),
        }
    }
}

/// Returns the anchor of the change of a file: the `number`th one of the call at index `at` of a turn.
pub(super) fn edit_id(turn: &str, at: usize, number: usize) -> String {
    format!("{turn}-edit-{at}-{number}")
}

/// Returns the anchor of the to-do list of the call at index `at` of a turn.
pub(super) fn plan_id(turn: &str, at: usize) -> String {
    format!("{turn}-plan-{at}")
}

/// Returns a state as text; empty for success, which is what readers expect.
fn state(state: &str, locale: &Locale) -> String {
    match state {
        "succeeded" | "completed" => String::new(),
        state => locale.state(state),
    }
}

/// Returns what a call does: what its action says, or else its name.
fn kind_of(call: &ToolCall) -> ToolKind {
    match &call.action {
        Some(Action::Command { .. }) => ToolKind::Command,
        Some(Action::Edit { .. }) => ToolKind::Edit,
        Some(Action::Plan { .. }) => ToolKind::Plan,
        Some(Action::Search { .. }) => ToolKind::Search,
        None => ToolKind::of(&call.name),
    }
}

/// Returns the numbers of lines that a call added and removed.
fn changed_lines(call: &ToolCall) -> (u64, u64) {
    let Some(Action::Edit { files }) = &call.action else { return (0, 0) };
    let files = files.iter().map(FileEdit::changed_lines);
    files.fold((0, 0), |(added, removed), (more, less)| (added + more, removed + less))
}

/// Returns numbers of added and removed lines as text: `+41 −12`.
pub(crate) fn changed(added: u64, removed: u64, locale: &Locale) -> String {
    format!("+{} −{}", locale.number(added), locale.number(removed))
}

/// Returns the text of a file that a call wrote completely.
fn whole_text(file: &FileEdit) -> Option<String> {
    let lines = file.diff.lines().map(|line| line.strip_prefix('+'));
    let lines: Option<Vec<&str>> = lines.collect();
    (file.kind == EditKind::Write).then_some(lines?).map(|lines| lines.join("\n"))
}

/// Returns the extension of a file name, which determines the language.
fn extension(path: &str) -> &str {
    let name = base_name(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn step(step: &PlanStep) -> StepView {
    StepView {
        text: step.text.clone(),
        is_done: step.state == StepState::Done,
        is_active: step.state == StepState::Active,
        done: None,
    }
}

/// Renders JSON, indented and highlighted; a string is rendered as its text.
pub(crate) fn data(value: &Value, options: &Options) -> Html {
    match value {
        Value::String(text) => markup::render_code("", text, options),
        value => markup::render_code("json", &json::pretty(value), options),
    }
}
