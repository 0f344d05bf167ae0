//! The site's own style sheet and script, beside `site.toml`, which are loaded after those of the
//! theme.

use std::io::Read;

use crate::diag::{Diagnostic, Lines, Location, Severity};
use crate::files::Files;
use crate::path::RelPath;
use crate::sources::Hidden;

/// The files in the site folder, and their asset names.
pub(super) const FILES: [(&str, &str); 2] = [("style.css", STYLE), ("script.js", SCRIPT)];

/// The asset name of the style sheet.
pub(super) const STYLE: &str = "own.css";
/// The asset name of the script.
pub(super) const SCRIPT: &str = "own.js";

/// The paths of the files.
pub const OWN_FILES: [&str; 2] = [FILES[0].0, FILES[1].0];

/// The maximum size of a file, which every page loads.
const MAX_BYTES: usize = 1 << 20;

/// Returns the files that exist and can be used: path, asset name and text.
pub(super) fn assets(
    files: &dyn Files,
    notes: &mut Vec<Diagnostic>,
) -> Vec<(&'static str, &'static str, String)> {
    let mut assets = Vec::new();
    for (path, name) in FILES {
        if !files.has(&RelPath::new(path)) {
            continue;
        }
        match read(files, path) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => assets.push((path, name, text)),
            Err(note) => notes.push(*note),
        }
    }
    assets
}

/// Returns the error about a file that is not published, without the text that must not be shown.
pub(super) fn refused(what: &Hidden, at: Location) -> Diagnostic {
    let what = match what {
        Hidden::Secret(name) => format!("contains a secret ({name})"),
        Hidden::OwnWord => "contains a word listed in `[[redact]]`".to_owned(),
        Hidden::Name => "contains the name of a person who has a pseudonym".to_owned(),
    };
    let message = format!("this file is public and {what}");
    let note = Diagnostic::new(Severity::Error, "secret-in-site", message);
    let hint = "the file is not published; remove the text, and revoke a secret that was \
                already published";
    Diagnostic { at: Some(at), ..note.hint(hint) }
}

fn read(files: &dyn Files, path: &str) -> Result<String, Box<Diagnostic>> {
    let reader = files.open(&RelPath::new(path), 0)?;
    let error = |message: String, at: Option<&str>| {
        let span = at.map(|before| Lines::new(before).span(before.len()..before.len()));
        let at = Some(Location { file: path.to_owned(), span });
        Diagnostic { at, ..Diagnostic::new(Severity::Error, "bad-asset", message) }
    };
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    if let Err(cause) = reader.take(limit).read_to_end(&mut bytes) {
        return Err(Box::new(error(format!("cannot read this file: {cause}"), None)));
    }
    if bytes.len() > MAX_BYTES {
        let message = "this file is larger than 1 MB, and every page would load it";
        let note = error(message.to_owned(), None);
        return Err(Box::new(note.hint("the file is not published; make it smaller")));
    }
    let text = String::from_utf8(bytes).map_err(|wrong| {
        let at = wrong.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&wrong.as_bytes()[..at]).into_owned();
        let note = error("invalid UTF-8".to_owned(), Some(&before));
        Box::new(note.hint("the file is not published; save it as UTF-8"))
    })?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
