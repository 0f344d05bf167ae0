//! Finds the code fences of CommonMark line by line, also in lists and quotations.
//!
//! [`Fences`] classifies the lines of a text; [`Fence::of`] checks a single line. Raw HTML is not
//! recognised: [`crate::commonmark`] parses all of Markdown.

/// The maximum nesting of quotations and list items; anything deeper belongs to the innermost one.
const MAX_DEPTH: usize = 64;

/// A run of backticks or tildes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FenceMark {
    byte: u8,
    /// The number of characters.
    pub len: usize,
}

impl FenceMark {
    /// Returns whether it consists of backticks.
    pub fn is_backticks(self) -> bool {
        self.byte == b'`'
    }

    /// Returns the line that closes this fence.
    pub fn closing(self) -> String {
        char::from(self.byte).to_string().repeat(self.len)
    }
}

/// A line that may open or close a code block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fence<'a> {
    /// The run of characters.
    pub mark: FenceMark,
    /// The text after the mark, such as the name of a language.
    pub info: &'a str,
}

impl<'a> Fence<'a> {
    /// Parses a line without indentation.
    pub fn of(line: &'a str) -> Option<Self> {
        let byte = *line.as_bytes().first().filter(|byte| b"`~".contains(byte))?;
        let len = line.bytes().take_while(|other| *other == byte).count();
        let info = line[len..].trim();
        // With another backtick on the line, it is inline code.
        let fits = len >= 3 && !(byte == b'`' && info.contains('`'));
        fits.then_some(Self { mark: FenceMark { byte, len }, info })
    }

    /// Returns whether it closes a block opened by `open`.
    pub fn closes(self, open: FenceMark) -> bool {
        self.info.is_empty() && self.mark.byte == open.byte && self.mark.len >= open.len
    }
}

/// Returns whether a text may contain a fence: a quick check before its lines are read.
pub fn may_have_fences(text: &str) -> bool {
    let has = |mark: char, fence: &str| text.contains(mark) && text.contains(fence);
    has('`', "```") || has('~', "~~~")
}

/// Returns the code of a text that is a single fenced block, closed or not; `None` for any other
/// text.
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

/// The classification of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FenceLine<'a> {
    /// Not fenced code. An open block ended before this line if its list or quotation ended.
    Outside,
    /// The first line of a block.
    Opens(Fence<'a>),
    /// Code.
    Inside,
    /// The last line of a block.
    Closes,
}

/// A container of lines.
#[derive(Clone, Copy)]
enum Container {
    Quotation,
    /// A list item, whose lines are indented by this many columns.
    Item(usize),
}

/// Classifies the lines of a text, one after the other.
#[derive(Default)]
pub struct Fences {
    containers: Vec<Container>,
    open: Option<FenceMark>,
    /// Whether a paragraph may continue, which it can even without the markers of its containers.
    is_paragraph: bool,
}

impl Fences {
    /// Returns whether a code block is open.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Reads the next line, with or without its line end.
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
        let mut continues = std::mem::take(&mut self.is_paragraph) && is_in_same;
        while self.containers.len() < MAX_DEPTH
            && !is_rule(rest)
            && let Some((container, inside)) = Container::opened(rest, continues)
        {
            self.containers.push(container);
            (rest, continues) = (inside, false);
        }
        let bare = unindented(rest);
        let Some(fence) = bare.and_then(Fence::of) else {
            self.is_paragraph = is_words(rest) && (continues || bare.is_some());
            return FenceLine::Outside;
        };
        self.open = Some(fence.mark);
        FenceLine::Opens(fence)
    }
}

impl Container {
    /// Returns the rest of a line inside the container; `None` if the line is not in it.
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

    /// Returns the container that a line opens, with the rest of the line. In a paragraph, only the
    /// clear first item of a list opens one.
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
        // Before indented code, only one space belongs to the marker.
        match columns {
            0 => None,
            1..=4 => Some((Self::Item(marker + columns), &behind[bytes..])),
            _ => Some((Self::Item(marker + 1), &behind[1..])),
        }
    }
}

/// Returns whether a line can be part of a paragraph: not blank, not a heading and not a thematic
/// break.
fn is_words(line: &str) -> bool {
    let bare = line.trim_start();
    !bare.starts_with('#') && bare.contains(|c| !"-*_= \t".contains(c))
}

/// Returns whether a line is a thematic break, such as `- - -`.
fn is_rule(line: &str) -> bool {
    let mut marks = line.chars().filter(|c| !" \t".contains(*c));
    let Some(mark) = marks.next().filter(|mark| "-*_".contains(*mark)) else { return false };
    marks.all(|other| other == mark) && line.matches(mark).count() >= 3
}

/// Returns a line without its indentation; `None` if it is indented as code.
fn unindented(line: &str) -> Option<&str> {
    let (columns, bytes) = indent(line, 0, 4);
    (columns < 4).then(|| &line[bytes..])
}

/// Returns the columns and bytes of the whitespace at the start of a text, which starts at the
/// column `from`. Stops once there are `enough` columns.
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

    /// Marks each line: `c` for a line of a fenced block, `.` for any other.
    fn seen(text: &str) -> String {
        let mut fences = Fences::default();
        let is_code = |line| fences.next(line) != FenceLine::Outside;
        text.lines().map(is_code).map(|is_code| if is_code { 'c' } else { '.' }).collect()
    }

    /// Marks lines in the same way, with the Markdown parser.
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
