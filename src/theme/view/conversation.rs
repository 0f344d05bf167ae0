//! The view of a conversation, apart from its turns.

use serde::Serialize;

use super::page::{LinkView, TimeView};
use super::turn::ItemView;
use super::turn::StepView;
use crate::markup::Html;

/// A conversation.
#[derive(Serialize)]
pub struct ConversationView {
    /// `rtl` or `ltr`: the direction of the script of the main language, or else of the text.
    pub direction: &'static str,
    /// When it took place.
    pub time: Option<TimeView>,
    /// When its file was last changed, as text, if dates of changes are shown.
    pub updated: Option<String>,
    /// The URL where readers can propose changes to its file.
    pub edit: Option<String>,
    /// The speakers; on later pages of a long conversation, the speakers of that page.
    pub speakers: Vec<SpeakerView>,
    /// The summary that its author wrote.
    pub summary: Option<String>,
    /// Number of turns, such as `12 turns`.
    pub turn_count: String,
    /// Such as `8 min read`.
    pub reading_time: String,
    /// For a session with an agent: what was done.
    pub session: Option<SessionView>,
    /// For a draft, scheduled or expired conversation that is included in a preview: what it is.
    pub mark: Option<String>,
    /// The prompts of the conversation, if there are several, by the part that contains them.
    pub outline: Vec<OutlinePartView>,
    /// Whether there are tool calls, thoughts or system messages, which readers may want to hide.
    pub has_work: bool,
    /// Whether it is (part of) a channel of messages between people.
    pub is_channel: bool,
    /// Whether people talk to an assistant, so that readers may want to see only the prompts.
    pub has_prompts: bool,
    /// Downloads: the same conversation as files.
    pub downloads: Vec<DownloadView>,
    /// Its recording.
    pub recording: Option<RecordingView>,
    /// Microdata for search engines, on pages that are marked up as a discussion.
    pub discussion: Option<DiscussionView>,
    /// Related conversations, the closest first.
    pub related: Vec<LinkView>,
    /// The URL of the file that says which part of a long conversation contains which turn.
    pub anchors: Option<String>,
    /// The URL of the first part.
    pub first: String,
    /// The lists that contain it.
    pub facets: Vec<FacetView>,
    /// Where it comes from, as text.
    pub origin: Option<String>,
    /// Languages that were detected, not declared.
    pub speculative_languages: Vec<String>,
    /// Other metadata from its source, as key and value.
    pub extra: Vec<(String, String)>,
    /// The text before the first turn.
    pub preface: Option<Html>,
    /// The turns, in order, with the borders of forks, threads and subagents.
    pub items: Vec<ItemView>,
    /// The number of parts, if the conversation is too long for one page; else 1.
    pub part_count: usize,
    /// The number of this part, from 1.
    pub part: usize,
    /// The previous part; its title is its first prompt or its first words, and may be empty.
    pub earlier: Option<LinkView>,
    /// The next part.
    pub later: Option<LinkView>,
    /// The conversation that this one continues.
    pub parent: Option<LinkView>,
    /// The conversations that continue this one.
    pub children: Vec<LinkView>,
    /// What the source contains and the page does not show, as text.
    pub not_shown: Vec<String>,
    /// Its place in a collection, which readers can follow in order.
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
    /// Its URL.
    pub url: String,
    /// Its media type.
    pub media_type: &'static str,
    /// Whether it is on another host, so that nothing may be loaded before a reader plays it.
    pub is_elsewhere: bool,
    /// The URL of its captions, as WebVTT.
    pub captions: Option<String>,
    /// The BCP 47 tag of the spoken language.
    pub language: String,
    /// The name of that language, in the language itself.
    pub label: String,
    /// The title of the conversation.
    pub title: String,
}

/// The place of a conversation in a collection.
#[derive(Serialize)]
pub struct PlaceView {
    /// The collection.
    pub link: LinkView,
    /// For a series, its part number and the number of parts, as text.
    pub part: Option<String>,
    /// The previous conversation of the collection.
    pub previous: Option<LinkView>,
    /// The next conversation of the collection.
    pub next: Option<LinkView>,
}

/// The microdata of the first post of a discussion.
#[derive(Serialize)]
pub struct DiscussionView {
    /// The absolute URL of the first part.
    pub url: String,
    /// Its title.
    pub headline: String,
    /// The author of the first post: an index into `conversation.speakers`.
    pub opener: usize,
    /// When it was posted, for machines.
    pub published: String,
    /// The beginning of the first post, on parts that do not contain it.
    pub text: Option<String>,
}

/// A part of a conversation in its outline.
#[derive(Serialize, Default)]
pub struct OutlinePartView {
    /// Such as `Part 2`; empty if the conversation is on one page.
    pub label: String,
    /// The URL of the part.
    pub url: String,
    /// Whether it is this page.
    pub is_here: bool,
    /// Its prompts; for other parts, the first ones.
    pub questions: Vec<QuestionView>,
    /// The number of prompts that are not listed, such as `5 more`.
    pub more: Option<String>,
}

/// A prompt of a person.
#[derive(Serialize)]
pub struct QuestionView {
    /// The URL of the turn: `#` and its anchor for a turn on this page.
    pub url: String,
    /// The beginning of its text.
    pub text: String,
}

/// A file to download.
#[derive(Serialize)]
pub struct DownloadView {
    /// Its format, such as `Markdown`.
    pub title: String,
    /// Its URL.
    pub url: String,
    /// The file name of the download.
    pub name: String,
}

/// The terms of one facet that a conversation has.
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
    /// The label of the kind: empty for people, else `AI`, `System` or `Tool`.
    pub badge: String,
    /// The id of the model.
    pub model: Option<String>,
    /// The URL of the speaker's list; absent for rare speakers, who have none.
    pub url: Option<String>,
    /// The schema.org type of a speaker who takes part: `Person` or `Organization`.
    pub schema: &'static str,
    /// On the page of a conversation, the index among all participants, from 0.
    pub place: usize,
    /// Other metadata of the speaker from the source, as key and value.
    pub extra: Vec<(String, String)>,
}

/// What an agent did in a session.
#[derive(Serialize)]
pub struct SessionView {
    /// Facts such as `2 h 14 min`, `12 files changed +410 −88` and `44 commands, 3 failed`.
    pub facts: Vec<String>,
    /// The title of the list of files.
    pub label: String,
    /// The files that were changed on this page.
    pub files: Vec<SessionFileView>,
    /// The to-do list, as it is at the end of this page.
    pub todo: Option<TodoView>,
}

/// The to-do list of a session.
#[derive(Serialize)]
pub struct TodoView {
    /// Its title, such as `To-do list: 6 of 7 done`.
    pub label: String,
    /// Its items, in the order in which they were first mentioned.
    pub steps: Vec<StepView>,
}

/// A file that was changed in a session.
#[derive(Serialize)]
pub struct SessionFileView {
    /// Its path.
    pub path: String,
    /// How many lines were changed: `+41 −12`.
    pub change: Option<String>,
    /// Links to the turns that changed it.
    pub edits: Vec<LinkView>,
}
