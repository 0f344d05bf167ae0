//! Converts bytes to conversations and back. Code after this crate does not depend on the format.
//!
//! Each format is a file or folder here and an entry in [`ALL`]. [`detect()`] finds the format of a file,
//! and [`parse()`] reads a source. What several formats need is in `shared`.

mod ai_studio;
mod aider;
mod alpaca;
mod assets;
mod chat_export;
mod chatgpt;
mod chibi;
mod cjson;
mod claude;
mod claude_code;
mod claude_design;
mod cline;
mod codex;
mod continue_dev;
mod conv2md;
mod convo;
mod copilot_cli;
mod cursor;
mod deepseek;
mod detect;
mod discord;
mod extensions;
mod format;
mod forum;
mod gemini_cli;
mod gemini_takeout;
mod google_chat;
mod grok;
mod imessage;
mod irc;
mod kakaotalk;
pub mod kept;
mod le_chat;
mod librechat;
mod line_app;
mod llm;
mod lm_studio;
mod long_names;
mod losses;
mod mail;
mod markdown;
mod matrix;
mod mattermost;
mod messenger;
mod neighbours;
mod neutral;
mod nextchat;
mod oasst;
mod open_webui;
mod openai_messages;
mod opencode;
mod openhands;
mod otter;
mod page;
mod parse;
mod parts;
mod pi;
mod podcast_transcript;
mod probe;
mod privacy_mark;
pub mod section;
mod sharegpt;
mod shared;
mod signal;
mod sillytavern;
mod slack;
pub mod sniff;
mod source;
mod specstory;
mod srt;
mod swe_agent;
mod teams;
mod telegram;
mod vcon;
mod vlinder;
mod vscode_copilot;
mod webvtt;
mod whatsapp;
mod whisper;
mod zed;
mod zoom_chat;
mod zulip;

pub use self::assets::Assets;
pub use self::detect::{DETECT_BYTES, opens_json};
pub use self::detect::{detect, holds_conversations, seems_a_conversation};
pub use self::extensions::{EXTENSIONS, has_lines, may_be_read, may_hold_conversations};
pub use self::format::{About, Claim, Format, Read, Write};
pub use self::long_names::cut_long_names;
pub use self::losses::{Loss, losses};
pub use self::neighbours::Neighbours;
pub use self::parse::panic_message;
pub use self::parse::{Input, access_of, decoded, parse, read, text_of};
pub use self::parts::{Beside, Cut, Finder, Found, Parts, Piece};
pub use self::privacy_mark::is_marked_private;
pub use self::probe::Probe;
pub use self::shared::access::tool_access::{
    OpenServers, agent_of, is_withheld_in, withheld_server,
};
pub use self::shared::access::visibility;
pub use self::shared::json::records::{LIST_KEYS, is_list_withheld};
pub use self::source::{Bundle, File, Listing, Parsed};

/// All formats. If several claim a file with the same certainty, the first one wins.
pub const ALL: &[&Format] = &[
    &convo::FORMAT,
    &cjson::FORMAT,
    &chibi::FORMAT,
    &vlinder::FORMAT,
    &codex::FORMAT,
    &claude_code::FORMAT,
    &claude::FORMAT,
    &claude_design::FORMAT,
    &chatgpt::FORMAT,
    &open_webui::FORMAT,
    &deepseek::FORMAT,
    &grok::FORMAT,
    &librechat::FORMAT,
    &lm_studio::FORMAT,
    &sillytavern::FORMAT,
    &le_chat::FORMAT,
    &nextchat::FORMAT,
    &vcon::FORMAT,
    &cline::FORMAT,
    &cursor::FORMAT,
    &opencode::FORMAT,
    &continue_dev::FORMAT,
    &zed::FORMAT,
    &llm::FORMAT,
    &gemini_cli::FORMAT,
    &gemini_takeout::FORMAT,
    &vscode_copilot::FORMAT,
    &ai_studio::FORMAT,
    &copilot_cli::FORMAT,
    &pi::FORMAT,
    &openhands::FORMAT,
    &swe_agent::FORMAT,
    &conv2md::FORMAT,
    &specstory::FORMAT,
    &chat_export::FORMAT,
    &forum::hacker_news::FORMAT,
    &forum::reddit::FORMAT,
    &forum::discourse::FORMAT,
    &whatsapp::FORMAT,
    &line_app::FORMAT,
    &kakaotalk::FORMAT,
    &zoom_chat::FORMAT,
    &slack::FORMAT,
    &discord::FORMAT,
    &mattermost::FORMAT,
    &zulip::FORMAT,
    &google_chat::FORMAT,
    &teams::FORMAT,
    &telegram::FORMAT,
    &messenger::FORMAT,
    &imessage::FORMAT,
    &irc::FORMAT,
    &mail::FORMAT,
    &signal::FORMAT,
    &matrix::FORMAT,
    &webvtt::FORMAT,
    &srt::FORMAT,
    &whisper::FORMAT,
    &podcast_transcript::FORMAT,
    &otter::FORMAT,
    &aider::FORMAT,
    &markdown::FORMAT,
    &oasst::FORMAT,
    &sharegpt::FORMAT,
    &alpaca::FORMAT,
    &openai_messages::FORMAT,
    &neutral::FORMAT,
];

/// The format of plain pages of the site, which are texts and not conversations.
pub const PAGE: &Format = &page::FORMAT;

/// Returns the text with home folders replaced by `~`, or `None` if there are none.
pub fn without_homes(text: &str) -> Option<String> {
    shared::access::home::hidden_in(text)
}

/// Returns the format with this name.
pub fn named(name: &str) -> Option<&'static Format> {
    let mut all = ALL.iter().copied().chain([PAGE, &section::FORMAT]);
    all.find(|format| format.name == name)
}

/// Returns whether a file belongs to a source of several files, as far as its path alone shows.
pub fn gathers(format: &str, path: &str) -> bool {
    let gather = named(format).and_then(|format| format.read.as_ref()?.gather);
    gather.is_some_and(|gather| !gather(&Listing::of_names(&[path])).is_empty())
}

/// Returns whether the first bytes of a file show a format whose files are read as bytes, with
/// conversations found piece by piece.
pub fn is_in_bytes(name: &str, head: &[u8]) -> bool {
    readers().filter_map(|read| read.is_in_bytes).any(|is_in| is_in(name, head))
}

/// Finds the files of exports in a folder whose conversations reference files by id instead of by path.
pub fn assets(listing: &Listing<'_>) -> Vec<Assets> {
    readers().filter_map(|read| read.assets).flat_map(|assets| assets(listing)).collect()
}

/// Returns whether the file at a path is the saved output of a tool. It is read only as a part of its session.
pub fn is_tool_output(path: &str) -> bool {
    readers().filter_map(|read| read.is_tool_output).any(|is_output| is_output(path))
}

/// Returns the file name without its extension, and without a second extension that names a format: `talk`
/// for `talk.cjson.json`.
pub fn stem(name: &str) -> &str {
    let is_ending = |extension: &str| {
        extension.starts_with(|c: char| c.is_ascii_alphabetic())
            && extension.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let is_format = |extension: &str| named(&extension.to_ascii_lowercase()).is_some();
    without_ending(without_ending(name, is_ending), is_format)
}

fn without_ending(name: &str, is_one: impl Fn(&str) -> bool) -> &str {
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && is_one(extension) => stem,
        _ => name,
    }
}

/// Returns whether a file with this name has a history that belongs to it.
pub fn has_history(name: &str) -> bool {
    readers().filter_map(|read| read.history).any(|has| has(name))
}

fn readers() -> impl Iterator<Item = &'static Read> {
    ALL.iter().filter_map(|format| format.read.as_ref())
}
