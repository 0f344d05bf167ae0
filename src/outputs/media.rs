//! Images, sound and files that conversations show or offer.

use std::sync::Arc;

use super::{Env, Output};
use crate::site::Site;

pub(super) fn declare(
    name: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    site.media
        .iter()
        .map(|(path, media)| {
            Output::new(name, path, env, media.clone(), |env, media| {
                env.bodies.media(media)
            })
        })
        .collect()
}
