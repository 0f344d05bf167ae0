//! Messages in the user role of Claude Code: what the person typed, and what Claude Code adds in tags, such as
//! commands and their output. Its logs and exports of its sessions contain the same texts.

mod pieces;

pub(crate) use self::pieces::{Piece, pieces};

use super::turns::agent_name;
use crate::shared::access::hidden_tags::{Author, without_hidden};
use crate::shared::access::tool_access::{Owner, owner, some_call};
use crate::shared::text::blocks::closed;
use crate::shared::text::escapes::without_escapes;
use convo_base::model::{Action, Block, ToolCall, ToolResult};

/// What a piece of a message adds to a conversation.
pub(crate) enum Addition {
    /// A block of the person.
    Own(Block),
    /// The output of a command, as a call of that command.
    Output(Box<ToolCall>),
    /// A block that belongs to the output before it.
    Beside(Block),
    /// A message from another agent of a team, with its name.
    Teammate(String, String),
    /// An event without a speaker.
    Event(Block),
}

/// The last command of the person, which is empty if they typed something else or the model answered since.
/// Notices and events between a command and its output do not change it.
#[derive(Clone, Default)]
pub(crate) struct LastCommand(String);

/// The name of calls whose command is not known.
const COMMAND: &str = "command";

/// The maximum length of arguments that are shown beside their command, in characters.
const MAX_ARGUMENTS: usize = 80;

impl LastCommand {
    /// Splits a message into pieces, and adds text for the model to `hidden`. After the command of a server, anything
    /// but a command, output or an interruption is text of the server.
    pub(crate) fn pieces(&mut self, text: &str, hidden: &mut Vec<String>) -> Vec<Piece> {
        let is_expected = |piece: &Piece| match piece {
            Piece::Command { name, .. } => !name.is_empty(),
            Piece::Output { .. } => true,
            piece => piece.is_interruption(),
        };
        let before = hidden.len();
        let found = pieces(text, hidden);
        let is_own = found.first().is_some_and(Piece::is_interruption);
        if !self.gets_prompt_from_server() || is_own || found.iter().all(is_expected) {
            return found;
        }
        hidden.truncate(before);
        vec![Piece::Words(text.to_owned())]
    }

    /// Returns what a piece adds. `assistant` is the name of the agent that leads a team.
    pub(crate) fn additions(&mut self, piece: Piece, assistant: &str) -> Vec<Addition> {
        match piece {
            // A server writes this text in place of the command.
            Piece::Words(text) if self.gets_prompt_from_server() => self.output(&text, false),
            Piece::Words(text) => {
                // The same command without tags.
                let first =
                    text.split_whitespace().next().filter(|word| word.starts_with("/mcp__"));
                vec![self.own(markdown(&text), first.unwrap_or_default())]
            }
            Piece::Command { name, arguments } => {
                let texts = command(&name, arguments).into_iter();
                texts.map(|text| self.own(markdown(&text), &name)).collect()
            }
            Piece::Shell(command) => {
                let name = "Bash".to_owned();
                let action = Some(Action::Command { command, exit_code: None });
                let call = ToolCall { name, action, ..ToolCall::default() };
                vec![self.own(Block::Tool(Box::new(call)), "Bash")]
            }
            Piece::Output { text, is_error } => self.output(&text, is_error),
            Piece::Teammate { name, text } => {
                let name = match name.trim() {
                    "" => "Teammate".to_owned(),
                    "team-lead" => assistant.to_owned(),
                    name => agent_name(name, assistant),
                };
                vec![Addition::Teammate(name, text)]
            }
            Piece::Event(event) => {
                if event.is_interruption() {
                    self.0.clear();
                }
                vec![Addition::Event(event)]
            }
        }
    }

    /// Returns what a file in a message adds. A server can send files in place of its command.
    pub(crate) fn file(&self, block: Block) -> Vec<Addition> {
        match block {
            Block::Attachment(mut file) if self.gets_prompt_from_server() => {
                file.call = some_call(true);
                let call = ToolCall { name: self.0.clone(), ..ToolCall::default() };
                vec![Addition::Output(Box::new(call)), Addition::Beside(Block::Attachment(file))]
            }
            Block::Event { text, detail, .. } if self.gets_prompt_from_server() => {
                self.output(&detail.unwrap_or(text), false)
            }
            block => vec![Addition::Own(block)],
        }
    }

    /// Returns whether the person's last message was a command.
    pub(crate) fn is_known(&self) -> bool {
        !self.0.is_empty()
    }

    /// Returns whether the person's last message was a command such as `/review`.
    pub(crate) fn is_slash_command(&self) -> bool {
        self.0.starts_with('/')
    }

    fn own(&mut self, block: Block, command: &str) -> Addition {
        command.clone_into(&mut self.0);
        Addition::Own(block)
    }

    /// Returns whether the next text is the prompt that a server returned for the command.
    pub(crate) fn gets_prompt_from_server(&self) -> bool {
        self.is_known() && owner("claude-code", &self.0) != Owner::Author
    }

    fn output(&self, text: &str, is_error: bool) -> Vec<Addition> {
        let text = without_escapes(text);
        if text.trim().is_empty() || text.trim() == "(no content)" {
            return Vec::new();
        }
        let result = ToolResult {
            state: if is_error { "failed".to_owned() } else { String::new() },
            output: Some(text.into()),
            ..ToolResult::default()
        };
        let name = if self.0.is_empty() { COMMAND } else { &self.0 }.to_owned();
        let call = ToolCall { name, results: vec![result], ..ToolCall::default() };
        vec![Addition::Output(Box::new(call))]
    }
}

/// Returns the event of a text that Claude Code wrote in place of an answer of a model, unless it says nothing.
pub(crate) fn in_place_of_answer(text: &str, is_error: bool) -> Option<Block> {
    let text = without_hidden(text, Author::Program).trim().to_owned();
    let says_something = is_error || !text.is_empty() && text != "No response requested.";
    says_something.then(|| Block::Event { name: "error".to_owned(), text, detail: None })
}

/// Returns a text as a block that does not swallow what follows it.
fn markdown(text: &str) -> Block {
    Block::Markdown { text: closed(text).into_owned() }
}

/// Returns the Markdown of a command, with long arguments below it.
fn command(name: &str, arguments: String) -> Vec<String> {
    let is_short = !arguments.contains(['\n', '`']) && arguments.chars().count() <= MAX_ARGUMENTS;
    let code = |text: &str| format!("`{}`", text.trim().replace('`', "'"));
    let texts = match (name, is_short) {
        ("", _) => vec![arguments],
        (_, true) => vec![code(&format!("{name} {arguments}"))],
        (_, false) => vec![code(name), arguments],
    };
    texts.into_iter().filter(|text| !text.is_empty()).collect()
}

/// Adds the output of a command to the call of the same name before it. Without such a call, returns a new one.
pub(crate) fn add_output(last: Option<&mut Block>, output: Box<ToolCall>) -> Option<Block> {
    match last {
        Some(Block::Tool(known)) if known.name == output.name && output.name != COMMAND => {
            known.results.extend(output.results);
            None
        }
        _ => Some(Block::Tool(output)),
    }
}
