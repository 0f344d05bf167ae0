//! Converts sessions to conversations.

use std::collections::{HashMap, HashSet};

use super::super::{File, Parsed};
use super::agents::{self, Agent};
use super::entry::{Entry, Log, TitleKind, What, log};
use super::files::{self, FileKind, Outputs};
use super::lanes::lanes;
use super::talk::{Talk, Voices};
use super::withheld::Withheld;
use crate::shared::access::home;
use crate::shared::agents::turns::BranchStart;
use crate::shared::tally::{Tally, WITHHELD, no_messages};
use convo_base::diag::{Note, Severity};
use convo_base::json::Value;
use convo_base::model::Conversation;
use convo_base::time::Time;

/// The log of a session, or of a subagent without its session.
struct Session {
    /// Its path without the extension.
    path: String,
    log: Log,
    agents: Vec<Agent>,
}

pub(super) fn parse(source: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut tally = Tally::default();
    let is_continued = source.first().is_some_and(|file| file.is_continued);
    let mut sessions = sessions(source, is_continued, &mut tally, &mut parsed.notes);
    sort(&mut sessions);
    let (outputs, about) = (Outputs::of(source), files::about(source));
    // The session that shows each record.
    let mut shown: HashMap<String, usize> = HashMap::new();
    let mut ids: Vec<Option<String>> = Vec::new();
    for (number, mut session) in sessions.into_iter().enumerate() {
        let id = id_of(&session);
        let mut parent = None;
        session.log.entries.retain(|entry| {
            let copied = entry.id.as_ref().and_then(|id| shown.get(id));
            parent = copied.copied().or(parent);
            copied.is_none()
        });
        let known = session.log.entries.iter().filter_map(|entry| entry.id.clone());
        shown.extend(known.map(|id| (id, number)));
        let mut talk = Talk::new(&mut tally, &outputs);
        talk.turns.read.id.clone_from(&id);
        talk.turns.read.parent = parent.and_then(|parent| ids.get(parent).cloned().flatten());
        ids.push(id);
        let read = conversation(talk, session, &about, is_continued);
        parsed.conversations.extend(read);
    }
    parsed.notes.extend(tally.notes());
    let has_errors = parsed.notes.iter().any(|note| note.severity == Severity::Error);
    if parsed.conversations.is_empty() && !has_errors && !is_continued {
        let note = no_messages(Severity::Hint);
        parsed.notes.push(note);
    }
    parsed
}

/// Reads the logs of a source. Without a session, each subagent is a conversation of its own; if the
/// session is in an earlier part, the subagents are added to an empty session.
fn sessions(
    source: &[File],
    is_continued: bool,
    tally: &mut Tally,
    notes: &mut Vec<Note>,
) -> Vec<Session> {
    let kind = |index: usize, file: &File| match files::kind(&file.name) {
        // A file that was detected by its contents is a log, whatever its name.
        FileKind::Aside if index == 0 => FileKind::Session,
        kind => kind,
    };
    let mut all: Vec<Session> = Vec::new();
    let mut agents: Vec<(&str, Log)> = Vec::new();
    for (index, file) in source.iter().enumerate() {
        match kind(index, file) {
            FileKind::Session => all.push(Session {
                path: without_extension(&file.name).to_owned(),
                log: log(source, index, tally, notes),
                agents: Vec::new(),
            }),
            FileKind::Agent => {
                agents.push((&file.name, log(source, index, tally, notes)));
            }
            _ => {}
        }
    }
    if all.is_empty() && is_continued {
        all.push(Session { path: String::new(), log: Log::default(), agents: Vec::new() });
    }
    if all.is_empty() {
        let alone = agents.into_iter().map(|(name, log)| Session {
            path: without_extension(name).to_owned(),
            log,
            agents: Vec::new(),
        });
        return alone.collect();
    }
    for (name, log) in agents {
        let named = log.entries.iter().find_map(|entry| entry.session.as_deref());
        let named = named.unwrap_or_default();
        let is_its = |session: &Session| {
            let inside = name.strip_prefix(&session.path);
            inside.is_some_and(|inside| inside.starts_with('/'))
                || files::stem(&session.path) == named
        };
        let place = all.iter().position(is_its).unwrap_or(0);
        let id = files::agent_id(name).to_owned();
        let run = files::run_of(name).map(str::to_owned);
        all[place].log.is_private |= log.is_private;
        all[place].log.withheld.extend(log.withheld);
        all[place].agents.push(Agent { id, entries: log.entries, run, beside: None });
    }
    all
}

fn without_extension(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Sorts sessions so that each comes before those that continue it: sessions without records of their own
/// first, then those that diverged earlier.
fn sort(sessions: &mut [Session]) {
    if sessions.len() < 2 {
        return;
    }
    let mut count: HashMap<String, usize> = HashMap::new();
    for entry in sessions.iter().flat_map(|session| &session.log.entries) {
        *count.entry(entry.id.clone().unwrap_or_default()).or_default() += 1;
    }
    let own = |session: &Session| {
        let is_own = |entry: &&Entry| entry.id.as_ref().is_some_and(|id| count.get(id) == Some(&1));
        let first = session.log.entries.iter().find(is_own)?;
        first.time.as_ref().map(Time::instant)
    };
    sessions.sort_by_cached_key(|session| (own(session), session.path.clone()));
}

/// Returns the id of a session: the name of its file, if its records confirm it.
fn id_of(session: &Session) -> Option<String> {
    let stem = files::stem(&session.path);
    let mut named = session.log.entries.iter().filter_map(|entry| entry.session.as_deref());
    let is_named = named.clone().any(|id| id == stem);
    let id = if is_named { Some(stem) } else { named.next_back() };
    // A subagent without its session is not a session.
    let mut messages = session.log.entries.iter().filter(|entry| entry.has_message());
    let agent = messages.clone().find_map(|entry| entry.agent.as_deref());
    match (id, agent.filter(|_| messages.all(|entry| entry.agent.is_some()))) {
        (Some(id), Some(agent)) => Some(format!("{id}/{agent}")),
        (id, _) => id.map(str::to_owned),
    }
}

fn conversation(
    mut talk: Talk<'_>,
    session: Session,
    about: &HashMap<String, files::About>,
    is_continued: bool,
) -> Option<Conversation> {
    let Session { log, mut agents, .. } = session;
    let mut withheld = Withheld::of(&log);
    talk.turns.read.private = log.is_private;
    talk.turns.read.unpublished = log.machine;
    let entries = move_results_after_calls(once(log.entries));
    let ids: HashSet<String> = entries.iter().filter_map(|entry| entry.id.clone()).collect();
    talk.turns.read.title = title(&entries, &ids, is_continued);
    let latest = entries.iter().filter_map(|entry| entry.time.clone());
    talk.turns.read.updated = latest.max_by_key(Time::instant);
    for agent in &mut agents {
        // A subagent that began with the session's history contains copies of it.
        agent.entries.retain(|entry| entry.id.as_ref().is_none_or(|id| !ids.contains(id)));
    }
    add_records(&mut talk, entries, &mut agents);
    let withheld = withheld.remove(&mut agents, &talk.starts, about);
    talk.tally.add_all(WITHHELD, withheld);
    agents.retain(|agent| !agent.entries.is_empty());
    let calls = agents::add(&mut talk, agents, about);
    talk.finish();
    let mut read = std::mem::take(&mut talk.turns.read);
    talk.turns.fill(&mut read);
    // Subagents are in the order of their calls, after other branches and before those without a call.
    read.branches.sort_by_key(|branch| match &branch.started_by {
        Some(call) => (1, calls.get(call).copied().flatten()),
        None => (if branch.name.is_none() { 0 } else { 2 }, None),
    });
    let first = read.all_turns().find_map(|turn| turn.time.clone());
    read.time = first;
    let folder = read.unpublished.get("cwd").and_then(Value::as_str).map(str::to_owned);
    home::hide_with(&mut read, folder.as_deref());
    (!read.turns.is_empty() || read.private).then_some(read)
}

/// Adds the records of a session to its paths, and those of subagents among them to `agents`.
fn add_records(talk: &mut Talk<'_>, entries: Vec<Entry>, agents: &mut Vec<Agent>) {
    let is_all_aside =
        !entries.is_empty() && entries.iter().all(|entry| entry.is_aside || !entry.has_message());
    let is_aside = |entry: &Entry| entry.is_aside && !is_all_aside;
    if is_all_aside {
        talk.voices = Voices::subagent(None);
    }
    let own: Vec<&Entry> = entries.iter().filter(|entry| !is_aside(entry)).collect();
    let lanes = lanes(&own);
    let (mut of, mut forks) = (lanes.of.into_iter(), lanes.forks.into_iter());
    let mut last = 0;
    // The place of the last turn after each record.
    let mut ends: Vec<Option<(usize, usize)>> = Vec::with_capacity(own.len());
    let mut asides = Vec::new();
    for entry in entries {
        if is_aside(&entry) {
            asides.push((entry, ends.last().copied().flatten()));
            continue;
        }
        let lane = of.next().unwrap_or_default();
        if lane > last {
            let after = forks.next().and_then(|fork| ends.get(fork.after?).copied()?);
            last = talk.turns.branch(BranchStart { after, ..BranchStart::default() });
        }
        talk.add(lane, entry);
        ends.push(talk.turns.end());
    }
    agents.extend(agents::inline(asides));
}

/// Removes duplicate records: keeps the first position and the last contents.
fn once(entries: Vec<Entry>) -> Vec<Entry> {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        let known = entry.id.as_ref().and_then(|id| places.get(id).copied());
        match known.and_then(|known| kept.get_mut(known)) {
            Some(known) => {
                if entry.has_message() {
                    known.what = entry.what;
                }
            }
            None => {
                if let Some(id) = &entry.id {
                    places.insert(id.clone(), kept.len());
                }
                kept.push(entry);
            }
        }
    }
    kept
}

/// Moves results that were written before their calls after them: parallel tasks write records in the order
/// in which they end.
fn move_results_after_calls(mut entries: Vec<Entry>) -> Vec<Entry> {
    fn named<'a>(entry: &'a Entry, key: &'a str) -> impl Iterator<Item = &'a str> {
        let content = match &entry.what {
            What::User(user) => Some(&user.content),
            What::Assistant(answer) => Some(&answer.content),
            _ => None,
        };
        let blocks = content.and_then(Value::as_array).into_iter().flatten();
        blocks.filter_map(move |block| block.get(key)?.as_str())
    }
    let mut calls: HashMap<&str, usize> = HashMap::new();
    for (place, entry) in entries.iter().enumerate() {
        if let What::Assistant(_) = entry.what {
            named(entry, "id").for_each(|call| _ = calls.entry(call).or_insert(place));
        }
    }
    let places = entries.iter().enumerate().map(|(place, entry)| {
        let call = named(entry, "tool_use_id").filter_map(|call| calls.get(call)).max();
        match call {
            Some(call) if *call > place => (*call, true),
            _ => (place, false),
        }
    });
    let places: Vec<(usize, bool)> = places.collect();
    if places.iter().any(|(_, is_moved)| *is_moved) {
        let mut places = places.into_iter();
        entries.sort_by_cached_key(|_| places.next());
    }
    entries
}

/// Returns the best title; of equally good ones, the last. A later part of a long log overrides the first
/// part only with a title by the user.
fn title(entries: &[Entry], ids: &HashSet<String>, is_continued: bool) -> Option<String> {
    let mut best: Option<(TitleKind, &str)> = None;
    for entry in entries {
        let What::Title(kind, text) = &entry.what else { continue };
        let text = match (kind, text.split_once('\n')) {
            // A summary that belongs to a record of another log.
            (TitleKind::Summary, Some((leaf, _))) if !ids.contains(leaf) => continue,
            (TitleKind::Summary, Some((_, text))) => text,
            _ => text,
        };
        if is_continued && *kind != TitleKind::Custom {
            continue;
        }
        if best.is_none_or(|(known, _)| known <= *kind) {
            best = Some((*kind, text));
        }
    }
    best.map(|(_, text)| text.to_owned())
}
