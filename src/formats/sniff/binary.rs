//! Files that are no text: told by their first bytes, or by their name.

use super::{Lookalike, conversation, other};

/// The first bytes of kinds of files, at an offset.
const MAGIC: &[(usize, &[u8], Lookalike)] = &[
    (0, b"PK\x03\x04", packed("a ZIP archive")),
    (0, b"\x1f\x8b", packed("a file packed by gzip")),
    (0, b"\x28\xb5\x2f\xfd", packed("a file packed by Zstandard")),
    (0, b"\xfd7zXZ\0", packed("a file packed by xz")),
    (0, b"BZh", packed("a file packed by bzip2")),
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

/// What lies in an archive itself, or has an ending of its own.
const UNPACK: &str = "unpack it into the content folder: only what lies there and ends in \
                      `.zip`, `.tar`, `.tar.gz`, `.tgz` or `.tar.zst`, and text that ends in \
                      `.gz` or `.zst`, is opened as it is";
const REFER: &str = "refer to it from a conversation, and it is published with it";
const UNUSED_IMAGE: Lookalike =
    Lookalike { remedy: Some(REFER), ..other("an image to which no conversation refers") };
const CALL: &str = "give it the name of its transcript, or refer to it from a conversation, and it \
                    is published with it";
const UNUSED_SOUND: Lookalike =
    Lookalike { remedy: Some(CALL), ..other("a sound recording to which no conversation refers") };
const UNUSED_FILM: Lookalike =
    Lookalike { remedy: Some(CALL), ..other("a film to which no conversation refers") };

const DATABASE: Lookalike = Lookalike {
    remedy: Some(match cfg!(feature = "sqlite") {
        true => {
            "databases of Cursor, `llm`, OpenCode and Zed are read, where they lie by themselves \
             and end in `.db`, `.vscdb`, `.sqlite` or `.sqlite3`: take it out of the archive, or \
             export the conversations with their program"
        }
        false => {
            "this program was built without the cargo feature `sqlite`, which reads databases of \
             Cursor, `llm`, OpenCode and Zed"
        }
    }),
    ..conversation("an SQLite database")
};
const PARQUET: Lookalike = Lookalike {
    remedy: Some(
        "convert it to JSON lines, such as with `duckdb -c \"COPY (FROM 'x.parquet') TO \
         'x.jsonl'\"`",
    ),
    ..conversation("a data set in Parquet")
};
/// Endings of documents and programs that are ZIP archives inside.
const ZIPPED: [(&[&str], Lookalike); 3] = [
    (&[".docx", ".docm", ".odt", ".pages"], DOCUMENT),
    (&[".xlsx", ".xlsm", ".ods", ".pptx", ".odp", ".key", ".numbers"], SHEET),
    (&[".epub", ".jar", ".apk", ".whl", ".xpi", ".crx"], PROGRAM),
];
const DOCUMENT: Lookalike = Lookalike {
    remedy: Some("if it is a transcript, save it as plain text or as Markdown"),
    ..other("a document of a word processor")
};
const SHEET: Lookalike = other("a document of an office program");
const PROGRAM: Lookalike = other("a book or a program");

/// What may hold conversations once it is unpacked.
const fn packed(what: &'static str) -> Lookalike {
    Lookalike { remedy: Some(UNPACK), ..conversation(what) }
}

/// Guesses the kind of a binary file, or of an image that is text.
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
    // UTF-16 has NULs and is text all the same.
    let is_utf16 = head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff");
    (head.contains(&0) && !is_utf16).then_some(other("a file that is no text"))
}
