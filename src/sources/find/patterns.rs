//! Path patterns, which select files in the configuration.

use std::collections::BTreeSet;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::config::Config;
use crate::text::{edit_distance, normalized_name};

/// The compiled patterns of one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patterns(GlobSet);

impl Patterns {
    /// Compiles a text. `is_private` means that matching too little would publish private files.
    /// The error says why the pattern is invalid.
    pub(crate) fn new(files: &str, config: &Config, is_private: bool) -> Result<Self, String> {
        PatternTable::new([(0, files)], config, is_private)
            .map(|table| Self(table.patterns))
            .map_err(|(_, why)| why)
    }

    /// Returns whether any of them matches a path.
    pub(super) fn is_match(&self, name: &str) -> bool {
        self.0.is_match(name)
    }
}

/// Many texts with their compiled patterns, which are matched all at once.
#[derive(Clone, Debug, Default)]
pub(crate) struct PatternTable {
    patterns: GlobSet,
    /// For each pattern, the number of its text.
    texts: Vec<usize>,
}

impl PatternTable {
    /// Compiles numbered texts. The error is the number of the invalid text, and the reason.
    pub(crate) fn new<'a>(
        texts: impl IntoIterator<Item = (usize, &'a str)>,
        config: &Config,
        is_private: bool,
    ) -> Result<Self, (usize, String)> {
        let mut patterns = GlobSetBuilder::new();
        let mut numbers = Vec::new();
        for (number, text) in texts {
            let text = text.trim();
            if text.is_empty() {
                return Err((number, "the pattern is empty".to_owned()));
            }
            for pattern in self::patterns(text, config, is_private) {
                patterns.add(glob(&pattern).map_err(|why| (number, why))?);
                numbers.push(number);
            }
        }
        let last = numbers.last().copied().unwrap_or_default();
        let patterns = patterns.build().map_err(|error| (last, reason(&error)))?;
        Ok(Self { patterns, texts: numbers })
    }

    /// Returns the numbers of the texts that match a path.
    pub(crate) fn matches(&self, name: &str) -> impl Iterator<Item = usize> {
        let found = self.patterns.matches(name).into_iter();
        found.filter_map(|pattern| self.texts.get(pattern).copied())
    }
}

/// Returns a pattern that matches exactly one path.
pub fn literal_pattern(path: &str) -> String {
    globset::escape(path)
}

/// The maximum length of a pattern. Characters.
const MAX_PATTERN_CHARS: usize = 1000;
/// The maximum nesting depth of groups `{…}`.
const MAX_GROUP_DEPTH: usize = 8;

fn glob(pattern: &str) -> Result<Glob, String> {
    let mut depth = 0_usize;
    for c in pattern.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_GROUP_DEPTH {
            return Err(format!("groups `{{…}}` are nested more than {MAX_GROUP_DEPTH} deep"));
        }
    }
    if pattern.chars().count() > MAX_PATTERN_CHARS {
        return Err(format!("the pattern has more than {MAX_PATTERN_CHARS} characters"));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map_err(|error| reason(&error))
}

fn reason(error: &globset::Error) -> String {
    error.kind().to_string().lines().next().unwrap_or_default().to_owned()
}

/// Removes prefixes that people write before the path of a folder.
pub(super) fn normalized(files: &str, config: &Config) -> String {
    let mut pattern = normalized_name(files.trim());
    while let Some(rest) = ["/", "./"].iter().find_map(|start| pattern.strip_prefix(start)) {
        pattern = rest.to_owned();
    }
    let content = normalized_name(config.content.trim_matches('/'));
    match pattern.strip_prefix(&content).and_then(|rest| rest.strip_prefix('/')) {
        Some(inside) if !inside.is_empty() && !content.is_empty() => inside.to_owned(),
        _ => pattern,
    }
}

/// Returns the patterns to match: the pattern as written, and its other possible meanings. The name
/// of a folder matches everything below it. A pattern for private files also matches everything
/// below what it matches.
fn patterns(files: &str, config: &Config, is_private: bool) -> BTreeSet<String> {
    let written = normalized_name(files.trim());
    let mut all = BTreeSet::new();
    for pattern in [written.clone(), normalized(files, config)] {
        all.insert(pattern.replace('\\', "/"));
        all.insert(pattern);
    }
    let bare = normalized(files, config);
    let bare = bare.trim_end_matches('/');
    if matches!(bare, "" | ".") || bare == normalized_name(config.content.trim_matches('/')) {
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

/// Finds the file or folder that a rule probably means, if its extension is missing or its name
/// differs by a few typing errors.
pub(super) fn nearest<'a>(meant: &str, paths: &'a BTreeSet<String>) -> Option<&'a str> {
    let is_stem = |path: &&String| {
        path.rsplit_once('.').is_some_and(|(stem, _)| normalized_name(stem) == meant)
    };
    let named = paths.iter().find(is_stem).filter(|_| !meant.is_empty());
    if let Some(path) = named {
        return Some(path);
    }
    let most = max_edits(meant);
    let far = |path: &&String| path.len().abs_diff(meant.len()) <= 4 * most;
    let by_edits =
        paths.iter().filter(far).map(|path| (edit_distance(meant, &normalized_name(path)), path));
    let (edits, path) = by_edits.min()?;
    (edits <= most).then_some(path)
}

/// Returns the number of typing errors allowed in a name.
fn max_edits(name: &str) -> usize {
    (name.chars().count() / 3).clamp(1, 3)
}

/// Returns the part of a pattern before its first segment with a wildcard.
pub(super) fn literal_prefix(pattern: &str) -> String {
    let segments = pattern.trim_end_matches('/').split('/');
    let plain = segments.take_while(|segment| !segment.contains(['*', '?', '[', '{']));
    plain.collect::<Vec<_>>().join("/")
}
