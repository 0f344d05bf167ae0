//! The markup in cue texts: that of WebVTT, and what programs write in SubRip.

use crate::shared::text::entities::decoded;

/// A part of the text of a cue that one voice says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Spoken {
    /// The speaker, if a tag names one.
    pub(crate) voice: Option<String>,
    /// The text without markup, including line breaks.
    pub(crate) text: String,
}

/// Removes the markup from the text of a cue, and splits it at its voices. Also returns whether
/// single words have times.
pub(crate) fn voices(text: &str) -> (Vec<Spoken>, bool) {
    let mut all = vec![Spoken::default()];
    let mut is_timed = false;
    let mut rest = text;
    loop {
        let at = rest.find(['<', '{']).unwrap_or(rest.len());
        push(&mut all, &rest[..at]);
        rest = &rest[at..];
        if rest.is_empty() {
            break;
        }
        if let Some(behind) = rest.strip_prefix("{\\") {
            // A position or a style of SubStation Alpha.
            rest = behind.split_once('}').map_or("", |(_, behind)| behind);
            continue;
        }
        let is_tag = rest
            .strip_prefix('<')
            .is_some_and(|tag| tag.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/'));
        if !is_tag {
            push(&mut all, &rest[..1]);
            rest = &rest[1..];
            continue;
        }
        // A tag without an end extends at most to the end of its line.
        let end = rest.find(['>', '\n']).unwrap_or(rest.len());
        let tag = &rest[1..end];
        is_timed |= tag.starts_with(|c: char| c.is_ascii_digit());
        // Ruby text repeats the pronunciation.
        match tag {
            "rt" => push(&mut all, "("),
            "/rt" => push(&mut all, ")"),
            _ => {}
        }
        if let Some(voice) = voice_of(tag) {
            match all.last_mut() {
                Some(last) if last.text.trim().is_empty() => last.voice = Some(voice),
                _ => all.push(Spoken { voice: Some(voice), ..Spoken::default() }),
            }
        }
        rest = rest[end..].strip_prefix('>').unwrap_or(&rest[end..]);
    }
    all.retain(|spoken| !spoken.text.trim().is_empty());
    (all, is_timed)
}

fn push(all: &mut [Spoken], text: &str) {
    if let Some(last) = all.last_mut() {
        last.text.push_str(&decoded(text));
    }
}

/// Returns the name in a tag such as `v Ada` or `v.first.loud Ada`.
fn voice_of(tag: &str) -> Option<String> {
    let behind = tag.strip_prefix('v')?;
    let (_, name) = behind.split_once(char::is_whitespace)?;
    let is_voice = behind.starts_with(|c: char| c == '.' || c.is_whitespace());
    let name = decoded(name).split_whitespace().collect::<Vec<_>>().join(" ");
    (is_voice && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::voices;

    #[track_caller]
    fn check(text: &str, expected: &[(Option<&str>, &str)]) {
        let (all, _) = voices(text);
        let all: Vec<_> = all.iter().map(|one| (one.voice.as_deref(), one.text.trim())).collect();
        assert_eq!(all, expected, "{text}");
    }

    #[test]
    fn markup_is_removed_and_words_stay() {
        check("<v Mary>No <i>way</i>!</v>", &[(Some("Mary"), "No way!")]);
        check("<v.first.loud Joe>Hee!</v> Hee!", &[(Some("Joe"), "Hee! Hee!")]);
        check(
            "<v Ann>One</v>\n<v Bo &amp; Co>Two",
            &[(Some("Ann"), "One"), (Some("Bo & Co"), "Two")],
        );
        check("{\\an8}1 < 2 &lt; {3}", &[(None, "1 < 2 < {3}")]);
        check("<v It's blue!", &[]);
        check("<00:01.000>Hee!<00:01.500> Hee!", &[(None, "Hee! Hee!")]);
        assert!(voices("<00:01.000>Hee!").1);
    }
}
