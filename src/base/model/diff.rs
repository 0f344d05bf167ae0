//! Line differences between two texts.

use similar::{Algorithm, ChangeTag, capture_diff_slices};

/// The maximum number of lines compared on one side. The cost grows with the product of both sides.
const MAX_LINES: usize = 2_000;

/// Returns the lines of both texts, each after ` ` (in both), `-` (only in `before`) or `+` (only
/// in `after`). In texts that are too long to compare, only the common start and end are matched.
pub(super) fn lines(before: &str, after: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) =
        (before.lines().collect(), after.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = before.iter().zip(&after).take_while(same).count();
    let tail = before[head..].iter().rev().zip(after[head..].iter().rev());
    let tail = tail.take_while(same).count();
    let (old, new) = (&before[head..before.len() - tail], &after[head..after.len() - tail]);
    let mut out = Vec::with_capacity(before.len().max(after.len()));
    let mut put = |mark: char, line: &str| out.push(format!("{mark}{line}"));
    before[..head].iter().for_each(|line| put(' ', line));
    if old.len().max(new.len()) > MAX_LINES {
        old.iter().for_each(|line| put('-', line));
        new.iter().for_each(|line| put('+', line));
    } else {
        for op in capture_diff_slices(Algorithm::Myers, old, new) {
            for change in op.iter_changes(old, new) {
                let mark = match change.tag() {
                    ChangeTag::Equal => ' ',
                    ChangeTag::Delete => '-',
                    ChangeTag::Insert => '+',
                };
                put(mark, change.value());
            }
        }
    }
    before[before.len() - tail..].iter().for_each(|line| put(' ', line));
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_in_both_texts_occur_once() {
        assert_eq!(lines("a\nb\nc", "a\nx\nc"), " a\n-b\n+x\n c");
        assert_eq!(lines("", "a\nb"), "+a\n+b");
        assert_eq!(lines("a", "a"), " a");
    }

    #[test]
    fn long_texts_are_not_compared() {
        let (old, new) = ("a\n".repeat(3000), "b\n".repeat(3000));
        assert_eq!(lines(&old, &new).lines().count(), 6000);
    }
}
