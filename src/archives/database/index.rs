//! Finds out which rows belong to which conversation.
//!
//! All rows of a table are found at once when the first conversation is read. Separate queries
//! would each scan the whole table in databases without an index.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use super::cell::short_text;
use super::schema::{Rows, Schema};
use super::store::{Store, has_table};
use convo_formats::visibility;

/// The maximum number of rows of a conversation.
const MAX_ROWS: usize = 1 << 20;
/// The maximum number of rows of all conversations in a database.
const MAX_ALL_ROWS: usize = 1 << 24;

/// The conversations in a database, according to one schema.
pub(super) struct Talks {
    pub(super) store: Arc<Store>,
    pub(super) schema: &'static Schema,
    index: OnceLock<Result<Index, String>>,
    /// The maximum number of rows of a conversation, and of all.
    most: (usize, usize),
}

/// The rows of a conversation.
#[derive(Clone, Default)]
pub(super) struct Found {
    /// The index of the table in the schema, and the number of the row.
    pub(super) rows: Vec<(u8, i64)>,
    /// The number of rows above the limit, which are not read.
    pub(super) beyond: u64,
}

struct Index {
    /// The columns to read in each table of the schema; empty if the table does not exist.
    columns: Vec<Vec<Column>>,
    by_talk: HashMap<String, Found>,
    /// The indices of damaged tables. Their conversations are queried separately, so that only
    /// those in the damaged places are lost.
    broken: Vec<u8>,
}

/// A column to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    /// Whether it contains JSON.
    pub(super) is_json: bool,
    /// Whether it is unknown to the schema, but may say who may read the row.
    pub(super) is_about_readers: bool,
}

impl Talks {
    pub(super) fn new(store: Arc<Store>, schema: &'static Schema) -> Arc<Self> {
        let most = (MAX_ROWS, MAX_ALL_ROWS);
        Arc::new(Self { store, schema, index: OnceLock::new(), most })
    }

    fn index(&self) -> Result<&Index, String> {
        self.index.get_or_init(|| self.read()).as_ref().map_err(Clone::clone)
    }

    /// Returns the columns to read in each table of the schema.
    pub(super) fn columns(&self) -> Result<&[Vec<Column>], String> {
        Ok(&self.index()?.columns)
    }

    /// Returns the rows of a conversation.
    pub(super) fn of(&self, id: &str) -> Result<Found, String> {
        let index = self.index()?;
        let mut found = index.by_talk.get(id).cloned().unwrap_or_default();
        for place in &index.broken {
            let Some(rows) = self.schema.rows.get(usize::from(*place)) else { continue };
            let query = format!(
                "WITH found(talk, number) AS ({}) SELECT talk, number FROM found WHERE talk = ?1",
                rows.find
            );
            self.store.with(|database| {
                let mut query = database.prepare(&query)?;
                let mut all = query.query([id])?;
                while let Some(row) = all.next()? {
                    found.add(*place, row.get(1)?, self.most.0);
                }
                Ok(())
            })?;
        }
        found.rows.sort_by_key(|(place, _)| *place);
        Ok(found)
    }

    fn read(&self) -> Result<Index, String> {
        let mut index = Index { columns: Vec::new(), by_talk: HashMap::new(), broken: Vec::new() };
        let mut count = 0;
        for (place, rows) in (0..).zip(self.schema.rows) {
            let (columns, is_there) = self.store.with(|database| {
                let columns = columns(rows, has_table(database, rows.table)?);
                let mut is_there = !columns.is_empty();
                for table in rows.with {
                    is_there &= !has_table(database, table)?.is_empty();
                }
                Ok((columns, is_there))
            })?;
            index.columns.push(columns);
            if !is_there {
                continue;
            }
            let by_talk = &mut index.by_talk;
            let read = self.store.with(|database| {
                let mut query = database.prepare(rows.find)?;
                let mut all = query.query([])?;
                while let Some(row) = all.next()? {
                    let Some(talk) = short_text(row.get_ref(0)?) else { continue };
                    let most = if count < self.most.1 { self.most.0 } else { 0 };
                    by_talk.entry(talk).or_default().add(place, row.get(1)?, most);
                    count += 1;
                }
                Ok(())
            });
            if read.is_err() {
                by_talk.values_mut().for_each(|found| {
                    found.rows.retain(|(of, _)| *of != place);
                });
                index.broken.push(place);
            }
        }
        Ok(index)
    }
}

impl Found {
    fn add(&mut self, place: u8, row: i64, most: usize) {
        match self.rows.len() < most {
            true => self.rows.push((place, row)),
            false => self.beyond += 1,
        }
    }
}

/// Returns the columns to read: existing columns of the schema, and columns that may say who may
/// read a row.
fn columns(rows: &Rows, known: HashSet<String>) -> Vec<Column> {
    let own = rows.columns.iter().filter(|name| known.contains(**name));
    let mut columns: Vec<Column> = own
        .map(|name| Column {
            name: (*name).to_owned(),
            is_json: rows.json.contains(name),
            is_about_readers: false,
        })
        .collect();
    let more = known
        .into_iter()
        .filter(|name| !rows.columns.contains(&name.as_str()) && visibility::may_set_access(name));
    let more: BTreeSet<String> = more.collect();
    columns.extend(more.into_iter().map(|name| Column {
        name,
        is_json: false,
        is_about_readers: true,
    }));
    columns
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::super::known::SCHEMAS;
    use super::super::store::private_folder;
    use super::{OnceLock, Store, Talks};

    #[test]
    fn rows_beyond_the_bounds_are_counted() {
        let folder = private_folder().unwrap();
        let path = folder.path().join("opencode.db");
        let made = Connection::open(&path).unwrap();
        made.execute_batch(
            "CREATE TABLE session (id text, title text);
             CREATE TABLE message (id text, session_id text, data text);
             CREATE TABLE part (id text, message_id text, session_id text, data text);
             INSERT INTO session VALUES ('a', 'A'), ('b', 'B');
             INSERT INTO message VALUES ('m1', 'a', '{}'), ('m2', 'b', '{}');
             INSERT INTO part VALUES ('p1', 'm1', 'a', '{}'), ('p2', 'm1', 'a', '{}'), ('p3', 'm2', 'b', '{}');",
        )
        .unwrap();
        drop(made);
        let store = std::sync::Arc::new(Store::open(&path).unwrap());
        let schema = SCHEMAS.iter().find(|schema| schema.store == "opencode").unwrap();
        for (most, of_a, of_b) in
            [((9, 99), (4, 0), (3, 0)), ((3, 99), (3, 1), (3, 0)), ((9, 6), (4, 0), (2, 1))]
        {
            let (store, index) = (store.clone(), OnceLock::new());
            let talks = Talks { store, schema, index, most };
            for (id, expected) in [("a", of_a), ("b", of_b), ("c", (0, 0))] {
                let found = talks.of(id).unwrap();
                assert_eq!((found.rows.len(), found.beyond), expected, "{id} {most:?}");
            }
        }
    }
}
