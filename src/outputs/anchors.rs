//! For a conversation on several pages, on which of them each turn stands: what follows an old
//! link to a turn to wherever it is now.

use std::sync::Arc;

use super::{Env, Made, Output};
use crate::site::{PageKind, Site};
use crate::sources::Body;

/// The name of the file, in the folder of the conversation.
pub(super) const NAME: &str = "turns.json";

pub(super) fn declare(
    name: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    let mut found: Vec<(String, Vec<Body>)> = Vec::new();
    for page in &site.pages {
        let PageKind::Conversation(planned) = &page.kind else { continue };
        match found.last_mut() {
            Some((_, bodies)) if planned.body.part_number > 0 => {
                bodies.push(planned.body.clone());
            }
            _ if planned.part_count > 1 => {
                let path = format!("{}{NAME}", planned.card.path);
                found.push((path, vec![planned.body.clone()]));
            }
            _ => {}
        }
    }
    let output = |(path, bodies): (String, Vec<Body>)| {
        let last = bodies.last()?.clone();
        let output = Output::new(name, path, env, bodies, make)?;
        Some(output.near(&last))
    };
    found.into_iter().map(output).collect()
}

/// The anchors of each part, in the order of the parts.
fn make(env: &Env, bodies: &Vec<Body>) -> Made {
    let mut parts = Vec::with_capacity(bodies.len());
    for body in bodies {
        let read = env.bodies.near(body)?;
        let anchors: Vec<String> = read.all_turns().map(|turn| turn.id.clone()).collect();
        parts.push(anchors);
    }
    Ok(serde_json::to_vec(&parts).expect("texts are JSON"))
}
