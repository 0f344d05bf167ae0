//! The shapes of lines that say who speaks: how a line is split into a name, a time and the rest.

use super::super::line;
use super::words;

/// A shape of the lines that open turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// `Ada: Hello`, `Ada:`, `[00:05] Ada: Hello`, `>> Ada: Hello`, `阿达：你好`, and all of these
    /// in bold type.
    Colon,
    /// `Ada 00:01:02`, `[00:05] Ada`.
    Timed,
    /// `## Ada`
    Heading,
    /// `**Ada**`
    Alone,
    /// `ADA. — Hello`; `Ada - Hello` if it is tight.
    Dash,
    /// `Q. Hello`
    Dot,
    /// `JANE. Hello`
    Stop,
    /// `[Jane] Hello`
    Bracket,
    /// `JANE` alone on a line.
    Capitals,
    /// `**Ada** Hello`
    Bold,
}

/// What a line says that may open a turn.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Mark<'a> {
    pub(crate) shape: Shape,
    /// The name as written.
    pub(crate) name: &'a str,
    /// What stands in brackets behind it: `(laughs)`.
    pub(crate) aside: Option<&'a str>,
    pub(crate) stamp: Option<Stamp<'a>>,
    /// Where the rest starts on the line. Bytes.
    pub(crate) said: usize,
    /// Whether it stands in bold or other type, or in a heading.
    pub(crate) marked: bool,
    /// Whether no space stands behind the colon: `Ada:Hello`.
    pub(crate) tight: bool,
    /// Bytes before the colon, or the end of the name.
    pub(crate) colon: usize,
}

/// A time or two, as they stand beside names.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Stamp<'a> {
    pub(crate) from: &'a str,
    pub(crate) to: Option<&'a str>,
    /// What follows.
    pub(crate) rest: &'a str,
    /// Whether it can be no time of day that somebody talks of.
    pub(crate) is_exact: bool,
    /// Whether it is one of a recording rather than of a timetable.
    pub(crate) is_recorded: bool,
}

/// The most bytes of a name.
const MAX_NAME_BYTES: usize = 100;
/// The most bytes of what stands in brackets behind a name.
const MAX_ASIDE_BYTES: usize = 80;

/// Returns the time at the start of a text, or a span: `[00:05]`, `00:05 - 00:09`.
pub(crate) fn stamp(text: &str) -> Option<Stamp<'_>> {
    if let Some(time) = line::time(text) {
        let made = |to, rest| Stamp {
            from: time.text,
            to,
            rest,
            is_exact: time.is_exact(),
            is_recorded: time.is_recorded(),
        };
        let second = dash(time.rest).and_then(|rest| line::time(rest.trim_start()));
        return Some(match second {
            Some(second) => made(Some(second.text), second.rest),
            None => made(None, time.rest),
        });
    }
    // `[00:05 - 00:09]`
    let open = text.strip_prefix('\\').unwrap_or(text);
    let close = match open.as_bytes().first()? {
        b'[' => ']',
        b'(' => ')',
        _ => return None,
    };
    let (inside, rest) = open[1..].split_once(close)?;
    let inside = inside.strip_suffix('\\').unwrap_or(inside);
    let first = line::time(inside)?;
    let second = line::time(dash(first.rest)?.trim_start())?;
    let fits = second.rest.trim().is_empty() && !rest.starts_with('(');
    fits.then_some(Stamp {
        from: first.text,
        to: Some(second.text),
        rest,
        is_exact: true,
        is_recorded: true,
    })
}

/// Returns the time in italics, bold type or code at the start of a text: `*00:05*`.
fn typed_stamp(text: &str) -> Option<Stamp<'_>> {
    let bare = text.trim_start_matches(['*', '_', '`']);
    let sign = &text[..text.len() - bare.len()];
    if !(1..=3).contains(&sign.len()) {
        return None;
    }
    let (inside, rest) = bare.split_once(sign)?;
    let stamp = stamp(inside).filter(|stamp| stamp.rest.trim().is_empty())?;
    Some(Stamp { rest, ..stamp })
}

/// Returns what stands behind the sign of a span.
fn dash(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let signs = ["-->", "->", "–", "—", "-", "to ", "bis "];
    signs.iter().find_map(|sign| text.strip_prefix(sign))
}

/// What ends a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Colon,
    Dash,
    /// The end of the line.
    Line,
    /// Words, behind a time.
    Words,
}

/// A name and what stands behind it on its line.
struct Named<'a> {
    name: &'a str,
    aside: Option<&'a str>,
    stamp: Option<Stamp<'a>>,
    end: End,
    rest: &'a str,
}

/// Reads a line, which has no newline.
pub(crate) fn mark(line: &str) -> Option<Mark<'_>> {
    let text = line.trim_start_matches(is_direction);
    let bare = text.trim_start_matches(' ');
    if text.len() - bare.len() > 3 {
        return None;
    }
    let hashes = bare.len() - bare.trim_start_matches('#').len();
    if (1..=6).contains(&hashes) && bare[hashes..].starts_with(' ') {
        return heading(line, &bare[hashes + 1..]);
    }
    let chevrons = bare.len() - bare.trim_start_matches('>').len();
    let bare = match chevrons {
        0 => bare,
        2..=3 => bare[chevrons..].trim_start_matches(' '),
        _ => return None,
    };
    let (before, bare) = match stamp(bare) {
        Some(stamp) => (Some(stamp), behind_time(stamp.rest)),
        None => (None, bare),
    };
    let bare = bare.trim_start_matches(is_sign);
    if before.is_none()
        && let Some(mark) = bracketed(line, bare)
    {
        return Some(mark);
    }
    if !opens_name(bare) {
        return None;
    }
    if before.is_none()
        && let Some(mark) = question(line, bare)
            .or_else(|| stop(line, bare))
            .or_else(|| hyphen(line, bare))
    {
        return Some(mark);
    }
    let (mut named, marked) = match emphasis(bare) {
        Some(named) => (named, true),
        None if before.is_none() && bare.starts_with("**") => return bold(line, bare),
        None => (name(bare)?, false),
    };
    if named.name.is_empty() || named.name.len() > MAX_NAME_BYTES {
        return None;
    }
    if before.is_some() {
        if named.end == End::Words {
            return None;
        }
        named.stamp = before;
    }
    let bold = marked && (bare.starts_with("**") || bare.starts_with("__"));
    let shape = match named.end {
        End::Colon => Shape::Colon,
        End::Dash => Shape::Dash,
        End::Line if named.stamp.is_some() => Shape::Timed,
        End::Line if bold && named.aside.is_none() => Shape::Alone,
        End::Words => Shape::Timed,
        End::Line => return None,
    };
    let rest = named.rest;
    let first = rest.chars().next();
    let uncased = |c: char| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase();
    let wide = bare[..bare.len() - rest.len()].ends_with('：');
    let tight = shape == Shape::Colon
        && !marked
        && !wide
        && first
            .is_some_and(|c| !c.is_whitespace() && !uncased(c) && !"“„«\"—–".contains(c));
    if tight && rest.starts_with(['/', ':', '\\', '=']) {
        return None;
    }
    let said = line.len() - rest.trim_start_matches([' ', '\t', '\u{3000}']).len();
    let before_colon = line.len() - rest.len();
    let colon =
        before_colon - usize::from(named.end == End::Colon) * if wide { 3 } else { 1 };
    Some(Mark {
        shape,
        name: named.name,
        aside: named.aside,
        stamp: named.stamp,
        said,
        marked,
        tight,
        colon,
    })
}

/// Reads `Q. Hello` and `**Q: Hello**`.
fn question<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let text = bare.strip_prefix("**").unwrap_or(bare);
    let marked = text.len() < bare.len();
    if marked && (text.find("**")? + 2 != text.len() || text.len() < 6) {
        return None;
    }
    if !text.starts_with(['Q', 'A']) {
        return None;
    }
    let shape = match text.as_bytes().get(1)? {
        b'.' => Shape::Dot,
        b':' if marked => Shape::Colon,
        _ => return None,
    };
    let rest = &text[2..];
    let said = rest.trim_start_matches([' ', '\t', '\u{a0}']);
    (said.len() < rest.len() && !said.is_empty()).then(|| Mark {
        shape,
        name: &text[..1],
        aside: None,
        stamp: None,
        said: line.len() - said.len(),
        marked,
        tight: false,
        colon: line.len() - rest.len() - 1,
    })
}

/// Reads `[Ada] Hello` and `[SPEAKER_00]: Hello`.
fn bracketed<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let inside = bare.strip_prefix('[')?;
    let head = &inside[..inside.floor_char_boundary(MAX_NAME_BYTES)];
    let (inside, rest) = (&inside[..head.find(']')?], &inside[head.find(']')? + 1..]);
    let named = name(inside).filter(|_| opens_name(inside))?;
    if named.end != End::Line || named.name.is_empty() || named.aside.is_some() {
        return None;
    }
    // `[USER]:` is how logs of programs have it.
    if is_capitals(inside) && words::part(inside).is_some() {
        return None;
    }
    let (shape, said) = match rest.strip_prefix(':') {
        Some(said) => (Shape::Colon, said),
        None => (Shape::Bracket, rest),
    };
    let words = said.trim_start_matches([' ', '\t']);
    // What a link refers to: `[pond]: https://…`, `[pond]: #reeds`, `[^note]: …`
    let word = words.split_whitespace().next().unwrap_or_default();
    let linked = word.contains(['/', '#', '@', '<']) || word.contains(".md");
    let fits = words.is_empty() || words.len() < said.len();
    (fits && !linked).then(|| Mark {
        shape,
        name: named.name,
        aside: None,
        stamp: named.stamp,
        said: line.len() - words.len(),
        marked: false,
        tight: false,
        colon: line.len() - said.len() - usize::from(shape == Shape::Colon),
    })
}

/// Titles that end in a full stop before names.
const TITLES: [&str; 8] = ["MR.", "MRS.", "MS.", "DR.", "ST.", "LT.", "SGT.", "PROF."];

/// Reads `JANE. Hello` and `LADY JANE. Hello`, with nothing but capital letters in the name.
fn stop<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let mut end = 0;
    for word in bare.split_inclusive(' ').take(4) {
        let letters = word.trim_end().trim_end_matches('.');
        let capital = |c: char| c.is_uppercase() || "'’-".contains(c);
        if letters.is_empty() || !letters.chars().all(capital) {
            return None;
        }
        end += word.len();
        if word.ends_with(". ") && !TITLES.contains(&word.trim_end()) {
            let name = bare[..end].trim_end().trim_end_matches('.');
            let rest = bare[end..].trim_start();
            let long = name.chars().filter(|c| c.is_alphabetic()).count() > 1;
            // `ADA. — Hello` is a play of another kind.
            let fits = long && !rest.is_empty() && !rest.starts_with(['—', '–', '-']);
            return fits.then(|| Mark {
                shape: Shape::Stop,
                name,
                aside: None,
                stamp: None,
                said: line.len() - rest.len(),
                marked: false,
                tight: false,
                colon: line.len() - rest.len(),
            });
        }
    }
    None
}

/// Reads `**Ada** Hello`, without a colon; what goes on in small letters is a sentence.
fn bold<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let inside = bare.strip_prefix("**")?;
    let head = &inside[..inside.floor_char_boundary(MAX_NAME_BYTES)];
    let (inside, rest) = inside.split_at(head.find("**")?);
    let rest = &rest[2..];
    let named = name(inside).filter(|_| opens_name(inside))?;
    let said = rest.trim_start_matches(' ');
    let opens =
        |c: char| c.is_alphanumeric() && !c.is_lowercase() || "\"“«„¿¡'‘’(…".contains(c);
    let fits = named.end == End::Line
        && named.stamp.is_none()
        && named.aside.is_none()
        && named.name.len() == inside.len()
        && rest.starts_with(' ')
        && said.starts_with(opens);
    fits.then_some(Mark {
        shape: Shape::Bold,
        name: named.name,
        aside: None,
        stamp: None,
        said: line.len() - said.len(),
        marked: true,
        tight: false,
        colon: line.len() - rest.len(),
    })
}

/// Reads a name in capitals that is a line of its own, as plays have it: `JANE`, `JANE (aside)`,
/// `JANE.`
pub(crate) fn in_capitals(line: &str) -> Option<Mark<'_>> {
    let bare = line.trim_start_matches(is_direction);
    let named = name(bare).filter(|_| opens_name(bare))?;
    let found = named.name.strip_suffix('.').unwrap_or(named.name);
    let letters = || found.chars().filter(|c| c.is_alphabetic());
    let fits = named.end == End::Line
        && named.stamp.is_none()
        && found.len() <= MAX_NAME_BYTES
        && found.split(' ').count() <= 4
        && letters().all(char::is_uppercase)
        && letters().nth(1).is_some();
    fits.then_some(Mark {
        shape: Shape::Capitals,
        name: found,
        aside: named.aside,
        stamp: None,
        said: line.len(),
        marked: false,
        tight: false,
        colon: line.len(),
    })
}

/// Reads `Ada - Hello`, which is a name only where it is known to be one.
fn hyphen<'a>(line: &str, bare: &'a str) -> Option<Mark<'a>> {
    let head = &bare[..bare.floor_char_boundary(MAX_NAME_BYTES)];
    let end = head.find(" - ")?;
    let (found, rest) = (bare[..end].trim_end(), &bare[end + 3..]);
    let plain = |c: char| c.is_alphanumeric() || " .'’-_".contains(c);
    let fits = found.chars().all(plain) && found.split(' ').count() <= 4;
    let timed = stamp(rest.trim_start()).is_some();
    (fits && !found.is_empty() && !rest.trim().is_empty() && !timed).then(|| Mark {
        shape: Shape::Dash,
        name: found,
        aside: None,
        stamp: None,
        said: line.len() - rest.trim_start().len(),
        marked: false,
        tight: true,
        colon: line.len() - rest.len() - 3,
    })
}

/// Returns the name that a line is, where a time on the line below it says that it is one.
pub(crate) fn lone_name(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(is_direction);
    let named = name(bare).filter(|_| opens_name(bare))?;
    let alone = named.end == End::Line && named.stamp.is_none() && named.aside.is_none();
    (alone && !named.name.is_empty() && named.name.len() <= MAX_NAME_BYTES)
        .then_some(named.name)
}

/// Reads what stands behind the marks of a heading.
fn heading<'a>(line: &str, text: &'a str) -> Option<Mark<'a>> {
    let text = text.trim_start().trim_start_matches(is_sign);
    let (before, text) = match stamp(text) {
        Some(stamp) => (Some(stamp), behind_time(stamp.rest)),
        None => (None, text),
    };
    let closed = text.trim_end().trim_end_matches('#').trim_end();
    let named = emphasis(closed).or_else(|| name(closed))?;
    let rest = named.rest.trim();
    let alone = matches!(named.end, End::Line | End::Colon) && rest.is_empty();
    // `### Ada: Hello`
    let said = if named.end == End::Colon { rest.len() } else { 0 };
    let fits = (alone || said > 0)
        && !named.name.is_empty()
        && named.name.len() <= MAX_NAME_BYTES;
    fits.then_some(Mark {
        shape: Shape::Heading,
        name: named.name,
        aside: named.aside,
        stamp: before.or(named.stamp),
        said: if alone {
            line.len()
        } else {
            line.len() - (text.len() - closed.len()) - said
        },
        marked: true,
        tight: false,
        colon: line.len(),
    })
}

/// Marks of direction, and the one at the start of a file.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Pictures that stand before names.
fn is_sign(c: char) -> bool {
    is_direction(c)
        || matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}')
        || c == ' '
}

fn opens_name(text: &str) -> bool {
    // Digits open items of lists.
    text.starts_with(|c: char| c.is_alphabetic() || "*_@".contains(c))
}

/// Takes away what stands between a time and the name.
fn behind_time(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let rest = text.trim_start_matches(['-', '–', '—', '|', '·']);
    if rest.len() < text.len() && !rest.starts_with([' ', '\t']) {
        text
    } else {
        rest.trim_start()
    }
}

/// Reads `**Ada:**`, `__Ada__:`, `*Ada (laughs):*`, `**Ada** 00:05`.
fn emphasis(text: &str) -> Option<Named<'_>> {
    let signs = ["***", "___", "**", "__", "*", "_"];
    let sign = signs.iter().find(|sign| text.starts_with(**sign))?;
    let inside = &text[sign.len()..];
    let close = inside.find(sign)?;
    let (inside, after) = (&inside[..close], &inside[close + sign.len()..]);
    if inside.starts_with(' ')
        || !opens_name(inside.trim_start_matches(is_sign)) && stamp(inside).is_none()
    {
        return None;
    }
    let (before, inside) = match stamp(inside) {
        Some(stamp) => (Some(stamp), behind_time(stamp.rest)),
        None => (None, inside.trim_start_matches(is_sign)),
    };
    let mut named = name(inside)?;
    named.stamp = before.or(named.stamp);
    if !named.rest.trim().is_empty() {
        return None;
    }
    match named.end {
        End::Colon | End::Dash => {
            named.rest = after;
            Some(named)
        }
        End::Line => {
            let more = tail(after)?;
            named.aside = named.aside.or(more.aside);
            named.stamp = named.stamp.or(more.stamp);
            (named.end, named.rest) = (more.end, more.rest);
            Some(named)
        }
        End::Words => None,
    }
}

/// Reads a name without type, and what stands behind it.
fn name(text: &str) -> Option<Named<'_>> {
    let mut before = ' ';
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        if at > MAX_NAME_BYTES + 4 {
            return None;
        }
        let stops = match c {
            ':' | '：' | '(' | '[' | '（' | '—' => true,
            '–' | '|' | '\t' => true,
            '-' => before == ' ' && text[at + 1..].starts_with([' ', '-']),
            '0'..='9' => before == ' ' && at > 0 && stamp(&text[at..]).is_some(),
            ',' => {
                stamp(text[at + 1..].trim_start()).is_some()
                    || is_full_capitals(&text[..at]) && role(&text[at..]).is_some()
            }
            '\\' if text[at + 1..].starts_with(['[', '(']) => true,
            '\\' | '/' | '<' | '>' | '{' | '}' | '"' | '“' | '”' | '„' | '«' | '»'
            | '?' | '!' | ';' | '=' | '`' | '~' | '*' | '^' | '$' | '%' | '…' | ']'
            | ')' | '。' | '，' | '、' | '？' | '！' | '؟' | '؛' | '،' | '「' | '」'
            | '+' => return None,
            _ => false,
        };
        if stops {
            end = at;
            break;
        }
        before = c;
    }
    let found = text[..end].trim_end();
    let mut more = tail(&text[end..])?;
    more.name = if more.end == End::Dash {
        found.trim_end_matches('.').trim_end()
    } else {
        found
    };
    Some(more)
}

/// Reads what stands behind a name.
fn tail(text: &str) -> Option<Named<'_>> {
    let mut found =
        Named { name: "", aside: None, stamp: None, end: End::Line, rest: "" };
    let mut rest = text;
    let mut brackets = 0;
    for _ in 0..4 {
        rest = rest.trim_start_matches([' ', '\t', '\u{a0}', '\u{202f}', '\u{3000}']);
        let joined =
            rest.trim_start_matches(['-', '–', '—', '|', '@', '·', ',']).trim_start();
        let at = if joined.len() < rest.len() { joined } else { rest };
        if found.stamp.is_none()
            && let Some(stamp) = stamp(at).or_else(|| typed_stamp(at))
        {
            found.stamp = Some(stamp);
            rest = stamp.rest;
            continue;
        }
        if found.aside.is_none()
            && let Some(close) = closing(rest)
        {
            let end = rest.find(close)? + close.len_utf8();
            if end > MAX_ASIDE_BYTES {
                return None;
            }
            found.aside = Some(&rest[..end]);
            brackets = text.len() - rest.len();
            rest = &rest[end..];
            continue;
        }
        if let Some(end) = role(rest) {
            let at = text.len() - rest.len();
            let from = if found.aside.is_some() { brackets } else { at };
            found.aside = Some(&text[from..at + end]);
            rest = &rest[end..];
        }
        break;
    }
    found.rest = rest;
    if let Some(after) = rest.strip_prefix([':', '：']) {
        found.end = End::Colon;
        found.rest = after;
        return Some(found);
    }
    let undotted = rest.strip_prefix('.').unwrap_or(rest).trim_start();
    let dashes = ["—", "–", "--"];
    if let Some(after) = dashes.iter().find_map(|dash| undotted.strip_prefix(dash)) {
        found.end = End::Dash;
        found.rest = after;
        return (!after.trim().is_empty() && found.stamp.is_none()).then_some(found);
    }
    if rest.trim().is_empty() {
        return Some(found);
    }
    let sure = found.stamp.is_some_and(|stamp| stamp.is_exact && stamp.is_recorded);
    found.end = End::Words;
    (sure && found.aside.is_none()).then_some(found)
}

/// Returns whether it is a name of two words or more in capitals.
fn is_full_capitals(name: &str) -> bool {
    name.contains(' ') && name.chars().any(char::is_alphabetic) && is_capitals(name)
}

fn is_capitals(text: &str) -> bool {
    text.chars().all(|c| !c.is_lowercase())
}

/// Returns where the role ends that news put behind a name: `, CNN HOST:`.
fn role(text: &str) -> Option<usize> {
    let inside = text.strip_prefix(", ")?;
    let head = &inside[..inside.floor_char_boundary(MAX_ASIDE_BYTES)];
    let end = head.find(':')?;
    let role = &head[..end];
    let letters = role.chars().filter(|c| c.is_alphabetic()).count();
    let fits = letters > 2 && is_capitals(role) && !role.contains(['.', '?', '!', ';']);
    fits.then_some(end + 2)
}

/// Returns what stands behind a name in brackets, as it is shown: `(CNN HOST)` of `, CNN HOST`.
pub(crate) fn in_brackets(aside: &str) -> String {
    match aside.split_once(", ") {
        Some(("", role)) => format!("({role})"),
        Some((before, role)) if before.ends_with([')', ']']) => {
            let inside = before.trim_matches(['(', ')', '[', ']']);
            format!("({inside}, {role})")
        }
        _ => aside.to_owned(),
    }
}

fn closing(text: &str) -> Option<char> {
    Some(match text.chars().next()? {
        '(' => ')',
        '[' => ']',
        '（' => '）',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Shape, mark};

    #[track_caller]
    fn check(line: &str, expected: Option<(Shape, &str, &str)>) {
        let seen = mark(line);
        let seen = seen.as_ref().map(|mark| (mark.shape, mark.name, &line[mark.said..]));
        assert_eq!(seen, expected, "{line}");
    }

    #[test]
    fn every_shape_is_split() {
        use Shape::{Alone, Colon, Dash, Dot, Heading, Timed};
        for (line, shape, name, said) in [
            ("Ada: Hello", Colon, "Ada", "Hello"),
            ("Ada:", Colon, "Ada", ""),
            ("Ada Lovelace : Bonjour", Colon, "Ada Lovelace", "Bonjour"),
            ("阿达：你好", Colon, "阿达", "你好"),
            ("__Ada:__ Hello", Colon, "Ada", "Hello"),
            ("**Ada**: Hello", Colon, "Ada", "Hello"),
            ("*Ada:* Hello", Colon, "Ada", "Hello"),
            (">> Ada: Hello", Colon, "Ada", "Hello"),
            ("[00:05] Ada: Hello", Colon, "Ada", "Hello"),
            ("(00:05) Ada: Hello", Colon, "Ada", "Hello"),
            ("[00:05 - 00:09] Ada: Hello", Colon, "Ada", "Hello"),
            ("00:05 - Ada: Hello", Colon, "Ada", "Hello"),
            ("Ada (00:05): Hello", Colon, "Ada", "Hello"),
            ("Ada (laughs): Hello", Colon, "Ada", "Hello"),
            ("Ada: 00:01:02", Colon, "Ada", "00:01:02"),
            ("Ada 00:01:02", Timed, "Ada", ""),
            ("Ada Lovelace (1:02)", Timed, "Ada Lovelace", ""),
            ("[00:05] Ada", Timed, "Ada", ""),
            ("Speaker 1  0:00", Timed, "Speaker 1", ""),
            ("**Ada** 00:01:02", Timed, "Ada", ""),
            ("## Ada", Heading, "Ada", ""),
            ("### 🤖 Assistant", Heading, "Assistant", ""),
            ("## **Ada:**", Heading, "Ada", ""),
            ("**Ada**", Alone, "Ada", ""),
            ("ADA. — Hello", Dash, "ADA", "Hello"),
            ("ADA (aside). — Hello", Dash, "ADA", "Hello"),
            ("ADA — Hello", Dash, "ADA", "Hello"),
            ("Ada - Hello", Dash, "Ada", "Hello"),
            ("**Ada** Hello", Shape::Bold, "Ada", "Hello"),
            ("Q. Hello", Dot, "Q", "Hello"),
            ("**Q: Hello?**", Colon, "Q", "Hello?**"),
            ("ADA WREN, POND HOST: Hello", Colon, "ADA WREN", "Hello"),
            ("ADA WREN (R-TX), HOST: Hello", Colon, "ADA WREN", "Hello"),
        ] {
            check(line, Some((shape, name, said)));
        }
    }

    #[test]
    fn other_lines_have_none() {
        for line in [
            "",
            "Hello",
            "- Ada: Hello",
            "> Ada: Hello",
            "    Ada: Hello",
            "https://pond.example/",
            "| Ada: | x |",
            "What is it? One thing: it",
            "Ada\\: Hello",
            "{\"a\": 1}",
            "*Ada*",
            "**Ada** says hello",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn times_and_asides_are_found() {
        let found = mark("[00:05 - 00:09] Ada (laughs): Hello").expect("a mark");
        assert_eq!(found.aside, Some("(laughs)"));
        let stamp = found.stamp.expect("a time");
        assert_eq!((stamp.from, stamp.to), ("00:05", Some("00:09")));
    }
}
