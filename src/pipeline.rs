//! The whole flow on one screen.

use std::sync::Arc;

use crate::config;
use crate::diag::{self, Diagnostic};
use crate::files::SharedFiles;
use crate::outputs::{self, Env, Outputs};
use crate::path::RelPath;
use crate::site;
use crate::sources::{self, Bodies, Private, Rules};
use crate::theme::Theme;

/// A site that was read and planned, and of which nothing was made yet.
pub struct Build {
    /// Every file of the site.
    pub outputs: Outputs,
    /// What there was to say, in the order of files.
    pub notes: Vec<Diagnostic>,
    /// Number of conversations on the site.
    pub conversations: u64,
    /// Number of pages.
    pub pages: u64,
    /// Number of private conversations, which are not on the site.
    pub held_back: u64,
    /// The private conversations that are on the site because that was asked for: title and
    /// file.
    pub private: Vec<(String, String)>,
    /// Number of fields that sources have and no page shows.
    pub hidden: u64,
    /// Number of things that a placeholder stands for.
    pub unknown: u64,
}

/// Reads everything, plans everything. Makes nothing, writes nothing.
///
/// The error is a `site.toml` that is missing or no TOML: nothing can be planned without it.
pub fn run(files: &SharedFiles, private: Private) -> Result<Build, Box<Diagnostic>> {
    let mut notes = Vec::new();
    let text = files.read(&RelPath::new("site.toml"))?;
    let config =
        Arc::new(config::load(&String::from_utf8_lossy(&text))?.take(&mut notes));
    let rules = Rules::new(&config).take(&mut notes);
    let archive =
        sources::read(files.as_ref(), &config, &rules, private).take(&mut notes);
    let site = site::plan(&archive, &config);
    let theme = Theme::load(files.as_ref(), &config).take(&mut notes);
    let env = Arc::new(Env::new(&site, theme, Bodies::new(files.clone(), rules)));
    let outputs = outputs::declare(&site, &env).take(&mut notes);
    diag::sort(&mut notes);
    Ok(Build {
        outputs,
        notes,
        conversations: site.conversations,
        pages: site.pages.len() as u64,
        held_back: archive.held_back,
        private: archive
            .entries
            .iter()
            .filter(|entry| entry.private)
            .map(|entry| (entry.title.clone(), entry.label().to_owned()))
            .collect(),
        hidden: archive.entries.iter().map(|entry| entry.hidden).sum(),
        unknown: archive.entries.iter().map(|entry| entry.unknown).sum(),
    })
}
