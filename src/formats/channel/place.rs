//! Addresses that say where somebody is.

const MAPS: [&str; 4] = [
    "https://maps.google.com/?q=",
    "https://www.google.com/maps/search/",
    "https://maps.apple.com/?",
    VENUE,
];
/// One before which the app says what the place is called.
const VENUE: &str = "https://foursquare.com/v/";

/// Returns whether a text tells where somebody is, as apps do that share a place.
pub(crate) fn is_place(text: &str) -> bool {
    MAPS.iter().any(|map| text.contains(map))
}

/// Returns a text with `place` for each address that says where somebody is, if there are any: empty
/// where there is no more than what an app puts before it, such as `Location:`.
pub(crate) fn without_places(text: &str, place: &str) -> Option<String> {
    if !MAPS.iter().any(|map| text.contains(map)) {
        return None;
    }
    let is_place = |word: &str| MAPS.iter().any(|map| word.contains(map));
    let others = || text.split_whitespace().filter(|word| !is_place(word));
    let most = if text.contains(VENUE) { 3 } else { 1 };
    let is_label = others().count() == 0
        || others().count() <= most && others().next_back().is_some_and(|last| last.ends_with(':'));
    if is_label {
        return Some(String::new());
    }
    let words = text.split_inclusive(char::is_whitespace).map(|word| {
        let end = word.trim_end().len();
        let start = MAPS.iter().filter_map(|map| word.find(map)).min();
        match start {
            Some(start) => format!("{}{place}{}", &word[..start], &word[end..]),
            None => word.to_owned(),
        }
    });
    Some(words.collect())
}
