//! The activity of an account: records, newest first. Records of the same conversation are joined.

use std::collections::HashMap;

use super::super::{File, Parsed};
use super::entry::{self, Entry};
use super::exchange::Exchange;
use crate::shared::access::visibility;
use crate::shared::agents::turns::{Message, Turns, USER};
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::records;
use crate::shared::tally::Tally;
use convo_base::diag::{Counted, Lines};
use convo_base::json::Value;
use convo_base::model::{Conversation, Kind, Place};
use convo_base::time::Time;

/// The name of the assistant.
pub(super) const GEMINI: &str = "Gemini";

/// Records that are not exchanges.
pub(super) const ACTIVITY: Counted = Counted::not_shown(
    "activity record that is not a conversation",
    "activity records that are not conversations",
);
/// Records of other products.
pub(super) const ELSEWHERE: Counted =
    Counted::not_shown("record of another Google product", "records of other Google products");

/// Reads a list of records.
pub(super) fn read(file: &File, index: usize, parsed: &mut Parsed) {
    let lines = Lines::new(&file.text);
    let (mut notes, mut reported) = (Vec::new(), Vec::new());
    let mut tally = Tally::default();
    let mut marked = Vec::new();
    let mut entries: Vec<(Entry, Place)> = Vec::new();
    for record in records(file, index, &[], &mut notes) {
        let at = record.at;
        let Some(map) = as_object(record.value, "record", &at, index, &mut reported) else {
            continue;
        };
        if !entry::is_about_gemini(file.text.get(at.clone()).unwrap_or_default()) {
            let is_other = map.get("header").is_some_and(Value::is_string);
            tally.add(if is_other { ELSEWHERE } else { ACTIVITY });
            continue;
        }
        let place = Place { file: index, line: lines.line(at.start), quoted: true };
        let object = Object::new(map, &file.text, index, at);
        if object.is_withheld(&mut reported) {
            marked.push(object.start());
            continue;
        }
        let entry = entry::read(object, &mut reported);
        match entry.is_bookkeeping {
            true => tally.add(ACTIVITY),
            false => entries.push((entry, place)),
        }
    }
    if let Some(first) = marked.first() {
        reported.push(visibility::withheld_turns_note(marked.len(), first.clone()).in_file(index));
    }
    parsed.conversations.extend(grouped(entries));
    parsed.notes.append(&mut notes);
    parsed.notes.append(&mut reported);
    parsed.notes.extend(tally.notes().map(|note| note.in_file(index)));
}

/// Groups records into conversations: one for all records that name the same conversation, and one for each
/// other record.
fn grouped(mut entries: Vec<(Entry, Place)>) -> Vec<Conversation> {
    let time = |entry: Option<&(Entry, Place)>| Some(entry?.0.time.as_ref()?.instant());
    if time(entries.first()) >= time(entries.last()) {
        entries.reverse();
    }
    entries.sort_by_key(|(entry, _)| entry.time.as_ref().map(|time| time.instant()));
    let mut talks: Vec<Talk> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    // The time of the last prompt that does not name a conversation, and its conversation.
    let mut asked: Option<(Time, usize)> = None;
    for (entry, place) in entries {
        let place_of = entry.conversation.as_ref().and_then(|id| known.get(id)).copied();
        let made_for = asked.as_ref().filter(|(time, _)| is_made_soon(&entry, time));
        let made_for = made_for.map(|(_, talk)| *talk);
        let at = place_of.or(made_for).unwrap_or_else(|| {
            known.extend(entry.conversation.clone().map(|id| (id, talks.len())));
            talks.push(Talk::new(&entry));
            talks.len() - 1
        });
        if entry.made.is_none() {
            let time = entry.time.clone().filter(|_| entry.conversation.is_none());
            asked = time.map(|time| (time, at));
        }
        if let Some(talk) = talks.get_mut(at) {
            talk.add(entry, place);
        }
    }
    talks.into_iter().filter_map(Talk::finish).collect()
}

/// The maximum number of seconds between a prompt and its product. Deep research takes several minutes.
const MAX_WORK_SECONDS: i64 = 600;

/// Returns whether a record is a product that does not name a conversation, and was made soon after a
/// prompt.
fn is_made_soon(entry: &Entry, asked: &Time) -> bool {
    let Some(time) = &entry.time else { return false };
    let seconds = time.instant().as_second() - asked.instant().as_second();
    entry.made.is_some()
        && entry.conversation.is_none()
        && (0..=MAX_WORK_SECONDS).contains(&seconds)
}

/// A conversation that is being assembled.
struct Talk {
    read: Conversation,
    turns: Turns,
}

impl Talk {
    fn new(first: &Entry) -> Self {
        let time = first.time.clone();
        let id = first.conversation.clone();
        let id = id.or_else(|| Some(time.as_ref()?.as_written().to_owned()));
        Self { read: Conversation { id, time, ..Conversation::default() }, turns: Turns::default() }
    }

    fn add(&mut self, entry: Entry, place: Place) {
        let Entry { time, conversation, asked, answered, made, .. } = entry;
        let stamp = time.as_ref().map(|time| time.as_written().to_owned());
        // Within a conversation, the time is sufficient.
        let alone = stamp.as_deref().filter(|_| conversation.is_none());
        let exchange = alone.map(|stamp| Exchange::new(stamp, &asked, &answered, made.as_deref()));
        let id = |part: &str| match &exchange {
            Some(exchange) => Some(exchange.id(part)),
            None => stamp.as_ref().map(|stamp| format!("{stamp}/{part}")),
        };
        self.read.updated.clone_from(&time);
        let message = |part: &str, blocks| Message {
            id: id(part),
            time: time.clone(),
            blocks,
            place,
            ..Message::default()
        };
        self.turns.add(USER, Kind::Person, message("prompt", asked));
        if let Some(made) = made {
            let detail = answered.iter().map(|block| block.to_markdown()).collect::<Vec<_>>();
            let detail = (!detail.is_empty()).then(|| detail.join("\n\n"));
            self.turns.event_without_speaker("canvas", &made, detail, message("made", Vec::new()));
        } else {
            self.turns.add(GEMINI, Kind::Assistant, message("answer", answered));
        }
    }

    fn finish(mut self) -> Option<Conversation> {
        self.turns.fill(&mut self.read);
        (!self.read.turns.is_empty()).then_some(self.read)
    }
}
