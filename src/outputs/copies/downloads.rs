//! Downloads of a conversation, in addition to its Markdown: the content of the page as JSON, and the
//! original file.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;
use serde::Serialize;

use super::published_text::attach;
use super::{markdown_copy, turns_json};
use crate::config::{Config, Download};
use crate::formats::EXTENSIONS;
use crate::json;
use crate::model::{Block, Conversation};
use crate::outputs::env::Env;
use crate::outputs::format::{is_public_id, public_metadata};
use crate::outputs::output::{MakeResult, Output};
use crate::path::RelPath;
use crate::site::{ConversationPage, PageKind, SharedPage, Site};
use crate::sources::TextStore;
use crate::theme::view::DownloadView;
use crate::time::Time;

/// The name of the JSON file.
const JSON_NAME: &str = "index.json";
/// The stem of the original file's name.
const ORIGINAL_STEM: &str = "original";

pub(crate) fn declare(_: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let wanted = &site.config.downloads;
    let (json, original) = (wanted.contains(&Download::Json), wanted.contains(&Download::Original));
    if !json && !original {
        return Vec::new();
    }
    let of_page = |page: &SharedPage| {
        let PageKind::Conversation(planned) = &page.kind else { return Vec::new() };
        let mut outputs = Vec::new();
        if json {
            let path = format!("{}{JSON_NAME}", page.path);
            let (config, texts) = (env.config.clone(), env.texts.clone());
            let data = JsonRecipe { page: page.clone(), config, texts };
            let output = Output::lasting(path, data, make_json);
            outputs.push(output.map(|output| output.with_text(&planned.text_ref)));
        }
        if let Some(name) = original_name(planned).filter(|_| original) {
            let path = format!("{}{name}", page.path);
            let (page, texts) = (page.clone(), env.texts.clone());
            outputs.push(Output::lasting(path, OriginalRecipe { page, texts }, make_original));
        }
        outputs
    };
    site.pages.par_iter().flat_map_iter(of_page).collect()
}

/// Returns the downloads that a page offers.
pub(crate) fn of_page(planned: &ConversationPage, config: &Config) -> Vec<DownloadView> {
    let folder = planned.folder();
    let slug = planned.card.path.trim_end_matches('/').rsplit('/').next().unwrap_or("");
    let stem = match planned.text_ref.part_number {
        0 => slug.to_owned(),
        part => format!("{slug}-{}", part + 1),
    };
    let offer = |title: &str, file: &str, extension: &str| DownloadView {
        title: title.to_owned(),
        url: config.base_url.link(&format!("{folder}{file}")),
        name: format!("{stem}{extension}"),
    };
    let offers = config.downloads.iter().filter_map(|download| match download {
        Download::Markdown => {
            config.markdown.then(|| offer("Markdown", markdown_copy::NAME, ".md"))
        }
        Download::Json => Some(offer("JSON", JSON_NAME, ".json")),
        Download::Original => {
            let name = original_name(planned)?;
            let title = config.locale.text("conversation.original");
            Some(offer(title, &name, name.strip_prefix(ORIGINAL_STEM)?))
        }
    });
    offers.collect()
}

/// Returns the name of the original file, next to the first part of a conversation that is alone in its
/// file. A `[[source]]` may allow any extension; only extensions that browsers do not execute are kept.
fn original_name(planned: &ConversationPage) -> Option<String> {
    let name = planned.original.as_ref()?.file.name().to_ascii_lowercase();
    let extension = EXTENSIONS.iter().find(|extension| name.ends_with(**extension));
    Some(format!("{ORIGINAL_STEM}{}", extension.unwrap_or(&".txt")))
}

/// Returns the names of all files that search engines should not list, because they should list the pages.
pub(crate) fn names(config: &Config) -> Vec<String> {
    let mut names = Vec::new();
    if config.markdown {
        names.push(markdown_copy::NAME.to_owned());
    }
    if config.turns_json {
        names.push(turns_json::NAME.to_owned());
    }
    if config.downloads.contains(&Download::Json) {
        names.push(JSON_NAME.to_owned());
    }
    if config.downloads.contains(&Download::Original) {
        names.extend(EXTENSIONS.iter().map(|extension| format!("{ORIGINAL_STEM}{extension}")));
    }
    names
}

struct OriginalRecipe {
    page: SharedPage,
    texts: Arc<TextStore>,
}

impl OriginalRecipe {
    fn path(&self) -> Option<&RelPath> {
        match &self.page.kind {
            PageKind::Conversation(planned) => {
                planned.original.as_ref().map(|original| &original.file)
            }
            _ => None,
        }
    }
}

impl Hash for OriginalRecipe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let PageKind::Conversation(planned) = &self.page.kind else { return };
        planned.original.hash(state);
    }
}

fn make_original(file: &OriginalRecipe) -> MakeResult {
    file.path().map_or_else(|| Ok(Vec::new()), |path| file.texts.original(path))
}

struct JsonRecipe {
    page: SharedPage,
    config: Arc<Config>,
    texts: Arc<TextStore>,
}

impl Hash for JsonRecipe {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let PageKind::Conversation(planned) = &self.page.kind else { return };
        (&self.page.title, &self.config.base_url, self.texts.rules()).hash(state);
        (&planned.text_ref, &planned.attachments).hash(state);
    }
}

/// A conversation in the neutral format, with the URL of its page.
#[derive(Serialize)]
struct JsonConversation<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(flatten)]
    conversation: &'a Conversation,
}

fn make_json(data: &JsonRecipe) -> MakeResult {
    let PageKind::Conversation(planned) = &data.page.kind else { return Ok(Vec::new()) };
    let read = data.texts.get_cached(&planned.text_ref)?;
    let mut copy = public_copy(&read, planned, &data.config);
    copy.title = Some(data.page.title.clone());
    let url = data.config.base_url.absolute(&data.page.path);
    let document = JsonConversation { url, conversation: &copy };
    Ok((json::for_script(&document) + "\n").into_bytes())
}

/// Copies a conversation with exactly what its page shows.
fn public_copy(read: &Conversation, planned: &ConversationPage, config: &Config) -> Conversation {
    let mut copy = read.clone();
    (copy.id, copy.parent) = (None, None);
    copy.extra = public_metadata(read);
    copy.unpublished.clear();
    copy.time = copy.time.take().map(Time::restated);
    copy.updated = None;
    let mut call_ids = HashMap::new();
    for turn in copy.all_turns_mut() {
        turn.time = turn.time.take().map(Time::restated);
        turn.unpublished.clear();
        let turn_id = turn.id.clone();
        for (at, block) in turn.blocks.iter_mut().enumerate() {
            match block {
                Block::Tool(call) => {
                    let own = format!("call-{}", call_ids.len() + 1);
                    let id = std::mem::replace(&mut call.id, own.clone());
                    call_ids.insert((turn_id.clone(), id), own);
                    call.unpublished.clear();
                    for approval in &mut call.approvals {
                        approval.unpublished.clear();
                        approval.by.take_if(|by| !is_public_id(by));
                    }
                    call.results.iter_mut().for_each(|result| result.unpublished.clear());
                }
                Block::Attachment(attachment) => {
                    let found = planned.attachments.get(&(turn_id.clone(), at));
                    attach(attachment, found, config);
                }
                _ => {}
            }
        }
    }
    for branch in &mut copy.branches {
        let Some(call) = branch.started_by.take() else { continue };
        let of_turn = branch.after.clone().unwrap_or_default();
        branch.started_by = call_ids.get(&(of_turn, call)).cloned();
    }
    copy
}
