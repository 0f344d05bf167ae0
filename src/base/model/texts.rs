//! Visits every text of a conversation. Code that hides something must see all of them.

use std::collections::HashMap;

use super::{
    Action, Attachment, Block, Branch, Content, Conversation, MessageInfo, Participant, Segment,
    Turn,
};
use crate::json::{Map, Value};
use crate::text::base_name;

/// The role of a text, for code that changes texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextRole {
    /// Text that a reader sees, or that pages, copies or the search index are made from.
    Shown,
    /// The same, as Markdown.
    Markdown,
    /// The name of a speaker, in the list of participants and in each turn. All names must be
    /// changed in the same way.
    Name,
    /// The id of a conversation, a turn or a call, which others refer to. All ids must be changed
    /// in the same way.
    Id,
    /// The URL of an attachment. After `data:`, the rest is the file itself.
    Address,
    /// Text that no page shows and `convert` keeps.
    Unpublished,
}

impl TextRole {
    /// Returns whether a page shows it, or something made from it.
    pub fn is_shown(self) -> bool {
        matches!(self, Self::Shown | Self::Markdown | Self::Address)
    }
}

/// Visits every text of a conversation.
pub trait TextVisitor {
    /// Visits a text, and may change it. Keys of data are visited as texts too.
    fn text(&mut self, role: TextRole, text: &mut String);

    /// Called with the key of the next text in data; `None` if it has no key.
    fn under(&mut self, _key: Option<&str>) {}

    /// Called with the turn of the texts that follow; `None` for those of the conversation itself.
    fn enter(&mut self, _turn: Option<&Turn>) {}
}

impl Conversation {
    /// Passes every text to a visitor: those of the conversation, then those of each turn.
    pub fn visit_texts(&mut self, visitor: &mut dyn TextVisitor) {
        // Destructured, so that a new field cannot be forgotten.
        let Self {
            id,
            parent,
            title,
            kind,
            time: _,
            updated: _,
            languages,
            speculative_languages,
            tags,
            private: _,
            schedule: _,
            excluded_from_search: _,
            participants,
            preface,
            page: _,
            turns,
            branches,
            withheld_ids,
            rewritten: _,
            hides_names: _,
            edited: _,
            hidden_names: _,
            replaced_names: _,
            file_title,
            file_label: _,
            renamed_files: _,
            media: _,
            segment,
            extra,
            channel,
            cut_from,
            imported_from: _,
            agent: _,
            unpublished,
        } = self;
        visitor.enter(None);
        let logs = segment.iter_mut().flat_map(|Segment { id, base }| {
            [id].into_iter().chain(base.as_mut().map(|base| &mut base.log))
        });
        let ids = id.iter_mut().chain(parent).chain(cut_from).chain(withheld_ids).chain(logs);
        ids.for_each(|id| visitor.text(TextRole::Id, id));
        let channel = channel.iter_mut().map(|channel| &mut channel.name);
        let texts = title.iter_mut().chain(kind).chain(file_title).chain(channel);
        texts.for_each(|text| visitor.text(TextRole::Shown, text));
        visitor.text(TextRole::Markdown, preface);
        let texts = languages.iter_mut().chain(speculative_languages).chain(tags);
        texts.for_each(|text| visitor.text(TextRole::Shown, text));
        *participants = std::mem::take(participants)
            .iter()
            .cloned()
            .map(|mut who| {
                let Participant { name, kind: _, model, extra, aliases } = &mut who;
                visitor.text(TextRole::Name, name);
                model.iter_mut().for_each(|text| visitor.text(TextRole::Shown, text));
                visit_map(extra, TextRole::Shown, visitor);
                aliases.iter_mut().for_each(|text| visitor.text(TextRole::Unpublished, text));
                who
            })
            .collect();
        visit_map(extra, TextRole::Shown, visitor);
        visit_map(unpublished, TextRole::Unpublished, visitor);
        turns.iter_mut().for_each(|turn| turn.visit_texts(visitor));
        for Branch { name, after, rejoins: _, started_by, turns } in branches {
            visitor.enter(None);
            name.iter_mut().for_each(|text| visitor.text(TextRole::Shown, text));
            let ids = after.iter_mut().chain(started_by);
            ids.for_each(|id| visitor.text(TextRole::Id, id));
            turns.iter_mut().for_each(|turn| turn.visit_texts(visitor));
        }
    }
}

impl Turn {
    fn visit_texts(&mut self, visitor: &mut dyn TextVisitor) {
        visitor.enter(Some(self));
        let Self {
            id,
            speaker,
            time: _,
            offset,
            spoken: _,
            pending: _,
            pinned: _,
            withheld: _,
            usage,
            message,
            blocks,
            extra,
            unpublished,
            place: _,
        } = self;
        visitor.text(TextRole::Id, id);
        visitor.text(TextRole::Name, speaker);
        let model = usage.as_mut().and_then(|usage| usage.model.as_mut());
        let texts = offset.iter_mut().chain(model);
        texts.for_each(|text| visitor.text(TextRole::Shown, text));
        if let Some(message) = message {
            let MessageInfo { answers, thread, reactions, is_edited: _ } = &mut **message;
            let ids = answers.iter_mut().chain(thread);
            ids.for_each(|id| visitor.text(TextRole::Id, id));
            let emoji = reactions.iter_mut().map(|reaction| &mut reaction.emoji);
            emoji.for_each(|text| visitor.text(TextRole::Shown, text));
        }
        blocks.iter_mut().for_each(|block| visit_block(block, visitor));
        visit_map(extra, TextRole::Shown, visitor);
        visit_map(unpublished, TextRole::Unpublished, visitor);
    }
}

fn visit_block(block: &mut Block, visitor: &mut dyn TextVisitor) {
    let shown = TextRole::Shown;
    match block {
        Block::Markdown { text } | Block::Thinking { text } => {
            visitor.text(TextRole::Markdown, text);
        }
        Block::Event { name, text, detail } => {
            let is_derived = *name == text.to_lowercase();
            visitor.text(shown, text);
            match is_derived {
                true => *name = text.to_lowercase(),
                false => visitor.text(shown, name),
            }
            detail.iter_mut().for_each(|text| visitor.text(TextRole::Markdown, text));
        }
        Block::Unknown { name, value } => {
            visitor.text(shown, name);
            visit_value(value, shown, visitor);
        }
        Block::Attachment(attachment) => {
            let Attachment { name, kind: _, mime, size: _, sha256, content, call: _, unpublished } =
                &mut **attachment;
            if let Content::Uri(uri) = content {
                let is_derived = !name.is_empty() && uri.ends_with(name.as_str());
                visitor.text(TextRole::Address, uri);
                // What is hidden in a path may begin before the name of its file.
                if is_derived && !uri.ends_with(name.as_str()) {
                    *name = base_name(uri).to_owned();
                }
            }
            let texts = [name].into_iter().chain(mime).chain(sha256);
            texts.for_each(|text| visitor.text(shown, text));
            visit_map(unpublished, TextRole::Unpublished, visitor);
        }
        Block::Citations { citations } => {
            for citation in citations {
                let texts = citation.title.iter_mut().chain(&mut citation.url);
                texts.for_each(|text| visitor.text(shown, text));
            }
        }
        Block::Tool(call) => {
            visitor.text(TextRole::Id, &mut call.id);
            visitor.text(shown, &mut call.name);
            call.input.iter_mut().for_each(|value| visit_value(value, shown, visitor));
            call.action.iter_mut().for_each(|action| visit_action(action, visitor));
            visit_map(&mut call.extra, shown, visitor);
            visit_map(&mut call.unpublished, TextRole::Unpublished, visitor);
            call.withheld_server.iter_mut().for_each(|name| visitor.text(shown, name));
            for approval in &mut call.approvals {
                visitor.text(shown, &mut approval.state);
                approval.by.iter_mut().for_each(|name| visitor.text(TextRole::Name, name));
                approval.reason.iter_mut().for_each(|text| visitor.text(shown, text));
                visit_map(&mut approval.unpublished, TextRole::Unpublished, visitor);
            }
            for result in &mut call.results {
                visitor.text(shown, &mut result.state);
                let error = result.error.as_mut();
                let (mut texts, mut values) = (Vec::new(), Vec::new());
                if let Some(error) = error {
                    texts.extend(error.code.iter_mut().chain(&mut error.message));
                    values.extend(&mut error.data);
                }
                texts.into_iter().for_each(|text| visitor.text(shown, text));
                values.extend(result.output.iter_mut().chain(&mut result.duration));
                values.into_iter().for_each(|value| visit_value(value, shown, visitor));
                visit_map(&mut result.unpublished, TextRole::Unpublished, visitor);
            }
        }
    }
}

fn visit_action(action: &mut Action, visitor: &mut dyn TextVisitor) {
    let mut shown = |text: &mut String| visitor.text(TextRole::Shown, text);
    match action {
        Action::Command { command, exit_code: _ } => shown(command),
        Action::Edit { files } => {
            for file in files {
                let texts = [&mut file.path, &mut file.diff].into_iter();
                texts.chain(&mut file.moved_to).for_each(&mut shown);
            }
        }
        Action::Plan { steps } => steps.iter_mut().for_each(|step| shown(&mut step.text)),
        Action::Search { query, results } => {
            query.iter_mut().for_each(&mut shown);
            for result in results {
                result.title.iter_mut().chain(&mut result.url).for_each(&mut shown);
            }
        }
    }
}

fn visit_value(value: &mut Value, role: TextRole, visitor: &mut dyn TextVisitor) {
    match value {
        Value::String(text) => visitor.text(role, text),
        Value::Array(list) => {
            list.iter_mut().for_each(|value| visit_value(value, role, visitor));
        }
        Value::Object(map) => visit_map(map, role, visitor),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Keys that become equal get a number, so that nothing is lost.
fn visit_map(map: &mut Map, role: TextRole, visitor: &mut dyn TextVisitor) {
    let mut keys: Vec<String> = map.keys().cloned().collect();
    keys.iter_mut().for_each(|key| visitor.text(role, key));
    if !map.keys().eq(&keys) {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for ((_, value), mut key) in std::mem::take(map).into_iter().zip(keys) {
            if map.contains_key(&key) {
                let number = numbers.entry(key.clone()).or_insert(1);
                *number += 1;
                key = format!("{key} ({number})");
            }
            map.insert(key, value);
        }
    }
    for (key, value) in map.iter_mut() {
        if value.is_string() {
            visitor.under(Some(key));
        }
        visit_value(value, role, visitor);
        visitor.under(None);
    }
}

#[cfg(test)]
mod tests {
    use super::{TextRole, TextVisitor, visit_map};

    struct Vowels;

    impl TextVisitor for Vowels {
        fn text(&mut self, _: TextRole, text: &mut String) {
            text.retain(|c| !"aeiou".contains(c));
        }
    }

    #[test]
    fn keys_that_become_alike_are_all_there() {
        let mut value = serde_json::json!({"man": "one", "men": ["two"], "mn": 3, "x": {"on": 1}});
        let map = value.as_object_mut().expect("an object");
        visit_map(map, TextRole::Shown, &mut Vowels);
        let expected = r#"{"mn":"n","mn (2)":["tw"],"mn (3)":3,"x":{"n":1}}"#;
        assert_eq!(value.to_string(), expected);
    }
}
