//! `convo-site list`: lists formats, themes and page texts.

use std::path::Path;

use super::report;
use super::{Failure, Outcome, require_site};
use crate::disk::{self, Disk};
use crate::formats::{ALL, About, Format, named};
use crate::locale;
use crate::text::{closest, display_width};
use crate::theme;

/// Prints a table of all formats, or the details of one or of all.
pub(super) fn formats(name: Option<&Path>, long: bool) -> Result<Outcome, Failure> {
    // `.` is a site, which does not matter for formats.
    let name = name.filter(|name| *name != Path::new("."));
    if let Some(name) = name {
        let name = name.to_string_lossy();
        let Some(format) = named(&name) else {
            let near = closest(&name, ALL.iter().map(|format| format.name));
            let hint = near.map_or_else(
                || "run `convo-site list formats` for a list".to_owned(),
                |near| format!("did you mean `{near}`?"),
            );
            return Err(Failure::Usage(format!("unknown format `{name}`; {hint}")));
        };
        report::output(&details(format));
        return Ok(Outcome::Fine);
    }
    if long {
        let all: Vec<String> = ALL.iter().map(|format| details(format)).collect();
        report::output(&all.join("\n"));
        return Ok(Outcome::Fine);
    }
    let rows = ALL.iter().map(|format| {
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let (reads, writes) = (word(format.read.is_some()), word(format.write.is_some()));
        [format.name, format.title, reads, writes].map(str::to_owned)
    });
    Ok(table(["NAME", "TITLE", "READS", "WRITES"], rows))
}

/// Returns the details of a format, as paragraphs.
fn details(format: &Format) -> String {
    let About { what, find, reads, leaves_out } = &format.about;
    let mut text = format!("{}: {}\n\n{}\n", format.name, format.title, wrapped(what));
    for (head, words) in
        [("Where to find it", find), ("What is read", reads), ("What is not read", leaves_out)]
    {
        text.push_str(&format!("\n{}\n", wrapped(&format!("{head}: {words}"))));
    }
    text
}

/// Prints a table of the themes that the site in this folder can use.
pub(super) fn themes(site: &Path) -> Result<Outcome, Failure> {
    // Built-in themes can be listed in any folder.
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

/// Prints the built-in page texts of a language, or the English ones, which have every key.
pub(super) fn texts(language: Option<&Path>) -> Result<Outcome, Failure> {
    let tag = language.map_or("en".into(), Path::to_string_lossy);
    let Some(texts) = locale::built_in(&tag) else {
        let known: Vec<&str> = locale::tags().collect();
        let known = known.join(", ");
        return Err(Failure::Usage(format!(
            "no page texts for the language `{tag}`; known languages: {known}"
        )));
    };
    report::output(texts);
    Ok(Outcome::Fine)
}

/// Prints a table with headings.
pub(super) fn table<const N: usize>(
    heads: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Outcome {
    let rows: Vec<[String; N]> = std::iter::once(heads.map(str::to_owned)).chain(rows).collect();
    let mut widths = [0; N];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(display_width(cell));
        }
    }
    for row in &rows {
        let cells = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell}{}", " ".repeat(width - display_width(cell))));
        let line = cells.collect::<Vec<_>>().join("  ");
        report::output(&format!("{}\n", line.trim_end()));
    }
    Outcome::Fine
}

/// The maximum width of a line, in columns.
const MAX_COLUMNS: usize = 80;

/// Wraps a paragraph to the width of a terminal.
pub(super) fn wrapped(paragraph: &str) -> String {
    let (mut text, mut width) = (String::new(), 0);
    for word in paragraph.split_whitespace() {
        let wide = display_width(word);
        if width > 0 && width + 1 + wide > MAX_COLUMNS {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += wide;
    }
    text
}
