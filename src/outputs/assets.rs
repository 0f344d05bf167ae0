//! Style sheets, scripts and icons of the theme.

use std::sync::Arc;

use super::env::Env;
use super::output::Output;
use crate::site::Site;

/// The script and the style sheet of pages with a recording.
const OF_PLAYERS: [&str; 2] = ["recording.js", "recording.css"];

pub(super) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    // Publish these files only if a page has a player.
    let has_players = site.has_recordings();
    let is_needed = |asset: &str| has_players || !OF_PLAYERS.contains(&asset);
    env.theme
        .assets
        .iter()
        .filter(|(asset, _)| is_needed(asset))
        .map(|(asset, file)| {
            Output::new(name, &file.path, env, asset.clone(), |env, asset| {
                Ok(env.theme.assets[asset].bytes.clone())
            })
        })
        .collect()
}
