//! From cues to a conversation: whoever goes on speaking goes on in the same turn, with paragraphs
//! where there are pauses and where sentences end.

use super::SOMEBODY;
use super::cue::Cue;
use super::names::take_names;
use crate::dates::of_recording;
use crate::verbatim::verbatim;
use convo_base::model::{Block, Conversation, Kind, Spoken, Turn, chars_of, name_turns};

/// A pause that opens a paragraph, and one that opens a turn. Milliseconds.
const PARAGRAPH_PAUSE: u64 = 2_000;
const TURN_PAUSE: u64 = 30_000;
/// A paragraph ends with the first sentence after so many characters, and anywhere after as many.
const PARAGRAPH_CHARS: usize = 400;
const MAX_PARAGRAPH_CHARS: usize = 1_500;
/// Whoever speaks so long gets another turn with the next paragraph, so that readers find the
/// place in the recording. Milliseconds.
const TURN_MILLIS: u64 = 120_000;

/// Makes a conversation of what was said.
pub(crate) fn conversation(cues: Vec<Cue>) -> Conversation {
    tell(cues, Conversation::default())
}

/// Adds what was said to a conversation.
pub(crate) fn tell(mut cues: Vec<Cue>, mut read: Conversation) -> Conversation {
    take_names(&mut cues);
    let mut open: Option<OpenTurn> = None;
    let mut voice: Option<String> = None;
    for cue in cues {
        // A voice goes on until another one is named.
        voice = cue.voice.clone().or(voice);
        let speaker = voice.as_deref().unwrap_or(SOMEBODY);
        match open.as_mut().filter(|turn| turn.goes_on(speaker, &cue)) {
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

/// A turn to which words may come.
struct OpenTurn {
    speaker: String,
    first: Cue,
    /// When the last words ended. Milliseconds.
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

    /// The time between the last words and these.
    fn pause(&self, cue: &Cue) -> u64 {
        self.until.zip(cue.start).map_or(0, |(until, start)| start.saturating_sub(until))
    }

    /// Returns whether the next words open a paragraph.
    fn is_parted(&self, cue: &Cue) -> bool {
        let Some(last) = self.paragraphs.last() else { return true };
        self.pause(cue) >= PARAGRAPH_PAUSE
            || last.len() >= MAX_PARAGRAPH_CHARS
            || last.len() >= PARAGRAPH_CHARS && ends_sentence(last)
    }

    fn goes_on(&self, speaker: &str, cue: &Cue) -> bool {
        let lasts = self.first.start.zip(self.until);
        let lasts = lasts.map_or(0, |(start, until)| until.saturating_sub(start));
        self.speaker == speaker
            && self.pause(cue) < TURN_PAUSE
            && !(lasts >= TURN_MILLIS && self.is_parted(cue))
    }

    fn add(&mut self, cue: &Cue) {
        let mut is_parted = self.is_parted(cue);
        for line in cue.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            // So captions tell two people apart who have no names.
            is_parted |= line.starts_with(['-', '–', '—']);
            match self.paragraphs.last_mut().filter(|_| !is_parted) {
                Some(last) => join(last, line),
                None => self.paragraphs.push(line.to_owned()),
            }
            is_parted = false;
        }
        self.hear(cue);
        self.until = cue.last().or(self.until);
    }

    /// Keeps when the words of a cue are said. Words without a time go on from those before them.
    fn hear(&mut self, cue: &Cue) {
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

/// Adds words to a paragraph, with a space between where the script has spaces.
fn join(paragraph: &mut String, line: &str) {
    let is_spaceless = |c: char| match c {
        // Wide forms of Latin letters and digits.
        '\u{ff10}'..='\u{ff19}' | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' => false,
        '\u{3000}'..='\u{30ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{ff00}'..='\u{ffef}'
        | '\u{20000}'..='\u{3ffff}' => true,
        _ => false,
    };
    let is_close = paragraph.ends_with(is_spaceless) || line.starts_with(is_spaceless);
    // A machine that writes word by word parts what ends a sentence from it.
    let is_end = line.starts_with([',', '.', '!', '?', ';', ':', '…', '%', ')']);
    if !is_close && !is_end && !paragraph.is_empty() {
        paragraph.push(' ');
    }
    paragraph.push_str(line);
}
