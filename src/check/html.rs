//! Extracts the links, loaded files and metadata of a page.

use html5gum::{StartTag, State, Token, Tokenizer};

use super::policy::{Kind, Wanted};

/// The facts about a page.
#[derive(Default, Debug, PartialEq)]
pub(super) struct Facts {
    /// The content of `<title>`.
    pub(super) title: String,
    /// The description for search engines.
    pub(super) description: String,
    /// The canonical URL.
    pub(super) canonical: Option<String>,
    /// Whether it has `noindex`.
    pub(super) is_unlisted: bool,
    /// URLs of links.
    pub(super) links: Vec<String>,
    /// URLs of loaded files.
    pub(super) loads: Vec<String>,
    /// The first Content-Security-Policy.
    pub(super) policy: Option<String>,
    /// The files, scripts and styles that the policy must allow.
    pub(super) wanted: Vec<Wanted>,
}

impl Facts {
    /// Parses a page like a browser.
    pub(super) fn of(html: &str) -> Self {
        let mut tokenizer = Tokenizer::new(html);
        let mut facts = Self::default();
        let mut is_title = false;
        // In SVG and MathML, elements such as `<title>` contain markup.
        let mut foreign = 0_usize;
        while let Some(Ok(token)) = tokenizer.next() {
            match token {
                Token::StartTag(tag) => {
                    let is_foreign = matches!(&**tag.name, b"svg" | b"math");
                    foreign += usize::from(is_foreign && !tag.self_closing);
                    let state = content_state(&tag.name).filter(|_| foreign == 0);
                    is_title = state.is_some() && *tag.name == *b"title" && facts.title.is_empty();
                    if let Some(state) = state {
                        tokenizer.set_state(state);
                    }
                    facts.tag(&tag);
                }
                Token::String(text) if is_title => facts.title.push_str(&utf8(&text)),
                Token::EndTag(tag) => {
                    is_title = false;
                    let is_foreign = matches!(&**tag.name, b"svg" | b"math");
                    foreign = foreign.saturating_sub(usize::from(is_foreign));
                }
                _ => {}
            }
        }
        facts.title = facts.title.trim().to_owned();
        facts
    }

    fn tag(&mut self, tag: &StartTag<()>) {
        let get = |name: &str| {
            let value = tag.attributes.get(name.as_bytes())?;
            Some(utf8(value).trim().to_owned())
        };
        for name in tag.attributes.keys() {
            match &***name {
                b"style" => self.wanted.push(Wanted::StyleInPage),
                [b'o', b'n', _, ..] => self.wanted.push(Wanted::ScriptInPage),
                _ => {}
            }
        }
        let file = |kind: Kind, name: &str| get(name).map(|address| Wanted::File(kind, address));
        self.wanted.extend(match &**tag.name {
            b"script" if !is_script(get("type").as_deref()) => None,
            b"script" => Some(file(Kind::Script, "src").unwrap_or(Wanted::ScriptInPage)),
            b"style" => Some(Wanted::StyleInPage),
            b"link" if get("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("stylesheet")) => {
                file(Kind::Style, "href")
            }
            b"img" => file(Kind::Image, "src"),
            b"audio" | b"video" | b"source" => file(Kind::Media, "src"),
            b"iframe" => file(Kind::Frame, "src"),
            _ => None,
        });
        match &**tag.name {
            b"meta" => {
                let content = get("content").unwrap_or_default();
                let is_policy = get("http-equiv")
                    .is_some_and(|name| name.eq_ignore_ascii_case("content-security-policy"));
                if is_policy && self.policy.is_none() {
                    self.policy = Some(content.clone());
                }
                match get("name").as_deref() {
                    Some("description") => self.description = content,
                    Some("robots") => self.is_unlisted = content.contains("noindex"),
                    _ => {}
                }
            }
            b"link" => match get("rel").as_deref() {
                Some("canonical") => {
                    self.canonical = get("href").or(self.canonical.take());
                }
                _ => self.loads.extend(get("href")),
            },
            b"a" => self.links.extend(get("href")),
            b"img" | b"script" | b"audio" | b"video" | b"source" => {
                self.loads.extend(get("src"));
            }
            _ => {}
        }
    }
}

/// Returns whether a browser runs a script of this type; others contain data.
fn is_script(kind: Option<&str>) -> bool {
    let Some(kind) = kind.map(str::to_ascii_lowercase) else { return true };
    kind.is_empty() || kind == "module" || kind.ends_with("javascript")
}

/// Returns the tokenizer state for the content of an element that does not contain markup.
fn content_state(name: &[u8]) -> Option<State> {
    Some(match name {
        b"title" | b"textarea" => State::RcData,
        b"script" => State::ScriptData,
        b"style" | b"iframe" | b"xmp" | b"noembed" | b"noframes" => State::RawText,
        _ => return None,
    })
}

fn utf8(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Facts, Kind, Wanted};

    #[test]
    fn a_page_is_read_as_it_is_written() {
        let page = r#"<!doctype html><head><title>a &amp; b</title>
            <meta name=description content='x > "y"'><META NAME="robots" CONTENT="noindex, follow">
            <link rel="canonical" href="https://a.example/x?a=1&amp;b"><link rel=icon href="/i.svg">
            <script type="application/ld+json">{"a": "<a href='/no'>"}</script></head>
            <noscript><a href="/plain/">p</a></noscript><svg><title>no</title><style/></svg>
            <style>"<a href='/no'>"</style><!-- <a href="/no"> --><a class="x" href="/yes/"hidden>y</a><a>z</a><img alt="<a href='/no'>" src=/p.png />"#;
        let facts = Facts::of(page);
        let expected = Facts {
            title: "a & b".into(),
            description: "x > \"y\"".into(),
            canonical: Some("https://a.example/x?a=1&b".into()),
            is_unlisted: true,
            links: vec!["/plain/".into(), "/yes/".into()],
            loads: vec!["/i.svg".into(), "/p.png".into()],
            policy: None,
            wanted: vec![
                Wanted::StyleInPage,
                Wanted::StyleInPage,
                Wanted::File(Kind::Image, "/p.png".into()),
            ],
        };
        assert_eq!(facts, expected);
    }

    #[test]
    fn truncated_pages_are_read() {
        for page in [
            "<", "<a", "<a href", "<a href=", "<a href=\"x", "<!--", "<a = =>", "<a ==\"",
            "<script>",
        ] {
            Facts::of(page);
        }
    }
}
