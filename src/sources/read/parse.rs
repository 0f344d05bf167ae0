//! Parses a source according to the site's rules.

use super::split::split;
use super::{branch_limit, limits, long_turns};
use crate::config::Visibility;
use crate::diag::{Diagnostic, Lines, Location, Severity, Span};
use crate::formats::{self, Format, Input};
use crate::gate::{self, Inspection, Redaction, Scrubber, Traces};
use crate::hash::Hash;
use crate::model::{Conversation, MEDIA, TextRole};
use crate::sources::find::rules::Rules;
use crate::sources::find::source::{Opened, Part, Source};
use crate::text::grouped;

/// The conversations of a source, or of a part of it.
pub(crate) struct Parsed {
    pub(crate) format: Option<&'static Format>,
    pub(crate) conversations: Vec<Conversation>,
    pub(crate) notes: Vec<Diagnostic>,
    /// The hashes of the ids by which edits name the conversations.
    pub(crate) ids: Vec<Hash>,
}

pub(crate) fn parse(source: &Source, inputs: Vec<Input>, rules: &Rules) -> Parsed {
    let format = source.format.and_then(formats::named);
    let is_long = inputs.iter().map(|input| input.bytes.len()).sum::<usize>() > MAX_TURN_BYTES;
    let (format, mut conversations, mut notes) =
        formats::parse(format, inputs, &rules.open_servers(source.rule));
    if is_long {
        conversations.retain(|read| can_be_shown(read, source, &mut notes));
    }
    let secrets_in = |name: &str| {
        let label = source.label();
        let seen = rules.gate.inspect_text(source.rule, &[label], name, TextRole::Name);
        seen.found.into_iter().map(|found| found.secret).collect()
    };
    if let Some(note) = formats::cut_long_names(&mut conversations, &secrets_in) {
        notes.push(note.locate(source.file().as_str(), &Lines::new("")));
    }
    for read in &mut conversations {
        rules.apply(source.rule, read);
        read.media = read.extra.get(MEDIA).and_then(|value| value.as_str()).map(str::to_owned);
        // A conversation that is marked as private stays private.
        read.private |= source.private || source.private_by.is_some();
        read.schedule.add(&source.schedule);
    }
    let ids = rules.edit(source, &mut conversations);
    close_channels(source, rules, &mut conversations, &mut notes);
    rules.rename(source, &mut conversations, &mut notes);
    conversations.iter_mut().for_each(|read| rules.edits.finish(read));
    let conversations = split(conversations, rules.split(source.rule));
    if let Some(file) = &source.private_by {
        let message = "this file marks the conversation next to it as private";
        let note = Diagnostic::new(Severity::Hint, "held-back", message);
        notes.push(note.in_file(file.as_str()));
    }
    Parsed { format, conversations, notes, ids }
}

/// Withholds chats between people, unless the configuration publishes them.
fn close_channels(
    source: &Source,
    rules: &Rules,
    conversations: &mut [Conversation],
    notes: &mut Vec<Diagnostic>,
) {
    let is_closed = |read: &Conversation| {
        let Some(channel) = &read.channel else { return false };
        let edited = rules.edits.visibility(read).filter(|_| !rules.cannot_rename(read));
        let opened = match edited {
            Some((Visibility::Public, true)) => Opened::All,
            Some((Visibility::Public, false)) => source.opened.max(Opened::Channels),
            _ => source.opened,
        };
        !opened.includes(channel)
    };
    let (mut closed, mut direct) = (0_u64, 0_u64);
    for read in conversations.iter_mut().filter(|read| is_closed(read) && !read.private) {
        read.private = true;
        closed += 1;
        direct += u64::from(read.channel.as_ref().is_some_and(|channel| channel.is_direct));
    }
    if closed == 0 || source.private {
        return;
    }
    notes.push(closed_note(source, rules, closed, direct));
}

/// Returns the diagnostic about closed chats between people. `direct` of them also need
/// `direct_messages`.
fn closed_note(source: &Source, rules: &Rules, closed: u64, direct: u64) -> Diagnostic {
    let message = match (source.opened, closed) {
        (Opened::Nothing, 1) => "this is a chat between people, so it is withheld".to_owned(),
        (Opened::Nothing, _) => format!("{} chats between people are withheld", grouped(closed)),
        (_, 1) => "a direct message or private channel is withheld".to_owned(),
        _ => format!("{} direct messages and private channels are withheld", grouped(closed)),
    };
    let note = Diagnostic::new(Severity::Hint, "confidential", message).in_file(source.label());
    let them = if closed == 1 { "it" } else { "them" };
    if source.opened != Opened::Nothing {
        return note.hint(format!(
            "to publish {them}, set `direct_messages = true` in the `[[source]]` that opens this \
             file"
        ));
    }
    let pattern = pattern_of(source);
    let file = pattern.strip_prefix(&*rules.content).unwrap_or(&pattern);
    let file = file.trim_start_matches('/');
    let (also, others) = match direct {
        0 => ("", ""),
        direct if direct == closed => (", `direct_messages = true`", ""),
        _ => ("", "; direct messages and private channels also need `direct_messages = true`"),
    };
    note.hint(format!(
        "to publish {them}, with pseudonyms for people who are not listed in `[people]`, add: \
         `[[source]]`, `files = \"{file}\"`, `visibility = \"public\"`{also}{others}"
    ))
}

/// Returns a file pattern that matches all of a source.
fn pattern_of(source: &Source) -> String {
    let label = source.label();
    let common = |a: usize, file: &crate::path::RelPath| {
        let both = label.bytes().zip(file.as_str().bytes());
        both.take(a).take_while(|(a, b)| a == b).count()
    };
    let count = source.files.iter().fold(label.len(), common);
    if count == label.len() {
        return label.to_owned();
    }
    let start = &label[..label.floor_char_boundary(count)];
    // Brackets would mean a choice of characters.
    let start = start.split('[').next().unwrap_or_default();
    format!("{}*", start.trim_end())
}

/// A part of a source that was read for the first time.
pub(crate) struct Checked {
    pub(crate) format: Option<&'static Format>,
    /// The conversations in their public form, each with the findings of the gate.
    pub(crate) conversations: Vec<(Conversation, Inspection)>,
    pub(crate) notes: Vec<Diagnostic>,
    /// The part, with the changes that the gate and the author's edits made to it.
    pub(crate) part: Part,
    /// See [`Parsed::ids`].
    pub(crate) ids: Vec<Hash>,
    /// The scrubber that removes hidden text from later diagnostics about the part.
    pub(crate) scrubber: Scrubber,
    /// Whether the files contain something that the conversations do not show. Only checked if the
    /// original files are offered.
    pub(crate) hides_more: bool,
}

/// Parses a part of a source for the first time. The result no longer contains what the gate
/// redacts.
pub(crate) fn parse_and_check(
    source: &Source,
    mut part: Part,
    inputs: Vec<Input>,
    rules: &Rules,
) -> Checked {
    let (label, gate) = (source.label(), &rules.gate);
    let as_read = inputs.clone();
    let traces = gate.traces(&as_read);
    let Parsed { format, conversations, mut notes, ids } = parse(source, inputs, rules);
    let mut all: Vec<(Conversation, Inspection)> = conversations
        .into_iter()
        .map(|mut read| {
            let seen = gate.inspect(source.rule, label, &mut read, &traces);
            finish(&mut read, source, &mut notes);
            (read, seen)
        })
        .collect();
    let changes: Vec<_> = all.iter().map(|(_, seen)| seen.changed).collect();
    part.redacted = Redaction::of(&changes);
    part.edited = rules.edits_of(source).applied(&ids);
    let mut found: Vec<_> = all.iter_mut().flat_map(|(_, seen)| &mut seen.found).collect();
    gate::locate(&mut found, &as_read, label);
    let scrubber = gate.scrubber(&found, &notes, &as_read);
    scrubber.scrub(&mut notes, gate);
    let is_withheld = || all.iter().any(|(read, _)| formats::is_withheld_in(read));
    let hides_more = rules.offers_originals
        && (is_withheld()
            || as_read.iter().any(|input| {
                let text = String::from_utf8_lossy(&input.bytes);
                let role = TextRole::Shown;
                let seen = gate.inspect_text(source.rule, &[label], &text, role);
                let holds_more = seen.changed.is_some() || !seen.found.is_empty();
                holds_more || rules.contains_name(&text)
            }));
    Checked { format, conversations: all, notes, part, ids, scrubber, hides_more }
}

/// Parses a part of a source again, with the same result as the first time.
pub(crate) fn parse_to_show(
    source: &Source,
    part: &Part,
    inputs: Vec<Input>,
    rules: &Rules,
) -> Vec<Conversation> {
    let is_redacted = part.redacted.is_some_and(Redaction::removed_text);
    let traces = if is_redacted { rules.gate.traces(&inputs) } else { Traces::default() };
    let Parsed { mut conversations, mut notes, .. } = parse(source, inputs, rules);
    for read in &mut conversations {
        if let Some(redaction) = part.redacted {
            rules.gate.redact_again(source.rule, source.label(), read, redaction, &traces);
        }
        finish(read, source, &mut notes);
    }
    conversations
}

/// Shortens metadata that is too long for every page, and splits turns and branches that are too
/// long for one page.
fn finish(read: &mut Conversation, source: &Source, notes: &mut Vec<Diagnostic>) {
    limits::enforce(read, source, notes);
    long_turns::divide(read);
    notes.extend(branch_limit::bound(read).map(|taken| taken.note(source)));
}

/// The maximum size of a turn on a page. Bytes.
const MAX_TURN_BYTES: usize = 16 << 20;

/// Returns whether all turns of a conversation fit on pages, and adds a diagnostic if not.
fn can_be_shown(read: &Conversation, source: &Source, notes: &mut Vec<Diagnostic>) -> bool {
    let Some(turn) = read.all_turns().find(|turn| turn.text().len() > MAX_TURN_BYTES) else {
        return true;
    };
    let most = crate::text::bytes(MAX_TURN_BYTES as u64);
    let message = format!("a turn is larger than {most}, too large for a page");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let note = note.hint("the conversation is not published; split the turn into several");
    let file = source.files.get(turn.place.file).unwrap_or(source.file());
    let span = Span { line: turn.place.line, ..Span::default() };
    let at = Location { file: file.to_string(), span: Some(span) };
    notes.push(Diagnostic { at: Some(at), ..note });
    false
}
