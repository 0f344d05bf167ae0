//! What was handed over with turns: found, verified, and told what it is from its bytes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::media::{Media, Origin, Shown, identify};
use super::references::Known;
use super::{Body, Place};
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::markup::links::{Address, classify};
use crate::model::{Attachment, AttachmentKind, Content, Turn};
use crate::text::{Word, base64_decode, interned, percent_decode};

/// What became of an attachment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Attached {
    /// It is published with the page.
    Stored {
        /// The file.
        media: Media,
        /// How it is shown.
        shown: Shown,
    },
    /// It is somewhere else, at the address that the source names.
    Elsewhere,
    /// It cannot be shown, and why, in a few words.
    Broken(#[serde(deserialize_with = "interned")] Word),
}

/// Finds the bytes of the attachment in block `block` of `turn`, with a note if that fails.
pub(super) fn attach(
    attachment: &Attachment,
    turn: &Turn,
    block: usize,
    body: &Body,
    known: &Known<'_>,
) -> (Attached, Option<Diagnostic>) {
    let broken = |code: &'static str, what: &'static str, why: String| {
        let message = format!("the attachment `{}` {why}", attachment.name);
        let note = Diagnostic::new(Severity::Warning, code, message);
        let hint = "a placeholder stands in its place";
        let note = Place::of(body, turn).on_line(note.hint(hint));
        (Attached::Broken(what), Some(note))
    };
    let (bytes, origin) = match &attachment.content {
        Content::Missing => {
            return broken(
                "missing-attachment",
                "missing",
                "has neither bytes nor an address".into(),
            );
        }
        Content::Base64(text) => match base64_decode(text) {
            Some(bytes) => (bytes, inline(body, turn, block)),
            None => {
                return broken(
                    "corrupted-attachment",
                    "unreadable",
                    "is no valid Base64".into(),
                );
            }
        },
        Content::Uri(uri) if is_data(uri) => match bytes_of(attachment) {
            Some(bytes) => (bytes, inline(body, turn, block)),
            None => {
                return broken(
                    "corrupted-attachment",
                    "unreadable",
                    "is no valid `data:` address".into(),
                );
            }
        },
        Content::Uri(uri) => match classify(uri) {
            Some(Address::External(_)) => return (Attached::Elsewhere, None),
            Some(Address::Local(path)) => match known.find(body.file(), path) {
                Some(file) => match known.read(&file) {
                    Ok(bytes) if known.is_closed(&file, &bytes) => {
                        let why = format!("is `{file}`, which holds conversations");
                        return broken("refused-attachment", "not available", why);
                    }
                    Ok(bytes) => (bytes, Origin::File(file)),
                    Err(note) => return (Attached::Broken("unreadable"), Some(*note)),
                },
                None => {
                    let why = format!("is not at `{uri}`");
                    return broken("missing-attachment", "missing", why);
                }
            },
            None => {
                let why = format!("has the address `{uri}`, which no page may carry");
                return broken("refused-address", "not available", why);
            }
        },
    };
    if let Some(expected) = &attachment.sha256 {
        let digest: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if !expected.trim().eq_ignore_ascii_case(&digest) {
            let why = format!("is not what it was: its SHA-256 is {digest}");
            return broken("corrupted-attachment", "corrupted", why);
        }
    } else if let Some(size) = attachment.size.filter(|size| *size != bytes.len() as u64)
    {
        let why = format!("has {} bytes and should have {size}", bytes.len());
        return broken("corrupted-attachment", "corrupted", why);
    }
    let identity = identify(&bytes, &attachment.name);
    // A file is a file, even if it is a picture.
    let wanted = match attachment.kind {
        AttachmentKind::Image => Some(Shown::Image),
        AttachmentKind::Audio => Some(Shown::Audio),
        AttachmentKind::Video => Some(Shown::Video),
        AttachmentKind::Other => Some(identity.shown),
        AttachmentKind::File | AttachmentKind::Link => None,
    };
    let shown = match (wanted, identity.shown) {
        (Some(Shown::Image), Shown::Image) => Shown::Image,
        // Containers hold both.
        (Some(Shown::Audio), Shown::Audio | Shown::Video) => Shown::Audio,
        (Some(Shown::Video), Shown::Audio | Shown::Video) => Shown::Video,
        _ => Shown::File,
    };
    let note = (shown == Shown::File
        && wanted.is_some_and(|wanted| wanted != Shown::File))
    .then(|| {
        let kind = attachment.kind.word();
        let message = format!(
            "the attachment `{}` is no {kind} that browsers show",
            attachment.name
        );
        let note = Diagnostic::new(Severity::Warning, "not-media", message);
        Place::of(body, turn).on_line(note.hint("it is offered as a file"))
    });
    let media = Media {
        origin,
        name: attachment.name.clone(),
        hash: Hash::of_bytes(&bytes),
        extension: identity.extension,
        size: bytes.len() as u64,
        dimensions: identity.dimensions,
    };
    (Attached::Stored { media, shown }, note)
}

fn inline(body: &Body, turn: &Turn, block: usize) -> Origin {
    Origin::Inline { body: body.clone(), turn: turn.id.clone(), block }
}

fn is_data(uri: &str) -> bool {
    uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
}

/// The bytes of an attachment that carries them with it.
pub(super) fn bytes_of(attachment: &Attachment) -> Option<Vec<u8>> {
    match &attachment.content {
        Content::Base64(text) => base64_decode(text),
        Content::Uri(uri) if is_data(uri) => {
            let (kind, data) = uri[5..].split_once(',')?;
            if kind.ends_with(";base64") {
                base64_decode(&percent_decode(data))
            } else {
                Some(percent_decode(data).into_bytes())
            }
        }
        _ => None,
    }
}
