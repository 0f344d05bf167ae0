//! Chats of SillyTavern.
//!
//! ```text
//! data/<user>/chats/<character>/Seraphina - 2026-03-01@10h00m00s.jsonl
//! {"user_name": "You", "character_name": "Seraphina", "create_date": …, "chat_metadata": { … }}
//! {"name": "Seraphina", "is_user": false, "send_date": …, "mes": …, "swipes": [ … ], "swipe_id": 1, "extra": { … }}
//! ```
//!
//! The first line contains metadata of the chat. Swipes that are not selected are alternatives.

use super::{About, Claim, File, Format, Parsed, Probe, Read};
use crate::shared::access::visibility;
use crate::shared::agents::thread::{
    self, Blocks, Context, ListApp, Message, SYSTEM, USER, assemble, file, moment, rest, text,
    whole, words,
};
use crate::shared::json::object::Object;
use crate::shared::text::dates;
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Map, Value};
use convo_base::model::{Conversation, Kind, Turn, Usage};
use convo_base::time::Time;

pub(super) const FORMAT: Format = Format {
    name: "sillytavern",
    title: "SillyTavern chat",
    source_label: "SillyTavern",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Chats with SillyTavern characters, alone or in groups.",
        find: "The folder `data/default-user/chats` of SillyTavern. Or export a single chat: Manage chat files, Export.",
        reads: "Each chat with its speakers, swipes as alternatives, reasoning, models, and the names of pictures and files.",
        leaves_out: "Author's notes, variables, prompts, system messages, and the files themselves.",
    },
    read: Some(Read::new(claims, parse)),
    write: None,
};

const APP: ListApp = ListApp { read: chats, record: "message" };
/// The name of SillyTavern as a speaker.
const PROGRAM: &str = "SillyTavern System";
/// Kinds of messages that SillyTavern writes.
const OF_PROGRAM: [&str; 9] = [
    "help", "welcome", "welcome_prompt", "assistant_message", "formatting", "hotkeys", "macros",
    "slash_commands", "empty",
];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let head = text.trim_start();
    let get = |keys: &[(&str, &str)], name: &str| keys.iter().any(|(key, _)| *key == name);
    let keys = json::keys(head);
    let is_head =
        get(&keys, "user_name") && get(&keys, "character_name") || get(&keys, "chat_metadata");
    let second = head.lines().skip(1).find(|line| !line.trim().is_empty()).map(json::keys);
    let is_message = match &second {
        Some(second) => get(second, "mes") && (get(second, "is_user") || get(second, "name")),
        None => get(&keys, "create_date") || get(&keys, "chat_metadata") && get(&keys, "user_name"),
    };
    match head.starts_with('{') && is_head && is_message {
        true => Claim::Signature,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    thread::read_lists(&APP, files)
}

fn chats(records: Vec<Object<'_>>, context: &mut Context<'_>) -> Vec<Conversation> {
    let mut read = Conversation::default();
    let mut messages = Vec::new();
    for mut object in records {
        let is_head =
            !object.has("mes") && (object.has("chat_metadata") || object.has("user_name"));
        if is_head {
            read.private |= object.holds_back("private", &["title"], context.notes);
            let about = object.get("chat_metadata").and_then(Value::as_object);
            read.private |= about.is_some_and(visibility::is_marked);
            // Groups have another value here.
            let name = object.get("character_name").and_then(Value::as_str);
            let name = name.map(str::trim).filter(|name| !["", "unused"].contains(name));
            read.title = name.map(str::to_owned).or(read.title);
            if let Some(Value::String(date)) = object.take("create_date") {
                read.time = date_of(&date).or(read.time);
            }
            continue;
        }
        if !object.has("mes") {
            context.notes.push(object.missing(Severity::Warning, "mes"));
            continue;
        }
        messages.push(message(&mut object, context));
    }
    assemble(&mut read, messages, None, context);
    vec![read]
}

/// Keys of a message that are read, or that contain bookkeeping.
const KNOWN: [&str; 17] = [
    "name", "is_user", "is_system", "is_name", "send_date", "mes", "swipes", "swipe_id",
    "swipe_info", "extra", "gen_started", "gen_finished", "title", "force_avatar",
    "original_avatar", "chid", "variables",
];

fn message(object: &mut Object<'_>, context: &mut Context<'_>) -> Message {
    let map = object.copy();
    let is = |key: &str| map.get(key) == Some(&Value::Bool(true));
    let extra = map.get("extra").and_then(Value::as_object);
    let name = text(&map, "name").map(str::trim);
    let of_program = extra.and_then(|extra| text(extra, "type"));
    let is_program = is("is_system")
        && (name == Some(PROGRAM) || of_program.is_some_and(|kind| OF_PROGRAM.contains(&kind)));
    let who = match (is_program, is("is_user")) {
        (true, _) => (SYSTEM, Kind::System),
        (false, true) => (name.unwrap_or(USER), Kind::Person),
        (false, false) => (name.unwrap_or("Assistant"), Kind::Assistant),
    };
    let mut message = Message::of_parts(object, None, who, (), &["swipe_info"], context);
    let is_model = who.1 == Kind::Assistant;
    let chosen = whole(map.get("swipe_id")).unwrap_or_default();
    let swipes = map.get("swipes").and_then(Value::as_array);
    let infos = map.get("swipe_info").and_then(Value::as_array);
    message.turn.time = sent(object, &map, context);
    let info = |at: usize| infos.and_then(|infos| infos.get(at)?.as_object());
    // The selected swipe repeats these values.
    let of_chosen = usize::try_from(chosen).ok().and_then(info);
    message.is_withheld |= of_chosen.is_some_and(visibility::is_marked);
    if message.is_withheld {
        return message;
    }
    let prose = map.get("mes").and_then(words).unwrap_or_default();
    fill(&mut message.turn, &prose, &map, extra, is_model, context);
    for (at, swipe) in swipes.into_iter().flatten().enumerate() {
        let Some(prose) = words(swipe).filter(|_| at as u64 != chosen) else { continue };
        let own = info(at);
        if own.is_some_and(visibility::is_marked) {
            context.tally.not_shown("private swipe", "private swipes");
            continue;
        }
        let none = Map::new();
        let own = own.unwrap_or(&none);
        let place = message.turn.place;
        let mut turn = Turn { speaker: who.0.to_owned(), place, ..Turn::default() };
        turn.withheld = message.turn.withheld;
        turn.time = text(own, "send_date").and_then(date_of);
        let extra = own.get("extra").and_then(Value::as_object);
        fill(&mut turn, &prose, own, extra, is_model, context);
        message.alternatives.push(turn);
    }
    message.turn.unpublished = rest(map, &KNOWN);
    message
}

/// Adds the text of a message, with its attachments.
fn fill(
    turn: &mut Turn,
    prose: &str,
    map: &Map,
    extra: Option<&Map>,
    is_model: bool,
    context: &mut Context<'_>,
) {
    let mut blocks = Blocks::default();
    if let Some(extra) = extra {
        blocks.think(text(extra, "reasoning").unwrap_or_default());
    }
    blocks.push_text(prose, is_model);
    if let Some(extra) = extra {
        let listed =
            ["media", "files", "image_swipes"].iter().filter_map(|key| extra.get(*key)?.as_array());
        let alone = ["file", "image", "video"].iter().filter_map(|key| extra.get(*key));
        for own in alone.chain(listed.flatten()) {
            let described = match own {
                Value::Object(own) => own.clone(),
                Value::String(path) if path.starts_with("data:") => Map::from_iter([
                    ("url".to_owned(), own.clone()),
                    ("type".to_owned(), "image".into()),
                ]),
                Value::String(_) => Map::from_iter([("name".to_owned(), own.clone())]),
                _ => continue,
            };
            blocks.attach(file(&described, context.tally));
        }
    }
    turn.blocks = blocks.done();
    let time = |key: &str| map.get(key).and_then(dates::of_value);
    let mut usage = Usage::default();
    if let Some(extra) = extra.filter(|_| is_model) {
        usage.model = text(extra, "model").map(str::to_owned);
        usage.output_tokens = whole(extra.get("token_count")).filter(|count| *count > 0);
    }
    if let (Some(from), Some(to)) = (time("gen_started"), time("gen_finished")) {
        let length = to.instant().as_millisecond() - from.instant().as_millisecond();
        usage.duration_ms = u64::try_from(length).ok().filter(|length| *length > 0);
    }
    if is_model && !usage.is_empty() {
        turn.usage = Some(Box::new(usage));
    }
}

/// Takes the time of a message.
fn sent(object: &mut Object<'_>, map: &Map, context: &mut Context<'_>) -> Option<Time> {
    match map.get("send_date") {
        Some(Value::String(date)) if !date.trim().is_empty() => {
            let found = date_of(date);
            if found.is_none() {
                let message = "`send_date` is not a valid time".to_owned();
                let note: Note = object.note(Severity::Warning, "bad-time", "send_date", message);
                context.notes.push(note);
            }
            found
        }
        _ => moment(object, "send_date", context),
    }
}

/// Reads a time in any of the formats that SillyTavern used: ISO 8601, `March 1, 2026 10:00am`,
/// `2026-03-01@10h00m00s` with or without spaces, and milliseconds.
fn date_of(text: &str) -> Option<Time> {
    let text = text.trim();
    let found = dates::of_value(&text.into());
    found.or_else(|| if text.contains('@') { with_letters(text) } else { dates::written(text) })
}

/// Reads `2026-03-01@10h00m00s`.
fn with_letters(text: &str) -> Option<Time> {
    let numbers: Vec<u16> = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map_while(|digits| digits.parse().ok())
        .collect();
    let [year, month, day, hour, minute, ..] = numbers[..] else { return None };
    let second = numbers.get(5).copied().unwrap_or_default();
    dates::civil([year, month, day], [hour, minute, second], "")
}
