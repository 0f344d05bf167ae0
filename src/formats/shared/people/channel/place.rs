//! URLs that reveal a location.

const MAPS: [&str; 4] = [
    "https://maps.google.com/?q=",
    "https://www.google.com/maps/search/",
    "https://maps.apple.com/?",
    VENUE,
];
/// The app writes the name of the place in front of this one.
const VENUE: &str = "https://foursquare.com/v/";

/// Returns whether a text contains a location that an app shared.
pub(crate) fn is_place(text: &str) -> bool {
    MAPS.iter().any(|map| text.contains(map))
}

/// Returns a text with each location URL replaced by `place`, if there are any. The result is empty
/// if nothing else remains but a label of the app such as `Location:`.
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
