//! The file types of recordings that browsers can play.

use crate::sources::refs::media::{MediaKind, SNIFF_BYTES, identify};

/// File extensions of recordings, each with its kind and media type, in order of preference if
/// several files have the same stem: video comes before audio, and formats for the web before
/// originals.
const EXTENSIONS: [(&str, MediaKind, &str); 12] = [
    ("mp4", MediaKind::Video, "video/mp4"),
    ("m4v", MediaKind::Video, "video/mp4"),
    ("webm", MediaKind::Video, "video/webm"),
    ("m4a", MediaKind::Audio, "audio/mp4"),
    ("mp3", MediaKind::Audio, "audio/mpeg"),
    ("opus", MediaKind::Audio, "audio/ogg"),
    ("ogg", MediaKind::Audio, "audio/ogg"),
    ("oga", MediaKind::Audio, "audio/ogg"),
    ("weba", MediaKind::Audio, "audio/webm"),
    ("aac", MediaKind::Audio, "audio/aac"),
    ("flac", MediaKind::Audio, "audio/flac"),
    ("wav", MediaKind::Audio, "audio/wav"),
];

/// Returns the kind and media type for a file name.
pub(super) fn by_name(name: &str) -> Option<(MediaKind, &'static str)> {
    let (_, kind, media_type) = EXTENSIONS[rank(name.rsplit_once('.')?.1)?];
    Some((kind, media_type))
}

/// Returns the rank of a file extension among those of recordings.
pub(super) fn rank(extension: &str) -> Option<usize> {
    EXTENSIONS.iter().position(|(known, ..)| known.eq_ignore_ascii_case(extension))
}

/// Returns the extension under which a file is published, with its kind and media type, detected
/// from its first bytes. The name only distinguishes audio from video in containers for both.
pub(super) fn by_bytes(head: &[u8], name: &str) -> Option<(&'static str, MediaKind, &'static str)> {
    let found = identify(&head[..head.len().min(SNIFF_BYTES)], "");
    let is_sound = by_name(name).is_some_and(|(kind, _)| kind == MediaKind::Audio);
    Some(match (found.extension, is_sound) {
        ("mp4", true) => ("m4a", MediaKind::Audio, "audio/mp4"),
        ("webm", true) => ("webm", MediaKind::Audio, "audio/webm"),
        (extension @ ("mp4" | "webm" | "m4a" | "mp3" | "ogg" | "flac" | "wav"), _) => {
            let (_, kind, media_type) =
                EXTENSIONS.iter().find(|(known, ..)| *known == extension)?;
            (extension, *kind, media_type)
        }
        _ => return None,
    })
}
