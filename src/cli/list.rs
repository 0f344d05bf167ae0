//! `convo-site list`

use super::Outcome;
use super::report;
use crate::formats::ALL;

/// Prints a row for every format.
pub(super) fn formats() -> Outcome {
    let rows = ALL.iter().map(|format| {
        let reads = if format.read.is_some() { "yes" } else { "no" };
        // Every format is written.
        [format.name, format.title, reads, "yes"]
    });
    let rows: Vec<[&str; 4]> =
        std::iter::once(["NAME", "TITLE", "READS", "WRITES"]).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> =
        (0..3).map(|column| width(column).unwrap_or_default()).collect();
    for [name, title, reads, writes] in rows {
        report::output(&format!(
            "{name:0$}  {title:1$}  {reads:2$}  {writes}\n",
            widths[0], widths[1], widths[2]
        ));
    }
    Outcome::Fine
}
