//! Resolves the URLs in a conversation to files and conversations.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;

use serde::{Deserialize, Serialize};

use super::dependency::Dependency;
use super::file_index::FileIndex;
use super::media::{Media, MediaKind, MediaSource, identify, public_bytes};
use super::text_ref::{NotePlace, TextRef};
use crate::diag::{Diagnostic, Lines, Severity, Span};
use crate::files::{FileInfo, Storage};
use crate::formats;
use crate::gate::Inspection;
use crate::hash::Hash;
use crate::markup::links::{Address, classify, refused_scheme};
use crate::markup::{self, Reference};
use crate::model::{Conversation, Place, TextRole};
use crate::path::RelPath;
use crate::people::{KEY_FILE, NameFinder};
use crate::sources::find::history::is_history;
use crate::sources::find::settings::ReadSettings;
use crate::sources::find::stored_paths;
use crate::text::{percent_decode, to_nfc};

/// The target of a URL.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Target {
    /// An image that is published with the page.
    Media(Box<Media>),
    /// The conversation or plain page in this file.
    Conversation(#[serde(with = "stored_paths::path")] RelPath),
    /// In a plain page or the introduction of a folder: a path below the site's URL, starting with
    /// `/`, or a heading of the same page.
    Address(String),
}

/// The maximum number of URLs per turn that are reported individually.
const MAX_PROBLEMS_PER_TURN: usize = 100;

/// The length of the beginning of a file in an archive that shows whether it contains
/// conversations. Bytes.
const HEAD_BYTES: u64 = 1 << 20;

/// Resolves the URLs of one source, and records its dependencies: everything in other files that
/// its entries depend on.
pub(crate) struct Resolver<'a> {
    index: FileIndex<'a>,
    dependencies: RefCell<Vec<Dependency>>,
    /// The [`Conversation::renamed_files`] of the current conversation.
    renamed: RefCell<BTreeMap<String, String>>,
    /// The [`Conversation::hidden_names`] of the current conversation.
    hidden_names: RefCell<Vec<String>>,
    /// The [`Conversation::edited`] of the current conversation.
    edited: RefCell<BTreeSet<Hash>>,
    /// The finder of these names, created at first use; `None` if there are too many.
    finder: RefCell<OnceCell<Option<NameFinder>>>,
    /// For a plain page, the anchors of its headings.
    anchors: RefCell<Option<Vec<String>>>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(index: FileIndex<'a>) -> Self {
        Self {
            index,
            dependencies: RefCell::default(),
            renamed: RefCell::default(),
            hidden_names: RefCell::default(),
            edited: RefCell::default(),
            finder: RefCell::default(),
            anchors: RefCell::default(),
        }
    }

    /// Returns the content folder.
    pub(crate) fn content(&self) -> &str {
        &self.index.rules.content
    }

    /// Returns the places of site-internal URLs, which only planning can resolve.
    pub(crate) fn places<'r>(
        &self,
        at: Place,
        text: &str,
        references: impl Iterator<Item = &'r Reference>,
    ) -> BTreeMap<String, Span> {
        let lines = Lines::new(text);
        let local =
            references.filter(|one| matches!(classify(&one.address), Some(Address::Local(_))));
        let mut places = BTreeMap::new();
        for Reference { address, at: from, .. } in local {
            places.entry(address.clone()).or_insert_with(|| {
                let mut span = lines.span(*from..from + 1);
                span.line += at.line - 1;
                span
            });
        }
        places
    }

    /// Starts with the URLs of a conversation.
    pub(crate) fn enter(&self, read: &Conversation) {
        self.renamed.replace(read.renamed_files.clone());
        self.hidden_names.replace(read.hidden_names.clone());
        self.edited.replace(read.edited.clone());
        self.finder.take();
        let anchors = read.page.map(|_| markup::heading_ids(&read.preface, true));
        self.anchors.replace(anchors);
    }

    /// Returns the recorded dependencies.
    pub(crate) fn dependencies(self) -> Vec<Dependency> {
        self.dependencies.into_inner()
    }

    /// Returns the name of a file without hidden parts.
    pub(crate) fn clean(&self, text_ref: &TextRef, name: String) -> String {
        self.index.rules.gate.clean(text_ref.source.rule, name)
    }

    /// Inspects a file attached to a conversation with the gate. The file has any of the given
    /// names.
    pub(crate) fn inspect(&self, text_ref: &TextRef, names: &[&str], text: &str) -> Inspection {
        // A path inside a file does not withhold the whole file.
        let role = TextRole::Name;
        self.index.rules.gate.inspect_text(text_ref.source.rule, names, text, role)
    }

    /// Returns whether a text contains a name that is hidden on the site or in this conversation, or words that an
    /// edit redacts.
    pub(crate) fn contains_name(&self, text: &str) -> bool {
        let rules = self.index.rules;
        if rules.contains_name(text) || rules.edits.redacts(&self.edited.borrow(), text) {
            return true;
        }
        let names = self.hidden_names.borrow();
        let finder = self.finder.borrow();
        let finder = finder.get_or_init(|| self.index.rules.finder(&names));
        // If there are too many names to search for, any may occur.
        !names.is_empty() && finder.as_ref().is_none_or(|finder| finder.is_in(text))
    }

    /// Returns the files of the content folder.
    pub(crate) fn index(&self) -> FileIndex<'a> {
        self.index
    }

    /// Records a dependency.
    pub(crate) fn depend(&self, on: Dependency) {
        self.dependencies.borrow_mut().push(on);
    }

    /// Returns whether the content folder has a folder with this path.
    pub(crate) fn is_folder(&self, path: &RelPath) -> bool {
        let inside = format!("{path}/");
        let mut files = self.index.names.range(inside.as_str()..);
        files.next().is_some_and(|(file, _)| file.starts_with(&inside))
    }

    /// Returns whether a file is withheld by a rule, or contains conversations.
    pub(crate) fn is_reserved_by_name(&self, file: &RelPath) -> bool {
        let reserved = self.index.reserved.0.contains(file.as_str());
        self.depend(Dependency::Reserved(self.index.id(file), reserved));
        reserved
    }

    /// Returns whether a file contains conversations. They may be private, so the file is never
    /// published unchanged.
    pub(super) fn is_reserved(&self, file: &RelPath, bytes: &[u8]) -> bool {
        let named = || {
            formats::may_hold_conversations(file.name())
                && formats::seems_a_conversation(file.name(), bytes)
        };
        self.is_reserved_by_name(file)
            || file.as_str() == KEY_FILE
            || is_history(file.as_str())
            || named()
            || self.holds_conversations(file)
    }

    /// Returns whether a file is an archive or packed file with conversations in it.
    fn holds_conversations(&self, file: &RelPath) -> bool {
        let is_container = |info: &&FileInfo| info.storage == Storage::Container;
        if !self.index.names.get(file.as_str()).is_some_and(is_container) {
            return false;
        }
        let inside = self.index.names.values().filter(
            |info| matches!(&info.storage, Storage::Inside(container) if container == file),
        );
        inside.map(|info| &info.path).any(|path| {
            let mut head = Vec::new();
            let mut read = || {
                let reader = self.index.files.open(path, 0).ok()?;
                reader.take(HEAD_BYTES).read_to_end(&mut head).ok()
            };
            self.index.reserved.0.contains(path.as_str())
                || formats::may_hold_conversations(path.name())
                    && (read().is_none() || formats::seems_a_conversation(path.name(), &head))
        })
    }

    /// Adds the targets of `references` to `targets`, and a diagnostic for each broken one.
    pub(crate) fn resolve(
        &self,
        place: NotePlace<'_>,
        text: &str,
        references: &[Reference],
        settings: &ReadSettings,
        targets: &mut BTreeMap<String, Target>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let mut problems = 0;
        let mut seen = BTreeSet::new();
        let mut lines = None;
        for reference in references {
            let key = (reference.address.as_str(), reference.is_image);
            if targets.contains_key(&reference.address) || !seen.insert(key) {
                continue;
            }
            let problem = match classify(&reference.address) {
                None => Some(refused_note(reference)),
                Some(Address::External(url)) if reference.is_image => {
                    remote_image_note(url, settings)
                }
                Some(Address::External(_)) => None,
                Some(Address::Local(path)) if self.is_within_site(path) => {
                    targets.insert(path.to_owned(), Target::Address(path.to_owned()));
                    None
                }
                Some(Address::Local(path)) => match self.target(place.text_ref, path, reference) {
                    Ok((target, note)) => {
                        targets.insert(reference.address.clone(), target);
                        note
                    }
                    Err(problem) => Some(*problem),
                },
            };
            let Some(mut problem) = problem else { continue };
            // Plain pages are written by the site's author alone.
            if problem.code == "no-target" && self.anchors.borrow().is_some() {
                problem.severity = Severity::Warning;
            }
            problems += 1;
            if problems <= MAX_PROBLEMS_PER_TURN {
                let lines = lines.get_or_insert_with(|| Lines::new(text));
                notes.push(place.on_span(problem, lines.span(reference.at..reference.at + 1)));
            }
        }
        if problems > MAX_PROBLEMS_PER_TURN {
            let more = problems - MAX_PROBLEMS_PER_TURN;
            let message = format!("{more} more broken links in one turn");
            let note = Diagnostic::new(Severity::Warning, "more-addresses", message);
            notes.push(note.in_file(place.text_ref.file().as_str()));
        }
    }

    /// Returns whether a URL in a plain page is the anchor of one of its headings, or must be
    /// resolved by planning.
    fn is_within_site(&self, address: &str) -> bool {
        let anchors = self.anchors.borrow();
        let Some(anchors) = &*anchors else { return false };
        match address.strip_prefix('#') {
            Some(anchor) => anchors.iter().any(|known| *known == percent_decode(anchor)),
            None => address.starts_with('/'),
        }
    }

    /// Finds the file of the content folder for a relative URL in `file`.
    pub(crate) fn find(&self, file: &RelPath, path: &str) -> Option<RelPath> {
        let renamed = self.renamed.borrow();
        let found = local(file, renamed.get(path).map_or(path, String::as_str))?;
        self.exists(&found).then_some(found)
    }

    /// Returns whether the content folder has a file.
    pub(crate) fn exists(&self, file: &RelPath) -> bool {
        let exists = self.index.names.contains_key(file.as_str());
        self.depend(Dependency::Exists(self.index.id(file), exists));
        exists
    }

    /// Returns the files whose names start like the path of the source's first file, followed by a
    /// dot and more.
    pub(crate) fn files_with_prefix(&self, stem: &str) -> Vec<&'a str> {
        let found = self.index.files_with_prefix(stem);
        self.depend(Dependency::Beside(stem.len(), self.index.hash_of_names(&found)));
        found
    }

    /// Finds the file for a URL of an export, and its original name.
    pub(super) fn asset(
        &self,
        file: &RelPath,
        address: &str,
    ) -> Option<(RelPath, Option<&'a str>)> {
        let table = self.index.assets.of(file);
        let mut dependencies = self.dependencies.borrow_mut();
        let id = self.index.id(file);
        // The whole source depends on one table.
        let is_known = |known: &Dependency| matches!(known, Dependency::Assets(of, _) if *of == id);
        if !dependencies.iter().rev().take(4).any(is_known) {
            let hash = table.map(|(_, hash)| *hash);
            dependencies.push(Dependency::Assets(id, hash));
        }
        let (path, name) = table?.0.find(address)?;
        Some((RelPath::new(path), name))
    }

    /// Reads a file.
    pub(crate) fn read(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        let read = self.index.files.read(file);
        let stamp = self.index.stamp(file);
        let hash = read.as_ref().ok().map(|bytes| Hash::of_bytes(bytes));
        self.depend(Dependency::Bytes(self.index.id(file), stamp, hash));
        read
    }

    fn target(
        &self,
        text_ref: &TextRef,
        path: &str,
        reference: &Reference,
    ) -> Result<(Target, Option<Diagnostic>), Box<Diagnostic>> {
        let Some(found) = self.find(text_ref.file(), path) else {
            return Err(Box::new(missing_note(reference)));
        };
        if !reference.is_image && formats::may_hold_conversations(found.name()) {
            return Ok((Target::Conversation(found), None));
        }
        if self.is_reserved_by_name(&found) {
            return Err(Box::new(missing_note(reference)));
        }
        let bytes = self.read(&found)?;
        let identity = identify(&bytes, found.name());
        let public = public_bytes(bytes).map_err(|why| damaged_note(reference, why))?;
        let bytes = public.bytes;
        let shown = percent_decode(path.rsplit('/').next().unwrap_or_default());
        let is_renamed = self.renamed.borrow().contains_key(path);
        let name = if is_renamed { shown } else { found.name().to_owned() };
        match identity.kind {
            MediaKind::Image => {
                let media = Media {
                    name: self.clean(text_ref, name),
                    source: MediaSource::File(found),
                    hash: Hash::of_bytes(&bytes),
                    extension: identity.extension,
                    size: bytes.len() as u64,
                    dimensions: identity.dimensions,
                    is_stripped: public.is_stripped,
                };
                Ok((Target::Media(Box::new(media)), public.note))
            }
            _ => {
                let message = format!("`{found}` is not a PNG, JPEG, GIF, WebP or AVIF image");
                let note = Diagnostic::new(Severity::Warning, "not-an-image", message);
                Err(Box::new(note.hint("it is not published; its URL is shown as text")))
            }
        }
    }
}

/// Returns the path of a relative URL in `file`, whether or not a file exists there.
pub(crate) fn local(file: &RelPath, address: &str) -> Option<RelPath> {
    let bare = percent_decode(address.split(['?', '#']).next().unwrap_or_default());
    let inside = !bare.is_empty() && !bare.starts_with('/');
    inside.then(|| file.join(&to_nfc(&bare))).flatten()
}

fn refused_note(reference: &Reference) -> Diagnostic {
    // All URLs with a scheme have the same message, so that they are reported together.
    let message = match refused_scheme(&reference.address) {
        Some(scheme) => format!("URLs that start with `{scheme}:` are not allowed on pages"),
        None => format!("the URL `{}` is not allowed on pages", reference.address),
    };
    Diagnostic::new(Severity::Warning, "refused-address", message)
        .hint("only https, http, mailto and relative URLs become links; this one is shown as text")
}

fn remote_image_note(url: &str, settings: &ReadSettings) -> Option<Diagnostic> {
    let host = url.split('/').nth(2).unwrap_or_default().to_ascii_lowercase();
    if url.starts_with("https:") && settings.image_hosts.iter().any(|allowed| allowed.0 == host) {
        return None;
    }
    let message = "a remote image is shown as a link";
    let note = Diagnostic::new(Severity::Hint, "remote-image", message);
    Some(note.hint("save a copy next to the conversation, or add the host to `image_hosts`"))
}

fn damaged_note(reference: &Reference, why: &str) -> Box<Diagnostic> {
    let message = format!("the image `{}` is damaged: {why}", reference.address);
    let note = Diagnostic::new(Severity::Warning, "damaged-image", message);
    Box::new(note.hint("it is not published; save it again with an image editor"))
}

fn missing_note(reference: &Reference) -> Diagnostic {
    let address = &reference.address;
    if reference.is_image {
        Diagnostic::new(Severity::Warning, "missing-image", format!("image `{address}` not found"))
            .hint("its path is relative to the conversation's file")
    } else {
        let message = format!("no page or file for the link `{address}`; it is shown as text");
        Diagnostic::new(Severity::Hint, "no-target", message)
    }
}
