//! Recognises text that is not prose by its structure: diffs, stack traces, logs, messages of compilers, drawn
//! tables, terminal sessions and source code.

use std::ops::Range;

/// Lines that are not prose.
pub(super) struct Pasted {
    pub(super) lines: Range<usize>,
    /// The name of their language; empty if they have none.
    pub(super) language: &'static str,
}

/// A kind of pasted text.
struct Rule {
    language: &'static str,
    /// Whether a line shows that the lines around it are of this kind.
    is_sign: fn(&str) -> bool,
    /// Whether a line can be part of it. The lines of this kind are the ones from the first sign on.
    is_part: fn(&str) -> bool,
    /// The minimum number of signs.
    least: usize,
    /// The minimum share of signs among the lines, in percent.
    percent: usize,
    /// What all of its lines must be.
    holds: fn(&[&str]) -> bool,
}

impl Rule {
    const fn new(is_sign: fn(&str) -> bool, least: usize, percent: usize) -> Self {
        Self { language: "", is_sign, is_part: |_| true, least, percent, holds: |_| true }
    }
}

const RULES: [Rule; 10] = [
    Rule { language: "diff", is_part: is_diff, ..Rule::new(is_hunk, 1, 0) },
    Rule::new(is_frame, 2, 20),
    Rule::new(is_log, 2, 50),
    Rule::new(is_complaint, 1, 15),
    Rule { is_part: is_drawn_part, ..Rule::new(is_drawn, 2, 30) },
    Rule::new(is_command, 1, 10),
    Rule { language: "html", ..Rule::new(is_element, 2, 60) },
    Rule { language: "yaml", holds: has_indents, ..Rule::new(is_pair, 3, 80) },
    Rule::new(is_setting, 2, 50),
    Rule { holds: is_source, ..Rule::new(is_statement, 2, 50) },
];

/// The minimum number of lines.
const MIN_LINES: usize = 2;

/// Finds text that is not prose among consecutive lines.
pub(super) fn pasted(lines: &[&str]) -> Option<Pasted> {
    if let Some(lines) = data(lines) {
        return Some(Pasted { lines, language: "json" });
    }
    RULES.iter().find_map(|rule| {
        let mut start = lines.iter().position(|line| (rule.is_sign)(line))?;
        let is_head = |line: &str| {
            (rule.is_part)(line) && (is_title(line) || line.starts_with([' ', '\t', '-', '+']))
        };
        // The line above may belong to it, such as the message of a stack trace.
        while start > 0 && is_head(lines[start - 1]) {
            start -= 1;
        }
        let rest = &lines[start..];
        let parts = rest.iter().take_while(|line| (rule.is_part)(line)).count();
        let prose = rest[..parts]
            .iter()
            .rev()
            .take_while(|line| !(rule.is_sign)(line) && !is_title(line) && is_prose(line));
        let end = start + parts - prose.count();
        let found = &lines[start..end];
        let signs = found.iter().filter(|line| (rule.is_sign)(line)).count();
        let is_enough = signs >= rule.least && signs * 100 >= found.len() * rule.percent;
        (found.len() >= MIN_LINES && is_enough && (rule.holds)(found))
            .then_some(Pasted { lines: start..end, language: rule.language })
    })
}

/// Returns whether lines behind a blank line continue what was pasted in this language.
pub(super) fn continues(lines: &[&str], language: &str) -> bool {
    let is_part = |line: &&str| match language {
        "diff" => is_diff(line),
        _ => line.starts_with([' ', '\t', '}', ')', ']']),
    };
    !lines.is_empty() && lines.iter().all(is_part)
}

/// Returns the lines of a JSON value.
fn data(lines: &[&str]) -> Option<Range<usize>> {
    let start = lines.iter().position(|line| ["{", "["].contains(&line.trim()))?;
    let close = if lines[start].trim() == "{" { '}' } else { ']' };
    let is_end = |line: &&str| line.trim_end_matches([',', ';', '\n', '\r']) == close.to_string();
    let end = start + lines[start..].iter().rposition(is_end)? + 1;
    let is_quoted =
        lines[start + 1..end].iter().any(|line| line.trim_start().starts_with(['"', '{', '[']));
    is_quoted.then_some(start..end)
}

fn is_hunk(line: &str) -> bool {
    line.starts_with("@@ -") || line.starts_with("diff --git ")
}

fn is_diff(line: &str) -> bool {
    const HEADS: [&str; 8] = [
        "diff ", "index ", "new file", "deleted file", "old mode", "new mode", "similarity",
        "rename ",
    ];
    line.starts_with([' ', '+', '-', '@', '\\']) || HEADS.iter().any(|head| line.starts_with(head))
}

/// Returns whether a line is a frame of a stack trace.
fn is_frame(line: &str) -> bool {
    let bare = line.trim();
    let is_indented = line.starts_with([' ', '\t']);
    let number = bare
        .split(':')
        .next()
        .is_some_and(|first| !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit()));
    bare.starts_with("Traceback (most recent call last)")
        || bare.starts_with("stack backtrace:")
        || bare.starts_with("goroutine ") && bare.ends_with(':')
        || is_indented && bare.starts_with("at ") && bare.contains(['(', ':', '.'])
        || bare.starts_with("File \"") && bare.contains(", line ")
        || is_indented && number && bare.contains("::")
        || bare.starts_with("from ") && bare.contains(":in ")
}

/// Returns whether a line starts with a time or a level, as those of logs do.
fn is_log(line: &str) -> bool {
    const LEVELS: [&str; 9] =
        ["TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "FATAL", "CRITICAL"];
    let bare = line.trim_start_matches(['[', '(', ' ']);
    let bytes = bare.as_bytes();
    let digits = |range: Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let at = |place: usize, mark: u8| bytes.get(place) == Some(&mark);
    let is_day = digits(0..4) && (at(4, b'-') || at(4, b'/')) && digits(5..7) && digits(8..10);
    let is_clock = digits(0..2) && at(2, b':') && digits(3..5) && at(5, b':') && digits(6..8);
    let is_syslog =
        bytes.get(..3).is_some_and(|month| MONTHS.iter().any(|known| known.as_bytes() == month))
            && at(3, b' ')
            && bare.get(7..).is_some_and(|rest| rest.as_bytes().get(2) == Some(&b':'));
    let mut words =
        bare.split([' ', ']', '[', ':', '|', '=']).filter(|word| !word.is_empty()).take(3);
    let is_pair =
        bare.starts_with("time=") || bare.starts_with("level=") || bare.starts_with("ts=");
    is_day && bare.len() > 11
        || is_clock
        || is_syslog
        || is_pair
        || words.next().is_some_and(|word| LEVELS.contains(&word))
        || words.any(|word| LEVELS.contains(&word)) && line.contains(['[', ':'])
}

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns whether a line is a message of a compiler, with the place in a file.
fn is_complaint(line: &str) -> bool {
    let bare = line.trim();
    bare.starts_with("error[")
        || bare.starts_with("--> ")
        || {
            let mut parts = bare.splitn(4, ':');
            let (file, line, rest) = (parts.next(), parts.next(), parts.next());
            let is_file = file.is_some_and(|file| {
                file.contains('.') && !file.contains(' ') && !file.ends_with('.')
            });
            let is_number =
                |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let about = ["error", "warning", "note", "fatal error"];
            let words = [rest, parts.next()];
            is_file
                && line.is_some_and(is_number)
                && words
                    .iter()
                    .flatten()
                    .any(|text| about.iter().any(|word| text.trim_start().starts_with(word)))
        }
        || bare.contains("): error ")
        || bare.contains(" - error TS")
}

/// Returns whether a line is a border of a drawn table or box.
fn is_drawn(line: &str) -> bool {
    let bare = line.trim();
    let is_box = |c: char| matches!(c, '\u{2500}'..='\u{257f}' | '\u{2580}'..='\u{259f}');
    let is_border =
        bare.starts_with('+') && bare.len() > 4 && bare.chars().all(|c| "+-=:| ".contains(c));
    is_border || bare.chars().filter(|c| is_box(*c)).count() >= 2
}

fn is_drawn_part(line: &str) -> bool {
    is_drawn(line) || line.contains('|') || line.starts_with(' ')
}

/// Returns whether a line is a command at a prompt of a shell.
fn is_command(line: &str) -> bool {
    let is_word =
        |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic() || "./~".contains(c));
    let mark = |mark: &str| line.strip_prefix(mark).is_some_and(is_word);
    let host = || {
        let (prompt, command) = line.split_once("$ ").or(line.split_once("% "))?;
        let is_host = prompt.contains('@') && !prompt.contains("  ") && prompt.len() < 80;
        (is_host && is_word(command)).then_some(())
    };
    mark("$ ") || mark("\u{276f} ") || mark("PS> ") || line.starts_with(">>> ") || host().is_some()
}

fn is_element(line: &str) -> bool {
    let bare = line.trim();
    let is_tag = bare.strip_prefix('<').is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c))
    });
    is_tag && bare.ends_with('>') || bare == "/>"
}

/// Returns whether a line is a key with a value, as in YAML. Where none is indented, it is a list that
/// people write too.
fn is_pair(line: &str) -> bool {
    let bare = line.trim_start().trim_start_matches("- ");
    let Some((key, value)) = bare.split_once(':') else { return false };
    let is_key = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-./".contains(c);
    let is_value = value.trim().is_empty() || value.starts_with(' ');
    !key.is_empty() && key.chars().all(is_key) && is_value && !key.starts_with("http")
}

/// Returns whether a line is a setting, as in INI files, TOML and environment files.
fn is_setting(line: &str) -> bool {
    let bare = line.trim().trim_start_matches("export ");
    let Some((key, value)) = bare.split_once('=') else { return false };
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let key = key.trim_end();
    !key.is_empty() && key.chars().all(is_key) && !value.starts_with(['=', '>'])
        || bare.starts_with('[') && bare.ends_with(']') && bare.len() > 2 && !bare.contains(' ')
}

/// Returns whether a line looks like a statement of a program.
fn is_statement(line: &str) -> bool {
    const STARTS: [&str; 27] = [
        "def ", "class ", "fn ", "pub ", "let ", "const ", "var ", "import ", "from ", "return ",
        "return;", "if (", "for (", "while (", "} else", "func ", "function ", "async ", "await ",
        "export ", "#include", "package ", "using ", "@", "//", "/*", "self.",
    ];
    let bare = line.trim();
    bare.ends_with([';', '{', '}'])
        || bare == ")"
        || bare == "],"
        || bare == "});"
        || STARTS.iter().any(|start| bare.starts_with(start)) && !is_prose(line)
        || line.starts_with([' ', '\t']) && bare.ends_with(['(', ')', ',', ':'])
}

fn has_indents(lines: &[&str]) -> bool {
    lines.iter().any(|line| line.starts_with("  ") || line.starts_with('\t'))
}

/// Returns whether lines are source code: some are indented, or have the marks of blocks.
fn is_source(lines: &[&str]) -> bool {
    let has_mark = |line: &&str| line.trim_end().ends_with([';', '{', '}']);
    lines.len() > 2 && has_indents(lines) || lines.iter().filter(|line| has_mark(line)).count() > 1
}

/// Returns whether a line names an error, as the line above a stack trace does.
fn is_title(line: &str) -> bool {
    let first = line.split([':', ' ']).next().unwrap_or_default();
    ["Error", "Exception", "error", "panic"].iter().any(|end| first.ends_with(end))
        || line.contains("panicked at")
        || line.starts_with("Exception in thread")
}

/// Returns whether a line reads as a sentence.
fn is_prose(line: &str) -> bool {
    let bare = line.trim_end();
    let words = bare.split_whitespace().count();
    let is_word = |word: &str| {
        let bare = word.trim_matches(|c: char| ",.:;?!()'\"".contains(c));
        bare.chars().all(|c| c.is_alphabetic() || "'-’".contains(c))
    };
    let plain = bare.split_whitespace().filter(|word| is_word(word)).count();
    !line.starts_with([' ', '\t'])
        && words >= 2
        && plain * 10 >= words * 7
        && !bare.ends_with(['{', ';'])
}
