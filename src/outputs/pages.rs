//! HTML pages.

use std::sync::Arc;

use rayon::prelude::*;

use super::env::Env;
use super::output::{MakeResult, Output};
use super::{services, views};
use crate::diag::Diagnostic;
use crate::markup;
use crate::outputs::views::{plain, profile, statistics};
use crate::site::{Listing, PageKind, SharedPage, Site};
use crate::theme::view::{CollectionView, ListingView, View};

pub(super) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    site.pages
        .par_iter()
        .map(|page| {
            let output = Output::new(name, page.file(), env, page.clone(), make)?;
            Some(match &page.kind {
                PageKind::Conversation(planned) => output.with_text(&planned.text_ref),
                PageKind::Plain(planned) => output.with_text(&planned.text_ref),
                _ => output,
            })
        })
        .collect()
}

/// Returns the header of the list of a collection.
fn collection(listing: &Listing, env: &Env) -> Result<Option<CollectionView>, Box<Diagnostic>> {
    let Some(head) = &listing.collection else { return Ok(None) };
    let read = head.text_ref.as_ref().map(|text_ref| env.texts.get_cached(text_ref));
    let introduction = read.transpose()?.filter(|read| !read.preface.is_empty());
    Ok(Some(CollectionView {
        description: head.description.to_string(),
        introduction: introduction.map(|read| {
            let own = env.markup.for_own_text();
            markup::render(&read.preface, "introduction", &own, &head.links)
        }),
        is_numbered: head.is_numbered,
        first: head.first,
    }))
}

fn make(env: &Env, page: &SharedPage) -> MakeResult {
    let config = &env.config;
    let mut view = View {
        page: views::page(page, None, env),
        conversation: None,
        plain: None,
        home: None,
        listing: None,
        groups: None,
        statistics: None,
    };
    let template = match &page.kind {
        PageKind::Conversation(planned) => {
            let conversation = env.texts.get_cached(&planned.text_ref)?;
            env.index.collect(&planned.card.path, &planned.text_ref, &conversation);
            view.page = views::page(page, Some((planned, &conversation)), env);
            view.conversation =
                Some(views::conversation(planned, &conversation, &env.markup, config));
            "conversation.html"
        }
        PageKind::Plain(planned) => {
            view.plain = Some(plain::view(planned, env)?);
            view.page.extra = plain::extra(planned, env)?;
            "page.html"
        }
        PageKind::Home(home) => {
            view.plain = home.text.as_ref().map(|text| plain::view(text, env)).transpose()?;
            if let Some(text) = &home.text {
                view.page.extra = plain::extra(text, env)?;
            }
            view.home = Some(views::home(home, env));
            "home.html"
        }
        PageKind::Listing(listing) => {
            let profile = profile::of_page(page, env);
            view.listing = Some(ListingView {
                collection: collection(listing, env)?,
                ..views::listing(listing, profile, config)
            });
            "listing.html"
        }
        PageKind::Terms(groups) => {
            view.groups = Some(views::groups(groups, env));
            "terms.html"
        }
        PageKind::Statistics(sums) => {
            view.statistics = Some(statistics::view(sums, &config.locale));
            "statistics.html"
        }
        PageKind::Search(_) => "search.html",
        PageKind::NotFound => "not_found.html",
    };
    let html = env.theme.render(template, &view)?;
    if !config.services.have_players() {
        return Ok(html.into_bytes());
    }
    // The policy is in the head of the page but depends on the players in its body, so the body is rendered
    // first.
    let (services, policy) = services::of_page(page, &html, &env.theme, config);
    if policy == view.page.policy {
        return Ok(html.into_bytes());
    }
    (view.page.services, view.page.policy) = (services, policy);
    env.theme.render(template, &view).map(String::into_bytes)
}
