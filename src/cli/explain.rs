//! `convo-site explain`: explains the codes of diagnostics.

use super::list::{table, wrapped};
use super::report;
use super::{Failure, Outcome};
use crate::config::REFERENCE;
use crate::diag::codes::{CODES, find};
use crate::text::closest;

/// Prints what a code means and what to do about it, or a list of all codes.
pub(super) fn run(code: Option<&str>) -> Result<Outcome, Failure> {
    let Some(name) = code else {
        let rows = CODES.iter().map(|code| [code.name, code.severity.word(), code.meaning]);
        return Ok(table(["CODE", "SEVERITY", "MEANING"], rows.map(|row| row.map(str::to_owned))));
    };
    if name == "site.toml" {
        report::output(REFERENCE);
        return Ok(Outcome::Fine);
    }
    let Some(code) = find(name) else {
        let meant = closest(name, CODES.iter().map(|code| code.name));
        let meant = meant.map_or_else(
            || "run `convo-site explain` for a list".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        return Err(Failure::Usage(format!("unknown code `{name}`; {meant}")));
    };
    report::output(&format!("{}[{}]: {}\n", code.severity.word(), code.name, code.meaning));
    for paragraph in code.help.split("\n\n") {
        report::output(&format!("\n{}\n", wrapped(paragraph)));
    }
    Ok(Outcome::Fine)
}
