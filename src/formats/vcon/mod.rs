//! vCons: recorded calls, chats and e-mails, as exchanged by call centres.
//!
//! ```text
//! { "vcon": "0.4.0", "uuid": …, "subject": …, "parties": [ { "tel": …, "name": …, "role": "agent" } ],
//!   "dialog": [ { "type": "text", "start": …, "parties": [0, 1], "mediatype": "text/plain", "body": … },
//!               { "type": "recording", "start": …, "mediatype": "audio/x-wav", "url": … } ],
//!   "analysis": [ { "type": "transcript", "dialog": 1, "body": [ { "speaker": …, "message": … } ] } ],
//!   "attachments": [ … ] }
//! ```
//!
//! Older vCons lack `vcon`, and have `mimetype` in place of `mediatype` and `transcript` in place
//! of `body`. A signed vCon has everything in `payload`; an encrypted one cannot be read. Speakers
//! are shown by their role or a number, because names, addresses and phone numbers are those of
//! customers.
//!
//! [`parties`] names the speakers, [`dialog`] reads the dialogs, and
//! [`transcript`] reads the transcripts of recordings.

mod dialog;
mod parties;
mod transcript;

use super::probe::value_of;
use std::collections::{BTreeMap, BTreeSet};

use self::parties::Parties;
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::access::visibility;
use crate::shared::agents::thread::{self, App, Context, Message, assemble, moment, rest, text};
use crate::shared::json::object::Object;
use convo_base::diag::{Lines, Note};
use convo_base::json::{self, Map, Step, Value};
use convo_base::model::Conversation;
use convo_base::text::base64_decode;

pub(super) const FORMAT: Format = Format {
    name: "vcon",
    title: "vCon",
    source_label: "vCon",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Recorded calls, chats and e-mails in vCon, the IETF container format, signed or \
               not.",
        find: "Files named `.vcon` or `.vcon.json`, as call centres and their software write \
               them.",
        reads: "Texts, e-mails, transcripts of recordings with their times, and the recordings \
                themselves if they are in the file or at a public URL.",
        leaves_out: "Names, phone numbers, addresses and places of the speakers, who appear by \
                     their roles; attached documents, summaries and other analyses; encrypted \
                     vCons. E-mails are read like those in mailboxes: their attachments are \
                     listed by name, and those marked as not to be archived are withheld.",
    },
    read: Some(Read::new(claims, parse).parts(Parts::Records)),
    write: None,
};

const APP: App = App { lists: &["vcons"], read: conversation };
/// Keys that do not say who may read the vCon.
const VENDORS: [&str; 8] =
    ["parties", "dialog", "analysis", "attachments", "redacted", "amended", "subject", "group"];
/// Keys that are read, or that describe the history of a vCon.
const KNOWN: [&str; 15] = [
    "vcon", "uuid", "subject", "created_at", "updated_at", "parties", "dialog", "analysis",
    "attachments", "redacted", "amended", "appended", "group", "extensions", "critical",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let keys = probe.keys();
    if let (Some(payload), Some(_)) = (probe.value("payload"), probe.value("signatures")) {
        let start = payload.trim_start_matches('"').get(..1200).unwrap_or(payload);
        let start = start.trim_matches('"');
        let whole = start.get(..start.len() / 4 * 4).and_then(base64_decode).unwrap_or_default();
        let head = String::from_utf8_lossy(&whole).into_owned();
        return if is_vcon(&json::keys(&head)) { Claim::Signature } else { Claim::No };
    }
    if is_vcon(keys) { Claim::Signature } else { Claim::No }
}

/// Returns whether an object with these keys is a vCon, by two criteria. Embedded recordings may be
/// so long that the keys after them are not visible.
fn is_vcon(keys: &[(&str, &str)]) -> bool {
    let get = |name: &str| value_of(keys, name);
    let has = |name: &str| get(name).is_some();
    let is_list = |name: &str| get(name).is_some_and(|value| value.starts_with('['));
    let first = json::keys(get("dialog").unwrap_or_default());
    let says = |name: &str| first.iter().any(|(key, _)| *key == name);
    let takes_place = is_list("dialog") && says("type") && (says("start") || says("parties"));
    let is_named = ["vcon", "uuid", "analysis", "attachments"].into_iter().any(has);
    is_named && (is_list("parties") && (is_list("dialog") || has("vcon")) || takes_place)
}

fn parse(files: &[File]) -> Parsed {
    thread::read(&APP, files)
}

fn conversation(object: Object<'_>, context: &mut Context<'_>) -> Option<Conversation> {
    match object.get("payload").and_then(Value::as_str) {
        Some(payload) if object.has("signatures") => {
            let payload = base64_decode(payload).and_then(|bytes| String::from_utf8(bytes).ok());
            let payload = payload.unwrap_or_default();
            let map = match visibility::parse(&payload) {
                Ok((Value::Object(map), _)) => map,
                _ => {
                    let at = object.place(&[Step::Key("payload")]).start;
                    let message = "`payload` does not contain a vCon";
                    let note = Note::error("bad-json", at..at + 1, message);
                    context.notes.push(note.in_file(object.file()));
                    return None;
                }
            };
            Some(signed(&object, map, &payload, context))
        }
        _ => Some(read(object, context)),
    }
}

/// Reads a signed payload. Everything in it has the place of the whole vCon.
fn signed(outer: &Object<'_>, map: Map, payload: &str, context: &mut Context<'_>) -> Conversation {
    let lines = Lines::new(payload);
    let mut notes = Vec::new();
    let mut inner =
        Context { lines: &lines, tally: context.tally, notes: &mut notes, name: context.name };
    let mut read = read(Object::new(map, payload, outer.file(), 0..payload.len()), &mut inner);
    let start = outer.start();
    let line = context.lines.line(start.start);
    read.all_turns_mut().for_each(|turn| turn.place.line = line);
    for note in &mut notes {
        note.range = note.range.as_ref().map(|_| start.clone());
    }
    context.notes.append(&mut notes);
    read
}

fn read(mut object: Object<'_>, context: &mut Context<'_>) -> Conversation {
    let private = object.holds_back("private", &VENDORS, context.notes);
    let mut read = Conversation { private, ..Conversation::default() };
    read.id = object.text("uuid", context.notes).filter(|id| !id.is_empty());
    read.title = object.text("subject", context.notes).filter(|title| !title.trim().is_empty());
    let made = moment(&mut object, "created_at", context);
    read.updated = moment(&mut object, "updated_at", context).or(made.clone());
    let parties = match object.take("parties") {
        Some(Value::Array(list)) => Parties::new(&list, context.tally),
        _ => Parties::new(&[], context.tally),
    };
    let mut found_transcripts = transcripts(&mut object, context);
    let mut parts: Vec<(usize, Message)> = Vec::new();
    let list = object.array("dialog", context.notes).unwrap_or_default();
    for (at, item) in list.into_iter().enumerate() {
        let name = format!("dialog.{at}");
        let Some(item) = object.element(item, name, "message", context.notes) else { continue };
        let (message, start) = dialog::read(item, &parties, context);
        let (place, is_withheld) = (message.turn.place, message.is_withheld);
        parts.push((at, message));
        let Some(found) = found_transcripts.remove(&at).filter(|_| !is_withheld) else { continue };
        for item in found {
            let turns = transcript::read(&item, &parties, start.as_ref(), place, context);
            parts.extend(turns.into_iter().map(|message| (at, message)));
        }
    }
    // Transcripts of missing dialogs.
    for found in found_transcripts.into_values().flatten() {
        let place = parts.last().map(|(_, message)| message.turn.place).unwrap_or_default();
        let turns = transcript::read(&found, &parties, None, place, context);
        parts.extend(turns.into_iter().map(|message| (usize::MAX, message)));
    }
    // Dialogs are in chronological order, unless one has no time.
    let starts: BTreeMap<usize, _> = parts
        .iter()
        .rev()
        .filter_map(|(at, message)| Some((*at, message.turn.time.as_ref()?.instant())))
        .collect();
    if parts.iter().all(|(at, _)| starts.contains_key(at)) {
        parts.sort_by_key(|(at, _)| (starts.get(at).copied(), *at));
    }
    let messages = parts.into_iter().map(|(_, message)| message).collect();
    assemble(&mut read, messages, None, context);
    parties.introduce(&mut read);
    read.time = read.time.or(made);
    if let Some(Value::Array(list)) = object.get("attachments") {
        for _ in list {
            context.tally.not_shown("attached document", "attached documents");
        }
    }
    read.unpublished = rest(object.rest(), &KNOWN);
    read
}

/// Removes the transcripts, and returns them by the dialog that they belong to. Counts other
/// analyses.
fn transcripts(object: &mut Object<'_>, context: &mut Context<'_>) -> BTreeMap<usize, Vec<Map>> {
    let mut found: BTreeMap<usize, Vec<Map>> = BTreeMap::new();
    let mut private = BTreeSet::new();
    let list = object.array("analysis", context.notes).unwrap_or_default();
    for (at, analysis) in list.into_iter().enumerate() {
        let name = format!("analysis.{at}");
        let Some(analysis) = object.element(analysis, name, "analysis", context.notes) else {
            continue;
        };
        let is_withheld = analysis.is_withheld(context.notes);
        let map = analysis.rest();
        if !text(&map, "type").unwrap_or_default().starts_with("transcript") {
            context.tally.not_shown("analysis", "analyses");
            continue;
        }
        let about = match map.get("dialog") {
            Some(Value::Array(list)) => list.first().and_then(Value::as_u64),
            other => other.and_then(Value::as_u64),
        };
        let about = about.unwrap_or_default() as usize;
        if is_withheld {
            context.tally.not_shown("private transcript", "private transcripts");
            private.insert(about);
        }
        found.entry(about).or_default().push(map);
    }
    // Another transcript of the same dialog may contain the private text.
    found.retain(|about, _| !private.contains(about));
    // If there are several transcripts of a dialog, the last one is used.
    for list in found.values_mut() {
        for _ in 1..list.len() {
            context.tally.not_shown("older transcript", "older transcripts");
        }
        list.drain(..list.len().saturating_sub(1));
    }
    found
}
