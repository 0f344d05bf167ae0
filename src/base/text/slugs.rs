//! Turns texts into slugs, the parts of URLs.

use unicode_normalization::UnicodeNormalization;

use super::unicode::is_mark;
use crate::hash::Hash;
use crate::path::is_reserved_name;

/// Returns the words of `text` in lower case with `-` between them, at most `max` bytes long.
///
/// Letters and digits of every script are kept; the result may be empty.
pub fn slug(text: &str, max: usize) -> String {
    if text.is_ascii() {
        // ASCII needs no normalization.
        return join(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())), max);
    }
    join(text.nfc().flat_map(char::to_lowercase).nfc(), max)
}

fn join(letters: impl Iterator<Item = char>, max: usize) -> String {
    let mut slug = String::new();
    let mut is_in_word = false;
    for c in letters {
        if c.is_alphanumeric() || is_mark(c) && !slug.is_empty() && !slug.ends_with('-') {
            if slug.len() + c.len_utf8() > max {
                // A long word, or text in a script without spaces, is cut inside.
                let word = slug.rfind('-').filter(|at| is_in_word && *at >= max / 2);
                slug.truncate(word.unwrap_or(slug.len()));
                break;
            }
            slug.push(c);
            is_in_word = true;
            continue;
        }
        is_in_word = false;
        if !slug.is_empty() && !slug.ends_with('-') && slug.len() < max {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Returns a slug that is different for almost every name: without a suffix if it differs from the
/// name only in case and a few separators, and with a hash otherwise.
pub fn unique_slug(name: &str, max: usize) -> String {
    let slug = slug(name, max);
    let says_all = slug == name.to_lowercase().replace([' ', '.', '_', ':', '/'], "-");
    if slug.is_empty() {
        Hash::of(name).short(8)
    } else if says_all && !is_reserved_name(&slug) {
        slug
    } else {
        format!("{slug}-{}", Hash::of(name).short(5))
    }
}

#[cfg(test)]
mod tests {
    use super::{slug, unique_slug};

    #[test]
    fn slugs_keep_the_letters_of_every_script() {
        assert_eq!(slug("Why is the sky blue?", 60), "why-is-the-sky-blue");
        assert_eq!(slug("今天天气 怎么样？", 60), "今天天气-怎么样");
        assert_eq!(slug("Ünïcode  --  ÉTÉ", 60), "ünïcode-été");
        assert_eq!(slug("e\u{301}te\u{301}", 60), slug("été", 60));
        assert_eq!(slug("नमस्ते दुनिया", 60), "नमस्ते-दुनिया");
        assert_eq!(slug("../../etc/passwd", 60), "etc-passwd");
        assert_eq!(slug("🎉🎉", 60), "");
        assert_eq!(slug("a-b c", 3), "a-b");
        assert_eq!(slug("the eel counters", 12), "the-eel");
        assert_eq!(slug("the eel counters", 7), "the-eel");
        assert_eq!(slug("an eelcounter", 8), "an-eelco");
        assert_eq!(slug("界界界", 7), "界界");
    }

    #[test]
    fn names_with_one_slug_get_different_ones() {
        assert_eq!(unique_slug("Ada", 60), "ada");
        assert_ne!(unique_slug("Ada!", 60), "ada");
        assert_ne!(unique_slug("Ada!", 60), unique_slug("Ada?", 60));
        assert_ne!(unique_slug("🎉", 60), unique_slug("🎈", 60));
        assert_ne!(unique_slug("", 60), "");
        assert_ne!(unique_slug("CON", 60), "con");
    }
}
