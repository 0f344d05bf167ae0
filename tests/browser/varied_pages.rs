//! Chooses pages that together have all that the pages of a site have, for tools that take long for a page.

use std::collections::{BTreeMap, BTreeSet};

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// The paths of the pages among the files of a site.
pub(crate) fn html_files(files: &BTreeMap<String, Vec<u8>>) -> impl Iterator<Item = &str> {
    files.keys().map(String::as_str).filter(|name| name.ends_with(".html"))
}

/// Returns the paths of pages that together have every feature of the site.
pub(crate) fn varied_pages(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let of_page = |name: &str| (name.to_owned(), features(&files[name]));
    let mut pages: Vec<_> = html_files(files).map(of_page).collect();
    // Pages with many features come first, which keeps the list short.
    pages.sort_by(|(a, of_a), (b, of_b)| (of_b.len(), a).cmp(&(of_a.len(), b)));
    let mut seen = BTreeSet::new();
    pages.retain(|(_, features)| {
        let count = seen.len();
        seen.extend(features.iter().cloned());
        seen.len() > count
    });
    pages.into_iter().map(|(name, _)| name).collect()
}

/// Returns what a page has besides its text: which element is in which other one, with which attributes,
/// roles and classes, and which heading follows which.
fn features(page: &[u8]) -> BTreeSet<String> {
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default());
    let dom = dom.one(String::from_utf8_lossy(page).as_ref());
    let mut found = Features { heading: String::new(), all: BTreeSet::new() };
    found.add(&dom.document, "");
    found.all
}

struct Features {
    /// The last heading.
    heading: String,
    all: BTreeSet<String>,
}

impl Features {
    fn add(&mut self, node: &Handle, parent: &str) {
        let mut inside = parent.to_owned();
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let name: &str = &name.local;
            self.all.insert(format!("{parent} {name}"));
            if ["h1", "h2", "h3", "h4", "h5", "h6"].contains(&name) {
                self.all.insert(format!("{} before {name}", self.heading));
                name.clone_into(&mut self.heading);
            }
            for attribute in attrs.borrow().iter() {
                let (key, value) = (&*attribute.name.local, &*attribute.value);
                let values: Vec<&str> = match key {
                    "class" | "role" | "type" | "rel" => value.split_whitespace().collect(),
                    _ => vec![""],
                };
                self.all.extend(values.iter().map(|value| format!("{name} {key}={value}")));
            }
            name.clone_into(&mut inside);
        }
        for child in node.children.borrow().iter() {
            self.add(child, &inside);
        }
    }
}
