//! PGP armor in mails: removes signatures, and finds encrypted text and keys.

use std::collections::HashMap;

/// A part of a text.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Armored {
    Text(String),
    /// A label for content that is not shown.
    Hidden(&'static str),
}

/// How the armor headers of a signed text and of its signature end.
const SIGNED: &str = "SIGNED MESSAGE-----";
const SIGNATURE: &str = "SIGNATURE-----";

/// Removes signatures from a text and splits it at encrypted parts and keys.
pub(super) fn unarmored(text: &str) -> Vec<Armored> {
    const BEGIN: &str = "-----BEGIN PGP ";
    const END: &str = "-----END PGP ";
    if !text.contains(BEGIN) {
        return vec![Armored::Text(text.to_owned())];
    }
    // The last end marker of each kind: people may quote a begin marker that has no end.
    let lines = || text.split_inclusive('\n').enumerate();
    let ends: HashMap<&str, usize> =
        lines().filter_map(|(at, line)| Some((line.trim_end().strip_prefix(END)?, at))).collect();
    let ends_behind = |kind: &str, at| ends.get(kind).is_some_and(|end| *end > at);
    let mut found = Vec::new();
    let mut plain = String::new();
    let (mut is_signed, mut is_head) = (false, false);
    let mut inside: Option<&str> = None;
    for (at, line) in lines() {
        let bare = line.trim_end();
        if let Some(kind) = inside {
            if bare.strip_prefix(END) == Some(kind) {
                inside = None;
            }
            continue;
        }
        match bare.strip_prefix(BEGIN) {
            Some(SIGNED) if ends_behind(SIGNATURE, at) => {
                (is_signed, is_head) = (true, true);
            }
            Some(kind) if kind.ends_with("-----") && ends_behind(kind, at) => {
                inside = Some(kind);
                is_signed = false;
                let hidden = match kind {
                    "MESSAGE-----" => Some("An encrypted text"),
                    SIGNATURE => None,
                    _ => Some("A PGP key"),
                };
                if let Some(hidden) = hidden {
                    found.push(Armored::Text(std::mem::take(&mut plain)));
                    found.push(Armored::Hidden(hidden));
                }
            }
            // Armor headers such as `Hash: SHA256` end at a blank line.
            _ if is_head => is_head = !bare.is_empty(),
            _ if is_signed => plain.push_str(line.strip_prefix("- ").unwrap_or(line)),
            _ => plain.push_str(line),
        }
    }
    found.push(Armored::Text(plain));
    found
}

#[cfg(test)]
mod tests {
    use super::{Armored, unarmored};

    #[test]
    fn signatures_are_removed_and_encrypted_parts_are_reported() {
        let text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nYes.\n- -- \nAda\n\
                    -----BEGIN PGP SIGNATURE-----\n\niQ==\n-----END PGP SIGNATURE-----\n";
        assert_eq!(unarmored(text), [Armored::Text("Yes.\n-- \nAda\n".into())]);
        let text = "See\n-----BEGIN PGP MESSAGE-----\nhQ==\n-----END PGP MESSAGE-----\nso";
        let [Armored::Text(_), Armored::Hidden(_), Armored::Text(rest)] = &unarmored(text)[..]
        else {
            panic!("three");
        };
        assert_eq!(rest, "so");
    }
}
