//! The gate's last check: no text with a secret is written.

use std::sync::Arc;

use super::media_types::is_text;
use super::output::{MakeResult, Output, Recipe};
use crate::diag::{Diagnostic, Severity};
use crate::gate;
use crate::path::OutPath;
use crate::sources::TextStore;

/// Adds a check for secrets to an output, if it is text.
pub(super) fn check_last(output: &mut Output, texts: &Arc<TextStore>) {
    if is_text(output.path.as_str()) && output.large.is_none() {
        let (path, texts) = (output.path.clone(), texts.clone());
        let recipe = output.recipe.clone();
        output.recipe = Arc::new(Checked { path, recipe, texts });
    }
}

/// The recipe of a text that the gate checks.
struct Checked {
    path: OutPath,
    recipe: Arc<dyn Recipe>,
    texts: Arc<TextStore>,
}

impl Recipe for Checked {
    fn make(&self) -> MakeResult {
        let bytes = self.recipe.make()?;
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        let Some(name) = self.texts.secret_in(text) else { return Ok(bytes) };
        let message =
            format!("`{}` was not written because it contains a secret ({name})", self.path);
        let note = Diagnostic::new(Severity::Error, "secret-missed", message);
        Err(Box::new(note.hint(gate::MISSED)))
    }
}
