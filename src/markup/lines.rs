//! Code line by line: with line numbers, and as a diff.

use super::code;
use super::highlight::{Highlights, highlight};
use super::html::escape;
use super::options::Options;

/// Appends a part of a file with the numbers of its lines, the first of which is `first`.
pub(super) fn print_numbered(
    out: &mut String,
    language: &str,
    text: &str,
    first: u64,
    options: &Options,
) {
    out.push_str(OPEN);
    let numbers = (first..).zip(text.lines()).map(|(number, _)| Some(number));
    print_gutter(out, numbers);
    code::print_element(out, language, text, options, "");
    out.push_str("</div>");
}

/// The start of code with numbers beside it. Scrollable code must be reachable by keyboard.
const OPEN: &str = "<div class=\"lines\" dir=\"ltr\" translate=\"no\" tabindex=\"0\">";

fn print_gutter(out: &mut String, numbers: impl Iterator<Item = Option<u64>>) {
    out.push_str("<pre class=\"gutter\" aria-hidden=\"true\">");
    for (row, number) in numbers.enumerate() {
        match number {
            Some(number) => out.push_str(&number.to_string()),
            // A line break directly behind `<pre>` does not count.
            None if row == 0 => out.push('\n'),
            None => {}
        }
        out.push('\n');
    }
    out.push_str("</pre>");
}

/// A line of a diff.
struct Row<'t> {
    /// ` `, `+`, `-`, or `@` for the start of a hunk.
    mark: char,
    /// The text after the mark; the whole line for the start of a hunk.
    text: &'t str,
    before: Option<u64>,
    after: Option<u64>,
}

/// Reads a diff: see [`convo_base::model::FileEdit::diff`].
fn rows(diff: &str) -> Vec<Row<'_>> {
    let (mut before, mut after) = (None, None);
    let next = |number: &mut Option<u64>| {
        let this = *number;
        *number = number.map(|number| number + 1);
        this
    };
    diff.lines()
        .map(|line| {
            let mark = line.chars().next().unwrap_or(' ');
            match mark {
                '@' => {
                    (before, after) = starts(line).unzip();
                    Row { mark, text: line, before: None, after: None }
                }
                '+' => Row { mark, text: &line[1..], before: None, after: next(&mut after) },
                '-' => Row { mark, text: &line[1..], before: next(&mut before), after: None },
                // `\ No newline at end of file` has no number.
                '\\' => Row { mark: '@', text: line, before: None, after: None },
                _ => {
                    let text = line.strip_prefix(' ').unwrap_or(line);
                    Row { mark: ' ', text, before: next(&mut before), after: next(&mut after) }
                }
            }
        })
        .collect()
}

/// Returns the numbers in `@@ -3,7 +4,8 @@`.
fn starts(line: &str) -> Option<(u64, u64)> {
    let mut words = line.split_whitespace().skip(1);
    let mut number = |sign: char| {
        let word = words.next()?.strip_prefix(sign)?;
        // Larger numbers are not those of lines, and must not overflow.
        word.split(',').next()?.parse::<u32>().ok().map(u64::from)
    };
    Some((number('-')?, number('+')?))
}

/// Appends a diff, highlighted in the language of its file.
pub(super) fn print_diff(out: &mut String, language: &str, diff: &str, options: &Options) {
    let mut rows = rows(diff);
    // The start of a hunk without numbers only separates it from the one before.
    rows.drain(..usize::from(diff.starts_with("@@\n")));
    let sides = ['-', '+'].map(|mark| side(&rows, mark, language, &options.highlights));
    let [mut before, mut after] = sides.map(Vec::into_iter);
    out.push_str(OPEN);
    if rows.iter().any(|row| row.before.is_some() || row.after.is_some()) {
        print_gutter(out, rows.iter().map(|row| row.before));
        print_gutter(out, rows.iter().map(|row| row.after));
    }
    out.push_str("<pre class=\"diff\"><code>");
    for row in &rows {
        let (class, html) = match row.mark {
            '+' => ("add", after.next()),
            '-' => ("del", before.next()),
            ' ' => {
                before.next();
                ("", after.next())
            }
            _ => ("hunk", None),
        };
        out.push_str(match class {
            "" => "<span>",
            "add" => "<span class=\"add\">",
            "del" => "<span class=\"del\">",
            _ => "<span class=\"hunk\">",
        });
        if row.mark != '@' {
            out.push(row.mark);
        }
        match html {
            Some(html) => out.push_str(&html),
            None => escape(out, row.text),
        }
        out.push_str("\n</span>");
    }
    out.push_str("</code></pre></div>");
}

/// Returns the highlighted lines of a file before (`-`) or after (`+`) a change.
fn side(rows: &[Row<'_>], mark: char, language: &str, highlights: &Highlights) -> Vec<String> {
    let lines = rows.iter().filter(|row| row.mark == ' ' || row.mark == mark);
    let text = lines.map(|row| format!("{}\n", row.text)).collect::<String>();
    let mut html = String::new();
    highlight(&mut html, language, &text, highlights);
    code::split_lines(&html)
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn the_lines_of_a_diff_have_the_numbers_of_both_files() {
        let diff = "@@ -3,2 +4,3 @@\n a\n-b\n+c\n+d\n\\ No newline at end of file";
        let numbers: Vec<_> = rows(diff).iter().map(|row| (row.before, row.after)).collect();
        let expected = [
            (None, None),
            (Some(3), Some(4)),
            (Some(4), None),
            (None, Some(5)),
            (None, Some(6)),
            (None, None),
        ];
        assert_eq!(numbers, expected);
        let impossible = "@@ -18446744073709551615 +18446744073709551615 @@\n+a\n b";
        assert!(rows(impossible).iter().all(|row| row.after.is_none()));
        assert!(rows("@@\n+a").iter().all(|row| row.after.is_none()));
    }
}
