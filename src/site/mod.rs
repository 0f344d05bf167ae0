//! Plans the site: its pages, their URLs, and the links between them. Creates no HTML.

pub mod urls;
mod aliases;
mod collections;
mod conversations;
mod examples;
mod facets;
mod indexing;
mod listings;
mod menu;
mod page;
mod plain;
mod quotes;
mod related;
mod slug;
mod speaker_pages;
mod speaker_term;
mod statistics;
mod translations;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use crate::config::Config;
use crate::diag::Diagnostic;
use crate::hash::Hashed;
use crate::search::index::Document;
use crate::search::tokenizer::Stemmer;
use crate::sources::{Archive, Entry, Media, StaticFile};
use crate::time::Time;

pub use self::aliases::Alias;
use self::collections::Collections;
pub use self::conversations::PlanCache;
use self::conversations::{ConversationPlan, Lists, PlanSettings, Relations, SiteContext};
pub use self::facets::{FACETS, Facet};
pub use self::listings::{month_path, year_path};
pub use self::menu::Frame;
pub use self::page::{
    Card, CollectionHead, CollectionPlace, ConversationPage, Group, Home, Link, Listing,
    ModelChange, MonthCount, Original, Page, PageKind, PlacedRecording, PlainText, QuotedMessage,
    Row, SessionSums, SharedCard, SharedPage, SpeakerLink, Statistics, Term, Translation, UsageRow,
    Year,
};
pub(crate) use self::plain::PODCAST;
pub use self::slug::id_in_folder;
pub use self::urls::ConversationUrl;

/// All pages of a site.
pub struct Site {
    /// The configuration.
    pub config: Arc<Config>,
    /// The pages, starting with the home page.
    pub pages: Vec<SharedPage>,
    /// The links in the frame of every page.
    pub frame: Frame,
    /// Files that are copied unchanged.
    pub copied: Vec<StaticFile>,
    /// All published media files, by output path.
    pub media: BTreeMap<String, Media>,
    /// The newest conversations, for feeds.
    pub newest: Vec<SharedCard>,
    /// The documents of the search index, one for each conversation and plain page, oldest first; those without a time
    /// come before them.
    pub documents: Vec<Arc<Document>>,
    /// Redirects from old paths below the base URL.
    pub aliases: BTreeMap<String, Alias>,
    /// The URL of each conversation, followed by those of the plain pages.
    pub addresses: Vec<ConversationUrl>,
    /// The number of conversations.
    pub conversations: u64,
    /// Diagnostics about the plan.
    pub notes: Vec<Diagnostic>,
}

impl Site {
    /// Returns whether a page has a media player.
    pub fn has_recordings(&self) -> bool {
        self.pages.iter().any(|page| match &page.kind {
            PageKind::Conversation(planned) => planned.recording.is_some(),
            _ => false,
        })
    }
}

/// Plans the pages of an archive. With a `cache`, plans a conversation again only if something it depends
/// on has changed.
pub fn plan(archive: &Archive, config: &Arc<Config>, cache: Option<&PlanCache>) -> Site {
    let entries = &archive.entries[..];
    let mut notes = Vec::new();
    let without_page = speaker_pages::without_page(entries).take(&mut notes);
    let (folders, terms) = rayon::join(
        || slug::folders(entries),
        || facets::TermFolders::new(entries, &without_page, config),
    );
    let settings = PlanSettings::of(config);
    let cards: Vec<SharedCard> = entries
        .par_iter()
        .zip(&folders)
        .map(|(entry, folder)| conversations::card(entry, folder, &terms, &settings, cache))
        .collect();
    let by_file = entries.iter().zip(&folders);
    let by_file = by_file.map(|(entry, folder)| (entry.file().as_str(), &**folder));
    let by_file: HashMap<&str, &str> = by_file.chain(plain::folders(&archive.pages)).collect();
    let ((is_indexed, translations), (collections, related)) = rayon::join(
        || rayon::join(|| indexing::decide(entries, config), || translations::find(entries)),
        || {
            let collections = || Collections::find(entries, &archive.sections, config);
            rayon::join(collections, || related::find(entries))
        },
    );
    let is_indexed = is_indexed.take(&mut notes);
    let translations = translations.take(&mut notes);
    let collections = collections.take(&mut notes);
    let context = SiteContext::new(
        entries,
        Lists { terms: &terms, cards: &cards, collections: &collections },
        by_file.clone(),
        Relations { is_indexed, translations, related },
        config,
    );
    let of_conversations = || -> Vec<Arc<ConversationPlan>> {
        let inputs = (0..entries.len()).into_par_iter().map(|index| context.inputs(index));
        inputs.map(|inputs| conversations::plan(&inputs, &settings, cache)).collect()
    };
    let lists = || {
        let mut lists = listings::archive(entries, &cards, config);
        lists.extend(facets::pages(entries, &cards, &terms, config));
        lists.extend(
            (!entries.is_empty()).then(|| statistics::page(entries, &cards, &terms, config)),
        );
        lists.extend(config.search.has_page().then(|| search(entries, config)));
        lists
    };
    let (lists, of_conversations) = rayon::join(lists, of_conversations);
    let others = lists.into_iter().map(|page| Arc::new(Hashed::new(page)));
    let mut pages = Vec::new();
    let mut media = BTreeMap::new();
    for planned in &of_conversations {
        pages.extend(planned.pages.iter().cloned());
        media.extend(planned.media.iter().map(|(path, file)| (path.clone(), file.clone())));
    }
    pages.extend(others);
    pages.push(Arc::new(Hashed::new(not_found(config))));
    drop(of_conversations);
    let has_podcast =
        pages.iter().filter_map(|page| page.episode()).any(|page| page.recording.is_some());
    let files: Vec<&str> = plain::FILES
        .into_iter()
        .chain(has_podcast.then_some(plain::PODCAST))
        .chain(archive.copied.iter().map(|file| file.path.as_str()))
        .collect();
    let of_collections = {
        let paths = pages.iter().map(|page| &*page.path).chain(collections.paths());
        let of_pages = plain::folders(&archive.pages).map(|(_, path)| path);
        let known = paths.chain(of_pages).chain(files.iter().copied()).chain([""]);
        let known: HashSet<&str> = known.collect();
        let leads_to = |address: &str| plain::resolve_path(address, &known, config);
        let mut links = |section: &Arc<Entry>| {
            plain::links(section, &by_file, &leads_to, &mut media, &mut notes, config)
        };
        collections.pages(&cards, &mut links, config)
    };
    pages.extend(of_collections.into_iter().map(|page| Arc::new(Hashed::new(page))));
    let mut plain = plain::plan(&archive.pages, &pages, &files, &by_file, config);
    notes.append(&mut plain.notes);
    pages.append(&mut plain.pages);
    media.append(&mut plain.media);
    let text = plain.home.take();
    let of_home = collections.terms();
    let home = listings::home(entries, &cards, text, of_home, &pages, config);
    pages.insert(0, Arc::new(Hashed::new(home)));
    let in_menu = std::mem::take(&mut plain.in_menu);
    let frame = menu::plan(&pages, &files, in_menu, config, &mut notes);
    let newest = cards.iter().take(config.feed_entries.0).cloned().collect();
    let conversations = entries.len() as u64;
    let of_pages = plain.published.iter().map(|(entry, path)| (*entry, (*path).into()));
    let found: Vec<(&Arc<Entry>, Arc<str>)> =
        entries.iter().zip(folders.iter().cloned()).chain(of_pages).collect();
    let documents = documents(found.clone(), config);
    let config = config.clone();
    let aliases = aliases::find(&found, &config).take(&mut notes);
    let addresses = found.into_iter();
    let addresses = addresses
        .map(|(entry, folder)| ConversationUrl {
            id: entry.id,
            label: entry.label().to_owned(),
            folder,
        })
        .collect();
    Site {
        config,
        pages,
        frame,
        copied: archive.copied.clone(),
        media,
        newest,
        documents,
        aliases,
        addresses,
        conversations,
        notes,
    }
}

/// Returns the documents of the search index. An edit keeps their order: an id may depend on the text,
/// so it only orders conversations of one file.
fn documents(mut found: Vec<(&Arc<Entry>, Arc<str>)>, config: &Config) -> Vec<Arc<Document>> {
    found.sort_by_cached_key(|(entry, _)| {
        let source = entry.parts.first().map(|text_ref| text_ref.source.clone());
        (entry.time.as_ref().map(Time::instant), source, entry.id)
    });
    let document = |(entry, path): (&Arc<Entry>, Arc<str>)| {
        let stemmer = Stemmer::of(entry.languages.first().unwrap_or(&config.language));
        Arc::new(Document { entry: entry.clone(), path, stemmer })
    };
    found.into_iter().map(document).collect()
}

fn search(entries: &[Arc<Entry>], config: &Config) -> Page {
    Page {
        path: "search/".into(),
        title: config.locale.text("search.search").to_owned(),
        description: match config.title.as_str() {
            "" => config.locale.text("search.label").into(),
            title => format!("{} · {title}", config.locale.text("search.label")).into(),
        },
        indexed: false,
        updated: None,
        breadcrumbs: Arc::default(),
        kind: PageKind::Search(examples::examples(entries)),
    }
}

fn not_found(config: &Config) -> Page {
    Page {
        path: "404.html".into(),
        title: config.locale.text("page.not_found").to_owned(),
        description: Arc::from(""),
        indexed: false,
        updated: None,
        breadcrumbs: Arc::default(),
        kind: PageKind::NotFound,
    }
}
