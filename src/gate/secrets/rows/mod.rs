//! Credentials with a shape of their own, by what they open.
//!
//! The facts are those of the issuers' documentation; `source` says whose. Where an issuer tells
//! only a prefix, the alphabet and length are those of the keys that its documentation shows.
//!
//! Left out: numbers that name an account and open nothing (client ids of Asana, Bitbucket, Discord,
//! Adobe, LinkedIn and MessageBird, application ids of Sendbird), keys that are meant to be public
//! (Lob, Flutterwave, Stripe, Mapbox `pk`), and files that are keys as a whole (PKCS #12): what is
//! published is text.

mod chat;
mod clouds;
mod code;
mod data;
mod models;
mod money;
mod named_a_to_k;
mod named_l_to_z;
mod packages;
mod services;
mod signed;
mod watching;

use super::rule::Rule;

/// All of them.
pub(super) static TABLES: &[&[Rule]] = &[
    chat::ROWS,
    clouds::ROWS,
    code::ROWS,
    data::ROWS,
    models::ROWS,
    money::ROWS,
    named_a_to_k::ROWS,
    named_l_to_z::ROWS,
    packages::ROWS,
    services::ROWS,
    signed::ROWS,
    watching::ROWS,
];
