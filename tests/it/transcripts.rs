//! Markdown: which files are transcripts, and which only contain bold type.

use convo_site::formats;

use crate::support::SiteTest;
use crate::support::linear_time::{check_linear, timed};

/// The result for a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// Read as a transcript.
    Read,
    /// Not read; the author is told how to mark it as a transcript.
    Told,
    /// Ignored.
    Left,
}

use Fate::{Left, Read, Told};

const FILES: &[(Fate, &str, &str)] = &[
    // Conversations.
    (Read, "a preface", "Intro.\n\n**Ada:** Hello.\n\n**Wren:** Hi."),
    (Read, "a picture first", "![the pond](pond.png)\n\n**Ada:** Hello.\n\n**Wren:** Hi."),
    (Read, "a comment first", "<!-- draft 2 -->\n\n**Ada:** Hello.\n\n**Wren:** Hi."),
    (Read, "a time first", "\\[00:18\\]\n\n**Ada:** Hello.\n\n**Wren:** Hi."),
    (
        Read,
        "a list of guests first",
        "# Pond\n\nGuests:\n\n- Ada\n- Wren\n\n**Ada:** Hello, Wren.\n\n**Wren:** Hi.",
    ),
    (
        Read,
        "all of these first",
        "![The pond](pond.png)\n\n<!-- checked twice -->\n\nRecorded by the water.\n\n\\[00:18\\]\n\n**Oskar:** Did you see the heron?\n\n**Lena:** I did.",
    ),
    (Read, "two who greet", "**Ada:** Hello.\n\n**Wren:** Hi."),
    (
        Read,
        "a question and an answer",
        "**Oskar:** Did you see the heron?\n\n**Lena:** It stood in the reeds.",
    ),
    (Read, "one who talks on", "**Oskar:** I talk.\n\n**Oskar:** And talk."),
    (Read, "a monologue with times", "**Oskar:** \\[00:00\\] The pond lay still."),
    (Read, "a monologue with a time in its name", "**Oskar (00:00:04):** The pond lay still."),
    (
        Read,
        "a monologue that conv2md wrote",
        "---\ntitle: Pond\nsource: pond.json\n---\n\n**Oskar:** The pond lay still.",
    ),
    (
        Read,
        "a monologue whose speaker is named",
        "---\ntitle: Pond\nspeakers: [Oskar]\n---\n\n**Oskar:** The pond lay still.",
    ),
    (Read, "a monologue of a type", "---\ntype: interview\n---\n\n**Oskar:** The pond lay still."),
    (Read, "what conv2md writes", "**Speaker:** Message content\n\n**Speaker:** Message content"),
    (
        Read,
        "a model and its user",
        "**User:** Write a haiku.\n\n**Assistant:** Still pond. The heron waits.",
    ),
    (
        Read,
        "names that come back",
        "**Ada:** The pond.\n\n**Wren:** The reeds.\n\n**Ada:** The heron.\n\n**Max:** Frogs.\n\n**Ada:** Reeds.\n\n**Wren:** Water.\n\n**Max:** Ice.\n\n**Ada:** Snow.",
    ),
    (
        Read,
        "two in turn",
        "**Ada:** Where is it?\n\n**Wren:** In the reeds.\n\n**Ada:** Since when?\n\n**Wren:** Since noon.",
    ),
    (
        Read,
        "a label in a talk",
        "**Ada:** Where is it?\n\n**Note:** she points.\n\n**Wren:** I see it.\n\n**Ada:** Good.",
    ),
    (
        Read,
        "chapters",
        "# Pond\n\n## Herons\n\n**Ada:** Where is it?\n\n**Wren:** There.\n\n**Ada:** I see.\n\n## Frogs\n\n**Wren:** And these?\n\n**Ada:** Frogs.\n\n**Wren:** So many.",
    ),
    (Read, "colons outside", "**Ada**: Did you sleep?\n\n**Wren**: I did."),
    (
        Read,
        "times without colons",
        "**Cory Fields** 00:37:24\n\nThe pond lay still.\n\n**Ada** 00:38:02\n\nIt did.",
    ),
    (Read, "German", "**Jana:** Hast du den Reiher gesehen?\n\n**Uwe:** Ja, im Schilf."),
    (Read, "French", "**Léa:** Tu as vu le héron ?\n\n**Noé:** Oui, dans les roseaux."),
    (Read, "Spanish", "**Inés:** ¿Viste la garza?\n\n**Luis:** Sí, entre los juncos."),
    (Read, "Russian", "**Лена:** Видел цаплю?\n\n**Олег:** Да, в камышах."),
    (Read, "Chinese", "**李雷:** 你看到苍鹭了吗？\n\n**韩梅梅:** 看到了。"),
    (Read, "Japanese", "**花子:** サギを見ましたか？\n\n**太郎:** はい、見ました。"),
    (Read, "Arabic", "**سلمى:** هل رأيت مالك الحزين؟\n\n**يوسف:** نعم."),
    (Read, "no blank lines", "**Ada:** Where is it?\n**Wren:** There.\n**Ada:** I see."),
    (
        Read,
        "a host and a guest",
        "**Host:** Welcome to the pond.\n\n**Guest:** Thanks for having me.",
    ),
    (
        Read,
        "news read by one",
        "**Jo:** Good evening, I am Jo.\n\n**Jo:** First, the pond is frozen.\n\n**Jo:** Next, the reeds.\n\n**Jo:** That is all.",
    ),
    (
        Read,
        "breaks between",
        "**Jo:** I am Jo.\n\n**Break:**\n\n**Jo:** The pond is frozen.\n\n**Break:**\n\n**Jo:** The reeds stand.\n\n**Break:**\n\n**Jo:** That is all.",
    ),
    (
        Read,
        "clips between",
        "**Jo:** What is new?\n\n**Old film:** Quack.\n\n**Jo:** The ducks.\n\n**A song:** La la.\n\n**Jo:** And the end.",
    ),
    (
        Read,
        "a transcript below its notes",
        "# Pond\n\nA talk by the water about herons, frogs, reeds and the wind.\n\n- [Herons](https://pond.example/)\n\n**Ada:** How long can a heron stand still?\n\n**Wren:** Longer than I can. We once counted forty minutes, and then we went home.\n\n**Ada:** And the frogs?",
    ),
    // Not reported: nothing in these looks like a conversation.
    (
        Left,
        "a manual",
        "# Pond\n\nA tool for ponds.\n\n**Install:** run `npm i pond`.\n\n**Usage:** you can call `pond()`.",
    ),
    (
        Left,
        "a manual that starts with it",
        "**Install:** run `npm i pond`.\n\n**Usage:** you can call `pond()`.",
    ),
    (
        Left,
        "a recipe",
        "# Soup\n\n**Ingredients:** lentils, water.\n\n**Servings:** four.\n\n**Directions:** Boil.",
    ),
    (
        Left,
        "notes in a text",
        "# Soup\n\nBoil the lentils.\n\n**Note:** salt comes last.\n\n**Tip:** keep the lid ajar.\n\n**Note:** stir.",
    ),
    (Left, "one note", "# Soup\n\nBoil the lentils.\n\n**Note:** salt comes last."),
    (
        Left,
        "parameters",
        "## `swim`\n\n**Parameters:** `depth`\n\n**Returns:** the time.\n\n## `fly`\n\n**Parameters:** `height`\n\n**Returns:** the time.",
    ),
    (
        Left,
        "a bug",
        "**Expected:** the heron flies.\n\n**Actual:** it stands.\n\n**Steps:** clap.\n\n**Version:** 2",
    ),
    (
        Left,
        "a letter",
        "**From:** Ada\n\n**To:** Wren\n\n**Subject:** Herons\n\nHello Wren, I saw one!",
    ),
    (
        Left,
        "a decision",
        "# 7. Use reeds\n\n**Status:** accepted\n\n**Context:** I need shade.\n\n**Decision:** reeds.\n\n**Consequences:** frogs?",
    ),
    (
        Left,
        "a German manual",
        "**Hinweis:** vorher lesen.\n\n**Verwendung:** `teich`\n\n**Voraussetzungen:** Wasser",
    ),
    (Left, "a French recipe", "**Ingrédients :** lentilles\n\n**Préparation :** faites bouillir."),
    (Left, "a Chinese manual", "**注意:** 你要先读。\n\n**用法:** `pond`"),
    (
        Left,
        "a settings page",
        "**Host:** pond.example\n\n**Port:** 5432\n\n**User:** heron\n\n**Password:** from the vault",
    ),
    (
        Left,
        "a timetable",
        "# Monday\n\n**Lunch** (12:30)\n\n**Keynote** (13:30)\n\n**Workshop** (14:30)",
    ),
    (
        Left,
        "many labels once",
        "# Pond\n\n**Depth (m):** 2\n\n**Reeds:** many\n\n**Frogs:** few\n\n**Herons:** one\n\n**Ice:** thin\n\n**Wind:** west\n\n**Light:** low\n\n**Mud:** deep\n\n**Sound:** none",
    ),
    (
        Left,
        "bold words in prose",
        "The pond is **still**. There is one thing: **mind this:** keep quiet.",
    ),
    (Left, "in code", "Write it so:\n\n```\n**Ada:** Hello.\n\n**Wren:** Hi.\n```"),
    (Left, "in a quotation", "> **Ada:** Hello.\n>\n> **Wren:** Hi."),
    (Left, "in a list", "- **Ada:** Hello.\n- **Wren:** Hi."),
    (
        Left,
        "a long text with one aside",
        "A long text about the pond, its reeds and its frogs, in many words.\n\n**Aside:** herons.",
    ),
    (Left, "escaped", "**Note\\:** read this.\n\n**Usage\\:** so."),
    (
        Left,
        "questions within a text",
        "# Pond\n\nA long page about the pond, and what people ask about it.\n\n**Q:** Is it deep?\n\n**A:** Two metres.",
    ),
    // Reported.
    (
        Told,
        "a glossary",
        "**Heron:** a grey bird.\n\n**Frog:** a green animal.\n\n**Reed:** a tall grass.",
    ),
    (Told, "a glossary of sentences", "**Heron:** A grey bird.\n\n**Frog:** A green animal."),
    (Told, "one turn", "**Oskar:** Only this."),
    (Told, "testimonials", "**Ada:** \"I love this pond!\"\n\n**Wren:** \"Did you know herons?\""),
    (Told, "who did what", "**Ada:** finished the reeds\n\n**Wren:** reviewed the frogs"),
    (
        Told,
        "forms in a row",
        "**Planet:** Mars\n\n**Moons:** 2\n\n**Planet:** Venus\n\n**Moons:** none",
    ),
    (
        Told,
        "questions and answers",
        "**Q:** Is it deep?\n\n**A:** Two metres, I think.\n\n**Q:** And cold?\n\n**A:** Yes.",
    ),
];

#[test]
fn speakers_and_labels_are_distinguished() {
    let mut wrong = Vec::new();
    for (fate, what, text) in FILES {
        let (format, notes) = formats::detect("a.md", text);
        let is_reported = notes.iter().any(|note| note.code == "doubtful-transcript");
        let seen = match format {
            Some(format) if format.name == "markdown" => Read,
            _ if is_reported => Told,
            _ => Left,
        };
        if seen != *fate {
            wrong.push(format!("{what}: {seen:?} instead of {fate:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(FILES.len() > 60);
}

#[test]
fn a_readme_can_declare_the_format_of_a_folder() {
    let text = "**Ada:** Hello.\n\n**Wren:** Hi.\n\n**Ada:** Did you sleep?";
    assert!(formats::detect("talk.md", text).0.is_some());
    let (format, notes) = formats::detect("README.md", text);
    assert!(format.is_none());
    assert_eq!(notes[0].code, "doubtful-transcript");
}

#[test]
fn ambiguous_files_are_reported_and_can_be_configured() {
    let text = "**Heron:** a grey bird.\n\n**Frog:** a green animal.\n";
    let site = SiteTest::new()
        .file("content/a.md", text)
        .file("content/b.md", "**Ada:** Hello.\n\n**Wren:** Hi.\n");
    let run = site.build(0);
    assert!(run.stderr.contains("doubtful-transcript"), "{}", run.stderr);
    assert!(run.stderr.contains("content/a.md:1:1"), "{}", run.stderr);
    let published = |word: &str| {
        let output = site.output();
        output.values().any(|bytes| String::from_utf8_lossy(bytes).contains(word))
    };
    assert!(!published("grey bird"));
    let named = "[[source]]\nfiles = 'a.md'\nformat = 'markdown'\n";
    site.write("site.toml", format!("{}{named}", crate::support::BASE));
    let run = site.build(0);
    assert!(!run.stderr.contains("doubtful-transcript"), "{}", run.stderr);
    assert!(published("grey bird"));
}

#[test]
fn a_configured_format_with_false_speakers_is_reported() {
    let labels: String = (0..600)
        .map(|n| format!("**Step {}:** done.\n\n**Value of {n:x}x:** {n}\n\n", n % 40))
        .collect();
    for text in [labels.as_str(), "A manual.\n\n**Note:** read it.\n"] {
        let named = "[[source]]\nfiles = '**'\nformat = 'markdown'\n";
        let site = SiteTest::new()
            .file("site.toml", format!("{}{named}", crate::support::BASE))
            .file("content/a.md", text);
        let run = site.build(0);
        assert!(run.stderr.contains("false-speakers"), "{}", run.stderr);
    }
}

/// The speakers, offsets and texts of a transcript.
#[track_caller]
fn turns(text: &str) -> Vec<(String, String, String)> {
    let (read, notes) = formats::read("a.md", text.as_bytes());
    assert_eq!(read.len(), 1, "{text}\n{notes:?}");
    let turns = read[0].turns.iter();
    turns
        .map(|turn| {
            let offset = turn.offset.clone().unwrap_or_default();
            (turn.speaker.clone(), offset, turn.text())
        })
        .collect()
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str, &str)]) {
    let seen = turns(text);
    let seen: Vec<_> = seen.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
    assert_eq!(seen, expected, "{text}");
}

#[test]
fn every_time_format_starts_a_turn() {
    for line in [
        "**Bob:** [00:00:05]\nYes.",
        "**Bob:** [00:00:05]\n\nYes.",
        "**Bob:** \\[00:00:05\\] Yes.",
        "**Bob:** (00:00:05) Yes.",
        "**Bob:** 00:00:05 Yes.",
        "**Bob:** 00:00:05\n\nYes.",
        "**Bob**: 00:00:05\nYes.",
        "**Bob (00:00:05):** Yes.",
        "**Bob [00:00:05]:** Yes.",
        "**Bob \\[00:00:05\\]**: Yes.",
        "**[00:00:05] Bob:** Yes.",
        "**(00:00:05) Bob:** Yes.",
        "**00:00:05 Bob:** Yes.",
        "**Bob** 00:00:05\n\nYes.",
        "**Bob** 00:00:05:\nYes.",
        "**Bob** (00:00:05): Yes.",
        "**Bob** (00:00:05)\nYes.",
        "**Bob** [00:00:05]\nYes.",
        "**Bob** [00:00:05] Yes.",
        "[00:00:05] **Bob:** Yes.",
        "\\[00:00:05\\] **Bob**: Yes.",
        "00:00:05 **Bob:** Yes.",
        "## **Bob:** [00:00:05]\n\nYes.",
    ] {
        let text = format!("**Ada:** Did you sleep?\n\n{line}\n\n**Ada:** Good.\n");
        check(
            &text,
            &[("Ada", "", "Did you sleep?"), ("Bob", "00:00:05", "Yes."), ("Ada", "", "Good.")],
        );
    }
}

#[test]
fn spoken_times_are_words() {
    check(
        "**Ada:** When do we meet?\n\n**Bob:** 10:30\n\n**Ada:** 10:30 is too early for me.\n",
        &[
            ("Ada", "", "When do we meet?"),
            ("Bob", "", "10:30"),
            ("Ada", "", "10:30 is too early for me."),
        ],
    );
    // After several names with text below them, these are times of a recording.
    check(
        "**Ada:** 0:00\nDid you sleep?\n\n**Bob:** 0:04\nYes.\n\n**Ada** 0:09\nGood.\n\n**Ada** 0:11\nI am glad.\n",
        &[
            ("Ada", "0:00", "Did you sleep?"),
            ("Bob", "0:04", "Yes."),
            ("Ada", "0:09", "Good."),
            ("Ada", "0:11", "I am glad."),
        ],
    );
}

#[test]
fn text_without_a_speaker_is_an_event() {
    let before = "**Ada:** Did you sleep?\n\n**Bob:** I did.\n\n";
    let start = [("Ada", "", "Did you sleep?"), ("Bob", "", "I did.")];
    let with =
        |more: &[(&'static str, &'static str, &'static str)]| [start.as_slice(), more].concat();
    // Nobody speaks in a break; afterwards the same speaker continues.
    for name in ["Break", "Ad break", "Pause", "Intermission"] {
        let text = format!("{before}**{name}:** \\[12:40\\]\n\nAnd well.\n");
        let event = format!("*{name}*");
        let seen = turns(&text);
        assert_eq!(seen[2], (String::new(), "12:40".to_owned(), event));
        assert_eq!(seen[3], ("Bob".to_owned(), String::new(), "And well.".to_owned()));
    }
    for name in ["Break", "Jingle", "Outro", "Song", "Selection 3"] {
        let text = format!("{before}**{name}:** \\[12:40\\]\n\n**Ada:** Good.\n");
        assert_eq!(turns(&text)[2].0, "", "{text}");
    }
    // A song has its own text.
    check(
        &format!("{before}**Song:** \\[12:40\\]\n\n*La la.*\n\n*La.*\n\n**Ada:** Good.\n"),
        &with(&[("Song", "12:40", "*La la.*\n\n*La.*"), ("Ada", "", "Good.")]),
    );
    // Speaking elsewhere in the file does not add text here.
    check(&format!("{before}**Bob:** \\[12:40\\]\n"), &with(&[("Bob", "12:40", "")]));
}

#[test]
fn an_open_fence_swallows_no_turn() {
    let text = "**Ada:** Did you sleep?\n\n```\ncode\n\n**Bob:** I did.\n\n**Ada:** Good.\n";
    check(
        text,
        &[("Ada", "", "Did you sleep?\n\n```\ncode"), ("Bob", "", "I did."), ("Ada", "", "Good.")],
    );
    let (_, notes) = formats::read("a.md", text.as_bytes());
    assert_eq!(notes.iter().filter(|note| note.code == "unclosed-block").count(), 1);
    let text =
        "**Ada:** Write it so:\n\n```\n**Bob:** I did.\n\n**Ada:** Good.\n```\n\n**Bob:** I see.\n";
    check(
        text,
        &[
            ("Ada", "", "Write it so:\n\n```\n**Bob:** I did.\n\n**Ada:** Good.\n```"),
            ("Bob", "", "I see."),
        ],
    );
    let (_, notes) = formats::read("a.md", text.as_bytes());
    assert!(notes.is_empty(), "{notes:?}");
}

/// Reads a file, writes it as `to`, and reads that again.
fn again(convo: &str, to: &str) -> Vec<(String, String, String)> {
    let site = SiteTest::new().file("a.convo", convo);
    let run = site.run(&["convert", "a.convo", "--to", to]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    turns(&run.stdout)
}

#[test]
fn converting_to_markdown_keeps_turns_separate() {
    let metadata = "----\n{\"type\": \"chat log\", \"time\": \"2026-01-02\", \"participants\": [\"Ada\", \"Bob\"]}\n";
    let convo = format!(
        "### @Ada\nSee:\n\n```\ncode\n\n### @Bob\nSo:\n\n```\nmore code\n\n### @Ada\n[00:05] is a time.\n\n\
         ### @Bob\n**Ada** 00:37:24\n\n**Ada:** [00:05]\n\n### @Ada\n10:30\n\n### @Bob\n- a list\n\n{metadata}"
    );
    let expected = [
        ("Ada", "See:\n\n```\ncode\n```"),
        ("Bob", "So:\n\n```\nmore code\n```"),
        ("Ada", "[00:05] is a time."),
        ("Bob", "**Ada** 00:37:24\n\n**Ada:** [00:05]"),
        ("Ada", "10:30"),
        ("Bob", "- a list"),
    ];
    let expected: Vec<_> = expected
        .into_iter()
        .map(|(who, text)| (who.to_owned(), String::new(), text.to_owned()))
        .collect();
    assert_eq!(again(&convo, "markdown"), expected);
}

#[test]
fn written_markdown_is_recognised() {
    for text in ["x", "42", "`code`", "A grey bird."] {
        let convo = format!(
            "### @Ada\n{text}\n\n### @Bob\n{text}\n\n----\n{{\"type\": \"conversation\", \
             \"time\": \"2026-01-02\", \"participants\": [\"Ada\", \"Bob\"]}}\n"
        );
        assert_eq!(again(&convo, "markdown").len(), 2, "{text}");
    }
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn hostile_transcripts_are_read_in_linear_time() {
    let many = |line: &dyn Fn(usize) -> String, n: usize| (0..n).map(line).collect::<String>();
    let lines: [&dyn Fn(usize) -> String; 6] = [
        &|n| format!("**Name{n}x:** I say.\n\n"),
        &|n| format!("**Name{}x:** I say.\n\n```{n}\n", n % 7),
        &|n| format!("{}\n**Ada:** I say.\n", "`".repeat(3 + n % 50)),
        &|n| format!("<!-- {n}\n**Ada:** I say.\n"),
        &|_| "**Ada [00:05".to_owned(),
        &|n| format!("**Break:** [00:05]\n\n**Ada:** {n}:30\n"),
    ];
    for line in lines {
        let time = |n: usize| {
            let text = many(line, n);
            timed(|| {
                let (_, notes) = formats::read("a.md", text.as_bytes());
                assert!(notes.iter().all(|note| note.code != "internal"));
            })
        };
        assert_eq!(check_linear(6_000, time), Ok(()), "{}", line(1));
    }
}
