//! Tests of the pages as a browser shows them, and as programs by others judge them, in one
//! binary: `sh tests/run` installs what they need.
#![allow(clippy::disallowed_methods, reason = "tests set up and look at real folders")]

mod appearance; // marks, forced colours, directions and columns
mod browser; // a headless Chromium over its debugging protocol
#[cfg(unix)]
mod cluster; // three nodes of Ray, of which one is killed
mod commonmark; // the 652 examples of the specification
mod external_validators; // Nu, html-validate, axe, Lighthouse and extruct
mod forks; // forks that a reader walks without a script
mod frame; // the grid, the row above and the colours of a reader
mod hostile; // hostile text in every sink of a page
mod layout; // every page fits every window and can be read
mod own_site; // every feature in every theme, and how fast and still pages are
mod pagination; // links to turns of long conversations
mod reading; // keys, help and copying
mod recordings; // playing from turns, following, without a script, by keyboard
mod search; // the search page
mod search_dialog; // the search over a page, while one types
mod search_drift; // words and queries of the script, on random texts
mod search_judge; // the search page against the search of the command
mod self_hosting; // Caddy and nginx with the configurations that the program writes
mod services; // services of others: what is loaded and what is refused
mod serve; // an open page of the live preview
#[path = "../support/mod.rs"]
mod support; // a site in a temporary folder
mod tools; // programs and texts by others
mod varied_pages; // pages that together have all that a site has
