//! Describes a kind of database: which tables contain conversations, and how to find their rows.
//!
//! A schema is only data. It alone decides what is read from a database; nothing in the database is
//! executed.

/// A kind of database.
pub(super) struct Schema {
    /// The name of the program in the lines.
    pub(super) store: &'static str,
    /// Tables that must exist, with required columns. Two characteristic facts are enough.
    pub(super) needs: &'static [(&'static str, &'static [&'static str])],
    /// A query for the ids of all conversations, as text.
    pub(super) ids: &'static str,
    /// The rows of a conversation, in reading order.
    pub(super) rows: &'static [Rows],
    /// Rows that belong to no conversation, which are reported.
    pub(super) strays: &'static [Strays],
}

/// Rows of one table that belong to a conversation.
pub(super) struct Rows {
    /// The table. If it does not exist, there are no such rows.
    pub(super) table: &'static str,
    /// The columns to read, if they exist. Columns that may say who may read a row are read as
    /// well.
    pub(super) columns: &'static [&'static str],
    /// Columns that contain JSON, which is included in the line unchanged.
    pub(super) json: &'static [&'static str],
    /// A query for these rows in order: the id of the conversation and the number of the row. A row
    /// of several conversations is returned several times.
    pub(super) find: &'static str,
    /// Other tables in `find`.
    pub(super) with: &'static [&'static str],
}

/// Rows that belong to no conversation.
pub(super) struct Strays {
    /// The table. If it does not exist, there are no such rows.
    pub(super) table: &'static str,
    /// A query for the number of these rows.
    pub(super) count: &'static str,
}
