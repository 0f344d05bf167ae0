//! Builds the template view models of planned pages.

pub(super) mod blocks;
pub(super) mod channel;
pub(super) mod checklist;
pub(super) mod outline;
pub(super) mod plain;
pub(super) mod profile;
pub(super) mod recordings;
pub(super) mod session;
pub(super) mod statistics;
mod timeline;
pub(super) mod tools;
pub(super) mod turns;

use std::collections::HashSet;

use self::timeline::timeline;
use self::turns::PageSpeakers;
use super::env::Env;
use super::format::{
    badge, is_tool_or_thinking, mark, metadata_rows, public_metadata, reading_time, time,
};
use super::{anchors, services, structured};
use crate::config::{Config, HomePart};
use crate::json::{Map, Value};
use crate::locale::{Locale, languages};
use crate::markup::{self, Links, Options};
use crate::model::{Action, Block, Conversation, Kind, Participant, Turn};
use crate::outputs::copies::{downloads, markdown_copy, turns_json};
use crate::outputs::feeds::{atom, json_feed, podcast};
use crate::site::{
    ConversationPage, FACETS, Group, Home, Link, Listing, MonthCount, PODCAST, Page, PageKind,
    SharedCard, Site, SpeakerLink, Term, Translation, month_path,
};
use crate::sources::dimensions_of;
use crate::text::{QuotationMarks, percent_encode};
use crate::theme::Theme;
use crate::theme::view::{
    AlternateView, CardView, ConversationView, DataView, DiscussionView, FacetView, FooterView,
    GroupView, HeadView, HomeView, ImageView, ItemView, LinkView, ListingView, MonthGroupView,
    PageView, PlaceView, ProfileView, SearchView, SiteView, SpeakerView, TermView, TranslationView,
};
use crate::time::Time;

/// Returns the view that all pages of a site share.
pub(super) fn site(site: &Site, theme: &Theme, markup: &Options) -> SiteView {
    let config = &site.config;
    let base = &config.base_url;
    let locale = &config.locale;
    let exists = |path: &str| site.pages.iter().any(|page| *page.path == *path);
    let own = markup.for_own_text();
    let rendered = |text: &str, id: &str, links: &Option<Links>| {
        links.as_ref().map(|links| markup::render(text, id, &own, links))
    };
    let frame = &site.frame;
    SiteView {
        title: config.title.clone(),
        description: config.description.clone(),
        author: config.author.clone(),
        language: locale.language.clone(),
        direction: locale.direction(),
        home: base.link(""),
        sections: frame.sections.iter().map(link).collect(),
        menu: frame.menu.iter().map(link).collect(),
        footer: FooterView {
            text: rendered(&config.footer.text, "footer", &frame.footer_text),
            links: frame.footer.iter().map(link).collect(),
            made_with: config.footer.made_with,
        },
        head: HeadView {
            favicon: theme.favicon().map(|asset| base.link(&asset.path)),
            me: config.head.me.iter().map(|url| url.0.clone()).collect(),
            verification: config
                .head
                .verification
                .iter()
                .map(|(name, value)| (name.0.clone(), value.clone()))
                .collect(),
        },
        home_text: rendered(&config.home.text, "home", &frame.home_text),
        search: config.search.has_page().then(|| SearchView {
            page: base.link("search/"),
            index: base.link(crate::search::index::ROOT),
            instead: base.link(if exists("archive/") { "archive/" } else { "" }),
            words: search_texts(locale),
        }),
        feed: (!base.origin.is_empty()).then(|| base.link(atom::PATH)),
        json_feed: (!base.origin.is_empty()).then(|| base.link(json_feed::PATH)),
        podcast: podcast::title(site)
            .zip(base.absolute(PODCAST))
            .map(|(title, _)| LinkView { title: title.to_owned(), url: base.link(PODCAST) }),
        assets: theme
            .assets
            .iter()
            .map(|(name, asset)| (name.clone(), base.link(&asset.path)))
            .collect(),
        extra: DataView(config.extra.0.clone()),
        own_style: theme.own_style().map(|asset| base.link(&asset.path)),
        own_script: theme.own_script().map(|asset| base.link(&asset.path)),
        image: theme.image().and_then(|asset| {
            let (width, height) = dimensions_of(&asset.bytes).unzip();
            let url = base.absolute(&asset.path)?;
            Some(ImageView { url, alt: config.title.clone(), width, height })
        }),
        logo: theme.logo().map(|asset| base.link(&asset.path)),
        logo_width: theme.logo().and_then(|asset| width_of(&asset.bytes, 32)),
        policy: services::common_policy(config),
    }
}

/// Returns the texts for the script of the search page, as JSON.
fn search_texts(locale: &Locale) -> String {
    // The templates have these texts.
    let is_of_page = |key: &str| {
        key.starts_with("how")
            || ["browse", "examples", "filters", "label", "no_script", "search"].contains(&key)
    };
    let mut search = locale.section("search");
    search.retain(|key, _| !is_of_page(key));
    let mut count = locale.section("count");
    let counted = ["conversations", "more", "more_here", "separator", "turns"];
    count.retain(|key, _| counted.contains(key));
    let months: Vec<&str> = (1..=12).map(|month| locale.month(month)).collect();
    let words = serde_json::json!({
        "language": locale.language,
        "search": search,
        "count": count,
        "date": {
            "day": locale.text("date.day"),
            "month": locale.text("list.month"),
            "months": months,
        },
    });
    words.to_string()
}

pub(super) fn page(
    page: &Page,
    conversation: Option<(&ConversationPage, &Conversation)>,
    env: &Env,
) -> PageView {
    let config = &*env.config;
    let home = matches!(page.kind, PageKind::Home(_));
    let full_title = if home || page.title == config.title {
        config.title.clone()
    } else {
        format!("{} · {}", page.title, config.title)
    };
    let language = match &page.kind {
        PageKind::Conversation(planned) => languages::valid(planned.card.language.as_deref()),
        PageKind::Listing(listing) => {
            let head = listing.collection.as_ref();
            languages::valid(head.and_then(|head| head.language.as_deref()))
        }
        PageKind::Plain(planned) => languages::valid(planned.language.as_deref()),
        _ => None,
    };
    let robots = if page.indexed && config.search_engines {
        "max-snippet:-1, max-image-preview:large"
    } else {
        "noindex, follow"
    };
    #[cfg(feature = "pictures")]
    let own_image = conversation
        .and_then(|(planned, _)| super::og_images::of_conversation(planned, &env.theme, config));
    #[cfg(not(feature = "pictures"))]
    let own_image = None;
    let image = own_image.or_else(|| env.site.image.clone());
    let (services, policy) = services::of_page(page, "", &env.theme, config);
    let section = match &page.kind {
        PageKind::Plain(_) => Some(page.path.trim_end_matches('/')),
        _ => page.path.split('/').next().filter(|first| *first != "c"),
    };
    PageView {
        title: page.title.clone(),
        full_title,
        description: page.description.to_string(),
        language: language.unwrap_or_else(|| match page.kind {
            PageKind::Conversation(_) | PageKind::Plain(_) => config.language.clone(),
            _ => config.locale.language.clone(),
        }),
        canonical: match page.kind {
            PageKind::NotFound => None,
            _ => config.base_url.absolute(&page.path),
        },
        robots: robots.to_owned(),
        og_type: if conversation.is_some() { "article" } else { "website" }.to_owned(),
        published: structured::published(page),
        modified: structured::modified(page),
        authors: structured::authors(page, config),
        tags: structured::tags(page).map(str::to_owned).collect(),
        translations: translations(page),
        alternates: alternates(page, config),
        structured_data: structured::of_page(
            page,
            conversation,
            image.as_ref(),
            profile::of_page(page, env).as_ref(),
            config,
        ),
        image,
        is_search: matches!(page.kind, PageKind::Search(_)),
        styles: env
            .theme
            .styles(&styles_of(page, conversation.map(|(_, read)| read), env))
            .map(|sheet| config.base_url.link(&sheet.path))
            .collect(),
        examples: examples(page, config),
        feed: match &page.kind {
            PageKind::Listing(listing) => {
                let path = listing.feed.as_ref().filter(|_| !config.base_url.origin.is_empty());
                path.map(|path| config.base_url.link(path))
            }
            _ => None,
        },
        json_feed: json_feed::of_page(page).and_then(|path| {
            let is_known = !config.base_url.origin.is_empty();
            is_known.then(|| config.base_url.link(&path))
        }),
        markdown: markdown_copy::text_of(page)
            .filter(|_| config.markdown)
            .map(|_| config.base_url.link(&format!("{}{}", page.path, markdown_copy::NAME))),
        turns: turns_json::path_of(page, config).map(|path| config.base_url.link(&path)),
        extra: conversation
            .and_then(|(_, conversation)| conversation.for_templates().cloned())
            .map(DataView)
            .unwrap_or_default(),
        policy,
        services,
        trail: page.breadcrumbs.iter().map(link).collect(),
        section: section.map(|first| config.base_url.link(&format!("{first}/"))),
    }
}

/// Returns the width of an image at a given height, to reserve space before it loads.
fn width_of(bytes: &[u8], height: u32) -> Option<u32> {
    if let Some((width, own)) = dimensions_of(bytes) {
        let width = u64::from(width) * u64::from(height) / u64::from(own);
        return u32::try_from(width.clamp(1, 1_000)).ok();
    }
    let svg = std::str::from_utf8(bytes).ok()?;
    let (_, rest) = svg.split_once("viewBox=")?;
    let mark = rest.chars().next().filter(|mark| matches!(mark, '"' | '\''))?;
    let numbers = rest[1..].split(mark).next()?.split([' ', ',']);
    let numbers: Vec<f64> = numbers
        .filter(|number| !number.is_empty())
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [_, _, wide, high] = numbers[..] else { return None };
    let width = (wide / high * f64::from(height)).round();
    // No digit is lost within these bounds.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    (1.0..=1_000.0).contains(&width).then_some(width as u32)
}

/// Returns the additional style sheets of a page.
fn styles_of(page: &Page, read: Option<&Conversation>, env: &Env) -> Vec<&'static str> {
    let names: &[&str] = match &page.kind {
        PageKind::Conversation(planned) => {
            let mut names = vec!["conversation.css"];
            let has_work = read.is_some_and(needs_work_style);
            let is_channel = read.is_some_and(channel::has_messages);
            let has_calls = read.is_some_and(|read| read.all_turns().any(has_call));
            names.extend(has_work.then_some("work.css"));
            names.extend(has_calls.then_some("tool_calls.css"));
            names.extend(is_channel.then_some("channel.css"));
            names.extend(planned.recording.as_ref().map(|_| "recording.css"));
            return names;
        }
        PageKind::Listing(_) if profile::of_page(page, env).is_some() => {
            &["lists.css", "profile.css"]
        }
        PageKind::Terms(_) if *page.path == *FACETS[0].folder_path() => {
            &["lists.css", "profile.css"]
        }
        PageKind::Home(_) => &["lists.css", "profile.css", "home.css"],
        PageKind::Listing(_) | PageKind::Terms(_) => &["lists.css"],
        PageKind::Search(_) => &["search.css"],
        PageKind::Statistics(_) => &["statistics.css"],
        PageKind::Plain(_) | PageKind::NotFound => &[],
    };
    names.to_vec()
}

fn has_call(turn: &Turn) -> bool {
    turn.blocks.iter().any(|block| matches!(block, Block::Tool(_)))
}

/// Returns the links on the search page to example queries.
fn examples(page: &Page, config: &Config) -> Vec<LinkView> {
    let PageKind::Search(queries) = &page.kind else { return Vec::new() };
    let search = config.base_url.link("search/");
    let link = |query: &String| {
        let value = percent_encode(query).replace('/', "%2F");
        LinkView { title: query.clone(), url: format!("{search}?q={value}") }
    };
    queries.iter().map(link).collect()
}

/// Returns whether a conversation needs styles that most pages do not.
fn needs_work_style(conversation: &Conversation) -> bool {
    let has_it = |block: &Block| match block {
        Block::Citations { .. } | Block::Attachment(_) => true,
        Block::Tool(call) => matches!(call.action, Some(Action::Plan { .. })),
        _ => false,
    };
    !conversation.branches.is_empty()
        || conversation.all_turns().any(|turn| turn.blocks.iter().any(has_it))
}

fn link(link: &Link) -> LinkView {
    LinkView { title: link.title.to_string(), url: link.url.to_string() }
}

fn translations(page: &Page) -> Vec<TranslationView> {
    let PageKind::Conversation(planned) = &page.kind else { return Vec::new() };
    let view = |translation: &Translation| TranslationView {
        language: translation.language.clone(),
        name: languages::name(&translation.language),
        title: translation.link.title.to_string(),
        url: translation.link.url.to_string(),
        is_here: *translation.path == *page.path,
    };
    planned.translations.iter().map(view).collect()
}

/// Returns the translations for search engines, which see only pages they may list. The first one serves as
/// the default for all other languages.
fn alternates(page: &Page, config: &Config) -> Vec<AlternateView> {
    let PageKind::Conversation(planned) = &page.kind else { return Vec::new() };
    let listed = planned.translations.iter().filter(|one| one.is_indexed && page.indexed);
    let view = |translation: &Translation| {
        let url = config.base_url.absolute(&translation.path)?;
        Some(AlternateView { language: translation.language.clone(), url })
    };
    let mut views: Vec<AlternateView> = listed.filter_map(view).collect();
    if views.len() < 2 {
        return Vec::new();
    }
    let usual = AlternateView { language: "x-default".to_owned(), url: views[0].url.clone() };
    views.insert(0, usual);
    views
}

/// Returns the text direction of a conversation, from its language or otherwise its words.
fn direction(card: &SharedCard) -> &'static str {
    match languages::valid(card.language.as_deref()) {
        Some(tag) => languages::direction(Some(&tag)),
        None => languages::direction_of_text(&format!("{} {}", card.link.title, card.excerpt)),
    }
}

/// The maximum number of speakers on a card.
const MAX_CARD_SPEAKERS: usize = 4;
/// The maximum number of tags on a card.
const MAX_CARD_TAGS: usize = 4;

fn card(card: &SharedCard, heading: u8, locale: &Locale) -> CardView {
    let language = languages::valid(card.language.as_deref());
    CardView {
        title: card.link.title.to_string(),
        url: card.link.url.to_string(),
        excerpt: card.excerpt.to_string(),
        time: card.time.as_ref().map(|at| time(at, locale)),
        language_name: language
            .as_ref()
            .filter(|tag| **tag != locale.language)
            .map(|tag| languages::name(tag)),
        direction: direction(card),
        language,
        kind: card.kind.clone(),
        speakers: card
            .speakers
            .iter()
            .take(MAX_CARD_SPEAKERS)
            .map(|who| speaker(who, None, locale))
            .collect(),
        more_speakers: card
            .speakers
            .len()
            .checked_sub(MAX_CARD_SPEAKERS)
            .filter(|more| *more > 0)
            .map(|more| locale.count("list.more_speakers", more as u64)),
        tags: card.tags.iter().take(MAX_CARD_TAGS).map(link).collect(),
        heading,
        turn_count: locale.count("count.turns", card.turns),
        reading_time: reading_time(card.words, locale),
        pinned: card.pinned,
        mark: card.mark.map(|reason| mark(reason, locale)),
    }
}

fn speaker(who: &SpeakerLink, declared: Option<&Participant>, locale: &Locale) -> SpeakerView {
    SpeakerView {
        name: who.name.to_string(),
        kind: who.kind.word().to_owned(),
        // A speaker whose name is its kind needs no badge.
        badge: Some(badge(who.kind, locale))
            .filter(|badge| **badge != *who.name)
            .unwrap_or("")
            .to_owned(),
        model: who.model.as_deref().map(str::to_owned),
        url: who.url.as_deref().map(str::to_owned),
        schema: structured::kind_of(who.kind),
        place: 0,
        extra: declared.map(|participant| metadata_rows(&participant.extra)).unwrap_or_default(),
    }
}

pub(super) fn home(home: &Home, env: &Env) -> HomeView {
    let config = &env.config;
    let locale = &config.locale;
    let count = locale.count("count.conversations", home.total);
    let url = config.base_url.link("archive/");
    let terms = |all: &[Term]| {
        let all = all.iter().map(|each| term(each, locale)).collect::<Vec<_>>();
        if all.len() > 1 { all } else { Vec::new() }
    };
    let shown = home.cards.len() + home.featured.len();
    let mut years = terms(&home.years);
    if years.is_empty() && home.months.len() > 1 {
        years = home.months.iter().rev().map(|month| month_term(month, config)).collect();
    }
    let mut view = HomeView {
        parts: Vec::new(),
        side_parts: Vec::new(),
        has_headings: config.home.parts.len() > 1,
        total: count.clone(),
        years,
        timeline: timeline(&home.months, config),
        speakers: match home.speakers.len() {
            0 | 1 => Vec::new(),
            _ => home.speakers.iter().map(|each| speaker_term(each, env)).collect(),
        },
        models: terms(&home.models),
        tags: terms(&home.tags),
        collections: home.collections.iter().map(|each| term(each, locale)).collect(),
        featured: home.featured.iter().map(|each| card(each, 3, locale)).collect(),
        cards: home.cards.iter().map(|each| card(each, 3, locale)).collect(),
        more: (home.total > shown as u64).then(|| LinkView {
            title: locale.fill("list.all", &[("conversations", &count)]),
            url,
        }),
    };
    for part in &config.home.parts {
        let (is_at_side, is_empty) = match part {
            HomePart::Text => (false, home.text.is_none() && config.home.text.is_empty()),
            HomePart::Search => (false, !config.search.has_page()),
            HomePart::Years => (false, view.years.is_empty()),
            HomePart::Featured => (false, view.featured.is_empty()),
            HomePart::Latest => (false, view.cards.is_empty() && !view.featured.is_empty()),
            HomePart::Collections => (true, view.collections.is_empty()),
            HomePart::Speakers => (true, view.speakers.is_empty()),
            HomePart::Models => (true, view.models.is_empty()),
            HomePart::Tags => (true, view.tags.is_empty()),
        };
        let parts = if is_at_side { &mut view.side_parts } else { &mut view.parts };
        if !is_empty && !parts.contains(&part.name()) {
            parts.push(part.name());
        }
    }
    view
}

/// Returns a month as a term.
fn month_term(month: &MonthCount, config: &Config) -> TermView {
    let term = Term {
        title: config.locale.month_of(month.year, month.month),
        url: config.base_url.link(&month_path(month.year, month.month)),
        count: month.count,
        kind: None,
    };
    self::term(&term, &config.locale)
}

/// Groups the cards of a list by month.
fn months(listing: &Listing, config: &Config) -> Vec<MonthGroupView> {
    let locale = &config.locale;
    let month_of = |card: &SharedCard| card.time.as_ref().map(Time::year_month);
    let groups = listing.cards.chunk_by(|a, b| month_of(a) == month_of(b));
    let group = |cards: &[SharedCard]| {
        let month = cards.first().and_then(month_of);
        let (title, path) = match month {
            Some((year, month)) => (locale.month_of(year, month), month_path(year, month)),
            None => (locale.text("list.undated").to_owned(), "archive/undated/".to_owned()),
        };
        let cards = cards.iter().map(|each| card(each, 3, locale)).collect();
        MonthGroupView { title, url: config.base_url.link(&path), cards }
    };
    groups.map(group).collect()
}

/// The number of conversations on a page from which on readers can filter it.
const MIN_FILTERED: usize = 10;

pub(super) fn listing(
    listing: &Listing,
    profile: Option<ProfileView>,
    config: &Config,
) -> ListingView {
    let locale = &config.locale;
    let is_by_month = !listing.rail.is_empty();
    ListingView {
        rail: listing.rail.iter().map(|each| term(each, locale)).collect(),
        timeline: timeline::timeline(&listing.counts, config),
        has_filter: listing.cards.len() >= MIN_FILTERED,
        months: if is_by_month { months(listing, config) } else { Vec::new() },
        facet: listing.facet.clone(),
        profile,
        total: locale.count("count.conversations", listing.total),
        parts: listing.parts.iter().map(|each| term(each, locale)).collect(),
        cards: match is_by_month {
            true => Vec::new(),
            false => listing.cards.iter().map(|each| card(each, 2, locale)).collect(),
        },
        number: listing.number,
        pages: listing.pages,
        previous: listing.previous.clone(),
        next: listing.next.clone(),
        first: listing.first.clone(),
        more: listing.more.as_ref().map(link),
        collection: None,
    }
}

pub(super) fn groups(groups: &[Group], env: &Env) -> Vec<GroupView> {
    groups
        .iter()
        .map(|group| GroupView {
            title: group.title.clone(),
            terms: group.terms.iter().map(|each| speaker_term(each, env)).collect(),
        })
        .collect()
}

/// Returns a term, with a picture or initials if it is a speaker.
fn speaker_term(one: &Term, env: &Env) -> TermView {
    let view = term(one, &env.config.locale);
    let Some(kind) = one.kind else { return view };
    let avatar = profile::avatar(&one.title, env);
    let initials = match avatar {
        Some(_) => String::new(),
        None => profile::initials(&one.title),
    };
    TermView { avatar, initials, color: profile::color(&one.title, kind), ..view }
}

fn term(term: &Term, locale: &Locale) -> TermView {
    TermView {
        title: term.title.clone(),
        url: term.url.clone(),
        count: locale.number(term.count),
        badge: term.kind.map_or("", |kind| badge(kind, locale)).to_owned(),
        avatar: None,
        initials: String::new(),
        color: 0,
    }
}

pub(super) fn conversation(
    planned: &ConversationPage,
    conversation: &Conversation,
    options: &Options,
    config: &Config,
) -> ConversationView {
    let locale = &*config.locale;
    let card = &planned.card;
    let has_prompts = conversation.has_prompts();
    let has_work = conversation.all_turns().any(|turn| {
        matches!(conversation.kind_of(turn), Some(Kind::Tool | Kind::System))
            || turn.blocks.iter().any(is_tool_or_thinking)
    });
    let preface = Some(conversation.preface.as_str()).filter(|preface| !preface.is_empty());
    let named = page_speakers(planned, conversation);
    let options = &Options {
        quotation_marks: card
            .language
            .as_deref()
            .filter(|_| config.smart_quotes && planned.languages.len() < 2)
            .and_then(QuotationMarks::of),
        ..options.clone()
    };
    let items = turns::items(planned, conversation, &named, options, locale);
    ConversationView {
        direction: direction(card),
        time: conversation.time.as_ref().map(|at| time(at, locale)),
        updated: planned
            .revised
            .as_ref()
            .map(|at| locale.fill("list.updated", &[("day", &locale.day(at))])),
        edit: planned.edit.clone(),
        speakers: named
            .iter()
            .map(|(place, who)| SpeakerView {
                place: *place,
                ..speaker(who, conversation.participant(&who.name), locale)
            })
            .collect(),
        summary: conversation.summary().map(str::to_owned),
        turn_count: locale.count("count.turns", card.turns),
        reading_time: reading_time(card.words, locale),
        session: session::view(planned, conversation, locale),
        mark: card.mark.map(|reason| mark(reason, locale)),
        outline: outline::of_page(planned, conversation, has_prompts, config),
        has_work,
        is_channel: channel::has_messages(conversation),
        has_prompts,
        downloads: downloads::of_page(planned, config),
        recording: recordings::player(planned, &card.link.title, config),
        discussion: discussion(planned, &named, &items, config),
        related: planned.related.iter().map(link).collect(),
        anchors: (planned.part_count > 1)
            .then(|| config.base_url.link(&format!("{}{}", card.path, anchors::NAME))),
        first: card.link.url.to_string(),
        facets: planned
            .facets
            .iter()
            .map(|(title, terms)| FacetView {
                title: locale.text(title).to_owned(),
                terms: terms.iter().map(link).collect(),
            })
            .collect(),
        origin: planned.source_label.map(|label| origin(label, locale).to_owned()),
        speculative_languages: conversation.speculative_languages.clone(),
        extra: metadata_rows(&other_metadata(conversation)),
        preface: preface
            .map(|text| markup::render(text, "preface", &options.beside_turns(), &planned.links)),
        items,
        part_count: planned.part_count,
        earlier: planned.earlier.as_ref().map(link),
        later: planned.later.as_ref().map(link),
        part: planned.text_ref.part_number + 1,
        parent: planned.parent.as_ref().map(link),
        children: planned.children.iter().map(link).collect(),
        not_shown: unpublished_notes(planned, locale),
        collection: planned.collection.as_ref().map(|place| PlaceView {
            link: link(&place.link),
            part: place.is_numbered.then(|| {
                let (n, count) = (place.number as u64, place.count as u64);
                let values = [("n", &*locale.number(n)), ("count", &*locale.number(count))];
                locale.fill("conversation.part_of", &values)
            }),
            previous: place.previous.as_ref().map(link),
            next: place.next.as_ref().map(link),
        }),
        newer: planned.newer.as_ref().map(link),
        older: planned.older.as_ref().map(link),
    }
}

/// The maximum number of speakers that the first page names although they do not speak on it.
const MAX_NAMED: usize = 1_000;

/// Returns the speakers that a page names.
fn page_speakers<'a>(
    planned: &'a ConversationPage,
    conversation: &Conversation,
) -> PageSpeakers<'a> {
    let all = planned.card.speakers.iter().enumerate();
    let has_few = planned.card.speakers.len() <= MAX_NAMED;
    if planned.text_ref.part_number == 0 && has_few {
        return all.collect();
    }
    let turns = conversation.all_turns();
    let speaking: HashSet<&str> = turns.map(|turn| turn.speaker.as_str()).collect();
    let opener = planned.opener.as_ref().map(|opener| opener.speaker);
    let is_named =
        |place: usize, who: &SpeakerLink| speaking.contains(&*who.name) || opener == Some(place);
    all.filter(|(place, who)| is_named(*place, who)).collect()
}

fn discussion(
    planned: &ConversationPage,
    named: &PageSpeakers<'_>,
    items: &[ItemView],
    config: &Config,
) -> Option<DiscussionView> {
    let (card, opener) = (&planned.card, planned.opener.as_ref()?);
    let mut turns = items.iter().filter_map(|item| item.turn.as_ref());
    let has_post = turns.any(|turn| turn.role == "post");
    Some(DiscussionView {
        url: config.base_url.absolute(&card.path)?,
        headline: card.link.title.to_string(),
        opener: named.iter().position(|(place, _)| *place == opener.speaker)?,
        published: card.time.as_ref()?.published(),
        text: (!has_post).then(|| opener.text.clone()),
    })
}

/// Returns where a conversation comes from, for readers: the name of a program, or a word in the language of
/// the site.
fn origin<'a>(label: &'a str, locale: &'a Locale) -> &'a str {
    match label {
        "Transcript" => locale.text("origin.transcript"),
        "Podcast transcript" => locale.text("origin.podcast"),
        "Page" => locale.text("origin.page"),
        "E-mail" => locale.text("origin.mail"),
        program => program,
    }
}

/// Returns the metadata of a conversation that the page does not show elsewhere.
fn other_metadata(conversation: &Conversation) -> Map {
    let mut metadata = public_metadata(conversation);
    if let Some(key) = conversation.summary_key() {
        metadata.shift_remove(key);
    }
    // The page already names the speakers, who may have other names than in the source.
    let is_named =
        |value: &Value| value.as_str().is_some_and(|name| conversation.participant(name).is_some());
    metadata.retain(|key, value| {
        let names = value.as_array().filter(|_| key == "speakers");
        !names.is_some_and(|names| conversation.rewritten || names.iter().all(is_named))
    });
    metadata
}

/// Returns notes about parts of the source that the page does not show.
fn unpublished_notes(planned: &ConversationPage, locale: &Locale) -> Vec<String> {
    let counts = [
        ("count.fields", planned.unpublished_fields),
        ("count.placeholders", planned.placeholders),
    ];
    let some = counts.into_iter().filter(|(_, count)| *count > 0);
    some.map(|(key, count)| locale.count(key, count)).collect()
}
