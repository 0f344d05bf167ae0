//! Profiles of speakers from `site.toml`, and replacements for missing pictures.

use crate::model::Kind;
use crate::outputs::env::Env;
use crate::people;
use crate::site::{Listing, Page, PageKind};
use crate::theme::view::{AvatarView, LinkView, ProfileView};

/// Returns the profile of the speaker of a page. Assistants have one only if `site.toml` describes them.
pub(crate) fn of_page(page: &Page, env: &Env) -> Option<ProfileView> {
    let PageKind::Listing(listing) = &page.kind else { return None };
    let Listing { speaker: Some(kind), number: 1, .. } = &**listing else { return None };
    let person = people::shown_as(&env.config, &page.title).map(|(_, person)| person);
    let (bio, url) =
        person.map(|person| (person.bio.clone(), person.url.clone())).unwrap_or_default();
    let host = url.split_once("://").map_or("", |(_, rest)| rest);
    let label = host.trim_end_matches('/').trim_start_matches("www.").to_owned();
    let links = person.into_iter().flat_map(|person| &person.links);
    let links = links.map(|(title, url)| LinkView { title: title.clone(), url: url.clone() });
    let avatar = avatar(&page.title, env);
    let view = ProfileView {
        bio,
        label,
        url,
        links: links.collect(),
        initials: match (kind, &avatar) {
            (Kind::Person, None) => initials(&page.title),
            _ => String::new(),
        },
        color: color(&page.title, *kind),
        avatar,
    };
    let is_empty = view.bio.is_empty()
        && view.url.is_empty()
        && view.links.is_empty()
        && view.avatar.is_none()
        && view.initials.is_empty();
    (!is_empty).then_some(view)
}

/// Returns the picture of a speaker.
pub(crate) fn avatar(name: &str, env: &Env) -> Option<AvatarView> {
    let (place, _) = people::shown_as(&env.config, name)?;
    let asset = env.theme.avatar(place)?;
    Some(AvatarView { url: env.config.base_url.link(&asset.path) })
}

/// Returns the initials of the first and last word of a name. A suffix in parentheses is ignored.
pub(super) fn initials(name: &str) -> String {
    let name = name.split(" (").next().unwrap_or(name);
    let is_apart = |c: char| c.is_whitespace() || matches!(c, '_' | '.' | '@' | '-');
    let firsts = name.split(is_apart).filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    let firsts: Vec<char> = firsts.collect();
    let chosen = match firsts[..] {
        [first, .., last] => vec![first, last],
        _ => firsts,
    };
    chosen.into_iter().flat_map(char::to_uppercase).collect()
}

/// Returns the index of a speaker's colour, the same on all pages: 0 to 5, or 6 for programs, which have no
/// colour.
pub(crate) fn color(name: &str, kind: Kind) -> usize {
    match kind {
        Kind::Person => name.bytes().map(usize::from).sum::<usize>() % 6,
        _ => 6,
    }
}
