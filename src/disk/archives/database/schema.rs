//! The databases that are known: which tables hold conversations, and how their rows are found.
//!
//! A row of [`SCHEMAS`] is data and no code: what is read of a database is decided here alone, and nothing
//! of it is executed.

/// A kind of database.
pub(super) struct Schema {
    /// The program, as the lines name it.
    pub(super) store: &'static str,
    /// Tables that must be there, with columns that they must have. Those of two facts are enough.
    pub(super) needs: &'static [(&'static str, &'static [&'static str])],
    /// A query for the ids of all conversations, as text.
    pub(super) ids: &'static str,
    /// The rows of a conversation, in the order in which they are read.
    pub(super) rows: &'static [Rows],
}

/// Rows of one table that belong to a conversation.
pub(super) struct Rows {
    /// The table. Without it there are no such rows.
    pub(super) table: &'static str,
    /// The columns that are read; those that are not there are passed over.
    pub(super) columns: &'static [&'static str],
    /// Those of them that hold JSON, which stands in the line as it is.
    pub(super) json: &'static [&'static str],
    /// The rest of a query for the numbers of the rows of the conversation `?1`, in their order:
    /// `SELECT rowid FROM table …`.
    pub(super) find: &'static str,
    /// Other tables that `find` names.
    pub(super) with: &'static [&'static str],
}

/// Every kind of database. One may be of several.
pub(super) const SCHEMAS: &[Schema] = &[
    // Cursor keeps every conversation of an author in one database: what is known of each, and what was
    // said in bubbles, each a row.
    Schema {
        store: "cursor",
        needs: &[("cursorDiskKV", &["key", "value"]), ("ItemTable", &["key", "value"])],
        ids: "SELECT substr(key, 14) FROM cursorDiskKV \
              WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL \
              AND (instr(CAST(value AS TEXT), 'bubbleId') > 0 OR EXISTS (SELECT 1 FROM cursorDiskKV AS own \
              WHERE own.key > 'bubbleId:' || substr(cursorDiskKV.key, 14) || ':' \
              AND own.key < 'bubbleId:' || substr(cursorDiskKV.key, 14) || ';')) ORDER BY key",
        rows: &[
            Rows {
                table: "cursorDiskKV",
                columns: &["key", "value"],
                json: &["value"],
                find: "WHERE key = 'composerData:' || ?1",
                with: &[],
            },
            Rows {
                table: "cursorDiskKV",
                columns: &["key", "value"],
                json: &["value"],
                find: "WHERE key > 'bubbleId:' || ?1 || ':' AND key < 'bubbleId:' || ?1 || ';' ORDER BY rowid",
                with: &[],
            },
        ],
    },
    // Older versions keep them in the database of a folder, all in one row.
    Schema {
        store: "cursor",
        needs: &[("ItemTable", &["key", "value"])],
        ids: "SELECT 'chats' WHERE EXISTS (SELECT 1 FROM ItemTable \
              WHERE key = 'workbench.panel.aichat.view.aichat.chatdata')",
        rows: &[Rows {
            table: "ItemTable",
            columns: &["key", "value"],
            json: &["value"],
            find: "WHERE ?1 = 'chats' AND key = 'workbench.panel.aichat.view.aichat.chatdata'",
            with: &[],
        }],
    },
    Schema {
        store: "opencode",
        needs: &[
            ("session", &["id", "title"]),
            ("message", &["id", "session_id", "data"]),
            ("part", &["id", "message_id", "session_id", "data"]),
        ],
        ids: "SELECT id FROM session ORDER BY id",
        rows: &[
            Rows {
                table: "session",
                columns: &[
                    "id",
                    "parent_id",
                    "directory",
                    "title",
                    "time_created",
                    "time_updated",
                    "revert",
                ],
                json: &["revert"],
                find: "WHERE id = ?1",
                with: &[],
            },
            Rows {
                table: "message",
                columns: &["id", "time_created", "data"],
                json: &["data"],
                find: "WHERE session_id = ?1 ORDER BY id",
                with: &[],
            },
            Rows {
                table: "part",
                columns: &["id", "message_id", "data"],
                json: &["data"],
                find: "WHERE session_id = ?1 ORDER BY id",
                with: &[],
            },
        ],
    },
    Schema {
        store: "zed",
        needs: &[("threads", &["id", "summary", "updated_at", "data_type", "data"])],
        ids: "SELECT id FROM threads ORDER BY id",
        rows: &[Rows {
            table: "threads",
            columns: &["id", "summary", "created_at", "updated_at", "data"],
            json: &["data"],
            find: "WHERE id = ?1",
            with: &[],
        }],
    },
    // `llm` up to 0.31: a prompt and its response in each row.
    Schema {
        store: "llm",
        needs: &[
            ("conversations", &["id", "name", "model"]),
            (
                "responses",
                &["id", "prompt", "response", "conversation_id", "datetime_utc"],
            ),
        ],
        ids: "SELECT id FROM conversations WHERE id IN (SELECT conversation_id FROM responses) ORDER BY id",
        rows: &[
            Rows {
                table: "conversations",
                columns: &["id", "name", "model"],
                json: &[],
                find: "WHERE id = ?1",
                with: &[],
            },
            Rows {
                table: "responses",
                columns: &[
                    "id",
                    "model",
                    "resolved_model",
                    "prompt",
                    "system",
                    "response",
                    "reasoning",
                    "duration_ms",
                    "datetime_utc",
                    "input_tokens",
                    "output_tokens",
                ],
                json: &[],
                find: "WHERE conversation_id = ?1 ORDER BY datetime_utc, rowid",
                with: &[],
            },
            Rows {
                table: "tool_calls",
                columns: &["response_id", "name", "arguments", "tool_call_id"],
                json: &[],
                find: OF_RESPONSES,
                with: &["responses"],
            },
            Rows {
                table: "tool_results",
                columns: &["response_id", "name", "output", "tool_call_id", "exception"],
                json: &[],
                find: OF_RESPONSES,
                with: &["responses"],
            },
            Rows {
                table: "prompt_fragments",
                columns: &["response_id", "fragment_id"],
                json: &[],
                find: "WHERE response_id IN (SELECT id FROM responses WHERE conversation_id = ?1) ORDER BY \"order\"",
                with: &["responses"],
            },
            Rows {
                table: "fragments",
                columns: &["id", "content", "source"],
                json: &[],
                find: "WHERE id IN (SELECT fragment_id FROM prompt_fragments WHERE response_id IN \
                       (SELECT id FROM responses WHERE conversation_id = ?1))",
                with: &["prompt_fragments", "responses"],
            },
            Rows {
                table: "prompt_attachments",
                columns: &["response_id", "attachment_id"],
                json: &[],
                find: "WHERE response_id IN (SELECT id FROM responses WHERE conversation_id = ?1) ORDER BY \"order\"",
                with: &["responses"],
            },
            Rows {
                table: "attachments",
                columns: &["id", "type", "path", "url"],
                json: &[],
                find: "WHERE id IN (SELECT attachment_id FROM prompt_attachments WHERE response_id IN \
                       (SELECT id FROM responses WHERE conversation_id = ?1))",
                with: &["prompt_attachments", "responses"],
            },
        ],
    },
    // `llm` since 0.32: messages that name the one before them. A conversation that is in both goes on
    // here, with all of it.
    Schema {
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
                columns: &[
                    "id",
                    "name",
                    "tip_message_hash",
                    "forked_from",
                    "datetime_utc",
                ],
                json: &[],
                find: "WHERE id = ?1",
                with: &[],
            },
            Rows {
                table: "messages",
                columns: &["hash", "parent_hash", "role"],
                json: &[],
                find: "WHERE hash IN (WITH RECURSIVE chain(hash) AS (SELECT tip_message_hash FROM threads WHERE id = ?1 \
                       UNION SELECT parent_hash FROM messages JOIN chain USING (hash)) SELECT hash FROM chain)",
                with: &["threads"],
            },
            Rows {
                table: "parts",
                columns: &[
                    "id",
                    "message_hash",
                    "type",
                    "text",
                    "fragment_id",
                    "redacted",
                    "name",
                    "arguments",
                    "tool_call_id",
                    "output",
                    "exception",
                ],
                json: &[],
                find: "WHERE message_hash IN (WITH RECURSIVE chain(hash) AS (SELECT tip_message_hash FROM threads \
                       WHERE id = ?1 UNION SELECT parent_hash FROM messages JOIN chain USING (hash)) \
                       SELECT hash FROM chain) ORDER BY message_hash, position",
                with: &["threads", "messages"],
            },
            Rows {
                table: "turns",
                columns: &[
                    "tip_message_hash",
                    "model",
                    "resolved_model",
                    "input_tokens",
                    "output_tokens",
                    "duration_ms",
                    "datetime_utc",
                ],
                json: &[],
                find: "WHERE tip_message_hash IN (WITH RECURSIVE chain(hash) AS (SELECT tip_message_hash FROM threads \
                       WHERE id = ?1 UNION SELECT parent_hash FROM messages JOIN chain USING (hash)) \
                       SELECT hash FROM chain) ORDER BY rowid",
                with: &["threads", "messages"],
            },
            Rows {
                table: "fragments",
                columns: &["id", "content", "source"],
                json: &[],
                find: "WHERE id IN (SELECT fragment_id FROM parts WHERE message_hash IN (WITH RECURSIVE chain(hash) AS \
                       (SELECT tip_message_hash FROM threads WHERE id = ?1 UNION SELECT parent_hash FROM messages \
                       JOIN chain USING (hash)) SELECT hash FROM chain))",
                with: &["threads", "messages", "parts"],
            },
            Rows {
                table: "part_attachments",
                columns: &["part_id", "attachment_id"],
                json: &[],
                find: "WHERE part_id IN (SELECT id FROM parts WHERE message_hash IN (WITH RECURSIVE chain(hash) AS \
                       (SELECT tip_message_hash FROM threads WHERE id = ?1 UNION SELECT parent_hash FROM messages \
                       JOIN chain USING (hash)) SELECT hash FROM chain)) ORDER BY part_id, \"order\"",
                with: &["threads", "messages", "parts"],
            },
            Rows {
                table: "attachments",
                columns: &["id", "type", "path", "url"],
                json: &[],
                find: "WHERE id IN (SELECT attachment_id FROM part_attachments WHERE part_id IN (SELECT id FROM parts \
                       WHERE message_hash IN (WITH RECURSIVE chain(hash) AS (SELECT tip_message_hash FROM threads \
                       WHERE id = ?1 UNION SELECT parent_hash FROM messages JOIN chain USING (hash)) \
                       SELECT hash FROM chain)))",
                with: &["threads", "messages", "parts", "part_attachments"],
            },
        ],
    },
];

/// Rows that belong to a response of the conversation.
const OF_RESPONSES: &str = "WHERE response_id IN (SELECT id FROM responses WHERE conversation_id = ?1) ORDER BY rowid";
