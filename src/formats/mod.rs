//! Turns bytes into conversations, and back. Nothing after this module knows which format it was.
//!
//! Each format is one file or folder here and one row of [`ALL`].

mod aider;
mod account_name;
mod ai_studio;
mod alpaca;
mod assembly;
mod assets;
mod blocks;
mod captions;
mod channel;
mod chat;
mod chatgpt;
mod chibi;
mod cjson;
mod claude;
mod claude_code;
mod claude_design;
mod cline;
mod codex;
mod connectors;
mod continue_dev;
mod conv2md;
mod convo;
mod cursor;
mod copilot_cli;
mod decode;
mod deepseek;
mod discord;
mod entities;
mod editor;
mod forum;
mod front;
mod google_chat;
mod grok;
mod escapes;
mod gemini_cli;
mod gemini_parts;
mod gemini_takeout;
mod hidden_tags;
mod home;
mod html;
mod imessage;
mod irc;
pub mod kept;
mod keys;
mod le_chat;
mod librechat;
mod lm_studio;
mod llm;
mod left_out;
mod long_list;
mod losses;
mod mail;
mod markdown;
mod mattermost;
mod matrix;
mod messenger;
mod neutral;
mod oasst;
mod object;
mod open_webui;
mod openai_messages;
mod opencode;
mod otter;
mod page;
mod plain;
mod probe;
mod podcast_transcript;
mod records;
pub(crate) mod section;
mod sharegpt;
mod sillytavern;
mod slack;
mod signal;
pub(crate) mod sniff;
mod specstory;
mod srt;
mod thread;
mod stored;
mod teams;
mod telegram;
mod tree;
mod verbatim;
mod vcon;
pub(crate) mod visibility;
mod vlinder;
mod webvtt;
mod whatsapp;
mod whisper;
mod web_links;
mod written_date;
mod zed;
mod zulip;
mod vscode_copilot;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::diag::{Diagnostic, Lines, Note, Severity};
use crate::model::{Conversation, LogEnd, Schedule};
use crate::text::plural;

pub use self::assets::Assets;
pub use self::losses::{Loss, losses};
pub use self::probe::Probe;
pub(crate) use self::records::{LIST_KEYS, is_list_held_back};

/// A format in which conversations are stored.
pub struct Format {
    /// Kebab-case; what `convert --to` takes.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The label by which readers are told where a conversation comes from.
    pub source_label: &'static str,
    /// What people should know of it before they use it.
    pub about: About,
    /// How it is read; `None` for a format that is only written.
    pub read: Option<Read>,
    /// How it is written; `None` for the exports of other programs, which are only read.
    pub write: Option<Write>,
}

/// What people should know of a format. Sentences, with full stops.
pub struct About {
    /// What it is, and what its vendor calls it.
    pub what: &'static str,
    /// Where to find it: the way through menus, or a folder.
    pub find: &'static str,
    /// What is read of it.
    pub reads: &'static str,
    /// What is not read, or not shown.
    pub leaves_out: &'static str,
}

/// The reader of a format.
pub struct Read {
    /// How sure it is that a file is its own.
    pub claims: fn(&Probe<'_>) -> Claim,
    /// Reads a source that was claimed. It cannot fail: a broken one gives what could be read,
    /// and notes.
    pub parse: fn(source: &[File]) -> Parsed,
    /// Finds files that are one source together, by their names.
    pub gather: Option<fn(&Listing<'_>) -> Vec<Bundle>>,
    /// For a format whose files stand in repositories, whether a file of this name has a
    /// history that belongs to it. The disk shows such histories as files below `.git/`.
    pub history: Option<fn(name: &str) -> bool>,
    /// How a long source is read in parts.
    pub parts: Parts,
}

/// How a long source is read, so that it need not be in memory as a whole.
#[derive(Clone, Copy)]
pub enum Parts {
    /// All of it at once.
    Whole,
    /// It is one conversation, a JSON value in each line, which may be cut between two of them.
    Lines(fn(before: &str, after: &str) -> Cut),
    /// The same, where a line may name other files of the source that are understood with it only: those
    /// are read in its part.
    Log {
        /// The quality of the place between two lines.
        cut: fn(before: &str, after: &str) -> Cut,
        /// The names of files or folders, without endings, that a line needs.
        names: fn(line: &str) -> Vec<String>,
    },
    /// The names of a source's files decide.
    Choose(fn(names: &[&str]) -> Parts),
    /// It holds many conversations, each a JSON value: a line of a file of lines, or an element of
    /// the array that the file is or holds under a key. Of a long file every element is read by
    /// itself, as a [`File`] that holds nothing else and whose `is_continued` is set. A short one, and
    /// a source of several files, is read at once: the reader finds its elements.
    Records,
    /// It holds many conversations whose pieces stand anywhere in it, such as the mails of a thread.
    /// Where it is long, a look at all of its lines finds them, and then the pieces of one
    /// conversation are read at once, each as a [`File`].
    Pieces(fn() -> Box<dyn Finder>),
}

/// Finds the pieces of conversations in the lines of files, which it is shown one after the other.
pub trait Finder {
    /// Begins with the next file.
    fn file(&mut self, name: &str);
    /// Looks at a line with its end. Of one that is very long this is a part, and `is_start` tells
    /// whether it is the first one.
    fn line(&mut self, line: &[u8], is_start: bool);
    /// Returns the pieces of each conversation, and what there is to say of the others.
    fn finish(self: Box<Self>) -> (Vec<Vec<Piece>>, Vec<Note>);
}

/// A piece of a file that was found by a [`Finder`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The place of the file, in the order of the source.
    pub file: usize,
    /// The first byte.
    pub from: u64,
    /// The number of bytes.
    pub len: u64,
    /// The line, from 1, at which it starts.
    pub line: u32,
}

/// The quality of a place between two lines for a cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// Something new begins there.
    Good,
    /// What stands before and behind it belongs together less than lines elsewhere.
    Passable,
    /// It parts what is understood together only, such as a call and its result.
    Bad,
}

/// The writer of a format, for one conversation.
pub enum Write {
    /// As one file with this ending. `source` is the path of what it was read from.
    File(&'static str, fn(&Conversation, source: &str) -> String),
    /// As files in a folder of its own, by their paths below it.
    Folder(fn(&Conversation) -> Vec<(String, String)>),
}

/// Every format; of those that are equally sure of a file the upper one reads it.
pub const ALL: &[&Format] = &[
    &convo::FORMAT,
    &cjson::FORMAT,
    &chibi::FORMAT,
    &vlinder::FORMAT,
    &codex::FORMAT,
    &claude_code::FORMAT,
    &claude::FORMAT,
    &claude_design::FORMAT,
    &chatgpt::FORMAT,
    &open_webui::FORMAT,
    &deepseek::FORMAT,
    &grok::FORMAT,
    &librechat::FORMAT,
    &lm_studio::FORMAT,
    &sillytavern::FORMAT,
    &le_chat::FORMAT,
    &vcon::FORMAT,
    &cline::FORMAT,
    &cursor::FORMAT,
    &opencode::FORMAT,
    &continue_dev::FORMAT,
    &zed::FORMAT,
    &llm::FORMAT,
    &gemini_cli::FORMAT,
    &gemini_takeout::FORMAT,
    &vscode_copilot::FORMAT,
    &ai_studio::FORMAT,
    &copilot_cli::FORMAT,
    &conv2md::FORMAT,
    &specstory::FORMAT,
    &forum::hacker_news::FORMAT,
    &forum::reddit::FORMAT,
    &forum::discourse::FORMAT,
    &whatsapp::FORMAT,
    &slack::FORMAT,
    &discord::FORMAT,
    &mattermost::FORMAT,
    &zulip::FORMAT,
    &google_chat::FORMAT,
    &teams::FORMAT,
    &telegram::FORMAT,
    &messenger::FORMAT,
    &imessage::FORMAT,
    &irc::FORMAT,
    &mail::FORMAT,
    &signal::FORMAT,
    &matrix::FORMAT,
    &webvtt::FORMAT,
    &srt::FORMAT,
    &whisper::FORMAT,
    &podcast_transcript::FORMAT,
    &otter::FORMAT,
    &aider::FORMAT,
    &markdown::FORMAT,
    &oasst::FORMAT,
    &sharegpt::FORMAT,
    &alpaca::FORMAT,
    &openai_messages::FORMAT,
    &neutral::FORMAT,
];

/// What reads a plain page of the site, which is a text and no conversation.
pub const PAGE: &Format = &page::FORMAT;

/// Returns a text in which `~` stands for the home folders of people, if there are any in it.
pub fn without_homes(text: &str) -> Option<String> {
    home::hidden_in(text)
}

/// Returns the format of that name.
pub fn named(name: &str) -> Option<&'static Format> {
    let mut all = ALL.iter().copied().chain([PAGE, &section::FORMAT]);
    all.find(|format| format.name == name)
}

/// The claim of a format to a file; a surer claim is greater.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// It is not.
    No,
    /// It is not, although it looks as if it was meant to be.
    Almost(Note),
    /// Its name says so.
    Name,
    /// Its text has the shape.
    Shape,
    /// Its text says so.
    Signature,
}

impl Claim {
    fn certainty(&self) -> u8 {
        match self {
            Self::No | Self::Almost(_) => 0,
            Self::Name => 1,
            Self::Shape => 2,
            Self::Signature => 3,
        }
    }
}

/// A file of a source, decoded: UTF-8 with `\n` line ends. In mail each letter is a byte.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path below the folder of the source; its bare name when it stands alone.
    pub name: String,
    /// The decoded text.
    pub text: String,
    /// Whether what stands before it in its source is read by itself.
    pub is_continued: bool,
}

/// The names of the files of a folder, and a way to look into small ones.
pub struct Listing<'a> {
    /// Paths with `/`, sorted.
    pub names: &'a [&'a str],
    /// The text of one of them.
    pub text: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// The beginning of one of them: about so many bytes.
    pub head: &'a (dyn Fn(&str, usize) -> Option<String> + Sync),
    /// The length of one of them. Bytes.
    pub len: &'a (dyn Fn(&str) -> u64 + Sync),
}

impl<'a> Listing<'a> {
    /// One of names alone, whose files cannot be read.
    pub fn of_names(names: &'a [&'a str]) -> Self {
        Self { names, text: &|_| None, head: &|_, _| None, len: &|_| 0 }
    }
}

/// A bundle: files that are one source together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The path of the folder that they stand in.
    pub folder: String,
    /// Their paths, in the order in which they are read.
    pub files: Vec<String>,
    /// Files that are read behind these, and with other bundles as well: who is who in an export.
    pub shared: Vec<String>,
    /// Files that belong to it and are not read: derived from others, or for programs only.
    pub aside: Vec<String>,
    /// The one of these that says that all of it is private.
    pub private: Option<String>,
}

impl Bundle {
    /// One of a single file, which is known by what is in it, whatever its name is.
    fn of_one(file: &str) -> Self {
        Self {
            folder: String::new(),
            files: vec![file.to_owned()],
            shared: Vec::new(),
            aside: Vec::new(),
            private: None,
        }
    }
}

/// The result of parsing a source.
#[derive(Default, Debug)]
pub struct Parsed {
    /// The conversations, in the order of the source.
    pub conversations: Vec<Conversation>,
    /// Notes on it.
    pub notes: Vec<Note>,
}

/// Bytes of a file, or of a part of one, before they are decoded.
#[derive(Clone, Debug)]
pub struct Input {
    /// The path for people.
    pub path: String,
    /// See [`File::name`].
    pub name: String,
    /// The bytes to be read.
    pub bytes: Vec<u8>,
    /// The line of the file, from 1, at which the bytes start.
    pub first_line: u32,
    /// See [`File::is_continued`].
    pub is_continued: bool,
}

/// The endings of files that may be read as conversations. Other files in the content folder can
/// only be media.
pub const ENDINGS: &[&str] = &[
    ".convo",
    ".md",
    ".markdown",
    ".txt",
    ".json",
    ".jsonl",
    ".ndjson",
    ".vtt",
    ".srt",
    ".vcon",
    ".mbox",
    ".eml",
];

/// Endings of logs, which are read where what is in them leaves no doubt.
const LOG_ENDINGS: &[&str] = &[".log", ".weechatlog"];

/// Returns whether a file of that name is looked at for conversations.
pub fn is_looked_at(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    may_hold_conversations(name)
        || LOG_ENDINGS.iter().any(|ending| lower.ends_with(ending))
}

/// Returns whether a file of that name has one of the [`ENDINGS`].
pub fn may_hold_conversations(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns whether a file of that name holds a JSON value in each line, so that it need not be read
/// as a whole.
pub fn has_lines(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".jsonl") || name.ends_with(".ndjson")
}

/// Returns whether a file is known by its path alone as one of several that are one source
/// together.
pub fn gathers(format: &str, path: &str) -> bool {
    let gather = named(format).and_then(|format| format.read.as_ref()?.gather);
    gather.is_some_and(|gather| !gather(&Listing::of_names(&[path])).is_empty())
}

/// Returns the names of the files that a program keeps wherever its users work, hidden or not, for a
/// format of such a program: by them its conversations are found in a folder of projects.
pub fn names_in_projects(format: &str) -> &'static [&'static str] {
    match format {
        "aider" => &[aider::NAME],
        "cline" => &cline::NAMES,
        _ => &[],
    }
}

/// Returns whether the beginning of a file shows that its conversations are to be found piece by piece.
pub(crate) fn is_of_pieces(name: &str, head: &[u8]) -> bool {
    mail::is_mail(name, head)
}

/// Returns whether the bytes of a file are read as they are, since its encoding differs from place to
/// place.
fn keeps_bytes(format: Option<&Format>, input: &Input) -> bool {
    match format {
        Some(format) => format.name == mail::FORMAT.name,
        None => mail::is_mail(&input.name, &input.bytes),
    }
}

/// Finds the files of the exports in a folder whose conversations name files by ids, not by paths.
pub fn assets(listing: &Listing<'_>) -> Vec<Assets> {
    chatgpt::assets(listing)
}

/// Returns the number of bytes of a part of a log which stand before a place; `None` where all of
/// them do. The part starts behind `from` bytes of the log.
pub fn bytes_before(log: &[u8], from: u64, end: &LogEnd) -> Option<usize> {
    codex::bytes_before(log, from, end)
}

/// Returns the name of a file without its ending, and without another part that names a format:
/// `talk` of `talk.cjson.json`.
pub fn stem(name: &str) -> &str {
    let is_ending = |ending: &str| {
        ending.starts_with(|c: char| c.is_ascii_alphabetic())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let is_format = |ending: &str| named(&ending.to_ascii_lowercase()).is_some();
    without_ending(without_ending(name, is_ending), is_format)
}

fn without_ending(name: &str, is_one: impl Fn(&str) -> bool) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && is_one(ending) => stem,
        _ => name,
    }
}

/// Returns whether a file of that name has a history that belongs to it.
pub fn has_history(name: &str) -> bool {
    let histories = ALL.iter().filter_map(|format| format.read.as_ref()?.history);
    histories.into_iter().any(|has| has(name))
}

/// The bytes of a long file of JSON from which its format is detected.
pub(crate) const DETECT_BYTES: usize = 256 << 10;

/// Returns whether a text starts as JSON does.
pub(crate) fn opens_json(text: &str) -> bool {
    sniff::opens_json(text)
}

/// Finds the format of a file from its name and its text, with notes on what is in doubt. Of long
/// JSON the beginning is enough.
pub fn detect(name: &str, text: &str) -> (Option<&'static Format>, Vec<Note>) {
    let text = match text.len() > DETECT_BYTES && opens_json(text) {
        true => &text[..text.floor_char_boundary(DETECT_BYTES)],
        false => text,
    };
    if page::says_so(name, text) {
        return (Some(PAGE), Vec::new());
    }
    let probe = Probe::new(name, text);
    let mut best: Vec<(&'static Format, u8)> = Vec::new();
    let mut almost = Vec::new();
    for format in ALL {
        let Some(read) = &format.read else { continue };
        let claim = (read.claims)(&probe);
        let certainty = claim.certainty();
        if let Claim::Almost(note) = claim {
            almost.push(note);
        }
        if certainty > 0 && best.first().is_none_or(|(_, known)| certainty >= *known) {
            best.retain(|(_, known)| *known == certainty);
            best.push((format, certainty));
        }
    }
    let Some((format, certainty)) = best.first() else { return (None, almost) };
    // The keys of another program's export say more than a shape that it happens to have.
    if *certainty < Claim::Signature.certainty() && sniff::exporter(name, text).is_some()
    {
        return (None, almost);
    }
    let mut notes = Vec::new();
    if let Some((other, _)) = best.get(1) {
        let message = format!(
            "this could be `{}` or `{}`; it was read as `{}`",
            format.name, other.name, format.name
        );
        let note = Note::new(Severity::Warning, "ambiguous-format", None, message);
        notes.push(note.hint("name its format in a `[[source]]` of site.toml"));
    }
    (Some(format), notes)
}

/// Returns whether a file holds conversations, be it those of a program whose exports are not read,
/// or looks as if it did.
pub fn seems_a_conversation(name: &str, bytes: &[u8]) -> bool {
    let (text, _) = decode::decode(bytes.to_vec());
    let (format, almost) = detect(name, &text);
    format.is_some() || !almost.is_empty() || sniff::exporter(name, &text).is_some()
}

/// Returns bytes as text, as they are read.
pub fn decoded(bytes: &[u8]) -> String {
    decode::decode(bytes.to_vec()).0
}

/// Returns whether a text holds conversations, or is a part of an export, whatever its name is.
pub fn holds_conversations(name: &str, text: &str) -> bool {
    // Captions belong to films.
    let is_captions = [".vtt", ".srt"].iter().any(|ending| name.ends_with(ending));
    if may_hold_conversations(name) && !is_captions {
        let (format, almost) = detect(name, text);
        if format.is_some() || !almost.is_empty() {
            return true;
        }
    }
    // Code has rows that look like those of a talk.
    let is_code = sniff::is_code(name);
    let others: &[&str] = if is_code { &["a.json"] } else { &["a.json", "a.md"] };
    let is_read = |name: &&str| detect(name, text).0.is_some();
    others.iter().any(is_read) || sniff::is_export(name, text)
}

/// Returns what a text says of itself, above everything else: whether it is private, and when it may
/// be published.
pub fn access_of(name: &str, text: &str) -> (bool, Schedule) {
    let mut access = (false, Schedule::default());
    if !page::is_markdown(name) && front::split(text).0.is_none() {
        return access;
    }
    let input = Input {
        path: name.to_owned(),
        name: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
        first_line: 1,
        is_continued: false,
    };
    let (_, read, _) = parse(Some(PAGE), vec![input]);
    for read in read {
        access.0 |= read.private;
        access.1.add(&read.schedule);
    }
    access
}

/// Reads one file that stands alone: the conversations in it, and what there was to say.
pub fn read(file: &str, bytes: &[u8]) -> (Vec<Conversation>, Vec<Diagnostic>) {
    let name = file.rsplit('/').next().unwrap_or(file).to_owned();
    let input = Input {
        path: file.to_owned(),
        name,
        bytes: bytes.to_vec(),
        first_line: 1,
        is_continued: false,
    };
    let (_, conversations, notes) = parse(None, vec![input]);
    (conversations, notes)
}

/// Reads a source in `format`, or in the one that its first file shows. A file of no format gets a
/// note that tells what it looks like. Returns the format of the conversations.
pub fn parse(
    format: Option<&'static Format>,
    inputs: Vec<Input>,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let mut notes: Vec<Note> = Vec::new();
    let mut files = Vec::with_capacity(inputs.len());
    let mut origins = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.into_iter().enumerate() {
        let (text, more) = match keeps_bytes(format, &input) {
            true => (decode::kept(&input.bytes), Vec::new()),
            false => decode::decode(input.bytes),
        };
        notes.extend(more.into_iter().map(|note| note.in_file(index)));
        files.push(File { name: input.name, text, is_continued: input.is_continued });
        origins.push((input.path, input.first_line));
    }
    let Some(first) = files.first() else { return Default::default() };
    let (format, doubts) = match format {
        Some(format) => (Some(format), Vec::new()),
        None => detect(&first.name, &first.text),
    };
    let mut parsed = match format.and_then(|format| format.read.as_ref()) {
        Some(read) => catch_unwind(AssertUnwindSafe(|| (read.parse)(&files)))
            .unwrap_or_else(|panic| Parsed {
                conversations: Vec::new(),
                notes: vec![internal_error(panic.as_ref())],
            }),
        None => Parsed::default(),
    };
    if format.is_some_and(|format| is_silent(format, &files, &parsed)) {
        let message = "nobody says anything here";
        parsed.notes.push(Note::new(Severity::Hint, "no-turns", None, message));
    }
    parsed.notes.extend(doubts);
    if format.is_some_and(|format| format.write.is_none()) {
        // Nobody chose how long the files and lines of an export are.
        notes.retain(|note| !matches!(note.code, "large-file" | "long-line"));
        parsed.conversations.iter_mut().for_each(hidden_tags::strip_calls);
    }
    if format.is_none() {
        // Not ours: how it is encoded is nobody's business either.
        notes.clear();
        if parsed.notes.is_empty() {
            parsed.notes.push(sniff::note(&files[0].name, files[0].text.as_bytes()));
        }
    }
    notes.append(&mut parsed.notes);
    for turn in parsed.conversations.iter_mut().flat_map(Conversation::all_turns_mut) {
        turn.place.line += origins.get(turn.place.file).map_or(0, |(_, line)| line - 1);
    }
    let lines: Vec<Lines<'_>> = files.iter().map(|file| Lines::new(&file.text)).collect();
    let notes = few_of_each(notes).into_iter().map(|note| {
        let index = note.file.min(files.len() - 1);
        let (path, first_line) = &origins[index];
        let mut note = note.locate(path, &lines[index]);
        if let Some(span) = note.at.as_mut().and_then(|at| at.span.as_mut()) {
            span.line += first_line - 1;
        }
        note
    });
    let notes = notes.collect();
    (format, parsed.conversations, notes)
}

/// Returns whether nothing came of a whole source, and nothing was said of it.
fn is_silent(format: &Format, files: &[File], parsed: &Parsed) -> bool {
    let is_read_at_once = format
        .read
        .as_ref()
        .is_some_and(|read| matches!(read.parts, Parts::Whole | Parts::Records));
    is_read_at_once
        && files.iter().all(|file| !file.is_continued)
        && parsed.notes.is_empty()
        && parsed.conversations.iter().all(|read| {
            read.turns.is_empty() && read.preface.is_empty() && read.left_out.is_empty()
        })
}

/// The most notes of one code that are listed one by one.
const MAX_NOTES_PER_CODE: usize = 10_000;

/// Keeps the first notes of each code and, where there are too many, tells how many more.
fn few_of_each(mut notes: Vec<Note>) -> Vec<Note> {
    if notes.len() <= MAX_NOTES_PER_CODE {
        return notes;
    }
    let mut counts: BTreeMap<(&str, Severity), u64> = BTreeMap::new();
    notes.retain(|note| {
        let count = counts.entry((note.code, note.severity)).or_default();
        *count += 1;
        *count <= MAX_NOTES_PER_CODE as u64
    });
    for ((code, severity), count) in counts {
        if let Some(more) =
            count.checked_sub(MAX_NOTES_PER_CODE as u64).filter(|more| *more > 0)
        {
            let message = format!(
                "`{code}` is to be said of {}",
                plural(more, "more place", "more places")
            );
            notes.push(Note::new(severity, "more-notes", None, message));
        }
    }
    notes
}

/// Turns a panic into a note. It is our bug; it costs one conversation and not the site.
fn internal_error(panic: &(dyn std::any::Any + Send)) -> Note {
    let what = panic_message(panic);
    Note::new(Severity::Error, "internal", None, format!("the reader failed: {what}"))
        .hint("this is a bug of convo-site; the rest of the site is still built")
}

/// Returns the text that a panic carries.
pub(crate) fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
