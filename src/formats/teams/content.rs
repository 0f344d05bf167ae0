//! The contents of a message: HTML with Skype elements.

use crate::shared::people::channel::Members;
use crate::shared::text::entities::decoded;
use crate::shared::text::html::{self, Token, attribute, name, tokens};

/// The parsed text of a message.
#[derive(Default)]
pub(super) struct Words {
    pub(super) markdown: String,
    /// The id of the message that it replies to.
    pub(super) answers: Option<String>,
    pub(super) is_edited: bool,
}

/// A file stored elsewhere.
pub(super) struct File {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) size: Option<u64>,
}

/// Reads the text of a message. With `is_page` it is HTML, in which line ends do not count.
pub(super) fn read(text: &str, is_page: bool, members: &mut Members) -> Words {
    let mut words = Words::default();
    let mut page = String::with_capacity(text.len());
    // Whether the tokens are inside the plain text copy of a quotation for old clients, and the
    // name of the mentioned person.
    let (mut is_legacy, mut called) = (false, None::<String>);
    for token in tokens(text) {
        match token {
            Token::Text(text) => {
                if is_legacy {
                    continue;
                }
                if let Some(called) = &mut called {
                    called.push_str(&decoded(text));
                }
                match is_page {
                    true => page.push_str(text),
                    false => page.push_str(&text.replace('\n', "<br>")),
                }
            }
            Token::Tag(tag) => {
                let (element, is_end) = name(tag);
                match (element.as_str(), is_end) {
                    ("legacyquote", is_end) => is_legacy = !is_end,
                    ("quote", false) => {
                        words.answers = attribute(tag, "messageid").or(words.answers);
                        page.push_str("<blockquote>");
                    }
                    ("quote", true) => page.push_str("</blockquote>"),
                    ("at", false) => {
                        called = Some(String::new());
                        page.push('@');
                    }
                    ("at", true) => {
                        let name = called.take().unwrap_or_default();
                        if !name.trim().is_empty() {
                            members.called(name.trim().trim_start_matches('@'));
                        }
                    }
                    ("e", _) if tag.starts_with("e_m") => words.is_edited = true,
                    // Smileys are written as typed.
                    ("ss", _) => {}
                    ("blockquote", false) => {
                        let kind = attribute(tag, "itemtype").unwrap_or_default();
                        if kind.ends_with("/Reply") {
                            words.answers = attribute(tag, "itemid").or(words.answers);
                        }
                        page.push_str("<blockquote>");
                    }
                    _ => page.push_str(&format!("<{tag}>")),
                }
            }
        }
    }
    words.markdown = html::to_markdown(&page).replace("@@", "@").trim().to_owned();
    words
}

/// Returns the texts of all elements with this name.
pub(super) fn elements(text: &str, wanted: &str) -> Vec<String> {
    let (mut found, mut is_inside) = (Vec::new(), false);
    for token in tokens(text) {
        match token {
            Token::Tag(tag) => {
                let (element, is_end) = name(tag);
                is_inside = element == wanted && !is_end;
            }
            Token::Text(text) if is_inside => {
                found.push(decoded(text).trim().to_owned());
            }
            Token::Text(_) => {}
        }
    }
    found
}

/// Reads the element for a file: `<URIObject type="Picture.1"><OriginalName v="a.jpg"/>…`.
pub(super) fn file(text: &str) -> File {
    let mut file = File { name: String::new(), kind: "file", size: None };
    for token in tokens(text) {
        let Token::Tag(tag) = token else { continue };
        let value = || attribute(tag, "v");
        match name(tag).0.as_str() {
            "uriobject" => {
                let kind = attribute(tag, "type").unwrap_or_default();
                file.kind = match kind.split('.').next().unwrap_or_default() {
                    "Picture" => "image",
                    "Video" => "video",
                    "Audio" => "audio",
                    _ => "file",
                };
            }
            "originalname" => file.name = value().unwrap_or_default(),
            "filesize" => file.size = value().and_then(|size| size.parse().ok()),
            _ => {}
        }
    }
    file
}
