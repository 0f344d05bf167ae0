//! The podcast feed, as RSS 2.0 with the extensions that podcast directories require: episodes with a
//! recording, newest first.

use std::fmt::Write;
use std::sync::Arc;

use super::podcast_categories;
use crate::config::{Config, Podcast};
use crate::diag::{Diagnostic, Severity};
use crate::outputs::env::Env;
use crate::outputs::output::{MakeResult, Output};
use crate::outputs::{feeds, xml};
use crate::site::{ConversationPage, PODCAST, SharedPage, Site};
use crate::sources::{RecordingPlace, dimensions_of};
use crate::text::and_list;

/// The cover sizes that directories accept, in pixels.
const COVER: std::ops::RangeInclusive<u32> = 1400..=3000;

/// Returns the title of the podcast, if the site has one.
pub(crate) fn title(site: &Site) -> Option<&str> {
    let has_episode = site.pages.iter().any(|page| episode(page).is_some());
    has_episode.then(|| or(&site.config.podcast.title, &site.config.title))
}

pub(crate) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let episodes = site.pages.iter().filter(|page| episode(page).is_some());
    let episodes: Vec<SharedPage> = episodes.cloned().collect();
    if episodes.is_empty() || site.config.base_url.origin.is_empty() {
        return Vec::new();
    }
    vec![Output::new(name, PODCAST, env, episodes, |env, episodes| make(env, episodes))]
}

/// Returns the plan of a page if it is an episode with a recording.
fn episode(page: &SharedPage) -> Option<&ConversationPage> {
    page.episode().filter(|planned| planned.recording.is_some())
}

fn or<'a>(own: &'a str, of_site: &'a str) -> &'a str {
    if own.is_empty() { of_site } else { own }
}

/// Returns diagnostics about what the podcast lacks.
pub(crate) fn notes(site: &Site, env: &Env) -> Vec<Diagnostic> {
    let config = &site.config;
    let warn = |message: &str| Diagnostic::new(Severity::Warning, "incomplete-podcast", message);
    let mut notes = Vec::new();
    for planned in site.pages.iter().filter_map(|page| page.episode()) {
        let file = planned.text_ref.source.label();
        if planned.recording.is_none() && planned.has_unpublished_recording {
            let note = warn("this episode is not in the podcast: its recording is not published");
            notes.push(note.in_file(file).hint("another message says why it is not published"));
        } else if planned.recording.is_none() {
            let note = warn("this episode is not in the podcast because it has no recording");
            let hint = "put the recording next to it, or set `media = \"…\"`";
            notes.push(note.in_file(file).hint(hint));
        } else if planned.card.time.is_none() {
            let note = warn("this episode has no publication date");
            notes.push(note.in_file(file).hint("set `date` in its front matter"));
        }
    }
    if title(site).is_none() {
        return notes;
    }
    let mut report = |message: String, hint: &str| {
        let at = Some(config.places.of("podcast"));
        notes.push(Diagnostic { at, ..warn(&message).hint(hint.to_owned()) });
    };
    if config.base_url.origin.is_empty() {
        report(
            "there is no podcast feed, because the URL of the site is not known".to_owned(),
            "set `base_url` in site.toml",
        );
        return notes;
    }
    let Podcast { description, image, category, .. } = &config.podcast;
    let missing_keys = [
        ("description", or(description, &config.description)),
        ("image", image),
        ("category", category),
    ];
    let lacks: Vec<String> = missing_keys
        .into_iter()
        .filter(|(_, value)| value.is_empty())
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    if !lacks.is_empty() {
        report(
            format!("podcast directories also require {}", and_list(&lacks)),
            match lacks.len() {
                1 => "set it in `[podcast]` of site.toml",
                _ => "set them in `[podcast]` of site.toml",
            },
        );
    }
    if let Some(hint) = podcast_categories::hint(category) {
        report(format!("`{category}` is not a category of podcast directories"), &hint);
    }
    let size = env.theme.cover().and_then(|cover| dimensions_of(&cover.bytes));
    let is_square = size.is_some_and(|(wide, high)| wide == high && COVER.contains(&wide));
    let is_picture = |path: &str| [".png", ".jpg", ".jpeg"].iter().any(|end| path.ends_with(end));
    let has_cover = env.theme.cover().is_some();
    if has_cover && !(is_square && is_picture(&image.to_lowercase())) {
        report(
            "podcast directories do not accept this image".to_owned(),
            "use a square JPEG or PNG image with sides of 1400 to 3000 pixels",
        );
    }
    notes
}

fn make(env: &Env, episodes: &[SharedPage]) -> MakeResult {
    let config = &env.config;
    let podcast = &config.podcast;
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    let title = or(&podcast.title, &config.title);
    let description = or(&podcast.description, &config.description);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
    let _ = write!(
        out,
        "<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
         xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\" \
         xmlns:podcast=\"https://podcastindex.org/namespace/1.0\">\n\
         <channel>\n\
         <title>{}</title>\n\
         <link>{}</link>\n\
         <description>{}</description>\n\
         <language>{}</language>\n\
         <atom:link rel=\"self\" type=\"application/rss+xml\" href=\"{}\"/>\n\
         <itunes:author>{}</itunes:author>\n\
         <itunes:explicit>{}</itunes:explicit>\n",
        xml::text(title),
        xml::text(&absolute("")),
        xml::text(or(description, title)),
        xml::text(&config.language),
        xml::text(&absolute(PODCAST)),
        xml::text(or(&podcast.author, feeds::author(config))),
        podcast.explicit,
    );
    if !podcast.category.is_empty() {
        let category = format!("<itunes:category text=\"{}\"/>", xml::text(&podcast.category));
        let _ = match podcast_categories::above(&podcast.category) {
            Some(above) => writeln!(
                out,
                "<itunes:category text=\"{}\">{category}</itunes:category>",
                xml::text(above)
            ),
            None => writeln!(out, "{category}"),
        };
    }
    if let Some(cover) = env.theme.cover() {
        let url = xml::text(&absolute(&cover.path));
        let _ = writeln!(out, "<itunes:image href=\"{url}\"/>");
    }
    for page in episodes {
        item(&mut out, page, config);
    }
    out.push_str("</channel>\n</rss>\n");
    Ok(out.into_bytes())
}

fn item(out: &mut String, page: &SharedPage, config: &Config) {
    let Some(planned) = episode(page) else { return };
    let Some(placed) = &planned.recording else { return };
    let (card, recording) = (&planned.card, &placed.recording);
    let absolute = |path: &str| config.base_url.absolute(path).unwrap_or_default();
    // If the length is unknown, it is 0, as the RSS Advisory Board recommends.
    let (url, length) = match &recording.place {
        RecordingPlace::Remote(url) => (url.clone(), 0),
        RecordingPlace::Stored(file) => {
            (format!("{}{}", config.base_url.origin, placed.url), file.size)
        }
    };
    let address = absolute(&card.path);
    let _ = write!(
        out,
        "<item>\n\
         <title>{}</title>\n\
         <link>{}</link>\n\
         <guid isPermaLink=\"false\">urn:uuid:{}</guid>\n",
        xml::text(&card.link.title),
        xml::text(&address),
        card.id.uuid(),
    );
    if let Some(time) = &card.time {
        let _ = writeln!(out, "<pubDate>{}</pubDate>", time.rfc2822());
    }
    if !page.description.is_empty() {
        let _ = writeln!(out, "<description>{}</description>", xml::text(&page.description));
    }
    let _ = writeln!(
        out,
        "<enclosure url=\"{}\" length=\"{length}\" type=\"{}\"/>",
        xml::text(&url),
        recording.media_type,
    );
    if let Some(millis) = recording.duration {
        let _ = writeln!(out, "<itunes:duration>{}</itunes:duration>", millis.div_ceil(1000));
    }
    let language = card.language.as_deref().unwrap_or(&config.language);
    let transcript = match &placed.captions {
        Some(path) => (absolute(path), "text/vtt", " rel=\"captions\""),
        None => (address, "text/html", ""),
    };
    let (url, media_type, rel) = transcript;
    let _ = writeln!(
        out,
        "<podcast:transcript url=\"{}\" type=\"{media_type}\" language=\"{}\"{rel}/>\n</item>",
        xml::text(&url),
        xml::text(language),
    );
}
