//! The rows of a conversation as lines, read while somebody asks for them.

use std::collections::HashSet;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension};

use super::super::computed::Computed;
use super::cell::{self, MAX_CELL};
use super::schema::{Rows, Schema};
use super::store::{Store, has_table};
use crate::files::Reader;

/// The bytes of lines that are read ahead.
const AHEAD: usize = 256 << 10;

/// The most rows of a conversation.
const MAX_ROWS: usize = 1 << 20;

/// A conversation in a database.
pub(super) struct Talk {
    store: Arc<Store>,
    schema: &'static Schema,
    id: String,
}

impl Talk {
    pub(super) fn new(store: Arc<Store>, schema: &'static Schema, id: String) -> Self {
        Self { store, schema, id }
    }

    /// Returns the numbers of all rows, each with the place of its table in the schema.
    fn keys(&self, database: &Connection) -> rusqlite::Result<Keys> {
        let mut keys = Keys { columns: Vec::new(), rows: Vec::new() };
        for (place, rows) in self.schema.rows.iter().enumerate() {
            let known = has_table(database, rows.table)?;
            keys.columns.push(columns(rows, &known));
            let mut is_there = !known.is_empty();
            for table in rows.with {
                is_there &= !has_table(database, table)?.is_empty();
            }
            if !is_there {
                continue;
            }
            let query = format!("SELECT rowid FROM \"{}\" {}", rows.table, rows.find);
            let mut query = database.prepare(&query)?;
            let mut found = query.query([&self.id])?;
            while let Some(row) = found.next()? {
                if keys.rows.len() < MAX_ROWS {
                    keys.rows.push((place, row.get(0)?));
                }
            }
        }
        Ok(keys)
    }

    /// Adds the line of a row to `out`.
    fn line(
        &self,
        database: &Connection,
        keys: &Keys,
        (place, row): (usize, i64),
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<()> {
        let (Some(rows), Some(columns)) =
            (self.schema.rows.get(place), keys.columns.get(place))
        else {
            return Ok(());
        };
        // What is too long is not even read.
        let cells = columns.iter().map(|name| {
            format!(
                "CASE WHEN octet_length(\"{name}\") > {MAX_CELL} THEN NULL ELSE \"{name}\" END, \
                 octet_length(\"{name}\")"
            )
        });
        let cells: Vec<String> = cells.collect();
        let query = format!(
            "SELECT {} FROM \"{}\" WHERE rowid = ?1",
            cells.join(", "),
            rows.table
        );
        let line = database.prepare(&query)?.query_row([row], |found| {
            let mut line = format!(
                "{{\"store\":\"{}\",\"table\":\"{}\",\"row\":{{",
                self.schema.store, rows.table
            );
            let mut omitted: Vec<String> = Vec::new();
            for (number, name) in columns.iter().enumerate() {
                let len: Option<i64> = found.get(2 * number + 1)?;
                let len = len.map_or(0, i64::unsigned_abs);
                let comma = if number > 0 { "," } else { "" };
                line.push_str(&format!("{comma}\"{name}\":"));
                let start = line.len();
                let written = match len {
                    len if len > MAX_CELL => Err(len),
                    _ => {
                        let is_json = rows.json.contains(name);
                        cell::write(found.get_ref(2 * number)?, is_json, &mut line)
                    }
                };
                if let Err(bytes) = written {
                    line.truncate(start);
                    line.push_str("null");
                    omitted.push(format!("\"{name}\":{bytes}"));
                }
            }
            line.push('}');
            if !omitted.is_empty() {
                line.push_str(&format!(",\"omitted\":{{{}}}", omitted.join(",")));
            }
            line.push_str("}\n");
            Ok(line)
        });
        out.extend(line.optional()?.unwrap_or_default().into_bytes());
        Ok(())
    }
}

impl Computed for Talk {
    fn read(self: Arc<Self>, from: u64) -> Reader {
        let (lines, skip) = (Vec::new(), from);
        Box::new(TalkReader { talk: self, keys: None, next: 0, lines, at: 0, skip })
    }
}

/// Returns the columns that are read and are there.
fn columns(rows: &Rows, known: &HashSet<String>) -> Vec<&'static str> {
    rows.columns.iter().copied().filter(|name| known.contains(*name)).collect()
}

/// The rows of a conversation.
struct Keys {
    /// The columns of each table of the schema.
    columns: Vec<Vec<&'static str>>,
    rows: Vec<(usize, i64)>,
}

/// Reads the lines of a conversation.
struct TalkReader {
    talk: Arc<Talk>,
    /// What was found when the first line was read.
    keys: Option<Keys>,
    /// The row that is read next.
    next: usize,
    lines: Vec<u8>,
    /// What was consumed of the lines.
    at: usize,
    /// The bytes that nobody asked for.
    skip: u64,
}

impl TalkReader {
    /// Reads some more lines; none at the end.
    fn more(&mut self) -> io::Result<()> {
        self.lines.clear();
        self.at = 0;
        let Self { talk, keys, next, lines, .. } = self;
        let read = talk.store.with(|database| {
            let keys = match keys {
                Some(keys) => keys,
                None => keys.insert(talk.keys(database)?),
            };
            while lines.len() < AHEAD
                && let Some(row) = keys.rows.get(*next)
            {
                talk.line(database, keys, *row, lines)?;
                *next += 1;
            }
            Ok(())
        });
        read.map_err(io::Error::other)
    }
}

impl BufRead for TalkReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at >= self.lines.len() {
            self.more()?;
            if self.lines.is_empty() {
                break;
            }
            let passed =
                usize::try_from(self.skip).unwrap_or(usize::MAX).min(self.lines.len());
            self.at = passed;
            self.skip -= passed as u64;
        }
        Ok(self.lines.get(self.at..).unwrap_or_default())
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl Read for TalkReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let some = self.fill_buf()?;
        let count = some.len().min(out.len());
        out[..count].copy_from_slice(&some[..count]);
        self.consume(count);
        Ok(count)
    }
}
