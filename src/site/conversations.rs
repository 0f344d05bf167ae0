//! Plans the pages of conversations, and caches the plans.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use super::collections::Collections;
use super::facets;
use super::listings::Breadcrumbs;
use super::page::{
    Card, CollectionPlace, ConversationPage, Link, Original, Page, PageKind, PlacedRecording,
    QuotedMessage, SessionSums, SharedCard, SharedPage, Translation,
};
use super::quotes::QuotedMessages;
use crate::cache::{Cache, Cached};
use crate::config::{BaseUrl, Config, EditUrl};
use crate::hash::{Hash, Hashed};
use crate::locale::Locale;
use crate::markup::{Links, ResolvedLink};
use crate::path::part_folder;
use crate::sources::{Entry, Media, PartOutline, RecordingPlace, ResolvedAttachment, Target};
use crate::text::slug as slug_of;

/// The plan of a conversation: its pages and their media files.
pub(super) struct ConversationPlan {
    pub(super) pages: Vec<SharedPage>,
    /// Media files by output path.
    pub(super) media: BTreeMap<String, Media>,
}

/// The inputs of a plan: everything that the pages of a conversation depend on, except the settings.
/// [`pages`] sees nothing else.
#[derive(Hash)]
pub(super) struct Inputs {
    entry: Arc<Entry>,
    card: SharedCard,
    breadcrumbs: Arc<[Link]>,
    facets: Vec<(&'static str, Vec<Link>)>,
    /// The folders of conversations that its text links to, by URL as written.
    conversations: BTreeMap<String, String>,
    /// Messages quoted from other pages, by page number and message id.
    quoted: BTreeMap<(usize, String), QuotedMessage>,
    parent: Option<Link>,
    children: Vec<Link>,
    related: Vec<Link>,
    translations: Vec<Translation>,
    is_indexed: bool,
    collection: Option<Box<CollectionPlace>>,
    newer: Option<Link>,
    older: Option<Link>,
}

/// The settings that the pages of a conversation depend on.
#[derive(Hash)]
pub(super) struct PlanSettings<'a> {
    base_url: &'a BaseUrl,
    locale: &'a Locale,
    edit_url: &'a EditUrl,
}

impl<'a> PlanSettings<'a> {
    /// Returns the settings of a configuration, hashed once for all conversations.
    pub(super) fn of(config: &'a Config) -> Hashed<Self> {
        Hashed::new(Self {
            base_url: &config.base_url,
            locale: &config.locale,
            edit_url: &config.edit_url,
        })
    }
}

/// A cache of plans, for processes that plan more than once.
#[derive(Default)]
pub struct PlanCache {
    plans: Cache<Arc<ConversationPlan>>,
    cards: Cache<SharedCard>,
}

/// Plans and cards need no size limit: a site has one for each conversation.
impl Cached for ConversationPlan {
    fn size(&self) -> usize {
        0
    }
}

impl Cached for Card {
    fn size(&self) -> usize {
        0
    }
}

impl PlanCache {
    /// Removes everything that was not used since the last sweep.
    pub fn sweep(&self) {
        self.plans.sweep();
        self.cards.sweep();
    }
}

/// Returns the card of a conversation. Returns an equal card from the cache if there is one, to save
/// memory.
pub(super) fn card(
    entry: &Entry,
    folder: &Arc<str>,
    terms: &facets::TermFolders,
    settings: &PlanSettings<'_>,
    cache: Option<&PlanCache>,
) -> SharedCard {
    let speakers = entry.speakers.iter().map(|who| terms.speaker_link(entry, who)).collect();
    let card = Arc::new(Hashed::new(Card {
        id: entry.id,
        path: folder.clone(),
        link: Link::new(entry.title.as_str(), settings.base_url.link(folder)),
        excerpt: entry.excerpt.clone(),
        time: entry.time.clone(),
        updated: entry.updated.clone(),
        language: entry.languages.first().cloned(),
        kind: entry.kind.clone(),
        speakers,
        tags: facets::tags_of(entry, terms),
        turns: entry.turns,
        words: entry.words,
        pinned: entry.filing().pinned,
        mark: entry.mark(),
    }));
    match cache {
        Some(cache) => cache.cards.get_or_put(card.key(), card),
        None => card,
    }
}

/// Returns the plan of a conversation, from the cache if its inputs are the same.
pub(super) fn plan(
    inputs: &Inputs,
    settings: &Hashed<PlanSettings<'_>>,
    cache: Option<&PlanCache>,
) -> Arc<ConversationPlan> {
    let make = || {
        let (pages, media) = pages(inputs, settings);
        Arc::new(ConversationPlan { pages, media })
    };
    let Some(PlanCache { plans, .. }) = cache else { return make() };
    let key = Hash::of(&(inputs, settings));
    plans.get(key).unwrap_or_else(|| {
        let made = make();
        plans.put(key, made.clone());
        made
    })
}

/// The context of all conversations: everything that their pages may refer to.
pub(super) struct SiteContext<'a> {
    entries: &'a [Arc<Entry>],
    terms: &'a facets::TermFolders,
    lineage: Lineage,
    quoted: QuotedMessages<'a>,
    base_url: &'a BaseUrl,
    relations: Relations,
    /// Folders of conversations and plain pages, by file.
    by_file: HashMap<&'a str, &'a str>,
    cards: &'a [SharedCard],
    breadcrumbs: Breadcrumbs,
    collections: &'a Collections,
}

/// Results of comparing all conversations with each other.
pub(super) struct Relations {
    /// Whether search engines are asked to list each conversation.
    pub(super) is_indexed: Vec<bool>,
    /// Indices of the translations of each conversation.
    pub(super) translations: HashMap<usize, Arc<[usize]>>,
    /// Indices of related conversations, nearest first.
    pub(super) related: Vec<Vec<u32>>,
}

/// What is known about lists before conversations are planned.
pub(super) struct Lists<'a> {
    pub(super) terms: &'a facets::TermFolders,
    pub(super) cards: &'a [SharedCard],
    pub(super) collections: &'a Collections,
}

impl<'a> SiteContext<'a> {
    pub(super) fn new(
        entries: &'a [Arc<Entry>],
        Lists { terms, cards, collections }: Lists<'a>,
        by_file: HashMap<&'a str, &'a str>,
        relations: Relations,
        config: &'a Config,
    ) -> Self {
        let (lineage, (quoted, breadcrumbs)) = rayon::join(
            || Lineage::new(entries),
            || (QuotedMessages::new(entries), Breadcrumbs::new(entries, config)),
        );
        Self {
            entries,
            terms,
            lineage,
            quoted,
            base_url: &config.base_url,
            relations,
            by_file,
            cards,
            breadcrumbs,
            collections,
        }
    }

    /// Returns the inputs of the plan of the conversation at `index`.
    pub(super) fn inputs(&self, index: usize) -> Inputs {
        let entry = &self.entries[index];
        let link = |at: &usize| self.cards[*at].link.clone();
        let collection = self.collections.place(index, self.cards).map(Box::new);
        // In a collection, "next" stays within the collection.
        let neighbour = |at: Option<usize>| {
            let at = at.filter(|_| collection.is_none())?;
            Some(self.cards.get(at)?.link.clone())
        };
        let mut facets = facets::links_of(entry, self.terms);
        facets.extend(self.collections.links(index));
        let conversations = entry.references.iter().filter_map(|(address, target)| {
            let Target::Conversation(file) = target else { return None };
            Some((address.clone(), (*self.by_file.get(file.as_str())?).to_owned()))
        });
        Inputs {
            entry: entry.clone(),
            card: self.cards[index].clone(),
            breadcrumbs: self.breadcrumbs.of(entry),
            facets,
            conversations: conversations.collect(),
            quoted: self.quoted.of(index, entry, self.cards, self.base_url),
            parent: self.lineage.parents[index].as_ref().map(link),
            children: self.lineage.children[index].iter().map(link).collect(),
            is_indexed: self.relations.is_indexed[index],
            translations: self.translations_of(index),
            related: self.relations.related[index].iter().map(|at| link(&(*at as usize))).collect(),
            newer: neighbour(index.checked_sub(1)),
            older: neighbour(Some(index + 1)),
            collection,
        }
    }

    fn translations_of(&self, index: usize) -> Vec<Translation> {
        let places = self.relations.translations.get(&index).into_iter().flat_map(|all| &**all);
        let translation = |place: &usize| {
            let card = &self.cards[*place];
            Some(Translation {
                language: card.language.clone()?,
                path: card.path.clone(),
                link: card.link.clone(),
                is_indexed: self.relations.is_indexed[*place],
            })
        };
        places.filter_map(translation).collect()
    }
}

fn pages(
    inputs: &Inputs,
    settings: &PlanSettings<'_>,
) -> (Vec<SharedPage>, BTreeMap<String, Media>) {
    let Inputs { entry, card, .. } = inputs;
    let mut media = BTreeMap::new();
    let links = links(inputs, &mut media, settings);
    let folder = &card.path;
    let is_discussion = entry.time.is_some() && !settings.base_url.origin.is_empty();
    let original = entry.is_alone.then(|| {
        let parts: Vec<Hash> = entry.parts.iter().map(|text_ref| text_ref.part.hash).collect();
        Original { file: entry.file().clone(), hash: Hash::of(&parts) }
    });
    // If parts of a file are withheld, do not link to the file.
    let edit = settings.edit_url.of(entry.file().as_str()).filter(|_| {
        let mut above = entry.file().as_str().split('/').rev().skip(1);
        entry.is_alone && !entry.reveals_name && !above.any(is_archive_name)
    });
    let recording = entry.recording.as_deref().map(|recording| {
        Box::new(PlacedRecording {
            url: match &recording.place {
                RecordingPlace::Remote(url) => url.clone(),
                RecordingPlace::Stored(file) => publish(file, &mut media, settings),
            },
            recording: recording.clone(),
            captions: entry.is_recorded.then(|| format!("{folder}{CAPTIONS}")),
            parts: Arc::new(Hashed::new(entry.parts.clone())),
        })
    });
    let outline = Arc::new(Hashed::new(entry.outline.clone()));
    let link_to = |part: usize| {
        let title = entry.outline.get(part).map_or("", PartOutline::title);
        Link::new(title, settings.base_url.link(&part_folder(folder, part)))
    };
    let mut pages = Vec::with_capacity(entry.parts.len());
    for (part, text_ref) in entry.parts.iter().enumerate() {
        let from = |number: usize| (number, String::new(), 0);
        let attached = entry
            .attachments
            .range(from(text_ref.part_number)..from(text_ref.part_number + 1))
            .map(|((_, turn, block), attached)| {
                let url = match attached {
                    ResolvedAttachment::Stored { media: file, .. } => {
                        Some(publish(file, &mut media, settings))
                    }
                    _ => None,
                };
                ((turn.clone(), *block), (attached.clone(), url))
            });
        let attachments = attached.collect();
        let from = |number: usize| (number, String::new());
        let quoted = inputs.quoted.range(from(part)..from(part + 1));
        let quoted = quoted.map(|((_, id), quoted)| (id.clone(), quoted.clone()));
        let quoted = quoted.collect();
        let number = part + 1;
        let of_part = |text: &str| match part {
            0 => text.to_owned(),
            _ => settings
                .locale
                .fill("conversation.part", &[("title", text), ("n", &number.to_string())]),
        };
        pages.push(Arc::new(Hashed::new(Page {
            path: match part {
                0 => folder.clone(),
                _ => part_folder(folder, part).into(),
            },
            title: of_part(&entry.title),
            description: match part {
                0 => entry.excerpt.clone(),
                _ => of_part(&entry.excerpt).into(),
            },
            indexed: inputs.is_indexed,
            updated: entry.updated.clone(),
            breadcrumbs: inputs.breadcrumbs.clone(),
            kind: PageKind::Conversation(Box::new(ConversationPage {
                text_ref: text_ref.clone(),
                part_count: entry.parts.len(),
                outline: outline.clone(),
                earlier: part.checked_sub(1).map(link_to),
                later: (number < entry.parts.len()).then(|| link_to(number)),
                attachments,
                quoted,
                recording: recording.clone(),
                has_unpublished_recording: entry.has_unpublished_recording,
                is_episode: entry.is_episode,
                session: session_sums(entry),
                source_label: entry.source_label,
                has_typed_prompts: entry.has_typed_prompts,
                original: original.clone().filter(|_| part == 0),
                unpublished_fields: entry.unpublished_fields,
                placeholders: entry.placeholders,
                parent: inputs.parent.clone(),
                children: inputs.children.clone(),
                revised: entry.revised.clone(),
                edit: edit.clone(),
                languages: entry.languages.clone(),
                card: card.clone(),
                facets: inputs.facets.clone(),
                opener: entry.opener.clone().filter(|_| is_discussion),
                links: links.clone(),
                translations: match part {
                    0 => inputs.translations.clone(),
                    _ => Vec::new(),
                },
                related: inputs.related.clone(),
                collection: inputs.collection.clone(),
                newer: inputs.newer.clone(),
                older: inputs.older.clone(),
            })),
        })));
    }
    (pages, media)
}

/// Returns what agents did in a conversation, if they edited files or ran commands.
fn session_sums(entry: &Entry) -> Option<SessionSums> {
    let work = entry.work;
    let seconds = entry.time.as_ref().zip(entry.updated.as_ref());
    let seconds = seconds.and_then(|(first, last)| first.seconds_until(last));
    let tokens = entry.usage.values().fold(0, |sum: u64, usage| sum.saturating_add(usage.tokens));
    (work.files + work.commands > 0).then_some(SessionSums { work, seconds, tokens })
}

/// Returns whether a folder of this name may be an archive, whose files cannot be edited.
fn is_archive_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".zip", ".tar", ".tgz", ".gz", ".zst"].iter().any(|ending| name.ends_with(ending))
}

/// Which conversations continue which, by index.
struct Lineage {
    parents: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
}

impl Lineage {
    fn new(entries: &[Arc<Entry>]) -> Self {
        let mut by_id = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            if let Some(id) = &entry.own_id {
                by_id.entry(id.as_str()).or_insert(index);
            }
        }
        let parent = |entry: &Arc<Entry>| by_id.get(entry.parent.as_deref()?).copied();
        let parents: Vec<Option<usize>> = entries.iter().map(parent).collect();
        let mut children = vec![Vec::new(); parents.len()];
        // Oldest first.
        for (index, parent) in parents.iter().enumerate().rev() {
            if let Some(parent) = parent {
                children[*parent].push(index);
            }
        }
        Self { parents, children }
    }
}

/// The name of the captions of a recording, next to the first part of its conversation.
const CAPTIONS: &str = "captions.vtt";

/// Returns the path of a media file. It contains a hash of the bytes, so that equal files are stored once
/// and no two files share a path.
pub(super) fn media_path(media: &Media) -> String {
    let stem = media.name.split('.').next().unwrap_or_default();
    let name = match slug_of(stem, 60) {
        name if name.is_empty() => "file".to_owned(),
        name => name,
    };
    format!("media/{}/{name}.{}", media.hash.short(16), media.extension)
}

/// Adds a file to the site and returns its URL.
fn publish(
    file: &Media,
    media: &mut BTreeMap<String, Media>,
    settings: &PlanSettings<'_>,
) -> String {
    let path = media_path(file);
    let url = settings.base_url.link(&path);
    media.insert(path, file.clone());
    url
}

/// Resolves the links in a conversation.
fn links(
    inputs: &Inputs,
    media: &mut BTreeMap<String, Media>,
    settings: &PlanSettings<'_>,
) -> Arc<Hashed<Links>> {
    // Most conversations have no links.
    static EMPTY: LazyLock<Arc<Hashed<Links>>> =
        LazyLock::new(|| Arc::new(Hashed::new(Links::Known(BTreeMap::new()))));
    let mut known = BTreeMap::new();
    for (address, target) in &inputs.entry.references {
        let resolved = match target {
            Target::Media(file) => Some(ResolvedLink {
                url: publish(file, media, settings),
                dimensions: file.dimensions,
            }),
            Target::Address(_) => None,
            Target::Conversation(_) => inputs
                .conversations
                .get(address)
                .map(|path| ResolvedLink { url: settings.base_url.link(path), dimensions: None }),
        };
        known.extend(resolved.map(|resolved| (address.clone(), resolved)));
    }
    match known.is_empty() {
        true => EMPTY.clone(),
        false => Arc::new(Hashed::new(Links::Known(known))),
    }
}
