//! Events that an IRC client writes itself: joins and parts, topics, modes.

/// An event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Event<'a> {
    Joined {
        nick: &'a str,
        channel: Option<&'a str>,
    },
    Left {
        nick: &'a str,
    },
    Renamed {
        from: &'a str,
        to: &'a str,
    },
    Kicked {
        nick: &'a str,
        by: &'a str,
    },
    Topic {
        nick: Option<&'a str>,
        channel: Option<&'a str>,
        topic: &'a str,
    },
    /// An event of no interest to readers, such as a mode change.
    Aside,
    /// An unknown event.
    Other,
}

impl<'a> Event<'a> {
    /// Returns the nicks in the event.
    pub(super) fn nicks(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let both = match *self {
            Self::Joined { nick, .. } | Self::Left { nick } => [Some(nick), None],
            Self::Renamed { from, to } => [Some(from), Some(to)],
            Self::Kicked { nick, by } => [Some(nick), Some(by)],
            Self::Topic { nick, .. } => [nick, None],
            Self::Aside | Self::Other => [None, None],
        };
        both.into_iter().flatten()
    }
}

/// How events of no interest to readers begin.
const ASIDES: [&str; 13] = [
    "mode/", "ServerMode/", "Mode ", "Irssi: ", "Channel #", "Topic set by ", "Set by ",
    "Now talking ", "Home page for ", "URL for ", "You're now ", "You are now ", "Netsplit ",
];

/// The marks in front of an event.
const MARKS: [&str; 6] = ["=== ", "==> ", "=> ", "-!- ", "*** ", "--- "];

/// Returns the text after the mark of an event line without a time.
pub(super) fn untimed(row: &str) -> Option<&str> {
    MARKS.iter().find_map(|mark| row.strip_prefix(mark)).map(str::trim)
}

/// The text between the old and the new nick of a rename.
const RENAMES: [&str; 6] = [
    " is now known as ", " is now called ", " is known as ", " changed nick to ",
    " changes nick to ", " changed their nick to ",
];

fn renamed<'a>(text: &'a str) -> Option<Event<'a>> {
    let change = text.strip_prefix("Nick change: ").and_then(|rest| rest.split_once(" -> "));
    let change = change.or_else(|| RENAMES.iter().find_map(|words| text.split_once(words)));
    let (from, to) = change?;
    // A host may follow a nick.
    let of = |text: &'a str| {
        let (nick, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let rest = rest.trim();
        let is_host = rest.is_empty() || rest == "has" || rest.starts_with(['[', '(']);
        (is_host && !nick.is_empty()).then_some(nick)
    };
    Some(Event::Renamed { from: of(from)?, to: of(to)?.trim_end_matches('.') })
}

/// Parses an event.
pub(super) fn event(text: &str) -> Event<'_> {
    let text = text.trim();
    let text = untimed(text).unwrap_or(text);
    for (start, is_join) in [("Joins: ", true), ("Parts: ", false), ("Quits: ", false)] {
        let nick = text.strip_prefix(start).and_then(|rest| rest.split_whitespace().next());
        if let Some(nick) = nick {
            return if is_join {
                Event::Joined { nick, channel: None }
            } else {
                Event::Left { nick }
            };
        }
    }
    let is_aside = ASIDES.iter().any(|start| text.starts_with(start));
    if is_aside || text.contains(" sets mode") || text.contains(": mode change ") {
        return Event::Aside;
    }
    if let Some(found) = renamed(text) {
        return found;
    }
    if let Some(found) = topic(text).or_else(|| kick(text)) {
        return found;
    }
    let Some((nick, rest)) = text.split_once(' ') else { return Event::Other };
    let rest = without_host(rest);
    let rest = rest.strip_prefix("has ").unwrap_or(rest);
    match rest.split([' ', ':', '.']).next() {
        Some("joined") => Event::Joined { nick, channel: channel(rest) },
        Some("left" | "quit" | "Quit" | "parted") => Event::Left { nick },
        _ => Event::Other,
    }
}

fn topic(text: &str) -> Option<Event<'_>> {
    if let Some(rest) = text.strip_prefix("Topic for ") {
        let (name, rest) = rest.split_once(' ')?;
        let rest = rest.trim_start();
        if rest.starts_with("set by ") || rest.starts_with("was set by ") {
            return Some(Event::Aside);
        }
        let topic = rest.strip_prefix("is").unwrap_or(rest).trim_start_matches([':', ' ']);
        return Some(Event::Topic { nick: None, channel: channel(name), topic: unquoted(topic) });
    }
    if let Some(topic) = text.strip_prefix("Topic is ") {
        return Some(Event::Topic { nick: None, channel: None, topic: unquoted(topic) });
    }
    let marks = [" changed the topic", " changes topic to ", " changed topic for "];
    let (nick, rest) = marks.iter().find_map(|mark| text.split_once(mark))?;
    let nick = nick.strip_suffix(" has").unwrap_or(nick);
    let nick = nick.split(' ').next();
    let new = [" to: ", "to: ", " to \""].iter().find_map(|to| rest.rsplit_once(to));
    let topic = new.map_or(rest, |(_, topic)| topic);
    Some(Event::Topic { nick, channel: channel(rest), topic: unquoted(topic) })
}

fn unquoted(topic: &str) -> &str {
    topic.trim().trim_matches(['"', '\''])
}

fn kick(text: &str) -> Option<Event<'_>> {
    if let Some((by, rest)) = text.split_once(" has kicked ") {
        return Some(Event::Kicked { nick: rest.split(' ').next()?, by });
    }
    let (nick, rest) =
        text.split_once(" was kicked ").or_else(|| text.split_once(" kicked from "))?;
    let (_, by) = rest.split_once("by ")?;
    Some(Event::Kicked { nick, by: by.split([' ', ':']).next()? })
}

/// Returns the channel that a text names.
fn channel(text: &str) -> Option<&str> {
    let word = text.split_whitespace().find(|word| word.starts_with(['#', '&']))?;
    Some(word.trim_end_matches(['.', ',', ':'])).filter(|word| word.len() > 1)
}

/// Returns the text after a host in brackets.
fn without_host(text: &str) -> &str {
    let close = match text.chars().next() {
        Some('[') => "] ",
        Some('(') => ") ",
        Some('<') => "> ",
        _ => return text,
    };
    text.split_once(close).map_or(text, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::{Event, event};

    #[test]
    fn every_program_says_it_in_its_words() {
        let joined = |channel| Event::Joined { nick: "ada", channel };
        let left = || Event::Left { nick: "ada" };
        let topic = |nick, channel| Event::Topic { nick, channel, topic: "eels: all" };
        for (text, found) in [
            ("Joins: ada (~a@b.example)", joined(None)),
            ("ada [~a@b.example] has joined #mill", joined(Some("#mill"))),
            ("ada (~a@b.example) joined #mill.", joined(Some("#mill"))),
            ("Quits: ada (~a@b.example) (Ping timeout)", left()),
            ("ada (~a@b.example) has quit (Ping timeout)", left()),
            ("ada has left (\"bye\")", left()),
            ("ada <ada!~a@b.example> has joined #mill", joined(Some("#mill"))),
            ("ada <ada!~a@b.example> has left #mill (\"bye\")", left()),
            ("ada <ada!~a@b.example> has quit IRC (Quit: bye)", left()),
            ("ada (a@b.example) Quit (bye)", left()),
            ("ada (a@b.example) left IRC. (bye)", left()),
            ("ada (~a@b.example) left irc: bye", left()),
            ("ada is now known as adah", Event::Renamed { from: "ada", to: "adah" }),
            ("Nick change: ada -> adah", Event::Renamed { from: "ada", to: "adah" }),
            ("=== ada is now known as adah", Event::Renamed { from: "ada", to: "adah" }),
            ("=> ada is now called adah", Event::Renamed { from: "ada", to: "adah" }),
            ("=== ada [~a@b.example] has joined #mill", joined(Some("#mill"))),
            ("=== ada has quit [\"bye\"]", left()),
            ("=== mode/#mill [+o ada] by bob", Event::Aside),
            ("=== the tide is out", Event::Other),
            ("mode/#mill [+o ada] by bob", Event::Aside),
            ("bob sets mode: +o ada", Event::Aside),
            ("bob was kicked from #mill by ada [no]", Event::Kicked { nick: "bob", by: "ada" }),
            ("ada has kicked bob (no)", Event::Kicked { nick: "bob", by: "ada" }),
            ("Topic for #mill is \"eels: all\"", topic(None, Some("#mill"))),
            ("Topic for #mill: eels: all", topic(None, Some("#mill"))),
            ("Topic is 'eels: all'", topic(None, None)),
            ("ada changed the topic of #mill to: eels: all", topic(Some("ada"), Some("#mill"))),
            ("ada changes topic to 'eels: all'", topic(Some("ada"), None)),
            (
                "ada (~a@b.example) has changed topic for #mill from \"x\" to \"eels: all\"",
                topic(Some("ada"), Some("#mill")),
            ),
            ("ada has changed the topic to: eels: all", topic(Some("ada"), None)),
            ("The tide is out", Event::Other),
        ] {
            assert_eq!(event(text), found, "{text}");
        }
    }
}
