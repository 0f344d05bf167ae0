//! The plan of a page. All of it is hashed, so a page is made again if, and only if, something in it
//! changes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::hash::{Hash, Hashed};
use crate::markup::Links;
use crate::model::Kind;
use crate::path::{RelPath, part_folder};
use crate::sources::{
    Opener, PartOutline, Reason, Recording, ResolvedAttachment, TextRef, UsageSum, WorkSums,
};
use crate::text::InternedStr;
use crate::time::Time;

/// A page.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Page {
    /// The output folder, ending with `/`; empty for the home page; a file name for a page that is not an
    /// `index.html`.
    pub path: Arc<str>,
    /// The title.
    pub title: String,
    /// A description in one or two sentences.
    pub description: Arc<str>,
    /// Whether search engines should list it.
    pub indexed: bool,
    /// The time of the newest content.
    pub updated: Option<Time>,
    /// Links to the pages above, without the home page.
    pub breadcrumbs: Arc<[Link]>,
    /// The content.
    pub kind: PageKind,
}

impl Page {
    /// Returns its plan if it is the first page of a podcast episode, with or without a recording.
    pub fn episode(&self) -> Option<&ConversationPage> {
        match &self.kind {
            PageKind::Conversation(planned) => {
                let is_first = planned.is_episode && planned.text_ref.part_number == 0;
                is_first.then_some(&**planned)
            }
            _ => None,
        }
    }

    /// Returns the path of the file in the output.
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
    /// The home page, with the newest conversations and links into the archive.
    Home(Box<Home>),
    /// One conversation.
    Conversation(Box<ConversationPage>),
    /// A text by the site's author.
    Plain(Box<PlainText>),
    /// One page of a list of conversations.
    Listing(Box<Listing>),
    /// Terms with their counts, such as all speakers.
    Terms(Vec<Group>),
    /// The statistics of the archive.
    Statistics(Box<Statistics>),
    /// The search page, with example queries.
    Search(Vec<String>),
    /// The page for unknown URLs.
    NotFound,
}

/// The home page.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Home {
    /// The text by the site's author.
    pub text: Option<PlainText>,
    /// Featured conversations.
    pub featured: Vec<SharedCard>,
    /// The collections.
    pub collections: Vec<Term>,
    /// The newest conversations that are not featured; pinned ones come first.
    pub cards: Vec<SharedCard>,
    /// The number of all conversations.
    pub total: u64,
    /// The years, newest first.
    pub years: Vec<Term>,
    /// The months with conversations, oldest first.
    pub months: Arc<[MonthCount]>,
    /// The speakers with the most conversations.
    pub speakers: Vec<Term>,
    /// The models with the most conversations.
    pub models: Vec<Term>,
    /// The tags with the most conversations.
    pub tags: Vec<Term>,
}

/// The number of conversations in a month.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MonthCount {
    /// The year.
    pub year: i16,
    /// The month, from 1.
    pub month: i8,
    /// The number of conversations.
    pub count: u64,
}

/// A text by the site's author.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlainText {
    /// The reference to the text.
    pub text_ref: Arc<TextRef>,
    /// The link targets.
    pub links: Arc<Hashed<Links>>,
    /// The main language.
    pub language: Option<String>,
    /// Whether it is about the site.
    pub is_about: bool,
    /// Why it is not public, if it is included by request.
    pub mark: Option<Reason>,
}

/// A conversation, or a part of a long one, with its context.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ConversationPage {
    /// The reference to its text.
    pub text_ref: Arc<TextRef>,
    /// The number of parts; 1 for a conversation on one page.
    pub part_count: usize,
    /// What the parts are about, if there are several.
    pub outline: Arc<Hashed<Vec<PartOutline>>>,
    /// The previous part. Its title is what the part is about, and may be empty.
    pub earlier: Option<Link>,
    /// The next part.
    pub later: Option<Link>,
    /// Attachments by turn and index among the turn's blocks, with the URL if it is published.
    pub attachments: BTreeMap<(String, usize), (ResolvedAttachment, Option<String>)>,
    /// Messages on other pages that messages on this one answer, by id.
    pub quoted: BTreeMap<String, QuotedMessage>,
    /// The recording.
    pub recording: Option<Box<PlacedRecording>>,
    /// Whether it has a recording that cannot be published.
    pub has_unpublished_recording: bool,
    /// Whether it is an episode of the site's podcast.
    pub is_episode: bool,
    /// What agents did in the conversation, in numbers; `None` if nobody edited files or ran commands.
    pub session: Option<SessionSums>,
    /// The origin that is shown to readers.
    pub source_label: Option<InternedStr>,
    /// Whether its prompts are as somebody typed them into a program.
    pub has_typed_prompts: bool,
    /// For the first part, the source file that contains only this conversation.
    pub original: Option<Original>,
    /// The number of fields in the source that no page shows.
    pub unpublished_fields: u64,
    /// The number of placeholders on the page.
    pub placeholders: u64,
    /// The conversation that this one continues.
    pub parent: Option<Link>,
    /// The conversations that continue this one.
    pub children: Vec<Link>,
    /// When its file was last changed, if that is shown.
    pub revised: Option<Time>,
    /// The URL at which readers can propose changes to its file.
    pub edit: Option<String>,
    /// The declared languages.
    pub languages: Vec<String>,
    /// The card in listings.
    pub card: SharedCard,
    /// The lists that contain it, except those of speakers: the facet, and a link for each term.
    pub facets: Vec<(&'static str, Vec<Link>)>,
    /// The opening message, if the site describes the page as a discussion to search engines.
    pub opener: Option<Box<Opener>>,
    /// The link targets in its text.
    pub links: Arc<Hashed<Links>>,
    /// For the first part, all translations, including this one, starting with the original; empty if there
    /// is only one language.
    pub translations: Vec<Translation>,
    /// Related conversations, nearest first.
    pub related: Vec<Link>,
    /// The position in the collection that the page follows.
    pub collection: Option<Box<CollectionPlace>>,
    /// The next newer conversation.
    pub newer: Option<Link>,
    /// The next older conversation.
    pub older: Option<Link>,
}

impl ConversationPage {
    /// Returns the output folder of the page. The first part is in the conversation's own folder.
    pub fn folder(&self) -> String {
        part_folder(&self.card.path, self.text_ref.part_number)
    }
}

/// What an agent did in a conversation, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SessionSums {
    /// The files and commands.
    pub work: WorkSums,
    /// The time from the first turn to the last. Seconds.
    pub seconds: Option<u64>,
    /// The tokens that models read and wrote; 0 if they are not known.
    pub tokens: u64,
}

/// The recording of a conversation and its URLs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PlacedRecording {
    /// The recording.
    pub recording: Recording,
    /// The URL; it starts with `/` if it is on the site itself.
    pub url: String,
    /// The output path of the captions, if turns have times.
    pub captions: Option<String>,
    /// References to the whole text, for the captions.
    pub parts: Arc<Hashed<Vec<Arc<TextRef>>>>,
}

/// A message quoted from another page.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct QuotedMessage {
    /// The URL of the message.
    pub url: String,
    /// The author; may be empty.
    pub speaker: String,
    /// The first words.
    pub text: String,
}

/// One page of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Listing {
    /// The kind of list, such as "Speaker"; empty for dates.
    pub facet: String,
    /// For the list of a speaker, its kind.
    pub speaker: Option<Kind>,
    /// For a collection, the header of its list.
    pub collection: Option<Arc<CollectionHead>>,
    /// The path of its feed, if there is one.
    pub feed: Option<String>,
    /// Lists that divide this one, such as the months of a year.
    pub parts: Vec<Term>,
    /// The years, for a list by month.
    pub rail: Vec<Term>,
    /// The number of conversations of each month of the site, for such a list.
    pub counts: Arc<[MonthCount]>,
    /// A link to the rest, if only the first conversations are shown.
    pub more: Option<Link>,
    /// The conversations on this page.
    pub cards: Vec<SharedCard>,
    /// The number of conversations in the whole list.
    pub total: u64,
    /// The number of this page, from 1.
    pub number: usize,
    /// The number of pages.
    pub pages: usize,
    /// The URL of the previous page.
    pub previous: Option<String>,
    /// The URL of the next page.
    pub next: Option<String>,
    /// The URL of the first page.
    pub first: String,
}

/// The header of the list of a collection.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CollectionHead {
    /// For the first page, the introductory text.
    pub text_ref: Option<Arc<TextRef>>,
    /// The link targets in that text.
    pub links: Arc<Hashed<Links>>,
    /// A description in one sentence; may be empty.
    pub description: Arc<str>,
    /// The language of the text and the description.
    pub language: Option<String>,
    /// Whether it is a series with numbered parts.
    pub is_numbered: bool,
    /// The number of the first part on this page.
    pub first: usize,
    /// For the first page, the newest conversations, for feeds.
    pub newest: Vec<SharedCard>,
}

/// The position of a conversation in a collection.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CollectionPlace {
    /// The collection.
    pub link: Link,
    /// The folder of the collection in the output.
    pub path: String,
    /// Whether it is a series with numbered parts.
    pub is_numbered: bool,
    /// The position, from 1.
    pub number: usize,
    /// The number of conversations in the collection.
    pub count: usize,
    /// The previous conversation.
    pub previous: Option<Link>,
    /// The next conversation.
    pub next: Option<Link>,
}

/// A group of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Group {
    /// What the terms have in common; empty if there is only one group.
    pub title: String,
    /// The terms.
    pub terms: Vec<Term>,
}

/// A term: the name and URL of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The name.
    pub title: String,
    /// The URL of its first page.
    pub url: String,
    /// The number of conversations.
    pub count: u64,
    /// For a speaker, its kind.
    pub kind: Option<Kind>,
}

/// A link to another page. Pages share the text of equal links.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Link {
    /// The title.
    pub title: Arc<str>,
    /// The URL.
    pub url: Arc<str>,
}

impl Link {
    /// Creates a link from a title and a URL.
    pub fn new(title: impl Into<Arc<str>>, url: impl Into<Arc<str>>) -> Self {
        Self { title: title.into(), url: url.into() }
    }
}

/// A file that contains one conversation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Original {
    /// The path.
    pub file: RelPath,
    /// The hash of everything that was read from it.
    pub hash: Hash,
}

/// A conversation in one of its languages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Translation {
    /// The BCP 47 tag of its main language.
    pub language: String,
    /// The folder in the output.
    pub path: Arc<str>,
    /// The title and URL.
    pub link: Link,
    /// Whether search engines are asked to list it.
    pub is_indexed: bool,
}

/// A page, shared by the site and its recipe.
pub type SharedPage = Arc<Hashed<Page>>;

/// A card, shared by many pages.
pub type SharedCard = Arc<Hashed<Card>>;

/// A conversation in listings.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Card {
    /// The id of the conversation.
    pub id: Hash,
    /// The folder in the output.
    pub path: Arc<str>,
    /// The title and URL.
    pub link: Link,
    /// The beginning of the text.
    pub excerpt: Arc<str>,
    /// The time of the conversation.
    pub time: Option<Time>,
    /// The latest time in it.
    pub updated: Option<Time>,
    /// The main language.
    pub language: Option<String>,
    /// The type, such as `dialog`.
    pub kind: Option<String>,
    /// The speakers.
    pub speakers: Vec<SpeakerLink>,
    /// The tags.
    pub tags: Vec<Link>,
    /// The number of turns.
    pub turns: u64,
    /// The number of words.
    pub words: u64,
    /// Whether it is pinned to the top of lists.
    pub pinned: bool,
    /// Why it is not public, if it is included by request.
    pub mark: Option<Reason>,
}

/// A speaker and the list of their conversations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SpeakerLink {
    /// The name.
    pub name: Arc<str>,
    /// The kind.
    pub kind: Kind,
    /// The id of the model.
    pub model: Option<Arc<str>>,
    /// The URL of the list; `None` if the speaker has no page.
    pub url: Option<Arc<str>>,
}

/// The maximum number of speakers per conversation in feeds and other lists.
const MAX_AUTHORS: usize = 100;

impl Card {
    /// Returns the speakers for feeds and other lists.
    pub fn authors(&self) -> &[SpeakerLink] {
        &self.speakers[..self.speakers.len().min(MAX_AUTHORS)]
    }
}

/// The statistics of an archive.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Statistics {
    /// The number of conversations.
    pub conversations: u64,
    /// The number of turns.
    pub turns: u64,
    /// The number of words.
    pub words: u64,
    /// Conversations by day, for the newest years.
    pub years: Vec<Year>,
    /// Conversations by the hour of the week in which they started, from Monday at midnight; empty if no
    /// hour is known.
    pub hours: Vec<u64>,
    /// Turns and words by speaker.
    pub speakers: Vec<Row>,
    /// Turns and words by model.
    pub models: Vec<Row>,
    /// Conversations by language.
    pub languages: Vec<Row>,
    /// Calls by tool.
    pub tools: Vec<Row>,
    /// Usage of turns by model.
    pub usage_by_model: Vec<UsageRow>,
    /// Usage of turns by month, such as `March 2026`, newest first.
    pub usage_by_month: Vec<UsageRow>,
    /// The year and the month with the most conversations, if it is one alone, with their number.
    pub busiest_month: Option<((i16, i8), u64)>,
    /// The last time that another model became the most used one.
    pub model_change: Option<ModelChange>,
    /// The conversations with the most words: words and turns.
    pub longest: Vec<Row>,
}

/// A model that became the most used one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ModelChange {
    /// The model.
    pub model: String,
    /// The year and the month.
    pub since: (i16, i8),
    /// The most used model before.
    pub before: String,
}

/// The days of a year.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Year {
    /// The year, such as 2025.
    pub year: i16,
    /// The URL of its list; those of its months start with it.
    pub url: Arc<str>,
    /// The number of conversations.
    pub conversations: u64,
    /// The number of conversations by month (1 to 12) and day, with the position in the calendar: week and
    /// day of the week, from 0.
    pub days: BTreeMap<(i8, i8), ((i16, i8), u64)>,
}

/// The sums of a speaker, model, language or tool.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// The name for readers.
    pub name: String,
    /// The URL of its list; `None` for a tool.
    pub url: Option<Arc<str>>,
    /// For a speaker, its kind.
    pub kind: Option<Kind>,
    /// The number of turns, conversations or calls.
    pub count: u64,
    /// The number of words, for speakers and models.
    pub words: u64,
}

/// The usage of one model or one month.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UsageRow {
    /// The model or the month.
    pub name: String,
    /// The sums.
    pub sum: UsageSum,
}
