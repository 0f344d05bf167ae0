//! Redirects from old URLs: a page at each old URL, and a file for hosts that can redirect themselves.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

use crate::config::Hosting;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::outputs::output::{MakeResult, Output};
use crate::site::Site;

/// The name of the file for hosts.
pub(super) const HOST_FILE: &str = "_redirects";

/// Declares the redirects. All other outputs keep their paths. Reports redirects whose path is taken or
/// that end in a loop.
pub(crate) fn declare(site: &Site, others: &[Output]) -> WithNotes<Vec<Option<Output>>> {
    let mut notes = Vec::new();
    let mut outputs = Vec::new();
    let mut rows = Vec::new();
    let base = &site.config.base_url;
    let free = free(site, others, &mut notes);
    if free.is_empty() {
        return WithNotes { value: outputs, notes };
    }
    let there: HashSet<&str> = others.iter().map(|output| output.path.as_str()).collect();
    for (alias, end) in resolve_chains(&free) {
        let Some(path) = end else {
            let message = format!("the redirect from `{alias}` ends in a loop");
            let note = Diagnostic::new(Severity::Error, "bad-alias", message);
            let at = site.aliases[alias].to_at.clone();
            notes.push(Diagnostic { at, ..note.hint("this redirect is not published") });
            continue;
        };
        // Do not redirect to a withheld conversation: its URL contains its title.
        if !there.contains(path) && !there.contains(&*index_of(path)) {
            let message =
                format!("the redirect from `{alias}` points to `{path}`, which does not exist");
            let note = Diagnostic::new(Severity::Warning, "dead-redirect", message);
            let hint =
                "this redirect is not published; its target may be withheld, deleted or moved";
            let at = site.aliases[alias].to_at.clone();
            notes.push(Diagnostic { at, ..note.hint(hint) });
            continue;
        }
        let target = base.absolute(path).unwrap_or_else(|| base.link(path));
        rows.push((base.link(alias), base.link(path)));
        outputs.push(Output::lasting(file_of(alias), target, page));
    }
    if !rows.is_empty() {
        let host = site.config.deploy.host;
        outputs.push(Output::lasting(HOST_FILE, (rows, host), redirects));
    }
    WithNotes { value: outputs, notes }
}

/// Returns the redirects whose paths are free. Paths are compared without case, because some file systems
/// ignore it.
fn free<'a>(
    site: &'a Site,
    others: &[Output],
    notes: &mut Vec<Diagnostic>,
) -> BTreeMap<&'a str, &'a str> {
    let mut free = BTreeMap::new();
    if site.aliases.is_empty() {
        return free;
    }
    let small = |output: &Output| output.path.as_str().to_lowercase();
    let mut taken: BTreeSet<String> = others.iter().map(small).collect();
    taken.insert(HOST_FILE.to_owned());
    for (alias, to) in &site.aliases {
        let file = file_of(alias).to_lowercase();
        if is_free(&file, &taken) {
            taken.insert(file);
            free.insert(alias.as_str(), to.to.as_str());
        } else {
            let message = format!("cannot redirect from `{alias}`: another file has this path");
            let note = Diagnostic::new(Severity::Error, "path-taken", message);
            notes.push(Diagnostic { at: to.from_at.clone(), ..note });
        }
    }
    free
}

/// Returns whether there is no file at a path, above it or below it.
pub(super) fn is_free(path: &str, taken: &BTreeSet<String>) -> bool {
    let folder = format!("{path}/");
    let mut above = path.match_indices('/').map(|(at, _)| &path[..at]);
    let below = taken.range(folder.clone()..).next();
    !taken.contains(path)
        && !above.any(|folder| taken.contains(folder))
        && !below.is_some_and(|file| file.starts_with(&folder))
}

/// Returns the target of each chain of redirects; `None` for a loop. Each redirect is followed only once.
fn resolve_chains<'a>(free: &BTreeMap<&'a str, &'a str>) -> BTreeMap<&'a str, Option<&'a str>> {
    let mut resolve_chains: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for alias in free.keys() {
        let mut passed = Vec::new();
        let mut at: &'a str = alias;
        let end = loop {
            let here = at.trim_end_matches('/');
            match (resolve_chains.get(here), free.get_key_value(here)) {
                (Some(end), _) => break *end,
                (None, None) => break Some(at),
                (None, Some((here, next))) => {
                    // A redirect that is reached again before its target is known is part of a loop.
                    resolve_chains.insert(*here, None);
                    passed.push(*here);
                    at = next;
                }
            }
        };
        resolve_chains.extend(passed.into_iter().map(|passed| (passed, end)));
    }
    resolve_chains
}

/// Returns the file for a path below the base URL.
fn file_of(alias: &str) -> String {
    let is_file = alias.ends_with(".html") || alias.ends_with(".htm");
    if is_file { alias.to_owned() } else { index_of(alias) }
}

/// Returns the file for a folder.
fn index_of(path: &str) -> String {
    match path.trim_end_matches('/') {
        "" => "index.html".to_owned(),
        folder => format!("{folder}/index.html"),
    }
}

/// Search engines treat an immediate refresh as a permanent redirect.
fn page(url: &String) -> MakeResult {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Moved</title>\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <link rel=\"canonical\" href=\"{url}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n\
         </head>\n<body>\n<p><a href=\"{url}\">{url}</a></p>\n</body>\n</html>\n"
    );
    Ok(page.into_bytes())
}

/// Netlify, Cloudflare and GitLab read this file. By default, Netlify serves an existing page at an old
/// path instead of redirecting; the syntax to force a redirect is unknown to the others. Only Cloudflare
/// distinguishes paths with and without a slash at the end.
fn redirects((rows, host): &(Vec<(String, String)>, Hosting)) -> MakeResult {
    let mut out = String::new();
    let status = if *host == Hosting::Netlify { "301!" } else { "301" };
    for (from, to) in rows {
        let _ = writeln!(out, "{from} {to} {status}");
        let is_folder = file_of(from).ends_with("/index.html");
        if *host == Hosting::CloudflarePages && is_folder {
            let other = match from.strip_suffix('/') {
                Some(bare) => bare.to_owned(),
                None => format!("{from}/"),
            };
            let _ = writeln!(out, "{other} {to} {status}");
        }
    }
    Ok(out.into_bytes())
}
