//! Languages by BCP 47 tag: names, directions, and detection.

use isolang::Language;
use oxilangtag::LanguageTag;
use whatlang::Lang;

/// Returns the tag if it is valid.
pub fn valid(tag: Option<&str>) -> Option<String> {
    tag.filter(|tag| LanguageTag::parse(*tag).is_ok()).map(str::to_owned)
}

/// Returns whether the tag's language is in ISO 639-1, which search engines require.
pub fn is_known(tag: &str) -> bool {
    let parsed = LanguageTag::parse(tag.to_ascii_lowercase());
    parsed.is_ok_and(|tag| Language::from_639_1(tag.primary_language()).is_some())
}

/// Returns the name of a language in the language itself: `Deutsch`, or `Deutsch (de-AT)` if the
/// tag has more parts. Returns the tag if the language is unknown.
pub fn name(tag: &str) -> String {
    let autonym = language(tag).and_then(|language| language.to_autonym());
    match autonym {
        Some(name) if !tag.contains('-') => name.to_owned(),
        Some(name) => format!("{name} ({tag})"),
        None => tag.to_owned(),
    }
}

fn language(tag: &str) -> Option<Language> {
    let parsed = LanguageTag::parse(tag.to_ascii_lowercase()).ok()?;
    let primary = parsed.primary_language();
    Language::from_639_1(primary).or_else(|| Language::from_639_3(primary))
}

/// Returns the direction of a language: that of the script, if the tag names one.
pub fn direction(tag: Option<&str>) -> &'static str {
    const SCRIPTS: [&str; 9] =
        ["arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "rohg", "samr", "mand"];
    const LANGUAGES: [&str; 18] = [
        "ar", "arc", "arz", "ary", "apc", "ckb", "dv", "fa", "he", "iw", "ji", "nqo", "prs", "ps",
        "sd", "ug", "ur", "yi",
    ];
    let tag = tag.and_then(|tag| LanguageTag::parse(tag.to_ascii_lowercase()).ok());
    let right_to_left = tag.is_some_and(|tag| match tag.script() {
        Some(script) => SCRIPTS.contains(&script),
        None => LANGUAGES.contains(&tag.primary_language()),
    });
    if right_to_left { "rtl" } else { "ltr" }
}

/// Returns the direction of most letters of a text whose language is unknown. The first letter
/// could belong to a foreign word.
pub fn direction_of_text(text: &str) -> &'static str {
    let is_right_to_left = |c: &char| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    let letters: Vec<char> = text.chars().filter(|c| c.is_alphabetic()).collect();
    let count = letters.iter().copied().filter(is_right_to_left).count();
    if count * 2 > letters.len() { "rtl" } else { "ltr" }
}

/// A language detector for a conversation in several languages.
pub struct LanguageDetector(Vec<(String, Lang)>);

/// The minimum confidence of a detection. A wrong language is worse than none.
const MIN_CONFIDENCE: f64 = 0.9;
/// The minimum number of characters for a detection.
const MIN_CHARS: usize = 20;

impl LanguageDetector {
    /// Creates a detector for these languages, the first of which is the default. Returns `None` if
    /// there are not at least two that can be distinguished.
    pub fn new(tags: &[String]) -> Option<Self> {
        let known = |tag: &String| Some((valid(Some(tag))?, detectable(tag)?));
        let mut all: Vec<(String, Lang)> = Vec::new();
        for tag in tags {
            let (tag, language) = known(tag)?;
            // Of languages that cannot be distinguished, the first one represents all.
            if !all.iter().any(|(_, known)| *known == language) {
                all.push((tag, language));
            }
        }
        let (_, usual) = all.first()?;
        let has_other = all.iter().any(|(_, language)| language != usual);
        has_other.then_some(Self(all))
    }

    /// Detects the language of a text and returns its tag, unless it is the default, none of these
    /// languages, or uncertain.
    pub fn of(&self, text: &str) -> Option<&str> {
        text.chars().nth(MIN_CHARS - 1)?;
        let found = whatlang::detect(text)?;
        let is_sure = found.is_reliable() && found.confidence() >= MIN_CONFIDENCE;
        let place = self.0.iter().position(|(_, known)| *known == found.lang())?;
        (is_sure && place > 0).then(|| self.0[place].0.as_str())
    }
}

fn detectable(tag: &str) -> Option<Lang> {
    let code = match language(tag)?.to_639_3() {
        // Macrolanguages, each with its most common written language.
        "zho" => "cmn",
        "fas" => "pes",
        "nor" => "nob",
        code => code,
    };
    Lang::from_code(code)
}

#[cfg(test)]
mod tests {
    use super::{LanguageDetector, name};

    #[test]
    fn languages_have_their_own_names() {
        for (tag, expected) in [
            ("de", "Deutsch"),
            ("de-AT", "Deutsch (de-AT)"),
            ("zh-Hant", "中文 (zh-Hant)"),
            ("tlh", "tlh"),
            ("x-private", "x-private"),
            ("nonsense!", "nonsense!"),
        ] {
            assert_eq!(name(tag), expected);
        }
    }

    #[test]
    fn a_text_is_in_one_of_the_declared_languages_or_in_doubt() {
        let reported = |tags: &[&str], text: &str| {
            let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
            LanguageDetector::new(&tags)?.of(text).map(str::to_owned)
        };
        let german = "Das Wasser steht im Becken, bis die Flut es wieder hebt, und niemand \
            hat es je so lange stehen sehen wie an diesem Morgen.";
        let dutch = "Het water staat in het bekken tot de vloed het weer optilt, en niemand \
            heeft het ooit zo lang zien staan als deze ochtend.";
        let arabic = "كانت اللافتة معلقة بالمقلوب على باب الطاحونة القديمة منذ الصباح الباكر";
        assert_eq!(reported(&["en", "de"], german).as_deref(), Some("de"));
        assert_eq!(reported(&["de", "en"], german), None);
        assert_eq!(reported(&["en"], german), None);
        assert_eq!(reported(&["en", "ar"], arabic).as_deref(), Some("ar"));
        assert_eq!(reported(&["en", "de"], "Ja."), None);
        // Dutch is closer to German than to English, but is neither.
        assert_eq!(reported(&["en", "de"], dutch), None);
        // One of the languages cannot be detected, so any text could be in it.
        assert_eq!(reported(&["en", "de", "tlh"], german), None);
    }
}
