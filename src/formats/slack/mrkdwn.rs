//! Slack's own text markup, mrkdwn.
//!
//! ```text
//! *bold* _italic_ ~struck~ `code` <@U01> <#C01|general> <!here> <https://example.org|a page> &amp;
//! ```

use super::workspace::Workspace;
use crate::shared::people::channel::{HeldLinks, with_emoji};
use crate::shared::text::entities::decoded;
use crate::shared::text::verbatim::verbatim;
use crate::shared::text::web_links::public_url;
use convo_base::text::percent_decode;

/// Returns a text as Markdown.
pub(super) fn to_markdown(text: &str, workspace: &mut Workspace) -> String {
    let mut held = HeldLinks::default();
    let mut code = Code::default();
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => {
                let text = decoded(text);
                code.pass(&text);
                held.push_text(&with_emoji(&text));
            }
            Piece::Mark(mark) if code.is_open() => {
                held.push_text(&plain_mark(mark, workspace));
            }
            Piece::Mark(mark) => held.put(marked(mark, workspace)),
        }
    }
    // A quotation needs no space after its mark.
    let line = |line: &str| match line.strip_prefix('>') {
        Some(rest) if !rest.starts_with(' ') => format!("> {rest}"),
        _ => line.to_owned(),
    };
    held.words = held.words.lines().map(line).collect::<Vec<_>>().join("\n");
    held.finish()
}

/// Returns a text without markup.
pub(super) fn to_plain(text: &str, workspace: &mut Workspace) -> String {
    let pieces = pieces(text).map(|piece| match piece {
        Piece::Text(text) => with_emoji(&decoded(text)),
        Piece::Mark(mark) => plain_mark(mark, workspace),
    });
    pieces.collect::<String>().trim().to_owned()
}

/// Returns a link as Markdown; only its text if its URL is not public.
pub(super) fn link(address: &str, label: &str) -> String {
    let label = label.trim();
    let is_bare = label.is_empty() || label == address;
    match public_url(address) {
        Some(url) if is_bare => format!("<{url}>"),
        Some(url) => format!("[{}](<{url}>)", verbatim(label)),
        None if !is_bare => verbatim(label),
        None => verbatim(&without_path(address)),
    }
}

/// Returns the host of a URL, or the target of another kind of address.
fn without_path(address: &str) -> String {
    let Some((_, rest)) = address.split_once("://") else {
        let rest = address.split_once(':').map_or(address, |(_, rest)| rest);
        return percent_decode(rest.split('?').next().unwrap_or_default());
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit('@').next().unwrap_or_default();
    format!("{host}/…")
}

/// A part of a text.
enum Piece<'a> {
    Text(&'a str),
    /// The text between `<` and `>`.
    Mark(&'a str),
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let (mut rest, mut has_end) = (text, true);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some(inside) = rest.strip_prefix('<') else {
            let (text, behind) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            rest = behind;
            return Some(Piece::Text(text));
        };
        // After the last closing mark, no further search is needed.
        let end = if has_end { inside.find('>') } else { None };
        has_end = end.is_some();
        let Some(end) = end else {
            let (text, behind) = rest.split_at(1);
            rest = behind;
            return Some(Piece::Text(text));
        };
        rest = &inside[end + 1..];
        Some(Piece::Mark(&inside[..end]))
    })
}

fn marked(mark: &str, workspace: &mut Workspace) -> String {
    match mark.chars().next() {
        Some('@' | '#' | '!') => verbatim(&plain_mark(mark, workspace)),
        _ => {
            let mark = decoded(mark);
            let (address, label) = mark.split_once('|').unwrap_or((&mark, ""));
            link(address, label)
        }
    }
}

fn plain_mark(mark: &str, workspace: &mut Workspace) -> String {
    let (name, label) = mark.split_once('|').unwrap_or((mark, ""));
    let label = decoded(label);
    if let Some(id) = name.strip_prefix('@') {
        return format!("@{}", workspace.members.name_in_text(id));
    }
    if let Some(id) = name.strip_prefix('#') {
        let known = workspace.channel_name(id).unwrap_or(&label);
        let known = known.trim_start_matches('#');
        return format!("#{}", if known.is_empty() { "channel" } else { known });
    }
    if let Some(name) = name.strip_prefix('!') {
        let kind = name.split('^').next().unwrap_or(name);
        return match kind {
            "subteam" if label.is_empty() => "@group".to_owned(),
            "subteam" => format!("@{}", label.trim_start_matches('@')),
            "date" => label.into_owned(),
            kind if kind.starts_with(|c: char| c.is_ascii_alphabetic()) => format!("@{kind}"),
            // Such as a comment of HTML.
            _ => format!("<{}>", decoded(mark)),
        };
    }
    match label.is_empty() {
        true => public_url(&decoded(name)).unwrap_or_else(|| without_path(name)),
        false => label.into_owned(),
    }
}

/// Whether the text so far ends with code.
#[derive(Default)]
struct Code {
    is_block: bool,
    is_span: bool,
}

impl Code {
    fn pass(&mut self, text: &str) {
        let mut rest = text;
        while let Some(at) = rest.find(['`', '\n']) {
            let behind = &rest[at..];
            if let Some(behind) = behind.strip_prefix("```") {
                (self.is_block, self.is_span) = (!self.is_block, false);
                rest = behind;
                continue;
            }
            if !self.is_block {
                self.is_span = behind.starts_with('`') && !self.is_span;
            }
            rest = &behind[1..];
        }
    }

    fn is_open(&self) -> bool {
        self.is_block || self.is_span
    }
}
