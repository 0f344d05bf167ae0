//! The views of lists of conversations, and of lists of such lists.

use serde::Serialize;

use super::conversation::SpeakerView;
use super::page::{LinkView, TimeView};
use crate::markup::Html;

/// A list of conversations, or a page of one.
#[derive(Serialize)]
pub struct ListingView {
    /// What the list is about, such as `Speaker`; empty for dates.
    pub facet: String,
    /// The speaker, for a list of a speaker with a profile.
    pub profile: Option<ProfileView>,
    /// Number of conversations in the whole list, as text.
    pub total: String,
    /// Lists into which this one is divided.
    pub parts: Vec<TermView>,
    /// The years, for a list that is grouped by month.
    pub rail: Vec<TermView>,
    /// A drawing of all conversations over time, for such a list, unless all are of one month.
    pub timeline: Option<TimelineView>,
    /// Whether it has so many conversations that readers can filter it.
    pub has_filter: bool,
    /// The conversations by month, for such a list; its `cards` are empty.
    pub months: Vec<MonthGroupView>,
    /// The conversations.
    pub cards: Vec<CardView>,
    /// This page's number, from 1.
    pub number: usize,
    /// Number of pages.
    pub pages: usize,
    /// The URL of the previous page.
    pub previous: Option<String>,
    /// The URL of the next page.
    pub next: Option<String>,
    /// The URL of the first page.
    pub first: String,
    /// A link to the rest, for a list that shows only the newest.
    pub more: Option<LinkView>,
    /// The collection, for the list of a collection.
    pub collection: Option<CollectionView>,
}

/// The conversations of a month.
#[derive(Serialize)]
pub struct MonthGroupView {
    /// Such as `March 2026`.
    pub title: String,
    /// The URL of its list.
    pub url: String,
    /// The conversations.
    pub cards: Vec<CardView>,
}

/// The home page.
#[derive(Serialize)]
pub struct HomeView {
    /// The names of its parts, in order, without those that are empty and those at the side.
    pub parts: Vec<&'static str>,
    /// The names of the parts at its side, in order, without those that are empty.
    pub side_parts: Vec<&'static str>,
    /// Whether the parts have headings, as there are several.
    pub has_headings: bool,
    /// Number of conversations, as text.
    pub total: String,
    /// The years, or the months if there is only one year; empty if there is only one month.
    pub years: Vec<TermView>,
    /// A drawing of the conversations over time, unless all are of one month.
    pub timeline: Option<TimelineView>,
    /// The most frequent speakers.
    pub speakers: Vec<TermView>,
    /// The most frequent models.
    pub models: Vec<TermView>,
    /// The most frequent tags.
    pub tags: Vec<TermView>,
    /// The collections.
    pub collections: Vec<TermView>,
    /// Featured conversations.
    pub featured: Vec<CardView>,
    /// The newest other conversations, pinned ones first.
    pub cards: Vec<CardView>,
    /// A link to the rest.
    pub more: Option<LinkView>,
}

/// A bar for each month, or for each year of a long time, in a drawing of 1000 × 100 units.
#[derive(Serialize)]
pub struct TimelineView {
    /// The bars, oldest first.
    pub bars: Vec<BarView>,
    /// The width of each bar.
    pub bar_width: u32,
    /// The right end of the last bar.
    pub width: u32,
    /// The years below the bars.
    pub labels: Vec<BarLabelView>,
}

/// A bar of a drawing.
#[derive(Serialize)]
pub struct BarView {
    /// The URL of the list.
    pub url: String,
    /// Such as `March 2026: 12 conversations`.
    pub title: String,
    /// Its left edge.
    pub x: u32,
    /// Its top.
    pub y: u32,
    /// Its height.
    pub height: u32,
}

/// A text below a bar.
#[derive(Serialize)]
pub struct BarLabelView {
    /// Its left edge.
    pub x: u32,
    /// The text.
    pub text: String,
}

/// The header of a collection's list.
#[derive(Serialize)]
pub struct CollectionView {
    /// The description, a sentence; may be empty.
    pub description: String,
    /// The introduction.
    pub introduction: Option<Html>,
    /// Whether it is a series, whose parts are numbered.
    pub is_numbered: bool,
    /// The number of the first part on this page.
    pub first: usize,
}

/// The profile of a speaker.
#[derive(Serialize)]
pub struct ProfileView {
    /// A sentence or two; may be empty.
    pub bio: String,
    /// The URL of the speaker's own page; may be empty.
    pub url: String,
    /// That URL in a short form for readers.
    pub label: String,
    /// Other pages of the speaker.
    pub links: Vec<LinkView>,
    /// The speaker's picture.
    pub avatar: Option<AvatarView>,
    /// The initials, if there is no picture; empty for programs.
    pub initials: String,
    /// The number of the speaker's colour, from 0 to 5, or 6 for programs.
    pub color: usize,
}

/// A picture of a speaker.
#[derive(Serialize)]
pub struct AvatarView {
    /// Its URL.
    pub url: String,
}

/// A conversation in a list.
#[derive(Serialize)]
pub struct CardView {
    /// Its title.
    pub title: String,
    /// Its URL.
    pub url: String,
    /// The beginning of its text.
    pub excerpt: String,
    /// When it took place.
    pub time: Option<TimeView>,
    /// Its main language, if it is a valid tag.
    pub language: Option<String>,
    /// `rtl` or `ltr`: the direction of the script of that language, or else of the text.
    pub direction: &'static str,
    /// The name of that language in the language itself, if it is not the site's.
    pub language_name: Option<String>,
    /// Its type, such as `dialog`.
    pub kind: Option<String>,
    /// The first few speakers.
    pub speakers: Vec<SpeakerView>,
    /// The number of other speakers, as text.
    pub more_speakers: Option<String>,
    /// The first few tags.
    pub tags: Vec<LinkView>,
    /// The level of its heading.
    pub heading: u8,
    /// Number of turns, such as `12 turns`.
    pub turn_count: String,
    /// Such as `8 min read`.
    pub reading_time: String,
    /// Whether it stays at the top of lists.
    pub pinned: bool,
    /// For a draft, scheduled or expired conversation that is included in a preview: what it is.
    pub mark: Option<String>,
}

/// A group of terms.
#[derive(Serialize)]
pub struct GroupView {
    /// The heading; may be empty.
    pub title: String,
    /// The terms.
    pub terms: Vec<TermView>,
}

/// A term, which has a list of conversations.
#[derive(Serialize)]
pub struct TermView {
    /// Its name.
    pub title: String,
    /// The URL of its list.
    pub url: String,
    /// Number of conversations.
    pub count: String,
    /// `AI`, `System`, `Tool` or empty.
    pub badge: String,
    /// For a speaker, the picture.
    pub avatar: Option<AvatarView>,
    /// For a speaker without a picture, the initials; else empty.
    pub initials: String,
    /// The number of the speaker's colour, from 0 to 5, or 6 for programs.
    pub color: usize,
}
