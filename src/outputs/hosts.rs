//! What static hosts ask of a site: how its files are sent, and that each one is published.

use std::fmt::Write;
use std::sync::Arc;

use super::{Env, Output, downloads};
use crate::config::{Config, Hosting};
use crate::site::Site;

/// Netlify and Cloudflare Pages read the first; GitHub Pages leaves out what starts with `_`
/// unless the second is there. Each is a harmless file to the others.
pub(super) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let name_of_host = domain(&site.config).map(|domain| {
        Output::lasting("CNAME", domain, |domain| Ok(format!("{domain}\n").into_bytes()))
    });
    let mut outputs = vec![
        Output::new(name, "_headers", env, (), |env, ()| Ok(headers(&env.config).into_bytes())),
        Output::lasting(".nojekyll", (), |()| Ok(Vec::new())),
    ];
    outputs.extend(name_of_host);
    outputs
}

/// The domain of one's own at which GitHub Pages shows the site.
fn domain(config: &Config) -> Option<String> {
    let host = config.base_url.origin.split("://").nth(1)?;
    let is_own = config.deploy.host == Hosting::GithubPages && !host.ends_with(".github.io");
    is_own.then(|| host.split(':').next().unwrap_or(host).to_owned())
}

/// Names that a hash makes unique are good for ever: a year is what hosts take for that.
const FOR_EVER: (&str, &str) = ("Cache-Control", "public, max-age=31536000, immutable");

/// The page beside it is what search engines should list.
const UNLISTED: (&str, &str) = ("X-Robots-Tag", "noindex");

/// The headers of the files whose addresses match a pattern: below the site's, and made of parts
/// that are as they stand, `:name` for any one part, and `*` at the end for any rest.
pub struct HeaderRule {
    /// The pattern, such as `assets/*`.
    pub pattern: String,
    /// Names and values.
    pub headers: Vec<(&'static str, &'static str)>,
}

/// Returns a rule for each kind of file. No file gets the same header from two rules, because hosts
/// join the values of such; and stars stand at the end only, where they mean the same to all.
pub fn header_rules(config: &Config) -> Vec<HeaderRule> {
    let rule = |pattern: &str, headers: &[(&'static str, &'static str)]| HeaderRule {
        pattern: pattern.to_owned(),
        headers: headers.to_vec(),
    };
    let mut everywhere = vec![("X-Content-Type-Options", "nosniff")];
    // What is on no page says it here, and once for all is enough.
    everywhere.extend((!config.search_engines).then_some(UNLISTED));
    let mut rules =
        vec![rule("*", &everywhere), rule("assets/*", &[FOR_EVER]), rule("media/*", &[FOR_EVER])];
    if config.search.has_index() {
        rules.push(rule("search/:segment/:file", &[FOR_EVER]));
    }
    let names = downloads::names(config).into_iter().filter(|_| config.search_engines);
    rules.extend(names.flat_map(|name| {
        ["c/:talk", "c/:talk/:part"].map(|folder| rule(&format!("{folder}/{name}"), &[UNLISTED]))
    }));
    rules
}

/// Writes the rules as Netlify and Cloudflare read them.
fn headers(config: &Config) -> String {
    let mut out = String::new();
    for HeaderRule { pattern, headers } in header_rules(config) {
        let _ = writeln!(out, "{}{pattern}", config.base_url.path);
        for (name, value) in headers {
            let _ = writeln!(out, "  {name}: {value}");
        }
    }
    out
}
