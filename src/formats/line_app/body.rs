//! The contents of a message: text, or a placeholder that LINE writes.

use crate::shared::people::channel::{event_block, plain};
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use convo_base::model::{Attachment, AttachmentKind, Block};

/// Placeholders of files. The name of a document may follow.
const FILES: [(AttachmentKind, &[&str]); 4] = [
    (AttachmentKind::Image, &["[Photo]", "[写真]", "[照片]", "[사진]"]),
    (AttachmentKind::Video, &["[Video]", "[動画]", "[影片]", "[视频]", "[동영상]"]),
    (
        AttachmentKind::Audio,
        &["[Voice message]", "[ボイスメッセージ]", "[語音訊息]", "[语音信息]", "[음성 메시지]"],
    ),
    (AttachmentKind::File, &["[File]", "[ファイル]", "[檔案]", "[文件]", "[파일]"]),
];
/// Placeholders of events. An address follows a location.
const EVENTS: [(&str, &[&str]); 3] = [
    ("sticker", &["[Sticker]", "[スタンプ]", "[貼圖]", "[贴图]", "[스티커]"]),
    (
        "location",
        &["[Location]", "[位置情報]", "[位置資訊]", "[位置信息]", "[位置]", "[위치]", "[null]"],
    ),
    ("contact", &["[Contact]", "[連絡先]", "[聯絡資訊]", "[联系人信息]", "[연락처]"]),
];
/// Texts of unsent messages.
const UNSENT: [&str; 6] = [
    "unsent a message",
    "Message unsent",
    "送信を取り消しました",
    "已收回訊息",
    "撤回了",
    "메시지 보내기를 취소했습니다",
];
/// The mark in front of a call.
const CALL: &str = "☎";

/// Reads the text of a message or of a system line, which has no sender. Of system lines, only
/// calls and unsent messages are shown, because the others name people.
pub(super) fn body(text: &str, is_sent: bool, tally: &mut Tally) -> Option<Vec<Block>> {
    let bare = text.trim();
    let is_one_line = !bare.contains('\n');
    if let Some(call) = bare.strip_prefix(CALL).filter(|_| is_one_line) {
        // Without a sender, the text may name a person.
        return Some(vec![event_block("call", if is_sent { call.trim() } else { "" })]);
    }
    if !is_sent {
        if UNSENT.iter().any(|words| bare.contains(words)) {
            return Some(vec![event_block("deleted", "")]);
        }
        tally.not_shown("LINE notice", "LINE notices");
        return None;
    }
    let behind = |words: &[&str]| {
        let rest = words.iter().find_map(|word| bare.strip_prefix(word))?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
    };
    let event = EVENTS.iter().find_map(|(name, words)| Some((*name, behind(words)?)));
    if let Some((name, rest)) = event
        && (rest.is_empty() || name == "location" && is_one_line)
    {
        return Some(vec![event_block(name, "")]);
    }
    let file = FILES.iter().find_map(|(kind, words)| Some((*kind, behind(words)?)));
    let file = file
        .filter(|(kind, name)| is_one_line && (name.is_empty() || *kind == AttachmentKind::File));
    if let Some((kind, name)) = file {
        tally.missing_file();
        let kind = if name.is_empty() { kind } else { kind_of(name, None) };
        let name = if name.is_empty() { kind.word() } else { name };
        return Some(vec![Block::Attachment(Box::new(Attachment::new(name, kind)))]);
    }
    let words = plain(text.trim_end());
    words.map(|words| vec![words])
}
