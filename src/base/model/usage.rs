//! The tokens and cost of turns.

use serde::{Deserialize, Serialize};

/// The usage of a turn as recorded in its source. Missing values are `None`; nothing is estimated.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The id of the model that wrote the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Input tokens, without those read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Tokens written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// The part of `output_tokens` that is reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// The cost. US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// The duration. Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

impl Usage {
    /// Returns whether all values are unknown.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the usage of another request of the same turn. The model is the last known one.
    pub fn add(&mut self, other: &Self) {
        fn sum<T: Copy>(to: &mut Option<T>, more: Option<T>, add: fn(T, T) -> T) {
            *to = match (*to, more) {
                (Some(known), Some(more)) => Some(add(known, more)),
                (known, more) => known.or(more),
            };
        }
        self.model = other.model.clone().or(self.model.take());
        sum(&mut self.input_tokens, other.input_tokens, u64::saturating_add);
        sum(&mut self.cache_read_tokens, other.cache_read_tokens, u64::saturating_add);
        sum(&mut self.cache_write_tokens, other.cache_write_tokens, u64::saturating_add);
        sum(&mut self.output_tokens, other.output_tokens, u64::saturating_add);
        sum(&mut self.reasoning_tokens, other.reasoning_tokens, u64::saturating_add);
        sum(&mut self.cost_usd, other.cost_usd, |known, more| known + more);
        sum(&mut self.duration_ms, other.duration_ms, u64::saturating_add);
    }
}
