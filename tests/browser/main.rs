//! Tests of pages in a browser and with external validators, in one binary. The first line of each
//! module says what it tests. `sh tests/run` installs what they need.
#![allow(clippy::disallowed_methods, reason = "tests set up and look at real folders")]

mod appearance;
mod browser;
#[cfg(unix)]
mod cluster;
mod commonmark;
mod external_validators;
mod forks;
mod frame;
mod hostile;
mod layout;
mod lists;
mod own_site;
mod pagination;
mod reading;
mod recordings;
mod search;
mod search_dialog;
mod search_drift;
mod search_parity;
mod self_hosting;
mod serve;
mod services;
#[path = "../support/mod.rs"]
mod support;
mod tools;
