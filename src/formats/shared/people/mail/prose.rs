//! Conversion of typed lines to Markdown: paragraphs are joined; lists, code and drawings keep
//! their shape.

use super::lines::Line;
use crate::shared::text::verbatim::verbatim;
use convo_base::model::{fenced, quoted};

/// The assumed column at which programs wrap lines, if a paragraph does not show it.
const MIN_WIDTH: usize = 60;
/// The indentation of a line of code.
const INDENT: &str = "    ";

/// Returns lines, with their quotations, as Markdown.
pub(super) fn to_markdown(lines: &[Line]) -> String {
    below(lines, 0)
}

fn below(lines: &[Line], depth: usize) -> String {
    let mut out: Vec<String> = Vec::new();
    for some in lines.chunk_by(|a, b| (a.depth > depth) == (b.depth > depth)) {
        match some[0].depth > depth {
            true => {
                let inside = below(some, depth + 1);
                if !inside.is_empty() {
                    out.push(quoted(&inside).trim_end().to_owned());
                }
            }
            false => {
                let texts: Vec<&str> = some.iter().map(|line| line.text.as_str()).collect();
                let text = plain(&texts);
                if !text.is_empty() {
                    out.push(text);
                }
            }
        }
    }
    out.join("\n\n")
}

/// Returns lines without quotations as Markdown.
fn plain(lines: &[&str]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if lines[at].trim().is_empty() {
            at += 1;
            continue;
        }
        if let Some(count) = patch(&lines[at..]).or_else(|| changes(&lines[at..])) {
            out.push(fenced("diff", &lines[at..at + count].join("\n")));
            at += count;
            continue;
        }
        if is_rule(lines[at]) {
            out.push("***".to_owned());
            at += 1;
            continue;
        }
        let rest = &lines[at..];
        let ends = |at: usize| {
            let line = rest[at];
            line.trim().is_empty() || is_patch(line) || is_rule(line) || is_change(line)
        };
        let count = (1..rest.len()).find(|at| ends(*at)).unwrap_or(rest.len());
        let (some, mut used) = (&rest[..count], count);
        if is_drawn(some) {
            // Blank lines inside code belong to it.
            while let Some(more) = indented_run_len(&rest[used..]) {
                used += more;
            }
            out.push(fenced("", &unindented(&rest[..used])));
        } else {
            out.push(paragraph(some));
        }
        at += used;
    }
    out.join("\n\n")
}

/// Returns text as typed, with URLs turned into links.
fn words(line: &str) -> String {
    let mut bare = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once("<http") {
        bare.push_str(before);
        let end = behind.find(|c: char| matches!(c, '<' | '>') || c.is_whitespace());
        match end.filter(|end| behind[*end..].starts_with('>')) {
            Some(end) => {
                bare.push_str("http");
                bare.push_str(&behind[..end]);
                rest = &behind[end + 1..];
            }
            None => {
                bare.push_str("<http");
                rest = behind;
            }
        }
    }
    bare.push_str(rest);
    verbatim(&bare)
}

/// Returns whether a line separates the text above it from the text below it.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_all = |mark: char| line.chars().all(|c| c == mark);
    line.len() >= 3
        && line.starts_with(['-', '_', '=', '*'])
        && line.chars().next().is_some_and(is_all)
}

fn is_patch(line: &str) -> bool {
    line.starts_with("diff --git ")
        || line.starts_with("--- a/")
        || line.starts_with("Index: ")
        || line.starts_with("@@ -")
}

/// Returns the number of lines from the first one that are a patch; zero if none begins there.
fn patch(lines: &[&str]) -> Option<usize> {
    if !lines.first().is_some_and(|line| is_patch(line)) {
        return None;
    }
    let has_hunk = lines.iter().take(12).any(|line| line.starts_with("@@ "));
    if !has_hunk {
        return None;
    }
    let is_part = |line: &str| {
        line.starts_with(['+', '-', ' ', '@', '\\', '\t'])
            || line.is_empty()
            || is_patch(line)
            || [
                "index ", "new file", "deleted file", "similarity", "rename ", "old mode",
                "new mode", "===", "Binary ",
            ]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let count = lines.iter().position(|line| !is_part(line)).unwrap_or(lines.len());
    let blank = lines[..count].iter().rev().take_while(|line| line.trim().is_empty()).count();
    Some(count - blank)
}

/// Returns the number of lines from the first one that are part of a patch without its head, as replies quote it.
/// Lines with both signs are one, even if they could be lists: there the signs say what is meant.
fn changes(lines: &[&str]) -> Option<usize> {
    let is_part = |line: &&&str| {
        line.starts_with(['+', '-', ' ', '\t', '@'])
            && !is_rule(line)
            && !is_patch(line)
            && **line != "--"
    };
    let count = lines.iter().take_while(is_part).count();
    let is_vote = |code: &str| code.starts_with(|c: char| c.is_ascii_digit());
    let has = |sign: char| {
        let mut codes = lines[..count].iter().filter_map(|line| line.strip_prefix(sign));
        codes.any(|code| !is_vote(code))
    };
    let is_patch = lines[..count].iter().any(|line| is_change(line)) || has('+') && has('-');
    is_patch.then_some(count)
}

/// Returns whether a line is code after a sign of a patch.
fn is_change(line: &str) -> bool {
    let Some(code) = line.strip_prefix(['+', '-']) else { return false };
    // `+1(binding)`
    if code.starts_with(|c: char| c.is_ascii_digit()) {
        return false;
    }
    let is_item = code.starts_with(' ') && !code.starts_with("  ");
    code.starts_with('\t')
        || !is_item
            && (code.ends_with([';', '{', '}']) || has_call(code) && code.ends_with([')', ',']))
}

/// Returns whether a line has a bracket directly after a name.
fn has_call(code: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices('(').any(|(at, _)| code[..at].ends_with(is_name))
}

/// Returns whether lines are code, a table or a drawing, in which columns matter.
fn is_drawn(lines: &[&str]) -> bool {
    let is_indented = |line: &&&str| line.starts_with(INDENT) || line.starts_with('\t');
    if lines.iter().filter(is_indented).count() == lines.len() {
        return true;
    }
    let has_columns = |line: &&&str| {
        let line = line.trim();
        line.contains("   ")
            || line.contains(" | ")
            || line.starts_with('|') && line.ends_with('|')
            || line.starts_with("+--")
            || line.starts_with("$ ")
    };
    lines.len() > 1 && lines.iter().filter(has_columns).count() * 2 >= lines.len()
}

/// Returns the number of lines of a run of blank lines and the indented code after it.
fn indented_run_len(lines: &[&str]) -> Option<usize> {
    let blank = lines.iter().take_while(|line| line.trim().is_empty()).count();
    let rest = &lines[blank..];
    let count = rest.iter().take_while(|line| !line.trim().is_empty()).count();
    let is_code = |line: &&str| line.starts_with(INDENT) || line.starts_with('\t');
    (blank > 0 && count > 0 && rest[..count].iter().all(is_code)).then_some(blank + count)
}

fn unindented(lines: &[&str]) -> String {
    let indent = |line: &&&str| line.len() - line.trim_start_matches(' ').len();
    let some = lines.iter().filter(|line| !line.trim().is_empty());
    let least = some.map(|line| indent(&line)).min().unwrap_or_default();
    let lines: Vec<&str> = lines.iter().map(|line| line.get(least..).unwrap_or("")).collect();
    lines.join("\n")
}

/// Returns the marker of a list item and the text after it.
fn item(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let end = match digits {
        0 if text.starts_with(['-', '*', '+', '•']) => text.chars().next()?.len_utf8(),
        1..=3 if text[digits..].starts_with(['.', ')']) => digits + 1,
        _ => return None,
    };
    let rest = text[end..].strip_prefix([' ', '\t'])?;
    (!rest.trim().is_empty()).then_some((&text[..end], rest.trim_start()))
}

/// Returns a paragraph or a list. Lines that the mail program wrapped are joined; line breaks that
/// the writer made are kept.
fn paragraph(lines: &[&str]) -> String {
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let width = width.max(MIN_WIDTH);
    let mut out = String::new();
    let mut before: Option<&str> = None;
    let mut is_list = false;
    for line in lines {
        let found = item(line);
        if let Some(before) = before {
            let next = line.split_whitespace().next().unwrap_or_default();
            let is_full = before.chars().count() + 1 + next.chars().count() > width;
            out.push_str(match found {
                Some(_) if is_list => "\n",
                Some(_) => "\n\n",
                None if is_full => "\n",
                None if is_list && line.starts_with(' ') => "\n",
                None => "\\\n",
            });
        }
        match found {
            Some((mark, rest)) => {
                let mark = if mark == "•" { "-" } else { mark };
                out.push_str(&format!("{mark} {}", words(rest)));
                is_list = true;
            }
            None => {
                if is_list {
                    out.push_str("  ");
                }
                out.push_str(&words(line));
            }
        }
        before = Some(line);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::to_markdown;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(to_markdown(&lines(text, false, false)), expected);
    }

    #[test]
    fn paragraphs_flow_and_lines_that_end_stay() {
        let long = "The mill has stood here for a long time, and it will go on standing here until\n\
                    somebody sells it.";
        check(long, long);
        check("Dear all,\nthe tide is in.\n\nAda", "Dear all,\\\nthe tide is in.\n\nAda");
    }

    #[test]
    fn text_in_columns_is_unchanged() {
        check("See:\n\n    a = 1\n\n    b = 2\n\nYes.", "See:\n\n```\na = 1\n\nb = 2\n```\n\nYes.");
        check(
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
            "```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```",
        );
        check("One\n---\nTwo", "One\n\n***\n\nTwo");
        check("Want:\n- a *b*\n  c\n- d", "Want:\n\n- a \\*b\\*\n  c\n- d");
    }

    #[test]
    fn the_signs_of_quoted_changes_are_unchanged() {
        check(
            "> +static int gate(struct water *w)\n> +{\n> +\tint depth = 0;\n> -\topen();\nIs it?",
            "> ```diff\n> +static int gate(struct water *w)\n> +{\n> +\tint depth = 0;\n> -\topen();\n> ```\n\nIs it?",
        );
        check("> +\tint depth = 0;\nWhy?", "> ```diff\n> +\tint depth = 0;\n> ```\n\nWhy?");
        check("Then:\n-open();\nDone.", "Then:\n\n```diff\n-open();\n```\n\nDone.");
        check("+ cheap\n- slow", "```diff\n+ cheap\n- slow\n```");
        check("+ cheap\n+ fast", "+ cheap\n+ fast");
        check("+1\nAda", "\\+1\\\nAda");
        check("+1(binding)\n--\nAda", "\\+1(binding)\\\n\\--\\\nAda");
        check("-- Ada (the one)", "\\-- Ada (the one)");
        check("- open(), please\n- close()", "- open(), please\n- close()");
    }

    #[test]
    fn quotations_are_quoted() {
        check("> a\n>> b\nc", "> a\n> \n> > b\n\nc");
    }
}
