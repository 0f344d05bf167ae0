//! Conversion of cues to a conversation: consecutive cues of a speaker are one turn, with
//! paragraphs at pauses and at sentence ends.

use super::SOMEBODY;
use super::cue::Cue;
use super::names::take_names;
use crate::shared::text::dates::of_recording;
use crate::shared::text::verbatim::verbatim;
use convo_base::model::{Block, Conversation, Kind, Spoken, Turn, chars_of, name_turns};

/// The pauses that begin a paragraph and a turn. Milliseconds.
const PARAGRAPH_PAUSE: u64 = 2_000;
const TURN_PAUSE: u64 = 30_000;
/// A paragraph ends at the first sentence end after the first length, and anywhere after the second
/// one.
const PARAGRAPH_CHARS: usize = 400;
const MAX_PARAGRAPH_CHARS: usize = 1_500;
/// After this time, the next paragraph of a speaker becomes a new turn, so that readers can find
/// the place in the recording. Milliseconds.
const TURN_MILLIS: u64 = 120_000;

/// Makes a conversation from cues.
pub(crate) fn conversation(cues: Vec<Cue>) -> Conversation {
    add_cues(cues, Conversation::default())
}

/// Adds cues to a conversation.
pub(crate) fn add_cues(mut cues: Vec<Cue>, mut read: Conversation) -> Conversation {
    take_names(&mut cues);
    let mut open: Option<OpenTurn> = None;
    let mut voice: Option<String> = None;
    for cue in cues {
        // A voice applies until another one is named.
        voice = cue.voice.clone().or(voice);
        let speaker = voice.as_deref().unwrap_or(SOMEBODY);
        match open.as_mut().filter(|turn| turn.continues(speaker, &cue)) {
            Some(turn) => turn.add(&cue),
            None => {
                if let Some(turn) = open.replace(OpenTurn::new(speaker, &cue)) {
                    turn.finish(&mut read);
                }
            }
        }
    }
    if let Some(turn) = open {
        turn.finish(&mut read);
    }
    name_turns(&mut read.turns);
    read
}

/// A turn that may continue.
struct OpenTurn {
    speaker: String,
    first: Cue,
    /// The end of the last cue. Milliseconds.
    until: Option<u64>,
    spoken: Vec<Spoken>,
    paragraphs: Vec<String>,
}

impl OpenTurn {
    fn new(speaker: &str, cue: &Cue) -> Self {
        let mut turn = Self {
            speaker: speaker.to_owned(),
            first: Cue { text: String::new(), ..cue.clone() },
            until: None,
            spoken: Vec::new(),
            paragraphs: Vec::new(),
        };
        turn.add(cue);
        turn
    }

    /// Returns the pause between the last cue and this one.
    fn pause(&self, cue: &Cue) -> u64 {
        self.until.zip(cue.start).map_or(0, |(until, start)| start.saturating_sub(until))
    }

    /// Returns whether the next cue begins a paragraph.
    fn is_parted(&self, cue: &Cue) -> bool {
        let Some(last) = self.paragraphs.last() else { return true };
        self.pause(cue) >= PARAGRAPH_PAUSE
            || last.len() >= MAX_PARAGRAPH_CHARS
            || last.len() >= PARAGRAPH_CHARS && ends_sentence(last)
    }

    fn continues(&self, speaker: &str, cue: &Cue) -> bool {
        let lasts = self.first.start.zip(self.until);
        let lasts = lasts.map_or(0, |(start, until)| until.saturating_sub(start));
        self.speaker == speaker
            && self.pause(cue) < TURN_PAUSE
            && !(lasts >= TURN_MILLIS && self.is_parted(cue))
    }

    fn add(&mut self, cue: &Cue) {
        let mut is_parted = self.is_parted(cue);
        for line in cue.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            // Captions without names use dashes to tell two speakers apart.
            is_parted |= line.starts_with(['-', '–', '—']);
            match self.paragraphs.last_mut().filter(|_| !is_parted) {
                Some(last) => join(last, line),
                None => self.paragraphs.push(line.to_owned()),
            }
            is_parted = false;
        }
        self.record_times(cue);
        self.until = cue.last().or(self.until);
    }

    /// Records when the text of a cue is said. Text without a time continues the preceding text.
    fn record_times(&mut self, cue: &Cue) {
        let chars = u32::try_from(chars_of(&cue.text)).unwrap_or(u32::MAX);
        match (cue.start, self.spoken.last_mut()) {
            (Some(start), _) => {
                let end = cue.end.unwrap_or(start).max(start);
                self.spoken.push(Spoken { start, end, chars });
            }
            (None, Some(last)) => last.chars = last.chars.saturating_add(chars),
            (None, None) => {}
        }
    }

    fn finish(self, read: &mut Conversation) {
        let paragraphs: Vec<String> =
            self.paragraphs.iter().map(|paragraph| verbatim(paragraph)).collect();
        if paragraphs.is_empty() {
            return;
        }
        read.introduce(&self.speaker, Kind::Person);
        read.turns.push(Turn {
            speaker: self.speaker,
            offset: self.first.start.map(of_recording),
            spoken: self.spoken,
            blocks: vec![Block::Markdown { text: paragraphs.join("\n\n") }],
            place: self.first.place,
            ..Turn::default()
        });
    }
}

/// Returns whether a text ends with the end of a sentence.
fn ends_sentence(text: &str) -> bool {
    let text = text.trim_end_matches(['"', '\'', '”', '’', '»', ')', ']', '」']);
    text.ends_with(['.', '!', '?', '…', '。', '！', '？', '؟', '।'])
}

/// Adds text to a paragraph, with a space if the script uses spaces.
fn join(paragraph: &mut String, line: &str) {
    let is_spaceless = |c: char| match c {
        // Full-width Latin letters and digits.
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => false,
        '\u{3000}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}' => true,
        _ => false,
    };
    let is_close = paragraph.ends_with(is_spaceless) || line.starts_with(is_spaceless);
    // Word-by-word transcripts separate punctuation from words.
    let rest = line.trim_start_matches([',', '.', '!', '?', ';', ':', '…', '%', ')']);
    let is_end = rest.len() < line.len() && !rest.starts_with(|c: char| !c.is_whitespace());
    if !is_close && !is_end && !paragraph.is_empty() {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}
