//! Caption files: blocks of lines, each with a timing line.

use std::ops::Range;

use super::cue::Cue;
use super::markup::{Spoken, voices};
use crate::shared::access::visibility::{self, Access, AccessSetting, Scope};
use crate::shared::text::dates::timing;
use crate::shared::text::front;
use convo_base::diag::Note;
use convo_base::model::{Conversation, Place};

/// A caption file.
#[derive(Default)]
pub(crate) struct CaptionFile {
    /// The cues in file order.
    pub(crate) cues: Vec<Cue>,
    /// Whether single words have times.
    pub(crate) is_timed: bool,
    /// The text after `WEBVTT` on the first line, without the dash.
    pub(crate) heading: String,
    /// The fields of the header and the comments: key, value, and position.
    pub(crate) fields: Vec<(String, String, Range<usize>)>,
}

impl CaptionFile {
    /// Returns the access settings in the header and the comments, and adds notes on them. Notes
    /// without a position of their own are placed at `at`.
    pub(crate) fn access(&self, at: Range<usize>, notes: &mut Vec<Note>) -> Access {
        let fields = self.fields.iter().map(|(key, value, _)| (key.as_str(), value.as_str()));
        let settings = visibility::read_access_of_fields(fields, Scope::Conversation);
        let place = |setting: &AccessSetting| {
            let own = self.fields.iter().find(|(key, ..)| key == setting.name());
            own.map_or(at.clone(), |(.., at)| at.clone())
        };
        notes.extend(visibility::notes(&settings, place));
        Access::of(&settings)
    }
}

/// Keywords that begin blocks without text.
const OTHER_BLOCKS: [&str; 3] = ["NOTE", "STYLE", "REGION"];

/// Reads front matter above the captions, or lines such as `Private: true`. Returns a conversation
/// with these settings, and where the captions begin.
pub(crate) fn front_matter(text: &str, notes: &mut Vec<Note>) -> (Conversation, usize) {
    let mut read = Conversation::default();
    let (range, body) = front::split(text);
    if let Some(range) = range {
        front::read(text, range, &mut read, notes);
    }
    front::access_at(text, body, notes).apply(&mut read);
    (read, body)
}

/// Reads a caption file, which begins at `from`. `has_head` says whether it has a header and may
/// have comments, as in WebVTT.
pub(crate) fn captions(
    text: &str,
    from: usize,
    has_head: bool,
    notes: &mut Vec<Note>,
) -> CaptionFile {
    let mut reader = Reader { file: CaptionFile::default(), open: None, notes };
    let mut is_head = has_head && text[from..].trim_start().starts_with("WEBVTT");
    let mut is_other = false;
    // Whether all lines so far are blank.
    let mut is_first = true;
    // A line that may be the identifier of the next cue.
    let mut held: Option<Held<'_>> = None;
    let mut is_blank = true;
    let mut at = from;
    let first = text[..from].matches('\n').count() as u32 + 1;
    for (number, line) in (first..).zip(text[from..].split_inclusive('\n')) {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        if line.trim().is_empty() {
            reader.put(held.take().filter(|held| !held.is_number_alone()));
            let has_text = reader.open.as_ref().is_some_and(|cue| !cue.text.trim().is_empty());
            if has_head && line.is_empty() && has_text {
                // Text after the end of a cue and outside any other cue is not expected.
                reader.close();
            }
            // The header must come first.
            is_head &= is_first;
            (is_other, is_blank) = (false, true);
            continue;
        }
        is_first = false;
        if let Some(times) = timing(line).filter(|_| !is_other) {
            // The line above it is its identifier.
            held = None;
            is_head = false;
            reader.cue(times, start..start + line.len(), number);
        } else if is_head {
            reader.head(line, start);
        } else if is_other || is_blank && opens_comment(&text[start..], line, has_head) {
            is_other = true;
            let comment = OTHER_BLOCKS.iter().find_map(|word| line.strip_prefix(word));
            reader.field(comment.unwrap_or(line), start);
        } else {
            reader.put(held.take());
            let line = Held { line, start, opens: is_blank };
            // Inside a text, only a number is an identifier.
            match is_blank || line.is_number() {
                true => held = Some(line),
                false => reader.put(Some(line)),
            }
        }
        is_blank = false;
    }
    reader.put(held.filter(|held| !held.is_number_alone()));
    reader.finish()
}

/// A line that is handled after the next line is known.
struct Held<'a> {
    line: &'a str,
    /// Its offset in the file.
    start: usize,
    /// Whether a blank line precedes it.
    opens: bool,
}

impl Held<'_> {
    fn is_number(&self) -> bool {
        self.line.trim().bytes().all(|byte| byte.is_ascii_digit())
    }

    /// Returns whether it is the number of a cue without any content.
    fn is_number_alone(&self) -> bool {
        self.opens && self.is_number()
    }
}

/// Returns whether a line begins a block without text. In SubRip only comments with access settings
/// count, because anything else may be spoken text.
fn opens_comment(rest: &str, line: &str, has_head: bool) -> bool {
    let word = line.split([' ', '\t', ':']).next().unwrap_or_default();
    if has_head {
        return OTHER_BLOCKS.contains(&word) && !line[word.len()..].starts_with(':');
    }
    if word != OTHER_BLOCKS[0] {
        return false;
    }
    let block = rest.lines().take_while(|line| !line.trim().is_empty());
    let fields =
        block.filter_map(|line| field_of(line.strip_prefix(OTHER_BLOCKS[0]).unwrap_or(line)));
    let fields: Vec<(&str, &str)> = fields.collect();
    !visibility::read_access_of_fields(fields, Scope::Conversation).is_empty()
}

/// Returns the key and the value on a line. A single word is read as a label.
fn field_of(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(':').trim_start();
    match line.split_once([':', '=']) {
        Some((key, value)) => Some((key.trim(), value.trim())),
        None => (!line.is_empty()).then_some(("label", line)),
    }
}

struct Reader<'a> {
    file: CaptionFile,
    /// The current cue, whose text still has its markup.
    open: Option<Cue>,
    notes: &'a mut Vec<Note>,
}

impl Reader<'_> {
    fn head(&mut self, line: &str, start: usize) {
        match line.strip_prefix("WEBVTT") {
            Some(heading) if self.file.heading.is_empty() => {
                let heading = heading.trim().trim_start_matches(['-', '–', '—']);
                self.file.heading = heading.trim().to_owned();
            }
            _ => self.field(line, start),
        }
    }

    fn field(&mut self, line: &str, start: usize) {
        if let Some((key, value)) = field_of(line) {
            let at = start..start + line.len();
            self.file.fields.push((key.to_owned(), value.to_owned(), at));
        }
    }

    fn cue(&mut self, (from, to): (Option<u64>, Option<u64>), at: Range<usize>, number: u32) {
        self.close();
        if from.is_none() || to.is_none() {
            let message = "not a valid cue timing line";
            let note = Note::warning("bad-cue", at, message);
            self.notes.push(note.hint("write it as `00:01:02.500 --> 00:01:04.000`"));
        } else if from > to {
            let note = Note::warning("bad-cue", at, "this cue ends before it starts");
            self.notes.push(note.hint("correct the times; the text is shown"));
        }
        let place = Place { line: number + 1, ..Place::default() };
        self.open = Some(Cue { start: from, end: to, place, ..Cue::default() });
    }

    fn put(&mut self, line: Option<Held<'_>>) {
        let Some(Held { line, start, .. }) = line else { return };
        match &mut self.open {
            Some(cue) => {
                cue.text.push_str(line);
                cue.text.push('\n');
            }
            None => {
                let at = start..start + line.len();
                let message = "this line is outside a cue and is not shown";
                let note = Note::warning("bad-cue", at, message);
                self.notes.push(
                    note.hint("add a timing line such as `00:01:02.500 --> 00:01:04.000` above it"),
                );
            }
        }
    }

    /// Ends the current cue, and splits it at its voices.
    fn close(&mut self) {
        let Some(cue) = self.open.take() else { return };
        let (all, is_timed) = voices(&cue.text);
        self.file.is_timed |= is_timed;
        self.file.cues.extend(all.into_iter().map(|Spoken { voice, text }| Cue {
            voice,
            text: text.trim().to_owned(),
            ..cue.clone()
        }));
    }

    fn finish(mut self) -> CaptionFile {
        self.close();
        self.file
    }
}
