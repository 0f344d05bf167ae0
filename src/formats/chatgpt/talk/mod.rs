//! Converts the messages of a conversation to turns. Everything ChatGPT wrote between two questions,
//! including thoughts, tool calls and results, is one turn.

mod calls;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::ASSISTANT;
use super::assets;
use super::canvas::Canvas;
use super::content::{self, Piece};
use super::marks::{self, Citations};
use super::message::{Message, text, words};
use super::nodes::Node;
use super::sources::References;
use super::tools;
use super::unmarked;
use crate::shared::agents::turns::{Along, At, Turns, Who};
use crate::shared::tally::{OF_PRIVATE, Tally, kind_name};
use convo_base::diag::Counted;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Citation, ToolCall, Usage, fenced, turn_id};

/// Messages that are not for readers.
const HIDDEN: Counted = Counted::not_shown(
    "instruction, memory or tool message",
    "instructions, memories or tool messages",
);
/// Recordings of voice chats.
const VOICES: Counted = Counted::not_shown(
    "voice recording (its transcript is shown)",
    "voice recordings (their transcripts are shown)",
);

/// The place of a message among the others.
#[derive(Clone, Copy)]
struct Place<'a> {
    id: &'a str,
    parent: Option<&'a str>,
}

/// The turns of a conversation read so far.
pub(super) struct Reader<'a> {
    pub(super) turns: Turns,
    /// The number of messages marked as private.
    pub(super) withheld: usize,
    /// The turn ids of messages that must not be shown.
    pub(super) hidden: Vec<String>,
    /// The answer that is being read.
    answer: Option<Answer>,
    /// The place of the call that each message of the path is or belongs to.
    calls: HashMap<String, (usize, usize)>,
    /// The ids of messages marked as private, and of the results of their calls.
    private: HashSet<String>,
    /// The URLs of the results of each search, by the place of the search.
    found: HashMap<(usize, usize), HashSet<Option<String>>>,
    canvas: Canvas,
    /// The id of the conversation, and the place and line of its record.
    thread: String,
    at: Range<usize>,
    line: u32,
    tally: &'a mut Tally,
}

impl Along<Node<'_>> for Reader<'_> {
    fn turns(&mut self) -> &mut Turns {
        &mut self.turns
    }

    fn begin_path(&mut self, _after: Option<(usize, usize)>) {
        self.calls.clear();
        self.found.clear();
        self.canvas = Canvas::default();
    }

    fn add_message(&mut self, node: Node<'_>) -> bool {
        let (id, parent, is_withheld) = (node.id.clone(), node.parent.clone(), node.is_withheld);
        let Some(map) = node.into_message() else { return false };
        let place = Place { id: &id, parent: parent.as_deref() };
        self.message(place, Message::new(&map), is_withheld)
    }

    fn end_path(&mut self) {
        self.close();
    }
}

/// Data of an answer besides its blocks.
#[derive(Default)]
struct Answer {
    citations: Citations,
    /// Search results, by name.
    results: HashMap<String, Citation>,
    /// The place of the last search.
    last_search: Option<(usize, usize)>,
    /// Whether a search shows its results.
    has_results: bool,
    duration_ms: u64,
}

impl<'a> Reader<'a> {
    /// Creates a reader for the conversation `thread` in a file, at a place and line.
    pub(super) fn new(
        thread: String,
        file: usize,
        (at, line): (Range<usize>, u32),
        tally: &'a mut Tally,
    ) -> Self {
        Self {
            turns: Turns::new(file, ASSISTANT),
            withheld: 0,
            hidden: Vec::new(),
            answer: None,
            calls: HashMap::new(),
            private: HashSet::new(),
            found: HashMap::new(),
            canvas: Canvas::default(),
            thread,
            at,
            line,
            tally,
        }
    }

    /// Reads a message. Returns whether the last turn shows it.
    fn message(&mut self, place: Place<'_>, message: Message<'_>, is_withheld: bool) -> bool {
        let own_id = || turn_id(message.id().unwrap_or(place.id));
        let is_after_private = place.parent.is_some_and(|parent| self.private.contains(parent));
        let is_of_private = is_after_private && message.role() == "tool";
        if is_of_private || is_withheld {
            self.hidden.push(own_id());
            self.private.insert(place.id.to_owned());
            match is_of_private {
                true => self.tally.add(OF_PRIVATE),
                false => self.withheld += 1,
            }
            return false;
        }
        let kind = message.kind().trim().to_ascii_lowercase();
        let is_personal = kind.ends_with("_editable_context") || message.is_about_user();
        let is_memory = message.tool().or(message.author()).is_some_and(tools::is_memory);
        if is_personal || is_memory || message.is_hidden() {
            self.hidden.push(own_id());
            self.tally.add_all(HIDDEN, u64::from(!is_blank(message)));
            return false;
        }
        match message.role() {
            "user" => self.question(place, message),
            "assistant" => self.assistant(place, message),
            "tool" => self.tool(place, message),
            "system" => self.instruction(place, message),
            _ if message.content().is_none() => false,
            role => {
                let name = match role {
                    "" => "message without a role".to_owned(),
                    role => format!("role {}", kind_name(role)),
                };
                self.unknown(place, message, name)
            }
        }
    }

    fn question(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        // Quotations from files of the user, or from connectors.
        if message.kind() == "tether_quote" {
            self.tally.add(HIDDEN);
            return false;
        }
        let pieces = content::pieces(message);
        let files = content::handed_over(message, &pieces);
        let is_text = ["text", "multimodal_text", ""].contains(&message.kind());
        let mut blocks = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Words(text) => {
                    let nothing = References { is_user_text: true, ..References::default() };
                    let mut citations = Citations::default();
                    let text = marks::resolved(&text, &nothing, &mut citations);
                    blocks.push(folded(message, text));
                }
                piece => blocks.extend(self.block(piece)),
            }
        }
        blocks.extend(files.into_iter().map(|file| Block::Attachment(Box::new(file))));
        if !is_text && blocks.is_empty() {
            let name = message.kind().to_owned();
            blocks.push(self.placeholder(name));
        }
        if blocks.is_empty() {
            return false;
        }
        self.close();
        self.start(Who::Person, place, message);
        blocks.into_iter().for_each(|block| self.turns.push(block));
        true
    }

    /// Adds system instructions, which are shown only if the site enables them.
    fn instruction(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        let text = unmarked::bare(&message.text());
        if text.trim().is_empty() || tools::is_for_model(&text) {
            return false;
        }
        self.close();
        self.start(Who::System, place, message);
        self.turns.push(Block::Markdown { text });
        true
    }

    /// Starts a turn, or continues an answer.
    fn start(&mut self, who: Who, place: Place<'_>, message: Message<'_>) {
        let id = message.id().unwrap_or(place.id).to_owned();
        let at = At { line: self.line, quoted: true, time: message.time(), id: Some(id) };
        self.turns.turn(who, at);
    }

    /// Adds a block to the answer, and starts the answer if needed. Returns the place of the block.
    fn add(&mut self, place: Place<'_>, message: Message<'_>, block: Block) -> (usize, usize) {
        self.start(Who::Assistant, place, message);
        let answer = self.answer.get_or_insert_default();
        // Use the id of the last text: unlike earlier steps, it is in every export.
        if message.role() == "assistant"
            && matches!(block, Block::Markdown { .. })
            && let Some(turn) = self.turns.turn_mut()
        {
            turn.id = turn_id(message.id().unwrap_or(place.id));
        }
        let at = self.turns.next_place();
        if matches!(&block, Block::Tool(call) if tools::is_search(&call.name)) {
            answer.last_search = Some(at);
        }
        self.turns.push(block);
        self.note_usage(message);
        at
    }

    /// Records the model and the duration.
    fn note_usage(&mut self, message: Message<'_>) {
        let Some(answer) = &mut self.answer else { return };
        let model = message.model().filter(|_| message.role() == "assistant");
        // Many messages of an answer repeat the duration.
        let seconds = message.metadata("finished_duration_sec").and_then(Value::as_f64);
        let total = (seconds.unwrap_or_default() * 1000.0) as u64;
        let more = total.saturating_sub(answer.duration_ms);
        answer.duration_ms += more;
        self.turns.add_usage(&Usage {
            model: model.map(str::to_owned),
            duration_ms: Some(more).filter(|more| *more > 0),
            ..Usage::default()
        });
    }

    /// Ends the answer.
    fn close(&mut self) {
        let answer = self.answer.take().unwrap_or_default();
        let citations = answer.citations.list;
        if !citations.is_empty() {
            self.turns.push(Block::Citations { citations });
        }
    }

    fn assistant(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        if let Some(name) = message.tool() {
            let input = message.text();
            if input.trim().is_empty() && message.kind() == "text" {
                return false;
            }
            return self.call(place, message, name, &input);
        }
        match message.kind() {
            "text" | "multimodal_text" | "" => self.words(place, message),
            "code" => {
                let text = unmarked::bare(&message.text());
                let language = message.content().and_then(|content| words(content, "language"));
                let language = language.filter(|language| *language != "unknown");
                let block = Block::Markdown { text: fenced(language.unwrap_or_default(), &text) };
                self.add_all(place, message, Some(block).filter(|_| !text.trim().is_empty()))
            }
            _ => self.other(place, message),
        }
    }

    /// Adds text of ChatGPT.
    fn words(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        self.record_results(place, message);
        let mut shown = false;
        let answer = self.answer.as_mut();
        let results = answer.map(|answer| std::mem::take(&mut answer.results));
        let results = results.unwrap_or_default();
        let references = References::new(message, &results);
        for piece in content::pieces(message) {
            let block = match piece {
                Piece::Words(text) => {
                    if message.role() == "tool" && tools::is_for_model(&text) {
                        continue;
                    }
                    let mut citations = Citations::default();
                    if let Some(answer) = &mut self.answer {
                        citations = std::mem::take(&mut answer.citations);
                    }
                    let text = marks::resolved(&text, &references, &mut citations);
                    let text = super::writing::unfenced(text);
                    let (text, files) = super::links::without_sandbox(text);
                    if text.trim().is_empty() {
                        continue;
                    }
                    self.add(place, message, folded(message, text));
                    shown = true;
                    if let Some(answer) = &mut self.answer {
                        answer.citations = citations;
                    }
                    for path in files {
                        let id = message.id().unwrap_or(place.id);
                        let file = assets::sandbox_file(&self.thread, id, &path);
                        self.add(place, message, Block::Attachment(Box::new(file)));
                    }
                    continue;
                }
                piece => self.block(piece),
            };
            shown |= self.add_all(place, message, block);
        }
        if let Some(answer) = &mut self.answer {
            answer.results = results;
        }
        shown
    }

    /// Adds contents that any role may write.
    fn other(&mut self, place: Place<'_>, message: Message<'_>) -> bool {
        let Some(content) = message.content() else { return false };
        let block = match message.kind() {
            "thoughts" => {
                let text = unmarked::bare(&content::thoughts(content));
                (!text.trim().is_empty()).then_some(Block::Thinking { text })
            }
            // The duration is part of the turn's usage.
            "reasoning_recap" if self.has_thoughts() && is_timed(message) => {
                self.note_usage(message);
                return true;
            }
            "reasoning_recap" => words(content, "content").map(|text| Block::Event {
                name: "reasoning".to_owned(),
                text: unmarked::bare(text),
                detail: None,
            }),
            "execution_output" | "system_error" | "computer_output" => {
                let (result, _) = tools::result(message, "");
                let results = vec![result];
                Some(Block::Tool(Box::new(ToolCall { results, ..ToolCall::default() })))
            }
            "tether_quote" => content::quote(content).map(|text| Block::Markdown { text }),
            "tether_browsing_display" | "sonic_webpage" | "citable_code_output" => {
                self.tally.add(HIDDEN);
                None
            }
            _ => return self.unknown(place, message, message.kind().to_owned()),
        };
        self.add_all(place, message, block)
    }

    /// Adds blocks to the answer, and returns whether there were any.
    fn add_all(
        &mut self,
        place: Place<'_>,
        message: Message<'_>,
        blocks: impl IntoIterator<Item = Block>,
    ) -> bool {
        let places = blocks.into_iter().map(|block| self.add(place, message, block));
        places.count() > 0
    }

    /// Returns whether the answer contains thoughts.
    fn has_thoughts(&mut self) -> bool {
        let turn = self.turns.turn_mut().filter(|_| self.answer.is_some());
        let is_thought = |block: &Block| matches!(block, Block::Thinking { .. });
        turn.is_some_and(|turn| turn.blocks.iter().any(is_thought))
    }

    fn unknown(&mut self, place: Place<'_>, message: Message<'_>, name: String) -> bool {
        let block = self.placeholder(name);
        self.add_all(place, message, [block])
    }

    /// Returns the placeholder for data of an unknown kind.
    fn placeholder(&mut self, name: String) -> Block {
        self.tally.unknown_at(&name, 0, self.at.clone());
        Block::Unknown { name, value: Value::Null }
    }

    /// Returns the block of a piece that is not text.
    fn block(&mut self, piece: Piece) -> Option<Block> {
        match piece {
            Piece::Words(text) => Some(Block::Markdown { text }),
            Piece::File(file) => Some(Block::Attachment(Box::new(file))),
            Piece::Aside => {
                self.tally.add(HIDDEN);
                None
            }
            Piece::Voice => {
                self.tally.add(VOICES);
                None
            }
            Piece::Unknown(kind) => Some(self.placeholder(kind)),
        }
    }
}

/// Returns the block of a text. Text that ChatGPT shows only on demand is folded.
fn folded(message: Message<'_>, text: String) -> Block {
    if message.is_shown_on_demand() {
        let words = "A message that ChatGPT hides".to_owned();
        return Block::Event { name: "hidden".to_owned(), text: words, detail: Some(text) };
    }
    match message.channel() {
        Some("analysis" | "commentary") if message.role() != "user" => Block::Thinking { text },
        _ => Block::Markdown { text },
    }
}

/// Returns whether a message is blank.
fn is_blank(message: Message<'_>) -> bool {
    let is_text =
        |content: &Map| ["text", ""].contains(&text(content, "content_type").unwrap_or_default());
    message.content().is_none_or(|content| is_text(content) && message.text().trim().is_empty())
}

/// Returns whether a message contains the duration of thinking.
fn is_timed(message: Message<'_>) -> bool {
    message.metadata("finished_duration_sec").and_then(Value::as_f64).is_some()
}
