//! The export of a Slack workspace: a folder for each channel, a file for each day.
//!
//! ```text
//! users.json  channels.json  groups.json  dms.json  mpims.json
//! general/2026-03-04.json
//! [ { "type": "message", "user": "U01", "ts": "1772647205.000100", "text": "Good *evening*",
//!     "thread_ts": "1772647205.000100", "blocks": [ { "type": "rich_text", … } ] } ]
//! ```
//!
//! Each channel is a source: its days and the lists of the workspace. A single file of messages is
//! a source too, also in the shape that the Slack API returns: `{ "channel_id": …, "messages": [ …
//! ] }`.

mod blocks;
mod events;
mod gather;
mod message;
mod mrkdwn;
mod names;
mod rich_text;
mod workspace;

use self::workspace::{Workspace, is_about_workspace};
use super::probe::value_of;
use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::people::channel::{Message, assemble, each};
use crate::shared::tally::Tally;
use convo_base::json;
use convo_base::model::{Channel, Conversation, Split};

pub(super) const FORMAT: Format = Format {
    name: "slack",
    title: "Slack export",
    source_label: "Slack",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "The export of a Slack workspace, or the messages of one of its channels.",
        find: "In the settings of a workspace: Import/Export Data › Export. Put the ZIP, or the \
               folder in it, into the content folder unchanged; a single file of messages works \
               too.",
        reads: "Every channel, across all its files: formatted text, quotations, code, lists and \
                tables, mentions by name, threads below the message that started them, reactions, \
                edits, messages of bots, and who joined. Each day is a conversation unless \
                `split` of the `[[source]]` says otherwise.",
        leaves_out: "Accounts, e-mail addresses, profile pictures, canvases and logs; files, \
                     which are stored on Slack and listed by name, without their public URLs; \
                     link previews. Withheld until a `[[source]]` sets `visibility = \"public\"`; \
                     private channels, direct messages and files without the lists of their \
                     workspace also need `direct_messages = true`.",
    },
    read: Some(Read::new(claims, parse).gather(gather::gather)),
    write: None,
};

/// The key of the messages in a file that is not a list.
const LISTS: [&str; 1] = ["messages"];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    if !super::opens_json(text) {
        return Claim::No;
    }
    let is_one = match probe.value(LISTS[0]) {
        Some(messages) => is_message(&json::keys(messages)),
        None => is_message(probe.keys()),
    };
    match is_one {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns whether the keys of an object are those of a message: a time in seconds with a fraction,
/// as text, and an author.
fn is_message(keys: &[(&str, &str)]) -> bool {
    let value = |name: &str| value_of(keys, name);
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_time = value("ts").is_some_and(|ts| {
        let parts = ts.trim_matches('"').split_once('.');
        ts.starts_with('"')
            && parts.is_some_and(|(seconds, fraction)| {
                seconds.len() >= 9 && is_digits(seconds) && is_digits(fraction)
            })
    });
    let names = ["user", "bot_id", "subtype", "username", "thread_ts"];
    is_time
        && value("text").is_some_and(|text| text.starts_with('"'))
        && (value("type") == Some("\"message\"") || names.iter().any(|name| value(name).is_some()))
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let notes = &mut parsed.notes;
    let mut workspace = Workspace::new(files, notes);
    let mut tally = Tally::default();
    let mut messages: Vec<Message> = Vec::new();
    let days = files.iter().enumerate().filter(|(_, file)| !is_about_workspace(&file.name));
    let mut private = false;
    for (index, file) in days.clone() {
        private |= workspace.read_settings(file, index, notes);
        each(file, index, &LISTS, notes, &mut |object, place, notes| {
            messages.extend(message::read(object, place, &mut workspace, &mut tally, notes));
        });
    }
    let mut read = Conversation { private, ..Conversation::default() };
    assemble(&mut read, messages, &mut workspace.members.contacts, notes);
    notes.extend(tally.notes());
    if read.turns.is_empty() && read.withheld_ids.is_empty() {
        return parsed;
    }
    let first = days.map(|(_, file)| file.name.as_str()).next().unwrap_or_default();
    let own = workspace.channel(first);
    read.private |= own.is_held_back;
    workspace.members.introduce(&mut read);
    read.id = own.id.map(|id| format!("slack-{id}"));
    read.title = Some(own.name.clone()).filter(|name| !name.is_empty());
    read.channel = Some(Channel { name: own.name, is_direct: own.is_direct, split: Split::Day });
    parsed.conversations.push(read);
    parsed
}
