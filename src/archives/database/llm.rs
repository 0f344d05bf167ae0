//! The databases of `llm`, with its old and its new tables.

use super::schema::{Rows, Schema, Strays};

/// Builds a query about the messages of all threads of `llm`. `chain` has the id of each thread
/// with the hashes of its messages.
macro_rules! chain {
    ($rest:literal) => {
        concat!(
            "WITH RECURSIVE chain(thread, hash) AS (SELECT id, tip_message_hash FROM threads UNION \
             SELECT chain.thread, messages.parent_hash FROM messages JOIN chain ON chain.hash = messages.hash) ",
            $rest
        )
    };
}

/// Up to version 0.31: each row has a prompt and its response.
pub(super) const RESPONSES: Schema = Schema {
    store: "llm",
    needs: &[
        ("conversations", &["id", "name", "model"]),
        ("responses", &["id", "prompt", "response", "conversation_id", "datetime_utc"]),
    ],
    ids: "SELECT id FROM conversations WHERE id IN (SELECT conversation_id FROM responses) ORDER BY id",
    rows: &[
        Rows {
            table: "conversations",
            columns: &["id", "name", "model"],
            json: &[],
            find: "SELECT id, rowid FROM conversations",
            with: &[],
        },
        Rows {
            table: "responses",
            columns: &[
                "id", "model", "resolved_model", "prompt", "system", "response", "reasoning",
                "duration_ms", "datetime_utc", "input_tokens", "output_tokens",
            ],
            json: &[],
            find: "SELECT conversation_id, rowid FROM responses ORDER BY datetime_utc, rowid",
            with: &[],
        },
        Rows {
            table: "tool_calls",
            columns: &["response_id", "name", "arguments", "tool_call_id"],
            json: &[],
            find: "SELECT responses.conversation_id, tool_calls.rowid FROM tool_calls JOIN responses \
                   ON responses.id = response_id ORDER BY tool_calls.rowid",
            with: &["responses"],
        },
        Rows {
            table: "tool_results",
            columns: &["response_id", "name", "output", "tool_call_id", "exception"],
            json: &[],
            find: "SELECT responses.conversation_id, tool_results.rowid FROM tool_results JOIN responses \
                   ON responses.id = response_id ORDER BY tool_results.rowid",
            with: &["responses"],
        },
        Rows {
            table: "prompt_fragments",
            columns: &["response_id", "fragment_id"],
            json: &[],
            find: "SELECT responses.conversation_id, prompt_fragments.rowid FROM prompt_fragments JOIN responses \
                   ON responses.id = response_id ORDER BY \"order\"",
            with: &["responses"],
        },
        Rows {
            table: "fragments",
            columns: &["id", "content", "source"],
            json: &[],
            find: "SELECT DISTINCT responses.conversation_id, fragments.rowid FROM responses \
                   JOIN prompt_fragments ON response_id = responses.id \
                   JOIN fragments ON fragments.id = fragment_id ORDER BY fragments.rowid",
            with: &["prompt_fragments", "responses"],
        },
        Rows {
            table: "prompt_attachments",
            columns: &["response_id", "attachment_id"],
            json: &[],
            find: "SELECT responses.conversation_id, prompt_attachments.rowid FROM prompt_attachments JOIN responses \
                   ON responses.id = response_id ORDER BY \"order\"",
            with: &["responses"],
        },
        Rows {
            table: "attachments",
            columns: &["id", "type", "path", "url"],
            json: &[],
            find: "SELECT DISTINCT responses.conversation_id, attachments.rowid FROM responses \
                   JOIN prompt_attachments ON response_id = responses.id \
                   JOIN attachments ON attachments.id = attachment_id ORDER BY attachments.rowid",
            with: &["prompt_attachments", "responses"],
        },
    ],
    strays: &[Strays {
        table: "responses",
        count: "SELECT count(*) FROM responses WHERE conversation_id IS NULL \
                OR conversation_id NOT IN (SELECT id FROM conversations WHERE id IS NOT NULL)",
    }],
};

/// Since version 0.32: each message refers to the previous one. Conversations with rows in both
/// kinds of tables continue here completely.
pub(super) const THREADS: Schema = Schema {
    store: "llm",
    needs: &[
        ("threads", &["id", "name", "tip_message_hash"]),
        ("messages", &["hash", "parent_hash", "role"]),
        ("parts", &["message_hash", "position", "type", "text"]),
    ],
    ids: "SELECT id FROM threads WHERE tip_message_hash IS NOT NULL ORDER BY id",
    rows: &[
        Rows {
            table: "threads",
            columns: &["id", "name", "tip_message_hash", "forked_from", "datetime_utc"],
            json: &[],
            find: "SELECT id, rowid FROM threads",
            with: &[],
        },
        Rows {
            table: "messages",
            columns: &["hash", "parent_hash", "role"],
            json: &[],
            find: chain!(
                "SELECT chain.thread, messages.rowid FROM messages JOIN chain ON chain.hash = messages.hash \
                 ORDER BY messages.rowid"
            ),
            with: &["threads"],
        },
        Rows {
            table: "parts",
            columns: &[
                "id", "message_hash", "type", "text", "fragment_id", "redacted", "name",
                "arguments", "tool_call_id", "output", "exception",
            ],
            json: &[],
            find: chain!(
                "SELECT chain.thread, parts.rowid FROM parts JOIN chain ON chain.hash = parts.message_hash \
                 ORDER BY parts.message_hash, parts.position"
            ),
            with: &["threads", "messages"],
        },
        Rows {
            table: "turns",
            columns: &[
                "tip_message_hash", "model", "resolved_model", "input_tokens", "output_tokens",
                "duration_ms", "datetime_utc",
            ],
            json: &[],
            find: chain!(
                "SELECT chain.thread, turns.rowid FROM turns JOIN chain ON chain.hash = turns.tip_message_hash \
                 ORDER BY turns.rowid"
            ),
            with: &["threads", "messages"],
        },
        Rows {
            table: "fragments",
            columns: &["id", "content", "source"],
            json: &[],
            find: chain!(
                "SELECT DISTINCT chain.thread, fragments.rowid FROM chain JOIN parts ON parts.message_hash = chain.hash \
                 JOIN fragments ON fragments.id = parts.fragment_id ORDER BY fragments.rowid"
            ),
            with: &["threads", "messages", "parts"],
        },
        Rows {
            table: "part_attachments",
            columns: &["part_id", "attachment_id"],
            json: &[],
            find: chain!(
                "SELECT chain.thread, part_attachments.rowid FROM chain JOIN parts ON parts.message_hash = chain.hash \
                 JOIN part_attachments ON part_id = parts.id ORDER BY part_id, \"order\""
            ),
            with: &["threads", "messages", "parts"],
        },
        Rows {
            table: "attachments",
            columns: &["id", "type", "path", "url"],
            json: &[],
            find: chain!(
                "SELECT DISTINCT chain.thread, attachments.rowid FROM chain JOIN parts ON parts.message_hash = chain.hash \
                 JOIN part_attachments ON part_id = parts.id \
                 JOIN attachments ON attachments.id = attachment_id ORDER BY attachments.rowid"
            ),
            with: &["threads", "messages", "parts", "part_attachments"],
        },
    ],
    strays: &[Strays {
        table: "messages",
        count: chain!(
            "SELECT count(*) FROM messages WHERE hash IS NULL \
             OR hash NOT IN (SELECT hash FROM chain WHERE hash IS NOT NULL)"
        ),
    }],
};
