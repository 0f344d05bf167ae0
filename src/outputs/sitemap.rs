//! `sitemap.xml`: every page that search engines should list, with the time of its content.

use std::fmt::Write;
use std::sync::Arc;

use rayon::prelude::*;

use super::{Env, MakeResult, Output, xml};
use crate::site::Site;
use crate::time::Time;

/// The path of the sitemap, or of the index of several.
pub(super) const PATH: &str = "sitemap.xml";
/// The most addresses of one sitemap, by its standard.
const MAX_URLS: usize = 50_000;

/// Address and time of a page.
type Row = (String, Option<String>);
/// The rows of one file.
type Rows = Vec<Row>;

pub(super) fn declare(
    name: &'static str,
    site: &Site,
    env: &Arc<Env>,
) -> Vec<Option<Output>> {
    if !site.config.search_engines {
        return Vec::new();
    }
    let base = &site.config.base_url;
    let rows: Rows = site
        .pages
        .par_iter()
        .filter(|page| page.indexed)
        .filter_map(|page| {
            Some((base.absolute(&page.path)?, page.updated.as_ref().map(Time::rfc3339)))
        })
        .collect();
    if rows.is_empty() {
        return Vec::new();
    }
    if rows.len() <= MAX_URLS {
        return vec![Output::new(name, PATH, env, rows, urls)];
    }
    let mut outputs = Vec::new();
    let mut parts: Rows = Vec::new();
    for (index, chunk) in rows.chunks(MAX_URLS).enumerate() {
        let path = format!("sitemap-{}.xml", index + 1);
        // RFC 3339 with different offsets does not sort as text.
        let newest = chunk.iter().filter_map(|(_, time)| time.as_ref());
        let newest =
            newest.max_by_key(|time| time.parse::<jiff::Timestamp>().ok()).cloned();
        parts.extend(base.absolute(&path).map(|url| (url, newest)));
        outputs.push(Output::new(name, path, env, chunk.to_vec(), urls));
    }
    outputs.push(Output::new(name, PATH, env, parts, index));
    outputs
}

fn urls(_: &Env, rows: &Rows) -> MakeResult {
    Ok(document("urlset", "url", rows))
}

fn index(_: &Env, rows: &Rows) -> MakeResult {
    Ok(document("sitemapindex", "sitemap", rows))
}

fn document(root: &str, element: &str, rows: &[Row]) -> Vec<u8> {
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    for (url, time) in rows {
        let _ = write!(out, "<{element}><loc>{}</loc>", xml::text(url));
        if let Some(time) = time {
            let _ = write!(out, "<lastmod>{time}</lastmod>");
        }
        let _ = writeln!(out, "</{element}>");
    }
    let _ = writeln!(out, "</{root}>");
    out.into_bytes()
}
