//! Checks the links of a built site.

use std::collections::{BTreeMap, BTreeSet};

/// Panics if a link, image or anchor on any page is broken. Returns the number of links within the
/// site, whose URL is `base`.
#[track_caller]
pub(crate) fn assert_links(files: &BTreeMap<String, Vec<u8>>, base: &str) -> usize {
    let prefix = &base[base.find("://").expect("a scheme") + 3..];
    let prefix = &prefix[prefix.find('/').expect("a path")..];
    let mut broken = BTreeSet::new();
    let mut checked = 0;
    for (page, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let html = String::from_utf8_lossy(bytes);
        let html = html.replace("&amp;", "&");
        for name in ["href", "src"] {
            for address in attributes(&html, name) {
                let address = address
                    .strip_prefix(base)
                    .map_or_else(|| address.to_owned(), |path| format!("{prefix}{path}"));
                let (path, fragment) = address.split_once('#').unwrap_or((&address, ""));
                // The search page accepts any query.
                let path = path.split('?').next().unwrap_or(path);
                let file = if path.is_empty() {
                    page.clone()
                } else if let Some(path) = path.strip_prefix(prefix) {
                    let path = convo_site::text::percent_decode(path);
                    if path.is_empty() || path.ends_with('/') {
                        format!("{path}index.html")
                    } else {
                        path
                    }
                } else {
                    let outside = ["https://", "http://", "mailto:"];
                    if !outside.iter().any(|scheme| address.starts_with(scheme)) {
                        broken.insert(format!("{page}: {address} leaves the base path"));
                    }
                    continue;
                };
                checked += 1;
                let Some(target) = files.get(&file) else {
                    broken.insert(format!("{page}: {address}"));
                    continue;
                };
                let target = String::from_utf8_lossy(target);
                // A time in a recording is not an anchor.
                let is_moment = !file.ends_with(".html") && fragment.starts_with("t=");
                if !is_moment
                    && !fragment.is_empty()
                    && !target.contains(&format!("id=\"{fragment}\""))
                {
                    broken.insert(format!("{page}: {address} has no such anchor"));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.into_iter().collect::<Vec<_>>().join("\n"));
    checked
}

fn attributes<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let open = format!(" {name}=\"");
    html.split(open.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}
