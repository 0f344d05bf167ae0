//! Transcripts as people type them, with every inconsistency: each turn gets its speaker, or the
//! doubt is reported.

use convo_site::formats;

/// The speakers of a text in order, without events, and the codes of its diagnostics.
fn read(name: &str, text: &str) -> (Vec<String>, Vec<&'static str>) {
    let (read, notes) = formats::read(name, text.as_bytes());
    let turns = read.iter().flat_map(|read| &read.turns);
    let speakers = turns.map(|turn| turn.speaker.clone()).filter(|name| !name.is_empty());
    (speakers.collect(), notes.iter().map(|note| note.code).collect())
}

#[track_caller]
fn check(name: &str, text: &str, speakers: &str, codes: &[&str]) {
    let (found, reported) = read(name, text);
    assert_eq!(found.join(", "), speakers, "{reported:?}\n{text}");
    let reported: Vec<&str> = reported.into_iter().filter(|code| *code != "preface").collect();
    assert_eq!(reported, codes, "{text}");
}

#[test]
fn front_matter_selects_the_bold_names_that_speak() {
    let front = "---\nspeakers: [Ada, Bo]\n---\n";
    let warned = "**Ada:** one\n\n**Warning:** the kettle is hot.\n\n**Bo:** two\n";
    check("a.md", &format!("{front}{warned}"), "Ada, Bo", &[]);
    let (read, _) = formats::read("a.md", format!("{front}{warned}").as_bytes());
    assert_eq!(read[0].turns[0].text(), "one\n\n**Warning:** the kettle is hot.");
    let ways = "**Ada:** Two ways:\n\n**Pros:** fast\n\n**Cons:** dear\n\n**Bo:** Fine.\n";
    check("a.md", &format!("{front}{ways}"), "Ada, Bo", &[]);
    let spelt = "**ADA:** one\n\n**Kettle:** it is hot.\n\n**Bo (by phone):** two\n";
    check("a.md", &format!("{front}{spelt}"), "ADA, Bo (by phone)", &[]);
    // A list of speakers may be incomplete.
    let more = "**Ada:** one\n\n**Wren:** two\n\n**Bo:** three\n\n**Wren:** four\n";
    check("a.md", &format!("{front}{more}"), "Ada, Wren, Bo, Wren", &[]);
    // `hosts` alone does not say who else speaks.
    let hosts = "---\nhosts: [Ada]\n---\n**Ada:** Who is there?\n\n**Bo:** I am.\n";
    check("a.md", hosts, "Ada, Bo", &[]);
}

#[test]
fn names_may_become_shorter() {
    check(
        "a.txt",
        "Typed up from the tape.\n\nMarguerite Delacroix: Is it on?\nJonas: Yes. Tell me about the \
         bakery.\nMarguerite Delacroix: We opened in 1961. My husband had the ovens\nbrought in from \
         Ghent.\n\nJonas: In four pieces?\nMD: Four!\nJ: (laughs) Why?\nMD: I don't know.\nJ - Who \
         did the night shift?\nMD: I did. You know what I said:\n\"Ovens don't sleep: why should \
         you?\"\nJ: Did they like that?\nMarguerite: No.\n",
        "Marguerite Delacroix, Jonas, Marguerite Delacroix, Jonas, Marguerite Delacroix, Jonas, \
         Marguerite Delacroix, Jonas, Marguerite Delacroix, Jonas, Marguerite Delacroix",
        &["doubtful-speaker"],
    );
}

#[test]
fn bold_type_and_colons_may_be_inconsistent() {
    check(
        "a.md",
        "# Standup\n\nPresent: Ines, Tobias, Wen\n\n**Ines:** Morning all. Who starts?\n**Tobias** I \
         can. I fixed the pump.\n**Wen:** Nice! Did the tests pass?\nTobias: All but one, the flaky \
         one.\n**Ines:** Ok so next steps:\n\n- Tobias: fix the test\n- Wen: write the note\n\n\
         **Wen:** I'll do it after lunch.\n\n*(Karl joins)*\n\nKarl: Sorry. What did I miss?\n\
         **Ines**: Coffee. You have to order it.\nKarl: Again?\n",
        "Ines, Tobias, Wen, Tobias, Ines, Wen, Karl, Ines, Karl",
        &["doubtful-speaker"],
    );
}

#[test]
fn q_and_a_may_replace_names() {
    check(
        "a.md",
        "# Interview with the lighthouse keeper\n\nQ: How long have you been here?\n\nOlafur: \
         Thirty-one years.\n\nQ: Do you ever get lonely?\n\nA: No: the radio talks enough.\n\nQ: \
         What is hard?\n\nOlafur Brandsson: The stairs. I count them.\n\n**Q:** Do you?\n\n**A:** I \
         have to.\n",
        "Q, Olafur Brandsson, Q, Olafur Brandsson, Q, Olafur Brandsson, Q, Olafur Brandsson",
        &["doubtful-speaker"],
    );
}

#[test]
fn times_may_have_several_forms() {
    check(
        "a.txt",
        "[00:00:03] Lucie : Bonjour, on y va ?\n[00:00:05] Tom: Sure. Shall I speak English?\n\
         [00:00:09] Lucie : Comme tu veux.\n(0:14) Tom: Okay. So the first boat sank.\n00:21 Lucie : \
         Tout de suite ?\nTom (00:25): Immediately.\n[00:33] Lucy: Et le deuxième ?\n[00:36] Tom: We \
         never finished.\n",
        "Lucie, Tom, Lucie, Tom, Lucie, Tom, Lucy, Tom",
        // It may be a misspelling of Lucie.
        &["doubtful-speaker"],
    );
    check(
        "b.txt",
        "Visitor: hi my kettle doesn't turn on\nFatima (Agent) 9:03 AM: Hello! Which model is \
         it?\nVisitor 9:04 AM\nthe blue one\nFatima: Did you unplug it?\nVisitor: yes twice\nFatima: \
         Thank you!\n",
        "Visitor, Fatima, Visitor, Fatima, Visitor, Fatima",
        &[],
    );
}

#[test]
fn names_may_be_in_brackets() {
    check(
        "a.md",
        "**HOST (Bea):** Welcome back! Today we have Noor with us.\n\n**Noor El-Amin:** Hi, thanks for \
         having me.\n\n**Bea:** What glue do you use?\n\n**Noor:** Hide glue:\n\n```\nwater: 180 \
         ml\nBea: do not drink\n```\n\n**Bea:** You wrote my name in it!\n\n**noor:** I did.\n\nBEA: \
         For how long?\n\n**Noor**\n\nTwo days.\n",
        "Bea, Noor El-Amin, Bea, Noor El-Amin, Bea, Noor El-Amin, Bea, Noor El-Amin",
        &[],
    );
}

#[test]
fn plays_may_lack_colons() {
    check(
        "a.txt",
        "THE LAST BUS\n\nODA: It's not coming.\n\nMIRO\n(looking at the timetable) It says \
         23:40.\n\nODA. It says that every night.\n\nMIRO: And?\n\nODA (quietly): And every night I \
         walk.\n\nMiro: Then why do you wait?\n\nODA\nSomebody has to.\n\nMIRO: Tell me, then.\n",
        "ODA, MIRO, ODA, MIRO, ODA, MIRO, ODA, MIRO",
        &["doubtful-speaker"],
    );
}

#[test]
fn text_copied_from_assistants_is_read() {
    check(
        "a.txt",
        "Skip to content\n\nYou said:\nwax on a rug\n\nChatGPT said:\nLet it harden:\n\nNote: never \
         use steam.\nTime: ten seconds.\n\nYou said:\nthanks\n\nChatGPT said:\nYou're welcome!\n",
        "You, ChatGPT, You, ChatGPT",
        &[],
    );
    let (read, _) = formats::read(
        "a.txt",
        b"You said:\nwax?\nChatGPT said:\nThought for 5 seconds\nLet it harden.\nYou said:\nthanks\n",
    );
    assert_eq!(read[0].turns[1].text(), "Let it harden.");
    check(
        "b.txt",
        "You said:\nhi\nClaude responded:\nHello! How can I help?\nYou said:\nname a \
         bird\nClaude responded:\nA wren.\n",
        "You, Claude, You, Claude",
        &[],
    );
}

/// These are well-known names, so even a short text is a transcript.
#[test]
fn short_conversations_between_people_are_read() {
    for text in [
        "NAME1: ok\nNAME2: sure\nNAME1: done\n",
        "**NAME1:** ok\n**NAME2:** sure\n**NAME1:** done\n",
        "__NAME1__: the kiln is at 900\n\n__NAME2__: open it at 200\n\n__NAME1__: fine\n",
        "**@NAME1**: it went out\n\n**@NAME2**: the graphs look flat\n\n**@NAME1**: good\n",
        "**NAME1**\n\nThe boat leaves at six.\n\n**NAME2**\n\nSix is late.\n\n**NAME1**\n\nThe rope.\n",
        "### NAME1\n\nThe boat leaves at six.\n\n### NAME2\n\nSix is late.\n\n### NAME1\n\nThe rope.\n",
    ] {
        let talk = text.replace("NAME1", "Sara").replace("NAME2", "Ravi");
        let (speakers, codes) = read("a.md", &talk);
        let speakers: Vec<&str> =
            speakers.iter().map(|name| name.trim_start_matches('@')).collect();
        assert_eq!(speakers, ["Sara", "Ravi", "Sara"], "{codes:?}\n{talk}");
        // The same text with possible labels is not a transcript.
        let form = text.replace("NAME1", "Width").replace("NAME2", "Height").replace('@', "");
        assert_eq!(read("a.md", &form).0.len(), 0, "{form}");
    }
}

/// A line that looks like a turn, with the name of a known speaker, is never ignored silently.
#[test]
fn lines_that_may_be_turns_are_reported() {
    let text = "Ada: Did you see the heron?\n\nBob: I did, it stood in the reeds.\n\nAda: Was it \
                cold?\n\nBob: It was. I said to her\nthat it was late.\nAda: That is true.\n\nBob: \
                We went home.\n\nAda: I did as well.\n\nBob: Thanks.\n";
    let (speakers, codes) = read("a.txt", text);
    assert!(
        speakers.join(", ") == "Ada, Bob, Ada, Bob, Ada, Bob, Ada, Bob"
            || codes.contains(&"doubtful-speaker"),
        "{speakers:?} {codes:?}"
    );
}

/// Text copied from messengers has the date and time beside the name or above it.
#[test]
fn text_copied_from_messengers_is_read() {
    for text in [
        "Ada Marsh, 10:02\ndid you see the tide table\nBo Fenn, 10:03\nno\nwhich one?\nAda Marsh, \
         10:05\nthe new one\n",
        "Ada Marsh — 03/04/2026 10:02 AM\nHas anybody got the key?\n\nBo Fenn — 03/04/2026 10:04 \
         AM\nI have.\nAda Marsh — Today at 10:07 AM\nThanks!\n",
        "[10:02 AM] Ada Marsh\ndid you see the tide table?\n[10:03 AM] Bo Fenn\nno, which one\n\
         [10:05 AM] Ada Marsh\nthanks\n",
        "Ada Marsh  10:02 AM\nHas anybody got the key\nBo Fenn  10:04 AM\nI have it.\nAda Marsh  \
         10:05 AM\nThanks!\n",
        "Ada Marsh 4 Mar 2026 at 10:02\nIs the mill open?\nBo Fenn 4 Mar 2026 at 10:03\nYes\nAda \
         Marsh 2026-03-05 09:00\nThanks\n",
    ] {
        check("a.txt", text, "Ada Marsh, Bo Fenn, Ada Marsh", &[]);
        // Times are not words.
        let (read, _) = formats::read("a.txt", text.as_bytes());
        for turn in &read[0].turns {
            assert!(turn.offset.is_some() && !turn.text().contains("10:"), "{turn:?}");
        }
    }
    // A time alone belongs to the text below it; without such text, it is a word.
    let text = "Ada Marsh  10:02 AM\nHas anybody got the key?\n10:03\nI looked everywhere\nBo Fenn  \
                10:04 AM\nYes. The meeting is at\n10:30\nAda Marsh  10:05 AM\nThanks!\n";
    let (read, _) = formats::read("a.txt", text.as_bytes());
    let words: Vec<String> = read[0].turns.iter().map(|turn| turn.text()).collect();
    let expected = [
        "Has anybody got the key?",
        "I looked everywhere",
        "Yes. The meeting is at\n10:30",
        "Thanks!",
    ];
    assert_eq!(words, expected);
}

#[test]
fn screenplays_may_have_scenes_and_simultaneous_speech() {
    check(
        "a.txt",
        "INT. MILL - NIGHT\n\nADA\nWho is there?\n\nBO\n(whispering)\nIt's me.\n\nADA\nStop!\n\nBO \
         ^\nWait!\n\nCUT TO:\n\nADA (O.S.)\nYou could have knocked.\n",
        "ADA, BO, ADA, BO, ADA",
        &[],
    );
    check(
        "b.txt",
        "          ADA\n     Who is there?\n\n          BO\n     It's me.\n\n   ADA           BO\nStop! \
         \x20       Wait!\n\n          ADA\n     You could have knocked.\n\n          BO\n     I did.\n",
        "ADA, BO, ADA, BO",
        &["doubtful-speaker"],
    );
}

#[test]
fn short_names_may_lack_bold_type() {
    check(
        "a.md",
        "# An interview\n\n**Ada Marsh:** When did you start here?\n\n**Jonas Wheel:** In 1987.\n\nAM: \
         And before?\n\nJW: My aunt had it:\n\n- Rule one: listen.\n\n**Ada**: Did you?\n\n\
         **Jonas:** I did.\n\n__Ada Marsh:__ Why?\n\n**JONAS WHEEL:** Because.\n",
        "Ada Marsh, Jonas Wheel, Ada Marsh, Jonas Wheel, Ada Marsh, Jonas Wheel, Ada Marsh, Jonas \
         Wheel",
        &[],
    );
}

/// A moderator is a speaker, although a list of speakers may start with the same word.
#[test]
fn a_moderator_is_a_speaker() {
    check(
        "a.txt",
        "Moderator: Welcome. (Applause.)\nDr. Ada Marsh: Thank you.\nModerator: When did you \
         start?\nMarsh: In 1987.\nModerator: Mr. Fenn?\nFenn: Later: in 1990.\nModerator: Thank you \
         both.\n",
        "Moderator, Dr. Ada Marsh, Moderator, Dr. Ada Marsh, Moderator, Fenn, Moderator",
        &[],
    );
}

/// Text that may belong to another speaker is reported, and never read silently.
#[test]
fn text_that_may_belong_to_another_speaker_is_reported() {
    for (name, text) in [
        (
            "b.txt",
            ">> JANE: And I'm Jane.\n>> Tonight: the mill.\n>> JANE: What did you see?\n>> BOB: I saw \
             it.\n>> JANE: Thanks.\n",
        ),
        (
            "c.txt",
            "Ada: Is it on?\n\nBo: Yes. He said to me,\nCy: give me the key.\n\nAda: Did you?\n\nBo: \
             No.\n\nCy: I did hear that.\n\nAda: Sorry?\n",
        ),
        // Values are not speech.
        (
            "d.txt",
            "Nurse: How do you feel?\nPatient: Bad. I am tired.\nNurse: Since when?\nPatient: Since \
             Monday.\nBP: 120/80\nNurse: I see.\nPatient: Thank you.\n",
        ),
    ] {
        let (speakers, codes) = read(name, text);
        assert!(speakers.len() > 3, "{name}: {speakers:?} {codes:?}");
        assert_eq!(codes, ["doubtful-speaker"], "{name}: {speakers:?}");
    }
    // A turn without bold type among many with it.
    let turns = "**Ada Marsh:** Do you see it?\n\n**Bo Fenn:** I do.\n\n".repeat(15);
    let text =
        format!("{turns}**Ada Marsh:** Good.\n\nBo Fenn: It leaks.\n\n**Ada Marsh:** Why?\n");
    let (speakers, codes) = read("a.md", &text);
    assert!(speakers.len() == 33 || codes == ["doubtful-speaker"], "{speakers:?} {codes:?}");
    // It is not clear who gives the other answers.
    let (speakers, codes) = read(
        "e.md",
        "**Q1: When did you start?**\n\nIn 1987.\n\n**Q2: Why mills?**\n\nA: I like the sound.\n\n\
         **Q3: And then?**\n\nA: I do nothing.\n",
    );
    assert_eq!((speakers.len(), codes), (0, vec!["doubtful-transcript"]));
}

/// Text without a speaker may appear in a row.
#[test]
fn events_have_no_speaker() {
    let text = "HOST: Welcome! Why mills?\n\nWHEEL: Because of the sound.\n\n[MUSIC]\n\n(Soundbite \
                of a wheel turning)\n\nHOST: Do you like it?\n\nWHEEL: I do.\n";
    check("a.md", text, "HOST, WHEEL, HOST, WHEEL", &[]);
    let (read, _) = formats::read("a.md", text.as_bytes());
    assert_eq!(read[0].turns.len(), 6, "{:?}", read[0].turns);
}
