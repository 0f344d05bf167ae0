//! Reads JSON documents of any format, key by key. Values of the wrong type are reported with their place
//! and kept.

use std::ops::Range;

use crate::shared::access::visibility::{self, Access, AccessSetting, Field, Scope};
use convo_base::diag::{Note, Severity};
use convo_base::json::{self, Deviation, DeviationAt, Map, Step, Value, type_of};
use convo_base::time::{Time, TimeWarning};

/// Parses the JSON document at `text[range]` of file number `file`. An error becomes a note.
pub(crate) fn document(
    text: &str,
    range: Range<usize>,
    file: usize,
    notes: &mut Vec<Note>,
) -> Option<Value> {
    match visibility::parse(&text[range.clone()]) {
        Ok((value, deviations)) => {
            notes.extend(
                deviation_notes(deviations, text, range.start).map(|note| note.in_file(file)),
            );
            Some(value)
        }
        Err(error) => {
            let at = range.start + error.at;
            let message = error.about("this");
            let note = Note::error("bad-json", at..at, message).in_file(file);
            notes.push(note.hint("export it again, or fix it by hand"));
            None
        }
    }
}

/// Returns the fields of a value at a byte range of file number `file`. If it is not an object, it
/// is reported, and only this `noun` is skipped: a "message", a "record".
pub(crate) fn as_object(
    value: Value,
    noun: &str,
    at: &Range<usize>,
    file: usize,
    notes: &mut Vec<Note>,
) -> Option<Map> {
    let Value::Object(map) = value else {
        let article = if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let note = wrong_type(&format!("{article} {noun}"), noun, type_of(&value), at.clone());
        notes.push(note.in_file(file));
        return None;
    };
    Some(map)
}

/// Returns the note on `what`, a `noun` that is not an object but of the type `found`.
pub(crate) fn wrong_type(what: &str, noun: &str, found: &str, at: Range<usize>) -> Note {
    let message = format!("{what} must be an object, not {found}");
    Note::error("wrong-type", at, message).hint(format!("only this {noun} is skipped"))
}

/// Makes notes on deviations in the JSON that starts at `start` of `text`. Repeated keys about access are
/// not reported here, since each of them counts.
pub(crate) fn deviation_notes(
    deviations: Vec<DeviationAt>,
    text: &str,
    start: usize,
) -> impl Iterator<Item = Note> {
    let is_access_key = move |what: &Deviation, at: &Range<usize>| {
        *what == Deviation::RepeatedKey
            && visibility::is_about(text[start..][at.clone()].trim_matches('"'))
    };
    deviations
        .into_iter()
        .filter(move |(what, at)| !is_access_key(what, at))
        .map(move |what| deviation_note(what, start))
}

fn deviation_note((what, at): DeviationAt, start: usize) -> Note {
    let at = start + at.start..start + at.end;
    match what {
        Deviation::TrailingComma => {
            Note::warning("trailing-comma", at, "JSON does not allow a comma here")
                .hint("remove it")
        }
        Deviation::LoneSurrogate => {
            Note::warning("lone-surrogate", at, "unpaired surrogate, replaced by U+FFFD")
        }
        Deviation::RepeatedKey => {
            Note::warning("repeated-key", at, "duplicate key; the last value is used")
                .hint("remove one of them")
        }
    }
}

/// A JSON object that is being read. Values are removed when they are taken; those of the wrong type stay.
pub(crate) struct Object<'a> {
    map: Map,
    /// The text and number of the file, and the byte range of the object in it.
    text: &'a str,
    file: usize,
    range: Range<usize>,
    /// The path of the object with a dot, such as `messages.3.`, for messages.
    prefix: String,
    /// Whether the object around it is marked as private.
    is_in_marked: bool,
}

impl<'a> Object<'a> {
    pub(crate) fn new(map: Map, text: &'a str, file: usize, range: Range<usize>) -> Self {
        Self { map, text, file, range, prefix: String::new(), is_in_marked: false }
    }

    /// Sets whether the object around it is marked as private.
    pub(crate) fn in_marked(mut self, is_in_marked: bool) -> Self {
        self.is_in_marked = is_in_marked;
        self
    }

    /// Adds a name to the path of the object.
    pub(crate) fn named(mut self, name: impl std::fmt::Display) -> Self {
        self.prefix.push_str(&format!("{name}."));
        self
    }

    /// Returns a nested object at this byte range of the file.
    pub(crate) fn at(&self, map: Map, range: Range<usize>) -> Self {
        let (text, file, prefix) = (self.text, self.file, self.prefix.clone());
        Self { map, text, file, range, prefix, is_in_marked: self.is_in_marked }
    }

    /// Returns an element of one of its lists with its path, such as `messages.3`. If it is not an object, it
    /// is reported, and only this `noun` is skipped.
    pub(crate) fn element(
        &self,
        (value, at): (Value, Range<usize>),
        path: impl std::fmt::Display,
        noun: &str,
        notes: &mut Vec<Note>,
    ) -> Option<Self> {
        let Value::Object(map) = value else {
            let what = format!("`{}{path}`", self.prefix);
            notes.push(wrong_type(&what, noun, type_of(&value), at).in_file(self.file));
            return None;
        };
        Some(self.at(map, at).named(path))
    }

    /// Returns the text of the file.
    pub(crate) fn source(&self) -> &'a str {
        self.text
    }

    /// Returns the number of the file.
    pub(crate) fn file(&self) -> usize {
        self.file
    }

    /// Returns the path of the object with a dot after it.
    pub(crate) fn name(&self) -> &str {
        &self.prefix
    }

    /// Copies all remaining values.
    pub(crate) fn copy(&self) -> Map {
        self.map.clone()
    }

    /// Adds a value to the remaining ones.
    pub(crate) fn put(&mut self, key: &str, value: Value) {
        self.map.insert(key.to_owned(), value);
    }

    /// Returns the byte range in the file of the value at `steps`.
    pub(crate) fn place(&self, steps: &[Step<'_>]) -> Range<usize> {
        let own = &self.text[self.range.clone()];
        let at = json::locate(own, steps);
        self.range.start + at.start..self.range.start + at.end
    }

    /// Returns the range of the first byte of the object, which is short enough to be shown.
    pub(crate) fn start(&self) -> Range<usize> {
        self.range.start..(self.range.start + 1).min(self.text.len())
    }

    pub(crate) fn note(
        &self,
        severity: Severity,
        code: &'static str,
        key: &str,
        message: String,
    ) -> Note {
        // Without a key the note is about the whole object.
        let at = match key {
            "" => self.start(),
            key => self.place(&[Step::Key(key)]),
        };
        Note::new(severity, code, Some(at), message).in_file(self.file)
    }

    pub(crate) fn missing(&self, severity: Severity, key: &str) -> Note {
        let message = format!("`{}{key}` is missing", self.prefix);
        Note::new(severity, "missing-key", Some(self.start()), message).in_file(self.file)
    }

    /// Adds the note for a value that does not have the type `expected`, and puts the value back.
    fn wrong(&mut self, key: &str, expected: &str, value: Value, notes: &mut Vec<Note>) {
        let found = type_of(&value);
        let message = format!("`{}{key}` must be {expected}, not {found}", self.prefix);
        notes.push(self.note(Severity::Warning, "wrong-type", key, message));
        self.map.insert(key.to_owned(), value);
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.map.contains_key(key)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.map.get(key)
    }

    /// Takes a value unless it is `null`.
    pub(crate) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.shift_remove(key).filter(|value| !value.is_null())
    }

    /// Takes a value, even `null`.
    pub(crate) fn take_any(&mut self, key: &str) -> Option<Value> {
        self.map.shift_remove(key)
    }

    /// Takes a string. Numbers and booleans are converted, with a warning.
    pub(crate) fn text(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<String> {
        match self.take(key)? {
            Value::String(text) => Some(text),
            value @ (Value::Number(_) | Value::Bool(_)) => {
                let text = value.to_string();
                self.wrong(key, "a string", value, notes);
                self.map.shift_remove(key);
                Some(text)
            }
            other => {
                self.wrong(key, "a string", other, notes);
                None
            }
        }
    }

    pub(crate) fn flag(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<bool> {
        match self.take(key)? {
            Value::Bool(flag) => Some(flag),
            other => {
                self.wrong(key, "true or false", other, notes);
                None
            }
        }
    }

    /// Returns whether this object is a conversation that must not be published. The keys `but` hold its
    /// turns. Takes a plain boolean under `key`.
    pub(crate) fn holds_back(&mut self, key: &str, but: &[&str], notes: &mut Vec<Note>) -> bool {
        let is_marked = |key: &&str| {
            self.map.get(*key).is_some_and(|turns| visibility::is_marked_map(key, turns))
        };
        let is_marked = but.iter().any(is_marked);
        let settings = self.read_conversation_access(key, but, notes);
        self.is_in_marked || is_marked || visibility::holds_back(&settings)
    }

    /// Returns the access that the conversation states, for a format that people write by hand.
    pub(crate) fn access(&mut self, key: &str, but: &[&str], notes: &mut Vec<Note>) -> Access {
        Access::of(&self.read_conversation_access(key, but, notes))
    }

    fn read_conversation_access(
        &mut self,
        key: &str,
        but: &[&str],
        notes: &mut Vec<Note>,
    ) -> Vec<AccessSetting> {
        let settings = self.read_access(Scope::Conversation, but, notes);
        if self.map.get(key).is_some_and(Value::is_boolean) {
            self.map.shift_remove(key);
        }
        settings
    }

    /// Returns whether it has one of these vendor-specific marks: see [`visibility::is_set`].
    pub(crate) fn is_set(&self, marks: &[&str]) -> bool {
        visibility::is_set(&self.text[self.range.clone()], marks)
    }

    /// Returns whether each of these fields says that everybody can read it: see [`visibility::is_public`].
    pub(crate) fn is_public(&self, fields: &[Field<'_>]) -> bool {
        visibility::is_public(&self.text[self.range.clone()], fields)
    }

    /// Returns whether this object is a turn, or part of one, that must not be published.
    pub(crate) fn is_withheld(&self, notes: &mut Vec<Note>) -> bool {
        self.is_withheld_but(&[], notes)
    }

    /// Returns whether this event of a stream must not be published. Without `is_part`, it is about the conversation
    /// and not part of a turn.
    pub(crate) fn is_withheld_event(&mut self, is_part: bool, notes: &mut Vec<Note>) -> bool {
        !is_part && self.holds_back("private", &[], notes) || self.is_withheld(notes)
    }

    /// Returns whether one of the objects under these keys, which are parts of a turn, must not be published.
    pub(crate) fn has_withheld(&self, keys: &[&str]) -> bool {
        let members = json::members(&self.text[self.range.clone()]);
        let mut parts = members.filter(|(key, value)| keys.contains(key) && value.starts_with('{'));
        parts.any(|(_, part)| {
            visibility::holds_back(&visibility::read_access(part, Scope::Turn, &[]))
        })
    }

    /// Does the same as [`Self::is_withheld`], ignoring the values of the keys `but`.
    pub(crate) fn is_withheld_but(&self, but: &[&str], notes: &mut Vec<Note>) -> bool {
        let has_own_mark = self.map.keys().any(|key| visibility::may_set_access(key))
            && self.has_own_mark(but, notes);
        self.is_in_marked || has_own_mark || visibility::has_marked_part(&self.map, but)
    }

    fn has_own_mark(&self, but: &[&str], notes: &mut Vec<Note>) -> bool {
        let before = notes.len();
        let is_marked = visibility::holds_back(&self.read_access(Scope::Turn, but, notes));
        // The number of omitted turns is reported once for all of them.
        let added = notes.split_off(before);
        notes.extend(added.into_iter().filter(|note| note.severity == Severity::Error));
        is_marked
    }

    fn read_access(&self, scope: Scope, but: &[&str], notes: &mut Vec<Note>) -> Vec<AccessSetting> {
        let start = self.range.start;
        let settings = visibility::read_access(&self.text[self.range.clone()], scope, but);
        let place = |setting: &AccessSetting| start + setting.at.start..start + setting.at.end;
        let found = visibility::notes(&settings, place).into_iter();
        notes.extend(found.map(|note| note.in_file(self.file)));
        settings
    }

    pub(crate) fn integer(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<i64> {
        let value = self.take(key)?;
        match value.as_i64() {
            Some(number) => Some(number),
            None => {
                self.wrong(key, "a whole number", value, notes);
                None
            }
        }
    }

    /// Takes a number without converting it.
    pub(crate) fn number(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<Value> {
        match self.take(key)? {
            number @ Value::Number(_) => Some(number),
            other => {
                self.wrong(key, "a number", other, notes);
                None
            }
        }
    }

    pub(crate) fn object(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<Map> {
        match self.take(key)? {
            Value::Object(map) => Some(map),
            other => {
                self.wrong(key, "an object", other, notes);
                None
            }
        }
    }

    /// Takes an array and returns its elements, each with its byte range in the file.
    pub(crate) fn array(
        &mut self,
        key: &str,
        notes: &mut Vec<Note>,
    ) -> Option<Vec<(Value, Range<usize>)>> {
        match self.take(key)? {
            Value::Array(list) => Some(self.placed(list, &self.range, &[Step::Key(key)])),
            other => {
                self.wrong(key, "an array", other, notes);
                None
            }
        }
    }

    /// Returns the elements of a list with their places. The list is `steps` inside the value at `range`.
    pub(crate) fn placed(
        &self,
        list: Vec<Value>,
        range: &Range<usize>,
        steps: &[Step<'_>],
    ) -> Vec<(Value, Range<usize>)> {
        let places = json::elements(&self.text[range.clone()], steps);
        let places = places.into_iter().map(|at| range.start + at.start..range.start + at.end);
        list.into_iter().zip(places).collect()
    }

    /// Takes a time in ISO 8601; other values stay.
    pub(crate) fn time(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<Time> {
        let text = match self.take(key)? {
            Value::String(text) => text,
            other => {
                self.wrong(key, "a time such as `2025-10-23T12:00:00Z`", other, notes);
                return None;
            }
        };
        match Time::parse(&text) {
            Ok((time, doubt)) => {
                let at = self.place(&[Step::Key(key)]);
                notes.extend(doubt.map(|doubt| time_warning_note(doubt, at).in_file(self.file)));
                Some(time)
            }
            Err(error) => {
                let message = format!("`{}{key}` is not a valid time: {error}", self.prefix);
                let note = self.note(Severity::Warning, "bad-time", key, message);
                notes.push(note.hint("write it as `2025-10-23T12:00:00Z`"));
                self.map.insert(key.to_owned(), text.into());
                None
            }
        }
    }

    /// Takes a number of seconds since 1970. 0 means that the time is unknown. A number that is too large
    /// for seconds is read as milli-, micro- or nanoseconds.
    pub(crate) fn unix_time(&mut self, key: &str, notes: &mut Vec<Note>) -> Option<Time> {
        let number = match self.take(key)? {
            Value::Number(number) => number,
            other => {
                self.wrong(key, "a number of seconds since 1970", other, notes);
                return None;
            }
        };
        let seconds = number.as_i64().or_else(|| number.as_f64().map(|number| number as i64));
        let seconds = seconds.filter(|seconds| *seconds != 0)?;
        if let Some(time) = Time::from_unix(seconds) {
            let odd = !(0..4_102_444_800).contains(&seconds);
            if odd {
                let message =
                    format!("`{}{key}` is in the year {}", self.prefix, time.year_month().0);
                notes.push(self.note(Severity::Warning, "odd-time", key, message));
            }
            return Some(time);
        }
        let finer = [1_000, 1_000_000, 1_000_000_000].into_iter().find_map(|parts| {
            let time = Time::from_unix(seconds / parts)?;
            (1990..2100).contains(&time.year_month().0).then_some(time)
        });
        let message = match &finer {
            Some(_) => format!(
                "`{}{key}` is too large for seconds; it was read as a smaller unit",
                self.prefix
            ),
            None => format!("`{}{key}` is out of range for a time", self.prefix),
        };
        notes.push(self.note(Severity::Warning, "odd-time", key, message));
        if finer.is_none() {
            self.map.insert(key.to_owned(), number.into());
        }
        finer
    }

    /// Returns the values that were not taken.
    pub(crate) fn rest(self) -> Map {
        self.map
    }
}

/// Returns the non-empty string under a key.
pub(crate) fn text<'a>(map: &'a Map, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str().filter(|text| !text.is_empty())
}

/// Makes the note for a time that was read but looks wrong.
pub(crate) fn time_warning_note(doubt: TimeWarning, at: Range<usize>) -> Note {
    match doubt {
        TimeWarning::Contradiction { zone, expected } => {
            let message = format!("`{zone}` has the offset {expected} at this time");
            Note::warning("zone-offset", at, message).hint("the offset in the file was used")
        }
        TimeWarning::UnknownZone(zone) => {
            Note::warning("unknown-zone", at, format!("unknown time zone `{zone}`"))
                .hint("use a name from the IANA time zone database")
        }
    }
}

/// Returns the line number, from 1, of each of `places`, which must be in order.
pub(crate) fn lines_of(text: &str, places: impl Iterator<Item = usize>) -> Vec<u32> {
    let (mut line, mut counted) = (1, 0);
    places
        .map(|at| {
            line += text.as_bytes()[counted..at].iter().filter(|b| **b == b'\n').count() as u32;
            counted = at;
            line
        })
        .collect()
}
