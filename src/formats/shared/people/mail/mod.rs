//! The contents of a mail: its header fields ([`fields`]) and its text ([`mod@body`]), which is read from its
//! [`parts`]. Quotations and signatures are found by [`tail`], whose neighbours write by other programs' rules.

pub(crate) mod body;
pub(crate) mod fields;
mod armor;
mod lead;
mod lines;
mod outlook;
mod pages;
mod parts;
mod prose;
mod tail;
