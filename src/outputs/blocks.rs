//! Builds the template view models of the blocks of a turn.

use super::format::{is_public_id, metadata_rows};
use crate::json::{self, Value};
use crate::locale::Locale;
use crate::markup::{self, Folded, Html, Options};
use crate::model::{
    Action, AttachmentKind, Block, Content, EditKind, FileEdit, PlanStep, StepState, ToolCall,
    ToolResult, Turn, Usage, citation_list,
};
use crate::site::ConversationPage;
use crate::sources::{MediaKind, ResolvedAttachment};
use crate::text::{bytes, excerpt, words};
use crate::theme::view::{
    ActionView, ApprovalView, AttachmentView, BlockView, FileView, ResultView, StepView,
    ToolErrorView, ToolView,
};

/// The number of lines of a tool result before the rest is folded.
const RESULT_LINES: usize = 8;
/// The number of characters of a call's description in its summary line.
const SUBJECT_CHARS: usize = 80;

/// Renders the blocks of the turns of a page.
pub(super) struct BlockRenderer<'a> {
    pub(super) planned: &'a ConversationPage,
    pub(super) options: &'a Options,
    /// The options for prompts, if they are as somebody typed them.
    pub(super) of_prompts: Option<Options>,
    pub(super) locale: &'a Locale,
}

impl BlockRenderer<'_> {
    /// Returns whether a block is an attachment that can be omitted without loss.
    pub(super) fn is_absent(&self, turn: &Turn, at: usize) -> bool {
        let found = self.planned.attachments.get(&(turn.id.clone(), at));
        matches!(found, Some((ResolvedAttachment::Absent, _)))
    }

    fn markdown(&self, turn: &Turn, at: usize, text: &str) -> Html {
        markup::render(text, &id(turn, at), self.options, &self.planned.links)
    }

    /// Renders a part of a prompt. The end of a long one is folded.
    fn prompt(&self, turn: &Turn, at: usize, text: &str, options: &Options) -> BlockView {
        let (id, links) = (id(turn, at), &self.planned.links);
        let text = markup::with_fences(text);
        let view = BlockView::new("markdown");
        match markup::folded(&text) {
            Some(Folded { start, rest, lines }) => BlockView {
                body: Some(markup::render(&start, &id, options, links)),
                rest: Some(markup::render(&rest, &format!("{id}-rest"), options, links)),
                more: self.locale.count("count.lines", lines as u64),
                ..view
            },
            None => BlockView { body: Some(markup::render(&text, &id, options, links)), ..view },
        }
    }

    /// Renders the block at index `at` of a turn, which may be a prompt.
    pub(super) fn block(
        &self,
        turn: &Turn,
        at: usize,
        block: &Block,
        is_prompt: bool,
    ) -> BlockView {
        let of_prompts = self.of_prompts.as_ref().filter(|_| is_prompt);
        match (block, of_prompts) {
            (Block::Markdown { text }, Some(options)) => self.prompt(turn, at, text, options),
            _ => self.other_block(turn, at, block),
        }
    }

    fn other_block(&self, turn: &Turn, at: usize, block: &Block) -> BlockView {
        match block {
            Block::Markdown { text } => BlockView {
                body: Some(self.markdown(turn, at, text)),
                ..BlockView::new("markdown")
            },
            Block::Thinking { text } => BlockView {
                body: Some(self.markdown(turn, at, text)),
                name: self.locale.count("count.words", words(text)),
                ..BlockView::new("thinking")
            },
            Block::Tool(call) => {
                BlockView { tool: Some(self.tool(turn, at, call)), ..BlockView::new("tool") }
            }
            Block::Attachment(attachment) => {
                let key = (turn.id.clone(), at);
                let found = self.planned.attachments.get(&key);
                let attachment = attachment_view(attachment, found, self.locale);
                BlockView { attachment: Some(attachment), ..BlockView::new("attachment") }
            }
            Block::Event { name, text, detail } => BlockView {
                name: if text.is_empty() { name.clone() } else { text.clone() },
                body: detail.as_ref().map(|text| self.markdown(turn, at, text)),
                ..BlockView::new("event")
            },
            Block::Citations { citations } => BlockView {
                body: Some(self.markdown(turn, at, &citation_list(citations))),
                ..BlockView::new("citations")
            },
            Block::Unknown { name, value } => BlockView {
                name: name.clone(),
                body: Some(data(value, self.options)),
                ..BlockView::new("unknown")
            },
        }
    }

    fn tool(&self, turn: &Turn, at: usize, call: &ToolCall) -> ToolView {
        let (options, locale) = (self.options, self.locale);
        let results: Vec<ResultView> =
            call.results.iter().map(|each| result(each, options, locale)).collect();
        let decision = call.approvals.last().map(|approval| approval.state.as_str());
        let known = match (call.results.last(), decision) {
            (Some(result), _) => state_of(result),
            (None, Some(decision @ ("rejected" | "canceled"))) => decision,
            (None, _) => "",
        };
        let state = match (call.results.last(), decision) {
            _ if !known.is_empty() => locale.state(known),
            (Some(_), _) => String::new(),
            (None, _) if call.requires_approval == Some(true) && decision.is_none() => {
                locale.text("tool.waits").to_owned()
            }
            (None, _) if matches!(call.action, Some(Action::Plan { .. })) => String::new(),
            (None, _) => locale.text("tool.no_result").to_owned(),
        };
        let failed = ["failed", "timed_out", "rejected", "canceled"].contains(&known);
        ToolView {
            name: call.name.clone(),
            failed,
            duration: results.last().and_then(|result| result.duration.clone()),
            state,
            subject: match &call.action {
                Some(action) => subject(action, locale),
                None => call.input.as_ref().and_then(subject_of_input),
            },
            action: call.action.as_ref().map(|action| self.action(turn, at, action)),
            input: call
                .input
                .as_ref()
                .filter(|_| call.action.is_none())
                .filter(|input| !matches!(input, Value::Object(map) if map.is_empty()))
                .map(|input| data(input, options)),
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

    fn action(&self, turn: &Turn, at: usize, action: &Action) -> ActionView {
        match action {
            Action::Command { command, exit_code } => ActionView {
                body: Some(markup::render_code("sh", command, self.options)),
                exit_code: exit_code
                    .map(|n| self.locale.fill("tool.exit_code", &[("n", &n.to_string())])),
                ..ActionView::new("command")
            },
            Action::Edit { files } => ActionView {
                files: files.iter().map(|file| self.file(file)).collect(),
                ..ActionView::new("edit")
            },
            Action::Plan { steps } => {
                ActionView { steps: steps.iter().map(step).collect(), ..ActionView::new("plan") }
            }
            Action::Search { query, results } => ActionView {
                query: query.clone(),
                body: (!results.is_empty())
                    .then(|| self.markdown(turn, at, &citation_list(results))),
                ..ActionView::new("search")
            },
        }
    }

    fn file(&self, file: &FileEdit) -> FileView {
        FileView {
            path: file.path.clone(),
            moved_to: file.moved_to.clone(),
            note: match file.kind {
                EditKind::Write => self.locale.text("tool.written").to_owned(),
                EditKind::Update => String::new(),
                EditKind::Delete => self.locale.text("tool.deleted").to_owned(),
            },
            diff: (!file.diff.is_empty()).then(|| match whole_text(file) {
                Some(text) => markup::render_code(ending(&file.path), &text, self.options),
                None => markup::render_code("diff", &file.diff, self.options),
            }),
        }
    }
}

/// Returns the id of a block. The first one has the turn's own id, so that its footnotes keep their ids.
fn id(turn: &Turn, at: usize) -> String {
    if at == 0 { turn.id.clone() } else { format!("{}-{at}", turn.id) }
}

/// Returns the text of a file that a call wrote completely.
fn whole_text(file: &FileEdit) -> Option<String> {
    let lines = file.diff.lines().map(|line| line.strip_prefix('+'));
    let lines: Option<Vec<&str>> = lines.collect();
    (file.kind == EditKind::Write).then_some(lines?).map(|lines| lines.join("\n"))
}

/// Returns the extension of a file name, which determines the language.
fn ending(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Returns a short description of a call, on one line.
fn subject(action: &Action, locale: &Locale) -> Option<String> {
    let text = match action {
        Action::Command { command, .. } => {
            command.lines().map(str::trim).find(|line| !line.is_empty())?.to_owned()
        }
        Action::Edit { files } => {
            let first = short_path(&files.first()?.path);
            match files.len() {
                1 => first,
                count => {
                    format!("{first}, {}", locale.count("count.more", count as u64 - 1))
                }
            }
        }
        Action::Plan { steps } => {
            let done = steps.iter().filter(|step| step.state == StepState::Done).count();
            format!("{done} / {}", steps.len())
        }
        Action::Search { query, .. } => query.clone()?,
    };
    Some(excerpt(&text, SUBJECT_CHARS))
}

/// Argument names that describe a call, most specific first.
const SUBJECT_KEYS: [&str; 13] = [
    // A search term is more specific than the place of the search.
    "pattern", "file_path", "path", "notebook_path", "command", "query", "url", "description",
    "title", "skill", "prompt", "code", "input",
];

/// Returns the description of a call of an unknown tool: the most specific argument, or the only text.
fn subject_of_input(input: &Value) -> Option<String> {
    let known = SUBJECT_KEYS.iter().find_map(|key| Some((*key, line_of(input.get(key)?)?)));
    let (key, line) = known.or_else(|| Some(("", only_line(input)?)))?;
    let line = if key.ends_with("path") { &short_path(line) } else { line };
    Some(excerpt(line, SUBJECT_CHARS))
}

/// Returns the first line of a text that is not blank.
fn line_of(value: &Value) -> Option<&str> {
    value.as_str()?.lines().find(|line| !line.trim().is_empty())
}

/// Returns the first line of the arguments, if they are a text or contain exactly one.
fn only_line(input: &Value) -> Option<&str> {
    let Value::Object(arguments) = input else { return line_of(input) };
    let mut texts = arguments.values().filter(|value| value.is_string());
    texts.next().filter(|_| texts.next().is_none()).and_then(line_of)
}

/// Returns the end of a long path, which is more specific than the beginning.
fn short_path(path: &str) -> String {
    let is_short = |rest: &str| rest.chars().count() < SUBJECT_CHARS / 2;
    let mut ends = path.match_indices(['/', '\\']).map(|(at, _)| &path[at..]);
    match ends.find(|rest| is_short(rest)) {
        Some(rest) if !is_short(path) => format!("…{rest}"),
        _ => path.to_owned(),
    }
}

fn step(step: &PlanStep) -> StepView {
    StepView {
        text: step.text.clone(),
        is_done: step.state == StepState::Done,
        is_active: step.state == StepState::Active,
    }
}

/// Returns the usage of a turn as readable keys and values.
pub(super) fn usage_rows(usage: &Usage, locale: &Locale) -> Vec<(String, String)> {
    let number = |count: Option<u64>| count.map(|count| locale.number(count));
    let rows = [
        ("usage.model", usage.model.clone()),
        ("usage.input", number(usage.input_tokens)),
        ("usage.cache_read", number(usage.cache_read_tokens)),
        ("usage.cache_write", number(usage.cache_write_tokens)),
        ("usage.output", number(usage.output_tokens)),
        ("usage.reasoning", number(usage.reasoning_tokens)),
        ("usage.cost", usage.cost_usd.map(dollars)),
        ("usage.duration", usage.duration_ms.map(|time| duration(time as f64))),
    ];
    let known = rows.into_iter().filter_map(|(key, value)| Some((key, value?)));
    known.map(|(key, value)| (locale.text(key).to_owned(), value)).collect()
}

/// Formats a price. Small prices get more digits.
pub(super) fn dollars(price: f64) -> String {
    if price >= 0.995 { format!("${price:.2}") } else { format!("${price:.4}") }
}

/// Renders JSON, indented and highlighted; a string is rendered as its text.
fn data(value: &Value, options: &Options) -> Html {
    match value {
        Value::String(text) => markup::render_code("", text, options),
        value => markup::render_code("json", &json::pretty(value), options),
    }
}

/// Returns the state of a result; `failed` if it has an error and no state.
fn state_of(result: &ToolResult) -> &str {
    match result.state.as_str() {
        "" if result.error.is_some() => "failed",
        state => state,
    }
}

fn result(result: &ToolResult, options: &Options, locale: &Locale) -> ResultView {
    let (mut output, mut rest, mut more) = (None, None, String::new());
    if let Some(value) = &result.output {
        let (language, text) = match value {
            Value::String(text) => ("", text.clone()),
            value => ("json", json::pretty(value)),
        };
        let cut = text.match_indices('\n').nth(RESULT_LINES - 1).map(|(at, _)| at + 1);
        // Do not fold only one or two lines.
        let lines = cut.map_or(0, |cut| text[cut..].lines().count());
        match cut.filter(|_| lines > 3) {
            Some(cut) => {
                output = Some(markup::render_code(language, &text[..cut], options));
                rest = Some(markup::render_code(language, &text[cut..], options));
                more = locale.count("count.lines", lines as u64);
            }
            None => output = Some(markup::render_code(language, &text, options)),
        }
    }
    ResultView {
        state: locale.state(state_of(result)),
        hidden: result.output.is_none() && !result.unpublished.is_empty(),
        duration: result.duration.as_ref().and_then(Value::as_f64).map(duration),
        empty: matches!(&result.output, Some(Value::String(text)) if text.is_empty()),
        output,
        rest,
        more,
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

/// Formats milliseconds for readers.
fn duration(milliseconds: f64) -> String {
    let seconds = milliseconds / 1000.0;
    if !(0.0..=1e12).contains(&milliseconds) {
        format!("{milliseconds} ms")
    } else if seconds < 1.0 {
        format!("{} ms", milliseconds.round())
    } else if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {} s", (seconds / 60.0).floor(), (seconds % 60.0).floor())
    }
}

fn attachment_view(
    attachment: &crate::model::Attachment,
    found: Option<&(ResolvedAttachment, Option<String>)>,
    locale: &Locale,
) -> AttachmentView {
    let called = match found {
        Some((ResolvedAttachment::Stored { media, .. }, _)) => media.name.as_str(),
        _ => "",
    };
    let names = [attachment.name.as_str(), called].map(str::trim);
    let name = match names.into_iter().find(|name| !name.is_empty()).unwrap_or_default() {
        "" => locale.text("conversation.unnamed").to_owned(),
        name => name.to_owned(),
    };
    let mut view = AttachmentView {
        kind: "missing".to_owned(),
        name,
        url: None,
        size: attachment.size.map(bytes),
        media_type: attachment.mime.clone(),
        width: None,
        height: None,
        problem: None,
    };
    match found {
        Some((ResolvedAttachment::Stored { media, kind }, url)) => {
            view.kind = match kind {
                MediaKind::Image => "image",
                MediaKind::Audio => "audio",
                MediaKind::Video => "video",
                MediaKind::File => "file",
            }
            .to_owned();
            view.url.clone_from(url);
            view.size = Some(bytes(media.size));
            view.media_type = Some(media.extension.to_ascii_uppercase());
            (view.width, view.height) = media.dimensions.unzip();
        }
        Some((ResolvedAttachment::External, _)) => {
            view.kind = "link".to_owned();
            if let Content::Uri(uri) = &attachment.content {
                view.url = Some(uri.clone());
            }
            if attachment.kind != AttachmentKind::Link {
                view.problem = Some(locale.text("conversation.elsewhere").to_owned());
            }
        }
        Some((ResolvedAttachment::Broken(why), _)) => {
            view.problem = Some(locale.state(why));
        }
        Some((ResolvedAttachment::Absent, _)) | None => {
            view.problem = Some(locale.state("missing"));
        }
    }
    view
}
