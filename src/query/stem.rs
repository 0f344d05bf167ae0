//! Light stemming: removes inflectional endings, so that "searching" finds "searched".
//!
//! The tables are small because the script of the search page contains them too (`stem.js`). A stem
//! need not be a word; it only has to be the same for all forms.

/// A stemmer for the words of a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stemmer {
    /// Leaves words as they are.
    Identity,
    /// Removes plurals, `-ed` and `-ing`.
    English,
    /// Removes any of these endings, the longest first, if at least four letters remain.
    Endings(&'static [&'static str]),
}

/// The stemmers by language.
pub const STEMMERS: [(&str, Stemmer); 7] = [
    ("en", Stemmer::English),
    ("de", Stemmer::Endings(&["ern", "em", "en", "er", "es", "e", "n", "s"])),
    ("fr", Stemmer::Endings(&["ait", "ees", "ent", "ee", "er", "es", "ez", "e", "s", "x"])),
    (
        "es",
        Stemmer::Endings(&[
            "iendo", "ando", "aron", "ada", "ado", "ida", "ido", "ar", "as", "er", "es", "ir",
            "os", "a", "e", "o", "s",
        ]),
    ),
    (
        "it",
        Stemmer::Endings(&[
            "ando", "endo", "are", "ata", "ate", "ati", "ato", "ere", "ire", "a", "e", "i", "o",
        ]),
    ),
    (
        "pt",
        Stemmer::Endings(&[
            "ando", "endo", "indo", "ada", "ado", "ida", "ido", "ar", "as", "er", "es", "ir", "os",
            "a", "e", "o", "s",
        ]),
    ),
    ("nl", Stemmer::Endings(&["en", "e", "s"])),
];

impl Stemmer {
    /// All stemmers.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Identity).chain(STEMMERS.iter().map(|(_, stemmer)| *stemmer))
    }

    /// Returns the stemmer for a BCP 47 tag.
    pub fn of(tag: &str) -> Self {
        let primary = tag.split('-').next().unwrap_or_default();
        let known = STEMMERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(primary));
        known.map_or(Self::Identity, |(_, stemmer)| *stemmer)
    }

    /// Returns the language of the stemmer; empty for none.
    pub fn name(self) -> &'static str {
        let known = STEMMERS.iter().find(|(_, stemmer)| *stemmer == self);
        known.map_or("", |(name, _)| name)
    }

    /// Stems a folded word. Words with characters other than a to z are unchanged.
    pub fn stem(self, word: &mut String) {
        if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return;
        }
        match self {
            Self::Identity => {}
            Self::English => english(word),
            Self::Endings(endings) => {
                let stem_len = |word: &str| {
                    let ending = endings
                        .iter()
                        .find(|ending| word.len() >= ending.len() + 4 && word.ends_with(**ending));
                    ending.map(|ending| word.len() - ending.len())
                };
                for _ in 0..2 {
                    let Some(len) = stem_len(word) else { break };
                    word.truncate(len);
                }
            }
        }
    }
}

fn english(word: &mut String) {
    plural(word);
    past_or_present(word);
    let bytes = word.as_bytes();
    let (last, before) = (bytes[bytes.len() - 1], bytes[bytes.len() - 2]);
    if last == b'e' && before != b'e' && word.len() > 2 {
        word.pop();
    } else if last == b'y' && !is_vowel(before) && word.len() > 2 {
        word.pop();
        word.push('i');
    }
}

fn plural(word: &mut String) {
    if word.ends_with("ies") && word.len() > 4 || word.ends_with("sses") {
        word.truncate(word.len() - 2);
    } else if word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending))
    {
        word.pop();
    }
}

fn past_or_present(word: &mut String) {
    if word.ends_with("eed") {
        return;
    }
    if word.ends_with("ied") && word.len() > 4 {
        word.truncate(word.len() - 2);
        return;
    }
    let Some(stem) = word.strip_suffix("ed").or_else(|| word.strip_suffix("ing")) else {
        return;
    };
    if stem.len() < 2 || !stem.bytes().any(|byte| is_vowel(byte) || byte == b'y') {
        return;
    }
    word.truncate(stem.len());
    let bytes = word.as_bytes();
    let (last, before) = (bytes[bytes.len() - 1], bytes[bytes.len() - 2]);
    if last == before && word.len() > 3 && !is_vowel(last) && !b"lsz".contains(&last) {
        word.pop();
    }
}

fn is_vowel(byte: u8) -> bool {
    b"aeiou".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::Stemmer;

    #[track_caller]
    fn assert_same_stem(language: &str, words: &[&str]) {
        let stems: Vec<String> = words
            .iter()
            .map(|word| {
                let mut word = (*word).to_owned();
                Stemmer::of(language).stem(&mut word);
                word
            })
            .collect();
        assert!(stems.iter().all(|stem| *stem == stems[0]), "{stems:?}");
    }

    #[test]
    fn forms_of_a_word_are_one() {
        assert_same_stem("en", &["search", "searches", "searched", "searching"]);
        assert_same_stem("en-GB", &["run", "runs", "running"]);
        assert_same_stem("en", &["cache", "caches", "cached", "caching"]);
        assert_same_stem("en", &["study", "studies", "studied", "studying"]);
        assert_same_stem("en", &["use", "uses", "used", "using"]);
        assert_same_stem("de", &["katze", "katzen"]);
        assert_same_stem("de", &["lehrer", "lehrern"]);
        assert_same_stem("fr", &["cherche", "chercher", "cherchent", "cherchees"]);
        assert_same_stem("es", &["buscar", "buscando", "buscado", "busca"]);
    }
}
