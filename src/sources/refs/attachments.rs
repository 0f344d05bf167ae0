//! Finds and verifies attachments of turns, and detects their kind from their bytes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::media::{Media, MediaKind, MediaSource, identify, public_bytes};
use super::references::{self, Resolver};
use super::static_content::text_of;
use super::text_ref::{NotePlace, TextRef};
use crate::diag::{Diagnostic, Lines, Location, Severity, Span};
use crate::formats::Assets;
use crate::gate::Inspection;
use crate::hash::Hash;
use crate::markup::links::{Address, classify};
use crate::model::{Attachment, AttachmentKind, Content, Turn, is_data};
use crate::path::RelPath;
use crate::sources::find::assets::NOT_EXPORTED;
use crate::text::{InternedStr, base64_decode, interned};

/// The result of looking for the bytes of an attachment.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ResolvedAttachment {
    /// It is published with the page.
    Stored {
        /// The file.
        media: Box<Media>,
        /// How it is shown.
        kind: MediaKind,
    },
    /// It is on another host, at the URL given by the source.
    External,
    /// It is missing, and no placeholder is needed: few exports include such files.
    Absent,
    /// It cannot be shown. Contains the reason in a few words.
    Broken(#[serde(deserialize_with = "interned")] InternedStr),
}

/// Returns the path of an attachment of a conversation in `file`, if its URL is relative. Returns
/// `Some(None)` if the path leads out of the known folders.
pub fn attached_file(file: &RelPath, attachment: &Attachment) -> Option<Option<RelPath>> {
    let Content::Uri(uri) = &attachment.content else { return None };
    if is_data(uri) {
        return None;
    }
    match classify(uri)? {
        Address::External(_) => None,
        Address::Local(path) => Some(references::local(file, path)),
    }
}

/// Finds the bytes of the attachment in block `block` of `turn`. Also returns a diagnostic if that
/// fails, and the findings of the gate. A file with something to redact is withheld as a whole.
pub(crate) fn attach(
    attachment: &Attachment,
    turn: &Turn,
    block: usize,
    text_ref: &TextRef,
    resolver: &Resolver<'_>,
) -> (ResolvedAttachment, Option<Diagnostic>, Inspection) {
    let mut seen = Inspection::default();
    let (attached, note) = find(attachment, turn, block, text_ref, resolver, &mut seen);
    let is_redacted = seen.changed.take().is_some();
    if !is_redacted || !matches!(attached, ResolvedAttachment::Stored { .. }) {
        return (attached, note, seen);
    }
    let name = &attachment.name;
    let message = format!("the attachment `{name}` is not published: it contains redacted text");
    let note = Diagnostic::new(Severity::Warning, "redacted-attachment", message);
    let hint = "files cannot be published in part; the page shows a placeholder";
    let note = NotePlace::of(text_ref, turn).on_line(note.hint(hint));
    (ResolvedAttachment::Broken("not available"), Some(note), seen)
}

/// Looks for secrets in an attachment that is not an image, audio or video.
fn inspect(
    text: &str,
    source: &MediaSource,
    turn: &Turn,
    text_ref: &TextRef,
    resolver: &Resolver<'_>,
) -> Inspection {
    let label = text_ref.source.label();
    let mut seen = resolver.inspect(text_ref, &[label], text);
    let lines = Lines::new(text);
    for found in &mut seen.found {
        label.clone_into(&mut found.finding.conversation);
        found.finding.at = match source {
            MediaSource::File(file) => {
                let at = text.find(&found.secret).unwrap_or(0);
                let span = Span { excerpt: String::new(), ..lines.span(at..at + 1) };
                Location { file: file.to_string(), span: Some(span) }
            }
            MediaSource::Inline { .. } => {
                let (file, line) = text_ref.place(turn);
                let span = Some(Span { line, ..Span::default() });
                Location { file, span }
            }
        };
    }
    seen
}

fn find(
    attachment: &Attachment,
    turn: &Turn,
    block: usize,
    text_ref: &TextRef,
    resolver: &Resolver<'_>,
    seen: &mut Inspection,
) -> (ResolvedAttachment, Option<Diagnostic>) {
    let broken = |code: &'static str, what: &'static str, why: String| {
        let message = format!("the attachment `{}` {why}", attachment.name);
        let note = Diagnostic::new(Severity::Warning, code, message);
        let hint = "the page shows a placeholder";
        let note = NotePlace::of(text_ref, turn).on_line(note.hint(hint));
        (ResolvedAttachment::Broken(what), Some(note))
    };
    // The original file name, if the attachment does not have it.
    let mut name = None;
    let (bytes, source) = match &attachment.content {
        Content::Missing => {
            return broken("missing-attachment", "missing", "has neither data nor a URL".into());
        }
        Content::Base64(text) => match base64_decode(text) {
            Some(bytes) => (bytes, inline(text_ref, turn, block)),
            None => {
                return broken("corrupted-attachment", "unreadable", "is not valid Base64".into());
            }
        },
        Content::Uri(uri) if is_data(uri) => match attachment.inline_bytes() {
            Some(bytes) => (bytes, inline(text_ref, turn, block)),
            None => {
                return broken(
                    "corrupted-attachment",
                    "unreadable",
                    "is not a valid `data:` URL".into(),
                );
            }
        },
        Content::Uri(uri) if uri.starts_with(Assets::SCHEME) => {
            let Some((file, called)) = resolver.asset(text_ref.file(), uri) else {
                if uri.starts_with(Assets::OPTIONAL) {
                    return (ResolvedAttachment::Absent, None);
                }
                let message = match attachment.name.as_str() {
                    "" => "an attachment is missing from the export".to_owned(),
                    name => format!("the attachment `{name}` is missing from the export"),
                };
                let note = Diagnostic::new(Severity::Warning, "missing-attachment", message);
                let note = NotePlace::of(text_ref, turn).on_line(note.hint(NOT_EXPORTED));
                return (ResolvedAttachment::Broken("missing"), Some(note));
            };
            name = called.filter(|_| attachment.name.is_empty());
            match resolver.read(&file) {
                Ok(bytes) if resolver.is_reserved(&file, &bytes) => {
                    let why = format!("is `{file}`, which contains conversations");
                    return broken("refused-attachment", "not available", why);
                }
                Ok(bytes) => (bytes, MediaSource::File(file)),
                Err(note) => {
                    return (ResolvedAttachment::Broken("unreadable"), Some(*note));
                }
            }
        }
        Content::Uri(uri) => match classify(uri) {
            Some(Address::External(_)) => return (ResolvedAttachment::External, None),
            Some(Address::Local(path)) => match resolver.find(text_ref.file(), path) {
                Some(file) => match resolver.read(&file) {
                    Ok(bytes) if resolver.is_reserved(&file, &bytes) => {
                        let why = format!("is `{file}`, which contains conversations");
                        return broken("refused-attachment", "not available", why);
                    }
                    Ok(bytes) => (bytes, MediaSource::File(file)),
                    Err(note) => {
                        return (ResolvedAttachment::Broken("unreadable"), Some(*note));
                    }
                },
                None => {
                    let why = format!("was not found at `{uri}`");
                    return broken("missing-attachment", "missing", why);
                }
            },
            None => {
                let why = format!("has the URL `{uri}`, which is not allowed on pages");
                return broken("refused-address", "not available", why);
            }
        },
    };
    if let Some(expected) = &attachment.sha256 {
        let digest: String =
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        if !expected.trim().eq_ignore_ascii_case(&digest) {
            let why = format!("has changed: its SHA-256 is {digest}");
            return broken("corrupted-attachment", "corrupted", why);
        }
    } else if let Some(size) = attachment.size.filter(|size| *size != bytes.len() as u64) {
        let why = format!("has {} bytes, but {size} are expected", bytes.len());
        return broken("corrupted-attachment", "corrupted", why);
    }
    let name = match name {
        Some(called) => resolver.clean(text_ref, called.to_owned()),
        None => attachment.name.clone(),
    };
    let identity = identify(&bytes, &name);
    let is_file = identity.kind == MediaKind::File;
    let text = is_file.then(|| text_of(&bytes, &name)).flatten();
    if is_file {
        // Binary files contain texts too.
        let lossy = || String::from_utf8_lossy(&bytes);
        let text = text.clone().unwrap_or_else(lossy);
        *seen = inspect(&text, &source, turn, text_ref, resolver);
    }
    let is_beside = matches!(source, MediaSource::File(_));
    let contains_name = is_beside && text.as_ref().is_some_and(|text| resolver.contains_name(text));
    drop(text);
    let public = match public_bytes(bytes) {
        Ok(public) => public,
        Err(why) => {
            let why = format!("is a damaged image: {why}");
            return broken("damaged-image", "unreadable", why);
        }
    };
    let bytes = public.bytes;
    if contains_name {
        let why = "contains a name that is hidden on this site".to_owned();
        return broken("refused-attachment", "not available", why);
    }
    // An attachment of kind `File` is shown as a file, even if it is an image.
    let wanted = match attachment.kind {
        AttachmentKind::Image => Some(MediaKind::Image),
        AttachmentKind::Audio => Some(MediaKind::Audio),
        AttachmentKind::Video => Some(MediaKind::Video),
        AttachmentKind::Other => Some(identity.kind),
        AttachmentKind::File | AttachmentKind::Link => None,
    };
    let kind = match (wanted, identity.kind) {
        (Some(MediaKind::Image), MediaKind::Image) => MediaKind::Image,
        // These containers can hold audio or video.
        (Some(MediaKind::Audio), MediaKind::Audio | MediaKind::Video) => MediaKind::Audio,
        (Some(MediaKind::Video), MediaKind::Audio | MediaKind::Video) => MediaKind::Video,
        _ => MediaKind::File,
    };
    let note = (kind == MediaKind::File && wanted.is_some_and(|wanted| wanted != MediaKind::File))
        .then(|| {
            let kind = attachment.kind.word();
            let message = format!(
                "the attachment `{}` is not a file that browsers show as {kind}",
                attachment.name
            );
            let note = Diagnostic::new(Severity::Warning, "not-media", message);
            NotePlace::of(text_ref, turn).on_line(note.hint("it is offered as a download"))
        });
    let unclean = || public.note.map(|note| NotePlace::of(text_ref, turn).on_line(note));
    let note = note.or_else(unclean);
    let media = Media {
        source,
        name,
        hash: Hash::of_bytes(&bytes),
        extension: identity.extension,
        size: bytes.len() as u64,
        dimensions: identity.dimensions,
        is_stripped: public.is_stripped,
    };
    (ResolvedAttachment::Stored { media: Box::new(media), kind }, note)
}

fn inline(text_ref: &TextRef, turn: &Turn, block: usize) -> MediaSource {
    MediaSource::Inline { text_ref: text_ref.clone(), turn: turn.id.clone(), block }
}
