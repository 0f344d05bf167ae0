//! Reads times from JSON values.

use super::iso;
use convo_base::json::Value;
use convo_base::time::Time;

/// Reads a time in any form: ISO 8601, a number of seconds since 1970 or of smaller units (detected by its
/// size), or a database date object. 0 means that the time is unknown.
pub(crate) fn of_value(value: &Value) -> Option<Time> {
    match value {
        Value::String(text) => match text.trim().parse::<f64>() {
            Ok(number) => of_number(number),
            Err(_) => iso(text.trim()),
        },
        Value::Number(number) => of_number(number.as_f64()?),
        Value::Object(map) => {
            let inner = ["$date", "$numberLong"].iter().find_map(|key| map.get(*key))?;
            match inner {
                Value::Object(inner) => of_value(inner.get("$numberLong")?),
                inner => of_value(inner),
            }
        }
        _ => None,
    }
}

fn of_number(number: f64) -> Option<Time> {
    // The end of the year 2099, in seconds.
    const LAST: f64 = 4_102_444_800.0;
    let units = [1.0, 1e3, 1e6, 1e9].into_iter();
    let found = units.map(|unit| number / unit).find(|number| *number < LAST)?;
    Time::from_unix(found as i64).filter(|_| found >= 1.0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::of_value;

    #[test]
    fn units_are_known_by_their_size() {
        let at = "2026-03-04T18:20:05Z";
        for value in [
            json!(at),
            json!(" 2026-03-04T18:20:05Z "),
            json!(1_772_648_405),
            json!(1_772_648_405.5),
            json!(1_772_648_405_500_i64),
            json!(1_772_648_405_500_000_i64),
            json!("1772648405"),
            json!({"$date": at}),
            json!({"$date": {"$numberLong": "1772648405500"}}),
        ] {
            let time = of_value(&value).map(|time| time.machine());
            assert_eq!(time.as_deref(), Some(at), "{value}");
        }
        for value in [json!(0), json!(-5), json!(""), json!("soon"), json!(null), json!(1e30)] {
            assert_eq!(of_value(&value), None, "{value}");
        }
    }
}
