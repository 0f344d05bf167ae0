//! Page texts in the language of the site.
//!
//! A language is a TOML file: `src/locale/<tag>.toml` if it is built in, and `locales/<tag>.toml`
//! in a site. A site's file overrides single texts of a built-in language, or adds a language.
//! English has every key; languages that lack a key fall back to English.

pub mod languages;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;

use icu_plurals::{PluralCategory, PluralRules};
use serde::Deserialize;

use crate::diag::{Diagnostic, Lines, Location, Note, Severity, WithNotes};
use crate::files::Files;
use crate::path::RelPath;
use crate::text::{closest, plural};
use crate::time::Time;

/// Returns the English texts.
pub fn english() -> &'static Locale {
    static LOCALE: LazyLock<Locale> = LazyLock::new(Locale::default);
    &LOCALE
}

const ENGLISH: &str = include_str!("en.toml");

/// The built-in languages, by their tags.
const LANGUAGES: [(&str, &str); 7] = [
    ("en", ENGLISH),
    ("ar", include_str!("ar.toml")),
    ("de", include_str!("de.toml")),
    ("es", include_str!("es.toml")),
    ("fr", include_str!("fr.toml")),
    ("ja", include_str!("ja.toml")),
    ("zh", include_str!("zh.toml")),
];

/// Returns the tags of the built-in languages.
pub fn tags() -> impl Iterator<Item = &'static str> {
    LANGUAGES.iter().map(|(tag, _)| *tag)
}

/// Returns the page texts of a built-in language, as TOML.
pub fn built_in(tag: &str) -> Option<&'static str> {
    language_of(tag).map(|(_, text)| *text)
}

fn language_of(tag: &str) -> Option<&'static (&'static str, &'static str)> {
    LANGUAGES.iter().find(|(name, _)| name.eq_ignore_ascii_case(tag))
}

/// The texts of a language, with its rules for plurals, numbers and dates.
#[derive(Debug)]
pub struct Locale {
    /// The BCP 47 tag of the language.
    pub language: String,
    texts: Texts,
    plurals: PluralRules,
}

/// Texts by section and key, such as `list.archive`.
type Texts = BTreeMap<String, BTreeMap<String, Text>>;

/// A text, or its plural forms by CLDR category.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(untagged)]
enum Text {
    One(String),
    Forms(BTreeMap<String, String>),
}

impl Text {
    fn shape(&self) -> Shape<'_> {
        match self {
            Self::One(text) => Shape::One(text),
            Self::Forms(forms) => Shape::Forms(forms),
        }
    }
}

/// The plural rules follow from the language.
impl PartialEq for Locale {
    fn eq(&self, other: &Self) -> bool {
        (&self.language, &self.texts) == (&other.language, &other.texts)
    }
}

impl Eq for Locale {}

impl Hash for Locale {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.language, &self.texts).hash(state);
    }
}

impl Default for Locale {
    fn default() -> Self {
        Self::new("en", texts(ENGLISH))
    }
}

impl Locale {
    /// Returns the page texts for `language`, a BCP 47 tag that is set at `at`, with those of the
    /// site's own files.
    ///
    /// An unknown language is a warning among the notes; an unknown key or an unreadable file is an
    /// error.
    pub fn load(files: &dyn Files, language: &str, at: Location) -> WithNotes<Self> {
        let mut notes = Vec::new();
        let mut all = english().texts.clone();
        let mut found = None;
        // The keys that only English has, if that is checked, and the last file of the site.
        let mut lacking: Option<Keys> = Some(keys(&all));
        let mut last_own = None;
        // From the general tag to the specific one: `zh` before `zh-Hant-TW`.
        let ends = language.match_indices('-').map(|(at, _)| at);
        for end in ends.chain([language.len()]) {
            let tag = &language[..end];
            if let Some((tag, text)) = language_of(tag) {
                if *tag != "en" {
                    override_texts(&mut all, texts(text));
                }
                found = Some(*tag);
                // A test checks that the built-in languages are complete.
                lacking = None;
            }
            let path = RelPath::new(format!("{FOLDER}/{tag}.toml"));
            let listed = files.list(FOLDER).value;
            if listed.iter().any(|file| file.path == path) {
                let given = apply_site_file(files, &path, &mut all, &mut notes);
                lacking.iter_mut().for_each(|keys| keys.retain(|key| !given.contains(key)));
                last_own = Some(path);
                found = Some(tag);
            }
        }
        if let (Some(path), Some(keys)) = (last_own, lacking.filter(|keys| !keys.is_empty())) {
            notes.push(untranslated(&path, &keys));
        }
        let tag = found.unwrap_or_else(|| {
            let message =
                format!("no page texts for the language `{language}`; falling back to English");
            let note = Diagnostic::new(Severity::Warning, "unknown-language", message);
            let known: Vec<&str> = tags().collect();
            let note = note.hint(format!(
                "built-in languages: {}; add the texts of others in `{FOLDER}/{language}.toml`",
                known.join(", ")
            ));
            notes.push(Diagnostic { at: Some(at), ..note });
            "en"
        });
        WithNotes { value: Self::new(tag, all), notes }
    }

    fn new(tag: &str, texts: Texts) -> Self {
        let english = icu_plurals::PluralRulesPreferences::default();
        let wanted = tag.parse::<icu_locale_core::Locale>();
        let wanted = wanted.map_or(english, |locale| (&locale).into());
        let plurals = PluralRules::try_new_cardinal(wanted)
            .expect("the plural rules of all languages are compiled in");
        Self { language: tag.to_owned(), texts, plurals }
    }

    /// Returns the text of `section.key`, or the key itself if it does not exist, which a test
    /// rules out.
    pub fn text(&self, key: &'static str) -> &str {
        match self.find(key) {
            Some(Text::One(text)) => text,
            _ => key,
        }
    }

    /// Returns the text of `section.key` with its placeholders filled in.
    pub fn fill(&self, key: &'static str, values: &[(&str, &str)]) -> String {
        fill(self.text(key), values)
    }

    /// Returns a count such as `12 turns` for the key `turns` of the section `count`, in the plural
    /// form of the number.
    pub fn count(&self, key: &'static str, count: u64) -> String {
        let text = match self.find(key) {
            Some(Text::Forms(forms)) => {
                let form = category(self.plurals.category_for(count));
                forms.get(form).or_else(|| forms.get("other")).map_or(key, String::as_str)
            }
            Some(Text::One(text)) => text,
            None => key,
        };
        fill(text, &[("n", &self.number(count))])
    }

    /// Returns the state of a tool call, an approval or an attachment as text: `timed_out` as
    /// `timed out`. Unknown states are shown as they are.
    pub fn state(&self, state: &str) -> String {
        let plain = state.replace(['_', ' '], "_");
        match self.texts.get("state").and_then(|states| states.get(&plain)) {
            Some(Text::One(text)) => text.clone(),
            _ => state.replace('_', " "),
        }
    }

    /// Formats a number, such as `20,000`.
    pub fn number(&self, count: u64) -> String {
        crate::text::grouped(count).replace(',', self.text("count.separator"))
    }

    /// Formats a day, such as `23 October 2025`, or its month or year if no more is known.
    pub fn day(&self, time: &Time) -> String {
        let (year, month, day) = time.date();
        match time.without_day() {
            Some((year, Some(month))) => self.month_of(year, month),
            Some((year, None)) => year.to_string(),
            None => self.day_of(year, month, day),
        }
    }

    /// Formats a year, a month (1 to 12) and a day, such as `23 October 2025`.
    pub fn day_of(&self, year: i16, month: i8, day: i8) -> String {
        let (year, day) = (year.to_string(), day.to_string());
        let month = self.month(month);
        self.fill("date.day", &[("day", &day), ("month", month), ("year", &year)])
    }

    /// Formats a time of day, such as `12:00, America/Chicago`, as far as it is known.
    pub fn clock(&self, time: &Time) -> Option<String> {
        match time.clock()? {
            (clock, Some(zone)) => {
                Some(self.fill("date.clock", &[("clock", &clock), ("zone", &zone)]))
            }
            (clock, None) => Some(clock),
        }
    }

    /// Returns the name of a month (1 to 12).
    pub fn month(&self, month: i8) -> &str {
        const KEYS: [&str; 12] = [
            "date.january", "date.february", "date.march", "date.april", "date.may", "date.june",
            "date.july", "date.august", "date.september", "date.october", "date.november",
            "date.december",
        ];
        self.text(KEYS[(month.clamp(1, 12) - 1) as usize])
    }

    /// Returns the short name of a month (1 to 12), for calendars.
    pub fn short_month(&self, month: i8) -> &str {
        const KEYS: [&str; 12] = [
            "date.jan", "date.feb", "date.mar", "date.apr", "date.may_short", "date.jun",
            "date.jul", "date.aug", "date.sep", "date.oct", "date.nov", "date.dec",
        ];
        self.text(KEYS[(month.clamp(1, 12) - 1) as usize])
    }

    /// Returns the name of a weekday, from 0 for Monday.
    pub fn weekday(&self, day: usize) -> &str {
        const KEYS: [&str; 7] = [
            "date.monday", "date.tuesday", "date.wednesday", "date.thursday", "date.friday",
            "date.saturday", "date.sunday",
        ];
        self.text(KEYS[day % 7])
    }

    /// Returns a month of a year, such as `October 2025`.
    pub fn month_of(&self, year: i16, month: i8) -> String {
        let (year, month) = (year.to_string(), self.month(month));
        self.fill("list.month", &[("month", month), ("year", &year)])
    }

    /// Returns the direction of the script: `rtl` or `ltr`.
    pub fn direction(&self) -> &'static str {
        if self.text("page.direction") == "rtl" { "rtl" } else { "ltr" }
    }

    /// Returns the texts of a section by their keys.
    pub fn section(&self, name: &str) -> BTreeMap<&str, Shape<'_>> {
        let section = self.texts.get(name).into_iter().flatten();
        section.map(|(key, text)| (key.as_str(), text.shape())).collect()
    }

    /// Returns the names of all sections.
    pub fn sections(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    fn find(&self, key: &str) -> Option<&Text> {
        let (section, key) = key.split_once('.')?;
        self.texts.get(section)?.get(key)
    }
}

/// A text in the form that templates and scripts get.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub enum Shape<'a> {
    /// A text.
    One(&'a str),
    /// Its plural forms by category.
    Forms(&'a BTreeMap<String, String>),
}

/// The folder of a site's own texts.
pub const FOLDER: &str = "locales";

/// Returns a text with its placeholders filled in.
pub fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    // Inserted values are not searched for placeholders.
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        match value {
            Some((value, after)) => {
                out.push_str(value);
                rest = after;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn category(category: PluralCategory) -> &'static str {
    match category {
        PluralCategory::Zero => "zero",
        PluralCategory::One => "one",
        PluralCategory::Two => "two",
        PluralCategory::Few => "few",
        PluralCategory::Many => "many",
        PluralCategory::Other => "other",
    }
}

fn texts(text: &str) -> Texts {
    toml::from_str(text).expect("built-in languages are valid TOML")
}

/// Overrides texts with those of the same key.
fn override_texts(all: &mut Texts, over: Texts) {
    for (section, texts) in over {
        all.entry(section).or_default().extend(texts);
    }
}

/// Names of texts, as section and key.
type Keys = BTreeSet<(String, String)>;

fn keys(all: &Texts) -> Keys {
    let keys = all
        .iter()
        .flat_map(|(section, texts)| texts.keys().map(|key| (section.clone(), key.clone())));
    keys.collect()
}

/// The maximum number of keys that a note names.
const MAX_NAMED_KEYS: usize = 5;

fn untranslated(path: &RelPath, lacking: &Keys) -> Diagnostic {
    let count = lacking.len() as u64;
    let missing = plural(count, "text is missing", "texts are missing");
    let message = format!("{missing}; falling back to English");
    let names =
        lacking.iter().take(MAX_NAMED_KEYS).map(|(section, key)| format!("`{section}.{key}`"));
    let names = names.collect::<Vec<_>>().join(", ");
    let hint = match lacking.len() > MAX_NAMED_KEYS {
        true => format!("such as {names}"),
        false => names,
    };
    let note = Diagnostic::new(Severity::Warning, "untranslated", message);
    note.in_file(path.as_str()).hint(hint)
}

/// Overrides the known texts with the site's own file, and returns the keys in it.
fn apply_site_file(
    files: &dyn Files,
    path: &RelPath,
    all: &mut Texts,
    notes: &mut Vec<Diagnostic>,
) -> Keys {
    let mut keys = Keys::new();
    let bytes = match files.read(path) {
        Ok(bytes) => bytes,
        Err(note) => {
            notes.push(*note);
            return keys;
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let lines = Lines::new(&text);
    let mut say = |note: Note| notes.push(note.locate(path.as_str(), &lines));
    type Places<T> = BTreeMap<toml::Spanned<String>, T>;
    let given: Places<Places<Text>> = match toml::from_str(&text) {
        Ok(given) => given,
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            let message = error.message().lines().next().unwrap_or_default();
            say(Note::error("bad-toml", at, message));
            return keys;
        }
    };
    for (section, texts) in given {
        for (key, text) in texts {
            let known = all.get_mut(section.get_ref());
            match known.and_then(|known| known.get_mut(key.get_ref())) {
                Some(Text::One(_)) if matches!(text, Text::Forms(_)) => {
                    let message = format!("`{}` must be a string", key.get_ref());
                    say(Note::error("bad-value", key.span(), message));
                }
                Some(known) => {
                    *known = text;
                    keys.insert((section.get_ref().clone(), key.into_inner()));
                }
                None => {
                    let name = format!("{}.{}", section.get_ref(), key.get_ref());
                    let names = all.iter().flat_map(|(section, texts)| {
                        texts.keys().map(move |key| format!("{section}.{key}"))
                    });
                    let names: Vec<String> = names.collect();
                    let near = closest(&name, names.iter().map(String::as_str));
                    let note =
                        Note::error("unknown-key", key.span(), format!("unknown key `{name}`"));
                    say(match near {
                        Some(near) => note.hint(format!("did you mean `{near}`?")),
                        None => note.hint("`src/locale/en.toml` of convo-site lists all keys"),
                    });
                }
            }
        }
    }
    keys
}
