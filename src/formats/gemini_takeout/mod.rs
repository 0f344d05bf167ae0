//! Gemini in Google Takeout.
//!
//! ```text
//! Takeout/My Activity/Gemini Apps/MyActivity.json   [{"header": "Gemini Apps", "title": "Prompted …", "time": …,
//!                                                     "safeHtmlItem": [{"html": "…"}]}, …], the newest first
//! Takeout/Gemini in Workspace/Conversation History/conversation_<id>.txt
//!                                                    {"title": …, "conversation_turns": [{"user_turn": …}, …]}
//! ```
//!
//! [`activity`] reads the first, [`entry`] reads one of its records, [`verb`] reads the title of a record,
//! and [`workspace`] reads the second. [`exchange`] distinguishes records with the same time. [`page`]
//! reads `MyActivity.html`, which replaces the first if JSON was not selected.

mod activity;
mod entry;
mod exchange;
mod page;
mod verb;
mod workspace;

use super::page::is_html;
use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read, opens_json};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "gemini-takeout",
    title: "Gemini in Google Takeout",
    source_label: "Gemini",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Prompts and answers of Gemini, exported with Google Takeout.",
        find: "In Google Takeout, choose My Activity, only Gemini Apps, as JSON: `Takeout/My Activity/Gemini Apps/MyActivity.json`. The page `MyActivity.html` is also read, but contains less. For Google Workspace accounts, also `Takeout/Gemini in Workspace/Conversation History`.",
        reads: "Prompts, answers, attached files, canvases and sources. Records are grouped by \
        their conversation if they name it; in older exports, each exchange is a separate \
        conversation.",
        leaves_out: "Locations, feedback, and records of opening the app. HTML pages do not contain files or conversations, and their times are read only in common languages. Several answers to one prompt are shown one after the other, because the export does not distinguish parts from alternatives.",
    },
    read: Some(Read::new(claims, parse).gather(gather)),
    write: None,
};

/// The number of entries of a list that are examined.
const CLAIMED_ENTRIES: usize = 8;

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let text = text.trim_start();
    let found = match text.chars().next() {
        Some('<') => page::is_one(text),
        Some('[') => opens_json(text) && is_activity(text),
        _ => opens_json(text) && workspace::is_one(text),
    };
    if found { Claim::Signature } else { Claim::No }
}

/// Finds activity pages, which may have any name.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let is_page = |name: &str| {
        let head = |bytes: usize| (listing.head)(name, bytes).unwrap_or_default();
        is_html(name)
            && page::may_be_one(&head(page::START_BYTES))
            && page::is_one(&head(page::HEAD_BYTES))
    };
    let names = listing.names.iter().filter(|name| is_page(name));
    names.map(|name| Bundle::of_one(name)).collect()
}

/// Returns whether one of the first entries of a list is about Gemini. Records of other Google products
/// look similar, but are private.
fn is_activity(list: &str) -> bool {
    let mut at = 1;
    for _ in 0..CLAIMED_ENTRIES {
        let found = json::value_at(list, at);
        let Some(text) = list.get(found.clone()).filter(|text| text.starts_with('{')) else {
            return false;
        };
        if entry::is_activity(text) && entry::is_about_gemini(text) {
            return true;
        }
        at = found.end;
        let rest = list.get(at..).unwrap_or_default();
        at += rest.find(',').map_or(rest.len(), |comma| comma + 1);
    }
    false
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        match file.text.trim_start().chars().next() {
            Some('<') => page::read(file, index, &mut parsed),
            Some('[') => activity::read(file, index, &mut parsed),
            _ => workspace::read(file, index, &mut parsed),
        }
    }
    parsed
}
