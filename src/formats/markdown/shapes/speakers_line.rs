//! The front matter line that lists the speakers.

/// The maximum number of names that a note lists.
const MAX_NAMES: usize = 12;

/// Returns the front matter line that lists the speakers.
pub(in crate::markdown) fn speakers_line(names: &[String]) -> String {
    let plain = |name: &String| {
        let odd = name.contains([',', ':', '[', ']', '{', '}', '#', '"', '\'', '&', '*', '@']);
        if odd { convo_base::json::Value::from(name.as_str()).to_string() } else { name.clone() }
    };
    let names: Vec<String> = names.iter().take(MAX_NAMES).map(plain).collect();
    format!("speakers: [{}]", names.join(", "))
}
