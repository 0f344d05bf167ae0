//! The table of all rules.

use std::sync::LazyLock;

use super::rule::Rule;
use super::{finders, personal, rows, seed_phrase};

/// All rules, sorted by id.
pub(super) static ALL: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let mut all: Vec<&Rule> =
        [rows::TABLES, finders::TABLES, personal::TABLES, &[seed_phrase::ROWS]]
            .into_iter()
            .flatten()
            .flat_map(|table| table.iter())
            .collect();
    all.sort_by_key(|rule| rule.id);
    all
});
