//! Breaks text into lines of a given width.

use unicode_linebreak::linebreaks;

use super::Face;

/// A text with its size and lines.
#[derive(Debug, PartialEq)]
pub struct Setting {
    /// The font size.
    pub size: f32,
    /// The lines.
    pub lines: Vec<String>,
}

/// Sets a text in the largest of some sizes, each with a maximum number of lines, in which it fits
/// the width. The lines have about the same length. A text that does not fit in the last size is
/// cut.
pub fn set(text: &str, face: &Face<'_>, width: f32, sizes: &[(f32, usize)]) -> Setting {
    let words = Words::new(text, face);
    for (size, room) in sizes {
        let width = width / size;
        let lines = words.lines(width);
        if words.is_wider(width) || lines.len() > *room {
            continue;
        }
        // The smallest width with the same number of lines.
        let (mut least, mut most) = (width / 2.0, width);
        while most - least > 0.2 {
            let middle = f32::midpoint(least, most);
            let is_enough = !words.is_wider(middle) && words.lines(middle).len() == lines.len();
            *(if is_enough { &mut most } else { &mut least }) = middle;
        }
        return Setting { size: *size, lines: words.lines(most) };
    }
    let (size, room) = sizes.last().copied().unwrap_or((1.0, 1));
    let mut lines = words.lines(width / size);
    if lines.len() > room {
        let rest = lines.split_off(room.saturating_sub(1));
        lines.push(rest.join(" "));
    }
    let lines = lines.iter().map(|line| fit(line, face, width / size)).collect();
    Setting { size, lines }
}

/// Returns a text on one line of a width, in units of the font size, cut if necessary.
pub fn fit(text: &str, face: &Face<'_>, width: f32) -> String {
    let widths = face.widths(text);
    if widths.iter().sum::<f32>() <= width {
        return text.to_owned();
    }
    // The width of the ellipsis.
    let mut left = width - 1.0;
    let kept = text.chars().zip(widths).take_while(|(_, width)| {
        left -= width;
        left >= 0.0
    });
    let kept: String = kept.map(|(c, _)| c).collect();
    format!("{}…", kept.trim_end())
}

/// Returns parts of a text that stay on one line, with their widths.
struct Words<'a>(Vec<(&'a str, f32, f32)>);

impl<'a> Words<'a> {
    fn new(text: &'a str, face: &Face<'_>) -> Self {
        let mut words = Vec::new();
        let mut from = 0;
        for (at, _) in linebreaks(text) {
            let word = &text[from..at];
            words.push((word, face.width(word), face.width(word.trim_end())));
            from = at;
        }
        Self(words)
    }

    /// Returns whether a word is too wide for a line of that width.
    fn is_wider(&self, width: f32) -> bool {
        self.0.iter().any(|(_, _, bare)| *bare > width)
    }

    fn lines(&self, width: f32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut used = 0.0;
        for (word, whole, bare) in &self.0 {
            match lines.last_mut() {
                Some(line) if used + bare <= width => line.push_str(word),
                _ => {
                    lines.push((*word).to_owned());
                    used = 0.0;
                }
            }
            used += whole;
        }
        lines.iter().map(|line| line.trim_end().to_owned()).collect()
    }
}
