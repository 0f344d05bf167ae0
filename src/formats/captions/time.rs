//! The times of cues.

/// Reads the line of a cue that says from when to when it is shown, such as
/// `00:01:02.500 --> 00:01:04.000 align:start`. Each of the two is `None` where it is no time;
/// `None` as a whole is returned for a line that is no such line. Milliseconds.
pub(in crate::formats) fn timing(line: &str) -> Option<(Option<u64>, Option<u64>)> {
    let (from, to) = line.split_once("-->")?;
    let to = to.split_whitespace().next().unwrap_or_default();
    Some((millis(from.trim()), millis(to)))
}

/// Reads `1:02:03.500`, `02:03.5`, `02:03`, with a comma for the point too. Milliseconds.
pub(in crate::formats) fn millis(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_number = |part: &str| {
        !part.is_empty() && part.len() < 8 && part.bytes().all(|b| b.is_ascii_digit())
    };
    let parts: Vec<&str> = whole.split(':').collect();
    let fits = (2..=3).contains(&parts.len()) && parts.iter().all(|part| is_number(part));
    if !fits || !is_number(fraction) {
        return None;
    }
    let seconds = parts
        .iter()
        .try_fold(0, |sum: u64, part| Some(sum * 60 + part.parse::<u64>().ok()?))?;
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(seconds * 1000 + thousandths.parse::<u64>().ok()?)
}

/// Writes a moment of a recording as people do: `1:02:03`, `02:03`.
pub(super) fn clock(millis: u64) -> String {
    let seconds = millis / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes:02}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{clock, millis, timing};

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
            assert_eq!(millis(text), expected, "{text}");
        }
        let line = "00:01.000 --> 00:02.000 align:start position:0%";
        assert_eq!(timing(line), Some((Some(1_000), Some(2_000))));
        assert_eq!(timing("00:01.000 -> 00:02.000"), None);
        assert_eq!(clock(3_723_004), "1:02:03");
    }
}
