//! Where a session comes from, and which records at its beginning are copied from there.
//!
//! A fork or a subagent may start with the records of its parent session: the parent's `session_meta`, then
//! its turns, often with new times. The ids of turns are UUIDs that contain the start time of the turn, so
//! a turn that is older than the session is a copy.

use super::line::{Line, text};
use convo_base::json::{Map, Value};
use convo_base::model::{LogEnd, Segment};

/// The tolerance for clock differences, in milliseconds.
const TOLERANCE: u64 = 1_000;

/// Decides which records are copied.
#[derive(Debug, Default)]
pub(super) struct Origin {
    /// The id of the session.
    pub(super) id: Option<String>,
    /// The id of the parent session.
    pub(super) parent: Option<String>,
    /// Which of the session's logs this is, according to its first line or its name.
    pub(super) segment: Option<Segment>,
    /// The id of the log, from its name.
    log: Option<String>,
    /// When it was created, in milliseconds since 1970.
    created: Option<u64>,
    /// The number of the first record that is not copied.
    first_ordinal: Option<u64>,
    /// Whether it rolls back turns of an earlier log of the session.
    pub(super) is_reverting: bool,
    is_copying: bool,
    /// Whether a turn that is not copied was found.
    has_own: bool,
    /// Whether the id of a turn, or a record number, proved that records are copied.
    pub(super) is_proven: bool,
}

/// The verdict on a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// It belongs to this session.
    Own,
    /// It is the first one of this session after copied ones.
    FirstOwn,
    /// It is copied.
    Copied,
    /// It is copied, and so are all earlier ones in this part.
    AllCopied,
}

impl Origin {
    /// Creates the state for a log of that name.
    pub(super) fn of_log(name: &str) -> Self {
        Self { log: log_in(name).map(str::to_owned), ..Self::default() }
    }

    /// Creates the state for a part of a long log, whose session is known only from its name.
    pub(super) fn of_name(name: &str) -> Self {
        let id = uuid_in(name);
        Self { created: id.and_then(uuid_millis), id: id.map(str::to_owned), ..Self::of_log(name) }
    }

    /// Reads the first `session_meta`.
    pub(super) fn open(&mut self, meta: &Map, written: Option<u64>) {
        let own = text(meta, "id").or_else(|| text(meta, "session_id"));
        self.id = own.map(str::to_owned);
        let base = meta.get("history_base").and_then(Value::as_object);
        let spawn = meta
            .get("source")
            .and_then(|source| source.get("subagent")?.get("thread_spawn")?.as_object());
        let parents = [
            spawn.and_then(|spawn| text(spawn, "parent_thread_id")),
            text(meta, "parent_thread_id"),
            text(meta, "forked_from_id"),
            // An earlier log of the same session is not a base.
            base.filter(|_| !self.is_reverted(own)).and_then(|base| text(base, "thread_id")),
        ];
        // A session that was interrupted and continued in another file is its own parent.
        let parent = parents.into_iter().flatten().find(|id| Some(*id) != own);
        self.parent = parent.map(str::to_owned);
        self.created = own.and_then(uuid_millis).or(written);
        self.first_ordinal = meta.get("subagent_history_start_ordinal").and_then(Value::as_u64);
        let base_log = base.and_then(|base| {
            let number = |key: &str| base.get(key).and_then(Value::as_u64);
            Some(LogEnd {
                log: text(base, "thread_id")?.to_owned(),
                record: number("end_ordinal_exclusive"),
                bytes: number("end_byte_offset"),
            })
        });
        let log = self.log.clone().or_else(|| self.id.clone());
        self.segment = log.map(|id| Segment { id, base: base_log });
        self.is_reverting =
            base.is_some() && (self.is_reverted(own) || text(meta, "forked_from_id").is_none());
        // A fork that continues another file contains only its own records.
        self.is_copying = text(meta, "forked_from_id").is_some() && base.is_none();
    }

    /// Returns whether the log's name shows that it is not the first one of its session.
    fn is_reverted(&self, session: Option<&str>) -> bool {
        self.log.as_deref().is_some_and(|log| Some(log) != session)
    }

    /// Reads a further `session_meta`: that of the parent, or a repetition.
    pub(super) fn again(&mut self, meta: &Map) {
        let id = text(meta, "id").or_else(|| text(meta, "session_id"));
        if id.is_some() && self.id.is_some() && id != self.id.as_deref() {
            self.is_copying = true;
            self.parent = self.parent.take().or_else(|| id.map(str::to_owned));
        }
    }

    /// Decides on the next record.
    pub(super) fn verdict(&mut self, line: &Line) -> Verdict {
        if let (Some(first), Some(ordinal)) = (self.first_ordinal, line.ordinal) {
            self.is_proven = true;
            let was_copying = std::mem::replace(&mut self.is_copying, ordinal < first);
            return match (was_copying, self.is_copying) {
                (_, true) => Verdict::Copied,
                (true, false) => Verdict::FirstOwn,
                (false, false) => Verdict::Own,
            };
        }
        let is_marker = match line.kind.as_str() {
            "turn_context" => true,
            "event_msg" => {
                let kind = text(&line.payload, "type");
                matches!(kind, Some("task_started" | "turn_started"))
            }
            _ => false,
        };
        let turn = text(&line.payload, "turn_id").filter(|_| is_marker);
        let age = turn.and_then(uuid_millis).zip(self.created);
        let was_copying = self.is_copying;
        if let Some((started, created)) = age {
            self.is_copying = started + TOLERANCE < created;
            self.is_proven |= self.is_copying;
            self.has_own |= !self.is_copying;
        } else if turn.is_some() && self.created.is_none() {
            self.is_copying = false;
        }
        let thread = text(&line.payload, "thread_id");
        if thread.is_some() && thread == self.id.as_deref() && age.is_none() {
            self.is_copying = false;
        }
        match (was_copying, self.is_copying) {
            (false, true) if !self.has_own => Verdict::AllCopied,
            (_, true) => Verdict::Copied,
            (true, false) => Verdict::FirstOwn,
            (false, false) => Verdict::Own,
        }
    }

    /// Returns whether the last record was copied.
    pub(super) fn is_copying(&self) -> bool {
        self.is_copying
    }
}

/// Returns the session's UUID from the name of a log.
fn uuid_in(name: &str) -> Option<&str> {
    // The names of later logs of a session have a second UUID.
    uuid_at_end(stem(name)?.split('_').next()?)
}

/// Returns the log's UUID from its name.
fn log_in(name: &str) -> Option<&str> {
    uuid_at_end(stem(name)?)
}

fn stem(name: &str) -> Option<&str> {
    name.rsplit('/').next()?.split('.').next()?.strip_prefix("rollout-")
}

fn uuid_at_end(stem: &str) -> Option<&str> {
    let id = stem.get(stem.len().checked_sub(36)?..)?;
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    id.bytes().enumerate().all(fits).then_some(id)
}

/// Returns the time in a UUID of version 7, in milliseconds since 1970.
fn uuid_millis(id: &str) -> Option<u64> {
    let digits: String = id.chars().filter(|c| *c != '-').collect();
    let is_one = digits.len() == 32
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && digits.as_bytes().get(12) == Some(&b'7');
    is_one.then(|| u64::from_str_radix(digits.get(..12)?, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::{log_in, uuid_in, uuid_millis};

    #[test]
    fn a_name_ends_with_the_id_of_the_session() {
        let id = "0199a1b2-0000-7000-8000-000000000001";
        let name = format!("2025/10/rollout-2025-10-01T10-00-00-{id}.jsonl");
        assert_eq!(uuid_in(&name), Some(id));
        assert_eq!(uuid_in(&format!("rollout-2025-{id}_{id}.jsonl")), Some(id));
        let second = "0199a1b2-0000-7000-8000-000000000002";
        let name = format!("rollout-2025-{id}_{second}.jsonl.zst");
        assert_eq!((uuid_in(&name), log_in(&name)), (Some(id), Some(second)));
        assert_eq!(uuid_in("talk.jsonl"), None);
        assert_eq!(uuid_millis(id), Some(0x0199_a1b2_0000));
        assert_eq!(uuid_millis("0199a1b2-0000-4000-8000-000000000001"), None);
    }
}
