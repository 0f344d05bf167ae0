//! A day or an hour in `site.toml`.

use serde::Deserialize;
use toml::value::Datetime;

use crate::time::Time;

/// A day, or an hour of one, written with quotation marks or without.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub struct Moment(pub Time);

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a date such as `2027-01-01`")]
enum Written {
    Time(Datetime),
    Text(String),
}

impl TryFrom<Written> for Moment {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let text = match written {
            Written::Time(time) => time.to_string(),
            Written::Text(text) => text,
        };
        let read = Time::parse(text.trim());
        let (time, _) = read.map_err(|why| {
            format!("`{text}` is no time ({why}); write a date such as `2027-01-01`")
        })?;
        Ok(Self(time))
    }
}
