//! Finds similar words, such as a name and its misspelling.

/// Returns the edit distance of two words (Damerau-Levenshtein: swapped neighbours are one edit).
pub fn edit_distance(a: &str, b: &str) -> usize {
    strsim::osa_distance(a, b)
}

/// The maximum length of a name that is compared, in bytes.
const MAX_NAME_BYTES: usize = 100;
/// The maximum number of candidates that are compared.
const MAX_CANDIDATES: usize = 500;

/// Returns the candidate that is most similar to `name`, if one is similar enough.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    let folded = name.to_lowercase();
    candidates
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter(|candidate| candidate.len() <= MAX_NAME_BYTES)
        .map(|candidate| {
            (strsim::damerau_levenshtein(&folded, &candidate.to_lowercase()), candidate)
        })
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(2) / 2)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(closest("tilte", ["title", "theme"]), Some("title"));
        assert_eq!(closest("zzz", ["title", "theme"]), None);
    }
}
