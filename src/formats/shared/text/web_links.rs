//! URLs in program output: which of them may appear on a page.

use convo_base::model::Content;
use convo_base::text::{base_name, percent_decode};

/// The parameter that ChatGPT adds to URLs.
const TRACE: &str = "utm_source=chatgpt.com";

/// Returns a text with ChatGPT's tracking parameter removed from its URLs.
pub(crate) fn untraced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(TRACE) {
        let end = at + TRACE.len();
        let before = text[..at].chars().next_back();
        let is_last = !text[end..].starts_with('&');
        let is_parameter = matches!(before, Some('?' | '&'))
            && text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        if !is_parameter || at < done + 1 {
            continue;
        }
        // `?trace&x=1` becomes `?x=1`, `?x=1&trace` becomes `?x=1`.
        let cut = match is_last {
            true => at - 1..end,
            false => at..end + 1,
        };
        out.push_str(&text[done..cut.start]);
        done = cut.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Parts of URLs that grant access to anyone who has the URL.
const SIGNED: [&str; 8] = [
    "x-amz-signature=", "x-goog-signature=", "&sig=", "?sig=", "&signature=", "?signature=",
    "oaiusercontent.com/", "access_token=",
];

/// Parts of the names of parameters that grant access.
const SECRETS: [&str; 10] = [
    "token", "secret", "credential", "password", "passwd", "signature", "jwt", "apikey", "api_key",
    "ticket",
];
/// Endings of such names, which are also parts of other words.
const SECRET_ENDINGS: [&str; 7] = ["sig", "key", "auth", "authorization", "pwd", "session", "sid"];
/// Parameters of signed storage URLs.
const OF_STORES: [&str; 4] = ["se", "sp", "sv", "sr"];
/// Hosts of private documents.
const PRIVATE_HOSTS: [&str; 25] = [
    "docs.google.com", "drive.google.com", "mail.google.com", "calendar.google.com",
    "sheets.google.com", "slides.google.com", "contacts.google.com", "photos.google.com",
    "googleusercontent.com", "sharepoint.com", "onedrive.live.com", "1drv.ms", "outlook.com",
    "outlook.live.com", "outlook.office.com", "outlook.office365.com", "teams.microsoft.com",
    "slack.com", "notion.so", "notion.site", "atlassian.net", "dropbox.com", "box.com",
    "asana.com", "claude.ai",
];

/// Returns the name of the file that a URL leads to; `None` if it has no path or is private.
pub(crate) fn file_name(url: &str) -> Option<&str> {
    let (_, _, _, path) = parts(without_query(url)).filter(|_| !is_private_host(url))?;
    Some(base_name(path.trim_end_matches('/'))).filter(|name| !name.is_empty())
}

/// Splits a URL into its scheme with slashes, the user information, the host, and the rest.
fn parts(url: &str) -> Option<(&str, &str, &str, &str)> {
    let scheme = url.find("://")? + "://".len();
    let end = url[scheme..].find(['/', '?', '#', '\\']).unwrap_or(url.len() - scheme);
    let end = scheme + end;
    let host = url[scheme..end].rfind('@').map_or(scheme, |at| scheme + at + 1);
    Some((&url[..scheme], &url[scheme..host], &url[host..end], &url[end..]))
}

/// Returns whether a text is the URL of a page on the web.
pub(crate) fn is_web(text: &str) -> bool {
    let starts = |scheme: &str| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    starts("https://") || starts("http://")
}

/// Returns whether a URL leads to private documents, mails or messages.
pub(crate) fn is_private_host(url: &str) -> bool {
    let Some((_, _, host, _)) = parts(url.trim()) else { return false };
    let host = host.split(':').next().unwrap_or(host).to_ascii_lowercase();
    let host = host.trim_end_matches('.');
    let is = |known: &&str| {
        host.strip_suffix(*known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    PRIVATE_HOSTS.iter().any(is)
}

/// Returns a URL without its query, which may grant access. Other text stays unchanged.
pub(crate) fn without_query(name: &str) -> &str {
    match name.contains("://") {
        true => name.split(['?', '#']).next().unwrap_or_default(),
        false => name,
    }
}

/// Returns whether a query or fragment has a parameter that grants access, also in the query of another URL inside it.
fn opens(parameters: &str) -> bool {
    let decoded = percent_decode(&percent_decode(parameters));
    decoded.split(['&', ';', '?', '#']).any(|parameter| {
        let Some((name, _)) = parameter.split_once('=') else { return false };
        let name = name.to_ascii_lowercase();
        OF_STORES.contains(&&*name)
            || name.starts_with("x-amz-")
            || name.starts_with("x-goog-")
            || SECRETS.iter().any(|secret| name.contains(secret))
            || SECRET_ENDINGS.iter().any(|secret| name.ends_with(secret))
    })
}

/// The maximum length of a URL that is linked, in bytes. Some formats have a URL for each part of a
/// text.
const MAX_URL_BYTES: usize = 8192;

/// Returns the content of a file at a URL, which is missing if the URL may not appear on a page. Other addresses, such as
/// paths, are unchanged.
pub(crate) fn content_at(address: String) -> Content {
    match is_web(&address) {
        true => public_url(&address).map_or(Content::Missing, Content::Uri),
        false => Content::Uri(address),
    }
}

/// Returns the URL of a public page as it may appear on another page; `None` if it is private,
/// signed or too long. User names, passwords and parameters that grant access are removed.
pub(crate) fn public_url(url: &str) -> Option<String> {
    let url = url.trim();
    if url.len() > MAX_URL_BYTES {
        return None;
    }
    let lower = url.to_ascii_lowercase();
    if !is_web(&lower) || SIGNED.iter().any(|mark| lower.contains(mark)) || is_private_host(url) {
        return None;
    }
    let (scheme, _, host, rest) = parts(url)?;
    let (path, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    let query = if opens(query) { "" } else { query };
    let fragment = if opens(fragment) { "" } else { fragment };
    let url = &[scheme, host, path, query, fragment].concat();
    let mut out = String::with_capacity(url.len());
    for c in untraced(url).chars() {
        match c {
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            ' ' => out.push_str("%20"),
            '\u{e200}'..='\u{e206}' => {}
            c if c.is_control() || c.is_whitespace() => {}
            c => out.push(c),
        }
    }
    Some(out)
}
