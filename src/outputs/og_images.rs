//! Preview images of conversations, which other sites show next to links.

use std::sync::Arc;

use rayon::prelude::*;

use super::env::Env;
use super::format::badge;
use super::output::{MakeResult, Output};
use crate::config::Config;
use crate::drawing::{Fonts, SIZE, fit, set};
use crate::hash::Hash;
use crate::locale::languages;
use crate::site::{Card, ConversationPage, PageKind, SharedPage, Site};
use crate::text::excerpt;
use crate::theme::Theme;
use crate::theme::view::{ImageView, PictureSpeakerView, PictureView};
use convo_base::text::is_direction_mark;

/// The file name.
const NAME: &str = "og.png";

pub(super) fn declare(_: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    // Without an absolute URL, nothing could link to the images.
    if site.config.base_url.origin.is_empty() {
        return Vec::new();
    }
    let of_page = |page: &SharedPage| {
        let PageKind::Conversation(planned) = &page.kind else { return None };
        if planned.text_ref.part_number > 0 {
            return None;
        }
        let text = PictureText::of(&planned.card, &env.theme, &env.config)?;
        let path = format!("{}{NAME}", planned.card.path);
        Some(Output::lasting(path, Picture { env: env.clone(), text }, make))
    };
    site.pages.par_iter().filter_map(of_page).collect()
}

/// Returns the preview image of a conversation, if there is one.
pub(super) fn of_conversation(
    planned: &ConversationPage,
    theme: &Theme,
    config: &Config,
) -> Option<ImageView> {
    PictureText::of(&planned.card, theme, config)?;
    Some(ImageView {
        url: config.base_url.absolute(&format!("{}{NAME}", planned.card.path))?,
        alt: planned.card.link.title.to_string(),
        width: Some(SIZE.0),
        height: Some(SIZE.1),
    })
}

struct Picture {
    env: Arc<Env>,
    text: PictureText,
}

/// An image is drawn again only if its text changes, not if the rest of the page does.
impl std::hash::Hash for Picture {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let hash = self.env.theme.pictures.as_ref().map(|pictures| pictures.hash);
        (hash, &self.text).hash(state);
    }
}

/// The text of an image.
#[derive(Hash)]
struct PictureText {
    site: String,
    title: String,
    language: Option<String>,
    /// Names, badges, and indices among the speakers of the page, which determine the colours.
    speakers: Vec<(String, String, usize)>,
    /// The label for the remaining speakers, for each number of named ones.
    more: Vec<String>,
    date: String,
    colors: Hash,
}

/// The maximum number of named speakers.
const MAX_SPEAKERS: usize = 4;

impl PictureText {
    /// Returns `None` if no image is drawn: the site has them turned off, or the fonts lack a letter of the
    /// title or of a name.
    fn of(card: &Card, theme: &Theme, config: &Config) -> Option<Self> {
        let fonts = &theme.pictures.as_ref()?.fonts;
        let locale = &config.locale;
        let mut all: Vec<_> = card.speakers.iter().enumerate().collect();
        if all.iter().any(|(_, who)| who.kind.talks()) {
            all.retain(|(_, who)| who.kind.talks());
        }
        let mut speakers = Vec::new();
        for (place, who) in all.iter().take(MAX_SPEAKERS) {
            let badge = badge(who.kind, locale);
            let badge = Some(badge).filter(|badge| **badge != *who.name);
            let badge = badge.and_then(|badge| drawable(badge, fonts)).unwrap_or_default();
            speakers.push((drawable(&who.name, fonts)?, badge, *place));
        }
        let more = (0..=speakers.len()).map(|named| match all.len() - named {
            0 => String::new(),
            more => drawable(&locale.count("list.more_speakers", more as u64), fonts)
                .unwrap_or_else(|| format!("+{more}")),
        });
        let date = card
            .time
            .as_ref()
            .map(|time| drawable(&locale.day(time), fonts).unwrap_or_else(|| time.day()));
        Some(Self {
            site: drawable(&config.title, fonts).unwrap_or_default(),
            title: drawable(&excerpt(&card.link.title, MAX_TITLE_CHARS), fonts)
                .filter(|title| title.contains(char::is_alphanumeric))?,
            language: card.language.clone(),
            more: more.collect(),
            speakers,
            date: date.unwrap_or_default(),
            colors: Hash::of(&config.look.colors),
        })
    }
}

/// Returns a text on one line, without signs that have no glyph; `None` if a letter or digit has none.
fn drawable(text: &str, fonts: &Fonts) -> Option<String> {
    let is_sign = |c: char| !c.is_alphanumeric();
    if text.chars().any(|c| !is_sign(c) && !fonts.has(c)) {
        return None;
    }
    // Characters that change the text direction could change the meaning.
    let is_drawn = |c: &char| !c.is_control() && !is_direction_mark(*c) && fonts.has(*c);
    let kept = text.chars().filter(is_drawn);
    let kept: String = kept.collect();
    Some(kept.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The font family and weight of the title, as in the theme's template.
const TITLE_FONT: (&str, u16) = ("Noto Serif", 700);
/// The font family and weight of all other text.
const TEXT_FONT: (&str, u16) = ("Noto Sans", 400);
/// The font sizes of the title in pixels, each with the number of lines that fit.
const TITLE_SIZES: [(f32, usize); 4] = [(76.0, 3), (64.0, 4), (54.0, 5), (46.0, 6)];
/// The width between the margins in pixels.
const TEXT_WIDTH: f32 = 1040.0;
/// The font size of all other text in pixels.
const SMALL_TEXT_SIZE: f32 = 30.0;
/// The maximum number of characters of a title.
const MAX_TITLE_CHARS: usize = 240;
/// The default colours of speakers, which are the light ones of the theme `paper`.
const SPEAKER_COLORS: [&str; 6] =
    ["#9a3f1c", "#1f6266", "#6b4a99", "#8a5a00", "#2f6b35", "#a0325e"];

fn make(picture: &Picture) -> MakeResult {
    let Picture { env, text } = picture;
    let Some(pictures) = &env.theme.pictures else { return Ok(Vec::new()) };
    let fonts = &pictures.fonts;
    let chosen = &env.config.look.colors;
    let colors = chosen.iter().map(|(name, value)| (name.0.clone(), value.0.clone()));
    let title = set(&text.title, &fonts.face(TITLE_FONT.0, TITLE_FONT.1), TEXT_WIDTH, &TITLE_SIZES);
    let mut view = PictureView {
        direction: languages::direction(text.language.as_deref()),
        site: fit(&text.site, &fonts.face(TEXT_FONT.0, TEXT_FONT.1), TEXT_WIDTH / SMALL_TEXT_SIZE),
        lines: title.lines,
        size: title.size,
        speakers: Vec::new(),
        more: String::new(),
        date: text.date.clone(),
        colors: colors.collect(),
    };
    put_speakers(text, fonts, &mut view);
    pictures.draw(&view)
}

/// Adds as many speakers as fit next to the date, but at least one.
fn put_speakers(text: &PictureText, fonts: &Fonts, view: &mut PictureView) {
    let face = fonts.face(TEXT_FONT.0, TEXT_FONT.1);
    let width = |text: &str| face.width(text);
    let mut left = TEXT_WIDTH / SMALL_TEXT_SIZE - 2.0 - width(&view.date);
    for (place, (name, badge, on_page)) in text.speakers.iter().enumerate() {
        let frame = 3.0 + width(badge);
        let rest = text.more.get(place + 1).map_or(0.0, |more| width(more) + 1.0);
        let room = left - frame - rest;
        let is_short = width(name) <= room;
        if !is_short && place > 0 {
            break;
        }
        let name = if is_short { name.clone() } else { fit(name, &face, room) };
        left -= frame + width(&name);
        let number = on_page % SPEAKER_COLORS.len();
        let color = view.colors.get(&format!("s{number}")).cloned();
        view.speakers.push(PictureSpeakerView {
            name,
            badge: badge.clone(),
            color: color.unwrap_or_else(|| SPEAKER_COLORS[number].to_owned()),
        });
    }
    view.more = text.more.get(view.speakers.len()).cloned().unwrap_or_default();
}
