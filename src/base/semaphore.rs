//! A weighted semaphore for work that needs much memory. It bounds the memory in use, however many
//! threads there are and however large the files. A request larger than what is free blocks.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Permits with a total weight, in a unit that its users choose.
pub struct Semaphore {
    weight: usize,
    taken: Mutex<usize>,
    freed: Condvar,
}

/// A part of a [`Semaphore`], released on drop.
pub struct Permit {
    semaphore: &'static Semaphore,
    weight: usize,
}

impl Semaphore {
    /// Creates a semaphore of this weight.
    pub const fn new(weight: usize) -> Self {
        Self { weight, taken: Mutex::new(0), freed: Condvar::new() }
    }

    /// Blocks until a part of this weight is free, and takes it. A weight above the total takes all
    /// of it. A thread that holds a permit must not acquire another one from the same semaphore.
    pub fn acquire(&'static self, weight: usize) -> Permit {
        let weight = weight.min(self.weight);
        let mut taken = self.taken();
        while *taken + weight > self.weight {
            taken = self.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += weight;
        Permit { semaphore: self, weight }
    }

    fn taken(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *self.semaphore.taken() -= self.weight;
        self.semaphore.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::Semaphore;

    #[test]
    fn no_more_than_the_total_is_acquired() {
        static SEMAPHORE: Semaphore = Semaphore::new(10);
        static USED: AtomicUsize = AtomicUsize::new(0);
        thread::scope(|scope| {
            for weight in (1..30).chain(1..30) {
                scope.spawn(move || {
                    let permit = SEMAPHORE.acquire(weight);
                    let weight = weight.min(10);
                    assert!(USED.fetch_add(weight, Ordering::SeqCst) + weight <= 10);
                    thread::yield_now();
                    USED.fetch_sub(weight, Ordering::SeqCst);
                    drop(permit);
                });
            }
        });
        assert_eq!(*SEMAPHORE.taken(), 0);
    }
}
