//! Converts a path through a conversation to turns. Everything ChatGPT wrote between two questions,
//! including thoughts, tool calls and results, is one turn.

mod calls;

use std::collections::{HashMap, HashSet};

use super::assets;
use super::canvas::Canvas;
use super::content::{self, Piece};
use super::marked;
use super::marks::{self, Citations};
use super::message::{Message, Stored, text, words};
use super::nodes::Nodes;
use super::sources::References;
use super::tools;
use super::unmarked;
use super::{ASSISTANT, PERSON, SYSTEM};
use crate::shared::tally::{Tally, kind_name};
use convo_base::diag::Counted;
use convo_base::json::{Map, Value};
use convo_base::model::{Block, Citation, ToolCall, Turn, Usage, fenced, turn_id};

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

/// The turns of a path.
#[derive(Default)]
pub(super) struct Talk {
    pub(super) turns: Vec<Turn>,
    /// For each message of the path, the turn that shows it.
    pub(super) places: Vec<Option<usize>>,
    /// For each turn, the place in the path of the last message that it shows.
    pub(super) ends: Vec<usize>,
    /// The number of messages marked as private.
    pub(super) left_out: usize,
    /// The turn ids of messages that must not be shown.
    pub(super) hidden: Vec<String>,
}

impl Talk {
    /// Returns the call at a turn and a block.
    fn call(&mut self, (turn, block): (usize, usize)) -> Option<&mut ToolCall> {
        match self.turns.get_mut(turn)?.blocks.get_mut(block)? {
            Block::Tool(call) => Some(call),
            _ => None,
        }
    }
}

/// Reads the messages of a path. `thread` is the id of the conversation, whose record starts at byte `at`
/// of the file.
pub(super) fn read_path(
    nodes: &Nodes<'_>,
    path: &[usize],
    thread: &str,
    at: usize,
    tally: &mut Tally,
) -> Talk {
    let mut reader = Reader {
        talk: Talk::default(),
        answer: None,
        calls: HashMap::new(),
        found: HashMap::new(),
        canvas: Canvas::default(),
        thread,
        at,
        tally,
    };
    for (step, node) in path.iter().enumerate() {
        let stored = nodes.message(*node);
        let message = stored.as_ref().map(Stored::message);
        let id = nodes.id(*node);
        let turn = message.and_then(|message| {
            let parent = nodes.parent(*node);
            let is_left_out = nodes.is_left_out(*node);
            reader.message(Place { node: *node, parent, id, is_left_out }, message)
        });
        reader.talk.places.push(turn);
        if let Some(end) = turn.and_then(|turn| reader.talk.ends.get_mut(turn)) {
            *end = step;
        }
    }
    reader.close();
    reader.talk
}

/// The place of a message among the others.
#[derive(Clone, Copy)]
struct Place<'a> {
    node: usize,
    parent: Option<usize>,
    id: &'a str,
    /// Whether it is marked as private.
    is_left_out: bool,
}

struct Reader<'a> {
    talk: Talk,
    /// The answer that is being read.
    answer: Option<Answer>,
    /// The turn and block of the call that each message is or belongs to.
    calls: HashMap<usize, (usize, usize)>,
    /// The URLs of the results of each search, by the turn and block of the search.
    found: HashMap<(usize, usize), HashSet<Option<String>>>,
    canvas: Canvas,
    thread: &'a str,
    at: usize,
    tally: &'a mut Tally,
}

/// Data of an answer besides its blocks.
#[derive(Default)]
struct Answer {
    turn: usize,
    citations: Citations,
    /// Search results, by name.
    results: HashMap<String, Citation>,
    /// The block of the last search.
    last_search: Option<usize>,
    /// Whether a search shows its results.
    has_results: bool,
    model: Option<String>,
    seconds: f64,
}

impl Reader<'_> {
    /// Reads a message, and returns the turn that shows it.
    fn message(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        let own_id = || turn_id(message.id().unwrap_or(place.id));
        if place.is_left_out || marked::is_left_out(message) {
            self.talk.hidden.push(own_id());
            self.talk.left_out += 1;
            return None;
        }
        let kind = message.kind().trim().to_ascii_lowercase();
        let is_personal = kind.ends_with("_editable_context") || message.is_about_user();
        let is_memory = message.tool().or(message.author()).is_some_and(tools::is_memory);
        if is_personal || is_memory || message.is_hidden() {
            self.talk.hidden.push(own_id());
            self.tally.add_all(HIDDEN, u64::from(!is_blank(message)));
            return None;
        }
        match message.role() {
            "user" => self.question(place, message),
            "assistant" => self.assistant(place, message),
            "tool" => self.tool(place, message),
            "system" => self.instruction(place, message),
            _ if message.content().is_none() => None,
            role => {
                let name = match role {
                    "" => "message without a role".to_owned(),
                    role => format!("role {}", kind_name(role)),
                };
                self.unknown(place, message, name)
            }
        }
    }

    fn question(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        // Quotations from files of the user, or from connectors.
        if message.kind() == "tether_quote" {
            self.tally.add(HIDDEN);
            return None;
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
            return None;
        }
        self.close();
        let turn = self.start(PERSON, place, message);
        self.talk.turns[turn].blocks = blocks;
        Some(turn)
    }

    /// Adds system instructions, which are shown only if the site enables them.
    fn instruction(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        let text = unmarked::bare(&message.text());
        if text.trim().is_empty() || tools::is_for_model(&text) {
            return None;
        }
        let turn = self.start(SYSTEM, place, message);
        let target = &mut self.talk.turns[turn];
        target.withheld = true;
        target.blocks.push(Block::Markdown { text });
        Some(turn)
    }

    /// Starts a turn.
    fn start(&mut self, speaker: &str, place: Place<'_>, message: Message<'_>) -> usize {
        let id = turn_id(message.id().unwrap_or(place.id));
        let time = message.time();
        let speaker = speaker.to_owned();
        self.talk.turns.push(Turn { id, speaker, time, ..Turn::default() });
        self.talk.ends.push(0);
        self.talk.turns.len() - 1
    }

    /// Adds a block to the answer, and starts the answer if needed.
    fn add(&mut self, place: Place<'_>, message: Message<'_>, block: Block) -> (usize, usize) {
        let turn = match &self.answer {
            Some(answer) => answer.turn,
            None => {
                let turn = self.start(ASSISTANT, place, message);
                self.answer = Some(Answer { turn, ..Answer::default() });
                turn
            }
        };
        let target = &mut self.talk.turns[turn];
        // Use the id of the last text: unlike earlier steps, it is in every export.
        if message.role() == "assistant" && matches!(block, Block::Markdown { .. }) {
            target.id = turn_id(message.id().unwrap_or(place.id));
        }
        target.time = target.time.take().or_else(|| message.time());
        let is_search = matches!(&block, Block::Tool(call) if tools::is_search(&call.name));
        target.blocks.push(block);
        let block = target.blocks.len() - 1;
        if let Some(answer) = self.answer.as_mut().filter(|_| is_search) {
            answer.last_search = Some(block);
        }
        self.note_usage(message);
        (turn, block)
    }

    /// Records the model and the duration.
    fn note_usage(&mut self, message: Message<'_>) {
        let Some(answer) = &mut self.answer else { return };
        if message.role() == "assistant" {
            answer.model = message.model().map(str::to_owned).or(answer.model.take());
        }
        // Many messages of an answer repeat the duration.
        let seconds = message.metadata("finished_duration_sec").and_then(Value::as_f64);
        answer.seconds = answer.seconds.max(seconds.unwrap_or_default());
    }

    /// Ends the answer.
    fn close(&mut self) {
        let Some(answer) = self.answer.take() else { return };
        let turn = &mut self.talk.turns[answer.turn];
        let usage = Usage {
            model: answer.model,
            duration_ms: (answer.seconds > 0.0).then_some((answer.seconds * 1000.0) as u64),
            ..Usage::default()
        };
        turn.usage = (!usage.is_empty()).then(|| Box::new(usage));
        let citations = answer.citations.list;
        if !citations.is_empty() {
            turn.blocks.push(Block::Citations { citations });
        }
    }

    fn assistant(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        if let Some(name) = message.tool() {
            let input = message.text();
            if input.trim().is_empty() && message.kind() == "text" {
                return None;
            }
            return Some(self.call(place, message, name, &input));
        }
        match message.kind() {
            "text" | "multimodal_text" | "" => self.words(place, message),
            "code" => {
                let text = unmarked::bare(&message.text());
                let language = message.content().and_then(|content| words(content, "language"));
                let language = language.filter(|language| *language != "unknown");
                let block = Block::Markdown { text: fenced(language.unwrap_or_default(), &text) };
                (!text.trim().is_empty()).then(|| self.add(place, message, block).0)
            }
            _ => self.other(place, message),
        }
    }

    /// Adds text of ChatGPT.
    fn words(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        self.record_results(place, message);
        let mut shown = None;
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
                    let at = self.add(place, message, folded(message, text));
                    shown = Some(at.0);
                    if let Some(answer) = &mut self.answer {
                        answer.citations = citations;
                    }
                    for path in files {
                        let id = message.id().unwrap_or(place.id);
                        let file = assets::sandbox_file(self.thread, id, &path);
                        self.add(place, message, Block::Attachment(Box::new(file)));
                    }
                    continue;
                }
                piece => self.block(piece),
            };
            if let Some(block) = block {
                shown = Some(self.add(place, message, block).0);
            }
        }
        if let Some(answer) = &mut self.answer {
            answer.results = results;
        }
        shown
    }

    /// Adds contents that any role may write.
    fn other(&mut self, place: Place<'_>, message: Message<'_>) -> Option<usize> {
        let content = message.content()?;
        let block = match message.kind() {
            "thoughts" => {
                let text = unmarked::bare(&content::thoughts(content));
                (!text.trim().is_empty()).then_some(Block::Thinking { text })
            }
            // The duration is part of the turn's usage.
            "reasoning_recap" if self.has_thoughts() && is_timed(message) => {
                self.note_usage(message);
                return self.answer.as_ref().map(|answer| answer.turn);
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
        block.map(|block| self.add(place, message, block).0)
    }

    /// Returns whether the answer contains thoughts.
    fn has_thoughts(&self) -> bool {
        let turn = self.answer.as_ref().and_then(|answer| self.talk.turns.get(answer.turn));
        let is_thought = |block: &Block| matches!(block, Block::Thinking { .. });
        turn.is_some_and(|turn| turn.blocks.iter().any(is_thought))
    }

    fn unknown(&mut self, place: Place<'_>, message: Message<'_>, name: String) -> Option<usize> {
        let block = self.placeholder(name);
        Some(self.add(place, message, block).0)
    }

    /// Returns the placeholder for data of an unknown kind.
    fn placeholder(&mut self, name: String) -> Block {
        self.tally.unknown_at(&name, 0, self.at..self.at + 1);
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
