//! Reads the conversations of a file one by one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::shared::access::visibility;
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::{list_access, records_without};
use crate::shared::tally::{EMPTY, Tally};
use crate::{File, Parsed};
use convo_base::diag::{Lines, Note};
use convo_base::model::Conversation;

/// How the files of an application are read.
pub(crate) struct App {
    /// Keys under which a file may hold the list of its conversations.
    pub(crate) lists: &'static [&'static str],
    /// Reads a conversation; returns `None` for a record that is not one, after adding a note.
    pub(crate) read: fn(Object<'_>, &mut Context<'_>) -> Option<Conversation>,
}

/// The state while a file is read.
pub(crate) struct Context<'a> {
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) tally: &'a mut Tally,
    pub(crate) notes: &'a mut Vec<Note>,
    /// The name of the file.
    pub(crate) name: &'a str,
}

/// How files are read whose records are messages.
pub(crate) struct ListApp {
    /// Reads the conversations from all records of a file.
    pub(crate) read: fn(Vec<Object<'_>>, &mut Context<'_>) -> Vec<Conversation>,
    /// What a record is called in messages.
    pub(crate) record: &'static str,
}

/// Reads every conversation of some files. If there are several versions of a conversation, the newest one
/// is used, and restrictions in any version apply to it.
pub(crate) fn read(app: &App, files: &[File]) -> Parsed {
    read_with(app.lists, files, app.read)
}

/// Does the same, with a reader that captures state.
pub(crate) fn read_with(
    lists: &[&str],
    files: &[File],
    read: impl Fn(Object<'_>, &mut Context<'_>) -> Option<Conversation>,
) -> Parsed {
    of_files(files, lists, "conversation", &|objects, context, all| {
        for (object, _) in objects {
            all.extend(read(object, context));
        }
    })
}

/// Does the same for conversations that may be long. If a conversation has too many values, the list under
/// the key `long` is left empty, and its byte range is passed on for [`super::each_message`].
pub(crate) fn read_long(
    lists: &[&str],
    long: &str,
    files: &[File],
    read: impl Fn(Object<'_>, Option<Range<usize>>, &mut Context<'_>) -> Option<Conversation>,
) -> Parsed {
    let mut parsed = Parsed::default();
    for file in files.iter().enumerate() {
        read_file(lists, long, file, &mut parsed, &read);
    }
    parsed
}

/// Does the same for one file and its number, for exports in which other files have no conversations.
pub(crate) fn read_file(
    lists: &[&str],
    long: &str,
    file: (usize, &File),
    parsed: &mut Parsed,
    read: impl Fn(Object<'_>, Option<Range<usize>>, &mut Context<'_>) -> Option<Conversation>,
) {
    of_file(file, lists, Some(long), "conversation", parsed, &|objects, context, all| {
        for (object, long) in objects {
            all.extend(read(object, long, context));
        }
    });
}

/// Reads every conversation of some files whose records are messages.
pub(crate) fn read_lists(app: &ListApp, files: &[File]) -> Parsed {
    of_files(files, &[], app.record, &|objects, context, all| {
        let objects: Vec<Object<'_>> = objects.map(|(object, _)| object).collect();
        *all = (app.read)(objects, context);
    })
}

/// Adds the conversations in the records of a file, each with the place of a member that was left empty.
type ReadRecords<'r> = dyn Fn(
        &mut dyn Iterator<Item = (Object<'_>, Option<Range<usize>>)>,
        &mut Context<'_>,
        &mut Vec<Conversation>,
    ) + 'r;

fn of_files(files: &[File], lists: &[&str], record: &str, read: &ReadRecords<'_>) -> Parsed {
    let mut parsed = Parsed::default();
    for file in files.iter().enumerate() {
        of_file(file, lists, None, record, &mut parsed, read);
    }
    parsed
}

fn of_file(
    (index, file): (usize, &File),
    lists: &[&str],
    long: Option<&str>,
    record: &str,
    parsed: &mut Parsed,
    read: &ReadRecords<'_>,
) {
    let lines = Lines::new(&file.text);
    let (mut tally, mut notes, mut broken) = (Tally::default(), Vec::new(), Vec::new());
    let mut wrong = Vec::new();
    let mut found = Vec::new();
    let entries = records_without(long, file, index, lists, &mut broken);
    let mut objects = entries.filter_map(|entry| {
        let map = as_object(entry.value, record, &entry.at, index, &mut wrong)?;
        Some((Object::new(map, &file.text, index, entry.at), entry.long))
    });
    let mut context =
        Context { lines: &lines, tally: &mut tally, notes: &mut notes, name: &file.name };
    read(&mut objects, &mut context, &mut found);
    drop(objects);
    if !file.is_continued {
        let settings = list_access(&file.text, lists);
        let private = visibility::holds_back(&settings);
        found.iter_mut().for_each(|found| found.private |= private);
        let reported = visibility::notes(&settings, |setting| setting.at.clone()).into_iter();
        parsed.notes.extend(reported.map(|note| note.in_file(index)));
    }
    let mut all = Versions::default();
    for found in found {
        let is_empty = found.turns.is_empty() && found.branches.is_empty();
        if is_empty && found.withheld_ids.is_empty() {
            tally.add(EMPTY);
        }
        // An empty private conversation is kept, so that its other versions become private too.
        if !is_empty || found.private && found.id.is_some() {
            all.add(found);
        }
    }
    parsed.conversations.extend(all.done());
    parsed.notes.append(&mut broken);
    parsed.notes.append(&mut wrong);
    notes.extend(tally.notes().map(|note| note.in_file(index)));
    parsed.notes.append(&mut notes);
}

/// The conversations that were read, each of them once.
#[derive(Default)]
struct Versions {
    list: Vec<Conversation>,
    places: HashMap<String, usize>,
    private: HashSet<String>,
}

impl Versions {
    fn add(&mut self, found: Conversation) {
        self.private.extend(found.id.clone().filter(|_| found.private));
        let known = found.id.as_ref().and_then(|id| self.places.get(id).copied());
        match known.and_then(|place| self.list.get_mut(place)) {
            Some(known) if is_older(known, &found) => *known = found,
            Some(_) => {}
            None => {
                self.places.extend(found.id.clone().map(|id| (id, self.list.len())));
                self.list.push(found);
            }
        }
    }

    fn done(mut self) -> Vec<Conversation> {
        for found in &mut self.list {
            found.private |= found.id.as_ref().is_some_and(|id| self.private.contains(id));
        }
        self.list
    }
}

/// Returns whether another version of the same conversation is newer or longer.
fn is_older(known: &Conversation, other: &Conversation) -> bool {
    let key = |read: &Conversation| {
        let time = read.updated.as_ref().map(|time| time.instant());
        (time, read.all_turns().count())
    };
    key(known) < key(other)
}
