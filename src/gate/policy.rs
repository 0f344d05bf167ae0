//! The policy: which action applies to each finding.

use std::collections::HashMap;

use crate::config::{Action, Config, GatePolicy};
use crate::diag::{Diagnostic, Severity};
use crate::secrets::{self, Rule, RuleKind, RuleSet, Tier};
use crate::text::closest;

/// The policy for the files of one `[[source]]`, or for all others. Settings of the `[[source]]` override
/// those of the site, and settings for a rule override those for a tier.
#[derive(Clone, Debug)]
pub struct Policy {
    levels: [Level; 3],
    /// The rules with an action other than `off`.
    pub(super) wanted: RuleSet,
    /// Whether to replace home folders with `~`.
    pub(super) hides_homes: bool,
}

/// The policies for a set of files.
#[derive(Clone, Debug)]
pub(super) struct Policies {
    pub(super) usual: Policy,
    /// The policy for messages between people, which redacts contact details.
    pub(super) of_messages: Policy,
}

impl Policies {
    pub(super) fn new(site: &GatePolicy, source: &GatePolicy) -> Self {
        let hides_homes = source.home_folders.or(site.home_folders).unwrap_or(true);
        let with =
            |usual: Level| Policy::of([Level::new(source), Level::new(site), usual], hides_homes);
        Self {
            usual: with(Level::default()),
            of_messages: with(Level { personal: Some(Action::Redact), ..Level::default() }),
        }
    }

    /// Returns both policies.
    pub(super) fn all(&self) -> [&Policy; 2] {
        [&self.usual, &self.of_messages]
    }

    /// Returns policies that do nothing.
    pub(super) fn open() -> Self {
        let levels = [Level::all(Action::Off), Level::default(), Level::default()];
        let open = Policy::of(levels, false);
        Self { usual: open.clone(), of_messages: open }
    }
}

/// The settings of one table.
#[derive(Clone, Debug, Default)]
struct Level {
    rules: HashMap<String, Action>,
    certain: Option<Action>,
    likely: Option<Action>,
    possible: Option<Action>,
    personal: Option<Action>,
}

impl Level {
    fn new(policy: &GatePolicy) -> Self {
        let rules = policy.rules.iter().map(|(id, action)| (id.text.clone(), *action));
        Self {
            rules: rules.collect(),
            certain: policy.certain,
            likely: policy.likely,
            possible: policy.possible,
            personal: policy.personal.map(Action::from),
        }
    }

    fn all(action: Action) -> Self {
        let action = Some(action);
        let rules = HashMap::new();
        Self { rules, certain: action, likely: action, possible: action, personal: action }
    }

    fn of(&self, kind: RuleKind, tier: Tier) -> Option<Action> {
        match (kind, tier) {
            (RuleKind::Personal, _) => self.personal,
            (RuleKind::Secret, Tier::Certain) => self.certain,
            (RuleKind::Secret, Tier::Likely) => self.likely,
            (RuleKind::Secret, Tier::Possible) => self.possible,
        }
    }
}

impl Policy {
    fn of(levels: [Level; 3], hides_homes: bool) -> Self {
        let tiers = [Tier::Certain, Tier::Likely, Tier::Possible];
        let wanted = RuleSet::of(|rule| {
            tiers.into_iter().any(|tier| action(&levels, rule, tier) != Action::Off)
        });
        Self { levels, wanted, hides_homes }
    }

    /// Returns the action for a finding of a rule.
    pub(super) fn action(&self, rule: &Rule, tier: Tier) -> Action {
        action(&self.levels, rule, tier)
    }

    /// Returns the action for a secret that is known by its value.
    pub(super) fn exact(&self) -> Action {
        let set = self.levels.iter().find_map(|level| level.certain);
        set.unwrap_or(default_action(RuleKind::Secret, Tier::Certain))
    }
}

fn action(levels: &[Level], rule: &Rule, tier: Tier) -> Action {
    let mut set = levels
        .iter()
        .filter_map(|level| level.rules.get(rule.id).copied().or(level.of(rule.kind, tier)));
    set.next().unwrap_or(default_action(rule.kind, tier))
}

fn default_action(kind: RuleKind, tier: Tier) -> Action {
    match (kind, tier) {
        (RuleKind::Personal, _) => Action::Off,
        (RuleKind::Secret, Tier::Certain | Tier::Likely) => Action::Hold,
        (RuleKind::Secret, Tier::Possible) => Action::Warn,
    }
}

/// Returns an error for each unknown rule in the configuration.
pub(super) fn unknown_rules(config: &Config) -> Vec<Diagnostic> {
    let of_sources = config.source.iter().map(|source| &source.gate);
    let named = std::iter::once(&config.gate).chain(of_sources);
    let named = named.flat_map(|policy| policy.rules.iter());
    let mut notes = Vec::new();
    for (id, action) in named {
        let (message, hint) = match secrets::rule(&id.text) {
            None => {
                let near = closest(&id.text, secrets::rules().map(|rule| rule.id));
                let message = format!("unknown rule `{}`", id.text);
                let hint = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "each finding is reported with the id of its rule".to_owned(),
                };
                (message, hint)
            }
            Some(rule) if rule.kind == RuleKind::Personal && *action == Action::Hold => {
                let message =
                    format!("`{}` finds personal data, which cannot be set to \"hold\"", rule.id);
                (message, "use \"redact\", \"warn\" or \"off\"".to_owned())
            }
            Some(_) => continue,
        };
        let note = Diagnostic::new(Severity::Error, "bad-value", message).hint(hint);
        let note = note.hint("nothing is written until this is fixed");
        notes.push(Diagnostic { at: id.at.clone(), ..note });
    }
    notes
}
