//! What a site changes about its theme, as one more stylesheet and an image.

use std::fmt::Write;

use crate::config::{Look, OgImages};
use crate::diag::{Diagnostic, Severity};
use crate::drawing::Fonts;
use crate::files::Files;
use crate::path::RelPath;

/// The name of the stylesheet; it is the last one.
const STYLE: &str = "site.css";
/// The stem of the logo's name.
pub(super) const LOGO: &str = "logo";
/// The stem of the name of the picture that stands for the site.
pub(super) const IMAGE: &str = "image";

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
    assets.extend(image(files, LOGO, &look.logo, notes));
    assets.extend(image(files, IMAGE, &look.image, notes));
    assets
}

/// The fonts of the site's own pictures.
pub(super) fn fonts(
    files: &dyn Files,
    pictures: &OgImages,
    notes: &mut Vec<Diagnostic>,
) -> Vec<Vec<u8>> {
    let mut fonts = Vec::new();
    for path in &pictures.fonts {
        let font =
            is_inside(path).then(|| files.read(&RelPath::new(path)).ok()).flatten();
        match font {
            Some(font) if !Fonts::new(vec![font.clone()]).is_empty() => fonts.push(font),
            _ => {
                let message = format!("`{path}` in the site folder is no font");
                let note = Diagnostic::new(Severity::Error, "bad-font", message);
                notes.push(note.in_file("site.toml").hint("TrueType or OpenType is"));
            }
        }
    }
    fonts
}

fn is_inside(path: &str) -> bool {
    !path.starts_with('/') && !path.split(['/', '\\']).any(|part| part == "..")
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

fn image(
    files: &dyn Files,
    what: &str,
    path: &str,
    notes: &mut Vec<Diagnostic>,
) -> Option<(String, Vec<u8>)> {
    if path.is_empty() {
        return None;
    }
    let ending = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let mut complain = |message: String| {
        let note = Diagnostic::new(Severity::Error, "bad-image", message);
        notes.push(note.in_file("site.toml").hint(format!("the site has no {what}")));
        None
    };
    if !["png", "jpg", "jpeg", "gif", "webp", "avif", "svg"].contains(&ending.as_str()) {
        return complain(format!("the {what} `{path}` is no image that browsers show"));
    }
    match files.read(&RelPath::new(path)) {
        Ok(bytes) if is_inside(path) => Some((format!("{what}.{ending}"), bytes)),
        _ => complain(format!("there is no {what} `{path}` in the site folder")),
    }
}
