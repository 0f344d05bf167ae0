//! What stood elsewhere before: a page at each old address that leads to the new one, and the
//! same for hosts that can do it themselves.

use std::fmt::Write;
use std::sync::Arc;

use super::{Env, Made, Output};
use crate::site::Site;

pub(super) fn declare(_: &'static str, site: &Site, _: &Arc<Env>) -> Vec<Option<Output>> {
    let base = &site.config.base_url;
    let mut rows = Vec::new();
    let mut outputs = Vec::new();
    for (alias, path) in &site.aliases {
        let target = base.absolute(path).unwrap_or_else(|| base.link(path));
        rows.push((base.link(alias), base.link(path)));
        outputs.push(Output::lasting(file_of(alias), target, page));
    }
    if !rows.is_empty() {
        outputs.push(Output::lasting("_redirects", rows, redirects));
    }
    outputs
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
