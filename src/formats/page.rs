//! The format of plain pages of the site: Markdown without turns, such as an about page.
//!
//! ```text
//! +++                              front matter, TOML or YAML, optional in `pages/`
//! page = true                      marks a page outside `pages/`
//! +++
//! # About this site                the title, unless the front matter has one
//!
//! Markdown text.
//! ```

use super::{About, File, Format, Parsed, Read, Write};
use crate::shared::text::front;
use convo_base::diag::{Lines, Note};
use convo_base::json::{Value, type_of};
use convo_base::model::{Conversation, MENU, Place, SLUG};

pub(super) const FORMAT: Format = Format {
    name: "page",
    title: "Page of the site",
    source_label: "Page",
    between_people: false,
    has_typed_prompts: false,
    about: About {
        what: "A page of the site, such as an about page.",
        find: "A Markdown file in `pages/`, or one with `page = true` in its front matter.",
        reads: "Text and front matter.",
        leaves_out: "Nothing.",
    },
    read: Some(Read::new(
        |probe| match is_marked_as_page(probe.name, probe.text) {
            true => super::Claim::Signature,
            false => super::Claim::No,
        },
        parse,
    )),
    write: Some(Write::File("md", |read, _| read.preface.clone())),
};

/// The front matter key that marks a text as a page.
const PAGE: &str = "page";

/// Returns whether the front matter of a text marks it as a page.
pub(super) fn is_marked_as_page(name: &str, text: &str) -> bool {
    is_markdown(name) && front::has_value(text, PAGE)
}

/// Returns whether a file with this name is Markdown.
pub(super) fn is_markdown(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".md", ".markdown"].iter().any(|extension| name.ends_with(extension))
}

/// Returns whether a file with this name is an HTML page.
pub(super) fn is_html(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".html", ".htm"].iter().any(|extension| name.ends_with(extension))
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let Some(File { name, text, .. }) = files.first() else { return parsed };
    let mut read = Conversation::default();
    let (range, start) = front::split(text);
    if let Some(range) = range.clone() {
        front::read(text, range, &mut read, &mut parsed.notes);
    }
    front::access_at(text, start, &mut parsed.notes).apply(&mut read);
    let (heading, start) = match heading(text, start) {
        Some((heading, end)) if read.title.as_ref().is_none_or(|own| *own == heading) => {
            (Some(heading), end)
        }
        _ => (None, start),
    };
    read.title = read.title.or(heading).or_else(|| Some(title_of_file(name)));
    read.kind.get_or_insert_with(|| PAGE.to_owned());
    read.extra.shift_remove(PAGE);
    if let Some(range) = range {
        parsed.notes.extend(misused(&read, |key| front::row_of(text, &range, key)));
    }
    let body = text[start..].trim_start();
    let line = Lines::new(text).span(text.len() - body.len()..text.len()).line;
    read.page = Some(Place { line, ..Place::default() });
    body.trim_end().clone_into(&mut read.preface);
    parsed.conversations.push(read);
    parsed
}

/// Returns the text of the heading at the start of a page, and where the heading ends.
fn heading(text: &str, start: usize) -> Option<(String, usize)> {
    let body = text[start..].trim_start();
    let from = text.len() - body.len();
    let line = body.lines().next()?;
    let heading = line.strip_prefix("# ")?.trim().trim_end_matches('#').trim_end();
    let plain: String = heading.chars().filter(|c| !"*`\\".contains(*c)).collect();
    (!plain.is_empty()).then_some((plain, from + line.len()))
}

/// Derives a title from a file name: `about_us.md` becomes "About us".
fn title_of_file(name: &str) -> String {
    let words = super::stem(name).replace(['-', '_'], " ");
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Checks the type of a value.
type Fits = fn(&Value) -> bool;

/// Returns a warning for each page key whose value has the wrong type.
fn misused(read: &Conversation, row: impl Fn(&str) -> std::ops::Range<usize>) -> Vec<Note> {
    let is_text = |value: &Value| value.is_string();
    let is_menu = |value: &Value| value.is_string() || value.is_boolean();
    let keys: [(&str, Fits, &str); 2] =
        [(SLUG, is_text, "a string such as `about`"), (MENU, is_menu, "`true` or a menu label")];
    let wrong = keys.into_iter().filter_map(|(key, fits, words)| {
        let value = read.extra.get(key).filter(|value| !value.is_null() && !fits(value))?;
        let message = format!("`{key}` must be {words}, not {}", type_of(value));
        let note = Note::warning("wrong-type", row(key), message);
        Some(note.hint("this value has no effect"))
    });
    wrong.collect()
}
