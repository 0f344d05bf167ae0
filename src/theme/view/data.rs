//! Values that authors give to templates.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::json::{Map, Value};

/// Values by name, unchanged: texts, numbers, booleans, lists, tables.
#[derive(Clone, Default)]
pub struct DataView(pub Map);

impl Serialize for DataView {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        map(&self.0, to)
    }
}

/// A value that templates see with real numbers, not texts of digits.
struct One<'a>(&'a Value);

impl Serialize for One<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => to.serialize_none(),
            Value::Bool(flag) => to.serialize_bool(*flag),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => to.serialize_i64(whole),
                (None, Some(other)) => to.serialize_f64(other),
                (None, None) => to.serialize_str(&number.to_string()),
            },
            Value::String(text) => to.serialize_str(text),
            Value::Array(list) => to.collect_seq(list.iter().map(One)),
            Value::Object(inside) => map(inside, to),
        }
    }
}

fn map<S: Serializer>(values: &Map, to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(values.len()))?;
    for (key, value) in values {
        map.serialize_entry(key, &One(value))?;
    }
    map.end()
}
