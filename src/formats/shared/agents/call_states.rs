//! The states of tool calls in logs.

use convo_base::model::{Approval, Block, ToolCall, ToolResult, Turn};

/// The state of a call that a person refused.
const REJECTED: &str = "rejected";

/// Returns the state of a result for a word that some program uses; empty for any other word.
pub(crate) fn result_state(word: &str) -> &'static str {
    match word {
        "completed" | "success" | "succeeded" | "done" => "succeeded",
        "error" | "errored" | "failed" => "failed",
        "cancelled" | "canceled" => "canceled",
        "rejected" | "declined" => REJECTED,
        _ => "",
    }
}

/// Records calls that a person refused as decisions, in place of the state of a result.
pub(crate) fn record_refusals(turn: &mut Turn) {
    for block in &mut turn.blocks {
        if let Block::Tool(call) = block {
            record_refusal(call);
        }
    }
}

fn record_refusal(call: &mut ToolCall) {
    let is_refused = |result: &ToolResult| result.state == REJECTED;
    if !call.results.iter().any(is_refused) {
        return;
    }
    call.results.iter_mut().filter(|result| is_refused(result)).for_each(|result| {
        result.state.clear();
    });
    call.results.retain(|result| *result != ToolResult::default());
    if !call.approvals.iter().any(|approval| approval.state == REJECTED) {
        let state = REJECTED.to_owned();
        call.approvals.push(Approval { state, ..Approval::default() });
    }
}
