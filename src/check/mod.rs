//! Checks of the complete output: broken links, pages without links to them, wrong metadata for search engines, and
//! limits of hosts.

mod html;
mod hosts;
mod output;
mod policy;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use self::html::Facts;
pub use self::output::{OutputCheck, Withheld};
use self::policy::Wanted;
use crate::config::{BaseUrl, Config};
use crate::diag::{Diagnostic, Severity};
use crate::outputs::{Output, Outputs};
use crate::text::{percent_decode, plural};

/// The size above which a page is reported, in bytes, as search engines read at most 2 MB.
const LARGEST: usize = 1_500_000;
/// The maximum number of pages to name in a diagnostic.
const NAMED: usize = 3;

/// Inspects every file of a site, in any order and from any thread.
pub struct Inspector<'a> {
    config: &'a Config,
    outputs: &'a Outputs,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// By path.
    pages: BTreeMap<String, Page>,
    /// The URLs in sitemaps.
    listed: Vec<String>,
    /// Broken links and links outside the base URL, with the pages that contain them.
    dead: BTreeMap<(bool, String), Places>,
    /// Files, scripts and styles that policies block, with the pages that use them.
    blocked: BTreeMap<Wanted, Places>,
    notes: Vec<Diagnostic>,
    files: hosts::Files,
}

/// The pages that contain a link: their number, and the first ones.
#[derive(Default)]
struct Places {
    count: u64,
    first: BTreeSet<String>,
}

impl Places {
    fn add(&mut self, page: &str) {
        self.count += 1;
        self.first.insert(page.to_owned());
        if self.first.len() > NAMED {
            self.first.pop_last();
        }
    }
}

/// The facts about a page that are kept until the end.
struct Page {
    title: String,
    description: String,
    canonical: Option<String>,
    is_unlisted: bool,
    /// The indices of the outputs that it links to.
    links: Vec<usize>,
}

/// The target of a link.
enum Target {
    /// An output, by its index.
    File(usize),
    /// A missing file of the site.
    Nothing,
    /// A path on the same host outside the base URL.
    Outside,
    /// Another host, or an anchor on the same page.
    Elsewhere,
}

impl<'a> Inspector<'a> {
    /// Creates an inspector for a site with these outputs.
    pub fn new(config: &'a Config, outputs: &'a Outputs) -> Self {
        Self { config, outputs, seen: Mutex::default() }
    }

    /// Inspects a file.
    pub fn look(&self, output: &Output, bytes: &[u8]) {
        if output.is_optional() && bytes.is_empty() {
            return;
        }
        let path = output.path.as_str();
        let lock = || self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let len = output.large().map_or(bytes.len() as u64, |large| large.len);
        lock().files.add(path, bytes, len);
        if path.starts_with("sitemap") && path.ends_with(".xml") {
            let text = String::from_utf8_lossy(bytes);
            let urls = text.split("<url><loc>").skip(1);
            let urls = urls.filter_map(|rest| rest.split("</loc>").next());
            lock().listed.extend(urls.map(|url| url.replace("&amp;", "&")));
        }
        if !path.ends_with(".html") {
            return;
        }
        let facts = Facts::of(&String::from_utf8_lossy(bytes));
        let mut notes = Vec::new();
        if bytes.len() > LARGEST {
            let message = format!("the page is {}", crate::text::bytes(bytes.len() as u64));
            let note = warning("page-too-large", message);
            notes.push(note.in_file(path).hint("lower `page_turns` or `page_kilobytes`, or shorten the turn; search engines read at most 2 MB"));
        }
        let mut links = Vec::new();
        let mut dead: BTreeSet<(bool, String)> = BTreeSet::new();
        for (address, is_link) in facts
            .links
            .iter()
            .map(|address| (address, true))
            .chain(facts.loads.iter().map(|address| (address, false)))
        {
            match self.target(address) {
                Target::File(place) if is_link => links.push(place),
                Target::File(_) | Target::Elsewhere => {}
                target => {
                    let is_outside = matches!(target, Target::Outside);
                    dead.insert((is_outside, address.clone()));
                }
            }
        }
        links.sort_unstable();
        links.dedup();
        let policy = facts.policy.as_deref().unwrap_or_default();
        let origin = &self.config.base_url.origin;
        let is_blocked = |wanted: &&Wanted| !policy::allows(policy, wanted, origin);
        let blocked: BTreeSet<Wanted> = facts.wanted.iter().filter(is_blocked).cloned().collect();
        let Facts { title, description, canonical, is_unlisted, .. } = facts;
        let page = Page { title, description, canonical, is_unlisted, links };
        let mut seen = lock();
        seen.notes.append(&mut notes);
        for link in dead {
            seen.dead.entry(link).or_default().add(path);
        }
        for wanted in blocked {
            seen.blocked.entry(wanted).or_default().add(path);
        }
        seen.pages.insert(path.to_owned(), page);
    }

    /// Counts a file that is not part of the site but is published with it.
    pub fn count(&self, path: &str, len: u64) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.files.count(path, len);
    }

    fn target(&self, address: &str) -> Target {
        let BaseUrl { origin, path } = &self.config.base_url;
        let own = address.strip_prefix(origin.as_str()).filter(|_| !origin.is_empty());
        let local = own.unwrap_or(address);
        // `//` starts the name of another host.
        if !local.starts_with('/') || local.starts_with("//") {
            return Target::Elsewhere;
        }
        let Some(inside) = local.strip_prefix(path.as_str()) else {
            // A full URL may be another site on the same host.
            return if own.is_some() { Target::Elsewhere } else { Target::Outside };
        };
        let inside = inside.split(['#', '?']).next().unwrap_or_default();
        let mut file = percent_decode(inside);
        if file.is_empty() || file.ends_with('/') {
            file.push_str("index.html");
        }
        self.outputs.place(&file).map_or(Target::Nothing, Target::File)
    }

    /// Returns the error about a broken link, once for all pages that contain it.
    fn dead_link(&self, is_outside: bool, address: &str, places: &Places) -> Diagnostic {
        let base = &self.config.base_url.path;
        let note = if is_outside {
            error(
                "outside-base",
                format!("the link `{address}` is outside the base URL of the site"),
            )
            .hint(format!("paths on the site start with `{base}`"))
        } else {
            error("dead-link", format!("broken link `{address}`"))
        };
        at(note, places)
    }

    /// Returns the warning about something that the policy blocks, once for all pages that use it.
    fn blocked(wanted: &Wanted, places: &Places) -> Diagnostic {
        let (message, hint) = match wanted {
            Wanted::File(kind, address) => {
                let message = format!("browsers will not load the {kind} `{address}`");
                let hint = "add its host to `[services]` in site.toml, as a service or in `allow`";
                (message, hint)
            }
            Wanted::ScriptInPage => (
                "browsers will not run inline scripts".to_owned(),
                "move it to `script.js` beside site.toml",
            ),
            Wanted::StyleInPage => (
                "browsers will not apply inline styles".to_owned(),
                "move them to `style.css` beside site.toml",
            ),
        };
        at(warning("blocked-by-policy", message).hint(hint), places)
    }

    /// Returns the diagnostics.
    pub fn finish(self) -> Vec<Diagnostic> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = std::mem::take(&mut *seen);
        let mut notes = seen.notes;
        notes.extend(
            seen.dead.iter().map(|((is_outside, address), places)| {
                self.dead_link(*is_outside, address, places)
            }),
        );
        notes.extend(seen.blocked.iter().map(|(wanted, places)| Self::blocked(wanted, places)));
        notes.extend(seen.files.beyond(self.config.deploy.host));
        let listed = |page: &&Page| !page.is_unlisted && page.canonical.is_some();
        for (what, code, of) in [
            ("title", "duplicate-title", (|page| &page.title) as fn(&Page) -> &String),
            ("description", "duplicate-description", |page| &page.description),
        ] {
            let mut by_text: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (path, page) in seen.pages.iter().filter(|(_, page)| listed(page)) {
                by_text.entry(of(page)).or_default().push(path);
            }
            by_text.remove("");
            notes.extend(by_text.into_iter().filter(|(_, paths)| paths.len() > 1).map(
                |(text, paths)| {
                    let message = format!("{} pages have the same {what} `{text}`", paths.len());
                    let named = paths.iter().take(NAMED).copied().collect::<Vec<_>>();
                    let note = Diagnostic::new(Severity::Hint, code, message);
                    note.in_file(paths[0]).hint(format!("such as {}", named.join(", ")))
                },
            ));
        }
        let places: BTreeMap<usize, &Page> = seen
            .pages
            .iter()
            .filter_map(|(path, page)| Some((self.outputs.place(path)?, page)))
            .collect();
        let reached = reached(self.outputs.place("index.html"), &places);
        for (path, _) in seen.pages.iter().filter(|(_, page)| listed(page)) {
            if self.outputs.place(path).is_some_and(|place| !reached.contains(&place)) {
                let note = warning("orphan-page", "no page of the site links to this page");
                notes.push(note.in_file(path.as_str()));
            }
        }
        for url in &seen.listed {
            let page = match self.target(url) {
                Target::File(place) => places.get(&place),
                _ => None,
            };
            let trouble = match page {
                None => "this page does not exist",
                Some(page) if page.is_unlisted => "the page has `noindex`",
                Some(page) if page.canonical.as_deref() != Some(url) => {
                    "the page has a different canonical URL"
                }
                Some(_) => continue,
            };
            let message = format!("the sitemap lists `{url}`, but {trouble}");
            notes.push(error("bad-sitemap", message).in_file("sitemap.xml"));
        }
        notes
    }
}

/// Adds the pages that a diagnostic is about.
fn at(mut note: Diagnostic, places: &Places) -> Diagnostic {
    if places.count > 1 {
        let named: Vec<&str> = places.first.iter().map(String::as_str).collect();
        let count = plural(places.count, "page", "pages");
        note = note.hint(format!("it is on {count}, such as {}", named.join(", ")));
    }
    note.in_file(places.first.first().map_or("", String::as_str))
}

/// Returns the indices of all outputs that can be reached by links from a page.
fn reached(from: Option<usize>, pages: &BTreeMap<usize, &Page>) -> BTreeSet<usize> {
    let mut waiting: Vec<usize> = from.into_iter().collect();
    let mut reached: BTreeSet<usize> = waiting.iter().copied().collect();
    while let Some(place) = waiting.pop() {
        let links = pages.get(&place).into_iter().flat_map(|page| &page.links);
        waiting.extend(links.filter(|link| reached.insert(**link)));
    }
    reached
}

fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, message)
}

fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, message)
}
