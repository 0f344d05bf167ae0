//! The neutral form as a JSON array, for other programs. Only written.

use super::{Format, Parsed};
use crate::json;
use crate::model::Conversation;

pub(super) const FORMAT: Format =
    Format { name: "json", claims: None, parse: |_| Parsed::default(), write };

fn write(conversations: &[Conversation]) -> String {
    json::pretty(conversations) + "\n"
}
