//! Patches in the format of Codex, and unified diffs.
//!
//! ```text
//! *** Begin Patch
//! *** Update File: src/a.rs
//! *** Move to: src/b.rs
//! @@ fn main
//! -old
//! +new
//! *** Add File: c.txt
//! +text
//! *** Delete File: d.txt
//! *** End Patch
//! ```

use convo_base::json::{Map, Value};
use convo_base::model::{EditKind, FileEdit};

const BEGIN: &str = "*** Begin Patch";

/// Returns the changes of a patch; `None` if the text does not contain one.
pub(crate) fn edits(text: &str) -> Option<Vec<FileEdit>> {
    let (_, body) = text.split_once(BEGIN)?;
    let mut files: Vec<FileEdit> = Vec::new();
    for line in body.lines().skip(1) {
        let reported = |head: &str| line.strip_prefix(head).map(|rest| rest.trim().to_owned());
        if line.starts_with("*** End Patch") {
            break;
        } else if let Some(path) = reported("*** Add File:") {
            files.push(edit(path, EditKind::Write));
        } else if let Some(path) = reported("*** Delete File:") {
            files.push(edit(path, EditKind::Delete));
        } else if let Some(path) = reported("*** Update File:") {
            files.push(edit(path, EditKind::Update));
        } else if let Some(path) = reported("*** Move to:") {
            if let Some(file) = files.last_mut() {
                file.moved_to = Some(path);
            }
        } else if line.starts_with("*** ") {
            // The end of a file, or the place of a hunk.
        } else if let Some(file) = files.last_mut() {
            add_line(&mut file.diff, line);
        }
    }
    (!files.is_empty()).then_some(files)
}

/// Returns the changes that Codex lists by path after applying them.
pub(crate) fn changes(changes: &Map) -> Vec<FileEdit> {
    changes.iter().map(|(path, change)| changed(path.clone(), change)).collect()
}

fn changed(path: String, change: &Value) -> FileEdit {
    // `{"type": "add", "content": "…"}`; older: `{"add": {"content": "…"}}`.
    let inner = |kind: &str| change.get(kind).filter(|value| value.is_object());
    let old = ["add", "delete", "update"];
    let old = old.into_iter().find_map(|kind| Some((kind, inner(kind)?)));
    let kind = change.get("type").or_else(|| change.get("kind")).and_then(Value::as_str);
    let (kind, change) = old.unwrap_or((kind.unwrap_or_default(), change));
    let text = |key: &str| change.get(key).and_then(Value::as_str);
    match kind {
        "add" => FileEdit::written(path, text("content").unwrap_or_default()),
        "delete" => edit(path, EditKind::Delete),
        _ => {
            let mut file = edit(path, EditKind::Update);
            file.moved_to = text("move_path").map(str::to_owned);
            let lines = text("unified_diff").unwrap_or_default().lines();
            let heads = ["--- ", "+++ ", "\\ No newline"];
            for line in lines.filter(|line| !heads.iter().any(|head| line.starts_with(head))) {
                add_line(&mut file.diff, line);
            }
            file
        }
    }
}

fn edit(path: String, kind: EditKind) -> FileEdit {
    FileEdit { path, kind, moved_to: None, diff: String::new() }
}

fn add_line(diff: &mut String, line: &str) {
    if !diff.is_empty() {
        diff.push('\n');
    }
    // An unchanged empty line is often written without its leading space.
    if !line.starts_with([' ', '+', '-', '@']) {
        diff.push(' ');
    }
    diff.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::{changes, edits};
    use convo_base::model::EditKind;

    #[test]
    fn every_part_of_a_patch_is_read() {
        let text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ fn x\n-old\n+new\n\n\
                    *** End of File\n*** Add File: c\n+text\n*** Delete File: d\n*** End Patch\n";
        let files = edits(text).expect("a patch");
        let [a, c, d] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!((a.path.as_str(), a.moved_to.as_deref()), ("a", Some("b")));
        assert_eq!(a.diff, "@@ fn x\n-old\n+new\n ");
        assert_eq!((c.kind, c.diff.as_str()), (EditKind::Write, "+text"));
        assert_eq!((d.kind, d.diff.as_str()), (EditKind::Delete, ""));
        assert!(edits("no patch").is_none());
        assert!(edits("*** Begin Patch\n*** Update").is_none());
    }

    #[test]
    fn changes_of_both_shapes_are_read() {
        let list = serde_json::json!({
            "a": {"type": "update", "unified_diff": "--- a\n+++ a\n@@ -1 +1 @@\n-x\n+y\n"},
            "b": {"add": {"content": "z\n"}},
        });
        let files = changes(list.as_object().expect("an object"));
        assert_eq!(files[0].diff, "@@ -1 +1 @@\n-x\n+y");
        assert_eq!(files[1].diff, "+z");
    }
}
