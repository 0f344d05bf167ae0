//! Images are published without metadata, and their pixels are unchanged.

use std::collections::BTreeMap;

use convo_site::images::{Stripped, strip};
use proptest::prelude::*;

use crate::support::{BASE, SiteTest, convo};

/// Must not be anywhere in a site.
const SECRET: &[u8] = b"51.5007 north, taken by Mabel";
/// Is kept in an image.
const PROFILE: &[u8] = b"a profile of colours";
const PIXELS: &[u8] = b"\x11pixels\xff\x00\xff\xd0 and more\x22";

/// Exif data with a location and an orientation.
fn exif(orientation: u8) -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
    tiff.extend(b"\x0e\x01\x02\0\x1d\0\0\0\x26\0\0\0");
    tiff.extend([0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    tiff.extend(b"\0\0\0\0");
    tiff.extend(SECRET);
    tiff
}

fn segment(marker: u8, data: &[&[u8]]) -> Vec<u8> {
    let data = data.concat();
    let length = (data.len() as u16 + 2).to_be_bytes();
    [&[0xff, marker][..], &length, &data].concat()
}

fn jpeg() -> Vec<u8> {
    let frame = [8, 0, 2, 0, 3, 1, 1, 0x11, 0];
    [
        vec![0xff, 0xd8],
        segment(0xe0, &[b"JFIF\0\x01\x01\0\0\x48\0\x48\x01\x01", b"Mab"]),
        segment(0xe0, &[b"JFXX\0\x10", SECRET]),
        segment(0xe1, &[b"Exif\0\0", &exif(6)]),
        segment(0xe1, &[b"http://ns.adobe.com/xap/1.0/\0", SECRET]),
        segment(0xe2, &[b"ICC_PROFILE\0\x01\x01", PROFILE]),
        segment(0xe2, &[b"MPF\0", SECRET]),
        segment(0xed, &[b"Photoshop 3.0\0", SECRET]),
        segment(0xee, &[b"Adobe\0\x64\0\0\0\0\x01"]),
        segment(0xfe, &[SECRET]),
        segment(0xdb, &[&[0; 65]]),
        vec![0xff],
        segment(0xc2, &[&frame]),
        segment(0xda, &[&[1, 1, 0, 0, 0x3f, 0]]),
        PIXELS.to_vec(),
        segment(0xfe, &[SECRET]),
        segment(0xda, &[&[1, 1, 0, 1, 0x3f, 0]]),
        PIXELS.to_vec(),
        vec![0xff, 0xd9],
        b"PK\x03\x04".to_vec(),
        SECRET.to_vec(),
    ]
    .concat()
}

fn png_chunk(name: &[u8; 4], data: &[&[u8]]) -> Vec<u8> {
    let data = data.concat();
    let mut named = crc32fast::Hasher::new();
    named.update(name);
    named.update(&data);
    let length = (data.len() as u32).to_be_bytes();
    [&length[..], name, &data, &named.finalize().to_be_bytes()].concat()
}

fn png() -> Vec<u8> {
    let packed = b"x\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff";
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        png_chunk(b"IHDR", &[b"\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0"]),
        png_chunk(b"iCCP", &[SECRET, b"\0\0", PROFILE]),
        png_chunk(b"tEXt", &[b"Author\0", SECRET]),
        png_chunk(b"zTXt", &[b"Author\0\0", SECRET]),
        png_chunk(b"iTXt", &[b"XML:com.adobe.xmp\0\0\0\0\0", SECRET]),
        png_chunk(b"tIME", &[b"\x07\xea\x01\x02\x03\x04\x05"]),
        png_chunk(b"eXIf", &[&exif(3)]),
        png_chunk(b"prVt", &[SECRET]),
        png_chunk(b"IDAT", &[packed]),
        png_chunk(b"tEXt", &[b"Comment\0", SECRET]),
        png_chunk(b"IEND", &[]),
        SECRET.to_vec(),
    ]
    .concat()
}

fn riff_chunk(name: &[u8; 4], data: &[&[u8]]) -> Vec<u8> {
    let mut data = data.concat();
    let length = (data.len() as u32).to_le_bytes();
    if data.len() % 2 == 1 {
        data.push(0);
    }
    [&name[..], &length, &data].concat()
}

fn webp() -> Vec<u8> {
    let frame = riff_chunk(b"VP8L", &[PIXELS]);
    let chunks = [
        riff_chunk(b"VP8X", &[b"\x2e\0\0\0\x01\0\0\x01\0\0"]),
        riff_chunk(b"ICCP", &[PROFILE]),
        riff_chunk(b"ANIM", &[b"\0\0\0\0\0\0"]),
        riff_chunk(b"ANMF", &[&[0; 16], &frame, &riff_chunk(b"note", &[SECRET])]),
        riff_chunk(b"EXIF", &[&exif(8)]),
        riff_chunk(b"XMP ", &[SECRET]),
    ]
    .concat();
    let length = (chunks.len() as u32 + 4).to_le_bytes();
    [&b"RIFF"[..], &length, b"WEBP", &chunks, SECRET].concat()
}

fn gif() -> Vec<u8> {
    let text = [&[SECRET.len() as u8], SECRET, &[0]].concat();
    [
        &b"GIF89a\x02\0\x02\0\x80\0\0\0\0\0\xff\xff\xff"[..],
        b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0",
        b"\x21\xff\x0bXMP DataXMP",
        &text,
        b"\x21\xfe",
        &text,
        b"\x21\xf9\x04\0\0\0\0\0",
        b"\x2c\0\0\0\0\x02\0\x02\0\0\x02\x02\x44\x0a\0",
        b"\x3b",
        SECRET,
    ]
    .concat()
}

fn bmff(name: &[u8; 4], data: &[&[u8]]) -> Vec<u8> {
    let data = data.concat();
    [&(data.len() as u32 + 8).to_be_bytes()[..], name, &data].concat()
}

/// An AVIF image with Exif data after its pixels.
fn avif() -> Vec<u8> {
    let head = bmff(b"ftyp", &[b"avif\0\0\0\0avifmif1"]);
    let entry = |id: u8, kind: &[u8; 4]| bmff(b"infe", &[&[2, 0, 0, 0, 0, id, 0, 0], kind, b"\0"]);
    let meta = |at: usize| {
        let place = |id: u8, at: usize, length: usize| {
            let (at, length) = ((at as u32).to_be_bytes(), (length as u32).to_be_bytes());
            [&[0, id, 0, 0, 0, 1][..], &at, &length].concat()
        };
        bmff(
            b"meta",
            &[
                &[0; 4],
                &bmff(b"iinf", &[&[0, 0, 0, 0, 0, 2], &entry(1, b"av01"), &entry(2, b"Exif")]),
                &bmff(
                    b"iloc",
                    &[
                        &[0, 0, 0, 0, 0x44, 0, 0, 2],
                        &place(1, at, PIXELS.len()),
                        &place(2, at + PIXELS.len(), SECRET.len()),
                    ],
                ),
            ],
        )
    };
    let at = head.len() + meta(0).len() + 8;
    [head, meta(at), bmff(b"mdat", &[PIXELS, SECRET])].concat()
}

fn all() -> BTreeMap<&'static str, Vec<u8>> {
    BTreeMap::from([
        ("jpg", jpeg()),
        ("png", png()),
        ("webp", webp()),
        ("gif", gif()),
        ("avif", avif()),
    ])
}

fn has(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn stripped(bytes: &[u8]) -> Vec<u8> {
    match strip(bytes) {
        Stripped::Changed(stripped) => stripped,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_the_picture_is_left() {
    for (kind, bytes) in all() {
        assert!(has(&bytes, SECRET), "{kind}");
        let stripped = stripped(&bytes);
        for part in [SECRET, b"Mab", b"PK\x03\x04", b"XMP", b"xmp"] {
            assert!(!has(&stripped, part), "{kind}: {}", String::from_utf8_lossy(&stripped));
        }
        assert_eq!(strip(&stripped), Stripped::AsIs, "{kind}");
        let pixels: &[u8] = match kind {
            "png" => b"IDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff",
            "gif" => b"\x2c\0\0\0\0\x02\0\x02\0\0\x02\x02\x44\x0a\0",
            _ => PIXELS,
        };
        assert!(has(&stripped, pixels), "{kind}");
        assert_eq!(has(&stripped, PROFILE), has(&bytes, PROFILE), "{kind}");
        assert!(kind == "avif" || imagesize::blob_size(&stripped).is_ok(), "{kind}");
        // The orientation is kept.
        let orientation = [("jpg", 6), ("png", 3), ("webp", 8)];
        if let Some((_, side)) = orientation.iter().find(|(of, _)| *of == kind) {
            let tag = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, *side];
            assert!(has(&stripped, &tag), "{kind}");
        }
    }
    // Colour data and animation loops are kept.
    assert!(has(&stripped(&jpeg()), b"Adobe\0\x64") && has(&stripped(&gif()), b"NETSCAPE2.0"));
    assert_eq!(stripped(&jpeg()).windows(PIXELS.len()).filter(|part| *part == PIXELS).count(), 2);
    // The feature flags no longer include XMP.
    assert!(has(&stripped(&webp()), b"VP8X\x0a\0\0\0\x2a"));
    assert_eq!(strip(b"no image"), Stripped::AsIs);
}

#[test]
fn png_checksums_are_correct() {
    let bytes = stripped(&png());
    let at = bytes.windows(4).position(|name| name == b"eXIf").expect("Exif");
    let sum = crc32fast::hash(&bytes[at..at + 30]);
    assert_eq!(bytes[at + 30..at + 34], sum.to_be_bytes());
}

#[test]
fn a_truncated_image_is_damaged() {
    for (kind, bytes) in all() {
        let end = stripped(&bytes).len();
        for length in 12..bytes.len() - SECRET.len() - 4 {
            let seen = strip(&bytes[..length]);
            let is_rejected = matches!(seen, Stripped::Damaged(_) | Stripped::Kept);
            assert!(is_rejected, "{kind} {length} of {end}: {seen:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn any_broken_image_is_handled(
        kind in 0..5_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        rest in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let mut bytes = all().into_values().nth(kind).expect("an image");
        bytes.extend(rest);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Stripped::Changed(stripped) = strip(&bytes) {
            // A missing end marker is added.
            prop_assert!(stripped.len() <= bytes.len() + 1);
            prop_assert_eq!(strip(&stripped), Stripped::AsIs);
        }
    }
}

#[test]
fn a_site_publishes_pictures_without_metadata() {
    let base64 = |bytes: &[u8]| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(bytes)
    };
    let message = serde_json::json!({
        "id": "talk", "conversationTitle": "Boats", "messages": [{
            "id": "m1", "role": "user", "messageType": "text", "content": "See these.",
            "index": 0, "attachments": [
                {"attachmentKind": "image", "id": "a", "name": "inside.jpg", "mime": "image/jpeg",
                 "sizeInBytes": jpeg().len(), "base64content": base64(&jpeg())},
                {"attachmentKind": "image", "id": "b", "name": "data.png",
                 "uri": format!("data:image/png;base64,{}", base64(&png()))},
                {"attachmentKind": "file", "id": "c", "name": "beside.webp", "uri": "beside.webp"},
                {"attachmentKind": "image", "id": "d", "name": "half.png", "uri": "half.png"},
            ],
        }],
    });
    let text = "![](a.jpg) ![](a.png) ![](a.webp) ![](a.gif) ![](a.avif) ![](half.png)";
    let mut site = SiteTest::new()
        .file(
            "site.toml",
            format!(
                "{BASE}downloads = [\"json\"]\n[look]\nlogo = \"logo.png\"\nimage = \"card.jpg\"\n"
            ),
        )
        .file("logo.png", png())
        .file("card.jpg", jpeg())
        .file("content/talk.json", message.to_string())
        .file("content/beside.webp", webp())
        .file("content/half.png", &png()[..200])
        .file("content/boats.convo", convo(text));
    for (kind, bytes) in all() {
        site = site.file(&format!("content/a.{kind}"), bytes);
    }
    let run = site.run(&["build", "--message-format", "json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let output = format!("{}{}", run.stdout, run.stderr);
    assert_eq!(output.matches("\"damaged-image\"").count(), 2, "{output}");
    let output = site.output();
    for (path, bytes) in &output {
        assert!(!has(bytes, SECRET), "{path}");
    }
    for (kind, bytes) in all() {
        let stripped = stripped(&bytes);
        let copies = output.values().filter(|bytes| **bytes == stripped).count();
        // Beside a conversation, inside of one and as a logo.
        assert!(copies >= 1, "{kind}: {copies}");
    }
    // Information about a file describes the published one.
    let (_, data) = output
        .iter()
        .find(|(path, bytes)| path.ends_with("index.json") && has(bytes, b"inside.jpg"))
        .expect("data");
    assert!(has(data, format!("\"size\":{}", stripped(&jpeg()).len()).as_bytes()));
    // The result is the same with no cache and with a full one.
    site.build(0);
    assert_eq!(output, site.output());
}

#[test]
fn metadata_that_cannot_be_removed_is_reported() {
    let film = [avif(), bmff(b"moov", &[SECRET])].concat();
    let site = SiteTest::new()
        .file("content/boats.convo", convo("![a film](film.avif)"))
        .file("content/film.avif", film);
    let run = site.build(0);
    assert!(run.stderr.contains("image-metadata"), "{}", run.stderr);
}

/// The parts of a picture that a decoder needs: tables, size and scans.
fn needed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 2;
    while let [0xff, marker, ..] = bytes[at..] {
        if marker == 0xd9 {
            assert_eq!(bytes.len(), at + 2, "the end is the end");
            return out;
        }
        let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]]));
        let mut end = at + 2 + length;
        if marker == 0xda {
            end += PIXELS.len();
        }
        if !(0xe0..=0xef).contains(&marker) {
            out.extend(&bytes[at..end]);
        }
        at = end;
    }
    panic!("no marker at {at}: {bytes:x?}");
}

/// Segments that a crafted picture may have before its tables.
fn crafted() -> Vec<Vec<u8>> {
    let long = SECRET.repeat(2_300);
    let long = &long[..65_000];
    let mut many = Vec::new();
    for number in 0..40_u8 {
        many.extend(segment(0xe1, &[b"http://ns.adobe.com/xmp/extension/\0", &[number], long]));
        many.extend(segment(0xe1, &[b"Exif\0\0", &exif(number % 9)]));
    }
    vec![
        many,
        [&[0xff; 40][..], &segment(0xfe, &[SECRET])].concat(),
        segment(0xe0, &[b"JFIF\0\x01\x01\0\0\x48\0\x48\x03\x03", SECRET]),
        segment(0xe0, &[b"JFXX\0\x13\x03\x03", SECRET]),
        segment(0xe0, &[b"JFXX\0\x10\xff\xd8\xff\xe1", SECRET, b"\xff\xd9"]),
        segment(0xe2, &[b"MPF\0MM\0*", SECRET]),
        segment(0xee, &[b"Adobe\0\x64\0\0\0\0\x01", SECRET]),
        // Unused markers.
        segment(0x02, &[SECRET]),
        segment(0xbf, &[SECRET]),
        segment(0xc8, &[SECRET]),
        segment(0xf0, &[SECRET]),
        segment(0xfd, &[SECRET]),
        segment(0xfe, &[]),
        segment(0xdd, &[b"\0\x01", SECRET]),
    ]
}

#[test]
fn crafted_jpeg_segments_are_removed() {
    let head = 2;
    let clean = jpeg();
    let Stripped::Changed(plain) = strip(&clean) else { panic!("it is stripped") };
    for piece in crafted() {
        let is_table = piece.starts_with(b"\xff\xdd");
        let bytes = [&clean[..head], &piece, &clean[head..]].concat();
        let Stripped::Changed(stripped) = strip(&bytes) else { panic!("{:x?}", &piece[..9]) };
        let is_there = stripped.windows(8).any(|part| SECRET.windows(8).any(|some| some == part));
        assert!(!is_there, "{:x?}", &piece[..9.min(piece.len())]);
        if !is_table {
            assert_eq!(needed(&stripped), needed(&plain), "{:x?}", &piece[..9.min(piece.len())]);
        }
        assert!(stripped.len() < plain.len() + 60, "{}", stripped.len());
    }
    // A second picture after the first one, as phones append.
    let two = [&clean[..], &clean].concat();
    let Stripped::Changed(one) = strip(&two) else { panic!("it is stripped") };
    assert_eq!(one, plain);
}

#[test]
fn impossible_lengths_are_damage() {
    let clean = jpeg();
    for wrong in [
        &b"\xff\xfe\0\0"[..],
        b"\xff\xe1\0\x01",
        b"\xff\xe1\xff\xff",
        b"\xff\xda\0\x02",
        b"\xff\xda\0\x03\xff",
        b"\xff\xc0\0\x08\0\0\0\0\0\x09",
        b"\xff\xee\0\x09Adobe\0\0",
        b"\xff\xff\xff\xff",
        b"\0",
    ] {
        let bytes = [&clean[..2], wrong, &clean[2..]].concat();
        let end = [&clean[..2], wrong].concat();
        for bytes in [bytes, end] {
            match strip(&bytes) {
                Stripped::Damaged(_) => {}
                // Fill bytes, or a segment that swallows others.
                Stripped::Changed(stripped) => {
                    let leaks = stripped.windows(8).any(|part| part == &SECRET[..8]);
                    assert!(!leaks, "{wrong:x?}");
                }
                other => panic!("{wrong:x?}: {other:?}"),
            }
        }
    }
}
