//! Files that are published as they are, and what they are.

use serde::{Deserialize, Serialize};

use super::Body;
use crate::hash::Hash;
use crate::path::RelPath;
use crate::text::{Word, interned};

/// A file that is published as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Media {
    /// Where its bytes are.
    pub origin: Origin,
    /// Its own name, for people.
    pub name: String,
    /// The hash of its bytes.
    pub hash: Hash,
    /// The ending under which it is published: no browser reads a script into it.
    #[serde(deserialize_with = "interned")]
    pub extension: Word,
    /// Its size. Bytes.
    pub size: u64,
    /// Width and height of an image. Pixels.
    pub dimensions: Option<(u32, u32)>,
}

/// Where the bytes of a media file are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// In a file of the site folder.
    File(RelPath),
    /// In an attachment of a conversation.
    Inline {
        /// The part of the conversation.
        body: Body,
        /// The turn's id.
        turn: String,
        /// Its place among the blocks of the turn.
        block: usize,
    },
}

/// How a file is shown.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize,
)]
pub enum Shown {
    /// In its place.
    Image,
    /// With a player.
    Audio,
    /// With a player.
    Video,
    /// As a download.
    File,
}

/// What some bytes are.
pub(super) struct Identity {
    pub(super) extension: &'static str,
    pub(super) shown: Shown,
    pub(super) dimensions: Option<(u32, u32)>,
}

/// Endings that may stay: programs open such files, and browsers run nothing in them.
const BINARY: [&str; 22] = [
    "zip", "gz", "tgz", "xz", "7z", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub",
    "ttf", "otf", "woff2", "sqlite", "db", "parquet", "psd", "step", "stl", "heic",
];
/// The same for text.
const TEXT: [&str; 12] = [
    "txt", "csv", "tsv", "md", "json", "jsonl", "yaml", "yml", "toml", "log", "srt",
    "vtt",
];

/// Width and height of an image. Pixels.
pub fn dimensions_of(bytes: &[u8]) -> Option<(u32, u32)> {
    let size = imagesize::blob_size(bytes).ok()?;
    let size = (u32::try_from(size.width).ok()?, u32::try_from(size.height).ok()?);
    Some(size).filter(|(width, height)| *width > 0 && *height > 0)
}

/// Tells what bytes are. Images, sound and films are known by their bytes alone; the name only
/// chooses among endings that are harmless, and everything else becomes `txt` or `bin`.
pub(super) fn identify(bytes: &[u8], name: &str) -> Identity {
    if let Some((extension, shown)) = signature(bytes) {
        let dimensions = Some(bytes).filter(|_| shown == Shown::Image);
        let dimensions = dimensions.and_then(dimensions_of);
        return Identity { extension, shown, dimensions };
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let ending = ending.unwrap_or_default();
    let is_text = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    let (known, other): (&[&'static str], _) =
        if is_text { (&TEXT, "txt") } else { (&BINARY, "bin") };
    let extension =
        known.iter().find(|known| **known == ending).copied().unwrap_or(other);
    Identity { extension, shown: Shown::File, dimensions: None }
}

/// What the first bytes say.
fn signature(bytes: &[u8]) -> Option<(&'static str, Shown)> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ("png", Shown::Image),
        [0xff, 0xd8, 0xff, ..] => ("jpg", Shown::Image),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => ("gif", Shown::Image),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            ("webp", Shown::Image)
        }
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => {
            ("wav", Shown::Audio)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f' | b's', ..] => {
            ("avif", Shown::Image)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', b'M', b'4', b'A', ..] => {
            ("m4a", Shown::Audio)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', b'h', b'e', b'i', b'c', ..] => {
            ("heic", Shown::File)
        }
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => ("mp4", Shown::Video),
        [0x1a, 0x45, 0xdf, 0xa3, ..] => ("webm", Shown::Video),
        [b'O', b'g', b'g', b'S', ..] => ("ogg", Shown::Audio),
        [b'f', b'L', b'a', b'C', ..] => ("flac", Shown::Audio),
        [b'I', b'D', b'3', ..] | [0xff, 0xfb | 0xf3 | 0xf2, ..] => ("mp3", Shown::Audio),
        [b'%', b'P', b'D', b'F', b'-', ..] => ("pdf", Shown::File),
        _ => return None,
    })
}
