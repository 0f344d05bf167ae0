//! The shapes of lines that name a speaker: splits a line into a name, a time and the rest.

use super::name::{End, MAX_NAME_BYTES, behind_time, emphasis, is_sign, name, opens_name};
use super::no_colon::{bold, bracketed, hyphen, question, stop};
use super::shape::{Mark, Shape};
use super::stamp::stamp;
use convo_base::text::is_direction_mark;

/// Reads a line without its newline.
pub(super) fn mark(line: &str) -> Option<Mark<'_>> {
    let text = line.trim_start_matches(is_direction_mark);
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
        && let Some(mark) =
            question(line, bare).or_else(|| stop(line, bare)).or_else(|| hyphen(line, bare))
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
        && first.is_some_and(|c| !c.is_whitespace() && !uncased(c) && !"“„«\"—–".contains(c));
    if tight && rest.starts_with(['/', ':', '\\', '=']) {
        return None;
    }
    let text_start = line.len() - rest.trim_start_matches([' ', '\t', '\u{3000}']).len();
    let before_colon = line.len() - rest.len();
    let colon = before_colon - usize::from(named.end == End::Colon) * if wide { 3 } else { 1 };
    Some(Mark {
        shape,
        name: named.name,
        aside: named.aside,
        stamp: named.stamp,
        text_start,
        marked,
        tight,
        colon,
    })
}

/// Reads a name in capitals on a line of its own, as in plays: `JANE`, `JANE (aside)`, `JANE.`
pub(super) fn in_capitals(line: &str) -> Option<Mark<'_>> {
    // `ADA ^` speaks at the same time as the speaker above.
    let bare = line.trim_start_matches(is_direction_mark).trim_end_matches([' ', '^']);
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
        text_start: line.len(),
        marked: false,
        tight: false,
        colon: line.len(),
    })
}

/// Returns the name that makes up a line, if a time on the line below confirms that it is one.
pub(super) fn lone_name(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(is_direction_mark);
    let named = name(bare).filter(|_| opens_name(bare))?;
    let alone = named.end == End::Line && named.stamp.is_none() && named.aside.is_none();
    (alone && !named.name.is_empty() && named.name.len() <= MAX_NAME_BYTES).then_some(named.name)
}

/// Reads the text after the marks of a heading.
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
    let rest_len = if named.end == End::Colon { rest.len() } else { 0 };
    let fits =
        (alone || rest_len > 0) && !named.name.is_empty() && named.name.len() <= MAX_NAME_BYTES;
    fits.then_some(Mark {
        shape: Shape::Heading,
        name: named.name,
        aside: named.aside,
        stamp: before.or(named.stamp),
        text_start: if alone {
            line.len()
        } else {
            line.len() - (text.len() - closed.len()) - rest_len
        },
        marked: true,
        tight: false,
        colon: line.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Shape, mark};

    #[track_caller]
    fn check(line: &str, expected: Option<(Shape, &str, &str)>) {
        let seen = mark(line);
        let seen = seen.as_ref().map(|mark| (mark.shape, mark.name, &line[mark.text_start..]));
        assert_eq!(seen, expected, "{line}");
    }

    #[test]
    fn every_shape_is_split() {
        use Shape::{Alone, Colon, Dash, Dot, Heading, Timed};
        for (line, shape, name, text) in [
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
            check(line, Some((shape, name, text)));
        }
    }

    #[test]
    fn other_lines_have_no_marks() {
        for line in [
            "", "Hello", "- Ada: Hello", "> Ada: Hello", "    Ada: Hello", "https://pond.example/",
            "| Ada: | x |", "What is it? One thing: it", "Ada\\: Hello", "{\"a\": 1}", "*Ada*",
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
