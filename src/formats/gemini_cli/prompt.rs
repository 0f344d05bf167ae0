//! Separates the user's text from what Gemini CLI adds to it.

use crate::shared::agents::gemini_parts::handed_over;
use convo_base::model::Block;

/// The lines before and after the texts of files that a prompt includes with `@`.
const FILES: [&str; 2] =
    ["--- Content from referenced files ---", "--- Content from referenced context ---"];
const END: &str = "--- End of content ---";
/// The line before the text of one of them.
const FILE: &str = "Content from @";

/// Prefixes of texts that Gemini CLI sends in the user's role, and of the model's answers in older
/// versions.
const SETUP: [&str; 5] = [
    "This is the Gemini CLI. We are setting up the context",
    "Okay, just setting up the context for our chat",
    "<session_context>",
    "Got it. Thanks for the context!",
    "System: Please continue.",
];

/// Returns whether a text was sent by Gemini CLI and is not relevant to readers.
pub(super) fn is_setup(text: &str) -> bool {
    let text = text.trim_start();
    SETUP.iter().any(|start| text.starts_with(start))
}

/// Separates the user's text from the files that Gemini CLI adds below it.
pub(super) fn split_prompt(text: &str) -> (String, Vec<Block>) {
    let found = FILES.iter().find_map(|mark| Some((text.find(mark)?, mark.len())));
    let Some((start, length)) = found else { return (text.to_owned(), Vec::new()) };
    let (before, inside) = text.split_at(start);
    let inside = inside.get(length..).unwrap_or_default();
    let (inside, behind) = inside.rsplit_once(END).unwrap_or((inside, ""));
    let mut files: Vec<(&str, String)> = Vec::new();
    for line in inside.split_inclusive('\n') {
        let name = line.trim_end().strip_prefix(FILE).and_then(|name| name.strip_suffix(':'));
        match (name, files.last_mut()) {
            (Some(name), _) => files.push((name, String::new())),
            (None, Some((_, words))) => words.push_str(line),
            (None, None) if line.trim().is_empty() => {}
            (None, None) => files.push(("file", line.to_owned())),
        }
    }
    let files = files.iter().map(|(name, words)| handed_over(name, words)).collect();
    (format!("{}{}", before.trim_end(), behind), files)
}

#[cfg(test)]
mod tests {
    use super::{is_setup, split_prompt};

    #[test]
    fn files_below_a_prompt_are_separated_from_it() {
        let text = "Read @a.md\n--- Content from referenced files ---\nContent from @a.md:\nOak.\n\
                    --- End of content ---";
        let (words, files) = split_prompt(text);
        assert_eq!((words.as_str(), files.len()), ("Read @a.md", 1));
        assert_eq!(files[0].to_markdown(), "*a.md*\n\n> ```\n> Oak.\n> ```");
        assert_eq!(split_prompt("Hello").0, "Hello");
    }

    #[test]
    fn a_setup_text_is_not_a_prompt() {
        assert!(is_setup("\n<session_context>\nToday is Monday</session_context>"));
        assert!(!is_setup("Set it up"));
    }
}
