//! Processor time, which other programs do not affect.

use std::time::{Duration, UNIX_EPOCH};

/// Returns the processor time of this thread, or the time of day if the system does not report it.
pub(crate) fn processor_time() -> Duration {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = status.and_then(|status| status.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(|| UNIX_EPOCH.elapsed().unwrap_or_default(), Duration::from_nanos)
}

/// Returns the processor time of some work.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = processor_time();
    work();
    processor_time().saturating_sub(start)
}
