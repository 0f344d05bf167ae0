//! Code blocks.

use std::ops::Range;

use super::highlight::highlight;
use super::html::escape;
use super::options::Options;

/// The length of a line of code, in bytes, that fits on a screen 360 pixels wide.
const NARROW_LINE_BYTES: usize = 30;

/// Appends a code block with its complete info string; only the first word names the language.
pub(super) fn print(out: &mut String, info: &str, code: &str, options: &Options) {
    let language = info.split([' ', '\t', ',', '{']).next().unwrap_or_default();
    if !info.is_empty() {
        out.push_str("<figure class=\"code\"><figcaption>");
        escape(out, info);
        out.push_str("</figcaption>");
    }
    print_bare(out, language, code, options);
    out.push_str(if info.is_empty() { "\n" } else { "</figure>\n" });
}

/// Appends a code block without a caption.
pub(super) fn print_bare(out: &mut String, language: &str, code: &str, options: &Options) {
    // Scrollable code must be reachable by keyboard; code is never right-to-left or translated.
    let attributes = attributes(code);
    if options.line_numbers && code.contains('\n') {
        let mut html = String::new();
        highlight(&mut html, language, code, &options.highlights);
        out.push_str(&format!("<pre{attributes}><code>"));
        let lines = split_lines(&html).into_iter().map(|line| format!("<span>{line}</span>"));
        out.push_str(&lines.collect::<Vec<_>>().join("\n"));
        out.push_str(if code.ends_with('\n') { "\n" } else { "" });
        out.push_str("</code></pre>");
    } else {
        print_element(out, language, code, options, &attributes);
    }
}

/// Returns the attributes of a code block, each after a space.
fn attributes(code: &str) -> String {
    let wide = code.lines().any(|line| line.len() > NARROW_LINE_BYTES);
    let focus = if wide { " tabindex=\"0\"" } else { "" };
    format!(" dir=\"ltr\" translate=\"no\"{focus}")
}

/// Appends the output of a program, whose parts have classes.
pub(super) fn print_output(out: &mut String, text: &str, parts: &[(Range<usize>, &str)]) {
    out.push_str(&format!("<pre{}><code>", attributes(text)));
    let mut done = 0;
    for (at, class) in parts {
        escape(out, text.get(done..at.start).unwrap_or_default());
        out.push_str(&format!("<i class={class}>"));
        escape(out, text.get(at.clone()).unwrap_or_default());
        out.push_str("</i>");
        done = at.end;
    }
    escape(out, text.get(done..).unwrap_or_default());
    out.push_str("</code></pre>");
}

/// Appends the element of a code block with its attributes, each after a space.
pub(super) fn print_element(
    out: &mut String,
    language: &str,
    code: &str,
    options: &Options,
    attributes: &str,
) {
    out.push_str(&format!("<pre{attributes}><code>"));
    highlight(out, language, code, &options.highlights);
    out.push_str("</code></pre>");
}

/// Returns the lines of highlighted code, without their ends. An element that spans several lines is
/// closed at the end of each and opened again on the next.
pub(super) fn split_lines(html: &str) -> Vec<String> {
    let mut lines = Vec::new();
    // The open element of the highlighting; there is never more than one.
    let mut open = "";
    for line in html.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line);
        // The element that was open was closed at the end of the previous line.
        if line == "</i>" {
            continue;
        }
        let mut out = String::with_capacity(open.len() + text.len() + 4);
        out.push_str(open);
        out.push_str(text);
        open = match (text.rfind("<i "), text.rfind("</i>")) {
            (Some(start), end) if end.is_none_or(|end| end < start) => {
                &text[start..text[start..].find('>').map_or(text.len(), |end| start + end + 1)]
            }
            (_, Some(_)) => "",
            (None, None) | (Some(_), None) => open,
        };
        if !open.is_empty() {
            out.push_str("</i>");
        }
        lines.push(out);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::split_lines;

    #[test]
    fn colours_over_several_lines_are_reopened_on_each_line() {
        let lines = split_lines("a\n<i class=c>/* b\n\nc */</i> d\n");
        let expected = ["a", "<i class=c>/* b</i>", "<i class=c></i>", "<i class=c>c */</i> d"];
        assert_eq!(lines, expected);
        assert_eq!(split_lines("a\n<i class=c># b\n</i>"), ["a", "<i class=c># b</i>"]);
    }
}
