//! A conversation as one HTML file that needs no other file: styles, scripts and pictures are in it, and it
//! requests nothing.

mod policy;
mod rewriter;

use self::rewriter::Rewriter;
use crate::diag::Diagnostic;
use crate::outputs::Outputs;

/// Settings of a site that is made for its single pages: only a very long conversation is split, and its page
/// offers no other files.
pub const SETTINGS: &str = "page_turns = 10000\npage_kilobytes = 10000\ndownloads = []\n\
    markdown = false\n[search]\nengine = \"none\"\n";

/// Returns the self-contained form of the page at a path of the output, if there is one. Fails if a file that
/// it needs cannot be made.
pub fn self_contained(outputs: &Outputs, path: &str) -> Result<Option<String>, Box<Diagnostic>> {
    let Some(page) = outputs.get(path) else { return Ok(None) };
    let html = page.make()?;
    let mut failure = None;
    let mut get = |path: &str| {
        // Recordings may be larger than memory.
        let output = outputs.get(path).filter(|output| output.large().is_none())?;
        output.make().map_err(|note| failure.get_or_insert(note)).ok()
    };
    let text = Rewriter::new(path, &mut get).rewrite(&String::from_utf8_lossy(&html));
    failure.map_or(Ok(Some(text)), Err)
}
