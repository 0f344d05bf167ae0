//! The captions of a recording, as WebVTT. They are made from turns as pages show them, so they contain
//! nothing that is on no page.

use std::fmt::Write;
use std::sync::Arc;

use crate::markup;
use crate::model::{Block, Spoken, Turn, chars_of, moment};
use crate::outputs::env::Env;
use crate::outputs::output::{MakeResult, Output};
use crate::site::{PageKind, PlacedRecording, SharedPage, Site};

/// The maximum number of characters of a caption, about two lines.
const MAX_CHARS: usize = 84;
/// Shorter texts are joined with the next one, because machine transcripts are word by word.
const SHORT_CHARS: usize = 24;
/// The pause after which a new caption starts, in milliseconds.
const MAX_PAUSE: u64 = 700;
/// The duration of a character if the end of a text is unknown, in milliseconds.
const CHAR_MILLIS: u64 = 65;

pub(crate) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let of_page = |page: &SharedPage| {
        let PageKind::Conversation(planned) = &page.kind else { return None };
        let recording = planned.recording.as_ref();
        let recording = recording.filter(|_| planned.text_ref.part_number == 0)?;
        let path = recording.captions.as_ref()?;
        let inputs = PlacedRecording::clone(recording);
        let output = Output::new(name, path, env, inputs, make);
        Some(output.map(|output| output.with_text(&planned.text_ref)))
    };
    site.pages.iter().filter_map(of_page).collect()
}

fn make(env: &Env, recording: &PlacedRecording) -> MakeResult {
    let mut spoken: Vec<SpokenTurn> = Vec::new();
    for part in recording.parts.iter() {
        let read = env.texts.get_cached(part)?;
        spoken.extend(read.turns.iter().filter_map(|turn| SpokenTurn::of(turn, env)));
    }
    let mut out = String::from("WEBVTT\n");
    for Cue { start, end, voice, text } in cues(&spoken, recording.recording.duration) {
        let _ = write!(out, "\n{} --> {}\n", stamp(start), stamp(end.max(start + 1)));
        if !voice.is_empty() {
            let _ = write!(out, "<v {}>", escaped(voice));
        }
        let _ = writeln!(out, "{}", escaped(&text));
    }
    Ok(out.into_bytes())
}

/// Returns the captions of a recording with this duration.
fn cues(spoken: &[SpokenTurn], duration: Option<u64>) -> Vec<Cue<'_>> {
    let mut starts: Vec<u64> = spoken.iter().map(|one| one.start).collect();
    starts.sort_unstable();
    let mut cues = Vec::new();
    for one in spoken {
        let next = starts.partition_point(|start| *start <= one.start);
        one.add_cues(starts.get(next).copied(), duration, &mut cues);
    }
    cues.sort_by_key(|cue| cue.start);
    cues
}

/// A caption.
struct Cue<'a> {
    start: u64,
    end: u64,
    voice: &'a str,
    text: String,
}

/// The spoken text of a turn.
struct SpokenTurn {
    voice: String,
    /// The text, on one line.
    text: String,
    start: u64,
    /// The end of the text in milliseconds, if known.
    end: Option<u64>,
    spoken: Vec<Spoken>,
}

impl SpokenTurn {
    /// Returns the spoken text of a turn; `None` if there is none, or if its time is unknown.
    fn of(turn: &Turn, env: &Env) -> Option<Self> {
        let start = turn.moment()?;
        let mut text = String::new();
        for block in &turn.blocks {
            let Block::Markdown { text: words } = block else { continue };
            let plain = markup::scan(words, env.config.math).text;
            for word in plain.split_whitespace() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        let to = turn.extra.get("to").and_then(|to| to.as_str());
        let voice = turn.speaker.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = to.and_then(moment).filter(|end| *end > start);
        let spoken = turn.spoken.clone();
        (!text.is_empty()).then_some(Self { voice, text, start, end, spoken })
    }

    /// Adds the captions of a turn. `next` is the time at which another speaker starts.
    fn add_cues<'a>(&'a self, next: Option<u64>, duration: Option<u64>, cues: &mut Vec<Cue<'a>>) {
        let total = chars_of(&self.text) as u64;
        let estimated_end = self.start + total * CHAR_MILLIS;
        let last = duration.filter(|end| *end > self.start);
        let until = self.end.or(next).or(last).unwrap_or(estimated_end).max(self.start + 1);
        let whole = [Spoken { start: self.start, end: until, chars: 1 }];
        let spoken = if self.spoken.is_empty() { &whole[..] } else { &self.spoken };
        let spoken = joined(spoken);
        // If text was replaced, it is longer or shorter than what was spoken.
        let counted = spoken.iter().map(|one| u64::from(one.chars)).sum::<u64>().max(1);
        let (mut sum, mut from, mut done) = (0, 0, 0);
        for (at, one) in spoken.iter().enumerate() {
            sum += u64::from(one.chars);
            let upto = u128::from(sum) * u128::from(total) / u128::from(counted);
            let is_exact = counted == total;
            let is_last = at + 1 == spoken.len();
            let to = match is_last {
                true => self.text.len(),
                false => self.place(from, (upto as u64).saturating_sub(done), is_exact),
            };
            let text = self.text[from..to].trim();
            done += chars_of(text) as u64;
            from = to;
            let end = if one.end > one.start { one.end } else { one.start + 1000 };
            cut(text, one.start, end, |start, end, text| {
                let (voice, text) = (self.voice.as_str(), text.to_owned());
                cues.push(Cue { start, end, voice, text });
            });
        }
    }

    /// Returns the position after a number of characters, not counting spaces. Extends it to the end of the
    /// word, unless characters are counted exactly or the text has no spaces there.
    fn place(&self, from: usize, count: u64, is_exact: bool) -> usize {
        if count == 0 {
            return from;
        }
        let rest = &self.text[from..];
        let is_shown = |(_, c): &(usize, char)| !c.is_whitespace();
        let behind = rest.char_indices().filter(is_shown).nth(count as usize);
        let Some((at, _)) = behind else { return self.text.len() };
        let mut word = rest[at..].char_indices().take(SHORT_CHARS);
        let space = word.find(|(_, c)| c.is_whitespace()).filter(|_| !is_exact);
        from + at + space.map_or(0, |(space, _)| space)
    }
}

/// Joins words that are too short for a caption of their own.
fn joined(spoken: &[Spoken]) -> Vec<Spoken> {
    let mut all: Vec<Spoken> = Vec::new();
    for one in spoken {
        let fits = |last: &&mut Spoken| {
            let sum = last.chars.saturating_add(one.chars) as usize;
            let is_short = last.chars.min(one.chars) < SHORT_CHARS as u32;
            is_short && sum <= MAX_CHARS / 2 && one.start <= last.end + MAX_PAUSE
        };
        match all.last_mut().filter(fits) {
            Some(last) => {
                last.end = last.end.max(one.end);
                last.chars += one.chars;
            }
            None => all.push(*one),
        }
    }
    all
}

/// Splits a text that is too long for one caption between words, and divides the time among the pieces.
fn cut(text: &str, start: u64, end: u64, mut take: impl FnMut(u64, u64, &str)) {
    let total = text.len().max(1) as u64;
    let at_byte = |at: usize| start + (end - start) * at as u64 / total;
    let pieces = text.chars().count().div_ceil(MAX_CHARS * 2);
    let most = match pieces {
        0 | 1 => MAX_CHARS * 2,
        _ => MAX_CHARS,
    };
    let (mut from, mut count, mut space) = (0, 0, None);
    for (at, c) in text.char_indices() {
        if c == ' ' {
            space = Some(at);
        }
        count += 1;
        if count > most {
            let to = space.filter(|space| *space > from).unwrap_or(at);
            take(at_byte(from), at_byte(to), text[from..to].trim());
            from = to;
            (count, space) = (text[from..at].chars().count() + 1, None);
        }
    }
    let rest = text[from..].trim();
    if !rest.is_empty() {
        take(at_byte(from), end, rest);
    }
}

/// Formats a time for WebVTT.
fn stamp(millis: u64) -> String {
    let (seconds, rest) = (millis / 1000, millis % 1000);
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{rest:03}")
}

/// Escapes text for a caption, which ends at an empty line and may contain tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{SpokenTurn, escaped, stamp};
    use crate::model::Spoken;

    fn shown(text: &str, spoken: &[(u64, u64, u32)], next: Option<u64>) -> Vec<String> {
        let spoken = spoken.iter().map(|(start, end, chars)| Spoken {
            start: *start,
            end: *end,
            chars: *chars,
        });
        let turn = SpokenTurn {
            voice: String::new(),
            text: text.to_owned(),
            start: 1000,
            end: None,
            spoken: spoken.collect(),
        };
        let mut cues = Vec::new();
        turn.add_cues(next, None, &mut cues);
        let shown = |cue: super::Cue<'_>| format!("{}-{} {}", cue.start, cue.end, cue.text);
        cues.into_iter().map(shown).collect()
    }

    /// The start of the next turn must be found without a search through all later turns.
    #[test]
    fn many_turns_that_begin_at_once() {
        let made = |count: usize| {
            let turn = |_| SpokenTurn {
                voice: String::new(),
                text: "Yes.".to_owned(),
                start: 0,
                end: None,
                spoken: Vec::new(),
            };
            let turns: Vec<SpokenTurn> = (0..count).map(turn).collect();
            let start = Instant::now();
            assert_eq!(super::cues(&turns, None).len(), count);
            start.elapsed()
        };
        let is_linear = || made(40_000) < made(10_000).max(Duration::from_millis(20)) * 8;
        assert!((0..3).any(|_| is_linear()));
    }

    #[test]
    fn captions_are_cut_at_their_times() {
        let text = "The mill stands still on Sundays. Nobody knows why that is.";
        let cut = shown(text, &[(1000, 3000, 28), (3000, 5000, 22)], None);
        assert_eq!(
            cut,
            ["1000-3000 The mill stands still on Sundays.", "3000-5000 Nobody knows why that is."]
        );
        let text = "水車は日曜日に止まる。理由は誰も知らない。";
        let cut = shown(text, &[(1000, 3000, 26), (4000, 5000, 25)], None);
        assert_eq!(cut, ["1000-3000 水車は日曜日に止まる", "4000-5000 。理由は誰も知らない。"]);
    }

    #[test]
    fn words_with_times_of_their_own_are_joined() {
        let cut = shown("Good old mill", &[(1, 2, 4), (3, 4, 3), (5000, 5400, 4)], None);
        assert_eq!(cut, ["1-4 Good old", "5000-5400 mill"]);
    }

    #[test]
    fn no_text_is_lost_at_replaced_words() {
        let text = "Person 1 asks Person 2 whether the miller came home.";
        for spoken in [&[(1000, 2000, 30), (2000, 3000, 30)][..], &[(1, 1, 1)], &[(9, 4, 0)]] {
            let cut = shown(text, spoken, None);
            let words: Vec<&str> =
                cut.iter().filter_map(|cue| Some(cue.split_once(' ')?.1)).collect();
            assert_eq!(words.join(" "), text, "{spoken:?}");
        }
    }

    #[test]
    fn a_turn_with_only_a_start_shares_its_time() {
        let text = "word ".repeat(60);
        let cut = shown(text.trim(), &[], Some(61_000));
        assert!(cut.len() > 2 && cut.iter().all(|cue| cue.len() < 110), "{cut:?}");
        assert!(
            cut[0].starts_with("1000-") && cut.last().is_some_and(|cue| cue.contains("-61000 "))
        );
    }

    #[test]
    fn no_tag_and_no_time_comes_from_words() {
        assert_eq!(escaped("a --> b & <i>"), "a --&gt; b &amp; &lt;i&gt;");
        assert_eq!(stamp(3_723_004), "01:02:03.004");
        assert_eq!(stamp(360_000_000), "100:00:00.000");
    }
}
