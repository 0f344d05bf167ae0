//! `html = "basic"`: finds raw tags that are harmless enough to keep.
//!
//! A tag is kept if it is one of a few names without attributes, and its partner is in the same
//! paragraph (for `<details>`: among the same blocks). Everything else is text.

use std::collections::BTreeMap;
use std::ops::Range;

use convo_base::commonmark::{Event, Tag, TagEnd};

/// A tag to keep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Keep {
    /// Its range in the text of its event.
    pub(super) range: Range<usize>,
    /// The tag as it is printed.
    pub(super) tag: &'static str,
}

/// Name, opening tag, closing tag, whether it is a block.
const PAIRS: [(&str, &str, &str, bool); 6] = [
    ("kbd", "<kbd>", "</kbd>", false),
    ("sub", "<sub>", "</sub>", false),
    ("sup", "<sup>", "</sup>", false),
    ("mark", "<mark>", "</mark>", false),
    ("details", "<details>", "</details>", true),
    ("summary", "<summary>", "</summary>", true),
];

/// The maximum length of a tag without attributes; one with more white space is text.
const MAX_TAG_BYTES: usize = 64;

/// A tag without a partner so far.
struct Open {
    pair: usize,
    event: usize,
    range: Range<usize>,
    /// The HTML block that contains it, counted from 1.
    block: usize,
}

/// The open tags of one paragraph, or of the blocks of one container.
#[derive(Default)]
struct Context {
    open: Vec<Open>,
    /// The number of open tags of each pair.
    counts: [usize; PAIRS.len()],
}

impl Context {
    fn push(&mut self, open: Open) {
        self.counts[open.pair] += 1;
        self.open.push(open);
    }

    /// Returns the last open tag of a pair. Tags that opened after it were never closed.
    fn pop(&mut self, pair: usize) -> Option<Open> {
        while self.counts[pair] > 0 {
            let open = self.open.pop()?;
            self.counts[open.pair] -= 1;
            if open.pair == pair {
                return Some(open);
            }
        }
        None
    }
}

/// Finds the tags to keep, by the index of their event.
pub(super) fn find<'a>(events: impl Iterator<Item = Event<'a>>) -> BTreeMap<usize, Vec<Keep>> {
    let mut kept: BTreeMap<usize, Vec<Keep>> = BTreeMap::new();
    let mut contexts: Vec<Context> = vec![Context::default()];
    let mut block = 0;
    let mut in_block = false;
    for (index, event) in events.enumerate() {
        match event {
            Event::Start(Tag::HtmlBlock) => {
                block += 1;
                in_block = true;
            }
            Event::Start(_) => contexts.push(Context::default()),
            Event::End(TagEnd::HtmlBlock) => in_block = false,
            Event::End(_) => {
                contexts.pop();
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                let Some(context) = contexts.last_mut() else { continue };
                for (range, name, closing) in tags(&html) {
                    let at = Place { event: index, range, block };
                    match_tag(context, &mut kept, at, name, closing, in_block);
                }
            }
            _ => {}
        }
    }
    for keeps in kept.values_mut() {
        keeps.sort_by_key(|keep| keep.range.start);
    }
    kept
}

struct Place {
    event: usize,
    range: Range<usize>,
    block: usize,
}

fn match_tag(
    context: &mut Context,
    kept: &mut BTreeMap<usize, Vec<Keep>>,
    at: Place,
    name: &str,
    closing: bool,
    in_block: bool,
) {
    let mut keep = |event, range, tag| {
        kept.entry(event).or_default().push(Keep { range, tag });
    };
    if name == "br" && !closing && !in_block {
        return keep(at.event, at.range, "<br>");
    }
    let Some(pair) =
        PAIRS.iter().position(|(known, .., blocks)| *known == name && *blocks == in_block)
    else {
        return;
    };
    if !closing {
        let inside = context.open.last().map(|open| PAIRS[open.pair].0);
        if name != "summary" || inside == Some("details") {
            context.push(Open { pair, event: at.event, range: at.range, block: at.block });
        }
        return;
    }
    let Some(open) = context.pop(pair) else { return };
    if name == "summary" && open.block != at.block {
        return;
    }
    keep(open.event, open.range, PAIRS[pair].1);
    keep(at.event, at.range, PAIRS[pair].2);
}

/// Returns the tags without attributes in a piece of HTML: range, lower-case name, whether it
/// closes.
fn tags(html: &str) -> Vec<(Range<usize>, &'static str, bool)> {
    let mut tags = Vec::new();
    for (start, _) in html.match_indices('<') {
        let longest = html.floor_char_boundary(start + MAX_TAG_BYTES);
        let Some(len) = html[start..longest].find('>') else { continue };
        let inner = &html[start + 1..start + len];
        let (inner, closing) = match inner.strip_prefix('/') {
            Some(inner) => (inner, true),
            None => (inner.strip_suffix('/').unwrap_or(inner), false),
        };
        let name = inner.trim_end();
        let known = PAIRS.iter().map(|(known, ..)| *known).chain(["br"]);
        if let Some(known) = known.into_iter().find(|known| name.eq_ignore_ascii_case(known)) {
            tags.push((start..start + len + 1, known, closing));
        }
    }
    tags
}
