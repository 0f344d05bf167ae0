//! Notes on names whose reading is in doubt although they were read.

use std::collections::HashSet;

use super::decide::Reading;
use super::shape::Shape;
use super::speakers_line::speakers_line;
use super::survey::{Head, Look, Survey};
use crate::diag::Note;

/// Tells which lines could be read in another way.
pub(super) fn notes(
    survey: &Survey<'_>,
    reading: &Reading,
    names: &[String],
) -> Vec<Note> {
    let mut notes = alike(survey, reading, names);
    notes.extend(answers(survey, reading));
    notes.extend(swallowed(survey, reading));
    notes
}

/// Names that are nearly those of others, and were taken for those of somebody else.
fn alike(survey: &Survey<'_>, reading: &Reading, names: &[String]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (index, other) in &reading.cast.alike {
        let Some(head) = survey.heads.get(*index) else { continue };
        let (name, shown) = (head.mark.name, reading.cast.shown.get(other));
        let Some(shown) = shown.filter(|_| reading.cast.of(head) == Some(&*head.key))
        else {
            continue;
        };
        let message = format!(
            "`{name}` speaks once and may be `{shown}`, written wrong; they were taken for \
             two"
        );
        let note = Note::warning("doubtful-speaker", head.line.clone(), message);
        notes.push(
            note.hint(format!("if they are one, write `{shown}` here as well")).hint(
                format!(
                    "if not, write into the front matter: `{}`",
                    speakers_line(names)
                ),
            ),
        );
    }
    notes
}

/// The `A` of questions and answers that was taken for the one whose name stands there else.
fn answers(survey: &Survey<'_>, reading: &Reading) -> Option<Note> {
    let head = survey.heads.get(reading.cast.answers?)?;
    let shown = reading.cast.shown.get(reading.cast.of(head)?)?;
    let message = format!(
        "`{}` was taken for `{shown}`, the only one who answers under a name",
        head.mark.name
    );
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    Some(note.hint("if somebody else answers, write the name instead of the letter"))
}

/// The first line that begins as a turn does, with the name of one who speaks, and was taken for a
/// part of the turn before it.
fn swallowed(survey: &Survey<'_>, reading: &Reading) -> Option<Note> {
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
            && matches!(head.look, Look::Name | Look::Capitals)
            && cast.of(head).is_some()
            && !opening.contains(index)
    };
    let mut found = survey.heads.iter().enumerate().filter(is_one);
    let (_, head) = found.next()?;
    let name = head.mark.name;
    let more = match found.count() {
        0 => String::new(),
        1 => "; so was another line".to_owned(),
        more => format!("; so were {more} other lines"),
    };
    let message = format!(
        "this line begins with `{name}`, who speaks, and was taken for words of the turn \
         before it{more}"
    );
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    Some(note.hint(format!(
        "if a turn begins here, write it as the other turns are written, with an empty line \
         before it: `{name}: …`"
    )))
}
