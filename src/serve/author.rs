//! The author's changes in the preview: writes `edits.toml`, as the command `edit` does.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::json;

use crate::config::{EditChange, EditValue};
use crate::diag::emit::visible;
use crate::disk;
use crate::editing::{self, EditError, Edited};
use crate::hash::Hash;
use crate::pipeline::Build;
use crate::search::index::Document;

/// The maximum number of changes that can be undone.
const MAX_UNDONE: usize = 100;

/// The author of a site, who may change it.
pub(super) struct Author {
    /// The folder of the site.
    site: PathBuf,
    /// The secret that pages of this preview know, and pages of other sites do not.
    pub(super) token: String,
    /// The changes so far, the last one at the end.
    made: Mutex<Vec<Edited>>,
}

/// A change to the conversations of pages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// The paths of the pages.
    pages: Vec<String>,
    /// `None` undoes the last change, of whatever conversations.
    change: Option<Change>,
    /// Whether it is part of the last change, which was too long for one request.
    #[serde(default)]
    continues: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Change {
    Title(String),
    Tags(Vec<String>),
    /// Tags to add to those that a conversation has.
    Tag(Vec<String>),
    /// The name of a collection; empty for none.
    Collection(String),
    /// Publish the conversation, if nothing else withholds it.
    Publish,
    /// Do not publish the conversation.
    Withhold,
    /// The id of a turn to hide.
    Hide(String),
    /// A text to redact.
    Redact(String),
}

/// A status and a JSON text.
pub(super) type JsonReply = (u16, String);

impl Author {
    /// The author of the site in a folder.
    pub(super) fn new(site: &Path) -> Result<Self, disk::Error> {
        let token = Hash::of_bytes(&disk::random_key::<32>()?).hex();
        Ok(Self { site: site.to_owned(), token, made: Mutex::default() })
    }

    /// Returns what the author sees about the conversation of a page.
    pub(super) fn about(&self, build: &Build, page: &str) -> JsonReply {
        let can_undo = !self.made.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        let document = match editing::find(build, &self.site, page) {
            Ok(Some(document)) => document,
            Ok(None) => return (200, json!({"undo": can_undo}).to_string()),
            Err(error) => return refusal(error),
        };
        let entry = &document.entry;
        let about = json!({
            "title": entry.title,
            "tags": entry.tags,
            "withheld": entry.withheld.is_some(),
            "undo": can_undo,
        });
        (200, about.to_string())
    }

    /// Returns the conversations of the site for the author's table, and how many it does not show.
    pub(super) fn list(&self, build: &Build) -> JsonReply {
        let can_undo = !self.made.lock().unwrap_or_else(PoisonError::into_inner).is_empty();
        let base = &build.config.base_url.path;
        let row = |document: &Document| {
            let entry = &document.entry;
            let speakers: Vec<&str> = entry.speakers.iter().map(|who| &*who.name).collect();
            json!({
                "page": format!("{base}{}", document.path),
                "title": entry.title,
                "date": entry.time.as_ref().map(|time| time.as_written().get(..10)),
                "speakers": speakers,
                "turns": entry.turns,
                "tags": entry.tags,
                "file": entry.label(),
                "state": entry.withheld.map(|reason| reason.words().one),
            })
        };
        let all = build.documents.iter().filter(|document| document.entry.page.is_none());
        let rows: Vec<serde_json::Value> = all.rev().map(|document| row(document)).collect();
        let list = json!({"rows": rows, "withheld": build.held_back.len(), "undo": can_undo});
        (200, list.to_string())
    }

    /// Makes a change; `body` is a [`Request`] as JSON.
    pub(super) fn change(&self, build: &Build, body: &[u8]) -> JsonReply {
        let Request { pages, change, continues } = match serde_json::from_slice(body) {
            Ok(request) => request,
            Err(error) => return (400, json!({"error": error.to_string()}).to_string()),
        };
        // One change at a time, so that each starts from the file that the last one wrote.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let done = match change {
            None => match made.last().map(|last| editing::undo(&self.site, last)) {
                None => Err(EditError::Impossible("there is nothing to undo".to_owned())),
                Some(Ok(false)) => {
                    let why = "edits.toml has changed since then; undo the change there";
                    Err(EditError::Impossible(why.to_owned()))
                }
                Some(undone) => undone.map(|_| made.pop().is_some()),
            },
            Some(change) => self.edit(build, &pages, &change).map(|edited| {
                let is_changed = edited.is_some();
                match (made.last_mut().filter(|_| continues), edited) {
                    (Some(last), Some(edited)) if edited.before.as_ref() == Some(&last.after) => {
                        last.after = edited.after;
                    }
                    (_, edited) => made.extend(edited),
                }
                let surplus = made.len().saturating_sub(MAX_UNDONE);
                made.drain(..surplus);
                is_changed
            }),
        };
        match done {
            Ok(is_changed) => (200, json!({"changed": is_changed}).to_string()),
            Err(error) => refusal(error),
        }
    }

    fn edit(
        &self,
        build: &Build,
        pages: &[String],
        change: &Change,
    ) -> Result<Option<Edited>, EditError> {
        let missing = || EditError::Impossible("this page is not a conversation".to_owned());
        let mut wanted = Vec::with_capacity(pages.len());
        for page in pages {
            let document = editing::find(build, &self.site, page)?.ok_or_else(missing)?;
            if matches!(change, Change::Publish) && !document.entry.channel.is_empty() {
                let why = "a channel is published as a whole, in site.toml or with `convo-site edit --public`";
                return Err(EditError::Impossible(why.to_owned()));
            }
            wanted.push((document, vec![change.of(document)]));
        }
        editing::change(&self.site, build, wanted)
    }
}

impl Change {
    /// Returns the change for one conversation.
    fn of(&self, document: &Document) -> EditChange {
        let set = |key: &'static str, text: &str| match text.trim() {
            "" => EditChange::Unset(key.to_owned()),
            text => EditChange::Set(key, EditValue::Text(text.to_owned())),
        };
        match self {
            Self::Title(title) => set("title", title),
            Self::Tags(tags) => EditChange::Set("tags", EditValue::Texts(tags.clone())),
            Self::Tag(new) => {
                let known = &document.entry.tags;
                let new = new.iter().filter(|tag| !known.contains(tag));
                let tags = known.iter().chain(new).cloned().collect();
                EditChange::Set("tags", EditValue::Texts(tags))
            }
            Self::Collection(name) => set("collection", name),
            Self::Publish => set("visibility", "public"),
            Self::Withhold => set("visibility", "private"),
            Self::Hide(id) => EditChange::Add("hide", vec![id.clone()]),
            Self::Redact(text) => EditChange::Add("redact", vec![text.trim().to_owned()]),
        }
    }
}

fn refusal(error: EditError) -> JsonReply {
    let why = match error {
        EditError::Impossible(why) => why,
        EditError::Invalid(notes) => {
            notes.into_iter().next().map_or_else(String::new, |note| note.message)
        }
        EditError::Disk(error) => error.to_string(),
    };
    (409, json!({"error": visible(&why)}).to_string())
}
