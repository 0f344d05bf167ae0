//! The text of a message, with its markup.

use crate::shared::people::channel::{Contacts, Prose, Style};
use crate::shared::text::entities::decoded;
use crate::shared::text::html::{Element, Node};
use crate::telegram::links;
use convo_base::model::Block;

/// Returns the text of an element as Markdown.
pub(super) fn markup(element: &Element<'_>, contacts: &mut Contacts) -> Option<Block> {
    let mut prose = Prose::default();
    add(element, Style::PLAIN, contacts, &mut prose);
    prose.done()
}

fn add(element: &Element<'_>, style: Style, contacts: &mut Contacts, prose: &mut Prose) {
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
            "strong" | "b" => add(inner, style.with(Style::BOLD), contacts, prose),
            "em" | "i" => add(inner, style.with(Style::ITALIC), contacts, prose),
            "s" | "del" => add(inner, style.with(Style::STRUCK), contacts, prose),
            "code" => prose.code(&plain(inner, contacts)),
            "pre" => prose.fenced("", &plain(inner, contacts)),
            "blockquote" => prose.quote(&plain(inner, contacts)),
            "a" => add_link(inner, contacts, prose),
            "script" | "style" => {}
            "div" if is_next(inner) => {}
            _ => add(inner, style, contacts, prose),
        }
    }
}

/// Returns a text without formatting.
fn plain(element: &Element<'_>, contacts: &mut Contacts) -> String {
    element.text_but(&mut |inner| match inner.name.as_str() {
        "a" => name_of_link(inner, contacts),
        "div" if is_next(inner) => Some(String::new()),
        _ => None,
    })
}

/// Returns whether an element is the next message, which is inside if a tag was not closed.
fn is_next(element: &Element<'_>) -> bool {
    element.is("message")
}

/// Adds a link, or only its text if it has no public URL.
fn add_link(link: &Element<'_>, contacts: &mut Contacts, prose: &mut Prose) {
    match name_of_link(link, contacts) {
        Some(name) => prose.plain(&name),
        None => {
            let url = link.attribute("href").unwrap_or_default();
            prose.link(&one_line(&link.text()), &url);
        }
    }
}

/// Returns what is shown for a link to a person, a chat or a number. Account names, phone numbers and invitations are
/// not published.
fn name_of_link(link: &Element<'_>, contacts: &mut Contacts) -> Option<String> {
    let text = link.words();
    let url = link.attribute("href").unwrap_or_default();
    if link.attribute("onclick").is_some_and(|script| script.contains("ShowMentionName")) {
        contacts.mention(&text);
        return Some(text);
    }
    if text.starts_with('@') {
        return Some(format!("@{}", contacts.number(&text)));
    }
    if url.starts_with("tel:") {
        return Some(contacts.number(&text));
    }
    links::hidden(&text, &url)
}

/// Returns a text without the line breaks of the source, which are not those of the message.
fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
