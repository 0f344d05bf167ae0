//! What a page says to programs: its links, and what stands in its head.

/// A tag with its attributes.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

impl<'a> Tag<'a> {
    fn get(&self, name: &str) -> Option<&'a str> {
        let mut all = self.attributes.iter();
        all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }
}

/// What was found on a page.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Facts {
    /// The content of `<title>`.
    pub(super) title: String,
    /// What search engines show below it.
    pub(super) description: String,
    /// The address that it says is its own.
    pub(super) canonical: Option<String>,
    /// Whether search engines are asked not to list it.
    pub(super) is_unlisted: bool,
    /// Addresses that a reader can go to.
    pub(super) links: Vec<String>,
    /// Addresses of what it loads.
    pub(super) loads: Vec<String>,
}

impl Facts {
    /// Reads a page as templates write it.
    pub(super) fn of(html: &str) -> Self {
        let mut facts = Self::default();
        let mut rest = html;
        while let Some((tag, after)) = next(rest) {
            rest = after;
            match tag.name.to_ascii_lowercase().as_str() {
                "title" if facts.title.is_empty() => {
                    let end = after.find("</").unwrap_or(after.len());
                    facts.title = text(&after[..end]);
                }
                "meta" => {
                    let content = text(tag.get("content").unwrap_or_default());
                    match tag.get("name") {
                        Some("description") => facts.description = content,
                        Some("robots") => facts.is_unlisted = content.contains("noindex"),
                        _ => {}
                    }
                }
                "link" => facts.link(&tag),
                "a" => facts.links.extend(tag.get("href").map(text)),
                "img" | "script" | "audio" | "video" | "source" => {
                    facts.loads.extend(tag.get("src").map(text));
                }
                _ => {}
            }
            // What stands in a script is no HTML.
            if tag.name.eq_ignore_ascii_case("script") {
                rest = rest.find("</script").map_or("", |end| &rest[end..]);
            }
        }
        facts
    }

    fn link(&mut self, tag: &Tag<'_>) {
        let Some(address) = tag.get("href").map(text) else { return };
        match tag.get("rel") {
            Some("canonical") => self.canonical = Some(address),
            _ => self.loads.push(address),
        }
    }
}

/// The next tag, and what comes after it.
fn next(html: &str) -> Option<(Tag<'_>, &str)> {
    let mut rest = html;
    loop {
        let at = rest.find('<')?;
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end..]);
        } else if rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            break;
        }
    }
    let end = rest.find(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/');
    let (name, mut rest) = rest.split_at(end.unwrap_or(rest.len()));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            return Some((Tag { name, attributes }, after));
        }
        if rest.is_empty() {
            return Some((Tag { name, attributes }, rest));
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace() || "=>/".contains(c));
        // A `=` where a name should be is taken for one.
        let end = end.unwrap_or(rest.len()).max(usize::from(rest.starts_with('=')));
        let (key, after) = rest.split_at(end);
        rest = after.trim_start();
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = value_of(after.trim_start());
        }
        attributes.push((key, value));
    }
}

fn value_of(text: &str) -> (&str, &str) {
    for mark in ['"', '\''] {
        if let Some(inside) = text.strip_prefix(mark) {
            return inside.split_once(mark).unwrap_or((inside, ""));
        }
    }
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '>');
    text.split_at(end.unwrap_or(text.len()))
}

/// Text with the references resolved that templates write.
fn text(html: &str) -> String {
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'")];
    let text = names
        .into_iter()
        .fold(html.trim().to_owned(), |text, (name, meant)| text.replace(name, meant));
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::Facts;

    #[test]
    fn a_page_is_read_as_it_is_written() {
        let page = r#"<!doctype html><head><title>a &amp; b</title>
            <meta name=description content='x > "y"'><META NAME="robots" CONTENT="noindex, follow">
            <link rel="canonical" href="https://a.example/x?a=1&amp;b"><link rel=icon href="/i.svg">
            <script type="application/ld+json">{"a": "<a href='/no'>"}</script></head>
            <!-- <a href="/no"> --><a class="x" href="/yes/"hidden>y</a><a>z</a><img alt="<a href='/no'>" src=/p.png />"#;
        let facts = Facts::of(page);
        let expected = Facts {
            title: "a & b".into(),
            description: "x > \"y\"".into(),
            canonical: Some("https://a.example/x?a=1&b".into()),
            is_unlisted: true,
            links: vec!["/yes/".into()],
            loads: vec!["/i.svg".into(), "/p.png".into()],
        };
        assert_eq!(facts, expected);
    }

    #[test]
    fn what_ends_in_the_middle_is_no_harm() {
        for page in [
            "<",
            "<a",
            "<a href",
            "<a href=",
            "<a href=\"x",
            "<!--",
            "<a = =>",
            "<a ==\"",
            "<script>",
        ] {
            Facts::of(page);
        }
    }
}
