//! `convo-site list`

use std::path::Path;

use super::report;
use super::{Failure, Outcome, require_site};
use crate::disk::{self, Disk};
use crate::formats::ALL;
use crate::text::display_width;
use crate::theme;

/// Prints a row for every format.
pub(super) fn formats() -> Outcome {
    let rows = ALL.iter().map(|format| {
        let said = |yes: bool| if yes { "yes" } else { "no" };
        let (reads, writes) = (said(format.read.is_some()), said(format.write.is_some()));
        [format.name, format.title, reads, writes].map(str::to_owned)
    });
    table(["NAME", "TITLE", "READS", "WRITES"], rows)
}

/// Prints a row for every theme that the site in this folder can have.
pub(super) fn themes(site: &Path) -> Result<Outcome, Failure> {
    // Those of the program can be listed anywhere.
    if !disk::is_folder(site) {
        require_site(site)?;
    }
    let files = Disk::new(site);
    let rows = theme::available(&files).into_iter().map(|theme| {
        let from = if theme.is_own { "the site" } else { "built in" };
        [theme.name, theme.manifest.title, from.to_owned(), theme.manifest.description]
    });
    Ok(table(["NAME", "TITLE", "FROM", "DESCRIPTION"], rows))
}

/// Prints rows below their heads, in columns.
pub(super) fn table<const N: usize>(
    heads: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Outcome {
    let rows: Vec<[String; N]> =
        std::iter::once(heads.map(str::to_owned)).chain(rows).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(display_width(cell));
        }
    }
    for row in &rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| {
            format!("{cell}{}", " ".repeat(width - display_width(cell)))
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        report::output(&format!("{}\n", line.trim_end()));
    }
    Outcome::Fine
}
