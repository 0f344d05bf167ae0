//! The `[[source]]` rules of the configuration, which apply to files and their contents.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::edit_table::{EditTable, SourceEdits};
use super::history::{is_history, path_in_work_tree};
use super::patterns::{Patterns, literal_prefix, nearest, normalized};
use super::plain_page::is_in_folder;
use super::publication::{Candidate, Publication};
use super::reason::Reason;
use super::source::{Opened, Source};
use super::stored_paths::PathKey;
use crate::config::{Config, Download, Edits, LocatedText, SourceRule, Updated};
use crate::diag::{Diagnostic, Location, Severity, WithNotes};
use crate::files::FileInfo;
use crate::formats::{self, OpenServers};
use crate::gate::Gate;
use crate::hash::Hash;
use crate::json::Value;
use crate::locale::languages;
use crate::model::{Conversation, Schedule, Split};
use crate::people::{FileNames, NameFinder, People};
use crate::query::choice::{Choice, Chooser};
use crate::text::{closest, normalized_name};
use crate::time::Time;

/// The compiled rules.
#[derive(Clone, Debug)]
pub struct Rules {
    of_files: Vec<CompiledRule>,
    /// The time zone in which all times are shown.
    time_zone: Option<String>,
    /// The default language of conversations.
    language: String,
    publication: Publication,
    /// The author's edits of single conversations.
    pub(crate) edits: EditTable,
    /// The people of the site.
    people: People,
    /// The files to which names of `[people]` apply.
    people_files: Vec<Patterns>,
    /// The gate, which finds secrets.
    pub(crate) gate: Gate,
    /// Whether readers can download the files that conversations were read from.
    pub(crate) offers_originals: bool,
    /// The source of the dates of the last change.
    updated: Updated,
    /// The content folder.
    pub(crate) content: String,
    /// The servers whose tools are open in all sources.
    open_servers: Vec<String>,
    /// The key for hashing paths in the cache.
    pub(crate) path_key: PathKey,
    /// The hash of all rules, except the gate and the edits, which record their changes themselves.
    pub hash: Hash,
}

/// A rule with its compiled patterns.
#[derive(Clone, Debug)]
struct CompiledRule {
    files: Patterns,
    format: Option<&'static str>,
    /// The queries of `include`, followed by those of `exclude`.
    choices: Vec<Choice>,
    rule: SourceRule,
}

/// Checks whether a conversation is selected by the queries of a rule and by what the site
/// publishes.
pub(crate) struct Selection<'a> {
    rule: Option<RuleSelection<'a>>,
    candidate: Option<Candidate<'a>>,
}

struct RuleSelection<'a> {
    chooser: Chooser<'a>,
    /// The number of `include` queries.
    includes: usize,
}

/// The result of a [`Selection`].
#[derive(Default)]
pub(crate) struct Verdict {
    /// Why the conversation is not selected, if it is not.
    pub(crate) exclusion: Option<Reason>,
    /// Whether a query of `exclude` matches.
    pub(crate) is_excluded: bool,
    /// Which queries of the rule match.
    pub(crate) matched: Vec<bool>,
    /// Which lines of publish.toml match.
    pub(crate) listed_by: Vec<bool>,
}

impl Selection<'_> {
    /// Adds a part of the conversation.
    pub(crate) fn add(&mut self, part: &Conversation) {
        if let Some(rule) = &mut self.rule {
            rule.chooser.add(part);
        }
        if let Some(candidate) = &mut self.candidate {
            candidate.add(part);
        }
    }

    /// Returns the result for the parts added so far.
    pub(crate) fn finish(&self) -> Verdict {
        let by_rule = self.rule.as_ref().map(RuleSelection::finish).unwrap_or_default();
        let candidate = self.candidate.as_ref().map(Candidate::finish);
        let (exclusion, listed_by) = candidate.unwrap_or_default();
        Verdict { exclusion: by_rule.exclusion.or(exclusion), listed_by, ..by_rule }
    }
}

impl RuleSelection<'_> {
    fn finish(&self) -> Verdict {
        let matched = self.chooser.finish();
        let (include, exclude) = matched.split_at(self.includes.min(matched.len()));
        let is_in = include.is_empty() || include.contains(&true);
        let is_excluded = exclude.contains(&true);
        let exclusion = (!is_in || is_excluded).then_some(Reason::Excluded);
        Verdict { exclusion, is_excluded, matched, listed_by: Vec::new() }
    }
}

/// The combined rules for a file.
#[derive(Clone, Copy, Default)]
pub(crate) struct RuleMatch {
    /// The first rule that matches.
    pub(crate) rule: Option<usize>,
    /// Whether it is private, by the first matching rule that sets its visibility.
    pub(crate) private: bool,
    /// Whether that rule makes it public, and with it direct messages.
    pub(crate) opened: Opened,
    /// When it may be published, by the first matching rules that set it.
    pub(crate) schedule: Schedule,
    /// Whether it is ignored.
    pub(crate) ignored: bool,
}

impl Rules {
    /// Compiles the rules. If any of them is invalid, returns none of them, because it may keep
    /// files private.
    pub fn new(config: &Config, gate: Gate) -> Result<WithNotes<Self>, Vec<Diagnostic>> {
        let mut notes = Vec::new();
        let zone = config.time_zone.as_str();
        if !zone.is_empty() && !is_zone(zone) {
            let note = Diagnostic::new(Severity::Error, "bad-value", unknown_zone(zone));
            let at = Some(config.places.of("time_zone"));
            notes.push(Diagnostic { at, ..note.hint(ZONE_HINT) });
        }
        let time_zone = Some(zone.to_owned()).filter(|zone| is_zone(zone));
        let mut of_files = Vec::new();
        let mut wrong = Vec::new();
        for rule in &config.source {
            match CompiledRule::new(rule, config) {
                Ok(compiled) => of_files.push(compiled),
                Err(notes) => wrong.extend(notes),
            }
        }
        let people = People::new(config).map_err(|note| vec![*note])?;
        let mut people_files = Vec::new();
        for pattern in people.scopes() {
            match Patterns::new(&pattern.text, config, false) {
                Ok(files) => people_files.push(files),
                Err(why) => {
                    let message = format!("invalid `in` of a name in `[people]`: {why}");
                    let note = Diagnostic::new(Severity::Error, "bad-value", message);
                    let hint = "use a folder or a pattern such as `exports/**`; nothing is \
                                written until this is fixed";
                    wrong.push(Diagnostic { at: pattern.at.clone(), ..note.hint(hint) });
                }
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let publication = Publication::new(config)?;
        let language = config.language.clone();
        let people_hash = (&config.people, config.people_key);
        let published = (&config.publish_list, config.review);
        let sources: Vec<_> = config.source.iter().map(SourceRule::without_gate).collect();
        let own = (sources, &config.time_zone, &language, &config.open_servers);
        let hash = Hash::of(&(own, published, people_hash));
        let content = config.content.clone();
        let path_key = PathKey(Hash::of(&(config.people_key, gate.key())));
        let rules = Self {
            of_files,
            path_key,
            time_zone,
            language,
            publication,
            edits: EditTable::default(),
            people,
            people_files,
            gate,
            offers_originals: config.downloads.contains(&Download::Original),
            updated: config.updated,
            content,
            open_servers: config.open_servers.clone(),
            hash,
        };
        Ok(WithNotes { value: rules, notes })
    }

    /// Adds the author's edits of conversations, or returns what is wrong with them. `allows_unmatched` is whether an
    /// edit that matches nothing is never an error.
    pub fn with_edits(
        self,
        edits: Edits,
        config: &Config,
        allows_unmatched: bool,
    ) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { edits: EditTable::new(edits, config, allows_unmatched)?, ..self })
    }

    /// Returns the names that patterns for a source can match: those of its files and their containers.
    fn names_of(&self, source: &Source) -> impl Iterator<Item = String> {
        let paths = source.files.iter().chain(&source.containers);
        paths.flat_map(|path| names(&self.content, path.as_str()))
    }

    /// Returns the edits that may be about conversations of a source.
    pub(crate) fn edits_of(&self, source: &Source) -> SourceEdits<'_> {
        let names = self.names_of(source).filter(|_| !self.edits.is_empty());
        self.edits.of_source(names)
    }

    /// Applies the author's edits to the conversations of a source, and returns the hashes of their ids.
    pub(crate) fn edit(&self, source: &Source, conversations: &mut [Conversation]) -> Vec<Hash> {
        let edits = (!self.edits.is_empty()).then(|| self.edits_of(source));
        let file = (source.name_for_readers(source.file()), source.label());
        let mut all = Vec::new();
        for read in conversations {
            let mut ids = self.people.ids_of(read);
            if let Some(edits) = &edits {
                edits.apply(&ids, file, &self.gate, |time| self.shown(time), read);
            }
            all.append(&mut ids);
        }
        all
    }

    /// Matches a file against the rules. Its path is relative to the site folder. `container` is
    /// the path of the archive or packed file that contains it; rules for the container apply too.
    pub(crate) fn of(&self, config: &Config, path: &str, container: Option<&str>) -> RuleMatch {
        let content = config.content.as_str();
        if self.of_files.is_empty() || is_in_folder(path, content) {
            return RuleMatch::default();
        }
        let mut names = names(content, path);
        names.extend(container.into_iter().flat_map(|path| self::names(content, path)));
        let fits = |compiled: &&CompiledRule| compiled.is_about(&names);
        let fitting = || self.of_files.iter().filter(fits).map(|compiled| &compiled.rule);
        let schedule = Schedule {
            draft: fitting().find_map(|rule| rule.draft) == Some(true),
            publish: fitting()
                .find_map(|rule| rule.publish.as_ref())
                .map(|moment| moment.0.next_whole_day()),
            expires: fitting()
                .find_map(|rule| rule.expires.as_ref())
                .map(|moment| moment.0.day_in_utc()),
        };
        let stating = fitting().find(|rule| rule.visibility.is_some());
        let rule = self.of_files.iter().position(|compiled| compiled.is_about(&names));
        RuleMatch {
            rule,
            ignored: rule.is_some_and(|rule| self.of_files[rule].rule.ignore),
            private: stating.is_some_and(|rule| !rule.opens()),
            opened: Opened::by(stating),
            schedule,
        }
    }

    /// Returns a diagnostic for each rule, and each `in` of a name, that matches no file, and for each rule that
    /// earlier rules leave no file. If an unmatched one keeps files or names private, that is fatal,
    /// because the files may have moved. Rules apply to files of the content folder, names also to `pages`.
    pub(crate) fn check(
        &self,
        config: &Config,
        listed: &[FileInfo],
        pages: &[FileInfo],
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        // The rules that are not the first one of any file yet, with an earlier rule of one of their files.
        let mut idle: Vec<(&CompiledRule, Option<&CompiledRule>)> =
            self.of_files.iter().map(|compiled| (compiled, None)).collect();
        let mut scopes: Vec<(&LocatedText, &Patterns)> =
            self.people.scopes().iter().zip(&self.people_files).collect();
        for (at, file) in listed.iter().chain(pages).enumerate() {
            if idle.is_empty() && scopes.is_empty() {
                break;
            }
            let names = names(&config.content, file.path.as_str());
            if at < listed.len() && !idle.is_empty() {
                let first = self.of_files.iter().find(|compiled| compiled.is_about(&names));
                idle.retain_mut(|(compiled, earlier)| match first {
                    Some(first) if std::ptr::eq(*compiled, first) => false,
                    Some(first) if earlier.is_none() && compiled.is_about(&names) => {
                        *earlier = Some(first);
                        true
                    }
                    _ => true,
                });
            }
            scopes.retain(|(_, files)| !names.iter().any(|name| files.is_match(name)));
        }
        let mut notes = Vec::new();
        let mut is_fatal = false;
        if idle.is_empty() && scopes.is_empty() || listed.is_empty() {
            return Ok(notes);
        }
        let paths = paths(config, listed);
        for (CompiledRule { rule, .. }, earlier) in idle {
            if let Some(earlier) = earlier {
                notes.extend(shadowed_note(rule, &earlier.rule));
                continue;
            }
            let message = format!("no file matches `{}`", rule.files.text);
            let note = Diagnostic::new(Severity::Error, "unmatched-rule", message);
            let selects = !rule.include.is_empty() || !rule.exclude.is_empty();
            let moved = (rule.holds_back() || selects).then_some("the files to withhold");
            is_fatal |= moved.is_some();
            let note = note.hint(unmatched_hint(config, &rule.files, &paths, moved));
            notes.push(Diagnostic { at: rule.files.at.clone(), ..note });
        }
        let people = config.people.listed.iter().filter(|person| person.pseudonym);
        let aliases = people.flat_map(|person| &person.aliases);
        let hidden: Vec<&LocatedText> = aliases.filter_map(|alias| alias.scope.as_ref()).collect();
        for (scope, _) in scopes {
            let private = hidden.iter().copied().find(|hidden| *hidden == scope);
            let severity = match private {
                Some(_) => Severity::Error,
                None => Severity::Warning,
            };
            let text = &scope.text;
            let message = format!("no file matches `{text}`, the `in` of a name in `[people]`");
            let note = Diagnostic::new(severity, "unmatched-rule", message);
            let moved = private.map(|_| "the files with the real name");
            is_fatal |= moved.is_some();
            let note = note.hint(unmatched_hint(config, scope, &paths, moved));
            notes.push(Diagnostic { at: private.unwrap_or(scope).at.clone(), ..note });
        }
        if is_fatal { Err(notes) } else { Ok(notes) }
    }

    /// Returns the format that a rule sets.
    pub(crate) fn format(&self, rule: Option<usize>) -> Option<&'static str> {
        self.of_files.get(rule?)?.format
    }

    /// Returns where channels are split into conversations, if a rule sets it.
    pub(crate) fn split(&self, rule: Option<usize>) -> Option<Split> {
        self.of_files.get(rule?)?.rule.split
    }

    /// Returns the servers whose tool input and output may be shown.
    pub(crate) fn open_servers(&self, rule: Option<usize>) -> OpenServers {
        let rule = rule.and_then(|rule| self.of_files.get(rule));
        let own = rule.map_or(&[][..], |compiled| &compiled.rule.open_servers);
        OpenServers::new(self.open_servers.iter().chain(own).map(String::as_str))
    }

    /// Returns the recording of a source, if a rule names it.
    pub(crate) fn media(&self, rule: Option<usize>) -> Option<&LocatedText> {
        self.of_files.get(rule?)?.rule.media.as_ref()
    }

    /// Returns whether the conversations of a source are episodes of the site's podcast.
    pub(crate) fn is_podcast(&self, rule: Option<usize>) -> bool {
        let rule = rule.and_then(|rule| self.of_files.get(rule));
        rule.is_some_and(|compiled| compiled.rule.podcast)
    }

    /// Returns whether the repository history provides the date of a source's last change.
    pub(crate) fn asks_git(&self, rule: Option<usize>) -> bool {
        let rule = rule.and_then(|rule| self.of_files.get(rule));
        let own = rule.and_then(|compiled| compiled.rule.updated);
        own.unwrap_or(self.updated) == Updated::Git
    }

    /// Converts a time to the time zone in which all times are shown.
    pub(crate) fn shown(&self, time: Time) -> Time {
        let zone = self.time_zone.as_ref();
        zone.and_then(|zone| time.clone().in_zone(zone)?.shown_in(zone)).unwrap_or(time)
    }

    /// Starts to check whether a conversation of a source is selected. The first part must still be
    /// added, like every other part. Returns `None` if there are no conditions.
    pub(crate) fn selection(&self, source: &Source, first: &Conversation) -> Option<Selection<'_>> {
        // A text in the pages folder is already selected by its author.
        if is_in_folder(source.file().as_str(), &self.content) {
            let candidate = Some(self.publication.chosen_page()?);
            return Some(Selection { rule: None, candidate });
        }
        let is_section = source.is_section();
        let rule = source.rule.and_then(|rule| self.of_files.get(rule));
        let rule = rule.filter(|compiled| !compiled.choices.is_empty() && !is_section);
        let rule = rule.map(|CompiledRule { choices, rule, .. }| RuleSelection {
            chooser: Chooser::new(choices, first, &self.language),
            includes: rule.include.len(),
        });
        let names = self.names_of(source);
        let candidate = self.publication.candidate(names, first, &self.language, is_section);
        (rule.is_some() || candidate.is_some()).then_some(Selection { rule, candidate })
    }

    /// Returns whether a conversation of a source is selected.
    pub(crate) fn chooses(&self, source: &Source, read: &Conversation) -> bool {
        self.selection(source, read).is_none_or(|mut selection| {
            selection.add(read);
            selection.finish().exclusion.is_none()
        })
    }

    /// Returns diagnostics for lines of publish.toml that match no conversation. `matched` says which
    /// lines match.
    pub(crate) fn unmatched_in_list(&self, matched: &[bool]) -> Vec<Diagnostic> {
        self.publication.unmatched(matched)
    }

    /// Returns a diagnostic for each query that matches none of the conversations its rule applies
    /// to. `matched` says for these rules which queries match.
    pub(crate) fn unmatched(&self, matched: &BTreeMap<usize, Vec<bool>>) -> Vec<Diagnostic> {
        let mut notes = Vec::new();
        for (rule, matched) in matched {
            let Some(CompiledRule { rule, .. }) = self.of_files.get(*rule) else {
                continue;
            };
            let queries = rule.include.iter().chain(&rule.exclude).zip(matched);
            for (at, (query, _)) in queries.enumerate().filter(|(_, (_, matched))| !**matched) {
                let is_include = at < rule.include.len();
                let (key, severity) = match is_include {
                    true => ("include", Severity::Error),
                    false => ("exclude", Severity::Warning),
                };
                let message = format!("`{}` in `{key}` matches no conversation", query.text);
                let note = Diagnostic::new(severity, "unmatched-filter", message);
                let hint = "check the spelling: a conversation must contain every word of the \
                            query, and none of the words after `-`";
                notes.push(Diagnostic { at: query.at.clone(), ..note.hint(hint) });
            }
        }
        notes
    }

    /// Replaces names of people in the conversations of a source, and in its diagnostics.
    pub(crate) fn rename(
        &self,
        source: &Source,
        conversations: &mut Vec<Conversation>,
        notes: &mut Vec<Diagnostic>,
    ) {
        if conversations.iter().all(|read| self.people.is_empty(read)) {
            return;
        }
        if let Some(neighbours) = &source.neighbours {
            let renamed = conversations.iter_mut().filter(|read| self.people.renames_others(read));
            renamed.for_each(|read| neighbours.introduce(read));
        }
        let names: Vec<String> = self.names_of(source).collect();
        let fits = |files: &Patterns| names.iter().any(|name| files.is_match(name));
        let in_scope: Vec<bool> = self.people_files.iter().map(fits).collect();
        let title = source.name_for_readers(source.file());
        let file = FileNames { title, label: source.label() };
        let before = notes.len();
        self.people.apply(&in_scope, file, conversations, notes, formats::text_of);
        for note in notes.iter_mut().skip(before).filter(|note| note.at.is_none()) {
            note.at = Some(Location { file: source.label().to_owned(), span: None });
        }
    }

    /// Returns whether a text contains the name of a listed person whose name is hidden on the
    /// site.
    pub(crate) fn contains_name(&self, text: &str) -> bool {
        self.people.mentions_name(text)
    }

    /// Returns whether a text contains a name that must not be in any file.
    pub(crate) fn contains_name_everywhere(&self, text: &str) -> bool {
        self.people.mentions_unscoped_name(text)
    }

    /// Returns a finder for names of people who are not listed; `None` if there are too many.
    pub(crate) fn finder(&self, names: &[String]) -> Option<NameFinder> {
        self.people.finder(names)
    }

    /// Returns whether the names of a conversation should be replaced and cannot be.
    pub(crate) fn cannot_rename(&self, read: &Conversation) -> bool {
        self.people.cannot_rename(read)
    }

    /// Removes redacted text and hidden names from a text for a report: names of listed people, and
    /// those that `others` finds.
    pub(crate) fn clean(&self, text: &mut String, others: Option<&NameFinder>) {
        self.people.replace_in_report(text, others);
        if let Cow::Owned(masked) = self.gate.masked(text) {
            *text = masked;
        }
    }

    /// Returns whether a path contains anything that must not be published: a name with a
    /// pseudonym, or redacted or withheld text.
    pub(crate) fn reveals_name(&self, path: &str) -> bool {
        let cleaned = self.gate.clean(None, path.to_owned());
        let is_changed =
            cleaned != path && formats::without_homes(path).is_none_or(|plain| plain != cleaned);
        is_changed || self.contains_name(path)
    }

    /// Applies a rule, and the settings for all files, to a conversation.
    pub(crate) fn apply(&self, rule: Option<usize>, read: &mut Conversation) {
        read.excluded_from_search |= read.extra.get("search") == Some(&Value::Bool(false));
        let rule = rule.and_then(|rule| self.of_files.get(rule));
        if let Some(CompiledRule { rule, .. }) = rule {
            apply(rule, read);
        }
        if rule.is_none_or(|compiled| !compiled.rule.show_system) {
            read.drop_withheld();
        }
        if let Some(zone) = &self.time_zone {
            set_times(read, |time| time.in_zone(zone)?.shown_in(zone));
        }
    }
}

impl CompiledRule {
    fn new(rule: &SourceRule, config: &Config) -> Result<Self, Vec<Diagnostic>> {
        let mut notes = Vec::new();
        let mut wrong = |of: &LocatedText, message: String, hint: String| {
            let note = Diagnostic::new(Severity::Error, "bad-value", message).hint(hint);
            notes.push(Diagnostic { at: of.at.clone(), ..note });
        };
        let is_private = rule.holds_back();
        let files = Patterns::new(&rule.files.text, config, is_private);
        let files = files.unwrap_or_else(|why| {
            let hint = "use a folder or a pattern such as `podcasts/**/*.md`".to_owned();
            wrong(&rule.files, format!("invalid `files` of a `[[source]]`: {why}"), hint);
            Patterns::default()
        });
        let readable = formats::ALL.iter().filter(|format| format.read.is_some());
        let mut names = readable.map(|format| format.name);
        let mut format = None;
        if let Some(forced) = &rule.format {
            format = names.clone().find(|known| *known == forced.text);
            if format.is_none() {
                let hint = match closest(&forced.text, names.by_ref()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "run `convo-site list formats` to see all formats".to_owned(),
                };
                wrong(forced, format!("unknown format `{}`", forced.text), hint);
            }
        }
        if let Some(zone) = rule.time_zone.as_ref().filter(|zone| !is_zone(&zone.text)) {
            wrong(zone, unknown_zone(&zone.text), ZONE_HINT.to_owned());
        }
        for tag in rule.languages.iter().filter(|tag| languages::valid(Some(tag)).is_none()) {
            let hint = "use a tag such as `de` or `pt-BR`".to_owned();
            wrong(&rule.files, format!("invalid language `{tag}` of a `[[source]]`"), hint);
        }
        let mut choices = Vec::new();
        for (key, list) in [("include", &rule.include), ("exclude", &rule.exclude)] {
            for query in list {
                match Choice::parse(&query.text) {
                    Ok(choice) => choices.push(choice),
                    Err(why) => wrong(
                        query,
                        format!("invalid `{key}` of a `[[source]]`: {why}"),
                        "use a search query, such as `tag:\"rust\" after:2025`; nothing is \
                         written until this is fixed"
                            .to_owned(),
                    ),
                }
            }
        }
        let compiled = Self { files, format, choices, rule: rule.clone() };
        if notes.is_empty() { Ok(compiled) } else { Err(notes) }
    }

    fn is_about(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.files.is_match(name))
    }
}

/// Returns a warning about a rule whose files all match an earlier rule, unless it sets who can read them,
/// which applies in later rules too.
fn shadowed_note(rule: &SourceRule, earlier: &SourceRule) -> Option<Diagnostic> {
    if rule.holds_back() || rule.opens() {
        return None;
    }
    let line = earlier.files.at.as_ref().and_then(|at| Some(at.span.as_ref()?.line))?;
    let message = format!("this `[[source]]` never applies: line {line} matches the same files");
    let note = Diagnostic::new(Severity::Warning, "shadowed-rule", message)
        .hint("only the first `[[source]]` that matches a file applies; combine the two");
    Some(Diagnostic { at: rule.files.at.clone(), ..note })
}

fn is_zone(name: &str) -> bool {
    Time::from_unix(0).and_then(|time| time.shown_in(name)).is_some()
}

fn unknown_zone(name: &str) -> String {
    format!("unknown time zone `{name}`")
}

const ZONE_HINT: &str = "use a name from the IANA time zone database";

/// Returns a hint for a pattern that matches none of these paths. `moved` names the private files
/// that it may have matched before.
fn unmatched_hint(
    config: &Config,
    pattern: &LocatedText,
    paths: &BTreeSet<String>,
    moved: Option<&str>,
) -> String {
    let meant = literal_prefix(&normalized(&pattern.text, config));
    match (nearest(&meant, paths), moved) {
        (Some(near), Some(_)) => {
            format!("did you mean `{near}`? nothing is written until this is fixed")
        }
        (Some(near), None) => format!("did you mean `{near}`?"),
        (None, Some(moved)) => {
            format!("nothing is written until this is fixed: {moved} may have moved")
        }
        (None, None) => format!("patterns match paths below the folder `{}`", config.content),
    }
}

/// Returns the names that rules match for a file: its path below the content folder and, for a file
/// in the history of a repository, the path of the committed file.
fn names(content: &str, path: &str) -> Vec<String> {
    let inside = path.strip_prefix(content).unwrap_or(path);
    let name = normalized_name(inside.trim_start_matches('/'));
    let of_history = path_in_work_tree(&name);
    std::iter::once(name).chain(of_history).collect()
}

/// Returns the files and folders below the content folder.
fn paths(config: &Config, listed: &[FileInfo]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for file in listed.iter().filter(|file| !is_history(file.path.as_str())) {
        let path = file.path.as_str();
        let inside = path.strip_prefix(config.content.as_str()).unwrap_or(path);
        let mut name = inside.trim_start_matches('/');
        all.insert(name.to_owned());
        while let Some((folder, _)) = name.rsplit_once('/') {
            if !all.insert(folder.to_owned()) {
                break;
            }
            name = folder;
        }
    }
    all
}

fn apply(rule: &SourceRule, read: &mut Conversation) {
    for who in read.participants.iter_mut() {
        if let Some(kind) = rule.speakers.get(&who.name) {
            who.kind = *kind;
        }
    }
    if read.languages.is_empty() {
        read.languages.clone_from(&rule.languages);
    }
    read.private |= rule.tags.iter().any(|tag| formats::visibility::is_closed_label(tag));
    for tag in &rule.tags {
        if !read.tags.contains(tag) {
            read.tags.push(tag.clone());
        }
    }
    read.excluded_from_search |= !rule.search;
    if let Some(LocatedText { text: zone, .. }) = &rule.time_zone {
        set_times(read, |time| time.in_zone(zone));
    }
}

fn set_times(read: &mut Conversation, set: impl Fn(Time) -> Option<Time>) {
    let set = |time: &mut Option<Time>| {
        *time = time.take().and_then(|time| set(time.clone()).or(Some(time)));
    };
    set(&mut read.time);
    read.all_turns_mut().for_each(|turn| set(&mut turn.time));
}
