//! Text functions: slugs, excerpts, word counts, similar names.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use base64::Engine;
use percent_encoding::{
    AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode,
};
use serde::{Deserialize, Deserializer};
use unicode_normalization::UnicodeNormalization;

use crate::path::is_reserved_name;

/// Normalizes text to NFC: each letter and its marks are one character where there is one, so that
/// texts that look the same are the same.
pub fn to_nfc(text: &str) -> Cow<'_, str> {
    use unicode_normalization::{IsNormalized, is_nfc_quick};
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// Takes letters and their marks apart, the opposite of [`to_nfc`].
pub fn to_nfd(text: &str) -> String {
    text.nfd().collect()
}

/// Returns the words of `text` in lower case with `-` between them, at most `max` bytes long.
///
/// Letters and digits of every script stay; the result may be empty.
pub fn slug(text: &str, max: usize) -> String {
    if text.is_ascii() {
        // Nothing to compose.
        return join(text.bytes().map(|byte| char::from(byte.to_ascii_lowercase())), max);
    }
    join(text.nfc().flat_map(char::to_lowercase).nfc(), max)
}

fn join(letters: impl Iterator<Item = char>, max: usize) -> String {
    let mut slug = String::new();
    for c in letters {
        if c.is_alphanumeric() || is_mark(c) && !slug.is_empty() && !slug.ends_with('-') {
            if slug.len() + c.len_utf8() > max {
                break;
            }
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') && slug.len() < max {
            slug.push('-');
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Returns a slug that tells `name` from almost every other name: plain where the slug says all
/// that the name says but for case and a few separators, with a tail of its hash otherwise.
pub fn unique_slug(name: &str, max: usize) -> String {
    let slug = slug(name, max);
    let says_all = slug == name.to_lowercase().replace([' ', '.', '_', ':', '/'], "-");
    if slug.is_empty() {
        crate::hash::Hash::of(name).short(8)
    } else if says_all && !is_reserved_name(&slug) {
        slug
    } else {
        format!("{slug}-{}", crate::hash::Hash::of(name).short(5))
    }
}

/// Returns the edit distance of two words (Damerau-Levenshtein: swapped neighbours are one edit).
pub fn edit_distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// Returns whether a character combines with the one before it. Such marks carry vowels in many
/// scripts and must not break a word.
pub fn is_mark(c: char) -> bool {
    !c.is_ascii() && unicode_normalization::char::is_combining_mark(c)
}

/// Returns the columns that a text takes in a terminal: two for a Chinese letter, none for a mark.
pub fn display_width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// Returns the beginning of `text` on one line, cut between words with `…`, at most `max`
/// characters.
pub fn excerpt(text: &str, max: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let len = word.chars().count();
        let space = usize::from(count > 0);
        if count + space + len > max {
            // A script without spaces, or one endless word, is cut inside.
            if count < max / 2 {
                if space > 0 {
                    line.push(' ');
                }
                line.extend(word.chars().take(max.saturating_sub(count + space)));
            }
            let kept = line.trim_end_matches(['.', ',', ';', ':', '-', '–', '—']).len();
            line.truncate(kept);
            line.push('…');
            return line;
        }
        if space > 0 {
            line.push(' ');
        }
        line.push_str(word);
        count += space + len;
    }
    line
}

/// Returns `text` without blank lines around it, and how many bytes were cut off before it. The
/// indentation of the first line stays: it may open a code block.
pub fn trim_blank_lines(text: &str) -> (&str, usize) {
    let first = text.find(|c: char| !c.is_whitespace()).unwrap_or(text.len());
    let start = text[..first].rfind('\n').map_or(0, |newline| newline + 1);
    let trimmed = text[start..].trim_end();
    if trimmed.is_empty() { ("", text.len()) } else { (trimmed, start) }
}

/// Counts words; in scripts without spaces each ideograph or kana counts as one.
pub fn words(text: &str) -> u64 {
    let mut count = 0;
    let mut inside = false;
    for c in text.chars() {
        if c.is_ascii() {
            count += u64::from(!inside && c.is_ascii_alphanumeric());
            inside = c.is_ascii_alphanumeric() || inside && !c.is_whitespace();
            continue;
        }
        let ideograph = matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}');
        if ideograph {
            count += 1;
            inside = false;
        } else if c.is_alphanumeric() {
            count += u64::from(!inside);
            inside = true;
        } else if c.is_whitespace() {
            inside = false;
        }
    }
    count
}

/// Normalizes the name of a file for comparisons where case and the forms of letters may differ.
pub fn normalized_name(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// The most bytes of a name that may be a misspelling of another.
const MAX_NAME_BYTES: usize = 100;
/// The most candidates that are compared.
const MAX_CANDIDATES: usize = 500;

/// Finds the candidate that `name` was probably meant to be.
pub fn closest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let folded = name.to_lowercase();
    candidates
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter(|candidate| candidate.len() <= MAX_NAME_BYTES)
        .map(|candidate| {
            (strsim::damerau_levenshtein(&folded, &candidate.to_lowercase()), candidate)
        })
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(2) / 2)
        .min()
        .map(|(_, candidate)| candidate)
}

/// An interned string of the program: a code, the name of a format. serde takes a type that is
/// spelled `&'static str` for a part of its input, so fields that are deserialized have this type.
pub type InternedStr = &'static str;

/// The strings that were interned.
static INTERNED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Deserializes an interned string. There are a few hundred, so that each is kept for ever.
pub fn interned<'de, D: Deserializer<'de>>(from: D) -> Result<InternedStr, D::Error> {
    let word = String::deserialize(from)?;
    let mut words = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(word.as_str()) {
        return Ok(known);
    }
    let kept: InternedStr = word.leak();
    words.insert(kept);
    Ok(kept)
}

/// Deserializes an interned string that may be absent.
pub fn interned_option<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<InternedStr>, D::Error> {
    #[derive(Deserialize)]
    struct Wrapped(#[serde(deserialize_with = "interned")] InternedStr);
    Ok(Option::<Wrapped>::deserialize(from)?.map(|word| word.0))
}

/// `1 turn`, `2 turns`, `20,000 turns`.
pub fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// `20,000`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `812 B`, `31 KB`, `4.2 MB`, in powers of 1000.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{} KB", count / 1_000),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

/// Encodes a path as a URL: every byte outside RFC 3986's unreserved set and `/` percent-encoded.
pub fn percent_encode(path: &str) -> String {
    const CODED: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'.')
        .remove(b'_')
        .remove(b'~')
        .remove(b'/');
    utf8_percent_encode(path, CODED).to_string()
}

/// Reverses [`percent_encode`]; what is no escape, or would not be UTF-8, stays.
pub fn percent_decode(url: &str) -> String {
    percent_decode_str(url).decode_utf8().map_or_else(|_| url.to_owned(), Into::into)
}

/// Decodes a Base64 text of either alphabet, with line ends and without padding where that
/// is how it came.
pub fn base64_decode(text: &str) -> Option<Vec<u8>> {
    let text: String = text
        .chars()
        .filter(|c| !c.is_ascii_whitespace() && *c != '=')
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            c => c,
        })
        .collect();
    base64::engine::general_purpose::STANDARD_NO_PAD.decode(text).ok()
}

/// Folds a word for search: compatibility forms, case, accents and vowel points do not
/// count.
pub fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let lower = word.nfkc().collect::<String>().to_lowercase();
    let bare: String = lower.nfd().filter(|c| !is_accent(*c)).collect();
    let mut folded = String::with_capacity(bare.len());
    for c in bare.nfc() {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            c if c.is_alphanumeric() || is_mark(c) => folded.push(c),
            _ => {}
        }
    }
    folded
}

/// Returns whether a mark is an accent, by which few languages tell words apart and which few
/// readers type.
fn is_accent(c: char) -> bool {
    matches!(u32::from(c),
        0x0300..=0x036F
        | 0x0591..=0x05BD | 0x05BF | 0x05C1..=0x05C2 | 0x05C4..=0x05C5 | 0x05C7 // Hebrew
        | 0x0610..=0x061A | 0x064B..=0x065F | 0x0670 // Arabic
        | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

#[cfg(test)]
mod tests {
    use super::{closest, excerpt, grouped, percent_decode, slug, unique_slug, words};

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
        assert_eq!(slug("界界界", 7), "界界");
    }

    #[test]
    fn names_of_one_slug_are_told_apart() {
        assert_eq!(unique_slug("Ada", 60), "ada");
        assert_ne!(unique_slug("Ada!", 60), "ada");
        assert_ne!(unique_slug("Ada!", 60), unique_slug("Ada?", 60));
        assert_ne!(unique_slug("🎉", 60), unique_slug("🎈", 60));
        assert_ne!(unique_slug("", 60), "");
        assert_ne!(unique_slug("CON", 60), "con");
    }

    #[test]
    fn excerpts_end_between_words() {
        assert_eq!(excerpt("one two three", 20), "one two three");
        assert_eq!(excerpt("one two, three", 10), "one two…");
        assert_eq!(excerpt("今天天气怎么样我们去公园吧", 5), "今天天气怎…");
    }

    #[test]
    fn words_are_counted_in_scripts_without_spaces() {
        assert_eq!(words("It's a well-known fact"), 4);
        assert_eq!(words("今天 weather 好"), 4);
    }

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(closest("tilte", ["title", "theme"]), Some("title"));
        assert_eq!(closest("zzz", ["title", "theme"]), None);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!((grouped(999), grouped(1000)), ("999".into(), "1,000".into()));
        assert_eq!(percent_decode("a%20b%zz%e4"), "a%20b%zz%e4");
        assert_eq!(percent_decode("a%20b%zz"), "a b%zz");
    }
}
