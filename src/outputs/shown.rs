//! Small things as readers see them: times, kinds, and what a source says besides.

use crate::json::{Map, Value};
use crate::locale::Locale;
use crate::model::{ALIASES, Block, Conversation, INDEX, Kind, REVIEWED, TRANSLATION_OF};
use crate::theme::view::TimeView;
use crate::time::Time;

pub(super) fn time(time: &Time, locale: &Locale) -> TimeView {
    TimeView { machine: time.machine(), day: locale.day(time), clock: locale.clock(time) }
}

/// Words that people read in a minute.
const READING_SPEED: u64 = 220;

pub(super) fn reading_time(words: u64, locale: &Locale) -> String {
    locale.count("count.minutes", words.div_ceil(READING_SPEED).max(1))
}

pub(super) fn badge(kind: Kind, locale: &Locale) -> &str {
    match kind {
        Kind::Person => "",
        Kind::Assistant => locale.text("kind.assistant"),
        Kind::System => locale.text("kind.system"),
        Kind::Tool => locale.text("kind.tool"),
    }
}

/// What a reader who wants to see only what was said does without.
pub(super) fn is_work(block: &Block) -> bool {
    matches!(block, Block::Tool(_) | Block::Thinking { .. })
}

/// Keys and values for people: strings as they are, everything else as JSON.
pub(super) fn extra(map: &Map) -> Vec<(String, String)> {
    map.iter()
        .map(|(key, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            (key.clone(), text)
        })
        .collect()
}

/// An address of a person is nobody's business.
pub(super) fn is_shown(id: &str) -> bool {
    !id.contains('@') && id.chars().filter(char::is_ascii_digit).count() < 6
}

/// What its source says of a conversation besides, without what is meant for this program.
pub(super) fn for_readers(conversation: &Conversation) -> Map {
    let mut extra = conversation.extra.clone();
    for key in [INDEX, REVIEWED] {
        if conversation.choice(key).is_some() {
            extra.shift_remove(key);
        }
    }
    if !conversation.aliases().is_empty() {
        extra.shift_remove(ALIASES);
    }
    if conversation.translation_of().is_some() {
        extra.shift_remove(TRANSLATION_OF);
    }
    extra
}
