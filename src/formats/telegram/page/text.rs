//! The text of a message, with its markup.

use crate::shared::people::channel::{Contacts, Prose, Style};
use crate::shared::text::entities::decoded;
use crate::shared::text::html::{Element, Node};
use convo_base::model::Block;

/// What links in a text may contain that is not published.
pub(super) struct Links<'c> {
    contacts: &'c mut Contacts,
}

impl<'c> Links<'c> {
    pub(super) fn new(contacts: &'c mut Contacts) -> Self {
        Self { contacts }
    }

    /// Adds a link. Account names and phone numbers are not published, and the program's own links have no URL.
    fn add(&mut self, link: &Element<'_>, prose: &mut Prose) {
        let text = one_line(&link.text());
        let url = link.attribute("href").unwrap_or_default();
        if text.starts_with('@') {
            prose.plain(&format!("@{}", self.contacts.number(&text)));
        } else if url.starts_with("tel:") {
            prose.plain(&self.contacts.number(&text));
        } else {
            prose.link(&text, &url);
        }
    }
}

/// Returns the text of an element as Markdown.
pub(super) fn markup(element: &Element<'_>, links: &mut Links<'_>) -> Option<Block> {
    let mut prose = Prose::default();
    add(element, Style::PLAIN, links, &mut prose);
    prose.done()
}

fn add(element: &Element<'_>, style: Style, links: &mut Links<'_>, prose: &mut Prose) {
    for node in &element.children {
        let inner = match node {
            Node::Text(text) => {
                prose.add(&one_line(&decoded(text)), style);
                continue;
            }
            Node::Element(inner) => inner,
        };
        match inner.name.as_str() {
            "br" => prose.add("\n", style),
            "strong" | "b" => add(inner, style.with(Style::BOLD), links, prose),
            "em" | "i" => add(inner, style.with(Style::ITALIC), links, prose),
            "s" | "del" => add(inner, style.with(Style::STRUCK), links, prose),
            "code" => prose.code(&inner.text()),
            "pre" => prose.fenced("", &inner.text()),
            "blockquote" => prose.quote(&inner.text()),
            "a" => links.add(inner, prose),
            "script" | "style" => {}
            _ => add(inner, style, links, prose),
        }
    }
}

/// Returns a text without the line breaks of the source, which are not those of the message.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
