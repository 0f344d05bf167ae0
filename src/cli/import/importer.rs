//! Imports conversations into the content folder of a site.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::super::args::ImportArgs;
use super::super::inputs::{Found, Input};
use super::super::{Failure, require_site};
use super::attach::{AttachedFile, Attacher, name_part};
use super::keys::{ExistingConversations, Texts, of_namesake};
use crate::config::{self, Publish};
use crate::diag::{Diagnostic, Severity};
use crate::disk::{self, Inbox};
use crate::formats::{
    self,
    kept::{self, EXTENSION, ImportRecord},
};
use crate::gate::Gate;
use crate::model::Conversation;
use crate::path::{OutPath, RelPath};
use crate::sources::{PublicCheck, Redactor, title_of};
use crate::text::plural;
use crate::time::Time;

/// Bytes of the title in a file name, and characters of the key after it.
const NAME_BYTES: usize = 48;
const NAME_KEY_CHARS: usize = 10;

/// The result for one conversation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// A file was created.
    New,
    /// Its file was updated.
    Updated,
    /// Its file has the same content as the export.
    Unchanged,
    /// Its file was edited by the user and was left alone.
    Edited,
    /// Its file is from a newer export and was left alone.
    Older,
    /// Another file in the content folder contains it.
    There,
    /// It has nothing but instructions of programs.
    Empty,
    /// It contains something that cannot be redacted.
    Refused,
}

impl State {
    pub(super) const ALL: [Self; 8] = [
        Self::New,
        Self::Updated,
        Self::Unchanged,
        Self::Edited,
        Self::Older,
        Self::There,
        Self::Empty,
        Self::Refused,
    ];

    /// Returns its name in the list.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Edited => "edited",
            Self::Older => "older",
            Self::There => "there",
            Self::Empty => "empty",
            Self::Refused => "refused",
        }
    }

    /// Returns its description after a number.
    pub(super) fn words(self, is_dry: bool) -> &'static str {
        match self {
            Self::New if is_dry => "would be new",
            Self::New => "new",
            Self::Updated if is_dry => "would be updated",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Edited => "edited by you, so left alone",
            Self::Older => "older than the imported version",
            Self::There => "already in other files",
            Self::Empty => "without any text",
            Self::Refused => "impossible to redact, so not written",
        }
    }
}

/// The result for one conversation, and its file.
pub(super) struct Imported {
    pub(super) state: State,
    /// The path of its file below the content folder; empty if there is no file.
    pub(super) file: String,
    /// Its id in that file, if the file contains other conversations too.
    pub(super) id: Option<String>,
}

/// Imports conversations, one after the other.
pub(super) struct Importer<'a> {
    args: &'a ImportArgs,
    inbox: Inbox,
    /// Masks secrets in file names.
    gate: Gate,
    /// The path of the content folder below the site folder, for messages.
    content: String,
    /// The tool servers whose input and output the site publishes.
    pub(super) open_servers: Vec<String>,
    /// Whether the site publishes only listed conversations.
    pub(super) is_listed: bool,
    /// The files of earlier imports, by conversation key.
    known: HashMap<String, (RelPath, ImportRecord)>,
    /// The texts in these files, by conversation key.
    texts: HashMap<String, Texts>,
    /// The conversations in other files of the content folder.
    existing: ExistingConversations,
    /// The number of selected conversations that are in other files, by file.
    reported: BTreeMap<String, u64>,
    notes: Vec<Diagnostic>,
}

impl<'a> Importer<'a> {
    pub(super) fn new(
        site: &Path,
        exports: &[PathBuf],
        args: &'a ImportArgs,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Failure> {
        require_site(site)?;
        let text = disk::read(&site.join("site.toml"))?;
        // Other problems in it are reported by the next build.
        let config = config::load(&String::from_utf8_lossy(&text))?.value;
        let folder = site.join(&config.content);
        let real = disk::resolve(&folder);
        for export in exports {
            if disk::resolve(export).starts_with(&real) {
                return Err(Failure::Usage(format!(
                    "`{}` is in the content folder, so the site already reads all of it; move it \
                     elsewhere, or select conversations with `include` in a `[[source]]`",
                    export.display()
                )));
            }
        }
        let inbox = Inbox::new(&folder);
        let mut known = HashMap::new();
        for file in inbox.list().take(notes) {
            let name = file.path.name().to_ascii_lowercase();
            if !name.strip_suffix(EXTENSION).is_some_and(|stem| stem.ends_with('.')) {
                continue;
            }
            let Ok(bytes) = inbox.read(&file.path) else { continue };
            if let Some(kept) = kept::find(&String::from_utf8_lossy(&bytes)) {
                known.entry(kept.key.clone()).or_insert((file.path, kept));
            }
        }
        let is_listed = config.publish == Publish::Listed;
        let existing = ExistingConversations::find(site, &config);
        let (content, open_servers) = (config.content, config.open_servers);
        let (reported, notes) = (BTreeMap::new(), Vec::new());
        let gate = Gate::open();
        Ok(Self {
            args,
            inbox,
            gate,
            content,
            open_servers,
            is_listed,
            known,
            texts: HashMap::new(),
            existing,
            reported,
            notes,
        })
    }

    /// Returns the diagnostics of the import.
    pub(super) fn notes(self) -> impl Iterator<Item = Diagnostic> {
        self.notes.into_iter().chain(self.reported.into_iter().map(|(file, count)| {
            let conversations = plural(count, "conversation is", "conversations are");
            let message = format!("{conversations} already in this file, which the site reads");
            let note = Diagnostic::new(Severity::Hint, "already-there", message);
            note.in_file(&file).hint(
                "select what is published with `include` in a `[[source]]`, or move the file \
                 out of the content folder and import it",
            )
        }))
    }

    /// Imports a conversation.
    pub(super) fn import(
        &mut self,
        input: &Input,
        found: Found,
        key: &str,
        redactor: Option<&Redactor>,
    ) -> Result<Imported, Failure> {
        let (mut read, format) = (found.conversation, found.format);
        if !self.args.include_system {
            read.drop_withheld();
        }
        let id = read.id.clone();
        if read.turns.is_empty() {
            return Ok(Imported { state: State::Empty, file: String::new(), id: None });
        }
        let namesake;
        let mut key = key;
        if self.is_namesake(key, &read) {
            namesake = of_namesake(key, &read);
            key = &namesake;
        }
        let known = self.known.get(key).cloned();
        if known.is_none()
            && let Some(file) = self.existing.file(key, &read)
        {
            let path = format!("{}/{file}", self.content);
            *self.reported.entry(path.trim_start_matches('/').to_owned()).or_default() += 1;
            return Ok(Imported { state: State::There, file: file.to_owned(), id });
        }
        let path = match &known {
            Some((path, _)) => path.clone(),
            None => self.new_path(&title_of(&read), key),
        };
        let check = redactor.map(|redactor| redactor.check_of(&read));
        let mut attacher = Attacher { input, gate: &self.gate, check: check.as_ref(), skipped: 0 };
        let files = attacher.attach(&mut read, &RelPath::new(found.file), &path);
        if attacher.skipped > 0 {
            self.notes.push(skipped_note(attacher.skipped, &found.source));
        }
        let updated = read.updated.clone();
        let own_texts = Texts::of(&read);
        let (text, seal) = kept::write(read, key, format.map(|format| format.name));
        let names = [id.as_deref().unwrap_or_default(), &found.source];
        let reveals = |check: &PublicCheck<'_>| {
            check.reveals_in_json(&text, &names)
                || check.reveals(&path.as_str().replace('-', " "), &names)
        };
        if check.as_ref().is_some_and(reveals) {
            self.notes.push(refused_note(&found.source));
            return Ok(Imported { state: State::Refused, file: String::new(), id: None });
        }
        let state = match &known {
            None => State::New,
            Some((_, there)) if there.seal == seal => State::Unchanged,
            Some((_, there)) if is_older(updated.as_ref(), there) => State::Older,
            Some((_, there)) if there.is_edited && !self.args.overwrite_edited => State::Edited,
            Some(_) => State::Updated,
        };
        let imported = Imported { state, file: path.as_str().to_owned(), id: None };
        match state {
            State::Edited => self.notes.push(edited_note(&self.content, &path)),
            State::New | State::Updated => {
                let text = match state {
                    State::New => text,
                    _ => {
                        let older = self.inbox.read(&path)?;
                        kept::with_marks(&text, &String::from_utf8_lossy(&older))
                    }
                };
                if !self.args.dry_run {
                    self.write(&path, &text, files, state)?;
                }
                let key = key.to_owned();
                self.texts.insert(key.clone(), own_texts);
                let kept = ImportRecord { key: key.clone(), updated, seal, is_edited: false };
                self.known.insert(key, (path, kept));
            }
            State::Unchanged | State::Older | State::There | State::Empty | State::Refused => {}
        }
        Ok(imported)
    }

    /// Returns whether an imported conversation has the same id but other texts: programs and people copy logs with
    /// their ids. An edited file still has most of the texts.
    fn is_namesake(&mut self, key: &str, read: &Conversation) -> bool {
        let Some((path, _)) = self.known.get(key) else { return false };
        let known = match self.texts.get(key) {
            Some(known) => known,
            None => {
                let Ok(bytes) = self.inbox.read(path) else { return false };
                let (found, _) = formats::read(path.name(), &bytes);
                let texts = found.first().map(Texts::of).unwrap_or_default();
                self.texts.entry(key.to_owned()).or_insert(texts)
            }
        };
        let texts = Texts::of(read);
        known.differ(&texts)
    }

    /// Returns the path of a new file: the title, for people, and a part of the key, so that it is unique.
    fn new_path(&self, title: &str, key: &str) -> RelPath {
        let title = name_part(&self.gate, title, NAME_BYTES);
        let title = if title.is_empty() { "conversation" } else { &title };
        let key = key.get(..NAME_KEY_CHARS).unwrap_or(key);
        let plain = format!("{title}-{key}");
        let is_taken = |name: &str| {
            let known = |(path, _): &(RelPath, ImportRecord)| path.as_str() == name;
            !self.inbox.is_free(name) || self.known.values().any(known)
        };
        let mut name = format!("{plain}.{EXTENSION}");
        let mut number = 1;
        while is_taken(&name) {
            number += 1;
            name = format!("{plain}-{number}.{EXTENSION}");
        }
        RelPath::new(name)
    }

    fn write(
        &mut self,
        path: &RelPath,
        text: &str,
        files: Vec<AttachedFile>,
        state: State,
    ) -> Result<(), Failure> {
        for file in files {
            let Some(to) = OutPath::new(file.to.as_str()) else { continue };
            // The name contains a hash of the bytes, so an existing file is the same.
            if !self.inbox.is_free(to.as_str()) {
                continue;
            }
            self.inbox.add(&to, &file.bytes)?;
        }
        match state {
            State::New => {
                let new = OutPath::new(path.as_str());
                let added = match new {
                    Some(new) => self.inbox.add(&new, text.as_bytes())?,
                    None => false,
                };
                if !added {
                    let cause = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
                    let path = self.inbox.path().join(path.as_str());
                    return Err(disk::Error::new("create", &path, cause).into());
                }
            }
            _ => self.inbox.replace(path, text.as_bytes())?,
        }
        Ok(())
    }
}

/// Returns whether an earlier import wrote a newer version.
fn is_older(updated: Option<&Time>, there: &ImportRecord) -> bool {
    let (Some(new), Some(old)) = (updated, &there.updated) else { return false };
    new.instant() < old.instant()
}

fn refused_note(source: &str) -> Diagnostic {
    let message = "conversation not written: it contains something that cannot be redacted";
    let note = Diagnostic::new(Severity::Error, "not-redacted", message).in_file(source);
    note.hint("import it without `--redact` into a folder that is not in a public repository")
}

fn skipped_note(count: u64, source: &str) -> Diagnostic {
    let files = plural(count, "attached file", "attached files");
    let message = format!("skipped {files} with text that would have to be redacted");
    let note = Diagnostic::new(Severity::Warning, "redacted-attachment", message);
    note.in_file(source).hint("attached files are copied unchanged or not at all")
}

fn edited_note(content: &str, path: &RelPath) -> Diagnostic {
    let message =
        "not updated: you edited this file since its import, and the export has a newer version";
    let note = Diagnostic::new(Severity::Warning, "edited-since", message);
    note.in_file(format!("{content}/{path}").trim_start_matches('/')).hint(
        "to replace it, import with `--overwrite-edited`; marks such as `\"private\": true` are kept",
    )
}
