//! Conversations that declare each other as translations.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::locale::languages;
use crate::sources::Entry;

/// The maximum number of languages of a conversation, because each page links to all of them.
const MAX_LANGUAGES: usize = 200;

/// Returns, for each conversation with translations, the indices of all versions: the original first, then
/// the others by language.
pub(super) fn find(entries: &[Arc<Entry>]) -> WithNotes<HashMap<usize, Arc<[usize]>>> {
    let mut notes = Vec::new();
    let mut groups: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, original) in originals(entries, &mut notes).into_iter().enumerate() {
        if let Some(original) = original {
            groups.entry(original).or_insert_with(|| vec![original]).push(place);
        }
    }
    let mut groups: Vec<Vec<usize>> = groups.into_values().collect();
    groups.sort();
    let mut found = HashMap::new();
    for mut group in groups {
        group[1..].sort_by_key(|place| (&entries[*place].languages, *place));
        let mut languages = BTreeSet::new();
        group.retain(|place| {
            let entry = &entries[*place];
            let problem = match entry.languages.first() {
                Some(tag) if !languages::is_known(tag) => {
                    format!("search engines do not know the language `{tag}`")
                }
                Some(tag) if !languages.insert(tag.to_ascii_lowercase()) => {
                    format!("there is another translation into `{tag}`")
                }
                Some(_) if languages.len() > MAX_LANGUAGES => {
                    format!("it already has {MAX_LANGUAGES} translations")
                }
                Some(_) => return true,
                None => "its language is not set".to_owned(),
            };
            let note = Diagnostic::new(Severity::Warning, "bad-translation", problem);
            let hint = "it is published without links to its translations";
            notes.push(note.in_file(entry.label()).hint(hint));
            false
        });
        let group: Arc<[usize]> = group.into();
        if group.len() > 1 {
            found.extend(group.iter().map(|place| (*place, group.clone())));
        }
    }
    WithNotes { value: found, notes }
}

/// Returns, for each conversation, the index of the one that it translates, if any. A conversation that
/// others translate is never a translation itself.
fn originals(entries: &[Arc<Entry>], notes: &mut Vec<Diagnostic>) -> Vec<Option<usize>> {
    let mut originals = vec![None; entries.len()];
    if entries.iter().all(|entry| entry.translation_of.is_none()) {
        return originals;
    }
    let mut known: HashMap<&str, usize> = HashMap::new();
    for (place, entry) in entries.iter().enumerate() {
        known.entry(entry.file().as_str()).or_insert(place);
    }
    for (place, entry) in entries.iter().enumerate() {
        let id = entry.own_id.as_deref();
        id.into_iter().for_each(|id| _ = known.entry(id).or_insert(place));
    }
    for (place, entry) in entries.iter().enumerate() {
        let Some(name) = &entry.translation_of else { continue };
        let beside = entry.file().join(name);
        let beside = beside.as_ref().and_then(|file| known.get(file.as_str()));
        originals[place] = beside.or_else(|| known.get(name.as_str())).copied();
        if originals[place].is_none_or(|original| original == place) {
            originals[place] = None;
            let message = format!("there is no other conversation `{name}`");
            let note = Diagnostic::new(Severity::Warning, "bad-translation", message);
            let hint = "set `translation_of` to the id of a conversation, or to the path of its \
                        file, relative to the folder of this one";
            notes.push(note.in_file(entry.label()).hint(hint));
        }
    }
    roots(&originals)
}

/// Follows each link to its end: a translation of a translation belongs to the original. In a cycle, the
/// first is the original.
fn roots(direct: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut roots: Vec<Option<usize>> = vec![None; direct.len()];
    let mut passed_by: Vec<Option<usize>> = vec![None; direct.len()];
    for place in 0..direct.len() {
        let mut path = Vec::new();
        let mut at = place;
        let root = loop {
            if let Some(root) = roots[at] {
                break root;
            }
            if passed_by[at] == Some(place) {
                let circle = path.iter().skip_while(|passed| **passed != at);
                break circle.min().copied().unwrap_or(at);
            }
            passed_by[at] = Some(place);
            path.push(at);
            match direct[at] {
                Some(next) => at = next,
                None => break at,
            }
        };
        path.into_iter().for_each(|passed| roots[passed] = Some(root));
    }
    let is_other = |(place, root): (usize, Option<usize>)| root.filter(|root| *root != place);
    roots.into_iter().enumerate().map(is_other).collect()
}
