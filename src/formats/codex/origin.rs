//! Where a session comes from, and which records at its beginning are copied from there.
//!
//! A fork and a subagent may start with the records of the session that they come from: its
//! `session_meta`, then its turns, often with new times. The ids of turns are UUIDs that hold the
//! time at which the turn started, so a turn that is older than the session is a copied one.

use super::line::{Line, text};
use crate::json::{Map, Value};

/// The milliseconds that clocks may differ.
const TOLERANCE: u64 = 1_000;

/// Decides which records are copied.
#[derive(Debug, Default)]
pub(super) struct Origin {
    /// The id of the session.
    pub(super) id: Option<String>,
    /// The id of the session that it comes from.
    pub(super) parent: Option<String>,
    /// When it was made. Milliseconds since the start of 1970.
    created: Option<u64>,
    /// The first number of a record that is its own.
    first_ordinal: Option<u64>,
    is_copying: bool,
    /// Whether a turn of its own was seen.
    has_own: bool,
    /// Whether the id of a turn, or a number, proved that something is copied.
    pub(super) is_proven: bool,
}

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// One of this session.
    Own,
    /// The first one of this session after copied ones.
    FirstOwn,
    /// A copied one.
    Copied,
    /// A copied one, and all those before it in this part are copied as well.
    AllCopied,
}

impl Origin {
    /// For a part of a long log, of which only the name says which session it is.
    pub(super) fn of_name(name: &str) -> Self {
        let id = uuid_in(name);
        Self {
            created: id.and_then(uuid_millis),
            id: id.map(str::to_owned),
            ..Self::default()
        }
    }

    /// Reads the `session_meta` that comes first.
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
            base.and_then(|base| text(base, "thread_id")),
        ];
        // A session that was cut off and written on in another file is its own parent.
        let parent = parents.into_iter().flatten().find(|id| Some(*id) != own);
        self.parent = parent.map(str::to_owned);
        self.created = own.and_then(uuid_millis).or(written);
        self.first_ordinal =
            meta.get("subagent_history_start_ordinal").and_then(Value::as_u64);
        // What a fork that goes on from another file holds is its own.
        self.is_copying = text(meta, "forked_from_id").is_some() && base.is_none();
    }

    /// Another `session_meta`: that of the parent, or the same again.
    pub(super) fn again(&mut self, meta: &Map) {
        let id = text(meta, "id").or_else(|| text(meta, "session_id"));
        if id.is_some() && self.id.is_some() && id != self.id.as_deref() {
            self.is_copying = true;
            self.parent = self.parent.take().or_else(|| id.map(str::to_owned));
        }
    }

    /// Decides on the next record.
    pub(super) fn judge(&mut self, line: &Line) -> Verdict {
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

    /// Returns whether the last record was a copied one.
    pub(super) fn is_copying(&self) -> bool {
        self.is_copying
    }
}

/// Returns the UUID with which the name of a log ends.
fn uuid_in(name: &str) -> Option<&str> {
    let stem = name.rsplit('/').next()?.split('.').next()?;
    let stem = stem.strip_prefix("rollout-")?;
    // The newest names have a second one behind it.
    let stem = stem.split('_').next()?;
    let id = stem.get(stem.len().checked_sub(36)?..)?;
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    id.bytes().enumerate().all(fits).then_some(id)
}

/// Returns the time in a UUID of version 7. Milliseconds since the start of 1970.
fn uuid_millis(id: &str) -> Option<u64> {
    let digits: String = id.chars().filter(|c| *c != '-').collect();
    let is_one = digits.len() == 32
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && digits.as_bytes().get(12) == Some(&b'7');
    is_one.then(|| u64::from_str_radix(digits.get(..12)?, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::{uuid_in, uuid_millis};

    #[test]
    fn a_name_ends_with_the_id_of_the_session() {
        let id = "0199a1b2-0000-7000-8000-000000000001";
        let name = format!("2025/10/rollout-2025-10-01T10-00-00-{id}.jsonl");
        assert_eq!(uuid_in(&name), Some(id));
        assert_eq!(uuid_in(&format!("rollout-2025-{id}_{id}.jsonl")), Some(id));
        assert_eq!(uuid_in("talk.jsonl"), None);
        assert_eq!(uuid_millis(id), Some(0x0199_a1b2_0000));
        assert_eq!(uuid_millis("0199a1b2-0000-4000-8000-000000000001"), None);
    }
}
