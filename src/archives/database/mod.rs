//! Databases of programs, shown as folders: each conversation is a file of JSON lines, with one
//! database row per line.
//!
//! ```text
//! state.vscdb/5d0c….jsonl
//! {"store":"cursor","table":"cursorDiskKV","row":{"key":"composerData:5d0c…","value":{…}}}
//! {"store":"cursor","table":"cursorDiskKV","row":{"key":"bubbleId:5d0c…:0a…","value":{…}}}
//! ```
//!
//! [`known`] lists the known kinds of databases, each with a [`schema`]. [`store`] opens a database
//! without changing it, [`index`] finds the rows of each conversation, and [`rows`] reads them on
//! demand, so that few are in memory. [`cell`] writes a value of a row.
//!
//! A database may be malicious. It is opened read-only, and nothing in it is executed: views,
//! triggers and virtual tables are never queried, and slow queries are interrupted.

mod cell;
mod index;
mod known;
mod llm;
mod rows;
mod schema;
mod store;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use self::index::Talks;
use self::rows::Talk;
pub(crate) use self::store::BESIDE;
pub(super) use self::store::log_of;
use self::store::{Store, has_table};
use super::cache::Cache;
use super::limits::{MAX_MEMBERS, TALK_GUESS};
use super::listing::Listed;
use super::member::Member;
use super::member_name;
use super::stream::Stream;
use convo_base::hash::Hash;

/// The maximum length of an id in a file name. Bytes.
const MAX_NAME_BYTES: usize = 80;

/// Lists the conversations of a database; returns `false` if it is of no known kind.
pub(super) fn list(path: &Path, cache: &Arc<Cache>, listed: &mut Listed) -> bool {
    if store::is_cut_off(path) {
        listed.broken_database("the file is truncated");
    }
    let store = match Store::open(path) {
        Ok(store) => Arc::new(store),
        Err(why) => {
            listed.broken_database(&why);
            return true;
        }
    };
    let mut is_known = false;
    for schema in known::SCHEMAS {
        match list_schema(&store, schema, cache, listed) {
            Ok(has_any) => is_known |= has_any,
            Err(why) => {
                listed.broken_database(&why);
                is_known = true;
            }
        }
    }
    is_known
}

/// Lists the conversations of one schema; returns `false` if the database has none of them.
fn list_schema(
    store: &Arc<Store>,
    schema: &'static schema::Schema,
    cache: &Arc<Cache>,
    listed: &mut Listed,
) -> Result<bool, String> {
    let mut ids: Vec<String> = Vec::new();
    let mut is_more = false;
    let mut nameless = 0;
    let mut strays: Vec<(&str, u64)> = Vec::new();
    let fits = store.with(|database| {
        for (table, columns) in schema.needs {
            let known = has_table(database, table)?;
            if !columns.iter().all(|column| known.contains(*column)) {
                return Ok(false);
            }
        }
        let mut query = database.prepare(schema.ids)?;
        let mut found = query.query([])?;
        while let Some(row) = found.next()? {
            if ids.len() >= MAX_MEMBERS {
                is_more = true;
                break;
            }
            match cell::short_text(row.get_ref(0)?) {
                Some(id) => ids.push(id),
                None => nameless += 1,
            }
        }
        for rows in schema.strays {
            let count = database.query_row(rows.count, [], |row| row.get::<_, i64>(0))?;
            strays.push((rows.table, count.unsigned_abs()));
        }
        Ok(true)
    });
    let has_any = !ids.is_empty();
    let all = Talks::new(store.clone(), schema);
    let mut taken: HashSet<String> = HashSet::new();
    for id in ids {
        let name = file_name(&id, &taken);
        taken.insert(name.clone());
        let Some(name) = listed.name(&name) else { continue };
        let talk = Arc::new(Talk::new(all.clone(), id));
        let member = Member {
            stream: Arc::new(Stream::computed(talk, cache)),
            from: 0,
            len: TALK_GUESS,
            ends_with_stream: true,
            within: None,
        };
        listed.put(name, member);
    }
    for (table, count) in strays.into_iter().filter(|(_, count)| *count > 0) {
        listed.strays(table, count);
    }
    if nameless > 0 {
        listed.broken_database("the ids of some conversations are too long, or are not text");
    }
    if is_more {
        listed.broken_database("it has more conversations than can be read from one database");
    }
    fits.map(|fits| fits && has_any)
}

/// Returns the file name of a conversation.
fn file_name(id: &str, taken: &HashSet<String>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let plain: String =
        id.chars().map(|c| if is_plain(c) { c } else { '-' }).take(MAX_NAME_BYTES).collect();
    let name = format!("{plain}.jsonl");
    let is_own = plain == id && !plain.is_empty() && !taken.contains(&name);
    if is_own && member_name::checked(&name).is_ok() {
        return name;
    }
    format!("{plain}-{}.jsonl", Hash::of(id).short(9))
}
