//! The known kinds of databases.

use super::llm;
use super::schema::{Rows, Schema, Strays};

/// All known kinds of databases. A database may match several.
pub(super) const SCHEMAS: &[Schema] = &[
    // Cursor keeps all conversations of a user in one database: a row of metadata for each
    // conversation, and a row for each message ("bubble").
    Schema {
        store: "cursor",
        needs: &[("cursorDiskKV", &["key", "value"]), ("ItemTable", &["key", "value"])],
        ids: "SELECT substr(key, 14) FROM cursorDiskKV \
              WHERE key >= 'composerData:' AND key < 'composerData;' AND value IS NOT NULL \
              AND (instr(CAST(value AS TEXT), 'bubbleId') > 0 OR substr(key, 14) IN \
              (SELECT substr(key, 10, instr(substr(key, 10), ':') - 1) FROM cursorDiskKV \
              WHERE key > 'bubbleId:' AND key < 'bubbleId;')) ORDER BY key",
        rows: &[
            Rows {
                table: "cursorDiskKV",
                columns: &["key", "value"],
                json: &["value"],
                find: "SELECT substr(key, 14), rowid FROM cursorDiskKV \
                       WHERE key >= 'composerData:' AND key < 'composerData;'",
                with: &[],
            },
            Rows {
                table: "cursorDiskKV",
                columns: &["key", "value"],
                json: &["value"],
                find: "SELECT substr(key, 10, instr(substr(key, 10), ':') - 1), rowid FROM cursorDiskKV \
                       WHERE key > 'bubbleId:' AND key < 'bubbleId;' ORDER BY rowid",
                with: &[],
            },
        ],
        strays: &[],
    },
    // Older versions keep conversations in a database for each workspace folder, all in one row.
    Schema {
        store: "cursor",
        needs: &[("ItemTable", &["key", "value"])],
        ids: "SELECT 'chats' WHERE EXISTS (SELECT 1 FROM ItemTable \
              WHERE key = 'workbench.panel.aichat.view.aichat.chatdata')",
        rows: &[Rows {
            table: "ItemTable",
            columns: &["key", "value"],
            json: &["value"],
            find: "SELECT 'chats', rowid FROM ItemTable \
                   WHERE key = 'workbench.panel.aichat.view.aichat.chatdata'",
            with: &[],
        }],
        strays: &[],
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
                    "id", "parent_id", "directory", "title", "time_created", "time_updated",
                    "revert",
                ],
                json: &["revert"],
                find: "SELECT id, rowid FROM session",
                with: &[],
            },
            Rows {
                table: "message",
                columns: &["id", "time_created", "data"],
                json: &["data"],
                find: "SELECT session_id, rowid FROM message ORDER BY id",
                with: &[],
            },
            Rows {
                table: "part",
                columns: &["id", "message_id", "data"],
                json: &["data"],
                find: "SELECT session_id, rowid FROM part ORDER BY id",
                with: &[],
            },
        ],
        strays: &[
            Strays {
                table: "message",
                count: "SELECT count(*) FROM message WHERE session_id IS NULL \
                        OR session_id NOT IN (SELECT id FROM session WHERE id IS NOT NULL)",
            },
            Strays {
                table: "part",
                count: "SELECT count(*) FROM part WHERE session_id IS NULL \
                        OR session_id NOT IN (SELECT id FROM session WHERE id IS NOT NULL)",
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
            find: "SELECT id, rowid FROM threads",
            with: &[],
        }],
        strays: &[],
    },
    llm::RESPONSES,
    llm::THREADS,
];
