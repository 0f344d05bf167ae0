//! Reads a session file and the history of its repository.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::super::{Bundle, File, Listing, Parsed};
use super::path::{Timelines, session_name};
use crate::shared::access::visibility::{self, Scope};
use crate::shared::json::object::{Object, document, lines_of};
use crate::shared::tally::no_messages;
use crate::shared::text::dates;
use convo_base::diag::{Note, Severity};
use convo_base::hash::Hash;
use convo_base::json::{self, Map, Value, type_of};
use convo_base::model::{Conversation, Kind, Place, Turn};

/// Returns every session file that has a history, with its history.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut bundles: BTreeMap<String, Bundle> = BTreeMap::new();
    let mut logs = Vec::new();
    for name in listing.names {
        let Some((folder, inside)) = split_git(name) else { continue };
        let parts = inside.split_once('/').and_then(|(what, rest)| match what {
            "branches" => rest.rsplit_once('/').map(|(_, file)| (false, file)),
            "log" => Some((true, rest.strip_suffix(".jsonl").unwrap_or(rest))),
            _ => None,
        });
        let Some((is_log, file)) = parts else { continue };
        let path = format!("{folder}{file}");
        let bundle = bundles.entry(path.clone()).or_insert_with(|| {
            let exists = listing.names.binary_search(&path.as_str()).is_ok();
            let files = Some(path.clone()).filter(|_| exists).into_iter().collect();
            Bundle {
                folder: folder.to_owned(),
                files,
                aside: Vec::new(),
                shared: Vec::new(),
                private: None,
                neighbours: None,
            }
        });
        if is_log {
            logs.push((path, (*name).to_owned()));
        } else {
            bundle.files.push((*name).to_owned());
        }
    }
    // If the default branch is not checked out, it is still the main timeline.
    for bundle in bundles.values_mut() {
        let is_main = |path: &String| {
            ["main/", "master/"].iter().any(|name| path.contains(&format!(".git/branches/{name}")))
        };
        bundle.files.sort_by_key(|path| !is_main(path));
    }
    for (path, log) in logs {
        if let Some(bundle) = bundles.get_mut(&path) {
            bundle.files.push(log);
        }
    }
    bundles
        .into_values()
        .filter(|bundle| bundle.files.iter().any(|path| path.ends_with(".json")))
        .collect()
}

/// Returns the folder of a repository, and the path below its `.git/`.
fn split_git(name: &str) -> Option<(&str, &str)> {
    match name.find("/.git/") {
        Some(at) => Some((&name[..=at], &name[at + 6..])),
        None => name.strip_prefix(".git/").map(|inside| ("", inside)),
    }
}

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut marks = PrivateMarks::default();
    let parsed = read(files, &mut marks);
    // Earlier branches were read before the marks of later ones were known.
    let is_known = marks.entries.is_empty() || files.len() == 1;
    if is_known { parsed } else { read(files, &mut marks) }
}

/// Entries that are marked as private in one branch, and must not be published from other branches either.
#[derive(Default)]
struct PrivateMarks {
    /// Whether the whole session is private.
    session: bool,
    /// The marked entries by content, with the numbers of the files that mark them.
    entries: HashMap<Hash, BTreeSet<usize>>,
}

impl PrivateMarks {
    /// Returns whether an entry of this file is marked, here or in another branch.
    fn hold_back(&mut self, entry: &Object<'_>, file: usize, notes: &mut Vec<Note>) -> bool {
        let text = |key: &str| entry.get(key).and_then(Value::as_str).map(words);
        let key = Hash::of(&["user", "agent"].map(text));
        if entry.is_withheld(notes) {
            self.entries.entry(key).or_default().insert(file);
            return true;
        }
        // If a branch contains the same text twice, only one of them may be marked.
        self.entries.get(&key).is_some_and(|files| files.iter().any(|other| *other != file))
    }
}

/// Returns a text with single spaces between its words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Reads the session without marked entries, and collects further marks.
fn read(files: &[File], marks: &mut PrivateMarks) -> Parsed {
    let mut parsed = Parsed::default();
    let mut read: Option<(Conversation, Timelines)> = None;
    let commits = Commits::new(commits(files, &mut parsed.notes));
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.name.ends_with(".json")) {
        let mut notes = Vec::new();
        let Some(mut session) = session(file, index, &commits, marks, &mut notes) else {
            parsed.notes.append(&mut notes);
            continue;
        };
        match &mut read {
            None => {
                let timelines = Timelines::new(&mut session);
                parsed.notes.append(&mut notes);
                read = Some((session, timelines));
            }
            Some((read, timelines)) => {
                // Problems in the shared part were already reported.
                let branch = split_git(&file.name).map_or("", |(_, inside)| inside);
                let name = branch.trim_start_matches("branches/");
                let name = name.rsplit_once('/').map_or(name, |(branch, _)| branch);
                session.participants.iter().for_each(|who| read.introduce(&who.name, who.kind));
                timelines.add(read, name, session.turns);
            }
        }
    }
    let private = marks.session;
    parsed.conversations.extend(read.map(|(read, _)| Conversation { private, ..read }));
    parsed
}

/// Returns the ids of the commits that touched the session, with their message trailers.
fn commits(files: &[File], notes: &mut Vec<Note>) -> Vec<(String, Map)> {
    let mut commits = Vec::new();
    for (index, file) in files.iter().enumerate().filter(|(_, file)| file.name.ends_with(".jsonl"))
    {
        for line in file.text.lines() {
            let Ok((commit, _)) = json::parse(line) else {
                let note =
                    Note::new(Severity::Warning, "bad-history", None, "a commit cannot be read");
                notes.push(note.in_file(index));
                continue;
            };
            let text = |key: &str| commit.get(key).and_then(Value::as_str).unwrap_or_default();
            commits.push((text("id").to_owned(), trailers(text("message"))));
        }
    }
    commits
}

/// Returns the `Key: value` lines of the last paragraph of a commit message.
fn trailers(message: &str) -> Map {
    let last = message.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let rows = last.lines().filter_map(|line| line.split_once(": "));
    rows.filter(|(key, _)| !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '-'))
        .map(|(key, value)| (key.to_owned(), value.trim().into()))
        .collect()
}

fn session(
    file: &File,
    index: usize,
    commits: &Commits,
    marks: &mut PrivateMarks,
    notes: &mut Vec<Note>,
) -> Option<Conversation> {
    let text = file.text.as_str();
    let value = document(text, 0..text.len(), index, notes)?;
    let at = json::locate(text, &[]);
    let Value::Object(map) = value else {
        let message = format!("a session must be an object, not {}", type_of(&value));
        notes.push(Note::error("wrong-type", at.start..at.start + 1, message).in_file(index));
        return None;
    };
    let mut object = Object::new(map, text, index, at);
    marks.session |= object.holds_back("private", &["history"], notes);
    let mut withheld = Withheld::default();
    let mut read = Conversation { id: object.text("session", notes), ..Default::default() };
    if read.id.is_none() {
        notes.push(object.missing(Severity::Warning, "session"));
    }
    let bare = file.name.rsplit('/').next().unwrap_or_default();
    let named = session_name(bare);
    let agent = object.text("agent", notes);
    if let (Some(agent), Some((_, other, _))) = (&agent, named)
        && agent != other
    {
        let message =
            format!("the file name has the agent `{other}`, but the session has `{agent}`");
        notes.push(object.note(Severity::Warning, "names-differ", "agent", message));
    }
    let agent = agent.or_else(|| named.map(|(_, agent, _)| agent.to_owned()));
    let agent = agent.unwrap_or_else(|| "Agent".to_owned());
    let list = match object.array("history", notes) {
        Some(list) => list,
        None => {
            if !object.has("history") {
                notes.push(object.missing(Severity::Warning, "history"));
            }
            Vec::new()
        }
    };
    let lines = lines_of(text, list.iter().map(|(_, at)| at.start));
    for ((number, element), line) in list.into_iter().enumerate().zip(lines) {
        let path = format_args!("history.{number}");
        let Some(entry) = object.element(element, path, "entry", notes) else { continue };
        if marks.hold_back(&entry, index, notes) {
            withheld.add(&entry);
            continue;
        }
        let place = Place { file: index, line, quoted: true };
        history_entry(entry, &agent, place, &mut read, notes);
    }
    open_question(&mut object, index, &withheld, &mut read, notes);
    attach(commits, &mut read);
    withheld.add_by_trailers(&mut read);
    if let Some(first) = withheld.first {
        notes.push(visibility::withheld_turns_note(withheld.count, first).in_file(index));
    }
    read.time = read.turns.iter().find_map(|turn| turn.time.clone()).or_else(|| {
        // An unknown time is written as the start of 1970.
        let known = |name: &(&str, &str, &str)| !name.0.starts_with("1970-01-01T00-00-00");
        let (time, ..) = named.filter(known)?;
        dates::stamp(time)
    });
    read.introduce(&agent, Kind::Assistant);
    read.unpublished = object.rest();
    if read.turns.is_empty() {
        let note = no_messages(Severity::Warning);
        let note = note.in_file(index).hint("delete the session if it is empty");
        notes.extend(Some(note).filter(|_| withheld.count == 0));
        return None;
    }
    Some(read)
}

/// Entries of the history that must not be shown.
#[derive(Default)]
struct Withheld {
    count: usize,
    first: Option<Range<usize>>,
    /// The questions in them.
    questions: Vec<String>,
}

impl Withheld {
    fn add(&mut self, entry: &Object<'_>) {
        self.count += 1;
        self.first.get_or_insert_with(|| entry.start());
        let asked = entry.get("user").and_then(Value::as_str);
        self.questions.extend(asked.map(str::to_owned));
    }

    /// Removes turns whose commits are marked.
    fn add_by_trailers(&mut self, read: &mut Conversation) {
        let before = read.turns.len();
        read.turns.retain(|turn| {
            // Trailers are checked even if they are not shown.
            let trailers = turn.extra.iter().chain(&turn.unpublished);
            let texts = trailers.filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
            !visibility::holds_back(&visibility::read_access_of_fields(texts, Scope::Turn))
        });
        self.count += before - read.turns.len();
        if self.count > 0 {
            self.first.get_or_insert(0..0);
        }
    }
}

fn history_entry(
    mut entry: Object<'_>,
    agent: &str,
    place: Place,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let time = entry.time("at", notes);
    let submission = entry.text("submission", notes);
    let texts = ["user", "agent"].map(|key| entry.text(key, notes));
    if let [Some(_), Some(_)] = texts {
        let message =
            format!("`{}` has both `user` and `agent`", entry.name().trim_end_matches('.'));
        let note = entry.note(Severity::Warning, "both-speak", "", message);
        notes.push(note.hint("it was read as a question and its answer"));
    }
    if let [None, None] = texts {
        let name = entry.name().trim_end_matches('.').to_owned();
        let message = format!("`{name}` has neither `user` nor `agent`");
        let note = entry.note(Severity::Error, "missing-key", "", message);
        notes.push(note.hint("only this entry is skipped"));
        return;
    }
    let mut rest = entry.rest();
    for (key, text) in ["user", "agent"].into_iter().zip(texts) {
        let Some(text) = text else { continue };
        let (speaker, kind) =
            if key == "user" { ("User", Kind::Person) } else { (agent, Kind::Assistant) };
        read.introduce(speaker, kind);
        let mut turn = Turn { time: time.clone(), place, ..Turn::from_text(speaker, text) };
        if key == "user"
            && let Some(submission) = &submission
        {
            turn.extra.insert("submission".to_owned(), submission.clone().into());
        }
        turn.unpublished = std::mem::take(&mut rest);
        read.turns.push(turn);
    }
}

/// Adds `open`, the pending question, which is the last one in the history or comes after it.
fn open_question(
    object: &mut Object<'_>,
    file: usize,
    withheld: &Withheld,
    read: &mut Conversation,
    notes: &mut Vec<Note>,
) {
    let Some(open) = object.text("open", notes) else { return };
    if withheld.questions.iter().any(|asked| words(asked) == words(&open)) {
        return;
    }
    let last = read.turns.last_mut().filter(|turn| turn.speaker == "User" && turn.text() == open);
    match last {
        Some(turn) => turn.pending = true,
        None => {
            read.introduce("User", Kind::Person);
            let place = Place { file, line: 1, quoted: true };
            read.turns.push(Turn { pending: true, place, ..Turn::from_text("User", open) });
        }
    }
}

/// The trailers that the program writes. Others, such as `Signed-off-by`, contain names and e-mail
/// addresses.
const PUBLISHED_TRAILERS: [&str; 3] = ["Session", "Submission", "State"];

/// The trailers of commits, by the fields that turns refer to. Of several with the same key, the first one
/// is used.
struct Commits {
    by_id: HashMap<String, Map>,
    by_submission: HashMap<String, Map>,
}

impl Commits {
    fn new(commits: Vec<(String, Map)>) -> Self {
        let (mut by_id, mut by_submission) = (HashMap::new(), HashMap::new());
        for (id, trailers) in commits {
            if let Some(named) = trailers.get("Submission").and_then(Value::as_str) {
                let known: &mut Map = by_submission.entry(named.to_owned()).or_default();
                for (key, value) in &trailers {
                    known.entry(key.clone()).or_insert_with(|| value.clone());
                }
            }
            by_id.entry(id).or_insert(trailers);
        }
        Self { by_id, by_submission }
    }
}

/// Adds to every turn the trailers of its commit. The commit of a question is its submission, and the
/// commit of an answer names that submission.
fn attach(commits: &Commits, read: &mut Conversation) {
    let mut submission: Option<String> = None;
    for turn in &mut read.turns {
        let found = match turn.extra.get("submission").and_then(Value::as_str) {
            Some(id) => {
                submission = Some(id.to_owned());
                commits.by_id.get(id)
            }
            None => {
                let submission = submission.take();
                submission.and_then(|id| commits.by_submission.get(&id))
            }
        };
        for (key, value) in found.into_iter().flatten() {
            let is_shown = PUBLISHED_TRAILERS.contains(&key.as_str());
            let map = if is_shown { &mut turn.extra } else { &mut turn.unpublished };
            map.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
}
