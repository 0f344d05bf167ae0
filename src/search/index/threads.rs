//! Runs jobs on the threads of the pool, on behalf of a thread outside of it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Waits for a lock, even if its holder has panicked.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asserts that this is not a thread of the pool: those must not wait for the results of the pool.
pub(super) fn assert_outside_pool() {
    debug_assert!(rayon::current_thread_index().is_none(), "asked by the pool");
}

/// Runs jobs on the pool while `produce` submits them. Returns the results, in arbitrary order.
///
/// Do not call this from a thread of the pool: while it waits, it could start a job that waits for
/// it.
pub(super) fn run_jobs<J: Send, R: Send>(
    work: impl Fn(J) -> Vec<R> + Sync,
    produce: impl FnOnce(&dyn Fn(J)),
) -> Vec<R> {
    let done = Mutex::new(Vec::new());
    // Waiting jobs take memory.
    let semaphore = Semaphore::new(2 * rayon::current_num_threads());
    rayon::in_place_scope(|scope| {
        let (work, done, semaphore) = (&work, &done, &semaphore);
        produce(&|job| {
            let permit = semaphore.acquire();
            scope.spawn(move |_| {
                let made = work(job);
                locked(done).extend(made);
                drop(permit);
            });
        });
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A semaphore that bounds the number of jobs at once.
struct Semaphore {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A permit of a [`Semaphore`], until it is dropped.
struct Permit<'a>(&'a Semaphore);

impl Semaphore {
    fn new(free: usize) -> Self {
        Self { free: Mutex::new(free), freed: Condvar::new() }
    }

    fn acquire(&self) -> Permit<'_> {
        let free = self.freed.wait_while(locked(&self.free), |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        *locked(&self.0.free) += 1;
        self.0.freed.notify_one();
    }
}
