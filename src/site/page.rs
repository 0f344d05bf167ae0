//! A page as it is planned. Everything in it is hashed, so that a page is made anew when,
//! and only when, something in it changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::hash::{Hash, Hashed};
use crate::markup::Links;
use crate::model::Kind;
use crate::path::RelPath;
use crate::sources::{Opener, Reason, Recording, ResolvedAttachment, TextRef, UsageSum};
use crate::text::InternedStr;
use crate::time::Time;

/// One page.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Page {
    /// Its folder in the output, ending with `/`; empty for the home page; a file name for a
    /// page that is no `index.html`.
    pub path: Arc<str>,
    /// Its name.
    pub title: String,
    /// What is on it, in a sentence or two.
    pub description: Arc<str>,
    /// Whether search engines should list it.
    pub indexed: bool,
    /// The time of the newest content on it.
    pub updated: Option<Time>,
    /// Links to the pages above it, without the home page.
    pub breadcrumbs: Arc<[Link]>,
    /// What is on it.
    pub kind: PageKind,
}

impl Page {
    /// Returns the path of its file in the output.
    pub fn file(&self) -> String {
        if self.path.is_empty() || self.path.ends_with('/') {
            format!("{}index.html", self.path)
        } else {
            self.path.to_string()
        }
    }
}

/// The kinds of pages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PageKind {
    /// The newest conversations and the ways into the archive.
    Home(Box<Home>),
    /// One conversation.
    Conversation(Box<ConversationPage>),
    /// A text of the site's author.
    Plain(Box<PlainText>),
    /// One page of a list of conversations.
    Listing(Box<Listing>),
    /// Terms with their counts, such as all speakers.
    Terms(Vec<Group>),
    /// The archive in numbers.
    Statistics(Box<Statistics>),
    /// The page of the search, with queries as examples.
    Search(Vec<String>),
    /// The page for an unknown address.
    NotFound,
}

/// The home page.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Home {
    /// What the site's author says there.
    pub text: Option<PlainText>,
    /// Those that their authors chose for it.
    pub featured: Vec<SharedCard>,
    /// The collections.
    pub collections: Vec<Term>,
    /// The newest conversations besides; those that are pinned stand first.
    pub cards: Vec<SharedCard>,
    /// Number of all conversations.
    pub total: u64,
    /// The years, the newest first.
    pub years: Vec<Term>,
    /// The speakers who take part most often.
    pub speakers: Vec<Term>,
    /// The tags that are given most often.
    pub tags: Vec<Term>,
}

/// A text of the site's author.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlainText {
    /// The reference to it.
    pub text_ref: Arc<TextRef>,
    /// Where its addresses lead.
    pub links: Arc<Hashed<Links>>,
    /// Its main language.
    pub language: Option<String>,
    /// Whether it is about the site.
    pub is_about: bool,
    /// Why it is not public, where it was asked for all the same.
    pub mark: Option<Reason>,
}

/// A conversation, or a part of a long one, and its surroundings.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConversationPage {
    /// The reference to its text.
    pub text_ref: Arc<TextRef>,
    /// The number of parts; 1 for a conversation on one page.
    pub part_count: usize,
    /// The address of the part before.
    pub earlier: Option<String>,
    /// The address of the part after.
    pub later: Option<String>,
    /// Its attachments, by turn and place among the turn's blocks, each with
    /// its address where it is published.
    pub attachments: BTreeMap<(String, usize), (ResolvedAttachment, Option<String>)>,
    /// The messages of other pages that messages on this one answer, by their ids.
    pub quoted: BTreeMap<String, QuotedMessage>,
    /// Its recording.
    pub recording: Option<Box<PlacedRecording>>,
    /// Whether it is an episode of the site's podcast.
    pub is_episode: bool,
    /// What readers are told of where it comes from.
    pub source_label: Option<InternedStr>,
    /// For the first part, the file that holds this conversation and nothing else.
    pub original: Option<Original>,
    /// Number of fields that its source has and no page shows.
    pub unpublished_fields: u64,
    /// Number of things on the page that a placeholder stands for.
    pub placeholders: u64,
    /// The conversation that it goes on from.
    pub parent: Option<Link>,
    /// The conversations that go on from it.
    pub children: Vec<Link>,
    /// When its file was last changed, where that is told.
    pub revised: Option<Time>,
    /// Where readers can propose changes to its file.
    pub edit: Option<String>,
    /// Declared languages.
    pub languages: Vec<String>,
    /// Its row in listings.
    pub card: SharedCard,
    /// The lists it stands in, those of speakers aside: name of the facet, and a link for each
    /// term.
    pub facets: Vec<(&'static str, Vec<Link>)>,
    /// What opened it, where the site tells search engines that it is a discussion.
    pub opener: Option<Box<Opener>>,
    /// Where addresses in its text lead.
    pub links: Arc<Hashed<Links>>,
    /// For the first part, where it stands in each language, this one included and the original
    /// first; nothing for a conversation in one language.
    pub translations: Vec<Translation>,
    /// Conversations about the same, the nearest first.
    pub related: Vec<Link>,
    /// Where it stands in a collection, in whose order readers go on.
    pub collection: Option<Box<CollectionPlace>>,
    /// The next newer conversation.
    pub newer: Option<Link>,
    /// The next older conversation.
    pub older: Option<Link>,
}

impl ConversationPage {
    /// Returns the folder of the page in the output; the first part stands in the conversation's
    /// own.
    pub fn folder(&self) -> String {
        part_path(&self.card.path, self.text_ref.part_number)
    }
}

/// The recording of a conversation, and where readers find it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlacedRecording {
    /// The recording.
    pub recording: Recording,
    /// Its address, which starts with `/` on the site itself.
    pub url: String,
    /// The path of its captions in the output, where turns say when they were said.
    pub captions: Option<String>,
    /// The references to all of the text, for the captions.
    pub parts: Arc<Hashed<Vec<Arc<TextRef>>>>,
}

/// Returns the folder of a part of a conversation.
pub(super) fn part_path(folder: &str, part: usize) -> String {
    crate::path::part_folder(folder, part)
}

/// A message that a page quotes from another one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QuotedMessage {
    /// The address at which it stands.
    pub url: String,
    /// Who wrote it; may be empty.
    pub speaker: String,
    /// Its first words.
    pub text: String,
}

/// One page of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Listing {
    /// What the list is about, such as "Speaker"; empty for dates.
    pub facet: String,
    /// For the list of a speaker, what it is.
    pub speaker: Option<Kind>,
    /// For the list of a collection, what stands above it.
    pub collection: Option<Arc<CollectionHead>>,
    /// The path of its feed, if it has one.
    pub feed: Option<String>,
    /// Lists that divide this one, such as the months of a year.
    pub parts: Vec<Term>,
    /// The years, for a list that is shown by month.
    pub rail: Vec<Term>,
    /// Where the rest is, of a list that shows only the first.
    pub more: Option<Link>,
    /// The conversations on this page.
    pub cards: Vec<SharedCard>,
    /// Number of conversations in the whole list.
    pub total: u64,
    /// This page's number, from 1.
    pub number: usize,
    /// Number of pages of the list.
    pub pages: usize,
    /// The pages of the list beside this one.
    pub previous: Option<String>,
    /// See `previous`.
    pub next: Option<String>,
    /// The list's first page.
    pub first: String,
}

/// What stands above the list of a collection.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CollectionHead {
    /// For the first page, the text that introduces it.
    pub text_ref: Option<Arc<TextRef>>,
    /// Where addresses in that text lead.
    pub links: Arc<Hashed<Links>>,
    /// What it is about, in a sentence; may be empty.
    pub description: Arc<str>,
    /// The language of these.
    pub language: Option<String>,
    /// Whether it is a series, whose parts are numbered.
    pub is_numbered: bool,
    /// The number of the first part on this page.
    pub first: usize,
    /// For the first page, its newest conversations, for feeds.
    pub newest: Vec<SharedCard>,
}

/// The place of a conversation in a collection.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CollectionPlace {
    /// The collection.
    pub link: Link,
    /// Its folder in the output.
    pub path: String,
    /// Whether it is a series, whose parts are numbered.
    pub is_numbered: bool,
    /// The place, from 1.
    pub number: usize,
    /// Number of conversations in it.
    pub count: usize,
    /// The one before it.
    pub previous: Option<Link>,
    /// The one after it.
    pub next: Option<Link>,
}

/// A group of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// What they have in common; empty when there is one group.
    pub title: String,
    /// The terms.
    pub terms: Vec<Term>,
}

/// A term: the name of a list, with its address.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// Its name.
    pub title: String,
    /// Where it starts.
    pub url: String,
    /// Number of conversations.
    pub count: u64,
    /// For a speaker, what it is.
    pub kind: Option<Kind>,
}

/// A link to another page. Many pages link to the same one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// Its name.
    pub title: Arc<str>,
    /// Its address.
    pub url: Arc<str>,
}

impl Link {
    /// Creates a link with this name to this address.
    pub fn new(title: impl Into<Arc<str>>, url: impl Into<Arc<str>>) -> Self {
        Self { title: title.into(), url: url.into() }
    }
}

/// A file that holds one conversation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Original {
    /// Its path.
    pub file: RelPath,
    /// The hash of all that was read from it.
    pub hash: Hash,
}

/// A conversation in one of its languages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Translation {
    /// The BCP 47 tag of its main language.
    pub language: String,
    /// Its folder in the output.
    pub path: Arc<str>,
    /// Its name and address.
    pub link: Link,
    /// Whether search engines are asked to list it.
    pub is_indexed: bool,
}

/// A page that a site and its recipe hold.
pub type SharedPage = Arc<Hashed<Page>>;

/// A card that many pages hold.
pub type SharedCard = Arc<Hashed<Card>>;

/// A conversation as listings show it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Card {
    /// The conversation.
    pub id: Hash,
    /// Its folder in the output.
    pub path: Arc<str>,
    /// Its name and address.
    pub link: Link,
    /// How it begins.
    pub excerpt: Arc<str>,
    /// When it was.
    pub time: Option<Time>,
    /// The latest time in it.
    pub updated: Option<Time>,
    /// Its main language.
    pub language: Option<String>,
    /// Its nature, such as `dialog`.
    pub kind: Option<String>,
    /// Who speaks.
    pub speakers: Vec<SpeakerLink>,
    /// Words under which it is filed.
    pub tags: Vec<Link>,
    /// Number of turns.
    pub turns: u64,
    /// Number of words.
    pub words: u64,
    /// Whether it stays on top of lists.
    pub pinned: bool,
    /// Why it is not public, where it was asked for all the same.
    pub mark: Option<Reason>,
}

/// A speaker and the list of what they take part in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SpeakerLink {
    /// The name.
    pub name: Arc<str>,
    /// What it is.
    pub kind: Kind,
    /// The model's id.
    pub model: Option<Arc<str>>,
    /// The URL of the list; `None` for one who has none, because very many say little.
    pub url: Option<Arc<str>>,
}

/// The most speakers of a conversation whom feeds and other lists name.
const MAX_AUTHORS: usize = 100;

impl Card {
    /// Returns the speakers whom feeds and other lists name.
    pub fn authors(&self) -> &[SpeakerLink] {
        &self.speakers[..self.speakers.len().min(MAX_AUTHORS)]
    }
}

/// The statistics of an archive.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Statistics {
    /// Number of conversations.
    pub conversations: u64,
    /// Number of turns.
    pub turns: u64,
    /// Number of words.
    pub words: u64,
    /// Conversations by day, for each of the newest years.
    pub years: Vec<Year>,
    /// Conversations by the hour of the week in which they began, from Monday after midnight;
    /// empty where no hour is known.
    pub hours: Vec<u64>,
    /// Turns and words by speaker.
    pub speakers: Vec<Row>,
    /// Turns and words by model.
    pub models: Vec<Row>,
    /// Conversations by language.
    pub languages: Vec<Row>,
    /// Calls by tool.
    pub tools: Vec<Row>,
    /// What turns took, by model.
    pub usage_by_model: Vec<UsageRow>,
    /// What turns took, by month such as `March 2026`, the newest first.
    pub usage_by_month: Vec<UsageRow>,
}

/// The days of a year.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Year {
    /// Such as 2025.
    pub year: i16,
    /// The address of its list, before those of its months.
    pub url: Arc<str>,
    /// Number of conversations in it.
    pub conversations: u64,
    /// Number of conversations by month (1 to 12) and day, each with its place in the calendar:
    /// the week and the day of the week, from 0.
    pub days: BTreeMap<(i8, i8), ((i16, i8), u64)>,
}

/// The sums of one speaker, model, language or tool.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// Its name, as readers see it.
    pub name: String,
    /// The address of its list; a tool has none.
    pub url: Option<Arc<str>>,
    /// For a speaker, what it is.
    pub kind: Option<Kind>,
    /// Number of turns, conversations or calls.
    pub count: u64,
    /// Number of words, for speakers and models.
    pub words: u64,
}

/// What the turns of one model or of one month took.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UsageRow {
    /// The model, or the month.
    pub name: String,
    /// The sums.
    pub sum: UsageSum,
}
