//! Runs work on separate threads while holding a permit that the shared threads may wait for.
//!
//! A thread that waits for shared threads does other work in the meantime, and that work could need
//! the same permit.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// The stack size of a thread, the same as for shared threads. Bytes.
const STACK: usize = 16 << 20;

/// Calls `work` with each item, on as many threads as the shared pool has, and returns the results
/// in the order of the items.
pub(crate) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = rayon::current_num_threads().min(items.len());
    if threads < 2 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let waiting = Mutex::new(items.into_iter().enumerate());
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(count));
    let go = || {
        loop {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, item)) = next else { return };
            let result = work(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, go);
        }
        go();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_the_order_of_items() {
        let squares = super::map((0..1000_u64).collect(), |n| n * n);
        assert_eq!(squares, (0..1000).map(|n| n * n).collect::<Vec<u64>>());
    }
}
