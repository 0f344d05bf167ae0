//! The text above the first turn: a title, and facts about the conversation, one on each line.

use std::ops::Range;

use convo_base::model::Conversation;
use convo_base::time::Time;

use super::layout::is_rule;
use super::pattern::is_any;
use super::table::{Exporter, assistant_named};
use crate::shared::text::dates::{self, HalfOfDay, Order, civil};
use crate::shared::text::web_links::without_query;

/// What a line says.
enum Fact {
    Time,
    Updated,
    Id,
    Title,
    Model,
    Assistant,
    /// The URL of the conversation, which only its owner can open.
    Link,
    /// The account, which is not published.
    Account,
    /// What readers need not know, such as the time of the export.
    Other,
}

/// The names of facts, in lower case.
const NAMES: [(&str, Fact); 27] = [
    ("created", Fact::Time),
    ("create_time", Fact::Time),
    ("date", Fact::Time),
    ("started", Fact::Time),
    ("updated", Fact::Updated),
    ("update_time", Fact::Updated),
    ("last updated", Fact::Updated),
    ("session id", Fact::Id),
    ("conversation_id", Fact::Id),
    ("title", Fact::Title),
    ("model", Fact::Model),
    ("link", Fact::Link),
    ("source", Fact::Link),
    ("from", Fact::Link),
    ("url", Fact::Link),
    ("chat url", Fact::Link),
    ("exported", Fact::Other),
    ("duration", Fact::Other),
    ("turns", Fact::Other),
    ("messages", Fact::Other),
    ("user", Fact::Account),
    ("account", Fact::Account),
    ("email", Fact::Account),
    ("aliases", Fact::Other),
    ("nexus", Fact::Other),
    ("plugin_version", Fact::Other),
    ("provider", Fact::Assistant),
];

/// What the text above the first turn says.
#[derive(Default)]
pub(super) struct Head {
    pub(super) model: Option<String>,
    /// The name of the assistant.
    pub(super) assistant: Option<String>,
    /// The lines with the account.
    pub(super) accounts: Vec<Range<usize>>,
    /// The order of the numbers in its dates, if it is known.
    pub(super) order: Option<Order>,
}

impl Head {
    /// Reads the lines above the first turn; `front` is the front matter that a program wrote.
    pub(super) fn read(
        front: &str,
        text: &str,
        exporter: &Exporter,
        read: &mut Conversation,
    ) -> Self {
        let mut head = Self::default();
        let mut preface = String::new();
        let mut times = Vec::new();
        let mut has_title = read.title.is_some();
        for line in front.lines() {
            head.fact(line, read, &mut times);
        }
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let range = at..at + line.trim_end().len();
            at += line.len();
            let bare = line.trim();
            let is_added = is_any(exporter.added, bare) || is_rule(bare) || is_sub(bare);
            if is_added {
                continue;
            }
            if head.fact(line, read, &mut times) {
                head.accounts.extend(Some(range).filter(|_| line.contains('@')));
                continue;
            }
            if let Some(title) = bare.strip_prefix("# ").map(str::trim).filter(|_| !has_title) {
                has_title = true;
                let title = title.strip_prefix("Title: ").unwrap_or(title);
                read.title = read.title.take().or_else(|| Some(title.to_owned()));
                continue;
            }
            preface.push_str(line);
        }
        read.title = read.title.take().filter(|title| !exporter.titles.contains(&title.as_str()));
        head.order = Order::of_all(times.iter().filter_map(|(_, text)| Some(numbers(text)?.0)));
        for (is_update, text) in times {
            let to = if is_update { &mut read.updated } else { &mut read.time };
            *to = to.take().or_else(|| head.time(&text));
        }
        read.preface = preface.trim().to_owned();
        head
    }

    /// Reads a line with a fact. Returns whether it is one.
    fn fact(
        &mut self,
        line: &str,
        read: &mut Conversation,
        times: &mut Vec<(bool, String)>,
    ) -> bool {
        let Some((name, value)) = row(line) else { return false };
        let Some((_, fact)) = NAMES.iter().find(|(known, _)| *known == name) else { return false };
        let value = value.to_owned();
        match fact {
            _ if value.is_empty() => {}
            Fact::Time => times.push((false, value)),
            Fact::Updated => times.push((true, value)),
            Fact::Id => read.id = read.id.take().or(Some(value)),
            Fact::Title => read.title = read.title.take().or(Some(value)),
            Fact::Model => self.model = Some(value),
            Fact::Assistant => self.assistant = Some(assistant_named(&value)),
            Fact::Link => {
                let link = without_query(link(&value)).to_owned();
                read.unpublished.entry("link".to_owned()).or_insert(link.into());
            }
            Fact::Account | Fact::Other => {}
        }
        true
    }

    /// Reads a time as the program wrote it.
    pub(super) fn time(&self, text: &str) -> Option<Time> {
        let text = text.trim();
        if let Some(time) = dates::iso(text).or_else(|| dates::written(text)) {
            return Some(time);
        }
        let (date, clock) = numbers(text)?;
        let half = HalfOfDay::within(&text.to_lowercase());
        // Browsers write a time with AM and PM as in the United States.
        let order = self.order.or_else(|| Order::of_one(date));
        let order = order.or(half.as_ref().map(|_| Order::MonthFirst))?;
        let [hour, minute, second] = clock;
        let hour = half.map_or(hour, |half| half.hour(hour));
        civil(order.date(date), [hour, minute, second], "")
    }

    /// Returns whether a line is a time and nothing else.
    pub(super) fn is_time(&self, line: &str) -> bool {
        let has_words = line.split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 9);
        line.len() <= 60 && !has_words && line.contains(':') && self.time(line).is_some()
    }
}

/// Returns the name in lower case and the value of a line such as `**Created:** 4/29/2025 15:03`, also in a list
/// or quotation.
pub(super) fn row(line: &str) -> Option<(String, &str)> {
    let line = line.trim().trim_start_matches(['-', '>', ' ']);
    let (name, value) = line.split_once(':')?;
    let name = name.trim_matches(['*', '_', ' ', '"']);
    let value = value.trim_matches(['*', ' ', '`', '"']);
    let is_name = !name.is_empty() && name.len() <= 20;
    is_name.then(|| (name.to_lowercase(), value))
}

/// Returns the target of a Markdown link, or the text itself.
fn link(text: &str) -> &str {
    text.split_once("](").and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(text)
}

fn is_sub(line: &str) -> bool {
    matches!(line, "<sub>" | "</sub>")
}

/// Returns the numbers of a date and a clock time: `4/29/2025 15:03`.
fn numbers(text: &str) -> Option<([u16; 3], [u16; 3])> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty())
        .map(|part| part.parse::<u16>().ok());
    let mut next = || numbers.next().flatten();
    let date = [next()?, next()?, next()?];
    let clock = [next()?, next()?, next().unwrap_or_default()];
    Some((date, clock))
}
