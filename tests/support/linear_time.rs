//! Whether work takes linear time: the one rule of all tests of it.

use std::time::{Duration, UNIX_EPOCH};

/// A time too short to compare.
const SHORT: Duration = Duration::from_millis(10);

/// Fails with the times if four times the amount takes more than eight times as long. Quadratic time would be
/// sixteen times as long. `took` returns the time of an amount of work; two slow runs on a busy machine are ignored.
pub(crate) fn check_linear(
    amount: usize,
    mut took: impl FnMut(usize) -> Duration,
) -> Result<(), String> {
    let mut times = Vec::new();
    for _ in 0..3 {
        let (short, long) = (took(amount / 4), took(amount));
        if long < short.max(SHORT) * 8 {
            return Ok(());
        }
        times.push((short, long));
    }
    Err(format!("{amount}: {times:?}"))
}

/// Returns the processor time of some work on one thread, which other programs affect little.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = processor_time();
    work();
    processor_time().saturating_sub(start)
}

/// Does work that would use several threads on one, so that its time is known.
pub(crate) fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).stack_size(16 << 20);
    pool.build().expect("a thread").install(work)
}

/// The processor time of this thread, or the time of day if the system does not report it.
fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = status.and_then(|status| status.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| UNIX_EPOCH.elapsed().unwrap_or_default(), Duration::from_nanos)
}
