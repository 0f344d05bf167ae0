//! What several formats need: the rules on what may be published (`access`), values and records (`json`),
//! markup, dates and encodings (`text`), the sessions of assistants and agents (`agents`), and people's
//! talk (`people`). In this order, each of these folders may use those before it; `tally` is for all.
//! `private_links` runs on everything that was read.

pub(crate) mod access;
pub(crate) mod agents;
pub(crate) mod json;
pub(crate) mod people;
pub(crate) mod private_links;
pub(crate) mod tally;
pub(crate) mod text;
