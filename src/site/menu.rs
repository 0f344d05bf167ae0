//! The menu, the footer links, and the links in texts of `site.toml`.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::facets::FACETS;
use super::page::{Link, PageKind, SharedPage};
use super::plain::resolve_path;
use crate::config::{Config, MenuLink, MenuTarget};
use crate::diag::{Diagnostic, Severity};
use crate::markup::{self, Links, ResolvedLink};

/// The links in the frame of every page.
#[derive(Default)]
pub struct Frame {
    /// The generated overviews, except those with only one entry.
    pub sections: Vec<Link>,
    /// The menu.
    pub menu: Vec<Link>,
    /// The footer links.
    pub footer: Vec<Link>,
    /// The link targets in the footer text.
    pub footer_text: Option<Links>,
    /// The link targets in the home page text of `site.toml`.
    pub home_text: Option<Links>,
}

/// Plans the links for the pages of a site. `in_menu` are the plain pages that front matter adds to the
/// menu: their titles there, and their paths.
pub(super) fn plan(
    pages: &[SharedPage],
    files: &[&str],
    in_menu: Vec<(String, String)>,
    config: &Config,
    notes: &mut Vec<Diagnostic>,
) -> Frame {
    let by_path: HashMap<&str, &SharedPage> =
        pages.iter().map(|page| (&*page.path, page)).collect();
    let known: HashSet<&str> = by_path.keys().chain(files).copied().collect();
    let sections = sections(&by_path, config);
    let mut frame = Frame {
        sections: sections.iter().map(|(_, link)| link.clone()).collect(),
        ..Frame::default()
    };
    let find = Find { by_path: &by_path, known: &known, sections: &sections, config };
    let mut named: Vec<String> = Vec::new();
    if config.menu.is_empty() {
        frame.menu.clone_from(&frame.sections);
    }
    for entry in &config.menu {
        if let MenuTarget::OtherSections = entry.target {
            let is_named = |name: &str| {
                config.menu.iter().any(|other| match other.target {
                    MenuTarget::Section(section) => section == name,
                    _ => false,
                })
            };
            let others = sections.iter().filter(|(name, _)| !is_named(name));
            frame.menu.extend(others.map(|(_, link)| link.clone()));
            continue;
        }
        frame.menu.extend(find.link(entry, notes));
    }
    named.extend(frame.menu.iter().map(|link| link.url.to_string()));
    let in_menu = in_menu.into_iter().map(|(words, path)| {
        let url = config.base_url.link(&path);
        Link::new(words, url)
    });
    frame.menu.extend(in_menu.filter(|link| !named.contains(&link.url.to_string())));
    frame.footer = config.footer.links.iter().filter_map(|entry| find.link(entry, notes)).collect();
    frame.footer_text = find.links(&config.footer.text, "footer", notes);
    frame.home_text = find.links(&config.home.text, "home", notes);
    frame
}

/// Returns the generated overviews with their names.
fn sections(by_path: &HashMap<&str, &SharedPage>, config: &Config) -> Vec<(&'static str, Link)> {
    let facets = FACETS.iter().map(|facet| (facet.folder, facet.plural));
    let first = [("archive", "list.archive"), ("collections", "list.collections")];
    let all = first.into_iter().chain(facets);
    let all = all.chain([("statistics", "statistics.statistics")]);
    let link = |(name, title): (&'static str, &'static str)| {
        let path = format!("{name}/");
        // A list with a single model offers no choice.
        let is_choice = match &by_path.get(path.as_str())?.kind {
            PageKind::Terms(groups) => {
                groups.iter().map(|group| group.terms.len()).sum::<usize>() > 1
            }
            // A page of the author has replaced it.
            PageKind::Plain(_) => false,
            _ => true,
        };
        let link = Link::new(config.locale.text(title), config.base_url.link(&path));
        is_choice.then_some((name, link))
    };
    all.filter_map(link).collect()
}

/// Resolves the links in `site.toml`.
struct Find<'a> {
    by_path: &'a HashMap<&'a str, &'a SharedPage>,
    known: &'a HashSet<&'a str>,
    sections: &'a [(&'static str, Link)],
    config: &'a Config,
}

impl Find<'_> {
    /// Returns a link, or reports that its target does not exist.
    fn link(&self, entry: &MenuLink, notes: &mut Vec<Diagnostic>) -> Option<Link> {
        let title = |own: &str| entry.title.clone().unwrap_or_else(|| own.to_owned());
        let mut missing = |text: &crate::config::LocatedText, hint: &str| {
            let message = format!("no page or file for the link `{}`", text.text);
            let note = Diagnostic::new(Severity::Warning, "no-target", message);
            notes.push(Diagnostic { at: text.at.clone(), ..note.hint(hint) });
        };
        match &entry.target {
            // A section that is empty now may have entries later.
            MenuTarget::Section(name) => {
                let path = format!("{name}/");
                let page = self.by_path.get(path.as_str())?;
                let known = self.sections.iter().find(|(section, _)| section == name);
                let own = known.map_or(&*page.title, |(_, link)| &*link.title);
                Some(Link::new(title(own), self.config.base_url.link(&path)))
            }
            MenuTarget::OtherSections => None,
            MenuTarget::Page(text) => {
                let path = format!("{}/", text.text.trim_matches('/'));
                let page = self.by_path.get(path.as_str());
                if page.is_none() {
                    missing(
                        text,
                        "`page` is the path of a page in the URL, such as `about` for `pages/about.md`",
                    );
                }
                let page = page?;
                Some(Link::new(title(&page.title), self.config.base_url.link(&path)))
            }
            MenuTarget::Url(text) if text.text.starts_with('/') => {
                let url = resolve_path(&text.text, self.known, self.config);
                if url.is_none() {
                    missing(text, "a `url` that starts with `/` is a path on this site");
                }
                Some(Link::new(title(""), url?))
            }
            MenuTarget::Url(text) => Some(Link::new(title(""), text.text.as_str())),
        }
    }

    /// Returns the link targets in the text of a key, if there is a text.
    fn links(&self, text: &str, key: &str, notes: &mut Vec<Diagnostic>) -> Option<Links> {
        if text.trim().is_empty() {
            return None;
        }
        let mut known = BTreeMap::new();
        for reference in markup::scan(text, self.config.math).references {
            let address = reference.address;
            let is_path = address.starts_with('/') && !address.starts_with("//");
            match resolve_path(&address, self.known, self.config).filter(|_| is_path) {
                Some(url) => {
                    known.insert(address, ResolvedLink { url, dimensions: None });
                }
                None if is_path || !address.contains(':') => {
                    let message = format!("no page or file for the link `{address}`");
                    let note = Diagnostic::new(Severity::Warning, "no-target", message);
                    let note = note.hint("to link to a page of the site, start with `/`");
                    let at = Some(self.config.places.of(key));
                    notes.push(Diagnostic { at, ..note });
                }
                None => {}
            }
        }
        Some(Links::Known(known))
    }
}
