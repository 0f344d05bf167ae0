//! The abbreviations of time zones that stand for one offset.

/// Names in small letters, and their offsets. Those of North America are as in RFC 5322; `ist` and others that are
/// used in several places are missing.
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

/// Returns the offset of a zone by its name in letters of any size, `Z` or such as `+01:00`.
pub(super) fn offset(name: &str) -> Option<&'static str> {
    let mut offsets = OFFSETS.iter();
    offsets.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, offset)| *offset)
}
