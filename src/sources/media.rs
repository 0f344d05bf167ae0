//! Media files: files that are published as they are, with their kinds, and images without what is
//! not the picture.

use serde::{Deserialize, Serialize};

use super::stored_paths;
use super::text_ref::TextRef;
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::images::{self, Stripped};
use crate::path::RelPath;
use crate::text::{InternedStr, interned};

/// A media file, which is published as it is, an image without what is not the picture.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Media {
    /// Where its bytes are.
    pub source: MediaSource,
    /// Its own name, for people.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// The ending under which it is published: no browser reads a script into it.
    #[serde(deserialize_with = "interned")]
    pub extension: InternedStr,
    /// Its size. Bytes.
    pub size: u64,
    /// Width and height of an image. Pixels.
    pub dimensions: Option<(u32, u32)>,
    /// Whether it is published without something that its source has: where and when a picture was
    /// taken, and what else is not the picture.
    pub is_stripped: bool,
}

impl Media {
    /// Returns the file of the site folder that it is, if it is one.
    pub(super) fn file(&self) -> Option<&RelPath> {
        match &self.source {
            MediaSource::File(file) => Some(file),
            MediaSource::Inline { .. } => None,
        }
    }
}

/// The place of the bytes of a media file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MediaSource {
    /// In a file of the site folder.
    File(#[serde(with = "stored_paths::path")] RelPath),
    /// In an attachment of a conversation.
    Inline {
        /// The part of the conversation.
        text_ref: TextRef,
        /// The turn's id.
        turn: String,
        /// Its place among the blocks of the turn.
        block: usize,
    },
}

/// The kind of a media file, which decides how it is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MediaKind {
    /// An image, shown in its place.
    Image,
    /// A recording, shown with a player.
    Audio,
    /// A recording, shown with a player.
    Video,
    /// Any other file, offered as a download.
    File,
}

/// The identity of a file, as its bytes show it.
pub(super) struct Identity {
    pub(super) extension: &'static str,
    pub(super) kind: MediaKind,
    pub(super) dimensions: Option<(u32, u32)>,
}

/// The first bytes of a file, by which it is known.
pub(super) const SNIFF_BYTES: usize = 64;
/// Extensions of binary files that are kept: programs open such files, and browsers run nothing in
/// them.
const BINARY_EXTENSIONS: [&str; 22] = [
    "zip", "gz", "tgz", "xz", "7z", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "ttf",
    "otf", "woff2", "sqlite", "db", "parquet", "psd", "step", "stl", "heic",
];
/// Extensions of text files that are kept.
const TEXT_EXTENSIONS: [&str; 12] =
    ["txt", "csv", "tsv", "md", "json", "jsonl", "yaml", "yml", "toml", "log", "srt", "vtt"];

/// The bytes of a file as they are published.
pub(super) struct PublicBytes {
    pub(super) bytes: Vec<u8>,
    /// Whether they are not those of the file.
    pub(super) is_stripped: bool,
    /// The note on what could not be taken out.
    pub(super) note: Option<Diagnostic>,
}

/// Takes out of a file what is not to be published. The error says why nothing of it is.
pub(super) fn public_bytes(bytes: Vec<u8>) -> Result<PublicBytes, &'static str> {
    let mut public = PublicBytes { bytes, is_stripped: false, note: None };
    match images::strip(&public.bytes) {
        Stripped::AsIs => {}
        Stripped::Changed(stripped) => {
            (public.bytes, public.is_stripped) = (stripped, true);
        }
        Stripped::Kept => {
            let message = "an image is published with its metadata";
            let note = Diagnostic::new(Severity::Warning, "image-metadata", message);
            let hint = "its metadata may include where and when it was taken; save it as JPEG, PNG \
                        or WebP, whose metadata is removed";
            public.note = Some(note.hint(hint));
        }
        Stripped::Damaged(why) => return Err(why),
    }
    Ok(public)
}

/// Returns the width and the height of an image in pixels.
pub fn dimensions_of(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(bytes).ok()?;
    let size = (u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?);
    Some(size).filter(|(width, height)| *width > 0 && *height > 0)
}

/// Identifies a file. Images, sound and films are known by their bytes alone; the name only
/// chooses among endings that are harmless, and everything else becomes `txt` or `bin`.
pub(super) fn identify(bytes: &[u8], name: &str) -> Identity {
    if let Some((extension, kind)) = signature(bytes) {
        let dimensions = Some(bytes).filter(|_| kind == MediaKind::Image);
        let dimensions = dimensions.and_then(dimensions_of);
        return Identity { extension, kind, dimensions };
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let ending = ending.unwrap_or_default();
    let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    let (known, other): (&[&'static str], _) =
        if is_text { (&TEXT_EXTENSIONS, "txt") } else { (&BINARY_EXTENSIONS, "bin") };
    let extension = known.iter().find(|known| **known == ending).copied().unwrap_or(other);
    Identity { extension, kind: MediaKind::File, dimensions: None }
}

/// Identifies a file by its first bytes.
fn signature(bytes: &[u8]) -> Option<(&'static str, MediaKind)> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ("png", MediaKind::Image),
        [0xff, 0xd8, 0xff, ..] => ("jpg", MediaKind::Image),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => ("gif", MediaKind::Image),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            ("webp", MediaKind::Image)
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => {
            ("wav", MediaKind::Audio)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => {
            ("avif", MediaKind::Image)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', b'M', b'4', b'A', ..] => ("m4a", MediaKind::Audio),
        [_, _, _, _, b'f', b't', b'y', b'p', b'h', b'e', b'i', b'c', ..] => {
            ("heic", MediaKind::File)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => ("mp4", MediaKind::Video),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => ("webm", MediaKind::Video),
        [b'O', b'g', b'g', b'S', ..] => ("ogg", MediaKind::Audio),
        [b'f', b'L', b'a', b'C', ..] => ("flac", MediaKind::Audio),
        [b'I', b'D', b'3', ..] | [0xff, 0xfb | 0xf3 | 0xf2, ..] => ("mp3", MediaKind::Audio),
        [b'%', b'P', b'D', b'F', b'-', ..] => ("pdf", MediaKind::File),
        _ => return None,
    })
}
