//! Splits names into words, whatever their style.

/// Words in server names that do not identify a server.
const FILLERS: [&str; 4] = ["mcp", "server", "servers", "plugin"];

/// Returns the words of a name in lower case: `googleDrive-fetch` has three.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && was_lower {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

/// Returns the words of a name, without those that do not identify a server.
pub(super) fn identifying_words(name: &str) -> Vec<String> {
    let mut words = words(name);
    words.retain(|word| !FILLERS.contains(&word.as_str()));
    words
}

/// Returns the identifying words of a server name, without immediate repetitions:
/// `plugin_context7_context7` has one.
pub(super) fn server_words(name: &str) -> Vec<String> {
    let mut words = identifying_words(name);
    words.dedup();
    words
}

/// Returns how many of the first words together form a name, ignoring punctuation; `None` if they do not.
pub(super) fn prefix(words: &[String], name: &str) -> Option<usize> {
    let mut rest = name;
    for (count, word) in words.iter().enumerate() {
        if rest.is_empty() {
            return Some(count);
        }
        rest = rest.strip_prefix(word.as_str())?;
    }
    rest.is_empty().then_some(words.len())
}

#[cfg(test)]
mod tests {
    use super::{prefix, server_words, words};

    #[test]
    fn a_name_has_words_however_it_is_written() {
        for name in ["google_drive.fetch", "googleDrive-fetch", "Google Drive: FETCH"] {
            assert_eq!(words(name), ["google", "drive", "fetch"], "{name}");
        }
        assert_eq!(words("__"), [""; 0]);
        assert_eq!(server_words("plugin_context7_context7"), ["context7"]);
        assert_eq!(server_words("mcp-server-git"), ["git"]);
        let words = words("garden_tools_water");
        assert_eq!(prefix(&words, "gardentools"), Some(2));
        assert_eq!(prefix(&words, "gardentoolswater"), Some(3));
        assert_eq!(prefix(&words, "gardent"), None);
        assert_eq!(prefix(&words, "gardentoolswaterer"), None);
    }
}
