//! Splits turns that are too long for a page, such as hours of an agent's work after one prompt.

use std::collections::HashMap;

use crate::model::{Block, Conversation, Turn};

/// The length from which turns are split. Bytes of Markdown.
const LONG_TURN_BYTES: usize = 128 << 10;

/// Splits each overlong turn that has several blocks into turns of the same speaker, between
/// blocks. The first turn keeps the id and the usage; the ids of the others are derived from it.
pub(super) fn divide(read: &mut Conversation) {
    if read.all_turns().all(|turn| turn.blocks.len() < 2 || turn.text().len() < LONG_TURN_BYTES) {
        return;
    }
    let mut pieces = Pieces::default();
    pieces.divide_all(&mut read.turns);
    for branch in &mut read.branches {
        pieces.divide_all(&mut branch.turns);
    }
    for branch in &mut read.branches {
        let Some(after) = &branch.after else { continue };
        let call = branch.started_by.as_ref();
        let of_call = call.and_then(|call| pieces.of_call.get(&(after.clone(), call.clone())));
        if let Some(piece) = of_call.or_else(|| pieces.last.get(after)) {
            branch.after = Some(piece.clone());
        }
    }
}

/// The turns that were split.
#[derive(Default)]
struct Pieces {
    /// The id of the last piece, by the id of the turn.
    last: HashMap<String, String>,
    /// The id of the piece that contains a call, by the ids of the turn and the call.
    of_call: HashMap<(String, String), String>,
}

impl Pieces {
    fn divide_all(&mut self, turns: &mut Vec<Turn>) {
        for turn in std::mem::take(turns) {
            turns.extend(self.divide(turn));
        }
    }

    fn divide(&mut self, mut turn: Turn) -> Vec<Turn> {
        let lengths: Vec<usize> =
            turn.blocks.iter().map(|block| block.to_markdown().len()).collect();
        if turn.blocks.len() < 2 || lengths.iter().sum::<usize>() < LONG_TURN_BYTES {
            return vec![turn];
        }
        let mut groups: Vec<Vec<Block>> = Vec::new();
        let (mut group, mut sum) = (Vec::new(), 0);
        for (block, length) in std::mem::take(&mut turn.blocks).into_iter().zip(lengths) {
            if sum > 0 && sum + length > LONG_TURN_BYTES {
                groups.push(std::mem::take(&mut group));
                sum = 0;
            }
            sum += length;
            group.push(block);
        }
        groups.push(group);
        let id = turn.id.clone();
        let mut all = Vec::with_capacity(groups.len());
        for (number, blocks) in groups.into_iter().enumerate() {
            let piece = match number {
                0 => Turn { blocks, ..std::mem::take(&mut turn) },
                _ => {
                    let first: &Turn = &all[0];
                    Turn {
                        id: format!("{id}-p{}", number + 1),
                        speaker: first.speaker.clone(),
                        time: first.time.clone(),
                        offset: first.offset.clone(),
                        withheld: first.withheld,
                        place: first.place,
                        blocks,
                        ..Turn::default()
                    }
                }
            };
            for block in &piece.blocks {
                if let Block::Tool(call) = block {
                    let key = (id.clone(), call.id.clone());
                    self.of_call.entry(key).or_insert_with(|| piece.id.clone());
                }
            }
            all.push(piece);
        }
        self.last.extend(all.last().map(|piece| (id, piece.id.clone())));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG_TURN_BYTES, divide};
    use crate::model::{Block, Branch, Conversation, Kind, ToolCall, Turn};

    #[test]
    fn a_long_turn_is_several() {
        let call =
            |id: &str| Block::Tool(Box::new(ToolCall { id: id.to_owned(), ..Default::default() }));
        let long = || Block::Markdown { text: "x".repeat(LONG_TURN_BYTES - 100) };
        let blocks = vec![long(), call("a"), long(), call("b"), long()];
        let turn = Turn { id: "t".to_owned(), blocks, ..Turn::from_text("Ada", "") };
        let mut read = Conversation { turns: vec![turn], ..Default::default() };
        read.introduce("Ada", Kind::Person);
        let branch = |call: Option<&str>| Branch {
            after: Some("t".to_owned()),
            started_by: call.map(str::to_owned),
            turns: vec![Turn::from_text("Ada", "Hi.")],
            ..Branch::default()
        };
        read.branches = vec![branch(Some("b")), branch(None), branch(Some("a"))];
        divide(&mut read);
        let ids: Vec<&str> = read.turns.iter().map(|turn| turn.id.as_str()).collect();
        assert_eq!(ids, ["t", "t-p2", "t-p3"]);
        let count: usize = read.turns.iter().map(|turn| turn.blocks.len()).sum();
        assert_eq!(count, 5);
        let after = read.branches.iter().filter_map(|branch| branch.after.as_deref());
        assert_eq!(after.collect::<Vec<_>>(), ["t-p2", "t-p3", "t"]);
    }
}
