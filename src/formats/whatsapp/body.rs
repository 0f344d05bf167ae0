//! The contents of a message: text in WhatsApp's markup, files by name, and system messages in the
//! languages of phones.

use super::line::{SYSTEM_MARK, trimmed};
use super::poll::{Poll, poll};
use crate::shared::people::channel::{
    CLOSING_MARKS, Contacts, event_block, is_contact, is_place, marks, notices, without_places,
};
use crate::shared::text::attachment_kind::kind_of;
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::{is_direction_mark, percent_encode};

/// A message as it is shown.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) blocks: Vec<Block>,
    pub(super) is_edited: bool,
}

/// Words for “omitted”, which end the placeholder of a file.
const OMITTED: [&str; 26] = [
    "omitted",
    "weggelassen",
    "ausgeschlossen",
    "omitido",
    "omitida",
    "omitidos",
    "omis",
    "absente",
    "omesso",
    "omessi",
    "weggelaten",
    "pominięto",
    "dihilangkan",
    "без медиафайлов",
    "oculta",
    "oculto",
    "ocultos",
    "dahil edilmedi",
    "تم استبعاد الوسائط",
    "המדיה לא נכללה",
    "मीडिया छोड़ दिया गया",
    "メディアは含まれていません",
    "미디어 파일을 제외한 내용",
    "省略多媒体文件",
    "忽略多媒體檔",
    "utelatt",
];
/// What Android phones write in parentheses after a file name: “file attached”.
const ATTACHED: [&str; 8] = [
    "file attached", "Datei angehängt", "archivo adjunto", "fichier joint", "arquivo anexado",
    "file allegato", "bestand bijgevoegd", "файл добавлен",
];
/// The mark of an edited message, without the full stop. Other text in angle brackets counts only
/// after the mark of a phone; without it, a person typed it.
const EDITED: [&str; 14] = [
    "this message was edited",
    "diese nachricht wurde bearbeitet",
    "se editó este mensaje",
    "este mensaje fue editado",
    "ce message a été modifié",
    "mensagem editada",
    "esta mensagem foi editada",
    "questo messaggio è stato modificato",
    "dit bericht is bewerkt",
    "det här meddelandet har redigerats",
    "bu mesaj düzenlendi",
    "сообщение изменено",
    "это сообщение изменено",
    "ta wiadomość została edytowana",
];
/// The placeholders of deleted messages.
const DELETED: [&str; 10] = [
    "this message was deleted",
    "you deleted this message",
    "diese nachricht wurde gelöscht",
    "du hast diese nachricht gelöscht",
    "se eliminó este mensaje",
    "eliminaste este mensaje",
    "ce message a été supprimé",
    "esta mensagem foi apagada",
    "questo messaggio è stato eliminato",
    "dit bericht is verwijderd",
];

/// Returns whether a system line stands for something that a person sent or did, which a group
/// cannot: a file, a deleted message, a place.
pub(super) fn is_sender_event(text: &str) -> bool {
    let bare = trimmed(text);
    let lower = bare.to_lowercase();
    DELETED.iter().any(|deleted| lower.trim_end_matches('.') == *deleted)
        || file(bare, true, &lower).is_some()
        || is_place(bare)
}

/// Reads the text of a message. Calls `called` for each name mentioned in it.
pub(super) fn body(text: &str, contacts: &mut Contacts, called: &mut dyn FnMut(&str)) -> Body {
    let mut body = Body::default();
    let mut text = text.trim_end_matches(['\n', ' ']);
    if let Some(before) = without_edit_mark(text) {
        (text, body.is_edited) = (before, true);
    }
    let is_system_text = text.starts_with(SYSTEM_MARK);
    let bare = trimmed(text);
    let lower = bare.to_lowercase();
    if DELETED.iter().any(|deleted| lower.trim_end_matches('.') == *deleted) {
        body.blocks.push(event_block("deleted", bare));
    } else if let Some(blocks) = file(bare, is_system_text, &lower) {
        body.blocks = blocks;
        let caption = bare.split_once('\n').map(|(_, caption)| caption);
        caption.iter().for_each(|caption| mentioned(caption, called));
        body.blocks.extend(caption.and_then(|text| prose(text, contacts)));
    } else if let Some((caption, blocks)) = captioned(text) {
        body.blocks = blocks;
        mentioned(caption, called);
        body.blocks.extend(prose(caption, contacts));
    } else if let Some(words) = without_places(bare, "_location_") {
        mentioned(&words, called);
        match words.is_empty() {
            true => body.blocks.push(event_block("location", "")),
            false => body.blocks.extend(prose(&words, contacts)),
        }
    } else if let Some(poll) = poll(text) {
        mentioned(text, called);
        body.blocks.push(asked(&poll, contacts));
    } else if is_system_text {
        notices::each_named(text, called);
        body.blocks.push(event_block("notice", without_marks(bare, contacts)));
    } else {
        mentioned(text, called);
        body.blocks.extend(prose(text, contacts));
    }
    body
}

/// Calls `called` with each name after an `@` that is enclosed in direction marks.
fn mentioned(text: &str, called: &mut dyn FnMut(&str)) {
    let marked = text.split('@').skip(1).filter(|rest| rest.starts_with('\u{2068}'));
    marked.for_each(|rest| {
        let end = rest.find('\u{2069}').map_or(rest.len(), |end| end + '\u{2069}'.len_utf8());
        notices::isolated(&rest[..end], &mut |name| {
            let name = notices::without_tilde(name.trim());
            if !notices::is_owner(name) {
                called(name);
            }
        });
    });
}

/// Returns a system message without its direction marks and phone numbers.
pub(super) fn without_marks(text: &str, contacts: &mut Contacts) -> String {
    let text: String = text.chars().filter(|c| !is_direction_mark(*c)).collect();
    contacts.without_numbers(text.trim())
}

/// Returns whether a text contains the encryption notice with which every chat begins.
pub(super) fn is_encryption(text: &str) -> bool {
    const ENCRYPTED: [&str; 7] = [
        "end-to-end encrypted",
        "Ende-zu-Ende-verschlüsselt",
        "cifrados de extremo a extremo",
        "chiffrés de bout en bout",
        "criptografia de ponta a ponta",
        "crittografati end-to-end",
        "end-to-end versleuteld",
    ];
    ENCRYPTED.iter().any(|words| text.contains(words))
}

/// Returns whether a text consists only of that notice, regardless of its apparent sender.
pub(super) fn is_whole_encryption(text: &str) -> bool {
    const BEGINS: [&str; 10] = [
        "Messages and calls ", "Messages you send ", "Messages to this ",
        "Nachrichten und Anrufe ", "Los mensajes y ", "Les messages et ", "As mensagens e ",
        "Mensagens e ", "I messaggi e ", "Berichten en ",
    ];
    const MAX_CHARS: usize = 240;
    let text = trimmed(text);
    BEGINS.iter().any(|words| text.starts_with(words))
        && is_encryption(text)
        && !text.contains('\n')
        && text.chars().count() <= MAX_CHARS
}

/// Returns the text before the mark of an edited message: `<This message was edited>`.
fn without_edit_mark(text: &str) -> Option<&str> {
    let (before, mark) = text.strip_suffix('>')?.rsplit_once('<')?;
    let is_known = || EDITED.contains(&mark.trim_end_matches('.').to_lowercase().as_str());
    let is_mark = mark.contains(' ') && !mark.contains([':', '\n', '/']);
    let is_behind = before.ends_with(SYSTEM_MARK) || before.ends_with(' ') && is_known();
    // In place of a file, the mark would be the whole text.
    (is_mark && is_behind && !before.trim_matches([SYSTEM_MARK, ' ']).is_empty())
        .then(|| before.trim_end_matches([SYSTEM_MARK, ' ', '\n']))
}

/// Splits a line into a caption and the file after it: `Our boat <attached: boat.jpg>`.
fn captioned(text: &str) -> Option<(&str, Vec<Block>)> {
    let (caption, line) = text.rsplit_once(SYSTEM_MARK)?;
    let inside = line.strip_prefix('<')?.strip_suffix('>')?;
    let (_, name) = inside.split_once(": ")?;
    let is_one = has_ending(name) && !name.contains(['\n', '<']);
    is_one.then(|| (caption, named(name)))
}

/// Returns the blocks of a file if the first line names one.
fn file(text: &str, is_system_text: bool, lower: &str) -> Option<Vec<Block>> {
    let line = trimmed(text.lines().next()?);
    // `<attached: photo.jpg>`, in every language.
    let attached = line.strip_prefix('<').and_then(|line| line.strip_suffix('>'));
    if let Some((_, name)) = attached.and_then(|inside| inside.split_once(": ")) {
        return has_ending(name).then(|| named(name));
    }
    // `photo.jpg (file attached)`.
    let attached = line.strip_suffix(')').and_then(|line| line.rsplit_once(" ("));
    let names_file = |(name, words): &(&str, &str)| {
        is_file_name(name, is_system_text || ATTACHED.contains(words))
    };
    if let Some((name, _)) = attached.filter(names_file) {
        return Some(named(name));
    }
    let is_around = |c: char| is_direction_mark(c) || [' ', '<', '>', '.'].contains(&c);
    let first = lower.lines().next()?.trim_matches(is_around);
    let is_omitted = OMITTED.iter().any(|word| first.ends_with(word));
    // The name of a document precedes the words for it.
    let name = line.split_once(" • ").map(|(name, _)| name).filter(|name| has_ending(name));
    let is_document = name.is_some() && line.contains(SYSTEM_MARK);
    let stands_alone =
        is_system_text || is_document || line.starts_with('<') && line.ends_with('>');
    if !is_omitted || !stands_alone || first.chars().count() > 80 {
        return None;
    }
    Some(match name {
        Some(name) => vec![missing(name, kind_of(name, None))],
        None => vec![missing(line.trim_matches(['<', '>']), kind_in_words(first))],
    })
}

fn has_ending(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// Returns whether a name is a file name: any name with an extension if the text beside it is the
/// phone's, otherwise only a name that phones assign, such as `IMG-20260304-WA0001.jpg`.
fn is_file_name(name: &str, is_system_text: bool) -> bool {
    let is_numbered = name.split_once("-WA").is_some_and(|(before, number)| {
        before.contains('-') && number.starts_with(|c: char| c.is_ascii_digit())
    });
    let is_card = name.to_ascii_lowercase().ends_with(".vcf");
    has_ending(name)
        && !name.contains(['/', '\\', '\n'])
        && (is_system_text || is_numbered || is_card)
}

/// A file beside the chat. Contact cards are not published.
fn named(name: &str) -> Vec<Block> {
    let name = name.trim();
    if name.to_ascii_lowercase().ends_with(".vcf") {
        return vec![event_block("contact", "")];
    }
    let content = Content::Uri(percent_encode(name));
    let attachment = Attachment { content, ..Attachment::new(name, kind_of(name, None)) };
    vec![Block::Attachment(Box::new(attachment))]
}

fn missing(name: &str, kind: AttachmentKind) -> Block {
    let name = if is_contact(name) { kind.word() } else { name };
    Block::Attachment(Box::new(Attachment::new(name, kind)))
}

fn kind_in_words(words: &str) -> AttachmentKind {
    let has = |some: &[&str]| some.iter().any(|word| words.contains(word));
    if has(&["image", "bild", "imagen", "imagem", "immagine", "afbeelding", "sticker", "gif"]) {
        AttachmentKind::Image
    } else if has(&["video", "vidéo"]) {
        AttachmentKind::Video
    } else if has(&["audio"]) {
        AttachmentKind::Audio
    } else {
        AttachmentKind::File
    }
}

/// Returns a poll as Markdown: its question and a list of the answers.
fn asked(poll: &Poll<'_>, contacts: &mut Contacts) -> Block {
    let mut typed = |text: &str| marks::to_markdown(&mentions(text, contacts));
    let mut text = typed(&poll.question.join("\n"));
    text.push_str("\n\n");
    for option in &poll.options {
        text.push_str(&format!("- {}\n", typed(option)));
    }
    Block::Markdown { text: text.trim_end().to_owned() }
}

/// Returns typed text as Markdown.
fn prose(text: &str, contacts: &mut Contacts) -> Option<Block> {
    let text = mentions(trimmed(text), contacts);
    let text = marks::to_markdown(&text);
    (!text.trim().is_empty()).then_some(Block::Markdown { text })
}

/// Replaces mentioned numbers with names, and removes the direction marks around names.
fn mentions(text: &str, contacts: &mut Contacts) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('@') {
        out.push_str(before);
        out.push('@');
        let isolated = behind.strip_prefix('\u{2068}').and_then(|name| name.split_once('\u{2069}'));
        if let Some((name, after)) = isolated {
            out.push_str(&contacts.name(name));
            rest = after;
            continue;
        }
        let is_part = |c: char| {
            c.is_ascii_digit()
                || "+ -\u{a0}\u{202f}".contains(c)
                || is_direction_mark(c) && !CLOSING_MARKS.contains(&c)
        };
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        let number = behind[..end].trim_end_matches([' ', '-']);
        let is_mention = !before.ends_with(char::is_alphanumeric) && is_contact(number);
        if is_mention {
            out.push_str(&contacts.number(number));
        }
        rest = if is_mention { &behind[number.len()..] } else { behind };
    }
    out.push_str(rest);
    out.retain(|c| !['\u{2068}', '\u{2069}', SYSTEM_MARK].contains(&c));
    out
}

#[cfg(test)]
mod tests {
    use super::file;
    use convo_base::model::Block;

    /// Returns the file name in a message without a phone's mark.
    fn attached(text: &str) -> Option<String> {
        let blocks = file(text, false, &text.to_lowercase())?;
        blocks.into_iter().find_map(|block| match block {
            Block::Attachment(attachment) => Some(attachment.name),
            _ => None,
        })
    }

    #[test]
    fn a_file_has_any_name_before_the_words_of_a_phone() {
        for (text, name) in [
            ("Letter to Bo Berg.pdf (file attached)", "Letter to Bo Berg.pdf"),
            ("My boat.png (file attached)\nour boat", "My boat.png"),
            ("Brief an Bo.docx (Datei angehängt)", "Brief an Bo.docx"),
            ("IMG-20260304-WA0001.jpg (tiedosto liitetty)", "IMG-20260304-WA0001.jpg"),
        ] {
            assert_eq!(attached(text).as_deref(), Some(name), "{text}");
        }
        for text in [
            "I wrote the letter (file attached)",
            "Letter.pdf (the new one)",
            "Letter.pdf (file attached), see page 2",
            "see ../Letter.pdf (file attached)",
            "Here it is:\nLetter.pdf (file attached)",
        ] {
            assert_eq!(attached(text), None, "{text}");
        }
    }
}
