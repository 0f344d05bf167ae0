//! Dates and times in `site.toml`.

use serde::Deserialize;
use toml::value::Datetime;

use crate::time::Time;

/// A date, with or without a time, with or without quotation marks.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct DateOrTime(pub Time);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a date such as `2027-01-01`")]
enum Written {
    Time(Datetime),
    Text(String),
}

impl TryFrom<Written> for DateOrTime {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let text = match written {
            Written::Time(time) => time.to_string(),
            Written::Text(text) => text,
        };
        let read = Time::parse(text.trim());
        let (time, _) = read.map_err(|why| {
            format!("invalid date `{text}` ({why}); write a date such as `2027-01-01`")
        })?;
        Ok(Self(time))
    }
}
