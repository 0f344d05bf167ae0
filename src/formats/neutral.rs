//! The neutral form as a JSON array, for other programs. Only written.

use super::{Format, Write};
use crate::json;

pub(super) const FORMAT: Format = Format {
    name: "json",
    title: "Neutral JSON, everything that is known",
    origin: "JSON",
    read: None,
    write: Write::Together("json", |conversations| json::pretty(conversations) + "\n"),
};
