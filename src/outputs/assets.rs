//! The theme's stylesheets, scripts and icons.

use std::sync::Arc;

use super::{Env, Output};
use crate::site::Site;

pub(super) fn declare(
    name: &'static str,
    _: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    env.theme
        .assets
        .iter()
        .map(|(asset, file)| {
            Output::new(name, &file.path, env, asset.clone(), |env, asset| {
                Ok(env.theme.assets[asset].bytes.clone())
            })
        })
        .collect()
}
