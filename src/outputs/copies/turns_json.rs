//! The turns of a conversation as JSON, next to its page, for programs that need speakers, times and
//! anchors without parsing HTML.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::published_text::published_text;
use crate::config::Config;
use crate::json;
use crate::model::{Conversation, Turn};
use crate::outputs::env::Env;
use crate::outputs::output::{MakeResult, Output};
use crate::site::{Link, Page, PageKind, SharedPage, Site};
use crate::sources::TextStore;
use crate::time::Time;

/// The file name.
pub(crate) const NAME: &str = "turns.json";

/// The version of the format. New fields keep the version; removing a field or changing its meaning
/// increments it.
const VERSION: u32 = 1;

pub(crate) fn declare(_: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let of_page = |page: &SharedPage| {
        let path = path_of(page, &env.config)?;
        let PageKind::Conversation(planned) = &page.kind else { return None };
        let (config, texts) = (env.config.clone(), env.texts.clone());
        let recipe = TurnsRecipe { page: page.clone(), config, texts };
        let output = Output::lasting(path, recipe, make);
        Some(output.map(|output| output.with_text(&planned.text_ref)))
    };
    site.pages.par_iter().filter_map(of_page).collect()
}

/// Returns the path of the file next to a page, if there is one.
pub(crate) fn path_of(page: &Page, config: &Config) -> Option<String> {
    let is_conversation = matches!(page.kind, PageKind::Conversation(_));
    (config.turns_json && is_conversation).then(|| format!("{}{NAME}", page.path))
}

struct TurnsRecipe {
    page: SharedPage,
    config: Arc<Config>,
    texts: Arc<TextStore>,
}

impl Hash for TurnsRecipe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let PageKind::Conversation(planned) = &self.page.kind else { return };
        (VERSION, &self.page.title, &self.page.path).hash(state);
        (&self.config.base_url, self.texts.rules(), &planned.text_ref).hash(state);
        let url_of = |link: &Option<Link>| link.as_ref().map(|link| link.url.clone());
        (planned.part_count, url_of(&planned.earlier), url_of(&planned.later)).hash(state);
        (&planned.attachments, &planned.links).hash(state);
        (&planned.languages, &planned.card.time).hash(state);
    }
}

/// The turns of a page.
#[derive(Serialize)]
struct TurnsFile<'a> {
    version: u32,
    title: &'a str,
    /// The URL of the page.
    url: String,
    /// The date of the conversation, such as `2025-10-23`.
    date: Option<String>,
    /// The declared languages, as BCP 47 tags.
    languages: &'a [String],
    /// The number of the page, from 1, and the number of pages.
    part: usize,
    parts: usize,
    /// The URLs of this file for the previous and next page.
    previous: Option<String>,
    next: Option<String>,
    turns: Vec<TurnRow<'a>>,
}

/// A turn.
#[derive(Serialize)]
struct TurnRow<'a> {
    /// The anchor on the page.
    id: &'a str,
    /// The URL of the turn on the page.
    url: String,
    /// The speaker; `None` for an event.
    speaker: Option<&'a str>,
    /// `person`, `assistant`, `system` or `tool`, or `event`.
    role: &'static str,
    /// The model of an assistant.
    model: Option<&'a str>,
    /// The time as RFC 3339, or a part of it.
    time: Option<String>,
    /// The position in a recording.
    offset: Option<&'a str>,
    /// `instead` for an alternative to the main path, or `subagent`.
    branch: Option<&'static str>,
    /// The text as Markdown.
    text: String,
}

fn make(recipe: &TurnsRecipe) -> MakeResult {
    let TurnsRecipe { page, config, texts } = recipe;
    let PageKind::Conversation(planned) = &page.kind else { return Ok(Vec::new()) };
    let read = texts.get_cached(&planned.text_ref)?;
    let base = &config.base_url;
    let url = base.absolute(&page.path).unwrap_or_else(|| base.link(&page.path));
    // These URLs are relative to the root of the server.
    let beside = |link: &Option<Link>| {
        link.as_ref().map(|link| format!("{}{}{NAME}", base.origin, link.url))
    };
    let branches = read.branches.iter().map(|branch| {
        let mark = if branch.started_by.is_some() { "subagent" } else { "instead" };
        (&branch.turns[..], Some(mark))
    });
    let turns = [(&read.turns[..], None)].into_iter().chain(branches);
    let turns = turns.flat_map(|(turns, branch)| turns.iter().map(move |turn| (turn, branch))).map(
        |(turn, branch)| {
            let text = published_text(turn, planned, config);
            row(&read, turn, branch, &url, &text)
        },
    );
    let file = TurnsFile {
        version: VERSION,
        title: &page.title,
        date: planned.card.time.as_ref().map(Time::day),
        languages: &planned.languages,
        part: planned.text_ref.part_number + 1,
        parts: planned.part_count,
        previous: beside(&planned.earlier),
        next: beside(&planned.later),
        turns: turns.collect(),
        url: url.clone(),
    };
    Ok((json::for_script(&file) + "\n").into_bytes())
}

fn row<'a>(
    read: &'a Conversation,
    turn: &'a Turn,
    branch: Option<&'static str>,
    url: &str,
    text: &str,
) -> TurnRow<'a> {
    let who = read.participant(&turn.speaker);
    let is_event = turn.speaker.is_empty();
    TurnRow {
        id: &turn.id,
        url: format!("{url}#{}", turn.id),
        speaker: (!is_event).then_some(&*turn.speaker),
        role: match who {
            Some(who) if !is_event => who.kind.word(),
            _ if is_event => "event",
            _ => "person",
        },
        model: who.and_then(|who| who.model.as_deref()),
        time: turn.time.as_ref().map(Time::machine),
        offset: turn.offset.as_deref(),
        branch,
        text: text.trim_end().to_owned(),
    }
}
