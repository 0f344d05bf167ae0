//! The names that Zoom gives to recording files: `GMT20240312-140000_Recording.transcript.vtt`.

use crate::shared::text::dates::stamp;
use convo_base::time::Time;

/// Returns the start of a recording and a title for it, if its file name contains them.
pub(crate) fn of_name(name: &str) -> Option<(Time, String)> {
    let name = name.rsplit('/').next()?.strip_prefix("GMT")?;
    let (at, rest) = name.split_once('_')?;
    let time = stamp(&format!("{at}Z"))?;
    let (day, (minute, _)) = (time.day(), time.clock()?);
    let topic = rest.split('.').next()?.replace(['_', '-'], " ");
    let title = match topic.trim() {
        "" => format!("{day} {minute} UTC"),
        topic => format!("{topic}, {day} {minute} UTC"),
    };
    Some((time, title))
}

#[cfg(test)]
mod tests {
    use super::of_name;

    #[test]
    fn a_name_contains_the_time_of_a_meeting() {
        for (name, expected) in [
            (
                "GMT20240312-140000_Recording.transcript.vtt",
                Some(("2024-03-12T14:00:00Z", "Recording, 2024-03-12 14:00 UTC")),
            ),
            (
                "talks/GMT20240312-140509_The-night-watch_1920x1080.cc.vtt",
                Some(("2024-03-12T14:05:09Z", "The night watch 1920x1080, 2024-03-12 14:05 UTC")),
            ),
            ("GMT20241399-140000_Recording.vtt", None),
            ("GMT2024-140000_Recording.vtt", None),
            ("Recording.vtt", None),
        ] {
            let found = of_name(name);
            let found = found.as_ref().map(|(time, title)| (time.as_written(), title.as_str()));
            assert_eq!(found, expected, "{name}");
        }
    }
}
