//! Chats between people that were copied or saved from a program: Zoom, Teams, Telegram.
//!
//! ```text
//! 00:11:09 → Ada: → hello                Zoom, separated by tabs
//! 11:02:09 From Ada to Everyone: hello    Zoom
//! [3:04 PM] Ada                          Teams, text below
//! Ada, [1 Jan 2026 15:04:05]:            Telegram, text below
//! ```

use crate::shared::text::dates::{half_at_end, is_clock, written};
use convo_base::model::{Block, Conversation, Turn};
use convo_base::text::trim_blank_lines;
use convo_base::time::Time;

/// The maximum length of a name.
const MAX_NAME: usize = 80;

/// The first number from which a time is read as a time of day. A recording that begins with five minutes
/// of silence is less likely than a chat that begins after five in the morning.
const FIRST_HOUR: u32 = 5;

/// Returns whether a text in which this number of turns was found is such a chat.
pub(super) fn is_chat(text: &str, turns: usize) -> bool {
    let fitting = text.lines().filter(|line| opens_message(line)).count();
    fitting >= 2 && fitting * 2 >= turns
}

/// Returns whether the times of turns may be times of day, so that the text is a chat copied from an
/// unknown program: `[15:04] Ada: hello`, `Ada (3:04 PM): hello`. Times of a recording begin near zero.
pub(super) fn has_clocks(turns: &[Turn]) -> bool {
    let times = turns.iter().filter_map(|turn| turn.offset.as_deref());
    let times: Vec<(u32, bool)> = times.filter_map(hour_of).collect();
    let starts_late =
        times.first().is_some_and(|(hour, is_halved)| *is_halved || *hour >= FIRST_HOUR);
    let are_of_day = times.iter().all(|(hour, _)| *hour < 24);
    starts_late && are_of_day && times.len() >= 2 && times.len() * 2 >= turns.len()
}

/// Returns the first number of a time, and whether the time uses the 12-hour clock: 3 and `true` for
/// `3:04 PM`.
fn hour_of(time: &str) -> Option<(u32, bool)> {
    let halved = half_at_end(time);
    let bare = halved.map_or(time, |(bare, _)| bare);
    let hour = bare.split_once(':')?.0.parse().ok()?;
    is_clock(bare).then_some((hour, halved.is_some()))
}

/// Removes the line `Thought for 5 seconds`, which ChatGPT shows above an answer, from copied text.
pub(super) fn remove_thinking_time(text: &str, read: &mut Conversation) {
    if !text.contains("ChatGPT said:") {
        return;
    }
    for turn in read.turns.iter_mut().filter(|turn| turn.speaker == "ChatGPT") {
        let Some(Block::Markdown { text: said }) = turn.blocks.first_mut() else { continue };
        let (first, rest) = said.split_once('\n').unwrap_or((said, ""));
        let time = first.strip_prefix("Thought for ").unwrap_or_default().trim();
        let is_time = time.starts_with(|c: char| c.is_ascii_digit()) && time.len() < 20;
        if is_time {
            *said = trim_blank_lines(rest).0.to_owned();
        }
    }
}

/// Converts the times of such a chat to those of transcripts. If all turns are from one known day, it
/// becomes the date of the conversation.
pub(super) fn settle(read: &mut Conversation) {
    let offsets = read.turns.iter().filter_map(|turn| turn.offset.as_deref());
    let times: Option<Vec<Time>> = offsets.map(written).collect();
    let times = times.unwrap_or_default();
    let first = times.first().cloned();
    let day = first.as_ref().map(Time::day);
    let is_of_one_day = day.is_some() && times.iter().all(|time| Some(time.day()) == day);
    if is_of_one_day {
        read.time = read.time.take().or(first);
    }
    let mut times = times.iter();
    for offset in read.turns.iter_mut().filter_map(|turn| turn.offset.as_mut()) {
        let time = times.next().filter(|_| is_of_one_day);
        *offset = match time.and_then(|time| time.as_written().split_once('T')) {
            Some((_, of_day)) => of_day.to_owned(),
            None => clock(offset),
        };
    }
}

/// Converts a time of day to the 24-hour clock: `15:04` for `3:04 PM`.
fn clock(text: &str) -> String {
    let of_day = || {
        let (time, half) = half_at_end(text)?;
        let (hour, rest) = time.split_once(':')?;
        let hour = half.hour(hour.parse().ok()?);
        Some(format!("{hour:02}:{rest}"))
    };
    of_day().unwrap_or_else(|| text.to_owned())
}

fn opens_message(line: &str) -> bool {
    let line = line.trim_end();
    is_of_zoom(line) || is_of_teams(line) || is_of_telegram(line)
}

fn is_of_zoom(line: &str) -> bool {
    let Some((time, rest)) = line.split_at_checked(8) else { return false };
    let named = rest.strip_prefix('\t').and_then(|rest| rest.split_once(":\t"));
    let is_named = named.is_some_and(|(name, _)| is_name(name));
    let sent = rest.trim_start().strip_prefix("From ");
    let is_sent = sent
        .and_then(|sent| sent.split_once(':'))
        .and_then(|(who, _)| who.split_once(" to "))
        .is_some_and(|(name, to)| is_name(name) && is_name(to));
    is_clock(time) && (is_named || is_sent)
}

fn is_of_teams(line: &str) -> bool {
    let inside = line.strip_prefix('[').and_then(|inside| inside.split_once("] "));
    inside.is_some_and(|(time, name)| {
        // `[00:05] Ada` is a time of a recording.
        let is_of_day = half_at_end(time).is_some() || time.contains(['/', '.', '-']);
        is_of_day && time.split_whitespace().any(is_clock) && is_name(name)
    })
}

fn is_of_telegram(line: &str) -> bool {
    let line = line.strip_suffix(':').unwrap_or(line);
    let inside = line.strip_suffix(']').and_then(|line| line.rsplit_once(", ["));
    inside.is_some_and(|(name, time)| {
        let mut words = time.split_whitespace();
        let is_day = words.next().is_some_and(|day| day.starts_with(|c: char| c.is_ascii_digit()));
        is_day && words.any(is_clock) && is_name(name)
    })
}

fn is_name(name: &str) -> bool {
    let name = name.trim();
    !name.is_empty() && name.len() <= MAX_NAME && !name.contains([':', '\t'])
}

#[cfg(test)]
mod tests {
    use super::{clock, has_clocks, opens_message};
    use convo_base::model::Turn;

    #[test]
    fn times_that_do_not_count_from_a_beginning_are_of_a_day() {
        let turns = |times: &[&str]| -> Vec<Turn> {
            let turn = |time: &&str| Turn {
                offset: (!time.is_empty()).then(|| (*time).to_owned()),
                ..Turn::default()
            };
            times.iter().map(turn).collect()
        };
        let clocks: [&[&str]; 5] = [
            &["15:04", "15:04"],
            &["9:59", "10:00", ""],
            &["23:58:01", "00:02:10"],
            &["05:00", "05:01"],
            &["1:04 AM", "1:05 a.m."],
        ];
        for times in clocks {
            assert!(has_clocks(&turns(times)), "{times:?}");
        }
        let others: [&[&str]; 7] = [
            &["00:03", "15:04"],
            &["4:59", "6:00"],
            &["12:10", "24:00"],
            &["01:12:00", "01:13:00"],
            &["15:04", "", ""],
            &["15:04"],
            &["15:04", "then"],
        ];
        for times in others {
            assert!(!has_clocks(&turns(times)), "{times:?}");
        }
    }

    #[test]
    fn clocks_have_24_hours() {
        for (text, expected) in [
            ("3:04 PM", "15:04"),
            ("12:04 AM", "00:04"),
            ("12:04:05 p.m.", "12:04:05"),
            ("15:04", "15:04"),
            ("1/2/2026 3:04 PM", "1/2/2026 3:04 PM"),
        ] {
            assert_eq!(clock(text), expected);
        }
    }

    #[test]
    fn lines_of_programs_open_messages() {
        for line in [
            "00:11:09\tAda Moor:\they",
            "11:02:09 From Ada to Everyone: hello",
            "11:02:09\t From  Ada to Wren (Direct Message):",
            "[3:04 PM] Ada Moor",
            "[1/2/2026 15:04] Ada Moor",
            "Ada Moor, [1 Jan 2026 15:04:05]:",
            "Ada Moor, [01.01.26 15:04]",
        ] {
            assert!(opens_message(line), "{line}");
        }
        for line in [
            "[00:05] Ada: hello", "[00:05] Ada", "00:11:09 Ada: hello", "Ada, [00:05]",
            "Ada: hello", "- see Ada, [3 of 4]", "Ada (10:03): hello",
        ] {
            assert!(!opens_message(line), "{line}");
        }
    }
}
