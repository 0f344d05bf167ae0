//! The Markdown copy of a conversation, next to its page, for programs and for the excerpts of search
//! results.
//!
//! Each turn has a heading with a link to its anchor on the page: `## [Ada](./#t4k7x2m9q) ·
//! 2025-10-23T12:00:00-05:00`.

use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;

use super::published_text::{published_text, with_urls};
use crate::commonmark::is_too_complex;
use crate::config::Config;
use crate::hash::Hashed;
use crate::markup::Links;
use crate::model::{Conversation, Turn, fenced};
use crate::outputs::env::Env;
use crate::outputs::output::{MakeResult, Output};
use crate::search::index::Index;
use crate::site::{Page, PageKind, SharedPage, Site};
use crate::sources::{TextRef, TextStore};
use crate::time::Time;

/// The file name of a Markdown copy.
pub const NAME: &str = "index.md";

pub(crate) fn declare(_: &'static str, site: &Site, env: &Arc<Env>) -> Vec<Option<Output>> {
    let pages = if env.config.markdown { &site.pages[..] } else { &[] };
    pages
        .par_iter()
        .filter_map(|page| {
            let text_ref = text_of(page)?;
            let copy = MarkdownCopy {
                page: page.clone(),
                config: env.config.clone(),
                texts: env.texts.clone(),
                index: env.index.clone(),
            };
            let output = Output::lasting(format!("{}{NAME}", page.path), copy, make);
            Some(output.map(|output| output.with_text(text_ref)))
        })
        .collect()
}

/// Returns the text of a page that has a Markdown copy.
pub(crate) fn text_of(page: &Page) -> Option<&TextRef> {
    match &page.kind {
        PageKind::Conversation(planned) => Some(&planned.text_ref),
        PageKind::Plain(planned) => Some(&planned.text_ref),
        _ => None,
    }
}

/// Returns the links of a page that has a Markdown copy.
fn links_of(page: &Page) -> Option<&Hashed<Links>> {
    match &page.kind {
        PageKind::Conversation(planned) => Some(&planned.links),
        PageKind::Plain(planned) => Some(&planned.links),
        _ => None,
    }
}

fn with_site_urls(copy: &MarkdownCopy, text: String) -> String {
    match links_of(&copy.page) {
        Some(links) => with_urls(text, links, &copy.config),
        None => text,
    }
}

struct MarkdownCopy {
    page: SharedPage,
    config: Arc<Config>,
    texts: Arc<TextStore>,
    /// The search index, which collects the terms of the text here because it is already loaded.
    index: Arc<Index>,
}

impl MarkdownCopy {
    fn url(&self) -> Option<String> {
        self.config.base_url.absolute(&self.page.path)
    }
}

impl Hash for MarkdownCopy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let text_ref = text_of(&self.page);
        (&self.page.title, self.url(), text_ref, self.texts.rules()).hash(state);
        links_of(&self.page).hash(state);
        if let PageKind::Conversation(planned) = &self.page.kind {
            planned.attachments.hash(state);
        }
    }
}

fn make(copy: &MarkdownCopy) -> MakeResult {
    let Some(text_ref) = text_of(&copy.page) else { return Ok(Vec::new()) };
    let read = copy.texts.get_cached(text_ref)?;
    let folder = match &copy.page.kind {
        PageKind::Conversation(planned) => &*planned.card.path,
        _ => &copy.page.path,
    };
    copy.index.collect(folder, text_ref, &read);
    let mut out = format!("# {}\n\n", one_line(&copy.page.title));
    if let Some(url) = copy.url() {
        let _ = writeln!(out, "<{url}>\n");
    }
    if let Some(time) = &read.time {
        let _ = writeln!(out, "{}\n", time.day());
    }
    put_text(&with_site_urls(copy, read.preface.clone()), &mut out);
    put_turns(copy, &read, &mut out);
    out.truncate(out.trim_end().len());
    out.push('\n');
    Ok(out.into_bytes())
}

fn put_turns(copy: &MarkdownCopy, read: &Conversation, out: &mut String) {
    let text = |turn: &Turn| match &copy.page.kind {
        PageKind::Conversation(planned) => published_text(turn, planned, &copy.config),
        _ => with_site_urls(copy, turn.text()),
    };
    let branches = read.branches.iter().map(|branch| {
        let mark = if branch.started_by.is_some() { "subagent" } else { "instead" };
        (&branch.turns[..], Some(mark))
    });
    for (turns, mark) in [(&read.turns[..], None)].into_iter().chain(branches) {
        for turn in turns {
            put_heading(turn, mark, out);
            put_text(&text(turn), out);
        }
    }
}

/// Appends the heading of a turn. `mark` describes a turn that is not on the main path.
fn put_heading(turn: &Turn, mark: Option<&str>, out: &mut String) {
    let name = match one_line(&turn.speaker) {
        name if name.is_empty() => "·".to_owned(),
        name => name,
    };
    let _ = write!(out, "## [{name}](./#{})", turn.id);
    if let Some(mark) = mark {
        let _ = write!(out, " · {mark}");
    }
    let time = turn.time.as_ref().map(Time::machine).or_else(|| turn.offset.clone());
    if let Some(time) = time {
        let _ = write!(out, " · {}", one_line(&time));
    }
    out.push_str("\n\n");
}

/// Appends a text, and escapes lines that look like the heading of a turn.
fn put_text(text: &str, out: &mut String) {
    if text.trim().is_empty() {
        return;
    }
    let code = is_too_complex(text).then(|| fenced("", text));
    for line in code.as_deref().unwrap_or(text).lines() {
        if line.starts_with("## [") {
            out.push('\\');
        }
        match line.contains(is_control) {
            true => out.extend(line.chars().map(visible)),
            false => out.push_str(line),
        }
        out.push('\n');
    }
    out.push('\n');
}

/// Escapes a text and puts it on one line, so that Markdown shows it literally.
pub(super) fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if "\\[]*_`<>&".contains(c) {
            out.push('\\');
        }
        out.push(visible(c));
    }
    out
}

fn is_control(c: char) -> bool {
    visible(c) != c
}

/// Returns the symbol of a control character (from U+2400), and any other character unchanged.
fn visible(c: char) -> char {
    match c {
        '\t' => c,
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\x7f'..='\u{9f}' => '\u{fffd}',
        c => c,
    }
}
