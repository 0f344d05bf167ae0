//! The meaning of lines in a message that nobody typed.

/// The names of tapbacks, and the emoji shown for them.
const TAPBACKS: [(&str, &str); 6] = [
    ("Loved", "❤️"),
    ("Liked", "👍"),
    ("Disliked", "👎"),
    ("Laughed", "😂"),
    ("Emphasized", "‼️"),
    ("Questioned", "❓"),
];
/// The maximum number of characters of another emoji.
const MAX_EMOJI: usize = 16;
/// The text of a tapback with a picture, before a name.
const STICKER: &str = "Sticker from ";
/// Placeholders for files without a path.
pub(super) const NO_FILE: [&str; 2] = ["Attachment missing!", "Attachment does not exist!"];
/// Extensions of files that phones send.
const ENDINGS: [&str; 22] = [
    "jpg", "jpeg", "png", "gif", "heic", "heif", "webp", "tiff", "mov", "mp4", "m4v", "3gp", "caf",
    "amr", "m4a", "mp3", "wav", "aac", "pdf", "vcf", "ics", "usdz",
];
/// Link previews.
pub(super) const PREVIEW: &str = ".pluginPayloadAttachment";
/// Names of visual effects.
const EFFECTS: [&str; 13] = [
    "Confetti", "Echo", "Fireworks", "Balloons", "Heart", "Lasers", "Shooting Star", "Sparkles",
    "Spotlight", "Slam", "Loud", "Gentle", "Invisible Ink",
];

/// Returns whether a line is a sticker: `Outline Sticker from Ada: attachments/1.heic`.
pub(super) fn is_sticker(line: &str) -> bool {
    line.split_once(STICKER).is_some_and(|(effect, rest)| {
        effect.trim().chars().all(char::is_alphabetic) && rest.contains(':')
    })
}

/// Returns the emoji of a reaction line.
pub(super) fn reaction(line: &str) -> Option<&str> {
    if is_sticker(line) {
        return Some(":sticker:");
    }
    let (what, who) = line.split_once(" by ")?;
    let known = TAPBACKS.iter().find(|(name, _)| *name == what).map(|(_, emoji)| *emoji);
    let is_emoji = || {
        what.chars().count() <= MAX_EMOJI
            && !what.is_empty()
            && !what.contains(|c: char| c.is_ascii_graphic() && !c.is_ascii_digit())
            && !what.contains(char::is_whitespace)
    };
    known.or_else(|| is_emoji().then_some(what)).filter(|_| !who.trim().is_empty())
}

/// Returns whether a line consists of the path or the name of a file.
pub(super) fn is_file(line: &str) -> bool {
    if NO_FILE.contains(&line) || line.ends_with(PREVIEW) {
        return true;
    }
    let name = line.rsplit('/').next().unwrap_or(line);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let has_ending = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()));
    let is_path = line.contains('/') && !line.contains("://");
    let is_home = ["/Users/", "~/Library/", "/var/mobile/", "attachments/"]
        .iter()
        .any(|start| line.starts_with(start));
    let is_stored = ["/Attachments/", "MobileSync/Backup/", "Library/SMS/", "/StickerCache/"]
        .iter()
        .any(|folder| line.contains(folder));
    let is_name =
        has_ending && (!name.contains(char::is_whitespace) || name.starts_with("Audio Message"));
    is_path && (is_home || is_stored) || is_name && !line.contains("://") && !is_path
}

/// Returns whether a line names a visual effect: `Sent with Confetti`.
pub(super) fn is_effect(line: &str) -> bool {
    line.strip_prefix("Sent with ").is_some_and(|effect| EFFECTS.contains(&effect))
}

/// Returns whether a line says that a message or a part of it was unsent.
pub(super) fn is_unsent(line: &str) -> bool {
    let is_part = line.contains(" unsent this message part") && line.ends_with('!');
    is_part || ["You deleted a message.", "They deleted a message."].contains(&line)
}
