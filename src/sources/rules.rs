//! The rules of the configuration, `[[source]]`, which apply to files and to what is read from
//! them.

use std::collections::{BTreeMap, BTreeSet};

use globset::{GlobBuilder, GlobMatcher};

use super::history::{is_history, path_in_work_tree};
use crate::config::{Config, Placed, SourceRule, Visibility};
use crate::diag::{Diagnostic, Noted, Severity};
use crate::files::FileInfo;
use crate::formats;
use crate::hash::Hash;
use crate::json::Value;
use crate::model::Conversation;
use crate::query::choice::{Choice, Chooser};
use crate::text::{closest, edit_distance, normalized_name};
use crate::time::Time;

/// The compiled rules.
#[derive(Clone, Debug)]
pub struct Rules {
    of_files: Vec<CompiledRule>,
    /// The zone in which all times are shown.
    time_zone: Option<String>,
    /// The language of a conversation that does not say its own.
    language: String,
    /// The hash of everything that the rules say.
    pub hash: Hash,
}

/// A rule with its compiled patterns.
#[derive(Clone, Debug)]
struct CompiledRule {
    globs: Vec<GlobMatcher>,
    format: Option<&'static str>,
    /// The queries of `include`, then those of `exclude`.
    choices: Vec<Choice>,
    rule: SourceRule,
}

/// Finds out whether a conversation is chosen by the queries of a rule.
pub(super) struct Selection<'a> {
    chooser: Chooser<'a>,
    /// The number of queries of `include`.
    includes: usize,
}

impl Selection<'_> {
    /// Looks at a part of the conversation.
    pub(super) fn add(&mut self, part: &Conversation) {
        self.chooser.add(part);
    }

    /// Returns whether it is chosen, and which queries it meets.
    pub(super) fn finish(&self) -> (bool, Vec<bool>) {
        let met = self.chooser.finish();
        let (include, exclude) = met.split_at(self.includes.min(met.len()));
        let is_in = include.is_empty() || include.contains(&true);
        (is_in && !exclude.contains(&true), met)
    }
}

/// The policy for private conversations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Private {
    /// They are held back and counted.
    #[default]
    HeldBack,
    /// They are published like all others.
    Included,
}

/// The rules that match a file.
#[derive(Clone, Copy, Default)]
pub(super) struct RuleMatch {
    /// The first rule that matches it.
    pub(super) rule: Option<usize>,
    /// Whether it is private: the first rule that says of it whether it is published says no.
    pub(super) private: bool,
    /// Whether that first rule says that it is not read.
    pub(super) ignored: bool,
}

impl Rules {
    /// Compiles the rules. Where one of them is wrong there are none: it may say what is private.
    pub fn new(config: &Config) -> Result<Noted<Self>, Vec<Diagnostic>> {
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
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let language = config.language.clone();
        let hash = Hash::of(&(&config.source, &config.time_zone, &language));
        Ok(Noted { value: Self { of_files, time_zone, language, hash }, notes })
    }

    /// Matches a file against the rules. Its path is relative to the site folder; `container` is
    /// that of the archive or packed file which it is in, and rules about that are about it.
    pub(super) fn of(
        &self,
        config: &Config,
        path: &str,
        container: Option<&str>,
    ) -> RuleMatch {
        if self.of_files.is_empty() {
            return RuleMatch::default();
        }
        let mut names = names(config, path);
        names.extend(container.into_iter().flat_map(|path| self::names(config, path)));
        let fits = |compiled: &&CompiledRule| compiled.is_about(&names);
        let states = |compiled: &CompiledRule| compiled.rule.visibility;
        let rule = self.of_files.iter().position(|compiled| compiled.is_about(&names));
        RuleMatch {
            rule,
            ignored: rule.is_some_and(|rule| self.of_files[rule].rule.ignore),
            private: self.of_files.iter().filter(fits).find_map(states)
                == Some(Visibility::Private),
        }
    }

    /// Returns a note for each rule that matches no file. If one of these keeps files private, that
    /// is fatal, because the files may be elsewhere by now.
    pub(super) fn check(
        &self,
        config: &Config,
        listed: &[FileInfo],
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let mut unmatched: Vec<&CompiledRule> = self.of_files.iter().collect();
        for file in listed {
            if unmatched.is_empty() {
                break;
            }
            let names = names(config, file.path.as_str());
            unmatched.retain(|compiled| !compiled.is_about(&names));
        }
        let mut notes = Vec::new();
        let mut is_fatal = false;
        if unmatched.is_empty() || listed.is_empty() {
            return Ok(notes);
        }
        let paths = paths(config, listed);
        for CompiledRule { rule, .. } in unmatched {
            let message = format!("no file matches `{}`", rule.files.text);
            let mut note = Diagnostic::new(Severity::Error, "unmatched-rule", message);
            note.at.clone_from(&rule.files.at);
            let meant = literal_prefix(&normalized(&rule.files.text, config));
            let near = nearest(&meant, &paths);
            let is_private = rule.visibility == Some(Visibility::Private);
            is_fatal |= is_private;
            notes.push(match near {
                Some(near) if is_private => note.hint(format!(
                    "did you mean `{near}`? Until this is mended nothing is written"
                )),
                Some(near) => note.hint(format!("did you mean `{near}`?")),
                None if is_private => note.hint(
                    "until this is mended nothing is written: what it is about may be elsewhere",
                ),
                None => {
                    let hint = "patterns are those of paths below the folder";
                    note.hint(format!("{hint} `{}`", config.content))
                }
            });
        }
        if is_fatal { Err(notes) } else { Ok(notes) }
    }

    /// Returns the format that a rule forces.
    pub(super) fn format(&self, rule: Option<usize>) -> Option<&'static str> {
        self.of_files.get(rule?)?.format
    }

    /// Starts to find out whether a conversation is chosen, from its first part, which is to be
    /// added like every other one; `None` where there is nothing to choose by.
    pub(super) fn selection(
        &self,
        rule: Option<usize>,
        first: &Conversation,
    ) -> Option<Selection<'_>> {
        let CompiledRule { choices, rule, .. } = self.of_files.get(rule?)?;
        let chooser = || Chooser::new(choices, first, &self.language);
        let some = || Selection { chooser: chooser(), includes: rule.include.len() };
        (!choices.is_empty()).then(some)
    }

    /// Returns whether a conversation is chosen by its rule.
    pub(super) fn chooses(&self, rule: Option<usize>, read: &Conversation) -> bool {
        self.selection(rule, read).is_none_or(|mut selection| {
            selection.add(read);
            selection.finish().0
        })
    }

    /// Makes a note on each query that none of the conversations met to which its rule was applied.
    /// `met` says for these rules which queries were met.
    pub(super) fn unmatched(&self, met: &BTreeMap<usize, Vec<bool>>) -> Vec<Diagnostic> {
        let mut notes = Vec::new();
        for (rule, met) in met {
            let Some(CompiledRule { rule, .. }) = self.of_files.get(*rule) else {
                continue;
            };
            let queries = rule.include.iter().chain(&rule.exclude).zip(met);
            for (at, (query, _)) in queries.enumerate().filter(|(_, (_, met))| !**met) {
                let is_include = at < rule.include.len();
                let (key, severity) = match is_include {
                    true => ("include", Severity::Error),
                    false => ("exclude", Severity::Warning),
                };
                let message = format!("`{}` of `{key}` fits no conversation", query.text);
                let note = Diagnostic::new(severity, "unmatched-filter", message);
                let hint = "a query is asked of a conversation as a whole: each word stands \
                            somewhere in it, and what has a `-` nowhere";
                notes.push(Diagnostic { at: query.at.clone(), ..note.hint(hint) });
            }
        }
        notes
    }

    /// Applies a rule, and what holds for all files, to a conversation.
    pub(super) fn apply(&self, rule: Option<usize>, read: &mut Conversation) {
        read.excluded_from_search |=
            read.extra.get("search") == Some(&Value::Bool(false));
        let rule = rule.and_then(|rule| self.of_files.get(rule));
        if let Some(CompiledRule { rule, .. }) = rule {
            apply(rule, read);
        }
        if rule.is_none_or(|compiled| !compiled.rule.show_system) {
            read.drop_withheld();
        }
        if let Some(zone) = &self.time_zone {
            set_times(read, |time| time.shown_in(zone));
        }
    }
}

impl CompiledRule {
    fn new(rule: &SourceRule, config: &Config) -> Result<Self, Vec<Diagnostic>> {
        let mut notes = Vec::new();
        let mut wrong = |of: &Placed, message: String, hint: String| {
            let note = Diagnostic::new(Severity::Error, "bad-value", message).hint(hint);
            notes.push(Diagnostic { at: of.at.clone(), ..note });
        };
        let globs = globs(rule, config).unwrap_or_else(|why| {
            let hint =
                "write a pattern such as `podcasts/**/*.md`, or a folder".to_owned();
            wrong(&rule.files, format!("`files` of a `[[source]]`: {why}"), hint);
            Vec::new()
        });
        let readable = formats::ALL.iter().filter(|format| format.read.is_some());
        let mut names = readable.map(|format| format.name);
        let mut format = None;
        if let Some(forced) = &rule.format {
            format = names.clone().find(|known| *known == forced.text);
            if format.is_none() {
                let hint = match closest(&forced.text, names.by_ref()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "`convo-site list formats` names them all".to_owned(),
                };
                wrong(forced, format!("no format `{}` can be read", forced.text), hint);
            }
        }
        if let Some(zone) = rule.time_zone.as_ref().filter(|zone| !is_zone(&zone.text)) {
            wrong(zone, unknown_zone(&zone.text), ZONE_HINT.to_owned());
        }
        let mut choices = Vec::new();
        for (key, list) in [("include", &rule.include), ("exclude", &rule.exclude)] {
            for query in list {
                match Choice::parse(&query.text) {
                    Ok(choice) => choices.push(choice),
                    Err(why) => wrong(
                        query,
                        format!("`{key}` of a `[[source]]`: {why}"),
                        "queries are those of the search, such as `tag:\"rust\" after:2025`; \
                         until this is mended nothing is written"
                            .to_owned(),
                    ),
                }
            }
        }
        let compiled = Self { globs, format, choices, rule: rule.clone() };
        if notes.is_empty() { Ok(compiled) } else { Err(notes) }
    }

    fn is_about(&self, names: &[String]) -> bool {
        names.iter().any(|name| self.globs.iter().any(|glob| glob.is_match(name)))
    }
}

fn is_zone(name: &str) -> bool {
    Time::from_unix(0).and_then(|time| time.shown_in(name)).is_some()
}

fn unknown_zone(name: &str) -> String {
    format!("no time zone `{name}` is known")
}

const ZONE_HINT: &str = "use a name of the IANA time zone database";

/// The most characters of a pattern.
const MAX_PATTERN_CHARS: usize = 1000;
/// The most groups `{…}` in one another.
const MAX_GROUP_DEPTH: usize = 8;

fn globs(rule: &SourceRule, config: &Config) -> Result<Vec<GlobMatcher>, String> {
    let files = rule.files.text.trim();
    if files.is_empty() {
        return Err("it is empty".to_owned());
    }
    let is_private = rule.visibility == Some(Visibility::Private);
    patterns(files, config, is_private).iter().map(|pattern| glob(pattern)).collect()
}

fn glob(pattern: &str) -> Result<GlobMatcher, String> {
    let mut depth = 0_usize;
    for c in pattern.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_GROUP_DEPTH {
            return Err(format!(
                "more than {MAX_GROUP_DEPTH} groups `{{…}}` stand in one another"
            ));
        }
    }
    if pattern.chars().count() > MAX_PATTERN_CHARS {
        return Err(format!("it has more than {MAX_PATTERN_CHARS} characters"));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| {
        error.kind().to_string().lines().next().unwrap_or_default().to_owned()
    })
}

/// Removes what people put before the path of a folder from a pattern.
fn normalized(files: &str, config: &Config) -> String {
    let mut pattern = normalized_name(files.trim());
    while let Some(rest) =
        ["/", "./"].iter().find_map(|start| pattern.strip_prefix(start))
    {
        pattern = rest.to_owned();
    }
    let content = normalized_name(config.content.trim_matches('/'));
    match pattern.strip_prefix(&content).and_then(|rest| rest.strip_prefix('/')) {
        Some(inside) if !inside.is_empty() && !content.is_empty() => inside.to_owned(),
        _ => pattern,
    }
}

/// Returns the patterns that are tried: the one as written, and what else it may mean. A folder's
/// name means all below it. What is to be private is so with all that stands below what is named.
fn patterns(files: &str, config: &Config, is_private: bool) -> BTreeSet<String> {
    let written = normalized_name(files.trim());
    let mut all = BTreeSet::new();
    for pattern in [written.clone(), normalized(files, config)] {
        all.insert(pattern.replace('\\', "/"));
        all.insert(pattern);
    }
    let bare = normalized(files, config);
    let bare = bare.trim_end_matches('/');
    if matches!(bare, "" | ".")
        || bare == normalized_name(config.content.trim_matches('/'))
    {
        all.insert("**".to_owned());
    }
    let with_inside = |pattern: String| {
        let bare = pattern.trim_end_matches('/').to_owned();
        let last = bare.rsplit('/').next().unwrap_or_default();
        let is_name = !last.contains(['*', '?', '[', '{']);
        let inside = Some(format!("{bare}/**")).filter(|_| is_name || is_private);
        inside.into_iter().chain([bare])
    };
    all.into_iter().flat_map(with_inside).collect()
}

/// Finds the file or folder that a rule probably means, if its name differs by a few typing errors.
fn nearest<'a>(meant: &str, paths: &'a BTreeSet<String>) -> Option<&'a str> {
    let most = max_edits(meant);
    let far = |path: &&String| path.len().abs_diff(meant.len()) <= 4 * most;
    let by_edits = paths
        .iter()
        .filter(far)
        .map(|path| (edit_distance(meant, &normalized_name(path)), path));
    let (edits, path) = by_edits.min()?;
    (edits <= most).then_some(path)
}

/// Returns how many letters may be wrong in a name that was meant to be another one.
fn max_edits(name: &str) -> usize {
    (name.chars().count() / 3).clamp(1, 3)
}

/// Returns the part of a pattern before its first segment with a wildcard.
fn literal_prefix(pattern: &str) -> String {
    let segments = pattern.trim_end_matches('/').split('/');
    let plain = segments.take_while(|segment| !segment.contains(['*', '?', '[', '{']));
    plain.collect::<Vec<_>>().join("/")
}

/// Returns the names under which rules match a file: its path below the content folder and, for a
/// file in the history of a repository, the path of the file that was committed.
fn names(config: &Config, path: &str) -> Vec<String> {
    let inside = path.strip_prefix(config.content.as_str()).unwrap_or(path);
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
    read.private |= rule.tags.iter().any(|tag| formats::visibility::is_closed_label(tag));
    for tag in &rule.tags {
        if !read.tags.contains(tag) {
            read.tags.push(tag.clone());
        }
    }
    read.excluded_from_search |= !rule.search;
    if let Some(Placed { text: zone, .. }) = &rule.time_zone {
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
