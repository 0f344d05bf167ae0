//! The whole pipeline on one page.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::config::{self, BuildEnvironment, Config, DeployContext, Edits, Publish, PublishList};
use crate::diag::{self, Diagnostic, Severity, WithNotes};
use crate::files::{Files, SharedFiles};
use crate::gate::{self, Baseline, EnvValues, Finding, Gate};
use crate::hash::Hash;
use crate::locale::Locale;
use crate::markup::{Highlights, MAX_HIGHLIGHTS_BYTES};
use crate::outputs::{self, Env, Outputs};
use crate::partition::Partition;
use crate::path::RelPath;
use crate::people;
use crate::search::index::{Document, Index, RunCache};
use crate::site::{self, Alias, ConversationUrl, PlanCache};
use crate::sources::{
    self, Coverage, FreshTexts, HeldBack, Reason, Release, Rules, SourceCache, TextStore,
};
use crate::text::percent_decode;
use crate::theme::Theme;

/// The files beside `site.toml` with the author's decisions about conversations.
pub const DECISIONS: [&str; 3] = [gate::baseline::FILE, PublishList::FILE, Edits::FILE];

/// A build: a site that was read and planned. No output has been made yet.
pub struct Build {
    /// The configuration.
    pub config: Arc<Config>,
    /// The settings that depend on the environment.
    pub deploy_context: DeployContext,
    /// Every file of the site.
    pub outputs: Outputs,
    /// The URL of each conversation, followed by those of the plain pages.
    pub addresses: Vec<ConversationUrl>,
    /// Former URLs, as paths of the output.
    pub aliases: BTreeMap<String, Alias>,
    /// The diagnostics, in the order of files.
    pub notes: Vec<Diagnostic>,
    /// The number of conversations on the site.
    pub conversations: u64,
    /// The number of pages.
    pub pages: u64,
    /// The withheld conversations, with reasons.
    pub held_back: Vec<HeldBack>,
    /// What the gate found in conversations that would otherwise be published.
    pub findings: Vec<Finding>,
    /// The conversations with redactions.
    pub redacted: HashSet<Hash>,
    /// The gate, which finds secrets and removes them from reports.
    pub gate: Gate,
    /// What happened to the files of the content folder.
    pub coverage: Coverage,
    /// The conversations that are on the site only because the user asked for them: the normal
    /// reason to withhold them, title and file.
    pub withheld: Vec<(Reason, String, String)>,
    /// The documents of the search index.
    pub documents: Vec<Arc<Document>>,
    /// The texts of these documents.
    pub texts: Arc<TextStore>,
    /// The search index, of which nothing has been made yet.
    pub index: Arc<Index>,
    /// The number of fields in sources that no page shows.
    pub unpublished_fields: u64,
    /// The number of placeholders.
    pub placeholders: u64,
}

impl Build {
    /// Finds the conversation at a URL of the site, or at a path below it, with the number of the part that its page
    /// shows, from 0, and the text after `#`.
    pub fn conversation_at<'u>(&self, url: &'u str) -> Option<(&Document, usize, &'u str)> {
        let base = &self.config.base_url;
        let local = url.strip_prefix(base.origin.as_str()).unwrap_or(url);
        let local = local.strip_prefix(base.path.as_str()).unwrap_or(local);
        let (path, place) = local.split_once('#').unwrap_or((local, ""));
        let path = percent_decode(path.split('?').next().unwrap_or(path));
        let folder = path.trim_start_matches('/').trim_end_matches("index.html");
        let folder = folder.trim_end_matches('/');
        let part_of = |document: &Document| {
            let mut parts = 0..document.entry.parts.len();
            parts.find(|part| document.part_folder(*part).trim_end_matches('/') == folder)
        };
        let is_near =
            |document: &&Arc<Document>| folder.starts_with(document.path.trim_end_matches('/'));
        let mut near = self.documents.iter().filter(is_near);
        near.find_map(|document| Some((&**document, part_of(document)?, place)))
    }
}

/// The caches of a build. They make it faster and do not change the result.
#[derive(Default)]
pub struct Memo {
    /// Parsed sources.
    pub sources: SourceCache,
    /// Plans of the pages of conversations, for commands that plan repeatedly.
    pub plans: Option<PlanCache>,
    /// Highlighted code.
    pub highlights: Arc<Highlights>,
    /// Runs of the search index.
    pub runs: Arc<RunCache>,
}

impl Memo {
    /// Creates the caches from the data stored by an earlier build.
    pub fn new(sources: SourceCache, highlights: Highlights, runs: RunCache) -> Self {
        let highlights = Arc::new(highlights.bound(MAX_HIGHLIGHTS_BYTES));
        Self { sources, plans: None, highlights, runs: Arc::new(runs) }
    }

    /// Removes what was not used since the last sweep, from all caches whose needed entries every
    /// build uses. Call it at the end of a successful build.
    pub fn sweep(&self) {
        self.sources.sweep();
        self.plans.iter().for_each(PlanCache::sweep);
        self.runs.sweep();
    }
}

/// Choices of a command that complete or override `site.toml`.
#[derive(Clone, Default)]
pub struct Choices {
    /// The normally withheld conversations to include.
    pub release: Release,
    /// Settings in the environment, besides `site.toml`, that say where the site will be hosted.
    pub environment: BuildEnvironment,
    /// Values that are always secrets.
    pub env: EnvValues,
    /// The day of the build, which decides about schedules and the expiry of accepted findings.
    pub today: Option<gate::baseline::Day>,
    /// The key for making pseudonyms, if it is not in its file.
    pub people_key: Option<Hash>,
    /// A temporary key for making pseudonyms, for a site without one.
    pub fallback_people_key: Option<Hash>,
    /// The key for ids of findings, for a site whose baseline has none.
    pub key: Option<[u8; 32]>,
    /// The partition whose outputs are made, if not all are. The plan is the same.
    pub partition: Option<Partition>,
    /// Whether an edit that matches nothing is never an error, for commands that change edits.
    pub allows_unmatched_edits: bool,
    /// Whether to plan Markdown copies even if the site has none.
    pub needs_markdown: bool,
}

/// A phase of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Reading sources.
    Reading {
        /// The number of sources that are read.
        done: usize,
        /// The number of all sources.
        all: usize,
    },
    /// Planning pages and files.
    Planning,
}

/// Reads all sources and plans all outputs, without making or writing any. `memo` has cached
/// results; the result is the same without it. `on_phase` is called when a phase
/// begins, and for each source that is read.
///
/// Fails only if nothing can be planned: `site.toml` is missing, is not valid TOML, or is wrong in
/// a setting that decides which files are published, or the content folder is missing.
pub fn run(
    files: &SharedFiles,
    choices: &Choices,
    memo: &Memo,
    on_phase: &(dyn Fn(Phase) + Sync),
) -> Result<Build, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let ReadPlan { config, deploy_context, gate, rules, release } =
        prepare(files.as_ref(), choices)?.take(&mut notes);
    // `site.toml` contains names of people, and so may diagnostics about it.
    let on_config = notes.len();
    let on_read = |done, all| on_phase(Phase::Reading { done, all });
    let fresh = FreshTexts::default();
    let read =
        sources::read(files.as_ref(), &config, &rules, &release, &memo.sources, &fresh, &on_read);
    let archive = read?.take(&mut notes);
    on_phase(Phase::Planning);
    let mut site = site::plan(&archive, &config, memo.plans.as_ref());
    notes.append(&mut site.notes);
    let theme = Theme::load(files.as_ref(), &config).take(&mut notes);
    notes.extend(theme.secrets(&gate));
    let texts = Arc::new(TextStore::new(files.clone(), rules, fresh));
    let indexed = if config.search.has_index() { &site.documents[..] } else { &[] };
    let mut index = Index::plan(indexed, &texts, &memo.runs);
    if choices.partition.is_some() {
        index.collect_nothing();
    }
    let highlights = memo.highlights.clone();
    let env = Arc::new(Env::new(&site, theme, texts, index, highlights));
    let outputs = outputs::declare(&site, &env).take(&mut notes);
    let (on_config, others) = notes.split_at_mut(on_config);
    gate.scrub(on_config);
    env.texts.clean(others);
    diag::sort(&mut notes);
    let shown_title = |title: &str| gate.masked(title).into_owned();
    let all = || archive.entries.iter().chain(&archive.pages);
    Ok(Build {
        config,
        deploy_context,
        outputs,
        notes,
        conversations: site.conversations,
        pages: site.pages.len() as u64,
        held_back: archive.held_back,
        findings: archive.findings,
        redacted: all().filter(|entry| entry.is_redacted()).map(|entry| entry.id).collect(),
        coverage: archive.coverage,
        withheld: all()
            .filter_map(|entry| {
                let label = entry.label().to_owned();
                Some((entry.withheld?, shown_title(&entry.title), label))
            })
            .collect(),
        addresses: site.addresses,
        aliases: site.aliases,
        documents: site.documents,
        texts: env.texts.clone(),
        index: env.index.clone(),
        unpublished_fields: all().map(|entry| entry.unpublished_fields).sum(),
        placeholders: all().map(|entry| entry.placeholders).sum(),
        gate,
    })
}

/// Reads the sources of a partition into the cache, as [`run`] does for all sources. Returns the
/// number of sources in the partition, and in total. Fails in the same cases as [`run`].
pub fn read(
    files: &dyn Files,
    choices: &Choices,
    cache: &SourceCache,
    partition: Partition,
    on_phase: &(dyn Fn(Phase) + Sync),
) -> Result<(usize, usize), Vec<Diagnostic>> {
    let ReadPlan { config, rules, release, .. } = prepare(files, choices)?.value;
    let on_read = |done, all| on_phase(Phase::Reading { done, all });
    sources::read_partition(files, &config, &rules, &release, cache, partition, &on_read)
}

/// Returns the configuration and the gate of a site, without reading its sources.
pub fn gate_of(
    files: &dyn Files,
    choices: &Choices,
) -> Result<(Arc<Config>, Gate), Vec<Diagnostic>> {
    let ReadPlan { config, gate, .. } = prepare(files, choices)?.value;
    Ok((config, gate))
}

/// Everything that reading depends on.
struct ReadPlan {
    config: Arc<Config>,
    deploy_context: DeployContext,
    gate: Gate,
    rules: Rules,
    release: Release,
}

fn prepare(files: &dyn Files, choices: &Choices) -> Result<WithNotes<ReadPlan>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let edits = edits(files)?;
    let (config, deploy_context) = configure(files, choices, &edits)?.take(&mut notes);
    let (config, gate) = guard(files, config, choices)?.take(&mut notes);
    let config = Arc::new(config);
    // A folder that was moved away must not look like an empty one.
    files.require(&config.content).map_err(|note| vec![*note])?;
    let rules = Rules::new(&config, gate.clone())?.take(&mut notes);
    let rules = rules.with_edits(edits, &config, choices.allows_unmatched_edits)?;
    let release = Release { today: choices.today, ..choices.release };
    Ok(WithNotes { value: ReadPlan { config, deploy_context, gate, rules, release }, notes })
}

/// Reads `site.toml` and the files next to it that complete it.
fn configure(
    files: &dyn Files,
    choices: &Choices,
    edits: &Edits,
) -> Result<WithNotes<(Config, DeployContext)>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let text = files.read(&RelPath::new("site.toml")).map_err(|note| vec![*note])?;
    let text = String::from_utf8_lossy(&text);
    let environment = &choices.environment;
    let mut config = config::load_at(&text, environment)?.take(&mut notes);
    config.markdown |= choices.needs_markdown;
    let deploy_context = environment.deploy_context(&config);
    let at = config.places.of("language");
    let locale = Locale::load(files, &config.language, at).take(&mut notes);
    config.locale = Arc::new(locale);
    if config.publish == Publish::Listed {
        let list = files.read(&RelPath::new(PublishList::FILE)).map_err(|note| {
            let hint = "`publish = \"listed\"` in site.toml needs this file: create it with `convo-site import`, \
                        or set `publish = \"all\"`";
            vec![note.hint(hint)]
        })?;
        let list = PublishList::parse(&String::from_utf8_lossy(&list))?;
        config.publish_list = Some(Arc::new(list));
    }
    config.edits_open_chats = edits.open_chats();
    config.people_key = match choices.people_key.filter(|_| config.uses_pseudonyms()) {
        None => {
            let key = people::key_or(files, &config, choices.fallback_people_key);
            key.map_err(|note| vec![*note])?.take(&mut notes)
        }
        given => given,
    };
    Ok(WithNotes { value: (config, deploy_context), notes })
}

/// Reads the author's edits of conversations next to `site.toml`, if there are any.
fn edits(files: &dyn Files) -> Result<Edits, Vec<Diagnostic>> {
    let name = RelPath::new(Edits::FILE);
    if !files.has(&name) {
        return Ok(Edits::default());
    }
    let text = files.read(&name).map_err(|note| vec![*note])?;
    Edits::parse(&text)
}

/// Creates the gate, and redacts secrets in the texts of `site.toml`.
fn guard(
    files: &dyn Files,
    mut config: Config,
    choices: &Choices,
) -> Result<WithNotes<(Config, Gate)>, Vec<Diagnostic>> {
    let named = people::named_by_site(&config);
    if !named.is_empty() {
        return Err(named);
    }
    let mut notes = people::everyday_names(&config);
    let gate = gate(files, &config, choices)?;
    let places = config.places.clone();
    config.for_each_shown_text(&mut |key, text| {
        if let Some((secret, _)) = gate.first_secret("site.toml", text) {
            let message =
                format!("this setting contains a secret ({secret}), which is redacted on pages");
            let note = Diagnostic::new(Severity::Error, "secret-in-site", message);
            let note = note.hint("remove it, and revoke it if the site was published");
            notes.push(Diagnostic { at: Some(places.of(key)), ..note });
        }
        *text = gate.clean(None, std::mem::take(text));
    });
    Ok(WithNotes { value: (config, gate), notes })
}

/// Creates the gate, with the baseline next to `site.toml`, if there is one.
fn gate(files: &dyn Files, config: &Config, choices: &Choices) -> Result<Gate, Vec<Diagnostic>> {
    let name = RelPath::new(gate::baseline::FILE);
    let mut baseline = Baseline::default();
    if files.has(&name) {
        let text = files.read(&name).map_err(|note| vec![*note])?;
        baseline = Baseline::read(&String::from_utf8_lossy(&text), choices.today)?;
    }
    if let Some(key) = choices.key.filter(|_| !baseline.has_key()) {
        baseline = Baseline::with_key(key);
    }
    Gate::new(config, baseline, choices.env.clone())
}
