//! Interned strings: those of the program, in what is read back from a cache.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer};

/// An interned string of the program: a code, the name of a format. serde takes a type that is
/// spelled `&'static str` for a part of its input, so fields that are deserialized have this type.
pub type InternedStr = &'static str;

/// The strings that were interned.
static INTERNED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Deserializes an interned string. There are a few hundred, so that each is kept for ever.
pub fn interned<'de, D: Deserializer<'de>>(from: D) -> Result<InternedStr, D::Error> {
    let word = String::deserialize(from)?;
    let mut words = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(word.as_str()) {
        return Ok(known);
    }
    let kept: InternedStr = word.leak();
    words.insert(kept);
    Ok(kept)
}

/// Deserializes an interned string that may be absent.
pub fn interned_option<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<InternedStr>, D::Error> {
    #[derive(Deserialize)]
    struct Wrapped(#[serde(deserialize_with = "interned")] InternedStr);
    Ok(Option::<Wrapped>::deserialize(from)?.map(|word| word.0))
}
