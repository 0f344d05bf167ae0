//! The `[extra]` of `site.toml`: values for custom templates.

use serde::{Deserialize, Deserializer, de::Error};

use crate::json::{Map, Value};

/// Values for templates, with any names and types; dates become text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Extra(pub Map);

impl<'de> Deserialize<'de> for Extra {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = toml::Table::deserialize(deserializer)?;
        of_table(table).map(Self).map_err(D::Error::custom)
    }
}

impl Extra {
    /// Changes every text in it, keys included.
    pub fn for_each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        map_texts(&mut self.0, change);
    }
}

fn for_each_text(value: &mut Value, change: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(list) => list.iter_mut().for_each(|one| for_each_text(one, change)),
        Value::Object(map) => map_texts(map, change),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn map_texts(map: &mut Map, change: &mut dyn FnMut(&mut String)) {
    for (key, mut value) in std::mem::take(map) {
        let mut name = key;
        change(&mut name);
        for_each_text(&mut value, change);
        // Keys that became equal get numbers.
        let mut own = name.clone();
        for number in 2.. {
            if !map.contains_key(&own) {
                break;
            }
            own = format!("{name} {number}");
        }
        map.insert(own, value);
    }
}

fn of_table(table: toml::Table) -> Result<Map, String> {
    table.into_iter().map(|(key, value)| Ok((key, of_value(value)?))).collect()
}

fn of_value(value: toml::Value) -> Result<Value, String> {
    Ok(match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) if number.is_finite() => number.into(),
        toml::Value::Float(_) => {
            return Err("`nan` and `inf` are not valid values for templates".into());
        }
        toml::Value::Boolean(flag) => flag.into(),
        toml::Value::Datetime(time) => time.to_string().into(),
        toml::Value::Array(list) => {
            list.into_iter().map(of_value).collect::<Result<Vec<_>, _>>()?.into()
        }
        toml::Value::Table(table) => Value::Object(of_table(table)?),
    })
}
