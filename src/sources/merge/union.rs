//! The union of two versions of one conversation.

use std::collections::{HashMap, HashSet};

use crate::model::{Branch, Conversation, Turn};

/// Adds the turns of an older version that the conversation lacks, each after the turn that it
/// followed there.
///
/// If the conversation is a log that continues the older one, the older log comes first.
pub(crate) fn add(whole: &mut Conversation, older: Conversation) {
    whole.private |= older.private;
    whole.schedule.add(&older.schedule);
    whole.excluded_from_search |= older.excluded_from_search;
    whole.withheld_ids.extend(older.withheld_ids.iter().cloned());
    let withheld: HashSet<String> = whole.withheld_ids.iter().cloned().collect();
    if !withheld.is_empty() {
        for turn in whole.all_turns_mut().filter(|turn| withheld.contains(&turn.id)) {
            turn.withheld = true;
        }
        whole.drop_withheld();
    }
    if is_other_log(whole, &older) {
        return put_before(whole, older);
    }
    let known: HashSet<String> = whole.all_turns().map(|turn| turn.id.clone()).collect();
    let mut found = Vec::new();
    let main = Branch { turns: older.turns, ..Branch::default() };
    for mut branch in [main].into_iter().chain(older.branches) {
        branch.turns.retain(|turn| !withheld.contains(&turn.id));
        unknown_runs(branch, &known, &mut found);
    }
    for mut branch in found {
        for turn in &mut branch.turns {
            // Its place is in a different file than those of all other turns.
            turn.place = Default::default();
            let who = older.participants.named(&turn.speaker);
            if let Some(who) = who.filter(|who| whole.participant(&who.name).is_none()) {
                whole.participants.push(who.clone());
            }
        }
        let last = whole.turns.last().map(|turn| &turn.id);
        let continues = branch.started_by.is_none() && branch.after.as_ref() == last;
        match continues && known.contains(last.map_or("", |id| id)) {
            true => whole.turns.append(&mut branch.turns),
            false => whole.branches.push(branch),
        }
    }
}

/// Returns whether two versions are different logs, the newer of which continues another log.
fn is_other_log(newer: &Conversation, older: &Conversation) -> bool {
    let (Some(newer), Some(older)) = (&newer.segment, &older.segment) else {
        return false;
    };
    newer.base.is_some() && newer.id != older.id
}

/// Puts the turns of an older log before those of the newer log.
fn put_before(whole: &mut Conversation, older: Conversation) {
    let Conversation { title, time, participants, mut turns, mut branches, .. } = older;
    let mut names = TurnIds::default();
    for turn in turns.iter_mut().chain(branches.iter_mut().flat_map(|way| &mut way.turns)) {
        names.take(&turn.id);
        // Its place is in a different file than those of all other turns.
        turn.place = Default::default();
    }
    // Both logs may contain the same texts, and so the same ids.
    for turn in whole.turns.iter_mut() {
        names.rename(&mut turn.id);
    }
    turns.append(&mut whole.turns);
    branches.append(&mut whole.branches);
    (whole.turns, whole.branches) = (turns, branches);
    whole.title = whole.title.take().or(title);
    whole.time = time.or(whole.time.take());
    let later = std::mem::replace(&mut whole.participants, participants);
    for who in &later {
        if whole.participant(&who.name).is_none() {
            whole.participants.push(who.clone());
        }
    }
}

/// Keeps the ids of turns unique.
#[derive(Default)]
struct TurnIds {
    taken: HashSet<String>,
    /// The last number that was appended to an id.
    numbers: HashMap<String, u32>,
}

impl TurnIds {
    fn take(&mut self, id: &str) -> bool {
        self.taken.insert(id.to_owned())
    }

    fn rename(&mut self, id: &mut String) {
        if self.take(id) {
            return;
        }
        let number = self.numbers.entry(id.clone()).or_insert(1);
        loop {
            *number += 1;
            let other = format!("{id}-{number}");
            if self.taken.insert(other.clone()) {
                *id = other;
                return;
            }
        }
    }
}

/// Adds the unknown turns of a path as branches.
fn unknown_runs(path: Branch, known: &HashSet<String>, found: &mut Vec<Branch>) {
    let Branch { name, mut after, rejoins, started_by, turns } = path;
    // Turns after a known one belong to the path that now contains the known one.
    let mut is_first = true;
    let mut run: Vec<Turn> = Vec::new();
    let mut close = |run: &mut Vec<Turn>, after: &Option<String>, is_first: bool| {
        if !run.is_empty() {
            found.push(Branch {
                name: name.clone().filter(|_| is_first),
                after: after.clone(),
                rejoins,
                started_by: started_by.clone().filter(|_| is_first),
                turns: std::mem::take(run),
            });
        }
    };
    for turn in turns {
        if known.contains(&turn.id) {
            close(&mut run, &after, is_first);
            is_first = false;
            after = Some(turn.id);
        } else {
            run.push(turn);
        }
    }
    close(&mut run, &after, is_first);
}

#[cfg(test)]
mod tests {
    use super::add;
    use crate::model::{Branch, Conversation, Turn};

    fn of(ids: &[&str]) -> Conversation {
        let turn = |id: &&str| Turn { id: (*id).to_owned(), ..Turn::from_text("Ada", *id) };
        Conversation { turns: ids.iter().map(turn).collect(), ..Default::default() }
    }

    fn ids(turns: &[Turn]) -> String {
        turns.iter().map(|turn| turn.id.as_str()).collect()
    }

    fn shape(read: &Conversation) -> (String, Vec<(String, String)>) {
        let branch =
            |branch: &Branch| (branch.after.clone().unwrap_or_default(), ids(&branch.turns));
        (ids(&read.turns), read.branches.iter().map(branch).collect())
    }

    #[test]
    fn turns_that_the_newest_version_lacks_are_added() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        for (newest, older, main, branches) in [
            (&["a", "b", "c"][..], &["a", "b"][..], "abc", vec![]),
            (&["a", "b"], &["a", "b", "c"], "abc", vec![]),
            (&["a", "x", "d"], &["a", "b", "c", "d"], "axd", vec![pair("a", "bc")]),
            (&["a", "x"], &["a", "b", "c"], "ax", vec![pair("a", "bc")]),
            (&["b"], &["a", "b"], "b", vec![pair("", "a")]),
        ] {
            let mut whole = of(newest);
            add(&mut whole, of(older));
            assert_eq!(shape(&whole), (main.to_owned(), branches), "{newest:?} {older:?}");
        }
    }
}
