//! Sites with recordings of conversations, and checks of their pages.

use super::SiteTest;

/// A sound file of this many milliseconds.
pub(crate) fn wav(millis: u32) -> Vec<u8> {
    let samples = millis * 8;
    let mut wav = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0".to_vec();
    wav.extend(8000_u32.to_le_bytes());
    wav.extend(8000_u32.to_le_bytes());
    wav.extend(b"\x01\0\x08\0data");
    wav.extend(samples.to_le_bytes());
    wav.resize(44 + samples as usize, 128);
    wav
}

/// The first bytes of a video, which cannot be played.
pub(crate) const FILM: &[u8] = b"\0\0\0\x18ftypisom\0\0\0\0isommp42\0\0\0\x08free";

pub(crate) const TALK: &str = "WEBVTT\nLanguage: en\n\n00:00:01.000 --> 00:00:02.500\n<v Ada>The wheel & \
                    the <i>eel</i> are one.\n\n00:00:03.250 --> 00:00:04.000\n<v Wren>Are they?\n";

pub(crate) fn site(files: &[(&str, &[u8])]) -> SiteTest {
    let site = SiteTest::new();
    for (name, bytes) in files {
        site.write(&format!("content/{name}"), bytes);
    }
    site
}

pub(crate) fn page(site: &SiteTest) -> String {
    site.page("c/", "/index.html").replace("&#39;", "'")
}

pub(crate) fn recordings(site: &SiteTest) -> Vec<String> {
    site.output().into_keys().filter(|path| path.starts_with("media/")).collect()
}

/// Returns whether a warning with this code is reported at this place.
pub(crate) fn has_warning(stderr: &str, code: &str, place: &str) -> bool {
    let head = format!("warning[{code}]");
    let warnings = stderr.split(&head).skip(1);
    let places = warnings.filter_map(|rest| rest.split("--> ").nth(1)?.lines().next());
    places.collect::<Vec<_>>().contains(&place)
}

/// Fails if a page has a player or captions, or if the recording is published.
#[track_caller]
pub(crate) fn assert_no_recording(site: &SiteTest) {
    let output = site.output();
    let pages = output.iter().filter(|(path, _)| path.ends_with(".html"));
    for (path, bytes) in pages {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("<audio") && !text.contains("<video"), "{path}");
        assert!(!text.contains("recording.css") && !text.contains("#t="), "{path}");
    }
    assert_eq!(recordings(site), [""; 0]);
    assert!(!output.keys().any(|path| path.ends_with(".vtt")));
}
