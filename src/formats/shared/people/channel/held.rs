//! Links that are set aside while the text around them is converted to Markdown.

use super::marks;

/// The characters around the number of a link in the text.
const HELD: [char; 2] = ['\u{f8f0}', '\u{f8f1}'];

/// Text in messenger markup, with links in it.
#[derive(Debug, Default)]
pub(crate) struct HeldLinks {
    /// The text so far.
    pub(crate) words: String,
    links: Vec<String>,
}

impl HeldLinks {
    /// Adds text.
    pub(crate) fn push_text(&mut self, words: &str) {
        self.words.push_str(&words.replace(HELD, ""));
    }

    /// Adds a link or other finished Markdown.
    pub(crate) fn put(&mut self, markdown: String) {
        self.words.push_str(&format!("{}{}{}", HELD[0], self.links.len(), HELD[1]));
        self.links.push(markdown);
    }

    /// Returns everything as Markdown.
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
            // A preceding `!` would turn the link into a picture.
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
