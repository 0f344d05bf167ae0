//! Parses a source by the rules of the site.

use super::rules::Rules;
use super::source::Source;
use super::{limits, long_turns};
use crate::diag::{Diagnostic, Location, Severity, Span};
use crate::formats::{self, Format, Input};
use crate::model::Conversation;

pub(super) fn parse(
    source: &Source,
    inputs: Vec<Input>,
    rules: &Rules,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let format = source.format.and_then(formats::named);
    let is_long =
        inputs.iter().map(|input| input.bytes.len()).sum::<usize>() > MAX_TURN_BYTES;
    let (format, mut conversations, mut notes) = formats::parse(format, inputs);
    if is_long {
        conversations.retain(|read| can_be_shown(read, source, &mut notes));
    }
    for read in &mut conversations {
        rules.apply(source.rule, read);
        // What says of itself that it is private stays so.
        read.private |= source.private || source.private_by.is_some();
    }
    rules.rename(source, &mut conversations, &mut notes);
    if let Some(file) = &source.private_by {
        let message = "this says that the conversation beside it is private";
        let note = Diagnostic::new(Severity::Hint, "held-back", message);
        notes.push(note.in_file(file.as_str()));
    }
    (format, conversations, notes)
}

/// Parses a source, and cuts metadata that is too long to stand on every page.
pub(super) fn parse_to_show(
    source: &Source,
    inputs: Vec<Input>,
    rules: &Rules,
) -> (Option<&'static Format>, Vec<Conversation>, Vec<Diagnostic>) {
    let (format, mut conversations, mut notes) = parse(source, inputs, rules);
    for read in &mut conversations {
        limits::enforce(read, source, &mut notes);
        long_turns::divide(read);
    }
    (format, conversations, notes)
}

/// The most bytes of a turn that a page can show.
const MAX_TURN_BYTES: usize = 16 << 20;

/// Returns whether every turn of a conversation can be shown, and adds a note if not.
fn can_be_shown(
    read: &Conversation,
    source: &Source,
    notes: &mut Vec<Diagnostic>,
) -> bool {
    let Some(turn) = read.all_turns().find(|turn| turn.text().len() > MAX_TURN_BYTES)
    else {
        return true;
    };
    let most = crate::text::bytes(MAX_TURN_BYTES as u64);
    let message = format!("a turn is longer than {most}, which no page can show");
    let note = Diagnostic::new(Severity::Error, "too-large", message);
    let note = note.hint("the conversation is left out; cut the turn into several");
    let file = source.files.get(turn.place.file).unwrap_or(source.file());
    let span = Span { line: turn.place.line, ..Span::default() };
    let at = Location { file: file.to_string(), span: Some(span) };
    notes.push(Diagnostic { at: Some(at), ..note });
    false
}
