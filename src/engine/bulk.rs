//! Sends documents to an index, many per request, and retries those that the engine did not accept yet.

use std::collections::VecDeque;

use serde_json::{Value, json};

use super::client::{Client, EngineError, RETRY_HINT};
use crate::search::turn_documents::TurnDocument;

/// The maximum size of a request at first, and its minimum after reductions, in bytes.
const MAX_BYTES: usize = 8 << 20;
const MIN_BYTES: usize = 64 << 10;
/// The maximum number of documents in a request.
const MAX_DOCUMENTS: usize = 5_000;

/// A document to send.
pub(super) struct BulkItem {
    pub(super) id: String,
    /// The line with the action, and the line with the document.
    lines: String,
}

impl BulkItem {
    /// Creates an item that replaces any document with the same id.
    pub(super) fn new(document: &TurnDocument) -> Self {
        let action = json!({"index": {"_id": document.id}});
        let document_line = serde_json::to_string(document).unwrap_or_default();
        Self { id: document.id.clone(), lines: format!("{action}\n{document_line}\n") }
    }

    /// Returns its size in bytes.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }
}

/// A document that the engine rejected, and why.
pub(super) struct Refused {
    pub(super) id: String,
    pub(super) why: String,
}

/// Sends documents to an index, as many at a time as it accepts.
pub(super) struct BulkSender<'a> {
    client: &'a Client,
    index: String,
    max_bytes: usize,
}

/// The result for a document in one request.
enum ItemResult {
    Taken,
    /// The engine is temporarily overloaded or incomplete.
    Later,
    Refused(String),
}

impl<'a> BulkSender<'a> {
    pub(super) fn new(client: &'a Client, index: &str) -> Self {
        Self { client, index: index.to_owned(), max_bytes: MAX_BYTES }
    }

    pub(super) fn client(&self) -> &Client {
        self.client
    }

    pub(super) fn index(&self) -> &str {
        &self.index
    }

    /// Sends documents until the engine has accepted or rejected each. Fails if the engine does not accept more
    /// documents until the deadline.
    pub(super) fn send(&mut self, items: &[BulkItem]) -> Result<Vec<Refused>, EngineError> {
        let path = format!("{}/_bulk", self.index);
        let mut waiting: VecDeque<&BulkItem> = items.iter().collect();
        let mut refused = Vec::new();
        // Restarted whenever the engine accepts a document.
        let mut deadline = self.client.deadline();
        while let Some(first) = waiting.front() {
            let mut bytes = first.len();
            let more = waiting.iter().skip(1).take(MAX_DOCUMENTS - 1).take_while(|item| {
                bytes += item.len();
                bytes <= self.max_bytes
            });
            let count = 1 + more.count();
            let batch: Vec<&BulkItem> = waiting.drain(..count).collect();
            let body: String = batch.iter().map(|item| item.lines.as_str()).collect();
            let answer = self.client.ask("POST", &path, Some(body.as_bytes()))?;
            if answer.status == 413 {
                if let [item] = batch[..] {
                    let why = "it is larger than the engine accepts".to_owned();
                    refused.push(Refused { id: item.id.clone(), why });
                } else {
                    self.max_bytes = (body.len() / 2).max(1);
                    batch.into_iter().rev().for_each(|item| waiting.push_front(item));
                }
                continue;
            }
            if !answer.is_fine() {
                return Err(EngineError::unexpected("cannot index documents", &answer));
            }
            let fates = fates(&answer.body, batch.len())?;
            let mut later = Vec::new();
            for (item, fate) in batch.into_iter().zip(fates) {
                match fate {
                    ItemResult::Taken => {}
                    ItemResult::Later => later.push(item),
                    ItemResult::Refused(why) => {
                        refused.push(Refused { id: item.id.clone(), why });
                    }
                }
            }
            if later.is_empty() {
                self.max_bytes = (self.max_bytes * 2).min(MAX_BYTES);
                deadline = self.client.deadline();
                continue;
            }
            if later.len() < count {
                deadline = self.client.deadline();
            }
            if !deadline.pause(None, "it does not accept more documents at the moment") {
                let message =
                    "the search engine does not accept more documents at the moment".to_owned();
                return Err(EngineError { message, hint: Some(RETRY_HINT) });
            }
            self.max_bytes = (self.max_bytes / 2).max(MIN_BYTES);
            later.into_iter().rev().for_each(|item| waiting.push_front(item));
        }
        Ok(refused)
    }
}

/// Returns the result for each document. Fails if the response does not match the request.
fn fates(body: &Value, count: usize) -> Result<Vec<ItemResult>, EngineError> {
    let wrong = || EngineError::new("unexpected response from the search engine to a bulk request");
    let items = body["items"].as_array().filter(|items| items.len() == count);
    let fate = |item: &Value| {
        let done = item.as_object().and_then(|item| item.values().next());
        let done = done.ok_or_else(wrong)?;
        Ok(match done["status"].as_u64().ok_or_else(wrong)? {
            200..300 => ItemResult::Taken,
            429 | 500 | 502 | 503 | 504 => ItemResult::Later,
            status => {
                let why = done["error"]["reason"].as_str().unwrap_or_default();
                let why: String = why.chars().filter(|c| !c.is_control()).take(300).collect();
                ItemResult::Refused(format!("the engine responded with {status} {why}"))
            }
        })
    };
    items.ok_or_else(wrong)?.iter().map(fate).collect()
}
