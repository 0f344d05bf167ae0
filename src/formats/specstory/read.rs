//! Reads a session as a conversation.

use std::ops::Range;

use super::super::{File, Parsed};
use super::assembly::Assembly;
use super::layout::{Layout, Top, split_time};
use super::message::{self, Manner};
use crate::shared::access::hidden_tags::{Author, strip_in};
use crate::shared::access::home;
use crate::shared::access::tool_access::agent_named;
use crate::shared::tally::{PROGRAM_NOTES, no_messages};
use crate::shared::text::dates::localized;
use crate::shared::text::front;
use convo_base::diag::{Note, Severity};
use convo_base::model::{Block, Conversation, Place};

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    for (index, file) in files.iter().enumerate() {
        let mut notes = Vec::new();
        parsed.conversations.extend(session(&file.text, index, &mut notes));
        parsed.notes.extend(notes.into_iter().map(|note| note.in_file(index)));
    }
    parsed
}

fn session(text: &str, file: usize, notes: &mut Vec<Note>) -> Option<Conversation> {
    let mut read = Conversation::default();
    let (front, body) = front::split(text);
    if let Some(range) = front {
        front::read(text, range, &mut read, notes);
    }
    front::access_at(text, body, notes).apply(&mut read);
    let layout = Layout::of(text, body);
    let first = layout.messages.first().map_or(text.len(), |message| message.at);
    let top = Top::of(&text[body..first]);
    let is_escaped = top.session.as_ref().is_some_and(|session| is_editor(session.provider));
    describe(top, &mut read);
    let mut assembly = Assembly::new(file);
    let mut hidden = 0;
    let mut tools = layout.tools.as_slice();
    let (mut line, mut counted) = (1, 0);
    for message in layout.messages {
        line += text[counted..message.at].matches('\n').count() as u32;
        counted = message.at;
        let is_agent = message.header.is_agent;
        let manner = Manner { is_agent, is_escaped, follows_call: assembly.ends_with_call() };
        let own = own_tools(&mut tools, &message.body);
        let command = assembly.command_before(&message.header);
        let mut parts = message::parts(text, message.body, own, manner, command);
        let place = Place { file, line: line + 1, quoted: false };
        if let Some(result) = parts.result.take() {
            assembly.answer(result);
            continue;
        }
        let is_withheld = parts.additions.is_empty() && !parts.hidden.is_empty();
        if is_withheld {
            let text = parts.hidden.join("\n\n");
            parts.push(Block::Markdown { text });
        } else {
            hidden += parts.hidden.len();
        }
        assembly.add(message.header, parts, place, is_withheld);
    }
    assembly.finish(&mut read);
    if read.turns.is_empty() && read.branches.is_empty() {
        let note = no_messages(Severity::Warning);
        notes.push(note.hint("delete the session if it is empty"));
        return None;
    }
    if hidden > 0 {
        notes.push(Note::counted(PROGRAM_NOTES, "", hidden as u64, None));
    }
    for text in read.title.iter_mut().chain([&mut read.preface]) {
        strip_in(text, Author::Writer);
    }
    read.title = read.title.filter(|title| !title.trim().is_empty());
    home::hide(&mut read);
    Some(read)
}

/// Takes the elements that are in a message off the list.
fn own_tools<'a>(tools: &mut &'a [Range<usize>], body: &Range<usize>) -> &'a [Range<usize>] {
    let above = tools.partition_point(|tool| tool.start < body.start);
    let rest = &tools[above..];
    let (own, rest) = rest.split_at(rest.partition_point(|tool| tool.start < body.end));
    *tools = rest;
    own
}

/// Returns whether a provider is an editor, whose sessions contain HTML in tool calls.
fn is_editor(provider: &str) -> bool {
    provider.ends_with(" IDE") || provider.eq_ignore_ascii_case("cursor")
}

/// Adds the data at the top of a session.
fn describe(top: Top<'_>, read: &mut Conversation) {
    let mut time = None;
    if let Some(heading) = top.heading {
        // The heading is a time, or a title followed by one.
        let inside = heading.strip_suffix(')').and_then(|rest| rest.rsplit_once(" ("));
        let stamped = inside.and_then(|(title, stamp)| {
            let known = split_time(stamp).filter(|(rest, _)| rest.is_empty());
            let time = known.map(|(_, time)| time).or_else(|| localized(stamp, None))?;
            Some((title, time))
        });
        match (stamped, split_time(heading)) {
            (Some((title, at)), _) => {
                read.title.get_or_insert_with(|| title.trim().to_owned());
                time = Some(at);
            }
            (None, Some(("", at))) => time = Some(at),
            _ => _ = read.title.get_or_insert_with(|| heading.to_owned()),
        }
    }
    if let Some(session) = top.session {
        read.id.get_or_insert_with(|| session.id.to_owned());
        read.agent = agent_named(session.provider);
        let provider = session.provider.to_owned();
        read.extra.entry("provider").or_insert(provider.into());
        time = session.time.or(time);
    }
    read.time = read.time.take().or(time);
    let preface = top.preface.trim();
    if !preface.is_empty() {
        preface.clone_into(&mut read.preface);
    }
}
