//! Transcripts without bold names: generated ones in every shape, handwritten ones, and texts that
//! only look like transcripts.

use convo_site::formats;

use crate::support::linear_time::{check_linear, timed};

/// A reproducible sequence of pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize % n
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

type Language = (&'static [&'static str], &'static [&'static str]);

const LANGUAGES: [Language; 9] = [
    (
        &["Ada", "Wren Quill", "Mary Jane Watson", "Dr. Oliver Quist", "Speaker 1"],
        &[
            "Did you see the heron?",
            "I did, it stood in the reeds.",
            "There are three things: the first is patience.",
            "The pond was frozen until March.",
            "We met at 10:30 in the evening.",
            "Thanks for having me.",
        ],
    ),
    (
        &["Léa", "François Bérard", "Zoé"],
        &["Tu as vu le héron ?", "Oui, dans les roseaux.", "L'étang était gelé."],
    ),
    (
        &["Лена", "Олег", "Анна Петрова"],
        &["Ты видел цаплю?", "Да, в камышах.", "Пруд был подо льдом."],
    ),
    (
        &["Ελένη", "Νίκος", "Γιώργος Παππάς"],
        &["Είδες τον ερωδιό;", "Ναι, στα καλάμια.", "Η λίμνη ήταν παγωμένη."],
    ),
    (
        &["سلمى", "يوسف", "محمد علي"],
        &["هل رأيت مالك الحزين؟", "نعم، كان بين القصب.", "كانت البركة متجمدة."],
    ),
    (
        &["דנה", "יוסי", "רות כהן"],
        &["ראית את האנפה?", "כן, היא עמדה בין הקנים.", "הבריכה הייתה קפואה."],
    ),
    (
        &["李雷", "韩梅梅", "主持人"],
        &["你看到苍鹭了吗？", "看到了，它站在芦苇里。", "池塘还结着冰。"],
    ),
    (
        &["민수", "지영", "김철수"],
        &["왜가리를 봤어요?", "네, 갈대밭에 서 있었어요.", "연못은 얼어 있었습니다."],
    ),
    (
        &["अनिता", "राहुल", "सुनीता शर्मा"],
        &["क्या तुमने बगुला देखा?", "हाँ, वह सरकंडों में था।", "तालाब जमा रहा।"],
    ),
];

/// Texts that look like names or times.
const FRIENDS: [&str; 8] = [
    "Note: the ice is thin.",
    "- eggs\n- butter: two spoons",
    "```\nAda: not me\n```",
    "1. First: look.\n2. Second: wait.",
    "> Somebody said: later.",
    "See https://pond.example/a:b for more.",
    "Ingredients:\n- lentils\n- water",
    "TODO: ask the warden.",
];

const SHAPES: usize = 30;

/// A line that starts a turn, and whether it contains the time.
fn opening(shape: usize, name: &str, time: &str) -> (String, bool) {
    match shape {
        0 => (format!("{name}: "), false),
        1 => (format!("{name}:\n"), false),
        2 => (format!("**{name}:** "), false),
        3 => (format!("**{name}**\n"), false),
        4 => (format!("__{name}:__ "), false),
        5 => (format!("{name} 00:{time}\n"), true),
        6 => (format!("{name}: 00:{time}\n"), true),
        7 => (format!("[{time}] {name}: "), true),
        8 => (format!("({time}) {name}: "), true),
        9 => (format!("## {name}\n\n"), false),
        10 => (format!("### {name}\n\n"), false),
        11 => (format!(">> {name}: "), false),
        12 => (format!("{name}："), false),
        13 => (format!("{name}. — "), false),
        14 => (format!("[{time}]\n{name}: "), true),
        15 => (format!("**{name}:** [{time}]\n\n"), true),
        16 => (format!("{name}\n00:{time}\n"), true),
        17 => (format!("- **{name}**: "), false),
        18 => (format!("* {name}: "), false),
        19 => (format!("> **{name}:** "), false),
        20 => (format!("> {name}: "), false),
        21 => (format!("**{name}** *00:{time}*\n"), true),
        22 => (format!("**{name}** (00:{time}): "), true),
        23 => (format!("[{name}]: "), false),
        24 => (format!("[{name}] "), false),
        25 => (format!("### {name}: "), false),
        26 => (format!("**[{name}]:** "), false),
        27 => (format!("<b>{name}:</b> "), false),
        28 => (format!("<p><strong>{name}</strong>: "), false),
        _ => (format!("        {name}: "), false),
    }
}

/// The indentation of the other lines of a turn.
fn margin(shape: usize) -> &'static str {
    match shape {
        17 | 18 => "  ",
        19 | 20 => "> ",
        29 => "    ",
        _ => "",
    }
}

fn letters(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The turns of a generated transcript: speaker, text and time.
type Turns = Vec<(String, String, Option<String>)>;

fn generated(number: usize, dice: &mut Dice) -> (String, Turns) {
    let shape = number % SHAPES;
    let (names, sentences) = LANGUAGES[dice.below(LANGUAGES.len())];
    let names = &names[..2 + dice.below(names.len() - 1)];
    let mut text = String::new();
    if dice.below(3) == 0 {
        text += "---\ntitle: The pond\n---\n\n";
    }
    if dice.below(3) == 0 && !matches!(shape, 19 | 20) {
        text += "# The pond\n\nA talk about herons: what they do and where they go.\n\n";
    }
    let mut turns = Turns::new();
    let mut last = usize::MAX;
    for turn in 0..6 + dice.below(12) {
        let who = match turn < names.len() * 2 {
            true => turn % names.len(),
            false => dice.below(names.len()),
        };
        let who = if who == last { (who + 1) % names.len() } else { who };
        last = who;
        let mut words = dice.pick(sentences).to_owned();
        for _ in 0..dice.below(3) {
            words = format!("{words} {}", dice.pick(sentences));
        }
        if dice.below(4) == 0 {
            words = format!("{words}\n\n{}", dice.pick(sentences));
        }
        if dice.below(5) == 0 && shape < 29 {
            words = format!("{words}\n\n{}", dice.pick(&FRIENDS));
        }
        let time = format!("{:02}:{:02}", turn, dice.below(60));
        let (open, timed) = opening(shape, names[who], &time);
        // HTML paragraphs have their own elements.
        if matches!(shape, 27 | 28) {
            words = words.split("\n\n").next().unwrap_or_default().to_owned();
        }
        let margin = margin(shape);
        let lines = words.replace('\n', &format!("\n{margin}"));
        let end = if shape == 28 { "</p>" } else { "" };
        text += &format!("{open}{lines}{end}\n{}\n", margin.trim_end());
        let time = if open.contains("00:") && matches!(shape, 5 | 6 | 16 | 21 | 22) {
            format!("00:{time}")
        } else {
            time
        };
        turns.push((names[who].to_owned(), letters(&words), timed.then_some(time)));
    }
    (text, turns)
}

#[test]
fn generated_transcripts_of_every_shape_are_read() {
    let mut dice = Dice(16);
    let (mut all, mut right) = (0, 0);
    let mut wrong = Vec::new();
    for number in 0..SHAPES * 9 {
        let (text, expected) = generated(number, &mut dice);
        let name = if dice.below(2) == 0 { "talk.md" } else { "talk.txt" };
        let (read, _) = formats::read(name, text.as_bytes());
        let turns = read.first().map(|read| read.turns.as_slice()).unwrap_or_default();
        let mut seen = turns.iter();
        let before = right;
        for (who, words, time) in &expected {
            let found = seen.clone().position(|turn| {
                turn.speaker == *who
                    && letters(&turn.text()) == *words
                    && (time.is_none() || turn.offset == *time)
            });
            if let Some(at) = found {
                right += 1;
                seen.nth(at);
            }
        }
        all += expected.len();
        if right - before < expected.len() {
            wrong.push(text);
        }
    }
    assert!(right * 100 >= all * 99, "{right} of {all}\n{}", wrong.join("\n=====\n"));
}

/// Texts without speakers.
const NO_TRANSCRIPTS: [&str; 52] = [
    "It was, he said to me, as\nfollows: I saw it.\nAnd then he said of\nitself: I did, and as\nfollows: did you?\n",
    "Name: pond\nVersion: 1.0\nLicense: MIT\n",
    "Host: pond.example\nUser-Agent: heron\nAccept: text/html\n",
    "From: Ada\nTo: Wren\nSubject: Herons\n\nDid you see it? I did.\n",
    "Soup\n\nIngredients:\n- lentils\n- water\n\nDirections: boil.\n\nNote: salt comes last.\n",
    "Heron: a grey bird.\nFrog: a green animal.\nReed: a tall grass.\n",
    "- Ada: the reeds\n- Wren: the frogs\n- Ada: the ice\n",
    "Note: read this.\n\nWarning: do not swim.\n\nNote: I said so.\n",
    "TODO: reeds\nFIXME: frogs\nTODO: ice\n",
    "INFO: Server started.\nWARN: Slow.\nINFO: Did it stop? Yes.\n",
    "[12:00:01] INFO: started\n[12:00:02] WARN: slow\n[12:00:03] INFO: done\n",
    "# Pond\n\n## Install\n\nRun it.\n\n## Usage\n\nYou can call `pond()`.\n\n## License\n\nMIT\n",
    "# Changes\n\n## 1.1\n\n### Added\n\n- I\n\n### Fixed\n\n- you?\n\n## 1.0\n\n### Added\n\n- me\n\n### Fixed\n\n- my\n",
    "### Bug Fixes\n\n* a\n\n### Features\n\n* b\n\n### Bug Fixes\n\n* c\n\n### Features\n\n* d\n",
    "Roses are red:\nViolets are blue,\nI never knew\nwhat to do.\n",
    "Agenda\n\n10:00 Welcome\n10:30 Herons: what we know\n11:00 Frogs: what we do not\n",
    "Monday: rain\nTuesday: sun\nMonday: rain\nTuesday: sun\n",
    "Planet: Mars\nMoons: 2\n\nPlanet: Venus\nMoons: none\n\nPlanet: Earth\nMoons: 1\n",
    "pond:\n  depth: 2\n  light: low\nreeds:\n  depth: 1\n  light: high\n",
    "[pond]\ndepth = 2\n; what: else\n",
    "Q: How do I install it?\nA: Run `npm i pond`.\n\nQ: Can I swim?\nA: Yes, you can.\n",
    "fn main() {\n    let x: u8 = 1;\n}\n",
    "Depth: The water is deep.\nLight: The light is low.\n\nDepth: The water is deeper.\nLight: There is none.\n",
    "**Example**\n\nA pond.\n\n**Example**\n\nA reed.\n\n**Output**\n\nA frog.\n",
    "Heron — a grey bird.\nFrog — a green animal.\nHeron — again.\n",
    "Verse 1:\nI saw you\n\nChorus:\nOh my pond\n\nVerse 2:\nYou saw me\n\nChorus:\nOh my pond\n",
    "Ponds - what I know of them\nHerons - do you see me?\nPonds - again, I think\nHerons - yes, me\n",
    "Which bird is it?\n\nA. Heron\nB. Stork\nC. I do not know\n\nWhere is it?\n\nA. Here\nB. There\nC. With me\n",
    // Lists, quotations, headings and logs.
    "# Reed\n\n- **Fast**: You can filter a pond.\n- **Small**: Do you have 1 MB?\n- **Fast**: I said so.\n- other\n",
    "1. Heron: a grey bird.\n2. Frog: a green animal.\n3. Heron: grey.\n4. Frog: green.\n",
    "> **Note:** You should see this.\n>\n> **Tip:** Do you want more?\n>\n> **Note:** I know.\n>\n> **Tip:** yes?\n",
    "INSTALLATION\n\nDo you have make?\n\nUSAGE\n\nYou run it. What else?\n\nINSTALLATION\n\nI told you.\n\nUSAGE\n\nIs it me?\n",
    "NAME\n    reed - filter ponds\n\nSYNOPSIS\n    reed [FILE]\n\nDESCRIPTION\n    You give it a file. What then?\n",
    "NOTE. You must agree.\n\nWARNING. Do you swim?\n\nNOTE. I do.\n\nWARNING. You drown.\n",
    "[INFO] Did you start?\n[WARN] You are slow.\n[INFO] I am.\n[WARN] Are you?\n",
    "[pond]: https://pond.example/ \"You and I\"\n[reed]: https://reed.example/\n[pond2]: ./me.md\n",
    "## Step 1: Do you have a net?\n\nYes.\n\n## Step 2: Go\n\nI go.\n\n## Step 1: Again?\n\nYou see.\n\n## Step 2: Me\n\nFine.\n",
    " 1 fn main() {\n 2     let you = 1;\n 3     // Note: I see you?\n 4     // Note: you see me?\n 5 }\n 6\n 7 struct I;\n 8\n 9 enum You {}\n",
    "    Depth: The water is deep.\n    Light: The light is low.\n\n    Depth: The water is deeper.\n    Light: There is none.\n",
    "# Guide\n\n**Beginner:** Where do I start? See [the guide](guide.md).\n\n**Expert:** You know where.\n\n**Beginner:** How do I install it? `reed`\n\n**Expert:** You build it.\n",
    "Lunch 12:30\nSoup.\n\nKeynote 13:30\nHerons.\n\nLunch 18:30\nSoup again.\n",
    // Options, contracts, change logs, keys.
    "# Reed\n\nWhich should you pick?\n\n- **Fast**: You can filter a pond in a second.\n- **Small**: Do you have 1 MB? That is enough.\n- **Cheap**: I run it on my old machine.\n",
    "- **Fast**: It filters a pond. Why wait?\n- **Small**: You need 1 MB.\n- **Cheap**: My machine runs it.\n",
    "- Fast: Do you want it now?\n- Small: I fit in your pocket.\n- Cheap: You pay me nothing.\n",
    "- **Fast**: I filter a pond in a second.\n- **Small**: 1 MB.\n- **Cheap**: It costs nothing.\n- **Fast**: It starts at once.\n- **Small**: Do you have less?\n- **Cheap**: It runs on old machines.\n",
    "- Fast: I filter a pond in a second.\n- Small: Do you have 1 MB?\n- Fast: My reeds agree.\n- Cheap: You pay me nothing.\n",
    "THE COMPANY. We run the pond and its reeds.\n\nYOU. You agree to the rules. Do you swim? Then you must wear a cap.\n\nWE. We may close the pond at any time.\n\nYOU. You pay for my boat if you break it.\n\nTHE COMPANY. I am not liable for frogs.\n\nWE. We keep your name.\n",
    "YOU. You agree to pay. Do you swim?\n\nWE. We may close the pond. It is my pond.\n\nYOU. You pay for my boat.\n\nWE. We keep your name. Did you ask?\n",
    "# Changes\n\n## 1.2.0\n\n[Ada] Fixed the net. Did you see it tear?\n[Bo] Added my boat.\n[Ada] Removed the frogs that I fed.\n[Bo] Changed how you row.\n\n## 1.1.0\n\n[Ada] Updated my oars.\n[Bo] Fixed what I broke.\n",
    "[Ada] Fixed the crash when you row. I tested it.\n[Bo] Added my new boat.\n[Ada] Removed what I broke.\n[Bo] Fixed the reeds, why not?\n",
    "Q    Quit\nA    About me\nR    Row\nQ    Quit? Again?\nA    About you\n",
    "**Ponds** Where I live.\n\n**Reeds** What do you see?\n\n**Frogs** They are my friends.\n",
];

#[test]
fn texts_without_speakers_are_not_read() {
    for text in NO_TRANSCRIPTS {
        for name in ["a.md", "a.txt"] {
            let (format, _) = formats::detect(name, text);
            assert!(format.is_none(), "{text}");
        }
    }
}

#[test]
fn files_of_other_programs_are_not_plain_transcripts() {
    for text in [
        "01/03/26, 10:02 - Ada: hi?\n01/03/26, 10:03 - Wren: hello\n01/03/26, 10:04 - Ada: me?\n",
        "[2026-03-01 10:00:00] Me: hi?\n\n[2026-03-01 10:01:00] Ada: hello\n",
        "--- Log opened Sun Mar 01 10:00:00 2026\n10:00 < ada> hi\n10:01 < wren> hello\n",
        "WEBVTT\n\n00:00.000 --> 00:02.000\nAda: Did you?\n\n00:02.000 --> 00:04.000\nWren: I did.\n",
        "1\n00:00:00,000 --> 00:00:02,000\nAda: Did you?\n\n2\n00:00:02,000 --> 00:00:04,000\nWren: I did.\n",
    ] {
        let (format, _) = formats::detect("a.txt", text);
        let name = format.map(|format| format.name);
        let own = ["webvtt", "srt", "whatsapp", "irc"];
        assert!(name.is_none_or(|name| own.contains(&name)), "{name:?}: {text}");
    }
}

#[track_caller]
fn speakers(name: &str, text: &str) -> Vec<String> {
    let (read, notes) = formats::read(name, text.as_bytes());
    assert_eq!(read.len(), 1, "{text}\n{notes:?}");
    read[0].turns.iter().map(|turn| turn.speaker.clone()).collect()
}

#[test]
fn handwritten_transcripts_are_read() {
    for (text, expected) in [
        // With and without bold type.
        (
            "**Oskar:** So, when?\n\n**Ada:** In 2009, I think.\n\nOskar: And the boat?\n\nAda: My uncle's.\n",
            "Oskar Ada Oskar Ada",
        ),
        // Capitals, asides, events.
        (
            "ADA: Is this on?\n\nWren (laughs): I think it is.\n\nAda: OK.\n\n[A cup falls.]\n\nWREN: (picking it up) My cat.\n",
            "Ada Wren Ada  Wren",
        ),
        // No blank lines, text over several lines.
        (
            "Tom: hey did you get them\nLia: yes!! two\nTom: great\nwhat time\nLia: 19:30\nso maybe 7?\nTom: ok: 7\n",
            "Tom Lia Tom Lia Tom",
        ),
        // Times in some lines, a person who interjects once.
        (
            "[00:00] Host: Welcome.\n\n[00:12] Dr. Okoro: Thank you. I love bees.\n\nHost: Do they sting?\n\nDr. Okoro: Of course.\n\n[01:40]\nHost: A call.\n\nCaller: Hi, do bees sleep?\n",
            "Host Dr.Okoro Host Dr.Okoro Host Caller",
        ),
        // The whole name first.
        (
            "Interviewer: Your name?\n\nAda Lovelace: My name is Ada.\n\nInterviewer: What did you grind?\n\nAda: Rye, I think.\n",
            "Interviewer AdaLovelace Interviewer AdaLovelace",
        ),
        // Two people who share a name are different people.
        (
            "Ada Lovelace: Did you?\n\nAda: I did.\n\nAda Lovelace: When?\n\nAda: At noon, I think.\n",
            "AdaLovelace Ada AdaLovelace Ada",
        ),
        // Text copied from ChatGPT pages.
        (
            "You said:\nwhat is a tide?\nChatGPT said:\nWater.\nPros: none.\nYou said:\nthanks\n",
            "You ChatGPT You",
        ),
        // The role is after the first name, which is shorter later.
        (
            "JANE DOE, CNN HOST: Welcome to the show.\n\nTOM WATERS (R-TX), SENATOR: Thanks for having me.\n\nDOE: How did you get into eels?\n\nWATERS: Well, my father was a miller.\n\nDOE: And then?\n\nWATERS: I stayed.\n",
            "JANEDOE TOMWATERS JANEDOE TOMWATERS JANEDOE TOMWATERS",
        ),
        // Full names, then initials.
        (
            "Jane Doe: Welcome to the show.\n\nTom Waters: Thanks for having me.\n\nJD: How did you get into eels?\n\nTW: Well, my father was a miller.\n\nJD: And then?\n\nTW: I stayed.\n",
            "JaneDoe TomWaters JaneDoe TomWaters JaneDoe TomWaters",
        ),
        // A label inside an answer.
        (
            "**You:** hello\n\n**Claude:** Hi! How can I help?\n\n**Note:** this is bold in an answer.\n\n**You:** nothing\n\n**Claude:** ok\n",
            "You Claude You Claude",
        ),
        ("**You said:**\n\nhello\n\n**Gemini said:**\n\nhi\n", "You Gemini"),
        // Full stops or colons.
        (
            "Q: When did you begin?\nA: In 1970. I was nine.\n\nQ. And then, did you stay?\nA. Then I stayed.\n\nQ: Why did you?\n\nA: I do not know.\n",
            "Q A Q A Q A",
        ),
        (
            "Q. When did you begin?\n\nA. In 1970. I was nine.\n\nQ. And then, did you stay?\n\nA. Then I stayed.\n",
            "Q A Q A",
        ),
        (
            "**Q: When did you begin?**\n\nA: In 1970. I was nine.\n\n**Q: And then, did you stay?**\n\nA: Then I stayed.\n",
            "Q A Q A",
        ),
        // Lists with two alternating speakers, in lower case.
        (
            "- Me: your frogs were loud again\n- Neighbour: they are not my frogs\n- Me: they live in your pond\n- Neighbour: the pond is everybody's\n",
            "Me Neighbour Me Neighbour",
        ),
        // Names in lower case.
        (
            "# Over the fence\n\n- me: your frogs were loud again\n- neighbour: they are not my frogs\n- me: they live in your pond\n- neighbour: so do your ducks\n",
            "me neighbour me neighbour",
        ),
        // Hardly any spoken language.
        (
            "- Maria: the boat is late\n- Jonas: it always is\n- Maria: shall we walk\n- Jonas: fine with me\n- Maria: the long way\n- Jonas: the short one\n",
            "Maria Jonas Maria Jonas Maria Jonas",
        ),
        // Court transcripts with names in columns.
        (
            "1    Q    When did you begin at the lock?\n2    A    In 1970. I was nine.\n3    Q    And then, did you stay?\n4    A    Then I stayed.\n5    Q    Who paid you?\n6    A    The warden did.\n7    Q    Was it enough?\n8    A    No, it was not.\n",
            "Q A Q A Q A Q A",
        ),
        // Indented more.
        (
            "          Q    When did you begin at the lock?\n          A    In 1970. I was nine.\n          Q    And then, did you stay?\n          A    Then I stayed.\n",
            "Q A Q A",
        ),
        // Not indented.
        (
            "Q    When did you begin at the lock?\nA    In 1970. I was nine.\n\nQ    And then, did you stay?\nA    Then I stayed.\n",
            "Q A Q A",
        ),
        // Bold names without colons.
        (
            "**Ines** So what did you hear?\n\n**I** An eel, I think.\n\n**Ines** And what did it say?\n\n**I** Nothing that I understood.\n",
            "Ines I Ines I",
        ),
        // One of them without bold type.
        (
            "**Ines:** So what did you hear?\n\n**I:** An eel, I think.\n\n**Ines:** And what did it say?\n\n**I** And what would an eel say?\n\n**Ines:** Nothing, then?\n\n**I:** Nothing.\n",
            "Ines I Ines I Ines I",
        ),
        // Dashes instead of some colons.
        (
            "Maria: How are you?\nJonas: Tired. And you?\nMaria - fine\nJonas: Did you sleep?\nMaria: I did.\nJonas - good\n",
            "Maria Jonas Maria Jonas Maria Jonas",
        ),
        // Several kinds of dashes after listed names.
        (
            "---\nspeakers: [Ada, Bob]\n---\nAda - Hello there.\nBob - Hi.\nAda – How are you?\nBob — Fine.\n",
            "Ada Bob Ada Bob",
        ),
        (
            "ada: Did you see it?\n\nWren: I did.\n\nAda: Where?\n\nWren: Here, I think.\n",
            "Ada Wren Ada Wren",
        ),
        ("A: Did you sleep?\n\nB: I did.\n\nA: Good.\n\nB: And you?\n", "A B A B"),
        (
            "Q: How did you come to the pond?\n\nA: I was nine.\n\nQ: What do you think of it?\n\nA: I like my pond.\n",
            "Q A Q A",
        ),
    ] {
        let seen = speakers("talk.txt", text).iter().map(|name| letters(name)).collect::<Vec<_>>();
        assert_eq!(seen.join(" "), expected, "{text}");
    }
}

#[test]
fn layout_around_lines_is_not_part_of_them() {
    let lines = |text: &str| {
        let (read, _) = formats::read("talk.md", text.as_bytes());
        let turns = read.first().map(|read| read.turns.clone()).unwrap_or_default();
        let turns = turns
            .into_iter()
            .map(|turn| format!("{} {} {}", turn.place.line, turn.speaker, turn.text()));
        turns.collect::<Vec<_>>()
    };
    let list = "# Lock\n\n- **Ines:** Did you?\n- **Pavel:** I did.\n\n  An eel.\n- **Ines:** Where?\n- **Pavel:** Here, I think.\n";
    assert_eq!(
        lines(list),
        ["3 Ines Did you?", "4 Pavel I did.\n\nAn eel.", "7 Ines Where?", "8 Pavel Here, I think."]
    );
    let quote = "> Ines: Did you?\n>\n> Pavel: I did.\n> > eels\n>\n> Ines: Where?\n>\n> Pavel: Here, I think.\n";
    assert_eq!(
        lines(quote),
        ["1 Ines Did you?", "3 Pavel I did.\n> eels", "6 Ines Where?", "8 Pavel Here, I think."]
    );
    let html = "<p><b>Ines:</b> Did you?</p><p><b>Pavel:</b> I did.</p>\n<p><b>Ines:</b> Where?<br>Here?</p>\n<p><b>Pavel:</b> Yes.</p>\n";
    assert_eq!(
        lines(html),
        ["1 Ines Did you?", "1 Pavel I did.", "2 Ines Where?\nHere?", "3 Pavel Yes."]
    );
}

#[test]
fn the_account_in_an_export_header_is_hidden() {
    let text = "# The eel\n\n**User:** Ines (ines@example.org)\n**Exported:** 1/3/2026\n\n## Prompt:\n\nCan an eel climb?\n\n## Response:\n\nIt can.\n";
    let (read, notes) = formats::read("eel.md", text.as_bytes());
    assert_eq!(read[0].title.as_deref(), Some("The eel"));
    assert!(!format!("{:?}", read[0]).contains("example.org"), "{:?}", read[0]);
    assert!(read[0].preface.contains("Exported"), "{:?}", read[0].preface);
    assert!(notes.iter().any(|note| note.code == "account-data"), "{notes:?}");
}

#[test]
fn titles_without_a_speaker_are_read() {
    let talk = "Ines: Did you?\n\nPavel: I did.\n\nInes: Where?\n\nPavel: Here.\n";
    for top in ["# Lock\n\n", "## Lock\n\n", "Lock\n====\n\n", "# Lock\n\n## Part one\n\n"] {
        let (read, notes) = formats::read("a.md", format!("{top}{talk}").as_bytes());
        assert_eq!(read[0].title.as_deref(), Some("Lock"), "{top}");
        assert!(notes.is_empty(), "{notes:?}");
    }
    let (_, notes) = formats::read("a.md", format!("It was late.\n\n{talk}").as_bytes());
    assert_eq!(notes[0].code, "preface");
}

#[test]
fn front_matter_that_names_speakers_resolves_doubt() {
    let labels = "Heron: A grey bird.\n\nFrog: A green animal.\n\nHeron: Grey.\n";
    assert!(formats::detect("a.txt", labels).0.is_none());
    for key in
        ["speakers: [Heron, Frog]", "participants: Heron, Frog", "hosts: [Heron]\nguests: [Frog]"]
    {
        let text = format!("---\n{key}\n---\n\n{labels}");
        assert_eq!(speakers("a.txt", &text), ["Heron", "Frog", "Heron"]);
    }
    let one = "---\nspeaker: Oskar\n---\n\nOskar: The pond lay still.\n";
    assert_eq!(speakers("a.md", one), ["Oskar"]);
}

#[test]
fn listed_names_that_never_speak_are_reported() {
    let text = "---\nspeakers: [ada, Bob Ross, Cy]\n---\n\nAda: Is it on?\n\nBob: I think so.\n\nAda: Good.\n";
    let (read, notes) = formats::read("a.txt", text.as_bytes());
    assert_eq!(read[0].turns.len(), 3);
    let notes = format!("{notes:?}");
    assert!(notes.contains("`Cy` in `speakers` never speaks"), "{notes}");
}

#[test]
fn ambiguous_files_are_reported_with_the_line_that_resolves_them() {
    let text = "Heron: The bird is grey.\n\nFrog: The frog is green.\n\nHeron: The bird stands.\n\nReed: It is tall.\n\nFrog: The frog sits.\n\nReed: It bends.\n\nHeron: The bird flies.\n";
    let (format, notes) = formats::detect("a.txt", text);
    assert!(format.is_none());
    assert_eq!(notes[0].code, "doubtful-transcript");
    let hints = format!("{notes:?}");
    assert!(hints.contains("speakers: [Heron, Frog, Reed]"), "{hints}");
    let settled = format!("---\nspeakers: [Heron, Frog, Reed]\n---\n\n{text}");
    assert_eq!(speakers("a.txt", &settled).len(), 7);
}

#[test]
fn turns_with_unusual_openings_are_reported() {
    let text = "Maria: How are you?\nJonas: Tired. And you?\nMaria - fine\nJonas: Did you sleep?\n";
    let (_, notes) = formats::read("a.txt", text.as_bytes());
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert_eq!(notes[0].code, "doubtful-speaker");
    assert!(notes[0].message.contains("`Maria - …` has no colon"), "{notes:?}");
    let escaped = text.replace("Maria -", "Maria \\-");
    let (read, notes) = formats::read("a.txt", escaped.as_bytes());
    assert_eq!(read[0].turns.len(), 3);
    assert_eq!(read[0].turns[1].text(), "Tired. And you?\nMaria - fine");
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn ambiguous_contracts_and_lists_are_reported() {
    for text in [
        "YOU. You agree to pay. Do you swim?\n\nWE. It is my pond.\n\nYOU. You pay for my boat.\n\nWE. We keep your name. Did you ask?\n",
        "- Fast: I filter a pond in a second.\n- Small: Do you have 1 MB?\n- Fast: My reeds agree.\n- Cheap: You pay me nothing.\n",
    ] {
        let (format, notes) = formats::detect("a.md", text);
        assert!(format.is_none(), "{text}");
        assert!(notes.iter().any(|note| note.code == "doubtful-transcript"), "{text}");
        let hints = format!("{notes:?}");
        assert!(hints.contains("speakers: ["), "{hints}");
    }
}

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn hostile_plain_texts_are_read_in_linear_time() {
    let lines: [&dyn Fn(usize) -> String; 10] = [
        &|n| format!("- Name{}: I say.\n", n % 3),
        &|n| format!("> Name{n}: I say.\n"),
        &|n| format!("<p><b>Name{}:</b> did you?<p <b", n % 2),
        &|n| format!("{} Q. Did you? MR{n}.\n", n % 25 + 1),
        &|n| format!("NAME{n}\nI say.\n\n"),
        &|n| format!("Name{n}: I say.\n"),
        &|n| format!("[00:{:02}] Name{}: did you?\n", n % 60, n % 9),
        &|n| format!("## Name{}\n\nMe?\n\n```{n}\n", n % 3),
        &|n| format!("NAME {n} (",),
        &|n| format!("Ada: I say.\n(she {n})\n\n[00:05]\n"),
    ];
    for line in lines {
        let time = |n: usize| {
            let text: String = (0..n).map(line).collect();
            timed(|| {
                let (_, notes) = formats::read("a.txt", text.as_bytes());
                assert!(notes.iter().all(|note| note.code != "internal"));
            })
        };
        assert_eq!(check_linear(4_000, time), Ok(()), "{}", line(1));
    }
}

#[test]
fn files_that_are_not_text_are_reported() {
    for (name, bytes, words) in [
        ("talk.docx", &b"PK\x03\x04\x00\x00"[..], "a word processor"),
        ("talks.zip", &b"PK\x03\x04\x00\x00"[..], "a ZIP archive"),
        ("talks.parquet", &b"PAR1\x00\x00"[..], "a Parquet dataset"),
        (
            "codex.json",
            &b"[{\"id\": \"task_e_1\", \"turns\": [{\"role\": \"user\"}]}]"[..],
            "Codex cloud tasks",
        ),
        ("group_chats.json", &b"{\"chats\": [{\"messages\": []}]}"[..], "group chats"),
        ("group_chats.json", &b"{\"chats\": []}"[..], "never published"),
        (
            "2026-01-01.json",
            &b"{\"schemaVersion\": \"1.0\", \"provider\": {}, \"exchanges\": []}"[..],
            "a SpecStory session as JSON",
        ),
    ] {
        let (read, notes) = formats::read(name, bytes);
        assert!(read.is_empty(), "{name}");
        assert!(notes.iter().any(|note| note.message.contains(words)), "{name} {notes:?}");
    }
}
