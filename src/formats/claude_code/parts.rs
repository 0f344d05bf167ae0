//! How a long session is read in parts.

use super::super::Parts;
use super::entry;
use super::files::{self, FileKind};

/// Decides by the files of a source.
pub(super) fn choose(names: &[&str]) -> Parts {
    let sessions = names.iter().filter(|name| files::kind(name) == FileKind::Session);
    match sessions.count() {
        // Sessions that go on from one another are short, and several conversations.
        2.. => Parts::Whole,
        _ => Parts::Log { cut: entry::cut, names: named },
    }
}

/// Returns the names, without endings, of the files and the folders that a record needs beside it: the log
/// of the subagent that it tells of, the output that was too long.
fn named(line: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (key, prefix) in [("\"agentId\":", "agent-"), ("\"runId\":", "")] {
        for (at, _) in line.match_indices(key) {
            let behind = line[at + key.len()..].trim_start();
            let value = behind.strip_prefix('"').and_then(|value| value.split('"').next());
            names.extend(value.map(|value| format!("{prefix}{value}")));
        }
    }
    if line.contains("<persisted-output>") {
        for (at, _) in line.match_indices("tool-results") {
            let path = line[at..].trim_start_matches("tool-results");
            let path = path.trim_start_matches(['/', '\\']);
            let is_name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
            let end = path.find(|c| !is_name(c)).unwrap_or(path.len());
            names.push(path[..end].to_owned());
        }
        for (at, _) in line.match_indices("\"tool_use_id\":") {
            let behind = line[at + "\"tool_use_id\":".len()..].trim_start();
            let value = behind.strip_prefix('"').and_then(|value| value.split('"').next());
            names.extend(value.map(str::to_owned));
        }
    }
    names
}
