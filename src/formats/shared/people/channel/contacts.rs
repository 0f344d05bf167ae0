//! People of whom only a phone number or an e-mail address is known. Pages never show those.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use convo_base::text::is_direction_mark;

/// The minimum number of digits of a phone number.
const MIN_DIGITS: usize = 7;

/// Characters between the digits of a number.
const SEPARATORS: [char; 9] = ['-', '.', '(', ')', '/', ' ', '\u{a0}', '\u{202f}', '\u{2011}'];

/// Direction marks that end what an earlier one began, such as a number.
pub(crate) const CLOSING_MARKS: [char; 2] = ['\u{202c}', '\u{2069}'];

/// Replacement names for contacts, such as `Person 1`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    known: HashMap<String, usize>,
    /// The names of people who are mentioned in texts.
    pub(super) mentioned: BTreeSet<String>,
}

/// The maximum length of a number in bytes, including separators.
const MAX_NUMBER: usize = 128;

impl Contacts {
    /// Returns a name, or its replacement if it is a number or an address.
    pub(crate) fn name<'a>(&mut self, name: &'a str) -> Cow<'a, str> {
        let name = name.trim();
        match is_contact(name) {
            true => Cow::Owned(self.number(name)),
            false => Cow::Borrowed(name),
        }
    }

    /// Records that a text names a person, so that pseudonyms apply there too.
    pub(crate) fn mention(&mut self, name: &str) {
        let name = name.trim().trim_start_matches('@');
        if !name.is_empty() && !is_contact(name) {
            self.mentioned.insert(name.to_owned());
        }
    }

    /// Returns the title of a chat, which may consist of names, with the numbers and addresses in it replaced. Dates
    /// stay.
    pub(crate) fn title(&mut self, title: &str) -> String {
        let mut names = Vec::new();
        for name in title.split(',').map(str::trim) {
            if is_contact(name) && !is_date(name) {
                names.push(self.number(name));
                continue;
            }
            let words = name.split(' ').map(|word| match word.contains('@') && is_contact(word) {
                true => self.number(word),
                false => word.to_owned(),
            });
            let name = words.collect::<Vec<_>>().join(" ");
            names.push(self.without_numbers(&name));
        }
        let are_same = title.split(',').map(str::trim).eq(names.iter().map(String::as_str));
        if are_same { title.trim().to_owned() } else { names.join(", ") }
    }

    /// Returns a text with every phone number that begins with a `+` replaced.
    pub(crate) fn without_numbers(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('+') {
            let (before, behind) = rest.split_at(at);
            out.push_str(before);
            let number = leading_number(behind);
            if is_contact(number) {
                out.push_str(&self.number(number));
                rest = &behind[number.len()..];
            } else {
                out.push('+');
                rest = &behind[1..];
            }
        }
        out.push_str(rest);
        out
    }

    /// Returns the replacement for a number, an address, or the id of a person without a name.
    pub(crate) fn number(&mut self, contact: &str) -> String {
        let digits = || contact.chars().filter(char::is_ascii_digit).collect();
        // Addresses and internal ids.
        let has_letters = contact.contains(|c: char| c == '@' || c.is_alphabetic());
        let key = if has_letters { contact.to_lowercase() } else { digits() };
        let next = self.known.len() + 1;
        format!("Person {}", self.known.entry(key).or_insert(next))
    }
}

/// Returns the digits at the start of a text, up to the last one of what may be a phone number.
fn leading_number(text: &str) -> &str {
    let is_part =
        |c: char| c.is_ascii_digit() || is_between_digits(c) && !CLOSING_MARKS.contains(&c);
    let near = &text[..text.floor_char_boundary(MAX_NUMBER)];
    let end = near.find(|c| !is_part(c)).unwrap_or(near.len());
    near[..end].trim_end_matches(|c: char| !c.is_ascii_digit())
}

/// Returns whether a character may stand before or between the digits of a number.
fn is_between_digits(c: char) -> bool {
    matches!(c, '+' | '\u{2060}') || SEPARATORS.contains(&c) || is_direction_mark(c)
}

/// Returns whether digits are a date, such as `04.03.2024`, or a range of years.
fn is_date(digits: &str) -> bool {
    let parts: Vec<&str> = digits.split(['.', '-', '/']).map(str::trim).collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_year =
        |part: &str| part.len() == 4 && (part.starts_with("19") || part.starts_with("20"));
    parts.iter().all(is_number)
        && match parts[..] {
            [first, last] => is_year(first) && is_year(last),
            [first, second, last] => {
                second.len() <= 2
                    && (is_year(first) && last.len() <= 2 || first.len() <= 2 && is_year(last))
            }
            _ => false,
        }
}

/// Returns whether a name is a phone number or an e-mail address.
pub(crate) fn is_contact(name: &str) -> bool {
    let name = name.trim();
    let (mut digits, mut others) = (0, 0);
    for c in name.chars() {
        match c {
            '0'..='9' => digits += 1,
            c if is_between_digits(c) => {}
            _ => others += 1,
        }
    }
    let is_address = |(local, host): (&str, &str)| {
        !local.is_empty() && host.contains('.') && !name.contains(char::is_whitespace)
    };
    digits >= MIN_DIGITS && others == 0 || name.split_once('@').is_some_and(is_address)
}

#[cfg(test)]
mod tests {
    use super::{Contacts, is_contact};

    #[test]
    fn numbers_and_addresses_are_contacts() {
        for contact in [
            "+49 170 0000000",
            "(555) 010-0199",
            "\u{202a}+44\u{a0}20\u{a0}79460000\u{202c}",
            "\u{2066}+972 50\u{2011}000\u{2011}0000\u{2069}",
            "\u{200f}+972 50 000 0000",
            "ada@example.org",
        ] {
            assert!(is_contact(contact), "{contact}");
        }
        for name in ["Ada", "Agent 007", "R2-D2", "@ada", "2026", "Ada @ the mill"] {
            assert!(!is_contact(name), "{name}");
        }
    }

    #[test]
    fn numbers_in_titles_are_replaced() {
        for (title, shown) in [
            ("Ada", "Ada"),
            ("Bread,salt", "Bread,salt"),
            ("2024, again", "2024, again"),
            ("Wedding, 04.03.2024", "Wedding, 04.03.2024"),
            ("Choir, 2019-2023", "Choir, 2019-2023"),
            ("ada@example.org and Bo", "Person 1 and Bo"),
            ("+49 170 0000000", "Person 1"),
            ("Ada, +49 170 0000000", "Ada, Person 1"),
            ("0170 0000000,Ada", "Person 1, Ada"),
            ("Mill (+1 (555) 010\u{2011}0199)", "Mill (Person 1)"),
        ] {
            assert_eq!(Contacts::default().title(title), shown, "{title}");
        }
    }

    #[test]
    fn one_number_is_one_person_in_any_spelling() {
        let mut contacts = Contacts::default();
        assert_eq!(contacts.name("+49 170 0000000"), "Person 1");
        assert_eq!(contacts.name("+49 170 0000001"), "Person 2");
        assert_eq!(contacts.name("+491700000000"), "Person 1");
        assert_eq!(contacts.name("Ada"), "Ada");
    }
}
