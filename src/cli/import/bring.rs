//! Brings conversations into the content folder of a site.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::super::args::ImportArgs;
use super::super::inputs::{Found, Input};
use super::super::{Failure, require_site};
use super::keys::Standing;
use crate::config::{self, Publish};
use crate::diag::{Diagnostic, Severity};
use crate::disk::{self, Inbox};
use crate::formats::kept::{self, ENDING, Kept};
use crate::formats::{may_hold_conversations, seems_a_conversation};
use crate::hash::Hash;
use crate::model::{Attachment, Block, Content, Conversation};
use crate::path::{OutPath, RelPath};
use crate::sources::{attached_file, title_of};
use crate::text::{percent_encode, plural, slug};
use crate::time::Time;

/// Bytes of a title in the name of a file, and characters of the key behind it.
const NAME_BYTES: usize = 48;
const NAME_KEY_CHARS: usize = 10;

/// What became of a conversation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// A file was made for it.
    New,
    /// Its file was brought up to date.
    Updated,
    /// Its file was as the export is.
    Unchanged,
    /// Its file was edited by hand, and stays.
    Edited,
    /// Its file is from a later export, and stays.
    Older,
    /// An export in the content folder has it.
    There,
    /// Nothing is left of it without instructions of programs.
    Empty,
}

impl State {
    pub(super) const ALL: [Self; 7] = [
        Self::New,
        Self::Updated,
        Self::Unchanged,
        Self::Edited,
        Self::Older,
        Self::There,
        Self::Empty,
    ];

    /// The word for it in the list.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Edited => "edited",
            Self::Older => "older",
            Self::There => "there",
            Self::Empty => "empty",
        }
    }

    /// The words for it behind a number.
    pub(super) fn words(self, is_dry: bool) -> &'static str {
        match self {
            Self::New if is_dry => "would be new",
            Self::New => "new",
            Self::Updated if is_dry => "would be updated",
            Self::Updated => "updated",
            Self::Unchanged => "unchanged",
            Self::Edited => "edited by hand and left as they are",
            Self::Older => "older than what is there",
            Self::There => "already there in other files",
            Self::Empty => "with nothing to show",
        }
    }
}

/// A conversation that was brought, or was not.
pub(super) struct Brought {
    pub(super) state: State,
    /// The path of its file below the content folder; empty for none.
    pub(super) file: String,
    /// Its id in that file, which has others as well.
    pub(super) id: Option<String>,
}

/// Brings conversations, one after the other.
pub(super) struct Bringer<'a> {
    args: &'a ImportArgs,
    inbox: Inbox,
    /// The path of the content folder below that of the site, for people.
    content: String,
    /// The servers of tools that are open in the site.
    pub(super) open_servers: Vec<String>,
    /// Whether the site publishes only what it lists.
    pub(super) is_listed: bool,
    /// The files that were written before, by the keys of their conversations.
    known: HashMap<String, (RelPath, Kept)>,
    /// The conversations of exports that stand in the content folder.
    standing: Standing,
    /// How many of these were to be brought, by their files.
    told: BTreeMap<String, u64>,
    notes: Vec<Diagnostic>,
}

impl<'a> Bringer<'a> {
    pub(super) fn new(
        site: &Path,
        exports: &[PathBuf],
        args: &'a ImportArgs,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Self, Failure> {
        require_site(site)?;
        let text = disk::read(&site.join("site.toml"))?;
        // What is wrong elsewhere in it is told by the next build.
        let config = config::load(&String::from_utf8_lossy(&text))?.value;
        let folder = site.join(&config.content);
        let real = disk::resolve(&folder);
        for export in exports {
            if disk::resolve(export).starts_with(&real) {
                return Err(Failure::Usage(format!(
                    "`{}` lies in the content folder, so that all of it is on the site; move it \
                     out of there, or choose from it with `include` in a `[[source]]`",
                    export.display()
                )));
            }
        }
        let inbox = Inbox::new(&folder);
        let mut known = HashMap::new();
        for file in inbox.list().take(notes) {
            let name = file.path.name().to_ascii_lowercase();
            if !name.strip_suffix(ENDING).is_some_and(|stem| stem.ends_with('.')) {
                continue;
            }
            let Ok(bytes) = inbox.read(&file.path) else { continue };
            if let Some(kept) = kept::find(&String::from_utf8_lossy(&bytes)) {
                known.entry(kept.key.clone()).or_insert((file.path, kept));
            }
        }
        let is_listed = config.publish == Publish::Listed;
        let standing = Standing::find(site, &config);
        let (content, open_servers) = (config.content, config.open_servers);
        let (told, notes) = (BTreeMap::new(), Vec::new());
        Ok(Self {
            args,
            inbox,
            content,
            open_servers,
            is_listed,
            known,
            standing,
            told,
            notes,
        })
    }

    /// Returns what there is to say of all that was brought.
    pub(super) fn notes(self) -> impl Iterator<Item = Diagnostic> {
        self.notes.into_iter().chain(self.told.into_iter().map(|(file, count)| {
            let conversations = plural(count, "conversation is", "conversations are");
            let message = format!("{conversations} already read from here");
            let note = Diagnostic::new(Severity::Hint, "already-there", message);
            note.in_file(&file).hint(
                "choose what is published with `include` in a `[[source]]`, or move the file \
                 out of the content folder and import it",
            )
        }))
    }

    /// Brings a conversation.
    pub(super) fn bring(
        &mut self,
        input: &Input,
        found: Found,
        key: &str,
    ) -> Result<Brought, Failure> {
        let (mut read, format) = (found.conversation, found.format);
        if !self.args.include_system {
            read.drop_withheld();
        }
        let id = read.id.clone();
        if read.turns.is_empty() {
            return Ok(Brought { state: State::Empty, file: String::new(), id: None });
        }
        let known = self.known.get(key).cloned();
        if known.is_none()
            && let Some(file) = self.standing.file(key, &read)
        {
            let path = format!("{}/{file}", self.content);
            *self.told.entry(path.trim_start_matches('/').to_owned()).or_default() += 1;
            return Ok(Brought { state: State::There, file: file.to_owned(), id });
        }
        let path = match &known {
            Some((path, _)) => path.clone(),
            None => self.new_path(&title_of(&read), key),
        };
        let files = attach(&mut read, input, &RelPath::new(found.file), &path);
        let updated = read.updated.clone();
        let (text, seal) = kept::write(read, key, format.map(|format| format.name));
        let state = match &known {
            None => State::New,
            Some((_, there)) if there.seal == seal => State::Unchanged,
            Some((_, there)) if is_older(updated.as_ref(), there) => State::Older,
            Some((_, there)) if there.is_edited && !self.args.overwrite_edited => {
                State::Edited
            }
            Some(_) => State::Updated,
        };
        let brought = Brought { state, file: path.as_str().to_owned(), id: None };
        match state {
            State::Edited => self.notes.push(edited_note(&self.content, &path)),
            State::New | State::Updated => {
                if !self.args.dry_run {
                    self.write(input, &path, &text, &files, state)?;
                }
                let key = key.to_owned();
                let kept = Kept { key: key.clone(), updated, seal, is_edited: false };
                self.known.insert(key, (path, kept));
            }
            State::Unchanged | State::Older | State::There | State::Empty => {}
        }
        Ok(brought)
    }

    /// Returns the path of a file that is not there yet: its title as it is now, for people, and a
    /// part of its key, so that no other conversation has the same.
    fn new_path(&self, title: &str, key: &str) -> RelPath {
        let title = slug(title, NAME_BYTES);
        let title = if title.is_empty() { "conversation" } else { &title };
        let key = key.get(..NAME_KEY_CHARS).unwrap_or(key);
        let plain = format!("{title}-{key}");
        let is_taken = |name: &str| {
            let known = |(path, _): &(RelPath, Kept)| path.as_str() == name;
            !self.inbox.is_free(name) || self.known.values().any(known)
        };
        let mut name = format!("{plain}.{ENDING}");
        let mut number = 1;
        while is_taken(&name) {
            number += 1;
            name = format!("{plain}-{number}.{ENDING}");
        }
        RelPath::new(name)
    }

    fn write(
        &mut self,
        input: &Input,
        path: &RelPath,
        text: &str,
        files: &[AttachedFile],
        state: State,
    ) -> Result<(), Failure> {
        for file in files {
            let Some(to) = OutPath::new(file.to.as_str()) else { continue };
            // Its name holds the hash of its bytes, so that one that is there is the same.
            if !self.inbox.is_free(to.as_str()) {
                continue;
            }
            let bytes = input.files().map(|files| files.read(&file.from));
            if let Some(Ok(bytes)) = bytes {
                self.inbox.add(&to, &bytes)?;
            }
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

/// Returns whether what was written before is of a later time.
fn is_older(updated: Option<&Time>, there: &Kept) -> bool {
    let (Some(new), Some(old)) = (updated, &there.updated) else { return false };
    new.instant() < old.instant()
}

fn edited_note(content: &str, path: &RelPath) -> Diagnostic {
    let message =
        "was edited by hand since it was imported, and the export has something new";
    let note = Diagnostic::new(Severity::Warning, "edited-since", message);
    note.in_file(format!("{content}/{path}").trim_start_matches('/')).hint(
        "it stays as it is; `--overwrite-edited` replaces it, and so does an import after it was \
         moved away",
    )
}

/// A file that is attached to a turn.
struct AttachedFile {
    from: RelPath,
    /// The path below the content folder.
    to: String,
}

/// Makes attachments lead to where their files will be: in a folder beside the file of the
/// conversation. What is not there, or holds conversations itself, is missing.
fn attach(
    read: &mut Conversation,
    input: &Input,
    file: &RelPath,
    path: &RelPath,
) -> Vec<AttachedFile> {
    let name = path.name();
    let end = name.len().saturating_sub(ENDING.len() + 1);
    let stem = name.get(..end).unwrap_or(name);
    let folder = format!("{stem}-files");
    let above = &path.as_str()[..path.as_str().len() - name.len()];
    let mut files: Vec<AttachedFile> = Vec::new();
    let mut names: HashMap<RelPath, Option<String>> = HashMap::new();
    let blocks = read.all_turns_mut().flat_map(|turn| &mut turn.blocks);
    for block in blocks {
        let Block::Attachment(attachment) = block else { continue };
        let Some(from) = attached_file(file, attachment) else { continue };
        let name = from.and_then(|from| {
            let name = names.entry(from.clone()).or_insert_with(|| {
                let name = name_of(&from, input, attachment)?;
                files.push(AttachedFile { from, to: format!("{above}{folder}/{name}") });
                Some(name)
            });
            name.clone()
        });
        attachment.content = match name {
            Some(name) => Content::Uri(percent_encode(&format!("{folder}/{name}"))),
            None => Content::Missing,
        };
    }
    files
}

/// Returns the name under which a file is kept, with the hash of its bytes.
fn name_of(from: &RelPath, input: &Input, attachment: &Attachment) -> Option<String> {
    let bytes = input.files()?.read(from).ok()?;
    if may_hold_conversations(from.name()) && seems_a_conversation(from.name(), &bytes) {
        return None;
    }
    let hash = Hash::of_bytes(&bytes).short(10);
    let (stem, ending) = from.name().rsplit_once('.').unwrap_or((from.name(), ""));
    let ending = slug(ending, 10);
    let named =
        attachment.name.rsplit_once('.').map_or(&*attachment.name, |(stem, _)| stem);
    let mut name = [named, stem].map(|name| slug(name, 40));
    let name = match name.iter_mut().find(|name| !name.is_empty()) {
        Some(name) => format!("{name}-{hash}"),
        None => format!("file-{hash}"),
    };
    Some(if ending.is_empty() { name } else { format!("{name}.{ending}") })
}
