//! `**Name:**` at the start of a line, and the times around it.

use convo_base::commonmark::{Event, events};

/// The opening of a turn in a line.
pub(super) struct Opening<'a> {
    /// The name without its escapes.
    pub(super) name: String,
    /// The time before, inside or directly after the name.
    pub(super) offset: Option<&'a str>,
    /// See [`Time::is_recorded`].
    pub(super) recorded: bool,
    /// Where the text after it starts on the line, in bytes.
    pub(super) text_start: usize,
    /// Whether the colon is escaped with a backslash, so that this is text that only looks like a name.
    pub(super) escaped: bool,
    /// The number of bytes before the colon.
    pub(super) colon: usize,
    /// Whether only a time such as `12:30` suggests a turn, as in many lines of timetables.
    pub(super) weak: bool,
}

/// The maximum length of a name in bytes.
pub(super) const MAX_NAME_BYTES: usize = 120;

/// Reads `**Name:** rest`, `**Name**: rest` and `**Name: rest**`, with or without heading marks, and with
/// an optional time before, after or inside the bold type.
pub(super) fn opening(line: &str) -> Option<Opening<'_>> {
    let marks = line.len() - line.trim_start_matches('#').len();
    let skipped = match marks {
        0 => 0,
        1..=6 if line[marks..].starts_with(' ') => marks + 1,
        _ => return None,
    };
    let before = time(&line[skipped..])
        .filter(|time| time.escape == 0 && time.rest.trim_start_matches(' ').starts_with("**"));
    let at = before
        .as_ref()
        .map_or(skipped, |time| line.len() - time.rest.trim_start_matches(' ').len());
    let bold = line[at..].strip_prefix("**")?;
    let inside = at + 2;
    let close = bold.find("**")?;
    let (bold, after) = (&bold[..close], &bold[close + 2..]);
    let behind = after.trim_start_matches(' ');
    let mut found = Opening {
        name: String::new(),
        offset: before.as_ref().map(|time| time.text),
        recorded: before.as_ref().is_some_and(Time::is_recorded),
        text_start: 0,
        escaped: false,
        colon: 0,
        weak: false,
    };
    let tight = if after.trim().is_empty() { bold } else { bold.trim_end_matches(' ') };
    let (name, rest) = if let Some(name) = tight.strip_suffix(':') {
        found.colon = inside + name.len();
        (name, after)
    } else if let Some(rest) = behind.strip_prefix(':') {
        found.colon = line.len() - rest.len() - 1;
        (bold, rest)
    } else if let Some((name, rest)) = bold.split_once(": ")
        && after.trim().is_empty()
        && times(rest).is_some()
    {
        // `**Break: \[43:56\]**`
        found.colon = inside + name.len();
        (name, &line[found.colon + 1..])
    } else {
        // `**Ada** \[00:05\]`
        let time = time(behind).filter(|_| before.is_none())?;
        let colon = time.rest.trim_start_matches(' ').strip_prefix(':');
        let alone = time.rest.trim().is_empty();
        if colon.is_none() && !alone && time.brackets != Brackets::Square {
            return None;
        }
        found.offset = Some(time.text);
        found.recorded = time.is_recorded();
        found.escaped = time.escape > 0;
        found.weak = colon.is_none() && !time.is_exact();
        found.colon = line.len() - behind.len() + time.colon;
        (bold, colon.unwrap_or(time.rest))
    };
    let backslashes = name.len() - name.trim_end_matches('\\').len();
    found.escaped |= backslashes > 0;
    let mut plain = name[..name.len() - backslashes].trim();
    if found.offset.is_none()
        && let Some((name, time)) = without_time(plain)
    {
        plain = name;
        found.offset = Some(time.text);
        found.recorded = time.is_recorded();
    }
    // `**[Ada]:**`, as speech recognition programs write it.
    let bare = plain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    plain = bare.filter(|bare| !bare.contains(['[', ']', '\\'])).unwrap_or(plain);
    let fits = !plain.is_empty()
        && name.len() <= MAX_NAME_BYTES
        && !plain.replace("\\*", "").contains('*')
        && !plain.starts_with(['-', '`'])
        && plain.chars().any(char::is_alphanumeric);
    found.text_start = line.len() - rest.strip_prefix(' ').unwrap_or(rest).len();
    fits.then(|| {
        found.name = plain_text(plain);
        found
    })
}

/// Returns the name and the time of `Ada (00:03)` or `\[00:05\] Ada`.
fn without_time(name: &str) -> Option<(&str, Time<'_>)> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    if let Some(time) = time(name).filter(|time| time.escape == 0)
        && time.rest.starts_with(' ')
    {
        return Some((time.rest.trim(), time));
    }
    let brackets = ["\\[", "[", "\\(", "("];
    brackets.iter().filter_map(|open| name.rfind(open)).find_map(|open| {
        let time = time(&name[open..])?;
        let ends = open > 0 && time.escape == 0 && time.rest.is_empty();
        ends.then(|| (name[..open].trim_end(), time))
    })
}

/// Returns a name without markup and escapes.
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

/// The time at the start of a text.
pub(super) struct Time<'a> {
    /// `01:05`, `1:02:03.50`.
    pub(super) text: &'a str,
    /// The brackets around it.
    pub(super) brackets: Brackets,
    /// What follows it.
    pub(super) rest: &'a str,
    /// The number of bytes before its first colon.
    colon: usize,
    /// The number of backslashes before its first colon.
    escape: usize,
}

/// The brackets around a time, with or without backslashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Brackets {
    /// `[01:05]`
    Square,
    /// `(01:05)`
    Round,
    /// `01:05`
    None,
}

impl Time<'_> {
    /// Returns whether it is too precise for a time of day in a sentence.
    pub(super) fn is_exact(&self) -> bool {
        self.brackets != Brackets::None || self.text.matches(':').count() == 2
    }

    /// Returns whether it is a time of a recording rather than of a timetable.
    pub(super) fn is_recorded(&self) -> bool {
        self.brackets == Brackets::Square
            || self.text.matches(':').count() == 2
            || self.text.starts_with("00:")
            || self.text.starts_with("0:")
    }
}

/// Returns the time at the start of `text`, such as `\[01:05\]`, `(1:02:03.50)` or `00:37:24`.
pub(super) fn time(text: &str) -> Option<Time<'_>> {
    let unescaped = text.strip_prefix('\\').unwrap_or(text);
    let (brackets, close, inside) = match unescaped.as_bytes().first()? {
        b'[' => (Brackets::Square, ']', &unescaped[1..]),
        b'(' => (Brackets::Round, ')', &unescaped[1..]),
        _ => (Brackets::None, ' ', text),
    };
    let digit = |c: char| c.is_ascii_digit();
    let hours = inside.find(|c| !digit(c))?;
    let escape = inside[hours..].len() - inside[hours..].trim_start_matches('\\').len();
    let more = inside[hours + escape..].strip_prefix(':')?;
    let end = more.find(|c| !digit(c) && !":.".contains(c)).unwrap_or(more.len());
    let mut minutes = &more[..end];
    if brackets == Brackets::None {
        // A colon or the end of a sentence after the time is not part of it.
        minutes = minutes.trim_end_matches([':', '.']);
    }
    let (clock, fraction) = minutes.split_once('.').unwrap_or((minutes, "0"));
    let number = |part: &str| (1..=2).contains(&part.len());
    let strict = brackets == Brackets::None;
    let rest = &more[minutes.len()..];
    let rest = match brackets {
        Brackets::None => {
            (rest.is_empty() || rest.starts_with([' ', '\t', ':', '.'])).then_some(rest)?
        }
        _ => rest.strip_prefix('\\').unwrap_or(rest).strip_prefix(close)?,
    };
    // `[01:05](https://…)` is a link.
    let linked = brackets == Brackets::Square && rest.starts_with('(');
    let fits = (1..=2).contains(&hours)
        && !linked
        && clock.split(':').count() <= 2
        && clock.split(':').all(|part| number(part) && (!strict || part.len() == 2))
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit());
    let from = text.len() - inside.len();
    let colon = from + hours + escape;
    let till = text.len() - more.len() + minutes.len();
    let time = &text[from..till];
    fits.then_some(Time { text: time, brackets, rest, colon, escape })
}

/// Reads one or two times in square brackets and nothing else: `\[25:59\]`, `\[25:59\] to \[27:11\]`.
pub(super) fn times(text: &str) -> Option<(&str, Option<&str>)> {
    let square =
        |text| time(text).filter(|time| time.escape == 0 && time.brackets == Brackets::Square);
    let text = text.trim();
    let first = square(text.strip_suffix("**").unwrap_or(text))?;
    let rest = first.rest.trim();
    if rest.is_empty() {
        return Some((first.text, None));
    }
    let rest = rest.strip_prefix("to").or_else(|| rest.strip_prefix(['-', '–']))?;
    let second = square(rest.trim_start())?;
    second.rest.trim().is_empty().then_some((first.text, Some(second.text)))
}

#[cfg(test)]
mod tests {
    use super::{opening, time, times};

    #[track_caller]
    fn check(line: &str, expected: Option<(&str, &str)>) {
        let seen = opening(line).filter(|found| !found.escaped);
        let seen = seen.as_ref().map(|found| (found.name.as_str(), &line[found.text_start..]));
        assert_eq!(seen, expected, "{line}");
    }

    #[track_caller]
    fn check_time(line: &str, expected: Option<(&str, &str, &str)>) {
        let seen = opening(line).filter(|found| !found.escaped);
        let seen = seen.as_ref().and_then(|found| {
            Some((found.name.as_str(), found.offset?, &line[found.text_start..]))
        });
        assert_eq!(seen, expected, "{line}");
    }

    #[test]
    fn a_name_in_bold_type_opens_a_turn() {
        check("**Ada:** Hello", Some(("Ada", "Hello")));
        check("**Ada**: Hello", Some(("Ada", "Hello")));
        check("**Ada: ** Hello", Some(("Ada", "Hello")));
        check("**Jingle** : \\[52:12\\]", Some(("Jingle", "\\[52:12\\]")));
        check("**Break: \\[43:56\\]**", Some(("Break", "\\[43:56\\]**")));
        check("# **Break:** \\[25:59\\]", Some(("Break", "\\[25:59\\]")));
        check("**Zoë C\\#:**", Some(("Zoë C#", "")));
        check("**李雷:** 你好", Some(("李雷", "你好")));
    }

    #[test]
    fn a_time_is_before_in_or_after_the_name() {
        check_time("**Ada (00:03):** Hi", Some(("Ada", "00:03", "Hi")));
        check_time("**Ada \\[1:00:03\\]**: Hi", Some(("Ada", "1:00:03", "Hi")));
        check_time("**[00:05] Ada:** Hi", Some(("Ada", "00:05", "Hi")));
        check_time("**00:05 Ada:** Hi", Some(("Ada", "00:05", "Hi")));
        check_time("**Cory Fields** 00:37:24", Some(("Cory Fields", "00:37:24", "")));
        check_time("**Ada** (00:03:12): Hi", Some(("Ada", "00:03:12", "Hi")));
        check_time("**Ada** [00:03]", Some(("Ada", "00:03", "")));
        check_time("**Ada** \\[00:03\\] Hi", Some(("Ada", "00:03", "Hi")));
        check_time("\\[00:01\\] **Ada:** Hi", Some(("Ada", "00:01", "Hi")));
        check_time("00:01 **Ada:** Hi", Some(("Ada", "00:01", "Hi")));
        check_time("**Ada (host):** Hi", None);
        check_time("**12:30:** Hi", None);
        check_time("**John 3:16:** Hi", None);
        check("**Lunch** 12:30 in the hall", None);
        check("**Lunch** (12:30) in the hall", None);
        check("**Ada** 00\\:37:24", None);
    }

    #[test]
    fn other_bold_type_does_not() {
        check("**Ada** said: Hello", None);
        check("**Ada: **", None);
        check("**A:B** c", None);
        check(" **Ada:** Hello", None);
        check("**:** x", None);
        check("**Note\\:** x", None);
        check("***Ada:*** x", None);
    }

    #[test]
    fn times_are_times() {
        assert_eq!(times("\\[25:59\\] to \\[1:27:11.50\\]"), Some(("25:59", Some("1:27:11.50"))));
        assert_eq!(times("[00:44]"), Some(("00:44", None)));
        assert_eq!(times("[1]"), None);
        assert_eq!(times("[00:44] and so on"), None);
    }

    #[test]
    fn a_time_of_day_is_not_exact() {
        let exact = |text| time(text).map(|time| time.is_exact());
        assert_eq!(exact("10:30 is too early"), Some(false));
        assert_eq!(exact("00:00:02 Hello"), Some(true));
        assert_eq!(exact("(00:20) Round"), Some(true));
        assert_eq!(exact("3:1 for us"), None);
        assert_eq!(exact("[01:05](https://pond.example/?t=65)"), None);
        assert_eq!(exact("1:2:3:4"), None);
    }
}
