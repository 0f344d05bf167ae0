//! `**Name:**` at the start of a line, and `\[01:33\]` after it.

use crate::commonmark::{Event, events};

/// How a line opens a turn.
pub(super) struct Opening {
    /// The name without its escapes.
    pub(super) name: String,
    /// Where what stands behind it starts on the line. Bytes.
    pub(super) said: usize,
    /// Whether a backslash stands before the colon: then it is no name but text that would
    /// look like one.
    pub(super) escaped: bool,
    /// Bytes before the colon.
    pub(super) colon: usize,
}

/// The longest name. Bytes.
pub(super) const NAME: usize = 120;

/// Reads `**Name:** rest`, `**Name**: rest` and `**Name: rest**`, after heading marks or not.
pub(super) fn opening(line: &str) -> Option<Opening> {
    let marks = line.len() - line.trim_start_matches('#').len();
    let skipped = match marks {
        0 => 0,
        1..=6 if line[marks..].starts_with(' ') => marks + 1,
        _ => return None,
    };
    let bold = line[skipped..].strip_prefix("**")?;
    let inside = skipped + 2;
    let close = bold.find("**")?;
    let (name, after) = (&bold[..close], &bold[close + 2..]);
    let (name, rest, colon) = if let Some(name) = name.strip_suffix(':') {
        (name, after, inside + name.len())
    } else if let Some(rest) = after.trim_start_matches(' ').strip_prefix(':') {
        (name, rest, line.len() - rest.len() - 1)
    } else {
        // `**Break: \[43:56\]**`
        let (name, rest) = name.split_once(": ")?;
        let only_times = after.trim().is_empty() && times(rest).is_some();
        let colon = inside + name.len();
        only_times.then_some((name, &line[colon + 1..], colon))?
    };
    let backslashes = name.len() - name.trim_end_matches('\\').len();
    let plain = name[..name.len() - backslashes].trim();
    let fits = !plain.is_empty()
        && name.len() <= NAME
        && !plain.replace("\\*", "").contains('*')
        && !plain.starts_with(['-', '`'])
        && plain.chars().any(char::is_alphanumeric);
    let rest = rest.strip_prefix(' ').unwrap_or(rest);
    fits.then(|| Opening {
        name: plain_text(plain),
        said: line.len() - rest.len(),
        escaped: backslashes > 0,
        colon,
    })
}

/// A name as it is read: without markup and escapes.
fn plain_text(name: &str) -> String {
    if !name.contains(['\\', '[', '<', '&', '_', '`']) {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len());
    for (event, _) in events(name, false) {
        match event {
            Event::Text(text) | Event::Code(text) => out.push_str(&text),
            _ => {}
        }
    }
    if out.trim().is_empty() { name.to_owned() } else { out }
}

/// The time at the start of `text`, such as `\[01:05\]` or `[1:02:03.50]`, and the rest.
pub(super) fn time(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix("\\[").or_else(|| text.strip_prefix('['))?;
    let end = inside.find(|c: char| !c.is_ascii_digit() && !":.".contains(c))?;
    let (time, rest) = inside.split_at(end);
    let rest = rest.strip_prefix("\\]").or_else(|| rest.strip_prefix(']'))?;
    let (clock, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let parts: Vec<&str> = clock.split(':').collect();
    let number = |part: &&str| (1..=2).contains(&part.len());
    let fits = (2..=3).contains(&parts.len())
        && parts.iter().all(number)
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit());
    fits.then_some((time, rest))
}

/// One or two times and nothing else: `\[25:59\]`, `\[25:59\] to \[27:11\]`.
pub(super) fn times(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.trim();
    let (first, rest) = time(text.strip_suffix("**").unwrap_or(text))?;
    let rest = rest.trim();
    if rest.is_empty() {
        return Some((first, None));
    }
    let rest = rest.strip_prefix("to").or_else(|| rest.strip_prefix(['-', '–']))?;
    let (second, rest) = time(rest.trim_start())?;
    rest.trim().is_empty().then_some((first, Some(second)))
}

#[cfg(test)]
mod tests {
    use super::{opening, times};

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str)>) {
        let seen = opening(line).filter(|found| !found.escaped);
        let seen = seen.as_ref().map(|found| (found.name.as_str(), &line[found.said..]));
        assert_eq!(seen, expected, "{line}");
    }

    #[test]
    fn a_name_in_bold_type_opens_a_turn() {
        check("**Ada:** Hello", Some(("Ada", "Hello")));
        check("**Ada**: Hello", Some(("Ada", "Hello")));
        check("**Jingle** : \\[52:12\\]", Some(("Jingle", "\\[52:12\\]")));
        check("**Break: \\[43:56\\]**", Some(("Break", "\\[43:56\\]**")));
        check("# **Break:** \\[25:59\\]", Some(("Break", "\\[25:59\\]")));
        check("**Zoë C\\#:**", Some(("Zoë C#", "")));
        check("**李雷:** 你好", Some(("李雷", "你好")));
    }

    #[test]
    fn other_bold_type_does_not() {
        check("**Ada** said: Hello", None);
        check("**A:B** c", None);
        check(" **Ada:** Hello", None);
        check("**:** x", None);
        check("**Note\\:** x", None);
        check("***Ada:*** x", None);
    }

    #[test]
    fn times_are_times() {
        assert_eq!(
            times("\\[25:59\\] to \\[1:27:11.50\\]"),
            Some(("25:59", Some("1:27:11.50")))
        );
        assert_eq!(times("[00:44]"), Some(("00:44", None)));
        assert_eq!(times("[1]"), None);
        assert_eq!(times("[00:44] and so on"), None);
    }
}
