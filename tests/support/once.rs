//! Makes what several tests need once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Values by key, each of which is made by the first test that asks for it.
pub(crate) struct OnceEach<T>(Mutex<BTreeMap<String, Arc<OnceLock<T>>>>);

impl<T: Clone> OnceEach<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    /// Returns the value of a key. A test that asks while another one makes it waits.
    pub(crate) fn get(&self, key: &str, make: impl FnOnce() -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let one = all.entry(key.to_owned()).or_default().clone();
        drop(all);
        one.get_or_init(make).clone()
    }
}
