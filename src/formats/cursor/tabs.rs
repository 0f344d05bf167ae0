//! Conversations of a workspace before 2025: tabs, all in one row.

use super::super::File;
use super::query;
use crate::shared::access::visibility;
use crate::shared::agents::editor::line_starts;
use crate::shared::agents::turns::{At, Turns, Who};
use crate::shared::json::stored::{self, Row};
use crate::shared::text::dates::of_value;
use convo_base::diag::{Lines, Note};
use convo_base::json::{Map, Value};
use convo_base::model::{Conversation, Usage};

/// Returns whether rows contain such tabs.
pub(super) fn are_in(text: &str) -> bool {
    text.lines().next().is_some_and(|line| line.contains("\"table\":\"ItemTable\""))
}

pub(super) fn read(file: &File, index: usize, notes: &mut Vec<Note>) -> Vec<Conversation> {
    let lines = Lines::new(&file.text);
    let starts = line_starts(&file.text);
    let mut found = Vec::new();
    stored::each(file, index, &lines, notes, &mut |row, notes| {
        let Row { mut columns, line, .. } = row;
        let Some(mut value) = columns.object("value", notes) else { return };
        let private =
            columns.holds_back("private", &["value"], notes) || visibility::is_marked(&value);
        let Some(Value::Array(tabs)) = value.shift_remove("tabs") else { return };
        for tab in tabs {
            let Value::Object(tab) = tab else { continue };
            let mut session = Turns::new(index, "Cursor");
            session.read.private = private;
            show(&mut session, tab, line);
            found.extend(session.done(&starts, notes));
        }
    });
    found
}

fn show(session: &mut Turns, mut tab: Map, line: u32) {
    let text = |map: &Map, key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    session.read.private |= visibility::is_marked(&tab);
    session.read.id = text(&tab, "tabId");
    session.read.title = text(&tab, "chatTitle").filter(|title| !title.trim().is_empty());
    session.read.updated = tab.get("lastSendTime").and_then(of_value);
    let Some(Value::Array(bubbles)) = tab.shift_remove("bubbles") else { return };
    for bubble in bubbles {
        let Value::Object(bubble) = bubble else { continue };
        if visibility::is_marked(&bubble) {
            session.count_hidden();
            continue;
        }
        let at = At { line, quoted: true, time: None, id: text(&bubble, "id") };
        let is_person = bubble.get("type").is_some_and(|kind| kind == "user");
        session.turn(if is_person { Who::Person } else { Who::Assistant }, at);
        let own = text(&bubble, "rawText").filter(|text| !text.trim().is_empty());
        let own = own.or_else(|| text(&bubble, "text"));
        // Pasted rich text.
        let delegate = bubble.get("delegate").and_then(|inner| inner.get("a")?.as_str());
        let words = own.or_else(|| delegate.map(str::to_owned)).unwrap_or_default();
        session.say(&match is_person {
            true => query::user_text(&words).0,
            false => query::without_redacted(&words).into_owned(),
        });
        if !is_person {
            let model = text(&bubble, "modelType");
            session.add_usage(&Usage { model, ..Usage::default() });
        }
    }
}
