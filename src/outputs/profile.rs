//! Who a speaker is, where `site.toml` tells it.

use super::Env;
use crate::people;
use crate::site::{Listing, Page, PageKind};
use crate::theme::view::{AvatarView, ProfileView};

/// Returns the profile of the speaker whose page this is.
pub(super) fn of_page(page: &Page, env: &Env) -> Option<ProfileView> {
    let PageKind::Listing(Listing { speaker: Some(_), number: 1, .. }) = &page.kind
    else {
        return None;
    };
    let (place, person) = people::shown_as(&env.config, &page.title)?;
    let avatar = env
        .theme
        .avatar(place)
        .map(|avatar| AvatarView { url: env.config.base_url.link(&avatar.path) });
    let host = person.url.split_once("://").map_or("", |(_, rest)| rest);
    let view = ProfileView {
        bio: person.bio.clone(),
        url: person.url.clone(),
        label: host.trim_end_matches('/').trim_start_matches("www.").to_owned(),
        avatar,
    };
    let is_empty = view.bio.is_empty() && view.url.is_empty() && view.avatar.is_none();
    (!is_empty).then_some(view)
}
