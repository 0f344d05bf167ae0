//! Credentials with a shape of their own, by what they open.
//!
//! The facts are those of the issuers' documentation; `source` says whose. Where an issuer tells
//! only a prefix, the alphabet and length are those of the keys that its documentation shows.
//! Numbers that name an account but open nothing (client and application ids) have no row.

mod chat;
mod clouds;
mod code;
mod data;
mod models;
mod money;
mod named;
mod packages;
mod services;
mod signed;
mod watching;

use super::table::Rule;

/// All of them.
pub(super) static TABLES: &[&[Rule]] = &[
    chat::ROWS,
    clouds::ROWS,
    code::ROWS,
    data::ROWS,
    models::ROWS,
    money::ROWS,
    named::ROWS,
    packages::ROWS,
    services::ROWS,
    signed::ROWS,
    watching::ROWS,
];
