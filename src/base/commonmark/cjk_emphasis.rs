//! Emphasis beside Chinese, Japanese and Korean letters: `这是**“重点”**内容`.
//!
//! CommonMark lets `**` open or close emphasis depending on the spaces and punctuation around it. These languages have
//! no spaces between words, so `**` between a letter and a punctuation mark does neither, and readers would see the
//! asterisks. [`protected`] replaces such marks by characters of the same length that are not punctuation, and
//! [`restored`] undoes that in the parsed events.

use super::{CodeBlockKind, CowStr, Event, Tag};

/// ASCII marks, which the control characters from U+0001 replace.
const ASCII: [char; 8] = ['(', ')', '"', '.', ',', ':', '!', '?'];
/// Blocks of wide marks of three bytes, and the private characters that replace them.
const BLOCKS: [(u32, u32, u32); 3] =
    [(0x2010, 0x205f, 0xe000), (0x3001, 0x3040, 0xe100), (0xff01, 0xff66, 0xe200)];

/// Returns the text with marks beside emphasis replaced, or `None` if there are none.
pub(crate) fn protected(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains('*') {
        return None;
    }
    let mut places = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('*') {
        let start = at + found;
        let end = start + text[start..].bytes().take_while(|byte| *byte == b'*').count();
        let before = text[..start].chars().next_back().map(|c| (start - c.len_utf8(), c));
        let after = text[end..].chars().next().map(|c| (end, c));
        if let (Some((from, before)), Some((to, after))) = (before, after) {
            // Other marks of emphasis depend on the same character.
            let touches = |c: Option<char>| c.is_some_and(|c| "_~".contains(c));
            match (is_letter(before), is_letter(after)) {
                (true, false)
                    if !text[to..].starts_with("![") && !touches(text[to..].chars().nth(1)) =>
                {
                    places.push((to, after));
                }
                (false, true)
                    if !closes_link(text, from, before)
                        && !touches(text[..from].chars().next_back()) =>
                {
                    places.push((from, before));
                }
                _ => {}
            }
        }
        at = end;
    }
    let mut places =
        places.into_iter().filter_map(|(at, c)| Some((at, c, stand_in(c)?))).peekable();
    places.peek()?;
    if text.chars().any(|c| original(c).is_some()) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, c, instead) in places {
        // A mark between two runs is in the list twice.
        if at < done {
            continue;
        }
        out.push_str(&text[done..at]);
        out.push(instead);
        done = at + c.len_utf8();
    }
    out.push_str(&text[done..]);
    Some(out)
}

/// Returns an event with the original marks.
pub(crate) fn restored(event: Event<'_>) -> Event<'static> {
    match event {
        Event::Text(text) => Event::Text(with_marks(text)),
        Event::Code(text) => Event::Code(with_marks(text)),
        Event::Html(text) => Event::Html(with_marks(text)),
        Event::InlineHtml(text) => Event::InlineHtml(with_marks(text)),
        Event::InlineMath(text) => Event::InlineMath(with_marks(text)),
        Event::DisplayMath(text) => Event::DisplayMath(with_marks(text)),
        Event::FootnoteReference(label) => Event::FootnoteReference(with_marks(label)),
        Event::Start(tag) => Event::Start(match tag {
            Tag::CodeBlock(CodeBlockKind::Fenced(info)) => {
                Tag::CodeBlock(CodeBlockKind::Fenced(with_marks(info)))
            }
            Tag::FootnoteDefinition(label) => Tag::FootnoteDefinition(with_marks(label)),
            Tag::Link { link_type, dest_url, title, id } => Tag::Link {
                link_type,
                dest_url: with_marks(dest_url),
                title: with_marks(title),
                id: with_marks(id),
            },
            Tag::Image { link_type, dest_url, title, id } => Tag::Image {
                link_type,
                dest_url: with_marks(dest_url),
                title: with_marks(title),
                id: with_marks(id),
            },
            other => other.into_static(),
        }),
        other => other.into_static(),
    }
}

fn with_marks(text: CowStr<'_>) -> CowStr<'static> {
    match text.chars().any(|c| original(c).is_some()) {
        true => text.chars().map(|c| original(c).unwrap_or(c)).collect::<String>().into(),
        false => text.into_static(),
    }
}

/// The length of the text before a bracket in which the beginning of a link is looked for. Bytes.
const MAX_URL: usize = 300;

/// Returns whether a bracket is the end of a link, whose text is before it: `[a](b)`.
fn closes_link(text: &str, at: usize, mark: char) -> bool {
    let before = &text[text.ceil_char_boundary(at.saturating_sub(MAX_URL))..at];
    mark == ')' && before.rfind('(').is_some_and(|open| before[..open].ends_with(']'))
}

/// Returns the character that replaces a mark.
fn stand_in(mark: char) -> Option<char> {
    if let Some(place) = ASCII.iter().position(|known| *known == mark) {
        return char::from_u32(1 + place as u32);
    }
    let code = mark as u32;
    let block = BLOCKS.iter().find(|(from, to, _)| {
        (*from..*to).contains(&code) && !is_letter(mark) && !mark.is_whitespace()
    });
    block.and_then(|(from, _, private)| char::from_u32(private + code - from))
}

/// Returns the mark that a character replaces.
fn original(c: char) -> Option<char> {
    let code = c as u32;
    if (1..=ASCII.len() as u32).contains(&code) {
        return ASCII.get(code as usize - 1).copied();
    }
    let block =
        BLOCKS.iter().find(|(from, to, private)| (*private..private + to - from).contains(&code));
    block.and_then(|(from, _, private)| char::from_u32(from + code - private))
}

/// Returns whether a character is a letter of a language without spaces between words, or of Korean.
fn is_letter(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{318f}'
        | '\u{31a0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{ff10}'..='\u{ff19}'
        | '\u{ff21}'..='\u{ff3a}' | '\u{ff41}'..='\u{ff5a}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::super::{Event, Tag, TagEnd, events};

    fn shown(text: &str) -> String {
        let shown = events(text, false).map(|(event, range)| match event {
            Event::Start(Tag::Strong) => "<b>".to_owned(),
            Event::End(TagEnd::Strong) => "</b>".to_owned(),
            Event::Start(Tag::Emphasis) => "<i>".to_owned(),
            Event::End(TagEnd::Emphasis) => "</i>".to_owned(),
            Event::Start(Tag::Link { dest_url, .. }) => format!("<{dest_url}>"),
            Event::Text(found) | Event::Code(found) => {
                assert!(text[range].replace('\\', "").contains(&*found), "{text}");
                found.into_string()
            }
            _ => String::new(),
        });
        shown.collect()
    }

    #[test]
    fn emphasis_needs_no_spaces_between_letters_and_marks() {
        for (text, expected) in [
            ("这是**“重点”**内容。", "这是<b>“重点”</b>内容。"),
            ("日本語の**「強調」**です。", "日本語の<b>「強調」</b>です。"),
            ("한국어 **강조(强调)**는 됩니다.", "한국어 <b>강조(强调)</b>는 됩니다."),
            ("请看**表 1：**水车。", "请看<b>表 1：</b>水车。"),
            ("一*（二）*三", "一<i>（二）</i>三"),
            ("一***“二”***三", "一<i><b>“二”</b></i>三"),
            ("`一**“二”**三`", "一**“二”**三"),
            ("一**[二](x)**三", "一**<x>二**三"),
            ("一**2.**三", "一<b>2.</b>三"),
            // As in all of CommonMark.
            ("一** “二” **三", "一** “二” **三"),
            ("a**“b”**c", "a**“b”**c"),
            ("一 \\**“二”** 三", "一 **“二”** 三"),
            // A private character of the text is not a stand-in.
            ("\u{e00c}一**“二”**三", "\u{e00c}一**“二”**三"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
