//! `convo-site theme`: copies built-in templates into a site.

use std::path::Path;

use super::report;
use super::{Failure, Outcome, require_site};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity};
use crate::disk;
use crate::text::closest;
use crate::theme;

/// Copies a built-in template into the site or prints it; without a name, lists all.
pub(super) fn eject(name: Option<&str>, site: &Path, is_printed: bool) -> Result<Outcome, Failure> {
    let names = theme::template_names();
    let Some(name) = name else {
        names.iter().for_each(|name| report::output(&format!("{name}\n")));
        return Ok(Outcome::Fine);
    };
    // The name may be a path in the site folder, or the name used in `extends`.
    let name = ["templates/", "built-in/"]
        .into_iter()
        .fold(name, |name, start| name.strip_prefix(start).unwrap_or(name));
    let Some(copy) = theme::copy_of(name) else {
        let hint = closest(name, names.iter().copied()).map_or_else(
            || "run `convo-site theme eject` for a list".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(Failure::Usage(format!("unknown built-in template `{name}`; {hint}")));
    };
    if is_printed {
        report::output(&copy);
        return Ok(Outcome::Fine);
    }
    require_site(site)?;
    let path = format!("templates/{name}");
    if disk::is_there(&site.join(&path)) {
        let message = format!("`{path}` already exists and was not changed");
        let note = Diagnostic::new(Severity::Error, "usage", message);
        let hint = "print the built-in template with `--print`, to compare them";
        return Err(Box::new(note.hint(hint)).into());
    }
    disk::write_new(site, &[(&path, &copy)])?;
    report::summary(&format!(
        "copied to {}, which now replaces the built-in template",
        visible(&site.join(&path).display().to_string())
    ));
    Ok(Outcome::Fine)
}
