//! What the addresses in a conversation lead to.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::Place;
use super::media::{Media, Origin, Shown, identify};
use super::memo::Asked;
use super::source::{Closed, is_history};
use crate::config::Config;
use crate::diag::{Diagnostic, Lines, Severity};
use crate::files::{FileInfo, Files};
use crate::formats;
use crate::hash::Hash;
use crate::markup::Reference;
use crate::markup::links::{Address, classify};
use crate::path::RelPath;
use crate::text::{composed, percent_decode};

/// A thing of the site that an address leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Target {
    /// An image that is published with the page.
    Media(Media),
    /// The conversation in this file.
    Conversation(RelPath),
}

/// Addresses of one turn that are reported one by one.
const PROBLEMS: usize = 100;

/// The files that can be referred to.
#[derive(Clone, Copy)]
pub(super) struct Folder<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) names: &'a BTreeMap<&'a str, &'a FileInfo>,
    /// What is read as conversations, or belongs to what is.
    pub(super) closed: &'a Closed,
}

impl Folder<'_> {
    /// How long a file is. Bytes.
    pub(super) fn len(&self, file: &RelPath) -> u64 {
        self.names.get(file.as_str()).map_or(0, |info| info.len)
    }
}

/// The files that one source may refer to. What was asked is remembered: the answers are what
/// a source's head depends on besides its own bytes.
pub(super) struct Known<'a> {
    folder: Folder<'a>,
    asked: RefCell<Vec<Asked>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(folder: Folder<'a>) -> Self {
        Self { folder, asked: RefCell::default() }
    }

    /// What was asked.
    pub(super) fn asked(self) -> Vec<Asked> {
        self.asked.into_inner()
    }

    fn is_named_closed(&self, file: &RelPath) -> bool {
        let closed = self.folder.closed.0.contains(file.as_str());
        self.asked.borrow_mut().push(Asked::Closed(file.clone(), closed));
        closed
    }

    /// Whether a file is one of conversations, which may be private: it is never published as
    /// it is.
    pub(super) fn is_closed(&self, file: &RelPath, bytes: &[u8]) -> bool {
        let named = || {
            formats::may_hold_conversations(file.name())
                && formats::seems_a_conversation(file.name(), bytes)
        };
        self.is_named_closed(file) || is_history(file.as_str()) || named()
    }

    /// Adds what `references` lead to to `targets`, and a note for each that leads nowhere.
    pub(super) fn resolve(
        &self,
        place: Place<'_>,
        text: &str,
        references: &[Reference],
        config: &Config,
        targets: &mut BTreeMap<String, Target>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let mut problems = 0;
        let mut looked_at = BTreeSet::new();
        let mut lines = None;
        for reference in references {
            let key = (reference.address.as_str(), reference.is_image);
            if targets.contains_key(&reference.address) || !looked_at.insert(key) {
                continue;
            }
            let problem = match classify(&reference.address) {
                None => Some(refused(reference)),
                Some(Address::External(url)) if reference.is_image => remote(url, config),
                Some(Address::External(_)) => None,
                Some(Address::Local(path)) => {
                    match self.target(place.body.file(), path, reference) {
                        Ok(target) => {
                            targets.insert(reference.address.clone(), target);
                            None
                        }
                        Err(problem) => Some(*problem),
                    }
                }
            };
            let Some(problem) = problem else { continue };
            problems += 1;
            if problems <= PROBLEMS {
                let lines = lines.get_or_insert_with(|| Lines::new(text));
                notes.push(
                    place.on_span(problem, lines.span(reference.at..reference.at + 1)),
                );
            }
        }
        if problems > PROBLEMS {
            let more = problems - PROBLEMS;
            let message = format!("{more} more addresses in one turn lead nowhere");
            let note = Diagnostic::new(Severity::Warning, "more-addresses", message);
            notes.push(note.in_file(place.body.file().as_str()));
        }
    }

    /// The file of the content folder that a relative address in `file` leads to.
    pub(super) fn find(&self, file: &RelPath, path: &str) -> Option<RelPath> {
        let bare = percent_decode(path.split(['?', '#']).next().unwrap_or_default());
        let inside = !bare.is_empty() && !bare.starts_with('/');
        let found = inside.then(|| file.join(&composed(&bare))).flatten()?;
        let exists = self.folder.names.contains_key(found.as_str());
        self.asked.borrow_mut().push(Asked::Exists(found.clone(), exists));
        exists.then_some(found)
    }

    /// The bytes of a file.
    pub(super) fn read(&self, file: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        let read = self.folder.files.read(file);
        let stamp = self.folder.names.get(file.as_str()).and_then(|info| info.stamp);
        let hash = read.as_ref().ok().map(|bytes| Hash::of_bytes(bytes));
        self.asked.borrow_mut().push(Asked::Bytes(file.clone(), stamp, hash));
        read
    }

    fn target(
        &self,
        file: &RelPath,
        path: &str,
        reference: &Reference,
    ) -> Result<Target, Box<Diagnostic>> {
        let Some(found) = self.find(file, path) else {
            return Err(Box::new(nowhere(reference)));
        };
        if !reference.is_image && formats::may_hold_conversations(found.name()) {
            return Ok(Target::Conversation(found));
        }
        if self.is_named_closed(&found) {
            return Err(Box::new(nowhere(reference)));
        }
        let bytes = self.read(&found)?;
        let identity = identify(&bytes, found.name());
        match identity.shown {
            Shown::Image => Ok(Target::Media(Media {
                name: found.name().to_owned(),
                origin: Origin::File(found),
                hash: Hash::of_bytes(&bytes),
                extension: identity.extension,
                size: bytes.len() as u64,
                dimensions: identity.dimensions,
            })),
            _ => {
                let message =
                    format!("`{found}` is no PNG, JPEG, GIF, WebP or AVIF image");
                let note = Diagnostic::new(Severity::Warning, "not-an-image", message);
                Err(Box::new(
                    note.hint("it is not published; its address is shown as text"),
                ))
            }
        }
    }
}

fn refused(reference: &Reference) -> Diagnostic {
    let message = format!("the address `{}` is not let into the page", reference.address);
    Diagnostic::new(Severity::Warning, "refused-address", message)
        .hint("only https, http, mailto and relative addresses become links; it is shown as text")
}

fn remote(url: &str, config: &Config) -> Option<Diagnostic> {
    let host = url.split('/').nth(2).unwrap_or_default().to_ascii_lowercase();
    if url.starts_with("https:")
        && config.image_hosts.iter().any(|allowed| allowed.0 == host)
    {
        return None;
    }
    let message = "the remote image is shown as a link";
    let note = Diagnostic::new(Severity::Hint, "remote-image", message);
    Some(
        note.hint(
            "keep a copy beside the conversation, or add its host to `image_hosts`",
        ),
    )
}

fn nowhere(reference: &Reference) -> Diagnostic {
    let address = &reference.address;
    if reference.is_image {
        Diagnostic::new(
            Severity::Warning,
            "missing-image",
            format!("no image `{address}`"),
        )
        .hint("its address is relative to the conversation's file")
    } else {
        let message =
            format!("`{address}` leads to nothing on the site, so it is shown as text");
        Diagnostic::new(Severity::Hint, "no-target", message)
    }
}
