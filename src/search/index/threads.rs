//! Work on the threads of the pool, handed out by a thread that is not one of them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Waits for a lock whose holder may have panicked.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Threads of the pool must not wait for what is made by the pool.
pub(super) fn assert_outside() {
    debug_assert!(rayon::current_thread_index().is_none(), "asked by the pool");
}

/// Works on jobs while `produce` finds out what there is to do. The results in no order.
///
/// Whoever calls is no thread of the pool: such a one, while it waits, might begin with something
/// that waits for it.
pub(super) fn together<J: Send, R: Send>(
    work: impl Fn(J) -> Vec<R> + Sync,
    produce: impl FnOnce(&dyn Fn(J)),
) -> Vec<R> {
    let done = Mutex::new(Vec::new());
    // What waits takes memory.
    let room = Room::new(2 * rayon::current_num_threads());
    rayon::in_place_scope(|scope| {
        let (work, done, room) = (&work, &done, &room);
        produce(&|job| {
            let place = room.enter();
            scope.spawn(move |_| {
                let made = work(job);
                locked(done).extend(made);
                drop(place);
            });
        });
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// A room for so many.
struct Room {
    free: Mutex<usize>,
    left: Condvar,
}

/// Somebody's place in a room, until it is dropped.
struct Seat<'a>(&'a Room);

impl Room {
    fn new(free: usize) -> Self {
        Self { free: Mutex::new(free), left: Condvar::new() }
    }

    fn enter(&self) -> Seat<'_> {
        let free = self.left.wait_while(locked(&self.free), |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Seat(self)
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        *locked(&self.0.free) += 1;
        self.0.left.notify_one();
    }
}
