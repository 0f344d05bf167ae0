//! Reads file changes as agent tools write them.

use convo_base::model::{EditKind, FileEdit};

/// Collects the changes of one call.
#[derive(Default)]
pub(super) struct Edits {
    files: Vec<FileEdit>,
}

impl Edits {
    /// Adds a diff or a patch. `path` and `kind` are used if the text itself does not contain them.
    pub(super) fn add(&mut self, path: Option<&str>, kind: EditKind, text: &str) {
        let mut open = path.map(|path| file(path, kind));
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some((path, kind)) = opening(line) {
                self.push(open.take());
                open = Some(file(path, kind));
            } else if let Some(to) = line.strip_prefix("*** Move to: ") {
                if let Some(open) = &mut open {
                    open.moved_to = Some(to.trim().to_owned());
                }
            } else if line.starts_with("*** ") {
                // The start or the end of a patch.
            } else if let Some(path) = named(line)
                && lines.next_if(|next| next.starts_with("+++ ")).is_some()
            {
                if open.as_ref().is_none_or(|open| !open.diff.is_empty()) {
                    self.push(open.take());
                    open = Some(file(path, EditKind::Update));
                }
            } else if let Some(open) = &mut open {
                if !line.starts_with([' ', '+', '-', '@']) {
                    open.diff.push(' ');
                }
                open.diff.push_str(line);
                open.diff.push('\n');
            }
        }
        self.push(open);
    }

    /// Adds a file.
    pub(super) fn push(&mut self, file: Option<FileEdit>) {
        let Some(file) = file else { return };
        match self.files.last_mut() {
            Some(last) if last.path == file.path && last.kind == file.kind => {
                if !last.diff.is_empty() && !last.diff.ends_with('\n') {
                    last.diff.push('\n');
                }
                last.diff.push_str(&file.diff);
            }
            _ => self.files.push(file),
        }
    }

    /// Returns the files, if there are any.
    pub(super) fn finish(mut self) -> Option<Vec<FileEdit>> {
        for file in &mut self.files {
            file.diff.truncate(file.diff.trim_end_matches('\n').len());
        }
        (!self.files.is_empty()).then_some(self.files)
    }
}

/// Returns an edit of a file without any changes yet.
pub(super) fn file(path: &str, kind: EditKind) -> FileEdit {
    FileEdit { path: path.trim().to_owned(), kind, moved_to: None, diff: String::new() }
}

/// Reads `*** Update File: src/x.rs` in a patch.
fn opening(line: &str) -> Option<(&str, EditKind)> {
    const MARKS: [(&str, EditKind); 4] = [
        ("*** Add File: ", EditKind::Write),
        ("*** Update File: ", EditKind::Update),
        ("*** Modify File: ", EditKind::Update),
        ("*** Delete File: ", EditKind::Delete),
    ];
    MARKS.iter().find_map(|(mark, kind)| Some((line.strip_prefix(mark)?, *kind)))
}

/// Reads `**Update: `src/x.rs`**`, which is above a diff.
pub(super) fn headed(line: &str) -> Option<(&str, EditKind)> {
    let inside = line.trim().strip_prefix("**")?.strip_suffix("`**")?;
    let (what, path) = inside.split_once(": `")?;
    let kind = match what {
        "Add" => EditKind::Write,
        "Update" | "Modify" => EditKind::Update,
        "Delete" => EditKind::Delete,
        _ => return None,
    };
    Some((path, kind))
}

/// Reads `--- a/src/x.rs`, which is above `+++ b/src/x.rs` in a diff.
fn named(line: &str) -> Option<&str> {
    let path = line.strip_prefix("--- ")?.trim();
    let path = path.split('\t').next().unwrap_or(path);
    let path = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path);
    Some(path).filter(|path| !path.is_empty())
}
