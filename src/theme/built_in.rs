//! Templates as texts, and those that come with the program.

use include_dir::{Dir, include_dir};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// A template.
#[derive(Clone)]
pub(super) struct Template {
    /// Its path, for people.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) is_built_in: bool,
}

/// Iterates over the built-in templates: names and texts.
pub(super) fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = BUILT_IN.files().chain(BUILT_IN.dirs().flat_map(|dir| dir.files()));
    all.filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}
