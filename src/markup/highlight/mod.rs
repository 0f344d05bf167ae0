//! Syntax highlighting: scopes of syntect as a few one-letter classes.
//!
//! The highlighting of a line depends only on its text and on the state of the grammar after the
//! previous line. Code repeats itself (`}`, an import, a prompt, a quoted block), so lines are
//! cached with their state.

mod classes;
mod line_cache;
mod packed_runs;
mod palette;

use std::cell::RefCell;
use std::collections::HashMap;

use syntect::parsing::SyntaxReference;

use self::classes::SYNTAXES;
use self::line_cache::LineCache;
use self::packed_runs::Run;
pub use self::packed_runs::{Highlights, MAX_HIGHLIGHTS_BYTES, PackedRuns};
pub use self::palette::CodePalette;
use super::html::escape;
use convo_base::hash::Hash;

/// The maximum length of highlighted code in bytes; longer code is shown plain.
const MAX_CODE_BYTES: usize = 256 * 1024;
/// The maximum length of a line in bytes; code with a longer one, such as minified scripts, is
/// shown plain.
const MAX_LINE_BYTES: usize = 2_000;
/// The maximum size of highlighted code, as a multiple of its text.
const MAX_GROWTH: usize = 3;

/// The classes of pieces of code, the most useful first: if tags would make the page too long, the
/// last ones are dropped first. The letter is the class.
const CLASSES: [char; 12] = ['c', 's', 'k', 'f', 't', 'i', 'd', 'h', 'g', 'a', 'n', 'l'];

/// Appends `code` as HTML; plain if `language` is unknown or the code is too long.
pub(super) fn highlight(out: &mut String, language: &str, code: &str, highlights: &Highlights) {
    let fits =
        code.len() <= MAX_CODE_BYTES && code.lines().all(|line| line.len() <= MAX_LINE_BYTES);
    let syntax = syntax(language).filter(|_| fits);
    let runs = syntax.and_then(|syntax| {
        let key = Hash::of(&(&syntax.name, code));
        if let Some(known) = highlights.get(key) {
            return Some(known.unpack());
        }
        let made = runs(syntax, code)?;
        highlights.put(key, PackedRuns::pack(&made));
        Some(made)
    });
    match runs {
        Some(runs) => print(out, code, &runs),
        None => escape(out, code),
    }
}

fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    if language.is_empty() || language.len() > 32 {
        return None;
    }
    let name = language.to_ascii_lowercase();
    let token = match name.as_str() {
        "text" | "plain" | "plaintext" | "txt" => return None,
        "shell" | "console" | "shell-session" | "zsh" => "bash",
        "jsonc" | "json5" => "json",
        "golang" => "go",
        "rust,ignore" => "rust",
        "c++" => "cpp",
        "jsx" => "tsx",
        "patch" => "diff",
        name => name,
    };
    SYNTAXES.find_syntax_by_token(token)
}

thread_local! {
    /// Lines that were highlighted before.
    static LINES: RefCell<LineCache> = RefCell::default();
}

/// Returns the runs of some code; `None` if the grammar fails.
fn runs(syntax: &SyntaxReference, code: &str) -> Option<Vec<Run>> {
    LINES.with_borrow_mut(|lines| {
        let mut runs: Vec<Run> = Vec::new();
        let mut state = lines.start(syntax);
        let mut start = 0;
        for line in code.split_inclusive('\n') {
            let (parsed, next) = lines.line(state, line)?;
            for (class, end) in parsed {
                let end = start + *end as usize;
                match runs.last_mut() {
                    Some(last) if last.0 == *class => last.1 = end,
                    _ => runs.push((*class, end)),
                }
            }
            state = next;
            start += line.len();
        }
        Some(runs)
    })
}

/// The length of `<i class=k></i>`.
const TAG_BYTES: usize = 15;

fn print(out: &mut String, code: &str, runs: &[Run]) {
    let mut used = CLASSES.len();
    let budget = code.len() * MAX_GROWTH;
    let escaped = {
        let mut plain = String::new();
        escape(&mut plain, code);
        plain.len()
    };
    let mut cost: HashMap<char, usize> = HashMap::new();
    for (class, _) in runs {
        *cost.entry(*class).or_default() += TAG_BYTES;
    }
    let tags =
        |used: usize| CLASSES[..used].iter().filter_map(|class| cost.get(class)).sum::<usize>();
    while used > 0 && escaped + tags(used) > budget {
        used -= 1;
    }
    let mut start = 0;
    for (class, end) in runs {
        let text = &code[start..*end];
        start = *end;
        if text.trim().is_empty() || !CLASSES[..used].contains(class) {
            escape(out, text);
        } else {
            out.push_str("<i class=");
            out.push(*class);
            out.push('>');
            escape(out, text);
            out.push_str("</i>");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Highlights, highlight};

    #[track_caller]
    fn check(language: &str, code: &str, expected: &str) {
        let mut html = String::new();
        highlight(&mut html, language, code, &Highlights::default());
        assert_eq!(html, expected);
    }

    #[test]
    fn code_gets_a_few_classes() {
        check(
            "rust",
            "// <x>\nlet answer_to_everything = \"forty-two\";\n",
            "<i class=c>// &lt;x&gt;\n</i><i class=k>let</i> answer_to_everything = \
             <i class=s>&quot;forty-two&quot;</i>;\n",
        );
    }

    #[test]
    fn an_unknown_language_is_shown_plain() {
        check("\"><script>", "a < b", "a &lt; b");
        check("", "a < b", "a &lt; b");
    }

    #[test]
    fn highlighting_never_triples_the_text() {
        let code = "[1,2,3,4,5,6,7,8,\"a\",\"b\",true,null]".repeat(20);
        let mut html = String::new();
        highlight(&mut html, "json", &code, &Highlights::default());
        assert!(html.len() <= code.len() * 3, "{}", html.len());
    }
}
