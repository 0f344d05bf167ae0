//! What a file that no format reads looks like, so that its author is told by name.
//!
//! A guess for people, never a reader: nothing is published because of it. [`json`] knows the
//! exports of programs by their keys, [`text`] the shapes of lines, [`binary`] the first bytes.

mod binary;
mod json;
mod text;

use convo_base::diag::{Note, Severity};
use convo_base::text::trim_blank_lines;

/// The bytes of a file from which its kind is guessed.
pub const SNIFF_BYTES: usize = 256 << 10;

/// A guess of what a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lookalike {
    /// A noun with its article, such as `a ChatGPT export`.
    what: &'static str,
    /// Whether somebody says something in it.
    is_conversation: bool,
    /// How it becomes one that is read, where there is a way of its own.
    remedy: Option<&'static str>,
    /// Whether it stands in an export because every export has it, such as the settings of an
    /// account.
    is_account: bool,
}

const fn conversation(what: &'static str) -> Lookalike {
    Lookalike { what, is_conversation: true, remedy: None, is_account: false }
}

const fn other(what: &'static str) -> Lookalike {
    Lookalike { what, is_conversation: false, remedy: None, is_account: false }
}

const fn account(what: &'static str) -> Lookalike {
    Lookalike { what, is_conversation: false, remedy: None, is_account: true }
}

/// A text in which nobody is seen to speak.
const fn silent(what: &'static str) -> Lookalike {
    let remedy = "if it is a conversation, write `**Name:**` before each turn, or list the \
                  speakers in front matter: `speakers: [Ada, Bob]`";
    Lookalike { what, is_conversation: false, remedy: Some(remedy), is_account: false }
}

/// What Discord sends to whoever asks for their data.
const DISCORD_PACKAGE: &str =
    "a Discord data package, which contains only messages of the account owner";
/// What to do about such a half of a conversation.
const ONE_SIDE: &str = "save the whole channel as JSON with DiscordChatExporter";

/// Guesses what the file `name` is, of which `head` is the beginning.
fn guess(name: &str, head: &[u8]) -> Lookalike {
    let head = &head[..head.len().min(SNIFF_BYTES)];
    let name = name.to_ascii_lowercase();
    if let Some(found) = binary::guess(&name, head) {
        return found;
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return other("an empty file");
    }
    let is_json = opens_json(text);
    let found = if is_json { json::guess(&name, text) } else { text::guess(&name, text) };
    found.unwrap_or(match is_json {
        true => other("JSON in an unknown format"),
        false => silent("a text without recognisable speakers"),
    })
}

/// Returns whether a text starts as JSON does. Chats start with `[10:02]`.
pub(super) fn opens_json(text: &str) -> bool {
    let text = text.trim_start();
    let inside = text.strip_prefix('[').map(str::trim_start);
    text.starts_with('{') || inside.is_some_and(|inside| inside.starts_with(['{', '[', '"', ']']))
}

/// Returns the program that wrote a JSON text, where the keys of its exports leave no doubt.
pub(super) fn exporter(name: &str, text: &str) -> Option<Lookalike> {
    let end = text.floor_char_boundary(SNIFF_BYTES);
    opens_json(text)
        .then(|| json::guess(&name.to_ascii_lowercase(), &text[..end]))?
        .filter(|found| found.is_conversation && *found != json::MESSAGES)
}

/// Returns whether a text is a conversation as another program writes it, such as the export of a
/// messenger, or subtitles.
pub(super) fn is_other_chat(name: &str, text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(SNIFF_BYTES)];
    text::chat(&name.to_ascii_lowercase(), head).is_some_and(|found| found.is_conversation)
}

/// Returns whether a text is a part of an export of another program, whose conversations or
/// accounts are for nobody else. Subtitles belong to films, and pages of the web cite.
pub(super) fn is_export(name: &str, text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(SNIFF_BYTES)];
    let name = name.to_ascii_lowercase();
    if opens_json(text) {
        return json::guess(&name, head).is_some_and(|found| {
            found.is_account || found.is_conversation && found != json::MESSAGES
        });
    }
    if text::is_of_discord(head) {
        return true;
    }
    if head.trim_start().starts_with('<') {
        let has = |needle: &str| head.contains(needle);
        return has("outer-cell") && has("content-cell") || has("jsonData") && has("\"mapping\"");
    }
    let is_subtitles = [".vtt", ".srt"].iter().any(|ending| name.ends_with(ending))
        || head.trim_start().starts_with("WEBVTT");
    let is_chat = || text::chat(&name, head).is_some_and(|found| found.is_conversation);
    !is_code(&name) && !is_subtitles && is_chat()
}

/// Returns whether a file of that name holds code, settings or a table.
pub(super) fn is_code(name: &str) -> bool {
    const ENDINGS: [&str; 22] = [
        ".css", ".js", ".mjs", ".ts", ".map", ".wasm", ".html", ".htm", ".xhtml", ".svg", ".xml",
        ".xsl", ".rss", ".atom", ".yml", ".yaml", ".toml", ".csv", ".tsv", ".ics", ".vcf",
        ".webmanifest",
    ];
    let name = name.to_ascii_lowercase();
    // Hosts read `_headers` and `_redirects`.
    name.starts_with('_') || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the note on a file that no format reads: on its first line, where it is text.
pub fn note(name: &str, head: &[u8]) -> Note {
    let found = guess(name, head);
    let place = std::str::from_utf8(&head[..head.len().min(4096)])
        .ok()
        .map(|text| {
            let start = trim_blank_lines(text).1;
            start..text[start..].find('\n').map_or(text.len(), |end| start + end)
        })
        .filter(|line| !line.is_empty());
    if found.is_account {
        let message = format!("{}, which is never published", found.what);
        return Note::new(Severity::Hint, "account-data", None, message);
    }
    let leave = "set `ignore = true` for it in a `[[source]]` of site.toml";
    if found.is_conversation {
        let message =
            format!("{}, which convo-site cannot read, so it is not published", found.what);
        let note = Note::new(Severity::Warning, "unknown-format", place, message);
        let convert = "convert it to a format that `convo-site list formats` lists";
        note.hint(found.remedy.unwrap_or(convert)).hint(format!("or {leave}"))
    } else {
        let message = format!("{}, which is not published", found.what);
        let note = Note::new(Severity::Hint, "unknown-format", place, message);
        note.hint(found.remedy.unwrap_or(
            "if it is a conversation, set `format` for it in a `[[source]]` of site.toml",
        ))
        .hint(format!("if not, move it out of the content folder, or {leave}"))
    }
}
