//! Reads HTML as a tree, for exports that are pages.

use super::token::{RAW, Token, attribute, name, tokens};
use crate::shared::text::entities::decoded;

/// The maximum depth of elements. Deeper ones are children of the last element above.
const MAX_DEPTH: usize = 48;

/// Elements without content, which have no end tag.
pub(super) const EMPTY: [&str; 7] = ["br", "hr", "img", "input", "meta", "link", "source"];

/// A part of an element.
pub(crate) enum Node<'t> {
    /// The raw text between tags.
    Text(&'t str),
    Element(Element<'t>),
}

/// An element with everything in it.
#[derive(Default)]
pub(crate) struct Element<'t> {
    /// The name in lower case.
    pub(crate) name: String,
    /// The text between `<` and `>` of its start tag.
    tag: &'t str,
    pub(crate) children: Vec<Node<'t>>,
}

impl<'t> Element<'t> {
    /// Reads a page, or a part of one.
    pub(crate) fn parse(html: &'t str) -> Self {
        let mut open = vec![Self::default()];
        for token in tokens(html) {
            let tag = match token {
                Token::Text(text) => {
                    add(&mut open, Node::Text(text));
                    continue;
                }
                Token::Tag(tag) => tag,
            };
            let (name, is_end) = name(tag);
            if is_end {
                // An end tag also closes what was left open inside.
                if let Some(at) = open.iter().rposition(|element| element.name == name) {
                    close(&mut open, at.max(1));
                }
                continue;
            }
            let is_whole = EMPTY.contains(&name.as_str()) || tag.ends_with('/');
            open.push(Self { name, tag, children: Vec::new() });
            if is_whole || open.len() > MAX_DEPTH {
                let last = open.len() - 1;
                close(&mut open, last);
            }
        }
        close(&mut open, 1);
        open.pop().unwrap_or_default()
    }

    /// Returns the byte at which its start tag begins in `html`, the text that it was read from.
    pub(crate) fn start_in(&self, html: &str) -> usize {
        (self.tag.as_ptr() as usize).saturating_sub(html.as_ptr() as usize + 1)
    }

    /// Returns the value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<String> {
        attribute(self.tag, name)
    }

    /// Returns whether it has all of these classes.
    pub(crate) fn is(&self, classes: &str) -> bool {
        let own = self.attribute("class").unwrap_or_default();
        classes.split(' ').all(|class| own.split_whitespace().any(|known| known == class))
    }

    /// Returns the elements directly inside.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Returns the element directly inside with these classes.
    pub(crate) fn child(&self, classes: &str) -> Option<&Self> {
        self.elements().find(|element| element.is(classes))
    }

    /// Returns the first element anywhere inside with these classes.
    pub(crate) fn find(&self, classes: &str) -> Option<&Self> {
        self.elements().find_map(|element| match element.is(classes) {
            true => Some(element),
            false => element.find(classes),
        })
    }

    /// Calls a function with every element anywhere inside, until it returns `false` for an element, whose content is
    /// then skipped.
    pub(crate) fn each<'e>(&'e self, visit: &mut dyn FnMut(&'e Self) -> bool) {
        for element in self.elements() {
            if visit(element) {
                element.each(visit);
            }
        }
    }

    /// Returns the text inside, without tags, on one line.
    pub(crate) fn words(&self) -> String {
        self.text().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the text directly inside, without that of inner elements.
    pub(crate) fn own_text(&self) -> String {
        let own = self.children.iter().filter_map(|node| match node {
            Node::Text(text) => Some(decoded(text)),
            Node::Element(_) => None,
        });
        own.collect()
    }

    /// Returns the text inside, without tags, with its line breaks.
    pub(crate) fn text(&self) -> String {
        self.text_but(&mut |_| None)
    }

    /// Does the same, with other texts in place of elements for which a function returns one.
    pub(crate) fn text_but(&self, other: &mut dyn FnMut(&Self) -> Option<String>) -> String {
        let mut text = String::new();
        self.add_text(other, &mut text);
        text
    }

    fn add_text(&self, other: &mut dyn FnMut(&Self) -> Option<String>, out: &mut String) {
        for node in &self.children {
            let element = match node {
                Node::Text(text) => {
                    out.push_str(&decoded(text));
                    continue;
                }
                Node::Element(element) => element,
            };
            match other(element) {
                Some(text) => out.push_str(&text),
                None if element.name == "br" => out.push('\n'),
                None if RAW.contains(&element.name.as_str()) => {}
                None => element.add_text(other, out),
            }
        }
    }
}

fn add<'t>(open: &mut [Element<'t>], node: Node<'t>) {
    if let Some(last) = open.last_mut() {
        last.children.push(node);
    }
}

/// Closes the open elements from this one on.
fn close(open: &mut Vec<Element<'_>>, from: usize) {
    while open.len() > from {
        let Some(element) = open.pop() else { return };
        add(open, Node::Element(element));
    }
}

#[cfg(test)]
mod tests {
    use super::Element;

    #[test]
    fn elements_are_closed_as_browsers_close_them() {
        let page = "<div class='a b'>x<br>y<span>z</div></p><div class=c>w<script>if (a<b) '</div>'</script></div>";
        let root = Element::parse(page);
        assert_eq!(root.find("b a").map(Element::text).as_deref(), Some("x\nyz"));
        assert_eq!(root.elements().count(), 2);
        assert_eq!(
            root.child("c").map(|element| element.start_in(page)),
            page.find("<div class=c")
        );
    }

    #[test]
    fn odd_pages_take_linear_time() {
        for part in ["<a>", "<a", "</a>", "<a><b></a>", "<script>", "<!--", "<br"] {
            Element::parse(&part.repeat(200_000));
        }
    }
}
