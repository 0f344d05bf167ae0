//! The search index, and what it needs beside it.

use std::sync::Arc;

use super::{Env, Made, Output};
use crate::search::index::{self, Document, ROOT, Segment, Which};
use crate::site::Site;
use crate::sources::Entry;
use crate::time::Time;

pub(super) fn declare(
    _: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    let found = site.found.iter().map(|(entry, path)| document(entry, path, env));
    let segments = index::segments(found.collect(), &env.bodies, &env.digests);
    let mut outputs = vec![Output::lasting(ROOT, segments.clone(), root)];
    for segment in &segments {
        outputs.extend(
            segment.paths().map(|(which, path)| {
                Output::lasting(path, (segment.clone(), which), file)
            }),
        );
    }
    outputs
}

fn root(segments: &Vec<Arc<Segment>>) -> Made {
    index::root(segments)
}

fn file((segment, which): &(Arc<Segment>, Which)) -> Made {
    segment.make(*which)
}

/// A conversation as search knows it.
pub(crate) fn document(entry: &Entry, path: &str, env: &Env) -> Document {
    let language = entry.languages.first().unwrap_or(&env.config.language);
    let speakers = entry.speakers.iter();
    Document {
        parts: entry.parts.clone(),
        path: path.to_owned(),
        title: entry.title.clone(),
        day: entry.time.as_ref().map(Time::day),
        language: language.clone(),
        languages: entry.languages.clone(),
        kind: entry.kind.clone(),
        tags: entry.tags.clone(),
        speakers: speakers.map(|who| (who.name.clone(), who.model.clone())).collect(),
        turns: entry.turns,
    }
}
