//! The view of a conversation: what its page says besides its turns.

use serde::Serialize;

use super::page::{LinkView, TimeView};
use super::turn::ItemView;
use crate::markup::Html;

/// One conversation, whole.
#[derive(Serialize)]
pub struct ConversationView {
    /// `rtl` or `ltr`: the direction of the main language's script, or else of its words.
    pub direction: &'static str,
    /// When it took place.
    pub time: Option<TimeView>,
    /// When its file was last changed, in words, where that is told.
    pub updated: Option<String>,
    /// Where readers can propose changes to its file.
    pub edit: Option<String>,
    /// Who speaks; on the later pages of a long conversation, who speaks there.
    pub speakers: Vec<SpeakerView>,
    /// What it is about, in its author's words.
    pub summary: Option<String>,
    /// Number of turns, such as `12 turns`.
    pub turn_count: String,
    /// Such as `8 min read`.
    pub reading_time: String,
    /// That it is a draft, to be published later or expired, where it was asked for all the same.
    pub mark: Option<String>,
    /// What people asked on this page, where several things were asked.
    pub questions: Vec<QuestionView>,
    /// Whether there are tool calls, thoughts or messages of the system, which a reader may not
    /// want to see.
    pub has_work: bool,
    /// Whether it is a channel of messages between people, or a part of one.
    pub is_channel: bool,
    /// Whether people speak with an assistant, so that a reader may want to see only what they
    /// said.
    pub has_prompts: bool,
    /// Files that hold the same.
    pub downloads: Vec<DownloadView>,
    /// Its recording.
    pub recording: Option<RecordingView>,
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
    /// Where it stands in a collection, in whose order readers go on.
    pub collection: Option<PlaceView>,
    /// The next newer conversation.
    pub newer: Option<LinkView>,
    /// The next older conversation.
    pub older: Option<LinkView>,
}

/// The recording of a conversation.
#[derive(Serialize)]
pub struct RecordingView {
    /// `audio` or `video`.
    pub kind: &'static str,
    /// Its address.
    pub url: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Whether it is on another host, from which nothing is to be loaded before a reader plays it.
    pub is_elsewhere: bool,
    /// The address of its captions, as WebVTT.
    pub captions: Option<String>,
    /// The BCP 47 tag of what is spoken.
    pub language: String,
    /// What that language calls itself.
    pub label: String,
    /// The title of the conversation.
    pub title: String,
}

/// The place of a conversation in a collection.
#[derive(Serialize)]
pub struct PlaceView {
    /// The collection.
    pub link: LinkView,
    /// For a series, which part of how many it is, in words.
    pub part: Option<String>,
    /// The one before it.
    pub previous: Option<LinkView>,
    /// The one after it.
    pub next: Option<LinkView>,
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
    /// The URL of their list; absent for one who has none, because very many say little.
    pub url: Option<String>,
    /// The type of schema.org for one who says something: `Person` or `Organization`.
    pub schema: &'static str,
    /// On the page of a conversation, the place among all who take part in it, from 0.
    pub place: usize,
    /// What else its source says of it, key and value.
    pub extra: Vec<(String, String)>,
}
