//! Phone numbers that are written as digits only: `9930363372`, `99303 63372`, `Cell: 415 867 5309`.

use super::super::tier::Tier;
use super::Seen;

/// Words before a phone number.
pub(super) const CALLS: [&str; 26] = [
    "app", "call", "cell", "celular", "contact", "fax", "fon", "handy", "mob", "mobil", "mobile",
    "móvil", "ph", "phone", "sms", "tel", "telefon", "telefono", "telefone", "telephone",
    "teléfono", "téléphone", "tlf", "wattsup", "whatsap", "whatsapp",
];
/// Words before the number of a thing.
const THINGS: [&str; 9] =
    ["build", "commit", "doi", "id", "isbn", "issn", "pid", "rev", "revision"];
/// Words and signs next to an amount of money.
const MONEY: [&str; 18] = [
    "aud", "cad", "chf", "cny", "dollar", "dollars", "eur", "euro", "euros", "gbp", "inr", "jpy",
    "pounds", "rs", "rub", "rupees", "usd", "yen",
];
const CURRENCIES: [char; 10] = ['$', '€', '£', '¥', '₹', '₽', '₺', '₩', '₦', '₴'];
/// Extensions of files that have a number as a name.
const FILES: [&str; 12] =
    ["gif", "jpeg", "jpg", "json", "m4a", "mp3", "mp4", "ogg", "opus", "pdf", "png", "webp"];
/// The maximum number of bytes before a number to read for words.
const BEFORE: usize = 512;
const WORDS: usize = 40;
/// The maximum number of groups of digits to read.
const GROUPS: usize = 8;

/// Finds the number that starts at a digit.
pub(super) fn digits(text: &str, at: usize) -> Seen {
    let groups = groups(text, at);
    if length(&groups) < 8 {
        return None;
    }
    let start = text.floor_char_boundary(at.saturating_sub(BEFORE));
    let before = text.get(start..at)?;
    let is_called = words(before).take(4).any(|word| CALLS.contains(&word.as_str()));
    let count = if is_called { called(&groups)? } else { alone(&groups, before)? };
    let groups = groups.get(..count)?;
    let end = at + length(groups) + count - 1;
    let after = text.get(end..)?;
    let number = groups.concat();
    let is_one = begins(before, is_called)
        && ends(after)
        && !is_amount(before, after)
        && !is_time(groups, &number, is_called)
        && !number.contains("00000")
        && !number.starts_with("1234567");
    is_one.then_some(("phone-number", at..end, Tier::Possible))
}

/// Returns the groups of digits, separated by single spaces. A word that starts with digits, such as `2nd`,
/// counts only as the first group.
fn groups(text: &str, at: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.get(at..).unwrap_or_default();
    while found.len() < GROUPS {
        let length = rest.bytes().take(17).take_while(u8::is_ascii_digit).count();
        let Some((group, behind)) = rest.split_at_checked(length) else { break };
        if group.is_empty() || !found.is_empty() && !ends(behind) {
            break;
        }
        found.push(group);
        let Some(behind) = behind.strip_prefix(' ') else { break };
        rest = behind;
    }
    found
}

/// Returns the total number of digits of groups.
fn length(groups: &[&str]) -> usize {
    groups.iter().map(|group| group.len()).sum()
}

/// Returns how many groups belong to the number after a word such as `Phone`.
fn called(groups: &[&str]) -> Option<usize> {
    let (mut digits, mut before) = (0, 0);
    let mut count = 0;
    for group in groups {
        // Text after a number, such as a time, is not part of it.
        let continues = digits < 8 || digits < 10 && group.len() > 2 || group.len() == before;
        if !continues || digits + group.len() > 15 {
            break;
        }
        digits += group.len();
        before = group.len();
        count += 1;
    }
    (digits >= 8).then_some(count)
}

/// Returns how many groups form a number without such a word.
fn alone(groups: &[&str], before: &str) -> Option<usize> {
    if groups.first()?.len() >= 10 {
        return groups.first().filter(|group| group.len() <= 15).map(|_| 1);
    }
    // Skip a group of a longer number, or of a row of numbers.
    if before.trim_end_matches(' ').ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    (2..=groups.len().min(5)).rev().find(|count| {
        let (own, others) = groups.split_at(*count);
        let long = own.iter().filter(|group| group.len() >= 4).count();
        let is_row = others.first().is_some_and(|group| group.len() > 2);
        let is_odd = |group: &&str| group.len() > 7 || group.ends_with("000");
        (10..=15).contains(&length(own)) && long >= 2 && !is_row && !own.iter().any(is_odd)
    })
}

/// Returns the last words before a number in lower case, last word first.
fn words(before: &str) -> impl Iterator<Item = String> + '_ {
    let start = before.ceil_char_boundary(before.len().saturating_sub(WORDS));
    let near = before.get(start..).unwrap_or_default();
    let words = near.rsplit(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase)
}

/// Returns whether a number may start after a text; digits of an address, a fraction or a name are
/// excluded.
fn begins(before: &str, is_called: bool) -> bool {
    if words(before).next().is_some_and(|word| THINGS.contains(&word.as_str())) {
        return false;
    }
    let marks = ['(', '[', '{', '"', '\'', '*', '~', '<', '>', '“', '„', '«', '‘', '|', '`'];
    let joined = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let joined = joined.trim_end_matches(marks);
    if joined.is_empty() {
        return true;
    }
    if joined.contains("://") || joined.starts_with("www.") || joined.contains('@') {
        return false;
    }
    let word = joined.trim_end_matches([':', '-', ',', ';', '.']).trim_start_matches(marks);
    let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
    // Several numbers with separators other than a space.
    let is_list = || {
        let is_of_list = |c: char| c.is_ascii_digit() || "+()/,;-".contains(c);
        let last = joined.rsplit(|c: char| !c.is_ascii_digit()).find(|one| !one.is_empty());
        joined.chars().all(is_of_list) && last.is_some_and(|last| last.len() >= 8)
    };
    match joined.chars().next_back() {
        Some(':' | '-' | ',' | ';') if is_word => true,
        Some(':') if joined == ":" => true,
        Some('.') if is_word => is_called,
        Some(c) if is_uncased(c) => true,
        _ => is_list(),
    }
}

/// Returns whether a number may end before a text.
fn ends(after: &str) -> bool {
    let mut rest = after.chars();
    let Some(c) = rest.next() else { return true };
    let behind = rest.as_str();
    let digits = behind.bytes().take(8).take_while(u8::is_ascii_digit).count();
    match c {
        '.' if FILES.iter().any(|ending| behind.starts_with(ending)) => false,
        '.' | ':' | '+' => digits == 0,
        // Another number.
        ',' | '-' | '/' => digits == 0 || digits == 8,
        '_' | '@' | '%' | '=' => false,
        c => !c.is_alphanumeric() || is_uncased(c),
    }
}

/// Returns whether a character belongs to a script that does not separate words from numbers with spaces.
fn is_uncased(c: char) -> bool {
    c.is_alphabetic() && !c.is_ascii() && !c.is_lowercase() && !c.is_uppercase()
}

/// Returns whether a number is an amount of money.
fn is_amount(before: &str, after: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let after = after.strip_prefix(' ').unwrap_or(after);
    let is_money = |word: String| MONEY.contains(&word.as_str());
    let next = after.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    before.ends_with(CURRENCIES)
        || after.starts_with(CURRENCIES)
        || words(before).next().is_some_and(is_money)
        || next.len() < 10 && is_money(next.to_lowercase())
}

/// Returns whether digits are a date, a timestamp, or years.
fn is_time(groups: &[&str], number: &str, is_called: bool) -> bool {
    let part = |at: usize, len: usize| -> Option<u32> { number.get(at..at + len)?.parse().ok() };
    let is_day = |year: usize, month: usize, day: usize| {
        part(year, 4).is_some_and(|year| (1900..2100).contains(&year))
            && part(month, 2).is_some_and(|month| (1..=12).contains(&month))
            && part(day, 2).is_some_and(|day| (1..=31).contains(&day))
    };
    let is_hour = || part(8, 2).is_some_and(|hour| hour < 24);
    let is_year = |group: &&str| {
        group.len() == 4 && ["19", "20"].iter().any(|century| group.starts_with(century))
    };
    match number.len() {
        _ if groups.len() > 1 && groups.iter().all(is_year) => true,
        8 => is_day(0, 4, 6) || is_day(4, 2, 0),
        10 if number.starts_with('1') => true,
        10 => !is_called && is_day(0, 4, 6) && is_hour(),
        12 | 14 => is_day(0, 4, 6) && is_hour(),
        13 => number.starts_with('1'),
        _ => false,
    }
}
