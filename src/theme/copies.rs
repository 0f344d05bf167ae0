//! Copies of built-in templates in a site. The first line of a copy names its original, so a build
//! can report that the original has changed.

use super::built_in::built_in;
use crate::diag::{Diagnostic, Lines, Location, Severity};
use crate::hash::Hash;

/// The start of a copy's first line; the version, the name and the hash follow.
const START: &str = "{# copied from convo-site ";
/// The end of a copy's first line. Its `-` removes the line from the page.
const END: &str = " -#}";

/// The length of the hash in a copy.
const HASH_LEN: usize = 10;

/// Returns the names of the built-in templates, in alphabetical order.
pub fn template_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = built_in().map(|(name, _)| name).collect();
    names.sort_unstable();
    names
}

/// Returns a copy of a built-in template, with a first line that names it.
pub fn copy_of(name: &str) -> Option<String> {
    let (name, text) = built_in().find(|(known, _)| *known == name)?;
    Some(format!("{}\n{text}", first_line(name, text)))
}

fn first_line(name: &str, text: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{START}{version}: {name} {}{END}", Hash::of_bytes(text.as_bytes()).short(HASH_LEN))
}

/// Returns a warning about a copy whose original has changed since.
pub(super) fn outdated(path: &str, text: &str) -> Option<Diagnostic> {
    let line = text.lines().next()?;
    let comment = line.trim_end().strip_prefix(START)?.strip_suffix(END)?;
    let (version, rest) = comment.split_once(": ")?;
    let (name, hash) = rest.rsplit_once(' ')?;
    let span = Some(Lines::new(text).span(0..line.trim_end().len()));
    let at = Some(Location { file: path.to_owned(), span });
    let note = |message: String| Diagnostic {
        at: at.clone(),
        ..Diagnostic::new(Severity::Warning, "outdated-copy", message)
    };
    let Some((_, now)) = built_in().find(|(known, _)| *known == name) else {
        let message = format!("this is a copy of the template `{name}`, which no longer exists");
        return Some(note(message).hint("`convo-site theme eject` lists all templates"));
    };
    if Hash::of_bytes(now.as_bytes()).short(HASH_LEN) == hash {
        return None;
    }
    let message = format!(
        "the built-in `{name}` has changed since convo-site {version}, the source of this copy"
    );
    let hint = format!(
        "`convo-site theme eject {name} --print` prints the current one; copy the changes you need, \
         and its first line"
    );
    Some(note(message).hint(hint))
}
