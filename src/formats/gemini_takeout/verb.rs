//! The title of an entry: a verb in the language of the account, and its object.

/// The kind of an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Title<'t> {
    /// A prompt with this text.
    Prompt(&'t str),
    /// A product with this title, such as a canvas.
    Made(&'t str),
    /// The app was opened, or feedback was given.
    Bookkeeping,
    /// Unknown: the verb is in another language.
    Other,
}

/// Verbs before a prompt, in the known languages.
const PROMPTED: [&str; 3] = ["Prompted ", "Eingegebener Prompt: ", "Searched for "];

/// Verbs before a product.
const MADE: [&str; 1] = ["Created "];

/// Prefixes of bookkeeping.
const BOOKKEEPING: [&str; 5] =
    ["Used ", "Gave feedback", "Selected preferred draft", "Visited ", "Viewed "];

/// Reads a title.
pub(super) fn read<'t>(title: &'t str, header: &str) -> Title<'t> {
    // On pages, the last space is non-breaking.
    let starts = |start: &&str| {
        let bare = start.trim_end();
        let rest = title.strip_prefix(bare)?;
        match rest.chars().next() {
            None => Some(rest),
            Some(c) if c.is_whitespace() || !start.ends_with(' ') => Some(rest.trim()),
            Some(_) => None,
        }
    };
    if let Some(prompt) = PROMPTED.iter().find_map(starts) {
        return Title::Prompt(prompt);
    }
    if MADE.iter().any(|start| title.starts_with(start)) {
        return Title::Made(title);
    }
    let is_about_program = !header.is_empty() && title.trim_end().ends_with(header);
    if is_about_program || BOOKKEEPING.iter().any(|start| title.starts_with(start)) {
        return Title::Bookkeeping;
    }
    Title::Other
}

#[cfg(test)]
mod tests {
    use super::{Title, read};

    #[test]
    fn verbs_are_separated_from_their_objects() {
        for (title, expected) in [
            ("Prompted Which moss?", Title::Prompt("Which moss?")),
            ("Prompted\u{a0}Which moss?", Title::Prompt("Which moss?")),
            ("Prompted", Title::Prompt("")),
            ("Promptedly said", Title::Other),
            ("Eingegebener Prompt: Moos?", Title::Prompt("Moos?")),
            (
                "Created Gemini Canvas titled A door",
                Title::Made("Created Gemini Canvas titled A door"),
            ),
            ("Used Gemini Apps", Title::Bookkeeping),
            ("Gave feedback: Good response", Title::Bookkeeping),
            ("Використано Gemini Apps", Title::Bookkeeping),
            ("Ви запитали: який мох?", Title::Other),
        ] {
            assert_eq!(read(title, "Gemini Apps"), expected, "{title}");
        }
    }
}
