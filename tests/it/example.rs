//! The example site: every link and anchor works, and pages fit every window.

use std::collections::BTreeSet;

use crate::support::example::{BASE, OTHERS, files_with};
use crate::support::links::assert_links;
use crate::support::max_asset_bytes;

#[test]
fn every_link_and_anchor_works() {
    let files = files_with("");
    assert!(assert_links(&files, BASE) > 1000);
}

#[test]
fn the_sitemap_lists_the_indexable_pages() {
    let files = files_with("");
    let text = |path: &str| String::from_utf8_lossy(&files[path]).into_owned();
    let sitemap = text("sitemap.xml");
    let listed: BTreeSet<String> = sitemap
        .split("<loc>")
        .skip(1)
        .map(|rest| rest.split("</loc>").next().expect("an end").to_owned())
        .collect();
    let wanted: BTreeSet<String> = files
        .keys()
        .filter(|path| path.ends_with("/index.html") || *path == "index.html")
        .filter(|path| !text(path).contains("content=\"noindex"))
        .map(|path| {
            let folder = path.trim_end_matches("index.html");
            format!("{BASE}{}", convo_site::text::percent_encode(folder))
        })
        .collect();
    assert_eq!(listed, wanted);
    for path in files.keys().filter(|path| path.ends_with("index.html")) {
        let page = text(path);
        let canonical = page.split("rel=\"canonical\" href=\"").nth(1).expect("canonical");
        let canonical = canonical.split('"').next().expect("an end");
        let folder = convo_site::text::percent_encode(path.trim_end_matches("index.html"));
        assert_eq!(canonical, format!("{BASE}{folder}"), "{path}");
    }
    assert!(text("robots.txt").contains(&format!("Sitemap: {BASE}sitemap.xml")));
}

/// The size of a page with its assets, uncompressed.
#[test]
fn every_page_is_light() {
    for line in [""].into_iter().chain(OTHERS) {
        let files = files_with(line);
        let most_styles = if line.is_empty() { 20_000 } else { 22_000 };
        for (path, page) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
            let page = String::from_utf8(page.clone()).expect("UTF-8");
            let size = |open: &str| -> usize {
                let links = page.split(open).skip(1).filter_map(|rest| rest.split('"').next());
                links.map(|url| files[url.trim_start_matches("/tidal-mill/")].len()).sum()
            };
            let (styles, scripts) =
                (size("<link rel=\"stylesheet\" href=\""), size("<script src=\""));
            let is_redirect = page.contains("http-equiv=\"refresh\"");
            assert!(is_redirect || styles > 10_000 && scripts > 2_000, "{path}");
            let (most_styles, most_scripts) = max_asset_bytes(path, &page, most_styles);
            assert!(styles <= most_styles, "{line} {path}: {styles} bytes of CSS");
            assert!(scripts <= most_scripts, "{path}: {scripts} bytes of JavaScript");
        }
    }
}
