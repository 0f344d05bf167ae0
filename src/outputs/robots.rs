//! `robots.txt`: everything may be read, and here is the sitemap.

use std::sync::Arc;

use super::{Env, Output, sitemap};
use crate::site::Site;

pub(super) fn declare(
    name: &'static str,
    _: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    vec![Output::new(name, "robots.txt", env, (), |env, ()| {
        let mut text = "User-agent: *\nAllow: /\n".to_owned();
        if let Some(url) = env.config.base_url.absolute(sitemap::PATH) {
            text.push_str(&format!("Sitemap: {url}\n"));
        }
        Ok(text.into_bytes())
    })]
}
