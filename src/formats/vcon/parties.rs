//! Speakers, named by their roles or by numbers.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::shared::agents::thread::{first, text};
use crate::shared::tally::Tally;
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Kind};

/// Words that are roles rather than names.
const ROLES: [&str; 22] = [
    "agent", "customer", "caller", "callee", "operator", "supervisor", "contact", "client", "user",
    "assistant", "bot", "chatbot", "system", "host", "guest", "expert", "thirdparty",
    "third party", "interviewer", "patient", "doctor", "representative",
];

/// The speakers, under the names that are shown.
pub(super) struct Parties {
    list: Vec<(String, Kind)>,
    /// Their indices, by the names that transcripts may use.
    by_name: HashMap<String, usize>,
    /// The names that texts may use, by the names that are shown.
    names: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Parties {
    pub(super) fn new(list: &[Value], tally: &mut Tally) -> Self {
        let mut parties =
            Self { list: Vec::new(), by_name: HashMap::new(), names: RefCell::default() };
        let mut seen: HashMap<String, u32> = HashMap::new();
        for (at, party) in list.iter().enumerate() {
            let none = Map::new();
            let party = party.as_object().unwrap_or(&none);
            let meta = party.get("meta").and_then(Value::as_object);
            let role = text(party, "role").or_else(|| text(meta?, "role"));
            let role = role.map(str::trim).filter(|role| is_role(role));
            let shown = match role {
                Some(role) => {
                    let shown = capitalized(role);
                    let count = seen.entry(shown.clone()).or_default();
                    *count += 1;
                    if *count == 1 { shown } else { format!("{shown} {count}") }
                }
                None => numbered(at),
            };
            let kind = kind_of(role.unwrap_or_default());
            let names = ["name", "tel", "mailto", "email", "sip"];
            let mut known: BTreeSet<String> =
                names.iter().filter_map(|key| Some(text(party, key)?.to_lowercase())).collect();
            if kind == Kind::Person {
                let called = names.iter().filter_map(|key| text(party, key));
                let called = called
                    .map(|name| name.trim_start_matches("tel:"))
                    .map(|name| name.trim_start_matches("mailto:").trim().to_owned());
                let called: Vec<String> = called.filter(|name| !name.is_empty()).collect();
                if !called.is_empty() {
                    parties.names.get_mut().insert(shown.clone(), called);
                }
            }
            known.extend(role.map(str::to_lowercase));
            if first(party, &["name"]).is_some() {
                tally.not_shown("speaker name", "speaker names");
            }
            for name in known {
                parties.by_name.entry(name).or_insert(at);
            }
            parties.list.push((shown, kind));
        }
        parties
    }

    /// Returns the party at an index.
    pub(super) fn at(&self, place: usize) -> (String, Kind) {
        self.list.get(place).cloned().unwrap_or_else(|| (numbered(place), Kind::Person))
    }

    /// Returns the party that a transcript names. A name that belongs to no party may still be a
    /// person's, so it is shown as a number, which is assigned in `unknown`.
    pub(super) fn named(&self, name: &str, unknown: &mut HashMap<String, usize>) -> (String, Kind) {
        let name = name.trim();
        if let Some(place) = self.by_name.get(&name.to_lowercase()) {
            return self.at(*place);
        }
        if is_role(name) {
            return (capitalized(name), kind_of(name));
        }
        let next = unknown.len();
        let place = *unknown.entry(name.to_owned()).or_insert(next);
        let shown = numbered(self.list.len() + place);
        let mut names = self.names.borrow_mut();
        let called = names.entry(shown.clone()).or_default();
        if !called.iter().any(|known| known == name) {
            called.push(name.to_owned());
        }
        (shown, Kind::Person)
    }

    /// Adds the names that texts may use to a conversation, so that pseudonyms replace them too.
    pub(super) fn introduce(&self, read: &mut Conversation) {
        for (shown, names) in &*self.names.borrow() {
            names.iter().for_each(|name| read.also_called(shown, name));
        }
    }
}

/// Returns the kind of a speaker. Agents of call centres are people.
fn kind_of(role: &str) -> Kind {
    match role.to_lowercase().as_str() {
        "bot" | "chatbot" | "assistant" | "system" => Kind::Assistant,
        _ => Kind::Person,
    }
}

fn is_role(word: &str) -> bool {
    let lower = word.to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || " _-#".contains(c));
    ROLES.contains(&bare) || bare == "speaker"
}

fn numbered(place: usize) -> String {
    format!("Speaker {}", place.saturating_add(1))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let start = letters.next().into_iter().flat_map(char::to_uppercase);
    start.chain(letters).collect()
}
