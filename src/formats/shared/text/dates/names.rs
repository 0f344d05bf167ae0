//! The names of months, weekdays and eras.

use jiff::civil::Weekday;

/// The beginnings of month names in all supported languages, in lower case. English comes first.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "janv", "sty", "янв", "oca"],
    &["feb", "fév", "fev", "febb", "lut", "фев", "şub"],
    &["mar", "mär", "maa", "mrt", "мар"],
    &["apr", "avr", "abr", "kwi", "апр", "nis"],
    &["may", "mai", "maj", "mei", "mag", "мая", "май"],
    &["jun", "juin", "giu", "cze", "июн", "haz"],
    &["jul", "juil", "lug", "lip", "июл", "tem"],
    &["aug", "aoû", "ago", "sie", "авг", "ağu"],
    &["sep", "set", "wrz", "сен", "eyl"],
    &["oct", "okt", "out", "ott", "paź", "окт", "eki"],
    &["nov", "lis", "ноя", "kas"],
    &["dec", "déc", "dez", "dic", "gru", "дек", "ara"],
];

/// The beginnings of weekday names, from Monday, in English and Thai, and weekday names in other languages
/// that begin like a month.
const WEEKDAYS: [&[&str]; 7] = [
    &["mon", "จ", "maandag"],
    &["tue", "อ.", "mardi", "martes", "martedì"],
    &["wed", "พ."],
    &["thu", "พฤ"],
    &["fri", "ศ"],
    &["sat", "ส"],
    &["sun", "อา"],
];

/// The letters of Japanese eras, and the years in which they begin.
const ERAS: [(&str, u16); 2] = [("R", 2019), ("H", 1989)];

/// Returns the number of a month, from 1, from its name or the beginning of its name in any language.
pub(crate) fn month(word: &str) -> Option<u16> {
    let word = word.to_lowercase();
    // `marzec` and `märz`, but not weekdays such as `mardi` and `maandag`.
    let is_day = || WEEKDAYS.iter().any(|names| names.contains(&word.as_str()));
    if word.chars().count() < 3 || is_day() {
        return None;
    }
    let begins = |names: &&[&str]| names.iter().any(|name| word.starts_with(name));
    MONTHS.iter().zip(1..).find(|(names, _)| begins(names)).map(|(_, number)| number)
}

/// Returns the number of the month, from 1, whose English name begins with the first three letters of a
/// text.
pub(crate) fn english_month(text: &str) -> Option<u16> {
    let start = text.get(..3)?;
    let is_it =
        |names: &&[&str]| names.first().is_some_and(|name| start.eq_ignore_ascii_case(name));
    MONTHS.iter().zip(1..).find(|(names, _)| is_it(names)).map(|(_, number)| number)
}

/// Returns the weekday with whose name a text begins.
pub(crate) fn weekday(text: &str) -> Option<Weekday> {
    let text = text.to_lowercase();
    let begins = |names: &&[&str]| names.iter().any(|name| text.starts_with(name));
    let place = WEEKDAYS.iter().position(begins)?;
    Weekday::from_monday_zero_offset(i8::try_from(place).ok()?).ok()
}

/// Returns the first year of the Japanese era with this letter.
pub(crate) fn era(letter: &str) -> Option<u16> {
    ERAS.iter().find(|(known, _)| *known == letter).map(|(_, first)| *first)
}

/// Converts a year of a date to the Gregorian calendar: Thai phones use the Buddhist calendar.
pub(crate) fn gregorian(year: u16) -> u16 {
    if (2500..2700).contains(&year) { year - 543 } else { year }
}

#[cfg(test)]
mod tests {
    use super::{english_month, month};

    #[test]
    fn months_have_names_in_every_language() {
        for (word, number) in [
            ("März", 3),
            ("marzec", 3),
            ("Juillet", 7),
            ("ağustos", 8),
            ("DEC", 12),
            ("Oktober", 10),
        ] {
            assert_eq!(month(word), Some(number), "{word}");
        }
        for word in ["mardi", "Maandag", "ma", "monday", ""] {
            assert_eq!(month(word), None, "{word}");
        }
        assert_eq!(
            ["Sept 1", "MAY", "mär", "D"].map(english_month),
            [Some(9), Some(5), None, None]
        );
    }
}
