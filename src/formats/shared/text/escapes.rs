//! Terminal escape sequences in program output.

use std::ops::Range;

use convo_base::model::{TerminalColor, TerminalColors};

/// Removes sequences that set colours or move the cursor.
pub(crate) fn without_escapes(text: &str) -> String {
    divided(text).0
}

/// Does the same, and returns the colours that the sequences set, if there are any.
pub(crate) fn with_colors(text: &str) -> (String, Option<TerminalColors>) {
    let (plain, parts) = divided(text);
    let colors = (!parts.is_empty()).then(|| TerminalColors::new(&plain, parts));
    (plain, colors)
}

/// Returns a text without its sequences, and its coloured parts.
fn divided(text: &str) -> (String, Vec<(Range<usize>, TerminalColor)>) {
    let mut parts: Vec<(Range<usize>, TerminalColor)> = Vec::new();
    if !text.contains(['\u{1b}', '\u{9b}']) {
        return (text.to_owned(), parts);
    }
    let mut open: Option<(usize, TerminalColor)> = None;
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let kind = match c {
            '\u{9b}' => Some('['),
            '\u{1b}' => chars.next(),
            _ => {
                out.push(c);
                continue;
            }
        };
        match kind {
            // Parameters, up to a letter.
            Some('[') => {
                let mut parameters = String::new();
                let end = chars.by_ref().find(|c| {
                    let is_end = ('@'..='~').contains(c);
                    if !is_end && parameters.len() < MAX_PARAMETERS {
                        parameters.push(*c);
                    }
                    is_end
                });
                let next = match end {
                    Some('m') => color(&parameters, open.map(|(_, color)| color)),
                    _ => open.map(|(_, color)| color),
                };
                if next != open.map(|(_, color)| color) {
                    end_part(open, out.len(), &mut parts);
                    open = next.map(|color| (out.len(), color));
                }
            }
            // A title or a link, up to a bell or another escape.
            Some(']') => {
                while let Some(c) = chars.next() {
                    if c == '\u{7}' {
                        break;
                    }
                    if c == '\u{1b}' {
                        chars.next_if_eq(&'\\');
                        break;
                    }
                }
            }
            Some('(' | ')' | '#') => _ = chars.next(),
            _ => {}
        }
    }
    end_part(open, out.len(), &mut parts);
    (out, parts)
}

/// The maximum length of the parameters of a colour.
const MAX_PARAMETERS: usize = 64;

fn end_part(
    open: Option<(usize, TerminalColor)>,
    end: usize,
    parts: &mut Vec<(Range<usize>, TerminalColor)>,
) {
    if let Some((start, color)) = open.filter(|(start, _)| *start < end) {
        parts.push((start..end, color));
    }
}

/// Returns a colour of the palette of 256: the basic ones, a cube of six levels, and greys.
fn of_palette(index: usize, basic: &[Option<TerminalColor>; 8]) -> Option<TerminalColor> {
    match index {
        0..16 => basic[index % 8],
        16..232 => {
            let index = index - 16;
            let is_on = |level: usize| usize::from(level >= 3);
            basic[is_on(index / 36) + 2 * is_on(index / 6 % 6) + 4 * is_on(index % 6)]
        }
        _ => Some(TerminalColor::Grey),
    }
}

/// Returns the colour after a sequence with these parameters: `1;31`, `38;5;9` or `38;2;255;0;0`.
fn color(parameters: &str, before: Option<TerminalColor>) -> Option<TerminalColor> {
    const BASIC: [Option<TerminalColor>; 8] = [
        Some(TerminalColor::Grey),
        Some(TerminalColor::Red),
        Some(TerminalColor::Green),
        Some(TerminalColor::Yellow),
        Some(TerminalColor::Blue),
        Some(TerminalColor::Magenta),
        Some(TerminalColor::Blue),
        None,
    ];
    let mut numbers = parameters.split([';', ':']).map(|part| part.parse::<usize>().unwrap_or(0));
    // These set modes of the keyboard.
    if parameters.starts_with(['<', '=', '>', '?']) {
        return before;
    }
    let mut color = before;
    while let Some(number) = numbers.next() {
        color = match number {
            0 | 39 => None,
            22 => color.filter(|color| *color != TerminalColor::Grey),
            2 => color.or(Some(TerminalColor::Grey)),
            30..=37 => BASIC[number - 30],
            90..=97 => BASIC[number - 90],
            38 | 48 => {
                let other = match numbers.next() {
                    Some(5) => numbers.next().and_then(|index| of_palette(index, &BASIC)),
                    Some(2) => {
                        let mut next = || numbers.next().unwrap_or_default() > 127;
                        let bits = [next(), next(), next()];
                        let index =
                            bits.iter().rev().fold(0, |sum, bit| sum * 2 + usize::from(*bit));
                        BASIC[index]
                    }
                    _ => None,
                };
                // 48 sets the background.
                if number == 38 { other } else { color }
            }
            _ => color,
        };
    }
    color
}

#[cfg(test)]
mod tests {
    use super::{TerminalColor, with_colors, without_escapes};

    #[test]
    fn escapes_are_removed() {
        let text =
            "\u{1b}[1;31mred\u{1b}[0m \u{1b}]8;;https://example.org\u{7}link\u{1b}]8;;\u{1b}\\!";
        assert_eq!(without_escapes(text), "red link!");
        assert_eq!(without_escapes("\u{1b}["), "");
    }

    #[test]
    fn colors_are_kept() {
        let text = "a \u{1b}[1;31mred\u{1b}[0m \u{1b}[38;2;20;200;30mgreen\u{1b}[39m\u{1b}[2K \u{1b}[48;5;1;33mé";
        let (plain, colors) = with_colors(text);
        assert_eq!(plain, "a red green é");
        let colors = colors.expect("colours");
        let parts = colors.parts_of(&plain).iter();
        let parts: Vec<_> = parts.map(|(at, color)| (&plain[at.clone()], *color)).collect();
        let expected = [
            ("red", TerminalColor::Red),
            ("green", TerminalColor::Green),
            ("é", TerminalColor::Yellow),
        ];
        assert_eq!(parts, expected);
        assert_eq!(colors.parts_of("a red"), []);
        assert_eq!(with_colors("plain").1, None);
        for (text, color) in [
            ("\u{1b}[38;5;196mx", Some(TerminalColor::Red)),
            ("\u{1b}[38;5;46mx", Some(TerminalColor::Green)),
            ("\u{1b}[2m\u{1b}[22mx", None),
            ("\u{1b}[>4;2mx", None),
        ] {
            let colors = with_colors(text).1;
            let found = colors.and_then(|colors| Some(colors.parts_of("x").first()?.1));
            assert_eq!(found, color, "{text:?}");
        }
    }
}
