//! How a long session is split into parts.

use super::super::Parts;
use super::entry;
use super::files::{self, FileKind};

/// Chooses by the files of a source.
pub(super) fn choose(names: &[&str]) -> Parts {
    let sessions = names.iter().filter(|name| files::kind(name) == FileKind::Session);
    match sessions.count() {
        // Sessions that continue each other are short, and are several conversations.
        2.. => Parts::Whole,
        _ => Parts::Log { cut: entry::cut, names: named },
    }
}

/// Returns the names, without extensions, of the files and folders that a record needs: the log of its
/// subagent, or an output that was too long.
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
