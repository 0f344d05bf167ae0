//! Threads of their own: the threads of the pool that makes outputs wait for these very files,
//! and would wait for ever if the files were made in the same pool.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, ScopedJoinHandle};

/// Waits for a lock whose holder may have panicked.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with each item, several at a time. The results in the order of the items, or
/// one of the errors.
pub(super) fn in_parallel<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return Ok(done) };
            done.push((place, work(item)?));
        }
    };
    let mut all = Vec::with_capacity(items.len());
    thread::scope(|scope| {
        let threads: Vec<_> =
            (0..count().min(items.len())).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            all.extend(joined(thread)?);
        }
        Ok(())
    })?;
    all.sort_unstable_by_key(|(place, _)| *place);
    Ok(all.into_iter().map(|(_, result)| result).collect())
}

/// Works on jobs while `produce` finds out what there is to do. The results in no order.
pub(super) fn together<J: Send, R: Send>(
    work: impl Fn(J) -> Vec<R> + Sync,
    produce: impl FnOnce(&dyn Fn(J)),
) -> Vec<R> {
    // A few are enough: what waits takes memory.
    let (sender, receiver) = mpsc::sync_channel::<J>(4);
    let receiver = Mutex::new(receiver);
    let work = || {
        let mut done = Vec::new();
        loop {
            let job = locked(&receiver).recv();
            let Ok(job) = job else { return done };
            done.extend(work(job));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count()).map(|_| scope.spawn(work)).collect();
        // It fails when all threads have; the first of them says why.
        produce(&|job| drop(sender.send(job)));
        drop(sender);
        threads.into_iter().flat_map(joined).collect()
    })
}

/// How many threads there are.
fn count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(8)
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
