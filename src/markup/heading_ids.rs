//! Anchors of headings, made from their text.

use std::collections::HashMap;

use convo_base::commonmark::{Event, Tag, TagEnd, cap_quotes, events};
use convo_base::text::slug;

/// The maximum length of an anchor, in bytes.
const MAX_BYTES: usize = 60;

/// Gives headings their anchors, in text order.
#[derive(Default)]
pub(super) struct HeadingIds {
    /// The number of headings so far with the same text.
    known: HashMap<String, u32>,
    /// The current heading: the end of its start tag in the output, and its text.
    open: Option<(usize, String)>,
}

impl HeadingIds {
    /// Starts a heading whose start tag ends at `tag_end`.
    pub(super) fn open(&mut self, tag_end: usize) {
        self.open = Some((tag_end, String::new()));
    }

    /// Reads the text of a heading, and inserts the anchor into its start tag at its end.
    pub(super) fn read_event(&mut self, event: &Event<'_>, out: &mut String) {
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

    /// Returns the anchor of a heading. It is never an id that the frame of the page uses.
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

/// Prefixes of ids in the frame, and of ids that scripts use.
const FRAME: [&str; 6] = ["main", "site-", "keys-", "search", "page-", "turn-"];

/// Returns the anchors of the headings of a text, in order.
pub fn heading_ids(text: &str, math: bool) -> Vec<String> {
    let mut ids = HeadingIds::default();
    let mut found = Vec::new();
    for (event, _) in events(&cap_quotes(text, r"\>"), math) {
        if let Event::Start(Tag::Heading { .. }) = event {
            ids.open(0);
        }
        let mut tag = String::new();
        ids.read_event(&event, &mut tag);
        found.extend(tag.split('"').nth(1).map(str::to_owned));
    }
    found
}
