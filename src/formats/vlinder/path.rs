//! Names, and paths that part.

use crate::model::{Branch, Conversation, Turn, name_turns};

/// What the name of a session file says: date and time, agent, and the start of the id.
pub(super) fn session_name(name: &str) -> Option<(&str, &str, &str)> {
    let stem = name.strip_suffix(".json")?;
    let (time, rest) = stem.split_once('_')?;
    let (agent, short) = rest.rsplit_once('_')?;
    let shape = time.len() == 20
        && time.bytes().zip(*b"dddd-dd-ddTdd-dd-ddZ").all(|(byte, shape)| match shape {
            b'd' => byte.is_ascii_digit(),
            shape => byte == shape,
        });
    (shape && !agent.is_empty() && !short.is_empty()).then_some((time, agent, short))
}

/// Whether a file has the name of a session.
pub(super) fn is_session(name: &str) -> bool {
    session_name(name).is_some()
}

/// Adds a timeline to a conversation whose main path is already there. What it has in common
/// with a path that is known is not repeated.
pub(super) fn add_timeline(read: &mut Conversation, name: &str, turns: Vec<Turn>) {
    let same = |a: &Turn, b: &Turn| {
        (&a.speaker, a.time.as_ref(), a.text()) == (&b.speaker, b.time.as_ref(), b.text())
    };
    // The path with which it has most in common, as the turns on it.
    let mut best: Vec<&Turn> = Vec::new();
    let mut common = 0;
    for path in paths(read) {
        let shared = path.iter().zip(&turns).take_while(|(a, b)| same(a, b)).count();
        if best.is_empty() || shared > common {
            (best, common) = (path, shared);
        }
    }
    let after = common.checked_sub(1).map(|at| best[at].id.clone());
    let mut rest: Vec<Turn> = turns.into_iter().skip(common).collect();
    if rest.is_empty() {
        return;
    }
    // Names are given once more, to all, so that equal turns are told apart.
    let taken: Vec<Turn> = read.all_turns().cloned().collect();
    let mut all: Vec<Turn> = taken;
    let known = all.len();
    all.append(&mut rest);
    all.iter_mut().for_each(|turn| turn.id.clear());
    name_turns(&mut all);
    let rest = all.split_off(known);
    read.branches.push(Branch {
        name: Some(name.to_owned()),
        after,
        rejoins: false,
        turns: rest,
    });
}

/// The main path, and every branch with what leads to it.
fn paths(read: &Conversation) -> Vec<Vec<&Turn>> {
    let mut paths: Vec<Vec<&Turn>> = vec![read.turns.iter().collect()];
    for branch in &read.branches {
        let before = branch.after.as_ref().and_then(|after| {
            paths.iter().find_map(|path| {
                let at = path.iter().position(|turn| turn.id == *after)?;
                Some(path[..=at].to_vec())
            })
        });
        let mut path = before.unwrap_or_default();
        path.extend(&branch.turns);
        paths.push(path);
    }
    paths
}
