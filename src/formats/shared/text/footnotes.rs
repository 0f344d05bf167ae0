//! Moves the definitions of footnotes to the turns that mention them, in documents that define all of them
//! at their end.
//!
//! A page renders each turn on its own, so a mention and its definition must be in the same one. A turn that
//! defines a label keeps its definition; other turns take the next definition below them or, if there is
//! none, the last one above. A definition that nobody mentions stays where it is, and so do those of withheld
//! turns.

use std::cell::LazyCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::blocks;
use convo_base::commonmark::{Event, Tag, cap_quotes, events, is_too_complex};
use convo_base::model::{Block, Conversation};
use convo_base::text::trim_blank_lines;

/// The maximum length of a label, in bytes.
const MAX_LABEL_BYTES: usize = 200;
/// How many bytes of copies of definitions every conversation may have, in addition to its own length.
const MIN_COPIED_BYTES: usize = 16 << 10;

/// Moves definitions within a conversation.
pub(crate) fn settle(read: &mut Conversation) {
    let turns = read.turns.iter_mut().filter(|turn| !turn.withheld);
    let markdown = turns.flat_map(|turn| &mut turn.blocks).filter_map(|block| match block {
        Block::Markdown { text } => Some(text),
        _ => None,
    });
    let mut texts: Vec<&mut String> = std::iter::once(&mut read.preface).chain(markdown).collect();
    let defines = |text: &&mut String| text.contains("[^") && text.contains("]:");
    if texts.len() < 2 || !texts.iter().any(defines) {
        return;
    }
    let mut notes = Notes::of(&texts);
    if !notes.may_move(&texts) {
        return;
    }
    notes.find_mentions(&texts);
    for (place, added) in notes.placed(&texts) {
        let Some(text) = texts.get_mut(place) else { continue };
        **text = added;
    }
}

/// A definition.
struct Definition {
    /// The number of its text.
    place: usize,
    start: usize,
    end: usize,
    /// The footnotes that it mentions itself.
    mentions: Vec<String>,
}

impl Definition {
    fn written<'a>(&self, texts: &'a [&mut String]) -> &'a str {
        let text = texts.get(self.place).and_then(|text| text.get(self.start..self.end));
        text.unwrap_or_default().trim()
    }
}

/// The definitions of a conversation.
struct Notes {
    /// In order.
    all: Vec<Definition>,
    /// Their indexes by label.
    by_label: HashMap<String, Vec<usize>>,
}

impl Notes {
    fn of(texts: &[&mut String]) -> Self {
        let mut notes = Self { all: Vec::new(), by_label: HashMap::new() };
        for (place, text) in texts.iter().enumerate() {
            let mut own = HashSet::new();
            for (label, start, end) in definitions(text) {
                // The first one of a text counts.
                if !own.insert(label.clone()) {
                    continue;
                }
                notes.by_label.entry(label).or_default().push(notes.all.len());
                notes.all.push(Definition { place, start, end, mentions: Vec::new() });
            }
        }
        notes
    }

    /// Finds the footnotes that the definitions mention themselves.
    fn find_mentions(&mut self, texts: &[&mut String]) {
        let mentions: Vec<Vec<String>> =
            self.all.iter().map(|note| self.mentions(note.written(texts))).collect();
        for (note, mentions) in self.all.iter_mut().zip(mentions) {
            note.mentions = mentions;
        }
    }

    /// Returns whether a text may mention a footnote that it does not define itself.
    fn may_move(&self, texts: &[&mut String]) -> bool {
        let place_of = |index: &usize| self.all.get(*index).map(|note| note.place);
        texts.iter().enumerate().any(|(place, text)| {
            labels(text)
                .filter_map(|label| self.by_label.get(label))
                .any(|all| all.binary_search_by_key(&Some(place), place_of).is_err())
        })
    }

    /// Returns the labels of known footnotes that a text mentions.
    fn mentions(&self, text: &str) -> Vec<String> {
        let mut seen = HashSet::new();
        let labels: Vec<&str> = labels(text)
            .filter(|label| self.by_label.contains_key(*label) && seen.insert(*label))
            .collect();
        if labels.is_empty() || is_too_complex(text) {
            return Vec::new();
        }
        // Only mentions of footnotes that the same text defines are recognised.
        let mut whole: String = labels.iter().map(|label| format!("[^{label}]: x\n\n")).collect();
        whole.push_str("<!-- -->\n\n");
        whole.push_str(text);
        let mut found = Vec::new();
        let mut known: HashSet<&str> = labels.into_iter().collect();
        for (event, _) in events(&cap_quotes(&whole, "x"), false) {
            if let Event::FootnoteReference(label) = event
                && known.remove(&*label)
            {
                found.push(label.into_string());
            }
        }
        found
    }

    /// Returns the definition that a mention in the text at `place` means.
    fn meant(&self, label: &str, place: usize) -> Option<(usize, &Definition)> {
        let all = self.by_label.get(label)?;
        let note = |index: &usize| Some((*index, self.all.get(*index)?));
        let above = all.partition_point(|at| self.all.get(*at).is_some_and(|n| n.place < place));
        all.get(above).or(all.last()).and_then(note)
    }

    /// Returns the texts that change, with their numbers.
    fn placed(&self, texts: &[&mut String]) -> Vec<(usize, String)> {
        let mut budget: usize =
            texts.iter().map(|text| text.len()).sum::<usize>() + MIN_COPIED_BYTES;
        let mut taken: HashSet<usize> = HashSet::new();
        let mut kept: HashSet<usize> = HashSet::new();
        let mut added: HashMap<usize, Vec<&Definition>> = HashMap::new();
        for (place, text) in texts.iter().enumerate() {
            let mut open = self.mentions(&self.without(text, place, |_| true));
            open.reverse();
            let takes_definitions = LazyCell::new(|| takes_definitions(text));
            let mut seen = HashSet::new();
            while let Some(label) = open.pop() {
                let Some((index, note)) = self.meant(&label, place) else { continue };
                if !seen.insert(index) {
                    continue;
                }
                if note.place == place {
                    kept.insert(index);
                } else if !*takes_definitions {
                    continue;
                } else {
                    // The first copy replaces the definition.
                    let cost = if taken.contains(&index) { note.end - note.start } else { 0 };
                    let Some(left) = budget.checked_sub(cost) else { continue };
                    budget = left;
                    taken.insert(index);
                    added.entry(place).or_default().push(note);
                }
                open.extend(note.mentions.iter().rev().cloned());
            }
        }
        let is_moved = |index: usize| taken.contains(&index) && !kept.contains(&index);
        let sources = taken.iter().filter_map(|index| Some(self.all.get(*index)?.place));
        let places: BTreeSet<usize> = added.keys().copied().chain(sources).collect();
        let mut changed = Vec::new();
        for place in places {
            let Some(text) = texts.get(place) else { continue };
            let mut rest = self.without(text, place, is_moved);
            if rest.trim().is_empty() {
                // A turn that only lists footnotes stays as it is.
                rest = text.to_string();
            }
            let notes = added.remove(&place).unwrap_or_default();
            if !notes.is_empty() {
                rest = blocks::closed(&rest).into_owned();
            }
            for note in notes {
                rest.push_str("\n\n");
                rest.push_str(note.written(texts));
            }
            changed.push((place, rest));
        }
        changed
    }

    /// Returns a text without some of its definitions.
    fn without(&self, text: &str, place: usize, is_moved: impl Fn(usize) -> bool) -> String {
        let first = self.all.partition_point(|note| note.place < place);
        let own = self.all.iter().enumerate().skip(first);
        let own = own.take_while(|(_, note)| note.place == place);
        let mut rest = String::with_capacity(text.len());
        let mut at = 0;
        let mut keep = |part: Option<&str>| {
            let part = part.unwrap_or_default();
            if !rest.is_empty() && !part.trim().is_empty() {
                // What a definition separated stays separate: a line of dashes would make a heading.
                rest.truncate(rest.trim_end_matches('\n').len());
                rest.push_str("\n\n");
            }
            rest.push_str(part);
        };
        for (_, note) in own.filter(|(index, _)| is_moved(*index)) {
            keep(text.get(at..note.start));
            at = note.end;
        }
        keep(text.get(at..));
        match at {
            0 => rest,
            _ => trim_blank_lines(&rest).0.to_owned(),
        }
    }
}

/// Returns whether a definition below a text, with its last block closed, is one. HTML may swallow it.
fn takes_definitions(text: &str) -> bool {
    let closed = blocks::closed(text);
    let start = closed.len() + "\n\n".len();
    definitions(&format!("{closed}\n\n[^x]: x")).last().is_some_and(|last| last.1 == start)
}

/// Returns the labels and byte ranges of the definitions of a text that are not in a list or quotation.
fn definitions(text: &str) -> Vec<(String, usize, usize)> {
    let mut found = Vec::new();
    if !text.contains("[^") || !text.contains("]:") || is_too_complex(text) {
        return found;
    }
    let mut depth = 0usize;
    for (event, range) in events(&cap_quotes(text, "x"), false) {
        match event {
            Event::Start(tag) => {
                if let (0, Tag::FootnoteDefinition(label)) = (depth, tag)
                    && label.len() <= MAX_LABEL_BYTES
                {
                    found.push((label.into_string(), range.start, range.end));
                }
                depth += 1;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// Returns what may be mentions of footnotes in a text, without regard to code.
fn labels(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("[^").filter_map(|(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        let end = rest.bytes().take(MAX_LABEL_BYTES + 1).position(|byte| b"]\n".contains(&byte))?;
        rest.get(..end).filter(|label| !label.is_empty() && rest.as_bytes().get(end) == Some(&b']'))
    })
}

#[cfg(test)]
mod tests {
    use super::settle;
    use convo_base::model::{Conversation, Turn};

    #[test]
    fn withheld_turns_keep_their_definitions() {
        let turns = |is_withheld: bool| {
            let mut turns = vec![
                Turn::from_text("Ada", "A[^a]."),
                Turn::from_text("Bob", "B.\n\n[^a]: C."),
                Turn::from_text("Eve", "D[^b].\n\n[^b]: E."),
                Turn::from_text("Ada", "F.\n\n[^b]: G."),
            ];
            for turn in turns.iter_mut().filter(|turn| ["Bob", "Eve"].contains(&&*turn.speaker)) {
                turn.withheld = is_withheld;
            }
            turns
        };
        let mut read = Conversation { turns: turns(true), ..Conversation::default() };
        settle(&mut read);
        assert_eq!(read.turns, turns(true));
        read.turns = turns(false);
        settle(&mut read);
        assert_ne!(read.turns, turns(false));
    }
}
