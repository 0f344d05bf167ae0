//! Writes a conversation in the convo format, and reads it again.

use convo_site::formats::{self, Write};
use convo_site::json;
use convo_site::model::Conversation;

/// A conversation as a convo file.
fn written(conversation: &Conversation) -> String {
    match formats::named("convo").and_then(|format| format.write.as_ref()) {
        Some(Write::File(_, write)) => write(conversation, "x"),
        _ => panic!("convo is a file that is written"),
    }
}

#[track_caller]
pub(crate) fn assert_survives_writing(conversation: &Conversation) {
    let text = written(conversation);
    let (again, notes) = formats::read("x.convo", text.as_bytes());
    let before = json::pretty(std::slice::from_ref(conversation));
    assert_eq!(before, json::pretty(&again), "{text}\n{notes:?}");
}

/// Like [`assert_survives_writing`], but allows open blocks to be closed: otherwise, the format would read
/// the turns after them as part of the block. Participants who never speak are an error in the format, so they
/// are not written.
#[track_caller]
pub(crate) fn assert_survives_except_open_blocks(conversation: &Conversation) {
    let mut conversation = conversation.clone();
    let speaks = |name: &str| conversation.turns.iter().any(|turn| turn.speaker == name);
    let (speaking, silent): (Vec<_>, Vec<_>) =
        conversation.participants.iter().cloned().partition(|who| speaks(&who.name));
    if !silent.is_empty() {
        conversation.participants = speaking.into_iter().collect();
    }
    let conversation = &conversation;
    let text = written(conversation);
    let (again, notes) = formats::read("x.convo", text.as_bytes());
    let [again] = again.as_slice() else { panic!("{text}\n{notes:?}") };
    let texts = |read: &Conversation| {
        let preface = (String::new(), read.preface.clone());
        let turns = read.turns.iter().map(|turn| (turn.speaker.clone(), turn.text()));
        std::iter::once(preface).chain(turns).collect::<Vec<_>>()
    };
    let closes = |line: &str| {
        let fence = line.len() > 2 && ["`", "~"].iter().any(|c| line.replace(c, "").is_empty());
        fence || line.starts_with("</") || ["-->", "]]>", "?>"].contains(&line)
    };
    let (before, after) = (texts(conversation), texts(again));
    assert_eq!(before.len(), after.len(), "{text}");
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.0, after.0, "{text}");
        let more = after.1.strip_prefix(&before.1).expect("nothing else is changed");
        assert!(more.is_empty() || more.strip_prefix('\n').is_some_and(closes), "{text}");
    }
    if before == after {
        assert_survives_writing(conversation);
    }
    assert_survives_writing(again);
}
