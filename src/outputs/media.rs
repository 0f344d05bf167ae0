//! Images, recordings and files that conversations show or offer.

use std::sync::Arc;

use super::env::Env;
use super::large::LargeFile;
use super::output::Output;
use crate::site::Site;
use crate::sources::MediaSource;

pub(super) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    site.media
        .iter()
        .map(|(path, media)| {
            let output =
                Output::new(name, path, env, media.clone(), |env, media| env.texts.media(media))?;
            let large = LargeFile::of(media, &env.texts).map(Arc::new);
            Some(match &media.source {
                MediaSource::Inline { text_ref, .. } => output.with_text(text_ref),
                MediaSource::File(_) => Output { large, ..output },
            })
        })
        .collect()
}
