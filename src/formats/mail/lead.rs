//! The sentence above a quotation, which says who is quoted: `On 4 March 2026, Ada <ada@mill.example> wrote:`.

/// What stands around an address, as it is typed and as it is in Markdown.
const AROUND: [(&str, &str); 6] = [
    ("(<", ">)"),
    ("[mailto:", "]"),
    ("\\<", "\\>"),
    ("\\<", ">"),
    ("<", ">"),
    ("(", ")"),
];
/// Words that are no names.
const NO_NAMES: [&str; 9] =
    ["am", "pm", "um", "at", "on", "à", "las", "schrieb", "wrote"];

/// Returns the sentence without the addresses behind names; `None` where there are none.
pub(super) fn without_addresses(sentence: &str) -> Option<String> {
    let mut text = sentence.to_owned();
    let mut is_changed = false;
    while let Some((start, end)) = find(&text) {
        let before = text[..start].trim_end().len();
        text.replace_range(before..end, "");
        is_changed = true;
    }
    is_changed.then_some(text)
}

/// Finds an address behind a name, with what stands around it.
fn find(text: &str) -> Option<(usize, usize)> {
    let found = AROUND.into_iter().filter_map(|(open, close)| {
        let mut starts = text.match_indices(open);
        starts.find_map(|(start, _)| {
            let inside = &text[start + open.len()..];
            let address = &inside[..inside.find(close)?];
            let is_address = address.contains('@')
                && !address.contains(|c: char| c.is_whitespace() || "<>()[]".contains(c));
            let end = start + open.len() + address.len() + close.len();
            (is_address && follows_name(&text[..start])).then_some((start, end))
        })
    });
    found.min_by_key(|(start, end)| (*start, usize::MAX - end))
}

fn follows_name(before: &str) -> bool {
    let word = before.split_whitespace().next_back().unwrap_or_default();
    let bare = word.trim_matches(['"', '\'', '(', ')', '*', '_', '\\', '.']);
    let is_word = !word.ends_with([',', ':']) && bare.chars().any(char::is_alphabetic);
    is_word && !NO_NAMES.contains(&bare.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::without_addresses;

    #[test]
    fn addresses_behind_names_are_gone() {
        for (sentence, expected) in [
            (
                "On 12 Mar 2024, Ada <ada@mill.example> wrote:",
                Some("On 12 Mar 2024, Ada wrote:"),
            ),
            (
                "Am 04.03.26 um 18:20 schrieb Ada Byron <ada@mill.example>:",
                Some("Am 04.03.26 um 18:20 schrieb Ada Byron:"),
            ),
            (
                "Le 4 mars 2026 à 18:20, Ada <ada@mill.example> a écrit :",
                Some("Le 4 mars 2026 à 18:20, Ada a écrit :"),
            ),
            (
                "El mié, 4 mar 2026 a las 18:20, Ada (<ada@mill.example>) escribió:",
                Some("El mié, 4 mar 2026 a las 18:20, Ada escribió:"),
            ),
            ("Ada \\<ada@mill.example> wrote:", Some("Ada wrote:")),
            ("Ada [mailto:ada@mill.example] wrote:", Some("Ada wrote:")),
            ("\"Ada B.\" (ada@mill.example) writes:", Some("\"Ada B.\" writes:")),
            ("On 12 Mar 2024, <ada@mill.example> wrote:", None),
            ("Am 04.03.26 um 18:20 schrieb <ada@mill.example>:", None),
            ("On 12 Mar 2024 at 6:20 PM <ada@mill.example> wrote:", None),
            ("Ada <so to say> wrote:", None),
            ("Ada wrote:", None),
        ] {
            assert_eq!(without_addresses(sentence).as_deref(), expected, "{sentence}");
        }
    }
}
