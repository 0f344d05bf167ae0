//! The log that aider writes beside the code: `.aider.chat.history.md`.
//!
//! ```text
//! # aider chat started at 2026-03-04 10:00:00      opens a session
//!
//! > /home/ada/.venv/bin/aider mill.py              text of aider; each line has two spaces at its
//! > Model: gpt-5 with diff edit format               end
//!
//! #### grind finer                                 text of the user, with the same two spaces
//!
//! I set the stones closer.                         the answer
//!
//! > Tokens: 5,244 sent, 604 received. Cost: $0.02 message, $0.02 session.
//! ```
//!
//! Answers and code contain headings and quotations, too, but without the two trailing spaces. If an editor
//! removed these spaces from a log, lines of the user are recognised after lines of aider.

use std::collections::HashSet;

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::agents::editor::{closes_replace, edit, opens_search};
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::tally::{EMPTY, no_messages};
use crate::shared::text::dates;
use crate::shared::text::front;
use convo_base::diag::{Note, Severity};
use convo_base::fences::Fence;
use convo_base::model::{Action, Block, ToolCall, ToolResult, Usage, fenced};
use convo_base::text::base_name;
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "aider",
    title: "aider chat history",
    source_label: "aider",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Chat histories of aider, a coding agent in a terminal: one file per project, with all its sessions.",
        find: "`.aider.chat.history.md` in the folder of a project; `convo-site import --from aider ~/code` finds all \
               files in a folder, even though they are hidden.",
        reads: "Each session as a conversation: questions, answers, edits as diffs, messages about files, commits and commands, \
                tokens, costs and models.",
        leaves_out: "The command line, path and settings that aider was started with, and sessions without messages. \
                     aider does not record its time zone.",
    },
    read: Some(Read::new(claims, parse).names_in_projects(&[NAME])),
    write: None,
};

/// The file name of the log.
const NAME: &str = ".aider.chat.history.md";

/// The text before the name of a file that was edited.
const APPLIED: &str = "Applied edit to ";

/// The text before the time in the line that opens a session.
const START: &str = "# aider chat started at ";

/// The start of the settings that `--verbose` shows.
const SETTINGS: &str = "Command Line Args:";

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let (_, body) = front::split(text);
    let body = text.get(body..).unwrap_or_default();
    let mut lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    let opens = lines.next().is_some_and(|line| started(line).is_some());
    let is_named = name.rsplit('/').next() == Some(NAME);
    let is_there = || body.lines().any(|line| started(line).is_some());
    // There is a line of the user or of aider.
    let speaks = || body.lines().any(|line| line.starts_with("#### ") || line.starts_with("> "));
    match (opens, is_named) {
        (true, true) => Claim::Signature,
        (true, false) if speaks() => Claim::Signature,
        (true, false) => Claim::Shape,
        // The start of the log may be missing.
        (false, true) if is_there() || speaks() => Claim::Signature,
        _ => Claim::No,
    }
}

/// Returns the time in the line that opens a session.
fn started(line: &str) -> Option<Time> {
    let time = line.strip_prefix(START)?.trim_end();
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
    (shape == "9999-99-99 99:99:99").then(|| dates::iso(time)).flatten()
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut notes = Vec::new();
        log(&file.text, index, &mut parsed, &mut notes);
        parsed.notes.extend(notes.into_iter().map(|note| note.in_file(index)));
    }
    parsed
}

/// Reads a log with all its sessions.
fn log(text: &str, file: usize, parsed: &mut Parsed, notes: &mut Vec<Note>) {
    let mut common = convo_base::model::Conversation::default();
    let (front, body) = front::split(text);
    if let Some(range) = front {
        front::read(text, range, &mut common, notes);
    }
    front::access_at(text, body, notes).apply(&mut common);
    let mut number = text[..body].matches('\n').count() as u32;
    let mut silent = 0;
    let mut open = Log::new(file, &common);
    for line in text[body..].lines() {
        number += 1;
        let rest = &text[line.as_ptr() as usize - text.as_ptr() as usize..];
        match started(line) {
            Some(time) => {
                let done = std::mem::replace(&mut open, Log::new(file, &common));
                open.session.read.time = Some(time);
                silent += done.finish(parsed, notes);
            }
            None => open.line(line, rest, number),
        }
    }
    silent += open.finish(parsed, notes);
    if parsed.conversations.is_empty() {
        let note = no_messages(Severity::Warning);
        notes.push(note.hint("delete the log if it is empty"));
    } else if silent > 0 {
        notes.push(Note::counted(EMPTY, "", silent, None));
    }
}

/// The speaker of the lines that are being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Person,
    Program,
    Assistant,
}

/// A session that is being read.
struct Log {
    session: Turns,
    /// The lines of one speaker, and their position.
    lines: Vec<String>,
    start: u32,
    voice: Voice,
    /// Whether there was a message yet.
    is_open: bool,
    /// Whether lines end with two spaces, as aider writes them.
    is_marked: bool,
    model: Option<String>,
    /// The question of a preceding command, which aider repeats.
    asked: Option<String>,
    /// The preceding shell command, whose output follows.
    command: Option<String>,
    output: Output,
    /// Whether the settings that aider was started with are being read.
    is_settings: bool,
}

/// The output of a command, or a message of several lines. aider writes `> ` only before its first line,
/// and two spaces only after its last line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// No output is being read.
    None,
    /// The last line has not been read yet.
    Open,
    /// A line ended with two spaces, and may have been the last one.
    Ended,
    /// A blank line follows it. Another paragraph belongs to the text if it ends with two spaces.
    Left,
}

impl Log {
    fn new(file: usize, common: &convo_base::model::Conversation) -> Self {
        let mut session = Turns::new(file, "aider");
        session.read = common.clone();
        Self {
            session,
            lines: Vec::new(),
            start: 1,
            voice: Voice::Program,
            is_open: false,
            is_marked: false,
            model: None,
            asked: None,
            command: None,
            output: Output::None,
            is_settings: false,
        }
    }

    /// Reads a line, with which `rest` begins.
    fn line(&mut self, line: &str, rest: &str, number: u32) {
        let is_marked = line.ends_with("  ");
        self.is_marked |= is_marked && line.starts_with(['#', '>']);
        let quote = line.strip_prefix('>').filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let head =
            line.strip_prefix("####").filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let bare = |rest: &str| rest.strip_prefix(' ').unwrap_or(rest).trim_end().to_owned();
        if self.is_printed(rest, is_marked, head.or(quote).is_some()) {
            return self.add(Voice::Program, line.trim_end().to_owned(), number);
        }
        let is_first = !self.is_open && self.voice != Voice::Person;
        if let Some(printed) = quote.filter(|_| is_first) {
            self.is_settings = bare(printed).starts_with(SETTINGS);
            if self.is_settings {
                return self.session.count_hidden();
            }
        }
        match (head, quote) {
            // Nobody answers before the first question.
            (None, None) if is_first && self.session.read.time.is_some() => {
                match line.trim().is_empty() {
                    true => self.flush(),
                    false if self.is_settings => {}
                    false => self.add(Voice::Program, line.trim_end().to_owned(), number),
                }
            }
            (None, Some(printed)) if self.is_first_of_several(printed, is_marked) => {
                self.output = if is_marked { Output::Ended } else { Output::Open };
                self.add(Voice::Program, bare(printed), number);
            }
            (Some(text), _) if is_marked || self.is_unmarked_user_text() => {
                self.add(Voice::Person, bare(text), number);
            }
            (_, Some(reported)) if is_marked || self.is_unmarked_aider_text(reported) => {
                self.add(Voice::Program, bare(reported), number);
            }
            // A blank line separates text of the user from text of aider.
            _ if line.trim().is_empty() && self.voice != Voice::Assistant => self.flush(),
            _ => self.add(Voice::Assistant, line.to_owned(), number),
        }
    }

    /// Returns whether text of aider may have several lines: it reports a commit, or a shell command of the
    /// user directly precedes.
    fn is_first_of_several(&self, printed: &str, is_marked: bool) -> bool {
        let is_command =
            || self.voice == Voice::Person && command_of(self.lines.join("\n").trim()).is_some();
        self.is_marked && (is_commit(printed) || !is_marked && is_command())
    }

    /// Returns whether the first line of `rest` is part of text of aider with several lines.
    fn is_printed(&mut self, rest: &str, is_marked: bool, is_quoted: bool) -> bool {
        let paragraph = rest.lines().take_while(|line| !line.trim().is_empty());
        let is_blank = rest.lines().next().is_none_or(|line| line.trim().is_empty());
        self.output = match self.output {
            Output::None => Output::None,
            _ if is_marked && is_quoted => Output::None,
            Output::Left if is_blank => Output::Left,
            Output::Left if !paragraph.last().is_some_and(|line| line.ends_with("  ")) => {
                Output::None
            }
            Output::Ended if is_blank => Output::Left,
            Output::Open if !is_marked || is_blank => Output::Open,
            _ if is_marked => Output::Ended,
            _ => Output::Open,
        };
        self.output != Output::None
    }

    /// Returns whether a heading without trailing spaces is text of the user.
    fn is_unmarked_user_text(&self) -> bool {
        let is_behind = self.lines.is_empty() || self.voice != Voice::Assistant;
        !self.is_marked && is_behind && self.session.last() != Some(Who::Person)
            || !self.is_marked && self.voice == Voice::Person && !self.lines.is_empty()
    }

    /// Returns whether a quotation without trailing spaces is text of aider.
    fn is_unmarked_aider_text(&self, text: &str) -> bool {
        const KNOWN: [&str; 8] = [
            " Applied edit to ", " Did not apply ", " Skipping edits ", " Creating empty file ",
            " Tokens: ", " Commit ", " Added ", " You can use /undo ",
        ];
        !self.is_marked
            && (self.voice != Voice::Assistant || KNOWN.iter().any(|known| text.starts_with(known)))
    }

    fn add(&mut self, voice: Voice, line: String, number: u32) {
        if voice != self.voice {
            self.flush();
        }
        if self.lines.is_empty() {
            (self.voice, self.start) = (voice, number);
        }
        self.lines.push(line);
    }

    /// Adds the collected lines of one speaker.
    fn flush(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        let at = At { line: self.start, ..At::default() };
        match self.voice {
            _ if lines.iter().all(|line| line.trim().is_empty()) => {}
            Voice::Person => self.user_text(&lines.join("\n"), at),
            Voice::Program => self.aider_text(&lines, at),
            Voice::Assistant => {
                self.session.turn(Who::Assistant, at);
                self.answered(&lines);
                (self.asked, self.command) = (None, None);
            }
        }
    }

    /// Adds an answer, in which edits are search and replacement blocks.
    fn answered(&mut self, lines: &[String]) {
        let mut words: Vec<&str> = Vec::new();
        let mut path = String::new();
        // The fence around a block.
        let mut open = None;
        // A block must have an end.
        let last = lines.iter().rposition(|line| closes_replace(line));
        let last = last.unwrap_or_default();
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let is_block = at < last && opens_search(line);
            let find = || lines[at..].iter().position(|line| closes_replace(line));
            let Some(length) = is_block.then(find).flatten() else {
                at += 1;
                let fence = Fence::of(line.trim());
                match fence.zip(open).is_some_and(|(fence, open)| fence.closes(open)) {
                    true => open = None,
                    false => words.push(line),
                }
                continue;
            };
            if let Some(fence) = words.last().and_then(|line| Fence::of(line.trim())) {
                open = Some(fence.mark);
                words.pop();
            }
            if let Some(name) = words.last().and_then(|line| file_name(line)) {
                path = name.to_owned();
                words.pop();
            }
            self.session.say(&words.join("\n"));
            words.clear();
            self.session.call(ToolCall {
                name: "edit".to_owned(),
                action: edit(path.clone(), &lines[at..=at + length].join("\n")),
                ..ToolCall::default()
            });
            at += length + 1;
        }
        self.session.say(&words.join("\n"));
    }

    fn user_text(&mut self, text: &str, at: At) {
        self.is_open = true;
        let text = text.trim();
        // Only the Enter key was pressed.
        if text == "<blank>" || self.asked.take().is_some_and(|asked| asked == text) {
            return;
        }
        let asked = text.strip_prefix('/').and_then(|rest| rest.split_once(' '));
        self.asked = asked.map(|(_, asked)| asked.trim().to_owned());
        self.command = command_of(text);
        self.session.turn(Who::Person, at);
        self.session.say(text);
    }

    /// Reads text of aider: usage, and actions.
    fn aider_text(&mut self, lines: &[String], at: At) {
        let mut own_lines: Vec<&str> = Vec::new();
        for line in lines.iter().map(|line| line.trim_end()) {
            if let Some(model) = model(line) {
                self.model = Some(model.to_owned());
            }
            match usage(line) {
                Some(usage) if self.session.last() == Some(Who::Assistant) => {
                    self.session.add_usage(&Usage { model: self.model.clone(), ..usage });
                }
                _ if !self.is_open && is_start(line) => {
                    self.session.cwd.get_or_insert_with(|| line.to_owned());
                }
                _ => own_lines.push(line),
            }
        }
        while own_lines.last().is_some_and(|line| line.is_empty()) {
            own_lines.pop();
        }
        let Some((first, rest)) = own_lines.split_first() else { return };
        if let Some(command) = self.command.take() {
            self.session.turn(Who::Assistant, at);
            let output = Some(own_lines.join("\n").trim_end().into());
            return self.session.call(ToolCall {
                name: "run".to_owned(),
                action: Some(Action::Command { command, exit_code: None }),
                results: vec![ToolResult { output, ..ToolResult::default() }],
                ..ToolCall::default()
            });
        }
        if self.session.last() != Some(Who::Assistant) {
            self.session.turn(Who::Program, at);
        }
        self.applied(&own_lines);
        let detail = (!rest.is_empty()).then(|| fenced("", &rest.join("\n")));
        let text = (*first).trim().to_owned();
        self.session.push(Block::Event { name: "aider".to_owned(), text, detail });
    }

    /// Records which of the last proposed edits aider reports as applied.
    fn applied(&mut self, lines: &[&str]) {
        let names = lines.iter().filter_map(|line| line.trim().strip_prefix(APPLIED));
        let names: HashSet<&str> = names.collect();
        let Some(turn) = self.session.turn_mut() else { return };
        let is_proposed = |block: &&mut Block| !matches!(block, Block::Event { .. });
        for block in turn.blocks.iter_mut().rev().take_while(is_proposed) {
            let Block::Tool(call) = block else { continue };
            let Some(Action::Edit { files }) = &call.action else { continue };
            if files.iter().all(|file| names.contains(file.path.as_str())) {
                let state = "succeeded".to_owned();
                call.results.push(ToolResult { state, ..ToolResult::default() });
            }
        }
    }

    /// Adds the session to the result; returns 1 if it has no messages.
    fn finish(mut self, parsed: &mut Parsed, notes: &mut Vec<Note>) -> u64 {
        self.flush();
        let is_one = self.session.read.time.is_some() || self.is_open;
        match self.session.done(&[], notes) {
            Some(read) => parsed.conversations.push(read),
            None => return u64::from(is_one),
        }
        0
    }
}

/// Returns the file name if a line contains nothing else, marked up or not.
fn file_name(line: &str) -> Option<&str> {
    let name = line.trim().trim_matches(|c| "*`:#".contains(c)).trim();
    let is_one = name.contains(['.', '/']) && name.len() < 300;
    (is_one && !name.contains(char::is_whitespace)).then_some(name)
}

/// Returns the shell command in a message of the user: `/run make`, `/test make`, `!make`.
fn command_of(text: &str) -> Option<String> {
    let run = ["/run ", "/test ", "/git ", "!"];
    let start = run.iter().find(|start| text.starts_with(**start))?;
    let git = if *start == "/git " { "git " } else { "" };
    let command = text.get(start.len()..)?.trim();
    Some(format!("{git}{command}")).filter(|_| !command.is_empty() && !text.contains('\n'))
}

/// Returns whether aider reports a commit, such as `Commit 12ab34c feat: grease the wheel`.
fn is_commit(text: &str) -> bool {
    let hash = text.trim_start().strip_prefix("Commit ").and_then(|rest| rest.split_once(' '));
    hash.is_some_and(|(hash, _)| {
        hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Returns whether a line is the command line of aider: its path and arguments.
fn is_start(line: &str) -> bool {
    let command = line.split(' ').next().unwrap_or_default();
    let name = base_name(command);
    let is_path = command.len() > name.len();
    is_path && ["aider", "aider.exe", "aider.py", "__main__.py", "main.py"].contains(&name)
}

/// Returns the model of a line such as `Main model: gpt-5 with diff edit format`.
fn model(line: &str) -> Option<&str> {
    let starts = ["Main model: ", "Models: ", "Model: "];
    let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
    rest.split_once(" with ").map(|(model, _)| model.trim())
}

/// Reads the usage in a line such as `Tokens: 5.2k sent, 604 received. Cost: $0.02 message, $0.02 session.`
fn usage(line: &str) -> Option<Usage> {
    let rest = line.strip_prefix("Tokens: ")?;
    let (tokens, cost) = rest.split_once(" Cost: ").unwrap_or((rest, ""));
    let mut usage = Usage::default();
    for part in tokens.trim_end_matches('.').split(", ") {
        let (number, what) = part.split_once(' ')?;
        let number = count(number)?;
        match what {
            "sent" => usage.input_tokens = Some(number),
            "received" => usage.output_tokens = Some(number),
            "cache write" => usage.cache_write_tokens = Some(number),
            "cache hit" => usage.cache_read_tokens = Some(number),
            _ => return None,
        }
    }
    let price = cost.split(' ').next().and_then(|price| price.strip_prefix('$'));
    usage.cost_usd = price.and_then(|price| price.parse().ok()).filter(|cost| *cost >= 0.0);
    Some(usage)
}

/// Reads a number such as `5,244`, `5.2k` or `18k`.
fn count(text: &str) -> Option<u64> {
    let text = text.replace(',', "");
    match text.strip_suffix('k') {
        None => text.parse().ok(),
        Some(thousands) => {
            let (whole, part) = thousands.split_once('.').unwrap_or((thousands, "0"));
            let part: u64 = part.get(..1)?.parse().ok()?;
            whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(part * 100)
        }
    }
}
