//! What static hosts ask of a site: how its files are sent, and that each one is published.

use std::fmt::Write;
use std::sync::Arc;

use super::{Env, Output, downloads};
use crate::config::{Config, Hosting};
use crate::site::Site;

/// Netlify and Cloudflare Pages read the first; GitHub Pages leaves out what starts with `_`
/// unless the second is there. Each is a harmless file to the others.
pub(super) fn declare(
    name: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    let name_of_host = domain(&site.config).map(|domain| {
        Output::lasting("CNAME", domain, |domain| Ok(format!("{domain}\n").into_bytes()))
    });
    let mut outputs = vec![
        Output::new(name, "_headers", env, (), |env, ()| {
            Ok(headers(&env.config).into_bytes())
        }),
        Output::lasting(".nojekyll", (), |()| Ok(Vec::new())),
    ];
    outputs.extend(name_of_host);
    outputs
}

/// The domain of one's own at which GitHub Pages shows the site.
fn domain(config: &Config) -> Option<String> {
    let host = config.base_url.origin.split("://").nth(1)?;
    let is_own =
        config.deploy.host == Hosting::GithubPages && !host.ends_with(".github.io");
    is_own.then(|| host.split(':').next().unwrap_or(host).to_owned())
}

/// Names that a hash makes unique are good for ever: a year is what hosts take for that.
const FOR_EVER: &str = "Cache-Control: public, max-age=31536000, immutable";

/// The page beside it is what search engines should list.
const UNLISTED: &str = "X-Robots-Tag: noindex";

/// A block for each kind of file. No file gets the same header from two blocks, because hosts
/// join the values of such; and stars stand at the end only, where they mean the same to all.
fn headers(config: &Config) -> String {
    let base = &config.base_url.path;
    let mut out = format!(
        "{base}*\n  X-Content-Type-Options: nosniff\n\
         {base}assets/*\n  {FOR_EVER}\n\
         {base}media/*\n  {FOR_EVER}\n\
         {base}search/:segment/:file\n  {FOR_EVER}\n"
    );
    for name in downloads::names(config) {
        for folder in ["c/:talk", "c/:talk/:part"] {
            let _ = writeln!(out, "{base}{folder}/{name}\n  {UNLISTED}");
        }
    }
    out
}
