//! Reads all records of a log in order.

use super::super::{File, Parsed};
use super::finish;
use super::line::{Line, line, text};
use super::origin::{Origin, Verdict};
use super::scope::Source;
use super::session::{At, Session};
use crate::shared::access::visibility::{self, Scope};
use crate::shared::agents::turns::SYSTEM;
use crate::shared::json::object::{Object, as_object};
use crate::shared::json::records::{Record, records};
use crate::shared::tally::{PROGRAM_NOTES, WITHHELD, WITHHELD_TURNS, no_messages};
use convo_base::diag::{Note, Severity};
use convo_base::json::Map;
use convo_base::time::Time;

pub(super) fn parse(files: &[File]) -> Parsed {
    let mut reader = Reader::read(files, true);
    if reader.is_all_copied() && !reader.origin.is_proven {
        // It is unknown which records belong to the session, so all of them are shown.
        reader = Reader::read(files, false);
    }
    reader.finish()
}

/// Reads the records.
struct Reader {
    session: Session,
    origin: Origin,
    /// Whether records copied from another session are skipped.
    drops_copies: bool,
    has_meta: bool,
    /// Questions that may be the first ones of the session itself.
    held: Vec<(At, Line)>,
    notes: Vec<Note>,
    last_time: Option<Time>,
}

impl Reader {
    fn read(files: &[File], drops_copies: bool) -> Self {
        let is_continued = files.first().is_some_and(|file| file.is_continued);
        let origin = match files.first().filter(|_| is_continued) {
            Some(file) => Origin::of_name(&file.name),
            None => Origin::of_log(files.first().map_or("", |file| file.name.as_str())),
        };
        let has_events = files.iter().any(|file| {
            file.text.contains("\"user_message\"") || file.text.contains("\"UserMessage\"")
        });
        let session = Session::new(is_continued, has_events);
        let mut reader = Self {
            session,
            origin,
            drops_copies,
            has_meta: is_continued,
            held: Vec::new(),
            notes: Vec::new(),
            last_time: None,
        };
        if is_continued {
            reader.session.read.id.clone_from(&reader.origin.id);
        }
        for (index, file) in files.iter().enumerate() {
            reader.read_file(index, file);
        }
        reader
    }

    fn read_file(&mut self, index: usize, file: &File) {
        let mut notes = Vec::new();
        let (mut number, mut counted) = (1, 0);
        for Record { value, at: range, .. } in records(file, index, &[], &mut notes) {
            let between = file.text.as_bytes().get(counted..range.start).unwrap_or_default();
            number += between.iter().filter(|byte| **byte == b'\n').count() as u32;
            counted = range.start;
            let Some(map) = as_object(value, "record", &range, index, &mut self.notes) else {
                continue;
            };
            let line = line(map);
            let at = At { time: line.time.clone(), file: index, line: number, range };
            if self.is_withheld(&at, &line, file) {
                continue;
            }
            self.record(at, line);
        }
        self.notes.append(&mut notes);
    }

    /// Returns whether a record is marked as private.
    fn is_withheld(&mut self, at: &At, line: &Line, file: &File) -> bool {
        let is_meta = line.kind == "session_meta";
        if is_meta {
            let mut object = Object::new(line.rest.clone(), &file.text, at.file, at.range.clone());
            let held = object.holds_back("private", &["payload"], &mut self.notes);
            let payload = visibility::read_access_of_map(&line.payload, Scope::Turn);
            self.session.read.private |= held || visibility::holds_back(&payload);
            return false;
        }
        let is_one = visibility::is_marked(&line.rest) || visibility::is_marked(&line.payload);
        if is_one {
            self.session.tally.add_at(WITHHELD, at.file, at.range.clone());
        }
        is_one
    }

    fn record(&mut self, at: At, line: Line) {
        if line.kind == "session_meta" {
            return self.meta(&at, line);
        }
        if !self.drops_copies {
            return self.add_record(&at, line);
        }
        match self.origin.verdict(&line) {
            Verdict::Own if line.is_inherited => self.session.copied += 1,
            Verdict::Own => self.add_record(&at, line),
            Verdict::FirstOwn => {
                let held = std::mem::take(&mut self.held);
                // A question directly before the settings of the first turn belongs to that turn.
                if line.kind == "turn_context" {
                    held.into_iter().for_each(|(at, line)| self.add_record(&at, line));
                } else {
                    self.session.copied += held.len() as u64;
                }
                self.add_record(&at, line);
            }
            Verdict::Copied => self.hold(at, line),
            Verdict::AllCopied => {
                let start = usize::from(self.has_instructions());
                self.session.cut_off(start);
                self.session.copied += 1;
            }
        }
    }

    /// Stores a question that may not be a copy.
    fn hold(&mut self, at: At, line: Line) {
        let kind = text(&line.payload, "type").unwrap_or_default();
        let is_asked = kind == "user_message" || text(&line.payload, "role") == Some("user");
        if is_asked {
            self.held.push((at, line));
        } else {
            self.session.copied += 1 + self.held.len() as u64;
            self.held.clear();
        }
    }

    fn has_instructions(&self) -> bool {
        let first = self.session.drafts.first();
        first.is_some_and(|draft| draft.turn.speaker == SYSTEM)
    }

    /// Reads the metadata of the session; that of the copied session comes after it.
    fn meta(&mut self, at: &At, line: Line) {
        if self.has_meta {
            self.origin.again(&line.payload);
            return;
        }
        self.has_meta = true;
        let meta = line.payload;
        let written = text(&meta, "timestamp").and_then(|text| Time::parse(text).ok());
        let written = written.map(|(time, _)| time);
        let exact = written.as_ref().filter(|time| time.as_written().ends_with('Z'));
        let millis = exact.and_then(|time| u64::try_from(time.unix().0).ok());
        self.origin.open(&meta, millis.map(|seconds| seconds * 1000));
        let session = &mut self.session;
        session.read.id.clone_from(&self.origin.id);
        session.read.time = written.or_else(|| at.time.clone());
        session.cwd = text(&meta, "cwd").map(str::to_owned);
        session.set(text(&meta, "model"), None);
        let title = text(&meta, "thread_name").map(str::trim).map(str::to_owned);
        session.read.title = title.filter(|title| !title.is_empty());
        session.read.unpublished.insert("session".to_owned(), finish::kept(&meta));
        // In the first logs, `AGENTS.md` instructions are in the metadata. They are not shown.
        let reported = meta.get("base_instructions");
        let reported = reported
            .and_then(|reported| reported.as_str().or_else(|| reported.get("text")?.as_str()));
        if let Some(reported) = reported {
            session.instruct(at, reported.to_owned());
        }
    }

    /// Adds a record to the session.
    fn add_record(&mut self, at: &At, line: Line) {
        self.last_time = at.time.clone().or(self.last_time.take());
        let session = &mut self.session;
        match line.kind.as_str() {
            "response_item" => session.response(at, line.payload),
            "event_msg" => session.event(at, line.payload),
            "turn_context" => {
                let context = &line.payload;
                session.settle_task(text(context, "turn_id"));
                session.set(text(context, "model"), text(context, "effort"));
                if let Some(cwd) = text(context, "cwd") {
                    session.cwd = Some(cwd.to_owned());
                }
            }
            "compacted" => {
                let summary = text(&line.payload, "message");
                let summary = summary.filter(|text| !text.trim().is_empty());
                session.compact(at, summary.map(str::to_owned));
            }
            "token_usage_record" => session.record(&line.payload),
            "inter_agent_communication" => {
                session.agent_message(at, Source::Event, line.payload);
            }
            "realtime_item" => session.add_realtime_item(at, &line.payload),
            // Settings, and copies of other records.
            "state"
            | "world_state"
            | "security_risk_score"
            | "retained_context"
            | "inter_agent_communication_metadata" => {}
            "" if line.payload.contains_key("usage") => {}
            "" => session.unknown(at, "(no type)"),
            kind => session.unknown(at, kind),
        }
    }

    fn is_all_copied(&self) -> bool {
        self.origin.is_copying() && self.session.asked.is_empty()
    }

    fn finish(mut self) -> Parsed {
        self.session.copied += self.held.len() as u64;
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(self.session.notes());
        let mut read = self.session.finish();
        read.parent = self.origin.parent.take();
        read.segment = self.origin.segment.take();
        read.updated = self.last_time;
        // Turns that were rolled back must not be published, but are out of reach.
        read.private |= self.session.out_of_reach > 0 || self.session.unclear.is_some();
        if read.time.is_none() {
            read.time = read.turns.iter().find_map(|turn| turn.time.clone());
        }
        let is_silent = read.turns.iter().all(|turn| turn.withheld);
        // A private log, or one that rolls back turns of another log, affects the other versions of the
        // session.
        let affects_others = read.id.is_some() && (read.private || self.origin.is_reverting);
        if is_silent && !affects_others && self.session.copied == 0 {
            let is_reported = notes
                .iter()
                .any(|note| note.severity == Severity::Error || note.code == WITHHELD_TURNS);
            if !is_reported && !self.session.is_continued {
                let note = no_messages(Severity::Warning);
                notes.push(note.hint("the session ended before the first prompt"));
            }
        }
        let conversations = if is_silent && !affects_others { Vec::new() } else { vec![read] };
        Parsed { conversations, notes }
    }
}

impl Session {
    /// Sets the settings of the following answers.
    pub(super) fn set(&mut self, model: Option<&str>, effort: Option<&str>) {
        if let Some(model) = model {
            self.model = Some(model.into());
        }
        if let Some(effort) = effort {
            self.effort = Some(effort.into());
        }
        let open = self.open.and_then(|open| self.drafts.get_mut(open));
        if let Some(draft) = open {
            draft.model.clone_from(&self.model);
        }
    }

    /// Reads a spoken message.
    fn add_realtime_item(&mut self, at: &At, item: &Map) {
        if text(item, "type") != Some("transcript_segment") {
            self.tally.add(PROGRAM_NOTES);
            return;
        }
        let words = text(item, "text").unwrap_or_default();
        match text(item, "role") {
            Some("user") => {
                self.user_message(at, Source::Item, vec![words.into()]);
            }
            _ => self.say(at, Source::Item, words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{File, Parsed};
    use super::super::FORMAT;
    use super::parse;
    use crate::shared::access::tool_access::{OpenServers, withhold_in};
    use convo_base::model::Block;

    fn read(name: &str, lines: &[&str], is_continued: bool) -> Parsed {
        let (name, text) = (name.to_owned(), lines.join("\n") + "\n");
        parse(&[File { name, text, is_continued }])
    }

    const ASKED: &str = r#"{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Who?"}]}}"#;
    const BACK: &str =
        r#"{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":2}}"#;
    const RESULT: &str = r#"{"type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"x"}}"#;

    #[test]
    fn turns_undone_in_an_earlier_part_are_not_published() {
        let parsed = read("x.jsonl", &[ASKED, BACK, ASKED], true);
        let [read] = parsed.conversations.as_slice() else { panic!("{parsed:?}") };
        assert!(read.private);
        assert_eq!(read.turns.len(), 1);
        assert!(parsed.notes.iter().any(|note| note.code == "too-large"));
        let whole = self::read("x.jsonl", &[ASKED, BACK, ASKED], false);
        assert!(!whole.conversations[0].private);
    }

    #[test]
    fn impossible_numbers_of_turns_that_were_taken_back_are_no_fault() {
        let back = BACK.replace(":2}", ":1e30}");
        let parsed = read("x.jsonl", &[ASKED, &back, &back, ASKED], true);
        assert!(parsed.conversations[0].private);
    }

    #[test]
    fn a_result_whose_call_is_in_an_earlier_part_is_not_shown() {
        let mut parsed = read("x.jsonl", &[RESULT], true);
        let read = &mut parsed.conversations[0];
        withhold_in(&FORMAT, read, &OpenServers::default());
        let blocks = &read.turns[0].blocks;
        let [Block::Tool(tool)] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert_eq!((tool.name.as_str(), tool.results.len()), ("", 1));
        let result = &tool.results[0];
        assert_eq!((&result.output, result.unpublished.len()), (&None, 1));
    }

    #[test]
    fn turns_older_than_the_session_are_copied_in_every_part() {
        let name = "rollout-2026-03-05T09-00-00-0199b000-0000-7000-8000-000000000001.jsonl";
        let marker =
            |id: &str| format!(r#"{{"type":"turn_context","payload":{{"turn_id":"{id}"}}}}"#);
        let old = marker("0199a000-0000-7000-8000-000000000001");
        let own = marker("0199b001-0000-7000-8000-000000000001");
        let turns = |marker: &str| {
            let parsed = read(name, &[ASKED, marker, RESULT, ASKED], true);
            parsed.conversations.iter().map(|read| read.turns.len()).sum::<usize>()
        };
        assert_eq!((turns(&old), turns(&own)), (0, 3));
    }

    #[test]
    fn instructions_are_withheld() {
        let meta = r#"{"type":"session_meta","payload":{"id":"a","cwd":"/x","base_instructions":{"text":"Be brief."}}}"#;
        let reported = r#"{"type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>none</permissions instructions>"}]}}"#;
        let parsed = read("x.jsonl", &[meta, reported, ASKED], false);
        let withheld: Vec<bool> =
            parsed.conversations[0].turns.iter().map(|turn| turn.withheld).collect();
        assert_eq!(withheld, [true, true, false]);
    }
}
