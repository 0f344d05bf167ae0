//! Updates an index: removes deleted conversations, and sends new and changed ones.
//!
//! Searches use an alias. An index of the same [`FORMAT`] is changed in place, one document at a time, so that searches
//! find each turn once, in its old or new version. Otherwise a new index is filled, and the alias is moved to it
//! when it is complete, so that searches always work. An interrupted update continues where it stopped, because the
//! index itself shows what it contains.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value, json};

use super::bulk::{BulkItem, BulkSender};
use super::client::{Client, EngineError};
use super::definitions::{META, opensearch_index};
use crate::diag::{Diagnostic, Severity};
use crate::search::index::Document;
use crate::search::turn_documents::{FORMAT, turn_documents, version_of};
use crate::sources::TextStore;

/// The result of an update.
#[derive(Debug, Default)]
pub struct Updated {
    /// The name of the index.
    pub index: String,
    /// Whether a new index was created.
    pub is_new: bool,
    /// The number of conversations that were sent.
    pub sent: usize,
    /// The number of documents that were sent.
    pub documents: usize,
    /// The number of conversations that were removed.
    pub removed: usize,
    /// The number of unchanged conversations.
    pub same: usize,
    /// Conversations that could not be read, and documents that the engine rejected.
    pub notes: Vec<Diagnostic>,
}

/// The number of conversations whose documents are in memory at a time, and the approximate bytes to send at a time.
const AT_A_TIME: usize = 64;
const BYTES_AT_A_TIME: usize = 8 << 20;
/// The number of conversations to name in one request.
const NAMES_AT_A_TIME: usize = 500;
/// The number of conversations to list in one response.
const ROWS: usize = 1_000;
/// The maximum number of rounds for documents that are missing afterwards.
const MAX_ROUNDS: u32 = 3;

/// Called with the number of finished conversations and the total.
type Progress<'a> = &'a dyn Fn(usize, usize);

/// Updates the index of an alias with the public conversations. With `rebuild`, fills a new index instead of changing
/// the current one.
pub fn update(
    client: &Client,
    documents: &[Arc<Document>],
    texts: &TextStore,
    rebuild: bool,
    progress: Progress<'_>,
) -> Result<Updated, EngineError> {
    let wanted: BTreeMap<&str, (&Arc<Document>, String)> = documents
        .iter()
        .filter(|document| document.is_public())
        .map(|document| (&*document.path, (document, version_of(document))))
        .collect();
    let target = Target::find(client, rebuild)?;
    let mut updated = Updated { is_new: target.is_new, ..Updated::default() };
    let mut failed: Vec<&str> = Vec::new();
    for round in 0.. {
        refresh(client, &target.index)?;
        let state = State::of(client, &target.index)?;
        let gone: Vec<&str> =
            state.conversations().filter(|path| !wanted.contains_key(path)).collect();
        let missing: Vec<&str> = wanted
            .iter()
            .filter(|(path, (_, version))| !state.is_whole(path, version))
            .map(|(path, _)| *path)
            .filter(|path| !failed.contains(path))
            .collect();
        if round == 0 {
            updated.same = wanted.len() - missing.len();
        }
        if gone.is_empty() && missing.is_empty() {
            break;
        }
        if round == MAX_ROUNDS {
            return Err(EngineError {
                message: format!(
                    "the search engine lost documents of `{}` several times",
                    target.index
                ),
                hint: Some("check the health of the cluster, then run the command again"),
            });
        }
        // Remove first, so that deleted turns are gone even if sending fails.
        updated.removed += gone.len();
        for some in gone.chunks(NAMES_AT_A_TIME) {
            remove(client, &target.index, some, &[])?;
        }
        let mut sender = BulkSender::new(client, &target.index);
        let mut done = 0;
        for some in missing.chunks(AT_A_TIME) {
            let some: Vec<_> = some.iter().filter_map(|path| wanted.get(path)).collect();
            let make = |(document, _): &&(&Arc<Document>, String)| {
                let documents = turn_documents(document, texts)?;
                Ok(documents.iter().map(BulkItem::new).collect())
            };
            let made: Vec<Result<Vec<BulkItem>, Box<Diagnostic>>> =
                some.par_iter().map(make).collect();
            let mut ready: Vec<(&str, &str, Vec<BulkItem>)> = Vec::new();
            let mut bytes = 0;
            for ((document, version), made) in some.into_iter().zip(made) {
                match made {
                    Ok(items) => {
                        bytes += items.iter().map(BulkItem::len).sum::<usize>();
                        ready.push((&document.path, version, items));
                    }
                    Err(note) => {
                        updated.notes.push(*note);
                        failed.push(&document.path);
                    }
                }
                if bytes >= BYTES_AT_A_TIME {
                    let part = std::mem::take(&mut ready);
                    send(&mut sender, part, &state, &mut updated, &mut failed)?;
                    bytes = 0;
                }
            }
            send(&mut sender, ready, &state, &mut updated, &mut failed)?;
            done += AT_A_TIME;
            progress(done.min(missing.len()), missing.len());
        }
    }
    if target.is_new {
        target.publish(client)?;
    }
    updated.index = target.index;
    return Ok(updated);

    /// Sends the documents of some conversations, and removes their old documents.
    fn send<'a>(
        sender: &mut BulkSender<'_>,
        ready: Vec<(&'a str, &str, Vec<BulkItem>)>,
        state: &State,
        updated: &mut Updated,
        failed: &mut Vec<&'a str>,
    ) -> Result<(), EngineError> {
        let mut items = Vec::new();
        let (mut changed, mut versions) = (Vec::new(), Vec::new());
        let mut owners: HashMap<String, &str> = HashMap::new();
        updated.sent += ready.len();
        for (path, version, of_one) in ready {
            if state.has_other(path, version) {
                changed.push(path);
                versions.push(version);
            }
            owners.extend(of_one.iter().map(|item| (item.id.clone(), path)));
            items.extend(of_one);
        }
        updated.documents += items.len();
        for refused in sender.send(&items)? {
            let path = owners.get(&refused.id).copied().unwrap_or_default();
            let message = format!("cannot index a turn: {}", refused.why);
            let note = Diagnostic::new(Severity::Error, "search-engine", message);
            updated.notes.push(note.in_file(path));
            if !failed.contains(&path) {
                failed.push(path);
            }
        }
        if !changed.is_empty() {
            remove(sender.client(), sender.index(), &changed, &versions)?;
        }
        Ok(())
    }
}

/// The conversations in an index, as the index reports them.
struct State(HashMap<String, Vec<Part>>);

/// The documents of one version of a conversation.
struct Part {
    version: String,
    documents: u64,
    /// The number of turns according to the document of the title.
    turns: Option<u64>,
}

impl State {
    /// Requests the state of an index.
    fn of(client: &Client, index: &str) -> Result<Self, EngineError> {
        let mut state: HashMap<String, Vec<Part>> = HashMap::new();
        let mut after = Value::Null;
        loop {
            let mut composite = json!({
                "size": ROWS,
                "sources": [
                    {"conversation": {"terms": {"field": "conversation"}}},
                    {"version": {"terms": {"field": "version"}}},
                ],
            });
            if !after.is_null() {
                composite["after"] = after;
            }
            let body = json!({
                "size": 0,
                "track_total_hits": false,
                "aggs": {"parts": {
                    "composite": composite,
                    "aggs": {"turns": {"max": {"field": "turns"}}},
                }},
            });
            let path = format!("{index}/_search?allow_partial_search_results=false");
            let answer = client.ask_json("cannot read the index", "POST", &path, Some(&body))?;
            let parts = &answer["aggregations"]["parts"];
            let Some(rows) = parts["buckets"].as_array() else {
                return Err(EngineError::new(
                    "unexpected response from the search engine: no list of documents",
                ));
            };
            for row in rows {
                let text = |name: &str| row["key"][name].as_str().unwrap_or_default().to_owned();
                // A maximum is always returned as a floating-point number.
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a value that is not a count matches no count"
                )]
                let turns = row["turns"]["value"].as_f64().map(|turns| turns as u64);
                let documents = row["doc_count"].as_u64().unwrap_or_default();
                let part = Part { version: text("version"), documents, turns };
                state.entry(text("conversation")).or_default().push(part);
            }
            after = parts["after_key"].clone();
            if rows.len() < ROWS || after.is_null() {
                return Ok(Self(state));
            }
        }
    }

    /// Returns all conversations with documents, sorted.
    fn conversations(&self) -> impl Iterator<Item = &str> {
        let mut all: Vec<&str> = self.0.keys().map(String::as_str).collect();
        all.sort_unstable();
        all.into_iter()
    }

    /// Returns whether it has exactly one complete version of a conversation, this one.
    fn is_whole(&self, path: &str, version: &str) -> bool {
        let parts = self.0.get(path).map(Vec::as_slice);
        matches!(
            parts,
            Some([part]) if part.version == version && part.turns == part.documents.checked_sub(1)
        )
    }

    /// Returns whether it has documents of another version of a conversation.
    fn has_other(&self, path: &str, version: &str) -> bool {
        self.0.get(path).is_some_and(|parts| parts.iter().any(|part| part.version != version))
    }
}

/// Removes the documents of some conversations, except those of some versions.
fn remove(
    client: &Client,
    index: &str,
    conversations: &[&str],
    but_versions: &[&str],
) -> Result<(), EngineError> {
    let body = json!({"query": {"bool": {
        "filter": {"terms": {"conversation": conversations}},
        "must_not": {"terms": {"version": but_versions}},
    }}});
    // Documents that conflict were just written, and have a version to keep.
    let path = format!("{index}/_delete_by_query?conflicts=proceed&refresh=true");
    client.ask_json("cannot remove old documents", "POST", &path, Some(&body))?;
    Ok(())
}

/// Makes all sent documents searchable.
fn refresh(client: &Client, index: &str) -> Result<(), EngineError> {
    let path = format!("{index}/_refresh");
    client.ask_json("cannot refresh the index", "POST", &path, None)?;
    Ok(())
}

/// The index to update.
struct Target {
    index: String,
    /// Whether the alias does not use it yet.
    is_new: bool,
    /// Older indices of the alias, which are not needed afterwards.
    old: Vec<String>,
    /// The older indices that the alias currently uses.
    aliased: Vec<String>,
}

impl Target {
    /// Finds the index of the alias or an unfinished one, or creates a new one.
    fn find(client: &Client, rebuild: bool) -> Result<Self, EngineError> {
        let alias = &client.address.alias;
        let number_of = |index: &str| -> Option<u64> {
            index.strip_prefix(alias.as_str())?.strip_prefix('-')?.parse().ok()
        };
        let path = format!("{alias},{alias}-*?ignore_unavailable=true&allow_no_indices=true");
        let all = client.ask_json("cannot read the indices", "GET", &path, None)?;
        let all = all.as_object().cloned().unwrap_or_default();
        if all.contains_key(alias) {
            return Err(EngineError {
                message: format!("`{alias}` is an index, but must be an alias or unused"),
                hint: Some("use another name at the end of the URL"),
            });
        }
        let mut known: Vec<(u64, &String, bool, bool)> = Vec::new();
        for (index, about) in &all {
            let has_alias = about["aliases"].get(alias).is_some();
            let format = about["mappings"]["_meta"][META].as_u64();
            match (number_of(index), format) {
                (Some(number), Some(format)) => {
                    known.push((number, index, has_alias, format == u64::from(FORMAT)));
                }
                _ if has_alias => {
                    return Err(EngineError {
                        message: format!(
                            "`{alias}` is an alias of `{index}`, which convo-site did not create"
                        ),
                        hint: Some("use another name at the end of the URL"),
                    });
                }
                // An unrelated index with a similar name.
                _ => {}
            }
        }
        known.sort_unstable();
        let newest_asked = known.iter().rev().find(|(_, _, has_alias, _)| *has_alias);
        let least = newest_asked.map_or(0, |(number, ..)| *number);
        let usable = known.iter().rev().find(|(number, _, has_alias, fits)| {
            *fits && if *has_alias { !rebuild && *number == least } else { *number > least }
        });
        let (index, is_new) = match usable {
            Some((_, index, has_alias, _)) => ((*index).clone(), !has_alias),
            None => {
                let last = known.last().map_or(0, |(number, ..)| *number);
                (format!("{alias}-{}", last + 1), true)
            }
        };
        if usable.is_none() {
            make(client, &index)?;
        }
        let others = known.iter().filter(|(_, name, ..)| **name != index);
        let old: Vec<String> = others.clone().map(|(_, name, ..)| (*name).clone()).collect();
        let aliased = others.filter(|(_, _, has_alias, _)| *has_alias);
        let aliased = aliased.map(|(_, name, ..)| (*name).clone()).collect();
        Ok(Self { index, is_new, old, aliased })
    }

    /// Moves the alias to the new index, and removes the old ones.
    fn publish(&self, client: &Client) -> Result<(), EngineError> {
        let alias = &client.address.alias;
        let mut actions = vec![json!({"add": {"index": self.index, "alias": alias}})];
        for old in &self.aliased {
            actions.push(json!({"remove": {"index": old, "alias": alias, "must_exist": false}}));
        }
        let body = json!({"actions": actions});
        client.ask_json("cannot move the alias", "POST", "_aliases", Some(&body))?;
        for old in &self.old {
            let answer = client.ask("DELETE", old, None)?;
            // Already removed, if the response to an earlier request was lost.
            if !answer.is_fine() && answer.status != 404 {
                return Err(EngineError::unexpected("cannot remove an old index", &answer));
            }
        }
        Ok(())
    }
}

/// Creates an index.
fn make(client: &Client, index: &str) -> Result<(), EngineError> {
    let body = opensearch_index().to_string();
    let answer = client.ask("PUT", index, Some(body.as_bytes()))?;
    // Already created, if the response to the first request was lost.
    let is_there = answer.body["error"]["type"] == "resource_already_exists_exception";
    match answer.is_fine() || is_there {
        true => Ok(()),
        false => Err(EngineError::unexpected("cannot create an index", &answer)),
    }
}
