//! Notes on doubtful names.

use super::candidates::Candidates;
use super::decide::Reading;
use super::doubts;
use super::escape::SPACE;
use super::shape::Shape;
use super::speakers_line::speakers_line;
use convo_base::diag::Note;

/// Returns notes on names that were accepted or rejected with little evidence.
pub(super) fn notes(survey: &Candidates<'_>, reading: &Reading, names: &[String]) -> Vec<Note> {
    let mut notes = Vec::new();
    let cast = &reading.cast;
    let unsure = cast.unsure.iter().map(|index| (*index, "part of the turn above"));
    let taken = cast.taken.iter().filter(|index| !cast.misspelt.contains(index));
    let taken = taken.map(|index| (*index, "a speaker"));
    for (index, how) in unsure.chain(taken) {
        let head = &survey.heads[index];
        let name = head.mark.name;
        let message = format!(
            "`{name}` begins only one line, so it may or may not be a speaker; it was read as {how}"
        );
        let note = Note::warning("doubtful-speaker", head.line.clone(), message);
        let all: Vec<String> = names.iter().cloned().chain([name.to_owned()]).collect();
        let line = speakers_line(&all);
        notes.push(
            note.hint(format!("if it is a speaker, add to the front matter: `{line}`"))
                .hint(r"if not, escape its colon with a backslash: `\:`"),
        );
    }
    for index in &reading.cast.misspelt {
        let head = &survey.heads[*index];
        let name = head.mark.name;
        let shown = reading.cast.of(head).and_then(|key| reading.cast.shown.get(key));
        let Some(shown) = shown else { continue };
        let message = format!("`{name}` speaks once and was read as a misspelling of `{shown}`");
        let note = Note::warning("doubtful-speaker", head.line.clone(), message);
        let all: Vec<String> = names.iter().cloned().chain([name.to_owned()]).collect();
        let line = speakers_line(&all);
        notes.push(
            note.hint("if it is a misspelling, correct it")
                .hint(format!("if both are speakers, add to the front matter: `{line}`")),
        );
    }
    notes.extend(doubts::notes(survey, reading, names));
    notes.extend(slips(survey, reading));
    notes
}

/// Reports the first line that opens a turn unlike all others, because its colon is missing.
fn slips(survey: &Candidates<'_>, reading: &Reading) -> Option<Note> {
    let heads = reading.opening.iter().map(|index| &survey.heads[*index]);
    let mut slips = heads.filter(|head| reading.group.is_slip(&head.mark));
    let head = slips.next()?;
    let name = head.mark.name;
    let (shown, escaped) = match head.mark.shape {
        Shape::Bold => (format!("**{name}** …"), format!("**{name}**{SPACE}…")),
        Shape::Stop => (format!("{name}. …"), format!(r"{name}\. …")),
        Shape::Capitals => (name.to_owned(), format!(r"\{name}")),
        _ => (format!("{name} - …"), format!(r"{name} \- …")),
    };
    let more = match slips.count() {
        0 => String::new(),
        1 => "; so was one more line".to_owned(),
        more => format!("; so were {more} more lines"),
    };
    let message = format!("`{shown}` has no colon, but was read as a turn of `{name}`{more}");
    let note = Note::warning("doubtful-speaker", head.line.clone(), message);
    let note = note.hint(format!("if it is a turn, write `{name}: …`"));
    Some(note.hint(format!("if not, write `{escaped}`")))
}
