//! Markdown and text that programs export: nothing is lost, and what belongs to others is not shown.

use convo_site::formats;

use crate::support::{BASE, SiteTest};

const OPENCODE: &str = "# T\n\n**Session ID:** ses_1\n\n---\n\n## User\n\nWhy?\n\n---\n\n## Assistant (Build · m · 1s)\n\n";
const ZED: &str = "## User\n\nWhy?\n\n## Assistant\n\nI look.\n\n";
const EXTRACTOR: &str =
    "# Claude Conversation Log\n\n---\n\n## 👤 User\n\nWhy?\n\n---\n\n## 🤖 Claude\n\n";
const SHARE: &str = "# 🤖 Copilot CLI Session\n\n---\n\n### 👤 User\n\nWhy?\n\n---\n\n### 💬 Copilot\n\nI look.\n\n---\n\n";

/// The first turns of a text, as Markdown.
fn turns(text: &str) -> Vec<String> {
    let (read, notes) = formats::read("a.md", text.as_bytes());
    assert_eq!(read.len(), 1, "{text}\n{notes:?}");
    read[0].turns.iter().map(|turn| turn.text()).collect()
}

#[test]
fn words_are_not_lost() {
    for (text, expected) in [
        // A log that somebody pasted.
        (
            "# T\n\n## Prompt:\n2026-03-04 10:00:00 ERROR gate\nWhy?\n\n## Response:\nYes.\n\n---\nPowered by [ChatGPT Exporter](https://a.example)\n".to_owned(),
            "2026-03-04 10:00:00 ERROR gate",
        ),
        (OPENCODE.replace("Why?", "4/29/2025 15:08\nWhy?"), "4/29/2025 15:08"),
        (ZED.replace("I look.", "<think>a</think>I look.") + "**Tool Call: Read file `a`**\n", "I look."),
        (ZED.replace("I look.", "<think>\na\n</think> I look.") + "**Tool Call: Read file `a`**\n", "I look."),
        (format!("{EXTRACTOR}🔧 Using tool: Read\nInput: {{\"a\": 1}}\n\nI look.\n\n---\n"), "I look."),
        (format!("{EXTRACTOR}🔧 Using tool: Read\nInput: {{\"a\": 1}} more\n\n---\n"), "more"),
        (format!("{SHARE}### ✅ `view`\n\nplain output\n\n---\n"), "plain output"),
        (format!("{OPENCODE}**Tool: read**\n\n**Input:**\nplain input\n\nI look.\n\n---\n"), "plain input"),
        ("From: the miller\n\n# you asked\n\nWhy?\n\n---\n\n# chatgpt response\n\nYes.\n".to_owned(), "Yes."),
    ] {
        let all = turns(&text).join("\n");
        assert!(all.contains(expected), "{expected}: {text}\n{all}");
    }
    let text = "From: the miller\n\n# you asked\n\nWhy?\n\n---\n\n# chatgpt response\n\nYes.\n";
    let (read, _) = formats::read("a.md", text.as_bytes());
    assert_eq!(read[0].preface, "From: the miller");
}

/// What a tool of a third party was asked and returned, however it is written.
#[test]
fn calls_of_third_parties_are_not_shown_in_any_form() {
    let texts = [
        format!(
            "{OPENCODE}**Tool: garden_water**\n\n**Input:**\nquuxa\n\n**Output:**\nquuxb\n\nYes.\n\n---\n"
        ),
        format!(
            "{OPENCODE}**Tool: garden_water**\n\n**Metadata:**\n```\nquuxa\n```\n\nYes.\n\n---\n"
        ),
        format!(
            "{ZED}**Tool Call: Water the garden `quuxa`**\nStatus: Completed\n\nquuxb\n\nquuxc\n"
        ),
        format!("{EXTRACTOR}🔧 Using tool: mcp__garden__water\nParameters: quuxa\nquuxb\n\n---\n"),
        format!("{EXTRACTOR}🔧 Using tool: mcp__garden__water\nInput: {{\"a\": 1}} quuxa\n\n---\n"),
        format!("{SHARE}### ✅ `mcp__garden__water`\n\nquuxa\n\n---\n"),
    ];
    let site = SiteTest::new().file("site.toml", BASE);
    for (number, text) in texts.iter().enumerate() {
        site.write(&format!("content/{number}.md"), text);
    }
    site.build(0);
    let pages = site
        .output()
        .values()
        .fold(String::new(), |all, bytes| all + &String::from_utf8_lossy(bytes));
    for word in ["quuxa", "quuxb", "quuxc"] {
        assert!(!pages.contains(word), "{word}");
    }
    assert!(pages.contains("Yes."));
}

/// Each entry of `llm logs` has its own model.
#[test]
fn models_belong_to_their_entries() {
    let entry = |id: usize, model: &str| {
        format!(
            "# 2024-09-10T20:05:33    conversation: c id: i{id}\n\n{model}\n\n## Prompt\n\nWhy?\n\n## Response\n\nYes.\n\n"
        )
    };
    let text =
        entry(1, "Model: **a**") + &entry(2, "") + &entry(3, "Model: **b** (resolved: **b-1**)");
    let (read, _) = formats::read("a.md", text.as_bytes());
    let models = read[0].turns.iter().filter(|turn| turn.speaker == "Assistant");
    let models: Vec<Option<&str>> =
        models.map(|turn| turn.usage.as_ref()?.model.as_deref()).collect();
    assert_eq!(models, [Some("a"), None, Some("b")]);
}

#[test]
fn times_that_cannot_be_read_are_reported() {
    for (file, time, expected) in [
        ("a.md", "31/31/2025 99:99", "bad-time"),
        ("a.md", "8/6/2026 10:00", "ambiguous-dates"),
        ("a.dmy.md", "8/6/2026 10:00", ""),
        ("a.md", "8/6/2026, 10:00:00 AM", ""),
        ("a.md", "28/6/2026 10:00", ""),
    ] {
        let text = format!(
            "{}Yes.\n\n---\n",
            OPENCODE.replace("ses_1", &format!("ses_1\n**Created:** {time}"))
        );
        let (read, notes) = formats::read(file, text.as_bytes());
        let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
        let expected: Vec<&str> =
            Some(expected).filter(|code| !code.is_empty()).into_iter().collect();
        assert_eq!(codes, expected, "{file}, {time}: {notes:?}");
        assert_eq!(read[0].time.is_some(), expected.is_empty(), "{file}, {time}");
    }
}

#[test]
fn accounts_are_not_published() {
    for row in ["User", "Account", "Email", "E-mail", "Exported by"] {
        let text = format!(
            "{}Yes.\n\n---\n",
            OPENCODE.replace("ses_1", &format!("ses_1\n**{row}:** Ada (ada@mill.example)"))
        );
        let (read, notes) = formats::read("a.md", text.as_bytes());
        assert!(notes.iter().any(|note| note.code == "account-data"), "{row}: {notes:?}");
        assert!(!format!("{:?}", read[0]).contains("ada@mill"), "{row}");
    }
}
