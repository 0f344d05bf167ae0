//! The text of a message, with its markup.

use crate::shared::people::channel::{Members, Prose, Style};
use crate::shared::text::entities::decoded;
use crate::shared::text::html::{Element, Node};

/// Returns the text of an element as Markdown.
pub(super) fn markdown(element: &Element<'_>, members: &mut Members) -> String {
    let mut prose = Prose::default();
    add(element, Style::PLAIN, members, &mut prose);
    prose.finish()
}

fn add(element: &Element<'_>, style: Style, members: &mut Members, prose: &mut Prose) {
    for node in &element.children {
        let inner = match node {
            // Line breaks of the text are those of the message.
            Node::Text(text) => {
                let is_between = !is_preserved(element) && text.trim().is_empty();
                let text = decoded(text);
                prose.add(if is_between { " " } else { &text }, style);
                continue;
            }
            Node::Element(inner) => inner,
        };
        let is = |classes: &[&str]| classes.iter().any(|class| inner.is(class));
        if is(&["chatlog__edited-timestamp"]) {
            continue;
        }
        if is(&["chatlog__markdown-pre--multiline", "pre--multiline"]) {
            let class = inner.attribute("class").unwrap_or_default();
            let language = class.split_whitespace().find_map(|word| word.strip_prefix("language-"));
            prose.fenced(language.unwrap_or_default(), &plain(inner));
            continue;
        }
        if is(&["chatlog__markdown-pre--inline", "pre--inline", "pre"]) {
            prose.code(&plain(inner));
            continue;
        }
        if inner.name == "div" && is_next(inner) {
            continue;
        }
        if ["a", "li"].contains(&inner.name.as_str()) || is(&["chatlog__markdown-quote", "quote"]) {
            inner.each(&mut |mention| {
                note_mention(mention, members);
                true
            });
        }
        if is(&["chatlog__markdown-quote", "quote"]) {
            prose.quote(&plain(inner));
            continue;
        }
        if is(&["chatlog__markdown-mention", "mention"]) {
            note_mention(inner, members);
            prose.plain(&inner.words());
            continue;
        }
        match inner.name.as_str() {
            "br" => prose.add("\n", style),
            "strong" | "b" | "h1" | "h2" | "h3" => {
                add(inner, style.with(Style::BOLD), members, prose);
            }
            "em" | "i" => add(inner, style.with(Style::ITALIC), members, prose),
            "s" => add(inner, style.with(Style::STRUCK), members, prose),
            "li" => prose.item(&plain(inner)),
            "a" => {
                let url = inner.attribute("href").unwrap_or_default();
                prose.link(&plain(inner), &url);
            }
            "img" => prose.plain(&emoji(inner).unwrap_or_default()),
            "script" | "style" => {}
            _ => add(inner, style, members, prose),
        }
    }
}

/// Records the person whom a mention names.
fn note_mention(element: &Element<'_>, members: &mut Members) {
    let is_mention = ["chatlog__markdown-mention", "mention"].iter().any(|class| element.is(class));
    if is_mention
        && element.attribute("title").is_some()
        && let Some(name) = element.words().strip_prefix('@')
    {
        members.called(name);
    }
}

/// Returns whether an element is the next message or group, which is inside if a tag was not closed.
pub(super) fn is_next(element: &Element<'_>) -> bool {
    element.is("chatlog__message-group") || element.attribute("data-message-id").is_some()
}

/// Returns whether an element has text of the message, whose line breaks count.
fn is_preserved(element: &Element<'_>) -> bool {
    ["chatlog__markdown-preserve", "preserve-whitespace"].iter().any(|class| element.is(class))
        || ["strong", "em", "u", "s", "span"].contains(&element.name.as_str())
}

/// Returns the text of an element with its emoji, without formatting.
fn plain(element: &Element<'_>) -> String {
    element.text_but(&mut |inner| match inner.name.as_str() {
        "img" => emoji(inner),
        "div" if is_next(inner) => Some(String::new()),
        _ => None,
    })
}

/// Returns an emoji, or the name of a custom one.
pub(super) fn emoji(picture: &Element<'_>) -> Option<String> {
    let [alt, title] = ["alt", "title"].map(|key| picture.attribute(key));
    let text = alt.or(title.clone()).filter(|text| !text.is_empty())?;
    let is_name = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Some(if is_name { format!(":{text}:") } else { text })
}
