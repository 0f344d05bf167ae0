//! The cost of turns.

use serde::{Deserialize, Serialize};

/// The cost of a turn, as its source recorded it. What the source does not say is `None`, and
/// nothing is computed from anything else.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// The id of the model that made the turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens that the model read, without those from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens that it read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// Tokens that were written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_write_tokens: Option<u64>,
    /// Tokens that it wrote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// The part of `output_tokens` that nobody reads: thoughts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// The price. US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// How long it took. Milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

impl Usage {
    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds the usage of another request that the same turn made. The model is the last one that is
    /// known.
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
