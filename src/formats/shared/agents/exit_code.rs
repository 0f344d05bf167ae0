//! The exit code that agents add to the output of a command, on a line above or below it.

use std::ops::Range;

/// An exit code, and the byte range of its line in the output.
pub(crate) type ExitLine = (i64, Range<usize>);

/// What such lines start with, above an output and below it.
const ABOVE: [&str; 4] =
    ["Exit code: ", "Exit code ", "Error: Exit code ", "Process exited with code "];
const BELOW: [&str; 2] = ["Exit Code:", "Command exited with code "];
/// The mark of Copilot CLI at the end of an output, which may be on its last line.
const MARK: &str = "<exited with exit code ";

/// The number of lines at the start or at the end of an output that agents add.
const MAX_LINES: usize = 6;

/// Returns the exit code above an output.
pub(crate) fn above(output: &str) -> Option<ExitLine> {
    let mut lines = lines(output).take_while(|(_, line)| line.trim() != "Output:").take(MAX_LINES);
    lines.find_map(|line| read(line, &ABOVE))
}

/// Returns the exit code below an output.
pub(crate) fn below(output: &str) -> Option<ExitLine> {
    let end = output.trim_end().len();
    let mut rest = &output[..end];
    for _ in 0..MAX_LINES {
        let start = rest.rfind('\n').map_or(0, |at| at + 1);
        if let Some(found) = read((start, &rest[start..]), &BELOW) {
            return Some(found);
        }
        rest = &rest[..start.checked_sub(1)?];
    }
    None
}

/// Returns the exit code in a mark at the end of an output, and where the mark is.
pub(crate) fn marked(output: &str) -> Option<ExitLine> {
    let bare = output.trim_end();
    let start = bare.rfind(MARK)?;
    let code = bare[start + MARK.len()..].strip_suffix('>')?;
    Some((code.parse().ok()?, start..bare.len()))
}

/// Returns the lines of a text with their positions.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('\n').map(move |line| {
        let start = at;
        at += line.len() + 1;
        (start, line)
    })
}

fn read((start, line): (usize, &str), starts: &[&str]) -> Option<ExitLine> {
    let code = starts.iter().find_map(|start| line.strip_prefix(start))?;
    Some((code.trim().parse().ok()?, start..start + line.len()))
}

#[cfg(test)]
mod tests {
    use super::{above, below, marked};

    #[test]
    fn exit_codes_are_read_above_and_below_an_output() {
        for (output, code, rest) in [
            ("Exit code 2\nno such file", Some(2), "\nno such file"),
            (
                "Chunk ID: 7\nProcess exited with code 1\nOutput:\nx",
                Some(1),
                "Chunk ID: 7\n\nOutput:\nx",
            ),
            ("Exit code x\nExit code: -1", Some(-1), "Exit code x\n"),
            ("Output:\nExit code 1", None, ""),
        ] {
            let found = above(output);
            assert_eq!(found.as_ref().map(|(code, _)| *code), code, "{output}");
            if let Some((_, line)) = found {
                assert_eq!([&output[..line.start], &output[line.end..]].concat(), rest);
            }
        }
        for (output, code) in [
            ("x\nExit Code: 1\nSignal: none\n", Some(1)),
            ("Exit Code: 1\n1\n2\n3\n4\n5\n6", None),
            ("", None),
        ] {
            assert_eq!(below(output).map(|(code, _)| code), code, "{output}");
        }
        assert_eq!(below("x\n\nCommand exited with code 2").map(|(code, _)| code), Some(2));
        assert_eq!(marked("x<exited with exit code 3>\n"), Some((3, 1..26)));
        assert_eq!(marked("<exited with exit code 3> x"), None);
    }
}
