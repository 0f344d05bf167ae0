//! A line of a log: a time, and what somebody said or did then.

/// Year, where it is there, month and day.
pub(super) type Date = (Option<i16>, i8, i8);

/// A line with a time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The day, where it stands there.
    pub(super) date: Option<Date>,
    /// Hour, minute and second.
    pub(super) clock: (i8, i8, i8),
    pub(super) what: What<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum What<'a> {
    Said {
        nick: &'a str,
        text: &'a str,
    },
    /// `* ada waves`.
    Did {
        nick: &'a str,
        text: &'a str,
    },
    Notice {
        nick: &'a str,
        text: &'a str,
    },
    /// What the program wrote itself.
    Event(&'a str),
    /// What may be that as well.
    Unknown(&'a str),
}

impl<'a> Line<'a> {
    /// Returns who says or does something in it.
    pub(super) fn speaker(&self) -> Option<&'a str> {
        match self.what {
            What::Said { nick, .. } | What::Did { nick, .. } => Some(nick),
            What::Notice { nick, .. } if !is_service(nick) => Some(nick),
            _ => None,
        }
    }
}

/// Reads a line; `None` for one that does not begin with a time.
pub(super) fn line(row: &str) -> Option<Line<'_>> {
    let (is_bracketed, rest) = match row.strip_prefix('[') {
        Some(rest) => (true, rest),
        None => (false, row),
    };
    let (date, rest) = match date(rest) {
        Some((date, rest)) => (Some(date), rest),
        None => (None, rest),
    };
    let (clock, rest) = clock(rest)?;
    let rest = if is_bracketed { rest.strip_prefix(']')? } else { rest };
    if let Some(rest) = rest.strip_prefix('\t') {
        // WeeChat has two tabs.
        let (prefix, text) = rest.split_once('\t')?;
        return Some(Line { date, clock, what: in_columns(prefix, text) });
    }
    let rest = rest.strip_prefix(' ')?;
    Some(Line { date, clock, what: what(rest) })
}

/// Returns what stands in the second and third column.
fn in_columns<'a>(prefix: &'a str, text: &'a str) -> What<'a> {
    let notice = text.strip_prefix("Notice(").and_then(|rest| rest.split_once("): "));
    match (prefix.trim(), notice) {
        ("--", Some((nick, text))) if is_nick(nick) => {
            What::Notice { nick: without_mode(nick), text }
        }
        ("" | "-->" | "<--" | "--" | "=!=", _) => What::Event(text),
        ("*", _) => match text.split_once(' ') {
            Some((nick, text)) => What::Did { nick: without_mode(nick), text },
            None => What::Did { nick: without_mode(text), text: "" },
        },
        (nick, _) if is_nick(nick) => What::Said { nick: without_mode(nick), text },
        _ => What::Unknown(text),
    }
}

/// Returns what stands behind the time.
fn what(rest: &str) -> What<'_> {
    // Bots write two spaces behind the time.
    let rest = rest.trim_start_matches(' ');
    if let Some(text) = rest.strip_prefix("***").or_else(|| rest.strip_prefix("-!-")) {
        return What::Event(text.trim());
    }
    let said = rest.strip_prefix('<').and_then(|inside| inside.split_once('>'));
    if let Some((nick, text)) = said.filter(|(nick, _)| is_nick(nick.trim())) {
        let text = text.strip_prefix([' ', '\t']).unwrap_or(text);
        return What::Said { nick: without_mode(nick.trim()), text };
    }
    // HexChat has a tab behind the one of whom a notice is.
    let notice = rest.strip_prefix('-').and_then(|inside| inside.split_once("-\t"));
    if let Some((nick, text)) = notice.filter(|(nick, _)| is_nick(nick)) {
        return What::Notice { nick: without_mode(nick), text };
    }
    // HexChat writes what happened, and what somebody does, behind a star and a tab.
    if let Some(text) = rest.strip_prefix("*\t") {
        return match is_happening(text) {
            true => What::Event(text),
            false => did(text),
        };
    }
    if let Some(text) = rest.strip_prefix("* ") {
        return did(text);
    }
    let notice = rest.strip_prefix('-').and_then(|inside| inside.split_once("- "));
    if let Some((from, text)) = notice {
        let nick =
            from.split('(').next().unwrap_or(from).split(':').next().unwrap_or(from);
        if is_nick(nick) {
            return What::Notice { nick: without_mode(nick), text };
        }
    }
    if let Some(text) = rest.strip_prefix("Action: ") {
        return did(text);
    }
    What::Unknown(rest)
}

fn did(text: &str) -> What<'_> {
    let text = text.trim_start();
    let (nick, text) = text.split_once(' ').unwrap_or((text, ""));
    match is_nick(nick) {
        true => What::Did { nick: without_mode(nick), text },
        false => What::Unknown(text),
    }
}

/// Whether a line behind a star tells what happened.
fn is_happening(text: &str) -> bool {
    let words = [
        " has joined",
        " has left",
        " has quit",
        " is now known as ",
        " sets mode",
        " gives channel operator",
        " has changed the topic",
        "Topic for ",
        "Now talking on ",
        " has kicked ",
    ];
    words.iter().any(|words| text.contains(words))
}

/// Returns whether a word may be the name of somebody.
fn is_nick(word: &str) -> bool {
    let bare = without_mode(word);
    !bare.is_empty()
        && bare.chars().count() <= 40
        && !bare.contains(|c: char| c.is_whitespace() || "<>:,".contains(c))
}

/// Returns a name without the mark of an operator.
fn without_mode(nick: &str) -> &str {
    nick.trim_start_matches(['@', '+', '%', '&', '~', '!'])
}

/// Whether a name is that of a program of the network, which tells people about their accounts.
pub(super) fn is_service(nick: &str) -> bool {
    nick.ends_with("Serv") || nick.starts_with('*') || nick.contains('.')
}

/// Returns a text without the codes for colours and their like.
pub(super) fn bare(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{3}' => {
                let mut number = |most: usize| {
                    let mut count = 0;
                    while count < most && rest.next_if(char::is_ascii_digit).is_some() {
                        count += 1;
                    }
                    count
                };
                if number(2) > 0 && rest.next_if_eq(&',').is_some() {
                    let mut count = 0;
                    while count < 2 && rest.next_if(char::is_ascii_digit).is_some() {
                        count += 1;
                    }
                }
            }
            c if c.is_control() && c != '\t' => {}
            c => out.push(c),
        }
    }
    out
}

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Returns the month of an English name, from 1.
pub(super) fn month(word: &str) -> Option<i8> {
    let start = word.get(..3)?.to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| *month == start)?;
    i8::try_from(at + 1).ok()
}

/// Reads `2026-03-01 ` or `Mar 01 `, with the rest.
fn date(text: &str) -> Option<(Date, &str)> {
    if let Some((year, rest)) = number::<i16>(text, 4) {
        let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
        let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
        return Some(((Some(year), month, day), rest.strip_prefix([' ', 'T'])?));
    }
    let (word, rest) = text.split_once(' ')?;
    let month = month(word).filter(|_| word.len() == 3)?;
    let (day, rest) = rest.trim_start().split_once(' ')?;
    Some(((None, month, day.parse().ok()?), rest))
}

/// Reads `10:00`, `10:00:05` or `10:00:05.123Z`, with the rest.
fn clock(text: &str) -> Option<((i8, i8, i8), &str)> {
    let (hour, rest) = number::<i8>(text, 2)?;
    let (minute, rest) = number::<i8>(rest.strip_prefix(':')?, 2)?;
    let seconds = rest.strip_prefix(':').and_then(|rest| number::<i8>(rest, 2));
    let (second, mut rest) = seconds.unwrap_or((0, rest));
    if let Some(fraction) = rest.strip_prefix('.').filter(|_| seconds.is_some()) {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    rest = rest.strip_prefix('Z').unwrap_or(rest);
    (hour < 24 && minute < 60 && second < 60).then_some(((hour, minute, second), rest))
}

/// Reads a number of so many digits.
fn number<T: std::str::FromStr>(text: &str, digits: usize) -> Option<(T, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((number.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::{What, bare, line};

    #[test]
    fn every_program_has_its_lines() {
        let said = |nick, text| Some(What::Said { nick, text });
        let did = |nick, text| Some(What::Did { nick, text });
        for (row, what) in [
            ("2026-03-01 10:00:05\t@ada\thello", said("ada", "hello")),
            ("2026-03-01 10:00:09\t *\tada waves", did("ada", "waves")),
            (
                "2026-03-01 10:00:09\t-->\tada (a@b) has joined #x",
                Some(What::Event("ada (a@b) has joined #x")),
            ),
            ("10:00 <@ada> hello", said("ada", "hello")),
            ("10:00 < bob> hi", said("bob", "hi")),
            ("10:01  * ada waves", did("ada", "waves")),
            ("2026-03-01T10:00:05  <ada> hello", said("ada", "hello")),
            ("2026-03-01T10:00:05  * ada waves", did("ada", "waves")),
            (
                "2026-03-01T10:00:05  *** ada has joined #x",
                Some(What::Event("ada has joined #x")),
            ),
            (
                "10:01 -ada(~ada@example.org)- a notice",
                Some(What::Notice { nick: "ada", text: "a notice" }),
            ),
            ("10:00 -!- ada is here", Some(What::Event("ada is here"))),
            ("[10:00:05] <ada> a > b", said("ada", "a > b")),
            ("[10:00:05] *** Joins: ada (a@b)", Some(What::Event("Joins: ada (a@b)"))),
            ("[2026-03-01T10:00:05.123Z] <ada> hi", said("ada", "hi")),
            ("Mar 01 10:00:05 <ada>\thello", said("ada", "hello")),
            (
                "Mar 01 10:00:05 *\tada has joined (a@b)",
                Some(What::Event("ada has joined (a@b)")),
            ),
            ("10:00", None),
            ("25:00 <ada> hi", None),
            ("hello", None),
        ] {
            assert_eq!(line(row).map(|line| line.what), what, "{row}");
        }
        assert!(matches!(
            line("10:00 Ada: hi").map(|line| line.what),
            Some(What::Unknown(_))
        ));
    }

    #[test]
    fn codes_for_colours_are_gone() {
        assert_eq!(bare("\u{2}a\u{f} \u{3}4,12b\u{3} 4\u{1d}"), "a b 4");
    }
}
