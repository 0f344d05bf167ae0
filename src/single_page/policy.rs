//! The Content-Security-Policy of a self-contained page.

use sha2::{Digest, Sha256};

use crate::text::base64_encode;

/// The styles and scripts of a page, by their hashes.
#[derive(Default)]
pub(super) struct Policy {
    styles: Vec<String>,
    scripts: Vec<String>,
}

impl Policy {
    pub(super) fn allow_style(&mut self, text: &str) {
        self.styles.push(source(text));
    }

    pub(super) fn allow_script(&mut self, text: &str) {
        self.scripts.push(source(text));
    }

    /// Returns the policy, which allows these and embedded pictures, and no request.
    pub(super) fn text(&self) -> String {
        let mut text =
            "default-src 'none'; img-src data:; media-src data:; font-src data:".to_owned();
        for (name, sources) in [("style-src", &self.styles), ("script-src", &self.scripts)] {
            if !sources.is_empty() {
                text.push_str(&format!("; {name} {}", sources.join(" ")));
            }
        }
        text + "; base-uri 'none'; form-action 'none'"
    }
}

fn source(text: &str) -> String {
    format!("'sha256-{}'", base64_encode(&Sha256::digest(text.as_bytes())))
}
