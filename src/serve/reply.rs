//! Replies to requests, as a function of the site and the path, without any network code.

use std::sync::Arc;

use super::preview_state::{Numbered, PreviewState, Problem};
#[cfg(feature = "local-search")]
use super::search;
use crate::markup::escape;
use crate::outputs::{HTML, LargeFile, Output, media_type};
use crate::text::percent_decode;

/// The path of the script that updates open pages.
pub(super) const SCRIPT: &str = "/.convo-site/live.js";
/// The path of the author's bar, for sites that can be changed.
const AUTHOR_SCRIPT: &str = "/.convo-site/author.js";
/// The path of what the author sees about a page, whose path is the query; and of changes.
pub(super) const EDIT: &str = "/.convo-site/edit";
/// The path of the author's table of all conversations; its script and its rows.
pub const TABLE: &str = "/.convo-site/conversations";
const TABLE_SCRIPT: &str = "/.convo-site/table.js";
const ROWS: &str = "/.convo-site/rows";
/// The path of the search API for the author's own programs.
#[cfg(feature = "local-search")]
const SEARCH: &str = "/api/search";
/// The path of the events that the script listens to.
pub(super) const EVENTS: &str = "/.convo-site/events";

/// The media type of JSON.
const JSON: &str = "application/json";

/// A response, independent of HTTP.
pub(super) enum Reply {
    /// A status, a media type and a body.
    Page(u16, &'static str, Body),
    /// A media type, and a large file that is sent in parts.
    Large(&'static str, Arc<LargeFile>),
    /// A redirect to another path of the site.
    Redirect(String),
}

/// Bytes, shared with the cache of pages.
pub(super) struct Body {
    pub(super) bytes: Arc<[u8]>,
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self { bytes: text.into_bytes().into() }
    }
}

/// Returns the reply to a request for `path` with `query`, both as sent.
pub(super) fn to(shown: &PreviewState, path: &str, query: &str) -> Reply {
    if path == SCRIPT {
        let script = include_str!(concat!(env!("OUT_DIR"), "/live.js")).to_owned();
        return Reply::Page(200, media_type("live.js"), script.into());
    }
    if path == AUTHOR_SCRIPT && shown.author.is_some() {
        let script = include_str!(concat!(env!("OUT_DIR"), "/author.js")).to_owned();
        return Reply::Page(200, media_type("author.js"), script.into());
    }
    if path == TABLE_SCRIPT && shown.author.is_some() {
        let script = include_str!(concat!(env!("OUT_DIR"), "/table.js")).to_owned();
        return Reply::Page(200, media_type("table.js"), script.into());
    }
    let Some(current) = shown.build() else {
        let page = bare_page("The site cannot be built yet.");
        return Reply::Page(503, HTML, with_scripts(shown, 0, &page));
    };
    let build = &current.build;
    if let (EDIT, Some(author)) = (path, &shown.author) {
        let (status, body) = author.about(build, query);
        return Reply::Page(status, JSON, body.into());
    }
    if let (ROWS, Some(author)) = (path, &shown.author) {
        let (status, body) = author.list(build);
        return Reply::Page(status, JSON, body.into());
    }
    if let (TABLE, Some(author)) = (path, &shown.author) {
        return Reply::Page(200, HTML, table_page(&author.token).into());
    }
    #[cfg(feature = "local-search")]
    if path == SEARCH {
        let (status, body) = search::answer(&shown.local_search, build, query);
        return Reply::Page(status, JSON, body.into());
    }
    let path = percent_decode(path);
    let base = build.config.base_url.path.trim_end_matches('/');
    let Some(inside) = path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')) else {
        return if path == "/" || path == base {
            Reply::Redirect(build.config.base_url.path.clone())
        } else {
            not_found(shown, &current)
        };
    };
    let file = if inside.is_empty() || inside.ends_with('/') {
        format!("{inside}index.html")
    } else {
        inside.to_owned()
    };
    match build.outputs.get(&file).filter(|output| !output.is_optional()) {
        Some(output) => match output.large() {
            Some(large) => Reply::Large(media_type(output.path.as_str()), large.clone()),
            None => page(shown, output, 200, current.number),
        },
        None if build.outputs.get(&format!("{file}/index.html")).is_some() => {
            Reply::Redirect(format!("{base}/{}/", crate::text::percent_encode(inside)))
        }
        None => match shown.moves().place_of(inside) {
            Some(place) => {
                Reply::Redirect(format!("{base}/{}", crate::text::percent_encode(&place)))
            }
            None => not_found(shown, &current),
        },
    }
}

/// Returns the reply to a change by the author; `body` is the change.
pub(super) fn to_change(shown: &PreviewState, body: &[u8]) -> Reply {
    let (Some(author), Some(current)) = (&shown.author, shown.build()) else {
        return Reply::Page(503, JSON, "{}".to_owned().into());
    };
    let (status, body) = author.change(&current.build, body);
    Reply::Page(status, JSON, body.into())
}

fn not_found(shown: &PreviewState, current: &Numbered) -> Reply {
    let number = current.number;
    match current.build.outputs.get("404.html") {
        Some(output) => page(shown, output, 404, number),
        None => Reply::Page(404, HTML, with_scripts(shown, number, &bare_page("Not found."))),
    }
}

/// Returns the reply with an output of the build with this number.
fn page(shown: &PreviewState, output: &Output, status: u16, number: u64) -> Reply {
    let media_type = media_type(output.path.as_str());
    match shown.bytes(output) {
        Ok(bytes) if media_type == HTML => {
            Reply::Page(status, HTML, with_scripts(shown, number, &String::from_utf8_lossy(&bytes)))
        }
        Ok(bytes) => Reply::Page(status, media_type, Body { bytes }),
        Err(note) => {
            let problem = Problem::of(&note);
            let text = format!("{}\n{}: {}\n", problem.place, problem.code, problem.message);
            let text = text + &problem.hints.join("\n");
            Reply::Page(500, HTML, with_scripts(shown, number, &bare_page(&text)))
        }
    }
}

/// Adds the script that updates the page, with the number of the build, and the author's bar.
fn with_scripts(shown: &PreviewState, number: u64, page: &str) -> Body {
    let mut scripts = format!("<script src=\"{SCRIPT}\" data-build=\"{number}\" defer></script>");
    if let Some(author) = &shown.author {
        let token = &author.token;
        scripts +=
            &format!("<script src=\"{AUTHOR_SCRIPT}\" data-token=\"{token}\" defer></script>");
    }
    let at = page.rfind("</body>").unwrap_or(page.len());
    format!("{}{scripts}{}", &page[..at], &page[at..]).into()
}

/// Returns the page of the author's table, which its script fills.
fn table_page(token: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>Conversations · convo-site</title>\n</head>\n\
         <body>\n<noscript>The table of conversations needs JavaScript.</noscript>\n\
         <script src=\"{TABLE_SCRIPT}\" data-token=\"{token}\"></script>\n</body>\n</html>\n"
    )
}

fn bare_page(text: &str) -> String {
    let mut escaped = String::new();
    escape(&mut escaped, text);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>convo-site</title>\n</head>\n\
         <body>\n<pre>{escaped}</pre>\n</body>\n</html>\n"
    )
}
