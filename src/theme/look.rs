//! What a site changes about its theme, as one more stylesheet and an image.

use std::fmt::Write;

use crate::config::Look;
use crate::diag::{Diagnostic, Severity};
use crate::files::Files;
use crate::path::RelPath;

/// The name of the stylesheet; it is the last one.
const STYLE: &str = "site.css";
/// The stem of the image's name.
pub(super) const LOGO: &str = "logo";

/// The files that stand beside those of the theme.
pub(super) fn assets(
    files: &dyn Files,
    look: &Look,
    notes: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<u8>)> {
    let mut assets = Vec::new();
    let style = style(look);
    if !style.is_empty() {
        assets.push((STYLE.to_owned(), style.into_bytes()));
    }
    assets.extend(logo(files, &look.logo, notes));
    assets
}

fn style(look: &Look) -> String {
    let width = look.width.iter().map(|width| ("measure", width));
    let named = look.colors.iter().chain(&look.fonts);
    let plain: String = named
        .map(|(name, value)| (name.0.as_str(), value))
        .chain(width)
        .map(|(name, value)| format!("  --{name}: {};\n", value.0))
        .collect();
    let dark: String = look
        .dark_colors
        .iter()
        .map(|(name, value)| format!("    --{}: {};\n", name.0, value.0))
        .collect();
    let mut style = String::new();
    if !plain.is_empty() {
        let _ = writeln!(style, ":root {{\n{plain}}}");
    }
    if !dark.is_empty() {
        let _ = writeln!(
            style,
            "@media (prefers-color-scheme: dark) {{\n  :root {{\n{dark}  }}\n}}"
        );
    }
    style
}

fn logo(
    files: &dyn Files,
    path: &str,
    notes: &mut Vec<Diagnostic>,
) -> Option<(String, Vec<u8>)> {
    if path.is_empty() {
        return None;
    }
    let ending = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let mut complain = |message: String| {
        let note = Diagnostic::new(Severity::Error, "bad-logo", message);
        notes.push(note.in_file("site.toml").hint("the site has no logo"));
        None
    };
    if !["png", "jpg", "jpeg", "gif", "webp", "avif", "svg"].contains(&ending.as_str()) {
        return complain(format!("the logo `{path}` is no image that browsers show"));
    }
    let is_inside =
        !path.starts_with('/') && !path.split(['/', '\\']).any(|part| part == "..");
    match files.read(&RelPath::new(path)) {
        Ok(bytes) if is_inside => Some((format!("{LOGO}.{ending}"), bytes)),
        _ => complain(format!("there is no logo `{path}` in the site folder")),
    }
}
