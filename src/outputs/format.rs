//! Formats times, kinds and other metadata of a source for readers.

use crate::formats::visibility;
use crate::json::{Map, Value};
use crate::locale::Locale;
use crate::model::{
    ALIASES, Block, Conversation, FEATURED, FOR_TEMPLATES, INDEX, Kind, MEDIA, PINNED, REVIEWED,
    SERIES, SERIES_ORDER, TRANSLATION_OF, WEIGHT,
};
use crate::sources::Reason;
use crate::theme::view::TimeView;
use crate::time::Time;

pub(super) fn time(time: &Time, locale: &Locale) -> TimeView {
    TimeView { machine: time.published(), day: locale.day(time), clock: locale.clock(time) }
}

/// Reading speed in words per minute.
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

/// Returns the reason why a conversation is not public, for readers.
pub(super) fn mark(reason: Reason, locale: &Locale) -> String {
    let key = match reason {
        Reason::Future(_) => "list.future",
        Reason::Expired(_) => "list.expired",
        _ => "list.draft",
    };
    let day = reason.day().map(|day| day.to_string());
    let day = day.and_then(|day| Some(locale.day(&Time::parse(&day).ok()?.0)));
    locale.fill(key, &[("day", day.as_deref().unwrap_or_default())])
}

/// Returns whether a block is work of the assistant: a tool call or a thought. Readers can hide these.
pub(super) fn is_tool_or_thinking(block: &Block) -> bool {
    matches!(block, Block::Tool(_) | Block::Thinking { .. })
}

/// Returns readable keys and values: strings unchanged, everything else as JSON.
pub(super) fn metadata_rows(map: &Map) -> Vec<(String, String)> {
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

/// Returns whether an id may be published. E-mail addresses and phone numbers may not.
pub(super) fn is_public_id(id: &str) -> bool {
    !id.contains('@') && id.chars().filter(char::is_ascii_digit).count() < 6
}

/// Front matter for other site generators and note apps (Astro, Docusaurus, Eleventy, Hugo, Jekyll, Obsidian,
/// Zola): how a page looks, and where it is. In lower case, without punctuation.
const KEYS_OF_GENERATORS: [&str; 52] = [
    "banner",
    "bannerpath",
    "canonicalurl",
    "cascade",
    "comments",
    "cover",
    "coverimage",
    "cssclass",
    "cssclasses",
    "customediturl",
    "eleventyexcludefromcollections",
    "eleventynavigation",
    "excalidrawplugin",
    "featuredimage",
    "featureimage",
    "featuredimagepath",
    "haschildren",
    "headerimage",
    "heroimage",
    "hidetableofcontents",
    "hidetitle",
    "iscjklanguage",
    "kanbanplugin",
    "katex",
    "layout",
    "linktitle",
    "markup",
    "math",
    "mathjax",
    "menu",
    "menus",
    "mermaid",
    "navexclude",
    "navorder",
    "ogimage",
    "outputs",
    "paginationnext",
    "paginationprev",
    "permalink",
    "render",
    "robots",
    "sidebar",
    "sidebarlabel",
    "sidebarposition",
    "sitemap",
    "slug",
    "socialshare",
    "template",
    "thumbnail",
    "toc",
    "tocopen",
    "usepagebundles",
];

/// Returns whether a key of front matter is for another program.
fn is_for_generators(key: &str) -> bool {
    let letters = key.chars().filter(|c| c.is_alphanumeric());
    let plain: String = letters.flat_map(char::to_lowercase).collect();
    KEYS_OF_GENERATORS.contains(&plain.as_str())
}

/// Returns the remaining metadata of a conversation, without the keys that are meant for convo-site or another
/// generator.
pub(super) fn public_metadata(conversation: &Conversation) -> Map {
    let mut extra = conversation.extra.clone();
    extra.retain(|key, value| !visibility::is_schedule(key, value) && !is_for_generators(key));
    if !conversation.series().is_empty() {
        extra.shift_remove(SERIES);
    }
    for key in [SERIES_ORDER, WEIGHT] {
        if conversation.number(key).is_some() {
            extra.shift_remove(key);
        }
    }
    for key in [INDEX, REVIEWED, PINNED, FEATURED] {
        if conversation.choice(key).is_some() {
            extra.shift_remove(key);
        }
    }
    if !conversation.aliases().is_empty() {
        extra.shift_remove(ALIASES);
    }
    if conversation.media.is_some() {
        extra.shift_remove(MEDIA);
    }
    if conversation.for_templates().is_some() {
        extra.shift_remove(FOR_TEMPLATES);
    }
    if conversation.translation_of().is_some() {
        extra.shift_remove(TRANSLATION_OF);
    }
    extra
}

/// Formats milliseconds for readers.
pub(super) fn duration(milliseconds: f64) -> String {
    let seconds = milliseconds / 1000.0;
    if !(0.0..=1e12).contains(&milliseconds) {
        format!("{milliseconds} ms")
    } else if seconds < 1.0 {
        format!("{} ms", milliseconds.round())
    } else if seconds < 60.0 {
        let digits = usize::from(seconds < 10.0);
        format!("{} s", format!("{seconds:.digits$}").trim_end_matches(".0"))
    } else if seconds < 3600.0 {
        format!("{} min {} s", (seconds / 60.0).floor(), (seconds % 60.0).floor())
    } else {
        format!("{} h {} min", (seconds / 3600.0).floor(), (seconds % 3600.0 / 60.0).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn durations_have_two_digits_or_two_units() {
        for (milliseconds, text) in [
            (420.0, "420 ms"),
            (2_000.0, "2 s"),
            (2_340.0, "2.3 s"),
            (17_049.0, "17 s"),
            (249_000.0, "4 min 9 s"),
            (7_500_000.0, "2 h 5 min"),
        ] {
            assert_eq!(duration(milliseconds), text);
        }
    }
}
