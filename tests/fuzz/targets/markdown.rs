//! Markdown as HTML: no text is lost, and nothing comes out that is not ours.
#![no_main]

use std::sync::LazyLock;

use convo_site::markup::{Links, RawHtml, render, scan};
use libfuzzer_sys::fuzz_target;

#[path = "../../support/html_oracle.rs"]
mod html_oracle;

use html_oracle::{assert_no_markup_escapes, assert_no_text_is_lost, options};

/// A panic that the program catches costs a formula, and is not the end of the run.
static CAUGHT_PANICS_ARE_NO_CRASHES: LazyLock<()> = LazyLock::new(|| {
    std::panic::set_hook(Box::new(|panic| eprintln!("{panic}")));
});

fuzz_target!(|text: &str| {
    LazyLock::force(&CAUGHT_PANICS_ARE_NO_CRASHES);
    assert_no_text_is_lost(text);
    assert_no_markup_escapes(text, &options(RawHtml::Escape, true));
    assert_no_markup_escapes(text, &options(RawHtml::Basic, true));
    let once = render(text, "x", &options(RawHtml::Basic, false), &Links::AsWritten);
    let again = render(text, "x", &options(RawHtml::Basic, false), &Links::AsWritten);
    assert_eq!(once, again);
    for reference in scan(text, true).references {
        assert!(reference.at <= text.len() && text.is_char_boundary(reference.at));
    }
});
