//! Sites from chat applications: what no page may contain, and what every page must.

use std::fs;

use convo_site::formats::{self, Input};

use crate::support::{BASE, SiteTest, project};

/// Marks everything in the fixtures that nobody may read.
const MARK: &str = "zyzzyva";

/// A case of a format, the name of its file, and words that must be published.
type Case = (&'static str, &'static str, &'static [&'static str]);

const CASES: [Case; 10] = [
    (
        "open-webui/rich",
        "input.json",
        &[
            "A hinge sings when it is dry.",
            "440 Hz, an A",
            "Lanolin.",
            "No &amp; no.",
            "from sheep",
            "drip",
            "Three drops.",
            "The model is asleep.",
            "Graphite first, lanolin second.",
            "Sheep it is.",
            "Bees, mostly.",
            "https://hinges.example.org/oil",
        ],
    ),
    (
        "deepseek/rich",
        "input.json",
        &[
            "They are lost.", "They steer by the sky", "Moths at lamps", "Lanterns less.",
            "Three balls.",
        ],
    ),
    (
        "deepseek/api",
        "input.json",
        &["Bubbles that lose heart.", "A hole and a hurry.", "Steam in a hurry"],
    ),
    (
        "grok/rich",
        "input.json",
        &[
            "As deep as your boots.", "Measured in fingers.", "splash", "Mind the third.",
            "As a plate.",
        ],
    ),
    (
        "librechat/rich",
        "input.json",
        &["Yeast breathes.", "Or is it soda?", "800 g", "The oven was off.", "It does not sleep."],
    ),
    (
        "lm-studio/rich",
        "input.json",
        &[
            "Too thick.", "Ask the horn.", "two echoes", "And haze?", "Mist is thin.",
            "fog bank.png",
        ],
    ),
    (
        "sillytavern/rich",
        "input.jsonl",
        &["Halt!", "Who goes?", "Be strict.", "A ghost may say this.", "Miaow."],
    ),
    (
        "le-chat/rich",
        "input.json",
        &["Think of a hive.", "of sisters.", "Six sides.", "Another chat?"],
    ),
    (
        "vcon/rich",
        "input.vcon",
        &[
            "The café has it, I think.", "kite.png", "<strong>red</strong>", "no answer",
            "Lost and found.", "My kite is gone. It is red.", "I saw it.", "Customer", "Agent",
            "Speaker 4",
        ],
    ),
    ("vcon/signed", "input.vcon", &["Is this signed?", "It is.", "Caller", "Host"]),
];

fn text_of(case: &str, file: &str) -> Vec<u8> {
    fs::read(project().join("tests/formats").join(case).join(file)).expect("a case")
}

#[test]
fn private_parts_of_chats_are_not_published_and_the_rest_is() {
    for (case, file, words) in CASES {
        // Unknown servers: Open WebUI lists their tools like its own.
        let opened = format!("{BASE}open_servers = ['measure', 'lookup', 'harbour']\n");
        let site = SiteTest::new()
            .file("site.toml", opened)
            .file(&format!("content/{file}"), text_of(case, file));
        let run = site.run(&["build"]);
        assert_eq!(run.code, Some(0), "{case}: {}", run.stderr);
        let output = site.output();
        let mut pages = String::new();
        for (path, bytes) in &output {
            let text = String::from_utf8_lossy(bytes);
            let lower = text.to_lowercase();
            assert!(!path.contains(MARK) && !lower.contains(MARK), "{case}: {path}");
            if path.starts_with("c/") && path.ends_with(".html") {
                pages.push_str(&text);
            }
        }
        for words in words {
            assert!(pages.contains(words), "{case}: {words}");
        }
    }
}

/// Every message of a tree is read, however deeply it is nested.
#[test]
fn a_deeply_nested_tree_is_read_completely() {
    let bytes = text_of("librechat/deep", "input.json");
    let name = "input.json".to_owned();
    let input = Input { path: name.clone(), name, bytes, first_line: 1, is_continued: false };
    let (_, read, notes) = formats::parse(None, vec![input], &formats::OpenServers::default());
    assert!(notes.is_empty(), "{notes:?}");
    let turns: Vec<String> = read[0].turns.iter().map(|turn| turn.text()).collect();
    let expected: Vec<String> = (1..=300).map(|n| format!("Step {n}.")).collect();
    assert_eq!(turns, expected);
    let lines: Vec<u32> = read[0].turns.iter().map(|turn| turn.place.line).collect();
    assert_eq!(lines, (2..=301).collect::<Vec<u32>>());
}
