//! The contents of a message: text, or a placeholder that KakaoTalk writes.

use crate::shared::people::channel::{event_block, plain};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::model::{Attachment, AttachmentKind, Block, Content};
use convo_base::text::percent_encode;

/// Placeholders of files, in lower case.
const FILES: [(AttachmentKind, &[&str]); 3] = [
    (AttachmentKind::Image, &["사진", "photo", "photos"]),
    (AttachmentKind::Video, &["동영상", "video", "videos"]),
    (AttachmentKind::Audio, &["음성메시지", "voice note", "voice message"]),
];
/// The text in front of the name of a document.
const DOCUMENTS: [&str; 2] = ["파일: ", "File: "];
/// Placeholders of events, in lower case.
const EVENTS: [(&str, &[&str]); 4] = [
    ("sticker", &["이모티콘", "emoticon", "emoticons"]),
    ("deleted", &["삭제된 메시지입니다.", "this message was deleted.", "deleted message."]),
    ("location", &["지도", "map"]),
    ("contact", &["연락처", "contact"]),
];
/// Events that may be followed by a place or a person.
const DETAILED_EVENTS: [(&str, &[&str]); 2] =
    [("location", &["지도:", "map:"]), ("contact", &["연락처:", "contact:"])];
/// How the text of a call begins.
const CALLS: [&str; 9] = [
    "보이스톡 ", "페이스톡 ", "그룹콜 ", "라이브톡 ", "Voice Call ", "Video Call ", "Face Talk ",
    "Group Call ", "Live Talk ",
];
/// Korean notices about people; `님` follows each name.
const KOREAN_NOTICES: [&str; 14] = [
    "들어왔습니다", "나갔습니다", "입장했습니다", "퇴장했습니다", "초대했습니다", "초대하였습니다",
    "내보냈습니다", "내보내기", "되었습니다", "해제되었습니다", "변경했습니다", "변경하였습니다",
    "가렸습니다", "삭제했습니다",
];
/// Notices without a name, and English notices about a chatroom.
const NOTICES: [&str; 10] = [
    "메시지를 가렸습니다.",
    "메시지가 삭제되었습니다.",
    "방장이 변경되었습니다.",
    "운영정책을 위반한 메시지로 신고 접수 시",
    "타인, 기관 등의 사칭에",
    " joined this chatroom.",
    " left this chatroom.",
    " joined the chatroom.",
    " left the chatroom.",
    " from this chatroom.",
];
/// The ends of English lines about someone who joined or left; a short name precedes them.
const PRESENCE_ENDINGS: [&str; 4] = [" has joined.", " has left.", " joined.", " left."];
/// The maximum length of the text of a call. Characters.
const MAX_CALL: usize = 40;
/// The maximum number of words of a name.
const MAX_NAME_WORDS: usize = 4;
/// The maximum length of a notice. Characters.
const MAX_NOTICE: usize = 400;
/// The minimum length of the name of a file that was saved beside the chat. Characters.
const MIN_NAME: usize = 32;

/// Returns whether a line is a KakaoTalk notice: who joined, left, or was invited.
pub(super) fn is_notice(row: &str) -> bool {
    let row = row.trim();
    let has = |words: &[&str]| words.iter().any(|words| row.contains(words));
    let is_korean = || has(&["님이 ", "님을 ", "님은 "]) && has(&KOREAN_NOTICES);
    let invites = || row.split_once(" invited ").is_some_and(|(by, _)| is_name(by));
    let went = || PRESENCE_ENDINGS.iter().any(|end| row.strip_suffix(end).is_some_and(is_name));
    let is_english = || went() || row.ends_with('.') && invites();
    row.chars().count() <= MAX_NOTICE && (has(&NOTICES) || is_korean() || is_english())
}

/// Returns whether text may be a name: it has few words and no verb.
fn is_name(words: &str) -> bool {
    const VERBS: [&str; 8] = ["is", "was", "were", "are", "have", "had", "be", "just"];
    let mut parts = words.split_whitespace();
    parts.clone().count() <= MAX_NAME_WORDS && !parts.any(|word| VERBS.contains(&word))
}

/// Reads the text of a message.
pub(super) fn body(text: &str, tally: &mut Tally) -> Option<Vec<Block>> {
    let bare = text.trim();
    let lower = bare.to_lowercase();
    let mut events = EVENTS.iter().filter(|(_, words)| words.contains(&lower.as_str()));
    let is_one_line = !bare.contains('\n');
    let begins = |words: &[&str]| words.iter().any(|start| lower.starts_with(start));
    let mut revealing = DETAILED_EVENTS.iter().filter(|(_, words)| is_one_line && begins(words));
    if let Some((name, _)) = events.next().or_else(|| revealing.next()) {
        return Some(vec![event_block(name, "")]);
    }
    let is_call = is_one_line && bare.chars().count() <= MAX_CALL;
    if is_call && CALLS.iter().any(|words| bare.starts_with(words)) {
        return Some(vec![event_block("call", bare)]);
    }
    if let Some(files) = files(bare, &lower, tally) {
        return Some(files);
    }
    let words = plain(text.trim_end());
    words.map(|words| vec![words])
}

/// Returns the files that a message stands for.
fn files(bare: &str, lower: &str, tally: &mut Tally) -> Option<Vec<Block>> {
    let block = |attachment| Block::Attachment(Box::new(attachment));
    if !bare.is_empty() && bare.lines().all(is_saved_name) {
        let file = |name: &str| {
            let content = Content::Uri(percent_encode(name));
            let kind = kind_of(name, None);
            block(Attachment { content, ..Attachment::new(kind.word(), kind) })
        };
        return Some(bare.lines().map(|name| file(name.trim())).collect());
    }
    let document = DOCUMENTS.iter().find_map(|words| bare.strip_prefix(words));
    if let Some(name) = document.filter(|name| name.contains('.') && !name.contains('\n')) {
        tally.missing_file();
        return Some(vec![block(Attachment::new(name, kind_of(name, None)))]);
    }
    let (kind, _) = FILES.iter().find(|(_, words)| {
        words.iter().any(|word| lower.strip_prefix(word).is_some_and(is_count))
    })?;
    tally.missing_file();
    Some(vec![block(Attachment::new(kind.word(), *kind))])
}

/// Returns whether a text is empty or a number of pictures: `사진 3장`, `Photos 3`.
fn is_count(text: &str) -> bool {
    let count = text.trim().trim_end_matches('장');
    text.is_empty() || !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a line is a file name that KakaoTalk assigns to files saved beside the chat: a
/// long hexadecimal number.
fn is_saved_name(row: &str) -> bool {
    row.trim().rsplit_once('.').is_some_and(|(stem, ending)| {
        stem.len() >= MIN_NAME
            && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
            && (2..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}
