//! `sitemap.xml`: every page that search engines should list, with the time of its content.

use std::fmt::Write;
use std::sync::Arc;

use super::env::Env;
use super::output::{MakeResult, Output};
use super::xml;
use crate::site::Site;
use crate::time::Time;

/// The path of the sitemap, or of the index of several.
pub(super) const PATH: &str = "sitemap.xml";
/// The maximum number of URLs in one sitemap, by its standard.
const MAX_URLS: usize = 50_000;

/// The path and the time of a page.
type Row = (Arc<str>, Option<Time>);
/// The rows of one file.
type Rows = Vec<Row>;

pub(super) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    if !site.config.search_engines {
        return Vec::new();
    }
    let pages = site.pages.iter().filter(|page| page.indexed);
    let rows: Rows = pages.map(|page| (page.path.clone(), page.updated.clone())).collect();
    if rows.is_empty() || site.config.base_url.origin.is_empty() {
        return Vec::new();
    }
    if rows.len() <= MAX_URLS {
        return vec![Output::new(name, PATH, env, rows, urls)];
    }
    let mut outputs = Vec::new();
    let mut parts: Rows = Vec::new();
    for (index, chunk) in rows.chunks(MAX_URLS).enumerate() {
        let path = format!("sitemap-{}.xml", index + 1);
        let newest = chunk.iter().filter_map(|(_, time)| time.as_ref());
        let newest = newest.max_by_key(|time| time.instant()).cloned();
        parts.push((path.as_str().into(), newest));
        outputs.push(Output::new(name, path, env, chunk.to_vec(), urls));
    }
    outputs.push(Output::new(name, PATH, env, parts, index));
    outputs
}

fn urls(env: &Env, rows: &Rows) -> MakeResult {
    Ok(document("urlset", "url", rows, env))
}

fn index(env: &Env, rows: &Rows) -> MakeResult {
    Ok(document("sitemapindex", "sitemap", rows, env))
}

fn document(root: &str, element: &str, rows: &[Row], env: &Env) -> Vec<u8> {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    for (path, time) in rows {
        let Some(url) = env.config.base_url.absolute(path) else { continue };
        let _ = write!(out, "<{element}><loc>{}</loc>", xml::text(&url));
        if let Some(time) = time {
            let _ = write!(out, "<lastmod>{}</lastmod>", time.published());
        }
        let _ = writeln!(out, "</{element}>");
    }
    let _ = writeln!(out, "</{root}>");
    out.into_bytes()
}
