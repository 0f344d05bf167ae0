//! A line of a log: a time, and what was said or done then.

use super::event;
use super::nicks::{begins_with_host, is_channel, is_nick, is_service, without_mode};
use crate::shared::text::dates::english_month;

/// Year (if present), month and day.
pub(super) type Date = (Option<i16>, i8, i8);

/// A line with a time.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The date, if the line has one.
    pub(super) date: Option<Date>,
    /// Hour, minute and second.
    pub(super) clock: [u16; 3],
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
        /// The channel that the line names.
        channel: Option<&'a str>,
        text: &'a str,
    },
    /// What HexChat writes for actions and for unknown events: an action only if the nick is known
    /// from other lines.
    MayDo {
        nick: &'a str,
        text: &'a str,
    },
    /// A message to or from a single person or service, or to the operators, which was not visible
    /// to the whole channel.
    Private,
    /// An event that the client wrote, after a mark that only events have.
    Event(&'a str),
    /// An event after a mark that other lines have too, such as the star of actions.
    Shared(&'a str),
    /// A line in the form of an event, after a mark that few programs write or after none.
    Likely(&'a str),
    /// Any other line.
    Unknown,
}

impl<'a> Line<'a> {
    /// Returns the nick that says or does something on the line.
    pub(super) fn speaker(&self) -> Option<&'a str> {
        match self.what {
            What::Said { nick, .. } | What::Did { nick, .. } => Some(nick),
            What::Notice { nick, .. } if !is_service(nick) => Some(nick),
            _ => None,
        }
    }
}

/// Parses a line; `None` if it does not begin with a time.
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
        // WeeChat uses two tabs.
        let (prefix, text) = rest.split_once('\t')?;
        return Some(Line { date, clock, what: in_columns(prefix, text) });
    }
    let rest = rest.strip_prefix(' ')?;
    Some(Line { date, clock, what: what(rest) })
}

/// Parses the second and third column.
fn in_columns<'a>(prefix: &'a str, text: &'a str) -> What<'a> {
    let notice = text.strip_prefix("Notice(").and_then(|rest| rest.split_once("): "));
    match (prefix.trim(), notice) {
        ("--", Some((nick, text))) if is_nick(nick) => {
            What::Notice { nick: without_mode(nick), channel: None, text }
        }
        ("--", _) if text.starts_with("MSG(") || text.starts_with("CTCP ") => What::Private,
        ("-->" | "<--", _) => What::Event(text),
        ("--" | "=!=", _) => What::Shared(text),
        ("*", _) => did(text),
        (nick, _) if is_nick(nick) => What::Said { nick: without_mode(nick), text },
        _ => What::Unknown,
    }
}

/// Parses the text after the time.
fn what(rest: &str) -> What<'_> {
    // Bots write two spaces after the time.
    let rest = rest.trim_start_matches(' ');
    if let Some(text) = rest.strip_prefix("***").or_else(|| rest.strip_prefix("-!-")) {
        return What::Event(text.trim());
    }
    // XChat writes events after arrows.
    let arrows = ["---\t", "-->\t", "<--\t"];
    if let Some(text) = arrows.iter().find_map(|arrow| rest.strip_prefix(arrow)) {
        return What::Event(text.trim());
    }
    let parts = rest.strip_prefix('<').and_then(|inside| inside.split_once('>'));
    if let Some((nick, text)) = parts.filter(|(nick, _)| is_nick(nick.trim())) {
        let text = text.strip_prefix([' ', '\t']).unwrap_or(text);
        return What::Said { nick: without_mode(nick.trim()), text };
    }
    if is_private(rest) {
        return What::Private;
    }
    // HexChat writes events and actions after a star and a tab.
    if let Some(text) = rest.strip_prefix("*\t") {
        return match (is_event_text(text), did(text)) {
            (true, _) => What::Shared(text),
            (false, What::Did { nick, text }) => What::MayDo { nick, text },
            (false, other) => other,
        };
    }
    if let Some(text) = rest.strip_prefix("* ").or_else(|| rest.strip_prefix("• ")) {
        return match is_mirc_event(text) {
            true => What::Shared(text),
            false => did(text),
        };
    }
    if let Some(notice) = notice(rest) {
        return notice;
    }
    if let Some(text) = rest.strip_prefix("Action: ") {
        return did(text);
    }
    match event::untimed(rest) {
        Some(text) => What::Likely(text),
        None if event::is_unmarked(rest) => What::Likely(rest),
        None => What::Unknown,
    }
}

/// Parses `-ada- …`, `-ada:#mill- …` and `-ada/#mill- …`.
fn notice(rest: &str) -> Option<What<'_>> {
    let inside = rest.strip_prefix('-')?;
    let end = [inside.find("- "), inside.find("-\t")].into_iter().flatten().min()?;
    let (from, text) = (&inside[..end], &inside[end + 2..]);
    // Some clients write the target after the nick, and irssi the host of a service.
    let (nick, target) = match from.split_once([':', '/']) {
        Some((nick, target)) => (nick, Some(target).filter(|_| !nick.contains('('))),
        None => (from, None),
    };
    if !is_nick(nick) {
        return None;
    }
    let nick = without_mode(nick);
    Some(match target {
        Some(target) if !is_service(nick) && !is_channel(target) => What::Private,
        channel => What::Notice { nick, channel, text },
    })
}

/// Returns whether a line is a message, notice or request to or from a single person or service:
///
/// ```text
/// >nick<→ …    ->nick<-→ …    *nick*→ …    -nick-→ …          HexChat
/// [msg(nick)] …    [nick(user@host)] …    -nick(user@host)- …    irssi
/// -> *nick* …    -> -nick- …    *nick* …                          mIRC
/// ```
fn is_private(rest: &str) -> bool {
    let (head, _) = rest.split_once(['\t', ' ']).unwrap_or((rest, ""));
    let inside = |start: &str, end: &str| {
        let inside = head.strip_prefix(start).and_then(|head| head.strip_suffix(end));
        inside.is_some_and(|nick| !nick.is_empty())
    };
    let is_service = || is_service(head.trim_matches('-'));
    let is_own_notice = || {
        let is_public = head.contains('/') || !rest[head.len()..].starts_with('\t');
        inside("-", "-") && !is_public || inside("-", ")-")
    };
    rest.starts_with("-> ")
        || rest.starts_with("(*) ")
        || inside(">", "<")
        || inside("->", "<-")
        || head != "***" && inside("*", "*")
        || head.contains('(') && inside("[", ")]")
        || is_own_notice() && !is_service()
}

fn did(text: &str) -> What<'_> {
    let text = text.trim_start();
    let (nick, text) = text.split_once(' ').unwrap_or((text, ""));
    // Programs write a host after a nick, people do not.
    match is_nick(nick) && !nick.contains(['@', '!', '(']) && !begins_with_host(text) {
        true => What::Did { nick: without_mode(nick), text },
        false => What::Unknown,
    }
}

/// Returns whether the text that HexChat writes after a star is an event.
fn is_event_text(text: &str) -> bool {
    let words = [
        " has joined", " has left", " has quit", " is now known as ", " sets mode",
        " sets ban on ", " removes ban on ", " sets exempt on ", " removes exempt on ",
        " sets invite exempt on ", " removes invite exempt on ", " sets channel ",
        " removes channel ", " removes user limit", " removes voice from ", " gives voice to ",
        " gives channel ", " has changed the topic", "Topic for ", "Now talking on ",
        " has kicked ",
    ];
    words.iter().any(|words| text.contains(words))
}

/// Returns whether the text that mIRC writes after a star is an event; other clients write only
/// actions there.
fn is_mirc_event(text: &str) -> bool {
    let starts = [
        "Joins: ", "Parts: ", "Quits: ", "Now talking in ", "Topic is ", "Set by ", "Disconnected",
        "Rejoined ", "Attempting to ", "Retrieving ", "You ",
    ];
    let words = [
        ") has joined", ") has left", ") has quit", ") Quit", " has joined #", " has left #",
        " has quit IRC", " is now known as ", " sets mode: ", " was kicked by ",
        " changes topic to '",
    ];
    starts.iter().any(|start| text.starts_with(start))
        || words.iter().any(|words| text.contains(words))
}

/// Returns a text without colour and formatting codes.
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

/// Reads `2026-03-01 ` or `Mar 01 `, and returns the rest.
fn date(text: &str) -> Option<(Date, &str)> {
    if let Some((year, rest)) = number::<i16>(text, 4) {
        let (month, rest) = number(rest.strip_prefix('-')?, 2)?;
        let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
        return Some(((Some(year), month, day), rest.strip_prefix([' ', 'T'])?));
    }
    let (word, rest) = text.split_once(' ')?;
    let month = english_month(word).filter(|_| word.len() == 3)? as i8;
    let (day, rest) = rest.trim_start().split_once(' ')?;
    Some(((None, month, day.parse().ok()?), rest))
}

/// Reads `10:00`, `10:00:05` or `10:00:05.123Z`, and returns the rest.
fn clock(text: &str) -> Option<([u16; 3], &str)> {
    let (hour, rest) = number::<u16>(text, 2)?;
    let (minute, rest) = number::<u16>(rest.strip_prefix(':')?, 2)?;
    let seconds = rest.strip_prefix(':').and_then(|rest| number::<u16>(rest, 2));
    let (second, mut rest) = seconds.unwrap_or((0, rest));
    if let Some(fraction) = rest.strip_prefix('.').filter(|_| seconds.is_some()) {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    rest = rest.strip_prefix('Z').unwrap_or_else(|| without_offset(rest));
    (hour < 24 && minute < 60 && second < 60).then_some(([hour, minute, second], rest))
}

/// Returns the text after the zone offset that Textual writes after each time: `+0100`.
fn without_offset(text: &str) -> &str {
    let offset = text.strip_prefix(' ').unwrap_or(text).strip_prefix(['+', '-']);
    let rest = offset.and_then(|digits| number::<i16>(digits, 4));
    match rest.filter(|(_, rest)| rest.starts_with(']')) {
        Some((_, rest)) => rest,
        None => text,
    }
}

/// Reads a number of a given number of digits.
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
        let message = |nick, text| Some(What::Said { nick, text });
        let did = |nick, text| Some(What::Did { nick, text });
        let notice = |nick, channel| Some(What::Notice { nick, channel, text: "a notice" });
        for (row, what) in [
            ("2026-03-01 10:00:05\t@ada\thello", message("ada", "hello")),
            ("2026-03-01 10:00:09\t *\tada waves", did("ada", "waves")),
            (
                "2026-03-01 10:00:09\t-->\tada (a@b) has joined #x",
                Some(What::Event("ada (a@b) has joined #x")),
            ),
            ("10:00 <@ada> hello", message("ada", "hello")),
            ("10:00 < bob> hi", message("bob", "hi")),
            ("10:01  * ada waves", did("ada", "waves")),
            ("2026-03-01T10:00:05  <ada> hello", message("ada", "hello")),
            ("2026-03-01T10:00:05  * ada waves", did("ada", "waves")),
            ("2026-03-01T10:00:05  *** ada has joined #x", Some(What::Event("ada has joined #x"))),
            ("10:01 -ada:#mill- a notice", notice("ada", Some("#mill"))),
            ("10:01 -ada- a notice", notice("ada", None)),
            ("10:01 -ada/#mill-\ta notice", notice("ada", Some("#mill"))),
            ("10:01 -nickserv- a notice", notice("nickserv", None)),
            (
                "10:01 -NickServ(NickServ@services)- a notice",
                notice("NickServ(NickServ@services)", None),
            ),
            ("2026-03-01 10:00:09\t--\tNotice(nickserv): a notice", notice("nickserv", None)),
            ("10:02 --- unknown", Some(What::Likely("unknown"))),
            ("10:02 => ada is now called adah", Some(What::Likely("ada is now called adah"))),
            ("10:02 ada (a@b) joined #mill.", Some(What::Likely("ada (a@b) joined #mill."))),
            ("10:02 Somebody joined us", Some(What::Unknown)),
            ("10:02 Ada: she changes topic to X", Some(What::Unknown)),
            ("10:02 *\twren (~w@home) waves", Some(What::Unknown)),
            ("10:02 * wren (~w@home), who waves", Some(What::Unknown)),
            ("10:02 * wren!~w@home waves", Some(What::Unknown)),
            ("[2026-03-01T10:00:05+0100] <ada> hi", message("ada", "hi")),
            ("[2026-03-01 10:00:05 -0500] • ada waves", did("ada", "waves")),
            ("10:00 -!- ada is here", Some(What::Event("ada is here"))),
            ("[10:00:05] <ada> a > b", message("ada", "a > b")),
            ("[10:00:05] *** Joins: ada (a@b)", Some(What::Event("Joins: ada (a@b)"))),
            ("[2026-03-01T10:00:05.123Z] <ada> hi", message("ada", "hi")),
            ("Mar 01 10:00:05 <ada>\thello", message("ada", "hello")),
            ("Mar 01 10:00:05 *\tada has joined (a@b)", Some(What::Shared("ada has joined (a@b)"))),
            (
                "Mar 01 10:00:05 <--\tada (a@b) has quit (bye)",
                Some(What::Event("ada (a@b) has quit (bye)")),
            ),
            ("10:00", None),
            ("25:00 <ada> hi", None),
            ("hello", None),
        ] {
            assert_eq!(line(row).map(|line| line.what), what, "{row}");
        }
        assert_eq!(line("10:00 Ada: hi").map(|line| line.what), Some(What::Unknown));
    }

    #[test]
    fn every_program_has_its_private_messages() {
        for row in [
            "Mar 01 10:00:05 >NickServ<\tIDENTIFY",
            "Mar 01 10:00:05 >ada<\thello",
            "Mar 01 10:00:05 ->ada<-\thello",
            "Mar 01 10:00:05 *ada*\thello",
            "Mar 01 10:00:05 -ada-\thello",
            "10:01 [msg(ada)] hello",
            "10:01 [notice(ada)] hello",
            "10:01 [ctcp(ada)] VERSION",
            "10:01 [ada(~ada@mill.example)] hello",
            "10:01 -ada(~ada@mill.example)- hello",
            "10:01 (*) ada waves",
            "[10:01] -> *NickServ* identify",
            "[10:01] -> -ada- hello",
            "[10:01] *ada* hello",
            "2026-03-01 10:00:05\t--\tMSG(NickServ): identify",
            "10:03 -ada:@#mill- ops only",
            "10:03 -ada:+#mill- voices only",
            "10:03 -ada:&#mill- admins only",
            "10:03 -ada/@#mill-\tops only",
            "10:03 -ada:bob- hello",
        ] {
            let what = line(row).map(|line| line.what);
            assert_eq!(what, Some(What::Private), "{row}");
        }
    }

    #[test]
    fn codes_for_colours_are_removed() {
        assert_eq!(bare("\u{2}a\u{f} \u{3}4,12b\u{3} 4\u{1d}"), "a b 4");
    }
}
