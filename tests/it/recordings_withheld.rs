//! Recordings that contain withheld speech: which are not published, and what their URLs must not
//! reveal.

use serde_json::{Value, json};

use crate::support::recordings::{FILM, TALK, assert_no_recording, page, recordings, site, wav};
use crate::support::{BASE, SiteTest, unpacked};

#[test]
fn recordings_of_withheld_conversations_are_withheld() {
    let private = TALK.replace("Language: en", "Language: en\n\nNOTE private: true");
    let draft = format!("---\ndraft: true\nmedia: talk.wav\n---\n{TALK}");
    for text in [private, draft] {
        let site = site(&[("talk.vtt", text.as_bytes()), ("talk.wav", &wav(100))]);
        let run = site.run(&["build"]);
        assert!(!run.stderr.contains("unknown-format"), "{}", run.stderr);
        assert_no_recording(&site);
    }
    let rule = format!("{BASE}[[source]]\nfiles = 'talk.vtt'\nvisibility = 'private'\n");
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(100))]);
    let site = site.file("site.toml", rule);
    site.run(&["build"]);
    assert_no_recording(&site);
}

#[test]
fn recordings_with_hidden_turns_are_withheld() {
    let people = "[people.\"Ada\"]\npseudonym = true\nas = 'Quill'\n";
    let words = "[[redact]]\nwords = ['eel']\n";
    for (rule, gone, there) in [(people, "Ada", "<v Quill>"), (words, " eel", "[redacted]")] {
        let beside = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(100))]);
        let beside = beside.file("site.toml", format!("{BASE}{rule}"));
        let run = beside.build(0);
        assert!(run.stderr.contains("warning[refused-recording]"), "{}", run.stderr);
        assert_no_recording(&beside);
        // Naming the recording explicitly publishes it.
        let named = site(&[("talk.vtt", TALK.as_bytes()), ("cut.wav", &wav(100))]);
        let source = "[[source]]\nfiles = 'talk.vtt'\nmedia = 'cut.wav'\n";
        let named = named.file("site.toml", format!("{BASE}{rule}{source}"));
        named.build(0);
        let captions = named.page("c/", ".vtt");
        assert!(!captions.contains(gone) && captions.contains(there), "{captions}");
    }
}

/// An episode that has a recording is not reported as lacking one.
#[test]
fn an_episode_with_a_withheld_recording_is_not_reported_as_lacking_one() {
    let podcast = "[[source]]\nfiles = 'talk.vtt'\npodcast = true\n";
    let words = "[[redact]]\nwords = ['eel']\n";
    let missing = "the podcast because it has no recording";
    let withheld = "not in the podcast: its recording is not published";
    let named = |file: &str| format!("---\nmedia: {file}\n---\n{TALK}");
    for (rule, text, files, code) in [
        (words, TALK.to_owned(), &["talk.wav"][..], "refused-recording"),
        ("", named("fake.mp3"), &["fake.mp3"], "refused-recording"),
        ("", named("gone.mp3"), &[], "missing-recording"),
        ("", TALK.to_owned(), &[], ""),
    ] {
        let mut site = site(&[("talk.vtt", text.as_bytes())]);
        site = site.file("site.toml", format!("{BASE}{rule}{podcast}"));
        for name in files {
            let bytes = if *name == "talk.wav" { wav(100) } else { b"text".to_vec() };
            site.write(&format!("content/{name}"), bytes);
        }
        let stderr = site.build(0).stderr;
        assert!(stderr.contains("warning[incomplete-podcast]"), "{stderr}");
        let (expected, other) =
            if code.is_empty() { (missing, withheld) } else { (withheld, missing) };
        assert!(stderr.contains(expected) && !stderr.contains(other), "{stderr}");
        assert!(
            code.is_empty() || stderr.contains(&format!("warning[{code}]")),
            "{code}: {stderr}"
        );
        assert_no_recording(&site);
    }
}

#[test]
fn recordings_of_shortened_transcripts_are_withheld() {
    let text = r#"{"segments": [
        {"start": 0, "end": 1, "text": "Good evening.", "speaker": "Ada"},
        {"start": 1, "end": 2, "text": "Between us.", "speaker": "Ada", "private": true}]}"#;
    let site = site(&[("talk.json", text.as_bytes()), ("talk.wav", &wav(100))]);
    let run = site.build(0);
    assert!(run.stderr.contains("warning[refused-recording]"), "{}", run.stderr);
    assert_no_recording(&site);
}

#[test]
fn recordings_of_shortened_long_files_are_withheld() {
    let message = |n: usize| {
        let text = format!("{n}. {}", "The mill turns. ".repeat(80));
        let role = ["user", "assistant"][n % 2];
        json!({"id": n.to_string(), "messageType": "text", "role": role, "content": text, "private": n == 7})
    };
    let messages: Vec<Value> = (0..600).map(message).collect();
    let kind = "application/vnd.cjson+json";
    let text = json!({"mediaType": kind, "messages": messages}).to_string();
    assert!(text.len() > 600 << 10);
    let site = site(&[("talk.json", text.as_bytes()), ("talk.wav", &wav(100))]);
    let run = site.build(0);
    assert!(!unpacked(&site.output()).contains("7. The mill turns."));
    assert!(run.stderr.contains("warning[refused-recording]"), "{}", run.stderr);
    assert_no_recording(&site);
}

#[test]
fn recordings_with_replaced_names_and_no_times_are_withheld() {
    let transcript = "**Ada:** Tomas Quill told me.\n\n**Wren:** Did he?\n";
    let people = "[people.\"Tomas Quill\"]\npseudonym = true\n";
    let site = site(&[("talk.md", transcript.as_bytes()), ("talk.wav", &wav(100))]);
    let site = site.file("site.toml", format!("{BASE}{people}"));
    let run = site.build(0);
    assert!(!page(&site).contains("Quill"));
    assert!(run.stderr.contains("warning[refused-recording]"), "{}", run.stderr);
    assert_no_recording(&site);
}

#[test]
fn names_replaced_in_other_files_do_not_withhold_a_recording() {
    let people = "[people.\"Wilma Moss\"]\npseudonym = true\n\
                  names = [{ name = \"Will\", in = \"chats\" }]\n";
    let talk = TALK.replace("Are they?", "Will they?");
    let site = site(&[("talk.vtt", talk.as_bytes()), ("talk.wav", &wav(100))])
        .file("content/chats/a.md", "**Will:** Hello.\n\n**Wren:** Hello.\n")
        .file("site.toml", format!("{BASE}{people}"));
    site.build(0);
    assert_eq!(recordings(&site).len(), 1);
}

#[test]
fn a_recording_of_two_transcripts_is_published_only_if_both_are_complete() {
    let german = TALK.replace("Language: en", "Language: de").replace("eel", "Aal");
    let private = |text: &str| text.replace("\n\n00:00:01", "\n\nNOTE private\n\n00:00:01");
    let named = format!("---\nmedia: talk.wav\n---\n{german}");
    let words = "[[redact]]\nwords = ['eel']\n";
    let hidden = "[[source]]\nfiles = 'talk.en.vtt'\nvisibility = 'private'\n";
    for (rule, english, german, is_heard) in [
        (words, TALK, &*german, false),
        (hidden, TALK, &*german, false),
        ("", &*private(TALK), &*german, false),
        ("", TALK, &*private(&german), false),
        ("", TALK, &*german, true),
        // Naming the recording explicitly publishes it.
        (words, TALK, &*named, true),
    ] {
        let site = site(&[
            ("talk.en.vtt", english.as_bytes()),
            ("talk.de.vtt", german.as_bytes()),
            ("talk.wav", &wav(100)),
        ]);
        let site = site.file("site.toml", format!("{BASE}{rule}"));
        let run = site.run(&["build"]);
        assert_eq!(recordings(&site).len(), usize::from(is_heard), "{rule}{english}");
        let is_warned = run.stderr.contains("warning[refused-recording]");
        assert_eq!(is_warned, !is_heard || rule == words, "{}", run.stderr);
        // The result is the same with a cache.
        site.run(&["build"]);
        assert_eq!(recordings(&site).len(), usize::from(is_heard), "{rule}{english}");
    }
}

#[test]
fn the_sound_of_a_withheld_video_is_withheld() {
    let rule = "[[source]]\nfiles = '*.mp4'\nvisibility = 'private'\n";
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(9)), ("talk.mp4", FILM)]);
    let site = site.file("site.toml", format!("{BASE}{rule}"));
    site.run(&["build"]);
    assert_no_recording(&site);
}

/// Fails if a name is anywhere in the published site.
#[track_caller]
fn check_nowhere(site: &SiteTest, name: &str) {
    for (path, bytes) in site.output() {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!path.contains(name) && !text.contains(name), "{path}: {text}");
    }
}

#[test]
fn no_url_of_a_recording_contains_a_replaced_name() {
    let talk = TALK.replace("Wren", "Tomas Quill");
    let others = "[people]\nothers = \"pseudonym\"\n";
    let listed = "[people.\"Tomas Quill\"]\npseudonym = true\n";
    let hosts = "[services]\nallow = [{ host = 'media.example.org', for = ['media'] }]\n";
    for people in [others, listed] {
        for (media, is_heard) in
            [("cut/{stem}.wav", true), ("https://media.example.org/{stem}.mp3", false)]
        {
            let rule = format!("[[source]]\nfiles = '*.vtt'\nmedia = '{media}'\n");
            let site = SiteTest::new()
                .file("site.toml", format!("{BASE}{hosts}{people}{rule}"))
                .file("content/tomas-quill.vtt", &talk)
                .file("content/cut/tomas-quill.wav", wav(100));
            let run = site.run(&["build"]);
            check_nowhere(&site, "quill");
            assert_eq!(page(&site).contains("<audio"), is_heard, "{}", run.stderr);
            assert_eq!(run.stderr.contains("refused-recording"), !is_heard);
        }
    }
}

#[test]
fn a_recording_with_a_replaced_name_is_found() {
    let people = "[people.\"Tomas Quill\"]\npseudonym = true\n";
    let words = "[[redact]]\nwords = ['quill']\n";
    let hosts = "[services]\nallow = [{ host = 'media.example.org', for = ['media'] }]\n";
    for rule in [people, words] {
        for (media, is_heard) in [
            ("tomas-quill.wav", true),
            ("gone/tomas-quill.wav", false),
            ("https://media.example.org/tomas-quill.wav", false),
        ] {
            let text = format!("---\nmedia: {media}\n---\n{TALK}");
            let site = site(&[("talk.vtt", text.as_bytes())]);
            if is_heard {
                site.write("content/tomas-quill.wav", wav(100));
            }
            let site = site.file("site.toml", format!("{BASE}{hosts}{rule}"));
            let run = site.run(&["build"]);
            check_nowhere(&site, "quill");
            assert_eq!(page(&site).contains("<audio"), is_heard, "{}", run.stderr);
            assert_eq!(run.stderr.contains("-recording]"), !is_heard, "{}", run.stderr);
            assert!(!run.stderr.contains("quill"), "{}", run.stderr);
        }
    }
}

#[test]
fn no_page_reveals_the_path_of_a_recording() {
    let hidden = "[[source]]\nfiles = 'hidden'\nvisibility = 'private'\n";
    for media in ["hidden/talk.wav", "gone/talk.wav", "cut/talk.wav"] {
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}downloads = ['json', 'markdown']\n{hidden}"))
            .file("content/talk.vtt", format!("---\nmedia: {media}\n---\n{TALK}"))
            .file("content/cut/talk.wav", wav(100))
            .file("content/hidden/talk.wav", wav(200));
        site.run(&["build"]);
        assert!(site.output().keys().any(|path| path.ends_with("index.json")));
        check_nowhere(&site, media);
    }
}

#[test]
fn the_podcast_contains_no_hidden_words() {
    let keys = ["title", "description", "author", "category"];
    let texts = keys.map(|key| format!("{key} = 'The eel'\n")).concat();
    let rules = "[[source]]\nfiles = '*.vtt'\npodcast = true\n[[redact]]\nwords = ['eel']\n";
    let talk = TALK.replace("eel", "wheel");
    let site = site(&[("talk.vtt", talk.as_bytes()), ("talk.wav", &wav(100))])
        .file("site.toml", format!("{BASE}[podcast]\n{texts}{rules}"));
    site.build(0);
    let feed = site.page("podcast", ".xml");
    assert_eq!(feed.matches("The [redacted]").count(), keys.len(), "{feed}");
    check_nowhere(&site, "the eel");
}
