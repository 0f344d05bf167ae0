//! The meaning of the values of access settings.

use super::keys::{Kind, plain};
use convo_base::json::Value;
use convo_base::time::Time;

/// The meaning of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Public,
    HeldBack,
    /// Unknown values withhold.
    Unknown,
}

/// Returns the meaning of a value; a list combines those of its elements.
pub(super) fn verdict_of(kind: Kind, value: &Value) -> Option<Verdict> {
    let Value::Array(list) = value else { return verdict_of_one(kind, value) };
    let all: Vec<Verdict> = list.iter().filter_map(|one| verdict_of_one(kind, one)).collect();
    let any = |verdict: Verdict| all.contains(&verdict).then_some(verdict);
    let empty = (list.is_empty()).then(|| verdict_of_one(kind, &Value::Null)).flatten();
    let public = any(Verdict::Public).filter(|_| kind != Kind::Closed);
    let doubt = (kind == Kind::Closed).then_some(Verdict::Unknown);
    any(Verdict::HeldBack).or(any(Verdict::Unknown)).or(public).or(empty).or(doubt)
}

fn verdict_of_one(kind: Kind, value: &Value) -> Option<Verdict> {
    let text = match value {
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => text.clone(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
    };
    let word = plain(&text);
    let (yes, no) = (YES.contains(&word.as_str()), NO.contains(&word.as_str()));
    let tokens = || text.split(|c: char| !c.is_alphanumeric()).take(TOKENS);
    let closed = CLOSED_ALONE.contains(&word.as_str())
        || tokens().any(|token| CLOSED.contains(&token.to_lowercase().as_str()));
    let first = |choices: [(bool, Verdict); 2]| {
        choices.into_iter().find(|(is, _)| *is).map(|(_, verdict)| verdict)
    };
    let (held, public) = (Verdict::HeldBack, Verdict::Public);
    let open = yes || PUBLIC.contains(&word.as_str());
    match kind {
        Kind::Closed => Some(match value {
            Value::Bool(true) => held,
            Value::Bool(false) => public,
            _ => Verdict::Unknown,
        }),
        Kind::PerhapsClosed => (yes || closed || is_moment(value)).then_some(held),
        Kind::Publish | Kind::Published | Kind::From | Kind::Scheduled | Kind::Expires
            if moment(value).is_some() =>
        {
            Some(public)
        }
        // A number of scheduled items.
        Kind::Scheduled if is_count(value) => None,
        Kind::Scheduled if yes => Some(held),
        Kind::Scheduled if word.is_empty() => None,
        Kind::Expires if word == "never" => None,
        Kind::Expires | Kind::From | Kind::Scheduled if value.is_null() || no => None,
        Kind::Expires | Kind::From | Kind::Scheduled => Some(Verdict::Unknown),
        // A date in words, or a URL.
        Kind::Published if is_date(&text) => None,
        Kind::Publish | Kind::Published if text.contains("://") => None,
        Kind::Open | Kind::Publish | Kind::Published | Kind::Readers => {
            first([(no || closed, held), (open, public)]).or(Some(Verdict::Unknown))
        }
        Kind::Secrecy => {
            let public = PUBLIC.contains(&word.as_str());
            first([(closed, held), (public, Verdict::Public)]).or(Some(Verdict::Unknown))
        }
        Kind::State => closed.then_some(held),
        Kind::Audience => (no || closed || is_author_only(&word)).then_some(held),
        Kind::Removal => (!no && (!word.is_empty() || value.is_object())).then_some(held),
        Kind::Label => text.split([',', ';']).any(is_closed_label).then_some(held),
    }
}

/// Returns whether a label, or one of its parent labels, means private: `private/family`,
/// `status/draft`.
pub fn is_closed_label(label: &str) -> bool {
    let parts = label.split(['/', ':', '=']).map(plain).filter(|part| !part.is_empty());
    let parts: Vec<String> = parts.collect();
    let is = |part: &String, words: &[&str]| words.contains(&part.as_str());
    // Labels below `drafts` may be about something else, such as draft horses.
    let never = [
        "private", "unlisted", "unpublished", "confidential", "nopublish", "donotpublish",
        "dontpublish", "notpublic", "nonpublic",
    ];
    parts.iter().any(|part| is(part, &never))
        || parts.last().is_some_and(|part| part != "wip" && is(part, &CLOSED))
}

/// Returns whether a word means that only the author may read.
fn is_author_only(word: &str) -> bool {
    let words = ["me", "myself", "self", "nobody", "noone", "none", "never", "closed", "disabled"];
    words.contains(&word)
}

/// Returns whether a text is a date, in any of the ways in which people write dates.
fn is_date(text: &str) -> bool {
    let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let is_month = text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let (count, most) =
        digits.fold((0, 0), |(count, most), part| (count + 1, part.len().max(most)));
    Time::parse(text).is_ok() || most >= 4 || count >= 3 || count >= 1 && is_month
}

/// Parses a value as a time.
pub(super) fn moment(value: &Value) -> Option<Time> {
    Time::parse(value.as_str()?.trim()).ok().map(|(time, _)| time)
}

/// Returns whether a value is the time of an action, rather than a count or a word.
fn is_moment(value: &Value) -> bool {
    match value {
        Value::String(text) => Time::parse(text).is_ok(),
        Value::Number(number) => number.as_f64().is_some_and(|number| number > 1e9),
        _ => false,
    }
}

/// Returns whether a value is a number too small to be a year.
fn is_count(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.abs() < 1000.0)
}

const YES: [&str; 12] = ["true", "yes", "on", "y", "t", "1", "x", "ja", "oui", "sí", "si", "sim"];
const NO: [&str; 9] = ["false", "no", "off", "n", "f", "0", "nein", "non", "não"];

/// Words that mean public.
const PUBLIC: [&str; 18] = [
    "all", "anybody", "anyone", "everybody", "everyone", "free", "listed", "live", "open",
    "public", "publico", "publique", "publish", "published", "unrestricted", "visible", "world",
    "öffentlich",
];

/// Words that mean private, anywhere in a text.
const CLOSED: [&str; 7] =
    ["private", "draft", "drafts", "unlisted", "unpublished", "confidential", "wip"];

/// Words that mean private if they are the whole text.
const CLOSED_ALONE: [&str; 33] = [
    "archived", "autodraft", "borrador", "brouillon", "deleted", "donotpublish", "embargoed",
    "entwurf", "future", "hidden", "inreview", "internal", "invisible", "justme", "membersonly",
    "nonpublic", "notpublic", "notpublished", "onlyme", "pendingreview", "personal", "privado",
    "privat", "privé", "redacted", "removed", "restricted", "scheduled", "secret", "sensitive",
    "trash", "trashed", "withdrawn",
];

/// The maximum number of words of a value that are examined.
const TOKENS: usize = 40;
