//! Pseudonyms such as `Heron Tavemor`: they belong to nobody, but look like names.

use crate::config::Person;
use crate::hash::Hash;
use crate::text::normalized_name;

/// Birds, other animals and plants, used as given names.
const GIVEN: [&str; 64] = [
    "Alder", "Aspen", "Avocet", "Badger", "Bay", "Birch", "Bittern", "Bramble", "Bunting", "Cedar",
    "Clover", "Cormorant", "Crane", "Curlew", "Cygnet", "Dipper", "Dunlin", "Egret", "Elder",
    "Elm", "Falcon", "Fennel", "Fern", "Finch", "Fulmar", "Gannet", "Godwit", "Grebe", "Hare",
    "Hawthorn", "Hazel", "Heather", "Heron", "Hornbeam", "Ibis", "Ivy", "Juniper", "Kestrel",
    "Kite", "Lapwing", "Larch", "Lark", "Linden", "Linnet", "Lynx", "Maple", "Marten", "Merlin",
    "Moss", "Oriole", "Osprey", "Otter", "Petrel", "Pipit", "Plover", "Rowan", "Sedge", "Sorrel",
    "Swift", "Tansy", "Teal", "Thistle", "Willow", "Wren",
];

/// Syllables of surnames. Each surname has three.
const SYLLABLES: [&str; 32] = [
    "la", "le", "li", "lo", "lu", "ma", "mi", "mo", "na", "ne", "no", "ra", "re", "ri", "ro", "ru",
    "sa", "so", "ta", "te", "to", "va", "ve", "vi", "vo", "fa", "fe", "fi", "fo", "dra", "tre",
    "du",
];

/// Endings of surnames.
const ENDS: [&str; 8] = ["l", "n", "r", "s", "nd", "rn", "th", "m"];

/// A pseudonym, in the forms that replace the forms of a real name.
#[derive(Clone, Debug)]
pub(super) struct Pseudonym {
    /// The whole pseudonym.
    pub(super) whole: String,
    /// The replacement for the first part of a name.
    pub(super) given: String,
    /// The replacement for the other parts.
    pub(super) family: String,
}

impl Pseudonym {
    /// Creates the pseudonym of a listed person.
    pub(super) fn of(key: Hash, person: &Person) -> Self {
        let aliases = person.aliases.iter().map(|alias| alias.name.text.as_str());
        Self::new(key, &person.name.text, aliases)
    }

    /// Creates the pseudonym of a person. It does not depend on other people, and contains no word of the
    /// name and the aliases. Without the key it cannot be linked to the name.
    pub(super) fn new<'a>(
        key: Hash,
        name: &str,
        aliases: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let aliases: Vec<String> = aliases.into_iter().map(normalized_name).collect();
        let name = normalized_name(name);
        let digits = Hash::of(&(key, "name", &name)).hex();
        let bits = u32::from_str_radix(digits.get(..8).unwrap_or("0"), 16).unwrap_or(0);
        let pick = |shift: u32, among: usize| (bits >> shift) as usize % among;
        let is_own = |given: &str| {
            let names = aliases.iter().chain([&name]);
            let mut words = names.flat_map(|name| name.split(|c: char| !c.is_alphanumeric()));
            words.any(|word| word.eq_ignore_ascii_case(given))
        };
        let (before, from) = GIVEN.split_at(pick(0, GIVEN.len()));
        let given = from.iter().chain(before).find(|given| !is_own(given)).unwrap_or(&GIVEN[0]);
        let mut family: String =
            [6, 11, 16].iter().map(|at| SYLLABLES[pick(*at, SYLLABLES.len())]).collect();
        family.push_str(ENDS[pick(21, ENDS.len())]);
        if let Some(first) = family.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        Self { whole: format!("{given} {family}"), given: (*given).to_owned(), family }
    }

    /// Uses a pseudonym that the author chose.
    pub(super) fn chosen(name: &str) -> Self {
        let part = |part: Option<&str>| part.unwrap_or(name).to_owned();
        let mut words = name.split_whitespace();
        let given = part(words.next());
        let family = words.next_back().map_or_else(|| given.clone(), str::to_owned);
        Self { whole: name.to_owned(), given, family }
    }
}

#[cfg(test)]
mod tests {
    use super::Pseudonym;
    use crate::hash::Hash;

    #[test]
    fn no_pseudonym_contains_a_word_of_the_name() {
        for (name, aliases) in
            [("Bea Birch", ""), ("wren", ""), ("Bay-Birch Alder", ""), ("Bea", "Finch, Wren")]
        {
            for number in 0..2000_u32 {
                let whole = Pseudonym::new(Hash::of(&number), name, aliases.split(", ")).whole;
                let whole = whole.to_lowercase();
                let given = whole.split(' ').next().unwrap_or_default();
                let lower = format!("{name} {aliases}").to_lowercase();
                let mut words = lower.split(|c: char| !c.is_alphanumeric());
                assert!(words.all(|word| word != given), "{name}: {whole}");
            }
        }
    }
}
