//! Texts that repeat a small piece, which make careless parsers slow.

/// Pieces to repeat.
const PIECES: &[&str] = &[
    "@", "a@b.", "*a ", "_", "~", "`", "|", ":", "#", "&#x", "<a><b>", "[a](", "> > >", "((((",
    "{{{{", "\"", "'", "\u{201c}", "\\", "7", "2024-01-02 ", "[01.02.24, 10:11:12] ",
    "https://a.example/b", "https://a.b ", "\n", "\r\n", "\u{200b}", "\u{2060}a", "\u{301}",
    "\u{1f469}\u{200d}", "a.", "-", "- ", "1. ", "=", "%41", "$a", "!", " ", "\t", "a ", "A b ",
    "<!--", "www.", "Ada: ", "x\n\n", "+49 ", "a=b&", "key: ", "\u{6f22}", "eyJ", "===\n", "```\n",
    "</", "[[", "]", "^", "a/", "*", "\u{ff03}", "/home/", "C:\\Users\\", "](sandbox:",
    "[citation:", "<details type=\"reasoning\"", "+1 ", "<a@b> ",
];

/// Opening and closing pieces.
const PAIRS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("<b>", "</b>"),
    ("\u{201c}", "\u{201d}"),
    ("[a](", ")"),
    ("<a href=\"", "\">"),
    ("*a ", " a*"),
];

/// A shape of texts: its name, and the pieces to repeat.
pub(crate) struct Shape {
    pub(crate) name: String,
    open: String,
    close: String,
}

impl Shape {
    /// Returns a text of at least this many bytes, and only slightly more.
    pub(crate) fn text(&self, bytes: usize) -> String {
        let count = bytes / (self.open.len() + self.close.len()) + 1;
        format!("{}{}", self.open.repeat(count), self.close.repeat(count))
    }
}

/// Every piece alone, alternating with the next one and with a distant one, and the pairs nested.
pub(crate) fn shapes() -> Vec<Shape> {
    let shape = |open: String, close: &str| {
        let close = close.to_owned();
        Shape { name: format!("{open:?} {close:?}"), open, close }
    };
    let piece = |at: usize| PIECES[at % PIECES.len()];
    let alone = PIECES.iter().map(|piece| shape((*piece).to_owned(), ""));
    let in_turn = |apart: usize| {
        (0..PIECES.len()).map(move |at| shape(format!("{}{}", piece(at), piece(at + apart)), ""))
    };
    let nested = PAIRS.iter().map(|(open, close)| shape((*open).to_owned(), close));
    alone.chain(in_turn(1)).chain(in_turn(17)).chain(nested).collect()
}
