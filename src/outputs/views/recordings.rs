//! Players of recordings, and links to positions in them.

use crate::config::Config;
use crate::locale::Locale;
use crate::locale::languages;
use crate::model::Turn;
use crate::site::ConversationPage;
use crate::sources::{MediaKind, RecordingPlace};
use crate::theme::view::RecordingView;

/// Returns the player of a page.
pub(crate) fn player(
    planned: &ConversationPage,
    title: &str,
    config: &Config,
) -> Option<RecordingView> {
    let placed = planned.recording.as_ref()?;
    let language = languages::valid(planned.card.language.as_deref());
    let language = language.unwrap_or_else(|| config.language.clone());
    Some(RecordingView {
        kind: match placed.recording.kind {
            MediaKind::Video => "video",
            _ => "audio",
        },
        url: placed.url.clone(),
        media_type: placed.recording.media_type,
        is_elsewhere: matches!(placed.recording.place, RecordingPlace::Remote(_)),
        captions: placed.captions.as_ref().map(|path| config.base_url.link(path)),
        label: languages::name(&language),
        language,
        title: title.to_owned(),
    })
}

/// Returns the URL that plays the recording from a turn, and its label.
pub(super) fn from_turn(
    planned: &ConversationPage,
    turn: &Turn,
    locale: &Locale,
) -> Option<(String, String)> {
    let placed = planned.recording.as_ref()?;
    let offset = turn.offset.as_deref()?;
    let url = placed.url.split('#').next().unwrap_or_default();
    let address = format!("{url}#t={}", seconds(turn.moment()?));
    Some((address, locale.fill("conversation.play_from", &[("time", offset)])))
}

/// Formats a time for media fragments: in seconds, with as few digits as possible.
fn seconds(millis: u64) -> String {
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn seconds_are_short() {
        for (millis, text) in [(0, "0"), (500, "0.5"), (93_004, "93.004"), (120_000, "120")] {
            assert_eq!(super::seconds(millis), text);
        }
    }
}
