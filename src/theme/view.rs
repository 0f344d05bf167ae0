//! Everything that a template can see: the contract with authors of themes.
//!
//! Every template gets `site`, `text` and `page`; one of the other fields is there as well,
//! depending on the template. `text` is what pages say in the site's language, by section and key;
//! `{{ text.list.page_of | fill(n=2, count=3) }}` fills the braces of one. All strings are text and
//! are escaped when printed, except those of type [`Html`], which are printed with `| safe`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::markup::Html;

/// The whole.
#[derive(Serialize)]
pub struct View {
    /// The page.
    pub page: PageView,
    /// `conversation.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<ConversationView>,
    /// `home.html` and `listing.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listing: Option<ListingView>,
    /// `terms.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<GroupView>>,
    /// `statistics.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<StatisticsView>,
}

/// The view that all pages share.
#[derive(Serialize, Clone)]
pub struct SiteView {
    /// The name of the site.
    pub title: String,
    /// What it is about; may be empty.
    pub description: String,
    /// Who publishes it; may be empty.
    pub author: String,
    /// BCP 47 tag of the interface.
    pub language: String,
    /// `rtl` or `ltr`: the direction of the interface.
    pub direction: &'static str,
    /// The address of the home page.
    pub home: String,
    /// Overviews: archive, speakers and so on.
    pub sections: Vec<LinkView>,
    /// The page of the search.
    pub search: SearchView,
    /// The address of the Atom feed; absent while the site's own address is not known.
    pub feed: Option<String>,
    /// The address of the JSON Feed, likewise.
    pub json_feed: Option<String>,
    /// Addresses of the theme's assets by name: `site.assets["style.css"]`.
    pub assets: BTreeMap<String, String>,
    /// Addresses of the stylesheets of every page, in their order.
    pub styles: Vec<String>,
    /// The picture that stands for the site elsewhere.
    pub image: Option<ImageView>,
    /// The address of the site's own logo.
    pub logo: Option<String>,
    /// The Content-Security-Policy of every page.
    pub policy: String,
}

/// The page of the search.
#[derive(Serialize, Clone)]
pub struct SearchView {
    /// The address of the page.
    pub page: String,
    /// The address of the file that names the index's other files.
    pub index: String,
    /// The address of what serves without JavaScript.
    pub instead: String,
    /// What the script says, as JSON.
    pub words: String,
}

/// A conversation as the picture that stands for it elsewhere: `og.svg`, 1200 × 630.
#[derive(Serialize)]
pub struct PictureView {
    /// `rtl` or `ltr`: the direction of the conversation's main language.
    pub direction: &'static str,
    /// The name of the site.
    pub site: String,
    /// The title, as lines that fit.
    pub lines: Vec<String>,
    /// The size of the title's font. Pixels.
    pub size: f32,
    /// Those who speak, as many as fit.
    pub speakers: Vec<PictureSpeakerView>,
    /// How many more there are, in words; may be empty.
    pub more: String,
    /// The day; may be empty.
    pub date: String,
    /// The colours that the site chose, by their names.
    pub colors: BTreeMap<String, String>,
}

/// A speaker in a picture.
#[derive(Serialize)]
pub struct PictureSpeakerView {
    /// The name.
    pub name: String,
    /// Empty for people, else `AI`, `System` or `Tool`.
    pub badge: String,
    /// The colour that the speaker has on the page.
    pub color: String,
}

/// A picture that stands for a page elsewhere.
#[derive(Serialize, Clone)]
pub struct ImageView {
    /// Its absolute address.
    pub url: String,
    /// What is on it.
    pub alt: String,
    /// Pixels, where known.
    pub width: Option<u32>,
    /// Pixels, where known.
    pub height: Option<u32>,
}

/// The part of a view that differs from page to page.
#[derive(Serialize)]
pub struct PageView {
    /// The heading.
    pub title: String,
    /// The content of `<title>`.
    pub full_title: String,
    /// One or two sentences; may be empty.
    pub description: String,
    /// BCP 47 tag of the page's main text.
    pub language: String,
    /// The page's own address, absolute.
    pub canonical: Option<String>,
    /// What search engines may do.
    pub robots: String,
    /// `article` or `website`.
    pub og_type: String,
    /// When it was published, RFC 3339.
    pub published: Option<String>,
    /// When it was last added to, RFC 3339, where that is another time.
    pub modified: Option<String>,
    /// Absolute addresses of those who speak, for an article.
    pub authors: Vec<String>,
    /// Words under which it is filed.
    pub tags: Vec<String>,
    /// Where the same stands in each language, this one included.
    pub translations: Vec<TranslationView>,
    /// Links for `hreflang`: `x-default` and each language, where there are several.
    pub alternates: Vec<AlternateView>,
    /// The picture that stands for it elsewhere.
    pub image: Option<ImageView>,
    /// JSON-LD, safe inside a `<script>`.
    pub structured_data: Option<String>,
    /// Whether it is where the archive is searched.
    pub is_search: bool,
    /// The stylesheet among the theme's assets that only pages of this kind have.
    pub style: Option<String>,
    /// The address of the page's own Atom feed.
    pub feed: Option<String>,
    /// The address of the same as Markdown.
    pub markdown: Option<String>,
    /// The pages above it.
    pub trail: Vec<LinkView>,
    /// The address of the overview or section that it belongs to, for marking the menu.
    pub section: Option<String>,
}

/// A translation of the page.
#[derive(Serialize, Clone)]
pub struct TranslationView {
    /// The BCP 47 tag.
    pub language: String,
    /// What the language calls itself.
    pub name: String,
    /// Its title.
    pub title: String,
    /// The address.
    pub url: String,
    /// Whether it is the page itself.
    pub is_here: bool,
}

/// The address of a page in a language, for search engines.
#[derive(Serialize, Clone)]
pub struct AlternateView {
    /// The BCP 47 tag, or `x-default`.
    pub language: String,
    /// The absolute address.
    pub url: String,
}

/// A link.
#[derive(Serialize, Clone)]
pub struct LinkView {
    /// Its text.
    pub title: String,
    /// Its address.
    pub url: String,
}

/// One conversation, whole.
#[derive(Serialize)]
pub struct ConversationView {
    /// `rtl` or `ltr`: the direction of the main language's script, or else of its words.
    pub direction: &'static str,
    /// When it took place.
    pub time: Option<TimeView>,
    /// Who speaks; on the later pages of a long conversation, who speaks there.
    pub speakers: Vec<SpeakerView>,
    /// What it is about, in its author's words.
    pub summary: Option<String>,
    /// Number of turns, such as `12 turns`.
    pub turn_count: String,
    /// Such as `8 min read`.
    pub reading_time: String,
    /// What people asked on this page, where several things were asked.
    pub questions: Vec<QuestionView>,
    /// Whether there are tool calls, thoughts or messages of the system, which a reader may not
    /// want to see.
    pub has_work: bool,
    /// Whether people speak with an assistant, so that a reader may want to see only what they
    /// said.
    pub has_prompts: bool,
    /// Files that hold the same.
    pub downloads: Vec<DownloadView>,
    /// What search engines are told of a discussion, for pages that are marked up as one.
    pub discussion: Option<DiscussionView>,
    /// Conversations about the same, the nearest first.
    pub related: Vec<LinkView>,
    /// The address of the file that tells on which part of a long conversation a turn stands.
    pub anchors: Option<String>,
    /// The address of the first part.
    pub first: String,
    /// The lists it stands in.
    pub facets: Vec<FacetView>,
    /// What readers are told of where it comes from.
    pub origin: Option<&'static str>,
    /// Languages that a program guessed.
    pub speculative_languages: Vec<String>,
    /// What else its source says, key and value.
    pub extra: Vec<(String, String)>,
    /// Text before the first turn.
    pub preface: Option<Html>,
    /// What was said.
    pub items: Vec<ItemView>,
    /// The number of parts of a conversation that is too long for one page; else 1.
    pub part_count: usize,
    /// The number of this part, from 1.
    pub part: usize,
    /// The address of the part before.
    pub earlier: Option<String>,
    /// The address of the part after.
    pub later: Option<String>,
    /// The conversation that it goes on from.
    pub parent: Option<LinkView>,
    /// The conversations that go on from it.
    pub children: Vec<LinkView>,
    /// What its source has and the page does not show, in words.
    pub not_shown: Vec<String>,
    /// The next newer conversation.
    pub newer: Option<LinkView>,
    /// The next older conversation.
    pub older: Option<LinkView>,
}

/// The microdata of the first post of a discussion.
#[derive(Serialize)]
pub struct DiscussionView {
    /// The absolute address of the first part.
    pub url: String,
    /// Its title.
    pub headline: String,
    /// Who opened it: an index into `conversation.speakers`.
    pub opener: usize,
    /// When, for machines.
    pub published: String,
    /// How it begins, on parts where the first post does not stand.
    pub text: Option<String>,
}

/// A question of a person.
#[derive(Serialize)]
pub struct QuestionView {
    /// The turn's anchor.
    pub id: String,
    /// How it begins.
    pub text: String,
}

/// A file to be kept.
#[derive(Serialize)]
pub struct DownloadView {
    /// What it is, such as `Markdown`.
    pub title: String,
    /// Its address.
    pub url: String,
    /// The name under which it is kept.
    pub name: String,
}

/// The terms of one facet that a conversation stands under.
#[derive(Serialize)]
pub struct FacetView {
    /// Such as `Languages`.
    pub title: String,
    /// The terms.
    pub terms: Vec<LinkView>,
}

/// A moment.
#[derive(Serialize)]
pub struct TimeView {
    /// For `datetime`.
    pub machine: String,
    /// Such as `23 October 2025`; empty for a turn of the day of the one before.
    pub day: String,
    /// Such as `12:00, America/Chicago`; the zone stands there where it is not that of before.
    pub clock: Option<String>,
}

/// A speaker.
#[derive(Serialize, Clone)]
pub struct SpeakerView {
    /// The name.
    pub name: String,
    /// `person`, `assistant`, `system` or `tool`.
    pub kind: String,
    /// The kind for readers: empty for people, else `AI`, `System` or `Tool`.
    pub badge: String,
    /// The model's id.
    pub model: Option<String>,
    /// The address of their list.
    pub url: String,
    /// The type of schema.org for one who says something: `Person` or `Organization`.
    pub schema: &'static str,
    /// On the page of a conversation, the place among all who take part in it, from 0.
    pub place: usize,
    /// What else its source says of it, key and value.
    pub extra: Vec<(String, String)>,
}

/// One step of a conversation's page: a turn, or the border of a fork or of one of its
/// options.
///
/// A fork is a row of options, of which a reader sees one at a time:
/// `fork` (`option` turn… `option-end`)… `fork-end`. Options may hold forks.
///
/// A turn that started a subagent stands around its conversation: `turn` (`agent` turn…
/// `agent-end` `rest`)…, where `rest` has more parts of that turn.
#[derive(Serialize)]
pub struct ItemView {
    /// `turn`, `rest`, `agent`, `agent-end`, `fork`, `option`, `option-end` or `fork-end`.
    pub kind: &'static str,
    /// The turn, or the rest of one.
    pub turn: Option<TurnView>,
    /// The name that the options of a fork have in common.
    pub group: String,
    /// Which option of how many, such as `2 / 3`; how long the conversation of a subagent is.
    pub label: String,
    /// The name of the option or of the subagent.
    pub name: Option<String>,
    /// `main`, `alternative` (the conversation goes on after it) or `branch` (it does not).
    pub class: &'static str,
    /// Whether the option is the one that is shown first.
    pub open: bool,
}

impl ItemView {
    /// A border.
    pub fn new(kind: &'static str) -> Self {
        Self {
            kind,
            turn: None,
            group: String::new(),
            label: String::new(),
            name: None,
            class: "",
            open: false,
        }
    }

    /// A turn.
    pub fn turn(turn: TurnView) -> Self {
        Self { turn: Some(turn), ..Self::new("turn") }
    }

    /// Returns the beginning of an option.
    pub fn option(
        group: &str,
        label: String,
        name: Option<String>,
        class: &'static str,
    ) -> Self {
        Self { group: group.to_owned(), label, name, class, ..Self::new("option") }
    }
}

/// A turn.
#[derive(Serialize)]
pub struct TurnView {
    /// The anchor.
    pub id: String,
    /// Its place, from 1.
    pub number: usize,
    /// Who speaks: an index into `conversation.speakers`; absent for an event.
    pub speaker: Option<usize>,
    /// When.
    pub time: Option<TimeView>,
    /// When, from the start of a recording.
    pub offset: Option<String>,
    /// Whether it waits for an answer or for delivery.
    pub pending: bool,
    /// Whether a reader marked it as important.
    pub pinned: bool,
    /// In a discussion, `post` for what opened it, `comment` for an answer, else empty.
    pub role: &'static str,
    /// The tag of its language, where it is another of the conversation's languages.
    pub language: Option<String>,
    /// Whether nothing was said.
    pub empty: bool,
    /// Whether it has nothing but tool calls and thoughts.
    pub is_work: bool,
    /// For a long message of the system, which is folded, how long it is.
    pub fold: Option<String>,
    /// What was said.
    pub blocks: Vec<BlockView>,
    /// What else its source says, key and value.
    pub extra: Vec<(String, String)>,
    /// Whether the conversation of a subagent stands behind these parts, and more of the turn behind
    /// that: see [`ItemView`].
    pub continues: bool,
}

impl TurnView {
    /// More of a turn that began before the conversation of a subagent.
    pub fn rest() -> Self {
        Self {
            id: String::new(),
            number: 0,
            speaker: None,
            time: None,
            offset: None,
            pending: false,
            pinned: false,
            role: "",
            language: None,
            empty: false,
            is_work: false,
            fold: None,
            blocks: Vec::new(),
            extra: Vec::new(),
            continues: false,
        }
    }
}

/// A part of a turn.
#[derive(Serialize)]
pub struct BlockView {
    /// `markdown`, `thinking`, `tool`, `attachment`, `event`, `citations` or `unknown`.
    pub kind: &'static str,
    /// What an event is, what an unknown part is called, or how long a thought is.
    pub name: String,
    /// The text, the details of an event, the list of sources, or an unknown part as it stands.
    pub body: Option<Html>,
    /// A tool call.
    pub tool: Option<ToolView>,
    /// An attachment.
    pub attachment: Option<AttachmentView>,
}

impl BlockView {
    /// An empty part.
    pub fn new(kind: &'static str) -> Self {
        Self { kind, name: String::new(), body: None, tool: None, attachment: None }
    }
}

/// A tool call with everything that came of it.
#[derive(Serialize)]
pub struct ToolView {
    /// The tool; empty when only its result is known.
    pub name: String,
    /// Its state in words; empty when it is not known.
    pub state: String,
    /// Whether it went wrong.
    pub failed: bool,
    /// How long it took, such as `1.2 s`.
    pub duration: Option<String>,
    /// What it did, in a few words; absent where only its arguments are known.
    pub subject: Option<String>,
    /// What it did.
    pub action: Option<ActionView>,
    /// The arguments, unless it is known what it did.
    pub input: Option<Html>,
    /// Whether a person had to allow it.
    pub requires_approval: bool,
    /// What people decided.
    pub approvals: Vec<ApprovalView>,
    /// What came of it.
    pub results: Vec<ResultView>,
    /// What else its source says, key and value.
    pub extra: Vec<(String, String)>,
}

/// What a tool call did.
#[derive(Serialize)]
pub struct ActionView {
    /// `command`, `edit`, `plan` or `search`.
    pub kind: &'static str,
    /// The command, or the pages that a search found.
    pub body: Option<Html>,
    /// How a command ended, in words.
    pub exit_code: Option<String>,
    /// The files that were changed.
    pub files: Vec<FileView>,
    /// The things to do.
    pub steps: Vec<StepView>,
    /// What was searched for.
    pub query: Option<String>,
}

impl ActionView {
    /// An action of which nothing is known yet.
    pub fn new(kind: &'static str) -> Self {
        let (files, steps) = (Vec::new(), Vec::new());
        Self { kind, body: None, exit_code: None, files, steps, query: None }
    }
}

/// A change of a file.
#[derive(Serialize)]
pub struct FileView {
    /// The path of the file.
    pub path: String,
    /// Its path afterwards, if that is another one.
    pub moved_to: Option<String>,
    /// That it is new or gone, in words; empty where it was only changed.
    pub note: String,
    /// The lines that differ.
    pub diff: Option<Html>,
}

/// A thing to do.
#[derive(Serialize)]
pub struct StepView {
    /// What.
    pub text: String,
    /// Whether it is done.
    pub is_done: bool,
    /// Whether somebody is at it.
    pub is_active: bool,
}

/// The decision of a person on a tool call.
#[derive(Serialize)]
pub struct ApprovalView {
    /// `approved`, `rejected` or `canceled`.
    pub state: String,
    /// Who.
    pub by: Option<String>,
    /// Why.
    pub reason: Option<String>,
}

/// The result of a tool call.
#[derive(Serialize)]
pub struct ResultView {
    /// Its state in words; empty when it is not known.
    pub state: String,
    /// How long it took.
    pub duration: Option<String>,
    /// Whether it is an empty text.
    pub empty: bool,
    /// The output, or its first lines.
    pub output: Option<Html>,
    /// The other lines.
    pub rest: Option<Html>,
    /// How many those are, in words.
    pub more: String,
    /// The error of a tool call.
    pub error: Option<ToolErrorView>,
}

/// The error of a tool call.
#[derive(Serialize)]
pub struct ToolErrorView {
    /// The tool's code.
    pub code: Option<String>,
    /// In words.
    pub message: Option<String>,
    /// Whatever else the tool said.
    pub data: Option<Html>,
}

/// Something that was handed over.
#[derive(Serialize)]
pub struct AttachmentView {
    /// `image`, `audio`, `video`, `file`, `link` or `missing`.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its address.
    pub url: Option<String>,
    /// Its size, such as `31 KB`.
    pub size: Option<String>,
    /// Its type, such as `PDF`.
    pub media_type: Option<String>,
    /// The width of an image. Pixels.
    pub width: Option<u32>,
    /// The height of an image. Pixels.
    pub height: Option<u32>,
    /// Why it is not here.
    pub problem: Option<String>,
}

/// A list of conversations, or a page of one.
#[derive(Serialize)]
pub struct ListingView {
    /// What the list is about, such as `Speaker`; empty for dates.
    pub facet: String,
    /// Number of conversations in the whole list, in words.
    pub total: String,
    /// Lists that divide this one.
    pub parts: Vec<TermView>,
    /// The conversations.
    pub cards: Vec<CardView>,
    /// This page's number, from 1.
    pub number: usize,
    /// Number of pages.
    pub pages: usize,
    /// The page before.
    pub previous: Option<String>,
    /// The page after.
    pub next: Option<String>,
    /// The first page.
    pub first: String,
    /// Where the rest is, on the home page.
    pub more: Option<LinkView>,
}

/// A conversation in a list.
#[derive(Serialize)]
pub struct CardView {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// How it begins.
    pub excerpt: String,
    /// When it was.
    pub time: Option<TimeView>,
    /// Its main language, if it is a valid tag.
    pub language: Option<String>,
    /// `rtl` or `ltr`: the direction of that language's script, or else of its words.
    pub direction: &'static str,
    /// What that calls itself, if it is not the site's.
    pub language_name: Option<String>,
    /// Its nature, such as `dialog`.
    pub kind: Option<String>,
    /// The first few who speak.
    pub speakers: Vec<SpeakerView>,
    /// How many more speak, in words.
    pub more_speakers: Option<String>,
    /// Number of turns, such as `12 turns`.
    pub turn_count: String,
    /// Such as `8 min read`.
    pub reading_time: String,
}

/// The archive in numbers.
#[derive(Serialize)]
pub struct StatisticsView {
    /// Numbers of conversations, turns and words, in words.
    pub totals: Vec<String>,
    /// A calendar for each year, the newest first.
    pub years: Vec<CalendarView>,
    /// The hours of the week; absent where none are known.
    pub hours: Option<HoursView>,
    /// Tables: speakers, models, languages, tools.
    pub tables: Vec<TableView>,
}

/// The days of a year, in columns of weeks.
#[derive(Serialize)]
pub struct CalendarView {
    /// Such as `2025`.
    pub title: String,
    /// Number of conversations in it, in words.
    pub total: String,
    /// Conversations by month, for readers who do not see drawings.
    pub months: Vec<MonthView>,
    /// Days with conversations.
    pub days: Vec<CellView>,
}

/// A month in a calendar.
#[derive(Serialize)]
pub struct MonthView {
    /// Its name.
    pub name: String,
    /// Number of conversations.
    pub count: String,
    /// The week in which it begins, from 0.
    pub week: i16,
}

/// The hours of the week, in rows of days.
#[derive(Serialize)]
pub struct HoursView {
    /// The days: their names, and the numbers of conversations, in words.
    pub days: Vec<(String, String)>,
    /// The hour in which most conversations began, in words.
    pub most: String,
    /// Hours with conversations.
    pub hours: Vec<CellView>,
}

/// A square of a drawing.
#[derive(Serialize)]
pub struct CellView {
    /// Its column, from 0.
    pub x: i16,
    /// Its row, from 0.
    pub y: i16,
    /// How dark it is: 1 to 4.
    pub level: u8,
    /// What it stands for, in words.
    pub title: String,
}

/// Names with numbers.
#[derive(Serialize)]
pub struct TableView {
    /// What they are.
    pub title: String,
    /// What the numbers count.
    pub unit: String,
    /// What the second numbers count, where there are any.
    pub second_unit: Option<String>,
    /// The rows, the greatest first.
    pub rows: Vec<RowView>,
}

/// A name with its numbers.
#[derive(Serialize)]
pub struct RowView {
    /// The name.
    pub title: String,
    /// The address of its list.
    pub url: Option<String>,
    /// `AI`, `System`, `Tool` or empty.
    pub badge: String,
    /// The number.
    pub count: String,
    /// The second number.
    pub second: String,
    /// Its part of the greatest. Percent.
    pub share: u64,
}

/// Terms that stand together.
#[derive(Serialize)]
pub struct GroupView {
    /// What they have in common; may be empty.
    pub title: String,
    /// The terms.
    pub terms: Vec<TermView>,
}

/// A list by name.
#[derive(Serialize)]
pub struct TermView {
    /// Its name.
    pub title: String,
    /// Its address.
    pub url: String,
    /// Number of conversations.
    pub count: String,
    /// `AI`, `System`, `Tool` or empty.
    pub badge: String,
}
