//! Code fences of Markdown, line by line, as CommonMark has them: also in lists and quotations.
//!
//! [`Fences`] takes the lines of a text and says of each whether it is code. Whoever has one line
//! only asks [`Fence::of`]. Raw HTML is not known here: [`crate::commonmark`] reads all of Markdown.

/// The most quotations and items of lists in each other; what is deeper belongs to the last of these.
const MAX_DEPTH: usize = 64;

/// A row of backticks or tildes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenceMark {
    byte: u8,
    /// The number of characters.
    pub len: usize,
}

impl FenceMark {
    /// Returns whether it is one of backticks.
    pub fn is_backticks(self) -> bool {
        self.byte == b'`'
    }

    /// Returns the line that closes it.
    pub fn closing(self) -> String {
        char::from(self.byte).to_string().repeat(self.len)
    }
}

/// A line that may open or close a block of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fence<'a> {
    /// The row of characters.
    pub mark: FenceMark,
    /// What is behind the mark, such as the name of a language.
    pub info: &'a str,
}

impl<'a> Fence<'a> {
    /// Reads a line without its indentation.
    pub fn of(line: &'a str) -> Option<Self> {
        let byte = *line.as_bytes().first().filter(|byte| b"`~".contains(byte))?;
        let len = line.bytes().take_while(|other| *other == byte).count();
        let info = line[len..].trim();
        // With a backtick behind it, it is code within a line.
        let fits = len >= 3 && !(byte == b'`' && info.contains('`'));
        fits.then_some(Self { mark: FenceMark { byte, len }, info })
    }

    /// Returns whether it closes a block that `open` opened.
    pub fn closes(self, open: FenceMark) -> bool {
        self.info.is_empty() && self.mark.byte == open.byte && self.mark.len >= open.len
    }
}

/// Returns whether a text may have a fence: a quick look before lines are read.
pub fn may_have_fences(text: &str) -> bool {
    let has = |mark: char, fence: &str| text.contains(mark) && text.contains(fence);
    has('`', "```") || has('~', "~~~")
}

/// Returns the code of a text that is one block in a fence, closed or not; `None` for any other.
pub fn only_code(text: &str) -> Option<&str> {
    let (first, rest) = text.trim().split_once('\n')?;
    let open = Fence::of(first)?.mark;
    let closes =
        |line: &str| unindented(line).and_then(Fence::of).is_some_and(|it| it.closes(open));
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        if closes(line) {
            let is_last = end + line.len() == rest.len();
            return is_last.then(|| rest[..end].strip_suffix('\n').unwrap_or_default());
        }
        end += line.len();
    }
    Some(rest)
}

/// What a line is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenceLine<'a> {
    /// Not code in a fence. A block that was open ended before it if its list or quotation did.
    Outside,
    /// The first line of a block.
    Opens(Fence<'a>),
    /// Code.
    Inside,
    /// The last line of a block.
    Closes,
}

/// What lines may be in.
#[derive(Clone, Copy)]
enum Container {
    Quotation,
    /// An item of a list, whose lines are indented by so many columns.
    Item(usize),
}

/// Reads the lines of a text one after the other.
#[derive(Default)]
pub struct Fences {
    containers: Vec<Container>,
    open: Option<FenceMark>,
    /// Whether a paragraph may go on, which it does also without the marks of its list or quotation.
    is_paragraph: bool,
}

impl Fences {
    /// Returns whether the next line may be code.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads the next line, with or without its end.
    pub fn next<'a>(&mut self, line: &'a str) -> FenceLine<'a> {
        let mut rest = line.trim_end();
        let mut depth = 0;
        for container in &self.containers {
            let Some(inside) = container.inside(rest) else { break };
            rest = inside;
            depth += 1;
        }
        let is_in_same = depth == self.containers.len();
        let opens = |line, in_paragraph| Container::opened(line, in_paragraph).is_some();
        let is_fence = |line| unindented(line).and_then(Fence::of).is_some();
        if self.is_paragraph
            && !is_in_same
            && is_words(rest)
            && !opens(rest, false)
            && !is_fence(rest)
        {
            return FenceLine::Outside;
        }
        self.containers.truncate(depth);
        if let Some(open) = self.open.filter(|_| is_in_same) {
            let closes = unindented(rest).and_then(Fence::of).is_some_and(|it| it.closes(open));
            self.open = self.open.filter(|_| !closes);
            return if closes { FenceLine::Closes } else { FenceLine::Inside };
        }
        self.open = None;
        let mut goes_on = std::mem::take(&mut self.is_paragraph) && is_in_same;
        while self.containers.len() < MAX_DEPTH
            && !is_rule(rest)
            && let Some((container, inside)) = Container::opened(rest, goes_on)
        {
            self.containers.push(container);
            (rest, goes_on) = (inside, false);
        }
        let bare = unindented(rest);
        let Some(fence) = bare.and_then(Fence::of) else {
            self.is_paragraph = is_words(rest) && (goes_on || bare.is_some());
            return FenceLine::Outside;
        };
        self.open = Some(fence.mark);
        FenceLine::Opens(fence)
    }
}

impl Container {
    /// Returns what of a line is in it; `None` for a line that is not.
    fn inside(self, line: &str) -> Option<&str> {
        match self {
            Self::Quotation => {
                let rest = unindented(line)?.strip_prefix('>')?;
                Some(rest.strip_prefix(' ').unwrap_or(rest))
            }
            Self::Item(_) if line.is_empty() => Some(line),
            Self::Item(width) => {
                let (columns, bytes) = indent(line, 0, width);
                (columns >= width).then(|| &line[bytes..])
            }
        }
    }

    /// Returns the one that a line opens, with what of the line is in it. In a paragraph, what is not clearly the
    /// first item of a list is a part of that.
    fn opened(line: &str, in_paragraph: bool) -> Option<(Self, &str)> {
        let bare = unindented(line)?;
        if let Some(inside) = Self::Quotation.inside(bare) {
            return Some((Self::Quotation, inside));
        }
        let digits = bare.bytes().take_while(u8::is_ascii_digit).count();
        let behind = match digits {
            0 => bare.strip_prefix(['-', '*', '+'])?,
            1..=9 => bare[digits..].strip_prefix(['.', ')'])?,
            _ => return None,
        };
        let is_first = digits == 0 || bare[..digits].parse() == Ok(1);
        if in_paragraph && (!is_first || behind.trim().is_empty()) {
            return None;
        }
        let marker = line.len() - behind.len();
        if behind.is_empty() {
            return Some((Self::Item(marker + 1), behind));
        }
        let (columns, bytes) = indent(behind, marker, usize::MAX);
        // Code that is indented begins with one blank.
        match columns {
            0 => None,
            1..=4 => Some((Self::Item(marker + columns), &behind[bytes..])),
            _ => Some((Self::Item(marker + 1), &behind[1..])),
        }
    }
}

/// Returns whether a line may be one of a paragraph: not blank, no heading and no rule.
fn is_words(line: &str) -> bool {
    let bare = line.trim_start();
    !bare.starts_with('#') && bare.contains(|c| !"-*_= \t".contains(c))
}

/// Returns whether a line is a rule, as `- - -` is.
fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !" \t".contains(*c));
    let Some(mark) = marks.next().filter(|mark| "-*_".contains(*mark)) else { return false };
    marks.all(|other| other == mark) && line.matches(mark).count() >= 3
}

/// Returns a line without its indentation; `None` for one that is indented as code.
fn unindented(line: &str) -> Option<&str> {
    let (columns, bytes) = indent(line, 0, 4);
    (columns < 4).then(|| &line[bytes..])
}

/// Returns the columns and the bytes of the blanks at the start of a text, which begins at the column `from`: all
/// of them, or as many as have `enough` columns.
fn indent(text: &str, from: usize, enough: usize) -> (usize, usize) {
    let (mut columns, mut bytes) = (0, 0);
    for byte in text.bytes().take_while(|byte| b" \t".contains(byte)) {
        if columns >= enough {
            break;
        }
        columns += if byte == b'\t' { 4 - (from + columns) % 4 } else { 1 };
        bytes += 1;
    }
    (columns, bytes)
}

#[cfg(test)]
mod tests {
    use super::{FenceLine, Fences, only_code};
    use crate::commonmark::{CodeBlockKind, Event, Tag, events};

    /// Marks each line: `c` for one of a block in a fence, `.` for another.
    fn seen(text: &str) -> String {
        let mut fences = Fences::default();
        let is_code = |line| fences.next(line) != FenceLine::Outside;
        text.lines().map(is_code).map(|is_code| if is_code { 'c' } else { '.' }).collect()
    }

    /// The same, by the parser of Markdown.
    fn parsed(text: &str) -> String {
        let blocks: Vec<_> = events(text, false)
            .filter_map(|(event, range)| match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => Some(range),
                _ => None,
            })
            .collect();
        let mut at = 0;
        let mut marks = String::new();
        for line in text.split_inclusive('\n') {
            let end = at + line.trim_end().len();
            let is_code = |range: &std::ops::Range<usize>| range.start <= end && at < range.end;
            marks.push(if blocks.iter().any(is_code) { 'c' } else { '.' });
            at += line.len();
        }
        marks
    }

    #[test]
    fn blocks_are_those_of_the_parser() {
        let lines = [
            "a", "", "```", "````", "```rs", "``` x`y", "~~~ x`y", "   ```", "    ```", "- ```",
            "  ```", "> ```", "> a", "1. a", "2. ```", "   a", "# a", "- - -",
        ];
        for first in lines {
            for second in lines {
                for third in lines {
                    let text = [first, second, third, "a", "```", "a"].join("\n");
                    assert_eq!(seen(&text), parsed(&text), "{text}");
                }
            }
        }
    }

    #[test]
    fn blocks_end_where_commonmark_ends_them() {
        for (text, expected) in [
            ("```\n~~~\n```rs\n``\n```  \na", "ccccc."),
            ("````md\n```\n````\na", "ccc."),
            ("- a\n\n  ```\n  b\n  ```\nc", "..ccc."),
            ("- a\n  - ```\n    b\n\n    ```\nc", ".cccc."),
            ("- ```\n  b\nc", "cc."),
            ("> ```\n> b\nc\n> ```", "cc.c"),
            ("1.\t```\n\tb\n\t```\na", "ccc."),
            ("```a``` b\nc", ".."),
            ("- - -\n```\na\n```\nb", ".ccc."),
        ] {
            assert_eq!(seen(text), expected, "{text}");
        }
    }

    #[test]
    fn a_block_alone_is_unwrapped() {
        for (text, code) in [
            ("\n```py\na\nb\n```\n", Some("a\nb")),
            ("````\n```\n````", Some("```")),
            ("```\n```", Some("")),
            ("```\na", Some("a")),
            ("```\na\n```\nb\n```", None),
            ("a\n```\nb\n```", None),
        ] {
            assert_eq!(only_code(text), code, "{text}");
        }
    }
}
