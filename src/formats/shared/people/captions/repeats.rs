//! Rolling and growing captions, in which each cue repeats text of the preceding one.

use super::cue::Cue;

/// The maximum number of words of a cue that are searched for in the next one.
const MAX_OVERLAP: usize = 64;
/// Captions roll if this percentage of the cues, and at least this number, repeat text of the
/// preceding cue.
const ROLLING_PERCENT: usize = 40;
const MIN_ROLLING: usize = 3;
/// The maximum gap between cues that repeat text. Milliseconds.
const MAX_GAP: u64 = 150;

/// Removes repeated text from rolling captions: those whose words have times (`is_timed`), and
/// those in which many cues repeat.
pub(crate) fn unrolled(cues: Vec<Cue>, is_timed: bool) -> Vec<Cue> {
    let overlaps: Vec<usize> = (0..cues.len())
        .map(|at| match at.checked_sub(1).and_then(|before| cues.get(before)) {
            Some(before) => overlap(before, &cues[at]),
            None => 0,
        })
        .collect();
    let repeating = overlaps.iter().filter(|words| **words > 0).count();
    let is_rolling = repeating >= MIN_ROLLING && repeating * 100 >= cues.len() * ROLLING_PERCENT;
    if !is_timed && !is_rolling {
        return cues;
    }
    let keep = |(mut cue, words): (Cue, usize)| {
        if words > 0 {
            let rest: Vec<&str> = cue.text.split_whitespace().skip(words).collect();
            cue.text = rest.join(" ");
        }
        (!cue.text.is_empty()).then_some(cue)
    };
    cues.into_iter().zip(overlaps).filter_map(keep).collect()
}

/// Returns the number of words at the end of a cue that begin the next one, which must follow
/// directly.
fn overlap(before: &Cue, cue: &Cue) -> usize {
    let follows = match (before.start, before.last(), cue.start) {
        (Some(from), Some(to), Some(start)) => start >= from && start <= to + MAX_GAP,
        _ => false,
    };
    if !follows || before.voice != cue.voice {
        return 0;
    }
    let ending: Vec<&str> = before.text.split_whitespace().rev().take(MAX_OVERLAP).collect();
    let ending: Vec<&str> = ending.into_iter().rev().collect();
    let opening: Vec<&str> = cue.text.split_whitespace().take(MAX_OVERLAP).collect();
    let most = ending.len().min(opening.len());
    let fits = |count: &usize| ending[ending.len() - count..] == opening[..*count];
    (1..=most).rev().find(fits).unwrap_or(0)
}
