//! Emoji by short names such as `:tada:`.

/// The most common short names of emoji, without colons.
const NAMES: [(&str, &str); 74] = [
    ("+1", "👍"),
    ("thumbsup", "👍"),
    ("thumbs_up", "👍"),
    ("-1", "👎"),
    ("thumbsdown", "👎"),
    ("thumbs_down", "👎"),
    ("heart", "❤️"),
    ("heart_eyes", "😍"),
    ("blue_heart", "💙"),
    ("green_heart", "💚"),
    ("joy", "😂"),
    ("sob", "😭"),
    ("cry", "😢"),
    ("smile", "😄"),
    ("smiley", "😃"),
    ("grin", "😁"),
    ("grinning", "😀"),
    ("laughing", "😆"),
    ("slightly_smiling_face", "🙂"),
    ("simple_smile", "🙂"),
    ("blush", "😊"),
    ("wink", "😉"),
    ("sweat_smile", "😅"),
    ("upside_down_face", "🙃"),
    ("thinking_face", "🤔"),
    ("thinking", "🤔"),
    ("face_with_rolling_eyes", "🙄"),
    ("open_mouth", "😮"),
    ("scream", "😱"),
    ("tada", "🎉"),
    ("partying_face", "🥳"),
    ("eyes", "👀"),
    ("pray", "🙏"),
    ("clap", "👏"),
    ("raised_hands", "🙌"),
    ("wave", "👋"),
    ("ok_hand", "👌"),
    ("muscle", "💪"),
    ("point_up", "☝️"),
    ("point_right", "👉"),
    ("fire", "🔥"),
    ("rocket", "🚀"),
    ("100", "💯"),
    ("star", "⭐"),
    ("sparkles", "✨"),
    ("white_check_mark", "✅"),
    ("heavy_check_mark", "✔️"),
    ("ballot_box_with_check", "☑️"),
    ("check", "✅"),
    ("x", "❌"),
    ("warning", "⚠️"),
    ("question", "❓"),
    ("exclamation", "❗"),
    ("heavy_plus_sign", "➕"),
    ("bulb", "💡"),
    ("memo", "📝"),
    ("calendar", "📅"),
    ("bug", "🐛"),
    ("duck", "🦆"),
    ("fish", "🐟"),
    ("bread", "🍞"),
    ("cake", "🍰"),
    ("coffee", "☕"),
    ("tea", "🍵"),
    ("beer", "🍺"),
    ("ocean", "🌊"),
    ("sunny", "☀️"),
    ("moon", "🌔"),
    ("rainbow", "🌈"),
    ("bell", "🔔"),
    ("lock", "🔒"),
    ("key", "🔑"),
    ("clock", "🕛"),
    ("snail", "🐌"),
];

/// The prefix of skin tone names; a number from 2 to 6 follows.
const TONE: &str = "skin-tone-";

/// Returns the emoji for a short name, which may have colons around it and a skin tone after it;
/// unknown names are returned between colons.
pub(crate) fn emoji(name: &str) -> String {
    let name = name.trim_matches(':');
    let (name, tone) = name.split_once("::").unwrap_or((name, ""));
    let shown = named(name).map(|emoji| toned(emoji, tone_of(tone)));
    shown.unwrap_or_else(|| format!(":{name}:"))
}

/// Returns the skin tone modifier for a name.
fn tone_of(name: &str) -> Option<char> {
    let number: u32 = name.strip_prefix(TONE)?.parse().ok()?;
    (2..=6).contains(&number).then(|| char::from_u32(0x1f3f9 + number))?
}

/// Returns an emoji with a skin tone, which replaces a variation selector.
fn toned(emoji: &str, tone: Option<char>) -> String {
    match tone {
        Some(tone) => format!("{}{tone}", emoji.trim_end_matches('\u{fe0f}')),
        None => emoji.to_owned(),
    }
}

fn named(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, emoji)| *emoji)
}

/// Returns the emoji for the short name at the beginning of a text, with its skin tone, and its
/// length in bytes; `None` for an unknown name.
pub(crate) fn emoji_at(text: &str) -> Option<(usize, String)> {
    let (name, behind) = name_at(text)?;
    let emoji = named(name)?;
    let tone = name_at(behind).and_then(|(name, _)| Some((name.len() + 2, tone_of(name)?)));
    let (count, tone) = tone.unzip();
    Some((name.len() + 2 + count.unwrap_or_default(), toned(emoji, tone)))
}

/// Returns the short name at the beginning of a text, and the text after it.
fn name_at(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix(':')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_+-".contains(c);
    let end = inside.find(|c| !is_part(c))?;
    Some((&inside[..end], inside[end..].strip_prefix(':')?))
}

/// Returns a text with short names replaced by emoji.
pub(crate) fn with_emoji(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        out.push_str(&rest[..at]);
        let (count, shown) = emoji_at(&rest[at..]).unwrap_or_else(|| (1, ":".to_owned()));
        out.push_str(&shown);
        rest = &rest[at + count..];
    }
    out.push_str(rest);
    out
}

/// Returns the emoji for code points: `1f468-200d-1f4bb`.
pub(crate) fn emoji_of_code(code: &str) -> Option<String> {
    let chars = code.split('-').map(|hex| {
        let code = u32::from_str_radix(hex, 16).ok();
        code.and_then(char::from_u32).filter(|c| !c.is_control())
    });
    chars.collect::<Option<String>>().filter(|emoji| !emoji.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{emoji, with_emoji};

    #[test]
    fn names_become_emoji() {
        assert_eq!(emoji("+1"), "👍");
        assert_eq!(emoji(":wave::skin-tone-3:"), "👋🏼");
        assert_eq!(emoji("point_up::skin-tone-6"), "☝🏿");
        assert_eq!(emoji("+1::skin-tone-9"), "👍");
        assert_eq!(emoji("old_mill"), ":old_mill:");
        assert_eq!(with_emoji("10:02: so :tada::mill: a::b"), "10:02: so 🎉:mill: a::b");
        assert_eq!(with_emoji("so :+1::skin-tone-2:!"), "so 👍🏻!");
        assert_eq!(with_emoji(":wave::skin-tone-x::wave:"), "👋:skin-tone-x:👋");
    }
}
