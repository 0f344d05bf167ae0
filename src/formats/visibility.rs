//! Whether something may be published: the one rule for what metadata say of that, in every
//! format, of conversations and of turns.
//!
//! Keys are compared by their letters and digits alone, so that `isPrivate`, `is_private` and
//! `Is private` are one. What is not plainly public is held back: one word for it is enough,
//! however often the others say something else, and a value that nobody knows holds back as well
//! and is an error. Keys that are often about something else, such as `status`, hold back only
//! with a value that has one meaning.
//!
//! No clock is asked: a date is a date, whether it is over or not.

use std::collections::BTreeMap;
use std::ops::Range;

use super::object::type_of;
use crate::diag::{Note, Severity};
use crate::json::{self, Map, Value};
use crate::time::Time;

/// What a key is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// True holds back, as in `private`, and so does whatever is not plainly false.
    Closed,
    /// Yes holds back, and a value that is neither yes nor no is about something else: `archived`.
    PerhapsClosed,
    /// No holds back, as in `public`.
    Open,
    /// The same, or a time: `published`.
    Published,
    /// A word for who may read it, as in `visibility`.
    Readers,
    /// A word that may be about something else, as in `status`.
    State,
    /// The time at which it was taken away, as in `deletedAt`.
    Removal,
    /// Words under which it is filed, and its type.
    Label,
}

/// The kind of a key by its letters and digits, as it is written or, where it is no word, as it was
/// meant: of `privat` what `private` is.
fn kind(key: &str) -> Option<Kind> {
    known(key).or_else(|| known(meant(key)?))
}

/// The key that one with a slip of one letter was meant to be.
fn meant(key: &str) -> Option<&'static str> {
    let is_word = ["primate", "privates", "privater", "enlisted"].contains(&key);
    let near = |near: &&str| is_one_slip_away(near.as_bytes(), key.as_bytes());
    NEARLY.into_iter().find(near).filter(|_| !is_word)
}

/// Whether one letter was left out, added, taken for another one, or trades places with the next.
fn is_one_slip_away(a: &[u8], b: &[u8]) -> bool {
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let before = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[before..], &b[before..]);
    let after = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    match (&a[..a.len() - after], &b[..b.len() - after]) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

/// Keys with nothing but themselves a letter away.
const NEARLY: [&str; 8] = [
    "private",
    "isprivate",
    "visibility",
    "unlisted",
    "unpublished",
    "confidential",
    "nonpublic",
    "privacy",
];

/// The kind of a key without slips, also behind the name of what it is about.
fn known(key: &str) -> Option<Kind> {
    let word = |key: &str| {
        Some(match key {
            "private" | "draft" | "unlisted" | "hidden" | "invisible"
            | "confidential" | "secret" | "unpublished" | "nonpublic" | "notpublic"
            | "nopublish" | "donotpublish" | "dontpublish" | "embargo" | "embargoed" => {
                Kind::Closed
            }
            "internal" | "restricted" | "sensitive" | "archived" | "deleted"
            | "removed" | "trashed" | "withdrawn" | "redacted" | "temporary"
            | "privatemessage" | "donotremember" | "incognito" | "offtherecord"
            | "headless" | "excluded" | "exclude" | "ignored" | "ignore" | "privat"
            | "privado" | "privada" | "privato" | "privata" | "privé" | "privée"
            | "entwurf" | "brouillon" | "borrador" | "bozza" | "rascunho" | "私密"
            | "非公開" | "下書き" | "草稿" | "черновик" => {
                Kind::PerhapsClosed
            }
            "public" | "publishable" | "listed" | "visible" => Kind::Open,
            "publish" | "published" | "publishedat" | "publishedon" | "datepublished"
            | "publishdate" | "publicationdate" => Kind::Published,
            "visibility" | "privacy" | "privacystatus" | "privacylevel" | "access"
            | "accesslevel" | "accessrights" | "confidentiality" | "publishstatus"
            | "publicationstatus" | "publicationstate" | "publishedstatus"
            | "poststatus" => Kind::Readers,
            "status" | "state" | "stage" | "workflow" | "audience" | "sharing"
            | "scope" | "classification" | "sensitivity" => Kind::State,
            "deletedat" | "deletedon" | "datedeleted" | "removedat" | "trashedat" => {
                Kind::Removal
            }
            "tags" | "tag" | "labels" | "label" | "keywords" | "categories"
            | "category" | "type" | "layout" => Kind::Label,
            _ => return None,
        })
    };
    let bare = || OWNERS.iter().find_map(|owner| word(key.strip_prefix(owner)?));
    word(key).or_else(bare)
}

/// Words before a key that say what it is about: all of it.
const OWNERS: [&str; 14] = [
    "is",
    "post",
    "page",
    "conversation",
    "convo",
    "convosite",
    "chat",
    "thread",
    "session",
    "dg",
    "document",
    "entry",
    "note",
    "transcript",
];

/// What a key as written is about, its bare name, and whether it says that of what it stands in:
/// `meta.private` does, `channel.private` does not.
fn heard(written: &str) -> Option<(Kind, String, bool)> {
    let name = plain(written);
    if let Some(kind) = kind(&name) {
        return Some((kind, name, true));
    }
    let (above, last) = written.rsplit_once(['.', ':', '/'])?;
    let name = plain(last);
    let kind = kind(&name)?;
    let is_own = above.split(['.', ':', '/']).map(plain).all(|part| {
        CONTAINERS.contains(&part.as_str()) || OWNERS.contains(&part.as_str())
    });
    Some((kind, name, is_own))
}

/// Objects whose keys are as good as those of what they stand in.
const CONTAINERS: [&str; 27] = [
    "attributes",
    "attrs",
    "chat",
    "config",
    "conversation",
    "convosite",
    "custom",
    "data",
    "extension",
    "extensions",
    "extra",
    "extras",
    "flags",
    "frontmatter",
    "header",
    "info",
    "meta",
    "metadata",
    "options",
    "page",
    "params",
    "properties",
    "props",
    "publication",
    "publishing",
    "settings",
    "thread",
];

/// Keys that are heard in other objects as well, such as a channel's, where they are plain.
const ANYWHERE: [&str; 6] =
    ["private", "isprivate", "confidential", "unlisted", "visibility", "privacy"];

const YES: [&str; 12] =
    ["true", "yes", "on", "y", "t", "1", "x", "ja", "oui", "sí", "si", "sim"];
const NO: [&str; 9] = ["false", "no", "off", "n", "f", "0", "nein", "non", "não"];

/// Words that mean public.
const PUBLIC: [&str; 18] = [
    "all",
    "anybody",
    "anyone",
    "everybody",
    "everyone",
    "free",
    "listed",
    "live",
    "open",
    "public",
    "publico",
    "publique",
    "publish",
    "published",
    "unrestricted",
    "visible",
    "world",
    "öffentlich",
];

/// Words that mean not public, wherever they stand in a text.
const CLOSED: [&str; 7] =
    ["private", "draft", "drafts", "unlisted", "unpublished", "confidential", "wip"];

/// The same where they are all of it.
const CLOSED_ALONE: [&str; 32] = [
    "archived",
    "autodraft",
    "borrador",
    "brouillon",
    "deleted",
    "donotpublish",
    "embargoed",
    "entwurf",
    "future",
    "hidden",
    "inreview",
    "internal",
    "invisible",
    "membersonly",
    "nonpublic",
    "notpublic",
    "notpublished",
    "onlyme",
    "pendingreview",
    "personal",
    "privado",
    "privat",
    "privé",
    "redacted",
    "removed",
    "restricted",
    "scheduled",
    "secret",
    "sensitive",
    "trash",
    "trashed",
    "withdrawn",
];

/// What a value says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Public,
    HeldBack,
    /// Nobody knows; it holds back.
    Unknown,
}

/// Something that an object says of whether it may be published.
pub(super) struct Said {
    /// The key as written, after the keys of the objects that hold it.
    key: String,
    kind: Kind,
    value: Value,
    verdict: Verdict,
    /// Whether everybody knows that the key holds back.
    is_plain: bool,
    /// The byte range of the value in what was heard.
    pub(super) at: Range<usize>,
}

impl Said {
    /// The key by itself.
    pub(super) fn name(&self) -> &str {
        self.key.rsplit('.').next().unwrap_or_default()
    }

    /// Whether it is no mere prose: that what it says is known, or that its key has one meaning.
    pub(super) fn is_meant(&self) -> bool {
        let name = plain(self.name());
        self.verdict != Verdict::Unknown
            || ["private", "visibility"].iter().any(|word| name.contains(word))
    }
}

/// Where keys are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// In the object, in its [`CONTAINERS`] and, where they are plain, in all others.
    Conversation,
    /// In the object and its [`CONTAINERS`]: what else stands in a turn is what was said.
    Turn,
}

/// Objects in objects that are looked into.
const LEVELS: usize = 8;
/// Characters of a value that are quoted.
const QUOTED: usize = 40;

/// What the JSON object `json` says, key by key, repeated ones as well. What stands in the keys
/// `but` is heard by itself.
pub(super) fn hear(json: &str, scope: Scope, but: &[&str]) -> Vec<Said> {
    let mut said = Vec::new();
    let walk = Walk { whole: json, scope, but };
    walk.object(json, &Path { names: String::new(), is_own: true, levels: 0 }, &mut said);
    said
}

/// The same for metadata that are no JSON; places in it mean nothing.
pub(super) fn hear_map(map: &Map, scope: Scope) -> Vec<Said> {
    hear(&json::value(map).to_string(), scope, &[])
}

/// The same for metadata of which all values are text, where `true` is written so, or `yes`.
pub(super) fn hear_text<'a>(
    fields: impl IntoIterator<Item = (&'a str, &'a str)>,
    scope: Scope,
) -> Vec<Said> {
    let field = |(key, text): (&str, &str)| (key.to_owned(), from_text(text.trim()));
    hear_map(&fields.into_iter().map(field).collect(), scope)
}

fn from_text(text: &str) -> Value {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" => true.into(),
        "false" | "no" => false.into(),
        _ => text.into(),
    }
}

/// Whether any of it holds back.
pub(super) fn holds_back(said: &[Said]) -> bool {
    said.iter().any(|said| said.verdict != Verdict::Public)
}

/// Whether a key is one that this is about.
pub(super) fn is_about(key: &str) -> bool {
    heard(key).is_some()
}

/// Whether the object or the file of that name may hold keys that this is about.
pub(super) fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&plain(name.strip_suffix(".json").unwrap_or(name)).as_str())
}

/// What there is to say about it: values that nobody knows, keys that contradict themselves, and
/// why a conversation is held back where that is not plain. `place` is where each stands.
pub(super) fn notes(said: &[Said], place: impl Fn(&Said) -> Range<usize>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut by_key: BTreeMap<&str, Vec<&Said>> = BTreeMap::new();
    for said in said {
        by_key.entry(&said.key).or_default().push(said);
    }
    for (key, all) in by_key {
        let unknown = all.iter().filter(|said| said.verdict == Verdict::Unknown);
        notes.extend(unknown.map(|said| unknown_value(key, said, place(said))));
        if let Some(slip) = all.iter().find(|said| said.verdict != Verdict::Public)
            && let Some(meant) = meant_by(slip.name())
        {
            let message = format!("`{key}` is no key that is known");
            let note = Note::warning("misspelled-key", place(slip), message);
            notes.push(note.hint(format!("to be safe it was read as `{meant}`")));
        }
        let is = |verdict: Verdict| all.iter().find(|said| said.verdict == verdict);
        if let (Some(_), Some(public)) = (is(Verdict::HeldBack), is(Verdict::Public)) {
            let message = format!("`{key}` is there twice");
            let note = Note::error("duplicate-key", place(public), message);
            notes.push(note.hint(match public.kind {
                Kind::Closed => COUNTS_AS_TRUE,
                _ => "to be safe it counts as private",
            }));
        }
    }
    let held = |said: &&Said| said.verdict == Verdict::HeldBack;
    if let Some(reason) = said.iter().find(held)
        && !said.iter().any(|said| said.is_plain && held(&said))
        && notes.is_empty()
    {
        let value = quoted(&reason.value);
        let message = format!("`{}` is `{value}`, so this is held back", reason.key);
        notes.push(Note::new(Severity::Hint, "held-back", Some(place(reason)), message));
    }
    notes
}

/// The key that a misspelled one was taken for.
fn meant_by(key: &str) -> Option<&'static str> {
    let key = plain(key);
    meant(&key).filter(|_| known(&key).is_none())
}

const COUNTS_AS_TRUE: &str = "to be safe it counts as `true`";

fn unknown_value(key: &str, said: &Said, at: Range<usize>) -> Note {
    if said.kind == Kind::Closed {
        let found = type_of(&said.value);
        let message = format!("`{key}` must be true or false, not {found}");
        return Note::error("wrong-type", at, message).hint(COUNTS_AS_TRUE);
    }
    let message = match &said.value {
        Value::Null => format!("`{key}` says nothing"),
        value => format!("`{key}` says `{}`, which is not known", quoted(value)),
    };
    Note::error("unknown-visibility", at, message).hint(
        "to be safe it counts as private; write `public` or `private`, `true` or `false`",
    )
}

/// The hint on turns that are not shown, of which the first stands at `first`.
pub(super) fn left_out(turns: usize, first: Range<usize>) -> Note {
    let message = match turns {
        1 => "a turn is marked as private or deleted, so it is not shown".to_owned(),
        turns => format!(
            "{turns} turns are marked as private or deleted, so they are not shown"
        ),
    };
    Note::new(Severity::Hint, LEFT_OUT, Some(first), message)
}

/// The code of the hint on turns that are not shown.
pub(crate) const LEFT_OUT: &str = "turns-held-back";

/// Where a walk is.
struct Path {
    /// Its keys, each with a dot after it.
    names: String,
    /// Whether the object says of itself what stands here.
    is_own: bool,
    levels: usize,
}

struct Walk<'a> {
    whole: &'a str,
    scope: Scope,
    but: &'a [&'a str],
}

impl Walk<'_> {
    fn object(&self, json: &str, path: &Path, said: &mut Vec<Said>) {
        for (key, value) in json::keys(json) {
            if path.levels == 0 && self.but.contains(&key) {
                continue;
            }
            let written = unescaped(key);
            let judged = heard(&written).and_then(|(kind, name, is_own)| {
                let parsed = json::parse(value).map_or(Value::Null, |(value, _)| value);
                Some((kind, judge(kind, &parsed)?, parsed, name, is_own && path.is_own))
            });
            let judged = judged.filter(|(_, verdict, _, name, is_own)| {
                *is_own
                    || *verdict == Verdict::HeldBack && ANYWHERE.contains(&name.as_str())
            });
            if let Some((kind, verdict, parsed, name, _)) = judged {
                said.push(Said {
                    key: format!("{}{written}", path.names),
                    kind,
                    value: parsed,
                    verdict,
                    is_plain: path.is_own
                        && (name.ends_with("private") || name.ends_with("draft")),
                    at: self.place(value),
                });
            } else if path.levels < LEVELS {
                let name = plain(&written);
                let is_own = path.is_own && CONTAINERS.contains(&name.as_str());
                if is_own || self.scope == Scope::Conversation {
                    let names = format!("{}{written}.", path.names);
                    let inside = Path { names, is_own, levels: path.levels + 1 };
                    self.value(value, &inside, said);
                }
            }
        }
    }

    fn value(&self, json: &str, path: &Path, said: &mut Vec<Said>) {
        match json.as_bytes().first() {
            Some(b'{') => self.object(json, path, said),
            Some(b'[') => {
                for element in json::elements(json, &[]) {
                    match json.as_bytes().get(element.start) {
                        Some(b'[') if path.levels < LEVELS => {
                            let names = path.names.clone();
                            let levels = path.levels + 1;
                            let inside = Path { names, levels, ..*path };
                            self.value(&json[element], &inside, said);
                        }
                        Some(b'[') | None => {}
                        Some(_) => self.value(&json[element], path, said),
                    }
                }
            }
            Some(b'"') => self.text(json, path, said),
            _ => {}
        }
    }

    /// Text where an object is expected: one that was written as text, or a row such as
    /// `private:true`.
    fn text(&self, json: &str, path: &Path, said: &mut Vec<Said>) {
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
        // Text in text in text is as deep as objects are.
        let level = Path { names: String::new(), is_own: true, levels: path.levels + 1 };
        walk.object(&object, &level, &mut inside);
        said.extend(inside.into_iter().map(|said| Said {
            key: format!("{}{}", path.names, said.key),
            at: at.clone(),
            ..said
        }));
    }

    /// The byte range of a part of the whole.
    fn place(&self, part: &str) -> Range<usize> {
        let start = (part.as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize);
        start..start + part.len()
    }
}

/// Rows such as `private: true`; a row that is one word is filed under it.
fn rows(text: &str) -> Map {
    let row = |line: &str| match line.split_once([':', '=', '：']) {
        Some((key, value)) => (key.to_owned(), from_text(value.trim())),
        None => ("label".to_owned(), line.into()),
    };
    text.lines().take(100).map(row).collect()
}

/// A key or a word by its letters and digits, in lower case.
fn plain(text: &str) -> String {
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric).take(QUOTED);
        return letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .take(QUOTED)
        .flat_map(char::to_lowercase)
        .collect()
}

fn unescaped(key: &str) -> String {
    let quoted = || serde_json::from_str(&format!("\"{key}\"")).ok();
    Some(key)
        .filter(|key| key.contains('\\'))
        .and_then(|_| quoted())
        .unwrap_or(key.to_owned())
}

fn quoted(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = text.replace(['`', '\n'], " ");
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// What a value says; a list says what its elements do.
fn judge(kind: Kind, value: &Value) -> Option<Verdict> {
    let Value::Array(list) = value else { return judge_one(kind, value) };
    let all: Vec<Verdict> = list.iter().filter_map(|one| judge_one(kind, one)).collect();
    let any = |verdict: Verdict| all.contains(&verdict).then_some(verdict);
    let empty = (list.is_empty()).then(|| judge_one(kind, &Value::Null)).flatten();
    let public = any(Verdict::Public).filter(|_| kind != Kind::Closed);
    let doubt = (kind == Kind::Closed).then_some(Verdict::Unknown);
    any(Verdict::HeldBack).or(any(Verdict::Unknown)).or(public).or(empty).or(doubt)
}

fn judge_one(kind: Kind, value: &Value) -> Option<Verdict> {
    let text = match value {
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => text.clone(),
        Value::Null | Value::Array(_) | Value::Object(_) => String::new(),
    };
    let word = plain(&text);
    let (yes, no) = (YES.contains(&word.as_str()), NO.contains(&word.as_str()));
    let tokens = || text.split(|c: char| !c.is_alphanumeric()).take(QUOTED);
    let closed = CLOSED_ALONE.contains(&word.as_str())
        || tokens().any(|token| CLOSED.contains(&token.to_lowercase().as_str()));
    let first = |choices: [(bool, Verdict); 2]| {
        choices.into_iter().find(|(is, _)| *is).map(|(_, verdict)| verdict)
    };
    let (held, public) = (Verdict::HeldBack, Verdict::Public);
    let open = yes || PUBLIC.contains(&word.as_str());
    match kind {
        Kind::Closed => Some(match value {
            Value::Bool(true) => held,
            Value::Bool(false) => public,
            _ => Verdict::Unknown,
        }),
        Kind::PerhapsClosed => (yes || closed || is_moment(value)).then_some(held),
        // When, or where.
        Kind::Published if is_date(&text) || text.contains("://") => None,
        Kind::Open | Kind::Published | Kind::Readers => {
            first([(no || closed, held), (open, public)]).or(Some(Verdict::Unknown))
        }
        Kind::State => closed.then_some(held),
        Kind::Removal => (!no && (!word.is_empty() || value.is_object())).then_some(held),
        Kind::Label => {
            let labels = text.split(',').map(plain);
            let closed =
                |label: String| label != "wip" && CLOSED.contains(&label.as_str());
            labels.into_iter().any(closed).then_some(held)
        }
    }
}

/// Whether a text says when, in any of the ways in which people write dates.
fn is_date(text: &str) -> bool {
    let digits =
        text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let is_month = text.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let (count, most) =
        digits.fold((0, 0), |(count, most), part| (count + 1, part.len().max(most)));
    Time::parse(text).is_ok() || most >= 4 || count >= 3 || count >= 1 && is_month
}

/// Whether a value is the time at which something was done, and neither a number of things nor a
/// word.
fn is_moment(value: &Value) -> bool {
    match value {
        Value::String(text) => Time::parse(text).is_ok(),
        Value::Number(number) => number.as_f64().is_some_and(|number| number > 1e9),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Scope, hear, holds_back, notes};

    #[track_caller]
    fn check(json: &str, scope: Scope, held: bool, codes: &[&str]) {
        let said = hear(json, scope, &["messages"]);
        assert_eq!(holds_back(&said), held, "{json}");
        let notes = notes(&said, |said| said.at.clone());
        let seen: Vec<_> = notes.iter().map(|note| note.code).collect();
        assert_eq!(seen, codes, "{json}");
    }

    #[test]
    fn what_is_plainly_public_is_public() {
        for public in [
            r#"{}"#,
            r#"{"private": false, "draft": false, "isPublic": "yes", "Visibility": "Public"}"#,
            r#"{"published": "2024-05-01", "publish_date": "March 4, 2020", "visible": 1}"#,
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
    fn what_is_unknown_holds_back_and_is_an_error() {
        for unknown in [
            r#"{"visibility": "tier 2"}"#,
            r#"{"is-public": []}"#,
            r#"{"published": "soon"}"#,
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
    fn a_contradiction_holds_back_and_is_an_error() {
        let twice = r#"{"private": true, "title": "x", "priv\u0061te": false}"#;
        check(twice, Scope::Turn, true, &["duplicate-key"]);
        check(r#"{"private": true, "isPrivate": false}"#, Scope::Turn, true, &[]);
    }

    #[test]
    fn a_reason_that_is_not_plain_is_told() {
        for told in [
            r#"{"status": "Final draft"}"#,
            r#"{"channel": {"is_private": true}, "visibility": "private"}"#,
            r#"{"metadata": "{\"unlisted\": true}"}"#,
            r#"{"front matter": "unlisted"}"#,
            r#"{"tags": ["boats", "Unlisted"]}"#,
        ] {
            let said = hear(told, Scope::Conversation, &[]);
            assert!(holds_back(&said), "{told}");
        }
        check(r#"{"status": "draft"}"#, Scope::Turn, true, &["held-back"]);
        check(r#"{"Is_Private ": true}"#, Scope::Turn, true, &[]);
    }
}
