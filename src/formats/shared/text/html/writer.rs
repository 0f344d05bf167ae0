//! Writes Markdown for HTML tags and texts.

use super::escape::{collapsed, escape};
use super::token::{attribute, name};
use super::tree::EMPTY;
use crate::shared::text::entities::decoded;

/// Elements whose content is not visible.
const UNSEEN: [&str; 10] = [
    "script", "style", "template", "noscript", "head", "title", "iframe", "object", "textarea",
    "svg",
];

/// An open list.
struct List {
    /// Whether it already has an item.
    is_begun: bool,
    /// The number of the next item of an ordered list.
    number: Option<u32>,
}

/// Converts tags and texts to Markdown.
#[derive(Default)]
pub(super) struct Writer {
    out: String,
    lists: Vec<List>,
    /// The content of an open `<pre>`: the text before its `<code>`, and the code.
    code: Option<(String, Option<String>)>,
    language: String,
    /// The URLs of the open links.
    links: Vec<Option<String>>,
    quotes: usize,
    /// Whether a list item or quotation has started and is still empty.
    is_begun: bool,
    /// Whether anything was quoted.
    was_quoted: bool,
    cells: usize,
    is_table_head: bool,
    is_first_row: bool,
    /// Whether an inline code span is open.
    is_code_span: bool,
    /// The open element whose content is not visible.
    unseen: Option<String>,
    /// The number of open lists that are nested deeper than [`MAX_DEPTH`].
    too_deep: usize,
}

/// The maximum nesting depth of lists.
const MAX_DEPTH: usize = 20;

impl Writer {
    /// Adds a text between tags.
    pub(super) fn text(&mut self, text: &str) {
        if self.unseen.is_some() {
            return;
        }
        let text = decoded(text);
        if let Some((label, code)) = &mut self.code {
            match code {
                Some(code) => code.push_str(&text),
                None => label.push_str(&text),
            }
            return;
        }
        let text = collapsed(&text);
        let starts_line = self.is_begun || self.out.is_empty() || self.out.ends_with('\n');
        let text = if starts_line { text.trim_start() } else { &text };
        if text.is_empty() {
            return;
        }
        self.is_begun = false;
        let quoted;
        let text = match self.quotes {
            0 => text,
            _ => {
                quoted = text.replace('\n', " ");
                &quoted
            }
        };
        match self.is_code_span {
            true => self.out.push_str(&text.replace('`', "'")),
            false => escape(text, starts_line, &mut self.out),
        }
    }

    /// Adds a tag.
    pub(super) fn tag(&mut self, tag: &str) {
        let (name, is_end) = name(tag);
        if let Some(unseen) = &self.unseen {
            if is_end && name == *unseen {
                self.unseen = None;
            }
            return;
        }
        if !is_end && UNSEEN.contains(&name.as_str()) && !tag.ends_with('/') {
            self.unseen = Some(name);
            return;
        }
        // The caption that forums add to linked images.
        let is_caption = || attribute(tag, "class").is_some_and(|class| class == "meta");
        if !is_end && name == "div" && !self.links.is_empty() && is_caption() {
            self.unseen = Some(name);
            return;
        }
        let is_end = is_end && !EMPTY.contains(&name.as_str());
        if self.code.is_some() && !["pre", "code"].contains(&name.as_str()) {
            return;
        }
        let is_begun = std::mem::take(&mut self.is_begun);
        match (name.as_str(), is_end) {
            ("p" | "div" | "section", _) => {
                // The text of an item starts on the line of its marker.
                let is_item = is_begun && !is_end;
                self.is_begun = is_item;
                if !is_item {
                    self.blank();
                }
            }
            ("br", _) => {
                self.out.push_str("  \n");
                self.quote();
            }
            ("hr", _) => {
                self.blank();
                self.out.push_str("---");
                self.blank();
            }
            ("strong" | "b", _) => self.out.push_str("**"),
            ("em" | "i", _) => self.out.push('*'),
            ("pre", false) => {
                self.blank();
                self.code = Some((String::new(), None));
                self.language.clear();
            }
            ("pre", true) => self.end_code(),
            ("code", false) => match &mut self.code {
                Some((_, code)) => {
                    self.language = language(tag);
                    *code = Some(String::new());
                }
                None if self.is_code_span => {}
                None => {
                    self.is_code_span = true;
                    self.out.push('`');
                }
            },
            ("code", true) if self.is_code_span => {
                self.is_code_span = false;
                self.out.push('`');
            }
            ("code", true) => {}
            // Lists that are nested too deeply continue the innermost list.
            ("ul" | "ol", false) if self.lists.len() >= MAX_DEPTH => self.too_deep += 1,
            ("ul" | "ol", true) if self.too_deep > 0 => self.too_deep -= 1,
            ("ul" | "ol", false) => {
                if self.lists.is_empty() {
                    self.blank();
                } else {
                    self.line();
                }
                let start = attribute(tag, "start").and_then(|start| start.parse().ok());
                let number = (name == "ol").then_some(start.unwrap_or(1));
                self.lists.push(List { is_begun: false, number });
            }
            ("ul" | "ol", true) => {
                self.lists.pop();
                if self.lists.is_empty() {
                    self.blank();
                }
            }
            ("li", false) => {
                // Keeps the blank line above the first item.
                let is_first = self.lists.iter().all(|list| !list.is_begun);
                if !is_first {
                    self.line();
                }
                self.lists.iter_mut().for_each(|list| list.is_begun = true);
                let indent = "   ".repeat(self.lists.len().saturating_sub(1));
                self.out.push_str(&indent);
                match self.lists.last_mut().and_then(|list| list.number.as_mut()) {
                    Some(number) => {
                        self.out.push_str(&format!("{number}. "));
                        *number += 1;
                    }
                    None => self.out.push_str("- "),
                }
                self.is_begun = true;
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                self.blank();
                let level = name[1..].parse().unwrap_or(2);
                self.out.push_str(&"#".repeat(level));
                self.out.push(' ');
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", true) => self.blank(),
            ("a", false) => {
                // Relative URLs of the original site, such as `/u/ada`, would not work.
                let address = attribute(tag, "href")
                    .filter(|address| !address.is_empty() && !address.starts_with(['/', '#']));
                self.out.push_str(if address.is_some() { "[" } else { "" });
                self.links.push(address);
            }
            ("a", true) => {
                let Some(Some(address)) = self.links.pop() else { return };
                self.out.push_str(&format!("](<{}>)", address.replace(['<', '>', '\n'], "")));
            }
            ("img", false) => {
                let text = attribute(tag, "alt").unwrap_or_default();
                let address = attribute(tag, "src").unwrap_or_default();
                self.out
                    .push_str(&format!("![{text}](<{}>)", address.replace(['<', '>', '\n'], "")));
            }
            ("blockquote", false) => {
                self.blank();
                if self.quotes < MAX_DEPTH {
                    self.quotes += 1;
                    self.out.push_str("> ");
                }
                (self.was_quoted, self.is_begun) = (true, true);
            }
            ("blockquote", true) => {
                self.quotes = self.quotes.saturating_sub(1);
                self.blank();
            }
            ("table", _) => {
                self.blank();
                self.is_first_row = true;
            }
            ("thead", false) => self.is_table_head = true,
            ("tr", false) => {
                if !std::mem::take(&mut self.is_first_row) {
                    self.line();
                }
                self.cells = 0;
            }
            ("td" | "th", false) => self.out.push_str("| "),
            ("td" | "th", true) => {
                self.out.push(' ');
                self.cells += 1;
            }
            ("tr", true) => {
                self.out.push('|');
                if std::mem::take(&mut self.is_table_head) {
                    self.out.push('\n');
                    self.out.push_str(&"|---".repeat(self.cells));
                    self.out.push('|');
                }
            }
            _ => {}
        }
    }

    /// Starts a new line.
    fn line(&mut self) {
        loop {
            let end = self.out.trim_end_matches([' ', '\n']).len();
            self.out.truncate(end);
            // Remove an empty line of a quotation.
            let marks = self.out.trim_end_matches(['>', ' ']).len();
            let is_bare = self.quotes > 0 || self.was_quoted;
            let is_line = marks == 0 || self.out[..marks].ends_with('\n');
            if !is_bare || marks == end || !is_line {
                break;
            }
            self.out.truncate(marks);
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.quote();
    }

    /// Starts a new paragraph.
    fn blank(&mut self) {
        self.line();
        if self.out.trim_end_matches(['>', ' ']).is_empty() {
            return;
        }
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
        self.quote();
    }

    /// Writes the marks before each line of a quotation.
    fn quote(&mut self) {
        for _ in 0..self.quotes {
            self.out.push_str("> ");
        }
    }

    fn end_code(&mut self) {
        let Some((label, code)) = self.code.take() else { return };
        // The language and a button are shown above the code.
        let label = label.trim();
        let label = label.strip_suffix("Copy code").unwrap_or(label).trim();
        let (info, code) = match code {
            Some(code) if self.language.is_empty() && !label.contains(char::is_whitespace) => {
                (label.to_owned(), code)
            }
            Some(code) => (self.language.clone(), code),
            None => (String::new(), label.to_owned()),
        };
        let code = code.trim_end_matches('\n');
        let fenced = convo_base::model::fenced(&info, code);
        for (number, line) in fenced.split('\n').enumerate() {
            if number > 0 {
                self.out.push('\n');
                self.quote();
            }
            self.out.push_str(line);
        }
        self.blank();
    }

    /// Returns the Markdown.
    pub(super) fn finish(mut self) -> String {
        self.end_code();
        self.out.truncate(self.out.trim_end().len());
        self.out
    }
}

/// Returns the language from the class of a `<code>` element.
fn language(tag: &str) -> String {
    let class = attribute(tag, "class").unwrap_or_default();
    let found = class.split_whitespace().find_map(|word| word.strip_prefix("language-"));
    found.unwrap_or_default().to_owned()
}
