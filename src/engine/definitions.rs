//! The definition of an index of turns, for OpenSearch and Quickwit.

use serde_json::{Value, json};

use crate::search::turn_documents::FORMAT;

/// The metadata key for the document format in an index.
pub(super) const META: &str = "convo-site";

/// The maximum length of a facet value, such as a speaker or a tag, in characters.
const MAX_FACET_CHARS: u32 = 1_000;

/// Returns the settings and the mapping of an OpenSearch index: the body of the request that creates it.
///
/// Texts to search are already tokenised and are only split at spaces. Terms are not stored; the fields that results
/// show are, and documents can be created again from the site.
pub fn opensearch_index() -> Value {
    let exact = json!({"type": "keyword"});
    let facet = json!({"type": "keyword", "ignore_above": MAX_FACET_CHARS});
    let shown = json!({"type": "keyword", "index": false, "doc_values": false});
    let terms = json!({"type": "text", "analyzer": "whitespace"});
    let set = json!({
        "type": "text", "analyzer": "whitespace", "norms": false, "index_options": "docs",
    });
    json!({
        "settings": {
            "index.number_of_shards": 1,
            "index.auto_expand_replicas": "0-1",
        },
        "mappings": {
            "_meta": {META: FORMAT},
            "dynamic": "strict",
            "_source": {"excludes": ["terms", "names", "titles", "filters", "words"]},
            "properties": {
                "id": shown,
                "version": exact,
                "conversation": exact,
                "n": {"type": "long"},
                "turns": {"type": "long"},
                "url": shown,
                "title": shown,
                "day": {"type": "integer"},
                "year": facet,
                "speaker": facet,
                "model": facet,
                "lang": facet,
                "type": facet,
                "tag": facet,
                "text": shown,
                "terms": terms,
                "names": terms,
                "titles": terms,
                "filters": set,
                "words": set,
            },
        },
    })
}

/// Returns the configuration of a Quickwit index.
pub fn quickwit_index() -> Value {
    let exact =
        |name: &str| json!({"name": name, "type": "text", "tokenizer": "raw", "fast": true});
    let facets =
        |name: &str| json!({"name": name, "type": "array<text>", "tokenizer": "raw", "fast": true});
    let shown = |name: &str| json!({"name": name, "type": "text", "indexed": false});
    let terms = |name: &str| {
        json!({
            "name": name, "type": "array<text>", "tokenizer": "whitespace", "record": "position",
            "fieldnorms": true, "stored": false,
        })
    };
    let set = |name: &str| json!({"name": name, "type": "text", "tokenizer": "whitespace", "stored": false});
    let number = |name: &str| json!({"name": name, "type": "u64", "fast": true});
    json!({
        "version": "0.8",
        "index_id": META,
        "doc_mapping": {
            "mode": "strict",
            "field_mappings": [
                exact("id"), exact("version"), exact("conversation"), number("n"), number("turns"), shown("url"),
                shown("title"), number("day"), exact("year"), exact("speaker"), exact("model"),
                facets("lang"), exact("type"), facets("tag"), shown("text"), terms("terms"),
                terms("names"), terms("titles"), set("filters"), set("words"),
            ],
        },
        "search_settings": {"default_search_fields": ["terms", "names"]},
    })
}
