//! Files for static hosts: the headers of files, and a marker to publish all files.

pub(super) mod copied;
pub(super) mod packed;
pub(super) mod redirects;
pub(super) mod robots;

use std::fmt::Write;
use std::sync::Arc;

use super::env::Env;
use super::output::Output;
use crate::config::{Config, Hosting};
use crate::outputs::copies::downloads;
use crate::site::Site;

/// Netlify and Cloudflare Pages read the first file. GitHub Pages skips files that start with `_` unless
/// the second one exists. Other hosts ignore both.
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

/// Returns the custom domain of a site on GitHub Pages.
fn domain(config: &Config) -> Option<String> {
    let host = config.base_url.origin.split("://").nth(1)?;
    let is_own = config.deploy.host == Hosting::GithubPages && !host.ends_with(".github.io");
    is_own.then(|| host.split(':').next().unwrap_or(host).to_owned())
}

/// URLs with a hash in the name or a version in the query never change; a year is the usual maximum for caches.
const IMMUTABLE: (&str, &str) = ("Cache-Control", "public, max-age=31536000, immutable");

/// Search engines should list the page next to the file instead.
const NOINDEX: (&str, &str) = ("X-Robots-Tag", "noindex");

/// Headers for the files whose paths match a pattern. A pattern is relative to the base URL and consists of
/// literal components, `:name` for any one component, and `*` at the end for any rest.
pub struct HeaderRule {
    /// The pattern, such as `assets/*`.
    pub pattern: String,
    /// Names and values.
    pub headers: Vec<(&'static str, &'static str)>,
}

/// Returns a rule for each kind of file. No file gets the same header from two rules, because hosts would
/// join the values. Stars are only at the end, where all hosts treat them the same.
pub fn header_rules(config: &Config) -> Vec<HeaderRule> {
    let rule = |pattern: &str, headers: &[(&'static str, &'static str)]| HeaderRule {
        pattern: pattern.to_owned(),
        headers: headers.to_vec(),
    };
    let mut everywhere = vec![("X-Content-Type-Options", "nosniff")];
    // Files without a page need this header; one rule covers all of them.
    everywhere.extend((!config.search_engines).then_some(NOINDEX));
    let mut rules =
        vec![rule("*", &everywhere), rule("assets/*", &[IMMUTABLE]), rule("media/*", &[IMMUTABLE])];
    if config.search.has_index() {
        rules.push(rule("search/:segment/:file", &[IMMUTABLE]));
    }
    let names = downloads::names(config).into_iter().filter(|_| config.search_engines);
    rules.extend(names.flat_map(|name| {
        ["c/:talk", "c/:talk/:part"].map(|folder| rule(&format!("{folder}/{name}"), &[NOINDEX]))
    }));
    rules
}

/// Formats the rules for Netlify and Cloudflare.
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
