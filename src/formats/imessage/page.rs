//! The HTML format, in which classes define the role of each element.
//!
//! ```text
//! <div class="message"><div class="sent iMessage">
//! <p><span class="timestamp">May 17, 2022  5:29:42 PM</span> <span class="sender">Me</span></p>
//! <hr><div class="message_part"><span class="bubble">Is the kettle on?</span></div>
//! <div class="tapbacks"><div class="tapback"><span><b>Loved</b> by Ada</span></div></div>
//! <div class="replies"><div class="reply"><div class="message">…
//! ```

use super::draft::{Drafts, PLACE};
use super::head::head;
use crate::shared::people::channel::{is_place, without_places};
use crate::shared::tally::Tally;
use crate::shared::text::html::{self, Token, attribute, name, tokens, words};
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::diag::Lines;
use convo_base::time::Time;

/// The role of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Message,
    Announcement,
    Timestamp,
    Sender,
    Subject,
    Words,
    App,
    File,
    Edited,
    Reaction,
    Remark,
    Other,
}

fn role(class: &str) -> Role {
    match class.split(' ').next().unwrap_or_default() {
        "message" => Role::Message,
        "announcement" => Role::Announcement,
        "timestamp" => Role::Timestamp,
        "sender" => Role::Sender,
        "subject" => Role::Subject,
        "bubble" => Role::Words,
        "app" => Role::App,
        "attachment" | "attachment_error" | "sticker" => Role::File,
        "edited" => Role::Edited,
        "reaction" | "tapback" => Role::Reaction,
        "expressive" | "reply_context" | "deleted" | "shareplay" | "unsent" | "shared_location"
        | "app_error" => Role::Remark,
        _ => Role::Other,
    }
}

/// Returns whether a page is a chat: it has a message or an announcement, with a time in the format
/// of imessage-exporter.
pub(super) fn is_one(text: &str) -> bool {
    let has = |class: &str| text.contains(&format!("<div class=\"{class}\""));
    let stamp = text.split_once("<span class=\"timestamp\">").map(|(_, rest)| rest);
    let stamp = stamp.and_then(|rest| rest.split_once("</span>")).map(|(stamp, _)| stamp);
    (has("message") || has("announcement"))
        && stamp.is_some_and(|stamp| head(words(stamp).trim()).is_some())
}

/// An open element.
struct Element {
    is_div: bool,
    role: Role,
    /// Whether its text is collected.
    is_sink: bool,
}

/// Text that is being collected.
struct Sink {
    role: Role,
    class: String,
    html: String,
    /// The first URL in it.
    address: Option<String>,
    /// Whether it reveals a location.
    is_place: bool,
    /// The number of versions in it.
    rows: usize,
}

/// An open message.
#[derive(Default)]
struct Open {
    stamp: String,
    time: Option<Time>,
    number: Option<usize>,
}

struct Reader<'a> {
    drafts: &'a mut Drafts,
    tally: &'a mut Tally,
    elements: Vec<Element>,
    sinks: Vec<Sink>,
    messages: Vec<Open>,
    line: u32,
}

/// Reads the messages of a page.
pub(super) fn read(text: &str, drafts: &mut Drafts, tally: &mut Tally) {
    let lines = Lines::new(text);
    let mut reader = Reader {
        drafts,
        tally,
        elements: Vec::new(),
        sinks: Vec::new(),
        messages: Vec::new(),
        line: 1,
    };
    for token in tokens(text) {
        match token {
            Token::Text(words) => reader.text(words),
            Token::Tag(tag) => {
                let (element, is_end) = name(tag);
                let is_div = element == "div";
                match (is_div || element == "span", is_end) {
                    (true, false) => {
                        let at = tag.as_ptr() as usize - text.as_ptr() as usize;
                        reader.line = lines.line(at);
                        reader.open(is_div, &attribute(tag, "class").unwrap_or_default());
                    }
                    (true, true) => reader.end(is_div),
                    (false, _) => reader.tag(tag, &element, is_end),
                }
            }
        }
    }
    while !reader.elements.is_empty() {
        reader.end(true);
    }
}

impl Reader<'_> {
    fn text(&mut self, text: &str) {
        if let Some(sink) = self.sinks.last_mut() {
            let place = without_places(text, PLACE);
            sink.is_place |= place.is_some();
            let text = place.as_deref().unwrap_or(text);
            match sink.role {
                Role::Words | Role::Edited => {
                    sink.html.push_str(&text.replace('\n', "<br>"));
                }
                _ => sink.html.push_str(text),
            }
        }
    }

    fn tag(&mut self, tag: &str, element: &str, is_end: bool) {
        let Some(sink) = self.sinks.last_mut() else { return };
        let address = attribute(tag, "src").or_else(|| attribute(tag, "href"));
        if address.as_deref().is_some_and(is_place) {
            sink.is_place = true;
            return;
        }
        sink.address = sink.address.take().or(address);
        match (sink.role, element) {
            // Each cell replaces the preceding one.
            (Role::Edited, "td" | "th") if !is_end => sink.html.clear(),
            (Role::Edited, "tr") if !is_end => sink.rows += 1,
            (Role::Edited, "table" | "tr" | "td" | "th" | "tbody" | "tfoot") => {}
            (Role::App, "img" | "video" | "audio" | "source") => {}
            _ => sink.html.push_str(&format!("<{tag}>")),
        }
    }

    fn open(&mut self, is_div: bool, class: &str) {
        let within = self.sinks.last().map(|sink| sink.role);
        let role = match (role(class), within) {
            (Role::Message, _) => Role::Message,
            (role, None) => role,
            (Role::Timestamp, Some(Role::Announcement)) => Role::Timestamp,
            _ => Role::Other,
        };
        let is_sink = !matches!(role, Role::Message | Role::Other);
        if matches!(role, Role::Message | Role::Announcement) {
            self.messages.push(Open::default());
        }
        if is_sink {
            let (class, html) = (class.to_owned(), String::new());
            let (address, is_place) = (None, false);
            self.sinks.push(Sink { role, class, html, address, is_place, rows: 0 });
        } else if is_div && within == Some(Role::App) {
            self.text("<br>");
        }
        self.elements.push(Element { is_div, role, is_sink });
    }

    /// Closes the last element of that kind, and any open elements inside it.
    fn end(&mut self, is_div: bool) {
        if !is_div && self.elements.last().is_none_or(|last| last.is_div) {
            return;
        }
        while let Some(element) = self.elements.pop() {
            let sink = if element.is_sink { self.sinks.pop() } else { None };
            if let Some(sink) = sink {
                self.take(sink);
            }
            if matches!(element.role, Role::Message | Role::Announcement) {
                self.messages.pop();
            }
            if element.is_div == is_div {
                return;
            }
        }
    }

    /// Handles the collected text of an element.
    fn take(&mut self, sink: Sink) {
        let line = self.line;
        let text = words(&sink.html);
        let bare = text.trim();
        let above = self.messages.len().checked_sub(2);
        let answers = above.and_then(|above| self.messages.get(above)?.number);
        let Some(open) = self.messages.last_mut() else { return };
        match sink.role {
            Role::Timestamp => {
                if let Some(head) = head(bare) {
                    (open.stamp, open.time) = (head.stamp.to_owned(), head.time);
                }
                return;
            }
            Role::Sender => {
                let at = (open.stamp.as_str(), open.time.clone(), line);
                open.number = Some(self.drafts.open(at, bare, answers));
                return;
            }
            Role::Announcement => {
                let at = (open.stamp.as_str(), open.time.clone(), line);
                self.drafts.add_event(at, bare);
                return;
            }
            _ => {}
        }
        let Some(number) = open.number else { return };
        let (draft, tally) = (self.drafts.get(number), &mut *self.tally);
        match sink.role {
            // What an app says about a place is a location.
            Role::App if sink.is_place => draft.place(),
            Role::Words if sink.is_place && bare.is_empty() => draft.place(),
            Role::Subject | Role::Words => draft.put(html::to_markdown(&sink.html)),
            Role::App => draft.put(app(&sink)),
            Role::Edited if !draft.unsent(bare) => {
                draft.put(html::to_markdown(&sink.html));
                draft.edit(sink.rows.saturating_sub(1), tally);
            }
            Role::File if sink.class == "sticker" => draft.stick(),
            Role::File => {
                let named = bare.rsplit_once(": ").map_or(bare, |(_, name)| name);
                draft.file(sink.address.as_deref().unwrap_or(named), tally);
            }
            Role::Reaction => {
                let is_picture = sink.address.is_some();
                draft.react(if is_picture { "Sticker from Me:" } else { bare });
            }
            Role::Remark => match sink.class.as_str() {
                "reply_context" => draft.answer(),
                "deleted" => draft.delete(),
                _ => bare.lines().for_each(|line| draft.line(line, tally)),
            },
            _ => {}
        }
    }
}

/// Returns the content of an app message: its text, of which the first line links to its URL.
fn app(sink: &Sink) -> String {
    let text = words(&sink.html.replace("<br>", "\n"));
    let lines = text.lines().map(verbatim).filter(|line| !line.is_empty());
    let mut lines: Vec<String> = lines.collect();
    let address = sink.address.as_deref().and_then(public_url);
    if let (Some(first), Some(address)) = (lines.first_mut(), address) {
        *first = format!("[{first}](<{address}>)");
    }
    lines.join("\\\n")
}
