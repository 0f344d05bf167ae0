//! Edits written as a search text and its replacement.
//!
//! ```text
//! <<<<<<< SEARCH
//! grind(3)
//! =======
//! grind(2)
//! >>>>>>> REPLACE
//! ```

use convo_base::model::{Action, FileEdit};

/// Returns whether a line opens a search block.
pub(crate) fn opens_search(line: &str) -> bool {
    ["<<<<<<< SEARCH", "------- SEARCH"].contains(&line.trim_end())
}

/// Returns whether a line closes a replacement block.
pub(crate) fn closes_replace(line: &str) -> bool {
    [">>>>>>> REPLACE", "+++++++ REPLACE"].contains(&line.trim_end())
}

/// Returns an edit, from search and replacement blocks or from the lines of a patch.
pub(crate) fn edit(path: String, change: &str) -> Option<Action> {
    let files = match blocks(change) {
        Some(parts) => {
            let mut file = FileEdit::replaced(path, "", "");
            for (before, after) in parts {
                file.diff.push_str(if file.diff.is_empty() { "" } else { "\n@@\n" });
                file.diff.push_str(&FileEdit::replaced("", &before, &after).diff);
            }
            vec![file]
        }
        None => {
            let is_patch =
                |line: &str| ["@@", "+", "-", " ", "\\"].iter().any(|mark| line.starts_with(mark));
            let lines = || {
                change.lines().filter(|line| {
                    let heads = ["--- ", "+++ ", "Index: ", "====", "diff "];
                    !line.is_empty() && !heads.iter().any(|head| line.starts_with(head))
                })
            };
            let is_one = change.contains("@@") && lines().all(is_patch);
            let diff = is_one.then(|| lines().collect::<Vec<_>>().join("\n"))?;
            vec![FileEdit { diff, ..FileEdit::replaced(path, "", "") }]
        }
    };
    Some(Action::Edit { files })
}

/// Returns the pairs of search text and replacement, from blocks such as `<<<<<<< SEARCH`.
fn blocks(change: &str) -> Option<Vec<(String, String)>> {
    let mut parts: Vec<(String, String)> = Vec::new();
    let mut side = None;
    for line in change.lines() {
        let bare = line.trim_end();
        if opens_search(line) {
            parts.push(Default::default());
            side = Some(false);
        } else if side == Some(false) && bare == "=======" {
            side = Some(true);
        } else if closes_replace(line) {
            side = None;
        } else if let (Some(is_after), Some(part)) = (side, parts.last_mut()) {
            let is_number = line.starts_with(":start_line:") || line.starts_with(":end_line:");
            if !is_after && (is_number || part.0.is_empty() && bare == "-------") {
                continue;
            }
            let text = if is_after { &mut part.1 } else { &mut part.0 };
            text.push_str(line);
            text.push('\n');
        }
    }
    (!parts.is_empty()).then_some(parts)
}
