//! The anchors of a conversation on several pages: which page has each turn. A script uses them to resolve
//! old links to turns.

use std::sync::Arc;

use super::env::Env;
use super::output::{MakeResult, Output};
use crate::site::{PageKind, Site};
use crate::sources::TextRef;

/// The file name, in the folder of the conversation.
pub(super) const NAME: &str = "anchors.json";

pub(super) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let mut found: Vec<(String, Vec<Arc<TextRef>>)> = Vec::new();
    for page in &site.pages {
        let PageKind::Conversation(planned) = &page.kind else { continue };
        match found.last_mut() {
            Some((_, text_refs)) if planned.text_ref.part_number > 0 => {
                text_refs.push(planned.text_ref.clone());
            }
            _ if planned.part_count > 1 => {
                let path = format!("{}{NAME}", planned.card.path);
                found.push((path, vec![planned.text_ref.clone()]));
            }
            _ => {}
        }
    }
    let output = |(path, text_refs): (String, Vec<Arc<TextRef>>)| {
        let last = text_refs.last()?.clone();
        let output = Output::new(name, path, env, text_refs, make)?;
        Some(output.with_text(&last))
    };
    found.into_iter().map(output).collect()
}

/// Returns the anchors of each part, in order.
fn make(env: &Env, text_refs: &Vec<Arc<TextRef>>) -> MakeResult {
    let mut parts = Vec::with_capacity(text_refs.len());
    for text_ref in text_refs {
        let read = env.texts.get_cached(text_ref)?;
        let anchors: Vec<String> = read.all_turns().map(|turn| turn.id.clone()).collect();
        parts.push(anchors);
    }
    Ok(serde_json::to_vec(&parts).expect("texts are JSON"))
}
