//! What stood elsewhere before: a page at each old address that leads to the new one, and the
//! same for hosts that can do it themselves.

use std::fmt::Write;

use super::{Made, Output};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::site::Site;

/// The outputs; `is_free` tells whether a file may stand at a path, beside all others. A note for
/// each address at which something stands.
pub(super) fn declare(
    site: &Site,
    is_free: impl Fn(&str) -> bool,
) -> Noted<Vec<Option<Output>>> {
    let base = &site.config.base_url;
    let mut notes = Vec::new();
    let mut rows = Vec::new();
    let mut outputs = Vec::new();
    for (alias, path) in &site.aliases {
        let file = file_of(alias);
        if !is_free(&file) {
            let message =
                format!("no redirect has a place at `{alias}`: a file stands there");
            notes.push(Diagnostic::new(Severity::Error, "path-taken", message));
            continue;
        }
        let target = base.absolute(path).unwrap_or_else(|| base.link(path));
        rows.push((base.link(alias), base.link(path)));
        outputs.push(Output::lasting(file, target, page));
    }
    if !rows.is_empty() {
        outputs.push(Output::lasting("_redirects", rows, redirects));
    }
    Noted { value: outputs, notes }
}

/// The file that is shown at an address below the site's.
fn file_of(alias: &str) -> String {
    let is_file = alias.ends_with(".html") || alias.ends_with(".htm");
    if is_file {
        alias.to_owned()
    } else {
        format!("{}/index.html", alias.trim_end_matches('/'))
    }
}

/// Search engines take a refresh after no time for a permanent redirect.
fn page(url: &String) -> Made {
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Moved</title>\n\
         <meta name=\"robots\" content=\"noindex\">\n\
         <link rel=\"canonical\" href=\"{url}\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n\
         <p><a href=\"{url}\">{url}</a></p>\n</html>\n"
    );
    Ok(page.into_bytes())
}

/// Netlify and Cloudflare Pages read this.
fn redirects(rows: &Vec<(String, String)>) -> Made {
    let mut out = String::new();
    for (from, to) in rows {
        let _ = writeln!(out, "{from} {to} 301");
    }
    Ok(out.into_bytes())
}
