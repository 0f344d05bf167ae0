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
    /// Who the speaker is whose list it is, where that is told.
    pub profile: Option<ProfileView>,
    /// Number of conversations in the whole list, in words.
    pub total: String,
    /// Lists that divide this one.
    pub parts: Vec<TermView>,
    /// The years, for a list that is shown by month.
    pub rail: Vec<TermView>,
    /// The conversations by month, for such a list; its `cards` are empty.
    pub months: Vec<MonthGroupView>,
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
    /// Where the rest is, of a list that shows only the newest.
    pub more: Option<LinkView>,
    /// For the list of a collection, what stands above it.
    pub collection: Option<CollectionView>,
}

/// The conversations of a month.
#[derive(Serialize)]
pub struct MonthGroupView {
    /// Such as `March 2026`.
    pub title: String,
    /// The address of their list.
    pub url: String,
    /// The conversations.
    pub cards: Vec<CardView>,
}

/// The home page.
#[derive(Serialize)]
pub struct HomeView {
    /// The names of its parts, in their order.
    pub parts: Vec<&'static str>,
    /// Whether the parts have headings, because there are several.
    pub has_headings: bool,
    /// Number of conversations, in words.
    pub total: String,
    /// The years; none where there is only one.
    pub years: Vec<TermView>,
    /// The speakers who take part most often.
    pub speakers: Vec<TermView>,
    /// The tags that are given most often.
    pub tags: Vec<TermView>,
    /// The collections.
    pub collections: Vec<TermView>,
    /// The conversations that their authors chose for it.
    pub featured: Vec<CardView>,
    /// The newest conversations besides; those that are pinned stand first.
    pub cards: Vec<CardView>,
    /// Where the rest is.
    pub more: Option<LinkView>,
}

/// What stands above the list of a collection.
#[derive(Serialize)]
pub struct CollectionView {
    /// What it is about, in a sentence; may be empty.
    pub description: String,
    /// The text that introduces it.
    pub introduction: Option<Html>,
    /// Whether it is a series, whose parts are numbered.
    pub is_numbered: bool,
    /// The number of the first part on this page.
    pub first: usize,
}

/// Who a speaker is.
#[derive(Serialize)]
pub struct ProfileView {
    /// A sentence or two; may be empty.
    pub bio: String,
    /// The address of a page of theirs; may be empty.
    pub url: String,
    /// That address as people say it.
    pub label: String,
    /// Other pages of theirs.
    pub links: Vec<LinkView>,
    /// A picture of them.
    pub avatar: Option<AvatarView>,
    /// Their initials, where there is none; empty for programs.
    pub initials: String,
    /// The number of their colour, from 0 to 5, or 6 for programs.
    pub color: usize,
}

/// A picture of a speaker.
#[derive(Serialize)]
pub struct AvatarView {
    /// Its address.
    pub url: String,
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
    /// The first few words under which it is filed.
    pub tags: Vec<LinkView>,
    /// The level of its heading.
    pub heading: u8,
    /// Number of turns, such as `12 turns`.
    pub turn_count: String,
    /// Such as `8 min read`.
    pub reading_time: String,
    /// Whether it stays on top of lists.
    pub pinned: bool,
    /// That it is a draft, to be published later or expired, where it was asked for all the same.
    pub mark: Option<String>,
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
    /// For a speaker, a picture of them.
    pub avatar: Option<AvatarView>,
    /// For a speaker without one, the initials; else empty.
    pub initials: String,
    /// The number of their colour, from 0 to 5, or 6 for programs.
    pub color: usize,
}
