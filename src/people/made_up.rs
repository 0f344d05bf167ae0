//! Made-up names: `Heron Tavemor`. They are nobody's, and read as names all the same.

use crate::hash::Hash;
use crate::text::normalized_name;

/// Birds, beasts and plants, as given names.
const GIVEN: [&str; 64] = [
    "Alder", "Aspen", "Avocet", "Badger", "Bay", "Birch", "Bittern", "Bramble", "Bunting", "Cedar",
    "Clover", "Cormorant", "Crane", "Curlew", "Cygnet", "Dipper", "Dunlin", "Egret", "Elder",
    "Elm", "Falcon", "Fennel", "Fern", "Finch", "Fulmar", "Gannet", "Godwit", "Grebe", "Hare",
    "Hawthorn", "Hazel", "Heather", "Heron", "Hornbeam", "Ibis", "Ivy", "Juniper", "Kestrel",
    "Kite", "Lapwing", "Larch", "Lark", "Linden", "Linnet", "Lynx", "Maple", "Marten", "Merlin",
    "Moss", "Oriole", "Osprey", "Otter", "Petrel", "Pipit", "Plover", "Rowan", "Sedge", "Sorrel",
    "Swift", "Tansy", "Teal", "Thistle", "Willow", "Wren",
];

/// The syllables of surnames, of which three stand in a row.
const SYLLABLES: [&str; 32] = [
    "la", "le", "li", "lo", "lu", "ma", "mi", "mo", "na", "ne", "no", "ra", "re", "ri", "ro", "ru",
    "sa", "so", "ta", "te", "to", "va", "ve", "vi", "vo", "fa", "fe", "fi", "fo", "dra", "tre",
    "du",
];

/// The ends of surnames.
const ENDS: [&str; 8] = ["l", "n", "r", "s", "nd", "rn", "th", "m"];

/// A made-up name, in the forms in which it stands for the real one.
#[derive(Clone, Debug)]
pub(super) struct MadeUp {
    /// All of it.
    pub(super) whole: String,
    /// What stands for the first of several names.
    pub(super) given: String,
    /// What stands for the others.
    pub(super) family: String,
}

impl MadeUp {
    /// Makes up the name of a person: the same one whoever else there is, and for one who has not
    /// the key a name like any other.
    pub(super) fn new(key: Hash, name: &str) -> Self {
        let digits = Hash::of(&(key, "name", normalized_name(name))).hex();
        let bits = u32::from_str_radix(digits.get(..8).unwrap_or("0"), 16).unwrap_or(0);
        let pick = |shift: u32, among: usize| (bits >> shift) as usize % among;
        let given = GIVEN[pick(0, GIVEN.len())];
        let mut family: String =
            [6, 11, 16].iter().map(|at| SYLLABLES[pick(*at, SYLLABLES.len())]).collect();
        family.push_str(ENDS[pick(21, ENDS.len())]);
        if let Some(first) = family.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        Self { whole: format!("{given} {family}"), given: given.to_owned(), family }
    }

    /// Takes the name that somebody chose.
    pub(super) fn chosen(name: &str) -> Self {
        let part = |part: Option<&str>| part.unwrap_or(name).to_owned();
        let mut words = name.split_whitespace();
        let given = part(words.next());
        let family = words.next_back().map_or_else(|| given.clone(), str::to_owned);
        Self { whole: name.to_owned(), given, family }
    }
}
