//! Changes conversations in `edits.toml`, for the command `edit` and for the preview.

use std::collections::BTreeSet;
use std::path::Path;

use crate::config::{ConversationEdit, EditChange, EditedConversation, Edits, OwnWords};
use crate::diag::Diagnostic;
use crate::disk::{self, Inbox};
use crate::gate::RedactPatterns;
use crate::model::{Conversation, TextRole, TextVisitor};
use crate::path::{OutPath, RelPath};
use crate::pipeline::Build;
use crate::search::index::Document;
use crate::site::id_in_folder;
use crate::sources::literal_pattern;

/// The maximum number of conversations to list if several have the same name.
const MAX_NAMES: usize = 10;

/// Why a conversation was not changed.
pub enum EditError {
    /// The conversation, the turn or the change is not possible, for this reason.
    Impossible(String),
    /// `edits.toml` is invalid, or would be after the change.
    Invalid(Vec<Diagnostic>),
    /// The file could not be read or written.
    Disk(disk::Error),
}

impl From<disk::Error> for EditError {
    fn from(error: disk::Error) -> Self {
        Self::Disk(error)
    }
}

/// A change of `edits.toml` that was made.
pub struct Edited {
    /// The text before; `None` if the file was created.
    pub before: Option<String>,
    /// The text after.
    pub after: String,
}

/// Finds the only conversation with a name: the URL of its page, its id, its file or its title; `None` if no
/// conversation has it.
pub fn find<'a>(
    build: &'a Build,
    site: &Path,
    name: &str,
) -> Result<Option<&'a Document>, EditError> {
    if let Some((document, ..)) = build.conversation_at(name) {
        return Ok(Some(document));
    }
    let is_file = |document: &Document| {
        let file = document.entry.file().as_str();
        let names = [file, inside(build, file)];
        names.contains(&name) || site.join(file) == Path::new(name)
    };
    let is_id = |document: &Document| document.entry.own_id.as_deref() == Some(name);
    let all = || build.documents.iter().map(|document| &**document);
    let mut found: Vec<&Document> =
        all().filter(|document| is_id(document) || is_file(document)).collect();
    if found.is_empty() {
        found.extend(at_old_url(build, name));
    }
    if found.is_empty() {
        let title = name.trim().to_lowercase();
        found.extend(all().filter(|document| document.entry.title.to_lowercase() == title));
    }
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        several => {
            let pages = several.iter().take(MAX_NAMES);
            let pages: Vec<String> = pages.map(|document| format!("`{}`", document.path)).collect();
            let more = if several.len() > MAX_NAMES { ", …" } else { "" };
            Err(EditError::Impossible(format!(
                "`{name}` has {} conversations; name one of them: {}{more}",
                several.len(),
                pages.join(", ")
            )))
        }
    }
}

/// Returns the only conversation whose URL ends like this one: in the last build, it had another title.
fn at_old_url<'a>(build: &'a Build, url: &str) -> Option<&'a Document> {
    let path = url.split(['#', '?']).next()?.trim_end_matches("index.html");
    let id = id_in_folder(path)?;
    let has_id = |document: &&Document| id_in_folder(&document.path) == Some(id);
    let mut found = build.documents.iter().map(|document| &**document).filter(has_id);
    found.next().filter(|_| found.next().is_none())
}

/// Returns the name of a conversation in `edits.toml`: its id, which stays the same in newer exports, or its file.
pub fn name_of(build: &Build, document: &Document) -> Result<EditedConversation, EditError> {
    let entry = &document.entry;
    if let Some(id) = &entry.own_id {
        // The messages of a channel are divided into conversations, which are edited together.
        let of_channel = id.rsplit_once('/').filter(|_| !entry.channel.is_empty());
        return Ok(EditedConversation::Id(of_channel.map_or(&**id, |(id, _)| id).to_owned()));
    }
    let file = entry.file().as_str();
    let mut others = build.documents.iter().filter(|other| other.entry.file().as_str() == file);
    if others.nth(1).is_some() {
        return Err(EditError::Impossible(format!(
            "this conversation has no id, and `{file}` has others; import it first, with `convo-site import`"
        )));
    }
    Ok(EditedConversation::File(literal_pattern(inside(build, file))))
}

/// Returns the entry of a conversation in the `edits.toml` of a site, as TOML.
pub fn entry_of(site: &Path, of: &EditedConversation) -> Result<Option<String>, EditError> {
    let text = read(site)?.unwrap_or_default();
    Ok(Edits::entry_of(&text, of))
}

/// Changes conversations in the `edits.toml` of a site; returns `None` if that changes nothing.
pub fn change(
    site: &Path,
    build: &Build,
    wanted: Vec<(&Document, Vec<EditChange>)>,
) -> Result<Option<Edited>, EditError> {
    let mut edits = Vec::with_capacity(wanted.len());
    for (document, changes) in wanted {
        require_targets(build, document, &changes)?;
        let of = name_of(build, document)?;
        edits.push(ConversationEdit { of, title: &document.entry.title, changes });
    }
    let before = read(site)?;
    let text = before.as_deref().unwrap_or_default();
    let after = Edits::with_changes(text, &edits).map_err(EditError::Invalid)?;
    if after == text {
        return Ok(None);
    }
    let mut folder = Inbox::new(site);
    if folder.is_link(Edits::FILE) {
        let why =
            format!("`{}` is a symbolic link; change the file that it points to", Edits::FILE);
        return Err(EditError::Impossible(why));
    }
    match (&before, OutPath::new(Edits::FILE)) {
        (None, Some(name)) => _ = folder.add(&name, after.as_bytes())?,
        _ => folder.replace(&RelPath::new(Edits::FILE), after.as_bytes())?,
    }
    Ok(Some(Edited { before, after }))
}

/// Undoes a change, unless the file was changed since; returns whether it was undone.
pub fn undo(site: &Path, edited: &Edited) -> Result<bool, EditError> {
    if read(site)?.as_deref() != Some(edited.after.as_str()) {
        return Ok(false);
    }
    match &edited.before {
        Some(before) => {
            Inbox::new(site).replace(&RelPath::new(Edits::FILE), before.as_bytes())?;
        }
        None => disk::remove(&site.join(Edits::FILE))?,
    }
    Ok(true)
}

/// Reads the `edits.toml` of a site, if there is one.
fn read(site: &Path) -> Result<Option<String>, EditError> {
    let path = site.join(Edits::FILE);
    match disk::is_there(&path) {
        true => {
            let text = String::from_utf8(disk::read(&path)?);
            let why = || EditError::Impossible(format!("{} is not in UTF-8", Edits::FILE));
            text.map(Some).map_err(|_| why())
        }
        false => Ok(None),
    }
}

/// Returns the path of a file below the content folder.
fn inside<'a>(build: &Build, file: &'a str) -> &'a str {
    let content = build.config.content.as_str();
    file.strip_prefix(content).map_or(file, |inside| inside.trim_start_matches('/'))
}

/// Checks that a conversation has the turns that changes hide, and the words that they redact.
fn require_targets(
    build: &Build,
    document: &Document,
    changes: &[EditChange],
) -> Result<(), EditError> {
    let added = |wanted: &str| -> Vec<String> {
        let texts = changes.iter().flat_map(|change| match change {
            EditChange::Add(key, texts) if *key == wanted => texts.as_slice(),
            _ => &[],
        });
        texts.cloned().collect()
    };
    let (mut turns, words) = (added("hide"), added("redact"));
    let settings: Vec<OwnWords> =
        words.iter().map(|word| OwnWords::word(word.clone().into())).collect();
    let patterns = RedactPatterns::new(&settings).map_err(EditError::Invalid)?;
    let mut missing: BTreeSet<usize> = (0..words.len()).collect();
    for part in &document.entry.parts {
        if turns.is_empty() && missing.is_empty() {
            return Ok(());
        }
        let read = build.texts.get(part).map_err(|note| EditError::Invalid(vec![*note]))?;
        turns.retain(|id| read.all_turns().all(|turn| turn.id != *id));
        let mut finder = WordFinder { patterns: &patterns, missing };
        Conversation::clone(&read).visit_texts(&mut finder);
        missing = finder.missing;
    }
    if let Some(id) = turns.first() {
        return Err(EditError::Impossible(format!(
            "the conversation has no turn `{id}`; the id of a turn is the part of its link after `#`"
        )));
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(EditError::Impossible(
            "the conversation does not contain this text; name words of a single turn".to_owned(),
        )),
    }
}

/// Finds words in the texts of a conversation.
struct WordFinder<'a> {
    patterns: &'a RedactPatterns,
    /// The numbers of the words that were not found.
    missing: BTreeSet<usize>,
}

impl TextVisitor for WordFinder<'_> {
    fn text(&mut self, _: TextRole, text: &mut String) {
        if !self.missing.is_empty() {
            let found = self.patterns.numbers_in(text);
            self.missing.retain(|number| !found.contains(number));
        }
    }
}
