//! Templates as text, and the built-in ones.

use include_dir::{Dir, include_dir};

static BUILT_IN: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// A template.
#[derive(Clone)]
pub(super) struct Template {
    /// Its path, for messages.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) is_built_in: bool,
}

/// Iterates over the built-in templates, as name and text.
pub(super) fn built_in() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = BUILT_IN.files().chain(BUILT_IN.dirs().flat_map(|dir| dir.files()));
    all.filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}
