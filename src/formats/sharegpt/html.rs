//! HTML of the oldest data sets, which were copied from pages, as Markdown.

/// Returns Markdown for an answer that is HTML as a whole; any other text as it is.
pub(super) fn to_markdown(said: String) -> String {
    let bare = said.trim();
    let is_html = bare.starts_with("<div class=\"markdown")
        || bare.starts_with("<p>") && bare.ends_with("</p>")
        || bare.starts_with("<p>") && bare.ends_with("</div>");
    if !is_html {
        return said;
    }
    let mut writer = Writer::default();
    let mut rest = bare;
    while let Some((text, behind)) = rest.split_once('<') {
        writer.text(text);
        let is_tag =
            behind.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        match behind.find('>').filter(|_| is_tag) {
            Some(end) => {
                writer.tag(&behind[..end]);
                rest = &behind[end + 1..];
            }
            None => {
                writer.text("<");
                rest = behind;
            }
        }
    }
    writer.text(rest);
    writer.finish()
}

/// A list that is open.
struct List {
    /// Whether it has an item.
    is_begun: bool,
    /// The number of the next item of an ordered list.
    number: Option<u32>,
}

#[derive(Default)]
struct Writer {
    out: String,
    lists: Vec<List>,
    /// What stands in a `<pre>`, and in the `<code>` in it.
    code: Option<(String, Option<String>)>,
    language: String,
    /// The addresses of the links that are open.
    links: Vec<String>,
    quotes: usize,
    cells: usize,
    is_table_head: bool,
    is_first_row: bool,
}

impl Writer {
    fn text(&mut self, text: &str) {
        let text = decoded(text);
        if let Some((label, code)) = &mut self.code {
            match code {
                Some(code) => code.push_str(&text),
                None => label.push_str(&text),
            }
            return;
        }
        let starts_line = self.out.is_empty() || self.out.ends_with('\n');
        let text = if starts_line { text.trim_start() } else { &text };
        self.out.push_str(text);
    }

    fn tag(&mut self, tag: &str) {
        let (is_end, tag) = match tag.strip_prefix('/') {
            Some(tag) => (true, tag),
            None => (false, tag),
        };
        let name: String = tag
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_ascii_lowercase();
        if self.code.is_some() && !["pre", "code"].contains(&name.as_str()) {
            return;
        }
        match (name.as_str(), is_end) {
            ("p" | "div" | "section", _) => {
                // The first words of an item stand on its line.
                let is_item = self.out.ends_with("- ") || self.out.ends_with(". ");
                if !is_item {
                    self.blank();
                }
            }
            ("br", _) => self.out.push_str("  \n"),
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
                None => self.out.push('`'),
            },
            ("code", true) if self.code.is_none() => self.out.push('`'),
            ("code", true) => {}
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
                // Above the first item of all a line stays blank.
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
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                self.blank();
                let level = name[1..].parse().unwrap_or(2);
                self.out.push_str(&"#".repeat(level));
                self.out.push(' ');
            }
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", true) => self.blank(),
            ("a", false) => {
                self.out.push('[');
                self.links.push(attribute(tag, "href").unwrap_or_default());
            }
            ("a", true) => {
                let address = self.links.pop().unwrap_or_default();
                self.out
                    .push_str(&format!("](<{}>)", address.replace(['<', '>', '\n'], "")));
            }
            ("img", false) => {
                let text = attribute(tag, "alt").unwrap_or_default();
                let address = attribute(tag, "src").unwrap_or_default();
                self.out.push_str(&format!(
                    "![{text}](<{}>)",
                    address.replace(['<', '>', '\n'], "")
                ));
            }
            ("blockquote", false) => {
                self.blank();
                self.quotes += 1;
                self.out.push_str("> ");
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
        let end = self.out.trim_end_matches([' ', '\n']).len();
        self.out.truncate(end);
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Starts a new paragraph.
    fn blank(&mut self) {
        self.line();
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn end_code(&mut self) {
        let Some((label, code)) = self.code.take() else { return };
        // Above the code stands its language, and a button.
        let label = label.trim();
        let label = label.strip_suffix("Copy code").unwrap_or(label).trim();
        let (info, code) = match code {
            Some(code)
                if self.language.is_empty() && !label.contains(char::is_whitespace) =>
            {
                (label.to_owned(), code)
            }
            Some(code) => (self.language.clone(), code),
            None => (String::new(), label.to_owned()),
        };
        let code = code.trim_end_matches('\n');
        self.out.push_str(&crate::model::fenced(&info, code));
        self.blank();
    }

    fn finish(mut self) -> String {
        self.end_code();
        self.out.truncate(self.out.trim_end().len());
        self.out
    }
}

/// Returns the language of the class of a `<code>`.
fn language(tag: &str) -> String {
    let class = attribute(tag, "class").unwrap_or_default();
    let found = class.split_whitespace().find_map(|word| word.strip_prefix("language-"));
    found.unwrap_or_default().to_owned()
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split('"').next().map(decoded)
}

/// Replaces the entities that such pages have.
fn decoded(text: &str) -> String {
    const ENTITIES: [(&str, &str); 8] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    let mut out = text.to_owned();
    if out.contains('&') {
        for (entity, text) in ENTITIES {
            out = out.replace(entity, text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::to_markdown;

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(to_markdown(html.to_owned()), expected);
    }

    #[test]
    fn pages_become_markdown() {
        check(
            "<p>One &amp; <strong>two</strong>.</p><p>Three</p>",
            "One & **two**.\n\nThree",
        );
        check(
            "<div class=\"markdown prose\"><p>Do:</p><ol><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ol><p>End</p></div>",
            "Do:\n\n1. a\n2. b\n   - c\n\nEnd",
        );
        check(
            "<p>x</p><pre><div>rust<button>Copy code</button></div><code class=\"!whitespace-pre hljs\">let a = <span>1</span> &lt; 2;\n</code></pre></div>",
            "x\n\n```rust\nlet a = 1 < 2;\n```",
        );
        check(
            "<p><a href=\"https://example.org/a\">here</a> or <code>there</code></p>",
            "[here](<https://example.org/a>) or `there`",
        );
        check(
            "<p>t</p><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>",
            "t\n\n| A | B |\n|---|---|\n| 1 | 2 |",
        );
    }

    #[test]
    fn what_is_no_page_stays() {
        for text in ["<p> is a tag", "Use <div> here.", "a < b", "<b>x</b>"] {
            check(text, text);
        }
    }
}
