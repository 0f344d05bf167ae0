//! Checks of the complete output: broken links, pages without links to them, wrong metadata for search engines, and
//! limits of hosts.

mod clean_files;
mod html;
mod hosts;
mod output;
mod policy;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use self::clean_files::{Circumstances, CleanFile, Known, Page};
pub use self::clean_files::{CleanFiles, Content};
use self::html::Facts;
pub use self::output::{OutputCheck, Withheld};
use self::policy::Wanted;
use crate::config::{BaseUrl, Config};
use crate::diag::{Diagnostic, Severity};
use crate::hash::Hash;
use crate::outputs::{Output, Outputs};
use crate::text::{and_list, percent_decode, plural};

/// The size above which a page is reported, in bytes, as search engines read at most 2 MB.
const LARGEST: usize = 1_500_000;
/// The maximum number of pages to name in a diagnostic.
const NAMED: usize = 3;

/// Inspects every file of a site, in any order and from any thread.
pub struct Inspector<'a> {
    config: &'a Config,
    outputs: &'a Outputs,
    gate: Hash,
    known: Known,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// By the index of the output, which is the order of their paths.
    pages: BTreeMap<usize, Page>,
    /// The files without problems, by the key of the output.
    clean: Vec<(Hash, CleanFile)>,
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
    /// Creates an inspector for a site with these outputs and a gate with this hash. Files that are in `clean` and have
    /// not changed need not be made.
    pub fn new(config: &'a Config, outputs: &'a Outputs, gate: Hash, clean: CleanFiles) -> Self {
        let known = clean.known(outputs, Circumstances { base_url: &config.base_url, gate });
        Self { config, outputs, gate, known, seen: Mutex::default() }
    }

    /// Counts a file that an earlier check found to be without problems, and returns its content, or `None` if
    /// it has to be made.
    pub fn recall(&self, output: &Output) -> Option<Content> {
        let file = self.known.get(output.key)?;
        let mut seen = self.seen();
        if let Some(page) = &file.page {
            seen.pages.insert(self.outputs.place(output.path.as_str())?, page.clone());
        }
        if !is_omitted(output, file.content) {
            seen.files.count(output.path.as_str(), file.content.len);
        }
        Some(file.content)
    }

    /// Inspects a file, and returns its content.
    pub fn look(&self, output: &Output, bytes: &[u8]) -> Content {
        let content = match output.large() {
            Some(large) => Content { len: large.len, hash: large.hash },
            None => Content::of(bytes),
        };
        let path = output.path.as_str();
        let is_page = path.ends_with(".html");
        let mut seen = self.seen();
        if !is_omitted(output, content) {
            seen.files.add(path, bytes, content.len);
        }
        if is_sitemap(path) {
            let text = String::from_utf8_lossy(bytes);
            let urls = text.split("<url><loc>").skip(1);
            let urls = urls.filter_map(|rest| rest.split("</loc>").next());
            seen.listed.extend(urls.map(|url| url.replace("&amp;", "&")));
        } else if !is_page && output.large().is_none() && !hosts::are_rules(path) {
            seen.clean.push((output.key, CleanFile { content, page: None }));
        }
        drop(seen);
        if is_page {
            self.look_at_page(output, &String::from_utf8_lossy(bytes), content);
        }
        content
    }

    fn look_at_page(&self, output: &Output, html: &str, content: Content) {
        let path = output.path.as_str();
        let facts = Facts::of(html);
        let mut notes = Vec::new();
        if html.len() > LARGEST {
            let message = format!("the page is {}", crate::text::bytes(html.len() as u64));
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
                Target::File(place) => links.push((place, is_link)),
                Target::Elsewhere => {}
                target => {
                    let is_outside = matches!(target, Target::Outside);
                    dead.insert((is_outside, address.clone()));
                }
            }
        }
        let policy = facts.policy.as_deref().unwrap_or_default();
        let origin = &self.config.base_url.origin;
        let is_blocked = |wanted: &&Wanted| !policy::allows(policy, wanted, origin);
        let blocked: BTreeSet<Wanted> = facts.wanted.iter().filter(is_blocked).cloned().collect();
        let page = Page::new(&facts, links);
        let mut seen = self.seen();
        if notes.is_empty() && dead.is_empty() && blocked.is_empty() {
            seen.clean.push((output.key, CleanFile { content, page: Some(page.clone()) }));
        }
        seen.notes.append(&mut notes);
        for link in dead {
            seen.dead.entry(link).or_default().add(path);
        }
        for wanted in blocked {
            seen.blocked.entry(wanted).or_default().add(path);
        }
        seen.pages.extend(self.outputs.place(path).map(|place| (place, page)));
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a file that is not part of the site but is published with it.
    pub fn count(&self, path: &str, len: u64) {
        self.seen().files.count(path, len);
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

    /// Returns the diagnostics, and what to keep for the next check, if that is not what the last one kept.
    pub fn finish(self) -> (Vec<Diagnostic>, Option<CleanFiles>) {
        let mut seen = std::mem::take(&mut *self.seen());
        let clean = std::mem::take(&mut seen.clean);
        let notes = self.notes(seen);
        let circumstances = Circumstances { base_url: &self.config.base_url, gate: self.gate };
        (notes, self.known.into_clean_files(clean, self.outputs, circumstances))
    }

    fn notes(&self, seen: Seen) -> Vec<Diagnostic> {
        let mut notes = seen.notes;
        notes.extend(
            seen.dead.iter().map(|((is_outside, address), places)| {
                self.dead_link(*is_outside, address, places)
            }),
        );
        notes.extend(seen.blocked.iter().map(|(wanted, places)| Self::blocked(wanted, places)));
        notes.extend(seen.files.beyond(self.config.deploy.host));
        notes.extend(self.duplicates(&seen.pages));
        let reached = reached(self.outputs.place("index.html"), &seen.pages);
        for (place, _) in seen.pages.iter().filter(|(_, page)| page.is_listed()) {
            if !reached.contains(place) {
                let note = warning("orphan-page", "no page of the site links to this page");
                notes.push(note.in_file(self.path(*place)));
            }
        }
        for url in &seen.listed {
            let page = match self.target(url) {
                Target::File(place) => seen.pages.get(&place),
                _ => None,
            };
            let trouble = match page {
                None => "this page does not exist",
                Some(page) if page.is_unlisted => "the page has `noindex`",
                Some(page) if page.canonical != Some(Hash::of_bytes(url.as_bytes())) => {
                    "the page has a different canonical URL"
                }
                Some(_) => continue,
            };
            let message = format!("the sitemap lists `{url}`, but {trouble}");
            notes.push(error("bad-sitemap", message).in_file("sitemap.xml"));
        }
        notes
    }

    /// Returns hints about pages that have the same title or description.
    fn duplicates(&self, pages: &BTreeMap<usize, Page>) -> Vec<Diagnostic> {
        let mut notes = Vec::new();
        for what in ["title", "description"] {
            let is_title = what == "title";
            let code = if is_title { "duplicate-title" } else { "duplicate-description" };
            let mut by_hash: BTreeMap<Hash, Vec<usize>> = BTreeMap::new();
            for (place, page) in pages.iter().filter(|(_, page)| page.is_listed()) {
                let hash = if is_title { page.title } else { page.description };
                by_hash.entry(hash).or_default().push(*place);
            }
            let text = |facts: Facts| if is_title { facts.title } else { facts.description };
            by_hash.remove(&Hash::of_bytes(b""));
            let mut same: Vec<(String, Vec<usize>)> = (by_hash.into_values())
                .filter(|places| places.len() > 1)
                .map(|places| (text(self.facts(places[0])), places))
                .collect();
            same.sort();
            notes.extend(same.into_iter().map(|(text, places)| {
                let message = format!("{} pages have the same {what} `{text}`", places.len());
                let named = places.iter().take(NAMED).map(|place| self.path(*place));
                let named = named.collect::<Vec<_>>();
                let note = Diagnostic::new(Severity::Hint, code, message);
                let named = match places.len() > NAMED {
                    true => format!("some of them are {}", named.join(", ")),
                    false => format!("they are {}", and_list(&named)),
                };
                note.in_file(self.path(places[0])).hint(named)
            }));
        }
        notes
    }

    /// Makes a page and returns the facts about it.
    fn facts(&self, place: usize) -> Facts {
        let made = self.outputs.iter().as_slice()[place].make().unwrap_or_default();
        Facts::of(&String::from_utf8_lossy(&made))
    }

    /// Returns the path of an output.
    fn path(&self, place: usize) -> &str {
        self.outputs.iter().as_slice()[place].path.as_str()
    }
}

/// Returns whether a file is left out because it is empty.
fn is_omitted(output: &Output, content: Content) -> bool {
    output.is_optional() && content.len == 0
}

fn is_sitemap(path: &str) -> bool {
    path.starts_with("sitemap") && path.ends_with(".xml")
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
fn reached(from: Option<usize>, pages: &BTreeMap<usize, Page>) -> BTreeSet<usize> {
    let mut waiting: Vec<usize> = from.into_iter().collect();
    let mut reached: BTreeSet<usize> = waiting.iter().copied().collect();
    while let Some(place) = waiting.pop() {
        let links = pages.get(&place).into_iter().flat_map(Page::links);
        waiting.extend(links.filter(|link| reached.insert(*link)));
    }
    reached
}

fn warning(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Warning, code, message)
}

fn error(code: &'static str, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Severity::Error, code, message)
}
