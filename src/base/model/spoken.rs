//! When the words of a turn are spoken in a recording.

/// Consecutive words between two moments of a recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// The start, from the start of the recording. Milliseconds.
    pub start: u64,
    /// The end. Milliseconds.
    pub end: u64,
    /// The number of characters, without spaces.
    pub chars: u32,
}

/// Parses a position in a recording, such as `1:02:03.500`, `02:03.5` or `02:03`; the decimal point
/// may be a comma. Milliseconds.
pub fn moment(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let is_number =
        |part: &str| !part.is_empty() && part.len() < 8 && part.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = whole.split(':').collect();
    let fits = (2..=3).contains(&parts.len()) && parts.iter().all(|part| is_number(part));
    if !fits || !is_number(fraction) {
        return None;
    }
    let seconds =
        parts.iter().try_fold(0, |sum: u64, part| Some(sum * 60 + part.parse::<u64>().ok()?))?;
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    Some(seconds * 1000 + thousandths.parse::<u64>().ok()?)
}

/// Returns the number of characters in a text, without spaces.
pub fn chars_of(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
