//! Work on threads of its own, for whoever holds a permit that the shared threads wait for.
//!
//! Who waits for shared threads does other work in the meantime, and that could want the same
//! permit.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// The stack of a thread, as large as that of a shared one. Bytes.
const STACK: usize = 16 << 20;

/// Does `work` with each of `items` on as many threads as there are shared ones, and returns the
/// results in the order of the items.
pub(super) fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
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
            // Where there can be no more threads, those that are there do it.
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
    fn results_stand_in_the_order_of_items() {
        let squares = super::map((0..1000_u64).collect(), |n| n * n);
        assert_eq!(squares, (0..1000).map(|n| n * n).collect::<Vec<u64>>());
    }
}
