//! Transcripts as people really type them, with every inconsistency: each turn has its speaker, or
//! it is told what is in doubt.

use convo_site::formats;

/// The speakers of a text in their order, without events, and the codes of what is told of it.
fn heard(name: &str, text: &str) -> (Vec<String>, Vec<&'static str>) {
    let (read, notes) = formats::read(name, text.as_bytes());
    let turns = read.iter().flat_map(|read| &read.turns);
    let speakers = turns.map(|turn| turn.speaker.clone()).filter(|name| !name.is_empty());
    (speakers.collect(), notes.iter().map(|note| note.code).collect())
}

#[track_caller]
fn check(name: &str, text: &str, speakers: &str, codes: &[&str]) {
    let (found, told) = heard(name, text);
    assert_eq!(found.join(", "), speakers, "{told:?}\n{text}");
    let told: Vec<&str> = told.into_iter().filter(|code| *code != "preface").collect();
    assert_eq!(told, codes, "{text}");
}

#[test]
fn names_get_shorter() {
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
fn bold_type_and_colons_come_and_go() {
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
fn letters_stand_for_who_asks_and_answers() {
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
fn times_come_in_several_forms() {
    check(
        "a.txt",
        "[00:00:03] Lucie : Bonjour, on y va ?\n[00:00:05] Tom: Sure. Shall I speak English?\n\
         [00:00:09] Lucie : Comme tu veux.\n(0:14) Tom: Okay. So the first boat sank.\n00:21 Lucie : \
         Tout de suite ?\nTom (00:25): Immediately.\n[00:33] Lucy: Et le deuxième ?\n[00:36] Tom: We \
         never finished.\n",
        "Lucie, Tom, Lucie, Tom, Lucie, Tom, Lucy, Tom",
        // It may be Lucie.
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
fn parts_have_names_in_brackets() {
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
fn plays_forget_their_colons() {
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
fn pages_of_assistants_are_copied() {
    check(
        "a.txt",
        "Skip to content\n\nYou said:\nwax on a rug\n\nChatGPT said:\nLet it harden:\n\nNote: never \
         use steam.\nTime: ten seconds.\n\nYou said:\nthanks\n\nChatGPT said:\nYou're welcome!\n",
        "You, ChatGPT, You, ChatGPT",
        &[],
    );
    check(
        "b.txt",
        "You said:\nhi\nClaude responded:\nHello! How can I help?\nYou said:\nname a \
         bird\nClaude responded:\nA wren.\n",
        "You, Claude, You, Claude",
        &[],
    );
}

/// Everybody knows that people of such names speak, however short it is.
#[test]
fn short_talks_of_people() {
    for text in [
        "NAME1: ok\nNAME2: sure\nNAME1: done\n",
        "**NAME1:** ok\n**NAME2:** sure\n**NAME1:** done\n",
        "__NAME1__: the kiln is at 900\n\n__NAME2__: open it at 200\n\n__NAME1__: fine\n",
        "**@NAME1**: it went out\n\n**@NAME2**: the graphs look flat\n\n**@NAME1**: good\n",
        "**NAME1**\n\nThe boat leaves at six.\n\n**NAME2**\n\nSix is late.\n\n**NAME1**\n\nThe rope.\n",
        "### NAME1\n\nThe boat leaves at six.\n\n### NAME2\n\nSix is late.\n\n### NAME1\n\nThe rope.\n",
    ] {
        let talk = text.replace("NAME1", "Sara").replace("NAME2", "Ravi");
        let (speakers, told) = heard("a.md", &talk);
        let speakers: Vec<&str> =
            speakers.iter().map(|name| name.trim_start_matches('@')).collect();
        assert_eq!(speakers, ["Sara", "Ravi", "Sara"], "{told:?}\n{talk}");
        // What could be labels is no talk.
        let form =
            text.replace("NAME1", "Width").replace("NAME2", "Height").replace('@', "");
        assert_eq!(heard("a.md", &form).0.len(), 0, "{form}");
    }
}

/// A line that begins as a turn does, with the name of one who speaks, is no turn in silence.
#[test]
fn what_may_be_a_turn_and_is_none_is_told() {
    let text = "Ada: Did you see the heron?\n\nBob: I did, it stood in the reeds.\n\nAda: Was it \
                cold?\n\nBob: It was. I said to her\nthat it was late.\nAda: That is true.\n\nBob: \
                We went home.\n\nAda: I did as well.\n\nBob: Thanks.\n";
    let (speakers, told) = heard("a.txt", text);
    assert!(
        speakers.join(", ") == "Ada, Bob, Ada, Bob, Ada, Bob, Ada, Bob"
            || told.contains(&"doubtful-speaker"),
        "{speakers:?} {told:?}"
    );
}
