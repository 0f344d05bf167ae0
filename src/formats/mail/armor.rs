//! What PGP puts around a text, or in its place.

use std::collections::HashMap;

/// A stretch of a text.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Armored {
    Text(String),
    /// Something that is named and not shown.
    Hidden(&'static str),
}

/// The ends of the lines above a text that is signed, and above its signature.
const SIGNED: &str = "SIGNED MESSAGE-----";
const SIGNATURE: &str = "SIGNATURE-----";

/// Takes signatures off a text, and parts it at what is encrypted or a key.
pub(super) fn unarmored(text: &str) -> Vec<Armored> {
    const BEGIN: &str = "-----BEGIN PGP ";
    const END: &str = "-----END PGP ";
    if !text.contains(BEGIN) {
        return vec![Armored::Text(text.to_owned())];
    }
    // Where the last one of each kind ends: somebody may well write of one that does not.
    let lines = || text.split_inclusive('\n').enumerate();
    let ends: HashMap<&str, usize> =
        lines().filter_map(|(at, line)| Some((line.trim_end().strip_prefix(END)?, at))).collect();
    let ends_behind = |kind: &str, at| ends.get(kind).is_some_and(|end| *end > at);
    let mut found = Vec::new();
    let mut said = String::new();
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
                    found.push(Armored::Text(std::mem::take(&mut said)));
                    found.push(Armored::Hidden(hidden));
                }
            }
            // Fields such as `Hash: SHA256` end at a blank line.
            _ if is_head => is_head = !bare.is_empty(),
            _ if is_signed => said.push_str(line.strip_prefix("- ").unwrap_or(line)),
            _ => said.push_str(line),
        }
    }
    found.push(Armored::Text(said));
    found
}

#[cfg(test)]
mod tests {
    use super::{Armored, unarmored};

    #[test]
    fn signatures_go_and_what_is_encrypted_is_named() {
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
