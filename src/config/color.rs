//! CSS colours.

use crate::text::closest;

/// The functions that return colours, and `var`, whose value is not known here.
const FUNCTIONS: [&str; 13] = [
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix",
    "light-dark", "var",
];

/// Returns an error unless a CSS value is a colour.
pub(super) fn check(value: &str) -> Result<(), String> {
    let lower = value.trim().to_ascii_lowercase();
    let is_hex = lower.strip_prefix('#').is_some_and(|digits| {
        matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|b| b.is_ascii_hexdigit())
    });
    if is_hex || NAMES.contains(&lower.as_str()) || is_call(&lower) {
        return Ok(());
    }
    let is_word = !lower.is_empty() && lower.bytes().all(|b| b.is_ascii_lowercase());
    Err(match closest(&lower, NAMES).filter(|_| is_word) {
        Some(near) => format!("unknown colour `{lower}`; did you mean `{near}`?"),
        None => "expected a colour such as `#1c5d74`, `teal` or `rgb(28 93 116)`".to_owned(),
    })
}

/// Returns whether a text is one call of a function that returns a colour.
fn is_call(text: &str) -> bool {
    let Some((name, inside)) = text.split_once('(') else { return false };
    let Some(inside) = inside.strip_suffix(')') else { return false };
    let mut depth = 1_usize;
    let is_balanced = inside.chars().all(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth > 0
    });
    FUNCTIONS.contains(&name) && is_balanced && depth == 1 && !inside.trim().is_empty()
}

/// The named colours of CSS Color 4, and two keywords.
const NAMES: [&str; 150] = [
    "aliceblue", "antiquewhite", "aqua", "aquamarine", "azure", "beige", "bisque", "black",
    "blanchedalmond", "blue", "blueviolet", "brown", "burlywood", "cadetblue", "chartreuse",
    "chocolate", "coral", "cornflowerblue", "cornsilk", "crimson", "currentcolor", "cyan",
    "darkblue", "darkcyan", "darkgoldenrod", "darkgray", "darkgreen", "darkgrey", "darkkhaki",
    "darkmagenta", "darkolivegreen", "darkorange", "darkorchid", "darkred", "darksalmon",
    "darkseagreen", "darkslateblue", "darkslategray", "darkslategrey", "darkturquoise",
    "darkviolet", "deeppink", "deepskyblue", "dimgray", "dimgrey", "dodgerblue", "firebrick",
    "floralwhite", "forestgreen", "fuchsia", "gainsboro", "ghostwhite", "gold", "goldenrod",
    "gray", "green", "greenyellow", "grey", "honeydew", "hotpink", "indianred", "indigo", "ivory",
    "khaki", "lavender", "lavenderblush", "lawngreen", "lemonchiffon", "lightblue", "lightcoral",
    "lightcyan", "lightgoldenrodyellow", "lightgray", "lightgreen", "lightgrey", "lightpink",
    "lightsalmon", "lightseagreen", "lightskyblue", "lightslategray", "lightslategrey",
    "lightsteelblue", "lightyellow", "lime", "limegreen", "linen", "magenta", "maroon",
    "mediumaquamarine", "mediumblue", "mediumorchid", "mediumpurple", "mediumseagreen",
    "mediumslateblue", "mediumspringgreen", "mediumturquoise", "mediumvioletred", "midnightblue",
    "mintcream", "mistyrose", "moccasin", "navajowhite", "navy", "oldlace", "olive", "olivedrab",
    "orange", "orangered", "orchid", "palegoldenrod", "palegreen", "paleturquoise",
    "palevioletred", "papayawhip", "peachpuff", "peru", "pink", "plum", "powderblue", "purple",
    "rebeccapurple", "red", "rosybrown", "royalblue", "saddlebrown", "salmon", "sandybrown",
    "seagreen", "seashell", "sienna", "silver", "skyblue", "slateblue", "slategray", "slategrey",
    "snow", "springgreen", "steelblue", "tan", "teal", "thistle", "tomato", "transparent",
    "turquoise", "violet", "wheat", "white", "whitesmoke", "yellow", "yellowgreen",
];
