//! Reads and writes positions in recordings.

use convo_base::model::moment;

/// Reads the start and end of a cue in milliseconds, from a line such as `00:01:02.500 --> 00:01:04.000
/// align:start`. An invalid time is `None`. Another arrow, such as `->`, counts between two valid times.
/// Returns `None` for any other line: words may contain arrows, too.
pub(crate) fn timing(line: &str) -> Option<(Option<u64>, Option<u64>)> {
    let end = line.find(['>', '→'])?;
    let before = line[..end].trim_end();
    let from = before.trim_end_matches(DASHES).trim();
    let to = line[end..].trim_start_matches(['>', '→']).split_whitespace().next();
    let is_arrow = before.ends_with(DASHES) || line[end..].starts_with('→');
    let time = |text: &str| moment(&text.replace('：', ":"));
    let times = (time(from), to.and_then(time));
    let is_word = !from.contains(char::is_whitespace);
    let is_timing = match line[..end].ends_with("--") {
        true if times.1.is_some() => is_word,
        true => is_word && from.contains(':') && from.starts_with(|c: char| c.is_ascii_digit()),
        false => times.0.is_some() && times.1.is_some(),
    };
    (is_arrow && is_timing).then_some(times)
}

/// The dashes that arrows are made of.
const DASHES: [char; 5] = ['-', '–', '—', '−', ' '];

/// Formats a position in a recording: `1:02:03`, `02:03`.
pub(crate) fn of_recording(millis: u64) -> String {
    let seconds = millis / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes:02}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{of_recording, timing};
    use convo_base::model::moment;

    #[test]
    fn times_are_read_as_programs_write_them() {
        for (text, expected) in [
            ("00:01.500", Some(1_500)),
            ("01:02:03,004", Some(3_723_004)),
            ("100:00:00.0", Some(360_000_000)),
            ("00:01", Some(1_000)),
            ("1", None),
            ("00:0x", None),
            ("::", None),
            ("99999999:00", None),
        ] {
            assert_eq!(moment(text), expected, "{text}");
        }
        let line = "00:01.000 --> 00:02.000 align:start position:0%";
        assert_eq!(timing(line), Some((Some(1_000), Some(2_000))));
        for line in ["00:01 -> 00:02", "00:01 –-> 00:02", "00：01 —> 00：02", "00:01 → 00:02"]
        {
            assert_eq!(timing(line), Some((Some(1_000), Some(2_000))), "{line}");
        }
        for (line, expected) in [
            ("00:0x --> 00:02", Some((None, Some(2_000)))),
            ("00:01 -->", Some((Some(1_000), None))),
            ("--> 00:02", Some((None, Some(2_000)))),
            ("make --> install", None),
            ("A --> B at 00:02", None),
            ("at 00:01 --> 00:02", None),
            ("00:01 -> B", None),
            ("00:01 > 00:02", None),
            ("<v Ada>00:01", None),
            ("-->", None),
        ] {
            assert_eq!(timing(line), expected, "{line}");
        }
        assert_eq!(of_recording(3_723_004), "1:02:03");
    }
}
