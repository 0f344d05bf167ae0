//! Deserializes blocks and actions.
//!
//! A key beside the others gives their kind. It is read by hand, because serde's tagged enums would
//! lose the exact form of numbers.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use super::{Action, Block};
use crate::json::{Map, Value};

impl<'de> Deserialize<'de> for Block {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(from)?;
        Ok(match tag(&mut map, "kind")?.as_str() {
            "markdown" => Self::Markdown { text: take(&mut map, "text")? },
            "thinking" => Self::Thinking { text: take(&mut map, "text")? },
            "tool" => Self::Tool(Box::new(whole(map)?)),
            "attachment" => Self::Attachment(Box::new(whole(map)?)),
            "event" => Self::Event {
                name: take(&mut map, "name")?,
                text: take(&mut map, "text")?,
                detail: take(&mut map, "detail")?,
            },
            "citations" => Self::Citations { citations: take(&mut map, "citations")? },
            "unknown" => Self::Unknown {
                name: take(&mut map, "name")?,
                value: map.shift_remove("value").unwrap_or_default(),
            },
            other => return Err(Error::custom(format!("unknown block `{other}`"))),
        })
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut map = Map::deserialize(from)?;
        Ok(match tag(&mut map, "action")?.as_str() {
            "command" => Self::Command {
                command: take(&mut map, "command")?,
                exit_code: take(&mut map, "exit_code")?,
            },
            "edit" => Self::Edit { files: take(&mut map, "files")? },
            "plan" => Self::Plan { steps: take(&mut map, "steps")? },
            "search" => Self::Search {
                query: take(&mut map, "query")?,
                results: take(&mut map, "results")?,
            },
            other => return Err(Error::custom(format!("unknown action `{other}`"))),
        })
    }
}

fn tag<E: Error>(map: &mut Map, key: &str) -> Result<String, E> {
    take(map, key)
}

/// Returns the value of a key; null if it is missing.
fn take<T: DeserializeOwned, E: Error>(map: &mut Map, key: &str) -> Result<T, E> {
    let value = map.shift_remove(key).unwrap_or_default();
    serde_json::from_value(value).map_err(E::custom)
}

fn whole<T: DeserializeOwned, E: Error>(map: Map) -> Result<T, E> {
    serde_json::from_value(Value::Object(map)).map_err(E::custom)
}
