//! The files of a site as recipes: a path, a key for everything that it depends on, and a function that
//! makes it.
//!
//! Each kind of output has one file and one row in the table `EMITTERS`. `views` builds what templates show,
//! `copies` the same conversations in other formats, `feeds` the newest of them, and `hosts` what static
//! hosts need.

mod anchors;
mod assets;
mod checked;
mod copies;
mod env;
mod feeds;
mod format;
mod hosts;
mod large;
mod media;
mod media_types;
#[cfg(feature = "pictures")]
mod og_images;
mod output;
mod pages;
mod search;
mod services;
mod sitemap;
mod structured;
mod views;
mod xml;

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

pub use self::copies::markdown_copy::NAME as MARKDOWN_COPY;
use self::copies::{captions, downloads, llms, markdown_copy, turns_json};
pub use self::env::Env;
use self::feeds::{atom, json_feed, podcast};
pub use self::hosts::{HeaderRule, header_rules};
use self::hosts::{copied, packed, redirects, robots};
pub use self::large::LargeFile;
pub use self::media_types::{HTML, MEDIA_TYPES, media_type};
pub use self::output::{MakeResult, Output, Outputs};
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::hash::Hash;
use crate::markup::Highlights;
use crate::search::index::Index;
use crate::site::{Frame, Site};
use crate::sources::TextStore;
use crate::theme::Theme;

impl Env {
    /// Creates the environment of a site.
    pub fn new(
        site: &Site,
        mut theme: Theme,
        texts: Arc<TextStore>,
        index: Index,
        highlights: Arc<Highlights>,
    ) -> Self {
        theme.withhold(&texts);
        let config = site.config.clone();
        let markup = config.markup_options(highlights);
        let shared = views::site(site, &theme, &markup);
        theme.share(&shared, &config.locale);
        // The menu and the podcast depend on pages; everything else in the view depends on the
        // configuration and the theme.
        let Frame { sections, menu, footer, footer_text, home_text } = &site.frame;
        let frame = (sections, menu, footer, footer_text, home_text);
        let hash = Hash::of(&(theme.hash, &config, frame, podcast::title(site)));
        let index = Arc::new(index);
        Self { theme, markup, texts, index, site: shared, config, hash }
    }
}

/// Returns the name that determines the partition of an output. Outputs of one text belong together, and so
/// do the files of the search index, which are made at once.
///
/// It depends only on the path, so a path stays in its partition however the site changes.
pub fn partition_name(path: &str) -> &str {
    if let Some((folder, _)) = path.split_once('/')
        && folder == crate::search::index::FOLDER
    {
        return folder;
    }
    match path.rsplit_once('/') {
        Some((folder, name)) if ["index.", "turns."].iter().any(|stem| name.starts_with(stem)) => {
            folder
        }
        _ => path,
    }
}

/// A kind of output.
struct Emitter {
    name: &'static str,
    declare: fn(&'static str, &Site, &Arc<Env>) -> Vec<Option<Output>>,
}

const EMITTERS: &[Emitter] = &[
    Emitter { name: "pages", declare: pages::declare },
    Emitter { name: "markdown-copy", declare: markdown_copy::declare },
    Emitter { name: "turns-json", declare: turns_json::declare },
    Emitter { name: "downloads", declare: downloads::declare },
    #[cfg(feature = "pictures")]
    Emitter { name: "og-images", declare: og_images::declare },
    Emitter { name: "anchors", declare: anchors::declare },
    Emitter { name: "search", declare: search::declare },
    Emitter { name: "assets", declare: assets::declare },
    Emitter { name: "media", declare: media::declare },
    Emitter { name: "captions", declare: captions::declare },
    Emitter { name: "feed", declare: atom::declare },
    Emitter { name: "json-feed", declare: json_feed::declare },
    Emitter { name: "podcast", declare: podcast::declare },
    Emitter { name: "llms", declare: llms::declare },
    Emitter { name: "sitemap", declare: sitemap::declare },
    Emitter { name: "robots", declare: robots::declare },
    Emitter { name: "hosts", declare: hosts::declare },
];

/// Declares every file of a site, without making any.
pub fn declare(site: &Site, env: &Arc<Env>) -> WithNotes<Outputs> {
    let mut outputs = Vec::with_capacity(2 * site.pages.len() + site.media.len() + 64);
    let mut notes = env.theme.named.clone();
    notes.extend(services::blocked_by_policy(&env.theme, &env.config));
    notes.extend(podcast::notes(site, env));
    for emitter in EMITTERS {
        let declared = (emitter.declare)(emitter.name, site, env);
        collect(emitter.name, declared, &mut outputs, &mut notes);
    }
    let copied = copied::declare(site, env, &outputs).take(&mut notes);
    collect("copied", copied, &mut outputs, &mut notes);
    let redirects = redirects::declare(site, &outputs).take(&mut notes);
    collect("redirects", redirects, &mut outputs, &mut notes);
    let mut known: FxHashMap<Hash, usize> = FxHashMap::default();
    for (place, output) in outputs.iter_mut().enumerate() {
        let locality = output.locality;
        output.rank.1 = locality.map_or(place, |locality| *known.entry(locality).or_insert(place));
    }
    // If several outputs have the same path, the first one is kept.
    outputs.par_sort_by(|a, b| a.path.cmp(&b.path));
    outputs.dedup_by(|later, first| {
        let taken = later.path == first.path;
        if taken {
            let message = format!("two outputs have the path `{}`", first.path);
            notes.push(Diagnostic::new(Severity::Error, "path-taken", message));
        }
        taken
    });
    let mut outputs = remove_files_below_files(outputs, &mut notes);
    outputs.iter_mut().for_each(|output| checked::check_last(output, &env.texts));
    let outputs = packed::with_copies(outputs, &env.config.output.precompress);
    WithNotes { value: Outputs(outputs), notes }
}

fn collect(
    name: &str,
    declared: Vec<Option<Output>>,
    outputs: &mut Vec<Output>,
    notes: &mut Vec<Diagnostic>,
) {
    for output in declared {
        match output {
            Some(output) => outputs.push(output),
            None => {
                let message = format!("`{name}` declared an invalid path");
                notes.push(Diagnostic::new(Severity::Error, "internal", message));
            }
        }
    }
}

/// Removes files below a path that is itself a file.
fn remove_files_below_files(mut outputs: Vec<Output>, notes: &mut Vec<Diagnostic>) -> Vec<Output> {
    let place = |path: &str| outputs.binary_search_by(|one| one.path.as_str().cmp(path));
    let is_below = |output: &Output| {
        let path = output.path.as_str();
        let above = path.match_indices('/').map(|(at, _)| &path[..at]);
        above.into_iter().any(|folder| place(folder).is_ok())
    };
    let below: Vec<bool> = outputs.par_iter().map(is_below).collect();
    let mut below = below.into_iter();
    outputs.retain(|output| {
        let is_blocked = below.next() == Some(true);
        if is_blocked {
            let message = format!(
                "`{}` needs a folder, but another output is a file of that name",
                output.path
            );
            notes.push(Diagnostic::new(Severity::Error, "path-taken", message));
        }
        !is_blocked
    });
    outputs
}
