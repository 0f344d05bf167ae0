//! Conversations that say the same in different languages, as they declare it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::diag::{Diagnostic, Noted, Severity};
use crate::locale::languages;
use crate::sources::Entry;

/// For each conversation that stands in several languages, the places of all of them: the
/// original first, the others by their languages.
pub(super) fn find(entries: &[Arc<Entry>]) -> Noted<HashMap<usize, Arc<[usize]>>> {
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
        let mut languages: Vec<&str> = Vec::new();
        group.retain(|place| {
            let entry = &entries[*place];
            let problem = match entry.languages.first() {
                Some(tag) if languages::valid(Some(tag)).is_none() => {
                    format!("`{tag}` is no language tag")
                }
                Some(tag) if languages.contains(&tag.as_str()) => {
                    format!("there is another translation into `{tag}`")
                }
                Some(tag) => {
                    languages.push(tag);
                    return true;
                }
                None => "its language is not declared".to_owned(),
            };
            let note = Diagnostic::new(Severity::Warning, "bad-translation", problem);
            let hint = "it is shown without links to its translations";
            notes.push(note.in_file(entry.label()).hint(hint));
            false
        });
        let group: Arc<[usize]> = group.into();
        if group.len() > 1 {
            found.extend(group.iter().map(|place| (*place, group.clone())));
        }
    }
    Noted { value: found, notes }
}

/// The place of the conversation that each is a translation of, if of any; what others are
/// translations of is a translation of nothing.
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
            let hint = "`translation_of` is the id of a conversation or the path of its \
                        file, from this one's folder";
            notes.push(note.in_file(entry.label()).hint(hint));
        }
    }
    // A translation of a translation is one of the original; of a circle the first is that.
    let direct = originals.clone();
    for (place, original) in originals.iter_mut().enumerate() {
        let mut passed = vec![place];
        while let Some(next) = direct[passed[passed.len() - 1]] {
            if let Some(at) = passed.iter().position(|known| *known == next) {
                let first = passed[at..].iter().min().copied();
                *original = first.filter(|first| *first != place);
                break;
            }
            *original = Some(next);
            passed.push(next);
        }
    }
    originals
}
