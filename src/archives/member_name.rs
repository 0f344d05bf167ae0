//! Checks and decodes the names of files in archives.

use convo_base::text::to_nfc;

/// Why a name is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    /// Editors and operating systems create such files, and nobody means to publish them.
    Hidden,
    /// It could lead out of the archive.
    Unsafe,
}

/// Returns the path of a file inside the archive.
pub(super) fn checked(name: &str) -> Result<String, Refused> {
    let mut parts = Vec::new();
    if name.starts_with('/') {
        return Err(Refused::Unsafe);
    }
    for part in name.split('/').filter(|part| !matches!(*part, "" | ".")) {
        let is_drive = part.len() > 1
            && part.as_bytes()[1] == b':'
            && part.as_bytes()[0].is_ascii_alphabetic();
        let is_odd = |c: char| c == '\\' || c.is_control();
        if part == ".." || part.len() > 255 || part.contains(is_odd) {
            return Err(Refused::Unsafe);
        }
        if parts.is_empty() && is_drive {
            return Err(Refused::Unsafe);
        }
        if convo_base::path::is_hidden(part) || part == "__MACOSX" {
            return Err(Refused::Hidden);
        }
        parts.push(part);
    }
    if parts.is_empty() || parts.len() > MAX_DEPTH {
        return Err(Refused::Unsafe);
    }
    Ok(to_nfc(&parts.join("/")).into_owned())
}

/// The maximum depth of folders.
const MAX_DEPTH: usize = 100;

/// Decodes a name. Old programs write the names in ZIP files in DOS encoding.
pub(super) fn text(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        0..0x80 => char::from(*byte),
        _ => DOS.chars().nth(usize::from(*byte) - 0x80).unwrap_or_default(),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(letter).collect(),
    }
}

/// The characters of code page 437 from 128 on.
const DOS: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
                   └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

#[cfg(test)]
mod tests {
    use super::{DOS, Refused, checked, text};

    #[test]
    fn a_name_stays_in_its_archive() {
        for bad in
            ["../a", "a/../../b", "/etc/passwd", "C:/a", "c:\\a", "a\\..\\b", "a\nb", "", "./"]
        {
            assert_eq!(checked(bad), Err(Refused::Unsafe), "{bad:?}");
        }
        for hidden in [".git/config", "a/.DS_Store", "__MACOSX/a.json", "a.json~"] {
            assert_eq!(checked(hidden), Err(Refused::Hidden), "{hidden}");
        }
        assert_eq!(checked("./a//b: c.json").unwrap(), "a/b: c.json");
        assert_eq!(checked("u\u{308}.md").unwrap(), "ü.md");
    }

    #[test]
    fn letters_of_dos_are_letters() {
        assert_eq!(DOS.chars().count(), 128);
        assert_eq!(text(b"\x81ber.md"), "über.md");
        assert_eq!(text("über.md".as_bytes()), "über.md");
    }
}
