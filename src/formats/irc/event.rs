//! Events that an IRC client writes itself: joins and parts, topics, modes.

use super::nicks::{begins_with_host, is_nick};

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
    if !is_nick(nick) {
        return Event::Other;
    }
    let rest = without_host(rest);
    let rest = rest.strip_prefix("has ").unwrap_or(rest);
    if let Some(place) = rest.strip_prefix("joined") {
        return match is_joined_place(place) {
            true => Event::Joined { nick, channel: channel(place) },
            false => Event::Other,
        };
    }
    match rest.split([' ', ':', '.']).next() {
        Some("left" | "quit" | "Quit" | "parted") => Event::Left { nick },
        _ => Event::Other,
    }
}

/// Returns whether programs write this text after `joined`: a channel or nothing, and a host.
fn is_joined_place(text: &str) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        None | Some(".") => true,
        Some("the") => matches!(words.next(), Some("channel" | "channel.")),
        Some(word) => {
            word.starts_with(['#', '&', '(', '[', '<'])
                && words.next().is_none_or(|next| next.starts_with(['(', '[', '<']))
        }
    }
}

/// Returns the channel that the client has joined: `Now talking on #mill`.
pub(super) fn talking(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("Now talking ")?;
    let name = rest.strip_prefix("on ").or_else(|| rest.strip_prefix("in "))?;
    channel(name).filter(|_| !name.contains(' '))
}

/// Returns whether a host follows the nick in a join. People can write anything else that programs
/// write after a star.
pub(super) fn has_host(text: &str) -> bool {
    let text = text.strip_prefix("Joins: ").unwrap_or(text);
    text.split_once(' ').is_some_and(|(_, rest)| begins_with_host(rest))
}

/// Returns whether a line without a mark has the form of an event of eggdrop or Textual, which write
/// no marks.
pub(super) fn is_unmarked(text: &str) -> bool {
    let rename = text.strip_prefix("Nick change: ").and_then(|rest| rest.split_once(" -> "));
    if let Some((from, to)) = rename.or_else(|| text.split_once(" is now known as ")) {
        return is_nick(from) && is_nick(to);
    }
    let Some((first, rest)) = text.split_once(' ') else { return false };
    if begins_with_host(rest) {
        let rest = without_host(rest);
        return is_nick(first) && (rest.starts_with("joined ") || rest.starts_with("left "));
    }
    let is_mode = first.starts_with(['#', '&']) && rest.starts_with("mode change ");
    let kicked_from = rest.strip_prefix("kicked from ");
    is_mode || is_nick(first) && kicked_from.is_some_and(|name| name.starts_with(['#', '&']))
}

fn topic(text: &str) -> Option<Event<'_>> {
    if let Some(rest) = text.strip_prefix("Topic for ") {
        let (name, rest) = rest.split_once(' ')?;
        let rest = rest.trim_start();
        if rest.starts_with("set by ") || rest.starts_with("was set by ") {
            return Some(Event::Aside);
        }
        let topic = rest.strip_prefix("is").unwrap_or(rest).trim_start_matches([':', ' ']);
        return Some(Event::Topic {
            nick: None,
            channel: first_word(name),
            topic: unquoted(topic),
        });
    }
    if let Some(topic) = text.strip_prefix("Topic is ") {
        return Some(Event::Topic { nick: None, channel: None, topic: unquoted(topic) });
    }
    let marks = [" changed the topic", " changes topic to ", " changed topic for "];
    let (mark, (who, rest)) =
        marks.iter().find_map(|mark| Some((*mark, text.split_once(*mark)?)))?;
    let who = who.strip_suffix(" has").unwrap_or(who);
    let (nick, host) = who.split_once(' ').unwrap_or((who, ""));
    let is_host = begins_with_host(host) && host.split_whitespace().nth(1).is_none();
    if !is_nick(nick) || !host.is_empty() && !is_host {
        return None;
    }
    // The topic itself may name other channels.
    let named = match mark {
        " changes topic to " => None,
        " changed topic for " => Some(rest),
        _ => rest.trim_start().strip_prefix("of "),
    };
    let new = [" to: ", "to: ", " to \""].iter().find_map(|to| rest.rsplit_once(to));
    let topic = new.map_or(rest, |(_, topic)| topic);
    let channel = named.and_then(first_word);
    Some(Event::Topic { nick: Some(nick), channel, topic: unquoted(topic) })
}

/// Returns the first word of a text without the punctuation at its end.
fn first_word(text: &str) -> Option<&str> {
    text.split_whitespace().next().map(|word| word.trim_end_matches(['.', ',', ':']))
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
    use super::{Event, event, has_host, is_unmarked, talking};

    #[test]
    fn events_of_every_program_are_read() {
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
            ("ada changed the topic to: eels: all", topic(Some("ada"), None)),
            ("The tide is out", Event::Other),
            ("Somebody joined us", Event::Other),
            ("ada has joined the army", Event::Other),
            ("ada: joined", Event::Other),
            ("Ada: she changes topic to 'X'", Event::Other),
            ("ada says she changes topic to 'X'", Event::Other),
        ] {
            assert_eq!(event(text), found, "{text}");
        }
    }

    #[test]
    fn a_topic_can_name_other_channels() {
        for (text, named) in [
            ("ada changed the topic to: see #gate", None),
            ("ada changes topic to '#gate is open'", None),
            ("ada changes topic to #gate", None),
            ("ada changed the topic of #mill to: see #gate", Some("#mill")),
        ] {
            let Event::Topic { channel, .. } = event(text) else { panic!("{text}") };
            assert_eq!(channel, named, "{text}");
        }
    }

    #[test]
    fn only_programs_write_these_events() {
        for (text, found) in [
            ("Now talking on #mill", Some("#mill")),
            ("Now talking in #mill", Some("#mill")),
            ("Now talking on #mill with bob", None),
            ("Now talking on the phone", None),
        ] {
            assert_eq!(talking(text), found, "{text}");
        }
        for (text, has) in [
            ("ada (~a@b) has joined", true),
            ("Joins: ada (~a@b)", true),
            ("ada has joined #mill", false),
            ("ada (@bob) has joined", false),
        ] {
            assert_eq!(has_host(text), has, "{text}");
        }
        for (text, is) in [
            ("ada (~a@b) joined #mill.", true),
            ("ada (~a@b) left irc: bye", true),
            ("Nick change: ada -> adah", true),
            ("ada is now known as adah", true),
            ("#mill: mode change '+o ada' by bob!~b@c", true),
            ("bob kicked from #mill by ada: no", true),
            ("Somebody joined us", false),
            ("the bird is now known as a crane", false),
            ("Ada: she changes topic to X", false),
        ] {
            assert_eq!(is_unmarked(text), is, "{text}");
        }
    }
}
