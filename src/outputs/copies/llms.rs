//! `llms.txt`: an overview of the site for programs (llmstxt.org).

use std::fmt::Write;
use std::sync::Arc;

use super::markdown_copy::{self, one_line};
use super::turns_json;
use crate::outputs::env::Env;
use crate::outputs::feeds::atom;
use crate::outputs::output::{MakeResult, Output};
use crate::site::{PageKind, SharedCard, Site};
use crate::time::Time;

pub(crate) fn declare(name: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let plain = site.pages.iter().filter(|page| matches!(page.kind, PageKind::Plain(_)));
    let plain = plain.map(|page| Text {
        title: page.title.clone(),
        path: page.path.to_string(),
        about: page.description.to_string(),
    });
    let inputs = (plain.collect::<Vec<_>>(), site.newest.clone());
    vec![Output::new(name, "llms.txt", env, inputs, make)]
}

/// A plain page.
#[derive(Hash)]
struct Text {
    title: String,
    path: String,
    about: String,
}

fn make(env: &Env, (plain, newest): &(Vec<Text>, Vec<SharedCard>)) -> MakeResult {
    let base = &env.config.base_url;
    let address = |path: &str| base.absolute(path).unwrap_or_else(|| base.link(path));
    let mut out = format!("# {}\n\n", one_line(&env.config.title));
    if !env.config.description.is_empty() {
        let _ = writeln!(out, "> {}\n", one_line(&env.config.description));
    }
    let copies = [
        (env.config.markdown, "as Markdown", markdown_copy::NAME),
        (env.config.turns_json, "as JSON", turns_json::NAME),
    ];
    for (_, form, name) in copies.into_iter().filter(|(is_there, ..)| *is_there) {
        let _ = writeln!(
            out,
            "Each conversation is also available {form}: `{name}` in the folder of its page.\n"
        );
    }
    let name = if env.config.markdown { markdown_copy::NAME } else { "" };
    if !plain.is_empty() {
        out.push_str("## About the site\n\n");
    }
    for Text { title, path, about } in plain {
        let url = address(&format!("{path}{name}"));
        let _ = write!(out, "- [{}]({url})", one_line(title));
        if !about.is_empty() {
            let _ = write!(out, ": {}", one_line(about));
        }
        out.push('\n');
    }
    if !plain.is_empty() {
        out.push('\n');
    }
    if !newest.is_empty() {
        out.push_str("## Newest conversations\n\n");
    }
    for card in newest {
        let url = address(&format!("{}{name}", card.path));
        let _ = write!(out, "- [{}]({url})", one_line(&card.link.title));
        let day = card.time.as_ref().map(Time::day);
        let names: Vec<_> = card.authors().iter().map(|who| one_line(&who.name)).collect();
        let names = (!names.is_empty()).then(|| names.join(", "));
        let about: Vec<String> = day.into_iter().chain(names).collect();
        if !about.is_empty() {
            let _ = write!(out, ": {}", about.join(", "));
        }
        out.push('\n');
    }
    out.push_str("\n## Lists\n\n");
    for link in &env.site.sections {
        let url = format!("{}{}", base.origin, link.url);
        let _ = writeln!(out, "- [{}]({url})", one_line(&link.title));
    }
    if let Some(url) = base.absolute(atom::PATH) {
        let _ = writeln!(out, "- [Atom feed]({url})");
    }
    Ok(out.into_bytes())
}
