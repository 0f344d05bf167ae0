//! Rewrites the HTML of a page, so that it needs no other file.

use html5gum::{StartTag, State, Token, Tokenizer};

use super::policy::Policy;
use crate::outputs::media_type;
use crate::text::{base64_encode, percent_decode};

/// Classes of elements that only lead to other pages.
const OMITTED: [&str; 2] = ["pager", "trail"];
/// Elements without an end tag.
const VOID: [&str; 8] = ["br", "col", "hr", "img", "input", "link", "meta", "wbr"];
/// The place of the policy while the page is rewritten. A control character cannot be in a page.
const POLICY: &str = "\u{1}policy\u{1}";

/// Returns the content of an output file by its path.
type Get<'a> = &'a mut dyn FnMut(&str) -> Option<Vec<u8>>;

pub(super) struct Rewriter<'a> {
    /// The path of the page.
    page: &'a str,
    get: Get<'a>,
    policy: Policy,
    out: String,
    /// The element that is omitted, and how many elements of that name are open.
    omitted: Option<(String, usize)>,
    /// Whether the main part of the page has begun. Above it is the menu of the site.
    is_in_main: bool,
    /// Whether the text is that of a script or style sheet, which has no escapes.
    is_raw: bool,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(page: &'a str, get: Get<'a>) -> Self {
        let policy = Policy::default();
        let out = String::new();
        Self { page, get, policy, out, omitted: None, is_in_main: false, is_raw: false }
    }

    pub(super) fn rewrite(mut self, html: &str) -> String {
        let mut tokenizer = Tokenizer::new(html);
        while let Some(Ok(token)) = tokenizer.next() {
            match token {
                Token::StartTag(tag) => {
                    let name = utf8(&tag.name);
                    self.is_raw = matches!(name.as_str(), "script" | "style");
                    match name.as_str() {
                        "script" => tokenizer.set_state(State::ScriptData),
                        "style" => tokenizer.set_state(State::RawText),
                        "title" if !self.is_in_main => {
                            tokenizer.set_state(State::RcData);
                        }
                        _ => {}
                    }
                    self.start(&name, &tag);
                }
                Token::EndTag(tag) => self.end(&utf8(&tag.name)),
                Token::String(text) if self.omitted.is_none() => {
                    let text = utf8(&text);
                    let text = if self.is_raw { text } else { escaped(&text) };
                    self.out.push_str(&text);
                }
                Token::Doctype(_) => self.out.push_str("<!doctype html>"),
                Token::String(_) | Token::Comment(_) | Token::Error(_) => {}
            }
        }
        self.out.replace(POLICY, &escaped(&self.policy.text()))
    }

    fn start(&mut self, name: &str, tag: &StartTag<()>) {
        if let Some((omitted, depth)) = &mut self.omitted {
            *depth += usize::from(omitted == name && !tag.self_closing);
            return;
        }
        let mut attributes: Vec<(String, String)> =
            tag.attributes.iter().map(|(name, value)| (utf8(name), utf8(value))).collect();
        let get = |name: &str| {
            let found = attributes.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone())
        };
        self.is_in_main |= name == "main";
        let class = get("class").unwrap_or_default();
        let is_omitted = class.split_whitespace().any(|class| OMITTED.contains(&class));
        match name {
            "form" | "audio" | "video" | "iframe" => return self.omit(name),
            "nav" if !self.is_in_main => return self.omit(name),
            _ if is_omitted => return self.omit(name),
            "link" => return self.link(&get),
            "script" => match get("src") {
                Some(url) => return self.script(&url, &attributes),
                None if get("type").as_deref() != Some("application/ld+json") => {
                    return self.omit(name);
                }
                None => {}
            },
            "meta" => match get("http-equiv") {
                Some(header) if header.eq_ignore_ascii_case("content-security-policy") => {
                    for (_, value) in attributes.iter_mut().filter(|(name, _)| name == "content") {
                        *value = POLICY.to_owned();
                    }
                }
                // Values of other pages.
                _ if get("content").is_some_and(|content| content.starts_with('/')) => return,
                _ => {}
            },
            _ => {}
        }
        attributes.retain_mut(|(name, value)| self.keep(name, value));
        self.out.push('<');
        self.out.push_str(name);
        for (name, value) in attributes {
            self.out.push_str(&format!(" {name}=\"{}\"", escaped(&value).replace('"', "&quot;")));
        }
        self.out.push_str(if tag.self_closing { "/>" } else { ">" });
    }

    fn end(&mut self, name: &str) {
        self.is_raw = false;
        match &mut self.omitted {
            Some((omitted, depth)) if omitted == name => {
                *depth -= 1;
                if *depth == 0 {
                    self.omitted = None;
                }
            }
            Some(_) => {}
            None => self.out.push_str(&format!("</{name}>")),
        }
    }

    fn omit(&mut self, name: &str) {
        if !VOID.contains(&name) {
            self.omitted = Some((name.to_owned(), 1));
        }
    }

    /// Embeds a style sheet or an icon; other links lead to other files.
    fn link(&mut self, get: &dyn Fn(&str) -> Option<String>) {
        let (rel, url) = (get("rel").unwrap_or_default(), get("href").unwrap_or_default());
        let Some(path) = self.path_of(&url) else { return };
        match rel.as_str() {
            "stylesheet" => {
                let Some(bytes) = (self.get)(&path) else { return };
                let text = self.with_pictures(&String::from_utf8_lossy(&bytes), &path);
                self.policy.allow_style(&text);
                self.out.push_str(&format!("<style>{text}</style>"));
            }
            "icon" => {
                if let Some(data) = self.data_url(&url) {
                    self.out.push_str(&format!("<link rel=\"icon\" href=\"{data}\">"));
                }
            }
            _ => {}
        }
    }

    /// Embeds a script with its data.
    fn script(&mut self, url: &str, attributes: &[(String, String)]) {
        let bytes = self.path_of(url).and_then(|path| (self.get)(&path));
        if let Some(bytes) = bytes {
            let text = String::from_utf8_lossy(&bytes).replace("</script", "<\\/script");
            self.policy.allow_script(&text);
            let data = attributes.iter().filter(|(name, _)| name.starts_with("data-"));
            let data = data.map(|(name, value)| {
                format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;"))
            });
            self.out.push_str(&format!("<script{}>{text}</script>", data.collect::<String>()));
        }
        self.omit("script");
    }

    /// Rewrites a URL, and returns whether the attribute stays.
    fn keep(&mut self, name: &str, value: &mut String) -> bool {
        match name {
            "href" => {
                let own = value.strip_prefix('/').and_then(|url| url.split_once('#'));
                match own {
                    // The page itself.
                    Some((page, anchor)) if self.page.strip_suffix("index.html") == Some(page) => {
                        *value = format!("#{anchor}");
                        true
                    }
                    _ => self.path_of(value).is_none(),
                }
            }
            "src" | "poster" => match self.data_url(value) {
                Some(data) => {
                    *value = data;
                    true
                }
                None => value.starts_with("data:"),
            },
            "srcset" | "action" | "download" | "itemid" | "cite" => self.path_of(value).is_none(),
            _ => true,
        }
    }

    /// Embeds the pictures of a style sheet.
    fn with_pictures(&mut self, style: &str, path: &str) -> String {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let mut out = String::with_capacity(style.len());
        let mut rest = style;
        while let Some((before, behind)) = rest.split_once("url(") {
            let Some((url, after)) = behind.split_once(')') else { break };
            let bare = url.trim_matches(['"', '\'', ' ']);
            let path = match bare.strip_prefix('/') {
                Some(path) => path.to_owned(),
                None => format!("{folder}/{bare}"),
            };
            let data = (!bare.starts_with("data:")).then(|| (self.get)(&path)).flatten();
            out.push_str(before);
            match data {
                Some(bytes) => out.push_str(&format!("url({})", data_url(&path, &bytes))),
                None => out.push_str(&format!("url({url})")),
            }
            rest = after;
        }
        out + rest
    }

    fn data_url(&mut self, url: &str) -> Option<String> {
        let path = self.path_of(url)?;
        let bytes = (self.get)(&path)?;
        Some(data_url(&path, &bytes))
    }

    /// Returns the path of another file of the site; `None` for anchors and other hosts.
    fn path_of(&self, url: &str) -> Option<String> {
        let url = url.split(['#', '?']).next().filter(|path| !path.is_empty())?;
        let has_scheme = url.split('/').next().is_some_and(|first| first.contains(':'));
        if has_scheme || url.starts_with("//") {
            return None;
        }
        let folder = self.page.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(match url.strip_prefix('/') {
            Some(path) => percent_decode(path),
            None => percent_decode(&format!("{folder}/{url}")),
        })
    }
}

fn data_url(path: &str, bytes: &[u8]) -> String {
    let kind = media_type(path).split(';').next().unwrap_or_default();
    format!("data:{kind};base64,{}", base64_encode(bytes))
}

fn utf8(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
