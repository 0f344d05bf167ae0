//! Credentials with a shape of their own, grouped by service.
//!
//! The shapes follow the issuers' documentation, which `source` names. If an issuer documents only a
//! prefix, the alphabet and length are those of the keys shown in its documentation.
//!
//! There are no rules for identifiers that give access to nothing (client ids of Asana, Bitbucket, Discord,
//! Adobe, LinkedIn and MessageBird, application ids of Sendbird), for keys that are meant to be public
//! (Lob, Flutterwave, Stripe, Mapbox `pk`), or for files that are keys as a whole (PKCS #12), because only
//! texts are published.

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

/// All tables of rules.
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
