//! Token counts of turns.

use super::line::text;
use convo_base::json::{Map, Value};
use convo_base::model::Usage;

/// The token counts of a turn, from two kinds of records.
#[derive(Debug, Default)]
pub(super) struct Costs {
    counted: Usage,
    recorded: Usage,
}

impl Costs {
    /// Returns the counts; both kinds agree.
    pub(super) fn total(self, model: Option<&str>) -> Option<Box<Usage>> {
        let tokens = [self.counted.input_tokens, self.counted.output_tokens];
        let is_counted = tokens.iter().any(Option::is_some) || self.recorded.is_empty();
        let mut usage = if is_counted { self.counted } else { self.recorded };
        usage.model = model.map(str::to_owned).or(usage.model);
        (!usage.is_empty()).then(|| Box::new(usage))
    }

    /// Adds the counts of another turn.
    pub(super) fn add(&mut self, other: &Self) {
        self.counted.add(&other.counted);
        self.recorded.add(&other.recorded);
    }

    /// Adds the duration of a turn.
    pub(super) fn last(&mut self, payload: &Map) {
        let duration_ms = payload.get("duration_ms").and_then(Value::as_u64);
        let duration = Usage { duration_ms, ..Usage::default() };
        self.counted.add(&duration);
        self.recorded.add(&duration);
    }
}

/// Distinguishes requests from repetitions of the last count.
#[derive(Debug, Default)]
pub(super) struct Meter {
    last: Option<Value>,
}

impl Meter {
    /// Reads a `token_count` if it counts a new request. Its total grows through the session, so only the
    /// last request is used.
    pub(super) fn count(&mut self, payload: &Map) -> Option<Costs> {
        let info = match payload.get("info") {
            Some(Value::Object(info)) => info,
            Some(_) => return None,
            None => payload,
        };
        let last = match info.get("last_token_usage") {
            Some(last) => last.as_object()?,
            None if info.contains_key("total_token_usage") => return None,
            None => info,
        };
        let state = info.get("total_token_usage").or_else(|| info.get("last_token_usage"));
        if let Some(state) = state {
            if self.last.as_ref() == Some(state) {
                return None;
            }
            self.last = Some(state.clone());
        }
        let counted = tokens(last);
        (!counted.is_empty()).then(|| Costs { counted, ..Costs::default() })
    }
}

/// Reads a `token_usage_record`.
pub(super) fn record(payload: &Map) -> Option<Costs> {
    let mut recorded = tokens(payload.get("usage")?.as_object()?);
    recorded.model = text(payload, "model").map(str::to_owned);
    (!recorded.is_empty()).then(|| Costs { recorded, ..Costs::default() })
}

fn tokens(map: &Map) -> Usage {
    let number = |key: &str| map.get(key).and_then(Value::as_u64);
    let read = number("cached_input_tokens");
    let written = number("cache_write_input_tokens");
    // The input count includes cached tokens.
    let cached = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    Usage {
        model: None,
        input_tokens: number("input_tokens").map(|all| all.saturating_sub(cached)),
        cache_read_tokens: read.filter(|count| *count > 0),
        cache_write_tokens: written.filter(|count| *count > 0),
        output_tokens: number("output_tokens"),
        reasoning_tokens: number("reasoning_output_tokens").filter(|count| *count > 0),
        cost_usd: None,
        duration_ms: None,
    }
}
