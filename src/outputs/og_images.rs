//! A picture for each conversation, which stands for it where links to it are shown.

use std::sync::Arc;

use rayon::prelude::*;

use super::views::badge;
use super::{Env, Made, Output};
use crate::config::Config;
use crate::drawing::{Fonts, SIZE, fit, set};
use crate::hash::Hash;
use crate::locale::languages;
use crate::site::{Card, ConversationPage, PageKind, SharedPage, Site, SpeakerLink};
use crate::text::excerpt;
use crate::theme::Theme;
use crate::theme::view::{ImageView, PictureSpeakerView, PictureView};

/// The name of the file.
const NAME: &str = "og.png";

pub(super) fn declare(
    _: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    let of_page = |page: &SharedPage| {
        let PageKind::Conversation(planned) = &page.kind else { return None };
        if planned.body.part_number > 0 || !is_drawn(planned, &env.theme) {
            return None;
        }
        let path = format!("{}{NAME}", planned.card.path);
        let said = Said::of(&planned.card, &env.config);
        Some(Output::lasting(path, Picture { env: env.clone(), said }, make))
    };
    site.pages.par_iter().filter_map(of_page).collect()
}

/// The picture that stands for a conversation: one of its own, if one is drawn.
pub(super) fn of_conversation(
    planned: &ConversationPage,
    theme: &Theme,
    config: &Config,
) -> Option<ImageView> {
    let path = format!("{}{NAME}", planned.card.path);
    let url = config.base_url.absolute(&path).filter(|_| is_drawn(planned, theme))?;
    Some(ImageView {
        url,
        alt: planned.card.link.title.to_string(),
        width: Some(SIZE.0),
        height: Some(SIZE.1),
    })
}

/// Whether the fonts have every letter of its title. Other signs are left out.
pub(super) fn is_drawn(planned: &ConversationPage, theme: &Theme) -> bool {
    let title = &planned.card.link.title;
    theme.fonts.as_ref().is_some_and(|fonts| {
        let mut letters = title.chars().filter(|c| c.is_alphanumeric()).peekable();
        letters.peek().is_some() && letters.all(|letter| fonts.has(letter))
    })
}

struct Picture {
    env: Arc<Env>,
    said: Said,
}

/// A picture is drawn again when what it says changes, and not when anything else on the page
/// does.
impl std::hash::Hash for Picture {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.env.theme.picture_hash, &self.said).hash(state);
    }
}

/// What a picture says.
#[derive(Hash)]
struct Said {
    site: String,
    title: Arc<str>,
    language: Option<String>,
    /// Names, badges, and places among the speakers of the page, which have colours.
    speakers: Vec<(String, String, usize)>,
    /// How many more there are, for each number of those that are named.
    more: Vec<String>,
    date: String,
    colors: Hash,
}

/// Speakers that are named at most.
const SPEAKERS: usize = 4;

impl Said {
    fn of(card: &Card, config: &Config) -> Self {
        let locale = &config.locale;
        let name = |(place, who): (usize, &SpeakerLink)| {
            let badge = badge(who.kind, locale);
            let badge = if *badge == *who.name { "" } else { badge };
            (who.name.to_string(), badge.to_owned(), place)
        };
        let mut speakers: Vec<_> = card.speakers.iter().enumerate().collect();
        if speakers.iter().any(|(_, who)| who.kind.talks()) {
            speakers.retain(|(_, who)| who.kind.talks());
        }
        let count = speakers.len();
        let more = (0..=count.min(SPEAKERS)).map(|named| match count - named {
            0 => String::new(),
            more => locale.count("list.more_speakers", more as u64),
        });
        Self {
            site: config.title.clone(),
            title: card.link.title.clone(),
            language: card.language.clone(),
            speakers: speakers.into_iter().take(SPEAKERS).map(name).collect(),
            more: more.collect(),
            date: card.time.as_ref().map(|time| locale.day(time)).unwrap_or_default(),
            colors: Hash::of(&config.look.colors),
        }
    }
}

/// The families that the theme's template and this file agree on.
const TITLE: (&str, u16) = ("Noto Serif", 700);
const TEXT: (&str, u16) = ("Noto Sans", 400);
/// Sizes of the title, each with the lines for which there is room. Pixels.
const SIZES: [(f32, usize); 4] = [(76.0, 3), (64.0, 4), (54.0, 5), (46.0, 6)];
/// Between the margins. Pixels.
const WIDTH: f32 = 1040.0;
/// The size of all other text. Pixels.
const SMALL: f32 = 30.0;
/// Characters of a title that are looked at.
const LONGEST: usize = 240;
/// The colours of speakers where the site chose none, as on paper.
const COLORS: [&str; 6] =
    ["#9a3f1c", "#1f6266", "#6b4a99", "#8a5a00", "#2f6b35", "#a0325e"];

fn make(picture: &Picture) -> Made {
    let Picture { env, said } = picture;
    let Some(fonts) = &env.theme.fonts else { return Ok(Vec::new()) };
    let chosen = &env.config.look.colors;
    let colors = chosen.iter().map(|(name, value)| (name.0.clone(), value.0.clone()));
    let title = excerpt(&drawable(&said.title, fonts), LONGEST);
    let title = set(&title, &fonts.face(TITLE.0, TITLE.1), WIDTH, &SIZES);
    let mut view = PictureView {
        direction: languages::direction(said.language.as_deref()),
        site: fit(
            &drawable(&said.site, fonts),
            &fonts.face(TEXT.0, TEXT.1),
            WIDTH / SMALL,
        ),
        lines: title.lines,
        size: title.size,
        speakers: Vec::new(),
        more: String::new(),
        date: drawable(&said.date, fonts),
        colors: colors.collect(),
    };
    put_speakers(said, fonts, &mut view);
    env.theme.draw(&view)
}

/// As many speakers as there is room for beside the date, at least one.
fn put_speakers(said: &Said, fonts: &Fonts, view: &mut PictureView) {
    let face = fonts.face(TEXT.0, TEXT.1);
    let width = |text: &str| face.width(text);
    let mut left = WIDTH / SMALL - 2.0 - width(&view.date);
    for (place, (name, badge, on_page)) in said.speakers.iter().enumerate() {
        let name = drawable(name, fonts);
        let frame = 3.0 + width(badge);
        let rest = said.more.get(place + 1).map_or(0.0, |more| width(more) + 1.0);
        let room = left - frame - rest;
        let is_short = width(&name) <= room;
        if !is_short && place > 0 {
            break;
        }
        let name = if is_short { name } else { fit(&name, &face, room) };
        left -= frame + width(&name);
        let number = on_page % COLORS.len();
        let color = view.colors.get(&format!("s{number}")).cloned();
        view.speakers.push(PictureSpeakerView {
            name,
            badge: badge.clone(),
            color: color.unwrap_or_else(|| COLORS[number].to_owned()),
        });
    }
    view.more = said.more.get(view.speakers.len()).cloned().unwrap_or_default();
}

/// A text without the signs for which there is no glyph.
fn drawable(text: &str, fonts: &Fonts) -> String {
    let kept = text.chars().filter(|c| !c.is_control() && fonts.has(*c));
    let kept: String = kept.collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}
