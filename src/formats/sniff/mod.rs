//! Guesses what a file is that no format reads, for a helpful message.
//!
//! The guess is only shown to the user; nothing is published because of it. `json` identifies exports by
//! their keys, `text` by the shapes of lines, and `binary` by the first bytes.

mod binary;
mod json;
mod text;

use convo_base::diag::{Note, Severity};
use convo_base::text::trim_blank_lines;

/// The number of bytes from which the type of a file is guessed.
pub const SNIFF_BYTES: usize = 256 << 10;

/// A guess of what a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lookalike {
    /// A noun with its article, such as `a ChatGPT export`.
    what: &'static str,
    /// Whether it contains conversations.
    is_conversation: bool,
    /// A specific way to make it readable, if there is one.
    remedy: Option<&'static str>,
    /// Whether it is a standard part of an export that is about the account, such as its settings.
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

/// Returns a guess for a text without recognisable speakers.
const fn silent(what: &'static str) -> Lookalike {
    let remedy = "if it is a conversation, write `**Name:**` before each turn, or list the \
                  speakers in front matter: `speakers: [Ada, Bob]`";
    Lookalike { what, is_conversation: false, remedy: Some(remedy), is_account: false }
}

/// The data that Discord sends on request.
const DISCORD_PACKAGE: &str =
    "a Discord data package, which contains only messages of the account owner";
/// The hint for data with one side of each conversation only.
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

/// Returns whether a text starts like JSON. Chats may start with `[10:02]`.
pub(super) fn opens_json(text: &str) -> bool {
    let text = text.trim_start();
    let inside = text.strip_prefix('[').map(str::trim_start);
    text.starts_with('{') || inside.is_some_and(|inside| inside.starts_with(['{', '[', '"', ']']))
}

/// Returns the program that wrote a JSON text, if its keys identify it.
pub(super) fn exporter(name: &str, text: &str) -> Option<Lookalike> {
    let end = text.floor_char_boundary(SNIFF_BYTES);
    opens_json(text)
        .then(|| json::guess(&name.to_ascii_lowercase(), &text[..end]))?
        .filter(|found| found.is_conversation && *found != json::MESSAGES)
}

/// Returns whether a text is a conversation in the format of another program, such as a messenger export or
/// subtitles.
pub(super) fn is_other_chat(name: &str, text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(SNIFF_BYTES)];
    text::chat(&name.to_ascii_lowercase(), head).is_some_and(|found| found.is_conversation)
}

/// Returns whether a text is part of an export that must not be published: conversations or account data.
/// Subtitles are excluded since they belong to videos, and web pages since they may contain quotes.
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
    let is_subtitles = [".vtt", ".srt"].iter().any(|extension| name.ends_with(extension))
        || head.trim_start().starts_with("WEBVTT");
    let is_chat = || text::chat(&name, head).is_some_and(|found| found.is_conversation);
    !is_code(&name) && !is_subtitles && is_chat()
}

/// Returns whether a file with this name contains code, settings or a table.
pub(super) fn is_code(name: &str) -> bool {
    const EXTENSIONS: [&str; 22] = [
        ".css", ".js", ".mjs", ".ts", ".map", ".wasm", ".html", ".htm", ".xhtml", ".svg", ".xml",
        ".xsl", ".rss", ".atom", ".yml", ".yaml", ".toml", ".csv", ".tsv", ".ics", ".vcf",
        ".webmanifest",
    ];
    let name = name.to_ascii_lowercase();
    // `_headers` and `_redirects` are for hosts.
    name.starts_with('_') || EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// Returns whether a file is a standard part of an export that is about the account, such as its settings.
pub(super) fn is_account_data(name: &str, head: &str) -> bool {
    guess(name, head.as_bytes()).is_account
}

/// Returns the note for a file that no format reads. For text, it is on the first line.
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
        let message = format!("{} (never published)", found.what);
        return Note::new(Severity::Hint, "account-data", None, message);
    }
    let leave = "set `ignore = true` for it in a `[[source]]` of site.toml";
    if found.is_conversation {
        let message = format!("{} (cannot be read, not published)", found.what);
        let note = Note::new(Severity::Warning, "unknown-format", place, message);
        let convert = "convert it to a format that `convo-site list formats` lists";
        note.hint(found.remedy.unwrap_or(convert)).hint(format!("or {leave}"))
    } else {
        let message = format!("{} (not published)", found.what);
        let note = Note::new(Severity::Hint, "unknown-format", place, message);
        note.hint(found.remedy.unwrap_or(
            "if it is a conversation, set `format` for it in a `[[source]]` of site.toml",
        ))
        .hint(format!("if not, move it out of the content folder, or {leave}"))
    }
}
