//! Artifacts and files, version by version.
//!
//! A change contains the old and the new text. It is applied to the previous version, so that the last
//! change of each file can be shown with the rest of the file.

use std::collections::HashMap;
use std::sync::Arc;

use super::tools::text;
use crate::shared::access::tool_access::replacement;
use crate::shared::agents::turns::Turns;
use convo_base::json::Map;
use convo_base::model::{Action, EditKind, FileEdit};

/// The place of a block in the path that is being read: the indexes of the turn and the block.
type At = (usize, usize);

/// The files of a conversation.
pub(super) struct Artifacts {
    paths: Vec<Files>,
    /// Whether a version may be needed after a later one.
    has_branches: bool,
    /// The size of the old versions in memory, in bytes.
    kept: usize,
    /// The number of bytes compared or copied.
    work: usize,
    /// The number of bytes that the model wrote to files.
    written: usize,
    /// The number of bytes of files shown around changes.
    shown: usize,
}

/// The files of a path.
#[derive(Default)]
struct Files {
    /// The path and turn that it follows.
    start: Option<(usize, usize)>,
    /// The versions of each file, with the turns that wrote them.
    versions: HashMap<String, Vec<(usize, Version)>>,
    /// The last change of each file, with the text before it.
    changed: HashMap<String, (At, Arc<str>)>,
    /// The file of each change.
    of: HashMap<At, String>,
    /// Files with a change that could not be applied.
    doubtful: HashMap<String, At>,
}

/// A file after a change.
#[derive(Clone)]
struct Version {
    text: Option<Arc<str>>,
    /// Its name.
    file: Arc<str>,
}

/// The maximum size of old versions kept for branches, in bytes.
const MAX_KEPT: usize = 32 << 20;
/// The maximum number of bytes compared or copied per conversation.
const MAX_WORK: usize = 256 << 20;
/// The maximum number of paths searched for a file.
const MAX_PATHS: usize = 64;
/// The number of lines shown around a change.
const CONTEXT: usize = 3;
/// The maximum size of these lines on either side, in bytes.
const MAX_CONTEXT: usize = 2 << 10;
/// The maximum number of bytes shown around changes: a base amount, plus this many for each byte that was
/// written.
const MAX_SHOWN: (usize, usize) = (64 << 10, 16);

impl Artifacts {
    pub(super) fn new(has_branches: bool) -> Self {
        Self { paths: Vec::new(), has_branches, kept: 0, work: 0, written: 0, shown: 0 }
    }

    /// Begins a path that follows a turn of an earlier one.
    pub(super) fn begin(&mut self, start: Option<(usize, usize)>) {
        self.paths.push(Files { start, ..Files::default() });
    }

    /// Shows the last change of each file of the path together with the whole file.
    pub(super) fn end(&mut self, turns: &mut Turns) {
        let Some(files) = self.paths.last_mut() else { return };
        files.of.clear();
        let mut changed: Vec<_> = std::mem::take(&mut files.changed).into_iter().collect();
        // The work is limited, and must stop at the same file each time.
        changed.sort_by(|(a, _), (b, _)| a.cmp(b));
        for (id, (at, before)) in changed {
            if self.is_doubtful(&id) {
                continue;
            }
            let Some(Version { text: Some(after), .. }) = self.find(&id) else {
                continue;
            };
            self.work = self.work.saturating_add(before.len() + after.len());
            if self.work > MAX_WORK || !self.may_show(before.len() + after.len()) {
                continue;
            }
            let Some(call) = turns.call_at(at) else { continue };
            if let Some(Action::Edit { files }) = &mut call.action
                && let [file] = files.as_mut_slice()
            {
                *file = FileEdit::replaced(std::mem::take(&mut file.path), &before, &after);
            }
        }
    }

    /// Returns whether this many more bytes may be shown around changes, and counts them.
    fn may_show(&mut self, bytes: usize) -> bool {
        let (least, times) = MAX_SHOWN;
        let shown = self.shown.saturating_add(bytes);
        let may = shown <= self.written.saturating_mul(times).saturating_add(least);
        self.shown = if may { shown } else { self.shown };
        may
    }

    /// Returns whether the text of a file is known.
    pub(super) fn is_known(&self, id: &str) -> bool {
        self.find(id).is_some_and(|version| version.text.is_some())
    }

    fn is_doubtful(&self, id: &str) -> bool {
        self.paths.last().is_some_and(|files| files.doubtful.contains_key(id))
    }

    /// Handles a failed change: the file is the same as before.
    pub(super) fn failed(&mut self, at: At) {
        let Some(files) = self.paths.last_mut() else { return };
        let Some(id) = files.of.remove(&at) else { return };
        if files.doubtful.get(&id) == Some(&at) {
            files.doubtful.remove(&id);
        }
        if files.changed.get(&id).is_some_and(|(last, _)| *last == at)
            && let Some((_, before)) = files.changed.remove(&id)
            && let Some(list) = files.versions.get_mut(&id)
            && let Some((turn, version)) = list.pop()
        {
            list.push((turn, Version { text: Some(before), ..version }));
        }
    }

    /// Applies a call of the artifacts tool.
    pub(super) fn artifact(&mut self, input: &Map, at: At) -> Option<FileEdit> {
        let id = artifact_id(input);
        let known = self.find(&id).map(|version| version.file);
        let name = match (text(input, "title"), &known) {
            (None, Some(known)) => known.to_string(),
            (title, _) => {
                let title = title.or_else(|| text(input, "id")).unwrap_or("artifact");
                file_name(title, ending(text(input, "type"), text(input, "language")))
            }
        };
        let content = input.get("content").and_then(|content| content.as_str());
        match (text(input, "command"), content, replacement(input)) {
            (Some("update"), _, Some((old, new))) => Some(self.replaced(&id, &name, old, new, at)),
            (_, Some(content), _) => Some(self.written(&id, &name, content, at)),
            (_, None, Some((old, new))) => Some(self.replaced(&id, &name, old, new, at)),
            (_, None, None) => None,
        }
    }

    /// Handles an artifact that is not shown as a file.
    pub(super) fn is_shown_elsewhere(&mut self, input: &Map) {
        if let Some(files) = self.paths.last_mut() {
            files.changed.remove(&artifact_id(input));
        }
    }

    /// Handles a file that is written as a whole.
    pub(super) fn written(&mut self, id: &str, file: &str, text: &str, at: At) -> FileEdit {
        self.written = self.written.saturating_add(text.len());
        let version = Version { text: Some(text.into()), file: file.into() };
        self.set(id, version, at, None);
        if let Some(files) = self.paths.last_mut() {
            files.doubtful.remove(id);
        }
        FileEdit::written(file, text)
    }

    /// Handles a replaced text in a file.
    pub(super) fn replaced(
        &mut self,
        id: &str,
        file: &str,
        old: &str,
        new: &str,
        at: At,
    ) -> FileEdit {
        let before = self.find(id).and_then(|version| version.text);
        let length = old.len().saturating_add(new.len());
        self.written = self.written.saturating_add(length);
        self.work = self
            .work
            .saturating_add(before.as_ref().map_or(0, |text| text.len()))
            .saturating_add(length);
        let before = before.filter(|_| self.work <= MAX_WORK && !self.is_doubtful(id));
        let place = before.as_ref().and_then(|text| only_place(text, old));
        let (Some(before), Some(place)) = (before, place) else {
            if let Some(files) = self.paths.last_mut() {
                files.of.insert(at, id.to_owned());
                files.doubtful.entry(id.to_owned()).or_insert(at);
            }
            return FileEdit::replaced(file, old, new);
        };
        let after = [&before[..place], new, &before[place + old.len()..]].concat();
        let edit = around(file, &before, &after, place, old.len(), new.len());
        let edit = match self.may_show(edit.diff.len().saturating_sub(length)) {
            true => edit,
            false => FileEdit::replaced(file, old, new),
        };
        let version = Version { text: Some(after.into()), file: file.into() };
        self.set(id, version, at, Some(before));
        edit
    }

    fn find(&self, id: &str) -> Option<Version> {
        let mut path = self.paths.len().checked_sub(1)?;
        let mut until = usize::MAX;
        for _ in 0..MAX_PATHS {
            let files = self.paths.get(path)?;
            let list = files.versions.get(id).map_or(&[][..], Vec::as_slice);
            let count = list.partition_point(|(turn, _)| *turn <= until);
            if let Some((_, version)) = list[..count].last() {
                return Some(version.clone());
            }
            (path, until) = files.start?;
        }
        None
    }

    fn set(&mut self, id: &str, version: Version, at: At, before: Option<Arc<str>>) {
        let keeps = self.has_branches && self.kept < MAX_KEPT;
        self.kept += version.text.as_ref().filter(|_| keeps).map_or(0, |text| text.len());
        let Some(files) = self.paths.last_mut() else { return };
        match before {
            Some(before) => {
                files.of.insert(at, id.to_owned());
                files.changed.insert(id.to_owned(), (at, before));
            }
            None => _ = files.changed.remove(id),
        }
        let list = files.versions.entry(id.to_owned()).or_default();
        if !keeps {
            list.clear();
        }
        list.push((at.0, version));
    }
}

fn artifact_id(input: &Map) -> String {
    // Paths of files do not end in a newline.
    format!("{}\n", text(input, "id").unwrap_or_default())
}

/// Returns the position of `old` in a text, if it occurs exactly once.
fn only_place(text: &str, old: &str) -> Option<usize> {
    let place = text.find(old).filter(|_| !old.is_empty())?;
    let again = text.ceil_char_boundary(place + 1);
    text[again..].find(old).is_none().then_some(place)
}

/// Returns a change with the lines around it; of long lines only the nearest part.
fn around(file: &str, before: &str, after: &str, place: usize, old: usize, new: usize) -> FileEdit {
    let mut start = before[..place].rfind('\n').map_or(0, |at| at + 1);
    for _ in 0..CONTEXT {
        start = before[..start.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1);
    }
    let mut head = "";
    let near = before.ceil_char_boundary(place.saturating_sub(MAX_CONTEXT));
    if start < near {
        let line = before[near..place].find('\n').map(|at| near + at + 1);
        head = if line.is_some() { "" } else { "…" };
        start = line.unwrap_or(near);
    }
    let rest = &before[place + old..];
    let mut tail = rest.match_indices('\n').nth(CONTEXT).map_or(rest.len(), |(at, _)| at);
    let mut foot = "";
    if tail > MAX_CONTEXT {
        tail = rest.floor_char_boundary(MAX_CONTEXT);
        let line = rest[..tail].rfind('\n');
        foot = if line.is_some() { "" } else { "…" };
        tail = line.unwrap_or(tail);
    }
    let (old, new) = (&before[start..place + old + tail], &after[start..place + new + tail]);
    let [old, new] = [old, new].map(|text| [head, text, foot].concat());
    let edit = FileEdit::replaced(file, &old, &new);
    FileEdit { kind: EditKind::Update, ..edit }
}

/// Returns a title as a file name with this extension, unless it already is one.
pub(super) fn file_name(title: &str, ending: &str) -> String {
    let is_bad = |c: char| c.is_control() || matches!(c, '/' | '\\');
    let name: String = title.chars().map(|c| if is_bad(c) { '-' } else { c }).collect();
    let name = name.trim();
    let is_ending = |found: &str| {
        (1..=5).contains(&found.len())
            && found.chars().all(|c| c.is_ascii_alphanumeric())
            && found.chars().any(|c| c.is_ascii_alphabetic())
    };
    match name.rsplit_once('.') {
        Some((stem, found)) if !stem.is_empty() && is_ending(found) => name.to_owned(),
        _ => format!("{}.{ending}", name.trim_end_matches('.')),
    }
}

/// Returns the file extension of a type.
fn ending(kind: Option<&str>, language: Option<&str>) -> &'static str {
    const TYPES: [(&str, &str); 8] = [
        ("text/markdown", "md"),
        ("text/html", "html"),
        ("image/svg+xml", "svg"),
        ("application/vnd.ant.react", "jsx"),
        ("application/vnd.ant.mermaid", "mmd"),
        ("application/javascript", "js"),
        ("application/json", "json"),
        ("text/css", "css"),
    ];
    const LANGUAGES: [(&str, &str); 34] = [
        ("bash", "sh"),
        ("c", "c"),
        ("c++", "cpp"),
        ("cpp", "cpp"),
        ("c#", "cs"),
        ("csharp", "cs"),
        ("css", "css"),
        ("go", "go"),
        ("haskell", "hs"),
        ("html", "html"),
        ("java", "java"),
        ("javascript", "js"),
        ("json", "json"),
        ("jsx", "jsx"),
        ("julia", "jl"),
        ("kotlin", "kt"),
        ("latex", "tex"),
        ("lua", "lua"),
        ("markdown", "md"),
        ("perl", "pl"),
        ("php", "php"),
        ("powershell", "ps1"),
        ("python", "py"),
        ("r", "r"),
        ("ruby", "rb"),
        ("rust", "rs"),
        ("shell", "sh"),
        ("sql", "sql"),
        ("swift", "swift"),
        ("toml", "toml"),
        ("tsx", "tsx"),
        ("typescript", "ts"),
        ("xml", "xml"),
        ("yaml", "yaml"),
    ];
    let of = |list: &[(&str, &'static str)], word: &str| {
        list.iter().find(|(known, _)| *known == word).map(|(_, ending)| *ending)
    };
    let language = language.map(str::to_ascii_lowercase);
    let of_language = || of(&LANGUAGES, language.as_deref()?);
    kind.and_then(|kind| of(&TYPES, kind)).or_else(of_language).unwrap_or("txt")
}

#[cfg(test)]
mod tests {
    use super::{around, file_name, only_place};

    #[test]
    fn a_title_is_the_name_of_a_file() {
        for (title, expected) in [
            ("A lamp", "A lamp.md"),
            ("a/b: c.", "a-b: c.md"),
            ("main.py", "main.py"),
            ("Version 2.0", "Version 2.0.md"),
            ("Vol. one", "Vol. one.md"),
        ] {
            assert_eq!(file_name(title, "md"), expected);
        }
    }

    #[test]
    fn text_that_occurs_twice_is_not_replaced() {
        assert_eq!(only_place("a b a", "b"), Some(2));
        assert_eq!(only_place("a b a", "a"), None);
        assert_eq!(only_place("éé", "éé"), Some(0));
        assert_eq!(only_place("aaa", "aa"), None);
        assert_eq!(only_place("a", ""), None);
    }

    #[test]
    fn a_change_has_three_lines_around_it() {
        let before = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let after = before.replace("five", "5");
        let edit = around("x", before, &after, 8, 4, 1);
        assert_eq!(edit.diff, " 2\n 3\n 4\n-five\n+5\n 6\n 7\n 8");
    }

    #[test]
    fn a_long_line_is_shown_only_around_the_mark() {
        let before = format!("{}é.é{}", "x".repeat(100_000), "y".repeat(100_000));
        let after = before.replace('.', "!");
        let edit = around("x", &before, &after, 100_002, 1, 1);
        assert!(edit.diff.len() < 10_000, "{}", edit.diff.len());
        assert!(edit.diff.starts_with("-…x") && edit.diff.ends_with("y…"));
    }
}
