//! Identifies binary files by their first bytes or their name.

use super::{Lookalike, conversation, other};

/// The signatures of file types, at an offset.
const MAGIC: &[(usize, &[u8], Lookalike)] = &[
    (0, b"PK\x03\x04", packed("a ZIP archive")),
    (0, b"\x1f\x8b", packed("a gzip-compressed file")),
    (0, b"\x28\xb5\x2f\xfd", packed("a Zstandard-compressed file")),
    (0, b"\xfd7zXZ\0", packed("an xz-compressed file")),
    (0, b"BZh", packed("a bzip2-compressed file")),
    (0, b"7z\xbc\xaf\x27\x1c", packed("a 7-Zip archive")),
    (257, b"ustar", packed("a tar archive")),
    (0, b"SQLite format 3\0", DATABASE),
    (0, b"PAR1", PARQUET),
    (0, b"%PDF-", other("a PDF document")),
    (0, b"\x89PNG", UNUSED_IMAGE),
    (0, b"\xff\xd8\xff", UNUSED_IMAGE),
    (0, b"GIF8", UNUSED_IMAGE),
    (8, b"WEBP", UNUSED_IMAGE),
    (4, b"ftypavif", UNUSED_IMAGE),
    (4, b"ftypheic", UNUSED_IMAGE),
    (4, b"ftypM4A", UNUSED_SOUND),
    (4, b"ftyp", UNUSED_FILM),
    (0, b"\x1a\x45\xdf\xa3", UNUSED_FILM),
    (0, b"OggS", UNUSED_SOUND),
    (0, b"fLaC", UNUSED_SOUND),
    (0, b"ID3", UNUSED_SOUND),
    (8, b"WAVE", UNUSED_SOUND),
];

/// The hint for archives inside archives, or with an unsupported extension.
const UNPACK: &str = "unpack it into the content folder; convo-site opens only archives directly \
                      in the content folder that end in `.zip`, `.tar`, `.tar.gz`, `.tgz` or \
                      `.tar.zst`, and text that ends in `.gz` or `.zst`";
const REFER: &str = "link to it from a conversation to publish it";
const UNUSED_IMAGE: Lookalike =
    Lookalike { remedy: Some(REFER), ..other("an image that no conversation links to") };
const CALL: &str = "to publish it, give it the same name as its transcript, and do not set \
                    `media` for that transcript; or link to it from a conversation";
const UNUSED_SOUND: Lookalike =
    Lookalike { remedy: Some(CALL), ..other("an audio file that no conversation links to") };
const UNUSED_FILM: Lookalike =
    Lookalike { remedy: Some(CALL), ..other("a video that no conversation links to") };

const DATABASE: Lookalike = Lookalike {
    remedy: Some(match cfg!(feature = "sqlite") {
        true => {
            "move it out of the archive, or export its conversations; databases of Cursor, `llm`, \
             OpenCode and Zed are read if they are separate files that end in `.db`, `.vscdb`, \
             `.sqlite` or `.sqlite3`"
        }
        false => {
            "this build of convo-site lacks the cargo feature `sqlite`, which reads databases of \
             Cursor, `llm`, OpenCode and Zed"
        }
    }),
    ..conversation("an SQLite database")
};
const PARQUET: Lookalike = Lookalike {
    remedy: Some(
        "convert it to JSON Lines, for example with `duckdb -c \"COPY (FROM 'x.parquet') TO \
         'x.jsonl'\"`",
    ),
    ..conversation("a Parquet dataset")
};
/// Extensions of documents and programs that are ZIP archives internally.
const ZIPPED: [(&[&str], Lookalike); 3] = [
    (&[".docx", ".docm", ".odt", ".pages"], DOCUMENT),
    (&[".xlsx", ".xlsm", ".ods", ".pptx", ".odp", ".key", ".numbers"], SHEET),
    (&[".epub", ".jar", ".apk", ".whl", ".xpi", ".crx"], PROGRAM),
];
const DOCUMENT: Lookalike = Lookalike {
    remedy: Some("if it is a transcript, save it as plain text or as Markdown"),
    ..other("a word processor document")
};
const SHEET: Lookalike = other("a spreadsheet or presentation");
const PROGRAM: Lookalike = other("an e-book or a software package");

/// Returns a guess for a file that may contain conversations once it is unpacked.
const fn packed(what: &'static str) -> Lookalike {
    Lookalike { remedy: Some(UNPACK), ..conversation(what) }
}

/// Guesses the type of a binary file, or of an SVG image.
pub(super) fn guess(name: &str, head: &[u8]) -> Option<Lookalike> {
    let fits = |(at, magic, _): &&(usize, &[u8], Lookalike)| {
        head.get(*at..).is_some_and(|rest| rest.starts_with(magic))
    };
    let is_zip = head.starts_with(b"PK\x03\x04");
    let ends = |(endings, _): &&(&[&str], Lookalike)| {
        is_zip && endings.iter().any(|ending| name.ends_with(ending))
    };
    if let Some((_, found)) = ZIPPED.iter().find(ends) {
        return Some(*found);
    }
    if let Some((.., found)) = MAGIC.iter().find(fits) {
        return Some(*found);
    }
    if name.ends_with(".svg") && !head.contains(&0) {
        return Some(UNUSED_IMAGE);
    }
    // UTF-16 contains NULs although it is text.
    let is_utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    (head.contains(&0) && !is_utf16).then_some(other("a binary file"))
}
