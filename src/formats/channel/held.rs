//! Links that are held while the words around them become Markdown.

use super::marks;

/// What stands around the number of a link among words.
const HELD: [char; 2] = ['\u{f8f0}', '\u{f8f1}'];

/// Words with the marks of messengers, and links among them.
#[derive(Debug, Default)]
pub(crate) struct HeldLinks {
    /// The words so far.
    pub(crate) words: String,
    links: Vec<String>,
}

impl HeldLinks {
    /// Adds words.
    pub(crate) fn say(&mut self, words: &str) {
        self.words.push_str(&words.replace(HELD, ""));
    }

    /// Adds a link, or whatever else is Markdown already.
    pub(crate) fn put(&mut self, markdown: String) {
        self.words.push_str(&format!("{}{}{}", HELD[0], self.links.len(), HELD[1]));
        self.links.push(markdown);
    }

    /// Returns all of it as Markdown.
    pub(crate) fn finish(self) -> String {
        let markdown = marks::to_markdown(&self.words);
        let mut out = String::with_capacity(markdown.len());
        let mut rest = markdown.as_str();
        while let Some((before, behind)) = rest.split_once(HELD[0]) {
            out.push_str(before);
            let (number, behind) = behind.split_once(HELD[1]).unwrap_or((behind, ""));
            let link = number.parse().ok();
            let link = link.and_then(|number: usize| self.links.get(number));
            let link = link.map_or("", String::as_str);
            // With the mark before it a link would be a picture.
            if link.starts_with('[') && out.ends_with('!') {
                out.pop();
                out.push_str("\\!");
            }
            out.push_str(link);
            rest = behind;
        }
        out.push_str(rest);
        out
    }
}
