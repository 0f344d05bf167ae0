//! Messages under construction: interprets each line, and removes duplicates.

use std::collections::HashMap;

use super::head::head;
use super::lines::{NO_FILE, PREVIEW, is_effect, is_file, is_sticker, is_unsent, reaction};
use crate::shared::people::channel::{
    Contacts, Message, NamedFile, event_block, is_place, notices, or_placeholder, plain, react,
    without_places,
};
use crate::shared::tally::Tally;
use convo_base::model::{Block, Place, Reaction};
use convo_base::text::base_name;
use convo_base::time::Time;

/// The messages of a file, in file order.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    file: usize,
    list: Vec<Draft>,
    /// The people named in events.
    pub(super) called: Vec<String>,
}

/// A message.
#[derive(Debug, Default)]
pub(super) struct Draft {
    stamp: String,
    time: Option<Time>,
    line: u32,
    sender: String,
    /// The index of the message that it replies to.
    answers: Option<usize>,
    /// Text that is not a block yet.
    words: String,
    blocks: Vec<Block>,
    reactions: Vec<Reaction>,
    /// The offset in the text at which the current version of an edited message begins.
    version: Option<usize>,
    is_edited: bool,
    /// Whether it was deleted.
    is_gone: bool,
    /// Whether it is a reply, which may also appear below the message it replies to.
    is_answer: bool,
}

/// The replacement for a location in text.
pub(super) const PLACE: &str = "(a place)";

impl Drafts {
    pub(super) fn new(file: usize) -> Self {
        Self { file, ..Self::default() }
    }

    /// Adds a message with nothing but its header, and returns its index.
    pub(super) fn open(
        &mut self,
        (stamp, time, line): (&str, Option<Time>, u32),
        sender: &str,
        answers: Option<usize>,
    ) -> usize {
        let (stamp, sender) = (stamp.trim().to_owned(), sender.trim().to_owned());
        let draft = Draft { stamp, time, line, sender, answers, ..Draft::default() };
        self.list.push(draft);
        self.list.len() - 1
    }

    /// Adds an event.
    pub(super) fn add_event(&mut self, at: (&str, Option<Time>, u32), text: &str) {
        let text = match text.strip_prefix("You ") {
            Some(deed) => format!("Me {deed}"),
            None => text.to_owned(),
        };
        notices::each_named(&text, &mut |name| self.called.push(name.to_owned()));
        let number = self.open(at, "", None);
        self.list[number].blocks.push(event_block("notice", text));
    }

    /// Returns a message by index.
    pub(super) fn get(&mut self, number: usize) -> &mut Draft {
        &mut self.list[number]
    }

    /// Returns all messages. Replies are placed where they were sent.
    pub(super) fn messages(self, contacts: &mut Contacts) -> Vec<Message> {
        let mut answers: HashMap<(String, String), u64> = HashMap::new();
        for draft in self.list.iter().filter(|draft| draft.answers.is_some()) {
            *answers.entry((draft.stamp.clone(), draft.sender.clone())).or_default() += 1;
        }
        let mut counts: HashMap<String, u64> = HashMap::new();
        let ids: Vec<String> = self.list.iter().map(|draft| id(draft, &mut counts)).collect();
        let mut messages = Vec::with_capacity(self.list.len());
        for (number, draft) in self.list.into_iter().enumerate() {
            let is_alone = draft.answers.is_none();
            if draft.is_answer && is_alone {
                let key = (draft.stamp.clone(), draft.sender.clone());
                let known = answers.get_mut(&key).filter(|count| **count > 0);
                if let Some(count) = known {
                    *count -= 1;
                    continue;
                }
            }
            let answered = draft.answers.and_then(|answered| ids.get(answered)).cloned();
            let place = Place { file: self.file, line: draft.line, quoted: false };
            messages.push(Message {
                id: ids[number].clone(),
                answers: answered,
                place,
                ..draft.message(contacts)
            });
        }
        messages
    }
}

/// Returns an id made of the time, and a number in case several messages have the same second.
fn id(draft: &Draft, counts: &mut HashMap<String, u64>) -> String {
    let count = counts.entry(draft.stamp.clone()).or_default();
    *count += 1;
    format!("imessage {} {count}", draft.stamp)
}

/// Returns whether a text is from an app that shares a location: its name, and its URL below.
fn is_shared(words: &str) -> bool {
    let (above, last) = words.rsplit_once('\n').unwrap_or(("", words));
    !above.contains('\n') && is_place(last) && !last.trim().contains(' ')
}

impl Draft {
    /// Reads a line of a text.
    pub(super) fn line(&mut self, line: &str, tally: &mut Tally) {
        let bare = line.trim();
        if bare == "This message was deleted from the conversation!" {
            self.is_gone = true;
        } else if bare == "This message responded to an earlier message." {
            self.is_answer = true;
        } else if let Some(version) = self.first(bare) {
            self.version(version, tally);
        } else if let Some((_, words)) = self.later(bare) {
            self.version(words, tally);
        } else if !(self.effect(bare, tally) || self.unsent(bare) || self.event(bare)) {
            match is_file(bare) {
                true => self.file(bare, tally),
                false => self.push_text(line),
            }
        }
    }

    /// Adds text.
    pub(super) fn push_text(&mut self, words: &str) {
        self.words.push_str(words);
        self.words.push('\n');
    }

    /// Adds Markdown.
    pub(super) fn put(&mut self, text: String) {
        self.flush();
        if !text.trim().is_empty() {
            self.blocks.push(Block::Markdown { text });
        }
    }

    /// Marks the message as deleted.
    pub(super) fn delete(&mut self) {
        self.is_gone = true;
    }

    /// Marks the message as a reply.
    pub(super) fn answer(&mut self) {
        self.is_answer = true;
    }

    /// Marks the message as edited, with the number of earlier versions that are not shown.
    pub(super) fn edit(&mut self, earlier: usize, tally: &mut Tally) {
        self.is_edited |= earlier > 0;
        for _ in 0..earlier {
            tally.not_shown("earlier version of a message", "earlier versions of messages");
        }
    }

    /// Reads the first version of an edited message: a time and text.
    fn first<'a>(&self, line: &'a str) -> Option<&'a str> {
        let words = head(line)?.rest;
        (!words.is_empty() && self.version.is_none()).then_some(words)
    }

    /// Reads `Edited 15 seconds later: words` after a first version.
    fn later<'a>(&self, line: &'a str) -> Option<(&'a str, &'a str)> {
        self.version?;
        line.strip_prefix("Edited ")?.split_once(" later: ")
    }

    /// Adds a version, which replaces the one before.
    fn version(&mut self, words: &str, tally: &mut Tally) {
        match self.version {
            Some(at) => {
                self.words.truncate(at);
                self.edit(1, tally);
            }
            None => self.version = Some(self.words.len()),
        }
        self.push_text(words);
    }

    /// Adds the reaction on a line: `Loved by Ada`.
    pub(super) fn react(&mut self, line: &str) -> bool {
        let Some(emoji) = reaction(line.trim()) else { return false };
        react(&mut self.reactions, emoji, 1);
        true
    }

    /// Skips a line that describes a visual effect.
    pub(super) fn effect(&mut self, line: &str, tally: &mut Tally) -> bool {
        if is_effect(line) {
            tally.not_shown("effect", "effects");
        }
        is_effect(line)
    }

    /// Reads `Ada unsent this message part 4 seconds after sending!`.
    pub(super) fn unsent(&mut self, line: &str) -> bool {
        let is_unsent = is_unsent(line);
        if is_unsent {
            self.flush();
            self.blocks.push(event_block("deleted", ""));
        }
        is_unsent
    }

    /// Reads a line for an event.
    fn event(&mut self, line: &str) -> bool {
        let block = match line {
            "Started sharing location!" | "Stopped sharing location!" => {
                event_block("location", "")
            }
            "SharePlay Message" => event_block("notice", "SharePlay"),
            // The end of the event above.
            "Ended" if self.words.is_empty() && !self.blocks.is_empty() => return true,
            _ if is_sticker(line) => event_block("sticker", ""),
            _ => return false,
        };
        self.flush();
        self.blocks.push(block);
        true
    }

    /// Adds a sticker.
    pub(super) fn stick(&mut self) {
        self.flush();
        self.blocks.push(event_block("sticker", ""));
    }

    /// Adds a file by its path or name.
    pub(super) fn file(&mut self, path: &str, tally: &mut Tally) {
        self.flush();
        let path = path.trim();
        let name = base_name(path);
        if name.ends_with(PREVIEW) {
            tally.not_shown("link preview", "link previews");
            return;
        }
        if name.to_ascii_lowercase().ends_with(".vcf") {
            self.blocks.push(event_block("contact", ""));
            return;
        }
        let is_copied = path.contains('/') && !path.starts_with(['/', '~', '.']);
        let name = if NO_FILE.contains(&path) { "" } else { name };
        let address = Some(path).filter(|path| is_copied && !path.contains(".."));
        let file = NamedFile { name, address, ..NamedFile::default() };
        self.blocks.push(file.block(tally));
    }

    /// Adds a location without its details.
    pub(super) fn place(&mut self) {
        self.flush();
        self.blocks.push(event_block("location", ""));
    }

    /// Turns the text so far into a block.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        self.version = None;
        let words = words.trim_matches('\n');
        match without_places(words, PLACE) {
            Some(rest) if rest.is_empty() || is_shared(words) => {
                self.blocks.push(event_block("location", ""));
            }
            Some(words) => self.blocks.extend(plain(&words)),
            None => self.blocks.extend(plain(words)),
        }
    }

    fn message(mut self, contacts: &mut Contacts) -> Message {
        self.flush();
        let mut blocks = match self.is_gone {
            true => vec![event_block("deleted", "")],
            false => or_placeholder(self.blocks),
        };
        for block in &mut blocks {
            if let Block::Event { text, .. } = block {
                *text = contacts.without_numbers(text);
            }
        }
        Message {
            sender: self.sender,
            time: self.time,
            blocks,
            reactions: self.reactions,
            is_edited: self.is_edited,
            ..Message::default()
        }
    }
}
