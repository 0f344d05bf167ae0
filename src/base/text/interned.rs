//! Interned strings, for `&'static str` fields that are deserialized from a cache.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer};

/// An interned string, such as a code or the name of a format. serde would borrow a type spelled
/// `&'static str` from its input, so deserialized fields use this alias.
pub type InternedStr = &'static str;

/// The strings interned so far.
static INTERNED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Deserializes an interned string. There are only a few hundred, so each is leaked.
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
