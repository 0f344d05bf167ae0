//! Texts by the site's author: plain pages, and the text of the home page.

use crate::diag::Diagnostic;
use crate::markup;
use crate::outputs::env::Env;
use crate::outputs::format::mark;
use crate::site::PlainText;
use crate::theme::view::{DataView, PlainView};

/// Returns the view of a text.
pub(crate) fn view(planned: &PlainText, env: &Env) -> Result<PlainView, Box<Diagnostic>> {
    let read = env.texts.get_cached(&planned.text_ref)?;
    let options = env.markup.for_own_text();
    Ok(PlainView {
        mark: planned.mark.map(|reason| mark(reason, &env.config.locale)),
        summary: read.summary().map(str::to_owned),
        body: markup::render(&read.preface, "page", &options, &planned.links),
    })
}

/// Returns the front matter of a text that templates can use.
pub(crate) fn extra(planned: &PlainText, env: &Env) -> Result<DataView, Box<Diagnostic>> {
    let read = env.texts.get_cached(&planned.text_ref)?;
    Ok(read.for_templates().cloned().map(DataView).unwrap_or_default())
}
