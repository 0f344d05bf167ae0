//! What a conversation without a title of its own may be called.
//!
//! In this order: the command that starts it, with its arguments and what it is about; the first heading
//! of the first prompt; its first sentences; the title or the first sentence of the first answer.

use super::prompt::{Prompt, says_enough, title_of_answer};
use crate::markup;
use crate::model::Kind;

/// The maximum length of a name in characters. A sentence is rarely longer.
const MAX_CHARS: usize = 240;
/// The maximum length of a command with its arguments, in characters.
const MAX_COMMAND_CHARS: usize = 80;
/// The number of texts before the first answer that may say what a conversation is about.
const MAX_TEXTS: usize = 12;

/// Commands that control the program and say nothing about the conversation.
const CONTROL: [&str; 60] = [
    "add-dir", "agents", "allowed-tools", "approvals", "bashes", "bug", "chatgpt", "clear",
    "compact", "config", "context", "copy", "cost", "doctor", "effort", "exit", "export",
    "extra-usage", "fast", "feedback", "fork", "help", "hooks", "ide", "install-github-app",
    "keybindings", "login", "logout", "mcp", "memory", "mobile", "model", "new", "output-style",
    "permissions", "plugin", "privacy-settings", "quit", "rate-limit-options", "release-notes",
    "reload", "remote-control", "rename", "resume", "rewind", "sandbox", "settings", "stats",
    "status", "statusline", "stickers", "tasks", "terminal-setup", "theme", "think-back", "todos",
    "upgrade", "usage", "vim", "voice",
];

/// Collects what a conversation may be called, text by text.
#[derive(Default)]
pub(crate) struct Naming {
    /// Who asks, and whether that is an assistant.
    asker: Option<(String, bool)>,
    /// The number of texts of the asker.
    texts: usize,
    /// The command that starts the conversation, with its arguments.
    command: Option<String>,
    /// The first command to the program.
    control: Option<String>,
    /// What the prompt says about its subject.
    prompt: Prompt,
    /// The title of the first answer.
    answer_title: Option<String>,
    /// The first sentence of the first answer.
    answer_line: Option<String>,
    is_answered: bool,
    /// Whether the first answer is complete.
    is_done: bool,
}

impl Naming {
    /// Reads the next text.
    pub(super) fn add_text(&mut self, speaker: &str, kind: Kind, source: &str, math: bool) {
        if self.is_done || !kind.talks() {
            return;
        }
        let is_assistant = kind == Kind::Assistant;
        // What an assistant says before the first prompt is a greeting.
        if !is_assistant && !self.is_answered && self.asker.as_ref().is_some_and(|who| who.1) {
            *self = Self::default();
        }
        let (asker, _) = self.asker.get_or_insert_with(|| (speaker.to_owned(), is_assistant));
        if asker != speaker {
            self.is_answered = true;
            self.add_answer(source, math);
        } else if self.is_answered || self.texts == MAX_TEXTS {
            self.is_done = true;
        } else {
            self.texts += 1;
            self.add_prompt(source, math);
        }
    }

    /// Returns whether later texts add nothing.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_done
    }

    fn add_prompt(&mut self, source: &str, math: bool) {
        let mut rest = source;
        if let Some((name, line, behind)) = command(source) {
            rest = behind;
            if CONTROL.contains(&name) {
                self.control.get_or_insert(line);
            } else if !self.has_prompt() || self.command.is_some() {
                self.command = Some(line);
                self.prompt = Prompt::default();
            }
        }
        if rest.trim().is_empty() || self.has_prompt() || self.prompt.is_template {
            return;
        }
        let prompt = Prompt::of(rest, math);
        if prompt.names.iter().any(|name| says_enough(name)) || self.prompt.names.is_empty() {
            self.prompt = prompt;
        }
    }

    fn has_prompt(&self) -> bool {
        self.prompt.names.iter().any(|name| says_enough(name))
    }

    fn add_answer(&mut self, source: &str, math: bool) {
        if self.answer_line.is_none() {
            self.answer_line = Prompt::of(source, math).names.into_iter().next();
        } else if self.command.is_none() {
            return;
        }
        if self.answer_title.is_none() {
            self.answer_title = title_of_answer(source, math);
        }
    }

    /// Returns what the conversation may be called, best first, each once.
    pub(crate) fn names(&self) -> Vec<String> {
        let Prompt { names, topic, branch, is_template } = &self.prompt;
        let mut all: Vec<String> = Vec::new();
        match &self.command {
            Some(command) => {
                let of_prompt = names.iter().find(|name| says_enough(name) && !is_template);
                let answer = self.answer_title.as_deref().and_then(|title| news(title, command));
                let topic = topic.as_ref().or(of_prompt).map(String::as_str);
                let topic = topic.or(answer).or(branch.as_deref());
                all.extend(topic.map(|topic| format!("{command} · {topic}")));
                all.push(command.clone());
            }
            None => {
                let answer = self.answer_title.iter().chain(&self.answer_line).take(1);
                all.extend(names.iter().chain(answer).cloned());
                if names.is_empty() {
                    all.extend(self.control.clone());
                }
            }
        }
        let mut short: Vec<String> = Vec::new();
        for name in all.into_iter().map(shortened) {
            if !short.contains(&name) {
                short.push(name);
            }
        }
        short
    }
}

/// Returns the name of the slash command that a text starts with, the command with its arguments, and the
/// text after it.
fn command(source: &str) -> Option<(&str, String, &str)> {
    let source = source.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_:.".contains(c);
    let code = source.strip_prefix("`/").and_then(|rest| rest.split_once('`'));
    let (inside, behind) = match code {
        Some(code) => code,
        // Without code marks, only a short line is a command.
        None => {
            let inside = source.strip_prefix('/')?;
            let is_short = !inside.contains('\n') && inside.split_whitespace().count() <= 3;
            (is_short.then_some(inside)?, "")
        }
    };
    let name = inside.split_whitespace().next().filter(|name| name.chars().all(is_name))?;
    let (arguments, rest) = behind.split_once('\n').unwrap_or((behind, ""));
    let is_line = rest.trim().is_empty() && arguments.chars().count() <= MAX_COMMAND_CHARS;
    let (arguments, rest) = if is_line { (arguments, "") } else { ("", behind) };
    let arguments = markup::scan(arguments, false).text;
    let words = inside.split_whitespace().chain(arguments.split_whitespace());
    let line = format!("/{}", words.collect::<Vec<_>>().join(" "));
    Some((name, line, rest))
}

/// Returns what a title says besides a command: nothing for "Code review" and `/code-review`, and what
/// follows the colon of "Code review: the pond".
fn news<'t>(title: &'t str, command: &str) -> Option<&'t str> {
    let command = command.to_lowercase();
    let is_known = |text: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.all(|word| command.contains(&word.to_lowercase()))
    };
    match title.split_once(": ") {
        Some((before, after)) if is_known(before) && !is_known(after) => Some(after.trim()),
        _ => Some(title).filter(|title| !is_known(title)),
    }
}

/// Returns a name of a bounded length: an endless sentence ends with a clause, or else with a word.
fn shortened(name: String) -> String {
    let Some((end, _)) = name.char_indices().nth(MAX_CHARS) else { return name };
    let kept = name.get(..end).unwrap_or_default();
    let clause = kept.rfind([',', ';', ':', '(', '–', '—']).filter(|at| *at >= end / 3);
    let end = clause.or_else(|| kept.rfind(' ').filter(|at| *at >= end / 3)).unwrap_or(end);
    kept.get(..end).unwrap_or(kept).trim_end().to_owned()
}
