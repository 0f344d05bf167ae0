//! The edits of `edits.toml`, compiled, and their application to conversations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::conversation_table::ConversationTable;
use super::source::AppliedEdits;
use crate::config::{Config, Edit, Edits, LocatedText, OwnWords, Visibility};
use crate::diag::{Diagnostic, Severity};
use crate::gate::{Gate, RedactPatterns};
use crate::hash::Hash;
use crate::json::Value;
use crate::model::{
    Conversation, FEATURED, PINNED, SERIES, SLUG, SUMMARY, TextRole, TextVisitor, is_data,
};
use crate::time::Time;

/// All edits. Everything in them that may match nothing is a target: the conversation of an edit, and then its turns,
/// its speakers and its words, which are numbered. What was found is recorded as hashes, which stay the same when other
/// edits change.
#[derive(Clone, Debug, Default)]
pub(crate) struct EditTable {
    edits: Vec<CompiledEdit>,
    table: ConversationTable,
    /// The number of the edit of each target.
    by_target: HashMap<Hash, usize>,
    /// Whether an edit that matches nothing is never an error.
    allows_unmatched: bool,
}

#[derive(Clone, Debug)]
struct CompiledEdit {
    edit: Edit,
    hash: Hash,
    /// The words to redact.
    words: RedactPatterns,
}

/// The conversations of edits, for a source.
pub(crate) struct SourceEdits<'a> {
    table: &'a EditTable,
    /// The numbers of the edits whose file matches.
    of_files: BTreeSet<usize>,
}

impl EditTable {
    /// Compiles edits, or returns what is wrong with them.
    pub(crate) fn new(
        edits: Edits,
        config: &Config,
        allows_unmatched: bool,
    ) -> Result<Self, Vec<Diagnostic>> {
        let names: Vec<_> = edits.0.iter().map(|edit| &edit.of).collect();
        let table = ConversationTable::new(&names, config, true).map_err(|(at, why)| {
            let message = format!("invalid `file` of a `[[conversation]]`: {why}");
            let note = Diagnostic::new(Severity::Error, "bad-value", message);
            let hint = "use a folder or a pattern such as `exports/**`; nothing is written until this is fixed";
            let file = edits.0.get(at).and_then(|edit| edit.of.file.as_ref());
            vec![Diagnostic { at: file.and_then(|file| file.at.clone()), ..note.hint(hint) }]
        })?;
        let (mut compiled, mut wrong) = (Vec::<CompiledEdit>::new(), Vec::new());
        for edit in edits.0 {
            let one = |word: &LocatedText| OwnWords::word(word.clone());
            let words: Vec<OwnWords> = edit.redact.iter().map(one).collect();
            match RedactPatterns::new(&words) {
                Ok(words) => compiled.push(CompiledEdit { hash: Hash::of(&edit), edit, words }),
                Err(notes) => wrong.extend(notes),
            }
        }
        let targets = compiled.iter().enumerate();
        let by_target = targets.map(|(number, one)| (one.target(0), number)).collect();
        if wrong.is_empty() {
            Ok(Self { edits: compiled, table, by_target, allows_unmatched })
        } else {
            Err(wrong)
        }
    }

    /// Returns the edits for a source with these paths.
    pub(crate) fn of_source(&self, paths: impl Iterator<Item = String>) -> SourceEdits<'_> {
        SourceEdits { table: self, of_files: self.table.of_files(paths) }
    }

    /// Returns whether the file has no edits.
    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the edits of a conversation, in their order. Some of their targets were found.
    fn of(
        &self,
        found: &BTreeSet<Hash>,
    ) -> impl DoubleEndedIterator<Item = &CompiledEdit> + use<'_> {
        let numbers = found.iter().filter_map(|target| self.by_target.get(target)).copied();
        let numbers: BTreeSet<usize> = numbers.collect();
        numbers.into_iter().filter_map(|number| self.edits.get(number))
    }

    /// Returns the visibility that the last edit of a conversation with one sets, and whether that edit names it by
    /// its id.
    pub(crate) fn visibility(&self, read: &Conversation) -> Option<(Visibility, bool)> {
        let mut all = self.of(&read.edited).rev();
        all.find_map(|one| Some((one.edit.visibility?, one.edit.of.id.is_some())))
    }

    /// Renames speakers and removes the turns that edits hide. Runs after names of people are replaced: the names in
    /// the source are needed for that, and turns have the ids that readers see.
    pub(crate) fn finish(&self, read: &mut Conversation) {
        if read.edited.is_empty() {
            return;
        }
        let all: Vec<&CompiledEdit> = self.of(&read.edited.clone()).collect();
        rename_speakers(&all, read);
        let (mut hidden, mut found) = (BTreeSet::new(), BTreeSet::new());
        for one in all {
            for (number, id) in one.edit.hide.iter().enumerate() {
                let id = id.text.trim().trim_start_matches('#');
                let mut ids = [id, undivided(id)].into_iter();
                if let Some(id) = ids.find(|id| read.all_turns().any(|turn| turn.id == *id)) {
                    hidden.insert(id.to_owned());
                    found.insert(one.target(1 + number));
                }
            }
        }
        if hidden.is_empty() {
            return;
        }
        let speakers = |read: &Conversation| -> BTreeSet<String> {
            read.all_turns().map(|turn| turn.speaker.clone()).collect()
        };
        let mut silent = speakers(read);
        read.drop_turns(|turn| hidden.contains(&turn.id));
        let speaking = speakers(read);
        silent.retain(|name| !speaking.contains(name));
        let kept = read.participants.iter().filter(|who| !silent.contains(&who.name));
        read.participants = kept.cloned().collect();
        read.withheld_ids.extend(hidden);
        read.edited.append(&mut found);
        hide_source(read);
        // A page without any text would only tell that something is hidden.
        read.private |= speaking.is_empty();
    }

    /// Returns whether a text contains words that edits of a conversation redact.
    pub(crate) fn redacts(&self, edited: &BTreeSet<Hash>, text: &str) -> bool {
        self.of(edited).any(|one| one.words.are_in(text))
    }

    /// Redacts the words of edits of a conversation in the text of a report.
    pub(crate) fn clean(&self, edited: &BTreeSet<Hash>, text: &mut String) {
        for one in self.of(edited) {
            if one.words.redact(text, TextRole::Shown).is_err() {
                text.clear();
            }
        }
    }

    /// Returns a diagnostic for each target that was not found, and whether that is a reason to write nothing: what
    /// an edit keeps off the site may have another name now. A conversation that was not found may also be in a file
    /// that could not be read, unless `is_all_read`.
    pub(crate) fn unmatched(
        &self,
        found: &BTreeSet<Hash>,
        is_all_read: bool,
    ) -> (Vec<Diagnostic>, bool) {
        let (mut notes, mut is_fatal) = (Vec::new(), false);
        let mut report = |message: String, of: &LocatedText, keeps_off: bool| {
            let severity = match keeps_off && !self.allows_unmatched {
                true => Severity::Error,
                false => Severity::Warning,
            };
            is_fatal |= severity == Severity::Error;
            let note = Diagnostic::new(severity, "unmatched-edit", message);
            let note = note.hint(match severity {
                Severity::Error => {
                    "nothing is written until this is fixed, because what it withholds may have \
                     been renamed; correct the entry, or remove it"
                }
                _ => "correct the entry, or remove it",
            });
            notes.push(Diagnostic { at: of.at.clone(), ..note });
        };
        for one in &self.edits {
            let edit = &one.edit;
            let is_found = |number: usize| found.contains(&one.target(number));
            if !is_found(0) {
                let Some(name) = edit.of.id.as_ref().or(edit.of.file.as_ref()) else { continue };
                let message = format!("conversation `{}` not found", name.text);
                report(message, name, edit.holds_back() && is_all_read);
                continue;
            }
            let turns =
                edit.hide.iter().map(|id| (format!("turn `{}` not found", id.text), id, true));
            // Names and words may be private.
            let speakers = edit.speakers.iter().map(|(name, _)| ("no speaker has this name", name));
            let words =
                edit.redact.iter().map(|word| ("this text is not in the conversation", word));
            let others = speakers.chain(words).map(|(message, of)| (message.to_owned(), of, false));
            for (number, (message, of, keeps_off)) in turns.chain(others).enumerate() {
                if !is_found(1 + number) {
                    report(message, of, keeps_off);
                }
            }
        }
        (notes, is_fatal)
    }
}

impl SourceEdits<'_> {
    /// Returns the edits that are about the conversations with these ids; `None` without any.
    pub(crate) fn applied(&self, ids: &[Hash]) -> Option<AppliedEdits> {
        let EditTable { edits, table, .. } = self.table;
        let all = table.named(&self.of_files, ids).into_iter();
        let all: Vec<&CompiledEdit> = all.filter_map(|at| edits.get(at)).collect();
        let hashes: Vec<Hash> = all.iter().map(|one| one.hash).collect();
        (!all.is_empty()).then(|| AppliedEdits {
            hash: Hash::of(&hashes),
            hide: all.iter().any(|one| one.edit.hides()),
        })
    }

    /// Returns the hash of these edits.
    pub(crate) fn hash(&self, ids: &[Hash]) -> Option<Hash> {
        self.applied(ids).map(|edits| edits.hash)
    }

    /// Applies all edits of a conversation except those of speakers and hidden turns. `ids` are the hashes of its ids,
    /// `file` has the name of its file for readers and the path in reports, and `shown` converts a time to the time
    /// zone of the site.
    pub(crate) fn apply(
        &self,
        ids: &[Hash],
        file: (&str, &str),
        gate: &Gate,
        shown: impl Fn(Time) -> Time,
        read: &mut Conversation,
    ) {
        let EditTable { edits, table, .. } = self.table;
        let all = table.named(&self.of_files, ids);
        let all: Vec<&CompiledEdit> = all.into_iter().filter_map(|at| edits.get(at)).collect();
        for one in &all {
            read.edited.insert(one.target(0));
            set_metadata(&one.edit, &shown, read);
        }
        // Afterwards, so that no other edit brings words back.
        redact(&all, file, gate, read);
    }
}

/// Sets what an edit says about a conversation as a whole.
fn set_metadata(edit: &Edit, shown: impl Fn(Time) -> Time, read: &mut Conversation) {
    if let Some(title) = &edit.title {
        read.title = Some(title.clone());
        if let Some(channel) = &mut read.channel {
            channel.name.clone_from(title);
        }
    }
    if let Some(date) = &edit.date {
        read.time = Some(shown(date.0.clone()));
    }
    if let Some(tags) = &edit.tags {
        read.tags.clone_from(tags);
    }
    let texts = [(SLUG, &edit.slug), (SUMMARY, &edit.description), (SERIES, &edit.collection)];
    for (key, text) in texts {
        if let Some(text) = text {
            read.extra.insert(key.to_owned(), Value::String(text.clone()));
        }
    }
    for (key, flag) in [(PINNED, edit.pinned), (FEATURED, edit.featured)] {
        if let Some(flag) = flag {
            read.extra.insert(key.to_owned(), Value::Bool(flag));
        }
    }
    read.private |= edit.visibility == Some(Visibility::Private);
}

impl CompiledEdit {
    /// Returns the hash of a target.
    fn target(&self, number: usize) -> Hash {
        Hash::of(&(self.hash, number))
    }
}

/// Renames the speakers of a conversation. If several edits rename one, the last counts.
fn rename_speakers(all: &[&CompiledEdit], read: &mut Conversation) {
    let mut speakers = Vec::new();
    for one in all {
        let first = 1 + one.edit.hide.len();
        let names = one.edit.speakers.iter().enumerate();
        speakers.extend(names.map(|(number, (name, new))| NewName {
            name: &name.text,
            new,
            target: one.target(first + number),
        }));
    }
    if speakers.is_empty() {
        return;
    }
    let replaced = std::mem::take(&mut read.replaced_names);
    let mut visitor = SpeakerRenamer { speakers, replaced, found: BTreeSet::new() };
    read.visit_texts(&mut visitor);
    if !visitor.found.is_empty() {
        read.edited.append(&mut visitor.found);
        read.merge_participants();
        read.rewritten = true;
    }
}

/// Redacts the words of edits in all texts of a conversation, and in the name of its file, which are its title and its
/// path.
fn redact(
    all: &[&CompiledEdit],
    (title, label): (&str, &str),
    gate: &Gate,
    read: &mut Conversation,
) {
    let edits = all.iter().copied().filter(|one| !one.edit.redact.is_empty());
    let edits: Vec<&CompiledEdit> = edits.collect();
    if edits.is_empty() {
        return;
    }
    let mut visitor = WordRedactor { edits, gate, found: BTreeSet::new(), is_left: false };
    read.visit_texts(&mut visitor);
    let names = [(title, &mut read.file_title), (label, &mut read.file_label)];
    for (name, shown) in names {
        let mut text = shown.clone().unwrap_or_else(|| name.to_owned());
        visitor.text(TextRole::Shown, &mut text);
        if text != name {
            *shown = Some(text);
        }
    }
    let WordRedactor { mut found, is_left, .. } = visitor;
    read.private |= is_left;
    if !found.is_empty() {
        read.edited.append(&mut found);
        hide_source(read);
    }
}

/// Returns the id of a turn that is divided on its page into parts with ids such as `t1-p2`.
fn undivided(id: &str) -> &str {
    let part = id.rsplit_once("-p").filter(|(_, number)| number.parse::<u32>().is_ok());
    part.map_or(id, |(id, _)| id)
}

/// Keeps the file and the recording of a conversation off the site, because they contain more than its page.
fn hide_source(read: &mut Conversation) {
    read.rewritten = true;
    read.hides_names = true;
}

/// A new name of a speaker.
struct NewName<'a> {
    /// The name in the source.
    name: &'a str,
    new: &'a str,
    target: Hash,
}

struct SpeakerRenamer<'a> {
    speakers: Vec<NewName<'a>>,
    /// The names in the source, by the name that replaced them.
    replaced: BTreeMap<String, BTreeSet<String>>,
    /// The targets that were found.
    found: BTreeSet<Hash>,
}

impl TextVisitor for SpeakerRenamer<'_> {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role != TextRole::Name {
            return;
        }
        let own = self.replaced.get(text);
        let is_own = |name: &str| match own {
            Some(own) => own.contains(name),
            None => text == name,
        };
        let fitting: Vec<&NewName<'_>> =
            self.speakers.iter().filter(|one| is_own(one.name)).collect();
        self.found.extend(fitting.iter().map(|one| one.target));
        if let Some(last) = fitting.last() {
            *text = last.new.to_owned();
        }
    }
}

struct WordRedactor<'a> {
    edits: Vec<&'a CompiledEdit>,
    gate: &'a Gate,
    /// The targets that were found.
    found: BTreeSet<Hash>,
    /// Whether words could not be redacted.
    is_left: bool,
}

impl TextVisitor for WordRedactor<'_> {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role == TextRole::Address && is_data(text) {
            return;
        }
        let before = text.clone();
        for one in &self.edits {
            let first = 1 + one.edit.hide.len() + one.edit.speakers.len();
            // A word may be part of a phrase that another edit redacts.
            let found = one.words.numbers_in(&before);
            self.found.extend(found.into_iter().map(|number| one.target(first + number)));
            self.is_left |= one.words.redact(text, role).is_err();
        }
        if role == TextRole::Id && *text != before {
            *text = self.gate.redacted_id(&before);
        }
    }
}
