//! `convo-site edit`: writes changes to a conversation into `edits.toml`.

use std::sync::Arc;

use super::args::{EditArgs, with_fallback_key};
use super::{Failure, Outcome, report, require_site};
use crate::config::{EditChange, EditValue, Edits};
use crate::diag::emit::visible;
use crate::disk::{self, Disk};
use crate::editing::{self, EditError};
use crate::files::SharedFiles;
use crate::pipeline::{self, Choices};
use crate::sources::Release;

pub(super) fn run(args: &EditArgs) -> Result<Outcome, Failure> {
    require_site(&args.site)?;
    let files: SharedFiles = Arc::new(Disk::new(&args.site));
    let memo = disk::memo_of(&args.cache.folder(&args.site));
    let choices = Choices { allows_unmatched_edits: true, ..Choices::default() };
    let choices = args.gate.choose(&Default::default(), choices)?;
    let mut choices = with_fallback_key(choices)?;
    let mut build = pipeline::run(&files, &choices, &memo, &|_| {})?;
    let name = args.conversation.as_str();
    if editing::find(&build, &args.site, name)?.is_none() {
        // A withheld conversation can be edited too, but its source must be read for that.
        choices.release =
            Release { private: true, drafts: true, future: true, expired: true, today: None };
        build = pipeline::run(&files, &choices, &memo, &|_| {})?;
    }
    let document = editing::find(&build, &args.site, name)?.ok_or_else(|| {
        let name = visible(name);
        let message = "not found; pass its URL, id, file or title";
        Failure::Usage(format!("conversation `{name}` {message}"))
    })?;
    let title = visible(&document.entry.title);
    let changes = changes(args);
    if changes.is_empty() {
        let of = editing::name_of(&build, document)?;
        match editing::entry_of(&args.site, &of)? {
            Some(entry) => report::output(&entry),
            None => report::summary(&format!("no edits for “{title}”")),
        }
        return Ok(Outcome::Fine);
    }
    let file = Edits::FILE;
    let only_undoes = changes.iter().all(|change| matches!(change, EditChange::Unset(_)));
    report::summary(&match editing::change(&args.site, &build, vec![(document, changes)])? {
        Some(_) => format!("changed “{title}” in {file}; the next build applies it"),
        None if only_undoes => {
            format!("nothing to undo: {file} does not change this for “{title}”")
        }
        None => format!("nothing changed: {file} already has this for “{title}”"),
    });
    Ok(Outcome::Fine)
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Impossible(why) => Self::Usage(visible(&why)),
            EditError::Invalid(notes) => Self::Site(notes),
            EditError::Disk(error) => Self::Disk(error),
        }
    }
}

fn changes(args: &EditArgs) -> Vec<EditChange> {
    // First, so that a value that is also given replaces the old one.
    let unset = args.unset.iter().map(|key| EditChange::Unset(key.to_string()));
    let mut changes: Vec<EditChange> = unset.collect();
    let mut set = |key: &'static str, value: Option<EditValue>| {
        changes.extend(value.map(|value| EditChange::Set(key, value)));
    };
    let text = |text: &Option<String>| text.clone().map(EditValue::Text);
    set("title", text(&args.title));
    set("slug", text(&args.slug));
    set("description", text(&args.description));
    set("date", text(&args.date));
    set("tags", (!args.tag.is_empty()).then(|| EditValue::Texts(args.tag.clone())));
    set("collection", text(&args.collection));
    let visibility = args.private.then_some("private").or(args.public.then_some("public"));
    set("visibility", visibility.map(|word| EditValue::Text(word.to_owned())));
    set("pinned", args.pin.then_some(EditValue::Flag(true)));
    set("featured", args.feature.then_some(EditValue::Flag(true)));
    let speakers = args.speaker.iter().cloned();
    changes.extend(speakers.map(|(name, new)| EditChange::RenameSpeaker(name, new)));
    // The link of a turn ends in its id.
    let bare = |id: &String| id.rsplit('#').next().unwrap_or(id).to_owned();
    let hidden: Vec<String> = args.hide_turn.iter().map(bare).collect();
    for (key, texts) in [("hide", hidden), ("redact", args.redact.clone())] {
        changes.extend((!texts.is_empty()).then_some(EditChange::Add(key, texts)));
    }
    changes
}
