//! Recordings of conversations: where they come from, the player, the captions and the podcast.

use convo_site::formats;

use crate::support::recordings::{
    FILM, TALK, assert_no_recording, has_warning, page, recordings, site, wav,
};
use crate::support::{BASE, SiteTest};

#[test]
fn a_recording_beside_its_transcript_is_played() {
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(4000))]);
    let run = site.build(0);
    assert!(run.stderr.contains("read 2 files; no warnings"), "{}", run.stderr);
    let [stored] = recordings(&site).try_into().expect("one recording");
    assert_eq!(site.output()[&stored], wav(4000));
    let html = page(&site);
    for part in [
        "<audio controls preload=\"metadata\" aria-label=\"",
        &format!("<source src=\"/base/{stored}\" type=\"audio/wav\">"),
        "<track kind=\"captions\" src=\"/base/c/",
        "/captions.vtt\" srclang=\"en\" label=\"English\" default>",
        &format!(
            "<a class=\"offset\" href=\"/base/{stored}#t=1\" lang=\"en\" \
                  aria-label=\"Play from 00:01\">00:01</a>"
        ),
        &format!("href=\"/base/{stored}#t=3.25\""),
        "/assets/recording.",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    let policy = html.split("media-src ").nth(1).and_then(|rest| rest.split(';').next());
    assert_eq!(policy, Some("'self'"));
    assert_eq!(
        site.page("c/", ".vtt"),
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<v Ada>The wheel &amp; the eel are one.\n\n\
         00:00:03.250 --> 00:00:04.000\n<v Wren>Are they?\n"
    );
}

#[test]
fn language_tags_and_extra_extensions_may_precede_the_extension() {
    for (name, recording) in [
        ("talk.en.vtt", "talk.wav"),
        ("talk.pt-BR.vtt", "talk.wav"),
        ("talk.wav.vtt", "talk.wav"),
        ("Talk at the mill.vtt", "Talk at the mill.wav"),
    ] {
        let site = site(&[(name, TALK.as_bytes()), (recording, &wav(100))]);
        site.build(0);
        assert_eq!(recordings(&site).len(), 1, "{name}");
    }
    let site = site(&[("talk.final.vtt", TALK.as_bytes()), ("talk.wav", &wav(100))]);
    site.build(0);
    assert_no_recording(&site);
}

#[test]
fn the_video_is_chosen_of_several_recordings() {
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(100)), ("talk.mp4", FILM)]);
    let run = site.build(0);
    assert!(run.stderr.contains("hint[two-recordings]"), "{}", run.stderr);
    let html = page(&site);
    assert!(html.contains("<video controls") && html.contains("type=\"video/mp4\""));
    assert!(html.contains("\"@type\":\"VideoObject\""), "{html}");
    assert_eq!(recordings(&site).len(), 1);
}

#[test]
fn the_first_playable_recording_is_used() {
    let fake = b"No film.".as_slice();
    for (name, is_expected) in [("talk.mp4", true), ("talk.aac", true), ("talk.txt", false)] {
        let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.WAV", &wav(9)), (name, fake)]);
        let run = site.run(&["build"]);
        assert!(page(&site).contains("type=\"audio/wav\""), "{name}: {}", run.stderr);
        let place = format!("content/{name}");
        assert_eq!(has_warning(&run.stderr, "refused-recording", &place), is_expected, "{name}");
    }
}

#[test]
fn front_matter_a_header_and_a_rule_can_name_the_recording() {
    let with = |text: &str| SiteTest::new().file("content/a/talk.vtt", text);
    let front = format!("---\nmedia: ../sound/one.wav\n---\n{TALK}");
    let head = TALK.replace("Language: en\n", "Language: en\nMedia: ../sound/one.wav\n");
    let note = TALK.replace("\n\n00:00:01", "\n\nNOTE media: ../sound/one.wav\n\n00:00:01");
    for text in [front, head, note] {
        let site = with(&text).file("content/sound/one.wav", wav(100));
        site.build(0);
        assert!(page(&site).contains("<audio"), "{text}");
        assert!(!page(&site).contains("sound/one"), "{text}");
    }
    for (media, name) in [("sound/one.wav", "sound/one.wav"), ("b/{stem}.wav", "b/talk.wav")] {
        let rule = format!("{BASE}[[source]]\nfiles = 'a'\nmedia = '{media}'\n");
        let site = with(TALK).file("site.toml", rule);
        let site = site.file(&format!("content/{name}"), wav(100));
        site.build(0);
        assert!(page(&site).contains("<audio"), "{media}");
    }
}

#[cfg(unix)]
#[test]
fn transcript_names_may_contain_url_characters() {
    for stem in ["Episode #3", "Talk: one", "Why not?", "100%25 mill"] {
        let rule = format!("{BASE}[[source]]\nfiles = '*.vtt'\nmedia = 'cut/{{stem}}.wav'\n");
        let site = site(&[
            (&format!("{stem}.vtt"), TALK.as_bytes()),
            (&format!("cut/{stem}.wav"), &wav(100)),
        ]);
        let site = site.file("site.toml", rule);
        site.build(0);
        assert!(page(&site).contains("<audio"), "{stem}");
    }
}

#[test]
fn a_remote_recording_needs_an_allowed_host() {
    let text = format!("---\nmedia: https://media.example.org/a/talk.mp3?v=1\n---\n{TALK}");
    let rule = "[services]\nallow = [{ host = '*.example.org', for = ['media'] }]\n";
    let site = SiteTest::new().file("content/talk.vtt", &text);
    let run = site.build(0);
    assert!(
        has_warning(&run.stderr, "refused-recording", "content/talk.vtt:2:8"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("for = [\"media\"]"), "{}", run.stderr);
    assert_no_recording(&site);
    site.write("site.toml", format!("{BASE}{rule}"));
    site.build(0);
    let html = page(&site);
    for part in [
        "<audio controls preload=\"none\"",
        "<source src=\"https://media.example.org/a/talk.mp3?v=1\" type=\"audio/mpeg\">",
        "href=\"https://media.example.org/a/talk.mp3?v=1#t=3.25\"",
        "media-src 'self' https://*.example.org;",
        "\"contentUrl\":\"https://media.example.org/a/talk.mp3?v=1\"",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(site.page("c/", ".vtt").contains("<v Wren>"));
}

#[test]
fn invalid_recordings_are_reported_with_their_position() {
    for (media, code) in [
        ("javascript:alert(1)", "refused-recording"),
        ("data:audio/wav;base64,AAAA", "refused-recording"),
        ("http://media.example.org/a.mp3", "refused-recording"),
        ("//media.example.org/a.mp3", "refused-recording"),
        ("https://ada@media.example.org/a.mp3", "refused-recording"),
        ("https://media.example.org/play", "refused-recording"),
        ("notes.txt", "refused-recording"),
        ("fake.mp3", "refused-recording"),
        ("hidden/talk.wav", "refused-recording"),
        ("gone.mp3", "missing-recording"),
        ("folder.mp3", "missing-recording"),
        ("../outside.wav", "missing-recording"),
        ("/etc/passwd", "missing-recording"),
        ("../../../../etc/passwd", "missing-recording"),
    ] {
        let rules = "[services]\nallow = [{ host = 'media.example.org', for = ['media'] }]\n\
                     [[source]]\nfiles = 'hidden'\nvisibility = 'private'\n";
        let site = SiteTest::new()
            .file("site.toml", format!("{BASE}{rules}"))
            .file("content/talk.vtt", format!("---\nmedia: '{media}'\n---\n{TALK}"))
            .file("content/notes.txt", "A list of eels.")
            .file("content/fake.mp3", "No sound.")
            .file("content/hidden/talk.wav", wav(100))
            .file("content/folder.mp3/talk.wav", wav(100))
            .file("outside.wav", wav(100));
        let run = site.run(&["build"]);
        let is_reported = has_warning(&run.stderr, code, "content/talk.vtt:2:9");
        assert!(is_reported, "{media}: {}", run.stderr);
        assert_no_recording(&site);
    }
}

#[test]
fn a_wrong_rule_is_reported_in_site_toml() {
    let rule = format!("{BASE}[[source]]\nfiles = 'talk.vtt'\nmedia = 'gone.wav'\n");
    let site = site(&[("talk.vtt", TALK.as_bytes())]).file("site.toml", rule);
    let run = site.build(0);
    assert!(has_warning(&run.stderr, "missing-recording", "site.toml:4:9"), "{}", run.stderr);
    assert_no_recording(&site);
}

#[test]
fn a_folder_is_not_a_recording() {
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav/note.txt", b"Nothing.")]);
    site.run(&["build"]);
    assert_no_recording(&site);
}

#[cfg(unix)]
#[test]
fn a_link_beside_a_transcript_is_not_followed() {
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::write(outside.path().join("secret.wav"), wav(100)).expect("written");
    let site = site(&[("talk.vtt", TALK.as_bytes())]);
    std::os::unix::fs::symlink(outside.path().join("secret.wav"), site.path("content/talk.wav"))
        .expect("a link");
    site.run(&["build"]);
    assert_no_recording(&site);
}

#[test]
fn recordings_are_published_once_their_speakers_are_named() {
    let text = TALK.replace("Wren", "SPEAKER_00");
    let rule = format!("{BASE}[people.\"Wren Moss\"]\nnames = ['SPEAKER_00']\n");
    let site = site(&[("talk.vtt", text.as_bytes()), ("talk.wav", &wav(100))]);
    let site = site.file("site.toml", rule);
    site.build(0);
    assert!(page(&site).contains("<audio"));
    assert!(site.page("c/", ".vtt").contains("<v Wren Moss>"));
}

/// A call whose recording is on another host.
const CALL: &str = r#"{"vcon": "0.3.0", "uuid": "018f0000-0000-8000-8000-000000000001", "created_at": "2026-01-02T10:00:00Z",
    "parties": [{"name": "Ada"}, {"name": "Wren"}],
    "dialog": [{"type": "recording", "start": "2026-01-02T10:00:00Z", "parties": [0, 1], "mediatype": "audio/mpeg",
        "url": "https://media.example.org/call.mp3"}],
    "analysis": [ANALYSIS]}"#;

#[test]
fn the_recording_of_a_call_without_times_is_a_link() {
    let allow = format!("{BASE}[services]\nallow = ['media.example.org']\n");
    let call = "https://media.example.org/call.mp3";
    let transcript = r#"{"type": "transcript", "dialog": 0, "body": [
        {"parties": 0, "start": 1.5, "text": "Hello."}, {"parties": 1, "start": 4, "text": "Who?"}]}"#;
    for (analysis, config, is_played) in
        [("", allow.as_str(), false), (transcript, allow.as_str(), true), (transcript, BASE, false)]
    {
        let text = CALL.replace("ANALYSIS", analysis);
        let site = site(&[("call.vcon", text.as_bytes())]).file("site.toml", config);
        site.run(&["build"]);
        let html = page(&site);
        assert!(html.contains(call), "{html}");
        assert_eq!(html.contains("<audio"), is_played, "{config}{analysis}");
        assert_eq!(html.contains(&format!("{call}#t=4")), is_played);
    }
}

#[test]
fn two_versions_of_a_call_have_the_newer_recording() {
    let transcript = |second: &str| {
        let body = format!(
            r#"{{"type": "transcript", "dialog": 0, "body": [
            {{"parties": 0, "start": 1.5, "text": "Hello."}}, {second}]}}"#
        );
        CALL.replace("ANALYSIS", &body)
    };
    let old = transcript(r#"{"parties": 1, "start": 4, "text": "Who?"}"#);
    let new = transcript(r#"{"parties": 1, "start": 5, "text": "Who is there?"}"#)
        .replace("\"parties\": [{", "\"updated_at\": \"2026-02-03T10:00:00Z\", \"parties\": [{");
    let rule = "[[source]]\nfiles = '*'\nmedia = 'cut.wav'\npodcast = true\n";
    let site =
        site(&[("1.vcon", old.as_bytes()), ("2.vcon", new.as_bytes()), ("cut.wav", &wav(100))]);
    let site = site.file("site.toml", format!("{BASE}{rule}"));
    let run = site.build(0);
    assert!(run.stderr.contains("hint[merged]"), "{}", run.stderr);
    let html = page(&site);
    assert!(html.contains("Who is there?") && html.contains("<audio"), "{html}");
    assert!(site.output().contains_key("podcast.xml"));
}

#[test]
fn captions_contain_the_replaced_names() {
    let cues = [
        ("01.000", "04.000", "I asked Bo about the weir and the old watermill."),
        ("05.000", "05.400", "Yes."),
        ("06.500", "09.000", "Nobody else was there that evening, he said."),
    ];
    let cue = |(from, to, text)| format!("00:00:{from} --> 00:00:{to}\n<v Ada>{text}\n\n");
    let text = format!("WEBVTT\n\n{}", cues.map(cue).concat());
    let people = "[people.\"Bo\"]\npseudonym = true\nas = 'Heron Tavemor'\n";
    let rule = "[[source]]\nfiles = '*.vtt'\nmedia = 'talk.wav'\n";
    let site = site(&[("talk.vtt", text.as_bytes()), ("talk.wav", &wav(9000))]);
    let site = site.file("site.toml", format!("{BASE}{people}{rule}"));
    site.build(0);
    assert_eq!(
        site.page("c/", ".vtt"),
        "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n\
         <v Ada>I asked Heron Tavemor about the weir and the old watermill.\n\n\
         00:00:06.500 --> 00:00:09.000\n\
         <v Ada>Yes. Nobody else was there that evening, he said.\n"
    );
}

#[test]
fn markdown_with_times_has_captions_too() {
    let text = "---\ndate: 2026-01-02\nlanguage: de\n---\n\n**[00:01] Ada:** Guten **Abend** aus \
                der Mühle.\n\n**[00:09] Wren:** `x < y`\n";
    let site = site(&[("talk.md", text.as_bytes()), ("talk.wav", &wav(12_000))]);
    site.build(0);
    assert_eq!(
        site.page("c/", ".vtt"),
        "WEBVTT\n\n00:00:01.000 --> 00:00:09.000\n<v Ada>Guten Abend aus der Mühle.\n\n\
         00:00:09.000 --> 00:00:12.000\n<v Wren>x &lt; y\n"
    );
    let html = page(&site);
    assert!(html.contains("srclang=\"de\" label=\"Deutsch\""), "{html}");
    // Without times, there is a player, but no synchronized text.
    let site = self::site(&[
        ("talk.md", b"**Ada:** Hello.\n\n**Wren:** Hello.\n"),
        ("talk.wav", &wav(100)),
    ]);
    site.build(0);
    let html = page(&site);
    assert!(html.contains("<audio") && !html.contains("<track"), "{html}");
}

#[test]
fn search_engines_get_the_metadata_of_a_recording() {
    let text = format!("---\ntitle: The wheel\ndate: 2026-01-02\n---\n{TALK}");
    let site = site(&[("talk.vtt", text.as_bytes()), ("talk.wav", &wav(4000))]);
    site.build(0);
    let html = page(&site);
    let (_, data) = html.split_once("<script type=\"application/ld+json\">").expect("JSON-LD");
    let (data, _) = data.split_once("</script>").expect("an end");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let graph = data["@graph"].as_array().expect("a graph");
    let of = |kind: &str| graph.iter().find(|node| node["@type"] == kind).expect("a node");
    let audio = of("AudioObject");
    let [stored] = recordings(&site).try_into().expect("one");
    assert_eq!(audio["contentUrl"], format!("https://site.example/base/{stored}"));
    assert_eq!(audio["encodingFormat"], "audio/wav");
    assert_eq!(audio["duration"], "PT4S");
    assert_eq!(audio["name"], "The wheel");
    assert_eq!(audio["uploadDate"], "2026-01-02");
    let transcript = audio["transcript"].as_str().expect("an address");
    assert!(transcript.starts_with("https://site.example/base/c/"), "{transcript}");
    assert_eq!(audio["caption"]["encodingFormat"], "text/vtt");
    let is_article = |node: &&serde_json::Value| node["@type"][0] == "Article";
    let article = graph.iter().find(is_article).expect("an article");
    assert_eq!(article["audio"]["@id"], audio["@id"]);
}

/// The text of the first element with this name.
fn element<'a>(xml: &'a str, name: &str) -> &'a str {
    let (_, rest) = xml.split_once(&format!("<{name}>")).unwrap_or_else(|| panic!("{name}: {xml}"));
    rest.split_once("</").expect("an end").0
}

#[test]
fn episodes_form_a_podcast() {
    let talk = |title: &str, day: &str| format!("---\ntitle: {title}\ndate: {day}\n---\n{TALK}");
    let config = format!(
        "{BASE}title = 'Mill & Moon'\nlanguage = 'en'\nauthor = 'Ada'\n\
         menu = [{{ title = 'Subscribe', url = '/podcast.xml' }}]\n[podcast]\n\
         description = 'Talks <live>'\ncategory = 'History'\n[services]\nallow = ['media.example.org']\n\
         [[source]]\nfiles = 'episodes/far.vtt'\nmedia = 'https://media.example.org/{{stem}}.m4a'\n\
         podcast = true\n[[source]]\nfiles = 'episodes'\npodcast = true\n"
    );
    let site = SiteTest::new()
        .file("site.toml", config)
        .file("content/episodes/near.vtt", talk("Near", "2026-01-03T18:00:00Z"))
        .file("content/episodes/near.wav", wav(61_500))
        .file("content/episodes/far.vtt", talk("Far", "2026-01-02"))
        .file("content/episodes/mute.vtt", talk("Mute", "2026-01-01"))
        .file("content/episodes/_index.md", "---\ntitle: Show\n---\nAll episodes.\n")
        .file("content/other.vtt", talk("Other", "2026-01-04"))
        .file("content/other.wav", wav(100));
    let run = site.build(0);
    let mute = "content/episodes/mute.vtt";
    assert!(has_warning(&run.stderr, "incomplete-podcast", mute), "{}", run.stderr);
    assert!(run.stderr.contains("`image`"), "{}", run.stderr);
    let feed = site.page("podcast", ".xml");
    assert_eq!(element(&feed, "title"), "Mill &amp; Moon");
    assert_eq!(element(&feed, "description"), "Talks &lt;live&gt;");
    assert_eq!(element(&feed, "language"), "en");
    assert_eq!(element(&feed, "itunes:author"), "Ada");
    assert_eq!(element(&feed, "itunes:explicit"), "false");
    assert!(feed.contains("<itunes:category text=\"History\"/>"));
    let items: Vec<&str> = feed.split("<item>").skip(1).collect();
    let [near, far] = items.try_into().unwrap_or_else(|_| panic!("{feed}"));
    assert_eq!(element(near, "title"), "Near");
    assert_eq!(element(near, "pubDate"), "Sat, 03 Jan 2026 18:00:00 +0000");
    assert_eq!(element(near, "itunes:duration"), "62");
    assert!(near.contains("<guid isPermaLink=\"false\">urn:uuid:"));
    let length = format!("length=\"{}\" type=\"audio/wav\"", wav(61_500).len());
    assert!(
        near.contains("<enclosure url=\"https://site.example/base/media/")
            && near.contains(&length)
    );
    assert!(near.contains("/captions.vtt\" type=\"text/vtt\" language=\"en\" rel=\"captions\"/>"));
    // No request to another host finds out the length of a file.
    let enclosure =
        "<enclosure url=\"https://media.example.org/far.m4a\" length=\"0\" type=\"audio/mp4\"/>";
    assert!(far.contains(enclosure), "{far}");
    let home = site.page("index", ".html");
    assert!(home.contains(
        "<link rel=\"alternate\" type=\"application/rss+xml\" title=\"Mill &amp; Moon\" \
         href=\"/base/podcast.xml\">"
    ));
    assert!(home.contains("<a href=\"/base/podcast.xml\">Subscribe</a>"), "{home}");
    // Readers see a link where the other feeds are linked.
    let link = "<a href=\"/base/podcast.xml\">Podcast feed</a>";
    let pages = site.output().into_iter().filter(|(path, _)| path.ends_with("index.html"));
    for (path, page) in pages {
        assert!(String::from_utf8_lossy(&page).contains(link), "{path}");
    }
}

#[test]
fn a_podcast_has_a_valid_category() {
    for (category, expected, written) in [
        ("History", "", "<itunes:category text=\"History\"/>"),
        (
            "Books",
            "",
            "<itunes:category text=\"Arts\"><itunes:category text=\"Books\"/></itunes:category>",
        ),
        ("Histroy", "did you mean `History`?", "text=\"Histroy\""),
        ("TV and Film", "did you mean `TV & Film`?", "text=\"TV and Film\""),
        ("Zzyzx", "use a category of Apple Podcasts", "text=\"Zzyzx\""),
    ] {
        let config = format!(
            "{BASE}[podcast]\ncategory = '{category}'\n[[source]]\nfiles = '*'\npodcast = true\n"
        );
        let site = site(&[("near.vtt", TALK.as_bytes()), ("near.wav", &wav(100))]);
        let site = site.file("site.toml", config);
        let stderr = site.build(0).stderr;
        let is_reported = stderr.contains("is not a category of podcast directories");
        assert_eq!(is_reported, !expected.is_empty(), "{category}: {stderr}");
        assert!(stderr.contains(expected), "{category}: {stderr}");
        let feed = site.page("podcast", ".xml");
        assert!(feed.contains(written), "{category}: {feed}");
    }
}

#[test]
fn a_rule_gives_no_recording_to_the_introduction_of_a_collection() {
    let rule = "[[source]]\nfiles = 'show'\nmedia = 'show/{stem}.wav'\npodcast = true\n";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}{rule}"))
        .file("content/show/a.vtt", TALK)
        .file("content/show/a.wav", wav(100))
        .file("content/show/_index.md", "---\ntitle: Show\n---\nAll episodes.\n");
    let stderr = site.build(0).stderr;
    assert!(!stderr.contains("_index"), "{stderr}");
}

#[test]
fn a_podcast_has_a_valid_cover() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1400\" height=\"1400\"/>";
    let config =
        format!("{BASE}[podcast]\nimage = 'cover.svg'\n[[source]]\nfiles = '*'\npodcast = true\n");
    let site = site(&[("near.vtt", TALK.as_bytes()), ("near.wav", &wav(100))]);
    let stderr = site.file("site.toml", config).file("cover.svg", svg).build(0).stderr;
    assert!(stderr.contains("podcast directories do not accept this image"), "{stderr}");
}

#[test]
fn pages_link_the_podcast_from_the_first_episode_on() {
    let rule = "[[source]]\nfiles = 'near.vtt'\npodcast = true\n";
    let site = site(&[("near.vtt", TALK.as_bytes())])
        .file("site.toml", format!("{BASE}{rule}"))
        .file("content/other.md", "**Ada:** Hello.\n\n**Wren:** Hello.\n");
    let links = || {
        let output = site.output();
        let pages = output.iter().filter(|(path, _)| path.ends_with("index.html"));
        let has_link = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("rss+xml");
        pages.map(|(_, bytes)| has_link(bytes)).collect::<Vec<bool>>()
    };
    site.build(0);
    assert!(!links().contains(&true));
    site.write("content/near.wav", wav(100));
    site.build(0);
    assert!(!links().contains(&false));
    std::fs::remove_file(site.path("content/near.wav")).expect("removed");
    site.build(0);
    assert!(!links().contains(&true));
}

#[test]
fn a_site_without_episodes_has_no_podcast() {
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(100))]);
    site.build(0);
    assert!(!site.output().contains_key("podcast.xml"));
    assert!(!page(&site).contains("rss+xml"));
}

#[test]
fn a_changed_recording_is_published_again() {
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &wav(100))]);
    site.build(0);
    let before = recordings(&site);
    site.build(0);
    assert_eq!(recordings(&site), before);
    site.write("content/talk.wav", wav(200));
    site.build(0);
    let after = recordings(&site);
    assert!(after != before && after.len() == 1, "{after:?}");
    std::fs::remove_file(site.path("content/talk.wav")).expect("removed");
    site.build(0);
    assert_no_recording(&site);
}

#[test]
fn a_recording_too_large_for_a_host_is_reported() {
    let mut long = wav(100);
    long.resize(26 << 20, 128);
    let config = format!("{BASE}[deploy]\nhost = 'cloudflare-pages'\n");
    let site = site(&[("talk.vtt", TALK.as_bytes()), ("talk.wav", &long)]);
    let site = site.file("site.toml", config);
    site.build(0);
    let run = site.run(&["check", "--publish"]);
    assert!(run.stderr.contains("host-limit"), "{}", run.stderr);
    assert!(!run.stderr.contains("stale-output"), "{}", run.stderr);
}

/// In every format of recorded talk, if the file has no title of its own.
#[test]
fn the_name_of_a_file_gives_title_and_date() {
    for format in ["otter", "podcast-transcript", "srt", "webvtt", "whisper"] {
        let inputs = crate::formats::inputs().into_iter();
        let inputs =
            inputs.filter(|input| crate::formats::format_of(input) == format && input.is_file());
        let named = inputs.filter(|input| {
            let bytes = std::fs::read(input).expect("readable");
            let ending = input.extension().expect("an ending").to_string_lossy();
            let name = format!("talks/2026-03-04-the-tide-mill.{ending}");
            let (read, _) = convo_site::formats::read(&name, &bytes);
            let [read] = read.as_slice() else { return false };
            let day = read.time.as_ref().map(|time| time.day());
            read.title.as_deref() == Some("The tide mill") && day.as_deref() == Some("2026-03-04")
        });
        assert!(named.count() > 0, "{format}");
    }
}

/// Spoken words may contain arrows; a line with times may have another arrow than it should.
#[test]
fn a_line_of_a_caption_is_a_timing_if_it_begins_with_a_time() {
    let cues = [
        ("00:00:01,000 --> 00:00:03,000", "type\nmake --> install"),
        ("00:00:04,000 -> 00:00:05,000", "A --> B means implies."),
        ("00：00：06,000 –> 00：00：07,000", "At 10:30 --> out."),
        ("00:00:08,000 → 00:00:09,000", "1 -> 2"),
    ];
    for ending in ["srt", "vtt"] {
        let rows =
            cues.iter().zip(1..).map(|((times, words), n)| format!("{n}\n{times}\n{words}\n\n"));
        let head = if ending == "vtt" { "WEBVTT\n\n" } else { "" };
        let text = format!("{head}{}", rows.collect::<String>());
        let (read, notes) = formats::read(&format!("a.{ending}"), text.as_bytes());
        assert!(notes.is_empty(), "{ending}: {notes:?}");
        let all: String = read[0].turns.iter().map(|turn| turn.text()).collect();
        for words in ["make --\\> install", "A --\\> B", "10:30 --\\> out", "1 -\\> 2"] {
            assert!(all.contains(words), "{ending}, {words}: {all}");
        }
        assert!(!all.contains("00:0"), "{ending}: {all}");
    }
}
