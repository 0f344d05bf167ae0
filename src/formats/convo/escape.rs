//! Handles the escape `\#\#\# @`, by which a text contains `### @` without starting a turn.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::delimiter;
use convo_base::commonmark::{self, is_too_complex, outline, verbatim_ranges};
use convo_base::model::{Block, Conversation};

const ESCAPED: &str = r"\#\#\# @";

/// Undoes the escapes in the preface and the turns.
pub(super) fn undo_in(read: &mut Conversation) {
    let blocks = read.turns.iter_mut().flat_map(|turn| &mut turn.blocks);
    let texts = blocks.filter_map(|block| match block {
        Block::Markdown { text } => Some(text),
        _ => None,
    });
    for text in std::iter::once(&mut read.preface).chain(texts) {
        if let Cow::Owned(undone) = undo(text) {
            *text = undone;
        }
    }
}

/// Undoes the escape in one text. It becomes `### @` in code and in prose, unless it starts a line of prose and would
/// become a heading. There it becomes `\### @`, which looks the same. The escape stays at the start of a
/// line within a multi-line code span, since neither form works there.
pub(super) fn undo(text: &str) -> Cow<'_, str> {
    if !text.contains(ESCAPED) {
        return text.into();
    }
    if is_too_complex(text) {
        return text.replace(ESCAPED, "### @").into();
    }
    let verbatim = verbatim_ranges(text);
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(ESCAPED) {
        let before = verbatim.partition_point(|(range, _)| range.start <= at);
        let inside = verbatim[..before].last().filter(|(range, _)| range.contains(&at));
        let code = inside.is_some();
        if inside.is_some_and(|(_, block)| !block) && starts_block(text, at) {
            continue;
        }
        // `\\#` is an escaped backslash and a hash.
        let backslashes = text[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
        if !code && backslashes % 2 == 1 {
            continue;
        }
        out.push_str(&text[done..at]);
        out.push_str(if !code && starts_block(text, at) { r"\### @" } else { "### @" });
        done = at + ESCAPED.len();
    }
    out.push_str(&text[done..]);
    out.into()
}

/// Returns whether only container markers, or hashes that would join it, are before `at` on its line.
fn starts_block(text: &str, at: usize) -> bool {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &text[start..at];
    let before = match (before.find("[^"), before.rfind("]:")) {
        (Some(open), Some(close)) if open < close => &before[close + 2..],
        _ => before,
    };
    before.chars().all(|c| c.is_ascii_digit() || " \t>-*+.)#".contains(c))
}

/// Escapes text that [`super::turns`] would read as a delimiter, so that a turn is read back unchanged.
///
/// In code, that is a line with the name of a declared speaker. In prose, it is any level-3 heading that
/// starts with `@`: its `@` gets a backslash, and it stays a heading.
pub(super) fn apply(text: &str, declared: &BTreeSet<&str>) -> String {
    if delimiter::find_all(text).next().is_none() {
        return text.to_owned();
    }
    let blocks = outline(text);
    let block_at = |at: usize| {
        let after = blocks.partition_point(|(_, range)| range.start <= at);
        after.checked_sub(1).map(|place| &blocks[place])
    };
    let mut out = String::with_capacity(text.len() + 16);
    let mut done = 0;
    for found in delimiter::find_all(text) {
        let hashes = found.line.start + found.indent;
        let replaced = match block_at(hashes) {
            Some((commonmark::Block::Verbatim, range)) if range.contains(&hashes) => {
                (found.exact && declared.contains(found.name)).then_some((ESCAPED, 5))
            }
            Some((commonmark::Block::Heading(_), _)) => {
                let at = text[hashes..].find('@').map_or(hashes, |at| hashes + at);
                out.push_str(&text[done..at]);
                done = at;
                out.push('\\');
                None
            }
            _ => None,
        };
        if let Some((escaped, len)) = replaced {
            out.push_str(&text[done..hashes]);
            out.push_str(escaped);
            done = hashes + len;
        }
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::{apply, undo};

    #[test]
    fn the_escape_is_undone_in_prose_and_in_code() {
        assert_eq!(undo(r"say \#\#\# @x here"), "say ### @x here");
        assert_eq!(undo(r"say `\#\#\# @x` here"), "say `### @x` here");
        assert_eq!(undo("```\n\\#\\#\\# @x\n```"), "```\n### @x\n```");
        assert_eq!(undo(r"\#\#\# @x"), r"\### @x");
        assert_eq!(undo(r"> - \#\#\# @x"), r"> - \### @x");
        assert_eq!(undo(r"[^1]: \#\#\# @x"), r"[^1]: \### @x");
        // With another hash before it, it would also be a heading.
        assert_eq!(undo(r"#\#\#\# @x"), r"#\### @x");
        assert_eq!(undo(r"\\#\#\# @x"), r"\\#\#\# @x");
    }

    #[test]
    fn text_that_would_start_a_turn_is_escaped() {
        let declared = ["x"].into();
        assert_eq!(apply("```\n### @x\n### @y\n```", &declared), "```\n\\#\\#\\# @x\n### @y\n```");
        assert_eq!(apply("a\n\n ### @y\n", &declared), "a\n\n ### \\@y\n");
        assert_eq!(apply("- a\n\n  ### @x\n", &declared), "- a\n\n  ### @x\n");
    }
}
