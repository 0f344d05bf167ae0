//! Nick changes: all nicks of a person belong together.

use std::collections::BTreeMap;

/// The maximum number of nicks of a person. More usually means that people swapped nicks.
const MAX_NICKS: usize = 16;

/// The nicks of people who had more than one.
#[derive(Default)]
pub(super) struct Renames {
    /// The person that has each nick, by index.
    people: BTreeMap<String, usize>,
    /// The nicks of each person, in the order in which they were used.
    names: Vec<Vec<String>>,
}

impl Renames {
    /// Records a nick change.
    pub(super) fn add(&mut self, from: &str, to: &str) {
        if from == to || is_generic_nick(from) || is_generic_nick(to) {
            return;
        }
        let (one, other) = (self.person(from), self.person(to));
        let count = |at: usize| self.names.get(at).map_or(0, Vec::len);
        if one == other || count(one) + count(other) > MAX_NICKS {
            return;
        }
        // The shorter list is merged into the longer one, so that nicks are rarely moved.
        let (kept, gone) = if count(one) < count(other) { (other, one) } else { (one, other) };
        let moved = self.names.get_mut(gone).map(std::mem::take).unwrap_or_default();
        for name in &moved {
            self.people.insert(name.clone(), kept);
        }
        if let Some(names) = self.names.get_mut(kept) {
            names.extend(moved);
        }
    }

    /// Returns each nick of each person, paired with every other one.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names
            .iter()
            .flat_map(|names| {
                let with_all = |name| names.iter().map(move |other: &String| (name, other));
                let pairs = names.iter().flat_map(with_all);
                pairs.filter(|(name, other)| name != other)
            })
            .map(|(name, other): (&String, &String)| (name.as_str(), other.as_str()))
    }

    fn person(&mut self, name: &str) -> usize {
        if let Some(known) = self.people.get(name) {
            return *known;
        }
        self.people.insert(name.to_owned(), self.names.len());
        self.names.push(vec![name.to_owned()]);
        self.names.len() - 1
    }
}

/// Returns whether a nick is one that networks assign automatically, such as `Guest123`.
fn is_generic_nick(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
    bare.is_empty() || ["guest", "unknown"].contains(&bare.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::Renames;

    #[test]
    fn names_of_one_person_are_joined() {
        let mut renames = Renames::default();
        for (from, to) in
            [("ada", "ada_"), ("bo", "bo_"), ("ada_", "adah"), ("bo", "Guest1"), ("adah", "Guest1")]
        {
            renames.add(from, to);
        }
        let pairs: Vec<_> = renames.pairs().filter(|(one, other)| one < other).collect();
        assert_eq!(pairs, [("ada", "ada_"), ("ada", "adah"), ("ada_", "adah"), ("bo", "bo_")]);
    }
}
