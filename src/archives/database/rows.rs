//! The rows of a conversation as lines, read on demand.

use std::io::{self, BufRead, Read};
use std::sync::Arc;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Statement};

use super::super::computed::Computed;
use super::cell::{self, MAX_CELL};
use super::index::{Column, Found, Talks};
use convo_base::files::Reader;
use convo_base::json;

/// The number of bytes of lines to read ahead.
const AHEAD: usize = 256 << 10;

/// A conversation in a database.
pub(super) struct Talk {
    all: Arc<Talks>,
    id: String,
}

impl Talk {
    pub(super) fn new(all: Arc<Talks>, id: String) -> Self {
        Self { all, id }
    }

    /// Prepares the query for one row of a table by its number.
    fn prepared<'d>(&self, database: &'d Connection, place: u8) -> rusqlite::Result<Statement<'d>> {
        // Values that are too long are not even read.
        let cells = self.columns(place).iter().map(|column| {
            let name = column.name.replace('"', "\"\"");
            format!(
                "CASE WHEN octet_length(\"{name}\") > {MAX_CELL} THEN NULL ELSE \"{name}\" END, \
                 octet_length(\"{name}\")"
            )
        });
        let cells: Vec<String> = cells.collect();
        database.prepare(&format!(
            "SELECT {} FROM \"{}\" WHERE rowid = ?1",
            cells.join(", "),
            self.table(place)
        ))
    }

    fn table(&self, place: u8) -> &'static str {
        self.all.schema.rows.get(usize::from(place)).map_or("", |rows| rows.table)
    }

    fn columns(&self, place: u8) -> &[Column] {
        let columns = self.all.columns().unwrap_or_default();
        columns.get(usize::from(place)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the beginning of a line.
    fn head(&self, place: u8) -> String {
        let (store, table) = (self.all.schema.store, self.table(place));
        format!("{{\"store\":\"{store}\",\"table\":\"{table}\",\"row\":{{")
    }

    /// Adds the line of a row to `out`.
    fn line(
        &self,
        query: &mut Statement<'_>,
        (place, row): (u8, i64),
        out: &mut Vec<u8>,
    ) -> rusqlite::Result<()> {
        let line = query.query_row([row], |found| {
            let mut line = self.head(place);
            let mut omitted: Vec<String> = Vec::new();
            let mut comma = "";
            for (number, column) in self.columns(place).iter().enumerate() {
                let len: Option<i64> = found.get(2 * number + 1)?;
                let len = len.map_or(0, i64::unsigned_abs);
                let value = found.get_ref(2 * number)?;
                // An empty value says nothing about readers.
                if column.is_about_readers && value == ValueRef::Null && len == 0 {
                    continue;
                }
                let name = json::value(&column.name);
                line.push_str(&format!("{comma}{name}:"));
                comma = ",";
                let start = line.len();
                let written = match (len, value) {
                    (len, _) if len > MAX_CELL => Err(len),
                    // Databases store booleans as 0 and 1.
                    (_, ValueRef::Integer(yes @ (0 | 1))) if column.is_about_readers => {
                        line.push_str(if yes == 1 { "true" } else { "false" });
                        Ok(())
                    }
                    (_, value) => cell::write(value, column.is_json, &mut line),
                };
                if let Err(bytes) = written {
                    line.truncate(start);
                    line.push_str("null");
                    omitted.push(format!("{name}:{bytes}"));
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
        Box::new(TalkReader { talk: self, found: None, next: 0, lines, at: 0, skip })
    }
}

/// Reads the lines of a conversation.
struct TalkReader {
    talk: Arc<Talk>,
    /// The rows, found when the first line is read.
    found: Option<Found>,
    /// The index of the next row.
    next: usize,
    lines: Vec<u8>,
    /// The number of bytes consumed.
    at: usize,
    /// The bytes that have not been consumed.
    skip: u64,
}

impl TalkReader {
    /// Reads some more lines; none at the end.
    fn more(&mut self) -> io::Result<()> {
        self.lines.clear();
        self.at = 0;
        let Self { talk, found, next, lines, .. } = self;
        let found = match found {
            Some(found) => found,
            None => found.insert(talk.all.of(&talk.id).map_err(io::Error::other)?),
        };
        let read = talk.all.store.with(|database| {
            let mut prepared: Option<(u8, Statement<'_>)> = None;
            while lines.len() < AHEAD
                && let Some(row) = found.rows.get(*next)
            {
                let query = match &mut prepared {
                    Some((place, query)) if *place == row.0 => query,
                    _ => {
                        let query = talk.prepared(database, row.0)?;
                        &mut prepared.insert((row.0, query)).1
                    }
                };
                talk.line(query, *row, lines)?;
                *next += 1;
            }
            Ok(())
        });
        read.map_err(io::Error::other)?;
        if lines.is_empty() && found.beyond > 0 {
            let head = talk.head(found.rows.last().map_or(0, |(place, _)| *place));
            let line = format!("{head}}},\"beyond\":{}}}\n", found.beyond);
            found.beyond = 0;
            lines.extend(line.into_bytes());
        }
        Ok(())
    }
}

impl BufRead for TalkReader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.at >= self.lines.len() {
            self.more()?;
            if self.lines.is_empty() {
                break;
            }
            let passed = usize::try_from(self.skip).unwrap_or(usize::MAX).min(self.lines.len());
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
