//! What the addresses in a conversation lead to.

use std::collections::{BTreeMap, BTreeSet};

use crate::config::Config;
use crate::diag::{Diagnostic, Lines, Location, Severity};
use crate::files::{FileInfo, Files};
use crate::formats;
use crate::hash::Hash;
use crate::markup::Reference;
use crate::markup::links::{Address, classify};
use crate::model::Turn;
use crate::path::RelPath;
use crate::text::percent_decode;

/// A thing of the site that an address leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// An image that is published with the page.
    Media(Media),
    /// The conversation in this file.
    Conversation(RelPath),
}

/// A file that is published as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Media {
    /// Where it is.
    pub file: RelPath,
    /// The hash of its bytes.
    pub hash: Hash,
    /// Its type's usual ending, found from its bytes.
    pub extension: &'static str,
}

/// A text with references.
pub(super) struct Place<'a> {
    pub(super) file: &'a RelPath,
    pub(super) turn: &'a Turn,
    pub(super) text: &'a str,
}

/// Addresses of one turn that are reported one by one.
const PROBLEMS: usize = 100;

/// The files that can be referred to.
pub(super) struct Known<'a> {
    files: &'a dyn Files,
    names: &'a BTreeMap<&'a str, &'a FileInfo>,
}

impl<'a> Known<'a> {
    pub(super) fn new(
        files: &'a dyn Files,
        names: &'a BTreeMap<&'a str, &'a FileInfo>,
    ) -> Self {
        Self { files, names }
    }

    /// Adds what `references` lead to to `targets`, and a note for each that leads nowhere.
    pub(super) fn resolve(
        &self,
        place: Place<'_>,
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
                    match self.target(place.file, path, reference) {
                        Ok(target) => {
                            targets.insert(reference.address.clone(), target);
                            None
                        }
                        Err(problem) => Some(*problem),
                    }
                }
            };
            let Some(mut problem) = problem else { continue };
            problems += 1;
            if problems <= PROBLEMS {
                let lines = lines.get_or_insert_with(|| Lines::new(place.text));
                problem.at = Some(location(&place, lines, reference));
                notes.push(problem);
            }
        }
        if problems > PROBLEMS {
            let more = problems - PROBLEMS;
            let message = format!("{more} more addresses in one turn lead nowhere");
            let note = Diagnostic::new(Severity::Warning, "more-addresses", message);
            notes.push(note.in_file(place.file.as_str()));
        }
    }

    fn target(
        &self,
        file: &RelPath,
        path: &str,
        reference: &Reference,
    ) -> Result<Target, Box<Diagnostic>> {
        let bare = percent_decode(path.split(['?', '#']).next().unwrap_or_default());
        let found = (!bare.is_empty() && !bare.starts_with('/'))
            .then(|| file.join(&bare))
            .flatten()
            .filter(|path| self.names.contains_key(path.as_str()));
        let Some(found) = found else { return Err(Box::new(nowhere(reference))) };
        if !reference.is_image && formats::may_hold_conversations(found.name()) {
            return Ok(Target::Conversation(found));
        }
        let bytes = self.files.read(&found)?;
        match image_type(&bytes) {
            Some(extension) => {
                let hash = Hash::of_bytes(&bytes);
                Ok(Target::Media(Media { file: found, hash, extension }))
            }
            None => {
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

fn location(place: &Place<'_>, lines: &Lines<'_>, reference: &Reference) -> Location {
    let mut span = lines.span(reference.at..reference.at + 1);
    span.line += place.turn.line - 1;
    Location { file: place.file.as_str().to_owned(), span: Some(span) }
}

/// The usual ending of the raster image that `bytes` are.
fn image_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => {
            Some("avif")
        }
        _ => None,
    }
}
