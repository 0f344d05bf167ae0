//! The attribution line above a quotation: `On 4 March 2026, Ada <ada@mill.example> wrote:`.

/// The characters around an address, as typed and as escaped in Markdown.
const AROUND: [(&str, &str); 6] =
    [("(<", ">)"), ("[mailto:", "]"), ("\\<", "\\>"), ("\\<", ">"), ("<", ">"), ("(", ")")];
/// Words that are not names.
const NO_NAMES: [&str; 9] = ["am", "pm", "um", "at", "on", "à", "las", "schrieb", "wrote"];

/// The maximum length of an address in bytes.
const MAX_ADDRESS: usize = 320;

/// Returns the sentence without the addresses after names; `None` if it has none.
pub(super) fn without_addresses(sentence: &str) -> Option<String> {
    let mut out = String::with_capacity(sentence.len());
    let (mut done, mut next) = (0, 0);
    while let Some(found) = sentence[next..].find(['<', '(', '[', '\\']) {
        let start = next + found;
        next = start + 1;
        let Some(end) = address_at(sentence, start) else { continue };
        out.push_str(&sentence[done..start]);
        if follows_name(&out) {
            out.truncate(out.trim_end().len());
            next = end;
            done = end;
        } else {
            done = start;
        }
    }
    let is_changed = out.len() < done;
    out.push_str(&sentence[done..]);
    is_changed.then_some(out)
}

/// Returns where an address that starts at a byte ends, including the characters around it.
fn address_at(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..text.floor_char_boundary(start + MAX_ADDRESS)];
    let ends = AROUND.into_iter().filter_map(|(open, close)| {
        let inside = rest.strip_prefix(open)?;
        let address = &inside[..inside.find(close)?];
        let is_address = address.contains('@')
            && !address.contains(|c: char| c.is_whitespace() || "<>()[]".contains(c));
        is_address.then_some(start + open.len() + address.len() + close.len())
    });
    ends.max()
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
    fn addresses_after_names_are_removed() {
        for (sentence, expected) in [
            ("On 12 Mar 2024, Ada <ada@mill.example> wrote:", Some("On 12 Mar 2024, Ada wrote:")),
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
