//! Detects messages that are marked as private.

use super::message::{Message, list, object};
use crate::shared::access::visibility::is_marked;
use convo_base::json::Value;

/// Objects inside a message that may be marked as well.
const INSIDE: [&str; 2] = ["content", "author"];

/// Returns whether a message, or a part of it, is marked as private.
pub(super) fn is_left_out(message: Message<'_>) -> bool {
    let inside = || INSIDE.iter().filter_map(|key| object(message.map(), key));
    let mut parts = inside().flat_map(|map| list(map, "parts")).filter_map(Value::as_object);
    is_marked(message.map()) || inside().any(is_marked) || parts.any(is_marked)
}
