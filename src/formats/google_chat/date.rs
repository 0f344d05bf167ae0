//! Dates in the language of an account: `Wednesday, March 4, 2026 at 6:01:00 PM UTC`.

use crate::time::Time;

/// The beginnings of the names of the months in the languages that are known.
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
/// Words for the second half of a day, in small letters without points and spaces.
const AFTERNOON: [&str; 4] = ["pm", "午後", "下午", "오후"];
const MORNING: [&str; 4] = ["am", "午前", "上午", "오전"];

/// Reads a date; `None` for one in a language that is not known.
pub(super) fn read(text: &str) -> Option<Time> {
    let text = text.to_lowercase();
    let clock = text.split(|c: char| !c.is_ascii_digit() && c != ':');
    let clock = clock.filter(|part| part.contains(':')).find(|part| part.len() > 3);
    let (clock, rest) = match clock {
        Some(clock) => (clock.to_owned(), text.replacen(clock, " ", 1)),
        None => asian_clock(&text)?,
    };
    let mut parts = clock.split(':').map(str::parse::<u8>);
    let hour = parts.next()?.ok()?;
    let minute = parts.next()?.ok()?;
    let second = parts.next().and_then(Result::ok).unwrap_or_default();
    let bare: String = rest.chars().filter(|c| !c.is_whitespace() && *c != '.').collect();
    let has = |words: &[&str]| {
        words.iter().any(|word| match word.is_ascii() {
            // `pm` stands alone, before the zone.
            true => bare.ends_with(&format!("{word}utc")) || bare.ends_with(word),
            false => bare.contains(word),
        })
    };
    let hour = match hour {
        12 if has(&MORNING) => 0,
        1..=11 if has(&AFTERNOON) => hour + 12,
        hour => hour,
    };
    let numbers: Vec<u16> = rest
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|part| part.parse().ok())
        .collect();
    let year = *numbers.iter().find(|number| **number >= 1000)?;
    let small: Vec<u16> =
        numbers.iter().copied().filter(|number| (1..=31).contains(number)).collect();
    let named = rest.split(|c: char| !c.is_alphabetic()).find_map(month);
    let (month, day) = match (named, small.as_slice()) {
        (Some(month), [day]) => (month, *day),
        // 2026年3月4日
        (None, [month, day]) => (*month as usize, *day),
        _ => return None,
    };
    let text =
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z");
    Time::parse(&text).ok().map(|(time, _)| time)
}

fn month(word: &str) -> Option<usize> {
    // `marzec` and `märz`, but no day of the week: `mardi`, `martes`, `maandag`.
    const DAYS: [&str; 4] = ["mardi", "martes", "martedì", "maandag"];
    if word.chars().count() < 3 || DAYS.contains(&word) {
        return None;
    }
    let place =
        MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)));
    place.map(|place| place + 1)
}

/// Returns the clock of `18時01分00秒` or `18시 1분 0초`, and the rest.
fn asian_clock(text: &str) -> Option<(String, String)> {
    let at = text.find(['時', '时', '시'])?;
    let before = &text[..at];
    let start = before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let numbers: Vec<&str> = text[start..]
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .take(3)
        .collect();
    Some((numbers.join(":"), text[..start].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn dates_are_read_in_many_languages() {
        for date in [
            "Wednesday, March 4, 2026 at 6:01:05\u{202f}PM UTC",
            "Wednesday, 4 March 2026 at 18:01:05 UTC",
            "Mittwoch, 4. März 2026 um 18:01:05 UTC",
            "mercredi 4 mars 2026 à 18:01:05 UTC",
            "miércoles, 4 de marzo de 2026, 18:01:05 UTC",
            "quarta-feira, 4 de março de 2026 às 18:01:05 UTC",
            "mercoledì 4 marzo 2026 alle ore 18:01:05 UTC",
            "woensdag 4 maart 2026 om 18:01:05 UTC",
            "środa, 4 marca 2026 18:01:05 UTC",
            "2026年3月4日水曜日 18時01分05秒 UTC",
            "2026년 3월 4일 수요일 오후 6시 1분 5초 UTC",
        ] {
            let time = read(date).map(|time| time.as_written().to_owned());
            assert_eq!(time.as_deref(), Some("2026-03-04T18:01:05Z"), "{date}");
        }
        let midnight = read("Thursday, November 3, 2016 at 12:59:50 AM UTC").unwrap();
        assert_eq!(midnight.as_written(), "2016-11-03T00:59:50Z");
        let tuesday = read("mardi 3 novembre 2026 à 08:00:00 UTC").unwrap();
        assert_eq!(tuesday.as_written(), "2026-11-03T08:00:00Z");
        assert!(read("the day after the flood").is_none());
    }
}
