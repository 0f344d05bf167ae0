//! `convo-site list`

use std::path::Path;

use super::Outcome;
use super::report;
use crate::disk::Disk;
use crate::formats::ALL;
use crate::theme;

/// Prints a row for every format.
pub(super) fn formats() -> Outcome {
    let rows = ALL.iter().map(|format| {
        let reads = if format.read.is_some() { "yes" } else { "no" };
        // Every format is written.
        [format.name, format.title, reads, "yes"].map(str::to_owned)
    });
    table(["NAME", "TITLE", "READS", "WRITES"], rows)
}

/// Prints a row for every theme that the site in this folder can have.
pub(super) fn themes(site: &Path) -> Outcome {
    let files = Disk::new(site, &site.join("public"));
    let rows = theme::available(&files).into_iter().map(|theme| {
        let from = if theme.is_own { "the site" } else { "built in" };
        [theme.name, theme.manifest.title, from.to_owned(), theme.manifest.description]
    });
    table(["NAME", "TITLE", "FROM", "DESCRIPTION"], rows)
}

fn table<const N: usize>(
    heads: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Outcome {
    let rows: Vec<[String; N]> =
        std::iter::once(heads.map(str::to_owned)).chain(rows).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        report::output(&format!("{}\n", line.trim_end()));
    }
    Outcome::Fine
}
