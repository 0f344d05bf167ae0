//! Reads and writes positions in recordings.

use convo_base::model::moment;

/// Reads the start and end of a cue in milliseconds, from a line such as `00:01:02.500 --> 00:01:04.000
/// align:start`. An invalid time is `None`. Returns `None` for any other line.
pub(crate) fn timing(line: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (from, to) = line.split_once("-->")?;
    let to = to.split_whitespace().next().unwrap_or_default();
    Some((moment(from.trim()), moment(to)))
}

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
        assert_eq!(timing("00:01.000 -> 00:02.000"), None);
        assert_eq!(of_recording(3_723_004), "1:02:03");
    }
}
