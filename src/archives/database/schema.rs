//! What is known of a kind of database: which tables hold conversations, and how their rows are found.
//!
//! It is data and no code: what is read of a database is decided by it alone, and nothing of the database is
//! executed.

/// A kind of database.
pub(super) struct Schema {
    /// The program, as the lines name it.
    pub(super) store: &'static str,
    /// Tables that must be there, with columns that they must have. Those of two facts are enough.
    pub(super) needs: &'static [(&'static str, &'static [&'static str])],
    /// A query for the ids of all conversations, as text.
    pub(super) ids: &'static str,
    /// The rows of conversations, in the order in which they are read.
    pub(super) rows: &'static [Rows],
    /// Rows that are of none of them, and are told.
    pub(super) strays: &'static [Strays],
}

/// Rows of one table that belong to a conversation.
pub(super) struct Rows {
    /// The table. Without it there are no such rows.
    pub(super) table: &'static str,
    /// The columns that are read; those that are not there are passed over. Those that may say who may read
    /// a row are read as well.
    pub(super) columns: &'static [&'static str],
    /// Those of them that hold JSON, which stands in the line as it is.
    pub(super) json: &'static [&'static str],
    /// A query for all of these rows in their order: the id of the conversation, and the number of the
    /// row. One that is of several conversations is found several times.
    pub(super) find: &'static str,
    /// Other tables that `find` names.
    pub(super) with: &'static [&'static str],
}

/// Rows that belong to no conversation.
pub(super) struct Strays {
    /// The table. Without it there are none.
    pub(super) table: &'static str,
    /// A query for their number.
    pub(super) count: &'static str,
}
