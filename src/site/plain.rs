//! Plain pages: texts by the site's author.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::conversations::media_path;
use super::page::{Page, PageKind, PlainText, SharedPage};
use crate::config::Config;
use crate::diag::{Diagnostic, Location, Severity};
use crate::hash::Hashed;
use crate::markup::{Links, ResolvedLink};
use crate::sources::{Entry, Media, PlainPage, Target};

/// The plain pages of a site.
#[derive(Default)]
pub(super) struct PlainPages<'a> {
    pub(super) pages: Vec<SharedPage>,
    /// The text of the home page.
    pub(super) home: Option<PlainText>,
    /// Texts with a page of their own, with their folders.
    pub(super) published: Vec<(&'a Arc<Entry>, &'a str)>,
    /// Pages in the menu, in order: their titles there, and their paths.
    pub(super) in_menu: Vec<(String, String)>,
    /// Media files by output path.
    pub(super) media: BTreeMap<String, Media>,
    pub(super) notes: Vec<Diagnostic>,
}

/// Returns the folder of each page, by file.
pub(super) fn folders(entries: &[Arc<Entry>]) -> impl Iterator<Item = (&str, &str)> {
    let pages = entries.iter().filter_map(|entry| Some((entry, entry.page.as_deref()?)));
    pages.map(|(entry, page)| (entry.file().as_str(), page.path.as_str()))
}

/// Reserved folders at the top of a site.
const GENERATED: [&str; 4] = ["c/", "assets/", "media/", "search/"];

/// Files at the top of a site that texts may link to.
pub(super) const FILES: [&str; 5] =
    ["atom.xml", "feed.json", "llms.txt", "sitemap.xml", "robots.txt"];

/// The podcast feed of a site with episodes.
pub(crate) const PODCAST: &str = "podcast.xml";

/// Plans the pages of texts, given the `others` and the `files` of the site. `by_file` are the output
/// folders by source file.
pub(super) fn plan<'a>(
    entries: &'a [Arc<Entry>],
    others: &[SharedPage],
    files: &[&str],
    by_file: &HashMap<&str, &str>,
    config: &Config,
) -> PlainPages<'a> {
    let mut plain = PlainPages::default();
    let mut known: HashSet<&str> = others.iter().map(|page| &*page.path).collect();
    let is_generated = |path: &str| GENERATED.iter().any(|top| path.starts_with(top));
    let mut chosen: Vec<(&Arc<Entry>, &PlainPage)> = Vec::new();
    for entry in entries {
        let Some(page) = entry.page.as_deref() else { continue };
        if is_generated(&page.path) || !known.insert(&page.path) {
            plain.notes.push(path_taken_error(entry, page));
        } else {
            chosen.push((entry, page));
        }
    }
    known.extend(files.iter().chain(&[""]));
    let mut in_menu = Vec::new();
    for (entry, page) in chosen {
        let leads_to = |address: &str| resolve_path(address, &known, config);
        let (media, notes) = (&mut plain.media, &mut plain.notes);
        let links = links(entry, by_file, &leads_to, media, notes, config);
        let links = Arc::new(Hashed::new(links));
        let language = entry.languages.first().cloned();
        let is_about = page.path == "about/";
        let Some(text_ref) = entry.parts.first().cloned() else { continue };
        let text = PlainText { text_ref, links, language, is_about, mark: entry.mark() };
        if page.path.is_empty() {
            plain.home = Some(text);
            continue;
        }
        if let Some(words) = &page.menu {
            let words = words.clone().unwrap_or_else(|| entry.title.clone());
            in_menu.push((page.weight, words, page.path.clone()));
        }
        plain.published.push((entry, &page.path));
        plain.pages.push(Arc::new(Hashed::new(Page {
            path: page.path.as_str().into(),
            title: entry.title.clone(),
            description: entry.excerpt.clone(),
            indexed: entry.index.unwrap_or(true) && entry.mark().is_none(),
            updated: entry.updated.clone(),
            breadcrumbs: Arc::default(),
            kind: PageKind::Plain(Box::new(text)),
        })));
    }
    in_menu.sort_by_key(|(weight, ..)| *weight);
    plain.in_menu = in_menu.into_iter().map(|(_, words, path)| (words, path)).collect();
    plain
}

fn path_taken_error(entry: &Entry, page: &PlainPage) -> Diagnostic {
    let message = match page.path.as_str() {
        "" => "the text of the home page is already set".to_owned(),
        path => format!("`/{path}` is already used by another page"),
    };
    let note = Diagnostic::new(Severity::Error, "address-taken", message);
    let note = note.in_file(entry.label());
    note.hint("this page is not published; set another `slug` in its front matter")
}

/// Resolves a URL that starts with `/`, if there is such a page.
pub(super) fn resolve_path(
    address: &str,
    known: &HashSet<&str>,
    config: &Config,
) -> Option<String> {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (path, rest) = address.split_at(end);
    let path = crate::text::percent_decode(path.trim_start_matches('/'));
    let folder = format!("{path}/");
    let found = match known.contains(path.as_str()) {
        true => Some(path),
        false => known.contains(folder.as_str()).then_some(folder),
    };
    found.map(|path| format!("{}{rest}", config.base_url.link(&path)))
}

/// Resolves the links in a text by the site's author, and reports those without a target.
pub(super) fn links(
    entry: &Entry,
    by_file: &HashMap<&str, &str>,
    resolve_url: &dyn Fn(&str) -> Option<String>,
    media: &mut BTreeMap<String, Media>,
    notes: &mut Vec<Diagnostic>,
    config: &Config,
) -> Links {
    let mut known = BTreeMap::new();
    for (address, target) in &entry.references {
        let (url, dimensions) = match target {
            Target::Media(file) => {
                let path = media_path(file);
                let url = config.base_url.link(&path);
                media.insert(path, Media::clone(file));
                (Some(url), file.dimensions)
            }
            Target::Conversation(file) => {
                let rest = address.find('#').map_or("", |at| &address[at..]);
                let folder = by_file.get(file.as_str());
                let url = folder.map(|folder| format!("{}{rest}", config.base_url.link(folder)));
                (url, None)
            }
            Target::Address(address) if address.starts_with('#') => (Some(address.clone()), None),
            Target::Address(address) => (resolve_url(address), None),
        };
        match url {
            Some(url) => {
                known.insert(address.clone(), ResolvedLink { url, dimensions });
            }
            None => {
                let message =
                    format!("no page or file for the link `{address}`; it is shown as text");
                let note = Diagnostic::new(Severity::Warning, "no-target", message);
                let file = entry.file().to_string();
                let places = entry.page.as_deref().map(|page| &page.places);
                let span = places.and_then(|places| places.get(address).cloned());
                let at = Location { file, span };
                notes.push(Diagnostic { at: Some(at), ..note });
            }
        }
    }
    Links::Known(known)
}
