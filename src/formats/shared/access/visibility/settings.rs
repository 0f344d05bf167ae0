//! Access settings in objects: collects what an object says about who may read it.

use std::ops::Range;

use super::keys::{Key, Kind, is_container, plain};
use super::values::{Verdict, moment, verdict_of};
use convo_base::json::{self, Map, Value};
use convo_base::model::Schedule;

/// An access setting found in an object.
pub(crate) struct AccessSetting {
    /// The key as written, prefixed with the keys of its parent objects.
    pub(super) key: String,
    pub(super) kind: Kind,
    pub(super) value: Value,
    pub(super) verdict: Verdict,
    /// Whether the key is well known, so that its effect needs no note.
    pub(super) is_plain: bool,
    /// Whether the key marks a draft.
    pub(super) is_draft: bool,
    /// The byte range of the value in the input.
    pub(crate) at: Range<usize>,
}

impl AccessSetting {
    /// The key without its parents.
    pub(crate) fn name(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or_default()
    }

    /// The publication dates in the value.
    pub(super) fn schedule(&self) -> Schedule {
        let all = match &self.value {
            Value::Array(list) => list.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut schedule = Schedule::default();
        for time in all.iter().filter_map(moment) {
            let (publish, expires) = match self.kind {
                Kind::Publish | Kind::Published | Kind::From | Kind::Scheduled => {
                    (Some(time.next_whole_day()), None)
                }
                Kind::Expires => (None, Some(time.day_in_utc())),
                _ => (None, None),
            };
            schedule.add(&Schedule { publish, expires, ..Schedule::default() });
        }
        schedule
    }

    /// Whether it is a setting rather than prose: its value is known, or its key has only one
    /// meaning.
    pub(crate) fn is_setting(&self) -> bool {
        let name = plain(self.name());
        self.verdict != Verdict::Unknown
            || ["private", "visibility"].iter().any(|word| name.contains(word))
    }
}

/// Where keys are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// In the object, in its containers, and well-known keys in any nested object.
    Conversation,
    /// In the object and its containers, such as `metadata`. Other nested objects of a turn are
    /// content.
    Turn,
}

impl Key {
    /// Returns the key with its meaning in this scope, if it has one.
    fn in_scope(self, scope: Scope) -> Option<Self> {
        let kind = match (scope, self.kind) {
            // Dates in a message are about something else.
            (Scope::Turn, Kind::Expires | Kind::From | Kind::Scheduled) => return None,
            (Scope::Turn, Kind::Publish) => Kind::Published,
            (_, kind) => kind,
        };
        Some(Self { kind, ..self })
    }
}

/// Returns whether a key of a turn with a scalar value forbids publishing the turn. Agrees with
/// [`read_access`], but needs no source text.
pub(super) fn is_marked_by(key: &str, value: &Value) -> bool {
    let found = Key::of(key).and_then(|key| key.in_scope(Scope::Turn));
    found.is_some_and(|key| match verdict_of(key.kind, value) {
        Some(Verdict::HeldBack) => key.is_own || key.counts_anywhere(),
        Some(Verdict::Unknown) => key.is_own,
        Some(Verdict::Public) | None => false,
    })
}

/// Returns whether a key with a scalar value clearly forbids publishing what it is about.
pub(super) fn is_held_back_by(key: &str, value: &Value) -> bool {
    Key::of(key).is_some_and(|key| verdict_of(key.kind, value) == Some(Verdict::HeldBack))
}

/// The maximum nesting depth of objects that are searched.
const LEVELS: usize = 8;

/// Returns the settings in the JSON object `json`, including those of repeated keys. Skips the keys
/// in `but`, which are read separately.
pub(crate) fn read_access(json: &str, scope: Scope, but: &[&str]) -> Vec<AccessSetting> {
    let mut settings = Vec::new();
    let walk = Walk { whole: json, scope, but };
    walk.object(json, &Path { names: String::new(), is_own: true, levels: 0 }, &mut settings);
    settings
}

/// Returns the settings in metadata that are not JSON; their positions have no meaning.
pub(crate) fn read_access_of_map(map: &Map, scope: Scope) -> Vec<AccessSetting> {
    read_access(&json::value(map).to_string(), scope, &[])
}

/// Returns the settings in metadata with text values, in which `true` is written as `true` or
/// `yes`.
pub(crate) fn read_access_of_fields<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    scope: Scope,
) -> Vec<AccessSetting> {
    let field = |(key, text): (&str, &str)| (key.to_owned(), from_text(text.trim()));
    read_access_of_map(&fields.into_iter().map(field).collect(), scope)
}

fn from_text(text: &str) -> Value {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" => true.into(),
        "false" | "no" => false.into(),
        _ => text.into(),
    }
}

/// The position of the search.
struct Path {
    /// The parent keys, each followed by a dot.
    names: String,
    /// Whether the object describes the whole, rather than something else.
    is_own: bool,
    levels: usize,
}

struct Walk<'a> {
    whole: &'a str,
    scope: Scope,
    but: &'a [&'a str],
}

impl Walk<'_> {
    fn object(&self, json: &str, path: &Path, settings: &mut Vec<AccessSetting>) {
        for (key, value) in json::keys(json) {
            if path.levels == 0 && self.but.contains(&key) {
                continue;
            }
            let written = unescaped(key);
            let found = Key::of(&written).and_then(|key| {
                let key = key.in_scope(self.scope)?;
                let parsed = json::parse(value).map_or(Value::Null, |(value, _)| value);
                let verdict = verdict_of(key.kind, &parsed)?;
                let counts = key.is_own && path.is_own
                    || verdict == Verdict::HeldBack && key.counts_anywhere();
                counts.then_some((key, parsed, verdict))
            });
            if let Some((key, parsed, verdict)) = found {
                settings.push(AccessSetting {
                    key: format!("{}{written}", path.names),
                    kind: key.kind,
                    value: parsed,
                    verdict,
                    is_plain: path.is_own && key.is_plain(),
                    is_draft: path.is_own && key.is_draft(),
                    at: self.place(value),
                });
            } else if path.levels < LEVELS && value.starts_with(['{', '[', '"']) {
                let name = plain(&written);
                let is_own = path.is_own && is_container(&name);
                if is_own || self.scope == Scope::Conversation {
                    let names = format!("{}{written}.", path.names);
                    let inside = Path { names, is_own, levels: path.levels + 1 };
                    self.value(value, &inside, settings);
                }
            }
        }
    }

    fn value(&self, json: &str, path: &Path, settings: &mut Vec<AccessSetting>) {
        match json.as_bytes().first() {
            Some(b'{') => self.object(json, path, settings),
            Some(b'[') => {
                for element in json::elements(json, &[]) {
                    match json.as_bytes().get(element.start) {
                        Some(b'[') if path.levels < LEVELS => {
                            let names = path.names.clone();
                            let levels = path.levels + 1;
                            let inside = Path { names, levels, ..*path };
                            self.value(&json[element], &inside, settings);
                        }
                        Some(b'[') | None => {}
                        Some(_) => self.value(&json[element], path, settings),
                    }
                }
            }
            Some(b'"') => self.text(json, path, settings),
            _ => {}
        }
    }

    /// Searches a string in place of an object: JSON in a string, or rows such as `private:true`.
    fn text(&self, json: &str, path: &Path, settings: &mut Vec<AccessSetting>) {
        if !path.is_own || path.levels >= LEVELS {
            return;
        }
        let Ok((Value::String(text), _)) = json::parse(json) else { return };
        let at = self.place(json);
        let object = match text.trim_start().starts_with('{') {
            true => text,
            false => json::value(&rows(&text)).to_string(),
        };
        let walk = Walk { whole: &object, scope: Scope::Turn, but: &[] };
        let mut inside = Vec::new();
        // Strings nested in strings count towards the maximum depth.
        let level = Path { names: String::new(), is_own: true, levels: path.levels + 1 };
        walk.object(&object, &level, &mut inside);
        settings.extend(inside.into_iter().map(|setting| AccessSetting {
            key: format!("{}{}", path.names, setting.key),
            at: at.clone(),
            ..setting
        }));
    }

    /// Returns the byte range of a part of the whole.
    fn place(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize);
        start..start + part.len()
    }
}

/// Parses rows such as `private: true`; a row that is a single word is a label.
fn rows(text: &str) -> Map {
    let row = |line: &str| match line.split_once([':', '=', '：']) {
        Some((key, value)) => (key.to_owned(), from_text(value.trim())),
        None => ("label".to_owned(), line.into()),
    };
    text.lines().take(100).map(row).collect()
}

fn unescaped(key: &str) -> String {
    let quoted = || serde_json::from_str(&format!("\"{key}\"")).ok();
    Some(key).filter(|key| key.contains('\\')).and_then(|_| quoted()).unwrap_or(key.to_owned())
}
