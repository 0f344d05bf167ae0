//! Records as turns.

use std::collections::{HashMap, HashSet};

use super::super::connectors;
use super::super::hidden_tags::{Author, strip_in, without_hidden};
use super::super::object::type_of;
use super::entry::{Answer, Entry, User, What, plain};
use super::files::Outputs;
use super::notes::Tally;
use super::output::{exit_code, persisted, without_escapes};
use super::prompt::{Piece, pieces};
use super::tools::{self, Tasks};
use crate::hash::Hash;
use crate::json::{Map, Value};
use crate::model::{
    Action, Approval, Attachment, AttachmentKind, Block, Content, Conversation, Kind,
    Place, ToolCall, ToolResult, Turn, Usage, fenced, turn_id,
};
use crate::time::Time;

/// The names of those who speak in a lane.
#[derive(Clone, Copy)]
pub(super) struct Voices<'v> {
    /// Who asks, and what that is.
    pub(super) asking: (&'v str, Kind),
    pub(super) answering: &'v str,
}

/// The name of the assistant, which is the head of its subagents.
pub(super) const ASSISTANT: &str = "Claude";

/// Those who speak in a session.
pub(super) const SESSION: Voices<'static> =
    Voices { asking: ("User", Kind::Person), answering: ASSISTANT };
/// Those who speak to and as a subagent without a name.
pub(super) const SUBAGENT: Voices<'static> =
    Voices { asking: (ASSISTANT, Kind::Assistant), answering: "Subagent" };

/// A path: turns one after the other.
#[derive(Default)]
pub(super) struct Lane {
    pub(super) turns: Vec<Turn>,
    /// Whether the last turn may still grow.
    is_open: bool,
    /// About how long the last turn is. Bytes.
    size: usize,
    /// The message to which its last block belongs.
    message: Option<String>,
    /// The command that a person gave last.
    command: String,
}

/// Above this, the next message of an answer starts a turn, so that it can stand on another page.
const MAX_TURN_BYTES: usize = 96 << 10;

/// The place of a tool call.
#[derive(Clone, Copy)]
pub(super) struct CallPlace {
    pub(super) lane: usize,
    pub(super) turn: usize,
    pub(super) block: usize,
}

/// What is known of how subagents were started: the calls.
#[derive(Default)]
pub(super) struct Starts {
    /// By the id of the subagent.
    pub(super) agents: HashMap<String, String>,
    /// By the id of the workflow.
    pub(super) runs: HashMap<String, String>,
    /// By what the subagent was told, those that were not taken yet.
    pub(super) prompts: HashMap<Hash, Vec<String>>,
    /// What each call says that the subagent is to do.
    pub(super) descriptions: HashMap<String, String>,
    /// The name that each call gives it, as a member of a team.
    pub(super) names: HashMap<String, String>,
}

/// A conversation that is being read.
pub(super) struct Talk<'a> {
    pub(super) read: Conversation,
    pub(super) lanes: Vec<Lane>,
    pub(super) calls: HashMap<String, CallPlace>,
    pub(super) starts: Starts,
    pub(super) tally: &'a mut Tally,
    outputs: &'a Outputs<'a>,
    /// What each request took, and the turn that it is a part of.
    usage: Vec<(usize, usize, Usage)>,
    usage_by_message: HashMap<String, usize>,
    /// Blocks of messages that were said, of which some logs have copies.
    said: HashSet<Hash>,
    images: HashSet<Hash>,
    tasks: Tasks,
    /// The turns that the record started which is being read.
    started: usize,
}

/// Where a record stands, for the turns that it starts.
pub(super) struct Origin {
    pub(super) id: Option<String>,
    pub(super) time: Option<Time>,
    pub(super) place: Place,
    /// Where it starts in the file. Bytes.
    pub(super) start: usize,
}

impl<'a> Talk<'a> {
    pub(super) fn new(tally: &'a mut Tally, outputs: &'a Outputs<'a>) -> Self {
        Self {
            read: Conversation::default(),
            lanes: Vec::new(),
            calls: HashMap::new(),
            starts: Starts::default(),
            tally,
            outputs,
            usage: Vec::new(),
            usage_by_message: HashMap::new(),
            said: HashSet::new(),
            images: HashSet::new(),
            tasks: Tasks::new(),
            started: 0,
        }
    }

    /// Adds a record to a lane.
    pub(super) fn add(&mut self, lane: usize, entry: Entry, voices: Voices<'_>) {
        self.started = 0;
        let place = Place { file: entry.file, line: entry.line, quoted: true };
        let at = Origin { id: entry.id, time: entry.time, place, start: entry.start };
        match entry.what {
            What::User(user) => self.user(lane, *user, &at, voices),
            What::Assistant(answer) => self.answer(lane, *answer, &at, voices),
            What::Queued { prompt, is_sent_by_program } => {
                let user =
                    User { content: prompt, is_sent_by_program, ..User::default() };
                self.user(lane, user, &at, voices);
            }
            What::Attached(attached) => self.attached(lane, &attached, &at),
            What::System { kind, text } => match kind.as_str() {
                "compact_boundary" => {
                    self.event(lane, "compaction", compacted(&text), None, &at);
                }
                "away_summary" => {
                    let text = without_hidden(&text, Author::Program).into_owned();
                    self.event(lane, "recap", "Recap".to_owned(), Some(text), &at);
                }
                _ => self.pieces(lane, &text, false, &at, voices),
            },
            What::Duration(duration) => self.duration(lane, duration),
            What::Summary(text) => self.summary(lane, text, &at),
            What::Started { agent, call } => {
                self.starts.agents.entry(agent).or_insert(call);
            }
            What::Unknown { name, says: true } => {
                let block = Block::Unknown { name, value: Value::Null };
                self.start(lane, "", Kind::System, block, &at);
                self.close(lane);
            }
            What::Title(..) | What::Noise | What::Unknown { .. } => {}
        }
    }

    /// Puts what requests took at their turns.
    pub(super) fn finish(&mut self) {
        for (lane, turn, usage) in std::mem::take(&mut self.usage) {
            let Some(turn) = self.lanes[lane].turns.get_mut(turn) else { continue };
            match &mut turn.usage {
                Some(known) => known.add(&usage),
                None => turn.usage = Some(Box::new(usage)),
            }
        }
    }

    fn close(&mut self, lane: usize) {
        self.lanes[lane].is_open = false;
    }

    /// Starts a turn.
    fn start(
        &mut self,
        lane: usize,
        speaker: &str,
        kind: Kind,
        block: Block,
        at: &Origin,
    ) {
        self.read.introduce(speaker, kind);
        let id = match (&at.id, self.started) {
            (Some(id), 0) => turn_id(id),
            (Some(id), number) => turn_id(&format!("{id}#{number}")),
            (None, _) => String::new(),
        };
        self.started += 1;
        let lane = &mut self.lanes[lane];
        lane.turns.push(Turn {
            id,
            speaker: speaker.to_owned(),
            time: at.time.clone(),
            blocks: vec![block],
            place: at.place,
            ..Turn::default()
        });
        (lane.is_open, lane.size, lane.message) = (true, 0, None);
    }

    pub(super) fn event(
        &mut self,
        lane: usize,
        name: &str,
        text: String,
        detail: Option<String>,
        at: &Origin,
    ) {
        let block = Block::Event { name: name.to_owned(), text, detail };
        self.start(lane, "", Kind::System, block, at);
        self.close(lane);
    }

    fn user(&mut self, lane: usize, user: User, at: &Origin, voices: Voices<'_>) {
        let sent = user.is_sent_by_program;
        match user.content {
            Value::String(text) if !user.is_hidden => {
                self.pieces(lane, &text, sent, at, voices);
            }
            Value::Array(blocks) => {
                let mut user = User { content: Value::Null, ..user };
                for block in blocks {
                    self.user_block(lane, block, &mut user, at, voices);
                }
            }
            _ => {}
        }
    }

    fn user_block(
        &mut self,
        lane: usize,
        block: Value,
        user: &mut User,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let kind =
            block.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
        match kind.as_str() {
            "tool_result" => {
                let told = std::mem::take(&mut user.result);
                self.result(lane, block, &told, at, voices);
            }
            _ if user.is_hidden => {}
            "text" => {
                let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
                self.pieces(lane, text, user.is_sent_by_program, at, voices);
            }
            "image" | "document" => {
                if let Some(block) = self.attachment(&block) {
                    match user.is_sent_by_program {
                        true => {
                            self.start(lane, "", Kind::System, block, at);
                            self.close(lane);
                        }
                        false => self.person(lane, block, at, voices),
                    }
                }
            }
            _ => match block {
                Value::String(text) => {
                    self.pieces(lane, &text, user.is_sent_by_program, at, voices);
                }
                Value::Object(_) => self.unknown(lane, kind, at, voices.asking),
                other => {
                    self.unknown(lane, type_of(&other).to_owned(), at, voices.asking);
                }
            },
        }
    }

    /// Adds what stands for a person's words, or was `sent` by the program.
    fn pieces(
        &mut self,
        lane: usize,
        text: &str,
        sent: bool,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        for piece in pieces(text) {
            match piece {
                Piece::Words(text) | Piece::Shell(text) | Piece::Output { text, .. }
                    if sent =>
                {
                    let sent = "Sent by the program".to_owned();
                    self.event(lane, "message", sent, Some(text), at);
                }
                Piece::Command { name, rest } if sent => {
                    let text = format!("{name} {rest}").trim().to_owned();
                    let sent = "Sent by the program".to_owned();
                    self.event(lane, "message", sent, Some(text), at);
                }
                Piece::Words(text) => {
                    self.person(lane, Block::Markdown { text }, at, voices);
                }
                Piece::Command { name, rest } => {
                    if name.is_empty() && rest.is_empty() {
                        continue;
                    }
                    let code = match name.is_empty() {
                        true => String::new(),
                        false => format!("`{}`", name.replace('`', "'")),
                    };
                    let text = format!("{code} {rest}").trim().to_owned();
                    self.person(lane, Block::Markdown { text }, at, voices);
                    self.lanes[lane].command = name;
                }
                Piece::Shell(command) => {
                    let call = ToolCall {
                        name: "Bash".to_owned(),
                        action: Some(Action::Command { command, exit_code: None }),
                        ..ToolCall::default()
                    };
                    self.person(lane, Block::Tool(Box::new(call)), at, voices);
                    self.lanes[lane].command = "Bash".to_owned();
                }
                Piece::Output { text, is_error } => {
                    self.output(lane, &text, is_error, at, voices);
                }
                Piece::Teammate { name, text } => {
                    let name = match name.trim() {
                        "" => "Teammate",
                        "team-lead" => ASSISTANT,
                        name => &member(name),
                    };
                    self.start(lane, name, Kind::Assistant, Block::Markdown { text }, at);
                    self.close(lane);
                }
                Piece::Event { name, text, detail } => {
                    self.event(lane, name, text, detail, at);
                }
            }
        }
    }

    /// Adds to the turn of the person that the record starts, or starts it.
    fn person(&mut self, lane: usize, block: Block, at: &Origin, voices: Voices<'_>) {
        let (name, kind) = voices.asking;
        let last = self.lanes[lane].turns.last_mut();
        match last.filter(|turn| self.started > 0 && turn.speaker == name) {
            Some(turn) => turn.blocks.push(block),
            None => {
                self.lanes[lane].command.clear();
                self.start(lane, name, kind, block, at);
            }
        }
        self.close(lane);
    }

    /// Adds what came of a person's command.
    fn output(
        &mut self,
        lane: usize,
        text: &str,
        is_error: bool,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let text = without_escapes(text);
        if text.trim().is_empty() || text.trim() == "(no content)" {
            return;
        }
        let result = ToolResult {
            state: if is_error { "failed".to_owned() } else { String::new() },
            output: Some(text.into()),
            ..ToolResult::default()
        };
        let (name, kind) = voices.asking;
        let command = self.lanes[lane].command.clone();
        let last = self.lanes[lane].turns.last_mut();
        let Some(turn) = last.filter(|turn| turn.speaker == name && !command.is_empty())
        else {
            let results = vec![result];
            let call =
                ToolCall { name: "command".to_owned(), results, ..ToolCall::default() };
            self.start(lane, name, kind, Block::Tool(Box::new(call)), at);
            self.close(lane);
            return;
        };
        match turn.blocks.last_mut() {
            Some(Block::Tool(call)) if call.name == command => call.results.push(result),
            _ => {
                let (name, results) = (command, vec![result]);
                let call = ToolCall { name, results, ..ToolCall::default() };
                turn.blocks.push(Block::Tool(Box::new(call)));
            }
        }
    }

    fn unknown(&mut self, lane: usize, name: String, at: &Origin, who: (&str, Kind)) {
        self.tally.unknown_block(&name, at.place.file, at.start);
        let block = Block::Unknown { name, value: Value::Null };
        self.append(lane, block, at, who);
    }

    /// Adds to the turn of a speaker that is growing, or starts it.
    fn append(
        &mut self,
        lane: usize,
        block: Block,
        at: &Origin,
        (name, kind): (&str, Kind),
    ) {
        let open = self.lanes[lane].is_open;
        match self.lanes[lane].turns.last_mut() {
            Some(turn) if open && turn.speaker == name => turn.blocks.push(block),
            _ => self.start(lane, name, kind, block, at),
        }
    }

    fn answer(&mut self, lane: usize, answer: Answer, at: &Origin, voices: Voices<'_>) {
        let model = answer.model.as_deref().filter(|model| !model.starts_with('<'));
        if model.is_none() && answer.model.is_some() {
            // The program speaks in the place of the model.
            let text = plain(&answer.content);
            let text = without_hidden(&text, Author::Program).into_owned();
            if answer.is_error || !text.is_empty() && text != "No response requested." {
                self.event(lane, "error", text, None, at);
            }
            return;
        }
        {
            let lane = &mut self.lanes[lane];
            let is_new = answer.message.is_none() || answer.message != lane.message;
            if is_new && lane.size > MAX_TURN_BYTES {
                lane.is_open = false;
            }
        }
        let before = self.lanes[lane].turns.len();
        match &answer.content {
            Value::String(text) => self.text(lane, text, &answer, at, voices),
            Value::Array(blocks) => {
                for block in blocks {
                    self.answer_block(lane, block, &answer, at, voices);
                }
            }
            _ => {}
        }
        let who = (voices.answering, Kind::Assistant);
        if let Some(model) = model
            && self.lanes[lane].turns.len() > before
        {
            self.read.introduce(who.0, who.1);
            let known =
                self.read.participants.iter_mut().find(|known| known.name == who.0);
            if let Some(known) = known.filter(|known| known.model.is_none()) {
                known.model = Some(model.to_owned());
            }
        }
        self.lanes[lane].message.clone_from(&answer.message);
        self.take_usage(lane, &answer, at, voices.answering);
    }

    fn answer_block(
        &mut self,
        lane: usize,
        block: &Value,
        answer: &Answer,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let who = (voices.answering, Kind::Assistant);
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        if let (Some(message), true) =
            (&answer.message, kind == "text" || kind == "thinking")
        {
            // A log that was compacted or gone on with may have copies of old messages.
            let copy = Hash::of(&(message, kind, text("text"), text("thinking")));
            if !self.said.insert(copy) {
                return;
            }
        }
        match kind {
            "text" => self.text(lane, text("text"), answer, at, voices),
            "thinking" => {
                let text = without_hidden(text("thinking"), Author::Writer);
                let text = text.trim();
                if !text.is_empty() {
                    self.lanes[lane].size += text.len();
                    let text = text.to_owned();
                    self.append(lane, Block::Thinking { text }, at, who);
                }
            }
            "redacted_thinking" | "fallback" => {}
            "tool_use" | "server_tool_use" | "mcp_tool_use" => {
                self.call(lane, block, at, who);
            }
            "image" | "document" => {
                if let Some(block) = self.attachment(block) {
                    self.append(lane, block, at, who);
                }
            }
            kind if kind.ends_with("_tool_result") => {
                self.result(lane, block.clone(), &Value::Null, at, voices);
            }
            kind => self.unknown(lane, kind.to_owned(), at, who),
        }
    }

    fn text(
        &mut self,
        lane: usize,
        text: &str,
        _: &Answer,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let text = without_hidden(text, Author::Writer);
        let text = text.trim();
        if !text.is_empty() && text != "(no content)" {
            self.lanes[lane].size += text.len();
            let block = Block::Markdown { text: text.to_owned() };
            self.append(lane, block, at, (voices.answering, Kind::Assistant));
        }
    }

    /// Notes what a request took. The records of one message repeat it, or say more and more.
    fn take_usage(&mut self, lane: usize, answer: &Answer, at: &Origin, name: &str) {
        let lanes = &self.lanes[lane];
        let Some(turn) = lanes.turns.len().checked_sub(1) else { return };
        if lanes.turns[turn].speaker != name {
            return;
        }
        let number = |key: &str| answer.usage.get(key).and_then(Value::as_u64);
        let usage = Usage {
            model: answer.model.clone(),
            input_tokens: number("input_tokens"),
            cache_read_tokens: number("cache_read_input_tokens"),
            cache_write_tokens: number("cache_creation_input_tokens"),
            output_tokens: number("output_tokens"),
            reasoning_tokens: None,
            cost_usd: answer.cost,
            duration_ms: answer.duration,
        };
        if usage.is_empty() {
            return;
        }
        let message = answer.message.as_ref().or(at.id.as_ref());
        let known = message.and_then(|message| self.usage_by_message.get(message));
        match known.and_then(|known| self.usage.get_mut(*known)) {
            Some((.., known)) => greatest(known, usage),
            None => {
                if let Some(message) = message {
                    self.usage_by_message.insert(message.clone(), self.usage.len());
                }
                self.usage.push((lane, turn, usage));
            }
        }
    }

    fn duration(&mut self, lane: usize, duration: u64) {
        let Some(turn) = self.lanes[lane].turns.len().checked_sub(1) else { return };
        if !self.lanes[lane].turns[turn].speaker.is_empty() {
            let usage = Usage { duration_ms: Some(duration), ..Usage::default() };
            self.usage.push((lane, turn, usage));
        }
    }

    fn call(&mut self, lane: usize, block: &Value, at: &Origin, who: (&str, Kind)) {
        let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
        let (id, name) = (text("id").to_owned(), text("name").to_owned());
        if !id.is_empty() && self.calls.contains_key(&id) {
            return;
        }
        let input = block.get("input").cloned().unwrap_or_default();
        let told = |key: &str| input.get(key).and_then(Value::as_str);
        if let Some(prompt) = told("prompt") {
            let prompt = Hash::of(prompt.trim());
            self.starts.prompts.entry(prompt).or_default().push(id.clone());
        }
        if let Some(description) = told("description") {
            let kind = told("subagent_type").map(|kind| format!(" ({kind})"));
            let description = format!("{description}{}", kind.unwrap_or_default());
            self.starts.descriptions.insert(id.clone(), description);
        }
        if let (Some(member), Some(_)) = (told("name"), told("prompt")) {
            self.starts.names.insert(id.clone(), self::member(member));
        }
        self.lanes[lane].size += input.to_string().len();
        let action = tools::action(&name, &input, &self.tasks);
        let is_private = is_private(text("type"), &name, &input);
        let input = (!input.is_null()).then_some(input);
        let mut call =
            ToolCall { id: id.clone(), name, input, action, ..ToolCall::default() };
        if is_private {
            let input = call.input.take().unwrap_or_default();
            call.action = None;
            call.unpublished.insert(CONNECTOR.to_owned(), input);
        }
        self.append(lane, Block::Tool(Box::new(call)), at, who);
        let turn = self.lanes[lane].turns.len() - 1;
        let block = self.lanes[lane].turns[turn].blocks.len() - 1;
        if !id.is_empty() {
            self.calls.insert(id, CallPlace { lane, turn, block });
        }
    }

    /// Adds what came of a call. `told` is what the tool told the program of it.
    fn result(
        &mut self,
        lane: usize,
        block: Value,
        told: &Value,
        at: &Origin,
        voices: Voices<'_>,
    ) {
        let id = block.get("tool_use_id").and_then(Value::as_str).unwrap_or_default();
        self.note_starts(id, told);
        let content = block.get("content").cloned().unwrap_or_default();
        let (mut text, mut beside) = (String::new(), Vec::new());
        match &content {
            Value::String(said) => text.push_str(&without_hidden(said, Author::Program)),
            Value::Array(parts) => {
                for part in parts {
                    match part.get("type").and_then(Value::as_str) {
                        Some("image" | "document") => {
                            beside.extend(self.attachment(part));
                        }
                        _ => {
                            let said = part.get("text").and_then(Value::as_str);
                            // What the program tells the model of a subagent.
                            let said = said.or(part.as_str()).unwrap_or_default();
                            let said = &*without_hidden(said, Author::Program);
                            if !said.is_empty() && !said.starts_with("agentId: ") {
                                text.push_str(if text.is_empty() { "" } else { "\n\n" });
                                text.push_str(said);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        let is_error = block.get("is_error") == Some(&Value::Bool(true));
        let place = self.calls.get(id).copied();
        if let Some(call) = place.and_then(|place| self.call_at(place))
            && call.unpublished.contains_key(CONNECTOR)
        {
            let unpublished = Map::from_iter([("output".to_owned(), content)]);
            let state = state(is_error);
            let result = ToolResult { state, unpublished, ..ToolResult::default() };
            call.results.push(result);
            return;
        }
        let Some(place) = place else {
            // Nobody knows whether its tool is a connector.
            self.tally.orphan(at.place.file, at.start);
            let unpublished = Map::from_iter([("output".to_owned(), content)]);
            let state = state(is_error);
            let result = ToolResult { state, unpublished, ..ToolResult::default() };
            let (id, results) = (id.to_owned(), vec![result]);
            let call = ToolCall { id, results, ..ToolCall::default() };
            let who = (voices.answering, Kind::Assistant);
            self.append(lane, Block::Tool(Box::new(call)), at, who);
            return;
        };
        let mut text = self.shown(id, &text, at);
        let found = tools::pages_of(&content);
        let lane = &mut self.lanes[place.lane];
        lane.size += text.len();
        let Some(turn) = lane.turns.get_mut(place.turn) else { return };
        turn.blocks.extend(beside);
        let Some(Block::Tool(call)) = turn.blocks.get_mut(place.block) else { return };
        if let Some(action) = &mut call.action {
            tools::complete(action, told);
            match action {
                Action::Command { exit_code: code, .. } if is_error => {
                    if let Some((told, rest)) = exit_code(&text) {
                        (*code, text) = (Some(told), rest.to_owned());
                    }
                }
                Action::Search { results, .. } if results.is_empty() => *results = found,
                _ => {}
            }
        }
        if call.name == "TaskCreate" {
            self.tasks.extend(tools::made_task(&text));
        }
        match tools::rejection(&text) {
            Some(reason) if is_error => {
                let state = "rejected".to_owned();
                call.approvals.push(Approval { state, reason, ..Approval::default() });
            }
            _ => call.results.push(ToolResult {
                state: state(is_error),
                output: (!text.is_empty()).then(|| text.into()),
                ..ToolResult::default()
            }),
        }
    }

    fn call_at(&mut self, place: CallPlace) -> Option<&mut ToolCall> {
        let turn = self.lanes.get_mut(place.lane)?.turns.get_mut(place.turn)?;
        match turn.blocks.get_mut(place.block)? {
            Block::Tool(call) => Some(call),
            _ => None,
        }
    }

    /// Returns an output as it is shown.
    fn shown(&mut self, call: &str, text: &str, at: &Origin) -> String {
        let error = text.strip_prefix("<tool_use_error>");
        let error =
            error.and_then(|text| text.trim_end().strip_suffix("</tool_use_error>"));
        let text = error.unwrap_or(text);
        let Some(found) = persisted(text) else { return without_escapes(text) };
        match self.outputs.find(call, found.path) {
            Some(whole) => without_escapes(&without_hidden(whole, Author::Program)),
            None => {
                self.tally.cut_off(at.place.file, at.start);
                let start = without_escapes(found.preview);
                format!("{start}\n\n[The rest of this output is not in the log.]")
            }
        }
    }

    fn note_starts(&mut self, call: &str, told: &Value) {
        let text = |key: &str| told.get(key).and_then(Value::as_str).map(str::to_owned);
        let ids = [text("agentId"), text("agent_id")];
        for agent in ids.into_iter().flatten() {
            self.starts.agents.insert(agent, call.to_owned());
        }
        if let Some(run) = text("runId") {
            self.starts.runs.insert(run, call.to_owned());
        }
    }

    /// Something that the program added to a prompt.
    fn attached(&mut self, lane: usize, attached: &Map, at: &Origin) {
        let text = |key: &str| attached.get(key).and_then(Value::as_str);
        let name =
            text("displayPath").or_else(|| text("filename")).or_else(|| text("path"));
        let name = name.or_else(|| text("planFilePath")).unwrap_or_default();
        let inside = attached.get("content");
        let words = text("planContent").or_else(|| text("content")).or_else(|| {
            let file = inside?.get("file")?;
            file.get("content")?.as_str()
        });
        let is_plan = text("type") == Some("plan_file_reference");
        let detail =
            words.map(|words| match (is_plan, without_hidden(words, Author::Program)) {
                (true, words) => words.into_owned(),
                (false, words) => fenced("", &words),
            });
        let image = inside.and_then(|inside| inside.get("file")).and_then(|file| {
            let (data, kind) =
                (file.get("base64")?.as_str()?, file.get("type")?.as_str()?);
            Some((data.to_owned(), kind.to_owned()))
        });
        match image {
            Some((data, mime)) => {
                if let Some(block) = self.bytes(data, mime, Some(name)) {
                    self.start(lane, "", Kind::System, block, at);
                    self.close(lane);
                }
            }
            None => self.event(lane, "file", name.to_owned(), detail, at),
        }
    }

    fn summary(&mut self, lane: usize, mut text: String, at: &Origin) {
        strip_in(&mut text, Author::Writer);
        let detail = Some(text).filter(|text| !text.trim().is_empty());
        if let Some(turn) = self.lanes[lane].turns.last_mut()
            && let [Block::Event { name, detail: known @ None, .. }] =
                turn.blocks.as_mut_slice()
            && name == "compaction"
        {
            *known = detail;
            return;
        }
        self.event(lane, "compaction", compacted(""), detail, at);
    }

    /// Returns a picture or a document, unless it was there before.
    fn attachment(&mut self, block: &Value) -> Option<Block> {
        let source = block.get("source")?;
        let text = |key: &str| source.get(key).and_then(Value::as_str);
        let name = block.get("title").and_then(Value::as_str);
        match text("type") {
            Some("url") => {
                let url = text("url")?;
                let kind = AttachmentKind::Link;
                Some(attachment(
                    name.unwrap_or(url),
                    kind,
                    None,
                    Content::Uri(url.to_owned()),
                ))
            }
            Some("text") => {
                let text = fenced("", &without_hidden(text("data")?, Author::Program));
                Some(Block::Event {
                    name: "file".to_owned(),
                    text: name.unwrap_or_default().to_owned(),
                    detail: Some(text),
                })
            }
            _ => {
                self.bytes(text("data")?.to_owned(), text("media_type")?.to_owned(), name)
            }
        }
    }

    fn bytes(&mut self, data: String, mime: String, name: Option<&str>) -> Option<Block> {
        if !self.images.insert(Hash::of(&data)) {
            return None;
        }
        let kind = match mime.starts_with("image/") {
            true => AttachmentKind::Image,
            false => AttachmentKind::File,
        };
        let ending = mime.rsplit('/').next().unwrap_or_default();
        let ending = ending.split(['+', ';']).next().unwrap_or_default();
        let number = self.images.len();
        let what = if kind == AttachmentKind::Image { "image" } else { "file" };
        let made = format!("{what}-{number}.{ending}");
        let name = name.filter(|name| !name.is_empty()).unwrap_or(&made);
        Some(attachment(name, kind, Some(mime), Content::Base64(data)))
    }
}

fn attachment(
    name: &str,
    kind: AttachmentKind,
    mime: Option<String>,
    content: Content,
) -> Block {
    let name = name.to_owned();
    let (size, sha256, unpublished) = (None, None, Map::new());
    Block::Attachment(Box::new(Attachment {
        name,
        kind,
        mime,
        size,
        sha256,
        content,
        unpublished,
    }))
}

/// The key under which is kept what a private tool was given.
const CONNECTOR: &str = "input";

/// Returns whether a call is that of a tool that reads what is somebody's own.
fn is_private(kind: &str, name: &str, input: &Value) -> bool {
    let server = input.get("server").and_then(Value::as_str).unwrap_or_default();
    let server = server.replace(' ', "_");
    let reads = name.contains("McpResource");
    // What stands behind an address of somebody's own server.
    kind == "mcp_tool_use"
        || connectors::is_private(name)
        || reads && connectors::is_private(&format!("mcp__{server}"))
}

/// Returns the name of a member of a team, which is none of the names that others have.
fn member(name: &str) -> String {
    const TAKEN: [&str; 6] =
        ["user", "human", "claude", "assistant", "subagent", "system"];
    let name = name.trim();
    match TAKEN.contains(&name.to_lowercase().as_str()) {
        true => format!("{name} (agent)"),
        false => name.to_owned(),
    }
}

fn state(is_error: bool) -> String {
    if is_error { "failed".to_owned() } else { String::new() }
}

fn compacted(text: &str) -> String {
    let text =
        if text.trim().is_empty() { "Conversation compacted" } else { text.trim() };
    text.to_owned()
}

/// Takes the greater of each number.
fn greatest(known: &mut Usage, other: Usage) {
    fn max<T: PartialOrd>(known: &mut Option<T>, other: Option<T>) {
        if other > *known {
            *known = other;
        }
    }
    max(&mut known.input_tokens, other.input_tokens);
    max(&mut known.cache_read_tokens, other.cache_read_tokens);
    max(&mut known.cache_write_tokens, other.cache_write_tokens);
    max(&mut known.output_tokens, other.output_tokens);
    max(&mut known.cost_usd, other.cost_usd);
    max(&mut known.duration_ms, other.duration_ms);
}
