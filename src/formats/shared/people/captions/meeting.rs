//! The names of recordings: `2024-03-12-the-night-watch.en.vtt`, and those that Zoom gives to them,
//! `GMT20240312-140000_Recording.transcript.vtt`.

use crate::shared::text::dates::{day_in_name, on, stamp};
use convo_base::model::Conversation;
use convo_base::time::Time;

/// Sets the time and the title of a recording, if only its file name contains them.
pub(crate) fn complete(read: &mut Conversation, name: &str) {
    let name = name.rsplit('/').next().unwrap_or(name);
    let Some((time, title)) = of_meeting(name).or_else(|| of_day(name)) else { return };
    read.time.get_or_insert(time);
    if read.title.is_none() {
        read.title = title;
    }
}

/// Returns the start of a meeting in Zoom, and a title.
fn of_meeting(name: &str) -> Option<(Time, Option<String>)> {
    let (at, rest) = name.strip_prefix("GMT")?.split_once('_')?;
    let time = stamp(&format!("{at}Z"))?;
    let (day, (minute, _)) = (time.day(), time.clock()?);
    let topic = rest.split('.').next()?.replace(['_', '-'], " ");
    let title = match topic.trim() {
        "" => format!("{day} {minute} UTC"),
        topic => format!("{topic}, {day} {minute} UTC"),
    };
    Some((time, Some(title)))
}

/// Returns the day in a name, and the words around it as a title.
fn of_day(name: &str) -> Option<(Time, Option<String>)> {
    let (stem, _) = name.rsplit_once('.')?;
    let stem = match stem.rsplit_once('.') {
        Some((before, tag)) if is_language(tag) => before,
        _ => stem,
    };
    let (day, at) = day_in_name(stem)?;
    let (before, after) = (stem.get(..at.start)?, stem.get(at.end..)?);
    let words = |part: &str| part.replace(['_', '-', '.'], " ");
    let title = words(before) + " " + &words(after);
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = title.chars();
    let title = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    Some((on(day)?, title))
}

/// Returns whether a part of a name is a language, such as `en` or `pt-BR`.
fn is_language(tag: &str) -> bool {
    let language = tag.split('-').next().unwrap_or_default();
    (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::complete;
    use convo_base::model::Conversation;
    use convo_base::time::Time;

    #[test]
    fn a_name_contains_the_time_and_the_topic() {
        for (name, time, title) in [
            (
                "GMT20240312-140000_Recording.transcript.vtt",
                "2024-03-12T14:00:00Z",
                "Recording, 2024-03-12 14:00 UTC",
            ),
            (
                "talks/GMT20240312-140509_The-night-watch_1920x1080.cc.vtt",
                "2024-03-12T14:05:09Z",
                "The night watch 1920x1080, 2024-03-12 14:05 UTC",
            ),
            ("GMT20241399-140000_Recording.vtt", "", ""),
            ("GMT2024-140000_Recording.vtt", "", ""),
            ("Recording.vtt", "", ""),
            ("2024-03-12-the-night-watch.vtt", "2024-03-12", "The night watch"),
            ("talks/2024-03-12/mill_20240313.en-GB.srt", "2024-03-13", "Mill"),
            ("2024.03.12 Über uns.json", "2024-03-12", "Über uns"),
            ("2024-03-12.vtt", "2024-03-12", ""),
            ("2024.03.12.vtt", "2024-03-12", ""),
            ("2024-03-12 Mr. Finch.vtt", "2024-03-12", "Mr Finch"),
            ("recording-1920x1080.vtt", "", ""),
            ("2024-03-12", "", ""),
        ] {
            let mut read = Conversation::default();
            complete(&mut read, name);
            let seen = read.time.as_ref().map_or("", Time::as_written);
            assert_eq!((seen, read.title.as_deref().unwrap_or_default()), (time, title), "{name}");
        }
    }
}
