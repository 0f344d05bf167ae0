//! What a message says: words, or what KakaoTalk writes in the place of something else.

use crate::formats::channel::{happened, plain};
use crate::formats::thread::{Tally, kind_of};
use crate::model::{Attachment, AttachmentKind, Block, Content};
use crate::text::percent_encode;

/// What stands in the place of a file.
const FILES: [(AttachmentKind, &[&str]); 3] = [
    (AttachmentKind::Image, &["사진", "Photo", "Photos"]),
    (AttachmentKind::Video, &["동영상", "Video"]),
    (AttachmentKind::Audio, &["음성메시지", "Voice Note", "Voice Message"]),
];
/// What stands before the name of a document.
const DOCUMENTS: [&str; 2] = ["파일: ", "File: "];
/// What stands in the place of something that happened.
const EVENTS: [(&str, &[&str]); 4] = [
    ("sticker", &["이모티콘", "Emoticon", "Emoticons"]),
    (
        "deleted",
        &["삭제된 메시지입니다.", "This message was deleted.", "Deleted message."],
    ),
    ("location", &["지도", "Map"]),
    ("contact", &["연락처", "Contact"]),
];
/// What the line of a call begins with.
const CALLS: [&str; 6] =
    ["보이스톡 ", "페이스톡 ", "그룹콜 ", "Voice Call ", "Face Talk ", "Group Call "];
/// What a line ends with in which KakaoTalk tells who came and went.
const NOTICES: [&str; 12] = [
    "님이 들어왔습니다.",
    "님이 나갔습니다.",
    "님을 초대했습니다.",
    "님을 내보냈습니다.",
    "님이 방장이 되었습니다.",
    "님이 부방장이 되었습니다.",
    "채팅방 관리자가 메시지를 가렸습니다.",
    "운영정책을 위반한 메시지로 신고 접수 시 카카오톡 이용에 제한이 있을 수 있습니다.",
    " joined this chatroom.",
    " left this chatroom.",
    " joined the chatroom.",
    " left the chatroom.",
];
/// The most characters of the line of a call.
const MAX_CALL: usize = 40;
/// The fewest characters of the name of a file that was saved beside the chat.
const MIN_NAME: usize = 32;

/// Returns whether a line is one in which KakaoTalk itself tells something.
pub(super) fn is_notice(row: &str) -> bool {
    let row = row.trim();
    let invites = row.contains(" invited ") && row.ends_with(" to this chatroom.");
    invites || NOTICES.iter().any(|end| row.ends_with(end))
}

/// Reads the text of a message.
pub(super) fn body(text: &str, tally: &mut Tally) -> Option<Vec<Block>> {
    let bare = text.trim();
    if let Some((name, _)) = EVENTS.iter().find(|(_, words)| words.contains(&bare)) {
        return Some(vec![happened(name, "")]);
    }
    let is_call = bare.chars().count() <= MAX_CALL && !bare.contains('\n');
    if is_call && CALLS.iter().any(|words| bare.starts_with(words)) {
        return Some(vec![happened("call", bare)]);
    }
    if let Some(files) = files(bare, tally) {
        return Some(files);
    }
    let words = plain(text.trim_end());
    words.map(|words| vec![words])
}

/// Returns the files for which a message stands.
fn files(bare: &str, tally: &mut Tally) -> Option<Vec<Block>> {
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
    if let Some(name) = document.filter(|name| name.contains('.') && !name.contains('\n'))
    {
        tally.missing_files += 1;
        return Some(vec![block(Attachment::new(name, kind_of(name, None)))]);
    }
    let (kind, _) = FILES.iter().find(|(_, words)| {
        words.iter().any(|word| bare.strip_prefix(word).is_some_and(is_count))
    })?;
    tally.missing_files += 1;
    Some(vec![block(Attachment::new(kind.word(), *kind))])
}

/// Returns whether a text is nothing, or a number of pictures: `사진 3장`, `Photos 3`.
fn is_count(text: &str) -> bool {
    let count = text.trim().trim_end_matches('장');
    text.is_empty()
        || !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a line is the name that KakaoTalk gives to a file which it saves beside the chat: a long
/// hexadecimal number.
fn is_saved_name(row: &str) -> bool {
    row.trim().rsplit_once('.').is_some_and(|(stem, ending)| {
        stem.len() >= MIN_NAME
            && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
            && (2..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}
