//! Texts that phones write into chats: words for the owner are not names, each of several people
//! has one pseudonym, and groups keep their names.

use crate::chat_names::{all, check, opened};

/// The words of a phone for its owner in a language.
struct Words {
    /// The word for the owner as a sender.
    sender: &'static str,
    /// Wren adds the owner.
    added: &'static str,
    /// The owner adds Zelda.
    adds: &'static str,
    /// A message by a person that contains such words.
    text: &'static str,
}

const LANGUAGES: [Words; 12] = [
    Words {
        sender: "You",
        added: "Wren added you",
        adds: "You added Zelda",
        text: "I ask you. You come",
    },
    Words {
        sender: "Du",
        added: "Wren hat dich hinzugefügt.",
        adds: "Du hast Zelda hinzugefügt.",
        text: "Ich frag dich morgen. Du musst kommen",
    },
    Words {
        sender: "Vous",
        added: "Wren vous a ajouté.",
        adds: "Vous avez ajouté Zelda.",
        text: "Je vous dis que Vous venez",
    },
    Words {
        sender: "Tú",
        added: "Wren te añadió",
        adds: "Añadiste a Zelda",
        text: "Tú vienes, te digo",
    },
    Words {
        sender: "Tu",
        added: "Wren ti ha aggiunto",
        adds: "Hai aggiunto Zelda",
        text: "Tu vieni, ti dico. Hai sentito",
    },
    Words {
        sender: "Você",
        added: "Wren adicionou você",
        adds: "Você adicionou Zelda",
        text: "Você vem, digo a você",
    },
    Words {
        sender: "Jij",
        added: "Wren heeft je toegevoegd",
        adds: "Je hebt Zelda toegevoegd",
        text: "Jij komt, Je moet",
    },
    Words {
        sender: "Siz",
        added: "Wren sizi ekledi",
        adds: "Zelda kişisini eklediniz",
        text: "Siz gelin, Sizi bekliyorum",
    },
    Words {
        sender: "Вы",
        added: "Wren добавил(-а) вас",
        adds: "Вы добавили Zelda",
        text: "Вы идёте, Вас ждут",
    },
    Words {
        sender: "Ty",
        added: "Wren dodał(a) Ciebie",
        adds: "Dodano Zelda",
        text: "Ty i Ciebie nie ma",
    },
    Words {
        sender: "Anda",
        added: "Wren menambahkan Anda",
        adds: "Anda menambahkan Zelda",
        text: "Anda datang, tanya Anda",
    },
    Words {
        sender: "אתה", added: "Wren הוסיף/ה אותך", adds: "הוספת את Zelda", text: "אתה בא"
    },
];

#[test]
fn words_for_the_owner_of_a_phone_are_kept() {
    for Words { sender, added, adds, text } in LANGUAGES {
        let iphone = format!(
            "[27.09.23, 09:20:59] The mill: \u{200e}{added}\n\
             [27.09.23, 10:00:00] Ida: {text}\n\
             [27.09.23, 10:01:00] Wren: ask Zelda\n\
             [27.09.23, 10:06:00] \u{200e}{sender}: \u{200e}{adds}\n"
        );
        let android = format!(
            "27.09.23, 09:20 - {added}\n27.09.23, 09:23 - {adds}\n\
             27.09.23, 10:00 - Ida: {text}\n27.09.23, 10:01 - Wren: ask Zelda\n"
        );
        for chat in [iphone, android] {
            let site = check(&[("chat.txt", &chat)], &["Zelda", "Wren"], &[text]);
            let page = site.page("c/", "/index.json");
            assert!(!page.contains(&format!("\"speaker\": \"{sender}\"")), "{page}");
        }
    }
}

#[test]
fn a_word_for_the_owner_may_be_the_name_of_a_participant() {
    let chat = "[27.09.23, 10:00:00] Ty: I bring the oars\n\
        [27.09.23, 10:01:00] Wren: thanks, Ty\n[27.09.23, 10:02:00] Wren: \u{200e}Wren added Ty\n";
    check(&[("chat.txt", chat)], &["thanks, Ty", "Wren"], &["oars"]);
    let chat = "[27.09.23, 10:00:00] Wren: where is Ty\n[27.09.23, 10:01:00] Ida: here\n\
        [27.09.23, 10:02:00] Ty: \u{200e}Ty left\n";
    check(&[("chat.txt", chat)], &["is Ty", "Wren"], &["where is"]);
    // If the word is not a name, it is the owner, also as a sender.
    let chat = "[27.09.23, 10:00:00] Vous: bonjour\n[27.09.23, 10:01:00] Wren: Vous venez ?\n";
    check(&[("chat.txt", chat)], &["Wren"], &["Vous venez"]);
}

#[test]
fn people_in_a_list_are_separate_people() {
    let chat = "27/09/2023, 09:17 - Wren added Adalind and Beatrix\n\
        27/09/2023, 09:18 - Adalind: I am Adalind, this is Beatrix\n\
        27/09/2023, 09:19 - Beatrix: hi Adalind\n\
        27/09/2023, 09:19 - Wren added Cleo, Dora, and Enno\n\
        27/09/2023, 09:20 - Wren removed Finn & Gus\n\
        27/09/2023, 09:21 - Wren hat ~\u{a0}Hedda, ~\u{a0}Ingrid und 4 weitere Personen hinzugefügt.\n\
        27/09/2023, 09:22 - Wren añadió a Jon y 3 más\n\
        27/09/2023, 09:23 - Wren added Kasimir, Lorenz, and 5 others. Tap to see all.\n\
        27/09/2023, 09:24 - Wren: Enno, Finn, Gus, Hedda, Ingrid, Jon, Kasimir, Lorenz\n";
    let names = [
        "Adalind", "Beatrix", "Cleo", "Dora", "Enno", "Finn", "Gus,", "Hedda", "Ingrid", "Kasimir",
        "Lorenz",
    ];
    let shown = ["und 4 weitere Personen", "y 3 más", "and 5 others", "tap to see all"];
    let site = check(&[("chat.txt", chat)], &names, &shown);
    // Each person has the same pseudonym everywhere.
    let page = site.page("c/", "/index.json");
    let data: serde_json::Value = serde_json::from_str(&page).expect("JSON");
    let turns = data["turns"].as_array().expect("turns");
    let text = |at: usize| turns[at]["text"].as_str().expect("text").to_owned();
    let speaker = |at: usize| turns[at]["speaker"].as_str().expect("speaker").to_owned();
    let (ada, bea) = (speaker(1), speaker(2));
    assert!(text(0).contains(&format!("{ada} and {bea}")), "{page}");
    assert!(text(1).contains(&ada) && text(1).contains(&bea), "{page}");
}

#[test]
fn a_changed_number_does_not_rename_a_group() {
    let chat = "[27/09/23, 09:18:41] The mill: \u{200e}Messages and calls are end-to-end encrypted.\n\
        [27/09/23, 09:18:41] Wren: \u{200e}Wren created this group\n\
        [27/09/23, 09:20:59] The mill: \u{200e}Wren added you\n\
        [27/09/23, 10:00:00] Ida: good evening\n\
        [27/09/23, 10:01:00] \u{200e}You: \u{200e}You added Zelda\n\
        [27/09/23, 12:59:45] \u{202a}+49 151 12345678\u{202c}: \u{200e}\u{202a}+49 151 12345678\u{202c} changed \
        their phone number. \u{200e}Tap to message or add the new number.\n\
        [27/09/23, 13:00:00] Wren: evening\n";
    let site = check(&[("chat.txt", chat)], &["12345678", "Wren", "Zelda"], &["The mill"]);
    let page = site.page("c/", "/index.json");
    let data: serde_json::Value = serde_json::from_str(&page).expect("JSON");
    assert!(data["title"].as_str().expect("a title").starts_with("The mill"), "{page}");
}

#[test]
fn a_group_that_appears_as_a_sender_is_not_a_person() {
    let chat = "15.04.2016, 15:04 - Millers Chat: Messages and calls are end-to-end encrypted. No one \
        outside of this chat, not even WhatsApp, can read or listen to them.\n\
        15.04.2016, 15:05 - Wren: the Millers met\n15.04.2016, 15:06 - Ida: they did\n";
    check(&[("chat.txt", chat)], &["Wren", "Ida:"], &["the Millers met", "Millers Chat"]);
    // In a chat of two people, it is the other one.
    let chat = "15.04.2016, 15:04 - Zelda: Messages and calls are end-to-end encrypted. No one \
        outside of this chat can read them.\n\
        15.04.2016, 15:05 - Wren: hi Zelda\n15.04.2016, 15:06 - Wren: are you there\n";
    check(&[("chat.txt", chat)], &["Wren", "Zelda"], &["are you there"]);
}

#[test]
fn a_hidden_line_leaves_no_empty_line() {
    let chat = "3/4/26, 6:20 PM - Wren: the third\n3/4/26, 6:21 PM - Ida: or the fourth\n";
    let site = opened(&[("chat.txt", chat)]);
    assert!(all(&site).contains("3/4/26 18:20"), "the clock is gone");
    let run = site.run(&["build"]);
    assert!(run.stderr.contains("ambiguous-dates"), "{}", run.stderr);
    assert!(!run.stderr.contains("1 |"), "{}", run.stderr);
}
