//! The whole pipeline on one page.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use crate::config::{self, BuildEnvironment, Config, DeployContext, Publish, PublishList};
use crate::diag::{self, Diagnostic, Noted, Severity};
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
use crate::site::{self, Address, Alias, PlanCache};
use crate::sources::{self, Coverage, HeldBack, Reason, Release, Rules, SourceCache, TextStore};
use crate::theme::Theme;

/// A build: a site that was read and planned, and of which nothing was made yet.
pub struct Build {
    /// What was chosen.
    pub config: Arc<Config>,
    /// What the environment decided about it.
    pub deploy_context: DeployContext,
    /// Every file of the site.
    pub outputs: Outputs,
    /// The address of each conversation.
    pub addresses: Vec<Address>,
    /// Old addresses, as paths of the output.
    pub aliases: BTreeMap<String, Alias>,
    /// The notes, in the order of files.
    pub notes: Vec<Diagnostic>,
    /// Number of conversations on the site.
    pub conversations: u64,
    /// Number of pages.
    pub pages: u64,
    /// The conversations that are not on the site, and why.
    pub held_back: Vec<HeldBack>,
    /// What the gate found in conversations that would be published otherwise.
    pub findings: Vec<Finding>,
    /// The conversations in which something is redacted.
    pub redacted: HashSet<Hash>,
    /// What looks for secrets, and takes them out of what is told.
    pub gate: Gate,
    /// What became of the files of the content folder.
    pub coverage: Coverage,
    /// The conversations that are on the site because that was asked for: what holds them back
    /// usually, title and file.
    pub withheld: Vec<(Reason, String, String)>,
    /// The documents of the search index.
    pub documents: Vec<Arc<Document>>,
    /// Their texts.
    pub texts: Arc<TextStore>,
    /// The search index, of which nothing was made yet either.
    pub index: Arc<Index>,
    /// Number of fields that sources have and no page shows.
    pub unpublished_fields: u64,
    /// Number of things that a placeholder stands for.
    pub placeholders: u64,
}

/// The caches of a build. They make it fast and change nothing about it.
#[derive(Default)]
pub struct Memo {
    /// Sources that were read.
    pub sources: SourceCache,
    /// Plans of the pages of conversations, for programs that plan again and again.
    pub plans: Option<PlanCache>,
    /// Highlighted code.
    pub highlights: Arc<Highlights>,
    /// Runs of the search index.
    pub runs: Arc<RunCache>,
}

impl Memo {
    /// Creates the caches from what was stored by an earlier build.
    pub fn new(sources: SourceCache, highlights: Highlights, runs: RunCache) -> Self {
        let highlights = Arc::new(highlights.bound(MAX_HIGHLIGHTS_BYTES));
        Self { sources, plans: None, highlights, runs: Arc::new(runs) }
    }

    /// Removes what was not used since the last sweep, from all caches in which each build uses all
    /// that it needs. It is for an end, after success.
    pub fn sweep(&self) {
        self.sources.sweep();
        self.plans.iter().for_each(PlanCache::sweep);
        self.runs.sweep();
    }
}

/// Choices of a command that complete or override `site.toml`.
#[derive(Clone, Default)]
pub struct Choices {
    /// What is on the site although it is held back usually.
    pub release: Release,
    /// What says where the site will stand, besides `site.toml`.
    pub environment: BuildEnvironment,
    /// Values that are secrets wherever they stand.
    pub env: EnvValues,
    /// The day of the build, by which conversations are on the site, and accepted findings may have
    /// ended.
    pub today: Option<gate::baseline::Day>,
    /// The secret from which names are made up, where it does not stand in its file.
    pub people_key: Option<Hash>,
    /// The secret from which names are made up for now, where the site has none yet.
    pub fallback_people_key: Option<Hash>,
    /// The key under which findings are told, for a site whose baseline has none.
    pub key: Option<[u8; 32]>,
    /// The partition whose outputs are made, where that is not all of them. The plan is the same.
    pub partition: Option<Partition>,
}

/// A phase of the pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Sources are read.
    Reading,
    /// Pages and files are planned.
    Planning,
}

/// Reads everything, plans everything. Makes nothing, writes nothing. What `memo` knows need not
/// be found out again; a build is the same without it. `tell` hears when a phase begins.
///
/// The errors are those of a `site.toml` that is missing, no TOML, or wrong in what decides which
/// files are published, and of a folder of conversations that is missing: nothing can be planned
/// without them.
pub fn run(
    files: &SharedFiles,
    choices: &Choices,
    memo: &Memo,
    tell: &dyn Fn(Phase),
) -> Result<Build, Vec<Diagnostic>> {
    tell(Phase::Reading);
    let mut notes = Vec::new();
    let ReadPlan { config, deploy_context, gate, rules, release } =
        prepare(files.as_ref(), choices)?.take(&mut notes);
    // `site.toml` names people, and notes on it say whom.
    let on_config = notes.len();
    let archive =
        sources::read(files.as_ref(), &config, &rules, &release, &memo.sources)?.take(&mut notes);
    tell(Phase::Planning);
    let mut site = site::plan(&archive, &config, memo.plans.as_ref());
    notes.append(&mut site.notes);
    let theme = Theme::load(files.as_ref(), &config).take(&mut notes);
    notes.extend(theme.secrets(&gate));
    let texts = Arc::new(TextStore::new(files.clone(), rules));
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

/// Reads the sources of a partition into the cache, as [`run`] reads all of them, and does nothing
/// else. Returns how many these are, and how many sources there are. The errors are those of [`run`].
pub fn read(
    files: &dyn Files,
    choices: &Choices,
    cache: &SourceCache,
    partition: Partition,
) -> Result<(usize, usize), Vec<Diagnostic>> {
    let ReadPlan { config, rules, release, .. } = prepare(files, choices)?.value;
    sources::read_partition(files, &config, &rules, &release, cache, partition)
}

/// Returns the configuration and the gate of a site, without reading its sources.
pub fn gate_of(
    files: &dyn Files,
    choices: &Choices,
) -> Result<(Arc<Config>, Gate), Vec<Diagnostic>> {
    let ReadPlan { config, gate, .. } = prepare(files, choices)?.value;
    Ok((config, gate))
}

/// What reading goes by.
struct ReadPlan {
    config: Arc<Config>,
    deploy_context: DeployContext,
    gate: Gate,
    rules: Rules,
    release: Release,
}

fn prepare(files: &dyn Files, choices: &Choices) -> Result<Noted<ReadPlan>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let (config, deploy_context) = configure(files, choices)?.take(&mut notes);
    let (config, gate) = guard(files, config, choices)?.take(&mut notes);
    let config = Arc::new(config);
    // One that was moved away must not look like one that was emptied.
    files.require(&config.content).map_err(|note| vec![*note])?;
    let rules = Rules::new(&config, gate.clone())?.take(&mut notes);
    let release = Release { today: choices.today, ..choices.release };
    Ok(Noted { value: ReadPlan { config, deploy_context, gate, rules, release }, notes })
}

/// Reads `site.toml`, and the files beside it that complete it.
fn configure(
    files: &dyn Files,
    choices: &Choices,
) -> Result<Noted<(Config, DeployContext)>, Vec<Diagnostic>> {
    let mut notes = Vec::new();
    let text = files.read(&RelPath::new("site.toml")).map_err(|note| vec![*note])?;
    let text = String::from_utf8_lossy(&text);
    let environment = &choices.environment;
    let mut config = config::load_at(&text, environment)?.take(&mut notes);
    let deploy_context = environment.deploy_context(&config);
    let at = config.places.of("language");
    let locale = Locale::load(files, &config.language, at).take(&mut notes);
    config.locale = Arc::new(locale);
    if config.publish == Publish::Listed {
        let list = files.read(&RelPath::new(PublishList::FILE)).map_err(|note| vec![*note])?;
        let list = PublishList::parse(&String::from_utf8_lossy(&list))?;
        config.publish_list = Some(Arc::new(list));
    }
    config.people_key = match choices.people_key.filter(|_| config.makes_up_names()) {
        None => {
            let key = people::key_or(files, &config, choices.fallback_people_key);
            key.map_err(|note| vec![*note])?.take(&mut notes)
        }
        given => given,
    };
    Ok(Noted { value: (config, deploy_context), notes })
}

/// Makes what looks for secrets, and takes out of the texts of `site.toml` what it finds there.
fn guard(
    files: &dyn Files,
    mut config: Config,
    choices: &Choices,
) -> Result<Noted<(Config, Gate)>, Vec<Diagnostic>> {
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
    Ok(Noted { value: (config, gate), notes })
}

/// Returns what looks for secrets, with the baseline beside `site.toml`, if there is one.
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
