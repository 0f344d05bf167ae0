//! Access settings in metadata: one rule for conversations and turns in every format.
//!
//! Keys are compared by their letters and digits alone, so `isPrivate`, `is_private` and `Is
//! private` are the same. Anything that is not clearly public is withheld: a single private setting
//! is enough, whatever the others say, and an unknown value withholds too and is an error.
//! Ambiguous keys such as `status` withhold only with an unambiguous value.
//!
//! This module does not read the clock: publication and expiry dates are passed on.

mod settings;
mod keys;
mod marks;
mod parse;
mod parts;
mod readers;
mod values;

use std::collections::BTreeMap;
use std::ops::Range;

pub use self::keys::may_set_access;
use self::keys::{Key, Kind, correction_of, plain};
pub(crate) use self::marks::{is_set, is_set_in};
pub(crate) use self::parse::parse;
pub(crate) use self::parts::{has_marked_part, is_clear_mark, is_document_marked, is_marked_map};
pub(crate) use self::readers::{Field, Public, is_public, is_public_in};
use self::settings::is_marked_by;
pub(crate) use self::settings::{
    AccessSetting, Scope, read_access, read_access_of_fields, read_access_of_map,
};
use self::values::Verdict;
pub use self::values::is_closed_label;
use crate::shared::tally::WITHHELD;
pub use crate::shared::tally::WITHHELD_TURNS;
use convo_base::diag::{Note, Severity};
use convo_base::json::{Map, Value, type_of};
use convo_base::model::{Conversation, Schedule};
use convo_base::text::short_name;

/// The combined access settings of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Access {
    /// Whether it is private.
    pub(crate) private: bool,
    pub(crate) schedule: Schedule,
}

impl Access {
    /// Combines settings.
    pub(crate) fn of(settings: &[AccessSetting]) -> Self {
        let mut access = Self::default();
        for setting in settings {
            let is_draft = setting.is_draft && setting.verdict == Verdict::HeldBack;
            access.schedule.draft |= is_draft;
            access.private |= setting.verdict != Verdict::Public && !is_draft;
            access.schedule.add(&setting.schedule());
        }
        access
    }

    /// Adds settings from elsewhere.
    pub(crate) fn add(&mut self, other: Self) {
        self.private |= other.private;
        self.schedule.add(&other.schedule);
    }

    /// Applies the settings to a conversation.
    pub(crate) fn apply(&self, read: &mut Conversation) {
        read.private |= self.private;
        read.schedule.add(&self.schedule);
    }
}

/// Returns whether a metadata key with this value only says when to publish.
pub fn is_schedule(key: &str, value: &Value) -> bool {
    let Some(key) = Key::of(key) else { return false };
    match key.kind {
        Kind::Publish | Kind::From | Kind::Scheduled | Kind::Expires => {
            values::moment(value).is_some()
        }
        _ => key.is_draft() && value.is_boolean(),
    }
}

/// Returns whether any of the settings withholds.
pub(crate) fn holds_back(settings: &[AccessSetting]) -> bool {
    settings.iter().any(|setting| setting.verdict != Verdict::Public)
}

/// Returns whether a turn, or a part of one, is marked as not to be shown: by its own keys or by those
/// of an object in it.
pub(crate) fn is_marked(map: &Map) -> bool {
    is_marked_but(map, &[])
}

/// The same, ignoring the values of the keys `but`.
pub(crate) fn is_marked_but(map: &Map, but: &[&str]) -> bool {
    has_own_mark(map, but) || has_marked_part(map, but)
}

/// The same without the objects in it, except those that describe it, such as `metadata`.
pub(crate) fn has_own_mark(map: &Map, but: &[&str]) -> bool {
    let mut own = map.iter().filter(|(key, _)| !but.contains(&key.as_str()));
    own.any(|(key, value)| {
        let may_hold_others = value.is_object() || value.is_array() || is_container(key);
        match may_hold_others {
            false => is_marked_by(key, value),
            true if may_set_access(key) => {
                let one = std::iter::once((key.clone(), value.clone())).collect();
                holds_back(&read_access_of_map(&one, Scope::Turn))
            }
            true => false,
        }
    })
}

/// The same for an object as JSON text, ignoring the keys in `but`.
pub(crate) fn is_held_back(json: &str, but: &[&str]) -> bool {
    holds_back(&read_access(json, Scope::Turn, but))
}

/// Returns whether a key is an access setting.
pub(crate) fn is_about(key: &str) -> bool {
    Key::of(key).is_some()
}

/// Returns whether the object or file of that name may contain access settings.
pub(crate) fn is_container(name: &str) -> bool {
    keys::is_container(&plain(name.strip_suffix(".json").unwrap_or(name)))
}

/// Returns notes on settings: unknown values, contradictory keys, and the reason for withholding if
/// it is not obvious. `place` returns the position of each setting. The settings withhold what is
/// around them, so no excerpt of it is shown.
pub(crate) fn notes(
    settings: &[AccessSetting],
    place: impl Fn(&AccessSetting) -> Range<usize>,
) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut by_key: BTreeMap<&str, Vec<&AccessSetting>> = BTreeMap::new();
    for setting in settings {
        by_key.entry(&setting.key).or_default().push(setting);
    }
    for (key, all) in by_key {
        let unknown = all.iter().filter(|setting| setting.verdict == Verdict::Unknown);
        notes.extend(unknown.map(|setting| unknown_value(key, setting, place(setting))));
        let counts = |setting: &AccessSetting| {
            setting.verdict != Verdict::Public || !setting.schedule().is_empty()
        };
        if let Some(slip) = all.iter().find(|setting| counts(setting))
            && let Some(meant) = correction_of(slip.name())
        {
            let message = format!("unknown key `{key}`");
            let note = Note::warning("misspelled-key", place(slip), message);
            notes.push(
                note.hint(format!("it was read as `{meant}` to be safe; correct its spelling")),
            );
        }
        let is = |verdict: Verdict| all.iter().find(|setting| setting.verdict == verdict);
        if let (Some(_), Some(public)) = (is(Verdict::HeldBack), is(Verdict::Public)) {
            let message = format!("duplicate key `{key}`");
            let note = Note::error("duplicate-key", place(public), message);
            notes.push(note.hint(match public.kind {
                Kind::Closed => COUNTS_AS_TRUE,
                _ => "it is treated as private to be safe",
            }));
        }
    }
    let held = |setting: &&AccessSetting| setting.verdict == Verdict::HeldBack;
    if let Some(reason) = settings.iter().find(held)
        && !settings.iter().any(|setting| setting.is_plain && held(&setting))
        && notes.is_empty()
    {
        let value = quoted(&reason.value);
        let message = format!("withheld because `{}` is `{value}`", reason.key);
        notes.push(Note::new(Severity::Hint, "held-back", Some(place(reason)), message));
    }
    notes.into_iter().map(Note::about_withheld_text).collect()
}
const COUNTS_AS_TRUE: &str = "it is treated as `true` to be safe";

fn unknown_value(key: &str, setting: &AccessSetting, at: Range<usize>) -> Note {
    if setting.kind == Kind::Closed {
        let found = type_of(&setting.value);
        let message = format!("`{key}` must be true or false, not {found}");
        return Note::error("wrong-type", at, message).hint(COUNTS_AS_TRUE);
    }
    let is_time =
        matches!(setting.kind, Kind::Publish | Kind::From | Kind::Scheduled | Kind::Expires);
    let message = match &setting.value {
        value if is_time => format!("`{key}` has the invalid date `{}`", quoted(value)),
        Value::Null => format!("`{key}` has no value"),
        value => format!("`{key}` has the unknown value `{}`", quoted(value)),
    };
    Note::error("unknown-visibility", at, message).hint(match is_time {
        true => {
            "it is treated as private to be safe; write a date such as `2027-01-01` or \
             `2027-01-01T09:00:00+01:00`"
        }
        false => {
            "it is treated as private to be safe; write `public` or `private`, `true` or `false`"
        }
    })
}

/// Returns the hint on turns that are not shown; the first one is at `first`.
pub(crate) fn withheld_turns_note(turns: usize, first: Range<usize>) -> Note {
    Note::counted(WITHHELD, "", turns as u64, Some(first))
}

/// The maximum number of characters of a quoted value.
const QUOTED: usize = 40;

/// Returns a value for a message. A part of a long one could be a part of a secret.
fn quoted(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    short_name(&text.replace(['`', '\n'], " "), QUOTED).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Access, Scope, holds_back, notes, read_access};

    #[track_caller]
    fn check(json: &str, scope: Scope, held: bool, codes: &[&str]) {
        let settings = read_access(json, scope, &["messages"]);
        assert_eq!(holds_back(&settings), held, "{json}");
        let notes = notes(&settings, |setting| setting.at.clone());
        let seen: Vec<_> = notes.iter().map(|note| note.code).collect();
        assert_eq!(seen, codes, "{json}");
    }

    #[test]
    fn clearly_public_values_are_public() {
        for public in [
            r#"{}"#,
            r#"{"private": false, "draft": false, "isPublic": "yes", "Visibility": "Public"}"#,
            r#"{"published": "2024-05-01", "publish_date": "2020-03-04", "visible": 1}"#,
            r#"{"published": "March 4, 2020", "publish": "https://example.org/", "expires": null}"#,
            r#"{"status": "resolved", "state": {"open": 1}, "access": "everyone"}"#,
            r#"{"deletedAt": null, "archived": false, "internal": {"id": 1}, "scope": "repo"}"#,
            r#"{"tags": ["private equity", "secret", "draft horses"], "type": "secret"}"#,
            r#"{"issue": {"draft": true, "hidden": true, "status": "draft"}}"#,
            r#"{"messages": [{"private": true}], "privateer": true, "drafted": 1}"#,
        ] {
            check(public, Scope::Conversation, false, &[]);
        }
        let args = r#"{"args": {"private": true}, "contentBlocks": [{"private": true}]}"#;
        check(args, Scope::Turn, false, &[]);
    }

    #[test]
    fn unknown_values_withhold_and_are_errors() {
        for unknown in [
            r#"{"visibility": "tier 2"}"#,
            r#"{"is-public": []}"#,
            r#"{"published": "soon"}"#,
            r#"{"publish": "March 4, 2020"}"#,
            r#"{"expires": "in a year"}"#,
            r#"{"params": {"publishDate": 20270101}}"#,
            r#"{"meta": {"access": "tier 2"}}"#,
        ] {
            check(unknown, Scope::Conversation, true, &["unknown-visibility"]);
        }
        for value in ["null", "1", "0", "\"no\"", "\"false\"", "{}", "[]", "[false]"] {
            let unknown = format!("{{\"private\": {value}}}");
            check(&unknown, Scope::Conversation, true, &["wrong-type"]);
        }
    }

    #[test]
    fn drafts_and_times_are_not_secrets() {
        let json = r#"{"draft": true, "publish": "2027-01-01", "pageDraft": false,
            "meta": {"publishDate": "2027-03-01T09:00:00+01:00"},
            "expires": "2028-01-01", "expiryDate": "2027-06-30T22:00Z"}"#;
        let access = Access::of(&read_access(json, Scope::Conversation, &[]));
        let days = access.schedule;
        let seen = format!("{} {:?} {:?}", days.draft, days.publish, days.expires);
        assert_eq!(seen, "true Some(2027-03-02) Some(2027-06-30)");
        assert!(!access.private);
        assert!(Access::of(&read_access(r#"{"draft": 1}"#, Scope::Conversation, &[])).private);
        assert!(Access::of(&read_access(json, Scope::Turn, &[])).schedule.draft);
    }

    #[test]
    fn a_contradiction_holds_back_and_is_an_error() {
        let twice = r#"{"private": true, "title": "x", "priv\u0061te": false}"#;
        check(twice, Scope::Turn, true, &["duplicate-key"]);
        check(r#"{"private": true, "isPrivate": false}"#, Scope::Turn, true, &[]);
    }

    #[test]
    fn a_reason_that_is_not_plain_is_reported() {
        for reported in [
            r#"{"status": "Final draft"}"#,
            r#"{"channel": {"is_private": true}, "visibility": "private"}"#,
            r#"{"metadata": "{\"unlisted\": true}"}"#,
            r#"{"front matter": "unlisted"}"#,
            r#"{"tags": ["boats", "Unlisted"]}"#,
        ] {
            let settings = read_access(reported, Scope::Conversation, &[]);
            assert!(holds_back(&settings), "{reported}");
        }
        check(r#"{"status": "draft"}"#, Scope::Turn, true, &["held-back"]);
        check(r#"{"Is_Private ": true}"#, Scope::Turn, true, &[]);
    }
}
