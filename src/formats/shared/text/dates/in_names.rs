//! Reads dates in the names of files and folders.

use std::ops::Range;

use jiff::civil::Date;

/// Returns the date in a path and its byte range. The date is in the file name or in the folders, as in
/// `2026/03/01/#mill.txt`.
pub(crate) fn day_in_path(path: &str) -> Option<(Date, Range<usize>)> {
    let start = path.rfind('/').map_or(0, |at| at + 1);
    let (folders, file) = path.split_at(start);
    match day_in_name(file) {
        Some((day, at)) => Some((day, start + at.start..start + at.end)),
        None => first_day(folders, &["/", "-", "_", ".", ""]),
    }
}

/// Returns the date in a file name and its byte range: `2026-03-01` or `20260301`.
pub(crate) fn day_in_name(name: &str) -> Option<(Date, Range<usize>)> {
    first_day(name, &["", "-", "_", "."])
}

/// Returns the first date in a text whose parts are separated by one of the marks.
fn first_day(name: &str, marks: &[&str]) -> Option<(Date, Range<usize>)> {
    let bytes = name.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    for start in (0..bytes.len()).filter(|at| is_digit(*at)) {
        if start > 0 && is_digit(start - 1) {
            continue;
        }
        for mark in marks {
            let (month, day) = (start + 4 + mark.len(), start + 6 + 2 * mark.len());
            let part = |at: usize, len: usize| {
                let part = name.get(at..at + len)?;
                part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i16>().ok())?
            };
            let is_parted = name.get(start + 4..month) == Some(*mark)
                && name.get(month + 2..day) == Some(*mark)
                && !is_digit(day + 2);
            let found = is_parted.then(|| Some((part(start, 4)?, part(month, 2)?, part(day, 2)?)));
            if let Some((y, m, d)) = found.flatten()
                && let (Ok(m), Ok(d)) = (i8::try_from(m), i8::try_from(d))
                && let Ok(date) = Date::new(y, m, d)
            {
                return Some((date, start..day + 2));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{day_in_name, day_in_path};

    #[test]
    fn paths_have_days() {
        for (path, found) in [
            ("2026/03/01/#mill.txt", Some("2026-03-01")),
            ("libera/2026-03-01/#mill.log", Some("2026-03-01")),
            ("2025/01/01/#mill.2026-03-01.log", Some("2026-03-01")),
            ("2026/03/#mill.txt", None),
            ("2026/13/01/#mill.txt", None),
            ("#mill.txt", None),
        ] {
            let day = day_in_path(path).map(|(day, _)| day.to_string());
            assert_eq!(day.as_deref(), found, "{path}");
        }
    }

    #[test]
    fn names_of_files_have_days() {
        for (name, day) in [
            ("#mill.2026-03-01.log", Some("2026-03-01")),
            ("#mill_20260301.log", Some("2026-03-01")),
            ("2026_03_01.txt", Some("2026-03-01")),
            ("#mill.log", None),
            ("12345678901.log", None),
            ("2026-13-01.log", None),
            ("№2026-03-01", Some("2026-03-01")),
        ] {
            let found = day_in_name(name).map(|(day, _)| day.to_string());
            assert_eq!(found.as_deref(), day, "{name}");
        }
    }
}
