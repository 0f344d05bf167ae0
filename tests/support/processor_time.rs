//! The time that something took, whatever runs beside it.

use std::time::{Duration, UNIX_EPOCH};

/// Returns the time for which this thread had a processor, where the system tells it, else the time of
/// day.
pub(crate) fn processor_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = told.and_then(|told| told.split(' ').next()?.parse().ok());
    told.map_or_else(|| UNIX_EPOCH.elapsed().unwrap_or_default(), Duration::from_nanos)
}

/// Returns the processor time that something takes.
pub(crate) fn timed(work: impl FnOnce()) -> Duration {
    let start = processor_time();
    work();
    processor_time().saturating_sub(start)
}
