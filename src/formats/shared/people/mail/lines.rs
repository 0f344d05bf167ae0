//! The lines of a mail: their quotation depth, and which lines continue in the next one.

/// A line without its quotation marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// The quotation depth.
    pub(super) depth: usize,
    pub(super) text: String,
}

/// The maximum quotation depth; deeper quotations count as this depth.
const MAX_DEPTH: usize = 6;

/// Splits a text into lines. In flowed text, lines that end in a space continue.
pub(super) fn lines(text: &str, is_flowed: bool, is_space_dropped: bool) -> Vec<Line> {
    let mut found: Vec<Line> = Vec::new();
    let mut continues = false;
    for line in text.lines() {
        let (depth, rest) = unquoted(line, is_flowed);
        let is_signature = rest == "-- ";
        let rest = match is_flowed {
            true => rest.strip_prefix(' ').filter(|_| !is_signature).unwrap_or(rest),
            false => rest,
        };
        let opens = is_flowed && rest.ends_with(' ') && !is_signature;
        let kept = match opens && is_space_dropped {
            true => &rest[..rest.len() - 1],
            false => rest,
        };
        match found.last_mut() {
            Some(last) if continues && last.depth == depth && !is_signature => {
                last.text.push_str(kept);
            }
            _ => found.push(Line { depth, text: kept.to_owned() }),
        }
        continues = opens;
    }
    for line in &mut found {
        let end = line.text.trim_end().len();
        line.text.truncate(end);
    }
    found
}

/// Removes the quotation marks from a line. In flowed text there is no space between them.
fn unquoted(line: &str, is_flowed: bool) -> (usize, &str) {
    let mut rest = line;
    let mut depth = 0;
    loop {
        // `> > a` has depth two, but `>  > a` may be a shell prompt.
        let inside = match depth {
            0 => rest,
            _ if is_flowed => rest,
            _ => rest.strip_prefix(' ').unwrap_or(rest),
        };
        let Some(more) = inside.strip_prefix('>') else { break };
        rest = more;
        depth += 1;
    }
    if depth > 0 && !is_flowed {
        rest = rest.strip_prefix(' ').unwrap_or(rest);
    }
    (depth.min(MAX_DEPTH), rest)
}

#[cfg(test)]
mod tests {
    use super::lines;

    fn read(text: &str, is_flowed: bool, drops: bool) -> Vec<(usize, String)> {
        let lines = lines(text, is_flowed, drops).into_iter();
        lines.map(|line| (line.depth, line.text)).collect()
    }

    #[test]
    fn quotations_have_a_depth() {
        let found = read("a\n> b\n>> c\n> > d\n>e", false, false);
        let depths: Vec<usize> = found.iter().map(|(depth, _)| *depth).collect();
        assert_eq!(depths, [0, 1, 2, 2, 1]);
        assert_eq!(found[3].1, "d");
    }

    #[test]
    fn flowed_lines_go_on() {
        let found = read("One \ntwo.\n From here\n> a \n> b\n-- \nAda", true, false);
        let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["One two.", "From here", "a b", "--", "Ada"]);
        assert_eq!(read("日本 \n語", true, true)[0].1, "日本語");
    }
}
