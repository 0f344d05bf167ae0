//! The tools, with their descriptions and arguments.

use std::sync::Arc;

use rmcp::model::{Tool as Definition, ToolAnnotations};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::{Archive, answers};
use crate::partial_date::PartialDate;

/// A tool of the server.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    Search,
    Fetch,
    ListRecent,
    ListSpeakers,
}

/// The default number of results, and the maximum.
const RESULTS: usize = 10;
const MAX_RESULTS: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    query: String,
    #[serde(default)]
    limit: Limit,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FetchArguments {
    id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecentArguments {
    #[serde(default)]
    limit: Limit,
    after: Option<String>,
    before: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpeakersArguments {
    #[serde(default)]
    limit: Limit,
}

/// A maximum number of results, if the assistant gives one.
#[derive(Default)]
struct Limit(Option<usize>);

impl Limit {
    fn or(self, default: usize) -> usize {
        self.0.unwrap_or(default).min(MAX_RESULTS)
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given = Option::<f64>::deserialize(from).ok();
        let is_count = |number: &f64| number.fract() == 0.0 && *number >= 1.0;
        match given {
            Some(None) => Ok(Self(None)),
            Some(Some(number)) if is_count(&number) => Ok(Self(Some(number as usize))),
            _ => Err(D::Error::custom(format!("expected a `limit` from 1 to {MAX_RESULTS}"))),
        }
    }
}

/// Returns all tools with their definitions.
pub(super) fn all() -> impl Iterator<Item = (Tool, Definition)> {
    let limit = |of: &str, default: usize| {
        json!({
            "type": "integer", "minimum": 1, "maximum": MAX_RESULTS, "default": default,
            "description": format!("The maximum number of {of}"),
        })
    };
    let day = |about: &str| json!({"type": "string", "description": format!("{about}, such as 2025, 2025-10 or 2025-10-23")});
    let tools = [
        (
            Tool::Search,
            "search",
            "Find turns of conversations. A query has words in any form, \"phrases\", -not, prefix*, and the \
             filters speaker:, model:, lang:, type:, tag:, after:2025-03, before:2026, has:code and has:tool. \
             Each result has an id for `fetch`, the URL of the turn, and an excerpt.",
            json!({
                "query": {"type": "string", "description": "The query"},
                "limit": limit("turns", RESULTS),
            }),
            &["query"][..],
        ),
        (
            Tool::Fetch,
            "fetch",
            "Read a conversation as Markdown, from a given turn. Each turn has a heading with its \
             speaker. Long conversations and turns continue at the id `next`.",
            json!({"id": {
                "type": "string",
                "description": "The id of a turn or of a conversation, or its URL",
            }}),
            &["id"],
        ),
        (
            Tool::ListRecent,
            "list_recent",
            "List conversations, the newest first, with their speakers and numbers of turns.",
            json!({
                "limit": limit("conversations", RESULTS),
                "after": day("The first day, month or year"),
                "before": day("The day, month or year before which conversations began"),
            }),
            &[],
        ),
        (
            Tool::ListSpeakers,
            "list_speakers",
            "List the speakers, people and models, with their numbers of conversations and turns.",
            json!({"limit": limit("speakers", MAX_RESULTS)}),
            &[],
        ),
    ];
    tools.into_iter().map(|(tool, name, description, properties, required)| {
        let schema = json!({
            "type": "object", "properties": properties, "required": required,
            "additionalProperties": false,
        });
        let Value::Object(schema) = schema else { unreachable!("it is an object") };
        let annotations = ToolAnnotations::new().read_only(true).open_world(false);
        let definition = Definition::new(name, description, Arc::new(schema));
        (tool, definition.with_annotations(annotations))
    })
}

impl Tool {
    /// Returns the tool with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        all().find(|(_, definition)| definition.name == name).map(|(tool, _)| tool)
    }

    /// Calls it. The error is a message for the assistant.
    pub(super) fn call(
        self,
        archive: &impl Archive,
        arguments: Map<String, Value>,
    ) -> Result<Value, String> {
        match self {
            Self::Search => {
                let SearchArguments { query, limit } = parse(arguments)?;
                let (build, found) = archive.search(&query, limit.or(RESULTS))?;
                Ok(answers::search(&build, &found))
            }
            Self::Fetch => {
                let FetchArguments { id } = parse(arguments)?;
                answers::fetch(&archive.build()?, &id)
            }
            Self::ListRecent => {
                let RecentArguments { limit, after, before } = parse(arguments)?;
                let [after, before] =
                    [after, before].map(|day| day.as_deref().map(parse_day).transpose());
                Ok(answers::recent(&archive.build()?, limit.or(RESULTS), after?, before?))
            }
            Self::ListSpeakers => {
                let SpeakersArguments { limit } = parse(arguments)?;
                Ok(answers::speakers(&archive.build()?, limit.or(MAX_RESULTS)))
            }
        }
    }
}

fn parse<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| format!("invalid arguments: {error}"))
}

fn parse_day(text: &str) -> Result<PartialDate, String> {
    let unknown = || format!("invalid date `{text}`: {}", PartialDate::EXPECTED);
    PartialDate::parse(text).ok_or_else(unknown)
}
