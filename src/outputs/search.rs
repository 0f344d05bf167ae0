//! The files of the search index.

use std::sync::Arc;

use super::env::Env;
use super::output::{MakeResult, Output};
use crate::search::index::{self, FileKind, ROOT, Segment};
use crate::site::Site;

pub(super) fn declare(_: &'static str, _: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    if !env.config.search.has_index() {
        return Vec::new();
    }
    let segments = &env.index.segments;
    let mut outputs = vec![Output::lasting(ROOT, segments.clone(), root)];
    for segment in segments {
        outputs.extend(
            segment
                .paths()
                .map(|(kind, path)| Output::lasting(path, (segment.clone(), kind), file)),
        );
    }
    outputs.into_iter().map(|output| output.map(Output::made_last)).collect()
}

#[expect(clippy::ptr_arg, reason = "recipes get their inputs as they are")]
fn root(segments: &Vec<Arc<Segment>>) -> MakeResult {
    index::root(segments)
}

fn file((segment, kind): &(Arc<Segment>, FileKind)) -> MakeResult {
    segment.make(*kind)
}
