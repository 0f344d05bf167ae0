//! Channels exported as pages, by DiscordChatExporter 2.15 and later.
//!
//! ```text
//! <div class=preamble> … <div class=preamble__entry>The mill</div> <div class=preamble__entry>Text / quay</div>
//! <div class=chatlog__message-group>                                messages of one author
//!  <div class=chatlog__message-container data-message-id=820249834291200001> …
//!    <span class=chatlog__author title=ada data-user-id=1001>Ada</span>          only in the first of them
//!    <span class=chatlog__timestamp title="Monday, March 3, 2025 9:15 AM"> …
//!    <div class="chatlog__content chatlog__markdown"><span class=chatlog__markdown-preserve>See <strong>this</strong>
//! ```
//!
//! Times are those in the ids, because the dates are in the language and the zone of the exporting machine. A page does
//! not name the type of its channel. [`message`] reads a message, and [`text`] its text.

mod message;
mod text;

use self::message::{Group, Pages};
use crate::shared::people::channel::assemble;
use crate::shared::tally::no_messages;
use crate::shared::text::html::Element;
use crate::{File, Parsed};
use convo_base::diag::{Lines, Severity};
use convo_base::model::{Channel, Conversation, Split};

/// Marks of the style sheet, of which one is enough.
const MARKS: [&str; 2] = ["Tyrrrz/DiscordFonts", "preamble__"];
/// The server of direct messages.
const DIRECT: &str = "Direct Messages";

/// Returns whether the beginning of a text is that of a page.
pub(super) fn is_one(text: &str) -> bool {
    text.trim_start().starts_with('<')
        && text.contains("chatlog__message")
        && MARKS.iter().any(|mark| text.contains(mark))
}

/// Reads the pages of a channel.
pub(super) fn read(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut pages = Pages::default();
    let mut about = About::default();
    let mut is_open = true;
    for (index, file) in files.iter().enumerate() {
        let root = Element::parse(&file.text);
        let of_page = About::of(&root);
        is_open &= of_page.is_open();
        if index == 0 {
            about = of_page;
        }
        let lines = Lines::new(&file.text);
        let line = |element: &Element<'_>| lines.line(element.start_in(&file.text));
        root.each(&mut |element| {
            let is_group = element.is("chatlog__message-group");
            if is_group {
                pages.group(&Group { element, file: index, line: &line });
            }
            // Others are inside if a tag was not closed.
            true
        });
    }
    let Pages { messages, mut members, tally, .. } = pages;
    if messages.is_empty() {
        parsed.notes.push(no_messages(Severity::Hint));
    }
    let mut read = Conversation::default();
    assemble(&mut read, messages, &mut members.contacts, &mut parsed.notes);
    parsed.notes.extend(tally.notes());
    if read.turns.is_empty() && read.withheld_ids.is_empty() {
        return parsed;
    }
    let name = match about.is_direct_message() {
        // A direct message is named after its participants, with their accounts.
        true => {
            let names: Vec<&str> = read.participants.iter().map(|who| who.name.as_str()).collect();
            names.join(", ")
        }
        false => about.channel.rsplit(" / ").next().unwrap_or_default().to_owned(),
    };
    members.introduce(&mut read);
    let id = files.first().and_then(|file| id_in(&file.name));
    read.id = id.map(|id| format!("discord-{id}"));
    read.title = Some(name.clone()).filter(|name| !name.is_empty());
    read.channel = Some(Channel { name, is_direct: !is_open, split: Split::Day });
    parsed.conversations.push(read);
    parsed
}

/// What the top of a page says about its channel.
#[derive(Default)]
struct About {
    server: String,
    /// The category, the channel and the thread, with ` / ` between them.
    channel: String,
    /// Whether the version had no threads.
    is_old: bool,
    /// Whether the version names the category, the channel and the thread.
    is_new: bool,
}

impl About {
    fn of(root: &Element<'_>) -> Self {
        let mut entries = Vec::new();
        root.each(&mut |element| {
            if element.is("preamble__entry")
                || element.is("info__guild-name")
                || element.is("info__channel-name")
            {
                entries.push(element.words());
            }
            true
        });
        let mut entries = entries.into_iter();
        let (server, channel) = (entries.next(), entries.next());
        let time = root.find("chatlog__timestamp");
        let is_new = time.is_some_and(|time| time.attribute("title").is_some());
        Self {
            server: server.unwrap_or_default(),
            channel: channel.unwrap_or_default(),
            is_old: root.find("chatlog__message-container").is_none(),
            is_new,
        }
    }

    fn is_direct_message(&self) -> bool {
        self.server.is_empty() || self.server.eq_ignore_ascii_case(DIRECT)
    }

    /// Returns whether it is certainly a channel of a server. Of two names, the first can be that of a category, or that of
    /// the channel of a thread, which can be private.
    fn is_open(&self) -> bool {
        let is_alone = !self.channel.contains(" / ");
        !self.is_direct_message() && (self.is_old || self.is_new && is_alone)
    }
}

/// Returns the id of the channel in a file name: `The mill - quay [820249834291200001] [part 2].html`.
fn id_in(name: &str) -> Option<&str> {
    let mut inside = name.split('[').skip(1).filter_map(|part| Some(part.split_once(']')?.0));
    inside.find(|id| id.len() > 10 && id.bytes().all(|byte| byte.is_ascii_digit()))
}
