//! Reads time zones: abbreviations with a fixed offset, and numeric offsets.

/// Zone names in lower case, and their offsets. Those of North America follow RFC 5322. Ambiguous names
/// such as `ist` are missing.
const OFFSETS: &[(&str, &str)] = &[
    ("utc", "Z"),
    ("ut", "Z"),
    ("gmt", "Z"),
    ("z", "Z"),
    // Europe: `MET DST` is how Unix wrote `MEST`.
    ("wet", "Z"),
    ("west", "+01:00"),
    ("wet dst", "+01:00"),
    ("bst", "+01:00"),
    ("cet", "+01:00"),
    ("cest", "+02:00"),
    ("cet dst", "+02:00"),
    ("met", "+01:00"),
    ("mest", "+02:00"),
    ("met dst", "+02:00"),
    ("mez", "+01:00"),
    ("mesz", "+02:00"),
    ("eet", "+02:00"),
    ("eest", "+03:00"),
    ("eet dst", "+03:00"),
    ("msk", "+03:00"),
    ("msd", "+04:00"),
    // The Americas.
    ("est", "-05:00"),
    ("edt", "-04:00"),
    ("cst", "-06:00"),
    ("cdt", "-05:00"),
    ("mst", "-07:00"),
    ("mdt", "-06:00"),
    ("pst", "-08:00"),
    ("pdt", "-07:00"),
    ("akst", "-09:00"),
    ("akdt", "-08:00"),
    ("hst", "-10:00"),
    ("brt", "-03:00"),
    // Asia and the Pacific.
    ("jst", "+09:00"),
    ("kst", "+09:00"),
    ("nzst", "+12:00"),
    ("nzdt", "+13:00"),
];

/// Returns the offset, such as `Z` or `+01:00`, of a zone with this name in any case.
fn named(name: &str) -> Option<&'static str> {
    let mut offsets = OFFSETS.iter();
    offsets.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, offset)| *offset)
}

/// Returns the offset of a zone. A numeric offset takes precedence over names.
pub(super) fn offset_of(zone: &[&str]) -> Option<String> {
    let in_digits = zone.iter().find_map(|word| signed(word));
    let without_sign = || {
        let word = zone.first().filter(|word| word.len() == 4 && is_number(word))?;
        signed(&format!("+{word}"))
    };
    let by_name = || named(&zone.join(" ")).map(str::to_owned);
    in_digits.or_else(without_sign).or_else(by_name)
}

/// Reads `+0100`, `+01:00`, `GMT+1`.
fn signed(word: &str) -> Option<String> {
    let (name, offset) = word.split_at(word.find(['+', '-'])?);
    let (sign, digits) = offset.split_at(1);
    let digits = digits.replace(':', "");
    if !name.is_empty() && named(name) != Some("Z") || !is_number(&digits) {
        return None;
    }
    let number: u16 = digits.parse().ok()?;
    let (hours, minutes) = match digits.len() {
        1 | 2 => (number, 0),
        3 | 4 => (number / 100, number % 100),
        _ => return None,
    };
    match (hours, minutes) {
        (0, 0) => Some("Z".to_owned()),
        (0..=23, 0..=59) => Some(format!("{sign}{hours:02}:{minutes:02}")),
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}
