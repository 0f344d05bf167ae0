//! Notes on lines that were read, but could be read in another way.

use std::collections::HashSet;

use super::super::names;
use super::super::start::Start;
use super::candidates::{Candidates, Head, NameStyle, key};
use super::decide::Reading;
use super::shape::Shape;
use super::speakers_line::speakers_line;
use convo_base::diag::Note;

/// Returns notes on lines that could be read in another way.
pub(super) fn notes(survey: &Candidates<'_>, reading: &Reading, names: &[String]) -> Vec<Note> {
    let mut notes = similar_names(survey, reading, names);
    notes.extend(answers(survey, reading));
    notes.extend(swallowed(survey, reading));
    notes.extend(two_speakers_in_line(survey, reading));
    notes.extend(unnamed_speaker(survey, reading));
    notes.extend(after_comma(survey, reading));
    notes
}

/// Reports the first line below the first turn that marks a new speaker without a name: `>> Hello`.
fn unnamed_speaker(survey: &Candidates<'_>, reading: &Reading) -> Option<Note> {
    let opening = || reading.opening.iter().map(|index| &survey.heads[*index]);
    let first = opening().next()?.line.start;
    let known: HashSet<usize> = opening().map(|head| head.line.start).collect();
    let line_at = |at: usize| survey.text[at..].lines().next().unwrap_or_default();
    let has_marks = |at: usize| line_at(at).trim_start().starts_with(">>");
    if !opening().any(|head| has_marks(head.line.start)) {
        return None;
    }
    let is_one = |at: &&usize| **at > first && has_marks(**at) && !known.contains(*at);
    let at = *survey.lines.iter().find(is_one)?;
    let message = "a new speaker without a name begins here; the line was read as part of \
                   the turn above";
    let note = Note::warning("doubtful-speaker", at..at + line_at(at).len(), message);
    Some(note.hint("add the name: `>> NAME: …`"))
}

/// Reports the first turn that begins on the line after a comma, if all others open paragraphs.
fn after_comma(survey: &Candidates<'_>, reading: &Reading) -> Option<Note> {
    let opening = reading.opening.iter().map(|index| &survey.heads[*index]);
    let mut found = opening.filter(|head| {
        let before = survey.text[..head.line.start].trim_end_matches('\n');
        reading.cast.blank_style && !head.opens && before.ends_with([',', '，', '、'])
    });
    let head = found.next()?;
    let name = head.mark.name;
    let message = format!(
        "`{name}` was read as a speaker, but the line above ends in a comma, so it may be part of \
         the turn above"
    );
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    let note = note.hint("if it is a speaker, add an empty line before it");
    Some(note.hint(r"if not, escape its colon with a backslash: `\:`"))
}

/// Reports the first line that names two speakers side by side, above the text of both.
fn two_speakers_in_line(survey: &Candidates<'_>, reading: &Reading) -> Option<Note> {
    let known: HashSet<&str> = reading.cast.same.keys().map(String::as_str).collect();
    let first = survey.heads[*reading.opening.first()?].line.start;
    let is_one = |at: &&usize| {
        let line = survey.text[**at..].lines().next().unwrap_or_default();
        // Few lines have a wide gap.
        let gap = line.trim().contains("   ");
        let mut names = line.split("   ").map(str::trim).filter(|name| !name.is_empty());
        **at > first
            && gap
            && names.clone().count() > 1
            && names.all(|name| known.contains(key(name).as_str()))
    };
    let at = survey.lines.iter().find(is_one)?;
    let line = survey.text[*at..].lines().next().unwrap_or_default();
    let start = at + line.len() - line.trim_start().len();
    let message = "this line names two speakers; it was read as part of the turn above";
    let note = Note::warning("doubtful-speaker", start..at + line.trim_end().len(), message);
    Some(note.hint("write each name on its own line, with its text below it"))
}

/// Reports the first paragraph below the first turn that begins with the name or initials of a speaker
/// whose name is in bold type elsewhere, but is not in bold type here.
pub(in crate::markdown) fn unmarked(text: &str, body: usize, starts: &[Start]) -> Option<Note> {
    let first = starts.first()?.line.start;
    let opening: HashSet<usize> = starts.iter().map(|start| start.line.start).collect();
    let mut known: HashSet<String> = HashSet::new();
    for start in starts {
        let name = key(&start.name);
        let words: Vec<&str> = name.split(' ').collect();
        if words.len() > 1 {
            known.extend(words.first().map(|word| (*word).to_owned()));
            known.insert(words.iter().filter_map(|word| word.chars().next()).collect());
        }
        known.insert(name);
    }
    let survey = Candidates::of(text, body);
    let is_one = |head: &&Head<'_>| {
        matches!(head.mark.shape, Shape::Colon | Shape::Timed)
            && !head.mark.tight
            && head.line.start > first
            && head.opens
            && !head.in_code
            && matches!(head.look, NameStyle::Name | NameStyle::Capitals)
            && known.contains(&head.key)
            && !names::is_pause(&head.key)
            && !opening.contains(&head.line.start)
            && survey.has_words(head)
    };
    let mut found = survey.heads.iter().filter(is_one);
    let head = found.next()?;
    Some(swallowed_note(head, found.count(), &format!("**{}:** …", head.mark.name)))
}

/// Reports names that are similar to others, but were read as names of other speakers.
fn similar_names(survey: &Candidates<'_>, reading: &Reading, names: &[String]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (index, other) in &reading.cast.alike {
        let Some(head) = survey.heads.get(*index) else { continue };
        let (name, shown) = (head.mark.name, reading.cast.shown.get(other));
        let Some(shown) = shown.filter(|_| reading.cast.of(head) == Some(&*head.key)) else {
            continue;
        };
        let message = format!(
            "`{name}` speaks once and may be a misspelling of `{shown}`; they were read as two \
             speakers"
        );
        let note = Note::warning("doubtful-speaker", head.line.clone(), message);
        notes.push(
            note.hint(format!("if they are the same person, write `{shown}` here as well"))
                .hint(format!("if not, add to the front matter: `{}`", speakers_line(names))),
        );
    }
    notes
}

/// Reports the `A` of questions and answers that was read as a named speaker.
fn answers(survey: &Candidates<'_>, reading: &Reading) -> Option<Note> {
    let head = survey.heads.get(reading.cast.answers?)?;
    let shown = reading.cast.shown.get(reading.cast.of(head)?)?;
    let message =
        format!("`{}` was read as `{shown}`, the only named speaker who answers", head.mark.name);
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    Some(note.hint("if someone else answers, write their name instead of the letter"))
}

/// Reports the first line that begins like a turn, with the name of a speaker, but was read as part of the
/// turn above.
fn swallowed(survey: &Candidates<'_>, reading: &Reading) -> Option<Note> {
    let cast = &reading.cast;
    let opening: HashSet<usize> = reading.opening.iter().copied().collect();
    let first = *reading.opening.first()?;
    let is_one = |(index, head): &(usize, &Head<'_>)| {
        let opens = match head.mark.shape {
            Shape::Colon => !head.mark.tight,
            Shape::Timed | Shape::Alone => true,
            Shape::Stop | Shape::Capitals => head.opens,
            _ => false,
        };
        opens
            && *index > first
            && !head.in_code
            && !head.below_name
            && !head.interrupts
            && matches!(head.look, NameStyle::Name | NameStyle::Capitals)
            && cast.of(head).is_some()
            && !opening.contains(index)
    };
    let mut found = survey.heads.iter().enumerate().filter(is_one);
    let (_, head) = found.next()?;
    Some(swallowed_note(head, found.count(), &format!("{}: …", head.mark.name)))
}

/// Returns the note on a line that does not open a turn, and on others like it.
fn swallowed_note(head: &Head<'_>, others: usize, example: &str) -> Note {
    let name = head.mark.name;
    let more = match others {
        0 => String::new(),
        1 => "; so was one more line".to_owned(),
        more => format!("; so were {more} more lines"),
    };
    let message = format!(
        "this line begins with the speaker `{name}`, but was read as part of the turn \
         above{more}"
    );
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    note.hint(format!(
        "if a turn begins here, write it like the other turns, with an empty line before it: \
         `{example}`"
    ))
}
