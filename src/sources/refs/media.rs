//! Media files: files that are published, images without their metadata.

use serde::{Deserialize, Serialize};

use super::text_ref::TextRef;
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::images::{self, Stripped};
use crate::path::RelPath;
use crate::sources::find::stored_paths;
use crate::text::{InternedStr, interned};

/// A media file. It is published unchanged, except that metadata is removed from images.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Media {
    /// The place of its bytes.
    pub source: MediaSource,
    /// The name shown to people.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// The file extension under which it is published. Browsers run no scripts in such files.
    #[serde(deserialize_with = "interned")]
    pub extension: InternedStr,
    /// Its size in bytes.
    pub size: u64,
    /// The width and height of an image in pixels.
    pub dimensions: Option<(u32, u32)>,
    /// Whether metadata, such as the place and time of a photo, is removed for publishing.
    pub is_stripped: bool,
}

impl Media {
    /// Returns the file of the site folder that contains it, if any.
    pub(crate) fn file(&self) -> Option<&RelPath> {
        match &self.source {
            MediaSource::File(file) => Some(file),
            MediaSource::Inline { .. } => None,
        }
    }
}

/// The place of a media file's bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MediaSource {
    /// A file of the site folder.
    File(#[serde(with = "stored_paths::path")] RelPath),
    /// An attachment inside a conversation.
    Inline {
        /// The part of the conversation.
        text_ref: TextRef,
        /// The turn's id.
        turn: String,
        /// The index among the blocks of the turn.
        block: usize,
    },
}

/// The kind of a media file, which determines how it is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum MediaKind {
    /// An image, shown inline.
    Image,
    /// Audio, shown with a player.
    Audio,
    /// Video, shown with a player.
    Video,
    /// Any other file, shown as a download.
    File,
}

/// The type of a file, detected from its bytes.
pub(crate) struct Identity {
    pub(crate) extension: &'static str,
    pub(crate) kind: MediaKind,
    pub(crate) dimensions: Option<(u32, u32)>,
}

/// The number of bytes at the beginning that are needed to identify a file.
pub(crate) const SNIFF_BYTES: usize = 64;
/// Binary file extensions that are kept. Other programs open such files, and browsers run nothing
/// in them.
const BINARY_EXTENSIONS: [&str; 22] = [
    "zip", "gz", "tgz", "xz", "7z", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "ttf",
    "otf", "woff2", "sqlite", "db", "parquet", "psd", "step", "stl", "heic",
];
/// Text file extensions that are kept.
const TEXT_EXTENSIONS: [&str; 12] =
    ["txt", "csv", "tsv", "md", "json", "jsonl", "yaml", "yml", "toml", "log", "srt", "vtt"];

/// The bytes of a file as published.
pub(crate) struct PublicBytes {
    pub(crate) bytes: Vec<u8>,
    /// Whether they differ from the bytes of the file.
    pub(crate) is_stripped: bool,
    /// A diagnostic about metadata that could not be removed.
    pub(crate) note: Option<Diagnostic>,
}

/// Removes what must not be published from a file. The error says why the file cannot be published.
pub(crate) fn public_bytes(bytes: Vec<u8>) -> Result<PublicBytes, &'static str> {
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

/// Returns the width and height of an image in pixels.
pub fn dimensions_of(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(bytes).ok()?;
    let size = (u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?);
    Some(size).filter(|(width, height)| *width > 0 && *height > 0)
}

/// Identifies a file. Images, audio and video are recognised by their bytes alone. For other files
/// the name selects one of the harmless extensions; without a match, it is `txt` or `bin`.
pub(crate) fn identify(bytes: &[u8], name: &str) -> Identity {
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
