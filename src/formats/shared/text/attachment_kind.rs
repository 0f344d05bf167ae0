//! The kind of an attached file.

use convo_base::model::AttachmentKind;

/// Returns the kind of a file from its name, or from its MIME type or another word in the source.
pub(crate) fn kind_of(name: &str, mime: Option<&str>) -> AttachmentKind {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let word = mime.unwrap_or_default().split('/').next().unwrap_or_default();
    match (word, extension.as_deref()) {
        ("image", _) => AttachmentKind::Image,
        ("audio", _) => AttachmentKind::Audio,
        ("video", _) => AttachmentKind::Video,
        // A type counts more than the name, unless it says nothing.
        ("application", _) if !mime.is_some_and(|mime| mime.contains("octet-stream")) => {
            AttachmentKind::File
        }
        (_, Some("png" | "jpg" | "jpeg" | "gif" | "webp" | "avif" | "heic" | "heif" | "tiff")) => {
            AttachmentKind::Image
        }
        (_, Some("mp3" | "wav" | "ogg" | "opus" | "m4a" | "flac" | "aac" | "amr" | "caf")) => {
            AttachmentKind::Audio
        }
        (_, Some("mp4" | "m4v" | "webm" | "mov" | "mkv" | "3gp")) => AttachmentKind::Video,
        _ => AttachmentKind::File,
    }
}
