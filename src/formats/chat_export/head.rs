//! The text above the first turn: a title, and facts about the conversation, one on each line.

use convo_base::model::Conversation;
use convo_base::time::Time;

use super::layout::is_rule;
use super::pattern::is_any;
use super::table::{Exporter, assistant_named};
use crate::shared::text::dates::{self, HalfOfDay, Order, civil};
use crate::shared::text::rows::{names_account, row};
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
    ("user", Fact::Other),
    ("account", Fact::Other),
    ("email", Fact::Other),
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
    /// The times that could not be read, as written.
    pub(super) bad_times: Vec<String>,
    /// The order of the numbers in its dates, if it is known.
    pub(super) order: Option<Order>,
}

impl Head {
    /// Reads the lines above the first turn of a file with this name; `front` is the front matter that a program
    /// wrote.
    pub(super) fn read(
        name: &str,
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
        for line in text.split_inclusive('\n') {
            let bare = line.trim();
            let is_added = is_any(exporter.added, bare) || is_rule(bare) || is_sub(bare);
            if is_added || names_account(line) || head.fact(line, read, &mut times) {
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
        let dates = times.iter().filter_map(|(_, text)| Some(numbers(text)?.0));
        head.order = Order::of_file(name).or_else(|| Order::of_all(dates));
        for (is_update, text) in times {
            let time = head.time(&text);
            if time.is_none() {
                head.bad_times.push(text);
            }
            let to = if is_update { &mut read.updated } else { &mut read.time };
            *to = to.take().or(time);
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
        let Some((name, value)) = row(line.trim_start_matches(['>', ' '])) else { return false };
        let name = name.trim_matches('"').to_lowercase();
        let Some((_, fact)) = NAMES.iter().find(|(known, _)| *known == name) else { return false };
        let value = value.trim_matches(['*', ' ', '`', '"']).to_owned();
        match fact {
            // Other words after `From:` or `Source:`.
            Fact::Link if !value.contains("://") => return value.is_empty(),
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
            Fact::Other => {}
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

    /// Returns whether the day and the month of a time cannot be told apart.
    pub(super) fn is_ambiguous(&self, text: &str) -> bool {
        let is_open = |(date, _)| Order::of_one(date).is_none();
        self.order.is_none() && numbers(text).is_some_and(is_open)
    }

    /// Returns the time of a line without other words.
    pub(super) fn time_alone(&self, line: &str) -> Option<Time> {
        let is_of_time = |word: &str| {
            matches!(word, "" | "am" | "pm" | "at" | "utc" | "gmt" | "t" | "z")
                || dates::month(word).is_some()
                || dates::weekday(word).is_some()
        };
        let words = line.to_lowercase();
        let is_alone = words.split(|c: char| !c.is_alphabetic()).all(is_of_time);
        Some(line).filter(|line| is_alone && line.contains(':')).and_then(|line| self.time(line))
    }
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
