//! The anchors of headings, made of their words.

use std::collections::HashMap;

use crate::commonmark::{Event, Tag, TagEnd, cap_quotes, events};
use crate::text::slug;

/// The most bytes of an anchor.
const MAX_BYTES: usize = 60;

/// Gives headings their anchors, in the order of a text.
#[derive(Default)]
pub(super) struct HeadingIds {
    /// How often there was one of these words.
    known: HashMap<String, u32>,
    /// The heading that is read: where its start tag ends in what is written, and its words.
    open: Option<(usize, String)>,
}

impl HeadingIds {
    /// Begins a heading whose start tag ends at `tag_end`.
    pub(super) fn open(&mut self, tag_end: usize) {
        self.open = Some((tag_end, String::new()));
    }

    /// Hears the words of a heading, and puts the anchor into its start tag when it ends.
    pub(super) fn hear(&mut self, event: &Event<'_>, out: &mut String) {
        match event {
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => {
                if let Some((_, words)) = &mut self.open {
                    words.push_str(text);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some((_, words)) = &mut self.open {
                    words.push(' ');
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((tag_end, words)) = self.open.take() {
                    let id = self.id(&words);
                    out.insert_str(tag_end, &format!(" id=\"{id}\""));
                }
            }
            _ => {}
        }
    }

    /// Returns the anchor of a heading. The frame of the page has no such id.
    fn id(&mut self, words: &str) -> String {
        let base = match slug(words, MAX_BYTES) {
            slug if slug.is_empty() => "section".to_owned(),
            slug => slug,
        };
        let is_taken = FRAME.iter().any(|id| base.starts_with(id));
        let known = self.known.entry(base.clone()).or_insert(u32::from(is_taken));
        *known += 1;
        if *known == 1 { base } else { format!("{base}-{known}") }
    }
}

/// Beginnings of the ids of the frame, and of what scripts ask for.
const FRAME: [&str; 6] = ["main", "site-", "keys-", "search", "page-", "turn-"];

/// Returns the anchors of the headings of a text, in their order.
pub fn heading_ids(text: &str, math: bool) -> Vec<String> {
    let mut ids = HeadingIds::default();
    let mut found = Vec::new();
    for (event, _) in events(&cap_quotes(text, r"\>"), math) {
        if let Event::Start(Tag::Heading { .. }) = event {
            ids.open(0);
        }
        let mut tag = String::new();
        ids.hear(&event, &mut tag);
        found.extend(tag.split('"').nth(1).map(str::to_owned));
    }
    found
}
