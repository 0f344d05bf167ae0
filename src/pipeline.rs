//! The whole flow on one screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::config::{self, Config};
use crate::diag::{self, Diagnostic};
use crate::files::SharedFiles;
use crate::locale::Locale;
use crate::markup::{HighlightTable, Highlights};
use crate::outputs::{self, Env, Outputs};
use crate::path::RelPath;
use crate::search::index::{Document, Runs};
use crate::site::{self, Address};
use crate::sources::{self, Bodies, Private, Rules};
use crate::theme::Theme;

/// A site that was read and planned, and of which nothing was made yet.
pub struct Build {
    /// What was chosen.
    pub config: Arc<Config>,
    /// Every file of the site.
    pub outputs: Outputs,
    /// Where each conversation stands.
    pub addresses: Vec<Address>,
    /// Where things stood before, and where they stand now, as paths of the output.
    pub aliases: BTreeMap<String, String>,
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
    /// The conversations as search knows them.
    pub documents: Vec<Arc<Document>>,
    /// Their texts.
    pub bodies: Arc<Bodies>,
    /// Number of fields that sources have and no page shows.
    pub hidden: u64,
    /// Number of things that a placeholder stands for.
    pub unknown: u64,
}

/// What was found out before. It makes a build fast and changes nothing about it.
#[derive(Default)]
pub struct Memo {
    /// What sources gave.
    pub heads: sources::Memo,
    /// Which pages conversations have.
    pub plans: site::Memo,
    /// What code looks like.
    pub highlights: Arc<Highlights>,
    /// Which terms texts have.
    pub runs: Arc<Runs>,
}

impl Memo {
    /// What was remembered earlier.
    pub fn new(heads: sources::Table, highlights: HighlightTable, runs: Runs) -> Self {
        let highlights = Arc::new(Highlights::new(highlights));
        let heads = sources::Memo::new(heads);
        Self { heads, highlights, runs: Arc::new(runs), ..Self::default() }
    }
}

/// Reads everything, plans everything. Makes nothing, writes nothing. What `memo` knows need not
/// be found out again; a build is the same without it.
///
/// The error is a `site.toml` that is missing or no TOML: nothing can be planned without it.
pub fn run(
    files: &SharedFiles,
    private: Private,
    memo: &Memo,
) -> Result<Build, Box<Diagnostic>> {
    let mut notes = Vec::new();
    let text = files.read(&RelPath::new("site.toml"))?;
    let mut config = config::load(&String::from_utf8_lossy(&text))?.take(&mut notes);
    let locale = Locale::load(files.as_ref(), &config.language).take(&mut notes);
    config.locale = Arc::new(locale);
    let config = Arc::new(config);
    let rules = Rules::new(&config).take(&mut notes);
    let archive = sources::read(files.as_ref(), &config, &rules, private, &memo.heads)
        .take(&mut notes);
    let mut site = site::plan(&archive, &config, &memo.plans);
    notes.append(&mut site.notes);
    let theme = Theme::load(files.as_ref(), &config).take(&mut notes);
    let bodies = Bodies::new(files.clone(), rules);
    let highlights = memo.highlights.clone();
    let env = Arc::new(Env::new(&site, theme, bodies, highlights, &memo.runs));
    let outputs = outputs::declare(&site, &env).take(&mut notes);
    diag::sort(&mut notes);
    Ok(Build {
        config,
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
        addresses: site.addresses,
        aliases: site.aliases,
        documents: site.documents,
        bodies: env.bodies.clone(),
        hidden: archive.entries.iter().map(|entry| entry.hidden).sum(),
        unknown: archive.entries.iter().map(|entry| entry.unknown).sum(),
    })
}
