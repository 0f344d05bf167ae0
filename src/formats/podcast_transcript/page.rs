//! Transcripts in HTML.
//!
//! ```text
//! <cite>Ada:</cite> <time>0:53</time> <p>Good morning.</p>
//! ```
//!
//! Consecutive paragraphs of a speaker have no name. Some pages have no times.

use crate::Parsed;
use crate::shared::people::captions::{Cue, add_cues, meeting};
use crate::shared::text::html::{Token, name, tokens, words};
use convo_base::diag::{Lines, Note, Severity};
use convo_base::model::{Conversation, Place, moment};

/// The number of bytes from which a file is recognised.
pub(super) const HEAD: usize = 16 << 10;

/// The number of names from which a page without times is recognised.
const NAMES: usize = 3;

/// Returns whether a page is a transcript: a time and a paragraph follow the first name, or paragraphs follow the first
/// names, which end in colons.
pub(super) fn is_one(text: &str) -> bool {
    let mut names = text.split("<cite>").skip(1).filter_map(|part| part.split_once("</cite>"));
    let Some((name, rest)) = names.next().filter(|(name, _)| name.len() < 200) else {
        return false;
    };
    let opens_paragraph = |rest: &str| rest.trim_start().starts_with("<p");
    let time = rest.trim_start().strip_prefix("<time>");
    if let Some((time, rest)) = time.and_then(|rest| rest.split_once("</time>")) {
        return moment(time.trim()).is_some() && opens_paragraph(rest);
    }
    let first = [(name, rest)].into_iter().chain(names).take(NAMES);
    let is_turn = |(name, rest): &(&str, &str)| name.trim().ends_with(':') && opens_paragraph(rest);
    first.filter(is_turn).count() == NAMES
}

/// Reads a page. `path` is that of its file.
pub(super) fn read(path: &str, text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    let lines = Lines::new(text);
    let mut cues: Vec<Cue> = Vec::new();
    // The open cue, and the text of the current element.
    let (mut open, mut inside): (Option<Cue>, String) = (None, String::new());
    let mut next = Cue::default();
    let mut read = Conversation::default();
    for token in tokens(text) {
        let tag = match token {
            Token::Text(text) => {
                inside.push_str(text);
                continue;
            }
            Token::Tag(tag) => tag,
        };
        let (element, is_end) = name(tag);
        if element == "title" && open.is_none() {
            let title = words(&std::mem::take(&mut inside));
            let title = Some(title.trim()).filter(|title| is_end && !title.is_empty());
            read.title = read.title.take().or(title.map(str::to_owned));
            continue;
        }
        if !["cite", "time", "p"].contains(&element.as_str()) {
            // Emphasis and line breaks.
            inside.push_str(if element == "br" { "\n" } else { "" });
            continue;
        }
        let content = words(&std::mem::take(&mut inside));
        let content = content.trim();
        // A paragraph ends where any other element begins.
        if let Some(cue) = open.take() {
            cues.push(Cue { text: content.to_owned(), ..cue });
        }
        match (element.as_str(), is_end) {
            ("cite", true) => {
                let voice = content.trim_end_matches(':').trim();
                next.voice = Some(voice).filter(|name| !name.is_empty()).map(str::to_owned);
            }
            ("time", true) => next.start = moment(content),
            ("p", false) => {
                let at = tag.as_ptr() as usize - text.as_ptr() as usize;
                let place = Place { line: lines.line(at), ..Place::default() };
                open = Some(Cue { place, ..std::mem::take(&mut next) });
            }
            _ => {}
        }
    }
    if let Some(cue) = open {
        cues.push(Cue { text: words(&inside).trim().to_owned(), ..cue });
    }
    let mut read = add_cues(cues, read);
    meeting::complete(&mut read, path);
    if read.turns.is_empty() {
        let message = "no speech found in this transcript";
        parsed.notes.push(Note::new(Severity::Hint, "no-turns", None, message));
    } else {
        parsed.conversations.push(read);
    }
    parsed
}
