//! `convo-site theme`

use std::path::Path;

use super::report;
use super::{Failure, Outcome, require_site};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity};
use crate::disk;
use crate::text::closest;
use crate::theme;

/// Copies a built-in template into the site, or prints it; lists all where none is named.
pub(super) fn eject(name: Option<&str>, site: &Path, is_printed: bool) -> Result<Outcome, Failure> {
    let names = theme::template_names();
    let Some(name) = name else {
        names.iter().for_each(|name| report::output(&format!("{name}\n")));
        return Ok(Outcome::Fine);
    };
    // As it is typed from the site's folder, or by what stands before the name in a template.
    let name = ["templates/", "built-in/"]
        .into_iter()
        .fold(name, |name, start| name.strip_prefix(start).unwrap_or(name));
    let Some(copy) = theme::copy_of(name) else {
        let hint = closest(name, names.iter().copied()).map_or_else(
            || "`convo-site theme eject` lists them all".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(Failure::Usage(format!("no built-in template is `{name}`; {hint}")));
    };
    if is_printed {
        report::output(&copy);
        return Ok(Outcome::Fine);
    }
    require_site(site)?;
    let path = format!("templates/{name}");
    if disk::is_there(&site.join(&path)) {
        let message = format!("`{path}` is there already, and stays as it is");
        let note = Diagnostic::new(Severity::Error, "usage", message);
        let hint = "`--print` prints the built-in one, to be compared with it";
        return Err(Box::new(note.hint(hint)).into());
    }
    disk::write_new(site, &[(&path, &copy)])?;
    report::summary(&format!(
        "copied to {}, which now stands for the built-in one",
        visible(&site.join(&path).display().to_string())
    ));
    Ok(Outcome::Fine)
}
