//! What is wrong with a site as a whole, and can only be seen when all of it is made: links that
//! lead nowhere, pages that nothing leads to, what search engines would be told wrongly, and what
//! a host would not take.

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

/// Search engines read no more of a page. Bytes.
const LARGEST: usize = 1_500_000;
/// Pages that a note names.
const NAMED: usize = 3;

/// Looks at every file of a site, in any order and from any thread.
pub struct Inspector<'a> {
    config: &'a Config,
    outputs: &'a Outputs,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// By path.
    pages: BTreeMap<String, Page>,
    /// The addresses in sitemaps.
    listed: Vec<String>,
    /// Links that lead nowhere, or out of the site, each with the pages on which it is.
    dead: BTreeMap<(bool, String), Places>,
    /// What policies do not let browsers have, each with the pages that want it.
    blocked: BTreeMap<Wanted, Places>,
    notes: Vec<Diagnostic>,
    files: hosts::Files,
}

/// Pages on which a link is: how many, and the first of them.
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

/// What is kept of a page.
struct Page {
    title: String,
    description: String,
    canonical: Option<String>,
    is_unlisted: bool,
    /// Places of outputs that a reader can go to.
    links: Vec<usize>,
}

/// Where an address leads.
enum Target {
    /// To an output, by its place.
    File(usize),
    /// Into the site, to nothing.
    Nothing,
    /// To this host, beside the site.
    Outside,
    /// Elsewhere, or to a place on the same page.
    Elsewhere,
}

impl<'a> Inspector<'a> {
    /// One for the site that these outputs are.
    pub fn new(config: &'a Config, outputs: &'a Outputs) -> Self {
        Self { config, outputs, seen: Mutex::default() }
    }

    /// Looks at a file.
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
            let message = format!("the page has {}", crate::text::bytes(bytes.len() as u64));
            let note = warning("page-too-large", message);
            notes.push(note.in_file(path).hint("search engines read 2 MB of a page; lower `page_turns` or `page_kilobytes`, or shorten the turn"));
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

    /// Counts a file that is not of the site and goes to its host as well.
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
            // Who writes the whole address means another site of the same host.
            return if own.is_some() { Target::Elsewhere } else { Target::Outside };
        };
        let inside = inside.split(['#', '?']).next().unwrap_or_default();
        let mut file = percent_decode(inside);
        if file.is_empty() || file.ends_with('/') {
            file.push_str("index.html");
        }
        self.outputs.place(&file).map_or(Target::Nothing, Target::File)
    }

    /// One finding for a link, on however many pages a template repeats it.
    fn dead_link(&self, is_outside: bool, address: &str, places: &Places) -> Diagnostic {
        let base = &self.config.base_url.path;
        let note = if is_outside {
            error("outside-base", format!("the link `{address}` leads out of the site"))
                .hint(format!("addresses on the site start with `{base}`"))
        } else {
            error("dead-link", format!("the link `{address}` leads nowhere"))
        };
        at(note, places)
    }

    /// One finding for what is not let into however many pages.
    fn blocked(wanted: &Wanted, places: &Places) -> Diagnostic {
        let (message, hint) = match wanted {
            Wanted::File(kind, address) => {
                let message = format!("browsers do not load the {kind} `{address}`");
                let hint =
                    "hosts are named in `[services]` of site.toml: as a service, or in `allow`";
                (message, hint)
            }
            Wanted::ScriptInPage => (
                "browsers do not run scripts that stand in the page".to_owned(),
                "put it into `script.js` beside site.toml",
            ),
            Wanted::StyleInPage => (
                "browsers do not use styles that stand in the page".to_owned(),
                "put them into `style.css` beside site.toml",
            ),
        };
        at(warning("blocked-by-policy", message).hint(hint), places)
    }

    /// What there is to say.
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
                    let message = format!("{} pages have the {what} `{text}`", paths.len());
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
                let note = warning("orphan-page", "no link on the site leads to it");
                notes.push(note.in_file(path.as_str()));
            }
        }
        for url in &seen.listed {
            let page = match self.target(url) {
                Target::File(place) => places.get(&place),
                _ => None,
            };
            let trouble = match page {
                None => "there is no such page",
                Some(page) if page.is_unlisted => "the page asks not to be listed",
                Some(page) if page.canonical.as_deref() != Some(url) => {
                    "the page says that its address is another"
                }
                Some(_) => continue,
            };
            let message = format!("the sitemap lists `{url}`, but {trouble}");
            notes.push(error("bad-sitemap", message).in_file("sitemap.xml"));
        }
        notes
    }
}

/// Returns a note on what is on some pages, with these.
fn at(mut note: Diagnostic, places: &Places) -> Diagnostic {
    if places.count > 1 {
        let named: Vec<&str> = places.first.iter().map(String::as_str).collect();
        let count = plural(places.count, "page", "pages");
        note = note.hint(format!("it is on {count}, such as {}", named.join(", ")));
    }
    note.in_file(places.first.first().map_or("", String::as_str))
}

/// The places that links lead to from a place on.
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
