//! The day of a conversation that states none: in its title, or in the name of its file.

use jiff::civil::Date;

use crate::shared::text::dates::{day_in_name, month, on, weekday, written_day};
use convo_base::model::{Conversation, Kind};

/// Sets the day. A date in a question to an assistant is what the question is about, so only a date at the beginning
/// of the file name counts for those.
pub(super) fn date(read: &mut Conversation, file: &str) {
    if read.time.is_some() {
        return;
    }
    let has_assistant = read.participants.iter().any(|who| who.kind == Kind::Assistant);
    let of_name = day_in_name(file).filter(|(_, at)| at.start == 0 || !has_assistant);
    let title = read.title.as_deref().filter(|_| !has_assistant);
    let day = title.and_then(of_title).or(of_name.map(|(day, _)| day));
    read.time = day.and_then(on);
}

/// Marks around the words of a date.
const MARKS: [char; 7] = [',', ':', '(', ')', '–', '-', '.'];

/// Returns whether a word can be a part of a date.
fn is_of_date(word: &str) -> bool {
    let word = word.trim_matches(MARKS);
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    is_number || month(word).is_some() || weekday(word).is_some() || ["of", "de"].contains(&word)
}

/// Returns the date that a title begins or ends with: `28 March, 2021 Meeting Notes`.
fn of_title(title: &str) -> Option<Date> {
    if let Some((day, at)) = day_in_name(title)
        && (at.start == 0 || at.end == title.len())
    {
        return Some(day);
    }
    let words: Vec<&str> = title.split_whitespace().collect();
    let day = |words: &[&str]| match words.iter().all(|word| is_of_date(word)) {
        true => written_day(words.join(" ").trim_matches(MARKS)),
        false => None,
    };
    // With the name of the weekday, there are four words.
    [3, 4].into_iter().find_map(|count| {
        let first = words.get(..count)?;
        day(first).or_else(|| day(&words[words.len() - count..]))
    })
}
