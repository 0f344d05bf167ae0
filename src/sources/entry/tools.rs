//! Reports tools whose input and output are withheld.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::diag::{Diagnostic, Severity};
use crate::formats;
use crate::model::{Block, Turn};
use crate::text::plural;

/// The number of calls, by the servers of their tools.
pub(crate) type Calls = BTreeMap<String, u64>;

/// The maximum number of servers that are named.
const MAX_NAMED: usize = 8;

/// The placeholder for the name of a server that may contain a secret.
const UNNAMED: &str = "…";

/// Counts the calls of a turn whose input and output are withheld. `is_secret` says whether the
/// name of a tool contains a secret.
pub(crate) fn count_withheld(
    agent: &str,
    turn: &Turn,
    is_secret: impl Fn(&str) -> bool,
    calls: &mut Calls,
) {
    for block in &turn.blocks {
        if let Block::Tool(call) = block
            && let Some(server) = formats::withheld_server(agent, call)
        {
            // The server's name may be a part of the tool's name, and may end within a secret.
            let is_unnamed = is_secret(&call.name) || is_secret(&server);
            let server = if is_unnamed { UNNAMED.to_owned() } else { server };
            *calls.entry(server).or_default() += 1;
        }
    }
}

/// Returns the one diagnostic about servers whose tools are not open.
pub(crate) fn withheld_note<'a>(all: impl IntoIterator<Item = &'a Calls>) -> Option<Diagnostic> {
    let mut calls: BTreeMap<&str, u64> = BTreeMap::new();
    for (server, count) in all.into_iter().flatten() {
        *calls.entry(server).or_default() += count;
    }
    if calls.is_empty() {
        return None;
    }
    let count = plural(calls.values().sum(), "call", "calls");
    let servers = plural(calls.len() as u64, "server", "servers");
    let mut named: Vec<(&str, u64)> = calls.into_iter().collect();
    named.sort_by_key(|(name, count)| (Reverse(*count), *name));
    let more = named.len().saturating_sub(MAX_NAMED);
    named.truncate(MAX_NAMED);
    let listed = named.iter().map(|(name, count)| {
        let name = name.replace('`', "'");
        if *count == 1 { format!("`{name}`") } else { format!("`{name}` ({count})") }
    });
    let mut listed = listed.collect::<Vec<_>>().join(", ");
    if more > 0 {
        listed.push_str(&format!(" and {more} more"));
    }
    let message =
        format!("the input and output of {count} to tools of {servers} are withheld: {listed}");
    let note = Diagnostic::new(Severity::Hint, "withheld-tools", message);
    let Some((first, _)) = named.iter().find(|(name, _)| *name != UNNAMED) else {
        return Some(note);
    };
    Some(note.hint(format!(
        "to publish the input and output of a server's tools, name the server in site.toml: \
         `open_servers = [{first:?}]`"
    )))
}
