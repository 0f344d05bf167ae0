//! Turns turns and their parts into views, which templates read.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::format::{is_public_id, is_tool_or_thinking, metadata_rows, time};
use super::views::PageSpeakers;
use crate::json::{self, Value};
use crate::locale::Locale;
use crate::locale::languages::LanguageDetector;
use crate::markup::{self, Html, Options};
use crate::model::{
    AttachmentKind, Block, Branch, Content, Conversation, Kind, ToolCall, ToolResult,
    Turn,
};
use crate::search::turns::plain_text;
use crate::site::ConversationPage;
use crate::sources::{MediaKind, ResolvedAttachment};
use crate::text::{bytes, words};
use crate::theme::view::{
    ApprovalView, AttachmentView, BlockView, ItemView, ResultView, TimeView,
    ToolErrorView, ToolView, TurnView,
};
use crate::time::Time;

/// The most forks inside one another; deeper ones stand beside one another.
const MAX_FORK_DEPTH: usize = 6;
/// The most words of a system message that is not folded.
const MAX_SYSTEM_WORDS: u64 = 60;
/// The lines of a tool's result that are shown before the rest is folded.
const RESULT_LINES: usize = 8;

/// Returns all turns and forks, in the order of the page.
pub(super) fn items(
    planned: &ConversationPage,
    conversation: &Conversation,
    named: &PageSpeakers<'_>,
    options: &Options,
    locale: &Locale,
) -> Vec<ItemView> {
    let names = named.iter().enumerate();
    let speakers = names.map(|(place, (_, who))| (&*who.name, (place, who.kind)));
    let mut after: BTreeMap<Option<&str>, Vec<usize>> = BTreeMap::new();
    for (index, branch) in conversation.branches.iter().enumerate() {
        after.entry(branch.after.as_deref()).or_default().push(index);
    }
    let mut page = TurnRenderer {
        planned,
        conversation,
        options,
        locale,
        speakers: speakers.collect(),
        detector: LanguageDetector::new(&planned.languages),
        after,
        shown: BTreeSet::new(),
        last: Cell::new(conversation.time.clone()),
        items: Vec::new(),
    };
    let first = planned.text_ref.turns_before as usize + 1;
    page.path(&conversation.turns, None, first, 0);
    // What says that it follows a turn that is not there is shown all the same.
    let lost: Vec<usize> = (0..conversation.branches.len())
        .filter(|index| !page.shown.contains(index))
        .collect();
    page.fork(None, lost, first + conversation.turns.len(), MAX_FORK_DEPTH);
    page.items
}

struct TurnRenderer<'a> {
    planned: &'a ConversationPage,
    conversation: &'a Conversation,
    options: &'a Options,
    locale: &'a Locale,
    /// Places among those whom the page names, and what they are, by name.
    speakers: HashMap<&'a str, (usize, Kind)>,
    /// The languages of a conversation in several.
    detector: Option<LanguageDetector>,
    /// Branches by the turn that they follow.
    after: BTreeMap<Option<&'a str>, Vec<usize>>,
    shown: BTreeSet<usize>,
    /// The last moment that a reader has seen.
    last: Cell<Option<Time>>,
    items: Vec<ItemView>,
}

impl<'a> TurnRenderer<'a> {
    /// Adds turns one after the other, with the branches beside each.
    fn path(
        &mut self,
        turns: &'a [Turn],
        mut before: Option<&'a str>,
        first: usize,
        depth: usize,
    ) {
        for (index, turn) in turns.iter().enumerate() {
            let others = self.branches_after(before);
            if others.is_empty() {
                let view = self.turn(turn, first + index);
                self.items.push(ItemView::turn(view));
            } else {
                self.fork(Some(turn), others, first + index, depth);
            }
            before = Some(&turn.id);
        }
        if !turns.is_empty() {
            let others = self.branches_after(before);
            self.fork(None, others, first + turns.len(), depth);
        }
    }

    fn branches_after(&mut self, turn: Option<&str>) -> Vec<usize> {
        let found = self.after.get(&turn).cloned().unwrap_or_default();
        found.into_iter().filter(|index| self.shown.insert(*index)).collect()
    }

    /// Adds a turn of the path and the branches that stand beside it.
    fn fork(
        &mut self,
        turn: Option<&'a Turn>,
        mut others: Vec<usize>,
        number: usize,
        depth: usize,
    ) {
        if others.is_empty() {
            return;
        }
        let conversation: &'a Conversation = self.conversation;
        if depth >= MAX_FORK_DEPTH {
            // Branches of branches join the row.
            let mut next = 0;
            while let Some(index) = others.get(next) {
                let turns = &conversation.branches[*index].turns;
                let inner: Vec<usize> = turns
                    .iter()
                    .flat_map(|turn| self.branches_after(Some(&turn.id)))
                    .collect();
                others.extend(inner);
                next += 1;
            }
        }
        let count = others.len() + usize::from(turn.is_some());
        let first = turn.or_else(|| conversation.branches[others[0]].turns.first());
        let name = first.map_or("fork".to_owned(), |turn| format!("fork-{}", turn.id));
        self.items.push(ItemView::new("fork"));
        let mut place = 0;
        if let Some(turn) = turn {
            place += 1;
            let label = format!("{place} / {count}");
            self.items.push(ItemView {
                open: true,
                ..ItemView::option(&name, label, None, "main")
            });
            let view = self.turn(turn, number);
            self.items.push(ItemView::turn(view));
            self.items.push(ItemView::new("option-end"));
        }
        for index in others {
            place += 1;
            let branch: &'a Branch = &conversation.branches[index];
            let label = format!("{place} / {count}");
            let class = if branch.rejoins { "alternative" } else { "branch" };
            let option = ItemView::option(&name, label, branch.name.clone(), class);
            self.items.push(option);
            if depth >= MAX_FORK_DEPTH {
                for (offset, turn) in branch.turns.iter().enumerate() {
                    let view = self.turn(turn, number + offset);
                    self.items.push(ItemView::turn(view));
                }
            } else {
                // What stands beside the first turn of a branch stands in this row already.
                let before = branch.turns.first().map(|turn| turn.id.as_str());
                let (head, rest) = branch.turns.split_at(usize::from(before.is_some()));
                for turn in head {
                    let view = self.turn(turn, number);
                    self.items.push(ItemView::turn(view));
                }
                self.path(rest, before, number + 1, depth + 1);
                if rest.is_empty() {
                    let inner = self.branches_after(before);
                    self.fork(None, inner, number + 1, depth + 1);
                }
            }
            self.items.push(ItemView::new("option-end"));
        }
        self.items.push(ItemView::new("fork-end"));
    }

    fn turn(&self, turn: &Turn, number: usize) -> TurnView {
        let speaker = self.speakers.get(turn.speaker.as_str()).map(|(place, _)| *place);
        let kind = self.kind_of(turn);
        let blocks: Vec<BlockView> = turn
            .blocks
            .iter()
            .enumerate()
            .map(|(at, block)| self.block(turn, at, block))
            .collect();
        let text = turn.text();
        let fold = (kind == Some(Kind::System) && words(&text) > MAX_SYSTEM_WORDS)
            .then(|| self.locale.count("count.words", words(&text)));
        TurnView {
            id: turn.id.clone(),
            number,
            role: self.role(turn),
            language: self.language(turn),
            speaker,
            time: turn.time.as_ref().map(|at| self.time(at)),
            offset: turn.offset.clone(),
            pending: turn.pending,
            pinned: turn.pinned,
            empty: text.trim().is_empty(),
            fold,
            is_work: !turn.blocks.is_empty()
                && turn.blocks.iter().all(is_tool_or_thinking),
            blocks,
            extra: metadata_rows(&turn.extra),
        }
    }

    /// Returns the role of a turn in a discussion: `post`, `comment`, or nothing.
    fn role(&self, turn: &Turn) -> &'static str {
        let Some(opener) = &self.planned.opener else { return "" };
        let talks = self.kind_of(turn).is_some_and(Kind::talks);
        if opener.turn == turn.id {
            "post"
        } else if talks && turn.has_words() && turn.time.is_some() {
            "comment"
        } else {
            ""
        }
    }

    fn kind_of(&self, turn: &Turn) -> Option<Kind> {
        self.speakers.get(turn.speaker.as_str()).map(|(_, kind)| *kind)
    }

    fn language(&self, turn: &Turn) -> Option<String> {
        let detector = self.detector.as_ref()?;
        detector.of(&plain_text(&turn.text()).0).map(str::to_owned)
    }

    /// Formats a moment, without the day and the zone that the reader has seen last.
    fn time(&self, at: &Time) -> TimeView {
        let mut view = time(at, self.locale);
        let last = self.last.replace(Some(at.clone()));
        if let (Some(last), Some((clock, zone))) = (last, at.clock()) {
            let is_same_zone = last.clock().is_some_and(|(_, known)| known == zone);
            if is_same_zone {
                view.clock = Some(clock);
            }
            if last.date() == at.date() {
                view.day = String::new();
            }
        }
        view
    }

    fn markdown(&self, turn: &Turn, at: usize, text: &str) -> Html {
        // The first part has the turn's own name, so that its footnotes keep theirs.
        let id = if at == 0 { turn.id.clone() } else { format!("{}-{at}", turn.id) };
        markup::render(text, &id, self.options, &self.planned.links)
    }

    fn block(&self, turn: &Turn, at: usize, block: &Block) -> BlockView {
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
            Block::Tool(call) => BlockView {
                tool: Some(tool(call, self.options, self.locale)),
                ..BlockView::new("tool")
            },
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
            Block::Citations { .. } => BlockView {
                body: Some(self.markdown(turn, at, &block.to_markdown())),
                ..BlockView::new("markdown")
            },
            Block::Unknown { name, value } => BlockView {
                name: name.clone(),
                body: Some(data(value, self.options)),
                ..BlockView::new("unknown")
            },
        }
    }
}

/// Renders any JSON, indented and highlighted; a string is its own text.
fn data(value: &Value, options: &Options) -> Html {
    match value {
        Value::String(text) => markup::render_code("", text, options),
        value => markup::render_code("json", &json::pretty(value), options),
    }
}

fn tool(call: &ToolCall, options: &Options, locale: &Locale) -> ToolView {
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
        (None, _) => locale.text("tool.no_result").to_owned(),
    };
    let failed = ["failed", "timed_out", "rejected", "canceled"].contains(&known);
    ToolView {
        name: call.name.clone(),
        failed,
        duration: results.last().and_then(|result| result.duration.clone()),
        state,
        input: call
            .input
            .as_ref()
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
        // A line or two more are no reason to fold.
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

/// Formats milliseconds for people.
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
    let name = match attachment.name.trim() {
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
        None => view.problem = Some(locale.state("missing")),
    }
    view
}
