//! Chats and channels of people: what holds them back, what opens them, and where they are cut.

use crate::support::SiteTest;

const CHAT: &str = "\
13/3/26, 18:04 - Wren Achterberg: Who has the watch? Call +44 7700 900123.
13/3/26, 18:05 - Tomas Quill: Me. Ask Wren Achterberg for the key.
13/3/26, 23:30 - Wren Achterberg: Still there?
14/3/26, 07:00 - Tomas Quill: The night is over.
";

fn site(config: &str) -> SiteTest {
    let site = SiteTest::new();
    site.write("site.toml", format!("base_url = \"https://example.org/\"\n{config}"));
    site.write("content/WhatsApp Chat with The night watch.txt", CHAT);
    site
}

fn pages(site: &SiteTest) -> String {
    let files = site.output();
    let texts = files.iter().filter(|(name, _)| !name.ends_with(".woff2"));
    texts
        .map(|(name, bytes)| format!("{name}\n{}", String::from_utf8_lossy(bytes)))
        .collect()
}

#[test]
fn a_chat_is_held_back_until_a_rule_opens_it() {
    let site = site("");
    let ran = site.run(&["build"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("hint[confidential]"), "{}", ran.stderr);
    assert!(ran.stderr.contains("visibility = \"public\""), "{}", ran.stderr);
    let pages = pages(&site);
    for private in ["Quill", "watch", "Achterberg", "soup"] {
        assert!(!pages.contains(private), "{private}");
    }
}

#[test]
fn who_wrote_in_an_opened_chat_gets_a_made_up_name_and_numbers_are_redacted() {
    let opened = "[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let site = site(opened);
    let ran = site.run(&["build"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let made_up = pages(&site);
    for private in ["Quill", "Achterberg", "900123", "7700"] {
        assert!(!made_up.contains(private), "{private}");
    }
    assert!(made_up.contains("The night is over."));
    let site = self::site(&format!("{opened}[people]\nothers = \"keep\"\n"));
    let ran = site.run(&["build"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let kept = pages(&site);
    assert!(kept.contains("Tomas Quill") && !kept.contains("900123"));
}

#[test]
fn a_chat_is_cut_where_nobody_wrote_and_as_its_rule_says() {
    let opened = "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    for (split, count) in [
        ("", 2),
        ("split = \"day\"\n", 2),
        ("split = \"whole\"\n", 1),
        ("split = \"pause:2h\"\n", 3),
    ] {
        let site = site(&format!("{opened}{split}"));
        let ran = site.run(&["build"]);
        assert_eq!(ran.code, Some(0), "{split}: {}", ran.stderr);
        let files = site.output();
        let is_page =
            |name: &&String| name.starts_with("c/") && name.ends_with("/index.html");
        let found: Vec<&String> = files.keys().filter(is_page).collect();
        assert_eq!(found.len(), count, "{split}: {found:?}");
    }
    let wrong = site("[[source]]\nfiles = \"*\"\nsplit = \"week\"\n");
    let ran = wrong.run(&["build"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("pause:6h"), "{}", ran.stderr);
}

#[test]
fn a_later_export_keeps_the_addresses_of_pieces() {
    let config = "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    let site = site(config);
    site.run(&["build"]);
    let before: Vec<String> = site.output().into_keys().collect();
    let more = format!(
        "{CHAT}14/3/26, 07:02 - Wren Achterberg: At last.\n15/3/26, 20:00 - Tomas Quill: Again.\n"
    );
    site.write("content/WhatsApp Chat with The night watch.txt", more);
    let ran = site.run(&["build"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let after = site.output();
    let pages =
        before.iter().filter(|name| name.starts_with("c/") && name.ends_with(".html"));
    for page in pages {
        assert!(after.contains_key(page), "{page}");
    }
}

#[test]
fn the_name_of_a_file_says_which_number_is_the_day() {
    let config = "[people]\nothers = \"keep\"\n[[source]]\nfiles = \"*\"\nvisibility = \"public\"\n";
    for (name, day) in [("Chat.dmy.txt", "2026-04-03"), ("Chat.mdy.txt", "2026-03-04")] {
        let site = SiteTest::new();
        site.write("site.toml", config);
        let chat = "3/4/26, 18:20 - Wren: Which day?\n3/4/26, 18:21 - Oriel: This one.\n";
        site.write(&format!("content/{name}"), chat);
        let ran = site.run(&["build"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(!ran.stderr.contains("ambiguous-dates"), "{}", ran.stderr);
        assert!(pages(&site).contains(day), "{name}");
    }
}
