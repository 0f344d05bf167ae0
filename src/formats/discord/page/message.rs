//! The messages of a page.

use jiff::Timestamp;

use super::text::{emoji, is_next, markdown};
use crate::shared::people::channel::{
    Members, Message, NamedFile, event_block, or_placeholder, react,
};
use crate::shared::tally::Tally;
use crate::shared::text::dates::iso;
use crate::shared::text::html::Element;
use convo_base::model::{Block, Place, Reaction, quoted};
use convo_base::time::Time;

/// Milliseconds from 1970 to the beginning of the times in ids.
const EPOCH: u64 = 1_420_070_400_000;

/// The pages of a channel.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) messages: Vec<Message>,
    pub(super) members: Members,
    pub(super) tally: Tally,
}

/// A group of messages of one author.
pub(super) struct Group<'g, 't> {
    pub(super) element: &'g Element<'t>,
    pub(super) file: usize,
    /// Returns the line of an element.
    pub(super) line: &'g dyn Fn(&Element<'_>) -> u32,
}

impl Pages {
    /// Reads a group. Before version 2.34, the author and what the first message answers are outside the messages.
    pub(super) fn group(&mut self, group: &Group<'_, '_>) {
        let mut messages = Vec::new();
        group.element.each(&mut |element| {
            if element.attribute("data-message-id").is_some() {
                messages.push(element);
            }
            !element.is("chatlog__message-group")
        });
        let mut author = self.author(group.element);
        for (number, element) in messages.into_iter().enumerate() {
            author = self.author(element).or(author);
            let line = (group.line)(element);
            let place = Place { file: group.file, line, quoted: true };
            let mut message = self.message(element, author.as_deref(), place);
            if number == 0 && message.answers.is_none() {
                message.answers = answered(group.element, &["chatlog__reference"]);
            }
            self.messages.push(message);
        }
    }

    /// Returns the id of the author named in an element, but not in messages inside.
    fn author(&mut self, element: &Element<'_>) -> Option<String> {
        let mut found = None;
        let mut is_bot = false;
        element.each(&mut |inner| {
            if is_next(inner) || inner.is("chatlog__content") {
                return false;
            }
            let classes =
                ["chatlog__author", "chatlog__author-name", "chatlog__system-notification-author"];
            if found.is_none() && classes.iter().any(|class| inner.is(class)) {
                let account = inner.attribute("title");
                let id = inner.attribute("data-user-id").or(account.clone());
                found = Some((id.unwrap_or_default(), inner.words(), account));
            }
            let tags = ["chatlog__author-tag", "chatlog__bot-label", "chatlog__bot-tag"];
            is_bot |= tags.iter().any(|class| inner.is(class)) && inner.words() == "BOT";
            true
        });
        let (id, name, account) = found?;
        let account =
            account.as_deref().map(|account| account.split('#').next().unwrap_or(account));
        self.members.add(&id, &[Some(&name), account], is_bot);
        Some(id)
    }

    fn message(&mut self, element: &Element<'_>, author: Option<&str>, place: Place) -> Message {
        let id = element.attribute("data-message-id").unwrap_or_default();
        let message = Message { time: time(&id), id, place, ..Message::default() };
        let name = author.map(|id| self.members.name(id));
        if let Some(notice) = element.find("chatlog__system-notification-content") {
            let who = author.map(|id| self.members.name_in_text(id)).unwrap_or_default();
            let words = notice.words();
            if let Some(name) = named_in(&words) {
                self.members.called(name);
            }
            let text = format!("{who} {words}");
            let blocks = vec![event_block("notice", text.trim())];
            return Message { blocks, ..message };
        }
        let is_edited = element.find("chatlog__edited-timestamp").is_some();
        let mut reactions = Vec::new();
        element.each(&mut |inner| {
            if inner.is("chatlog__reaction") {
                add_reaction(inner, &mut reactions);
            }
            !is_next(inner)
        });
        Message {
            sender: name.unwrap_or_else(|| "Unknown".to_owned()),
            is_bot: author.is_some_and(|id| self.members.is_bot(id)),
            blocks: or_placeholder(self.blocks(element)),
            answers: answered(element, &["chatlog__reply", "chatlog__reference"]),
            reactions,
            is_edited,
            ..message
        }
    }

    /// Returns the contents of a message.
    fn blocks(&mut self, element: &Element<'_>) -> Vec<Block> {
        let (mut parts, mut files) = (Vec::new(), Vec::new());
        element.each(&mut |inner| {
            if is_next(inner) {
                return false;
            }
            if inner.is("chatlog__content") {
                parts.push(markdown(inner, &mut self.members));
            } else if inner.is("chatlog__forwarded-content") {
                let text = markdown(inner, &mut self.members);
                parts.push(format!("> *Forwarded:*\n>\n{}", quoted(&text)));
            } else if inner.is("chatlog__embed") {
                match embed(inner, &mut self.members) {
                    Some(text) => parts.push(quoted(&text)),
                    None => self.tally.not_shown("link preview", "link previews"),
                }
            } else if inner.is("chatlog__attachment") {
                files.push(attachment(inner, &mut self.tally));
            } else if inner.is("chatlog__sticker") {
                let name = inner.attribute("title").unwrap_or_else(|| "sticker".to_owned());
                let name = format!("{name} (sticker)");
                let file = NamedFile { name: &name, mime: Some("image"), ..NamedFile::default() };
                files.push(file.block(&mut self.tally));
            } else {
                let others = ["chatlog__reply", "chatlog__reference", "chatlog__reactions"];
                return !others.iter().any(|class| inner.is(class));
            }
            false
        });
        parts.retain(|part| !part.trim().is_empty());
        let text = parts.join("\n\n");
        let text = (!text.is_empty()).then_some(Block::Markdown { text });
        text.into_iter().chain(files).collect()
    }
}

/// Returns the person that a notice is about: `added Ada to the group.`
fn named_in(notice: &str) -> Option<&str> {
    let rest = ["added ", "removed "].iter().find_map(|verb| notice.strip_prefix(verb))?;
    let end = [" to the group", " from the group"].iter().find_map(|end| rest.rfind(end));
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// Returns when a message was sent, which its id says.
fn time(id: &str) -> Option<Time> {
    let since = id.parse::<u64>().ok()? >> 22;
    let at = Timestamp::from_millisecond(i64::try_from(since + EPOCH).ok()?).ok()?;
    iso(&at.to_string())
}

/// Returns the id of the message that a reply in one of these elements links to.
fn answered(element: &Element<'_>, classes: &[&str]) -> Option<String> {
    let reply = classes.iter().find_map(|class| element.find(class))?;
    let mut found = None;
    reply.each(&mut |inner| {
        let digits = |text: String| {
            let digits: String = text.chars().filter(char::is_ascii_digit).collect();
            (digits.len() > 10).then_some(digits)
        };
        let script =
            inner.attribute("onclick").filter(|script| script.starts_with("scrollToMessage"));
        found = found.take().or_else(|| script.and_then(digits));
        true
    });
    found
}

fn add_reaction(reaction: &Element<'_>, reactions: &mut Vec<Reaction>) {
    let picture = reaction.elements().find(|inner| inner.name == "img");
    let emoji = picture.and_then(emoji);
    let count = reaction.child("chatlog__reaction-count").map(Element::words);
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(1);
    if let Some(emoji) = emoji {
        react(reactions, &emoji, count);
    }
}

/// Returns a file. Those stored on Discord, whose URLs expire, are listed by name.
fn attachment(element: &Element<'_>, tally: &mut Tally) -> Block {
    let (mut url, mut title, mut name) = (None, None, None);
    element.each(&mut |inner| {
        if inner.name == "a" {
            url = url.take().or_else(|| inner.attribute("href"));
            name = name.take().or(Some(inner.words()).filter(|name| !name.is_empty()));
        }
        if ["img", "source", "video", "audio"].contains(&inner.name.as_str()) {
            url = url.take().or_else(|| inner.attribute("src"));
            title = title.take().or_else(|| inner.attribute("title"));
        }
        true
    });
    // `Image: rose.png (12.3 KB)`
    let titled = title.as_deref().and_then(|title| {
        let (_, rest) = title.split_once(": ")?;
        Some(rest.rsplit_once(" (").map_or(rest, |(name, _)| name).to_owned())
    });
    let url = url.filter(|url| !url.contains("://"));
    let own = url.as_deref().and_then(|url| url.rsplit('/').next()).map(str::to_owned);
    let name = titled.or(name).or(own).unwrap_or_else(|| "file".to_owned());
    NamedFile { name: &name, address: url.as_deref(), ..NamedFile::default() }.block(tally)
}

/// Returns what a bot embedded; `None` for a preview without text.
fn embed(element: &Element<'_>, members: &mut Members) -> Option<String> {
    const PARTS: [&str; 5] = [
        "chatlog__embed-author", "chatlog__embed-title", "chatlog__embed-description",
        "chatlog__embed-field", "chatlog__embed-footer-text",
    ];
    let mut parts = Vec::new();
    element.each(&mut |inner| {
        let Some(part) = PARTS.iter().position(|class| inner.is(class)) else { return true };
        let text = match part {
            3 => {
                let find = |class: &str| inner.find(class);
                let [name, value] =
                    ["chatlog__embed-field-name", "chatlog__embed-field-value"].map(find);
                let name = name.map(|name| markdown(name, members)).unwrap_or_default();
                let value = value.map(|value| markdown(value, members)).unwrap_or_default();
                format!("**{name}**\\\n{value}")
            }
            1 => format!("**{}**", markdown(inner, members)),
            _ => markdown(inner, members),
        };
        parts.push(text);
        false
    });
    parts.retain(|part| !part.trim_matches('*').trim().is_empty());
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}
