//! Hidden words: keys, custom words and names of people, generated when a test runs, and a search
//! for them in everything that was written or reported.

use std::collections::BTreeMap;

use convo_site::secrets::{Rule, RuleKind, Tier, rules};

/// Pseudo-random numbers, reproducible from a seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from((self.0 >> 33) % end.max(1) as u64).expect("a number")
    }
}

/// The kind of a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// A key that gives access to something. It is redacted.
    Key,
    /// A word of a `[[redact]]`.
    OwnWord,
    /// The name of a person who has a pseudonym.
    Name,
}

pub(crate) const KINDS: [Kind; 3] = [Kind::Key, Kind::OwnWord, Kind::Name];

/// Returns the word with a number, which can be part of a file name.
pub(crate) fn word(kind: Kind, number: usize) -> String {
    let letters = |salt: u64, len: usize| -> String {
        let mut chance = Random::new(number as u64 * 31 + salt);
        let pairs = ["zy", "qu", "vor", "xam", "bru", "keth", "jil", "wop", "dru", "fex"];
        (0..len).map(|_| pairs[chance.below(pairs.len())]).collect()
    };
    let capital = |word: String| word[..1].to_uppercase() + &word[1..];
    match kind {
        Kind::Key => key(number),
        Kind::OwnWord => letters(1, 5),
        Kind::Name => format!("{} {}", capital(letters(2, 3)), capital(letters(3, 4))),
    }
}

/// Returns a key of a certain rule that consists of letters and digits.
fn key(number: usize) -> String {
    let is_certain = |rule: &&Rule| rule.kind == RuleKind::Secret && rule.tier == Tier::Certain;
    let kinds: Vec<&'static Rule> = rules().filter(is_certain).collect();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    for place in 0.. {
        let rule = kinds[(number + place * 7) % kinds.len()];
        let example = rule.example((number * 1000 + place) as u64);
        let secret = example.secret();
        let fits = (30..=100).contains(&secret.len()) && secret.chars().all(is_plain);
        if fits && example.text == secret {
            return secret.to_owned();
        }
    }
    unreachable!("some kinds fit")
}

/// Returns the lines of `site.toml` that hide the first words of each kind.
pub(crate) fn config(count: usize) -> String {
    let of = |kind| (0..count).map(move |number| word(kind, number));
    let own: Vec<String> = of(Kind::OwnWord).map(|word| format!("{word:?}")).collect();
    let people: String =
        of(Kind::Name).map(|name| format!("[people.{name:?}]\npseudonym = true\n")).collect();
    format!(
        "[gate]\ncertain = \"redact\"\nlikely = \"redact\"\n[[redact]]\nwords = [{}]\n\
         [people]\nothers = \"pseudonym\"\n{people}\
         [[source]]\nfiles = \"**\"\nvisibility = \"public\"\ndirect_messages = true\n",
        own.join(", ")
    )
}

/// Words to search for.
pub(crate) struct Needles {
    all: aho_corasick::AhoCorasick,
    about: Vec<String>,
}

/// The length of the parts of a key that must not be anywhere. A report may show its first bytes.
const STRETCH: usize = 12;

impl Needles {
    /// Creates needles from words, each with a description for reports.
    pub(crate) fn new(words: impl IntoIterator<Item = (Kind, String, String)>) -> Self {
        let (mut needles, mut about) = (Vec::new(), Vec::new());
        for (kind, word, description) in words {
            let parts: Vec<String> = match kind {
                Kind::Key => {
                    let bare = folded(&word);
                    // The common prefix of all keys of a kind is part of its name.
                    let start = bare.get(..20).and_then(|start| start.rfind('-'));
                    let start = start.map_or(4, |at| at + 2);
                    let inner = &bare.as_bytes()[start..bare.len() - 2];
                    let parts = inner.chunks_exact(STRETCH);
                    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
                }
                Kind::OwnWord => vec![word],
                Kind::Name => word.split(' ').map(str::to_owned).collect(),
            };
            about.extend(parts.iter().map(|_| format!("{kind:?}: {description}")));
            needles.extend(parts.iter().map(|part| part.to_lowercase()));
        }
        let all = aho_corasick::AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(needles)
            .expect("an automaton");
        Self { all, about }
    }

    /// Returns the places where one of them is, literally or as a reader would see it, with the text around it.
    pub(crate) fn found(&self, files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
        let mut found = BTreeMap::new();
        for (name, bytes) in files {
            let raw = String::from_utf8_lossy(bytes);
            let is_text = !bytes.contains(&0);
            let seen = if is_text { seen(&raw) } else { String::new() };
            let bare = folded(&raw);
            for text in [&*raw, &bare, &seen] {
                for hit in self.all.find_iter(text) {
                    let about = &self.about[hit.pattern().as_usize()];
                    let start = text.floor_char_boundary(hit.start().saturating_sub(AROUND));
                    let end = text.ceil_char_boundary(hit.end() + AROUND);
                    let around = || text[start..end].escape_debug().to_string();
                    found.entry((about, name)).or_insert_with(around);
                }
            }
        }
        let rows = found.into_iter();
        rows.map(|((about, name), around)| format!("{about}, in {name}: {around}")).collect()
    }
}

/// The number of bytes that are shown around a word.
const AROUND: usize = 30;

/// Returns a text without characters that can be inside a word without being part of it.
fn folded(text: &str) -> String {
    let is_mark = |c: char| matches!(c, '*' | '_' | '`' | '\\' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
    let plain = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xff01 + 0x21).expect("a letter"),
        _ => c,
    };
    text.chars().filter(|c| !is_mark(*c)).map(plain).collect()
}

/// Returns the visible text of a page, roughly: without tags, and with escapes decoded.
pub(crate) fn seen(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        plain.push_str(&rest[..at]);
        let inner = &rest[at..];
        let end = inner.find('>').map_or(inner.len(), |end| end + 1);
        let (tag, after) = inner.split_at(end);
        let name = tag.trim_start_matches(['<', '/']);
        let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        // Words do not continue in another block.
        if BLOCKS.contains(&name) {
            plain.push('\n');
        }
        rest = after;
    }
    plain.push_str(rest);
    let percent = unescaped(&plain, "%", 2, "");
    let unicode = unescaped(&percent, "\\u", 4, "");
    let hexadecimal = unescaped(&unicode, "&#x", 2, ";");
    folded(&html_decimal(&hexadecimal.replace("&amp;", "&")))
}

/// Block elements.
const BLOCKS: [&str; 12] =
    ["p", "div", "li", "pre", "figcaption", "figure", "td", "th", "dt", "dd", "summary", "section"];

/// Decodes escapes with this number of hexadecimal digits.
fn unescaped(text: &str, start: &str, digits: usize, end: &str) -> String {
    let mut parts = text.split(start);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..digits).and_then(|code| u32::from_str_radix(code, 16).ok());
        // A decoded backslash starts no escape.
        let is_seen = |c: &char| c.is_ascii_graphic() && *c != '\\';
        let letter = code.and_then(char::from_u32).filter(is_seen);
        let after = part.get(digits..).and_then(|after| after.strip_prefix(end));
        match letter.zip(after) {
            Some((letter, after)) => {
                out.push(letter);
                out.push_str(after);
            }
            None => {
                out.push_str(start);
                out.push_str(part);
            }
        }
    }
    out
}

fn html_decimal(text: &str) -> String {
    let mut parts = text.split("&#");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let found = part
            .split_once(';')
            .and_then(|(code, after)| Some((char::from_u32(code.parse().ok()?)?, after)));
        match found {
            Some((letter, after)) => {
                out.push(letter);
                out.push_str(after);
            }
            None => {
                out.push_str("&#");
                out.push_str(part);
            }
        }
    }
    out
}
